"""Random expressions over a given item: mostly valid and about what the item has, a share with a deliberate fault."""

import re

from binding import RESERVED_WORDS, paths_conflict, paths_overlap
from generate_values import NAMES
from syntax import tokens_of
from values import ordering_key, read_value, show

PLAIN_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*\Z")
PLACEHOLDER = re.compile(r"[#:][A-Za-z0-9_]+")
KEYWORDS = {"SET", "REMOVE", "ADD", "DELETE", "AND", "OR", "NOT", "BETWEEN", "IN"}
ORDERINGS = ("<", "<=", ">", ">=")
TYPE_NAMES = ("S", "N", "B", "BOOL", "NULL", "SS", "NS", "BS", "L", "M")


class ExpressionWriter:
    """Writes the expressions of one request over one item and collects their placeholders."""

    def __init__(self, source, item, avoid=()):
        self.source = source
        self.random = source.random
        self.item = item  # values as pairs
        self.attributes = [name for name in item if name not in avoid] or ["a"]
        self.names = {}
        self.values = {}

    def chance(self, share):
        return self.random.random() < share

    def add_placeholders(self, request):
        """Those that the request's expressions mention; what a writer thought better of is left out."""
        mentioned = {alias for member, text in request.items() if member.endswith("Expression")
                     for alias in PLACEHOLDER.findall(text)}
        for member, given in (("ExpressionAttributeNames", self.names), ("ExpressionAttributeValues", self.values)):
            kept = {alias: meaning for alias, meaning in given.items() if alias in mentioned}
            if kept:
                request[member] = kept

    # Names, literals, paths

    def name(self, name):
        if PLAIN_NAME.match(name) and name.upper() not in RESERVED_WORDS and name.upper() not in KEYWORDS and \
                self.chance(0.85):
            return name
        for alias, known in self.names.items():
            if known == name:
                return alias
        alias = f"#n{len(self.names)}"
        self.names[alias] = name
        return alias

    def literal(self, wire):
        alias = f":v{len(self.values)}"
        self.values[alias] = wire
        return alias

    def written(self, steps):
        text = self.name(steps[0])
        for step in steps[1:]:
            text += f"[{step}]" if isinstance(step, int) else f".{self.name(step)}"
        return text

    def steps(self, missing=0.12):
        """A path, and the value there or None."""
        random = self.random
        if self.chance(missing):
            return self.missing_steps()
        steps = [random.choice(self.attributes)]
        value = self.item.get(steps[0])
        while value and value[0] in ("L", "M") and value[1] and self.chance(0.6):
            kind, content = value
            step = random.randrange(len(content)) if kind == "L" else random.choice(list(content))
            steps.append(step)
            value = content[step]
        return steps, value

    def missing_steps(self):
        steps, value = self.steps(missing=0)
        if value and value[0] == "L" and self.chance(0.7):
            return [*steps, len(value[1]) + self.random.randrange(3)], None
        if value and value[0] == "M" and self.chance(0.7):
            name = self.random.choice(NAMES)
            return [*steps, name], value[1].get(name)
        if self.chance(0.3):
            return [*steps, self.random.choice((0, "b", 2, "zz"))], None
        name = self.random.choice(("zz", "nope", *NAMES))
        return [name], self.item.get(name)

    def near(self, value):
        """A wire value that is likely to compare well with this one."""
        if value is None or self.chance(0.1):
            return self.source.value(2)
        if self.chance(0.5):
            return show(value)
        return self.source.of_kind(value[0], 2)

    # Conditions

    def condition(self, level=0):
        shape = self.random.random()
        if level < 3 and shape < 0.35:
            word = self.random.choice((" AND ", " OR ", " and ", "\nOr\t"))
            return self.condition(level + 1) + word + self.condition(level + 1)
        if level < 3 and shape < 0.45:
            return f"{self.random.choice(('NOT', 'not', 'Not'))} {self.condition(level + 1)}"
        if level < 3 and shape < 0.55:
            inner = self.condition(level + 1)
            return inner if inner.startswith("(") else f"({inner})"
        return self.predicate()

    def predicate(self):
        return self.random.choice((self.equality, self.equality, self.ordering, self.ordering, self.between, self.choice,
                                   self.size_comparison, self.existence, self.existence, self.attribute_type,
                                   self.begins_with, self.contains, self.contains))()

    def operand(self, share=0.1):
        steps, value = self.steps()
        text = self.written(steps)
        return (f"({text})" if self.chance(share) else text), value, steps

    def operand_but(self, steps):
        """An operand that is not this path, nearly always: it may be compared with the path."""
        text, value, other = self.operand()
        return self.literal(self.near(value)) if other == steps and self.chance(0.95) else text

    def equality(self):
        left, value, steps = self.operand()
        right = self.operand_but(steps) if self.chance(0.15) else self.literal(self.near(value))
        if self.chance(0.1):
            left, right = right, left
        blank = self.random.choice((" ", " ", ""))
        return f"{left}{blank}{self.random.choice(('=', '=', '<>'))}{blank}{right}"

    def orderable(self, value):
        wire = self.near(value)
        return wire if next(iter(wire)) in ("S", "N", "B") else self.source.of_kind(self.random.choice("SNB"))

    def ordering(self):
        left, value, steps = self.operand()
        right = self.literal(self.orderable(value))
        if self.chance(0.15):
            text, _, other = self.operand()
            right = text if other != steps else right
        if self.chance(0.1):
            left, right = right, left
        return f"{left} {self.random.choice(ORDERINGS)} {right}"

    def between(self):
        left, value, steps = self.operand()
        if self.chance(0.15):
            low = self.operand_but(steps)
            return f"{left} between {low} And {self.operand()[0] if low.startswith(':') else self.operand_but(steps)}"
        low = self.orderable(value)
        high = self.source.of_kind(next(iter(low)))
        low, high = sorted((low, high), key=lambda wire: ordering_key(read_value(wire)))
        return f"{left} BETWEEN {self.literal(low)} AND {self.literal(high)}"

    def choice(self):
        left, value, steps = self.operand()
        choices = [self.literal(self.near(value)) for _ in range(self.random.randint(1, 4))]
        if self.chance(0.1):
            choices.append(self.operand_but(steps))
        return f"{left} {self.random.choice(('IN', 'in'))} ({', '.join(choices)})"

    def size_comparison(self):
        steps, value = self.steps()
        length = len(value[1]) if value and hasattr(value[1], "__len__") else 1
        number = self.literal({"N": str(self.random.choice((length, length, length + 1, 0, 2)))})
        return f"size({self.written(steps)}) {self.random.choice(ORDERINGS + ('=', '<>'))} {number}"

    def existence(self):
        function = self.random.choice(("attribute_exists", "attribute_not_exists"))
        return f"{function}({self.written(self.steps(0.4)[0])})"

    def attribute_type(self):
        steps, value = self.steps()
        name = value[0] if value and self.chance(0.5) else self.random.choice(TYPE_NAMES)
        return f"attribute_type({self.written(steps)}, {self.literal({'S': name})})"

    def begins_with(self):
        steps, value = self.steps()
        kind = value[0] if value and value[0] in ("S", "B") else self.random.choice("SB")
        return f"begins_with({self.written(steps)}, {self.literal(self.source.of_kind(kind))})"

    def contains(self):
        steps, value = self.steps()
        part = self.source.value(2)
        if value and value[0] in ("S", "B"):
            part = self.source.of_kind(value[0])
        elif value and value[0] in ("SS", "NS", "BS"):
            part = self.source.of_kind(value[0][0])
            if self.chance(0.5):
                part = show((value[0][0], self.random.choice(sorted(value[1]))))
        elif value and value[0] == "L" and value[1]:
            part = show(self.random.choice(value[1]))
        return f"contains({self.written(steps)}, {self.literal(part)})"

    def faulty_condition(self):
        fault = self.random.choice(CONDITION_FAULTS)(self)
        form = self.random.random()
        if form < 0.5:
            return fault
        if form < 0.75:
            return f"{fault} AND {self.predicate()}"
        return f"{self.predicate()} OR {fault}"

    # Projections

    def projection(self):
        chosen = self.separate_paths(self.random.randint(1, 4))
        return self.random.choice((", ", ",")).join(self.written(steps) for steps in chosen)

    def faulty_projection(self):
        fault = self.random.choice(("undefined", "reserved", "overlap", "conflict", "syntax", "empty"))
        if fault == "undefined":
            return f"{self.projection()}, #gone"
        if fault == "reserved":
            return self.random.choice(("zz, Name", "timestamp", "zz.data", "zz.yy[0].Status, xx"))
        if fault == "overlap":
            return self.random.choice(("zz, yy, zz.b", "zz.b[0], zz.b", "zz, zz", "zz[1].a.b, zz[1].a"))
        if fault == "conflict":
            return self.random.choice(("zz.b, zz[0]", "zz[1][0].c, yy, zz[1].b"))
        return "" if fault == "empty" else self.mutilated(self.projection())

    def separate_paths(self, count, missing=0.15):
        """Paths that neither overlap nor conflict."""
        chosen = []
        for _ in range(count):
            steps, _ = self.steps(missing)
            if not any(paths_overlap(steps, other) or paths_conflict(steps, other) for other in chosen):
                chosen.append(steps)
        return chosen

    def mutilated(self, text):
        """One token dropped, doubled, swapped with the next or replaced."""
        tokens = [token.text for token in tokens_of(text)[:-1]]
        at = self.random.randrange(len(tokens))
        form = self.random.randrange(4)
        if form == 0:
            del tokens[at]
        elif form == 1:
            tokens.insert(at, tokens[at])
        elif form == 2 and at + 1 < len(tokens):
            tokens[at], tokens[at + 1] = tokens[at + 1], tokens[at]
        else:
            tokens[at] = self.random.choice((",", ")", "(", "=", "[", "]", ".", "<", "5", "zz", "+", "AND", "$", "/"))
        return " ".join(tokens)


