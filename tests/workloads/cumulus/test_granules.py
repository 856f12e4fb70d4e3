"""Cumulus, NASA's ingest of Earth science data: granules through boto3's document API. Tables with a stream, granules with
dotted file names and empty maps, half keys, granules of a collection in order, segments of a scan."""

import decimal
import json
import pathlib
import sys
import threading
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from boto3.dynamodb.conditions import Key  # noqa: E402
from workload import ServerCase, table_request, typed  # noqa: E402

COLLECTION = "MOD09GQ"
STREAM = {"StreamEnabled": True, "StreamViewType": "NEW_IMAGE"}


def example():
    return json.loads((HERE / "granule.json").read_text(encoding="utf-8"), parse_float=decimal.Decimal)


def granule(number, collection=COLLECTION):
    """A granule of usual size: eight files, about 1.5 KB."""
    name = f"{collection}.A2016358.h13v{number:04}.006"
    files = {f"{name}.{kind}": {"stagingFile": f"s3://staging-example/{collection}/{name}.{kind}",
                                "archivedFile": f"s3://protected-example/{collection}/{name}.{kind}"}
             for kind in ("hdf", "hdf.met", "cmr.xml", "jpg", "png", "md5", "log", "txt")}
    return {"collectionName": collection, "granuleId": name, "files": files, "recipe": [{"name": "archive", "config": {}}],
            "createdAt": 1480962569 + number, "duration": decimal.Decimal("12.345"), "published": number % 2 == 0,
            "failedAt": None}


