"""PyAnamo's four indexes over the states of its items: the work list, what is locked, what was logged; 32 workers that find their
tasks there; new throughput for the table and all of them in one request."""

import pathlib
import random
import sys
import threading
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from boto3.dynamodb.conditions import Attr, Key  # noqa: E402
from workload import MEETING_SECONDS, WorkloadCase, items, pages, provisioned, typed  # noqa: E402
from tasks import INDEXES, SETTINGS, finish, listed, lock, log_step, nested_task, state, task  # noqa: E402

STATES = ("todo", "locked", "done", "Wall_Time_Exceeded")
EVERYWHERE = [index["IndexName"] for index in INDEXES]
WITHOUT_INSTANCE = [name for name in EVERYWHERE if name != "InstanceStateIndex"]


class IndexCase(WorkloadCase):
    def setUp(self):
        super().setUp()
        self.table = self.make("itemID:S", **SETTINGS)

    def fill(self, tasks):
        with self.table.batch_writer() as batch:
            for item in tasks:
                batch.put_item(Item=item)

    def query(self, index, item_state, more=None, **parameters):
        condition = Key("ItemState").eq(item_state)
        return items(self.table.query, IndexName=index, KeyConditionExpression=condition & more if more else condition,
                     **parameters)

    def places(self, item_id):
        """Where an item is found: each state with the indexes that have the item in it."""
        found = {item_state: [index for index in EVERYWHERE
                              if item_id in [item["itemID"] for item in self.query(index, item_state)]] for item_state in STATES}
        return {item_state: indexes for item_state, indexes in found.items() if indexes}


class Lists(IndexCase):
    def test_work_list(self):
        for number in range(25):
            self.table.put_item(Item=task(number))
            self.assertEqual(len(listed(self.table, "todo", "itemID")), number + 1)
        fields = "itemID, taskID, instanceID, Lock_Date, Log_Length, #Log, lockID, ItemState"
        wanted = [{name: value for name, value in task(number).items() if name != "TaskScript"} for number in range(25)]
        for size in (7, 25, 1000):
            self.assertEqual(typed(listed(self.table, "todo", fields, {"#Log": "Log"}, Limit=size)), typed(wanted))
        self.assertEqual(listed(self.table, "todo", "itemID", Limit=10), [{"itemID": item["itemID"]} for item in wanted])
        self.assertEqual(listed(self.table, "done", "itemID"), [])
        self.assertEqual(typed(self.query("ItemStateIndex", "todo")), typed([task(number) for number in range(25)]))

    def test_capacity_of_a_list(self):
        answer = self.table.put_item(Item=task(1), ReturnConsumedCapacity="INDEXES")["ConsumedCapacity"]
        # Nothing is written to the index of instances before there is one.
        self.assertEqual(answer["GlobalSecondaryIndexes"], {name: {"CapacityUnits": 1.0} for name in WITHOUT_INSTANCE})
        self.assertEqual(answer["CapacityUnits"], 4.0)
        found = self.table.query(IndexName="ItemStateIndex", KeyConditionExpression=Key("ItemState").eq("todo"),
                                 ReturnConsumedCapacity="TOTAL")
        self.assertEqual(found["ConsumedCapacity"], {"TableName": self.table.name, "CapacityUnits": 0.5})

    def test_names_that_are_not_defined(self):
        self.assert_invalid("Invalid KeyConditionExpression: An expression attribute name used in the document path is not "
                            "defined; attribute name: #ItemState", self.table.query, IndexName="ItemStateIndex",
                            KeyConditionExpression="#ItemState = :state", ExpressionAttributeValues={":state": "todo"},
                            ExpressionAttributeNames={"#itemID": "itemID"})

    def test_every_step_shows_in_all_four(self):
        self.table.put_item(Item=task(1))
        self.assertEqual(self.places("item-001"), {"todo": WITHOUT_INSTANCE})
        lock(self.table, "item-001", "a" * 30)
        self.assertEqual(self.places("item-001"), {"locked": EVERYWHERE})
        finish(self.table, "item-001", {})
        self.assertEqual(self.places("item-001"), {"done": EVERYWHERE})
        self.table.update_item(Key={"itemID": "item-001"}, UpdateExpression="SET ItemState = :todo REMOVE InstanceID, Log_Length",
                               ExpressionAttributeValues={":todo": "todo"})
        self.assertEqual(self.places("item-001"), {"todo": ["ItemStateIndex", "TaskStateIndex"]})
        self.table.put_item(Item=task(1, ItemState="Wall_Time_Exceeded", InstanceID="i-1"))
        self.assertEqual(self.places("item-001"), {"Wall_Time_Exceeded": EVERYWHERE})
        self.table.delete_item(Key={"itemID": "item-001"})
        self.assertEqual(self.places("item-001"), {})

    def test_progress(self):
        self.fill(task(number) for number in range(12))
        self.assertEqual(self.query("InstanceStateIndex", "locked"), [])
        self.assertEqual(self.query("InstanceStateIndex", "todo"), [])
        for number in range(12):
            lock(self.table, f"item-{number:03}", f"{number % 3}")
            locked = self.query("InstanceStateIndex", "locked", ProjectionExpression="itemID, InstanceID")
            self.assertEqual(len(locked), number + 1)
            self.assertEqual(len(listed(self.table, "todo", "itemID")), 11 - number)
        self.assertEqual([item["InstanceID"] for item in locked], [f"i-{number // 4}" for number in range(12)])
        of_one = self.query("InstanceStateIndex", "locked", Key("InstanceID").eq("i-1"), Limit=3)
        self.assertEqual(sorted(item["itemID"] for item in of_one), ["item-001", "item-004", "item-007", "item-010"])

    def test_tasks_of_one_name(self):
        self.fill(task(number) for number in range(40))
        for size in (3, 10, 40):
            found = self.query("TaskStateIndex", "todo", Key("taskID").eq("task-2"), Limit=size, ProjectionExpression="itemID")
            self.assertEqual(sorted(item["itemID"] for item in found), [f"item-{number:03}" for number in range(2, 40, 4)])
        filtered = self.query("TaskStateIndex", "todo", Key("taskID").gt("task-1"),
                              FilterExpression=Attr("TaskScript").contains(" 1"))
        self.assertEqual(sorted(item["itemID"] for item in filtered),
                         [f"item-{number:03}" for number in (10, 11, 14, 15, 18, 19)])


