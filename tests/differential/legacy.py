"""The parameters from before expressions, translated into the same bound trees. Names are literal top-level attributes."""

from evaluate import MISSING
from refusal import Refused, invalid_parameter
from syntax import And, Between, Call, Comparison, In, Literal, Not, Or, Path
from updates import REMOVED
from values import add, ordering_key, read_value

ORDERINGS = {"EQ": "=", "NE": "<>", "LT": "<", "LE": "<=", "GT": ">", "GE": ">="}
ARGUMENT_TYPES = {"LT": "SNB", "LE": "SNB", "GT": "SNB", "GE": "SNB", "BETWEEN": "SNB", "IN": "SNB", "CONTAINS": "SNB",
                  "NOT_CONTAINS": "SNB", "BEGINS_WITH": "SB"}
TYPE_MISMATCH = "Type mismatch for attribute to update"
SETS = ("SS", "NS", "BS")


def read_conditions(conditions, operator):
    """Expected, ScanFilter, QueryFilter or KeyConditions as a bound tree; None if there are none."""
    trees = [read_condition(name, condition) for name, condition in conditions.items()]
    if operator and len(trees) < 2:
        raise Refused("ConditionalOperator can only be used when Filter or Expected has two or more elements")
    whole = None
    for tree in trees:
        whole = tree if whole is None else (Or if operator == "OR" else And)(whole, tree)
    return whole


def read_condition(name, condition):
    exists, operator = condition.get("Exists"), condition.get("ComparisonOperator")
    has_value, has_list = "Value" in condition, "AttributeValueList" in condition
    tail = f" for Attribute: {name}"
    if operator is None:
        if has_list:
            raise invalid_parameter((f"Value and AttributeValueList cannot be used together{tail}") if has_value else
                                    f"AttributeValueList can only be used with a ComparisonOperator{tail}")
        if exists is False and has_value:
            raise invalid_parameter(f"Value cannot be used when Exists is false{tail}")
        if exists is not False and not has_value:
            raise invalid_parameter(f"Value must be provided when Exists is {'true' if exists else 'null'}{tail}")
    else:
        if has_value and has_list:
            raise invalid_parameter(f"Value and AttributeValueList cannot be used together{tail}")
        if exists is not None:
            raise invalid_parameter(f"Exists and ComparisonOperator cannot be used together{tail}")
        if operator not in ("NULL", "NOT_NULL") and not has_value and not has_list:
            raise invalid_parameter(f"Value or AttributeValueList must be used with ComparisonOperator: {operator}{tail}")
    values = [read_value(wire) for wire in condition.get("AttributeValueList", [condition["Value"]] if has_value else [])]
    if operator is None:
        operator = "NULL" if exists is False else "EQ"
    check_arguments(operator, values)
    return tree_of(operator, Path((name,)), [Literal(value) for value in values])


def check_arguments(operator, values):
    wanted = {"NULL": 0, "NOT_NULL": 0, "BETWEEN": 2}.get(operator, 1)
    if len(values) < wanted if operator == "IN" else len(values) != wanted:
        raise invalid_parameter(f"Invalid number of argument(s) for the {operator} ComparisonOperator")
    if len({kind for kind, _ in values}) > 1:
        raise invalid_parameter("AttributeValues inside AttributeValueList must be of same type")
    for kind, _ in values:
        if operator in ARGUMENT_TYPES and (len(kind) > 1 or kind not in ARGUMENT_TYPES[operator]):
            raise invalid_parameter(f"ComparisonOperator {operator} is not valid for {kind} AttributeValue type")
    if operator == "BETWEEN" and ordering_key(values[0]) > ordering_key(values[1]):
        raise Refused("The BETWEEN condition was provided a range where the lower bound is greater than the upper bound")


def tree_of(operator, path, literals):
    if operator in ORDERINGS:
        return Comparison(ORDERINGS[operator], path, literals[0])
    if operator == "BETWEEN":
        return Between(path, *literals)
    if operator == "IN":
        return In(path, tuple(literals))
    if operator == "NULL":
        return Call("attribute_not_exists", (path,))
    if operator == "NOT_NULL":
        return Call("attribute_exists", (path,))
    if operator == "BEGINS_WITH":
        return Call("begins_with", (path, literals[0]))
    found = Call("contains", (path, literals[0]))
    # Not true of a missing attribute.
    return found if operator == "CONTAINS" else And(Call("attribute_exists", (path,)), Not(found))


def read_updates(updates):
    """AttributeUpdates as {name: (action, value or None)}."""
    read = {}
    for name, update in updates.items():
        action = update.get("Action", "PUT")
        value = read_value(update["Value"]) if "Value" in update else None
        if value is None and action != "DELETE":
            raise invalid_parameter("Only DELETE action is allowed when no attribute value is specified")
        if value is not None and action == "DELETE" and value[0] not in SETS:
            raise invalid_parameter(f"DELETE action with value is not supported for the type {value[0]}")
        if action == "ADD" and value[0] not in (*SETS, "N", "L"):
            raise invalid_parameter(f"ADD action is not supported for the type {value[0]}")
        read[name] = (action, value)
    return read


def apply_updates(updates, old, key):
    """The new item; None if there was none and nothing makes one."""
    if old is None and updates and all(action == "DELETE" for action, _ in updates.values()):
        return None
    new = dict(key if old is None else old)
    for name, (action, value) in updates.items():
        changed = change_of(action, value, new.get(name))
        if changed is REMOVED:
            new.pop(name, None)
        elif changed is not MISSING:
            new[name] = changed
    return new


def change_of(action, value, existing):
    if action == "PUT":
        return value
    if value is None:
        return REMOVED
    kind, operand = value
    if existing is MISSING:
        return value if action == "ADD" else MISSING
    if existing[0] != kind:
        raise Refused(TYPE_MISMATCH)
    content = existing[1]
    if action == "DELETE":
        return (kind, content - operand) if content - operand else REMOVED
    if kind == "N":
        return kind, add(content, operand)
    return kind, content + operand if kind == "L" else content | operand
