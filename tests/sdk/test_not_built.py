"""What is not built yet is refused, and never ignored: every operation and parameter that docs/COMPATIBILITY.md lists so."""

import http.client
import json
import pathlib
import re
import unittest
import urllib.parse

from running_server import ServerCase, definitions, key_schema

COMPATIBILITY = pathlib.Path(__file__).resolve().parents[2] / "docs/COMPATIBILITY.md"
STREAMS = {"DescribeStream", "GetRecords", "GetShardIterator", "ListStreams"}
LATER_OPERATIONS = re.findall(r"^\| ([A-Z]\w+) \| not yet \|", COMPATIBILITY.read_text(encoding="utf-8"), re.M)


class NotBuilt(ServerCase):
    in_memory = True

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.table = "table"
        client = cls.server.client()
        client.create_table(
            TableName=cls.table, KeySchema=key_schema("pk:S", "sk:S"), BillingMode="PAY_PER_REQUEST",
            AttributeDefinitions=definitions("pk:S", "sk:S"))
        cls.key = {"pk": {"S": "a"}, "sk": {"S": "b"}}
        cls.item = {**cls.key, "v": {"S": "kept"}}
        client.put_item(TableName=cls.table, Item=cls.item)

    def tearDown(self):
        found = self.client.scan(TableName=self.table)["Items"]
        self.assertEqual(found, [self.item], "a refused request changed something")

    def test_operations(self):
        self.assertTrue(LATER_OPERATIONS)
        address = urllib.parse.urlsplit(self.server.endpoint)
        for name in LATER_OPERATIONS:
            version = "DynamoDBStreams_20120810" if name in STREAMS else "DynamoDB_20120810"
            with self.subTest(name):
                connection = http.client.HTTPConnection(address.hostname, address.port, timeout=30)
                connection.request("POST", "/", "{}", {
                    "Content-Type": "application/x-amz-json-1.0", "X-Amz-Target": f"{version}.{name}"})
                answer = connection.getresponse()
                self.assertEqual((answer.status, json.loads(answer.read())), (
                    400, {"__type": "com.amazon.coral.service#UnknownOperationException"}))
                connection.close()

    def test_operations_through_the_sdk(self):
        self.assert_client_error("UnknownOperationException", "", self.client.execute_statement,
                                 Statement=f'SELECT * FROM "{self.table}"')


if __name__ == "__main__":
    unittest.main()
