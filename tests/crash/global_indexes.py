"""Tables with global indexes: how they are made, and the check of every index against its table."""
import time
from decimal import Decimal

from model import Violation

PATIENCE_S = 60
MOST_PARTITIONS = 12  # of an index, that are queried
EXTRA = "extra"  # the index that comes and goes
INDEXES = {"by_s": (["s"], [], "ALL"), "by_g_n": (["g"], ["n"], "KEYS_ONLY"),
           "by_many": (["g", "a"], ["n", "s"], ["version"]), "rare": (["r"], ["version"], ["filler", "g"])}
EXTRA_INDEX = (["n"], ["a", "version"], "ALL")
TYPES = {"a": "S", "b": "S", "s": "S", "g": "S", "n": "N", "r": "S", "version": "N"}


def schema(hashes, ranges):
    return ([{"AttributeName": name, "KeyType": "HASH"} for name in hashes] +
            [{"AttributeName": name, "KeyType": "RANGE"} for name in ranges])


def definitions(names):
    return [{"AttributeName": name, "AttributeType": TYPES[name]} for name in sorted(names)]


def index(name, hashes, ranges, projection):
    projected = ({"ProjectionType": projection} if isinstance(projection, str) else
                 {"ProjectionType": "INCLUDE", "NonKeyAttributes": projection})
    return {"IndexName": name, "KeySchema": schema(hashes, ranges), "Projection": projected}


def create_indexed_table(client):
    client.call("CreateTable", TableName="indexed", BillingMode="PAY_PER_REQUEST", KeySchema=schema(["a"], ["b"]),
                AttributeDefinitions=definitions(TYPES),
                GlobalSecondaryIndexes=[index(name, *keys) for name, keys in INDEXES.items()])


def create_table_with_index(client, name):
    client.call("CreateTable", TableName=name, BillingMode="PAY_PER_REQUEST", KeySchema=schema(["a"], []),
                AttributeDefinitions=definitions("ag"),
                GlobalSecondaryIndexes=[index("by_g", ["g"], [], "KEYS_ONLY")])


def index_attributes(random):
    """Of an item of the table `indexed`, besides `s` and what all items have."""
    attributes = {"g": {"S": random.choice("xyz")}, "n": {"N": str(random.randrange(-2, 3))}, "r": {"S": "rare"}}
    return {name: value for name, value in attributes.items() if random.random() < (0.2 if name == "r" else 0.8)}


def switch_index(client, model):
    """Makes the index that comes and goes, or deletes it, unless it is just coming or going."""
    table = client.call("DescribeTable", TableName="indexed")["Table"]
    status = {found["IndexName"]: found["IndexStatus"] for found in table["GlobalSecondaryIndexes"]}.get(EXTRA)
    if table["TableStatus"] != "ACTIVE" or status not in (None, "ACTIVE"):
        return
    if [status is not None] != model.extra_index:
        raise Violation(f"the index {EXTRA} is {status}, there or not as in {model.extra_index}")
    there = status is not None
    change = {"Delete": {"IndexName": EXTRA}} if there else {"Create": index(EXTRA, *EXTRA_INDEX)}
    model.extra_index = [True, False]
    model.index_changing.set()
    client.call("UpdateTable", TableName="indexed", AttributeDefinitions=definitions(TYPES),
                GlobalSecondaryIndexUpdates=[change])
    model.extra_index = [not there]
    model.index_changes += 1


def is_half_made(client):
    table = client.call("DescribeTable", TableName="indexed")["Table"]
    return any(found["IndexStatus"] == "CREATING" for found in table["GlobalSecondaryIndexes"])


def wait_until_active(client, table):
    """The table's description once it and all its indexes are ACTIVE."""
    end = time.monotonic() + PATIENCE_S
    while True:
        description = client.call("DescribeTable", TableName=table)["Table"]
        indexes = description.get("GlobalSecondaryIndexes", [])
        if description["TableStatus"] == "ACTIVE" and all(found["IndexStatus"] == "ACTIVE" for found in indexes):
            return description
        if time.monotonic() > end:
            raise Violation(f"table {table} and its indexes do not become ACTIVE: {description}")
        time.sleep(0.01)


