// Cumulus granules through the JavaScript document client, the kind of client that Cumulus itself uses.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";

import { CreateTableCommand, GetItemCommand } from "@aws-sdk/client-dynamodb";
import {
    BatchWriteCommand, DeleteCommand, GetCommand, PutCommand, QueryCommand, UpdateCommand, paginateQuery, paginateScan,
} from "@aws-sdk/lib-dynamodb";

import { RunningServer, definitions, keySchema, tableRequest } from "../../sdk/running_server.mjs";

const TableName = "GranulesTable";
const record = () => JSON.parse(readFileSync(new URL("granule.json", import.meta.url), "utf8"));
const keyOf = ({ collectionName, granuleId }) => ({ collectionName, granuleId });
let server, documents;

before(async () => {
    server = await RunningServer.start();
    documents = server.documentClient();
    await documents.send(new CreateTableCommand(tableRequest(TableName, { collectionName: "S", granuleId: "S" }, {
        BillingMode: "PROVISIONED",
        ProvisionedThroughput: { ReadCapacityUnits: 5, WriteCapacityUnits: 5 },
        StreamSpecification: { StreamEnabled: true, StreamViewType: "NEW_IMAGE" },
    })));
});
after(() => server?.close());

test("the example record survives kill -9, equal in every value and type", async () => {
    await documents.send(new PutCommand({ TableName, Item: record() }));
    await server.crashAndRestart();
    documents = server.documentClient();
    const Key = keyOf(record());
    const { Item } = await documents.send(new GetCommand({ TableName, Key, ConsistentRead: true }));
    assert.deepStrictEqual(Item, record());
    const raw = await server.client().send(new GetItemCommand({
        TableName, Key: { collectionName: { S: Key.collectionName }, granuleId: { S: Key.granuleId } },
    }));
    assert.deepStrictEqual(raw.Item.createdAt, { N: "1480962569" });
    assert.deepStrictEqual(raw.Item.recipe.L[2].M, { name: { S: "archive" }, config: { M: {} } });
    assert.deepStrictEqual(Object.keys(raw.Item.files.M).sort(), Object.keys(record().files).sort());
});

test("a missing granule and half a key", async () => {
    const { Item } = await documents.send(new GetCommand({
        TableName, Key: { collectionName: "AVAPS", granuleId: "none" }, ConsistentRead: true,
    }));
    assert.equal(Item, undefined);
    await assert.rejects(documents.send(new GetCommand({ TableName, Key: { granuleId: "none" } })), {
        name: "ValidationException", message: "The provided key element does not match the schema",
    });
});

test("put and delete give the old record back", async () => {
    const Item = { ...record(), granuleId: "replaced" };
    await documents.send(new PutCommand({ TableName, Item }));
    const put = await documents.send(new PutCommand({ TableName, Item: { ...Item, failedAt: null }, ReturnValues: "ALL_OLD" }));
    assert.deepStrictEqual(put.Attributes, Item);
    const gone = await documents.send(new DeleteCommand({ TableName, Key: keyOf(Item), ReturnValues: "ALL_OLD" }));
    assert.deepStrictEqual(gone.Attributes, { ...Item, failedAt: null });
});

test("granules of a collection, in order, over pages and segments", async () => {
    const ids = Array.from({ length: 25 }, (_, index) => `granule.${String(index).padStart(3, "0")}`);
    for (const granuleId of [...ids].reverse()) {
        await documents.send(new PutCommand({ TableName, Item: { collectionName: "MOD09GQ", granuleId, duration: 12.345 } }));
    }
    const parameters = { TableName, KeyConditionExpression: "#0 = :0", ExpressionAttributeNames: { "#0": "collectionName" },
                         ExpressionAttributeValues: { ":0": "MOD09GQ" } };
    const seen = [], sizes = [];
    for await (const page of paginateQuery({ client: documents, pageSize: 10 }, { ...parameters })) {
        seen.push(...page.Items.map(({ granuleId }) => granuleId));
        sizes.push(page.Count);
    }
    assert.deepEqual([seen, sizes], [ids, [10, 10, 5]]);
    const counted = await documents.send(new QueryCommand({
        ...parameters, Select: "COUNT", ScanIndexForward: false,
        KeyConditionExpression: "#0 = :0 AND granuleId BETWEEN :a AND :b",
        ExpressionAttributeValues: { ":0": "MOD09GQ", ":a": ids[5], ":b": ids[9] },
    }));
    assert.equal(counted.Count, 5);
    const scanned = [];
    for (const Segment of [0, 1, 2]) {
        for await (const page of paginateScan({ client: documents, pageSize: 4 }, { TableName, Segment, TotalSegments: 3 })) {
            scanned.push(...page.Items.filter(({ collectionName }) => collectionName === "MOD09GQ"));
        }
    }
    assert.deepEqual(scanned.map(({ granuleId }) => granuleId).sort(), ids);
});

