"""From a syntax tree to a bound one, or to the refusal of a fault that the request alone shows.

A bound tree has Path steps with real names and Literals with values; parentheses are gone."""

import pathlib

from refusal import Refused
from syntax import (REDUNDANT, And, Arithmetic, Between, Call, Comparison, In, Literal, Not, Or, Parenthesised, Path,
                    without_parentheses)
from values import number_text, ordering_key

RESERVED_WORDS = frozenset((pathlib.Path(__file__).parent / "reserved_words.txt").read_text().split())
CONDITION_FUNCTIONS = {"attribute_exists": 1, "attribute_not_exists": 1, "attribute_type": 2, "begins_with": 2,
                       "contains": 2, "size": 1}
UPDATE_FUNCTIONS = {"if_not_exists": 2, "list_append": 2}
LEVELS_MAX = 32
OPERATORS_MAX = 300
LIST_INDEX_MAX = 2**31 - 1
VALID_TYPES = "{B,NULL,SS,BOOL,L,BS,N,NS,S,M}"
ANY_TYPE = "{NS,SS,L,BS,N,M,B,BOOL,NULL,S}"
LONG_TYPE_NAMES = {"S": "STRING", "N": "NUMBER", "B": "BINARY", "NULL": "NULL", "BOOL": "BOOLEAN", "L": "LIST",
                   "M": "MAP"}


class Placeholders:
    """The names and values of one request, and which of them expressions have used."""

    def __init__(self, names, values):
        self.names = names
        self.values = values
        self.used_names = set()
        self.used_values = set()

    def name(self, refusal, step):
        if isinstance(step, int) or not step.startswith("#"):
            return step
        if step not in self.names:
            raise refusal("An expression attribute name used in the document path is not defined; "
                          f"attribute name: {step}")
        self.used_names.add(step)
        return self.names[step]

    def value(self, refusal, name):
        if name not in self.values:
            raise refusal(f"An expression attribute value used in expression is not defined; attribute value: {name}")
        self.used_values.add(name)
        return self.values[name]


def walk(tree):
    """Every node in the order of the text."""
    yield tree
    if isinstance(tree, (Path, Literal)):
        return
    for part in tree:
        for node in part if isinstance(part, tuple) and not hasattr(part, "_fields") else [part]:
            if hasattr(node, "_fields"):
                yield from walk(node)


def bind(refusal, node, placeholders):
    """Names and values put in, in the order of the text; parentheses dropped."""
    if isinstance(node, Path):
        return Path(tuple([placeholders.name(refusal, step) for step in node.steps]))
    if isinstance(node, Literal):
        return Literal(placeholders.value(refusal, node.name))
    if isinstance(node, Parenthesised):
        return bind(refusal, node.inner, placeholders)
    parts = []
    for part in node:
        if hasattr(part, "_fields"):
            part = bind(refusal, part, placeholders)
        elif isinstance(part, tuple):
            part = tuple([bind(refusal, each, placeholders) for each in part])
        parts.append(part)
    return type(node)(*parts)


def check_reserved(refusal, nodes):
    for node in nodes:
        if isinstance(node, Path):
            for step in node.steps:
                if isinstance(step, str) and step.upper() in RESERVED_WORDS:
                    raise refusal(f"Attribute name is a reserved keyword; reserved keyword: {step}")


def check_limits(refusal, nodes):
    operators = sum(isinstance(node, (And, Or, Not, Comparison, Between, In, Call, Arithmetic)) for node in nodes)
    if operators > OPERATORS_MAX:
        # Whether counting stops at the first one too many is open.
        raise Refused(*(str(refusal(f"The expression contains too many operators; operator count: {count}"))
                        for count in (OPERATORS_MAX + 1, operators)))
    for node in nodes:
        if isinstance(node, Path):
            if len(node.steps) > LEVELS_MAX:
                raise refusal(f"The document path has too many nesting levels; nesting levels: {len(node.steps)}")
            for step in node.steps:
                if isinstance(step, int) and step > LIST_INDEX_MAX:
                    raise refusal(f"List index is not within the allowable range; index: [{step}]")


def unknown_function(refusal, name, elsewhere, where):
    texts = [f"Invalid function name; function: {name}"]
    if name in elsewhere:
        texts.append(f"The function is not allowed in {where} expression; function: {name}")
    return Refused(*(str(refusal(text)) for text in texts))


def literal_type(operand):
    return operand.name[0] if isinstance(operand, Literal) else None