def keys_of(described, kind):
    return [element["AttributeName"] for element in described["KeySchema"] if element["KeyType"] == kind]


def expected_entries(description, described, items):
    """What the index should hold."""
    keys = [element["AttributeName"] for element in described["KeySchema"]]
    entries = [item for item in items if all(name in item for name in keys)]
    if described["Projection"]["ProjectionType"] == "ALL":
        return entries
    names = {*keys, *(element["AttributeName"] for element in description["KeySchema"]),
             *described["Projection"].get("NonKeyAttributes", [])}
    return [{name: value for name, value in item.items() if name in names} for item in entries]


def in_order(entries):
    return sorted(entries, key=lambda entry: sorted(entry.items(), key=str).__repr__())


def differences(expected, found):
    missing = [entry for entry in expected if entry not in found]
    surplus = [entry for entry in found if entry not in expected]
    doubled = [entry for entry in expected if found.count(entry) > 1]
    return f"lacks {missing}, has too many {surplus}, has more than once {doubled}"


def comparable(value):
    return Decimal(value["N"]) if "N" in value else next(iter(value.values()))


def limit(random, entries):
    """Small pages sometimes; a page more or less each."""
    return {"Limit": max(1, len(entries) // random.randrange(1, 6))} if random.random() < 0.5 else {}


def check_partition(client, random, table, described, values, expected):
    """One partition of an index, forward and backward."""
    hashes, ranges = keys_of(described, "HASH"), keys_of(described, "RANGE")
    directions = []
    for forward in (True, False):
        found = list(client.pages("Query", TableName=table, IndexName=described["IndexName"], ScanIndexForward=forward,
                                  KeyConditionExpression=" AND ".join(f"#{i} = :{i}" for i in range(len(hashes))),
                                  ExpressionAttributeNames={f"#{i}": name for i, name in enumerate(hashes)},
                                  ExpressionAttributeValues={f":{i}": value for i, value in enumerate(values)},
                                  **limit(random, expected)))
        where = f"Query of {values} in index {described['IndexName']} of {table}"
        if in_order(found) != in_order(expected):
            raise Violation(f"{where} {differences(expected, found)}")
        order = [[comparable(entry[name]) for name in ranges] for entry in found]
        if order != sorted(order, reverse=not forward):
            raise Violation(f"{where} is out of order: {found}")
        directions.append(found)
    if directions[0] != directions[1][::-1]:
        raise Violation(f"{where} gives backward {directions[1]}, forward {directions[0]}")


def check(client, random, table, items):
    """Every global index of a table, which is not written to, holds what its items say. Gives the number of entries."""
    description = wait_until_active(client, table)
    count = 0
    for described in description.get("GlobalSecondaryIndexes", []):
        name = described["IndexName"]
        expected = expected_entries(description, described, items)
        found = list(client.pages("Scan", TableName=table, IndexName=name, **limit(random, expected)))
        if in_order(found) != in_order(expected):
            raise Violation(f"index {name} of {table} {differences(expected, found)}")
        partitions = {}
        for entry in expected:
            values = [entry[attribute] for attribute in keys_of(described, "HASH")]
            partitions.setdefault(str(values), (values, []))[1].append(entry)
        for key in random.sample(sorted(partitions), min(len(partitions), MOST_PARTITIONS)):
            check_partition(client, random, table, described, *partitions[key])
        count += len(expected)
    return count


def check_names(client, model):
    """The table `indexed` has the indexes that it was given."""
    found = {index["IndexName"] for index in wait_until_active(client, "indexed")["GlobalSecondaryIndexes"]}
    if found - {EXTRA} != set(INDEXES) or (EXTRA in found) not in model.extra_index:
        raise Violation(f"the table has the indexes {sorted(found)}; {EXTRA} should be there: {model.extra_index}")
    model.extra_index = [EXTRA in found]
