"""LogicalResults, cached result sets of marketplace searches: many workers start, fill, complete, await, copy and finish a set
at the same moment, each step guarded by a condition so that it may come twice."""

import decimal
import pathlib
import sys
import threading
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from boto3.dynamodb.conditions import Attr, Key  # noqa: E402
from workload import MEETING_SECONDS, REFUSED, WorkloadCase, items  # noqa: E402

NOW = 1700000000
FREE = "attribute_not_exists(logicalResultId) OR uniqueRequestId = :u OR (#status = :complete AND expiryTime < :now)"


class Main(WorkloadCase):
    def setUp(self):
        super().setUp()
        self.table = self.make("logicalResultId:S")
        self.key = {"logicalResultId": "9f86d081884c7d65"}

    def start(self, request, now=NOW, resource=None):
        """A worker that asks for the set: True when it is to process it, else the set as it stands."""
        table = (resource or self.resource).Table(self.table.name)
        accepted = self.passes(table.put_item, Item={
            **self.key, "logicalElement": {"logicalType": "and", "elements": [{"resultId": "a"}, {"resultId": "b"}]},
            "logicalType": "and", "status": "processing", "uniqueRequestId": request,
        }, ConditionExpression=FREE, ExpressionAttributeNames={"#status": "status"},
            ExpressionAttributeValues={":u": request, ":complete": "complete", ":now": now})
        return accepted or table.get_item(Key=self.key, ConsistentRead=True)["Item"]

    def complete(self, request, expiry, resource=None):
        return (resource or self.resource).Table(self.table.name).update_item(
            Key=self.key, UpdateExpression="SET #status = :complete, expiryTime = :e REMOVE uniqueRequestId",
            ConditionExpression="#status = :processing AND uniqueRequestId = :u", ExpressionAttributeNames={"#status": "status"},
            ExpressionAttributeValues={":complete": "complete", ":processing": "processing", ":e": expiry, ":u": request},
            ReturnValues="ALL_NEW")["Attributes"]

    def test_of_24_that_start_one_processes(self):
        answers = self.at_once(24, lambda number, resource: self.start(f"request-{number}", resource=resource))
        self.assertEqual(answers.count(True), 1)
        winner = f"request-{answers.index(True)}"
        seen = [(item["status"], item["uniqueRequestId"]) for item in answers if item is not True]
        self.assertEqual(seen, [("processing", winner)] * 23)
        self.assertIs(self.start(winner), True, "a worker that is started again goes on")
        self.assertIsNot(self.start("another"), True)

    def test_a_complete_set_is_a_hit_until_it_expires(self):
        self.assertIs(self.start("first"), True)
        self.complete("first", NOW + 60)
        hit = self.start("second")
        self.assertEqual((hit["status"], hit["expiryTime"], "uniqueRequestId" in hit), ("complete", NOW + 60, False))
        self.assertIsNot(self.start("second", now=NOW + 60), True, "expired is later than expiryTime")
        answers = self.at_once(10, lambda number, resource: self.start(f"later-{number}", NOW + 61, resource))
        self.assertEqual(answers.count(True), 1)
        self.assertEqual(self.table.get_item(Key=self.key)["Item"]["uniqueRequestId"], f"later-{answers.index(True)}")

    def test_a_set_is_completed_once(self):
        self.start("first")
        answers = self.at_once(6, lambda number, resource: self.complete("first", NOW + number, resource))
        self.assertEqual(answers.count(REFUSED), 5)
        done, = [answer for answer in answers if answer != REFUSED]
        self.assertEqual(set(done), {"logicalResultId", "logicalElement", "logicalType", "status", "expiryTime"})
        self.assertEqual(done["status"], "complete")
        self.assertEqual(self.table.get_item(Key=self.key, ConsistentRead=True)["Item"], done)

    def test_another_request_does_not_complete_it(self):
        self.start("first")
        self.assertFalse(self.passes(self.complete, request="second", expiry=NOW))
        item = self.table.get_item(Key=self.key)["Item"]
        self.assertEqual((item["status"], item["uniqueRequestId"]), ("processing", "first"))

    def test_completing_what_is_not_there_makes_nothing(self):
        self.assertFalse(self.passes(self.complete, request="first", expiry=NOW))
        self.assertEqual(self.table.scan()["Count"], 0)


