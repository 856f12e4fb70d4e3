"""What may not stand in the project's text and names. The patterns are written so that they do not match themselves."""

import re

from finding import CODE_SUFFIXES, Finding, read

FORBIDDEN_TEXT = [
    (re.compile(r"/[r]oot/|/[h]ome/\w+/"), "a path of one machine"),
    (re.compile(r"[d]eb\.debian\.org|[r]egistry\.npmjs|[p]ypi\.org|[p]roxy\.golang"), "the host of a package registry"),
    (re.compile(r"\bissue[ ]#?[0-9]+\b", re.I), "how the work is organised"),
    (re.compile(r"\b(?:T[O]DO|F[I]XME|X[X]X|H[A]CK)\b"), "a note to self"),
]
FORBIDDEN_WORDS = {"u" + "tils", "u" + "til", "h" + "elpers", "h" + "elper", "m" + "anager", "c" + "ommon"}
TYPE_OR_NAMESPACE = re.compile(r"^\s*(?:namespace|class|struct|enum class)\s+([\w:]+)", re.M)
WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[0-9]+")
LOCK_FILES = {"package-lock.json"}


def words_of(name):
    return {word.lower() for word in WORD.findall(name)}


def check_text(root, path):
    text = read(root, path)
    if text is None:
        return
    for pattern, what in FORBIDDEN_TEXT:
        for match in pattern.finditer(text):
            line = text.count("\n", 0, match.start()) + 1
            yield Finding(str(path), line, f"'{match.group(0)}': {what}")


def check_names(root, path):
    bad = words_of("/".join(path.parts)) & FORBIDDEN_WORDS
    if bad:
        yield Finding(str(path), 1, f"a name that says nothing: {', '.join(sorted(bad))}")
    if path.suffix in CODE_SUFFIXES:
        text = read(root, path) or ""
        for match in TYPE_OR_NAMESPACE.finditer(text):
            bad = words_of(match.group(1)) & FORBIDDEN_WORDS
            if bad:
                line = text.count("\n", 0, match.start(1)) + 1
                yield Finding(str(path), line, f"a name that says nothing: {match.group(1)}")


def check(root, files):
    findings = []
    for path in files:
        findings += check_names(root, path)
        if path.name not in LOCK_FILES:
            findings += check_text(root, path)
    return findings
