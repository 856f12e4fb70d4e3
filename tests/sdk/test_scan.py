"""boto3: Scan whole, in pages and in parallel segments."""

import threading
import unittest

from running_server import ServerCase

ITEMS = 120


class Scan(ServerCase):
    in_memory = True

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        client = cls.server.client()
        client.create_table(
            TableName="items", BillingMode="PAY_PER_REQUEST",
            KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
            AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "N"}, {"AttributeName": "sk", "AttributeType": "S"}])
        cls.all_keys = {(str(number // 3), f"s{number % 3}") for number in range(ITEMS)}
        for pk, sk in sorted(cls.all_keys):
            client.put_item(TableName="items", Item={"pk": {"N": pk}, "sk": {"S": sk}, "v": {"S": "value"}})

    def walk(self, **parameters):
        """All keys in the order they came, and the sizes of the pages."""
        seen, sizes, start = [], [], {}
        while True:
            page = self.client.scan(TableName="items", **parameters, **start)
            self.assertEqual((page["Count"], page["ScannedCount"]), (len(page["Items"]),) * 2)
            sizes.append(page["Count"])
            seen += [(item["pk"]["N"], item["sk"]["S"]) for item in page["Items"]]
            if "LastEvaluatedKey" not in page:
                return seen, sizes
            self.assertEqual(set(page["LastEvaluatedKey"]), {"pk", "sk"})
            start = {"ExclusiveStartKey": page["LastEvaluatedKey"]}

    def test_whole(self):
        seen, sizes = self.walk()
        self.assertEqual((sorted(seen), sizes), (sorted(self.all_keys), [ITEMS]))

    def test_pages_keep_the_order(self):
        whole, _ = self.walk()
        for limit in (1, 7, 50, ITEMS, ITEMS + 1):
            seen, sizes = self.walk(Limit=limit)
            self.assertEqual(seen, whole, f"limit {limit}")
            self.assertTrue(all(size == limit for size in sizes[:-1]), sizes)

    def test_partitions_stay_together_in_key_order(self):
        seen, _ = self.walk()
        partitions = [pk for pk, _ in seen]
        self.assertEqual(partitions, [pk for pk in dict.fromkeys(partitions) for _ in range(3)])
        self.assertEqual([sk for _, sk in seen], ["s0", "s1", "s2"] * (ITEMS // 3))

    def test_segments_see_each_item_once(self):
        whole, _ = self.walk()
        for total in (1, 2, 4, 7):
            parts = [self.walk(Segment=segment, TotalSegments=total, Limit=11)[0] for segment in range(total)]
            self.assertEqual([key for part in parts for key in part], whole, f"{total} segments")

    def test_segments_at_the_same_time(self):
        parts = [None] * 4

        def walk(segment):
            parts[segment], _ = self.walk(Segment=segment, TotalSegments=4, Limit=10)

        threads = [threading.Thread(target=walk, args=(segment,)) for segment in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(sorted(key for part in parts for key in part), sorted(self.all_keys))
        self.assertGreater(sum(1 for part in parts if part), 1)

    def test_segment_errors(self):
        for parameters, message in (
                ({"Segment": 0}, "The TotalSegments parameter is required but was not present in the request when Segment "
                                 "parameter is present"),
                ({"TotalSegments": 2}, "The Segment parameter is required but was not present in the request when parameter "
                                       "TotalSegments is present"),
                ({"Segment": 5, "TotalSegments": 5}, "The Segment parameter is zero-based and must be less than parameter "
                                                     "TotalSegments: Segment: 5 is not less than TotalSegments: 5")):
            self.assert_client_error("ValidationException", message, self.client.scan, TableName="items", **parameters)

    def test_count_and_capacity(self):
        count = self.client.scan(TableName="items", Select="COUNT", ReturnConsumedCapacity="TOTAL", ConsistentRead=True)
        self.assertEqual((count["Count"], count["ScannedCount"]), (ITEMS, ITEMS))
        self.assertNotIn("Items", count)
        self.assertEqual(count["ConsumedCapacity"]["TableName"], "items")
        self.assertGreaterEqual(count["ConsumedCapacity"]["CapacityUnits"], 1)

    def test_start_key_errors(self):
        self.assert_client_error("ValidationException", "The provided starting key is invalid: The provided key element does "
                                 "not match the schema", self.client.scan, TableName="items",
                                 ExclusiveStartKey={"pk": {"N": "1"}, "sk": {"N": "1"}})

    def test_one_megabyte_pages(self):
        table = self.make_table("pk:S")
        for number in range(20):
            self.client.put_item(TableName=table, Item={"pk": {"S": str(number)}, "v": {"S": "x" * 150_000}})
        sizes = [page["Count"] for page in self.client.get_paginator("scan").paginate(TableName=table)]
        self.assertEqual(sum(sizes), 20)
        self.assertIn(sizes[0], (6, 7))  # the seventh item of 150 KB crosses 1 MB


if __name__ == "__main__":
    unittest.main()