class Data(WorkloadCase):
    def setUp(self):
        super().setUp()
        self.table = self.make("logicalResultId:S", "dataId:S")

    def write(self, requests, resource=None):
        """A batch, sent again as long as something of it was left."""
        pending = {self.table.name: requests}
        while pending:
            pending = (resource or self.resource).batch_write_item(RequestItems=pending)["UnprocessedItems"]

    def put(self, number, result="set"):
        return {"PutRequest": {"Item": {"logicalResultId": result, "dataId": f"data-{number:05}"}}}

    def delete(self, number, result="set"):
        return {"DeleteRequest": {"Key": {"logicalResultId": result, "dataId": f"data-{number:05}"}}}

    def rows(self, **parameters):
        return [item["dataId"] for item in items(
            self.table.query, KeyConditionExpression=Key("logicalResultId").eq("set"), **parameters)]

    def test_six_writers_store_3000_rows_twice(self):
        def store(number, resource):
            for _ in range(2):
                for first in range(number * 500, number * 500 + 500, 25):
                    self.write([self.put(row) for row in range(first, first + 25)], resource)

        self.assertEqual(self.at_once(6, store), [None] * 6)
        wanted = [f"data-{row:05}" for row in range(3000)]
        self.assertEqual(self.rows(), wanted)
        for size in (3000, 999, 250):
            self.assertEqual(self.rows(Limit=size), wanted)
        self.assertEqual(self.rows(Limit=700, ScanIndexForward=False), wanted[::-1])
        self.assertEqual(self.rows(ExclusiveStartKey={"logicalResultId": "set", "dataId": "data-02989x"}), wanted[2990:])

    def test_sizes_and_duplicates_of_a_batch(self):
        self.write([self.put(row) for row in range(25)])
        self.assert_refused("Map value must satisfy constraint: [Member must have length less than or equal to 25, "
                            "Member must have length greater than or equal to 1]", self.write,
                            requests=[self.put(row) for row in range(100, 126)])
        for pair in ([self.put(200), self.put(200)], [self.put(200), self.delete(200)], [self.delete(200), self.delete(200)]):
            self.assert_invalid("Provided list of item keys contains duplicates", self.write, requests=[self.put(201), *pair])
        self.write([self.put(300), self.put(300, "other set")])
        self.assertEqual(self.rows(), [f"data-{row:05}" for row in (*range(25), 300)])

    def test_an_expired_set_is_cleared(self):
        self.write([self.put(row) for row in range(20)])
        self.write([self.put(row, "other set") for row in range(20)])
        for _ in range(2):
            self.write([self.delete(row) for row in range(25)])
            self.assertEqual(self.rows(), [])
        self.assertEqual(self.table.scan(Select="COUNT")["Count"], 20)

    def test_rows_of_a_table_keyed_by_another_name(self):
        table = self.make("resultId:S", "dataId:S", name="keyed-by-result-id")
        row = self.put(1)["PutRequest"]["Item"]
        self.assert_invalid("One or more parameter values were invalid: Missing the key resultId in the item", table.put_item,
                            Item=row)
        self.assert_invalid("The provided key element does not match the schema", self.resource.batch_write_item,
                            RequestItems={table.name: [self.put(1)]})
        self.assertEqual(table.scan()["Items"], [])


