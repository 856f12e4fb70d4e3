"""From the text of an expression to its tree: tokens, grammar, syntax errors. Knows nothing of names and values.

A tree is made of the tuples below. Parentheses stay in it, because some of them are faults."""

import re
from collections import namedtuple

from refusal import Refused

Path = namedtuple("Path", "steps")  # as written: names and #names as str, list indexes as int
Literal = namedtuple("Literal", "name")  # :v
Call = namedtuple("Call", "name arguments")
Parenthesised = namedtuple("Parenthesised", "inner")
Comparison = namedtuple("Comparison", "operator left right")
Between = namedtuple("Between", "operand low high")
In = namedtuple("In", "operand choices")
Not = namedtuple("Not", "inner")
And = namedtuple("And", "left right")
Or = namedtuple("Or", "left right")
Arithmetic = namedtuple("Arithmetic", "operator left right")
Action = namedtuple("Action", "section path value")  # value: None for REMOVE

COMPARISONS = ("=", "<>", "<", "<=", ">", ">=")
SECTIONS = ("SET", "REMOVE", "ADD", "DELETE")
EXPRESSION_BYTES_MAX = 4096
REDUNDANT = "The expression has redundant parentheses;"

TOKEN = re.compile(r"""[ \t\r\n]*(?:
    (?P<name>[A-Za-z][A-Za-z0-9_]*) | (?P<alias>\#[A-Za-z0-9_]+) | (?P<literal>:[A-Za-z0-9_]+) |
    (?P<digits>[0-9]+) | (?P<sign><>|<=|>=|[=<>(),.\[\]+-]) | (?P<end>\Z) | (?P<wrong>.))""", re.X | re.S)

Token = namedtuple("Token", "kind text start end")


def tokens_of(text):
    found = []
    position = 0
    while True:
        match = TOKEN.match(text, position)
        kind = match.lastgroup
        found.append(Token(kind, "<EOF>" if kind == "end" else match.group(kind), match.start(kind), match.end()))
        position = match.end()
        if kind == "end":
            return found


class Parser:
    """One expression of one kind, such as FilterExpression."""

    def __init__(self, kind, text):
        self.kind = kind
        self.text = text
        if not text:
            raise self.refusal("The expression can not be empty;")
        if len(text.encode("utf-8")) > EXPRESSION_BYTES_MAX:
            tail = "" if kind == "UpdateExpression" else f" expression size: {len(text.encode('utf-8'))}"
            raise self.refusal(f"Expression size has exceeded the maximum allowed size;{tail}")
        self.tokens = tokens_of(text)
        self.at = 0
        self.redundant = False  # parentheses directly in parentheses were met

    def refusal(self, text):
        return Refused(f"Invalid {self.kind}: {text}")

    def syntax_error(self):
        token = self.tokens[self.at]
        near = self.tokens[max(self.at - 1, 0):self.at + 2]
        words = [word for word in near if word.kind != "end"]
        raw = self.text[words[0].start:words[-1].end] if words else ""
        fault = self.refusal(f'Syntax error; token: "{token.text}", near: "{raw}"')
        if self.redundant:  # which of the two is reported is open
            fault.texts.add(str(self.refusal(REDUNDANT)))
        raise fault

    def peek(self):
        return self.tokens[self.at]

    def take(self):
        self.at += 1
        return self.tokens[self.at - 1]

    def sign(self, *texts):
        """Takes one of these signs if it is next."""
        token = self.tokens[self.at]
        if token.kind == "sign" and token.text in texts:
            self.at += 1
            return token.text
        return None

    def keyword(self, *words):
        token = self.tokens[self.at]
        if token.kind == "name" and token.text.upper() in words:
            self.at += 1
            return token.text.upper()
        return None

    def need(self, sign):
        if not self.sign(sign):
            self.syntax_error()

    def end(self):
        if self.peek().kind != "end":
            self.syntax_error()

    def listed(self, element):
        """element (',' element)*"""
        found = [element()]
        while self.sign(","):
            found.append(element())
        return found

    # Paths and operands

    keywords = ()

    def path(self):
        steps = [self.step_name()]
        while True:
            if self.sign("."):
                steps.append(self.step_name())
            elif self.sign("["):
                if self.peek().kind != "digits":
                    self.syntax_error()
                steps.append(int(self.take().text))
                self.need("]")
            else:
                return Path(tuple(steps))

    def step_name(self):
        token = self.peek()
        if token.kind not in ("name", "alias") or token.text.upper() in self.keywords:
            self.syntax_error()
        return self.take().text

    def simple_operand(self):
        """path | :value | function(operands)"""
        token = self.peek()
        if token.kind == "literal":
            return Literal(self.take().text)
        following = self.tokens[self.at + 1] if token.kind == "name" else None
        if following and following.text == "(" and token.text.upper() not in self.keywords:
            name = self.take().text
            self.need("(")
            arguments = self.listed(self.argument)
            self.need(")")
            return Call(name, tuple(arguments))
        return self.path()

    def argument(self):
        if self.sign("("):
            inner = self.argument()
            self.need(")")
            return Parenthesised(inner)
        return self.simple_operand()