# Each writes one condition with one fault; zz is an attribute that no item has.
CONDITION_FAULTS = (
    lambda writer: "#gone = " + writer.literal({"N": "1"}),
    lambda writer: "zz.#gone[0] = " + writer.literal({"N": "1"}),
    lambda writer: "zz = :gone",
    lambda writer: writer.random.choice(("Status", "zz.count", "timestamp", "ITEM[1]")) + " = " + writer.literal({"N": "1"}),
    lambda writer: f"(({writer.predicate()}))",
    lambda writer: "((zz)) = " + writer.literal({"N": "1"}),
    lambda writer: writer.random.choice(("foo", "Contains", "SIZE", "if_not_exists")) + "(zz)",
    lambda writer: "contains(zz, begins_with(zz, yy))",
    lambda writer: "attribute_exists(zz) = " + writer.literal({"BOOL": True}),
    lambda writer: "size(zz)",
    lambda writer: writer.random.choice(("contains(zz)", "begins_with(zz, yy, xx)", "attribute_exists(zz, yy)",
                                         "attribute_type(zz)", "attribute_not_exists(zz,yy,xx)")),
    lambda writer: "begins_with(zz, " + writer.literal(writer.source.of_kind(writer.random.choice(
        ("N", "BOOL", "NULL", "SS", "NS", "BS", "L", "M")))) + ")",
    lambda writer: f"zz {writer.random.choice(ORDERINGS)} " + writer.literal(writer.source.of_kind(writer.random.choice(
        ("BOOL", "NULL", "SS", "NS", "BS", "L", "M")))),
    lambda writer: "zz BETWEEN " + writer.literal({"N": "1"}) + " AND " + writer.literal({"S": "a"}),
    lambda writer: "zz BETWEEN " + writer.literal({"S": "b"}) + " AND " + writer.literal({"S": "a"}),
    lambda writer: "zz BETWEEN " + writer.literal({"N": "2"}) + " AND " + writer.literal({"N": "-1"}),
    lambda writer: "attribute_type(zz, " + writer.literal({"S": writer.random.choice(("1", "", "s", "STRING"))}) + ")",
    lambda writer: "attribute_type(zz, " + writer.literal({"N": "1"}) + ")",
    lambda writer: "attribute_type(zz, yy)",
    lambda writer: f"attribute_{writer.random.choice(('', 'not_'))}exists(" + writer.literal({"S": "a"}) + ")",
    lambda writer: "zz[1].b = zz[1].b",
    lambda writer: "contains(zz, zz)",
    lambda writer: f"size({writer.literal(writer.source.of_kind(writer.random.choice(('N', 'BOOL', 'NULL'))))}) = "
                   + writer.literal({"N": "1"}),
    lambda writer: f"zz{31 * '.b'}{writer.random.choice(('[0]', '.b'))} = " + writer.literal({"N": "1"}),
    lambda writer: "zz[99999999999999] = " + writer.literal({"N": "1"}),
    lambda writer: " OR ".join(writer.random.randint(151, 160) * [f"zz={writer.literal({'N': '1'})}"]),
    lambda writer: f"attribute_exists({writer.random.randint(4096, 5000) * 'z'})",
    lambda writer: writer.mutilated(writer.condition(2)),
    lambda writer: writer.mutilated(writer.condition(2)),
    lambda writer: writer.mutilated(writer.condition(1)),
)