class Awaiting(WorkloadCase):
    def setUp(self):
        super().setUp()
        self.table = self.make("awaitingId:S", "logicalResultId:S")

    def claim(self, table, key, request):
        return self.passes(
            table.update_item, Key=key, UpdateExpression="SET #u = :u",
            ConditionExpression="attribute_exists(awaitingId) AND (attribute_not_exists(#u) OR #u = :u)",
            ExpressionAttributeNames={"#u": "uniqueRequestId"}, ExpressionAttributeValues={":u": request})

    def test_four_duplicates_handle_each_record_once(self):
        waiting = [{"awaitingId": "result/9f86", "logicalResultId": f"waiter-{number:02}"} for number in range(20)]
        for key in (*waiting, {"awaitingId": "result/other", "logicalResultId": "waiter-00"}):
            self.table.put_item(Item={**key, "timestamp": NOW})
        listed = threading.Barrier(4)

        def handle(number, resource):
            table, request, handled = resource.Table(self.table.name), f"request-{number}", []
            found = items(table.query, KeyConditionExpression=Key("awaitingId").eq("result/9f86"), ConsistentRead=True, Limit=7)
            listed.wait(MEETING_SECONDS)
            for item in found:
                key = {name: item[name] for name in ("awaitingId", "logicalResultId")}
                if self.claim(table, key, request) and self.passes(
                        table.delete_item, Key=key, ConditionExpression=Attr("uniqueRequestId").eq(request)):
                    handled.append(key["logicalResultId"])
            return handled

        answers = self.at_once(4, handle)
        self.assertEqual(sorted(name for answer in answers for name in answer), [key["logicalResultId"] for key in waiting])
        self.assertFalse(self.claim(self.table, waiting[0], "late"))
        self.assertEqual([item["awaitingId"] for item in self.table.scan()["Items"]], ["result/other"])

    def test_a_claim_may_come_again_but_not_from_another(self):
        key = {"awaitingId": "result/1", "logicalResultId": "waiter"}
        self.table.put_item(Item=key)
        self.assertEqual([self.claim(self.table, key, request) for request in ("one", "one", "two")], [True, True, False])
        delete = {"Key": key, "ConditionExpression": "uniqueRequestId = :u"}
        self.assertFalse(self.passes(self.table.delete_item, **delete, ExpressionAttributeValues={":u": "two"}))
        self.assertTrue(self.passes(self.table.delete_item, **delete, ExpressionAttributeValues={":u": "one"}))
        self.assertFalse(self.passes(self.table.delete_item, **delete, ExpressionAttributeValues={":u": "one"}))


class SortedCopies(WorkloadCase):
    comparisons = {"=": lambda value, bound: value == bound, ">": lambda value, bound: value > bound,
                   "<": lambda value, bound: value < bound, ">=": lambda value, bound: value >= bound,
                   "<=": lambda value, bound: value <= bound}

    def setUp(self):
        super().setUp()
        self.sorted_data = self.make("resultId:S", "dataId:S", name=self.table_name("-sorted"))
        self.requests = self.make("searchTypeSortResultId:S", "logicalResultId:S", name=self.table_name("-requests"))
        self.copies = self.make("logicalResultId:S", "dataId:S", name=self.table_name("-copies"))
        # Every fifth row has no value; the others lie between -15 and 29.5.
        self.values = {f"data-{number:03}": decimal.Decimal(number % 90) / 2 - 15 if number % 5 else None
                       for number in range(180)}
        with self.sorted_data.batch_writer() as batch:
            for name, value in self.values.items():
                batch.put_item(Item={"resultId": "sorted", "dataId": name, **({} if value is None else {"value": value})})

    def request_of(self, number):
        return {"searchTypeSortResultId": "listing_sorted", "logicalResultId": f"logical-{number:02}", "timestamp": NOW + number,
                "comparison": list(self.comparisons)[number % 5],
                "comparisonValue": decimal.Decimal(number * 3) - decimal.Decimal("12.5"), "excludeEmpty": number % 2 == 0}

    def wanted(self, request):
        compare = self.comparisons[request["comparison"]]
        return [name for name, value in self.values.items() if (
            not request["excludeEmpty"] if value is None else compare(value, request["comparisonValue"]))]

    def copy(self, resource, request):
        """Pages through the sorted rows and writes those that the request is about."""
        condition = f"#value {request['comparison']} :value"
        condition = f"attribute_exists(#value) AND {condition}" if request["excludeEmpty"] else \
            f"{condition} OR attribute_not_exists(#value)"
        names = (item["dataId"] for item in items(
            resource.Table(self.sorted_data.name).query, KeyConditionExpression="resultId = :id", FilterExpression=condition,
            ExpressionAttributeNames={"#value": "value"}, Limit=40,
            ExpressionAttributeValues={":id": "sorted", ":value": request["comparisonValue"]}))
        with resource.Table(self.copies.name).batch_writer() as batch:
            for name in names:
                batch.put_item(Item={"logicalResultId": request["logicalResultId"], "dataId": name})

    def test_three_workers_make_twelve_copies(self):
        requests = [self.request_of(number) for number in range(12)]
        for request in requests:
            self.requests.put_item(Item=request)

        def work(number, resource):
            table, done = resource.Table(self.requests.name), []
            for request in items(table.query, KeyConditionExpression=Key("searchTypeSortResultId").eq("listing_sorted"), Limit=5):
                key = {name: request[name] for name in ("searchTypeSortResultId", "logicalResultId")}
                claimed = self.passes(
                    table.update_item, Key=key, UpdateExpression="SET copyDataUniqueRequestId = :u",
                    ConditionExpression="attribute_exists(logicalResultId) AND attribute_not_exists(copyDataUniqueRequestId)",
                    ExpressionAttributeValues={":u": f"worker-{number}"})
                if claimed:
                    self.copy(resource, request)
                    table.delete_item(Key=key, ConditionExpression=Attr("copyDataUniqueRequestId").eq(f"worker-{number}"))
                    done.append(request["logicalResultId"])
            return done

        done = self.at_once(3, work)
        self.assertEqual(sorted(name for names in done for name in names), [request["logicalResultId"] for request in requests])
        self.assertEqual(self.requests.scan()["Count"], 0)
        for request in requests:
            copied = items(self.copies.query, KeyConditionExpression=Key("logicalResultId").eq(request["logicalResultId"]))
            self.assertEqual([item["dataId"] for item in copied], self.wanted(request), request)


