"""Documents that make claims a program can check: the list of operations, the list of options, and links."""

import json
import re

from finding import Finding, read

COMPATIBILITY = "docs/COMPATIBILITY.md"
REGISTRY = "src/operations/registry.cpp"
MODEL = "src/protocol/model/service.json"
OPERATION_COUNT = 61
MANUAL = "README.md"
SETTINGS = "src/server/settings.cpp"
SETTING = re.compile(r'Setting\{"([a-z-]+)"')
OPTION_ROW = re.compile(r"^\| `--([a-z-]+)[ `]", re.M)
OPTIONS_OF_NO_SETTING = {"config", "version"}
ROW = re.compile(r"^\| ([A-Z]\w+) \| (implemented|not yet) \|", re.M)
TARGET = re.compile(r'"DynamoDB(?:Streams)?_20120810\.(\w+)"')
LINK = re.compile(r"\[[^\]]*\]\(([^)#\s]+)(?:#[^)\s]*)?\)")


def model_operations(root):
    """Names of the operations of both services, from the model that the protocol's tables are generated from."""
    path = root / MODEL
    services = json.loads(path.read_text(encoding="utf-8"))["operations"] if path.is_file() else {}
    return [name for operations in services.values() for name in operations]


def check_compatibility(root):
    text = read(root, COMPATIBILITY) or ""
    rows = ROW.findall(text)
    listed = [name for name, _ in rows]
    for name in sorted({name for name in listed if listed.count(name) > 1}):
        yield Finding(COMPATIBILITY, 1, f"lists {name} twice")
    known = model_operations(root)
    if known and len(known) != OPERATION_COUNT:
        yield Finding(MODEL, 1, f"has {len(known)} operations, expected {OPERATION_COUNT}")
    for name in sorted(set(known) - set(listed)):
        yield Finding(COMPATIBILITY, 1, f"does not list {name}")
    for name in sorted(set(listed) - set(known)) if known else []:
        yield Finding(COMPATIBILITY, 1, f"lists {name}, which the service model does not have")
    built = set(TARGET.findall(read(root, REGISTRY) or "")) if (root / REGISTRY).is_file() else None
    if built is not None:
        claimed = {name for name, state in rows if state == "implemented"}
        for name in sorted(built - claimed):
            yield Finding(COMPATIBILITY, 1, f"{name} is registered but not listed as implemented")
        for name in sorted(claimed - built):
            yield Finding(COMPATIBILITY, 1, f"{name} is listed as implemented but not registered")


def check_options(root):
    settings = set(SETTING.findall(read(root, SETTINGS) or ""))
    listed = set(OPTION_ROW.findall(read(root, MANUAL) or "")) - OPTIONS_OF_NO_SETTING
    for name in sorted(settings - listed):
        yield Finding(MANUAL, 1, f"does not list the option --{name}")
    for name in sorted(listed - settings):
        yield Finding(MANUAL, 1, f"lists --{name}, which is no option")


def check_links(root, path):
    text = read(root, path) or ""
    for match in LINK.finditer(text):
        target = match.group(1)
        if "://" not in target and not (root / path.parent / target).exists():
            line = text.count("\n", 0, match.start()) + 1
            yield Finding(str(path), line, f"links to {target}, which is not there")


def check(root, files):
    findings = []
    if (root / COMPATIBILITY).is_file():
        findings += check_compatibility(root)
    else:
        findings.append(Finding(COMPATIBILITY, 1, "is missing"))
    if (root / SETTINGS).is_file():
        findings += check_options(root)
    for path in files:
        if path.suffix == ".md":
            findings += check_links(root, path)
    return findings
