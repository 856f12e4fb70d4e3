// JS SDK v3: items through the plain and the document client; ReturnValues, capacity, errors, kill -9.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { CreateTableCommand, DeleteItemCommand, GetItemCommand, PutItemCommand } from "@aws-sdk/client-dynamodb";
import { DeleteCommand, GetCommand, NumberValue, PutCommand } from "@aws-sdk/lib-dynamodb";

import { RunningServer, tableRequest } from "./running_server.mjs";

const TableName = "items";
let server, client, documents;
const connect = () => {
    client = server.client();
    documents = server.documentClient();
};
before(async () => {
    server = await RunningServer.start();
    connect();
    await client.send(new CreateTableCommand(tableRequest(TableName, { pk: "S", sk: "N" })));
});
after(() => server?.close());

const everything = {
    pk: "everything", sk: 1, string: "\u00e9\u4e2d\u{1f600} \"\\\n", empty: "", number: -12.0625, large: 1480962569123,
    binary: Uint8Array.from({ length: 256 }, (_, index) => index), yes: true, no: false, nothing: null,
    strings: new Set(["a", "b"]), numbers: new Set([1, -2.5]), list: [1, "two", [], {}, [null]],
    map: { " ": "a space", "a.b": { deep: [{ deeper: true }] } },
};

test("every type comes back, also after kill -9", async () => {
    await documents.send(new PutCommand({ TableName, Item: everything }));
    const read = async () => (await documents.send(new GetCommand({ TableName, Key: { pk: "everything", sk: 1 } }))).Item;
    assert.deepEqual(await read(), everything);
    await server.crashAndRestart();
    connect();
    assert.deepEqual(await read(), everything);
});

test("numbers keep 38 digits and their canonical text", async () => {
    const digits = "12345678901234567890123456789012345678";
    await documents.send(new PutCommand({ TableName, Item: { pk: "number", sk: 1, v: NumberValue.from(digits) } }));
    const { Item } = await client.send(new GetItemCommand({ TableName, Key: { pk: { S: "number" }, sk: { N: "1.00" } } }));
    assert.deepEqual(Item, { pk: { S: "number" }, sk: { N: "1" }, v: { N: digits } });
    await client.send(new PutItemCommand({ TableName, Item: { pk: { S: "number" }, sk: { N: "1e0" }, v: { N: "-0.10e3" } } }));
    const again = await client.send(new GetItemCommand({ TableName, Key: { pk: { S: "number" }, sk: { N: "1" } } }));
    assert.deepEqual(again.Item.v, { N: "-100" });
});

test("old values", async () => {
    const Item = { pk: "old", sk: 1, v: 1 };
    const Key = { pk: "old", sk: 1 };
    const put = (item) => documents.send(new PutCommand({ TableName, Item: item, ReturnValues: "ALL_OLD" }));
    assert.equal((await put(Item)).Attributes, undefined);
    assert.deepEqual((await put({ ...Key, other: true })).Attributes, Item);
    const remove = () => documents.send(new DeleteCommand({ TableName, Key, ReturnValues: "ALL_OLD" }));
    assert.deepEqual((await remove()).Attributes, { ...Key, other: true });
    assert.equal((await remove()).Attributes, undefined);
    assert.equal((await documents.send(new GetCommand({ TableName, Key }))).Item, undefined);
});

test("consumed capacity", async () => {
    const Item = { pk: { S: "capacity" }, sk: { N: "1" }, v: { S: "x".repeat(1500) } };
    const Key = { pk: Item.pk, sk: Item.sk };
    const put = await client.send(new PutItemCommand({ TableName, Item, ReturnConsumedCapacity: "INDEXES" }));
    assert.deepEqual(put.ConsumedCapacity, { TableName, CapacityUnits: 2, Table: { CapacityUnits: 2 } });
    for (const [ConsistentRead, units] of [[false, 0.5], [true, 1]]) {
        const get = await client.send(new GetItemCommand({ TableName, Key, ConsistentRead, ReturnConsumedCapacity: "TOTAL" }));
        assert.deepEqual(get.ConsumedCapacity, { TableName, CapacityUnits: units });
    }
});

test("an empty key member is refused, an empty attribute is kept", async () => {
    await assert.rejects(documents.send(new PutCommand({ TableName, Item: { pk: "", sk: 1 } })), {
        name: "ValidationException",
        message: "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty "
            + "string value. Key: pk",
    });
});

test("error classes and texts", async () => {
    await assert.rejects(client.send(new GetItemCommand({ TableName: "none", Key: { pk: { S: "a" } } })), {
        name: "ResourceNotFoundException", message: "Requested resource not found",
    });
    await assert.rejects(client.send(new GetItemCommand({ TableName, Key: { pk: { S: "a" } } })), {
        name: "ValidationException", message: "The provided key element does not match the schema",
    });
    await assert.rejects(client.send(new DeleteItemCommand({ TableName, Key: { pk: { S: "a" }, sk: { S: "1" } } })), {
        name: "ValidationException", message: "The provided key element does not match the schema",
    });
    await assert.rejects(client.send(new PutItemCommand({ TableName, Item: { pk: { S: "a" } } })), {
        name: "ValidationException", message: "One or more parameter values were invalid: Missing the key sk in the item",
    });
    await assert.rejects(client.send(new GetItemCommand({ TableName: "", Key: { pk: { S: "a" } } })), (error) => {
        assert.equal(error.name, "ValidationException");
        assert.match(error.message, /Value '' at 'tableName' failed to satisfy constraint: Member must have length greater than/);
        return true;
    });
});

test("200 requests at once over many connections", async () => {
    const numbers = Array.from({ length: 200 }, (_, index) => index);
    await Promise.all(numbers.map((sk) => documents.send(new PutCommand({ TableName, Item: { pk: "many", sk } }))));
    const items = await Promise.all(numbers.map((sk) => documents.send(new GetCommand({ TableName, Key: { pk: "many", sk } }))));
    assert.deepEqual(items.map(({ Item }) => Item.sk), numbers);
});