class Granules(ServerCase):
    def setUp(self):
        super().setUp()
        provisioned = {"ReadCapacityUnits": 5, "WriteCapacityUnits": 5}
        self.name = self.table_name("-granules")
        # No wait between CreateTable and the first write.
        self.table = self.server.resource().create_table(**table_request(
            self.name, "collectionName:S", "granuleId:S", BillingMode="PROVISIONED", ProvisionedThroughput=provisioned,
            StreamSpecification=STREAM))

    def restart(self):
        self.server.crash_and_restart()
        self.client = self.server.client()
        self.table = self.server.resource().Table(self.name)

    def key(self, item):
        return {name: item[name] for name in ("collectionName", "granuleId")}

    def fill(self, count):
        for number in reversed(range(count)):
            self.table.put_item(Item=granule(number))
            self.table.put_item(Item=granule(number, "OTHER"))
        return [granule(number)["granuleId"] for number in range(count)]

    def test_example_record_survives_equal_in_every_type(self):
        record = example()
        self.table.put_item(Item=record)
        self.restart()
        key = {"collectionName": "AVAPS", "granuleId": "D20120907_022056_P"}
        found = self.table.get_item(Key=key, ConsistentRead=True)["Item"]
        self.assertEqual(typed(found), typed(record))
        raw = self.client.get_item(TableName=self.name, Key={name: {"S": value} for name, value in key.items()})["Item"]
        self.assertEqual(raw["processedAt"], {"N": "1480962569"})
        self.assertEqual([step["M"]["name"]["S"] for step in raw["recipe"]["L"]], ["process", "pushToCMR", "archive"])
        self.assertEqual(raw["recipe"]["L"][1]["M"]["config"], {"M": {}})
        self.assertIn("D20120907_022056_P.QC.PresCorrQC.nc", raw["files"]["M"])
        description = self.client.describe_table(TableName=self.name)["Table"]
        self.assertEqual((description["StreamSpecification"], description["TableStatus"]), (STREAM, "ACTIVE"))

    def test_types_of_status_members(self):
        item = granule(1)
        self.table.put_item(Item=item)
        self.assertEqual(typed(self.table.get_item(Key=self.key(item))["Item"]), typed(item))

    def test_a_missing_granule_has_no_item(self):
        self.assertNotIn("Item", self.table.get_item(Key=self.key(granule(1)), ConsistentRead=True))

    def test_half_a_key_is_refused(self):
        for call in (self.table.get_item, self.table.delete_item):
            self.assert_client_error("ValidationException", "The provided key element does not match the schema", call,
                                     Key={"granuleId": "D20120907_022056_P"})

    def test_put_returns_what_it_replaced(self):
        first, second = granule(1), {**granule(1), "updatedAt": 1480962570}
        self.table.put_item(Item=first)
        answer = self.table.put_item(Item=second, ReturnValues="ALL_OLD")
        self.assertEqual(typed(answer["Attributes"]), typed(first))
        gone = self.table.delete_item(Key=self.key(second), ReturnValues="ALL_OLD")
        self.assertEqual(typed(gone["Attributes"]), typed(second))
        self.assertNotIn("Item", self.table.get_item(Key=self.key(second)))

    def test_granules_of_a_collection_in_order(self):
        names = self.fill(35)
        self.restart()
        seen, sizes, start = [], [], {}
        while True:
            page = self.table.query(KeyConditionExpression=Key("collectionName").eq(COLLECTION), Limit=10, **start)
            sizes.append(page["Count"])
            seen += [item["granuleId"] for item in page["Items"]]
            if "LastEvaluatedKey" not in page:
                break
            start = {"ExclusiveStartKey": page["LastEvaluatedKey"]}
        self.assertEqual((seen, sizes), (names, [10, 10, 10, 5]))
        between = Key("collectionName").eq(COLLECTION) & Key("granuleId").between(names[3], names[7])
        counted = self.table.query(KeyConditionExpression=between, Select="COUNT", ScanIndexForward=False)
        self.assertEqual((counted["Count"], counted["ScannedCount"]), (5, 5))
        backwards = self.table.query(KeyConditionExpression=between, ScanIndexForward=False)
        self.assertEqual([item["granuleId"] for item in backwards["Items"]], names[7:2:-1])
        tens = Key("collectionName").eq(COLLECTION) & Key("granuleId").begins_with("MOD09GQ.A2016358.h13v001")
        self.assertEqual([item["granuleId"] for item in self.table.query(KeyConditionExpression=tens)["Items"]], names[10:20])

    def test_scan_segments_see_each_granule_once(self):
        self.fill(60)
        seen = []
        for segment in range(4):
            start = {}
            while True:
                page = self.table.scan(Segment=segment, TotalSegments=4, Limit=9, **start)
                seen += [(item["collectionName"], item["granuleId"]) for item in page["Items"]]
                if "LastEvaluatedKey" not in page:
                    break
                start = {"ExclusiveStartKey": page["LastEvaluatedKey"]}
        self.assertEqual(sorted(seen), sorted((granule(number, name)["collectionName"], granule(number, name)["granuleId"])
                                              for number in range(60) for name in (COLLECTION, "OTHER")))
        total, start = 0, {}
        while True:
            page = self.table.scan(Select="COUNT", Limit=50, **start)
            total += page["Count"]
            if "LastEvaluatedKey" not in page:
                break
            start = {"ExclusiveStartKey": page["LastEvaluatedKey"]}
        self.assertEqual(total, 120)

    def test_workers_that_store_at_once_lose_nothing(self):
        failures = []

        def store(worker):
            try:
                for number in range(worker, 64, 8):
                    self.client.put_item(TableName=self.name, Item={
                        "collectionName": {"S": COLLECTION}, "granuleId": {"S": f"{number:03}"}, "worker": {"N": str(worker)}})
            except Exception as failure:  # pylint: disable=broad-except
                failures.append(failure)

        workers = [threading.Thread(target=store, args=(number,)) for number in range(8)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        self.assertEqual(failures, [])
        self.restart()
        found = self.table.query(KeyConditionExpression=Key("collectionName").eq(COLLECTION))["Items"]
        self.assertEqual([(item["granuleId"], item["worker"]) for item in found],
                         [(f"{number:03}", number % 8) for number in range(64)])


class Values(ServerCase):
    in_memory = True

    def test_edges_of_numbers_and_sets(self):
        table = self.server.resource().create_table(**table_request("edges", "id:S"))
        item = {"id": "1", "large": decimal.Decimal("1e21"), "small": decimal.Decimal("-0.000001"), "empty": None,
                "names": {"a", "b"}, "times": {decimal.Decimal(1), decimal.Decimal("2.5")}}
        table.put_item(Item=item)
        self.assertEqual(table.get_item(Key={"id": "1"}, ConsistentRead=True)["Item"], item)
        raw = self.client.get_item(TableName="edges", Key={"id": {"S": "1"}})["Item"]
        self.assertEqual((raw["large"], raw["small"]), ({"N": "1000000000000000000000"}, {"N": "-0.000001"}))


class ProductionTables(ServerCase):
    """The eleven tables of later versions: on demand, names listed in pages of four."""

    in_memory = True
    tables = {
        "AccessTokens": ["accessToken:S"], "AsyncOperations": ["id:S"], "Collections": ["name:S", "version:S"],
        "Executions": ["arn:S"], "Files": ["bucket:S", "key:S"], "Granules": ["granuleId:S"], "Pdrs": ["pdrName:S"],
        "Providers": ["id:S"], "ReconciliationReports": ["name:S"], "Rules": ["name:S"], "Semaphores": ["key:S"],
    }

    def test_tables(self):
        both = {"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"}
        for name, keys in reversed(self.tables.items()):
            request = table_request(f"stack-{name}Table", *keys, Tags=[{"Key": "Deployment", "Value": "stack"}])
            if name not in {"AccessTokens", "Semaphores"}:
                request["StreamSpecification"] = both
            if name == "Granules":
                request["AttributeDefinitions"].append({"AttributeName": "collectionId", "AttributeType": "S"})
                request["GlobalSecondaryIndexes"] = [{
                    "IndexName": "collectionId-granuleId-index", "Projection": {"ProjectionType": "ALL"},
                    "KeySchema": [{"AttributeName": "collectionId", "KeyType": "HASH"},
                                  {"AttributeName": "granuleId", "KeyType": "RANGE"}]}]
            self.client.create_table(**request)
        pages = list(self.client.get_paginator("list_tables").paginate(PaginationConfig={"PageSize": 4}))
        self.assertEqual([len(page["TableNames"]) for page in pages], [4, 4, 3])
        self.assertEqual([name for page in pages for name in page["TableNames"]],
                         [f"stack-{name}Table" for name in self.tables])
        index, = self.client.describe_table(TableName="stack-GranulesTable")["Table"]["GlobalSecondaryIndexes"]
        self.assertEqual((index["IndexName"], index["IndexStatus"]), ("collectionId-granuleId-index", "ACTIVE"))


if __name__ == "__main__":
    unittest.main()
