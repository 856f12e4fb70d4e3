"""Which room may include which: the two tables of docs/ARCHITECTURE.md, read from there, held against every #include of
src/ and every DEPENDS of its CMake files."""

import re

from finding import CPP_SUFFIXES, Finding, read

DOCUMENT = "docs/ARCHITECTURE.md"
OPEN_TO_ALL = {"basalt/result.h", "basalt/error.h", "basalt/version.h"}
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.M)
DEPENDS = re.compile(r"basalt_module\(\s*(\w+)[^)]*?\bDEPENDS\b([^)]*)\)", re.S)


def table(text, label):
    """{left: {right, ...}} of the fenced block with this label: one 'left: right, right' a line, '-' for nothing."""
    block = re.search(rf"^```{label}\n(.*?)^```", text, re.M | re.S)
    if not block:
        raise ValueError(f"{DOCUMENT} has no block ```{label}")
    rows = {}
    for line in filter(None, (line.strip() for line in block.group(1).splitlines())):
        left, _, right = line.partition(":")
        rows[left.strip()] = {word.strip() for word in right.split(",")} - {"", "-"}
    return rows


def room_of(path):
    """The room of a source file: its folder under src/, 'database' and 'main' for the files that stand there alone."""
    parts = path.parts[1:]
    if len(parts) == 1:
        return "main" if path.stem == "main" else "database"
    return "storage/" + parts[1] if parts[0] == "storage" and len(parts) > 2 else parts[0]


def target_of(header):
    """What an include names in the words of the table: a room, or one header that the table names itself."""
    folders = header.split("/")[:-1]
    if header.startswith("basalt/"):
        return "include/basalt"
    if folders[:1] == ["storage"]:
        return "/".join(folders) if len(folders) > 1 else header
    return folders[0] if folders else ""


def allowed_edge(room, header, rooms):
    target = target_of(header)
    if header in OPEN_TO_ALL or target == room or target == "":
        return True
    grants = rooms.get(room, set())
    if target.startswith("storage/"):
        if target.endswith(".h"):  # stands in storage itself
            return room == "storage" or bool({target, "storage"} & grants)
        return target in grants or "backends" in grants
    return target in grants


def third_party_rule(header, libraries):
    for prefix, rooms in libraries.items():
        if header.startswith(prefix):
            return prefix, rooms
    return None, set()


def check_source(root, path, rooms, libraries):
    room = room_of(path)
    if room not in rooms:
        yield Finding(str(path), 1, f"the layering table has no room {room}")
        return
    text = read(root, path) or ""
    for match in INCLUDE.finditer(text):
        line = text.count("\n", 0, match.start(2)) + 1
        quote, header = match.groups()
        if quote == '"':
            if not allowed_edge(room, header, rooms):
                yield Finding(str(path), line, f"{room} may not include {header}")
        else:
            prefix, grants = third_party_rule(header, libraries)
            if prefix and room not in grants:
                yield Finding(str(path), line, f"<{header}> may not be used in {room}")


def check_targets(root, path, rooms):
    for match in DEPENDS.finditer(read(root, path) or ""):
        room = "/".join(path.parts[1:-1])
        for target in re.findall(r"basalt::(\w+)", match.group(2)):
            name = next((known for known in rooms if known.replace("/", "_") == target), target)
            grants = rooms.get(room, set())
            through_contract = name == "storage" and "storage/store.h" in grants
            if name not in grants and not through_contract and not ("backends" in grants and name.startswith("storage/")):
                yield Finding(str(path), 1, f"target {match.group(1)} may not link basalt::{target}")


def check(root, files):
    document = read(root, DOCUMENT) if (root / DOCUMENT).is_file() else None
    if document is None:
        return [Finding(DOCUMENT, 1, "is missing, and with it the layering table")]
    rooms, libraries = table(document, "layers"), table(document, "libraries")
    findings = []
    for path in files:
        if path.parts[0] == "src" and path.suffix in CPP_SUFFIXES:
            findings += check_source(root, path, rooms, libraries)
        elif path.parts[0] == "src" and path.name == "CMakeLists.txt" and len(path.parts) > 2:
            findings += check_targets(root, path, rooms)
        elif path.parts[:2] == ("include", "basalt") and path.suffix == ".h":
            findings += check_public(root, path)
    return findings


def check_public(root, path):
    """The library's headers lean on each other and the standard library alone."""
    for _, header in INCLUDE.findall(read(root, path) or ""):
        if "/" in header and not header.startswith("basalt/"):
            yield Finding(str(path), 1, f"a public header may not include {header}")
