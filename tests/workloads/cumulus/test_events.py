"""Cumulus's stores of events: messages of one granule or delivery record come twice, late and out of order, and a condition
on each write decides which of them counts."""

import pathlib
import random
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from workload import INVALID, REFUSED, WorkloadCase, definitions, global_index, typed  # noqa: E402

BOTH = {"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"}
INDEX = global_index("collectionId-granuleId-index", "collectionId", "granuleId")
CHANGED_WHILE_RUNNING = {"createdAt", "updatedAt", "timestamp", "status", "execution"}


def store(table, key_name, record, condition):
    """Writes every field of the record, but leaves what a running event may not change as it is."""
    sets, names, values = [], {}, {}
    for field, value in record.items():
        if field == key_name:
            continue
        names[f"#{field}"], values[f":{field}"] = field, value
        keeps = record["status"] == "running" and field not in CHANGED_WHILE_RUNNING
        sets.append(f"#{field} = if_not_exists(#{field}, :{field})" if keeps else f"#{field} = :{field}")
    return table.update_item(
        Key={key_name: record[key_name]}, UpdateExpression=f"SET {', '.join(sets)}", ConditionExpression=condition,
        ExpressionAttributeNames=names, ExpressionAttributeValues=values, ReturnValues="ALL_NEW")["Attributes"]


class Granules(WorkloadCase):
    def setUp(self):
        super().setUp()
        self.table = self.make("granuleId:S", StreamSpecification=BOTH, GlobalSecondaryIndexes=[INDEX],
                               AttributeDefinitions=definitions("granuleId:S", "collectionId:S"))

    def event(self, status, execution, created_at, **more):
        return {"granuleId": "MOD09GQ.A1.006", "collectionId": "MOD09GQ___006", "status": status, "createdAt": created_at,
                "updatedAt": created_at + 5, "timestamp": created_at + 6, "published": status == "completed", "error": {},
                "execution": f"https://console.example/executions/{execution}",
                "files": [{"bucket": "protected", "fileName": "a.hdf"}], **more}

    def store(self, record, resource=None):
        condition = "(attribute_not_exists(createdAt) or :createdAt >= #createdAt)"
        if record["status"] == "running":
            condition += " and #execution <> :execution"
        return store((resource or self.resource).Table(self.table.name), "granuleId", record, condition)

    def get(self):
        return self.table.get_item(Key={"granuleId": "MOD09GQ.A1.006"}, ConsistentRead=True)["Item"]

    def of_collection(self):
        return self.table.query(IndexName=INDEX["IndexName"], KeyConditionExpression="collectionId = :c",
                                ExpressionAttributeValues={":c": "MOD09GQ___006"})["Items"]

    def test_events_of_two_executions(self):
        running = self.event("running", "one", 1000)
        self.assertEqual(typed(self.store(running)), typed(running))
        self.assertEqual(typed(self.of_collection()), typed([running]))
        completed = self.event("completed", "one", 1000, productVolume=1024, published=True)
        self.assertEqual(typed(self.store(completed)), typed(completed))
        self.assertEqual(typed(self.of_collection()), typed([completed]))
        for late in (running, self.event("running", "one", 1001), self.event("completed", "zero", 999),
                     self.event("running", "two", 999)):
            self.assertFalse(self.passes(self.store, record=late), late)
            self.assertEqual(typed(self.get()), typed(completed))
            self.assertEqual(typed(self.of_collection()), typed([completed]))
        again = self.event("running", "two", 1000, productVolume=0, published=False, files=[])
        kept = {**again, "productVolume": 1024, "published": True, "files": completed["files"]}
        self.assertEqual(typed(self.store(again)), typed(kept))
        self.assertTrue(self.passes(self.store, record=self.event("failed", "two", 1000, error={"Error": "Timeout"})))
        self.assertEqual((self.get()["status"], self.get()["error"]), ("failed", {"Error": "Timeout"}))

    def test_a_completed_event_may_come_twice(self):
        completed = self.event("completed", "one", 1000)
        for _ in range(2):
            self.assertEqual(typed(self.store(completed)), typed(completed))

    def test_of_forty_events_the_newest_stays(self):
        created = random.Random(1480962569).sample(range(1000, 1040), 40)
        answers = self.at_once(40, lambda number, resource: self.store(
            self.event("completed", f"e{created[number]}", created[number]), resource)["createdAt"])
        self.assertTrue(all(answer in (REFUSED, created[number]) for number, answer in enumerate(answers)))
        self.assertEqual(answers[created.index(1039)], 1039)
        self.assertEqual(typed(self.get()), typed(self.event("completed", "e1039", 1039)))

    def test_of_one_running_event_delivered_often_one_is_stored(self):
        answers = self.at_once(12, lambda number, resource: self.store(
            self.event("running", "one", 1000, delivery=number), resource))
        stored = [answer for answer in answers if answer != REFUSED]
        self.assertEqual((answers.count(REFUSED), len(stored)), (11, 1))
        self.assertEqual(typed(self.get()), typed(stored[0]))

    def test_a_record_without_an_index_key_and_one_with_a_wrong_one(self):
        record = self.event("completed", "one", 1000)
        self.assert_invalid(f"{INVALID}Type mismatch for Index Key collectionId Expected: S Actual: M "
                            "IndexName: collectionId-granuleId-index", self.store, record={**record, "collectionId": {}})
        del record["collectionId"]
        self.assertEqual(typed(self.store(record)), typed(record))
        self.assertEqual(self.of_collection(), [])

    def test_an_update_after_a_get(self):
        record = self.event("running", "one", 1000)
        self.store(record)
        found = self.get()
        answer = self.table.update_item(
            Key={"granuleId": found["granuleId"]}, ReturnValues="ALL_NEW", AttributeUpdates={
                "status": {"Action": "PUT", "Value": "completed"}, "error": {"Action": "DELETE"},
                "duration": {"Action": "PUT", "Value": 7}})
        wanted = {**record, "status": "completed", "duration": 7}
        del wanted["error"]
        self.assertEqual(typed(answer["Attributes"]), typed(wanted))


