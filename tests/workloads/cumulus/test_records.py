"""Cumulus's records as its first versions wrote them: legacy updates attribute by attribute, members of maps with dotted names,
projections into recipes, queries and batches with legacy parameters, granules that are delivered twice."""

import decimal
import json
import pathlib
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from boto3.dynamodb.conditions import Attr, Key  # noqa: E402
from workload import INVALID, REFUSED, WRONG_KEY, WorkloadCase, items, provisioned, typed  # noqa: E402

STREAM = {"StreamEnabled": True, "StreamViewType": "NEW_IMAGE"}
SETTINGS = {"BillingMode": "PROVISIONED", "ProvisionedThroughput": provisioned(5, 5), "StreamSpecification": STREAM}
KEY = {"collectionName": "AVAPS", "granuleId": "D20120907_022056_P"}
NO_PATH = "The document path provided in the update expression is invalid for update"


def example():
    return json.loads((HERE / "granule.json").read_text(encoding="utf-8"), parse_float=decimal.Decimal)


def put(**attributes):
    """Legacy updates that set each of these."""
    return {name: {"Action": "PUT", "Value": value} for name, value in attributes.items()}


class LegacyUpdates(WorkloadCase):
    def setUp(self):
        super().setUp()
        self.table = self.make("collectionName:S", "granuleId:S", **SETTINGS)
        self.record = example()
        self.table.put_item(Item=self.record)

    def update(self, updates, key=None, **more):
        return self.table.update_item(Key=key or KEY, AttributeUpdates=updates, ReturnValues="ALL_NEW", **more)["Attributes"]

    def test_types_are_kept(self):
        changes = {"published": False, "status": "completed", "cmrLink": None, "duration": decimal.Decimal("12.345"),
                   "updatedAt": 1480962570123, "files": {}, "recipe": {"order": ["process", "archive"]}, "error": ""}
        self.assertEqual(typed(self.update(put(**changes))), typed({**self.record, **changes}))
        raw = self.client.get_item(TableName=self.table.name, Key={name: {"S": value} for name, value in KEY.items()})["Item"]
        self.assertEqual((raw["published"], raw["cmrLink"], raw["duration"], raw["updatedAt"], raw["files"]), (
            {"BOOL": False}, {"NULL": True}, {"N": "12.345"}, {"N": "1480962570123"}, {"M": {}}))

    def test_attributes_are_dropped(self):
        drop = {name: {"Action": "DELETE"} for name in ("pushedToCMRAt", "archivedAt", "never.there")}
        for _ in range(2):
            left = self.update({**put(failedAt=1480962571), **drop})
            wanted = {**self.record, "failedAt": 1480962571}
            for name in ("pushedToCMRAt", "archivedAt"):
                del wanted[name]
            self.assertEqual(typed(left), typed(wanted))

    def test_put_is_what_happens_without_an_action(self):
        self.assertEqual(self.update({"status": {"Value": "running"}})["status"], "running")

    def test_counts_and_sets(self):
        steps = self.update({"tries": {"Action": "ADD", "Value": 1}, "seenBy": {"Action": "ADD", "Value": {"a", "b"}}})
        self.assertEqual((typed(steps["tries"]), steps["seenBy"]), (("N", "1"), {"a", "b"}))
        steps = self.update({"tries": {"Action": "ADD", "Value": -3}, "seenBy": {"Action": "DELETE", "Value": {"a", "c"}}})
        self.assertEqual((typed(steps["tries"]), steps["seenBy"]), (("N", "-2"), {"b"}))
        self.assertNotIn("seenBy", self.update({"seenBy": {"Action": "DELETE", "Value": {"b"}}}))

    def test_an_absent_record_is_created(self):
        key = {"collectionName": "AVAPS", "granuleId": "new"}
        self.assertEqual(typed(self.update(put(createdAt=1), key)), typed({**key, "createdAt": 1}))
        self.assertEqual(typed(self.table.get_item(Key=key)["Item"]), typed({**key, "createdAt": 1}))
        nothing = {"collectionName": "AVAPS", "granuleId": "nothing"}
        self.table.update_item(Key=nothing, AttributeUpdates={"createdAt": {"Action": "DELETE"}})
        self.assertNotIn("Item", self.table.get_item(Key=nothing))

    def test_names_are_taken_literally(self):
        self.assertEqual(self.update(put(**{"files.a.b": 1, "#0": 2, "status": "x"}))["files.a.b"], 1)
        self.assertEqual(self.table.get_item(Key=KEY)["Item"]["files"], self.record["files"])

    def test_expected_values(self):
        expected = {"createdAt": {"Value": self.record["createdAt"]}, "failedAt": {"Exists": False}}
        self.assertTrue(self.passes(self.update, updates=put(failedAt=1), Expected=expected))
        self.assertFalse(self.passes(self.update, updates=put(failedAt=2), Expected=expected))
        either = {"createdAt": {"ComparisonOperator": "GT", "AttributeValueList": [1480962569]},
                  "granuleShortName": {"ComparisonOperator": "BEGINS_WITH", "AttributeValueList": ["D2012"]}}
        self.assertTrue(self.passes(self.update, updates=put(failedAt=3), Expected=either, ConditionalOperator="OR"))
        self.assertFalse(self.passes(self.update, updates=put(failedAt=4), Expected=either, ConditionalOperator="AND"))
        self.assertEqual(self.table.get_item(Key=KEY)["Item"]["failedAt"], 3)

    def test_what_is_refused(self):
        for key in ({"granuleId": KEY["granuleId"]}, {"collectionName": "AVAPS"}, {**KEY, "granuleId": 1}):
            self.assert_invalid(WRONG_KEY, self.update, updates=put(status="x"), key=key)
            self.assert_invalid(WRONG_KEY, self.table.get_item, Key=key)
        self.assert_invalid(f"{INVALID}Cannot update attribute granuleId. This attribute is part of the key",
                            self.update, updates=put(granuleId="other"))
        self.assert_invalid(f"{INVALID}Only DELETE action is allowed when no attribute value is specified",
                            self.update, updates={"status": {"Action": "PUT"}})
        self.assert_invalid("Can not use both expression and non-expression parameters in the same request: Non-expression "
                            "parameters: {AttributeUpdates} Expression parameters: {UpdateExpression}", self.update,
                            updates=put(status="x"), UpdateExpression="SET a = :a", ExpressionAttributeValues={":a": 1})
        self.assertEqual(typed(self.table.scan()["Items"]), typed([self.record]))


