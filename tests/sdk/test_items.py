"""boto3: PutItem, GetItem and DeleteItem, every type of attribute, ReturnValues and consumed capacity."""

import decimal
import threading
import unittest

from boto3.dynamodb.types import Binary
from running_server import ServerCase

ALL_TYPES = {
    "string": {"S": "text with \"quotes\", \\, \n, \u0001, \u00e9, \u4e2d and \U0001f600"},
    "number": {"N": "-12.0625"},
    "binary": {"B": bytes(range(256))},
    "yes": {"BOOL": True},
    "no": {"BOOL": False},
    "nothing": {"NULL": True},
    "strings": {"SS": ["b", "a", ""]},
    "numbers": {"NS": ["10", "-1", "0.5"]},
    "binaries": {"BS": [b"\xff\x00", b""]},
    "list": {"L": [{"N": "1"}, {"L": []}, {"M": {}}, {"S": ""}]},
    "map": {"M": {" ": {"S": "a space"}, "a.b": {"M": {"deep": {"L": [{"NULL": True}]}}}}},
    "empty": {"S": ""},
    "no bytes": {"B": b""},
}
NUMBERS = {
    "0": "0", "-0": "0", "0.0": "0", "007": "7", "+5": "5", "1.50": "1.5", "1e3": "1000", "-1.5E-3": "-0.0015",
    ".5": "0.5", "1480962569": "1480962569", "12345678901234567890123456789012345678":
    "12345678901234567890123456789012345678", "9.9999999999999999999999999999999999999E+125": "9" * 38 + "0" * 88,
    "1E-130": "0." + "0" * 129 + "1",
}


def unordered(value):
    """Sets have no order: two values that differ in it only compare equal."""
    (kind, content), = value.items()
    if kind in {"SS", "NS", "BS"}:
        return kind, sorted(content)
    if kind == "L":
        return kind, [unordered(element) for element in content]
    if kind == "M":
        return kind, {name: unordered(member) for name, member in content.items()}
    return kind, content


class Items(ServerCase):
    def put_and_get(self, table, item):
        self.client.put_item(TableName=table, Item=item)
        return self.client.get_item(TableName=table, Key={"pk": item["pk"]})["Item"]

    def test_every_type_comes_back(self):
        table = self.make_table("pk:S")
        item = {"pk": {"S": "all"}, **{f"attribute {name}": value for name, value in ALL_TYPES.items()}}
        self.assertEqual(unordered({"M": self.put_and_get(table, item)}), unordered({"M": item}))

    def test_numbers_are_canonical(self):
        table = self.make_table("pk:S")
        for written, read in NUMBERS.items():
            with self.subTest(written):
                self.assertEqual(self.put_and_get(table, {"pk": {"S": "n"}, "n": {"N": written}})["n"], {"N": read})

    def test_keys_of_each_type(self):
        for kind, value, other in (("S", "key", "Key"), ("N", "1.0", "2"), ("B", b"\x00\xff", b"\x00")):
            table = self.make_table(f"pk:{kind}", name=self.table_name("-" + kind))
            self.client.put_item(TableName=table, Item={"pk": {kind: value}, "x": {"S": "found"}})
            found = self.client.get_item(TableName=table, Key={"pk": {kind: value}})["Item"]
            self.assertEqual(found["x"], {"S": "found"})
            self.assertNotIn("Item", self.client.get_item(TableName=table, Key={"pk": {kind: other}}))
        self.assertEqual(self.client.get_item(TableName=self.table_name("-N"), Key={"pk": {"N": "1e0"}})["Item"]["pk"],
                         {"N": "1"})

    def test_put_replaces_the_whole_item(self):
        table = self.make_table("pk:S", "sk:N")
        key = {"pk": {"S": "a"}, "sk": {"N": "1"}}
        first = {**key, "old": {"S": "x"}, "both": {"N": "1"}}
        second = {**key, "both": {"N": "2"}}
        self.assertNotIn("Attributes", self.client.put_item(TableName=table, Item=first, ReturnValues="ALL_OLD"))
        answer = self.client.put_item(TableName=table, Item=second, ReturnValues="ALL_OLD")
        self.assertEqual(answer["Attributes"], first)
        self.assertNotIn("Attributes", self.client.put_item(TableName=table, Item=second))
        self.assertEqual(self.client.get_item(TableName=table, Key=key)["Item"], second)

    def test_delete(self):
        table = self.make_table("pk:S")
        key = {"pk": {"S": "a"}}
        item = {**key, "v": {"L": [{"S": "x"}]}}
        self.client.put_item(TableName=table, Item=item)
        self.assertEqual(self.client.delete_item(TableName=table, Key=key, ReturnValues="ALL_OLD")["Attributes"], item)
        self.assertNotIn("Item", self.client.get_item(TableName=table, Key=key, ConsistentRead=True))
        self.assertNotIn("Attributes", self.client.delete_item(TableName=table, Key=key, ReturnValues="ALL_OLD"))

    def test_table_named_by_its_arn(self):
        table = self.make_table("pk:S")
        arn = self.client.describe_table(TableName=table)["Table"]["TableArn"]
        self.client.put_item(TableName=arn, Item={"pk": {"S": "a"}})
        self.assertIn("Item", self.client.get_item(TableName=table, Key={"pk": {"S": "a"}}))

    def test_resource_types(self):
        name = self.make_table("pk:S")
        table = self.server.resource().Table(name)
        item = {"pk": "a", "n": decimal.Decimal("3.14"), "ss": {"x", "y"}, "ns": {decimal.Decimal(1), decimal.Decimal(2)},
                "b": Binary(b"\x01"), "none": None, "flag": False, "l": [decimal.Decimal(1), "two", {"three": []}], "m": {}}
        table.put_item(Item=item)
        self.assertEqual(table.get_item(Key={"pk": "a"})["Item"], item)

    def test_item_of_exactly_400_kb(self):
        table = self.make_table("pk:S")
        room = 409600 - len("pk") - len("a") - len("v")
        item = {"pk": {"S": "a"}, "v": {"S": "x" * room}}
        self.assertEqual(self.put_and_get(table, item), item)
        item["v"]["S"] += "x"
        self.assert_client_error("ValidationException", "Item size has exceeded the maximum allowed size",
                                 self.client.put_item, TableName=table, Item=item)

    def test_concurrent_rewrites_lose_no_value(self):
        table = self.make_table("pk:S")
        olds, lock, failures = [], threading.Lock(), []

        def rewrite(writer):
            try:
                for turn in range(20):
                    answer = self.client.put_item(TableName=table, ReturnValues="ALL_OLD", Item={
                        "pk": {"S": "hot"}, "value": {"S": f"{writer}-{turn}"}})
                    with lock:
                        olds.append(answer.get("Attributes", {}).get("value", {}).get("S"))
            except Exception as failure:  # pylint: disable=broad-except
                failures.append(failure)

        writers = [threading.Thread(target=rewrite, args=(number,)) for number in range(16)]
        for writer in writers:
            writer.start()
        for writer in writers:
            writer.join()
        self.assertEqual(failures, [])
        last = self.client.get_item(TableName=table, Key={"pk": {"S": "hot"}})["Item"]["value"]["S"]
        written = [f"{writer}-{turn}" for writer in range(16) for turn in range(20)]
        self.assertEqual(sorted(filter(None, olds + [last])), sorted(written))
        self.assertEqual(olds.count(None), 1)


