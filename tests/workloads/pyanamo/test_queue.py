"""PyAnamo, a queue of batch tasks: its table, import, the lock that the last writer owns, workers that share a queue, results,
resets and what must be refused."""

import pathlib
import random
import sys
import threading
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from boto3.dynamodb.conditions import Attr  # noqa: E402
from workload import INVALID, MEETING_SECONDS, WorkloadCase, items, pages, provisioned, typed  # noqa: E402
from tasks import INDEXES, SETTINGS, finish, listed, lock, nested_task, state, task  # noqa: E402


class Table(WorkloadCase):
    def test_described_made_described_deleted(self):
        name = self.table_name()
        self.assert_client_error("ResourceNotFoundException", f"Requested resource not found: Table: {name} not found",
                                 self.client.describe_table, TableName=name)
        table = self.make("itemID:S", **SETTINGS)
        table.put_item(Item=task(1))
        table.reload()
        self.assertEqual((table.table_status, table.key_schema), ("ACTIVE", [{"AttributeName": "itemID", "KeyType": "HASH"}]))
        self.assertLessEqual(provisioned(10, 10).items(), table.provisioned_throughput.items())
        self.assertEqual([index["IndexName"] for index in table.global_secondary_indexes],
                         [index["IndexName"] for index in INDEXES])
        for shown, wanted in zip(table.global_secondary_indexes, INDEXES):
            self.assertEqual((shown["KeySchema"], shown["Projection"], shown["IndexStatus"]),
                             (wanted["KeySchema"], {"ProjectionType": "ALL"}, "ACTIVE"))
            self.assertLessEqual(provisioned(10, 5).items(), shown["ProvisionedThroughput"].items())
        table.delete()
        self.assert_client_error("ResourceNotFoundException", f"Requested resource not found: Table: {name} not found",
                                 self.client.describe_table, TableName=name)
        self.assert_client_error("ResourceNotFoundException", "Requested resource not found", table.put_item, Item=task(1))


