"""Random worlds: a table with items, then requests about them. The same seed and world number give the same requests."""

import random

import generate_updates
from generate_expressions import ORDERINGS, ExpressionWriter
from generate_legacy import LegacyWriter
from generate_values import BAD_NUMBERS, NAMES, ValueSource
from values import ordering_key, read_item, read_value, show

KEY_NAMES = ("pk", "sk", "id", "hash", "range", "Key-1", "year", "a")
KEY_VALUES = {
    "S": [{"S": text} for text in ("a", "b", "ab", "B", "é", "日本", "\U0001f600", "\uffee", "a b", "10", "9")],
    "N": [{"N": text} for text in ("1", "2", "-1", "10", "0", "1.5", "-1.5", "1e20", "100", "9", "-10")],
    "B": [{"B": text} for text in ("YQ==", "Yg==", "AA==", "/w==", "YWI=", "/wA=", "gA==", "fw==", "AAA=", "AQ==", "wg==")],
}
RETURN_VALUES = ("NONE", "ALL_OLD", "UPDATED_OLD", "ALL_NEW", "UPDATED_NEW")
OLDER = {"PutItem": ("Expected", {"zz": {"Exists": False}}), "DeleteItem": ("Expected", {"zz": {"Exists": False}}),
         "UpdateItem": ("AttributeUpdates", {"zz": {"Action": "DELETE"}}), "GetItem": ("AttributesToGet", ["zz"]),
         "Query": ("AttributesToGet", ["zz"]), "Scan": ("AttributesToGet", ["zz"])}
FAULT_SHARE = 0.12
REQUEST_FAULT_SHARE = 0.03


