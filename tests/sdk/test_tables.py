"""boto3: CreateTable in its variants, DescribeTable, ListTables, DeleteTable, waiters, DescribeLimits, DescribeEndpoints."""

import datetime
import unittest
import unittest.mock

from running_server import ServerCase, definitions, key_schema, table_request

INVALID = "One or more parameter values were invalid: "
SOON = {"Delay": 1, "MaxAttempts": 30}


class Tables(ServerCase):
    in_memory = True

    def describe(self, name):
        return self.client.describe_table(TableName=name)["Table"]

    def test_on_demand_table(self):
        name = self.table_name()
        made = self.client.create_table(**table_request(name, "pk:S", "sk:N"))["TableDescription"]
        self.assertEqual(made["TableName"], name)
        self.assertIn(made["TableStatus"], {"CREATING", "ACTIVE"})
        table = self.describe(name)
        self.assertEqual(table["TableStatus"], "ACTIVE")
        self.assertEqual(table["KeySchema"], key_schema("pk:S", "sk:N"))
        self.assertEqual(table["AttributeDefinitions"], definitions("pk:S", "sk:N"))
        self.assertEqual(table["TableArn"], f"arn:aws:dynamodb:us-east-1:000000000000:table/{name}")
        self.assertRegex(table["TableId"], r"^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$")
        self.assertEqual((table["ItemCount"], table["TableSizeBytes"]), (0, 0))
        self.assertEqual(table["BillingModeSummary"]["BillingMode"], "PAY_PER_REQUEST")
        self.assertEqual((table["ProvisionedThroughput"]["ReadCapacityUnits"],
                          table["ProvisionedThroughput"]["WriteCapacityUnits"],
                          table["ProvisionedThroughput"]["NumberOfDecreasesToday"]), (0, 0, 0))
        age = datetime.datetime.now(datetime.timezone.utc) - table["CreationDateTime"]
        self.assertLess(abs(age.total_seconds()), 3600)
        for absent in ("LocalSecondaryIndexes", "GlobalSecondaryIndexes", "StreamSpecification", "SSEDescription",
                       "TableClassSummary"):
            self.assertNotIn(absent, table)

    def test_provisioned_table(self):
        name = self.make_table("pk:B", BillingMode="PROVISIONED",
                               ProvisionedThroughput={"ReadCapacityUnits": 5, "WriteCapacityUnits": 6})
        table = self.describe(name)
        self.assertNotIn("BillingModeSummary", table)
        self.assertEqual((table["ProvisionedThroughput"]["ReadCapacityUnits"],
                          table["ProvisionedThroughput"]["WriteCapacityUnits"]), (5, 6))

    def test_attribute_definitions_are_sorted(self):
        name = self.make_table("zebra:S", "ant:B")
        self.assertEqual(self.describe(name)["AttributeDefinitions"], definitions("ant:B", "zebra:S"))

    def test_local_indexes_are_described(self):
        name = self.table_name()
        self.client.create_table(TableName=name, KeySchema=key_schema("pk:S", "sk:S"), BillingMode="PAY_PER_REQUEST",
                                 AttributeDefinitions=definitions("pk:S", "sk:S", "day:N"), LocalSecondaryIndexes=[
            {"IndexName": "by-day", "KeySchema": key_schema("pk:S", "day:N"),
             "Projection": {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["title", "abstract"]}}])
        index, = self.describe(name)["LocalSecondaryIndexes"]
        self.assertEqual(index["IndexName"], "by-day")
        self.assertEqual(index["KeySchema"], key_schema("pk:S", "day:N"))
        self.assertEqual(index["Projection"], {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["abstract", "title"]})
        self.assertEqual((index["IndexSizeBytes"], index["ItemCount"]), (0, 0))
        self.assertEqual(index["IndexArn"], f"arn:aws:dynamodb:us-east-1:000000000000:table/{name}/index/by-day")

    def test_global_indexes_are_described(self):
        name = self.table_name()
        units = {"ReadCapacityUnits": 10, "WriteCapacityUnits": 5}
        self.client.create_table(
            TableName=name, KeySchema=key_schema("itemID:S"), ProvisionedThroughput=units,
            AttributeDefinitions=definitions("itemID:S", "ItemState:S", "Log_Length:N"),
            GlobalSecondaryIndexes=[
                {"IndexName": "StateIndex", "KeySchema": key_schema("ItemState:S", "itemID:S"),
                 "Projection": {"ProjectionType": "ALL"}, "ProvisionedThroughput": units},
                {"IndexName": "LoggingIndex", "KeySchema": key_schema("ItemState:S", "Log_Length:N"),
                 "Projection": {"ProjectionType": "KEYS_ONLY"}, "ProvisionedThroughput": units}])
        indexes = self.describe(name)["GlobalSecondaryIndexes"]
        self.assertEqual({index["IndexName"] for index in indexes}, {"StateIndex", "LoggingIndex"})
        for index in indexes:
            self.assertEqual(index["IndexStatus"], "ACTIVE")
            self.assertEqual(index["ProvisionedThroughput"]["ReadCapacityUnits"], 10)
            self.assertEqual(index["ProvisionedThroughput"]["WriteCapacityUnits"], 5)
            self.assertNotIn("Backfilling", index)

    def test_settings_are_kept_and_described(self):
        name = self.make_table("pk:S", StreamSpecification={"StreamEnabled": True, "StreamViewType": "NEW_IMAGE"},
                               Tags=[{"Key": "stage", "Value": "test"}], SSESpecification={"Enabled": True},
                               TableClass="STANDARD_INFREQUENT_ACCESS")
        table = self.describe(name)
        self.assertEqual(table["StreamSpecification"], {"StreamEnabled": True, "StreamViewType": "NEW_IMAGE"})
        self.assertRegex(table["LatestStreamLabel"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}$")
        self.assertEqual(table["LatestStreamArn"], f"{table['TableArn']}/stream/{table['LatestStreamLabel']}")
        self.assertEqual((table["SSEDescription"]["Status"], table["SSEDescription"]["SSEType"]), ("ENABLED", "KMS"))
        self.assertEqual(table["TableClassSummary"]["TableClass"], "STANDARD_INFREQUENT_ACCESS")

    def test_tags(self):
        name = self.make_table("pk:S", Tags=[{"Key": "stage", "Value": "test"}])
        arn = self.describe(name)["TableArn"]
        self.client.tag_resource(ResourceArn=arn, Tags=[{"Key": "owner", "Value": "me"}, {"Key": "stage", "Value": ""}])
        pages = self.client.get_paginator("list_tags_of_resource").paginate(ResourceArn=arn)
        self.assertEqual([tag for page in pages for tag in page["Tags"]],
                         [{"Key": "stage", "Value": ""}, {"Key": "owner", "Value": "me"}])
        self.client.untag_resource(ResourceArn=arn, TagKeys=["stage", "unknown"])
        self.assertEqual(self.client.list_tags_of_resource(ResourceArn=arn)["Tags"], [{"Key": "owner", "Value": "me"}])
        self.assert_client_error("AccessDeniedException", "Access is denied", self.client.list_tags_of_resource,
                                 ResourceArn=arn.replace("000000000000", "111122223333"))

    def test_existing_name(self):
        name = self.make_table("pk:S")
        self.assert_client_error("ResourceInUseException", f"Table already exists: {name}", self.client.create_table,
                                 **table_request(name, "pk:S"))

    def test_unknown_table(self):
        message = "Requested resource not found: Table: no-such-table not found"
        for call in (self.client.describe_table, self.client.delete_table):
            self.assert_client_error("ResourceNotFoundException", message, call, TableName="no-such-table")

    def test_delete_frees_the_name(self):
        name = self.make_table("pk:S")
        self.client.put_item(TableName=name, Item={"pk": {"S": "a"}})
        before = self.describe(name)
        gone = self.client.delete_table(TableName=name)["TableDescription"]
        self.assertEqual((gone["TableName"], gone["TableId"]), (name, before["TableId"]))
        self.client.get_waiter("table_not_exists").wait(TableName=name, WaiterConfig=SOON)
        self.assertNotIn(name, self.client.list_tables()["TableNames"])
        self.make_table("pk:S")
        again = self.describe(name)
        self.assertEqual(again["TableArn"], before["TableArn"])
        self.assertNotEqual(again["TableId"], before["TableId"])
        self.assertEqual(self.client.scan(TableName=name)["Count"], 0)

    def test_table_is_usable_at_once_and_waiters_agree(self):
        name = self.make_table("pk:S")
        self.client.put_item(TableName=name, Item={"pk": {"S": "a"}})
        self.client.get_waiter("table_exists").wait(TableName=name, WaiterConfig={"Delay": 1, "MaxAttempts": 1})
        self.client.delete_table(TableName=name)
        self.client.get_waiter("table_not_exists").wait(TableName=name, WaiterConfig={"Delay": 1, "MaxAttempts": 1})

    def test_resource_api(self):
        name = self.table_name()
        table = self.server.resource().create_table(**table_request(name, "pk:S"))
        table.wait_until_exists()
        table.reload()
        self.assertEqual((table.table_status, table.item_count), ("ACTIVE", 0))
        table.delete()
        table.wait_until_not_exists()

    def test_limits_and_endpoints(self):
        limits = self.client.describe_limits()
        self.assertEqual([limits[name] for name in (
            "AccountMaxReadCapacityUnits", "AccountMaxWriteCapacityUnits", "TableMaxReadCapacityUnits",
            "TableMaxWriteCapacityUnits")], [80000, 80000, 40000, 40000])
        endpoint, = self.client.describe_endpoints()["Endpoints"]
        self.assertEqual(endpoint, {"Address": "dynamodb.us-east-1.amazonaws.com", "CachePeriodInMinutes": 1440})


class CreateTableRules(ServerCase):
    in_memory = True

    def refused(self, message, **parameters):
        name = self.table_name()
        request = {"TableName": name, "BillingMode": "PAY_PER_REQUEST", **parameters}
        self.assert_client_error("ValidationException", message, self.client.create_table, **request)
        self.assertNotIn(name, self.client.list_tables()["TableNames"])

    def test_throughput_with_on_demand(self):
        self.refused(INVALID + "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is "
                     "PAY_PER_REQUEST", KeySchema=key_schema("pk:S"), AttributeDefinitions=definitions("pk:S"),
                     ProvisionedThroughput={"ReadCapacityUnits": 1, "WriteCapacityUnits": 1})

    def test_no_throughput_when_provisioned(self):
        self.refused(INVALID + "ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode is "
                     "PROVISIONED", BillingMode="PROVISIONED", KeySchema=key_schema("pk:S"),
                     AttributeDefinitions=definitions("pk:S"))

    def test_undefined_key(self):
        self.refused(INVALID + "Some index key attributes are not defined in AttributeDefinitions. Keys: [pk], "
                     "AttributeDefinitions: [other]", KeySchema=key_schema("pk:S"),
                     AttributeDefinitions=definitions("other:S"))

    def test_unused_definition(self):
        self.refused(INVALID + "Number of attributes in KeySchema does not exactly match number of attributes defined in "
                     "AttributeDefinitions", KeySchema=key_schema("pk:S"), AttributeDefinitions=definitions("pk:S", "x:S"))

    def test_range_key_first(self):
        self.refused("Invalid KeySchema: The first KeySchemaElement is not a HASH key type",
                     KeySchema=[{"AttributeName": "pk", "KeyType": "RANGE"}], AttributeDefinitions=definitions("pk:S"))

    def test_same_name_twice(self):
        self.refused("Both the Hash Key and the Range Key element in the KeySchema have the same name",
                     KeySchema=key_schema("pk:S", "pk:S"), AttributeDefinitions=definitions("pk:S", "x:S"))

    def test_wrong_enumerations(self):
        self.refused("1 validation error detected: Value 'DAILY' at 'billingMode' failed to satisfy constraint: Member "
                     "must satisfy enum value set: [PROVISIONED, PAY_PER_REQUEST]", BillingMode="DAILY",
                     KeySchema=key_schema("pk:S"), AttributeDefinitions=definitions("pk:S"))

    def test_local_index_without_range_key(self):
        self.refused(INVALID + "Table KeySchema does not have a range key, which is required when specifying a "
                     "LocalSecondaryIndex", KeySchema=key_schema("pk:S"), AttributeDefinitions=definitions("pk:S", "x:S"),
                     LocalSecondaryIndexes=[{"IndexName": "index", "KeySchema": key_schema("pk:S", "x:S"),
                                             "Projection": {"ProjectionType": "ALL"}}])

    def test_projection_rules(self):
        self.refused(INVALID + "ProjectionType is KEYS_ONLY, but NonKeyAttributes is specified",
                     KeySchema=key_schema("pk:S"), AttributeDefinitions=definitions("pk:S", "x:S"),
                     GlobalSecondaryIndexes=[{"IndexName": "index", "KeySchema": key_schema("x:S"), "Projection": {
                         "ProjectionType": "KEYS_ONLY", "NonKeyAttributes": ["a"]}}])

    def test_stream_without_view_type(self):
        self.refused(INVALID + "Table is being created with a stream enabled, UpdateViewType is required",
                     KeySchema=key_schema("pk:S"), AttributeDefinitions=definitions("pk:S"),
                     StreamSpecification={"StreamEnabled": True})


class ListTables(ServerCase):
    in_memory = True

    def test_pages(self):
        self.assertEqual(self.client.list_tables(), {"TableNames": [], **self.metadata()})
        names = sorted(f"Table.{number:02}-{letter}" for number in range(4) for letter in "xY")
        for name in reversed(names):
            self.make_table("pk:S", name=name)
        self.assertEqual(self.client.list_tables()["TableNames"], names)
        first = self.client.list_tables(Limit=3)
        self.assertEqual((first["TableNames"], first["LastEvaluatedTableName"]), (names[:3], names[2]))
        pages = self.client.get_paginator("list_tables").paginate(PaginationConfig={"PageSize": 3})
        sizes, seen = [], []
        for page in pages:
            sizes.append(len(page["TableNames"]))
            seen += page["TableNames"]
        self.assertEqual((seen, sizes), (names, [3, 3, 2]))
        self.assertNotIn("LastEvaluatedTableName", self.client.list_tables(Limit=len(names)))
        after = self.client.list_tables(ExclusiveStartTableName="Table.01-z")
        self.assertEqual(after["TableNames"], names[4:])

    def metadata(self):
        return {"ResponseMetadata": unittest.mock.ANY}

    def test_limit_bounds(self):
        self.assert_client_error(
            "ValidationException", "1 validation error detected: Value '101' at 'limit' failed to satisfy constraint: "
            "Member must have value less than or equal to 100", self.client.list_tables, Limit=101)


class Transitions(ServerCase):
    """With table_transition_ms a table passes through CREATING and DELETING as the service's does."""

    in_memory = True
    server_options = ("--table-transition-ms", "4000")

    def test_creating_and_deleting(self):
        name = self.table_name()
        made = self.client.create_table(**table_request(name, "pk:S"))["TableDescription"]
        self.assertEqual(made["TableStatus"], "CREATING")
        self.assert_client_error("ResourceNotFoundException", "Requested resource not found", self.client.put_item,
                                 TableName=name, Item={"pk": {"S": "a"}})
        self.client.get_waiter("table_exists").wait(TableName=name, WaiterConfig=SOON)
        self.client.put_item(TableName=name, Item={"pk": {"S": "a"}})
        gone = self.client.delete_table(TableName=name)["TableDescription"]
        self.assertEqual(gone["TableStatus"], "DELETING")
        self.assert_client_error(
            "ResourceInUseException",
            f"Attempt to change a resource which is still in use: Table is being deleted: {name}",
            self.client.delete_table, TableName=name)
        self.client.get_waiter("table_not_exists").wait(TableName=name, WaiterConfig=SOON)


if __name__ == "__main__":
    unittest.main()
