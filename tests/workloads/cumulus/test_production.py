"""Cumulus in production: granules of a collection through their index, scans of granules and rules with filters, in pages and in
segments; files by batches; keys that are reserved words; the values that its document client makes of empty ones."""

import decimal
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from boto3.dynamodb.conditions import Key  # noqa: E402
from workload import WorkloadCase, definitions, global_index, items, pages, table_request, typed  # noqa: E402

BOTH = {"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"}
BY_COLLECTION = global_index("collectionId-granuleId-index", "collectionId", "granuleId")
FIELDS = ("granuleId", "status", "collectionId", "provider", "updatedAt")


class GranuleQueue:
    """Granules of a collection, one after another, as the system walks through them: the next page is asked for when the last one
    is used up, and again as long as it is empty."""

    def __init__(self, query, **parameters):
        self.query, self.parameters, self.page, self.asked = query, parameters, [], 0

    def peek(self):
        while not self.page and self.parameters is not None:
            answer = self.query(**self.parameters)
            self.asked += 1
            self.page = answer["Items"]
            start = answer.get("LastEvaluatedKey")
            self.parameters = {**self.parameters, "ExclusiveStartKey": start} if start else None
        return self.page[0] if self.page else None

    def shift(self):
        first = self.peek()
        del self.page[:1]
        return first

    def rest(self):
        return list(iter(self.shift, None))


