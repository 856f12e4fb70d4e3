"""Updates applied to one item. Every read sees the old item (its key alone if there is none), every list index means
the old list."""

from evaluate import MISSING, follow
from refusal import Refused
from syntax import Arithmetic, Call, Literal, Path
from values import add, subtract

NO_SUCH_ATTRIBUTE = "The provided expression refers to an attribute that does not exist in the item"
NO_SUCH_PARENT = "The document path provided in the update expression is invalid for update"
WRONG_OPERAND = "An operand in the update expression has an incorrect data type"

REMOVED = ("removed", None)


def apply_update(actions, old, key):
    """The new item; None if there was none and nothing makes one. All faults of the update are found, because no rule
    says which of several is reported."""
    if old is None and actions and all(action.section in ("REMOVE", "DELETE") for action in actions):
        return None
    item = key if old is None else old
    faults = []
    changes = {}
    for action in actions:
        try:
            change = change_of(action, item)
        except Refused as fault:
            faults += fault.texts
            change = None
        if not has_parent(action.path, item):
            if old is not None or action.section in ("SET", "ADD"):
                faults.append(NO_SUCH_PARENT)
        elif change is not None:
            branch = changes
            for step in action.path.steps[:-1]:
                branch = branch.setdefault(step, {})
            branch[action.path.steps[-1]] = change
    if faults:
        raise Refused(*faults)
    return rebuild(("M", item), changes)[1]


def has_parent(path, item):
    parent = follow(Path(path.steps[:-1]), item)
    return parent is not MISSING and parent[0] == ("L" if isinstance(path.steps[-1], int) else "M")


def change_of(action, item):
    """The new value at the action's path, REMOVED, or None for no change."""
    if action.section == "REMOVE":
        return REMOVED
    if action.section == "SET":
        return set_value(action.value, item)
    existing = follow(action.path, item)
    kind, operand = action.value.name
    if existing is not MISSING and existing[0] != kind:
        raise Refused(WRONG_OPERAND)
    if action.section == "ADD":
        if existing is MISSING:
            return kind, operand
        return kind, add(existing[1], operand) if kind == "N" else existing[1] | operand
    if existing is MISSING:
        return None
    rest = existing[1] - operand
    return (kind, rest) if rest else REMOVED


def set_value(value, item):
    if isinstance(value, Literal):
        return value.name
    if isinstance(value, Path):
        found = follow(value, item)
        if found is MISSING:
            raise Refused(NO_SUCH_ATTRIBUTE)
        return found
    if isinstance(value, Arithmetic):
        left, right = typed_operands("N", (value.left, value.right), item)
        return "N", (add if value.operator == "+" else subtract)(left, right)
    if isinstance(value, Call) and value.name == "if_not_exists":
        found = follow(value.arguments[0], item)
        return set_value(value.arguments[1], item) if found is MISSING else found
    left, right = typed_operands("L", value.arguments, item)
    return "L", left + right


def typed_operands(kind, operands, item):
    contents, faults = [], []
    for operand in operands:
        try:
            found_kind, content = set_value(operand, item)
        except Refused as fault:
            faults += fault.texts
            continue
        if found_kind != kind:
            faults.append(WRONG_OPERAND)
        contents.append(content)
    if faults:
        raise Refused(*faults)
    return contents


def rebuild(value, changes):
    """The value with the changes made; a change of a list past its end appends, in the order of the indexes."""
    kind, content = value
    if kind == "M":
        new = dict(content)
        for name, change in changes.items():
            new[name] = changed(content.get(name), change)
        return kind, {name: element for name, element in new.items() if element is not REMOVED}
    elements = list(content)
    for index, change in sorted(changes.items()):
        if index < len(content):
            elements[index] = changed(content[index], change)
        else:
            elements.append(changed(None, change))
    return kind, tuple(element for element in elements if element is not REMOVED)


def changed(old, change):
    return rebuild(old, change) if isinstance(change, dict) else change
