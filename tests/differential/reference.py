"""The reference: one table in a dictionary and the item operations on it, slow and obvious.

Requests are the JSON objects that go to the server, responses those that should come back, with values as pairs of
values.py. Every check stands where DynamoDB has it: whatever several faults a request has, the first one is reported."""

import binding
import key_conditions
import legacy
from evaluate import holds, project
from refusal import PARAMETER_PREFIX, Refused, invalid_parameter
from syntax import ConditionParser, ProjectionParser, UpdateParser
from updates import apply_update
from values import ordering_key, read_item, read_value

EXPRESSIONS = {  # in the order of their checks
    "UpdateExpression": (UpdateParser, binding.bind_update),
    "ConditionExpression": (ConditionParser, binding.bind_condition),
    "KeyConditionExpression": (ConditionParser, binding.bind_condition),
    "FilterExpression": (ConditionParser, binding.bind_condition),
    "ProjectionExpression": (ProjectionParser, binding.bind_projection),
}
TAKES_VALUES = {  # who reads ExpressionAttributeValues, as the refusal lists them
    "PutItem": ["ConditionExpression"], "DeleteItem": ["ConditionExpression"],
    "UpdateItem": ["UpdateExpression", "ConditionExpression"],
    "Query": ["FilterExpression", "KeyConditionExpression"], "Scan": ["FilterExpression"], "GetItem": []}


# The older parameters and their successors, both as a refusal of their mixture lists them.
LEGACY = {"PutItem": (["Expected"], ["ConditionExpression"]), "DeleteItem": (["Expected"], ["ConditionExpression"]),
          "UpdateItem": (["AttributeUpdates", "Expected"], ["UpdateExpression", "ConditionExpression"]),
          "GetItem": (["AttributesToGet"], ["ProjectionExpression"]),
          "Query": (["AttributesToGet", "QueryFilter", "ConditionalOperator", "KeyConditions"],
                    ["ProjectionExpression", "FilterExpression", "KeyConditionExpression"]),
          "Scan": (["AttributesToGet", "ScanFilter", "ConditionalOperator"], ["ProjectionExpression", "FilterExpression"])}


def conditional_failure(request, old):
    shown = old if request.get("ReturnValuesOnConditionCheckFailure") == "ALL_OLD" else None
    return Refused("The conditional request failed", kind="ConditionalCheckFailedException", item=shown)