class Queue(WorkloadCase):
    def setUp(self):
        super().setUp()
        self.table = self.make("itemID:S", **SETTINGS)

    def fill(self, tasks):
        for item in tasks:
            answer = self.table.put_item(Item=item, ReturnConsumedCapacity="TOTAL")
            self.assertEqual(answer["ConsumedCapacity"]["TableName"], self.table.name)
            self.assertGreaterEqual(answer["ConsumedCapacity"]["CapacityUnits"], 1)

    def get(self, number):
        return self.table.get_item(Key={"itemID": f"item-{number:03}"}).get("Item")

    def test_import(self):
        self.fill(task(number) for number in range(10))
        self.assertEqual(sorted(item["itemID"] for item in self.table.scan()["Items"]),
                         [f"item-{number:03}" for number in range(10)])
        self.assertNotIn("InstanceID", self.get(3))
        self.fill([task(3, TaskScript="sh other.sh")])
        self.assertEqual(self.get(3)["TaskScript"], "sh other.sh")

    def test_state(self):
        self.fill([task(1), nested_task(2, 3)])
        self.assertEqual(typed(state(self.table, "item-001")), typed([{"ItemState": "todo", "Log_Length": 0}]))
        self.assertEqual(typed(state(self.table, "item-002")),
                         typed([{"ItemState": "todo", "Log_Length": 0, "Nested_Tasks": 3}]))
        self.assertEqual(state(self.table, "item-001", "itemID, TaskScript"),
                         [{"itemID": "item-001", "TaskScript": "sh step.sh 1"}])
        self.assertEqual(state(self.table, "none"), [])

    def test_names_that_no_item_has_are_left_out(self):
        self.fill([task(1)])
        found = self.table.query(
            KeyConditionExpression="#itemID = :itemKey", ExpressionAttributeValues={":itemKey": "item-001"},
            ExpressionAttributeNames={"#itemID": "itemID", "#Log": "Log"}, ReturnConsumedCapacity="TOTAL",
            ProjectionExpression="itemID, taskID, instanceID, Lock_Date, Log_Length, #Log, lockID, ItemState")
        self.assertEqual(found["Items"], [{"itemID": "item-001", "taskID": "task-1", "Log_Length": 0, "Log": {},
                                           "ItemState": "todo"}])
        self.assertEqual(found["ConsumedCapacity"], {"TableName": self.table.name, "CapacityUnits": 0.5})

    def test_lock_returns_every_attribute_that_it_set(self):
        self.fill([task(1)])
        wanted = {"lockID": "a" * 30, "ItemState": "locked", "Lock_Date": "2020-01-01T00:00:00", "InstanceID": f"i-{'a' * 30}"}
        for _ in range(2):
            self.assertEqual(lock(self.table, "item-001", "a" * 30), wanted)
        self.assertEqual(typed(self.get(1)), typed({**task(1), **wanted}))

    def test_of_eight_lockers_one_verifies(self):
        self.fill([task(1)])
        locked = threading.Barrier(8)

        def take(number, resource):
            table = resource.Table(self.table.name)
            answer = lock(table, "item-001", f"owner-{number}")
            locked.wait(MEETING_SECONDS)
            found, = state(table, "item-001")
            return answer["lockID"], found["lockID"]

        answers = self.at_once(8, take)
        self.assertEqual([answer[0] for answer in answers], [f"owner-{number}" for number in range(8)])
        self.assertEqual(sum(mine == found for mine, found in answers), 1)
        self.assertEqual({found for _, found in answers}, {self.get(1)["lockID"]})
        self.assertEqual(self.get(1)["InstanceID"], f"i-{self.get(1)['lockID']}")

    def test_workers_run_each_task_once(self):
        self.fill(task(number) for number in range(16))
        meeting = threading.Barrier(5)
        order = random.Random(2020)
        seeds = [order.random() for _ in range(5)]

        def work(number, resource):
            """Rounds of: list, shuffle, lock some, wait until all have locked, run those that are still one's own."""
            table, shuffle, ran = resource.Table(self.table.name), random.Random(seeds[number]).shuffle, []
            while True:
                todo = [item["itemID"] for item in listed(table, "todo", "itemID", Limit=6)]
                meeting.wait(MEETING_SECONDS)
                if not todo:
                    return ran
                shuffle(todo)
                for item_id in todo[:4]:
                    lock(table, item_id, f"worker-{number}")
                meeting.wait(MEETING_SECONDS)
                for item_id in todo[:4]:
                    if state(table, item_id)[0]["lockID"] == f"worker-{number}":
                        finish(table, item_id, {"Task_0": {"Status": "done", "stdout": item_id, "stderr": ""}})
                        ran.append(item_id)
                meeting.wait(MEETING_SECONDS)

        ran = self.at_once(5, work)
        self.assertEqual(sorted(item_id for names in ran for item_id in names), [f"item-{number:03}" for number in range(16)])
        for item in self.table.scan()["Items"]:
            self.assertEqual((item["ItemState"], item["Log_Length"]), ("done", 1))
            self.assertEqual(item["Log"]["Task_0"]["stdout"], item["itemID"])
            self.assertIn(item["itemID"], ran[int(item["lockID"][-1])])

    def test_reset(self):
        self.fill([task(1)])
        lock(self.table, "item-001", "a" * 30)
        finish(self.table, "item-001", {"Task_0": {"Status": "failed", "stdout": "", "stderr": "no disk"}})
        fresh = {"ItemState": "todo", "InstanceID": "Reset", "Lock_Date": "Reset", "Done_Date": "Reset", "lockID": "Reset",
                 "Log": {}, "Log_Length": 0}
        answer = self.table.update_item(
            Key={"itemID": "item-001"}, UpdateExpression="SET " + ", ".join(f"#{name} = :{name}" for name in fresh),
            ExpressionAttributeNames={f"#{name}": name for name in fresh},
            ExpressionAttributeValues={f":{name}": value for name, value in fresh.items()}, ReturnValues="UPDATED_NEW")
        self.assertEqual(typed(answer["Attributes"]), typed(fresh))
        self.assertEqual(typed(self.get(1)), typed({**task(1), **fresh}))

    def test_delete(self):
        self.fill([task(1), task(2)])
        for _ in range(2):
            self.table.delete_item(Key={"itemID": "item-001"})
        self.assertIsNone(self.get(1))
        self.assertEqual(self.table.scan()["Items"], [task(2)])

    def test_an_update_of_a_deleted_item_makes_a_new_one(self):
        lock(self.table, "item-404", "a" * 30)
        self.assertEqual(set(self.get(404)), {"itemID", "lockID", "ItemState", "Lock_Date", "InstanceID"})

    def test_700_results_fill_more_than_a_page(self):
        text = "o" * 1750
        with self.table.batch_writer() as batch:
            for number in range(700):
                batch.put_item(Item=task(number, ItemState="done" if number % 2 else "todo", Log={"Task_0": {"stdout": text}}))
        answers = list(pages(self.table.scan, FilterExpression=Attr("ItemState").eq("done"), ProjectionExpression="itemID"))
        sizes = [page["ScannedCount"] for page in answers]
        self.assertEqual((len(sizes), sum(sizes)), (2, 700))
        self.assertTrue(350 < sizes[0] < 650, sizes)
        self.assertEqual(sorted(item["itemID"] for page in answers for item in page["Items"]),
                         [f"item-{number:03}" for number in range(1, 700, 2)])