class Granules(WorkloadCase):
    count = 900

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.table = cls.resource.create_table(**table_request(
            "GranulesTable", "granuleId:S", StreamSpecification=BOTH, GlobalSecondaryIndexes=[BY_COLLECTION],
            AttributeDefinitions=definitions("granuleId:S", "collectionId:S")))
        with cls.table.batch_writer() as batch:
            for number in range(cls.count):
                batch.put_item(Item={
                    "granuleId": f"MOD09GQ.A{number % 3}.{number:04}", "collectionId": f"MOD09GQ___00{number % 3}",
                    "status": ("completed", "failed", "running", "queued")[number % 4], "provider": f"provider-{number % 5}",
                    "updatedAt": 1000 + number, "cmrLink": "l" * 1850, "productVolume": number * 1000})

    def numbers(self, found):
        return sorted(int(item["granuleId"][-4:]) for item in found)

    def test_segments_see_each_once(self):
        seen, sizes = [], []
        for segment in range(4):
            for page in pages(self.table.scan, Segment=segment, TotalSegments=4, Limit=90, ProjectionExpression="granuleId"):
                seen += page["Items"]
                sizes.append(page["Count"])
        self.assertEqual(self.numbers(seen), list(range(self.count)))
        self.assertLessEqual(max(sizes), 90)
        at_once = self.at_once(4, lambda segment, resource: items(
            resource.Table(self.table.name).scan, Segment=segment, TotalSegments=4, ProjectionExpression="granuleId"))
        self.assertTrue(all(at_once), "a segment saw nothing")
        self.assertEqual(self.numbers(item for found in at_once for item in found), list(range(self.count)))

    def test_counting_page_by_page(self):
        answers = list(pages(self.table.scan, Select="COUNT", Limit=200))
        self.assertEqual([page["Count"] for page in answers], [200, 200, 200, 200, 100])
        self.assertTrue(all("Items" not in page for page in answers))

    def test_a_page_is_about_a_megabyte(self):
        page = self.table.scan(ReturnConsumedCapacity="TOTAL")
        self.assertTrue(450 < page["Count"] < 600, page["Count"])
        self.assertEqual(page["Count"], page["ScannedCount"])
        self.assertGreater(page["ConsumedCapacity"]["CapacityUnits"], 120)
        self.assertEqual(page["LastEvaluatedKey"], {"granuleId": page["Items"][-1]["granuleId"]})
        rest = self.table.scan(ExclusiveStartKey=page["LastEvaluatedKey"])
        self.assertEqual(page["Count"] + rest["Count"], self.count)

    def test_granules_whose_name_contains(self):
        found = items(self.table.scan, FilterExpression="contains(#granuleId, :granuleId)", ProjectionExpression="#granuleId",
                      ExpressionAttributeNames={"#granuleId": "granuleId"}, ExpressionAttributeValues={":granuleId": "A2.00"})
        self.assertEqual(self.numbers(found), [number for number in range(100) if number % 3 == 2])

    def test_granules_of_some_providers(self):
        names = {f"#{name}": name for name in FIELDS}
        values = {":status": "failed", ":provider0": "provider-1", ":provider1": "provider-3", ":updatedAt__from": 1500}
        condition = "#status = :status AND #provider IN (:provider0, :provider1) AND #updatedAt >= :updatedAt__from"
        found = items(self.table.scan, ExpressionAttributeNames=names, ExpressionAttributeValues=values, Limit=250,
                      ProjectionExpression=", ".join(names), FilterExpression=condition)
        self.assertEqual(self.numbers(found), [number for number in range(500, 900) if number % 4 == 1 and number % 5 in (1, 3)])
        self.assertTrue(all(set(item) == set(FIELDS) for item in found))

    def test_a_missing_granule(self):
        self.assertNotIn("Item", self.table.get_item(Key={"granuleId": "none"}, ConsistentRead=True))

    def of_collection(self, condition="#collectionId = :collectionId", values=None, **more):
        return GranuleQueue(self.table.query, IndexName=BY_COLLECTION["IndexName"], KeyConditionExpression=condition,
                            ProjectionExpression=", ".join(f"#{name}" for name in FIELDS),
                            ExpressionAttributeNames={f"#{name}": name for name in FIELDS},
                            ExpressionAttributeValues={":collectionId": "MOD09GQ___001", **(values or {})}, **more)

    def test_granules_of_a_collection(self):
        queue = self.of_collection(Limit=70)
        self.assertEqual((queue.peek()["granuleId"], queue.peek()["granuleId"]), ("MOD09GQ.A1.0001",) * 2)
        found = queue.rest()
        self.assertEqual([item["granuleId"] for item in found], [f"MOD09GQ.A1.{number:04}" for number in range(1, 900, 3)])
        self.assertEqual({tuple(sorted(item)) for item in found}, {tuple(sorted(FIELDS))})
        self.assertEqual((queue.asked, queue.shift()), (5, None))
        whole = self.of_collection()
        self.assertEqual((len(whole.rest()), whole.asked), (300, 1))
        other = self.of_collection(values={":collectionId": "MOD09GQ___009"})
        self.assertEqual((other.peek(), other.rest()), (None, []))

    def test_granules_of_a_collection_that_pass_a_filter(self):
        values = {":status": "failed", ":provider0": "provider-1", ":provider1": "provider-3", ":updatedAt__from": 1500}
        queue = self.of_collection(
            values=values, Limit=25,
            FilterExpression="#status = :status AND #provider IN (:provider0, :provider1) AND #updatedAt >= :updatedAt__from")
        wanted = [number for number in range(500, 900) if number % 3 == 1 and number % 4 == 1 and number % 5 in (1, 3)]
        # The first pages hold nothing that passes.
        self.assertEqual((int(queue.peek()["granuleId"][-4:]), queue.asked), (wanted[0], 8))
        self.assertEqual(self.numbers(queue.rest()), wanted)

    def test_one_granule_of_a_collection(self):
        condition = "#collectionId = :collectionId AND #granuleId = :granuleId"
        queue = self.of_collection(condition, {":granuleId": "MOD09GQ.A1.0400"})
        self.assertEqual(self.numbers(queue.rest()), [400])
        self.assertEqual(self.of_collection(condition, {":granuleId": "MOD09GQ.A2.0401"}).rest(), [])

    def test_consistent_reads_of_the_index_are_refused(self):
        self.assert_invalid("Consistent reads are not supported on global secondary indexes",
                            self.of_collection(ConsistentRead=True).peek)

    def test_segments_of_the_index_see_each_once(self):
        at_once = self.at_once(3, lambda segment, resource: items(
            resource.Table(self.table.name).scan, IndexName=BY_COLLECTION["IndexName"], Segment=segment, TotalSegments=3,
            Limit=90, ProjectionExpression="granuleId"))
        self.assertEqual(self.numbers(item for found in at_once for item in found), list(range(self.count)))

    def test_segments_that_are_none(self):
        self.assert_invalid("The Segment parameter is zero-based and must be less than parameter TotalSegments: "
                            "Segment: 4 is not less than TotalSegments: 4", self.table.scan, Segment=4, TotalSegments=4)
        self.assert_invalid("The TotalSegments parameter is required but was not present in the request when Segment parameter "
                            "is present", self.table.scan, Segment=0)