test("granules of a collection through the index of later versions, also after kill -9", async () => {
    const TableName = "stack-GranulesTable", IndexName = "collectionId-granuleId-index";
    await documents.send(new CreateTableCommand(tableRequest(TableName, { granuleId: "S" }, {
        AttributeDefinitions: definitions({ granuleId: "S", collectionId: "S" }),
        GlobalSecondaryIndexes: [
            { IndexName, KeySchema: keySchema("collectionId", "granuleId"), Projection: { ProjectionType: "ALL" } }],
    })));
    const granules = Array.from({ length: 48 }, (_, number) => ({
        granuleId: `granule.${String(number).padStart(3, "0")}`, collectionId: `MOD09GQ___00${number % 2}`,
        status: number % 3 ? "completed" : "failed", provider: `provider-${number % 4}`, updatedAt: 1000 + number, files: [],
    }));
    for (const first of [24, 0]) {
        const requests = granules.slice(first, first + 24).map((Item) => ({ PutRequest: { Item } }));
        await documents.send(new BatchWriteCommand({ RequestItems: { [TableName]: requests } }));
    }
    const walk = async (collectionId) => {
        const fields = ["granuleId", "status", "collectionId", "provider", "updatedAt"];
        const found = [];
        for await (const page of paginateQuery({ client: documents, pageSize: 5 }, {
            TableName, IndexName, KeyConditionExpression: "#collectionId = :collectionId",
            FilterExpression: "#status = :status AND #provider IN (:provider0, :provider1) AND #updatedAt >= :updatedAt__from",
            ProjectionExpression: fields.map((field) => `#${field}`).join(", "),
            ExpressionAttributeNames: Object.fromEntries(fields.map((field) => [`#${field}`, field])),
            ExpressionAttributeValues: {
                ":collectionId": collectionId, ":status": "completed", ":provider0": "provider-1", ":provider1": "provider-2",
                ":updatedAt__from": 1010,
            },
        })) {
            found.push(...page.Items);
        }
        return found;
    };
    const wanted = (collectionId) => granules
        .filter((granule) => granule.collectionId === collectionId && granule.status === "completed"
            && ["provider-1", "provider-2"].includes(granule.provider) && granule.updatedAt >= 1010)
        .map(({ files, ...shown }) => shown);
    for (const collectionId of ["MOD09GQ___000", "MOD09GQ___001"]) {
        assert.ok(wanted(collectionId).length > 3);
        assert.deepEqual(await walk(collectionId), wanted(collectionId));
    }
    const moved = granules.find(({ granuleId }) => granuleId === wanted("MOD09GQ___000")[0].granuleId);
    moved.collectionId = "MOD09GQ___001";
    await documents.send(new UpdateCommand({
        TableName, Key: { granuleId: moved.granuleId }, UpdateExpression: "SET collectionId = :collectionId",
        ExpressionAttributeValues: { ":collectionId": moved.collectionId },
    }));
    await server.crashAndRestart();
    documents = server.documentClient();
    for (const collectionId of ["MOD09GQ___000", "MOD09GQ___001"]) {
        assert.deepEqual(await walk(collectionId), wanted(collectionId));
    }
    await assert.rejects(documents.send(new QueryCommand({
        TableName, IndexName, KeyConditionExpression: "collectionId = :c", ExpressionAttributeValues: { ":c": "c" },
        ConsistentRead: true,
    })), { name: "ValidationException", message: "Consistent reads are not supported on global secondary indexes" });
});