def wrong_type(refusal, operator, kind):
    return refusal("Incorrect operand type for operator or function; "
                   f"operator or function: {operator}, operand type: {kind}")


def show_path(path):
    return "[" + ", ".join(f"[{step}]" if isinstance(step, int) else step for step in path.steps) + "]"


# Conditions

def bind_condition(refusal, tree, placeholders):
    nodes = list(walk(tree))
    check_limits(refusal, nodes)
    for node in nodes:
        if isinstance(node, Parenthesised) and isinstance(node.inner, Parenthesised):
            raise refusal(REDUNDANT)
    for node in nodes:
        if isinstance(node, Call) and node.name not in CONDITION_FUNCTIONS:
            raise unknown_function(refusal, node.name, UPDATE_FUNCTIONS, "a condition")
    check_misuse(refusal, tree)
    check_reserved(refusal, nodes)
    return bind_predicates(refusal, tree, placeholders)


def check_misuse(refusal, tree):
    """size is an operand and nothing else; the other functions are conditions and nothing else."""
    tree = without_parentheses(tree)
    if isinstance(tree, (And, Or)):
        check_misuse(refusal, tree.left)
        check_misuse(refusal, tree.right)
        return
    if isinstance(tree, Not):
        check_misuse(refusal, tree.inner)
        return
    if isinstance(tree, Call) and tree.name == "size":
        raise misused(refusal, tree)
    for node in list(walk(tree))[1:]:
        if isinstance(node, Call) and node.name != "size":
            raise misused(refusal, node)


def misused(refusal, call):
    return refusal(f"The function is not allowed to be used this way in an expression; function: {call.name}")


def bind_predicates(refusal, tree, placeholders):
    tree = without_parentheses(tree)
    if isinstance(tree, (And, Or)):
        left = bind_predicates(refusal, tree.left, placeholders)
        return type(tree)(left, bind_predicates(refusal, tree.right, placeholders))
    if isinstance(tree, Not):
        return Not(bind_predicates(refusal, tree.inner, placeholders))
    bound = bind(refusal, tree, placeholders)
    calls = [node for node in walk(bound) if isinstance(node, Call)]
    for call in calls:
        if len(call.arguments) != CONDITION_FUNCTIONS[call.name]:
            raise wrong_count(refusal, call)
    check_distinct(refusal, bound)
    for call in reversed(calls):
        check_call(refusal, call)
    if isinstance(bound, Comparison) and bound.operator not in ("=", "<>"):
        check_ordered(refusal, bound.operator, [bound.left, bound.right])
    if isinstance(bound, Between):
        check_ordered(refusal, "BETWEEN", bound)
        check_bounds(refusal, bound.low, bound.high)
    return bound


def wrong_count(refusal, call):
    return refusal(f"Incorrect number of operands for operator or function; operator or function: {call.name}, "
                   f"number of operands: {len(call.arguments)}")


def check_distinct(refusal, bound):
    if isinstance(bound, Comparison):
        operator, first, others = bound.operator, bound.left, [bound.right]
    elif isinstance(bound, Between):
        operator, first, others = "BETWEEN", bound.operand, [bound.low, bound.high]
    elif isinstance(bound, In):
        operator, first, others = "IN", bound.operand, bound.choices
    else:
        operator, (first, *others) = bound.name, bound.arguments
    if isinstance(first, Path) and any(isinstance(other, Path) and other == first for other in others):
        raise refusal("The first operand must be distinct from the remaining operands for this operator or function; "
                      f"operator: {operator}, first operand: {show_path(first)}")


def check_call(refusal, call):
    types = [literal_type(argument) for argument in call.arguments]
    if call.name in ("attribute_exists", "attribute_not_exists"):
        if not isinstance(call.arguments[0], Path):
            raise refusal(f"Operator or function requires a document path; operator or function: {call.name}")
    elif call.name == "begins_with":
        for kind in types:
            if kind not in (None, "S", "B"):
                raise wrong_type(refusal, call.name, kind)
    elif call.name == "attribute_type":
        if types[1] != "S":
            raise wrong_type(refusal, call.name, types[1] or ANY_TYPE)
        name = call.arguments[1].name[1]
        if name not in LONG_TYPE_NAMES and name not in ("SS", "NS", "BS"):
            raise refusal(f"Invalid attribute type name found; type: {name}, valid types: {VALID_TYPES}")
    elif call.name == "size" and types[0] in ("N", "BOOL", "NULL"):
        raise wrong_type(refusal, call.name, types[0])


