"""DMPHub's global indexes: plans by day, by who made them, by another system's identifier, by people and works, each found as
soon as it was written; what updates and tombstones do to them; the indexes of a stack that is updated while plans come in."""

import pathlib
import sys
import threading
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from boto3.dynamodb.conditions import Attr, Key  # noqa: E402
from workload import INVALID, MEETING_SECONDS, WorkloadCase, definitions, global_index, items, pages, typed  # noqa: E402
from plans import INDEXES_2022, INDEXES_2024, SETTINGS_2022, SETTINGS_2024, key_definitions, key_of, plan  # noqa: E402

DAY, BY_DAY = "dmphub_modification_day", "modification_day_gsi"
CREATOR, BY_CREATOR = "dmphub_provenance_id", "provenance_dmps_gsi"
IDENTIFIER, BY_IDENTIFIER = "dmphub_provenance_identifier", "dmphub_provenance_identifier_gsi"
AFFILIATION, PERSON, RELATED = "dmphub_affiliation_ids", "dmphub_contributor_ids", "dmphub_related_identifier_ids"
LATEST = Attr("SK").eq("VERSION#latest")


def only(item, *names):
    return {name: item[name] for name in names if name in item}


def equals(value):
    return {"AttributeValueList": [value], "ComparisonOperator": "EQ"}


class IndexCase(WorkloadCase):
    settings = SETTINGS_2022

    def setUp(self):
        super().setUp()
        self.table = self.make("PK:S", "SK:S", **self.settings)

    def put(self, *plans):
        for item in plans:
            self.table.put_item(Item=item)

    def by(self, index, condition, **more):
        return items(self.table.query, IndexName=index, KeyConditionExpression=condition, **more)

    def keys_by(self, index, condition, **more):
        return [(item["PK"], item["SK"]) for item in self.by(index, condition, **more)]


