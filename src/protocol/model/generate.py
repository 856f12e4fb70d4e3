"""Turns service.json and overrides.json into the C++ tables of the service model.

Usage: generate.py OUTPUT_FOLDER; writes service_model_tables.cpp and protocol/service_members.h below it.

service.json is the model: operations by target prefix, and every shape that an input reaches. A structure lists its
members in model order, "!" marks a required one. overrides.json is what the service does differently from its model:
the order in which it prints enum values and reports members, how it treats table names, and shapes whose constraints the
operations check in words of their own.
"""

import json
import pathlib
import re
import sys

import patterns

HERE = pathlib.Path(__file__).parent
KEYWORDS = {"and", "bool", "case", "class", "default", "delete", "do", "else", "enum", "export", "for", "if", "int",
            "new", "not", "operator", "or", "private", "public", "register", "return", "signed", "static", "struct",
            "switch", "template", "this", "union", "unsigned", "using", "virtual", "void", "while", "xor"}
TYPES = {"string": "string", "integer": "integer", "long": "long_integer", "double": "double_number",
         "boolean": "boolean", "blob": "blob", "timestamp": "timestamp"}


def snake_case(name):
    name = re.sub(r"([A-Z]+)([A-Z][a-z])", r"\1_\2", name)
    name = re.sub(r"([a-z0-9])([A-Z])", r"\1_\2", name).lower()
    return name + "_" if name in KEYWORDS else name