class World:
    """One table's life. `table` is the reference's, and has to be kept in step by its user."""

    def __init__(self, seed, number):
        self.random = random.Random(f"{seed}/{number}")
        self.source = ValueSource(self.random)
        names = self.random.sample(KEY_NAMES, 2)
        self.schema = [(name, self.random.choice("SSNB")) for name in names[:self.random.choice((1, 2, 2))]]
        self.name = f"world-{number}"
        self.hashes = self.random.sample(KEY_VALUES[self.schema[0][1]], 3 if len(self.schema) == 2 else 10)
        self.table = None

    def create_table(self):
        kinds = ("HASH", "RANGE")
        return {"TableName": self.name, "BillingMode": "PAY_PER_REQUEST",
                "KeySchema": [{"AttributeName": name, "KeyType": kind} for (name, _), kind in zip(self.schema, kinds)],
                "AttributeDefinitions": [{"AttributeName": name, "AttributeType": kind} for name, kind in self.schema]}

    def chance(self, share):
        return self.random.random() < share

    def key(self):
        key = {self.schema[0][0]: self.random.choice(self.hashes)}
        if len(self.schema) == 2:
            key[self.schema[1][0]] = self.random.choice(KEY_VALUES[self.schema[1][1]])
        return key

    def new_item(self):
        names = self.random.sample(NAMES, self.random.randint(1, 7))
        item = {name: self.source.value() for name in names}
        return {**item, **self.key()}

    def target(self, existing=0.85):
        """A key in wire form and the item there, {} if there is none."""
        if self.table.items and self.chance(existing):
            item = self.random.choice(list(self.table.items.values()))
            return {name: show(item[name]) for name, _ in self.schema}, item
        key = self.key()
        found = self.table.items.get(self.table.key_of(read_item(key)))
        return key, found or {}

    def some_item(self):
        return self.random.choice(list(self.table.items.values())) if self.table.items else {}

    def case(self):
        """(kind, operation, request)"""
        kind = self.random.choices(KINDS, KIND_WEIGHTS)[0]
        operation, request, writer = getattr(self, kind)()
        writer.add_placeholders(request)
        if isinstance(writer, ExpressionWriter) and self.chance(REQUEST_FAULT_SHARE):
            self.spoil(operation, request, writer)
        return kind, operation, {"TableName": self.name, **request}

    def condition(self, writer):
        return writer.faulty_condition() if self.chance(FAULT_SHARE) else writer.condition()

    def condition_on(self, writer, request):
        request["ConditionExpression"] = self.condition(writer)
        if self.chance(0.5):
            request["ReturnValuesOnConditionCheckFailure"] = self.random.choice(("ALL_OLD", "ALL_OLD", "NONE"))

    def put(self):
        key, old = self.target(0.6)
        item = {**self.new_item(), **key}
        request = {"Item": item}
        writer = ExpressionWriter(self.source, old)
        if self.chance(0.8):
            self.condition_on(writer, request)
        self.return_values(request, ("NONE", "ALL_OLD", "ALL_OLD"), ("ALL_NEW", "UPDATED_OLD", "UPDATED_NEW"))
        return "PutItem", request, writer

    def delete(self):
        key, old = self.target(0.6)
        request = {"Key": key}
        writer = ExpressionWriter(self.source, old)
        self.condition_on(writer, request)
        self.return_values(request, ("NONE", "ALL_OLD", "ALL_OLD"), ("ALL_NEW",))
        return "DeleteItem", request, writer

    def return_values(self, request, usual, refused):
        if self.chance(0.7):
            request["ReturnValues"] = self.random.choice(refused if self.chance(0.02) else usual)

    def update(self):
        key, old = self.target()
        request = {"Key": key}
        writer = ExpressionWriter(self.source, old, avoid=key)
        if self.chance(0.97):
            request["UpdateExpression"] = (generate_updates.faulty_update(writer) if self.chance(FAULT_SHARE)
                                           else generate_updates.update(writer))
        if self.chance(0.02):
            request["UpdateExpression"] = f"SET {writer.name(self.schema[-1][0])} = {writer.literal({'S': 'a'})}"
        if self.chance(0.9):
            request["ReturnValues"] = self.random.choice(RETURN_VALUES)
        return "UpdateItem", request, writer

    def conditional_update(self):
        operation, request, writer = self.update()
        writer.attributes = list(writer.item) or ["a"]
        self.condition_on(writer, request)
        return operation, request, writer

    def projection(self, writer):
        if self.chance(0.01):
            return f"{writer.name(self.schema[0][0])}.b, zz"
        return writer.faulty_projection() if self.chance(FAULT_SHARE) else writer.projection()

    def get_projection(self):
        key, item = self.target(0.95)
        writer = ExpressionWriter(self.source, item)
        return "GetItem", {"Key": key, "ProjectionExpression": self.projection(writer)}, writer

    def scan_filter(self):
        item = self.some_item()
        writer = ExpressionWriter(self.source, item)
        request = {"FilterExpression": self.condition(writer)}
        self.shape(request, writer)
        return "Scan", request, writer

    def shape(self, request, writer):
        """What comes back of the items: mostly the count, because a filter is what is tested."""
        form = self.random.random()
        if form < 0.5:
            request["Select"] = "COUNT"
        elif form < 0.7:
            request["ProjectionExpression"] = self.projection(writer)

    def query_filter(self):
        item = self.some_item()
        writer = ExpressionWriter(self.source, item, avoid=[name for name, _ in self.schema])
        request = {"KeyConditionExpression": self.hash_condition(writer, item), "FilterExpression": self.condition(writer)}
        if self.chance(0.03):
            request["FilterExpression"] = f"attribute_exists({writer.name(self.random.choice(self.schema)[0])})"
        self.paging(request)
        self.shape(request, writer)
        return "Query", request, writer

    def query_projection(self):
        item = self.some_item()
        writer = ExpressionWriter(self.source, item)
        request = {"KeyConditionExpression": self.hash_condition(writer, item), "ProjectionExpression": self.projection(writer)}
        self.paging(request)
        return "Query", request, writer

    def paging(self, request):
        if self.chance(0.25):
            request["Limit"] = self.random.randint(1, 6)
        if self.chance(0.3):
            request["ScanIndexForward"] = self.chance(0.3)

    def hash_condition(self, writer, item):
        name = self.schema[0][0]
        value = show(item[name]) if item else self.random.choice(self.hashes)
        left, right = writer.name(name), writer.literal(value)
        return f"{right} = {left}" if self.chance(0.1) else f"{left} = {right}"

    def key_condition(self):
        item = self.some_item()
        writer = ExpressionWriter(self.source, item)
        if self.chance(FAULT_SHARE * 2):
            condition = self.faulty_key_condition(writer, item)
        else:
            condition = self.hash_condition(writer, item)
            if len(self.schema) == 2 and self.chance(0.85):
                parts = [condition, self.range_condition(writer)]
                self.random.shuffle(parts)
                condition = self.random.choice((" AND ", " and ")).join(
                    f"({part})" if self.chance(0.15) else part for part in parts)
        request = {"KeyConditionExpression": condition}
        self.paging(request)
        return "Query", request, writer

    def range_condition(self, writer):
        name, kind = self.schema[1]
        values = KEY_VALUES[kind]
        left = writer.name(name)
        form = self.random.random()
        if form < 0.3:
            low, high = sorted(self.random.choices(values, k=2), key=ordering)
            return f"{left} BETWEEN {writer.literal(low)} AND {writer.literal(high)}"
        if form < 0.5 and kind != "N":
            return f"begins_with({left}, {writer.literal(self.random.choice(values))})"
        right = writer.literal(self.random.choice(values))
        operator = self.random.choice(ORDERINGS + ("=",))
        return f"{right} {operator} {left}" if self.chance(0.1) else f"{left} {operator} {right}"

    def faulty_key_condition(self, writer, item):
        random_one = self.random
        first, kind = self.schema[0]
        name = writer.name(first)
        value = writer.literal(random_one.choice(self.hashes))
        hashed = f"{name} = {value}"
        last = writer.name(self.schema[-1][0])
        other_type = {"S": {"N": "1"}, "N": {"B": "YQ=="}, "B": {"S": "a"}}
        wrong = writer.literal(other_type[kind])
        faults = [f"{hashed} OR zz = {value}", f"NOT {hashed}", f"{hashed} AND zz IN ({value})", f"{name} <> {value}",
                  f"{hashed} AND attribute_exists(zz)", f"{hashed} AND contains(zz, {value})", f"{name}.b = {value}",
                  f"{name}[0] = {value}", f"{hashed} AND {name} = {value}", f"{hashed} AND zz = {value} AND yy = {value}",
                  f"{name} = zz", f"{value} = {value}", f"zz = {value}", f"{name} = {wrong}",
                  f"{name} BETWEEN {value} AND {value}",
                  f"{hashed} AND {value} BETWEEN zz AND {value}", f"{hashed} AND begins_with({value}, zz)",
                  f"{name} {random_one.choice(ORDERINGS)} {value}", f"(({hashed}))", f"{hashed} AND zz = :gone", "",
                  writer.mutilated(hashed)]
        if len(self.schema) == 2:
            wrong = writer.literal(other_type[self.schema[1][1]])
            faults += [f"{last} = {writer.literal(KEY_VALUES[self.schema[1][1]][0])}", f"{hashed} AND zz = {value}",
                       f"{hashed} AND {last} = {wrong}", f"{hashed} AND {last} = {wrong}",
                       f"{hashed} AND {last} BETWEEN {wrong} AND {wrong}",
                       writer.mutilated(f"{hashed} AND {self.range_condition(writer)}")]
        return random_one.choice(faults)

    def legacy_condition(self):
        key, old = self.target(0.7)
        operation = self.random.choice(("PutItem", "DeleteItem", "UpdateItem", "UpdateItem"))
        writer = LegacyWriter(self.source, old)
        request = {"Item": {**self.new_item(), **key}} if operation == "PutItem" else {"Key": key}
        writer.conditions(request, "Expected")
        if operation == "UpdateItem":
            writer = LegacyWriter(self.source, old, avoid=key)
            request["AttributeUpdates"] = writer.updates()
        self.return_values(request, ("NONE", "ALL_OLD"), ("ALL_OLD",))
        return operation, request, writer

    def legacy_update(self):
        key, old = self.target()
        writer = LegacyWriter(self.source, old, avoid=key)
        request = {"Key": key, "AttributeUpdates": writer.updates(), "ReturnValues": self.random.choice(RETURN_VALUES)}
        if self.chance(0.02):
            request["AttributeUpdates"] = {self.schema[0][0]: {"Value": {"S": "a"}}}
        return "UpdateItem", request, writer

    def legacy_read(self):
        """Scan, Query or GetItem with the older parameters."""
        key, item = self.target(0.95)
        keys = [name for name, _ in self.schema]
        operation = self.random.choice(("Scan", "Query", "Query", "GetItem"))
        writer = LegacyWriter(self.source, item, avoid=keys if operation == "Query" and self.chance(0.95) else ())
        request = {}
        if operation == "GetItem":
            request["Key"] = key
        if operation == "Query":
            request["KeyConditions"] = self.legacy_key_conditions(key)
            self.paging(request)
        if operation != "GetItem" and self.chance(0.8):
            writer.conditions(request, "ScanFilter" if operation == "Scan" else "QueryFilter", older=False)
        if operation == "GetItem" or self.chance(0.4):
            # Whether a repeated name or a fault of the filter is reported first is open.
            request["AttributesToGet"] = writer.attributes_to_get(repeated=0.1 if operation == "GetItem" else 0)
        return operation, request, writer

    def legacy_key_conditions(self, key):
        conditions = {self.schema[0][0]: {"ComparisonOperator": "EQ", "AttributeValueList": [key[self.schema[0][0]]]}}
        if len(self.schema) == 2 and self.chance(0.6):
            name, kind = self.schema[1]
            operators = ("EQ", "LT", "LE", "GT", "GE", "BETWEEN") + (("BEGINS_WITH",) if kind != "N" else ())
            operator = self.random.choice(operators)
            values = self.random.choices(KEY_VALUES[kind], k=2 if operator == "BETWEEN" else 1)
            conditions[name] = {"ComparisonOperator": operator, "AttributeValueList": sorted(values, key=ordering)}
        return conditions

    def spoil(self, operation, request, writer):
        """A fault outside of the expressions' own text."""
        names = request.setdefault("ExpressionAttributeNames", {})
        values = request.setdefault("ExpressionAttributeValues", {})
        fault = self.random.randrange(8)
        if fault == 0:
            names["#unused"] = "a"
        elif fault == 1 and operation != "GetItem":
            values[":unused"] = {"S": "a"}
        elif fault == 2 and values:
            values[self.random.choice(list(values))] = self.source.bad_value()
        elif fault == 3:
            names[self.random.choice(("a", "#", "# a", "#a-b", "a#"))] = "a"
        elif fault == 4 and operation != "GetItem":
            values[self.random.choice(("a", ":", ": a", ":a-b", "a:"))] = {"S": "a"}
        elif fault == 5 and operation == "PutItem":
            request["Item"][self.random.choice(("bad", "a"))] = self.source.bad_value()
        elif fault == 6 and "Key" in request:
            self.spoil_key(request["Key"])
        elif fault == 7:
            member, content = OLDER[operation]
            request[member] = content
        if not names:
            del request["ExpressionAttributeNames"]
        if not values:
            del request["ExpressionAttributeValues"]

    def spoil_key(self, key):
        name, kind = self.random.choice(self.schema)
        fault = self.random.randrange(5)
        if fault == 0:
            del key[name]
            key.setdefault("zz", {"S": "a"})
        elif fault == 1:
            key["zz"] = {"S": "a"}
        elif fault == 2:
            key[name] = {"BOOL": True} if kind == "S" else {"S": "a"}
        elif fault == 3 and kind != "N":
            key[name] = {kind: ""}
        else:
            key[name] = {"N": self.random.choice(BAD_NUMBERS)}


def ordering(wire):
    return ordering_key(read_value(wire))


KINDS = ("put", "delete", "update", "conditional_update", "get_projection", "scan_filter", "query_filter",
         "query_projection", "key_condition", "legacy_condition", "legacy_update", "legacy_read")
KIND_WEIGHTS = (14, 6, 28, 10, 8, 12, 8, 6, 8, 5, 4, 5)
