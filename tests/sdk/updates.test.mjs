// JS SDK v3: updates, conditions, batches and a local index through the document client.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { ConditionalCheckFailedException, CreateTableCommand } from "@aws-sdk/client-dynamodb";
import {
    BatchGetCommand, BatchWriteCommand, GetCommand, PutCommand, QueryCommand, UpdateCommand,
} from "@aws-sdk/lib-dynamodb";

import { RunningServer, tableRequest } from "./running_server.mjs";

const TableName = "updates";
let server, client, documents;
const connect = () => {
    client = server.client();
    documents = server.documentClient();
};
before(async () => {
    server = await RunningServer.start();
    connect();
    const request = tableRequest(TableName, { pk: "S", sk: "N" });
    request.AttributeDefinitions.push({ AttributeName: "rank", AttributeType: "N" });
    request.LocalSecondaryIndexes = [{
        IndexName: "by_rank", Projection: { ProjectionType: "KEYS_ONLY" },
        KeySchema: [{ AttributeName: "pk", KeyType: "HASH" }, { AttributeName: "rank", KeyType: "RANGE" }],
    }];
    await client.send(new CreateTableCommand(request));
});
after(() => server?.close());

test("an update creates, changes nested parts and shows what it changed", async () => {
    const Key = { pk: "update", sk: 1 };
    const update = (UpdateExpression, more) =>
        documents.send(new UpdateCommand({ TableName, Key, UpdateExpression, ReturnValues: "UPDATED_NEW", ...more }));
    assert.deepEqual(
        (await update("SET m = :m, n = :n ADD tags :t", {
            ExpressionAttributeValues: { ":m": { list: [1, 2, 3] }, ":n": 1, ":t": new Set(["x"]) },
        })).Attributes,
        { m: { list: [1, 2, 3] }, n: 1, tags: new Set(["x"]) });
    assert.deepEqual(
        (await update("SET m.#l[1] = :v, n = n + :one, seen = if_not_exists(seen, :v) REMOVE m.#l[0] DELETE tags :t", {
            ExpressionAttributeNames: { "#l": "list" },
            ExpressionAttributeValues: { ":v": "new", ":one": 1, ":t": new Set(["x"]) },
        })).Attributes,
        { m: { list: ["new", 3] }, n: 2, seen: "new" });
    assert.deepEqual((await documents.send(new GetCommand({ TableName, Key }))).Item,
        { ...Key, m: { list: ["new", 3] }, n: 2, seen: "new" });
});

test("a failed condition shows the item and changes nothing, also after kill -9", async () => {
    const Item = { pk: "condition", sk: 1, version: 3 };
    await documents.send(new PutCommand({ TableName, Item }));
    const attempt = new PutCommand({
        TableName, Item: { ...Item, version: 9 }, ConditionExpression: "version < :v",
        ExpressionAttributeValues: { ":v": 3 }, ReturnValuesOnConditionCheckFailure: "ALL_OLD",
    });
    await assert.rejects(documents.send(attempt), (error) => {
        assert.ok(error instanceof ConditionalCheckFailedException);
        assert.deepEqual(error.Item, { pk: { S: "condition" }, sk: { N: "1" }, version: { N: "3" } });
        return true;
    });
    await server.crashAndRestart();
    connect();
    assert.deepEqual((await documents.send(new GetCommand({ TableName, Key: { pk: "condition", sk: 1 } }))).Item, Item);
});

test("batches fill a local index that gives whole items", async () => {
    const items = Array.from({ length: 20 }, (_, i) => ({ pk: "batch", sk: i, rank: 20 - i, text: `t${i}` }));
    const written = await documents.send(new BatchWriteCommand({
        RequestItems: { [TableName]: items.map((Item) => ({ PutRequest: { Item } })) },
    }));
    assert.deepEqual(written.UnprocessedItems, {});
    const read = await documents.send(new BatchGetCommand({
        RequestItems: { [TableName]: { Keys: items.map(({ pk, sk }) => ({ pk, sk })), ProjectionExpression: "sk" } },
    }));
    assert.deepEqual(read.Responses[TableName].map((item) => item.sk).sort((a, b) => a - b), items.map((item) => item.sk));
    const query = (more) => documents.send(new QueryCommand({
        TableName, IndexName: "by_rank", KeyConditionExpression: "pk = :p AND #r <= :five",
        ExpressionAttributeNames: { "#r": "rank" }, ExpressionAttributeValues: { ":p": "batch", ":five": 5 }, ...more,
    }));
    assert.deepEqual((await query()).Items, items.slice(15).reverse().map(({ pk, sk, rank }) => ({ pk, sk, rank })));
    assert.deepEqual((await query({ Select: "ALL_ATTRIBUTES", ConsistentRead: true })).Items, items.slice(15).reverse());
    await documents.send(new UpdateCommand({
        TableName, Key: { pk: "batch", sk: 19 }, UpdateExpression: "REMOVE #r", ExpressionAttributeNames: { "#r": "rank" },
    }));
    assert.deepEqual((await query()).Items.map((item) => item.sk), [18, 17, 16, 15]);
});
