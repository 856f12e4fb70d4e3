"""PyAnamo's items of many tasks: each result is a member of two maps and one more on a counter, set by writers at once."""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from workload import WorkloadCase, typed  # noqa: E402
from tasks import SETTINGS, lock, log_step, nested_task, state  # noqa: E402


class NestedTasks(WorkloadCase):
    def setUp(self):
        super().setUp()
        self.table = self.make("itemID:S", **SETTINGS)

    def get(self):
        return self.table.get_item(Key={"itemID": "item-001"})["Item"]

    def update(self, expression, names, values=None, returned="UPDATED_NEW"):
        more = {"ExpressionAttributeValues": values} if values else {}
        answer = self.table.update_item(Key={"itemID": "item-001"}, UpdateExpression=expression, ExpressionAttributeNames=names,
                                        ReturnValues=returned, **more)
        return answer.get("Attributes")

    @staticmethod
    def log(step, size=20):
        return {"Status": "done", "stdout": str(step % 10) * size, "stderr": ""}

    def close(self):
        """Ends the item: done when every task has logged."""
        found, = state(self.table, "item-001")
        result = "done" if found["Log_Length"] == found["Nested_Tasks"] else "Wall_Time_Exceeded"
        return self.update("SET #ItemState = :ItemState, #Done_Date = :Done_Date",
                           {"#ItemState": "ItemState", "#Done_Date": "Done_Date"},
                           {":ItemState": result, ":Done_Date": "2020-01-02"})["ItemState"]

    def test_one_after_another(self):
        self.table.put_item(Item=nested_task(1, 4))
        lock(self.table, "item-001", "a" * 30)
        for step in range(4):
            stored, counted = log_step(self.table, "item-001", step, self.log(step))
            self.assertEqual(stored, {"Log": {f"Task_{step}": self.log(step)},
                                      "TaskScript": {f"Task_{step}": {"Status": "done", "Script": f"sh step.sh {step}"}}})
            self.assertEqual(typed(counted), typed({"Log_Length": step + 1}))
        self.assertEqual(self.close(), "done")
        item = self.get()
        self.assertEqual((item["ItemState"], item["Log_Length"], sorted(item["Log"])),
                         ("done", 4, [f"Task_{step}" for step in range(4)]))

    def test_out_of_time(self):
        self.table.put_item(Item=nested_task(1, 4))
        log_step(self.table, "item-001", 0, self.log(0))
        self.assertEqual(self.close(), "Wall_Time_Exceeded")
        self.assertEqual({name: step["Status"] for name, step in self.get()["TaskScript"].items()},
                         {"Task_0": "done", "Task_1": "todo", "Task_2": "todo", "Task_3": "todo"})

    def test_six_writers_of_thirty_results(self):
        self.table.put_item(Item=nested_task(1, 30))

        def write(number, resource):
            counts = []
            for step in range(number, 30, 6):
                _, counted = log_step(resource.Table(self.table.name), "item-001", step, self.log(step))
                counts.append(int(counted["Log_Length"]))
            return counts

        counts = self.at_once(6, write)
        self.assertEqual(sorted(count for each in counts for count in each), list(range(1, 31)))
        item = self.get()
        self.assertEqual(typed(item["Log_Length"]), ("N", "30"))
        self.assertEqual(item["Log"], {f"Task_{step}": self.log(step) for step in range(30)})
        self.assertEqual({step["Status"] for step in item["TaskScript"].values()}, {"done"})
        self.assertEqual(len(item["TaskScript"]), 30)
        self.assertEqual(self.close(), "done")

    def test_25_tasks_with_logs_of_2_kilobytes(self):
        item = nested_task(1, 25)
        item["Log"] = {f"Task_{step}": self.log(step, 2000) for step in range(24)}
        self.table.put_item(Item=item)
        log_step(self.table, "item-001", 24, self.log(24, 2000))
        found = self.get()
        self.assertEqual(found["Log"], {**item["Log"], "Task_24": self.log(24, 2000)})
        answer = self.table.get_item(Key={"itemID": "item-001"}, ReturnConsumedCapacity="TOTAL", ProjectionExpression="itemID")
        self.assertEqual(answer["Item"], {"itemID": "item-001"})
        # A projection does not make the read of some 51 KB cheaper.
        self.assertEqual(answer["ConsumedCapacity"]["CapacityUnits"], 6.5)

    def test_reset_of_single_tasks(self):
        self.table.put_item(Item=nested_task(1, 3))
        for step in range(3):
            log_step(self.table, "item-001", step, self.log(step))
        names = {"#ItemState": "ItemState", "#taskScript": "TaskScript", "#taskKey": "Task_1", "#taskStatus": "Status"}
        answer = self.update("SET #ItemState = :ItemState, #taskScript.#taskKey.#taskStatus = :TaskStatus", names,
                             {":ItemState": "todo", ":TaskStatus": "todo"})
        self.assertEqual(answer, {"ItemState": "todo", "TaskScript": {"Task_1": {"Status": "todo"}}})
        logging = {"#Logging": "Log", "#taskLogging": "Task_1"}
        old = self.update("REMOVE #Logging.#taskLogging", logging, returned="UPDATED_OLD")
        self.assertEqual(old, {"Log": {"Task_1": self.log(1)}})
        self.assertIsNone(self.update("REMOVE #Logging.#taskLogging", logging, returned="UPDATED_OLD"))
        item = self.get()
        self.assertEqual(sorted(item["Log"]), ["Task_0", "Task_2"])
        self.assertEqual(item["TaskScript"]["Task_1"], {"Status": "todo", "Script": "sh step.sh 1"})

    def test_removal_of_tasks(self):
        self.table.put_item(Item=nested_task(1, 3))
        for _ in range(2):
            left = self.update("REMOVE #taskScript.#task", {"#taskScript": "TaskScript", "#task": "Task_1"}, returned="ALL_NEW")
            self.assertEqual(sorted(left["TaskScript"]), ["Task_0", "Task_2"])
        for step in (0, 2):
            self.update("REMOVE #taskScript.#task", {"#taskScript": "TaskScript", "#task": f"Task_{step}"})
        self.assertEqual(self.get()["TaskScript"], {})


if __name__ == "__main__":
    unittest.main()
