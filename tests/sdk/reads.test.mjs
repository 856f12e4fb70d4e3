// JS SDK v3: Query and Scan, paginators, both directions, parallel segments.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { CreateTableCommand } from "@aws-sdk/client-dynamodb";
import { PutCommand, QueryCommand, ScanCommand, paginateQuery, paginateScan } from "@aws-sdk/lib-dynamodb";

import { RunningServer, tableRequest } from "./running_server.mjs";

const TableName = "versions";
const versions = ["2022-02-18", "2022-03-01", "2022-03-15", "2023-01-01"].map((day) => `VERSION#${day}`).concat("VERSION#latest");
const plans = Array.from({ length: 30 }, (_, index) => `DMP#${index}`);
let server, client;

before(async () => {
    server = await RunningServer.start({ inMemory: true });
    client = server.documentClient();
    await client.send(new CreateTableCommand(tableRequest(TableName, { PK: "S", SK: "S" })));
    for (const PK of plans) {
        await Promise.all([...versions, "PROFILE"].map((SK) => client.send(new PutCommand({ TableName, Item: { PK, SK } }))));
    }
});
after(() => server?.close());

const query = async (condition, values, more = {}) => {
    const page = await client.send(new QueryCommand({
        TableName, KeyConditionExpression: condition, ExpressionAttributeValues: { ":p": "DMP#7", ...values }, ...more,
    }));
    assert.deepEqual([page.Count, page.ScannedCount], [page.Items.length, page.Items.length]);
    assert.ok(page.Items.every(({ PK }) => PK === "DMP#7"));
    return page.Items.map(({ SK }) => SK);
};

test("operators and directions", async () => {
    assert.deepEqual(await query("PK = :p", {}), ["PROFILE", ...versions]);
    assert.deepEqual(await query("PK = :p AND begins_with(SK, :v)", { ":v": "VERSION#" }, { ScanIndexForward: false }),
        [...versions].reverse());
    assert.deepEqual(await query("PK = :p AND SK BETWEEN :a AND :b", { ":a": "VERSION#2022-03", ":b": "VERSION#2022-04" }),
        versions.slice(1, 3));
    assert.deepEqual(await query("PK = :p AND SK = :v", { ":v": "PROFILE" }), ["PROFILE"]);
    assert.deepEqual(await query("PK = :p AND SK < :v", { ":v": versions[0] }), ["PROFILE"]);
    assert.deepEqual(await query("PK = :p AND SK <= :v", { ":v": versions[0] }), ["PROFILE", versions[0]]);
    assert.deepEqual(await query("PK = :p AND SK > :v", { ":v": versions[3] }), ["VERSION#latest"]);
    assert.deepEqual(await query("PK = :p AND SK >= :v", { ":v": versions[3] }), versions.slice(3));
    assert.deepEqual(await query("#0 = :p AND #1 = :0", { ":0": "PROFILE" },
        { ExpressionAttributeNames: { "#0": "PK", "#1": "SK" } }), ["PROFILE"]);
});

test("pages of a query", async () => {
    const parameters = { TableName, KeyConditionExpression: "PK = :p", ExpressionAttributeValues: { ":p": "DMP#3" } };
    const sizes = [], seen = [];
    for await (const page of paginateQuery({ client, pageSize: 4 }, { ...parameters })) {
        sizes.push(page.Count);
        seen.push(...page.Items.map(({ SK }) => SK));
    }
    assert.deepEqual([seen, sizes], [["PROFILE", ...versions], [4, 2]]);
    const last = await client.send(new QueryCommand({ ...parameters, Limit: 6 }));
    assert.deepEqual(last.LastEvaluatedKey, { PK: "DMP#3", SK: "VERSION#latest" });
    const count = await client.send(new QueryCommand({ ...parameters, Select: "COUNT" }));
    assert.deepEqual([count.Count, count.Items], [6, undefined]);
});

test("a scan sees everything once, in pages and in segments", async () => {
    const key = ({ PK, SK }) => `${PK} ${SK}`;
    const all = plans.flatMap((PK) => [...versions, "PROFILE"].map((SK) => key({ PK, SK }))).sort();
    const walk = async (parameters, pageSize) => {
        const seen = [];
        for await (const page of paginateScan({ client, pageSize }, { TableName, ...parameters })) {
            seen.push(...page.Items.map(key));
        }
        return seen;
    };
    assert.deepEqual((await walk({})).sort(), all);
    assert.deepEqual(await walk({}, 7), await walk({}));
    const segments = await Promise.all([0, 1, 2, 3].map((Segment) => walk({ Segment, TotalSegments: 4 }, 9)));
    assert.deepEqual(segments.flat().sort(), all);
    assert.ok(segments.every((segment) => segment.length < all.length));
});

test("refusals", async () => {
    await assert.rejects(query("PK > :p", {}), { name: "ValidationException", message: "Query key condition not supported" });
    await assert.rejects(client.send(new ScanCommand({ TableName, Segment: 2, TotalSegments: 2 })), {
        name: "ValidationException",
        message: "The Segment parameter is zero-based and must be less than parameter TotalSegments: Segment: 2 is not less than "
            + "TotalSegments: 2",
    });
    await assert.rejects(client.send(new ScanCommand({ TableName, FilterExpression: "exists(PK)" })), {
        name: "ValidationException", message: "Invalid FilterExpression: Invalid function name; function: exists",
    });
    await assert.rejects(client.send(new ScanCommand({ TableName: "none" })), { name: "ResourceNotFoundException" });
});
