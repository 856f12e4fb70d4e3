"""A reading of C++ that is just good enough to measure functions: comments, strings and braces, no grammar."""

import re
from dataclasses import dataclass

TOKENS = re.compile(
    r"""//[^\n]*|/\*.*?\*/"""
    r"""|R"(?P<tag>[^()\\\s]{0,16})\(.*?\)(?P=tag)\""""
    r"""|"(?:\\.|[^"\\\n])*"|(?<![0-9A-Fa-f])'(?:\\.|[^'\\\n])+'"""
    r"""|^[ \t]*\#(?:[^\n\\]|\\.)*""",
    re.S | re.M)
NOT_A_FUNCTION = re.compile(r"^\s*(?:template\s*<.*>\s*)?(?:inline\s+)?(?:typedef\s+)?"
                            r"(?:namespace|class|struct|union|enum)\b", re.S)
INITIALISER = re.compile(r"\)[\w\s]*:(?!:)")


@dataclass(frozen=True)
class Function:
    name: str
    line: int
    lines: int


def blank(text):
    """The same text, line for line, with comments, literals and preprocessor lines emptied."""
    def empty(match):
        word = match.group(0)
        filler = '""' if word[0] in "\"R'" else " "
        return filler + "\n" * word.count("\n")
    return TOKENS.sub(empty, text)


def matching(text, start):
    """Index of the brace that closes the one at start; the end of the text if none does."""
    depth = 0
    for index in range(start, len(text)):
        if text[index] == "{":
            depth += 1
        elif text[index] == "}":
            depth -= 1
            if depth == 0:
                return index
    return len(text) - 1


def is_scope(head):
    return "(" not in head or bool(NOT_A_FUNCTION.match(head))


def functions(source):
    """Every function with a body, outermost only: a lambda counts with the function around it."""
    text = blank(source)
    found = []
    index = head_start = 0
    parens = 0
    while index < len(text):
        char = text[index]
        if char == "(":
            parens += 1
        elif char == ")":
            parens = max(0, parens - 1)
        elif char == "{":
            head = text[head_start:index]
            before = head.rstrip()[-1:]
            is_member_value = INITIALISER.search(head) and (before.isalnum() or before in "_>")
            if parens > 0 or is_member_value:
                index = matching(text, index) + 1
                continue
            if is_scope(head):
                head_start = index + 1
            else:
                end = matching(text, index)
                line = text.count("\n", 0, index) + 1
                name = re.search(r"([\w:~]+)\s*\(", head)
                found.append(Function(name.group(1) if name else "?", line, text.count("\n", index, end) + 1))
                index = end
                head_start = end + 1
        elif char in "};":
            head_start = index + 1
            if char == "}":
                parens = 0
        index += 1
    return found
