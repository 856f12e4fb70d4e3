"""Key conditions: their own rules on top of the condition grammar, and what they select."""

from collections import namedtuple

from evaluate import holds
from refusal import Refused, invalid_parameter
from syntax import And, Between, Call, Comparison, In, Literal, Not, Or, Path

CONDITION_FAULT = "Invalid condition in KeyConditionExpression: "
MIRRORED = {"=": "=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}

Clause = namedtuple("Clause", "attribute operator values tree")


def read_clauses(tree):
    """The clauses of a bound tree, left to right."""
    clauses = []
    for part in conjuncts(tree):
        clause = read_clause(part)
        if any(clause.attribute == earlier.attribute for earlier in clauses):
            raise Refused("KeyConditionExpressions must only contain one condition per key")
        clauses.append(clause)
    return clauses


def check_count(clauses):
    if len(clauses) > 2:
        raise Refused("Conditions can be of length 1 or 2 only")


def conjuncts(tree):
    if isinstance(tree, And):
        return conjuncts(tree.left) + conjuncts(tree.right)
    return [tree]


def read_clause(part):
    if isinstance(part, (Or, Not, In)):
        raise unusable_operator(type(part).__name__.upper())
    if isinstance(part, Call) and part.name != "begins_with":
        raise unusable_operator(part.name)
    if isinstance(part, Comparison) and part.operator == "<>":
        raise unusable_operator("<>")
    if isinstance(part, Comparison):
        operator, operands = part.operator, [part.left, part.right]
    elif isinstance(part, Between):
        operator, operands = "BETWEEN", list(part)
    else:
        operator, operands = part.name, list(part.arguments)
    paths = [operand for operand in operands if isinstance(operand, Path)]
    if not paths:
        raise Refused(CONDITION_FAULT + "No key attribute specified")
    if len(paths) > 1:
        raise Refused(CONDITION_FAULT + "Multiple attribute names used in one condition")
    if not isinstance(operands[0], Path):
        if not isinstance(part, Comparison):
            raise Refused(f"{CONDITION_FAULT}{operator} operator must have the key attribute as its first operand")
        operator = MIRRORED[operator]
    if len(paths[0].steps) > 1:
        raise Refused("KeyConditionExpressions cannot have conditions on nested attributes")
    values = [operand.name for operand in operands if isinstance(operand, Literal)]
    return Clause(paths[0].steps[0], operator, values, part)


def unusable_operator(name):
    return Refused(f"Invalid operator used in KeyConditionExpression: {name}")


def check_against_schema(clauses, schema):
    """schema: [(name, type)], hash first."""
    by_name = {clause.attribute: clause for clause in clauses}
    hash_name = schema[0][0]
    if hash_name not in by_name:
        raise Refused(f"Query condition missed key schema element: {hash_name}")
    if len(clauses) == 2 and len(schema) == 1:
        raise Refused("Query key condition not supported")
    if len(clauses) == 2 and schema[1][0] not in by_name:
        raise Refused(f"Query condition missed key schema element: {schema[1][0]}")
    if by_name[hash_name].operator != "=":
        raise Refused("Query key condition not supported")
    for name, kind in schema:
        if name in by_name and any(value[0] != kind for value in by_name[name].values):
            raise invalid_parameter("Condition parameter type does not match schema type")


def selected(clauses, items):
    return [item for item in items if all(holds(clause.tree, item) for clause in clauses)]