class Paths(WorkloadCase):
    def setUp(self):
        super().setUp()
        self.table = self.make("collectionName:S", "granuleId:S", **SETTINGS)
        self.record = example()
        self.table.put_item(Item=self.record)

    def update(self, expression, names, values=None, key=None, returned="UPDATED_NEW"):
        more = {"ExpressionAttributeValues": values} if values else {}
        return self.table.update_item(Key=key or KEY, UpdateExpression=expression, ExpressionAttributeNames=names,
                                      ReturnValues=returned, **more).get("Attributes")

    def test_a_location_of_a_file_with_dots(self):
        file_name = "D20120907_022056_P.QC.eol"
        names, values = {"#fileName": file_name, "#location": "archivedFile"}, {":value": "s3://protected-example/moved"}
        answer = self.update("SET files.#fileName.#location = :value", names, values)
        self.assertEqual(answer, {"files": {file_name: {"archivedFile": "s3://protected-example/moved"}}})
        self.record["files"][file_name]["archivedFile"] = "s3://protected-example/moved"
        self.assertEqual(typed(self.table.get_item(Key=KEY)["Item"]), typed(self.record))

    def test_a_map_that_is_not_there(self):
        names, values = {"#fileName": "no.such.file", "#location": "archivedFile"}, {":value": "s3://x"}
        self.assert_invalid(NO_PATH, self.update, expression="SET files.#fileName.#location = :value", names=names, values=values)
        self.assert_invalid(NO_PATH, self.update, expression="SET granules.#fileName = :value",
                            names={"#fileName": "no.such.file"}, values=values)
        self.assert_invalid(NO_PATH, self.update, expression="SET createdAt.#fileName = :value",
                            names={"#fileName": "no.such.file"}, values=values)
        self.assertEqual(typed(self.table.scan()["Items"]), typed([self.record]))

    def test_projections_into_files_and_recipes(self):
        found = self.table.get_item(Key=KEY, ExpressionAttributeNames={"#f": "D20120907_022056_P.meta"},
                                    ProjectionExpression="files.#f.archivedFile, recipe[0].config.steps[0].cmd, recipe[2]")
        self.assertEqual(found["Item"], {
            "files": {"D20120907_022056_P.meta": {"archivedFile": "s3://private-example/avaps/D20120907_022056_P.meta"}},
            "recipe": [{"config": {"steps": [{"cmd": "start.sh"}]}}, {"name": "archive", "config": {}}]})
        both = "Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [files], " \
               "path two: [files, D20120907_022056_P.meta]"
        self.assert_invalid(f"Invalid ProjectionExpression: {both}", self.table.get_item, Key=KEY,
                            ProjectionExpression="files, files.#f", ExpressionAttributeNames={"#f": "D20120907_022056_P.meta"})

    def test_maps_that_start_empty(self):
        collections = self.make("collectionName:S", name=self.table_name("-collections"), **SETTINGS)
        collections.put_item(Item={"collectionName": "AVAPS", "granules": {}, "regex": {}})
        for name, value in (("MOD09GQ.A1.006", {"files": [], "n": 1}), ("MOD09GQ.A2.006", None), ("MOD09GQ.A1.006", {"n": 2})):
            answer = collections.update_item(Key={"collectionName": "AVAPS"}, UpdateExpression="SET granules.#granuleId = :value",
                                             ExpressionAttributeNames={"#granuleId": name},
                                             ExpressionAttributeValues={":value": value}, ReturnValues="UPDATED_NEW")
            self.assertEqual(typed(answer["Attributes"]), typed({"granules": {name: value}}))
        regex = {"#collectionName": "AVAPS.v1"}
        collections.update_item(Key={"collectionName": "AVAPS"}, UpdateExpression="SET regex.#collectionName = :value",
                                ExpressionAttributeNames=regex, ExpressionAttributeValues={":value": "^D.*_P$"})
        for wanted in ({"regex": {"AVAPS.v1": "^D.*_P$"}}, None):
            answer = collections.update_item(Key={"collectionName": "AVAPS"}, UpdateExpression="REMOVE regex.#collectionName",
                                             ExpressionAttributeNames=regex, ReturnValues="UPDATED_OLD")
            self.assertEqual(answer.get("Attributes"), wanted)
        self.assertEqual(typed(collections.get_item(Key={"collectionName": "AVAPS"})["Item"]), typed({
            "collectionName": "AVAPS", "granules": {"MOD09GQ.A1.006": {"n": 2}, "MOD09GQ.A2.006": None}, "regex": {}}))

    def test_placeholders_that_are_digits(self):
        answer = self.update("SET #0 = :0, #1 = :1", {"#0": "status", "#1": "updatedAt"}, {":0": "running", ":1": 1480962570})
        self.assertEqual(typed(answer), typed({"status": "running", "updatedAt": 1480962570}))

    def test_put_returns_the_old_record(self):
        answer = self.table.put_item(Item={**KEY, "status": "new"}, ReturnValues="ALL_OLD")
        self.assertEqual(typed(answer["Attributes"]), typed(self.record))