def cpp_string(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def load_model():
    """The model with the overrides applied: operations as (target, name, input, short exponents), shapes by name."""
    model = json.loads((HERE / "service.json").read_text())
    overrides = json.loads((HERE / "overrides.json").read_text())
    shapes = model["shapes"]
    shapes.update(overrides["shapes"])
    for name, order in overrides["enum_orders"].items():
        if sorted(shapes[name]["enum"]) != sorted(order):
            sys.exit(f"enum order of {name} does not match the model")
        shapes[name]["enum"] = order
    for name in overrides["batch_table_names"]:
        shapes[name]["map"][0] = "BatchTableName"
    for name, shape in shapes.items():
        members = []
        for member, target in shape.get("structure", {}).items():
            bare = member.rstrip("!")
            if bare == "TableName" and target == "TableArn":
                target = "ItemTableName" if name in overrides["item_table_names"] else "ControlTableName"
            members.append({"name": bare, "shape": target, "required": member.endswith("!"),
                            "bare": overrides["bare_bounds"].get(f"{name}.{bare}", "none")})
        shape["members"] = members
        names = [member["name"] for member in members]
        first = overrides["report_orders"].get(name, [])
        if not set(first) <= set(names):
            sys.exit(f"report order of {name} names unknown members")
        shape["report_order"] = [names.index(n) for n in first + [n for n in names if n not in first]]
        shape["text_suffix"] = overrides["text_suffixes"].get(name, "")
    older = set(overrides["short_exponents"])
    operations = sorted((f"{prefix}.{name}", name, target, name in older)
                        for prefix, entries in model["operations"].items() for name, target in entries.items())
    if not older <= {name for _, name, _, _ in operations}:
        sys.exit("short_exponents names unknown operations")
    return operations, shapes


def references(shape):
    found = [member["shape"] for member in shape["members"]]
    found += shape.get("map", [])
    if "list" in shape:
        found.append(shape["list"])
    return found


def mark_constrained(shapes):
    """constrained: check_constraints can find something in a value of this shape."""
    for shape in shapes.values():
        shape["constrained"] = any(key in shape for key in ("min", "max", "pattern", "enum")) or any(
            member["required"] for member in shape["members"]) or any(
            element != "AttributeValue" for element in (shape.get("list"), shape.get("map", [None, None])[1]) if element)
    changed = True
    while changed:
        changed = False
        for shape in shapes.values():
            if not shape["constrained"] and any(shapes[name]["constrained"] for name in references(shape)):
                shape["constrained"] = changed = True


class Tables:
    """Collects the flat arrays that shapes point into."""

    def __init__(self, shapes):
        self.shapes = shapes
        self.index = {name: i for i, name in enumerate(shapes)}
        self.members, self.enums, self.orders, self.rows, self.patterns = [], [], [], [], {}

    def span(self, array, name, entries):
        if not entries:
            return "{}"
        start = len(array)
        array.extend(entries)
        return f"{{{name} + {start}, {len(entries)}}}"

    def pointer(self, name):
        return f"&kShapes[{self.index[name]}]" if name else "nullptr"

    def pattern(self, text):
        if not text:
            return "nullptr"
        if text not in self.patterns:
            self.patterns[text] = len(self.rows)
            self.rows += patterns.compile_pattern(text)
        return f"kPatternRows + {self.patterns[text]}"

    def shape(self, name):
        shape = self.shapes[name]
        kind = next((k for k in ("attribute_value", "structure", "list", "map") if k in shape), None)
        kind = kind or TYPES[shape["type"]]
        members = [f'{{{cpp_string(m["name"])}, {self.pointer(m["shape"])}, {str(m["required"]).lower()}, '
                   f'Member::BareBound::{m["bare"]}}}' for m in shape["members"]]
        key, element = shape.get("map", [None, shape.get("list")])
        fields = [
            cpp_string(name), f"Shape::Type::{kind}", f'Shape::NameRule::{shape.get("name_rule", "none")}',
            str(shape["constrained"]).lower(), str(shape.get("min", "Shape::kNoMin")),
            str(shape.get("max", "Shape::kNoMax")), cpp_string(shape.get("pattern", "")),
            self.pattern(shape.get("pattern")),
            self.span(self.enums, "kEnumValues", [cpp_string(v) for v in shape.get("enum", [])]),
            self.span(self.members, "kMembers", members),
            self.span(self.orders, "kReportOrders", [str(i) for i in shape["report_order"]]),
            self.pointer(element), self.pointer(key), cpp_string(shape["text_suffix"])]
        return "{" + ", ".join(fields) + "}"


def array(declaration, entries):
    return f"{declaration}[{len(entries)}] = {{\n" + "".join(f"    {entry},\n" for entry in entries) + "};\n"


def write_tables(path, operations, shapes):
    tables = Tables(shapes)
    rows = [tables.shape(name) for name in shapes]
    entries = [f"{{{cpp_string(target)}, {cpp_string(name)}, {tables.pointer(shape)}, {str(short).lower()}}}"
               for target, name, shape, short in operations]
    pattern_rows = ["{{" + ",".join(str(cell) for cell in row) + "}}" for row in tables.rows]
    path.write_text(
        "// Generated from src/protocol/model by generate.py.\n"
        '#include "protocol/service_model.h"\n\n'
        "namespace basalt::protocol {\nnamespace {\n\n"
        f"extern const Shape kShapes[{len(rows)}];\n"
        + array("constexpr PatternRow kPatternRows", pattern_rows)
        + array("constexpr std::string_view kEnumValues", tables.enums)
        + array("constexpr std::uint8_t kReportOrders", tables.orders)
        + array("constexpr Member kMembers", tables.members)
        + array("constinit const Shape kShapes", rows)
        + array("constexpr OperationModel kOperations", entries)
        + "\n} // namespace\n\n"
        "std::span<const OperationModel> operations() noexcept\n{\n    return kOperations;\n}\n\n"
        "} // namespace basalt::protocol\n")


def write_members(path, shapes):
    text = ["// Generated from src/protocol/model by generate.py: for each structure of an input, the positions of its\n"
            "// members in Shape::members and Node::members().\n#pragma once\n\n#include <cstddef>\n\n"
            "namespace basalt::protocol {\n\n"]
    for name, shape in sorted(shapes.items()):
        if shape["members"]:
            names = ", ".join(snake_case(member["name"]) for member in shape["members"])
            text.append(f"namespace {snake_case(name)} {{\nenum : std::size_t {{ {names} }};\n}}\n")
    text.append("\n} // namespace basalt::protocol\n")
    path.write_text("".join(text))


def main():
    output = pathlib.Path(sys.argv[1])
    (output / "protocol").mkdir(parents=True, exist_ok=True)
    operations, shapes = load_model()
    mark_constrained(shapes)
    write_tables(output / "service_model_tables.cpp", operations, shapes)
    write_members(output / "protocol" / "service_members.h", shapes)


if __name__ == "__main__":
    main()