class Handlers(WorkloadCase):
    def setUp(self):
        super().setUp()
        self.table = self.make("logicalResultId:S")
        self.key = {"logicalResultId": "handled"}
        self.members = {f"handler-{number}" for number in range(12)}

    def done(self, handler, resource=None):
        return (resource or self.resource).Table(self.table.name).update_item(
            Key=self.key, UpdateExpression="DELETE waitingHandlers :h", ConditionExpression="contains(waitingHandlers, :one)",
            ExpressionAttributeValues={":h": {handler}, ":one": handler}, ReturnValues="ALL_NEW")["Attributes"]

    def test_the_last_of_twelve_finishes(self):
        self.table.put_item(Item={**self.key, "waitingHandlers": self.members, "timestamp": NOW})
        answers = self.at_once(12, lambda number, resource: self.done(f"handler-{number}", resource))
        self.assertEqual(sorted(len(answer.get("waitingHandlers", ())) for answer in answers), list(range(12)))
        self.assertEqual(sum("waitingHandlers" not in answer for answer in answers), 1)
        self.assertFalse(self.passes(self.done, handler="handler-3"))
        self.assertEqual(self.table.get_item(Key=self.key)["Item"], {**self.key, "timestamp": NOW})

    def test_members_that_are_not_there(self):
        self.table.put_item(Item={**self.key, "waitingHandlers": {"a", "b"}})
        update = {"Key": self.key, "ReturnValues": "ALL_NEW"}
        for action, members, left in (("DELETE", {"z"}, {"a", "b"}), ("DELETE", {"a", "b", "z"}, None), ("DELETE", {"a"}, None),
                                      ("ADD", {"c"}, {"c"}), ("ADD", {"c", "d"}, {"c", "d"})):
            found = self.table.update_item(UpdateExpression=f"{action} waitingHandlers :h",
                                           ExpressionAttributeValues={":h": members}, **update)
            self.assertEqual(found["Attributes"], {**self.key, **({"waitingHandlers": left} if left else {})})

    def test_sets_that_are_none(self):
        wrong = "One or more parameter values were invalid: "
        for members, message in (([], f"{wrong}An string set  may not be empty"),
                                 (["a", "a"], f"{wrong}Input collection [a, a] contains duplicates.")):
            self.assert_invalid(message, self.client.put_item, TableName=self.table.name,
                                Item={"logicalResultId": {"S": "handled"}, "waitingHandlers": {"SS": members}})
        self.assertNotIn("Item", self.table.get_item(Key=self.key))
        self.table.put_item(Item={**self.key, "waitingHandlers": []})
        self.assertEqual(self.table.get_item(Key=self.key)["Item"], {**self.key, "waitingHandlers": []})


if __name__ == "__main__":
    unittest.main()
