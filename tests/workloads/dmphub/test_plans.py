"""DMPHub, a registry of data management plans in a single table: its tables, reading and writing of plans, their versions and
tombstones, lists that many append to, and what must be refused."""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

import boto3  # noqa: E402
from workload import INVALID, WRONG_KEY, WorkloadCase, global_index, provisioned, typed  # noqa: E402
from plans import SETTINGS_2022, SETTINGS_2024, STREAM, key_of, plan  # noqa: E402

EMPTY_KEY = ("One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string "
             "value. Key: {}")
EMPTY_INDEX_KEY = ("One or more parameter values are not valid. A value specified for a secondary index key is not supported. "
                   "The AttributeValue for a key attribute cannot contain an empty string value. IndexName: {}, IndexKey: {}")
EMPTY_INDEX_KEY_BY_UPDATE = ("One or more parameter values are not valid. The update expression attempted to update a secondary "
                             "index key to a value that is not supported. The AttributeValue for a key attribute cannot "
                             "contain an empty string value.")
DAY, DAY_INDEX = "dmphub_modification_day", "modification_day_gsi"


class Tables(WorkloadCase):
    def describe(self, table):
        return self.client.describe_table(TableName=table.name)["Table"]

    def test_of_2022(self):
        table = self.make("PK:S", "SK:S", **SETTINGS_2022)
        shown = self.describe(table)
        self.assertEqual(shown["TableStatus"], "ACTIVE")
        self.assertEqual([index["IndexName"] for index in shown["GlobalSecondaryIndexes"]],
                         [index["IndexName"] for index in SETTINGS_2022["GlobalSecondaryIndexes"]])
        for index, wanted in zip(shown["GlobalSecondaryIndexes"], SETTINGS_2022["GlobalSecondaryIndexes"]):
            self.assertEqual((index["IndexStatus"], index["KeySchema"]), ("ACTIVE", wanted["KeySchema"]))
            self.assertEqual(index["Projection"]["ProjectionType"], wanted["Projection"]["ProjectionType"])
            self.assertEqual(sorted(index["Projection"].get("NonKeyAttributes", [])),
                             sorted(wanted["Projection"].get("NonKeyAttributes", [])))
            self.assertLessEqual(provisioned(5, 5).items(), index["ProvisionedThroughput"].items())
        self.assertLessEqual(provisioned(10, 10).items(), shown["ProvisionedThroughput"].items())
        self.assert_client_error("ResourceInUseException", f"Table already exists: {table.name}", self.client.create_table,
                                 TableName=table.name, KeySchema=shown["KeySchema"], **SETTINGS_2022)
        table.delete()
        self.assert_client_error("ResourceNotFoundException", f"Requested resource not found: Table: {table.name} not found",
                                 self.client.describe_table, TableName=table.name)
        self.assert_client_error("ResourceNotFoundException", "Requested resource not found", table.get_item,
                                 Key={"PK": "PROVENANCE#dmptool", "SK": "PROFILE"})

    def test_of_2024(self):
        table = self.make("PK:S", "SK:S", **SETTINGS_2024)
        shown = self.describe(table)
        self.assertEqual((shown["TableStatus"], shown["StreamSpecification"]), ("ACTIVE", STREAM))
        self.assertEqual(shown["BillingModeSummary"]["BillingMode"], "PAY_PER_REQUEST")
        self.assertEqual(len(shown["AttributeDefinitions"]), 5)
        item = plan(dmproadmap_featured="1")
        table.put_item(Item=item)
        self.assertEqual(typed(table.get_item(Key=key_of(item))["Item"]), typed(item))

    def test_a_client_of_another_region_with_another_key(self):
        table = self.make("PK:S", "SK:S")
        client = boto3.session.Session(region_name="us-west-2", aws_access_key_id="other", aws_secret_access_key="secret").client(
            "dynamodb", endpoint_url=self.server.endpoint, config=self.server.config())
        item = {"PK": {"S": "PROVENANCE#dmptool"}, "SK": {"S": "PROFILE"}, "redirect_uri": {"S": "https://tool.example"}}
        client.put_item(TableName=table.name, Item=item)
        self.assertEqual(client.get_item(TableName=table.name, Key=key_of(item))["Item"], item)
        client.close()

    def test_what_each_write_consumes(self):
        table = self.make("PK:S", "SK:S")
        item = {"PK": "PERSON_INDEX", "SK": "a", "dmps": ["d" * 1000, "e" * 1000]}
        total = {"ReturnConsumedCapacity": "TOTAL"}
        update = {"Key": key_of(item), "UpdateExpression": "REMOVE dmps[0], dmps[1]"}
        answers = [table.put_item(Item=item, **total), table.update_item(**update, **total), table.update_item(**update, **total),
                   table.put_item(Item=item, **total), table.delete_item(Key=key_of(item), **total),
                   table.delete_item(Key=key_of(item), **total)]
        self.assertEqual([answer["ConsumedCapacity"] for answer in answers],
                         [{"TableName": table.name, "CapacityUnits": units} for units in (2.0, 2.0, 1.0, 2.0, 2.0, 1.0)])

    def test_external_data(self):
        index = global_index("source_gsi", "source", "ID", projection=["RESOURCE_TYPE", "touch_date"])
        table = self.make("RESOURCE_TYPE:S", "ID:S", GlobalSecondaryIndexes=[index], AttributeDefinitions=[
            {"AttributeName": name, "AttributeType": "S"} for name in ("RESOURCE_TYPE", "ID", "source")])
        rows = [{"RESOURCE_TYPE": "ROR", "ID": f"https://organisations.example/{number}", "source": "v1.2", "aliases": []}
                for number in range(3)]
        with table.batch_writer() as batch:
            for row in rows:
                batch.put_item(Item=row)
        found = table.query(KeyConditions={"RESOURCE_TYPE": {"AttributeValueList": ["ROR"], "ComparisonOperator": "EQ"}})
        self.assertEqual(found["Items"], rows)