class Capacity(ServerCase):
    in_memory = True

    def units(self, call, level="TOTAL", **parameters):
        consumed = call(ReturnConsumedCapacity=level, **parameters)["ConsumedCapacity"]
        self.assertEqual(consumed["TableName"], parameters["TableName"])
        return consumed["CapacityUnits"]

    def test_reads(self):
        table = self.make_table("pk:S")
        self.client.put_item(TableName=table, Item={"pk": {"S": "small"}})
        self.client.put_item(TableName=table, Item={"pk": {"S": "large"}, "v": {"S": "x" * 5000}})
        for key, consistent, units in (("small", False, 0.5), ("small", True, 1), ("large", False, 1), ("large", True, 2),
                                       ("missing", False, 0.5), ("missing", True, 1)):
            with self.subTest(key=key, consistent=consistent):
                self.assertEqual(self.units(self.client.get_item, TableName=table, Key={"pk": {"S": key}},
                                            ConsistentRead=consistent), units)

    def test_writes(self):
        table = self.make_table("pk:S")
        small, large = {"pk": {"S": "a"}}, {"pk": {"S": "a"}, "v": {"S": "x" * 2500}}
        self.assertEqual(self.units(self.client.put_item, TableName=table, Item=small), 1)
        self.assertEqual(self.units(self.client.put_item, TableName=table, Item=large), 3)
        self.assertEqual(self.units(self.client.put_item, TableName=table, Item=small), 3)
        self.assertEqual(self.units(self.client.put_item, TableName=table, Item=large), 3)
        self.assertEqual(self.units(self.client.delete_item, TableName=table, Key=small), 3)
        self.assertEqual(self.units(self.client.delete_item, TableName=table, Key=small), 1)

    def test_levels(self):
        table = self.make_table("pk:S")
        call = {"TableName": table, "Item": {"pk": {"S": "a"}}}
        self.assertNotIn("ConsumedCapacity", self.client.put_item(**call))
        self.assertNotIn("ConsumedCapacity", self.client.put_item(ReturnConsumedCapacity="NONE", **call))
        self.assertEqual(self.client.put_item(ReturnConsumedCapacity="TOTAL", **call)["ConsumedCapacity"],
                         {"TableName": table, "CapacityUnits": 1})
        self.assertEqual(self.client.put_item(ReturnConsumedCapacity="INDEXES", **call)["ConsumedCapacity"],
                         {"TableName": table, "CapacityUnits": 1, "Table": {"CapacityUnits": 1}})


if __name__ == "__main__":
    unittest.main()