class Logging(IndexCase):
    def test_lengths_sort_as_numbers(self):
        lengths = [(7 * number) % 12 for number in range(36)]
        self.fill(task(number, ItemState="done", Log_Length=length) for number, length in enumerate(lengths))
        found = self.query("LoggingIndex", "done")
        self.assertEqual([item["Log_Length"] for item in found], sorted(lengths))
        for size in (1, 2, 5):
            backward = self.query("LoggingIndex", "done", ScanIndexForward=False, Limit=size)
            self.assertEqual([item["itemID"] for item in backward], [item["itemID"] for item in reversed(found)])
        between = self.query("LoggingIndex", "done", Key("Log_Length").between(2, 10), ScanIndexForward=False)
        self.assertEqual([item["Log_Length"] for item in between],
                         sorted(filter(range(2, 11).__contains__, lengths), reverse=True))
        page = self.table.query(IndexName="LoggingIndex", KeyConditionExpression=Key("ItemState").eq("done"), Limit=4)
        self.assertEqual(page["LastEvaluatedKey"],
                         {name: page["Items"][-1][name] for name in ("itemID", "ItemState", "Log_Length")})

    def test_700_results(self):
        text = "o" * 1750
        self.fill(task(number, ItemState="done", Log={"Task_0": {"stdout": text}}) for number in range(700))
        for index in ("LoggingIndex", "ItemStateIndex"):
            answers = list(pages(self.table.query, IndexName=index, KeyConditionExpression=Key("ItemState").eq("done"),
                                 ProjectionExpression="itemID"))
            self.assertEqual(len(answers), 2)
            self.assertTrue(350 < answers[0]["Count"] < 650, answers[0]["Count"])
            self.assertEqual(sorted(item["itemID"] for page in answers for item in page["Items"]),
                             [f"item-{number:03}" for number in range(700)])

    def test_a_counter_has_one_place_while_it_moves(self):
        self.table.put_item(Item=nested_task(1, 24))
        done = threading.Event()
        seen = []

        def act(number, resource):
            table = resource.Table(self.table.name)
            if number == 4:
                while not (seen and done.is_set()):
                    found = items(table.query, IndexName="LoggingIndex", KeyConditionExpression=Key("ItemState").eq("todo"))
                    seen.append([int(item["Log_Length"]) for item in found])
                return None
            try:
                for step in range(number, 24, 4):
                    _, counted = log_step(table, "item-001", step, {"Status": "done"})
                    found, = items(table.query, IndexName="LoggingIndex", ProjectionExpression="Log_Length",
                                   KeyConditionExpression=Key("ItemState").eq("todo"))
                    self.assertGreaterEqual(found["Log_Length"], counted["Log_Length"])
                meeting.wait(MEETING_SECONDS)
            finally:
                done.set()
            return None

        meeting = threading.Barrier(4)
        self.assertEqual(self.at_once(5, act), [None] * 5)
        self.assertTrue(all(len(lengths) == 1 for lengths in seen), seen)
        self.assertEqual(seen, sorted(seen))
        self.assertEqual([item["Log_Length"] for item in self.query("LoggingIndex", "todo")], [24])