class Writes(WorkloadCase):
    def setUp(self):
        super().setUp()
        self.table = self.make("PK:S", "SK:S", **SETTINGS_2022)

    def get(self, key):
        return self.table.get_item(Key=key, ConsistentRead=False).get("Item")

    def test_latest_version(self):
        item = plan()
        self.assertNotIn("Item", self.table.get_item(Key=key_of(item)))
        self.table.put_item(Item=item)
        answer = self.table.get_item(Key=key_of(item), ConsistentRead=False, ReturnConsumedCapacity="TOTAL")
        self.assertEqual(typed(answer["Item"]), typed(item))
        self.assertEqual(answer["ConsumedCapacity"], {"TableName": self.table.name, "CapacityUnits": 0.5})
        for strong, key, units in ((True, key_of(item), 1.0), (False, {"PK": "DMP#none", "SK": "VERSION#latest"}, 0.5)):
            answer = self.table.get_item(Key=key, ConsistentRead=strong, ReturnConsumedCapacity="TOTAL")
            self.assertEqual(answer["ConsumedCapacity"]["CapacityUnits"], units)
        for call in (self.table.get_item, self.table.delete_item):
            self.assert_invalid(WRONG_KEY, call, Key={"PK": item["PK"]})
        self.assert_invalid(WRONG_KEY, self.table.get_item, Key={**key_of(item), "title": item["title"]})
        self.assert_invalid(WRONG_KEY, self.table.get_item, Key={"PK": item["PK"], "SK": 1})

    def test_each_step_reads_what_was_just_written(self):
        for number in range(25):
            item = plan(modified=f"2022-02-18T12:30:{number:02}Z")
            self.table.put_item(Item=item)
            self.assertEqual(self.get(key_of(item)), item)

    def test_an_update_keeps_the_old_version(self):
        first = plan()
        self.table.put_item(Item=first)
        old = self.get(key_of(first))
        self.table.put_item(Item={**old, "SK": f"VERSION#{old['modified']}"})
        self.table.put_item(Item={**old, "title": "Sediment transport", "modified": "2022-04-28T08:00:00Z", DAY: "2022-04-28"})
        latest = self.get(key_of(first))
        self.assertEqual((latest["title"], latest["dataset"]), ("Sediment transport", first["dataset"]))
        kept = self.get({"PK": first["PK"], "SK": "VERSION#2022-02-18T12:30:25Z"})
        self.assertEqual(typed(kept), typed({**first, "SK": "VERSION#2022-02-18T12:30:25Z"}))

    def test_a_tombstone_takes_the_place_of_the_latest_version(self):
        latest = plan()
        tombstone = {**latest, "SK": "VERSION#tombstone", "title": f"OBSOLETE: {latest['title']}"}
        self.table.put_item(Item=latest)
        self.assertNotIn("Attributes", self.table.put_item(Item=tombstone, ReturnValues="ALL_OLD"))
        gone = self.table.delete_item(Key=key_of(latest), ReturnValues="ALL_OLD")
        self.assertEqual(typed(gone["Attributes"]), typed(latest))
        self.assertIsNone(self.get(key_of(latest)))
        self.assertEqual(self.get(key_of(tombstone)), tombstone)
        self.assertNotIn("Attributes", self.table.delete_item(Key=key_of(latest), ReturnValues="ALL_OLD"))

    def test_of_updaters_that_race_one_stays_whole(self):
        versions = [plan(title=f"Updater {number}", contact={"name": str(number)}) for number in range(8)]
        self.at_once(8, lambda number, resource: resource.Table(self.table.name).put_item(Item=versions[number]))
        self.assertIn(self.get(key_of(versions[0])), versions)

    def test_the_key_of_an_item_stays(self):
        item = plan()
        self.table.put_item(Item=item)
        self.assert_invalid(f"{INVALID}Cannot update attribute SK. This attribute is part of the key", self.table.update_item,
                            Key=key_of(item), UpdateExpression="SET SK = :sk",
                            ExpressionAttributeValues={":sk": "VERSION#tombstone"})
        self.assert_invalid(f"{INVALID}Cannot update attribute SK. This attribute is part of the key", self.table.update_item,
                            Key=key_of(item), AttributeUpdates={"SK": {"Action": "PUT", "Value": "VERSION#tombstone"}})
        self.assert_invalid(WRONG_KEY, self.table.delete_item, Key={"PK": item["PK"]})
        self.assertEqual(self.get(key_of(item)), item)

    def test_appends_at_once_lose_nothing(self):
        affiliations = [{"PK": f"AFFILIATION#{number}", "SK": "DMPS"} for number in range(4)]

        def append(number, resource):
            answer = resource.Table(self.table.name).update_item(
                Key=affiliations[number % 4], UpdateExpression="SET dmps = list_append(if_not_exists(dmps, :none), :one)",
                ExpressionAttributeValues={":none": [], ":one": [f"DMP#{number}"]}, ReturnValues="ALL_NEW")
            return answer["Attributes"]

        answers = self.at_once(24, append)
        self.assertEqual([answer["dmps"][-1] for answer in answers], [f"DMP#{number}" for number in range(24)])
        for number, key in enumerate(affiliations):
            item = self.get(key)
            self.assertEqual(sorted(item["dmps"]), sorted(f"DMP#{member}" for member in range(number, 24, 4)))
            lengths = sorted(len(answer["dmps"]) for answer in answers if answer["PK"] == key["PK"])
            self.assertEqual(lengths, [1, 2, 3, 4, 5, 6])

    def test_empty_strings_are_values_but_not_keys(self):
        item = plan(title="", contact={"name": "", "mbox": ""})
        self.table.put_item(Item=item)
        self.assertEqual(self.get(key_of(item)), item)
        for name in ("PK", "SK"):
            self.assert_invalid(EMPTY_KEY.format(name), self.table.put_item, Item={**item, name: ""})
            self.assert_invalid(EMPTY_KEY.format(name), self.table.get_item, Key={**key_of(item), name: ""})

    def test_index_keys_are_checked_by_every_write(self):
        item = plan()
        self.table.put_item(Item=item)
        kind = f"{INVALID}Type mismatch for Index Key {DAY} Expected: S Actual: {{}} IndexName: {DAY_INDEX}"
        for wrong, message in (("", EMPTY_INDEX_KEY.format(DAY_INDEX, DAY)), (20220428, kind.format("N")),
                               (None, kind.format("NULL")), ([], kind.format("L"))):
            bad = {**item, DAY: wrong}
            self.assert_invalid(message, self.table.put_item, Item=bad)
            requests = [{"PutRequest": {"Item": {**item, "SK": "VERSION#other"}}}, {"PutRequest": {"Item": bad}}]
            self.assert_invalid(message, self.resource.batch_write_item, RequestItems={self.table.name: requests})
            self.assert_invalid(EMPTY_INDEX_KEY_BY_UPDATE if wrong == "" else message, self.table.update_item, Key=key_of(item),
                                UpdateExpression=f"SET {DAY} = :day", ExpressionAttributeValues={":day": wrong})
        self.assertEqual(self.table.scan()["Items"], [item])
        self.table.update_item(Key=key_of(item), UpdateExpression=f"REMOVE {DAY}")
        self.assertNotIn(DAY, self.get(key_of(item)))