class SmallTables(WorkloadCase):
    def test_rules_by_type_and_collection(self):
        table = self.make("name:S", StreamSpecification=BOTH)
        with table.batch_writer() as batch:
            for number in range(12):
                batch.put_item(Item={
                    "name": f"rule-{number}", "state": "ENABLED", "rule": {"type": "kinesis" if number % 2 else "onetime"},
                    "collection": {"name": f"MOD{number % 3}", "version": "006"} if number != 5 else "MOD2"})
        found = items(table.scan, Limit=5, FilterExpression="#rl.#tp = :ruleType AND #col.#nm = :collectionName",
                      ExpressionAttributeNames={"#rl": "rule", "#tp": "type", "#col": "collection", "#nm": "name"},
                      ExpressionAttributeValues={":ruleType": "kinesis", ":collectionName": "MOD2"})
        self.assertEqual([item["name"] for item in found], ["rule-11"])

    def test_collections_have_reserved_words_for_keys(self):
        table = self.make("name:S", "version:S", StreamSpecification=BOTH)
        records = [{"name": "MOD09GQ", "version": version, "files": [{"regex": "^.*\\.hdf$", "bucket": "protected"}], "meta": {}}
                   for version in ("005", "006", "007")]
        for record in records:
            table.put_item(Item=record)
        found = table.query(KeyConditionExpression="#name = :name and #version >= :version", ScanIndexForward=False,
                            ExpressionAttributeNames={"#name": "name", "#version": "version"},
                            ExpressionAttributeValues={":name": "MOD09GQ", ":version": "006"})
        self.assertEqual(found["Items"], [records[2], records[1]])
        self.assert_invalid("Invalid KeyConditionExpression: Attribute name is a reserved keyword; reserved keyword: name",
                            table.query, KeyConditionExpression="name = :name", ExpressionAttributeValues={":name": "MOD09GQ"})
        gone = table.delete_item(Key={"name": "MOD09GQ", "version": "006"}, ConditionExpression="attribute_exists(#n)",
                                 ExpressionAttributeNames={"#n": "name"}, ReturnValues="ALL_OLD")
        self.assertEqual(gone["Attributes"], records[1])

    def test_access_tokens(self):
        table = self.make("accessToken:S")
        table.put_item(Item={"accessToken": "t", "username": "user", "expirationTime": 1580000000, "tokenInfo": {"access": []}})
        update = {"Key": {"accessToken": "t"}, "UpdateExpression": "SET refreshToken = :r REMOVE tokenInfo",
                  "ExpressionAttributeValues": {":r": "r"}}
        answer = table.update_item(**update, ReturnValues="UPDATED_OLD")
        self.assertEqual(answer["Attributes"], {"tokenInfo": {"access": []}})
        self.assertEqual(table.get_item(Key={"accessToken": "t"})["Item"],
                         {"accessToken": "t", "username": "user", "expirationTime": 1580000000, "refreshToken": "r"})

    def test_providers_are_made_once_and_deleted_with_their_table(self):
        table = self.make("id:S", StreamSpecification=BOTH)
        create = {"Item": {"id": "s3", "protocol": "s3", "globalConnectionLimit": 10},
                  "ConditionExpression": "attribute_not_exists(id)"}
        self.assertEqual([self.passes(table.put_item, **create) for _ in range(3)], [True, False, False])
        table.delete()
        self.assertNotIn(table.name, self.client.list_tables()["TableNames"])
        table = self.make("id:S")
        self.assertTrue(self.passes(table.put_item, **create))


