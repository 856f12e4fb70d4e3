"""DMPHub's reads: versions of a plan, parts of plans by projection, scans with filters over more than one page, and the mixture
of legacy parameters and expressions that its Ruby client sends."""

import decimal
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from boto3.dynamodb.conditions import Attr, Key  # noqa: E402
from workload import WorkloadCase, items, pages, typed  # noqa: E402
from plans import SETTINGS_2022, SETTINGS_2024, key_of, plan  # noqa: E402

OLD = ["2021-11-08T19:06:04Z", "2022-02-18T12:30:25Z", "2022-04-28T08:00:00Z"]
EITHER = "Can not use both expression and non-expression parameters in the same request: "
RESERVED = "Attribute name is a reserved keyword; reserved keyword: "


def equals(value):
    return {"AttributeValueList": [value], "ComparisonOperator": "EQ"}


class Versions(WorkloadCase):
    def setUp(self):
        super().setUp()
        self.table = self.make("PK:S", "SK:S", **SETTINGS_2022)
        latest = plan(modified="2022-05-01T00:00:00Z")
        self.pk = latest["PK"]
        self.found_works = {
            "PK": self.pk, "SK": "HARVESTER_MODS", "tstamp": "2022-05-02", "related_works": {
                "https://doi.example/10.5072/a.b.c": {"status": "pending", "score": decimal.Decimal("0.875"), "notes": []}}}
        for item in (latest, *(plan(version=time, modified=time) for time in OLD), self.found_works, plan("10.48321/OTHER")):
            self.table.put_item(Item=item)

    def test_newest_first(self):
        condition = Key("PK").eq(self.pk) & Key("SK").begins_with("VERSION#")
        wanted = ["VERSION#latest", *(f"VERSION#{time}" for time in reversed(OLD))]
        found = self.table.query(KeyConditionExpression=condition, ScanIndexForward=False)
        self.assertEqual([item["SK"] for item in found["Items"]], wanted)
        for size in (1, 2, 3, 4):
            sizes = [page["Count"] for page in pages(self.table.query, KeyConditionExpression=condition, Limit=size)]
            # Where the last item fills a page, an empty one follows.
            self.assertEqual(sizes, [size] * (4 // size) + [4 % size])
            backwards = items(self.table.query, KeyConditionExpression=condition, ScanIndexForward=False, Limit=size)
            self.assertEqual([item["SK"] for item in backwards], wanted)

    def test_versions_between_two_times(self):
        condition = Key("PK").eq(self.pk) & Key("SK").between(f"VERSION#{OLD[0]}", "VERSION#2022-03")
        found = self.table.query(KeyConditionExpression=condition, ProjectionExpression="modified")
        self.assertEqual(found["Items"], [{"modified": OLD[0]}, {"modified": OLD[1]}])
        counted = self.table.query(KeyConditionExpression=condition, Select="COUNT")
        self.assertEqual((counted["Count"], counted["ScannedCount"], "Items" in counted), (2, 2, False))

    def test_legacy_key_conditions_with_expressions(self):
        conditions = {"PK": equals(self.pk)}
        found = self.table.query(KeyConditions=conditions, ProjectionExpression="modified", ScanIndexForward=False)
        self.assertEqual(found["Items"], [{"modified": "2022-05-01T00:00:00Z"},
                                          *({"modified": time} for time in reversed(OLD)), {}])
        filtered = self.table.query(KeyConditions=conditions, FilterExpression=Attr("modified").gte("2022-04-28"))
        self.assertEqual(([item["modified"] for item in filtered["Items"]], filtered["ScannedCount"]),
                         ([OLD[2], "2022-05-01T00:00:00Z"], 5))
        conditions["SK"] = {"AttributeValueList": ["VERSION#"], "ComparisonOperator": "BEGINS_WITH"}
        self.assertEqual(self.table.query(KeyConditions=conditions, ReturnConsumedCapacity="TOTAL")["Count"], 4)

    def test_two_kinds_of_key_conditions_are_refused(self):
        pk = {":pk": self.pk}
        self.assert_invalid(
            EITHER + "Non-expression parameters: {KeyConditions} Expression parameters: {KeyConditionExpression}",
            self.table.query, KeyConditions={"PK": equals(self.pk)}, KeyConditionExpression="PK = :pk",
            ExpressionAttributeValues=pk)
        self.assert_invalid(
            EITHER + "Non-expression parameters: {QueryFilter} Expression parameters: {FilterExpression, KeyConditionExpression}",
            self.table.query, QueryFilter={"title": equals("a")}, FilterExpression="title = :pk",
            KeyConditionExpression="PK = :pk", ExpressionAttributeValues=pk)
        self.assert_invalid("Query key condition not supported", self.table.query, KeyConditions={
            "PK": {"AttributeValueList": ["DMP#"], "ComparisonOperator": "BEGINS_WITH"}})
        self.assert_invalid("Query condition missed key schema element: PK", self.table.query,
                            KeyConditions={"SK": equals("VERSION#latest")})
        self.assert_invalid("Filter Expression can only contain non-primary key attributes: Primary key attribute: SK",
                            self.table.query, KeyConditionExpression=Key("PK").eq(self.pk),
                            FilterExpression=Attr("SK").eq("VERSION#latest"))

    def test_found_works_by_their_address(self):
        url, old = "https://doi.example/10.5072/x.y[0]", "https://doi.example/10.5072/a.b.c"
        work = {"score": decimal.Decimal("0.5")}
        answer = self.table.update_item(
            Key=key_of(self.found_works), UpdateExpression="SET related_works.#url = :work, related_works.#old.#status = :done",
            ExpressionAttributeNames={"#url": url, "#old": old, "#status": "status"},
            ExpressionAttributeValues={":work": work, ":done": "approved"}, ReturnValues="UPDATED_NEW")
        self.assertEqual(typed(answer["Attributes"]), typed({"related_works": {url: work, old: {"status": "approved"}}}))
        found = self.table.get_item(Key=key_of(self.found_works), ProjectionExpression="related_works.#url.score",
                                    ExpressionAttributeNames={"#url": url})
        self.assertEqual(found["Item"], {"related_works": {url: work}})

    def test_parts_of_a_plan(self):
        names = {"#p": "project", "#s": "start", "#n": "name"}
        expression = "#p[0].#s, #p[0].funding[0].grant_id.identifier, contact.#n"
        grant = {"grant_id": {"identifier": "https://grants.example/776242"}}
        wanted = {"project": [{"start": "2021-12-01", "funding": [grant]}], "contact": {"name": "Rivera, Inés"}}
        key = {"PK": self.pk, "SK": "VERSION#latest"}
        found = self.table.get_item(Key=key, ProjectionExpression=expression, ExpressionAttributeNames=names)
        self.assertEqual(found["Item"], wanted)
        found = self.table.query(KeyConditionExpression=Key("PK").eq(self.pk), ProjectionExpression=expression,
                                 ExpressionAttributeNames=names)
        self.assertEqual(found["Items"], [{}, wanted, wanted, wanted, wanted])
        batch = self.resource.batch_get_item(RequestItems={self.table.name: {
            "Keys": [key], "ProjectionExpression": expression, "ExpressionAttributeNames": names}})
        self.assertEqual((batch["Responses"], batch["UnprocessedKeys"]), ({self.table.name: [wanted]}, {}))
        nothing = self.table.get_item(Key=key, ProjectionExpression="contributor[7].mbox, dataset.title")
        self.assertEqual(nothing["Item"], {})

    def test_reserved_words_are_refused_bare(self):
        for word in ("project", "start", "end", "name", "status", "source", "timestamp"):
            self.assert_invalid(f"Invalid ProjectionExpression: {RESERVED}{word}", self.table.scan,
                                ProjectionExpression=f"PK, {word}")
        self.assert_invalid(f"Invalid FilterExpression: {RESERVED}status", self.table.scan, FilterExpression="status = :status",
                            ExpressionAttributeValues={":status": "public"})
        self.table.scan(ProjectionExpression="PK, modified, created")

    def test_placeholders_without_their_sign_are_refused(self):
        condition = {"KeyConditionExpression": "PK = :pk AND SK = :sk",
                     "ExpressionAttributeValues": {":pk": self.pk, "sk": "VERSION#latest"}}
        self.assert_invalid('ExpressionAttributeValues contains invalid key: Syntax error; key: "sk"', self.table.query, **condition)
        condition["ExpressionAttributeValues"] = {":pk": self.pk, ":sk": "VERSION#latest"}
        self.assert_invalid('ExpressionAttributeNames contains invalid key: Syntax error; key: "sk"', self.table.query,
                            ExpressionAttributeNames={"sk": "SK"}, **condition)

    def test_what_each_read_consumes(self):
        query = {"KeyConditionExpression": Key("PK").eq(self.pk), "ReturnConsumedCapacity": "TOTAL"}
        name = self.table.name
        # Four versions of about 1.6 KB and the found works are summed up before they are rounded up to 4 KB.
        self.assertEqual(self.table.query(**query)["ConsumedCapacity"], {"TableName": name, "CapacityUnits": 1.0})
        self.assertEqual(self.table.query(ConsistentRead=True, **query)["ConsumedCapacity"]["CapacityUnits"], 2.0)
        self.assertEqual(self.table.query(ProjectionExpression="SK", **query)["ConsumedCapacity"]["CapacityUnits"], 1.0)
        query["KeyConditionExpression"] = Key("PK").eq("DMP#none")
        self.assertEqual(self.table.query(**query)["ConsumedCapacity"]["CapacityUnits"], 0.5)
        keys = [{"PK": self.pk, "SK": sk} for sk in ("VERSION#latest", "HARVESTER_MODS", "VERSION#none")]
        batch = self.resource.batch_get_item(RequestItems={name: {"Keys": keys}}, ReturnConsumedCapacity="TOTAL")
        self.assertEqual(batch["ConsumedCapacity"], [{"TableName": name, "CapacityUnits": 1.5}])
        self.assertEqual(len(batch["Responses"][name]), 2)

    def test_all_attributes_with_a_projection_is_refused(self):
        self.assert_refused("Cannot specify the ProjectionExpression when choosing to get ALL_ATTRIBUTES", self.table.query,
                            KeyConditionExpression=Key("PK").eq(self.pk), Select="ALL_ATTRIBUTES", ProjectionExpression="title")


class Scans(WorkloadCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.plans = 200
        cls.table = cls.resource.create_table(
            TableName="plans", BillingMode="PAY_PER_REQUEST", **SETTINGS_2024, KeySchema=[
                {"AttributeName": "PK", "KeyType": "HASH"}, {"AttributeName": "SK", "KeyType": "RANGE"}])
        with cls.table.batch_writer() as batch:
            for number in range(cls.plans):
                batch.put_item(Item={
                    "PK": f"DMP#doi.org/10.48321/D1{number:04}", "SK": "VERSION#latest", "abstract": "a" * 8000,
                    "featured": number % 4, "visibility": "public" if number % 2 else "private",
                    "created": f"2024-01-{number % 28 + 1:02}", "project": [{"title": f"Project {number}"}]})
                batch.put_item(Item={"PK": f"DMP#doi.org/10.48321/D1{number:04}", "SK": "VERSION#2024-01-01", "featured": 1,
                                     "visibility": "public"})

    def numbers(self, found):
        return sorted(int(item["PK"][-4:]) for item in found)

    def test_pages_end_at_a_megabyte(self):
        answers = list(pages(self.table.scan, ReturnConsumedCapacity="TOTAL"))
        self.assertEqual(sum(page["Count"] for page in answers), 2 * self.plans)
        self.assertEqual(len(answers), 2)
        first = answers[0]
        self.assertEqual(set(first["LastEvaluatedKey"]), {"PK", "SK"})
        self.assertEqual(first["LastEvaluatedKey"], key_of(first["Items"][-1]))
        self.assertEqual(first["ConsumedCapacity"]["TableName"], self.table.name)
        self.assertGreater(first["ConsumedCapacity"]["CapacityUnits"], 120)
        self.assertLessEqual(first["ConsumedCapacity"]["CapacityUnits"], 128.5)

    def test_filters(self):
        public = items(self.table.scan, FilterExpression=Attr("visibility").eq("public") & Attr("SK").eq("VERSION#latest"))
        self.assertEqual(self.numbers(public), list(range(1, self.plans, 2)))
        featured = items(self.table.scan, FilterExpression="featured = :featured AND SK = :sk",
                         ExpressionAttributeValues={":featured": 1, ":sk": "VERSION#latest"})
        self.assertEqual(self.numbers(featured), list(range(1, self.plans, 4)))
        legacy = items(self.table.scan, ScanFilter={"featured": equals(1), "SK": equals("VERSION#latest")},
                       AttributesToGet=["PK", "visibility"])
        self.assertEqual(self.numbers(legacy), self.numbers(featured))
        self.assertTrue(all(set(item) == {"PK", "visibility"} for item in legacy))

    def test_projection(self):
        found = items(self.table.scan, FilterExpression="SK = :sk", ProjectionExpression="PK, created, #proj",
                      ExpressionAttributeNames={"#proj": "project"}, ExpressionAttributeValues={":sk": "VERSION#latest"})
        self.assertEqual(self.numbers(found), list(range(self.plans)))
        self.assertTrue(all(item["project"] == [{"title": f"Project {int(item['PK'][-4:])}"}] and
                            set(item) == {"PK", "created", "project"} for item in found))

    def test_empty_pages_go_on(self):
        page = self.table.scan(FilterExpression=Attr("visibility").eq("none"), Limit=30)
        self.assertEqual((page["Items"], page["Count"], page["ScannedCount"]), ([], 0, 30))
        self.assertIn("LastEvaluatedKey", page)
        answers = list(pages(self.table.scan, FilterExpression=Attr("visibility").eq("none"), Limit=100))
        # The fourth page ends at the very last item, which only an empty fifth one tells.
        self.assertEqual([(page["Count"], page["ScannedCount"]) for page in answers], [(0, 100)] * 4 + [(0, 0)])

    def test_a_start_need_not_exist(self):
        everything = [key_of(item) for item in items(self.table.scan, ProjectionExpression="PK, SK")]
        middle = everything[100]
        after = {**middle, "SK": middle["SK"] + "~"}
        rest = items(self.table.scan, ProjectionExpression="PK, SK", ExclusiveStartKey=after)
        self.assertEqual([key_of(item) for item in rest], everything[101:])


class Successor(WorkloadCase):
    """The later tool's table: no index, a plan's versions and what other programs add to it."""

    def test_extensions(self):
        table = self.make("PK:S", "SK:S", StreamSpecification=SETTINGS_2024["StreamSpecification"])
        for sk in ("VERSION#latest", "EXTENSION#latest", "VERSION#2026-01-01", "EXTENSION#2026-01-01"):
            table.put_item(Item={"PK": "DMP#doi.org/10.1/A", "SK": sk, "featured": "no", "rda": {"dmp": {"title": sk}}})
        for prefix in ("VERSION#", "EXTENSION#"):
            found = table.query(KeyConditionExpression="PK = :pk and begins_with(SK, :sk)", ScanIndexForward=False,
                                ProjectionExpression="SK, rda.dmp.title",
                                ExpressionAttributeValues={":pk": "DMP#doi.org/10.1/A", ":sk": prefix})
            self.assertEqual(found["Items"], [{"SK": f"{prefix}{end}", "rda": {"dmp": {"title": f"{prefix}{end}"}}}
                                              for end in ("latest", "2026-01-01")])


if __name__ == "__main__":
    unittest.main()
