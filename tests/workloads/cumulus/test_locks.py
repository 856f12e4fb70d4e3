"""Cumulus's semaphores and mutexes: counters and claims that are one item each, moved by conditional writes."""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from workload import REFUSED, WorkloadCase, typed  # noqa: E402

NOW = 1580000000


class Semaphores(WorkloadCase):
    def setUp(self):
        super().setUp()
        self.table = self.make("key:S")

    def create(self, resource=None):
        (resource or self.resource).Table(self.table.name).put_item(
            Item={"key": "rule-1", "semvalue": 0}, ConditionExpression="#key <> :key", ExpressionAttributeNames={"#key": "key"},
            ExpressionAttributeValues={":key": "rule-1"})
        return "created"

    def move(self, step, condition, bound, resource=None):
        name, = (word for word in condition.split() if word.startswith(":"))
        return (resource or self.resource).Table(self.table.name).update_item(
            Key={"key": "rule-1"}, UpdateExpression="set #semvalue = #semvalue + :val", ConditionExpression=condition,
            ExpressionAttributeNames={"#semvalue": "semvalue"}, ExpressionAttributeValues={":val": step, name: bound},
            ReturnValues="UPDATED_NEW")["Attributes"]

    def up(self, maximum, resource=None):
        return self.move(1, "#semvalue <= :max", maximum - 1, resource)

    def down(self, resource=None):
        return self.move(-1, "#semvalue >= :min", 1, resource)

    def value(self):
        return typed(self.table.get_item(Key={"key": "rule-1"}, ConsistentRead=True)["Item"]["semvalue"])

    def test_of_ten_that_create_it_one_does(self):
        answers = self.at_once(10, lambda number, resource: self.create(resource))
        self.assertEqual(sorted(answers), [REFUSED] * 9 + ["created"])
        self.up(5)
        self.assertFalse(self.passes(self.create))
        self.assertEqual(self.value(), ("N", "1"))

    def test_thirty_ups_and_ten_downs(self):
        self.create()
        ups = self.at_once(30, lambda number, resource: self.up(5, resource))
        self.assertEqual(ups.count(REFUSED), 25)
        self.assertEqual(sorted(str(answer["semvalue"]) for answer in ups if answer != REFUSED), list("12345"))
        self.assertEqual(self.value(), ("N", "5"))
        downs = self.at_once(10, lambda number, resource: self.down(resource))
        self.assertEqual(downs.count(REFUSED), 5)
        self.assertEqual(sorted(str(answer["semvalue"]) for answer in downs if answer != REFUSED), list("01234"))
        self.assertEqual(self.value(), ("N", "0"))
        self.assert_client_error(REFUSED, "The conditional request failed", self.down)

    def test_ups_and_downs_at_once(self):
        self.create()
        for _ in range(4):
            self.up(20)
        answers = self.at_once(16, lambda number, resource: self.up(20, resource) if number % 2 else self.down(resource))
        passed = [number % 2 for number, answer in enumerate(answers) if answer != REFUSED]
        self.assertEqual(passed.count(1), 8)
        self.assertGreaterEqual(passed.count(0), 4)
        self.assertEqual(self.value(), ("N", str(4 + 8 - passed.count(0))))

    def test_a_semaphore_that_is_not_there(self):
        self.assert_client_error(REFUSED, "The conditional request failed", self.up, maximum=5)
        self.assertNotIn("Item", self.table.get_item(Key={"key": "rule-1"}))


class Mutexes(WorkloadCase):
    def setUp(self):
        super().setUp()
        self.table = self.make("key:S")

    def write_lock(self, sha, now=NOW, resource=None):
        (resource or self.resource).Table(self.table.name).put_item(
            Item={"key": "bucket/file", "sha": sha, "expire": now + 30},
            ExpressionAttributeNames={"#key": "key", "#expire": "expire"},
            ConditionExpression="#key <> :key OR (#key = :key AND #expire < :expire)",
            ExpressionAttributeValues={":key": "bucket/file", ":expire": now})
        return sha

    def unlock(self, sha):
        self.table.delete_item(Key={"key": "bucket/file"}, ConditionExpression="#sha = :sha OR attribute_not_exists(sha)",
                               ExpressionAttributeNames={"#sha": "sha"}, ExpressionAttributeValues={":sha": sha})

    def holder(self):
        return self.table.get_item(Key={"key": "bucket/file"}, ConsistentRead=True).get("Item", {}).get("sha")

    def test_of_ten_one_holds_it(self):
        answers = self.at_once(10, lambda number, resource: self.write_lock(f"sha-{number}", resource=resource))
        self.assertEqual(answers.count(REFUSED), 9)
        self.assertIn(self.holder(), answers)

    def test_another_does_not_open_it(self):
        self.write_lock("mine")
        self.assertFalse(self.passes(self.unlock, sha="other"))
        self.assertEqual(self.holder(), "mine")
        self.assertTrue(self.passes(self.unlock, sha="mine"))
        self.assertIsNone(self.holder())
        self.assertTrue(self.passes(self.unlock, sha="mine"), "nothing is there to be opened")

    def test_of_ten_one_takes_over_an_expired_one(self):
        self.write_lock("first")
        self.assertFalse(self.passes(self.write_lock, sha="early", now=NOW + 30))
        answers = self.at_once(10, lambda number, resource: self.write_lock(f"sha-{number}", NOW + 31, resource))
        self.assertEqual(answers.count(REFUSED), 9)
        self.assertIn(self.holder(), answers)
        self.assertFalse(self.passes(self.unlock, sha="first"))

    def test_each_in_turn(self):
        """Eight workers take the lock until they get it, raise a counter that nothing else protects, and open it."""
        self.table.put_item(Item={"key": "counter", "value": 0})

        def work(number, resource):
            table, tries = resource.Table(self.table.name), 0
            while not self.passes(self.write_lock, sha=f"sha-{number}", resource=resource):
                tries += 1
                self.assertLess(tries, 100000)
            value = table.get_item(Key={"key": "counter"}, ConsistentRead=True)["Item"]["value"]
            table.put_item(Item={"key": "counter", "value": value + 1})
            table.delete_item(Key={"key": "bucket/file"}, ConditionExpression="sha = :sha",
                              ExpressionAttributeValues={":sha": f"sha-{number}"})
            return "done"

        self.assertEqual(self.at_once(8, work), ["done"] * 8)
        self.assertEqual(typed(self.table.get_item(Key={"key": "counter"})["Item"]["value"]), ("N", "8"))
        self.assertIsNone(self.holder())


if __name__ == "__main__":
    unittest.main()