class Deliveries(WorkloadCase):
    def setUp(self):
        super().setUp()
        self.table = self.make("collectionName:S", "granuleId:S", **SETTINGS)

    def granule_id(self, number):
        return f"MOD09GQ.A2016358.h13v{number:02}.006"

    def fill(self, count):
        with self.table.batch_writer() as batch:
            for number in range(count):
                batch.put_item(Item={"collectionName": "MOD09GQ", "granuleId": self.granule_id(number), "createdAt": number,
                                     "status": "failed" if number % 3 == 0 else "completed", "files": {}})

    def test_a_granule_delivered_twice_is_stored_once(self):
        def deliver(number, resource):
            resource.Table(self.table.name).put_item(Item={**example(), "delivery": number},
                                                     ConditionExpression="attribute_not_exists(granuleId)")
            return number

        answers = self.at_once(16, deliver)
        self.assertEqual(answers.count(REFUSED), 15)
        winner, = [answer for answer in answers if answer != REFUSED]
        self.assertEqual(typed(self.table.get_item(Key=KEY)["Item"]), typed({**example(), "delivery": winner}))

    def test_a_filter_counts_after_the_range(self):
        self.fill(35)
        prefix = "MOD09GQ.A2016358.h13v1"
        page = self.table.query(KeyConditionExpression=Key("collectionName").eq("MOD09GQ") & Key("granuleId").begins_with(prefix),
                                FilterExpression="#status = :status", ExpressionAttributeNames={"#status": "status"},
                                ExpressionAttributeValues={":status": "failed"})
        self.assertEqual([item["granuleId"] for item in page["Items"]], [self.granule_id(number) for number in (12, 15, 18)])
        self.assertEqual((page["Count"], page["ScannedCount"]), (3, 10))
        # Limit is what is looked at, not what is found.
        page = self.table.query(KeyConditionExpression=Key("collectionName").eq("MOD09GQ"), Limit=10,
                                FilterExpression=Attr("status").eq("failed"))
        self.assertEqual((page["Count"], page["ScannedCount"]), (4, 10))
        self.assertEqual(page["LastEvaluatedKey"], {"collectionName": "MOD09GQ", "granuleId": self.granule_id(9)})

    def test_between_backwards_counted(self):
        self.fill(35)
        between = Key("collectionName").eq("MOD09GQ") & Key("granuleId").between(self.granule_id(5), self.granule_id(14))
        page = self.table.query(KeyConditionExpression=between, ScanIndexForward=False, Select="COUNT", Limit=4)
        self.assertEqual((page["Count"], "Items" in page, page["LastEvaluatedKey"]["granuleId"]), (4, False, self.granule_id(11)))
        found = items(self.table.query, KeyConditionExpression=between, ScanIndexForward=False, Limit=4)
        self.assertEqual([item["granuleId"] for item in found], [self.granule_id(number) for number in range(14, 4, -1)])

    def test_the_same_with_legacy_parameters(self):
        self.fill(35)
        legacy = {
            "KeyConditions": {"collectionName": {"ComparisonOperator": "EQ", "AttributeValueList": ["MOD09GQ"]},
                              "granuleId": {"ComparisonOperator": "GE", "AttributeValueList": [self.granule_id(25)]}},
            "QueryFilter": {"status": {"ComparisonOperator": "NE", "AttributeValueList": ["failed"]}},
        }
        wanted = [number for number in range(25, 35) if number % 3]
        page = self.table.query(AttributesToGet=["granuleId", "status"], **legacy)
        self.assertEqual(page["Items"], [{"granuleId": self.granule_id(number), "status": "completed"} for number in wanted])
        self.assertEqual((page["Count"], page["ScannedCount"]), (len(wanted), 10))
        legacy["QueryFilter"]["createdAt"] = {"ComparisonOperator": "BETWEEN", "AttributeValueList": [27, 28]}
        for operator, numbers in (("AND", [28]), ("OR", [25, 26, 27, 28, 29, 31, 32, 34])):
            page = self.table.query(ConditionalOperator=operator, **legacy)
            self.assertEqual([item["createdAt"] for item in page["Items"]], numbers)

    def test_records_by_batch(self):
        self.fill(30)
        keys = [{"collectionName": "MOD09GQ", "granuleId": self.granule_id(number)} for number in range(25, 40)]
        answer = self.resource.batch_get_item(RequestItems={self.table.name: {
            "Keys": keys, "AttributesToGet": ["granuleId", "createdAt"], "ConsistentRead": True}}, ReturnConsumedCapacity="TOTAL")
        found = sorted(answer["Responses"][self.table.name], key=lambda item: item["granuleId"])
        self.assertEqual(typed(found), typed([{"granuleId": self.granule_id(number), "createdAt": number}
                                              for number in range(25, 30)]))
        self.assertEqual(answer["UnprocessedKeys"], {})
        self.assertEqual(answer["ConsumedCapacity"], [{"TableName": self.table.name, "CapacityUnits": 15.0}])
        self.assert_invalid("Provided list of item keys contains duplicates", self.resource.batch_get_item,
                            RequestItems={self.table.name: {"Keys": [keys[0], keys[0]]}})
        many = [{"collectionName": "MOD09GQ", "granuleId": self.granule_id(number)} for number in range(101)]
        self.assert_refused("Member must have length less than or equal to 100", self.resource.batch_get_item,
                            RequestItems={self.table.name: {"Keys": many}})

    def test_scan_with_a_filter(self):
        self.fill(35)
        found = self.table.scan(FilterExpression="#0 = :0 and createdAt < :1", ExpressionAttributeNames={"#0": "status"},
                                ExpressionAttributeValues={":0": "failed", ":1": 10})
        self.assertEqual(sorted(item["createdAt"] for item in found["Items"]), [0, 3, 6, 9])
        self.assertEqual(found["ScannedCount"], 35)


if __name__ == "__main__":
    unittest.main()
