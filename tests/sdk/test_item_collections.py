"""boto3: the limit of item collections, which a setting turns on."""

import unittest

from running_server import ServerCase, definitions, key_schema

LIMIT_BYTES = 20_000
ITEM = {"pk": {"S": "a"}, "rank": {"N": "1"}, "text": {"S": "x" * 3000}}


class ItemCollectionLimit(ServerCase):
    in_memory = True
    server_options = ("--item-collection-limit-bytes", str(LIMIT_BYTES))

    def setUp(self):
        super().setUp()
        self.table = self.table_name() + "-indexed"
        self.client.create_table(
            TableName=self.table, KeySchema=key_schema("pk:S", "sk:N"), BillingMode="PAY_PER_REQUEST",
            AttributeDefinitions=definitions("pk:S", "sk:N", "rank:N"),
            LocalSecondaryIndexes=[{"IndexName": "by_rank", "KeySchema": key_schema("pk:S", "rank:N"),
                                    "Projection": {"ProjectionType": "ALL"}}])

    def put(self, number, **more):
        return self.client.put_item(TableName=self.table, Item={**ITEM, "sk": {"N": str(number)}, **more})

    def test_growth_ends_at_the_limit(self):
        # An item and its index entry have 2 * 3,019 bytes: three fit.
        for number in range(3):
            self.put(number)
        refused = ("ItemCollectionSizeLimitExceededException", "Collection size exceeded.")
        self.assert_client_error(*refused, lambda: self.put(3))
        self.assert_client_error(*refused, self.client.update_item, TableName=self.table,
                                 Key={"pk": {"S": "a"}, "sk": {"N": "0"}}, UpdateExpression="SET more = :m",
                                 ExpressionAttributeValues={":m": {"S": "x" * 3000}})
        self.assertEqual(self.client.query(TableName=self.table, IndexName="by_rank", Select="COUNT",
                                           KeyConditionExpression="pk = :p",
                                           ExpressionAttributeValues={":p": {"S": "a"}})["Count"], 3)
        self.put(0, text={"S": "shorter"})
        self.put(3)
        self.put(4, pk={"S": "another collection"})

    def test_tables_without_local_indexes_have_no_limit(self):
        name = self.table_name()
        self.client.create_table(TableName=name, KeySchema=key_schema("pk:S", "sk:N"), BillingMode="PAY_PER_REQUEST",
                                 AttributeDefinitions=definitions("pk:S", "sk:N"))
        for number in range(10):
            self.client.put_item(TableName=name, Item={**ITEM, "sk": {"N": str(number)}})


if __name__ == "__main__":
    unittest.main()
