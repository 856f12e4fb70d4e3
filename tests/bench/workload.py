"""The table of the benchmark: its items, the requests made for them, and the check that the answers are right."""

import base64
import random
import threading

from dynamodb_client import Client

TABLE = "Benchmark"
ITEMS = 10_000
ITEMS_PER_PARTITION = 10
ITEM_BYTES = 1024
SEEDING_THREADS = 16


def _key(index):
    partition, place = divmod(index, ITEMS_PER_PARTITION)
    return {"pk": {"S": f"customer#{partition:08d}"}, "sk": {"S": f"order#{place:08d}"}}


def item(index):
    """Ten attributes of every common type, about ITEM_BYTES of JSON; the same for the same index."""
    source = random.Random(index)
    result = _key(index) | {
        "amount": {"N": f"{index % 9973}.{index % 9 + 1}"},
        "count": {"N": str(index)},
        "paid": {"BOOL": index % 2 == 0},
        "labels": {"SS": sorted({"blue", "green", "red", f"l{index % 17}"})},
        "digest": {"B": base64.b64encode(source.randbytes(64)).decode()},
        "address": {"M": {"city": {"S": "Zürich"}, "position": {"M": {"x": {"N": "8.54"}, "y": {"N": "47.37"}}}}},
        "history": {"L": [{"M": {"at": {"N": str(1_700_000_000 + index)}, "by": {"S": "clerk"}}} for _ in range(3)]},
    }
    filler = ITEM_BYTES - len(str(result)) - 20
    result["note"] = {"S": "".join(source.choices("abcdefghijklmnopqrstuvwxyz ", k=max(1, filler)))}
    return result


_COUNTER_KEY = {"pk": {"S": "counter"}, "sk": {"S": "hot"}}


def api_operation(operation):
    """The name that the service has for it."""
    return "UpdateItem" if operation == "Increment" else operation


def request(operation, index):
    if operation == "GetItem":
        return {"TableName": TABLE, "Key": _key(index)}
    if operation == "PutItem":
        return {"TableName": TABLE, "Item": item(index)}
    if operation == "Query":
        return {
            "TableName": TABLE,
            "KeyConditionExpression": "pk = :p",
            "ExpressionAttributeValues": {":p": _key(index)["pk"]},
            "Limit": ITEMS_PER_PARTITION,
        }
    if operation == "Increment":
        return {
            "TableName": TABLE,
            "Key": _COUNTER_KEY,
            "UpdateExpression": "ADD n :one",
            "ExpressionAttributeValues": {":one": {"N": "1"}},
        }
    raise SystemExit(f"unknown operation {operation}")


def _seed_share(endpoint, first):
    client = Client(endpoint)
    for index in range(first, ITEMS, SEEDING_THREADS):
        client.call("PutItem", request("PutItem", index))


def seed(endpoint):
    Client(endpoint).call(
        "CreateTable",
        {
            "TableName": TABLE,
            "BillingMode": "PAY_PER_REQUEST",
            "AttributeDefinitions": [{"AttributeName": name, "AttributeType": "S"} for name in ("pk", "sk")],
            "KeySchema": [
                {"AttributeName": "pk", "KeyType": "HASH"},
                {"AttributeName": "sk", "KeyType": "RANGE"},
            ],
        },
    )
    threads = [threading.Thread(target=_seed_share, args=(endpoint, first)) for first in range(SEEDING_THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def _normal(attributes):
    return {name: sorted(value["SS"]) if "SS" in value else value for name, value in attributes.items()}


def check(endpoint):
    """Ends the program unless every kind of request is answered with what was written."""
    client = Client(endpoint)
    for index in (0, ITEMS // 2, ITEMS - 1):
        got = client.call("GetItem", request("GetItem", index)).get("Item", {})
        if _normal(got) != _normal(item(index)):
            raise SystemExit(f"GetItem answers something else than was written: {got}")
        page = client.call("Query", request("Query", index))
        first = index - index % ITEMS_PER_PARTITION
        wanted = [_normal(item(first + place)) for place in range(ITEMS_PER_PARTITION)]
        if [_normal(found) for found in page["Items"]] != wanted:
            raise SystemExit(f"Query answers something else than was written: {page}")
        if client.call("PutItem", request("PutItem", index)) != {}:
            raise SystemExit("PutItem answers something else than an empty object")


def check_counter(endpoint, increments):
    """At least so many were answered; a few more may have been made when the load ended."""
    counted = int(Client(endpoint).call("GetItem", {"TableName": TABLE, "Key": _COUNTER_KEY})["Item"]["n"]["N"])
    if counted < increments:
        raise SystemExit(f"{increments} increments were answered, the counter says {counted}")
