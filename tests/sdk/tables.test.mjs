// JS SDK v3: tables and what is kept of their settings, also those that boto3's older service model does not know.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import {
    CreateTableCommand, DeleteTableCommand, DescribeEndpointsCommand, DescribeLimitsCommand, DescribeTableCommand,
    ListTablesCommand, paginateListTables, waitUntilTableExists, waitUntilTableNotExists,
} from "@aws-sdk/client-dynamodb";

import { RunningServer, definitions, keySchema, tableRequest } from "./running_server.mjs";

let server, client;
before(async () => {
    server = await RunningServer.start({ inMemory: true });
    client = server.client();
});
after(() => server?.close());

const describe = async (TableName) => (await client.send(new DescribeTableCommand({ TableName }))).Table;

test("create, describe, wait, delete, wait", async () => {
    const made = await client.send(new CreateTableCommand(tableRequest("life", { pk: "S", sk: "B" })));
    assert.match(made.TableDescription.TableStatus, /^(CREATING|ACTIVE)$/);
    await waitUntilTableExists({ client, maxWaitTime: 30, minDelay: 1, maxDelay: 1 }, { TableName: "life" });
    const table = await describe("life");
    assert.equal(table.TableStatus, "ACTIVE");
    assert.deepEqual(table.KeySchema, keySchema("pk", "sk"));
    assert.equal(table.BillingModeSummary.BillingMode, "PAY_PER_REQUEST");
    assert.ok(table.CreationDateTime instanceof Date);
    assert.equal(table.DeletionProtectionEnabled, false);
    assert.deepEqual(
        [table.WarmThroughput.ReadUnitsPerSecond, table.WarmThroughput.WriteUnitsPerSecond, table.WarmThroughput.Status],
        [12000, 4000, "ACTIVE"]);
    const gone = await client.send(new DeleteTableCommand({ TableName: "life" }));
    assert.equal(gone.TableDescription.TableName, "life");
    await waitUntilTableNotExists({ client, maxWaitTime: 30, minDelay: 1, maxDelay: 1 }, { TableName: "life" });
    await assert.rejects(describe("life"), {
        name: "ResourceNotFoundException", message: "Requested resource not found: Table: life not found",
    });
});

test("indexes, stream, class, encryption, tags and on-demand maximum are kept and described", async () => {
    await client.send(new CreateTableCommand({
        ...tableRequest("settings", { pk: "S", sk: "S" }),
        AttributeDefinitions: definitions({ pk: "S", sk: "S", day: "N" }),
        LocalSecondaryIndexes: [
            { IndexName: "local", KeySchema: keySchema("pk", "day"), Projection: { ProjectionType: "KEYS_ONLY" } }],
        GlobalSecondaryIndexes: [
            { IndexName: "global", KeySchema: keySchema("day", "pk"),
              Projection: { ProjectionType: "INCLUDE", NonKeyAttributes: ["title"] } }],
        StreamSpecification: { StreamEnabled: true, StreamViewType: "NEW_AND_OLD_IMAGES" },
        TableClass: "STANDARD_INFREQUENT_ACCESS",
        SSESpecification: { Enabled: true },
        Tags: [{ Key: "owner", Value: "tests" }],
        OnDemandThroughput: { MaxReadRequestUnits: 100, MaxWriteRequestUnits: 50 },
    }));
    const table = await describe("settings");
    assert.equal(table.LocalSecondaryIndexes[0].IndexArn, `${table.TableArn}/index/local`);
    assert.equal(table.GlobalSecondaryIndexes[0].IndexStatus, "ACTIVE");
    assert.deepEqual(table.GlobalSecondaryIndexes[0].Projection, { ProjectionType: "INCLUDE", NonKeyAttributes: ["title"] });
    assert.deepEqual(table.StreamSpecification, { StreamEnabled: true, StreamViewType: "NEW_AND_OLD_IMAGES" });
    assert.equal(table.TableClassSummary.TableClass, "STANDARD_INFREQUENT_ACCESS");
    assert.equal(table.SSEDescription.SSEType, "KMS");
    assert.deepEqual(table.OnDemandThroughput, { MaxReadRequestUnits: 100, MaxWriteRequestUnits: 50 });
});

test("a protected table cannot be deleted", async () => {
    const request = tableRequest("protected", { pk: "S" }, { DeletionProtectionEnabled: true });
    await client.send(new CreateTableCommand(request));
    assert.equal((await describe("protected")).DeletionProtectionEnabled, true);
    await assert.rejects(client.send(new DeleteTableCommand({ TableName: "protected" })), {
        name: "ValidationException",
        message: "Resource cannot be deleted as it is currently protected against deletion. Disable deletion protection first.",
    });
    assert.equal((await describe("protected")).TableStatus, "ACTIVE");
});

test("an existing name is refused", async () => {
    const request = tableRequest("twice", { pk: "S" });
    await client.send(new CreateTableCommand(request));
    await assert.rejects(client.send(new CreateTableCommand(request)), {
        name: "ResourceInUseException", message: "Table already exists: twice",
    });
});

test("tables are listed in pages, sorted by name", async () => {
    for (const letter of "dbaecf") {
        await client.send(new CreateTableCommand(tableRequest(`zz-${letter}`, { pk: "S" })));
    }
    const names = [];
    for await (const page of paginateListTables({ client, pageSize: 4 }, {})) {
        assert.ok(page.TableNames.length <= 4);
        names.push(...page.TableNames);
    }
    assert.deepEqual(names, [...names].sort());
    assert.deepEqual(names.filter((name) => name.startsWith("zz-")), [..."abcdef"].map((letter) => `zz-${letter}`));
    const page = await client.send(new ListTablesCommand({ ExclusiveStartTableName: "zz-c", Limit: 2 }));
    assert.deepEqual([page.TableNames, page.LastEvaluatedTableName], [["zz-d", "zz-e"], "zz-e"]);
});

test("a table name that is too short", async () => {
    await assert.rejects(client.send(new CreateTableCommand(tableRequest("ab", { pk: "S" }))), {
        name: "ValidationException",
        message: "TableName must be at least 3 characters long and at most 255 characters long",
    });
});

test("limits and endpoints", async () => {
    const limits = await client.send(new DescribeLimitsCommand({}));
    assert.deepEqual([limits.AccountMaxReadCapacityUnits, limits.TableMaxWriteCapacityUnits], [80000, 40000]);
    const { Endpoints } = await client.send(new DescribeEndpointsCommand({}));
    assert.deepEqual(Endpoints, [{ Address: "dynamodb.us-east-1.amazonaws.com", CachePeriodInMinutes: 1440 }]);
});