def check_ordered(refusal, operator, operands):
    for operand in operands:
        if literal_type(operand) not in (None, "S", "N", "B"):
            raise wrong_type(refusal, operator, literal_type(operand))


def check_bounds(refusal, low, high):
    if not (isinstance(low, Literal) and isinstance(high, Literal)):
        return
    shown = f"lower bound operand: {show_bound(low.name)}, upper bound operand: {show_bound(high.name)}"
    if literal_type(low) != literal_type(high):
        raise refusal(f"The BETWEEN operator requires same data type for lower and upper bounds; {shown}")
    if ordering_key(low.name) > ordering_key(high.name):
        raise refusal("The BETWEEN operator requires upper bound to be greater than or equal to lower bound; " + shown)


def show_bound(value):
    kind, content = value
    return f"AttributeValue: {{{kind}:{number_text(content) if kind == 'N' else content}}}"


# Updates

def bind_update(refusal, sections, placeholders):
    """The actions of all sections, in the order of the text."""
    actions = [action for _, listed in sections for action in listed]
    nodes = [node for action in actions for node in walk(action)]
    check_limits(refusal, nodes)
    check_reserved(refusal, nodes)
    for node in nodes:
        if isinstance(node, Call) and node.name not in UPDATE_FUNCTIONS:
            raise unknown_function(refusal, node.name, CONDITION_FUNCTIONS, "an update")
    seen = set()
    for name, _ in sections:
        if name in seen:
            raise refusal(f'The "{name}" section can only be used once in an update expression;')
        seen.add(name)
    for node in nodes:
        if isinstance(node, Path):
            bind(refusal, node, placeholders)
    bound = [bind(refusal, action, placeholders) for action in actions]
    check_overlaps(refusal, [action.path for action in bound])
    for action in bound:
        check_set_operand(refusal, action)
    for action in bound:
        if action.section == "SET":
            check_set_value(refusal, action.value)
    return bound


def check_overlaps(refusal, paths):
    """Overlaps are reported before conflicts, wherever they stand."""
    pairs = [(first, second) for at, second in enumerate(paths) for first in paths[:at]]
    for word, fault in (("overlap", paths_overlap), ("conflict", paths_conflict)):
        for first, second in pairs:
            if fault(first.steps, second.steps):
                raise refusal(f"Two document paths {word} with each other; must remove or rewrite one of these paths; "
                              f"path one: {show_path(first)}, path two: {show_path(second)}")


def paths_overlap(first, second):
    shorter = min(len(first), len(second))
    return first[:shorter] == second[:shorter]


def paths_conflict(first, second):
    """They part where one names a member and the other an index."""
    for left, right in zip(first, second):
        if isinstance(left, int) != isinstance(right, int):
            return True
        if left != right:
            return False
    return False


def check_set_operand(refusal, action):
    if action.section not in ("ADD", "DELETE"):
        return
    kind = action.value.name[0]
    if kind not in ("SS", "NS", "BS") and not (action.section == "ADD" and kind == "N"):
        raise refusal("Incorrect operand type for operator or function; "
                      f"operator: {action.section}, operand type: {LONG_TYPE_NAMES[kind]}")


def check_set_value(refusal, value):
    if isinstance(value, Arithmetic):
        for operand in (value.left, value.right):
            check_set_value(refusal, operand)
        for operand in (value.left, value.right):
            if literal_type(operand) not in (None, "N"):
                raise wrong_type(refusal, value.operator, literal_type(operand))
    if isinstance(value, Call):
        for argument in value.arguments:
            check_set_value(refusal, argument)
        if len(value.arguments) != UPDATE_FUNCTIONS[value.name]:
            raise wrong_count(refusal, value)
        if value.name == "if_not_exists" and not isinstance(value.arguments[0], Path):
            raise refusal(f"Operator or function requires a document path; operator or function: {value.name}")
        if value.name == "list_append":
            for argument in value.arguments:
                if literal_type(argument) not in (None, "L"):
                    raise wrong_type(refusal, value.name, literal_type(argument))


# Projections

def bind_projection(refusal, paths, placeholders):
    check_limits(refusal, paths)
    check_reserved(refusal, paths)
    bound = [bind(refusal, path, placeholders) for path in paths]
    check_overlaps(refusal, bound)
    return bound