class Workers(IndexCase):
    WORKERS = 32

    def assert_each_ran_once(self, ran, count):
        self.assertEqual(sorted(item_id for names in ran for item_id in names), [f"item-{number:03}" for number in range(count)])
        self.assertEqual(len(listed(self.table, "done", "itemID")), count)
        for item_state in ("todo", "locked"):
            self.assertEqual([self.query(index, item_state) for index in EVERYWHERE], [[]] * 4)
        for worker, names in enumerate(ran):
            mine = self.query("InstanceStateIndex", "done", Key("InstanceID").eq(f"i-worker-{worker}"))
            self.assertEqual(sorted(item["itemID"] for item in mine), sorted(names))

    def shuffled(self, seed):
        return random.Random(seed).shuffle

    def test_the_last_locker_of_32_owns(self):
        """As the system does it: list, shuffle, lock without asking, wait, run what is still one's own."""
        self.fill(task(number) for number in range(48))
        meeting = threading.Barrier(self.WORKERS)

        def work(number, resource):
            table, shuffle, ran = resource.Table(self.table.name), self.shuffled(number), []
            while True:
                todo = [item["itemID"] for item in listed(table, "todo", "itemID", Limit=20)]
                meeting.wait(MEETING_SECONDS)
                if not todo:
                    return ran
                shuffle(todo)
                for item_id in todo[:2]:
                    lock(table, item_id, f"worker-{number}")
                meeting.wait(MEETING_SECONDS)
                for item_id in todo[:2]:
                    if state(table, item_id)[0]["lockID"] == f"worker-{number}":
                        finish(table, item_id, {"Task_0": {"Status": "done", "stdout": item_id, "stderr": ""}})
                        ran.append(item_id)
                meeting.wait(MEETING_SECONDS)

        self.assert_each_ran_once(self.at_once(self.WORKERS, work), 48)

    def test_each_task_is_claimed_by_one_of_32(self):
        """Nobody waits for anybody: a claim holds only where the item is still to do, and the list never shows a task that the
        worker knows to be taken."""
        self.fill(task(number) for number in range(48))

        def work(number, resource):
            table, shuffle, ran, taken = resource.Table(self.table.name), self.shuffled(1000 + number), [], set()
            while True:
                todo = [item["itemID"] for item in listed(table, "todo", "itemID")]
                self.assertEqual(taken & set(todo), set(), "a list was older than what the worker has seen")
                if not todo:
                    return ran
                shuffle(todo)
                won = self.passes(lock, table=table, item_id=todo[0], owner=f"worker-{number}",
                                  ConditionExpression=Attr("ItemState").eq("todo"))
                taken.add(todo[0])
                if won:
                    finish(table, todo[0], {"Task_0": {"Status": "done", "stdout": todo[0], "stderr": ""}})
                    ran.append(todo[0])

        self.assert_each_ran_once(self.at_once(self.WORKERS, work), 48)


class Throughput(IndexCase):
    def test_new_units_for_table_and_indexes_in_one_request(self):
        self.fill(task(number) for number in range(5))
        answer = self.client.update_table(
            TableName=self.table.name, ProvisionedThroughput=provisioned(50, 60),
            GlobalSecondaryIndexUpdates=[{"Update": {"IndexName": name, "ProvisionedThroughput": provisioned(20 + place, 30)}}
                                         for place, name in enumerate(EVERYWHERE)])
        self.assertEqual(answer["TableDescription"]["TableStatus"], "UPDATING")
        # Nothing waits for it.
        lock(self.table, "item-003", "a" * 30)
        self.assertEqual(self.places("item-003"), {"locked": EVERYWHERE})
        shown = self.until_active(self.table.name)
        self.assertLessEqual(provisioned(50, 60).items(), shown["ProvisionedThroughput"].items())
        self.assertEqual([index["IndexName"] for index in shown["GlobalSecondaryIndexes"]], EVERYWHERE)
        for place, index in enumerate(shown["GlobalSecondaryIndexes"]):
            self.assertLessEqual(provisioned(20 + place, 30).items(), index["ProvisionedThroughput"].items())
        self.assert_refused("The provisioned throughput for the index InstanceStateIndex will not change. The requested value "
                            "equals the current value.", self.client.update_table, TableName=self.table.name,
                            GlobalSecondaryIndexUpdates=[{"Update": {"IndexName": "InstanceStateIndex",
                                                                     "ProvisionedThroughput": provisioned(22, 30)}}])
        self.assert_client_error("ResourceNotFoundException", "Requested resource not found: Table: no-such-queue not found",
                                 self.client.update_table, TableName="no-such-queue", ProvisionedThroughput=provisioned(5, 5))


if __name__ == "__main__":
    unittest.main()