class Refusals(WorkloadCase):
    def setUp(self):
        super().setUp()
        self.table = self.make("itemID:S", **SETTINGS)
        self.table.put_item(Item=task(1))

    def tearDown(self):
        self.assertEqual(typed(self.table.scan()["Items"]), typed([task(1)]), "a refused request changed something")

    def update(self, expression, values=None, names=None, key="item-001"):
        more = {"ExpressionAttributeValues": values} if values else {}
        if names:
            more["ExpressionAttributeNames"] = names
        self.table.update_item(Key={"itemID": key}, UpdateExpression=expression, **more)

    def test_types_of_index_keys(self):
        wrong = INVALID + "Type mismatch for Index Key {} Expected: {} Actual: {} IndexName: {}"
        for name, value, message in (
                ("Log_Length", "12", wrong.format("Log_Length", "N", "S", "LoggingIndex")),
                ("Log_Length", None, wrong.format("Log_Length", "N", "NULL", "LoggingIndex")),
                ("taskID", 7, wrong.format("taskID", "S", "N", "TaskStateIndex")),
                ("InstanceID", True, wrong.format("InstanceID", "S", "BOOL", "InstanceStateIndex"))):
            bad = task(2, **{name: value})
            self.assert_invalid(message, self.table.put_item, Item=bad)
            self.assert_invalid(message, self.resource.batch_write_item, RequestItems={
                self.table.name: [{"PutRequest": {"Item": task(3)}}, {"PutRequest": {"Item": bad}}]})
            for key in ("item-001", "item-404"):
                self.assert_invalid(message, self.update, expression="SET #name = :value", values={":value": value},
                                    names={"#name": name}, key=key)

    def test_names_that_are_not_defined(self):
        self.assert_invalid(
            "Invalid KeyConditionExpression: An expression attribute name used in the document path is not defined; "
            "attribute name: #ItemState", self.table.query, KeyConditionExpression="#ItemState = :state",
            ExpressionAttributeNames={"#itemID": "itemID"}, ExpressionAttributeValues={":state": "todo"})
        self.assert_invalid(
            "Invalid KeyConditionExpression: An expression attribute value used in expression is not defined; "
            "attribute value: :state", self.table.query, KeyConditionExpression="itemID = :state",
            ExpressionAttributeValues={":other": "todo"})
        self.assert_invalid("Value provided in ExpressionAttributeNames unused in expressions: keys: {#Log}", self.table.query,
                            KeyConditionExpression="itemID = :state", ExpressionAttributeNames={"#Log": "Log"},
                            ExpressionAttributeValues={":state": "todo"})

    def test_reserved_words(self):
        self.assert_invalid("Invalid ProjectionExpression: Attribute name is a reserved keyword; reserved keyword: Log",
                            self.table.scan, ProjectionExpression="itemID, Log, Log_Length")
        self.assert_invalid("Invalid UpdateExpression: Attribute name is a reserved keyword; reserved keyword: Log",
                            self.update, expression="SET Log.Task_0 = :log", values={":log": {}})

    def test_logs_of_an_item_that_is_not_there(self):
        path = "The document path provided in the update expression is invalid for update"
        for key, expression in (("item-404", "SET #Logging.Task_0 = :log"), ("item-001", "SET #Logging.Task_0.stdout = :log"),
                                ("item-001", "SET TaskScript.#Logging = :log"), ("item-001", "SET #Logging[0] = :log")):
            self.assert_invalid(path, self.update, expression=expression, values={":log": {}}, names={"#Logging": "Log"}, key=key)

    def test_counting_what_is_no_number(self):
        self.assert_invalid("An operand in the update expression has an incorrect data type", self.update,
                            expression="ADD TaskScript :one", values={":one": 1})
        self.assert_invalid("An operand in the update expression has an incorrect data type", self.update,
                            expression="SET Nested_Tasks = TaskScript + :one", values={":one": 1})
        self.assert_invalid("The provided expression refers to an attribute that does not exist in the item", self.update,
                            expression="SET Nested_Tasks = Nested_Tasks + :one", values={":one": 1})

    def test_the_key_stays(self):
        for expression, values in (("SET itemID = :id", {":id": "item-002"}), ("REMOVE itemID", None)):
            self.assert_invalid(f"{INVALID}Cannot update attribute itemID. This attribute is part of the key", self.update,
                                expression=expression, values=values)


if __name__ == "__main__":
    unittest.main()
