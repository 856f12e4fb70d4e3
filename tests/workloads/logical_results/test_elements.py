"""LogicalResults' elements are of any shape: how deep and how large they may be, and how long their keys."""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from workload import INVALID, WorkloadCase, typed  # noqa: E402

TOO_DEEP = ("Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit")
LONG_KEY = f"{INVALID}Size of hashkey has exceeded the maximum size limit of2048 bytes"


def nested(levels, leaf="leaf"):
    """A condition tree of so many maps, one in another."""
    element = leaf
    for level in range(levels):
        element = {"not" if level % 2 else "all": element}
    return element


class Elements(WorkloadCase):
    def setUp(self):
        super().setUp()
        self.table = self.make("logicalResultId:S")

    def put(self, element, name="element", **more):
        self.table.put_item(Item={"logicalResultId": name, "logicalElement": element, "status": "processing"}, **more)

    def get(self, name="element"):
        return self.table.get_item(Key={"logicalResultId": name}, ConsistentRead=True)["Item"]["logicalElement"]

    def test_depth(self):
        for levels in (30, 31):
            self.put(nested(levels, 1))
            self.assertEqual(typed(self.get()), typed(nested(levels, 1)))
        for levels in (32, 40):
            self.assert_invalid(TOO_DEEP, self.put, element=nested(levels))
            self.assert_invalid(TOO_DEEP, self.resource.batch_write_item, RequestItems={self.table.name: [
                {"PutRequest": {"Item": {"logicalResultId": "batch", "logicalElement": nested(levels)}}}]})
        self.assertEqual(self.table.scan()["Count"], 1)

    def test_lists_count_as_levels_too(self):
        element = "leaf"
        for _ in range(15):
            element = [{"or": element}]
        self.put(element)
        self.assertEqual(self.get(), element)
        self.assert_invalid(TOO_DEEP, self.put, element=[[element]])

    def test_size(self):
        # 300 KB of 500 conditions, then the same just under and over the limit.
        element = {"logicalType": "or", "elements": [{"resultId": f"{number:04}", "hash": "f" * 580} for number in range(500)]}
        self.put(element)
        self.assertEqual(typed(self.get()), typed(element))
        used = len("logicalResultId") + len("element") + len("logicalElement") + len("status") + len("processing")
        for size in (400 * 1024, 400 * 1024 + 1, 600 * 1024):
            text = "x" * (size - used)
            if size > 400 * 1024:
                self.assert_invalid("Item size has exceeded the maximum allowed size", self.put, element=text)
            else:
                self.put(text)
                self.assertEqual(self.get(), text)

    def test_hash_keys(self):
        for name in ("k" * 2048, "é" * 1024):
            self.put({}, name)
            self.assertEqual(self.get(name), {})
        for name in ("k" * 2049, "é" * 1024 + "k"):
            self.assert_invalid(LONG_KEY, self.put, element={}, name=name)
            self.assert_invalid(LONG_KEY, self.table.get_item, Key={"logicalResultId": name})

    def test_a_refused_write_leaves_what_was_there(self):
        self.put({"first": True})
        for element in (nested(40), "x" * 450000):
            with self.assertRaises(self.client.exceptions.ClientError):
                self.put(element)
        self.assertFalse(self.passes(self.put, element={"second": True},
                                     ConditionExpression="attribute_not_exists(logicalResultId)"))
        self.assertEqual(self.get(), {"first": True})


if __name__ == "__main__":
    unittest.main()
