"""LogicalResults' steps over several tables: a set's record, who waits for it and its rows change together or not at all, also
when the step comes twice or many steps meet on one record."""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from workload import WorkloadCase, items, typed  # noqa: E402

CANCELED = "TransactionCanceledException"


class Steps(WorkloadCase):
    def setUp(self):
        super().setUp()
        self.main = self.make("logicalResultId:S", name=self.table_name("-main"))
        self.waits = self.make("awaitingId:S", "logicalResultId:S", name=self.table_name("-waits"))
        self.data = self.make("logicalResultId:S", "dataId:S", name=self.table_name("-data"))
        self.main.put_item(Item={"logicalResultId": "set", "status": "processing", "uniqueRequestId": "one"})
        self.wait = {"awaitingId": "result/9f86", "logicalResultId": "set"}
        self.waits.put_item(Item={**self.wait, "timestamp": 1700000000})

    def step(self, request="one", row="data-1", resource=None, **more):
        """A worker's step: count the run, end the wait, store the next row."""
        return (resource or self.resource).meta.client.transact_write_items(TransactItems=[
            {"Update": {"TableName": self.main.name, "Key": {"logicalResultId": "set"},
                        "UpdateExpression": "ADD runs :one", "ConditionExpression": "uniqueRequestId = :u",
                        "ExpressionAttributeValues": {":one": 1, ":u": request}}},
            {"Delete": {"TableName": self.waits.name, "Key": self.wait, "ConditionExpression": "attribute_exists(awaitingId)"}},
            {"Put": {"TableName": self.data.name, "Item": {"logicalResultId": "set", "dataId": row}}}], **more)

    def reasons(self, call, **parameters):
        """The codes of a refused transaction's actions; None where it was done."""
        try:
            call(**parameters)
        except self.client.exceptions.ClientError as refusal:
            self.assertEqual(refusal.response["Error"]["Code"], CANCELED)
            return [reason["Code"] for reason in refusal.response["CancellationReasons"]]
        return None

    def stored(self):
        return {table.name.rpartition("-")[2]: items(table.scan, ConsistentRead=True)
                for table in (self.main, self.waits, self.data)}

    def assert_done_once(self, row="data-1"):
        main = {"logicalResultId": "set", "status": "processing", "uniqueRequestId": "one", "runs": 1}
        self.assertEqual(typed(self.stored()), typed({"main": [main], "waits": [],
                                                      "data": [{"logicalResultId": "set", "dataId": row}]}))

    def test_a_step_that_comes_twice_is_done_once(self):
        for _ in range(3):
            self.step(ClientRequestToken="step-1")
        self.assert_done_once()

    def test_one_token_for_two_steps(self):
        self.step(ClientRequestToken="step-2")
        with self.assertRaises(self.client.exceptions.ClientError) as caught:
            self.step(row="data-2", ClientRequestToken="step-2")
        self.assertEqual(caught.exception.response["Error"]["Code"], "IdempotentParameterMismatchException")
        self.assert_done_once()

    def test_a_failed_condition_changes_nothing(self):
        before = self.stored()
        self.assertEqual(self.reasons(self.step, request="another"), ["ConditionalCheckFailed", "None", "None"])
        self.assertEqual(typed(self.stored()), typed(before))
        self.waits.delete_item(Key=self.wait)
        before["waits"] = []
        self.assertEqual(self.reasons(self.step, request="another"), ["ConditionalCheckFailed", "ConditionalCheckFailed", "None"])
        self.assertEqual(typed(self.stored()), typed(before))

    def test_of_workers_that_come_at_once_one_does_the_step(self):
        def work(number, resource):
            """Comes again for as long as only another one's step was in the way."""
            while True:
                reasons = self.reasons(self.step, row=f"data-{number}", resource=resource)
                if not reasons or "TransactionConflict" not in reasons:
                    return reasons

        answers = self.at_once(8, work)
        self.assertEqual(answers.count(None), 1)
        self.assertEqual(answers.count(["None", "ConditionalCheckFailed", "None"]), 7)
        self.assert_done_once(f"data-{answers.index(None)}")

    def test_twenty_transactions_on_one_counter(self):
        def count(number, resource):
            transaction = [
                {"Update": {"TableName": self.main.name, "Key": {"logicalResultId": "set"}, "UpdateExpression": "ADD runs :one",
                            "ExpressionAttributeValues": {":one": 1}}},
                {"Put": {"TableName": self.data.name, "Item": {"logicalResultId": "set", "dataId": f"data-{number:02}"},
                         "ConditionExpression": "attribute_not_exists(dataId)"}}]
            conflicts = 0
            while True:
                reasons = self.reasons(resource.meta.client.transact_write_items, TransactItems=transaction)
                if reasons is None:
                    return conflicts
                self.assertEqual(reasons, ["TransactionConflict", "None"])
                conflicts += 1

        answers = self.at_once(20, count)
        self.assertTrue(all(isinstance(answer, int) for answer in answers), answers)
        stored = self.stored()
        self.assertEqual(typed(stored["main"][0]["runs"]), ("N", "20"))
        self.assertEqual([row["dataId"] for row in stored["data"]], [f"data-{number:02}" for number in range(20)])

    def test_reads_of_one_moment(self):
        """A transaction that reads sees a step as a whole, however many steps go on."""
        def act(number, resource):
            client = resource.meta.client
            for turn in range(20):
                if number:
                    self.reasons(client.transact_write_items, TransactItems=[
                        {"Put": {"TableName": self.data.name, "Item": {
                            "logicalResultId": "pair", "dataId": side, "turn": f"{number}/{turn}"}}}
                        for side in ("left", "right")])
                    continue
                try:
                    answer = client.transact_get_items(TransactItems=[
                        {"Get": {"TableName": self.data.name, "Key": {"logicalResultId": "pair", "dataId": side}}}
                        for side in ("left", "right")])
                except self.client.exceptions.ClientError as refusal:
                    self.assertEqual(refusal.response["Error"]["Code"], CANCELED)
                    continue
                left, right = (response.get("Item", {}).get("turn") for response in answer["Responses"])
                self.assertEqual(left, right)

        self.assertEqual(self.at_once(3, act), [None] * 3)


if __name__ == "__main__":
    unittest.main()