class Table:
    """schema: [(name, type)], the hash key first."""

    def __init__(self, schema):
        self.schema = schema
        self.items = {}

    def answer(self, operation, request):
        """The body of the response; a Refused otherwise."""
        return getattr(self, OPERATIONS[operation])(request)

    # Requests

    def expressions(self, operation, request):
        """All expressions of a request, checked and bound. Absent ones are None."""
        bound = self.legacy_parameters(request)
        placeholders = read_placeholders(request)
        for kind, (parser, bind) in EXPRESSIONS.items():
            if kind not in request:
                continue
            parsed = parser(kind, request[kind])
            bound[kind] = bind(parsed.refusal, parsed.parse(), placeholders)
            if kind == "KeyConditionExpression":
                bound[kind] = key_conditions.read_clauses(bound[kind])
        check_unused("Names", placeholders.names, placeholders.used_names)
        check_unused("Values", placeholders.values, placeholders.used_values)
        key_conditions.check_count(bound.get("KeyConditionExpression", ()))
        return bound

    def legacy_parameters(self, request):
        """Conditions and projections of the older kind, under the names of their successors."""
        bound = {}
        operator = request.get("ConditionalOperator")
        if "AttributeUpdates" in request:
            bound["AttributeUpdates"] = legacy.read_updates(request["AttributeUpdates"])
        for member, successor in (("Expected", "ConditionExpression"), ("ScanFilter", "FilterExpression"),
                                  ("QueryFilter", "FilterExpression")):
            if member in request:
                tree = legacy.read_conditions(request[member], operator)
                if tree:
                    bound[successor] = tree
        if operator and not any(member in request for member in ("Expected", "ScanFilter", "QueryFilter")):
            raise Refused("ConditionalOperator cannot be used without Filter or Expected")
        if "KeyConditions" in request:
            bound["KeyConditionExpression"] = key_conditions.read_clauses(
                legacy.read_conditions(request["KeyConditions"], None))
        if "AttributesToGet" in request:
            names = request["AttributesToGet"]
            repeated = {name for name in names if names.count(name) > 1}
            if repeated:
                raise Refused(*(f"{PARAMETER_PREFIX}Duplicate value in attribute name: {name}" for name in repeated))
            bound["ProjectionExpression"] = [binding.Path((name,)) for name in names]
        return bound

    def check_parameters(self, operation, request):
        """Old and new parameters mixed; names and values that no expression of the request could use."""
        older, newer = ([member for member in members if member in request] for members in LEGACY[operation])
        # Key conditions alone go with both.
        if newer and [member for member in older if member != "KeyConditions" or "KeyConditionExpression" in newer]:
            raise Refused("Can not use both expression and non-expression parameters in the same request: "
                          f"Non-expression parameters: {{{', '.join(older)}}} "
                          f"Expression parameters: {{{', '.join(newer)}}}")
        if any(kind in request for kind in EXPRESSIONS):
            readers = TAKES_VALUES[operation]
            if "ExpressionAttributeValues" not in request or any(kind in request for kind in readers):
                return
        elif "ExpressionAttributeNames" in request:
            raise Refused("ExpressionAttributeNames can only be specified when using expressions")
        if "ExpressionAttributeValues" in request and TAKES_VALUES[operation]:
            readers = " and ".join(TAKES_VALUES[operation])
            verb = "are" if " and " in readers else "is"
            raise Refused("ExpressionAttributeValues can only be specified when using expressions: "
                          f"{readers} {verb} null")

    def check_key(self, key):
        if set(key) != {name for name, _ in self.schema} or any(key[name][0] != kind for name, kind in self.schema):
            raise Refused("The provided key element does not match the schema")
        self.check_key_content(key)

    def check_put_key(self, item):
        for name, kind in self.schema:
            if name not in item:
                raise invalid_parameter(f"Missing the key {name} in the item")
            if item[name][0] != kind:
                raise invalid_parameter(f"Type mismatch for key {name} expected: {kind} actual: {item[name][0]}")
        self.check_key_content(item)

    def check_key_content(self, item):
        for name, kind in self.schema:
            if item[name][1] in ("", b""):
                word = {"S": "string", "B": "binary"}[kind]
                raise Refused("One or more parameter values are not valid. The AttributeValue for a key attribute cannot "
                              f"contain an empty {word} value. Key: {name}")

    def check_key_paths(self, trees):
        """Key attributes have no insides."""
        for tree in trees:
            names = {path.steps[0] for path in paths_of(tree) if len(path.steps) > 1} & set(dict(self.schema))
            if names:
                raise Refused(*("Key attributes must be scalars; list random access '[]' and map lookup '.' are not "
                                f"allowed: Key: {name}" for name in names))

    def key_of(self, item):
        return tuple(item[name] for name, _ in self.schema)

    def check_condition(self, request, bound, old):
        if "ConditionExpression" in bound and not holds(bound["ConditionExpression"], old or {}):
            raise conditional_failure(request, old)

    # Operations

    def put_item(self, request):
        self.check_parameters("PutItem", request)
        item = read_item(request["Item"])
        check_old_or_none(request)
        bound = self.expressions("PutItem", request)
        self.check_put_key(item)
        self.check_key_paths([bound.get("ConditionExpression")])
        old = self.items.get(self.key_of(item))
        self.check_condition(request, bound, old)
        self.items[self.key_of(item)] = item
        return attributes(old if request.get("ReturnValues") == "ALL_OLD" else None)

    def delete_item(self, request):
        self.check_parameters("DeleteItem", request)
        key = read_item(request["Key"])
        check_old_or_none(request)
        bound = self.expressions("DeleteItem", request)
        self.check_key(key)
        self.check_key_paths([bound.get("ConditionExpression")])
        old = self.items.get(self.key_of(key))
        self.check_condition(request, bound, old)
        self.items.pop(self.key_of(key), None)
        return attributes(old if request.get("ReturnValues") == "ALL_OLD" else None)

    def update_item(self, request):
        self.check_parameters("UpdateItem", request)
        key = read_item(request["Key"])
        bound = self.expressions("UpdateItem", request)
        actions = bound.get("UpdateExpression", [])
        older = bound.get("AttributeUpdates", {})
        paths = [action.path for action in actions] + [binding.Path((name,)) for name in older]
        self.check_key(key)
        for path in paths:
            if path.steps[0] in key:
                raise invalid_parameter(f"Cannot update attribute {path.steps[0]}. This attribute is part of the key")
        self.check_key_paths([*(action.value for action in actions), bound.get("ConditionExpression")])
        old = self.items.get(self.key_of(key))
        self.check_condition(request, bound, old)
        new = legacy.apply_updates(older, old, key) if older else apply_update(actions, old, key)
        if new is not None:
            self.items[self.key_of(key)] = new
        return attributes({
            "NONE": lambda: None,
            "ALL_OLD": lambda: old,
            "ALL_NEW": lambda: key if new is None else new,
            "UPDATED_OLD": lambda: project(paths, old) if old and paths else None,
            "UPDATED_NEW": lambda: project(paths, new) if new and paths else None,
        }[request.get("ReturnValues", "NONE")]() or None)

    def get_item(self, request):
        self.check_parameters("GetItem", request)
        key = read_item(request["Key"])
        bound = self.expressions("GetItem", request)
        self.check_key(key)
        self.check_key_paths([bound.get("ProjectionExpression")])
        item = self.items.get(self.key_of(key))
        return {} if item is None else {"Item": self.shown(item, bound)}

    def query(self, request):
        self.check_parameters("Query", request)
        bound = self.expressions("Query", request)
        clauses = bound["KeyConditionExpression"]
        key_conditions.check_against_schema(clauses, self.schema)
        self.check_key_paths([bound.get("ProjectionExpression")])
        keys = {path.steps[0] for path in paths_of(bound.get("FilterExpression"))} & set(dict(self.schema))
        if keys:
            word = "QueryFilter" if "QueryFilter" in request else "Filter Expression"
            raise Refused(*(f"{word} can only contain non-primary key attributes: Primary key attribute: {name}"
                            for name in keys))
        items = key_conditions.selected(clauses, self.items.values())
        if len(self.schema) == 2:
            range_name = self.schema[1][0]
            items.sort(key=lambda item: ordering_key(item[range_name]), reverse=not request.get("ScanIndexForward", True))
        return self.page(request, bound, items)

    def scan(self, request):
        self.check_parameters("Scan", request)
        bound = self.expressions("Scan", request)
        self.check_key_paths([bound.get("ProjectionExpression"), bound.get("FilterExpression")])
        return self.page(request, bound, list(self.items.values()))

    def page(self, request, bound, items):
        body = {}
        limit = request.get("Limit")
        if limit and len(items) >= limit:
            items = items[:limit]
            body["LastEvaluatedKey"] = {name: items[-1][name] for name, _ in self.schema}
        found = [item for item in items if "FilterExpression" not in bound or holds(bound["FilterExpression"], item)]
        body.update(Count=len(found), ScannedCount=len(items))
        if request.get("Select") != "COUNT":
            body["Items"] = [self.shown(item, bound) for item in found]
        return body

    def shown(self, item, bound):
        return project(bound["ProjectionExpression"], item) if "ProjectionExpression" in bound else item


