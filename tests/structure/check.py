"""Holds the tree against the project's rules: check.py [--root FOLDER] [RULE...]. Prints each finding and exits 1 if
there is any."""

import argparse
import sys
from pathlib import Path

import documents
import formatting
import layering
import sizes
import text_rules
from finding import project_files

RULES = {
    "layering": layering.check,
    "sizes": sizes.check,
    "text": text_rules.check,
    "documents": documents.check,
    "formatting": formatting.check,
}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--root", type=Path, default=Path(__file__).resolve().parents[2])
    parser.add_argument("rules", nargs="*", metavar="RULE", help=f"of {', '.join(RULES)}; all when none is named")
    arguments = parser.parse_args()
    files = project_files(arguments.root)
    if not files:
        sys.exit(f"no files under {arguments.root}")
    findings = []
    for name in arguments.rules or RULES:
        findings += RULES[name](arguments.root, files)
    for finding in sorted(set(findings)):
        print(finding)
    if findings:
        sys.exit(1)
    print(f"{len(files)} files keep to: {', '.join(arguments.rules or RULES)}")


if __name__ == "__main__":
    main()
