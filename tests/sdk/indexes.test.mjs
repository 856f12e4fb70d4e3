// JS SDK v3: global indexes through the document client; added and deleted later, in pages, in parallel segments.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { CreateTableCommand, DescribeTableCommand, UpdateTableCommand, waitUntilTableExists } from "@aws-sdk/client-dynamodb";
import { BatchWriteCommand, PutCommand, QueryCommand, UpdateCommand, paginateQuery, paginateScan } from "@aws-sdk/lib-dynamodb";

import { RunningServer, definitions, keySchema, tableRequest } from "./running_server.mjs";

const IndexName = "by_owner";
const index = { IndexName, KeySchema: keySchema("owner", "rank"), Projection: { ProjectionType: "ALL" } };
const AttributeDefinitions = definitions({ pk: "S", owner: "S", rank: "N" });
const owned = { IndexName, KeyConditionExpression: "#o = :o", ExpressionAttributeNames: { "#o": "owner" },
                ExpressionAttributeValues: { ":o": "o1" } };
const items = Array.from({ length: 60 }, (_, number) => ({
    pk: String(number).padStart(3, "0"), rank: number, owner: `o${number % 2}`,
}));
let server, client, documents;

before(async () => {
    server = await RunningServer.start({ inMemory: true });
    client = server.client();
    documents = server.documentClient();
});
after(() => server?.close());

const make = async (TableName) => {
    const request = tableRequest(TableName, { pk: "S" }, { AttributeDefinitions, GlobalSecondaryIndexes: [index] });
    await client.send(new CreateTableCommand(request));
};

const fill = async (TableName) => {
    for (let first = 0; first < items.length; first += 20) {
        const requests = items.slice(first, first + 20).map((Item) => ({ PutRequest: { Item } }));
        const { UnprocessedItems } = await documents.send(new BatchWriteCommand({ RequestItems: { [TableName]: requests } }));
        assert.deepEqual(UnprocessedItems, {});
    }
};

const untilActive = async (TableName) => {
    await waitUntilTableExists({ client, maxWaitTime: 30, minDelay: 0.05, maxDelay: 0.05 }, { TableName });
    return (await client.send(new DescribeTableCommand({ TableName }))).Table;
};

test("each write is found through the index at once", async () => {
    await make("written");
    const TableName = "written";
    for (let number = 0; number < 15; ++number) {
        await documents.send(new PutCommand({ TableName, Item: { pk: "a", owner: "o1", rank: number } }));
        const { Items } = await documents.send(new QueryCommand({ TableName, ...owned }));
        assert.deepEqual(Items, [{ pk: "a", owner: "o1", rank: number }]);
    }
    await documents.send(new UpdateCommand({ TableName, Key: { pk: "a" }, UpdateExpression: "REMOVE #o",
                                             ExpressionAttributeNames: { "#o": "owner" } }));
    assert.deepEqual((await documents.send(new QueryCommand({ TableName, ...owned }))).Items, []);
});

test("an index is added to a table, and deleted", async () => {
    const TableName = "later";
    await client.send(new CreateTableCommand(tableRequest(TableName, { pk: "S" })));
    await fill(TableName);
    const { TableDescription } = await client.send(new UpdateTableCommand({
        TableName, AttributeDefinitions, GlobalSecondaryIndexUpdates: [{ Create: index }],
    }));
    assert.deepEqual([TableDescription.TableStatus, TableDescription.GlobalSecondaryIndexes[0].IndexStatus],
        ["UPDATING", "CREATING"]);
    assert.equal((await untilActive(TableName)).GlobalSecondaryIndexes[0].IndexStatus, "ACTIVE");
    const { Items } = await documents.send(new QueryCommand({ TableName, ...owned }));
    assert.deepEqual(Items, items.filter(({ owner }) => owner === "o1"));
    await client.send(new UpdateTableCommand({ TableName, GlobalSecondaryIndexUpdates: [{ Delete: { IndexName } }] }));
    assert.equal((await untilActive(TableName)).GlobalSecondaryIndexes, undefined);
    await assert.rejects(documents.send(new QueryCommand({ TableName, ...owned })), {
        name: "ValidationException", message: "The table does not have the specified index: by_owner",
    });
});

test("pages and segments of an index", async () => {
    const TableName = "pages";
    await make(TableName);
    await fill(TableName);
    const pages = async (pager) => {
        const found = [];
        for await (const page of pager) {
            found.push(page.Items);
        }
        return found;
    };
    const wanted = items.filter(({ owner, rank }) => owner === "o1" && rank < 40);
    const found = await pages(paginateQuery({ client: documents, pageSize: 7 }, {
        TableName, ...owned, KeyConditionExpression: "#o = :o AND #r < :r", ScanIndexForward: false,
        ExpressionAttributeNames: { "#o": "owner", "#r": "rank" }, ExpressionAttributeValues: { ":o": "o1", ":r": 40 },
    }));
    assert.deepEqual(found.flat(), wanted.reverse());
    assert.deepEqual(found.map(({ length }) => length), [7, 7, 6]);
    const segments = await Promise.all([0, 1, 2, 3].map((Segment) => pages(paginateScan({ client: documents, pageSize: 5 }, {
        TableName, IndexName, Segment, TotalSegments: 4,
    }))));
    assert.deepEqual(segments.flat(2).sort((left, right) => left.rank - right.rank), items);
});