OPERATIONS = {"PutItem": "put_item", "DeleteItem": "delete_item", "UpdateItem": "update_item", "GetItem": "get_item",
              "Query": "query", "Scan": "scan"}


def attributes(item):
    return {} if item is None else {"Attributes": item}


def check_old_or_none(request):
    if request.get("ReturnValues", "NONE") not in ("NONE", "ALL_OLD"):
        raise Refused("ReturnValues can only be ALL_OLD or NONE")


def read_placeholders(request):
    names = request.get("ExpressionAttributeNames", {})
    wires = request.get("ExpressionAttributeValues", {})
    for member, given, sign in (("ExpressionAttributeNames", names, "#"), ("ExpressionAttributeValues", wires, ":")):
        if member in request and not given:
            raise Refused(f"{member} must not be empty")
        for key in given:
            if not (key[:1] == sign and key[1:].replace("_", "a").isalnum() and key.isascii()):
                raise Refused(f'{member} contains invalid key: Syntax error; key: "{key}"')
    values = {}
    for key, wire in wires.items():
        try:
            values[key] = read_value(wire)
        except Refused as fault:
            raise Refused(f"ExpressionAttributeValues contains invalid value: {fault} for key {key}") from fault
    return binding.Placeholders(names, values)


def check_unused(word, given, used):
    unused = [key for key in given if key not in used]
    if unused:
        raise Refused(f"Value provided in ExpressionAttribute{word} unused in expressions: keys: {{{', '.join(unused)}}}")


def paths_of(tree):
    """All paths in a bound condition or projection; tree may be None."""
    for part in tree if isinstance(tree, list) else [tree] if tree else []:
        for node in binding.walk(part):
            if isinstance(node, binding.Path):
                yield node