class ConditionParser(Parser):
    keywords = ("AND", "OR", "NOT", "BETWEEN", "IN")

    def parse(self):
        tree = self.condition()
        self.end()
        return tree

    def condition(self):
        left = self.conjunction()
        while self.keyword("OR"):
            left = Or(left, self.conjunction())
        return left

    def conjunction(self):
        left = self.negation()
        while self.keyword("AND"):
            left = And(left, self.negation())
        return left

    def negation(self):
        if self.keyword("NOT"):
            return Not(self.negation())
        tree = self.predicate()
        if is_operand(tree) and not isinstance(without_parentheses(tree), Call):
            self.syntax_error()
        return tree

    def predicate(self):
        """A comparison, or what stands alone: a call, or something in parentheses."""
        left = self.operand_or_group()
        if not is_operand(left):
            return left
        operator = self.sign(*COMPARISONS)
        if operator:
            return Comparison(operator, left, self.operand())
        if self.keyword("BETWEEN"):
            low = self.operand()
            if not self.keyword("AND"):
                self.syntax_error()
            return Between(left, low, self.operand())
        if self.keyword("IN"):
            self.need("(")
            choices = self.listed(self.operand)
            self.need(")")
            return In(left, tuple(choices))
        return left

    def operand_or_group(self):
        if not self.sign("("):
            return self.simple_operand()
        inner = self.group()
        self.need(")")
        self.redundant |= isinstance(inner, Parenthesised)
        return Parenthesised(inner)

    def group(self):
        """What stands in parentheses: an operand if it is one alone, else a whole condition."""
        start = self.at
        inner = self.operand_or_group() if not self.is_keyword("NOT") else None
        if inner is not None and is_operand(inner) and self.peek().text == ")":
            return inner
        self.at = start
        return self.condition()

    def is_keyword(self, word):
        return self.peek().kind == "name" and self.peek().text.upper() == word

    def operand(self):
        operand = self.operand_or_group()
        if not is_operand(operand):
            self.syntax_error()
        return operand


class UpdateParser(Parser):
    keywords = SECTIONS

    def parse(self):
        """The sections in their order: [(name, [Action])]."""
        sections = []
        while not sections or self.peek().kind != "end":
            name = self.keyword(*SECTIONS)
            if not name:
                self.syntax_error()
            sections.append((name, self.listed(getattr(self, name.lower()))))
        return sections

    def set(self):
        path = self.path()
        self.need("=")
        return Action("SET", path, self.set_value())

    def set_value(self):
        if self.sign("("):
            left = Parenthesised(self.set_value())
            self.need(")")
            if isinstance(left.inner, Arithmetic):  # a sum is no operand of another
                return left
        else:
            left = self.argument()
        operator = self.sign("+", "-")
        return Arithmetic(operator, left, self.argument()) if operator else left

    def remove(self):
        return Action("REMOVE", self.path(), None)

    def add(self):
        return self.with_literal("ADD")

    def delete(self):
        return self.with_literal("DELETE")

    def with_literal(self, section):
        path = self.path()
        if self.peek().kind != "literal":
            self.syntax_error()
        return Action(section, path, Literal(self.take().text))


class ProjectionParser(Parser):
    def parse(self):
        paths = self.listed(self.path)
        self.end()
        return paths


def is_operand(tree):
    return isinstance(without_parentheses(tree), (Path, Literal, Call))


def without_parentheses(tree):
    while isinstance(tree, Parenthesised):
        tree = tree.inner
    return tree
