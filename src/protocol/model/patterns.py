"""Compiles the model's regular expressions to tables, so that matching is linear, iterative and free of allocation.

A table is a list of rows of 130 cells: the next row for each of the 128 ASCII characters, for any other character, and
whether the text may end here. Row 0 accepts nothing any more, row 1 is the start; cells are relative to row 0.
The dialect: literals, escapes, classes, groups, the quantifiers + * ? and {n}, anchors at both ends. The whole text has
to match.
"""

OTHER = 128
ALL = frozenset(range(129))
ESCAPES = {"t": 9, "n": 10, "r": 13}
WORD = frozenset(ord(c) for c in "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")


def fold(code_point):
    return min(code_point, OTHER)


class Parser:
    """Recursive descent to a tree of ("set", symbols), ("seq", parts), ("repeat", part, low, unbounded)."""

    def __init__(self, text):
        self.text = text.removeprefix("^").removesuffix("$")
        self.at = 0

    def take(self):
        self.at += 1
        return self.text[self.at - 1]

    def peek(self):
        return self.text[self.at] if self.at < len(self.text) else ""

    def sequence(self):
        parts = []
        while self.peek() not in ("", ")"):
            parts.append(self.quantified(self.atom()))
        return ("seq", parts)

    def atom(self):
        c = self.take()
        if c == "(":
            inner = self.sequence()
            self.take()
            return inner
        if c == "[":
            return ("set", self.char_class())
        if c == "\\":
            return ("set", self.escape())
        if c == ".":
            return ("set", ALL)
        return ("set", frozenset([fold(ord(c))]))

    def escape(self):
        """The symbols of what follows a backslash; a single code point is left in self.last for ranges."""
        c = self.take()
        self.last = None
        if c == "p":
            end = self.text.index("}", self.at)
            name, self.at = self.text[self.at + 1:end], end + 1
            if name != "Print":
                raise ValueError(f"class {name} is not supported")
            return frozenset(range(0x20, 0x7F))
        if c == "w":
            return WORD
        digits = {"u": 4, "x": 2}.get(c)
        if digits:
            self.last = int(self.text[self.at:self.at + digits], 16)
            self.at += digits
        else:
            self.last = ESCAPES.get(c, ord(c))
        return frozenset([fold(self.last)])

    def char_class(self):
        negated = self.peek() == "^"
        if negated:
            self.take()
        symbols = set()
        while self.peek() != "]":
            first = self.class_member(symbols)
            if first is not None and self.peek() == "-" and self.text[self.at + 1] != "]":
                self.take()
                last = self.class_member(symbols)
                symbols |= {fold(c) for c in range(first, last + 1)}
        self.take()
        return frozenset(ALL - symbols if negated else symbols)

    def class_member(self, symbols):
        c = self.take()
        if c != "\\":
            symbols.add(fold(ord(c)))
            return ord(c)
        symbols |= self.escape()
        return self.last

    def quantified(self, part):
        c = self.peek()
        if c in ("+", "*", "?"):
            self.take()
            return {"+": ("seq", [part, ("star", part)]), "*": ("star", part), "?": ("maybe", part)}[c]
        if c == "{":
            end = self.text.index("}", self.at)
            count, self.at = int(self.text[self.at + 1:end]), end + 1
            return ("seq", [part] * count)
        return part


class Automaton:
    """Thompson's construction; state 0 is the start."""

    def __init__(self):
        self.edges, self.empty = [], []
        self.state()

    def state(self):
        self.edges.append([])
        self.empty.append([])
        return len(self.edges) - 1

    def add(self, node, start):
        """Appends node behind start; gives the state after it."""
        if node[0] == "set":
            end = self.state()
            self.edges[start].append((node[1], end))
            return end
        if node[0] == "seq":
            for part in node[1]:
                start = self.add(part, start)
            return start
        begin = self.state()
        self.empty[start].append(begin)
        end = self.add(node[1], begin)
        after = self.state()
        self.empty[begin].append(after)
        self.empty[end].append(after)
        if node[0] == "star":
            self.empty[end].append(begin)
        return after

    def closure(self, states):
        found, pending = set(states), list(states)
        while pending:
            for state in self.empty[pending.pop()]:
                if state not in found:
                    found.add(state)
                    pending.append(state)
        return frozenset(found)


def compile_pattern(text):
    automaton = Automaton()
    final = automaton.add(Parser(text).sequence(), 0)
    start = automaton.closure([0])
    numbers, order, rows = {frozenset(): 0, start: 1}, [frozenset(), start], []
    for states in order:
        row = []
        for symbol in range(129):
            target = automaton.closure([end for state in states for symbols, end in automaton.edges[state]
                                        if symbol in symbols])
            if target not in numbers:
                numbers[target] = len(order)
                order.append(target)
            row.append(numbers[target])
        rows.append(row + [int(final in states)])
    if len(rows) > 255:
        raise ValueError(f"pattern {text} needs too many states")
    return rows