class Of2022(IndexCase):
    def test_modified_between_two_days(self):
        days = [f"2022-04-{day}" for day in range(25, 30)]
        written = [plan(f"10.48321/D{number:02}", **{DAY: days[number % 5], AFFILIATION: f"ror/{number % 2}"})
                   for number in range(20)]
        self.put(*reversed(written))
        for first in (1, 3):
            found = [item for day in days[first:4] for item in self.by(BY_DAY, Key(DAY).eq(day))]
            wanted = [only(item, "PK", "SK", "title", "contact", AFFILIATION, DAY)
                      for day in range(first, 4) for item in written[day::5]]
            self.assertEqual(typed(found), typed(wanted))
        self.assertEqual(self.by(BY_DAY, Key(DAY).eq("2022-05-01")), [])
        for refused in (Key(DAY).between(*days[:2]), Key(DAY).gte(days[0]), Key(DAY).begins_with("2022-04")):
            self.assert_invalid("Query key condition not supported", self.table.query, IndexName=BY_DAY,
                                KeyConditionExpression=refused)

    def test_another_day_moves_a_plan(self):
        item = plan()
        self.put(item)
        for number in range(20):
            old, new = item[DAY], f"2022-05-{number + 1:02}"
            item = {**item, DAY: new, "title": f"Title {number}"}
            if number % 2:
                self.put(item)
            else:
                self.table.update_item(Key=key_of(item), UpdateExpression=f"SET {DAY} = :day, title = :title",
                                       ExpressionAttributeValues={":day": new, ":title": item["title"]})
            self.assertEqual(self.by(BY_DAY, Key(DAY).eq(old)), [])
            self.assertEqual(self.by(BY_DAY, Key(DAY).eq(new)), [only(item, "PK", "SK", "title", "contact", DAY)])

    def test_what_is_not_projected_changes_nothing(self):
        item = plan()
        self.put(item)
        wanted = self.by(BY_DAY, Key(DAY).eq(item[DAY]))
        answer = self.table.update_item(Key=key_of(item), UpdateExpression="SET description = :d",
                                        ExpressionAttributeValues={":d": "text"}, ReturnConsumedCapacity="INDEXES")
        self.assertEqual(answer["ConsumedCapacity"].get("GlobalSecondaryIndexes", {}), {})
        self.assertEqual(self.by(BY_DAY, Key(DAY).eq(item[DAY])), wanted)

    def test_plans_of_a_creator(self):
        self.put(*(plan(f"10.48321/D{number:02}", **{CREATOR: f"PROVENANCE#{'dmptool' if number % 3 else 'orcid'}"})
                   for number in range(18)))
        tool = [f"DMP#doi:10.48321/D{number:02}" for number in range(18) if number % 3]
        found = self.by(BY_CREATOR, Key(CREATOR).eq("PROVENANCE#dmptool"))
        self.assertEqual(found, [{"PK": pk, "SK": "VERSION#latest", CREATOR: "PROVENANCE#dmptool"} for pk in tool])
        for size in (1, 5, 12):
            answers = list(pages(self.table.query, IndexName=BY_CREATOR, Limit=size,
                                 KeyConditionExpression="dmphub_provenance_id = :p AND PK > :k",
                                 ExpressionAttributeValues={":p": "PROVENANCE#dmptool", ":k": tool[3]}))
            self.assertEqual([item["PK"] for page in answers for item in page["Items"]], tool[4:])
            self.assertEqual([page["Count"] for page in answers], [size] * (8 // size) + [8 % size])
            for page in answers[:-1]:
                self.assertEqual(page["LastEvaluatedKey"], page["Items"][-1])
        self.assertEqual([pk for pk, _ in self.keys_by(BY_CREATOR, Key(CREATOR).eq("PROVENANCE#dmptool"), Limit=5,
                                                       ScanIndexForward=False)], tool[::-1])

    def test_by_the_identifier_of_another_system(self):
        latest = plan()
        old = [plan(version=time) for time in ("2021-11-08T19:06:04Z", "2022-02-18T12:30:25Z")]
        self.put(*old, latest, plan("10.48321/OTHER1"))
        find = {"IndexName": BY_IDENTIFIER, "KeyConditions": {IDENTIFIER: equals(latest[IDENTIFIER])},
                "FilterExpression": "SK = :version", "ExpressionAttributeValues": {":version": "VERSION#latest"}}
        page = self.table.query(**find)
        self.assertEqual((page["Items"], page["Count"], page["ScannedCount"]), ([only(latest, "PK", "SK", IDENTIFIER)], 1, 3))
        self.assertEqual(len(items(self.table.query, **find, Limit=1)), 1)
        for item in old:
            self.table.update_item(Key=key_of(item), UpdateExpression=f"REMOVE {IDENTIFIER}")
        page = self.table.query(**find)
        self.assertEqual((page["Count"], page["ScannedCount"]), (1, 1))

    def test_people_affiliations_and_related_works(self):
        orcid, ror, doi = "https://orcid.example/1", "https://ror.example/1", "https://doi.example/1"
        both = plan("10.48321/A", **{PERSON: orcid, AFFILIATION: ror, RELATED: doi})
        self.put(both, plan("10.48321/B", **{PERSON: orcid}), plan("10.48321/C"))
        self.assertEqual([item["PK"][-1] for item in self.by("contributor_ids_gsi", Key(PERSON).eq(orcid))], ["A", "B"])
        found, = self.by("affiliation_ids_gsi", Key(AFFILIATION).eq(ror) & Key("PK").begins_with("DMP#"))
        self.assertEqual(typed(found), typed(only(both, "PK", "SK", AFFILIATION, "title", "contact", "project", PERSON)))
        found, = self.by("related_identifier_ids_gsi", Key(RELATED).eq(doi))
        self.assertEqual(typed(found), typed(only(both, "PK", "SK", RELATED, "title", "contact")))
        self.assertEqual(len(items(self.table.scan, IndexName="contributor_ids_gsi")), 2)

    def test_search_results_from_an_index(self):
        item = plan(**{AFFILIATION: "https://ror.example/1"})
        self.put(item)
        names = {"#p": "project", "#s": "start", "#n": "name"}
        search = {"IndexName": "affiliation_ids_gsi", "KeyConditionExpression": Key(AFFILIATION).eq(item[AFFILIATION]),
                  "ExpressionAttributeNames": names}
        found = self.table.query(ProjectionExpression="#p[0].#s, #p[0].funding[0].grant_id.identifier, contact.#n", **search)
        grant = {"grant_id": {"identifier": "https://grants.example/776242"}}
        self.assertEqual(found["Items"], [{"project": [{"start": "2021-12-01", "funding": [grant]}],
                                           "contact": {"name": "Rivera, Inés"}}])
        self.assert_invalid(f"{INVALID}Global secondary index affiliation_ids_gsi does not project [dataset]", self.table.query,
                            IndexName="affiliation_ids_gsi", ProjectionExpression="title, dataset",
                            KeyConditionExpression=search["KeyConditionExpression"])

    def test_what_an_index_refuses(self):
        condition = Key(DAY).eq("2022-04-28")
        self.assert_invalid(f"{INVALID}Select type ALL_ATTRIBUTES is not supported for global secondary index {BY_DAY} because "
                            "its projection type is not ALL", self.table.query, IndexName=BY_DAY, Select="ALL_ATTRIBUTES",
                            KeyConditionExpression=condition)
        for call, more in ((self.table.query, {"KeyConditionExpression": condition}), (self.table.scan, {})):
            self.assert_invalid("Consistent reads are not supported on global secondary indexes", call, IndexName=BY_DAY,
                                ConsistentRead=True, **more)
        self.assert_invalid("Filter Expression can only contain non-primary key attributes: Primary key attribute: PK",
                            self.table.query, IndexName=BY_DAY, KeyConditionExpression=condition,
                            FilterExpression=Attr("PK").eq("a"))

    def test_writers_find_what_they_wrote(self):
        def write(number, resource):
            """Each moves a plan of its own from day to day and looks for it there and where it was."""
            table, item = resource.Table(self.table.name), plan(f"10.48321/W{number:02}")
            seen = []
            for day in range(1, 9):
                old, item = item, {**item, DAY: f"2022-06-{day:02}", CREATOR: f"PROVENANCE#{day % 2}"}
                table.put_item(Item=item)
                places = ((BY_DAY, DAY, item), (BY_DAY, DAY, old), (BY_CREATOR, CREATOR, item), (BY_CREATOR, CREATOR, old))
                seen.append([item["PK"] in [found["PK"] for found in items(
                    table.query, IndexName=index, KeyConditionExpression=Key(name).eq(place[name]))]
                    for index, name, place in places])
            return seen

        self.assertEqual(self.at_once(8, write), [[[True, False, True, False]] * 8] * 8)


class Tombstones(IndexCase):
    def finds(self, item):
        """Which of the patterns still find this version."""
        places = (BY_DAY, DAY), (BY_CREATOR, CREATOR), (BY_IDENTIFIER, IDENTIFIER)
        return ["Item" in self.table.get_item(Key=key_of(item)),
                *(key_of(item) in [key_of(found) for found in self.by(index, Key(name).eq(item[name]), FilterExpression=LATEST)]
                  for index, name in places)]

    def test_a_tombstone(self):
        latest = plan()
        self.put(latest)
        self.assertEqual(self.finds(latest), [True] * 4)
        self.put({**latest, "SK": "VERSION#tombstone"})
        self.table.delete_item(Key=key_of(latest))
        self.assertEqual(self.finds(latest), [False] * 4)
        self.assertEqual(self.keys_by(BY_CREATOR, Key(CREATOR).eq(latest[CREATOR])), [(latest["PK"], "VERSION#tombstone")])

    def bury(self, latest, resource=None):
        client, name = (resource or self.resource).meta.client, self.table.name
        client.transact_write_items(TransactItems=[
            {"Put": {"TableName": name, "Item": {**latest, "SK": "VERSION#tombstone"},
                     "ConditionExpression": "attribute_not_exists(PK)"}},
            {"Delete": {"TableName": name, "Key": key_of(latest), "ConditionExpression": "attribute_exists(PK)"}}])

    def test_a_tombstone_by_transaction(self):
        latest = plan()
        self.put(latest)

        def bury(_number, resource):
            try:
                self.bury(latest, resource)
            except self.client.exceptions.ClientError as refusal:
                self.assertEqual(refusal.response["Error"]["Code"], "TransactionCanceledException")
                return [reason["Code"] for reason in refusal.response["CancellationReasons"]]
            return "buried"

        answers = self.at_once(6, bury)
        self.assertEqual(answers.count("buried"), 1)
        for answer in filter("buried".__ne__, answers):
            self.assertTrue(answer == ["ConditionalCheckFailed"] * 2 or "TransactionConflict" in answer, answer)
        self.assertEqual(self.finds(latest), [False] * 4)
        self.assertEqual(bury(0, self.resource), ["ConditionalCheckFailed"] * 2)
        self.assertEqual(self.keys_by(BY_DAY, Key(DAY).eq(latest[DAY])), [(latest["PK"], "VERSION#tombstone")])


class Of2024(IndexCase):
    settings = SETTINGS_2024

    def test_featured_plans(self):
        self.put(*(plan(f"10.48321/F{number}", version, dmproadmap_featured=str(number % 2))
                   for number in range(6) for version in ("latest", "2024-01-01")), plan("10.48321/NONE"))
        featured = {"IndexName": "dmproadmap_featured_gsi", "KeyConditionExpression": "dmproadmap_featured = :f AND SK = :l",
                    "ExpressionAttributeValues": {":f": "1", ":l": "VERSION#latest"}}
        found = items(self.table.query, **featured, Limit=2)
        self.assertEqual(sorted(key_of(item)["PK"][-2:] for item in found), ["F1", "F3", "F5"])
        self.assertEqual({item["SK"] for item in found}, {"VERSION#latest"})
        wanted = {"PK", "SK", "dmproadmap_featured", "title", "description", "created", "modified", "contact", "contributor",
                  "project"}
        self.assertEqual([set(item) for item in found], [wanted] * 3)
        self.assertEqual(self.table.query(**featured, Select="COUNT")["Count"], 3)

    def test_an_identifier_by_day(self):
        versions = [plan(version=f"2024-01-0{day}", **{DAY: f"2024-01-0{day}"}) for day in (3, 1, 2)]
        self.put(*versions)
        condition = Key(IDENTIFIER).eq(versions[0][IDENTIFIER])
        found = self.by(BY_IDENTIFIER, condition, ScanIndexForward=False)
        self.assertEqual([item[DAY][-2:] for item in found], ["03", "02", "01"])
        self.assertEqual([set(item) for item in found], [{"PK", "SK", "title", DAY, IDENTIFIER}] * 3)
        self.assertEqual([item["SK"] for item in self.by(BY_IDENTIFIER, condition & Key(DAY).between("2024-01-02", "2024-01-09"),
                                                         FilterExpression=LATEST | Attr("SK").begins_with("VERSION#2024"))],
                         ["VERSION#2024-01-02", "VERSION#2024-01-03"])

    def test_a_day_of_more_than_a_megabyte(self):
        text = "d" * 8000
        with self.table.batch_writer() as batch:
            for number in range(200):
                batch.put_item(Item={"PK": f"DMP#{number:03}", "SK": "VERSION#latest", DAY: "2024-05-05", "description": text,
                                     "visibility": "x" * 500})
        answers = list(pages(self.table.query, IndexName="dmphub_modification_day_gsi", ReturnConsumedCapacity="TOTAL",
                             KeyConditionExpression=Key(DAY).eq("2024-05-05"), FilterExpression=Attr("description").eq(text),
                             ProjectionExpression="PK, SK"))
        self.assertEqual([item["PK"] for page in answers for item in page["Items"]],
                         [f"DMP#{number:03}" for number in range(200)])
        self.assertEqual(len(answers), 2)
        self.assertEqual(answers[0]["LastEvaluatedKey"], {**answers[0]["Items"][-1], DAY: "2024-05-05"})
        # A megabyte of entries: the attribute that is not projected does not count.
        self.assertTrue(128 <= answers[0]["ConsumedCapacity"]["CapacityUnits"] <= 129.5, answers[0]["ConsumedCapacity"])


class StackUpdate(IndexCase):
    """What an update of the stack does to the table of 2022: one index in each request, the next when the table is ACTIVE."""

    def update(self, **change):
        self.client.update_table(TableName=self.table.name, **change)
        return self.until_active(self.table.name)

    def assert_complete(self, indexes):
        """Each index holds just the items that have its keys."""
        everything = items(self.table.scan)
        for index in indexes:
            names = [element["AttributeName"] for element in index["KeySchema"]]
            wanted = sorted((item["PK"], item["SK"]) for item in everything if all(name in item for name in names))
            found = items(self.table.scan, IndexName=index["IndexName"])
            self.assertEqual(sorted((item["PK"], item["SK"]) for item in found), wanted, index["IndexName"])

    def test_from_2022_to_2024_while_plans_come_in(self):
        self.put(*(plan(f"10.48321/O{number:03}", dmproadmap_featured=str(number % 2)) for number in range(60)))
        go_on, written = threading.Event(), []
        writer_table = self.new_resource().Table(self.table.name)

        def write():
            while not go_on.is_set() and len(written) < 2000:
                number = len(written)
                item = plan(f"10.48321/N{number % 200:03}", dmproadmap_featured=str(number % 2),
                            **{DAY: f"2024-02-0{number % 9}"})
                writer_table.put_item(Item=item)
                written.append(item["PK"])

        writer = threading.Thread(target=write)
        writer.start()
        try:
            self.update(BillingMode="PAY_PER_REQUEST")
            for index in INDEXES_2022:
                shown = self.update(GlobalSecondaryIndexUpdates=[{"Delete": {"IndexName": index["IndexName"]}}])
            self.assertNotIn("GlobalSecondaryIndexes", shown)
            self.assertEqual([each["AttributeName"] for each in shown["AttributeDefinitions"]], ["PK", "SK"])
            for index in INDEXES_2024:
                shown = self.update(AttributeDefinitions=key_definitions([index]),
                                    GlobalSecondaryIndexUpdates=[{"Create": index}])
        finally:
            go_on.set()
            writer.join(MEETING_SECONDS)
        self.assertFalse(writer.is_alive())
        self.assertTrue(written, "no plan came in")
        self.assertEqual(sorted(index["IndexName"] for index in shown["GlobalSecondaryIndexes"]),
                         sorted(index["IndexName"] for index in INDEXES_2024))
        self.assertEqual(shown["BillingModeSummary"]["BillingMode"], "PAY_PER_REQUEST")
        self.assert_complete(INDEXES_2024)
        self.assert_invalid(f"The table does not have the specified index: {BY_DAY}", self.table.scan, IndexName=BY_DAY)


class ExternalData(WorkloadCase):
    def test_organisations_of_a_source(self):
        index = global_index("source_gsi", "source", "ID", projection=["RESOURCE_TYPE", "touch_date"])
        table = self.make("RESOURCE_TYPE:S", "ID:S", GlobalSecondaryIndexes=[index],
                          AttributeDefinitions=definitions("RESOURCE_TYPE:S", "ID:S", "source:S"))
        rows = [{"RESOURCE_TYPE": ("ROR", "FUNDREF")[number % 2], "ID": f"https://organisations.example/{number:02}",
                 "source": f"v1.{number % 3}", "touch_date": f"2024-01-{number + 1:02}", "aliases": []} for number in range(12)]
        with table.batch_writer() as batch:
            for row in rows:
                batch.put_item(Item=row)
        find = {"IndexName": "source_gsi", "KeyConditionExpression": Key("source").eq("v1.1")}
        shown = [only(row, "RESOURCE_TYPE", "ID", "source", "touch_date") for row in rows[1::3]]
        self.assertEqual(items(table.query, **find, Limit=3), shown)
        self.assertEqual(items(table.query, **find, FilterExpression=Attr("RESOURCE_TYPE").eq("ROR") &
                               Attr("touch_date").lt("2024-01-09")), [shown[1]])
        with table.batch_writer() as batch:
            for row in rows[1::3]:
                batch.put_item(Item={**row, "source": "v1.2"})
            batch.delete_item(Key=only(rows[2], "RESOURCE_TYPE", "ID"))
        self.assertEqual(items(table.query, **find), [])
        find["KeyConditionExpression"] = Key("source").eq("v1.2")
        self.assertEqual([row["ID"][-2:] for row in items(table.query, **find)], ["01", "04", "05", "07", "08", "10", "11"])


if __name__ == "__main__":
    unittest.main()
