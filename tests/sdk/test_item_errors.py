"""boto3: what PutItem, GetItem and DeleteItem refuse, with the service's classes and texts."""

import unittest

from running_server import ServerCase, definitions, key_schema

INVALID = "One or more parameter values were invalid: "
MISMATCH = "The provided key element does not match the schema"


def nested(levels):
    value = {"S": "bottom"}
    for _ in range(levels):
        value = {"M": {"m": value}}
    return value


class ItemErrors(ServerCase):
    in_memory = True

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.table = "errors"
        cls.server.client().create_table(
            TableName=cls.table, KeySchema=key_schema("pk:S", "sk:N"), BillingMode="PAY_PER_REQUEST",
            AttributeDefinitions=definitions("pk:S", "sk:N", "length:N", "state:S"), GlobalSecondaryIndexes=[
                {"IndexName": "LengthIndex", "KeySchema": key_schema("state:S", "length:N"),
                 "Projection": {"ProjectionType": "ALL"}}])

    def put_refused(self, message, **attributes):
        item = {"pk": {"S": "a"}, "sk": {"N": "1"}, **attributes}
        item = {name: value for name, value in item.items() if value is not None}
        self.assert_client_error("ValidationException", message, self.client.put_item, TableName=self.table, Item=item)
        self.assertEqual(self.client.scan(TableName=self.table)["Count"], 0)

    def test_keys_of_an_item(self):
        self.put_refused(INVALID + "Missing the key sk in the item", sk=None)
        self.put_refused(INVALID + "Missing the key pk in the item", pk=None)
        self.put_refused(INVALID + "Type mismatch for key sk expected: N actual: S", sk={"S": "1"})
        self.put_refused("One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain "
                         "an empty string value. Key: pk", pk={"S": ""})

    def test_size_of_keys(self):
        self.client.put_item(TableName=self.table, Item={"pk": {"S": "x" * 2048}, "sk": {"N": "1"}})
        self.client.delete_item(TableName=self.table, Key={"pk": {"S": "x" * 2048}, "sk": {"N": "1"}})
        self.put_refused(INVALID + "Size of hashkey has exceeded the maximum size limit of2048 bytes", pk={"S": "x" * 2049})
        table = self.make_table("pk:S", "sk:S")
        self.client.put_item(TableName=table, Item={"pk": {"S": "a"}, "sk": {"S": "x" * 1024}})
        self.assert_client_error(
            "ValidationException", INVALID + "Aggregated size of all range keys has exceeded the size limit of 1024 bytes",
            self.client.put_item, TableName=table, Item={"pk": {"S": "a"}, "sk": {"S": "x" * 1025}})

    def test_keys_of_an_index(self):
        self.put_refused(INVALID + "Type mismatch for Index Key length Expected: N Actual: S IndexName: LengthIndex",
                         state={"S": "x"}, length={"S": "1"})
        self.put_refused("One or more parameter values are not valid. A value specified for a secondary index key is not "
                         "supported. The AttributeValue for a key attribute cannot contain an empty string value. "
                         "IndexName: LengthIndex, IndexKey: state", state={"S": ""}, length={"N": "1"})

    def test_key_of_get_and_delete(self):
        for key in ({"pk": {"S": "a"}}, {"pk": {"S": "a"}, "sk": {"S": "1"}}, {"pk": {"S": "a"}, "other": {"N": "1"}},
                    {"pk": {"S": "a"}, "sk": {"N": "1"}, "x": {"N": "1"}}):
            for call in (self.client.get_item, self.client.delete_item):
                with self.subTest(key=key):
                    self.assert_client_error("ValidationException", MISMATCH, call, TableName=self.table, Key=key)

    def test_unknown_table(self):
        key = {"pk": {"S": "a"}}
        for call, more in ((self.client.get_item, {"Key": key}), (self.client.delete_item, {"Key": key}),
                           (self.client.put_item, {"Item": key}), (self.client.scan, {})):
            self.assert_client_error("ResourceNotFoundException", "Requested resource not found", call,
                                     TableName="no-such-table", **more)

    def test_sets(self):
        self.put_refused(INVALID + "An string set  may not be empty", v={"SS": []})
        self.put_refused(INVALID + "An number set  may not be empty", v={"NS": []})
        self.put_refused(INVALID + "Binary sets should not be empty", v={"BS": []})
        self.put_refused(INVALID + "Input collection [a, a] contains duplicates.", v={"SS": ["a", "a"]})
        self.put_refused("Input collection contains duplicates", v={"NS": ["1", "1.0"]})

    def test_numbers(self):
        self.put_refused("The parameter cannot be converted to a numeric value: abc", v={"N": "abc"})
        self.put_refused("The parameter cannot be converted to a numeric value", v={"N": ""})
        self.put_refused("Attempting to store more than 38 significant digits in a Number", v={"N": "1" * 39})
        self.put_refused("Number overflow. Attempting to store a number with magnitude larger than supported range",
                         v={"N": "1e126"})
        self.put_refused("Number underflow. Attempting to store a number with magnitude smaller than supported range",
                         v={"N": "1e-131"})

    def test_other_values(self):
        self.put_refused(INVALID + "Null attribute value types must have the value of true", v={"NULL": False})
        self.put_refused("Supplied AttributeValue is empty, must contain exactly one of the supported datatypes", v={})
        self.put_refused("Empty attribute name", v={"M": {"": {"S": "x"}}})
        self.put_refused("Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond "
                         "supported limit", v=nested(32))
        self.client.put_item(TableName=self.table, Item={"pk": {"S": "deep"}, "sk": {"N": "1"}, "v": nested(31)})
        self.client.delete_item(TableName=self.table, Key={"pk": {"S": "deep"}, "sk": {"N": "1"}})

    def test_enumerations(self):
        item = {"pk": {"S": "a"}, "sk": {"N": "1"}}
        self.assert_client_error("ValidationException", "ReturnValues can only be ALL_OLD or NONE", self.client.put_item,
                                 TableName=self.table, Item=item, ReturnValues="ALL_NEW")
        self.assert_client_error(
            "ValidationException", "2 validation errors detected: Value 'SOME' at 'returnConsumedCapacity' failed to "
            "satisfy constraint: Member must satisfy enum value set: [INDEXES, TOTAL, NONE]; Value 'LATEST' at "
            "'returnValues' failed to satisfy constraint: Member must satisfy enum value set: [ALL_NEW, UPDATED_OLD, "
            "ALL_OLD, NONE, UPDATED_NEW]", self.client.put_item, TableName=self.table, Item=item, ReturnValues="LATEST",
            ReturnConsumedCapacity="SOME")
        self.assert_client_error(
            "ValidationException", "1 validation error detected: Value 'not a name' at 'tableName' failed to satisfy "
            "constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+", self.client.get_item,
            TableName="not a name", Key={"pk": {"S": "a"}})


if __name__ == "__main__":
    unittest.main()