class Deliveries(WorkloadCase):
    """Delivery records (PDRs): their progress may only rise within one execution."""

    def setUp(self):
        super().setUp()
        self.table = self.make("pdrName:S", StreamSpecification=BOTH)

    def store(self, execution, progress, created_at=1000, status="running", resource=None):
        record = {"pdrName": "MOD09GQ.PDR", "status": status, "createdAt": created_at, "updatedAt": created_at + progress,
                  "timestamp": created_at, "execution": execution, "progress": progress,
                  "stats": {"total": 4, "processing": 4 - progress // 25}}
        sets = [f"#{name} = :{name}" for name in record if name != "pdrName"]
        return (resource or self.resource).Table(self.table.name).update_item(
            Key={"pdrName": record["pdrName"]}, UpdateExpression=f"SET {', '.join(sets)}",
            ConditionExpression="(attribute_not_exists(createdAt) or :createdAt >= #createdAt) and "
                                "(execution <> :execution OR progress < :progress)",
            ExpressionAttributeNames={f"#{name}": name for name in record if name != "pdrName"},
            ExpressionAttributeValues={f":{name}": value for name, value in record.items() if name != "pdrName"},
            ReturnValues="UPDATED_NEW")["Attributes"]["progress"]

    def test_progress_only_rises(self):
        steps = [("one", 25, True), ("one", 75, True), ("one", 50, False), ("one", 75, False), ("two", 0, True),
                 ("two", 0, False), ("two", 100, True)]
        self.assertEqual([self.passes(self.store, execution=execution, progress=progress) for execution, progress, _ in steps],
                         [passes for _, _, passes in steps])
        self.assertFalse(self.passes(self.store, execution="three", progress=50, created_at=999))
        item = self.table.get_item(Key={"pdrName": "MOD09GQ.PDR"}, ConsistentRead=True)["Item"]
        self.assertEqual((item["execution"], item["progress"], item["stats"]["processing"]), ("two", 100, 0))

    def test_the_greatest_progress_of_24_stays(self):
        answers = self.at_once(24, lambda number, resource: self.store("one", number * 4, resource=resource))
        self.assertTrue(all(answer in (REFUSED, number * 4) for number, answer in enumerate(answers)))
        self.assertEqual(answers[23], 92)
        self.assertEqual(self.table.get_item(Key={"pdrName": "MOD09GQ.PDR"})["Item"]["progress"], 92)


class Executions(WorkloadCase):
    def test_a_whole_workflow_message(self):
        table = self.make("arn:S", StreamSpecification=BOTH)
        message = {
            "cumulus_meta": {"state_machine": "arn:states:ingest", "message_source": "sfn"}, "exception": None,
            "payload": {"granules": [
                {"granuleId": f"G{number}", "files": [{"name": f"G{number}.{kind}", "size": 1000 + number}
                                                      for kind in ("hdf", "met", "xml")]} for number in range(400)]},
        }
        record = {"arn": "arn:states:execution:1", "name": "1", "status": "running", "originalPayload": message, "createdAt": 1}
        table.put_item(Item=record)
        answer = table.update_item(
            Key={"arn": record["arn"]}, ReturnValues="UPDATED_NEW",
            UpdateExpression="SET #status = :status, finalPayload = originalPayload",
            ExpressionAttributeNames={"#status": "status"}, ExpressionAttributeValues={":status": "completed"})
        self.assertEqual(typed(answer["Attributes"]), typed({"status": "completed", "finalPayload": message}))
        found = table.get_item(Key={"arn": record["arn"]}, ConsistentRead=True)["Item"]
        self.assertEqual(typed(found), typed({**record, "status": "completed", "finalPayload": message}))


if __name__ == "__main__":
    unittest.main()
