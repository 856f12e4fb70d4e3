"""Conditions evaluated over one item, and projections of one item."""

from decimal import Decimal

from syntax import And, Between, Call, Comparison, In, Literal, Not, Or, Path
from values import ordering_key

# What an operand gives that has no value: the path leads nowhere, or size() was asked of a value without a size.
MISSING = None


def follow(path, item):
    """The value at the path, or MISSING."""
    value = ("M", item)
    for step in path.steps:
        kind, content = value
        if isinstance(step, int):
            if kind != "L" or step >= len(content):
                return MISSING
        elif kind != "M" or step not in content:
            return MISSING
        value = content[step]
    return value


def operand_value(operand, item):
    if isinstance(operand, Path):
        return follow(operand, item)
    if isinstance(operand, Literal):
        return operand.name
    return size(operand_value(operand.arguments[0], item))


def size(value):
    if value is MISSING or value[0] in ("N", "BOOL", "NULL"):
        return MISSING
    kind, content = value
    if kind == "S":  # counted in UTF-16 code units
        return "N", Decimal(len(content.encode("utf-16-le")) // 2)
    return "N", Decimal(len(content))


def holds(tree, item):
    if isinstance(tree, And):
        return holds(tree.left, item) and holds(tree.right, item)
    if isinstance(tree, Or):
        return holds(tree.left, item) or holds(tree.right, item)
    if isinstance(tree, Not):
        return not holds(tree.inner, item)
    if isinstance(tree, Call):
        return call_holds(tree.name, tree.arguments, item)
    operands = tree.choices if isinstance(tree, In) else ()
    if isinstance(tree, Comparison):
        return compare(tree.operator, operand_value(tree.left, item), operand_value(tree.right, item))
    first = operand_value(tree.operand, item)
    if isinstance(tree, Between):
        return (compare(">=", first, operand_value(tree.low, item)) and
                compare("<=", first, operand_value(tree.high, item)))
    return any(compare("=", first, operand_value(operand, item)) for operand in operands)


def compare(operator, left, right):
    if operator == "<>":
        return not compare("=", left, right)
    if left is MISSING or right is MISSING or left[0] != right[0]:
        return False
    if operator == "=":
        return left == right
    if left[0] not in ("S", "N", "B"):
        return False
    lower, higher = ordering_key(left), ordering_key(right)
    return {"<": lower < higher, "<=": lower <= higher, ">": lower > higher, ">=": lower >= higher}[operator]


def call_holds(name, arguments, item):
    values = [operand_value(argument, item) for argument in arguments]
    if name == "attribute_exists":
        return values[0] is not MISSING
    if name == "attribute_not_exists":
        return values[0] is MISSING
    if MISSING in values:
        return False
    (kind, content), (other_kind, other) = values
    if name == "attribute_type":
        return kind == other
    if name == "begins_with":
        return kind == other_kind and kind in ("S", "B") and content.startswith(other)
    return contains(values[0], values[1])


def contains(value, part):
    kind, content = value
    if kind in ("S", "B"):
        return part[0] == kind and part[1] in content
    if kind in ("SS", "NS", "BS"):
        return part[0] == kind[0] and part[1] in content
    return kind == "L" and part in content


def project(paths, item):
    """The item's part at these paths: structure kept, elements of lists compacted. {} if nothing is there."""
    wanted = {}
    for path in paths:
        branch = wanted
        for step in path.steps:
            branch = branch.setdefault(step, {})
    part = pick(("M", item), wanted)
    return part[1] if part else {}


def pick(value, wanted):
    """None if nothing of what is wanted is there. Nothing wanted in particular: all of it."""
    if not wanted:
        return value
    kind, content = value
    if kind == "M":
        found = {name: pick(content[name], deeper) for name, deeper in wanted.items()
                 if isinstance(name, str) and name in content}
        found = {name: part for name, part in found.items() if part is not None}
        return (kind, found) if found else None
    if kind == "L":
        elements = [pick(content[index], deeper) for index, deeper in sorted(wanted.items())
                    if isinstance(index, int) and index < len(content)]
        elements = tuple(part for part in elements if part is not None)
        return (kind, elements) if elements else None
    return None