class IndexTable(WorkloadCase):
    """Items that hold whole lists of plans and come near the greatest size of an item."""

    def setUp(self):
        super().setUp()
        self.table = self.make("PK:S", "SK:S")

    @staticmethod
    def entry(number):
        return {"id": f"DMP#doi.org/10.48321/D1{number:05}", "title": f"Plan {number:05}", "abstract": "x" * 600}

    def fill_to(self, size):
        """An item of exactly so many bytes."""
        item = {"PK": "FUNDER_INDEX", "SK": "https://funders.example/1", "dmps": [self.entry(number) for number in range(400)]}
        texts = sum(3 + sum(1 + len(name) + len(value) for name, value in entry.items()) + 1 for entry in item["dmps"])
        used = sum(len(name) for name in item) + len(item["PK"]) + len(item["SK"]) + 3 + texts + len("rest")
        return {**item, "rest": "r" * (size - used)}

    def test_300_plans_are_rewritten(self):
        item = {"PK": "PERSON_INDEX", "SK": "https://orcid.example/1", "dmps": []}
        for count in (100, 300):
            item["dmps"] = [self.entry(number) for number in range(count)]
            self.table.put_item(Item=item)
            answer = self.table.get_item(Key=key_of(item), ReturnConsumedCapacity="TOTAL")
            self.assertEqual(answer["Item"], item)
        self.assertGreater(answer["ConsumedCapacity"]["CapacityUnits"], 20)

    def test_the_greatest_size(self):
        item = self.fill_to(400 * 1024)
        self.table.put_item(Item=item)
        self.assertEqual(self.table.get_item(Key=key_of(item))["Item"], item)
        more = {**item, "rest": item["rest"] + "r"}
        self.assert_invalid("Item size has exceeded the maximum allowed size", self.table.put_item, Item=more)
        self.assert_invalid("Item size has exceeded the maximum allowed size", self.resource.batch_write_item,
                            RequestItems={self.table.name: [{"PutRequest": {"Item": more}}]})
        self.assert_invalid("Item size to update has exceeded the maximum allowed size", self.table.update_item,
                            Key=key_of(item), UpdateExpression="SET dmps = list_append(dmps, :one)",
                            ExpressionAttributeValues={":one": [self.entry(400)]})
        self.assertEqual(self.table.get_item(Key=key_of(item))["Item"], item)


if __name__ == "__main__":
    unittest.main()