class Files(WorkloadCase):
    def setUp(self):
        super().setUp()
        self.table = self.make("bucket:S", "key:S", StreamSpecification=BOTH)

    def put(self, number):
        item = {"bucket": "protected", "key": f"MOD09GQ/{number:03}.hdf", "granuleId": f"G{number // 8}"}
        return {"PutRequest": {"Item": item}}

    def delete(self, number):
        return {"DeleteRequest": {"Key": {"bucket": "protected", "key": f"MOD09GQ/{number:03}.hdf"}}}

    def write(self, requests, **more):
        answer = self.resource.batch_write_item(RequestItems={self.table.name: requests}, **more)
        self.assertEqual(answer["UnprocessedItems"], {})
        return answer

    def stored(self):
        found = items(self.table.query, KeyConditionExpression=Key("bucket").eq("protected"), ProjectionExpression="#key",
                      ExpressionAttributeNames={"#key": "key"})
        return [int(item["key"][-7:-4]) for item in found]

    def test_sixty_files(self):
        requests = [self.put(number) for number in range(60)]
        units = []
        for first in range(0, 60, 25):
            answer = self.write(requests[first:first + 25], ReturnConsumedCapacity="TOTAL")
            units.append(answer["ConsumedCapacity"])
        self.assertEqual(units, [[{"TableName": self.table.name, "CapacityUnits": float(count)}] for count in (25, 25, 10)])
        self.assertEqual(self.stored(), list(range(60)))
        self.write([self.delete(number) for number in range(10)] + [self.put(number) for number in range(60, 75)])
        self.assertEqual(self.stored(), list(range(10, 75)))

    def test_one_key_put_and_deleted(self):
        self.assert_invalid("Provided list of item keys contains duplicates", self.write,
                            requests=[self.put(1), self.put(2), self.delete(1)])
        self.assertEqual(self.stored(), [])

    def test_one_bad_file_refuses_all(self):
        bad = {"PutRequest": {"Item": {"bucket": "protected", "granuleId": "G"}}}
        self.assert_invalid("The provided key element does not match the schema", self.write, requests=[self.put(1), bad])
        self.assert_client_error("ResourceNotFoundException", "Requested resource not found", self.resource.batch_write_item,
                                 RequestItems={self.table.name: [self.put(1)], "no-such-table": [self.put(1)]})
        self.assertEqual(self.stored(), [])

    def test_files_of_two_tables(self):
        other = self.make("bucket:S", "key:S", name=self.table_name("-other"))
        self.resource.batch_write_item(RequestItems={self.table.name: [self.put(1), self.put(2)], other.name: [self.put(1)]})
        keys = [self.delete(number)["DeleteRequest"]["Key"] for number in (1, 2, 3)]
        names = {"#b": "bucket", "#k": "key"}
        answer = self.resource.batch_get_item(RequestItems={
            self.table.name: {"Keys": keys, "ProjectionExpression": "granuleId"},
            other.name: {"Keys": keys[1:], "ProjectionExpression": "#b, #k", "ExpressionAttributeNames": names}})
        self.assertEqual(answer["Responses"], {self.table.name: [{"granuleId": "G0"}] * 2, other.name: []})
        self.assertEqual(answer["UnprocessedKeys"], {})


class Values(WorkloadCase):
    def setUp(self):
        super().setUp()
        self.table = self.make("id:S")

    def test_empty_values_as_the_document_client_sends_them(self):
        """It makes a null of an empty text, an empty buffer and an empty set."""
        item = {"id": {"S": "1"}, "error": {"NULL": True},
                "cause": {"M": {"text": {"NULL": True}, "list": {"L": [{"NULL": True}]}}}, "none": {"M": {}},
                "names": {"SS": ["b", "a"]}, "sizes": {"NS": ["1E2", "2.50", "-3"]}, "parts": {"BS": [b"b", b"a"]},
                "body": {"B": b"\x00\xff"}, "nothing": {"L": []}}
        self.client.put_item(TableName=self.table.name, Item=item)
        found = self.client.get_item(TableName=self.table.name, Key={"id": {"S": "1"}}, ConsistentRead=True)["Item"]
        self.assertEqual({name: sorted(found[name].popitem()[1]) for name in ("names", "sizes", "parts")},
                         {"names": ["a", "b"], "sizes": ["-3", "100", "2.5"], "parts": [b"a", b"b"]})
        for name in ("names", "sizes", "parts"):
            del item[name], found[name]
        self.assertEqual(found, item)

    def test_empty_texts_as_such(self):
        item = {"id": "1", "error": "", "names": {"", "a"}, "cause": {"text": ""}}
        self.table.put_item(Item=item)
        self.assertEqual(self.table.get_item(Key={"id": "1"})["Item"], item)

    def test_numbers(self):
        numbers = {"1e21": "1000000000000000000000", "-0.000001": "-0.000001", "1480962569.000": "1480962569", "12.345": "12.345",
                   "9007199254740993": "9007199254740993", "-0": "0", "1.5e-7": "0.00000015"}
        for sent, kept in numbers.items():
            answer = self.client.update_item(
                TableName=self.table.name, Key={"id": {"S": sent}}, UpdateExpression="SET #d = :d", ReturnValues="ALL_NEW",
                ExpressionAttributeNames={"#d": "duration"}, ExpressionAttributeValues={":d": {"N": sent}})
            self.assertEqual(answer["Attributes"]["duration"], {"N": kept})
        found = self.client.scan(TableName=self.table.name)["Items"]
        self.assertEqual({item["id"]["S"]: item["duration"]["N"] for item in found}, numbers)

    def test_sums_are_exact(self):
        total = {"Key": {"id": "sum"}, "UpdateExpression": "ADD #d :d", "ExpressionAttributeNames": {"#d": "duration"}}
        for value in ("12.345", "0.1", "0.2", "-12.345"):
            answer = self.table.update_item(**total, ExpressionAttributeValues={":d": decimal.Decimal(value)},
                                            ReturnValues="UPDATED_NEW")
        self.assertEqual(typed(answer["Attributes"]), typed({"duration": decimal.Decimal("0.3")}))


if __name__ == "__main__":
    unittest.main()
