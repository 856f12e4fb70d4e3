"""Each rule can fail: a small tree that keeps to the rules passes, and one with a single fault is found out."""

import tempfile
import unittest
from pathlib import Path

import documents
import formatting
import layering
import sizes
import text_rules
from cpp_scan import functions
from finding import project_files

ARCHITECTURE = """# Rooms
```layers
base: -
model: base
storage: base
storage/rocksdb: storage/store.h, base
engine: storage/store.h, model, base
database: engine, backends, base
server: include/basalt, base
main: server, include/basalt
```
```libraries
rocksdb/: storage/rocksdb
boost/: server
```
"""
COMPATIBILITY = "| Operation | State |\n| --- | --- |\n| PutItem | implemented |\n| Query | not yet |\n"
MODEL = '{"operations": {"DynamoDB_20120810": {"PutItem": "PutItemInput", "Query": "QueryInput"}}}'


class Tree(unittest.TestCase):
    """A throw-away project."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        self.write("docs/ARCHITECTURE.md", ARCHITECTURE)
        self.write("docs/COMPATIBILITY.md", COMPATIBILITY)

    def write(self, path, text):
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")

    def findings(self, rule):
        return [str(finding) for finding in rule.check(self.root, project_files(self.root))]

    def assert_found(self, rule, words):
        found = self.findings(rule)
        self.assertTrue(any(words in finding for finding in found), f"{words!r} is not in {found}")

    def assert_clean(self, rule):
        self.assertEqual(self.findings(rule), [])


class Layering(Tree):
    def test_allowed_edges_pass(self):
        self.write("src/engine/a.cpp", '#include "engine/a.h"\n#include "model/b.h"\n#include "storage/store.h"\n'
                                       '#include "basalt/result.h"\n#include <vector>\n')
        self.write("src/storage/store.h", '#include "base/bytes.h"\n')
        self.write("src/storage/rocksdb/c.cpp", '#include "storage/store.h"\n#include <rocksdb/db.h>\n')
        self.write("src/database.cpp", '#include "storage/rocksdb/c.h"\n#include "engine/a.h"\n')
        self.write("src/main.cpp", '#include "server/listener.h"\n#include "basalt/database.h"\n')
        self.write("src/engine/CMakeLists.txt", "basalt_module(engine SOURCES a.cpp DEPENDS basalt::model basalt::storage)\n")
        self.assert_clean(layering)

    def test_upward_include(self):
        self.write("src/model/a.h", '#include "engine/b.h"\n')
        self.assert_found(layering, "model may not include engine/b.h")

    def test_backend_behind_the_contract(self):
        self.write("src/engine/a.cpp", '#include "storage/rocksdb/c.h"\n')
        self.assert_found(layering, "engine may not include storage/rocksdb/c.h")

    def test_library_in_the_wrong_room(self):
        self.write("src/engine/a.cpp", "#include <rocksdb/db.h>\n")
        self.assert_found(layering, "<rocksdb/db.h> may not be used in engine")

    def test_unknown_room(self):
        self.write("src/attic/a.cpp", "\n")
        self.assert_found(layering, "no room attic")

    def test_public_header(self):
        self.write("include/basalt/database.h", '#include "engine/a.h"\n')
        self.assert_found(layering, "a public header may not include engine/a.h")

    def test_linked_target(self):
        self.write("src/model/CMakeLists.txt", "basalt_module(model SOURCES a.cpp DEPENDS basalt::engine)\n")
        self.assert_found(layering, "may not link basalt::engine")

    def test_missing_table(self):
        self.write("docs/ARCHITECTURE.md", "no table\n")
        with self.assertRaises(ValueError):
            self.findings(layering)


class Sizes(Tree):
    def test_small_file_passes(self):
        self.write("src/base/a.cpp", "int f()\n{\n    return 1;\n}\n")
        self.assert_clean(sizes)

    def test_long_file(self):
        self.write("tests/unit/a.py", "x = 1\n" * (sizes.FILE_LINES_MAX + 1))
        self.assert_found(sizes, "801 lines; 800 is the limit")

    def test_median(self):
        self.write("src/base/a.cpp", "int x;\n" * sizes.SOURCE_MEDIAN_MAX)
        self.assert_found(sizes, "the median file has 150 lines")

    def test_many_large_files(self):
        for number in range(4):
            self.write(f"src/base/large{number}.cpp", "int x;\n" * (sizes.FILE_LINES_LARGE + 1))
        self.assert_found(sizes, "too many files over 400 lines")

    def test_long_function(self):
        body = "    g();\n" * (sizes.FUNCTION_LINES_MAX - 1)
        self.write("src/base/a.cpp", "namespace n {\nstruct S {\n void f() const noexcept\n{\n" + body + "}\n};\n}\n")
        self.assert_found(sizes, "f has 71 lines; 70 is the limit")


class FunctionScan(unittest.TestCase):
    def lengths(self, source):
        return [(function.name, function.lines) for function in functions(source)]

    def test_scopes_are_not_functions(self):
        self.assertEqual(self.lengths("namespace a {\nclass B final : public C {\n int x = 0;\n};\nenum E { p, q };\n}\n"), [])

    def test_braces_in_text_do_not_count(self):
        source = 'int f()\n{\n  auto s = "}{{"; // }}}\n  char c = \'{\';\n  auto r = R"x({{)x";\n  return 1\'000;\n}\n'
        self.assertEqual(self.lengths(source), [("f", 6)])

    def test_initialisers_and_defaults(self):
        source = "A::A(int x, B b = {})\n    : x_{x}, y_(b)\n{\n  g();\n}\nvoid h(int)\n{\n}\n"
        self.assertEqual(self.lengths(source), [("A::A", 3), ("h", 2)])

    def test_lambda_counts_with_its_function(self):
        self.assertEqual(self.lengths("void f()\n{\n  run([&] {\n    g();\n  });\n}\n"), [("f", 5)])


class Text(Tree):
    def test_plain_text_passes(self):
        self.write("README.md", "An issue of style. See docs. Work on it, then rest.\n")
        self.write("src/base/commonality.cpp", "class Managed {};\n")
        self.assert_clean(text_rules)

    def test_forbidden_text(self):
        for sample in ("/ho" + "me/me/x", "/ro" + "ot/x", "see iss" + "ue #12", "T" + "ODO: later", "regis" + "try.npmjs.org"):
            self.write("docs/a.md", sample + "\n")
            self.assert_found(text_rules, "docs/a.md:1: ")

    def test_forbidden_names(self):
        for sample in ("src/base/string_u" + "tils.h", "src/com" + "mon/a.h", "src/base/TableMan" + "ager.h"):
            self.write(sample, "\n")
            self.assert_found(text_rules, f"{sample}:1: a name that says nothing")

    def test_forbidden_type_name(self):
        self.write("src/base/a.h", "class LockMan" + "ager {\n};\n")
        self.assert_found(text_rules, "a name that says nothing: Lock")


class Documents(Tree):
    def setUp(self):
        super().setUp()
        self.write(documents.MODEL, MODEL)
        self.write("src/operations/registry.cpp", '{"DynamoDB_20120810.PutItem", put_item},\n')
        count = documents.OPERATION_COUNT
        self.addCleanup(setattr, documents, "OPERATION_COUNT", count)
        documents.OPERATION_COUNT = 2

    def test_true_document_passes(self):
        self.assert_clean(documents)

    def test_operation_not_listed(self):
        self.write("docs/COMPATIBILITY.md", COMPATIBILITY.replace("| Query | not yet |\n", ""))
        self.assert_found(documents, "does not list Query")

    def test_operation_that_does_not_exist(self):
        self.write("docs/COMPATIBILITY.md", COMPATIBILITY + "| Dance | not yet |\n")
        self.assert_found(documents, "lists Dance")

    def test_operation_listed_twice(self):
        self.write("docs/COMPATIBILITY.md", COMPATIBILITY + "| Query | not yet |\n")
        self.assert_found(documents, "lists Query twice")

    def test_claim_without_code(self):
        self.write("src/operations/registry.cpp", "\n")
        self.assert_found(documents, "PutItem is listed as implemented but not registered")

    def test_code_without_claim(self):
        self.write("docs/COMPATIBILITY.md", COMPATIBILITY.replace("| PutItem | implemented |", "| PutItem | not yet |"))
        self.assert_found(documents, "PutItem is registered but not listed as implemented")

    def test_model_of_another_size(self):
        documents.OPERATION_COUNT = 3
        self.assert_found(documents, "has 2 operations, expected 3")

    def test_options(self):
        self.write("src/server/settings.cpp", 'Setting{"port", "PORT"},\nSetting{"data-dir", ""},\n')
        self.write("README.md", "| `--port PORT` | 8000 | |\n| `--data-dir D` | | |\n| `--config FILE` | | |\n")
        self.assert_clean(documents)
        self.write("README.md", "| `--port PORT` | 8000 | |\n| `--speed` | | |\n")
        self.assert_found(documents, "does not list the option --data-dir")
        self.assert_found(documents, "lists --speed, which is no option")

    def test_broken_link(self):
        self.write("README.md", "[here](docs/COMPATIBILITY.md) [there](docs/gone.md)\n")
        self.assert_found(documents, "links to docs/gone.md")


@unittest.skipUnless(formatting.formatter(), "clang-format 14 is not installed")
class Formatting(Tree):
    def setUp(self):
        super().setUp()
        self.write(".clang-format", "BasedOnStyle: LLVM\n")

    def test_formatted_file_passes(self):
        self.write("src/base/a.cpp", "int x = 1;\n")
        self.assert_clean(formatting)

    def test_unformatted_file(self):
        self.write("src/base/a.cpp", "int    x=1 ;\n")
        self.assert_found(formatting, "src/base/a.cpp:1: is not formatted")


if __name__ == "__main__":
    unittest.main()
