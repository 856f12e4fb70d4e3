"""boto3: tables with global indexes, indexes that are added and deleted later with waiters on DescribeTable, paginators and
parallel scans of an index, each right after the writes."""

import threading
import unittest

from botocore.waiter import WaiterModel, create_waiter_with_client
from running_server import ServerCase, definitions, key_schema

ITEMS = 120
BY_OWNER = {"IndexName": "by_owner", "KeySchema": key_schema("owner:S", "rank:N"),
            "Projection": {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["title"]}}
OWNED = {"KeyConditionExpression": "#o = :o", "ExpressionAttributeNames": {"#o": "owner"},
         "ExpressionAttributeValues": {":o": {"S": "o1"}}}
# As deployment tools wait: with the client's own waiters, which look at DescribeTable only.
WAITERS = WaiterModel({"version": 2, "waiters": {
    name: {"operation": "DescribeTable", "delay": 0.05, "maxAttempts": 600, "acceptors": [
        {"state": "success", "matcher": "path", "argument": argument, "expected": expected}]}
    for name, argument, expected in (
        ("IndexesActive", "[Table.TableStatus, Table.GlobalSecondaryIndexes[].IndexStatus][]", ["ACTIVE", "ACTIVE"]),
        ("NoIndexes", "[Table.TableStatus, Table.GlobalSecondaryIndexes]", ["ACTIVE", None]))}})


def item(number):
    """Two of three are in the index."""
    owner = {"owner": {"S": f"o{number % 3}"}} if number % 3 else {}
    return {"pk": {"S": f"{number:03}"}, "rank": {"N": str(number // 4)}, "title": {"S": f"t{number}"}, "rest": {"S": "r"},
            **owner}


def shown(number):
    return {name: value for name, value in item(number).items() if name != "rest"}


class Indexes(ServerCase):
    in_memory = True

    def make(self, *indexes):
        keys = ("pk:S", "owner:S", "rank:N") if indexes else ("pk:S",)
        more = {"GlobalSecondaryIndexes": list(indexes)} if indexes else {}
        return self.make_table("pk:S", AttributeDefinitions=definitions(*keys), **more)

    def fill(self, table, count=ITEMS):
        for number in range(count):
            self.client.put_item(TableName=table, Item=item(number))

    def wait(self, name, table):
        create_waiter_with_client(name, WAITERS, self.client).wait(TableName=table)

    def keys(self, found):
        return sorted(each["pk"]["S"] for each in found)

    def test_an_index_made_with_its_table(self):
        table = self.make(BY_OWNER)
        self.client.get_waiter("table_exists").wait(TableName=table, WaiterConfig={"Delay": 1, "MaxAttempts": 30})
        for number in range(20):
            self.client.put_item(TableName=table, Item=item(number))
            page = self.client.query(TableName=table, IndexName="by_owner", **OWNED, ReturnConsumedCapacity="INDEXES")
            self.assertEqual(page["Items"], [shown(owned) for owned in range(1, number + 1, 3)])
        self.assertEqual(page["ConsumedCapacity"]["GlobalSecondaryIndexes"], {"by_owner": {"CapacityUnits": 0.5}})
        self.client.delete_item(TableName=table, Key={"pk": {"S": "007"}})
        page = self.client.query(TableName=table, IndexName="by_owner", **OWNED, Select="COUNT")
        self.assertEqual(page["Count"], 6)

    def test_an_index_comes_and_goes(self):
        table = self.make()
        self.fill(table, 30)
        for _ in range(2):
            answer = self.client.update_table(
                TableName=table, AttributeDefinitions=definitions("pk:S", "owner:S", "rank:N"),
                GlobalSecondaryIndexUpdates=[{"Create": BY_OWNER}])["TableDescription"]
            self.assertEqual((answer["TableStatus"], answer["GlobalSecondaryIndexes"][0]["IndexStatus"]),
                             ("UPDATING", "CREATING"))
            self.client.put_item(TableName=table, Item=item(31))
            self.wait("IndexesActive", table)
            page = self.client.query(TableName=table, IndexName="by_owner", **OWNED)
            self.assertEqual(page["Items"], [shown(number) for number in (*range(1, 30, 3), 31)])
            answer = self.client.update_table(
                TableName=table, GlobalSecondaryIndexUpdates=[{"Delete": {"IndexName": "by_owner"}}])["TableDescription"]
            self.assertEqual(answer["GlobalSecondaryIndexes"][0]["IndexStatus"], "DELETING")
            self.wait("NoIndexes", table)
            self.assert_client_error("ValidationException", "The table does not have the specified index: by_owner",
                                     self.client.query, TableName=table, IndexName="by_owner", **OWNED)

    def test_paginator(self):
        table = self.make(BY_OWNER)
        self.fill(table)
        paginate = self.client.get_paginator("query").paginate
        owned = [shown(number) for number in range(1, ITEMS, 3)]
        for size in (1, 7, 40):
            found = list(paginate(TableName=table, IndexName="by_owner", PaginationConfig={"PageSize": size}, **OWNED))
            self.assertEqual([each for page in found for each in page["Items"]], owned)
            self.assertTrue(all(set(page["LastEvaluatedKey"]) == {"pk", "owner", "rank"} for page in found[:-1]))
        # A walk that stops goes on from its token.
        config, seen = {"PageSize": 9, "MaxItems": 15}, []
        for count in (15, 15, 10):
            result = paginate(TableName=table, IndexName="by_owner", PaginationConfig=config, **OWNED).build_full_result()
            self.assertEqual(len(result["Items"]), count)
            seen += result["Items"]
            config = {**config, "StartingToken": result.get("NextToken")}
        self.assertEqual((seen, config["StartingToken"]), (owned, None))

    def test_parallel_scan(self):
        table = self.make(BY_OWNER)
        self.fill(table)
        segments = [None] * 4

        def walk(segment):
            paginate = self.client.get_paginator("scan").paginate
            segments[segment] = [each for page in paginate(
                TableName=table, IndexName="by_owner", Segment=segment, TotalSegments=4, PaginationConfig={"PageSize": 8})
                for each in page["Items"]]

        threads = [threading.Thread(target=walk, args=(segment,)) for segment in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        wanted = [f"{number:03}" for number in range(ITEMS) if number % 3]
        self.assertEqual(self.keys(each for segment in segments for each in segment), wanted)
        for segment in segments:
            for each in segment:
                self.assertEqual(each, shown(int(each["pk"]["S"])))
        in_order = [each for segment in range(4) for each in segments[segment]]
        self.assertEqual(in_order, self.client.scan(TableName=table, IndexName="by_owner")["Items"])


if __name__ == "__main__":
    unittest.main()
