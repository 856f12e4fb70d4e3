"""boto3: Query by KeyConditionExpression: operators, directions, paging, counts, and what is refused."""

import unittest

from boto3.dynamodb.conditions import Key
from running_server import ServerCase

WORDS = ["a", "a#1", "a#2", "ab", "b", "b\u00e9", "c"]
NUMBERS = ["-100", "-1.5", "-1", "0", "0.5", "1", "2", "10", "24.5", "100"]


class Query(ServerCase):
    in_memory = True

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        client = cls.server.client()
        for name, kind, values in (("words", "S", WORDS), ("numbers", "N", NUMBERS)):
            client.create_table(
                TableName=name, BillingMode="PAY_PER_REQUEST",
                KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
                AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "S"},
                                      {"AttributeName": "sk", "AttributeType": kind}])
            for value in sorted(values, reverse=True):
                for partition in ("before", "p", "q"):
                    client.put_item(TableName=name, Item={"pk": {"S": partition}, "sk": {kind: value}})

    def keys(self, table, condition, values, names=None, **more):
        parameters = {"TableName": table, "KeyConditionExpression": condition, **more,
                      "ExpressionAttributeValues": {":p": {"S": "p"}, **values}}
        if names:
            parameters["ExpressionAttributeNames"] = names
        answer = self.client.query(**parameters)
        self.assertEqual((answer["Count"], answer["ScannedCount"]), (len(answer["Items"]),) * 2)
        return [next(iter(item["sk"].values())) for item in answer["Items"]]

    def test_operators_on_strings(self):
        b, z = {":v": {"S": "b"}}, {":v": {"S": "a#"}, ":w": {"S": "b"}}
        self.assertEqual(self.keys("words", "pk = :p", {}), WORDS)
        self.assertEqual(self.keys("words", "pk = :p AND sk = :v", b), ["b"])
        self.assertEqual(self.keys("words", "pk = :p AND sk < :v", b), ["a", "a#1", "a#2", "ab"])
        self.assertEqual(self.keys("words", "pk = :p AND sk <= :v", b), ["a", "a#1", "a#2", "ab", "b"])
        self.assertEqual(self.keys("words", "pk = :p AND sk > :v", b), ["b\u00e9", "c"])
        self.assertEqual(self.keys("words", "pk = :p AND sk >= :v", b), ["b", "b\u00e9", "c"])
        self.assertEqual(self.keys("words", "pk = :p AND sk BETWEEN :v AND :w", z), ["a#1", "a#2", "ab", "b"])
        self.assertEqual(self.keys("words", "pk = :p AND begins_with(sk, :v)", {":v": {"S": "a#"}}), ["a#1", "a#2"])
        self.assertEqual(self.keys("words", "pk = :p AND begins_with(sk, :v)", {":v": {"S": "zz"}}), [])

    def test_numbers_sort_by_value(self):
        self.assertEqual(self.keys("numbers", "pk = :p", {}), NUMBERS)
        self.assertEqual(self.keys("numbers", "pk = :p AND sk < :v", {":v": {"N": "0.50"}}), NUMBERS[:4])
        self.assertEqual(self.keys("numbers", "pk = :p AND sk BETWEEN :v AND :w", {":v": {"N": "-1"}, ":w": {"N": "1e1"}}),
                         ["-1", "0", "0.5", "1", "2", "10"])

    def test_spelling_of_conditions(self):
        for condition in ("sk > :v AND pk = :p", "(pk = :p) AND (sk > :v)", ":p = pk and :v < sk", "#k = :p AND #s > :v"):
            names = {"#k": "pk", "#s": "sk"} if "#" in condition else None
            with self.subTest(condition):
                self.assertEqual(self.keys("words", condition, {":v": {"S": "b"}}, names), ["b\u00e9", "c"])

    def test_backwards(self):
        self.assertEqual(self.keys("numbers", "pk = :p", {}, ScanIndexForward=False), NUMBERS[::-1])
        self.assertEqual(self.keys("numbers", "pk = :p AND sk <= :v", {":v": {"N": "1"}}, ScanIndexForward=False),
                         ["1", "0.5", "0", "-1", "-1.5", "-100"])
        self.assertEqual(self.keys("words", "pk = :p AND begins_with(sk, :v)", {":v": {"S": "a"}}, ScanIndexForward=False),
                         ["ab", "a#2", "a#1", "a"])

    def test_pages_of_every_size(self):
        for forward in (True, False):
            for limit in range(1, len(NUMBERS) + 2):
                seen, start = [], {}
                while True:
                    page = self.client.query(TableName="numbers", KeyConditionExpression="pk = :p", Limit=limit,
                                             ExpressionAttributeValues={":p": {"S": "p"}}, ScanIndexForward=forward, **start)
                    self.assertLessEqual(page["Count"], limit)
                    seen += [item["sk"]["N"] for item in page["Items"]]
                    if "LastEvaluatedKey" not in page:
                        break
                    self.assertEqual(page["LastEvaluatedKey"], {"pk": {"S": "p"}, "sk": {"N": seen[-1]}})
                    start = {"ExclusiveStartKey": page["LastEvaluatedKey"]}
                self.assertEqual(seen, NUMBERS if forward else NUMBERS[::-1], f"limit {limit}, forward {forward}")

    def test_limit_at_the_very_end_still_gives_a_key(self):
        page = self.client.query(TableName="numbers", KeyConditionExpression="pk = :p", Limit=len(NUMBERS),
                                 ExpressionAttributeValues={":p": {"S": "p"}})
        self.assertEqual((page["Count"], page["LastEvaluatedKey"]["sk"]), (len(NUMBERS), {"N": NUMBERS[-1]}))

    def test_start_key_need_not_exist(self):
        start = {"pk": {"S": "p"}, "sk": {"N": "0.75"}}
        self.assertEqual(self.keys("numbers", "pk = :p", {}, ExclusiveStartKey=start), ["1", "2", "10", "24.5", "100"])
        self.assertEqual(self.keys("numbers", "pk = :p", {}, ExclusiveStartKey=start, ScanIndexForward=False),
                         ["0.5", "0", "-1", "-1.5", "-100"])

    def test_start_key_errors(self):
        outside = "The provided starting key is outside query boundaries based on provided conditions"
        for start, message in (
                ({"pk": {"S": "q"}, "sk": {"N": "1"}}, outside),
                ({"pk": {"S": "p"}}, "The provided starting key is invalid")):
            with self.subTest(start=start):
                self.assert_client_error(
                    "ValidationException", message, self.client.query, TableName="numbers", ExclusiveStartKey=start,
                    KeyConditionExpression="pk = :p", ExpressionAttributeValues={":p": {"S": "p"}})
        self.assert_client_error(
            "ValidationException", "The provided starting key does not match the range key predicate", self.client.query,
            TableName="numbers", KeyConditionExpression="pk = :p AND sk > :v",
            ExpressionAttributeValues={":p": {"S": "p"}, ":v": {"N": "5"}},
            ExclusiveStartKey={"pk": {"S": "p"}, "sk": {"N": "1"}})

    def test_select(self):
        query = {"TableName": "words", "KeyConditionExpression": "pk = :p", "ExpressionAttributeValues": {":p": {"S": "p"}}}
        count = self.client.query(Select="COUNT", **query)
        self.assertEqual((count["Count"], count["ScannedCount"]), (len(WORDS),) * 2)
        self.assertNotIn("Items", count)
        self.assertEqual(self.client.query(Select="ALL_ATTRIBUTES", **query)["Count"], len(WORDS))

    def test_consumed_capacity(self):
        query = {"TableName": "words", "KeyConditionExpression": "pk = :p", "ReturnConsumedCapacity": "TOTAL"}
        for partition, consistent, units in (("p", False, 0.5), ("p", True, 1.0), ("nobody", False, 0.5)):
            answer = self.client.query(ExpressionAttributeValues={":p": {"S": partition}}, ConsistentRead=consistent, **query)
            self.assertEqual(answer["ConsumedCapacity"], {"TableName": "words", "CapacityUnits": units})

    def test_one_megabyte_pages(self):
        table = self.make_table("pk:S", "sk:N")
        for number in range(12):
            self.client.put_item(TableName=table, Item={"pk": {"S": "p"}, "sk": {"N": str(number)},
                                                        "v": {"S": "x" * 200_000}})
        sizes, seen = [], []
        for page in self.client.get_paginator("query").paginate(
                TableName=table, KeyConditionExpression="pk = :p", ExpressionAttributeValues={":p": {"S": "p"}}):
            sizes.append(page["Count"])
            seen += [int(item["sk"]["N"]) for item in page["Items"]]
        self.assertEqual(seen, list(range(12)))
        # The sixth item of 200 KB crosses 1 MB.
        self.assertIn(sizes[0], (5, 6))

    def test_resource_conditions(self):
        table = self.server.resource().Table("words")
        found = table.query(KeyConditionExpression=Key("pk").eq("p") & Key("sk").begins_with("b"))
        self.assertEqual([item["sk"] for item in found["Items"]], ["b", "b\u00e9"])

    def refused(self, message, condition, values, **more):
        self.assert_client_error("ValidationException", message, self.client.query, TableName="words",
                                 KeyConditionExpression=condition, ExpressionAttributeValues=values, **more)

    def test_refused_conditions(self):
        p, v = {":p": {"S": "p"}}, {":v": {"S": "v"}}
        self.refused("Query condition missed key schema element: pk", "sk = :v", v)
        self.refused("Query key condition not supported", "pk > :p", p)
        self.refused("Invalid operator used in KeyConditionExpression: OR", "pk = :p OR sk = :v", {**p, **v})
        self.refused("Invalid KeyConditionExpression: The expression can not be empty;", "", p)
        self.refused("Invalid KeyConditionExpression: Attribute name is a reserved keyword; reserved keyword: status",
                     "status = :p", p)
        self.refused("Invalid KeyConditionExpression: An expression attribute name used in the document path is not defined; "
                     "attribute name: #k", "#k = :p", p)
        self.refused("Invalid KeyConditionExpression: An expression attribute value used in expression is not defined; "
                     "attribute value: :v", "pk = :p AND sk = :v", p)
        self.refused("Value provided in ExpressionAttributeValues unused in expressions: keys: {:v}", "pk = :p", {**p, **v})
        self.refused("Value provided in ExpressionAttributeNames unused in expressions: keys: {#n}", "pk = :p", p,
                     ExpressionAttributeNames={"#n": "n"})
        self.refused("One or more parameter values were invalid: Condition parameter type does not match schema type",
                     "pk = :p", {":p": {"N": "1"}})
        self.refused("Invalid KeyConditionExpression: Syntax error; token: \"<EOF>\", near: \"=\"", "pk =", p)

    def test_no_condition(self):
        self.assert_client_error(
            "ValidationException",
            "Either the KeyConditions or KeyConditionExpression parameter must be specified in the request.",
            self.client.query, TableName="words")


if __name__ == "__main__":
    unittest.main()
