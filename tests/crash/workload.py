"""The clients: what each of them does until the server is gone."""
import random
import threading
import uuid

from client import Client, Refused, Unknown
from global_indexes import create_indexed_table, create_table_with_index, index_attributes, switch_index
from model import ACCOUNTS, CONTENDED, COUNTERS, Violation, version_of

WORKERS = 32
ITEMS = 6
OPTIONAL = ("s", "g", "n", "r")  # attributes that not every state of an item has


def create_tables(client):
    attribute = lambda name: {"AttributeName": name, "AttributeType": "S"}
    key = lambda name, kind: {"AttributeName": name, "KeyType": kind}
    client.call("CreateTable", TableName="plain", AttributeDefinitions=[attribute("a")], KeySchema=[key("a", "HASH")],
                BillingMode="PAY_PER_REQUEST")
    client.call("CreateTable", TableName="sorted", AttributeDefinitions=[attribute(name) for name in "abs"],
                KeySchema=[key("a", "HASH"), key("b", "RANGE")], BillingMode="PAY_PER_REQUEST",
                LocalSecondaryIndexes=[{"IndexName": "by_s", "KeySchema": [key("a", "HASH"), key("s", "RANGE")],
                                        "Projection": {"ProjectionType": "ALL"}}])
    create_indexed_table(client)


def key_of(key):
    table, a, b = key
    return {"a": {"S": a}} if b is None else {"a": {"S": a}, "b": {"S": b}}


class Worker(threading.Thread):
    """Owns the items of its number. Everything it does follows from the seed, but for the order among workers."""

    def __init__(self, number, seed, port, model, failures):
        super().__init__(daemon=True)
        self.number = number
        self.random = random.Random(f"{seed}/{number}")
        self.client = Client(port)
        self.model = model
        self.failures = failures
        self.done = 0
        self.retry = None  # a transfer without an answer

    def run(self):
        actions = [self.put, self.put, self.update, self.delete, self.conditional_put, self.lost_condition, self.batch,
                   self.transaction, self.transfer, self.transfer, self.increment, self.increment, self.read_others,
                   self.compare_and_set, self.read_counter, self.read_accounts, self.query_own, self.query_index,
                   self.scan_some, self.query_global_index]
        if self.number % 8 == 0:
            actions.append(self.own_table)
        if self.number == 3:
            actions += [self.switch_index] * 4
        try:
            while True:
                self.random.choice(actions)()
                self.done += 1
        except Unknown:
            pass
        except Violation as violation:
            self.failures.append(f"worker {self.number}: {violation}")
        except Refused as refused:
            self.failures.append(f"worker {self.number}: an answer that cannot be: {refused}")

    # Own items.

    def own(self):
        number = self.random.randrange(ITEMS)
        table = self.random.choice(("plain", "sorted", "indexed"))
        if table == "plain":
            return (table, f"w{self.number}-{number}", None)
        return (table, f"w{self.number % 8}", f"{self.number}-{number}")

    def fresh(self, key, item):
        """A new state of the item, larger in version than any before."""
        item.versions = getattr(item, "versions", 0) + 1
        state = {**key_of(key), "version": {"N": str(item.versions)},
                 "filler": {"S": "x" * self.random.choice((10, 100, 1000, 3000))}}
        if self.random.random() < 0.6:
            state["s"] = {"S": str(self.random.randrange(5))}
        if key[0] == "indexed":
            state |= index_attributes(self.random)
        return state

    def write(self, states, operation, **request):
        """states: key -> the state that the write brings."""
        for key, state in states.items():
            item = self.model.item(key)
            item.possible = [state]
            if state is None and item.state is not None:
                item.deleted_version = version_of(item.state)
        answer = self.client.call(operation, **request)
        for key, state in states.items():
            item = self.model.item(key)
            item.state, item.possible = state, []
        return answer

    def put(self):
        key = self.own()
        state = self.fresh(key, self.model.item(key))
        answer = self.write({key: state}, "PutItem", TableName=key[0], Item=state, ReturnItemCollectionMetrics="SIZE")
        metrics = answer.get("ItemCollectionMetrics")
        if (metrics is not None) != (key[0] == "sorted"):
            raise Violation(f"metrics of item collections for {key}: {metrics}")
        if metrics is not None:
            low, high = metrics["SizeEstimateRangeGB"]
            if metrics["ItemCollectionKey"] != {"a": {"S": key[1]}} or not 0 <= low <= high <= 1:
                raise Violation(f"metrics of item collections for {key}: {metrics}")

    def update(self):
        key = self.own()
        item = self.model.item(key)
        state = self.fresh(key, item)
        sets = [f"#{name} = :{name}" for name in state if name not in "ab"]
        removes = [f"#{name}" for name in OPTIONAL if name not in state]
        names = {f"#{name}": name for name in {*state, *OPTIONAL} if name not in "ab"}
        values = {f":{name}": value for name, value in state.items() if name not in "ab"}
        text = "SET " + ", ".join(sets) + (" REMOVE " + ", ".join(removes) if removes else "")
        self.write({key: state}, "UpdateItem", TableName=key[0], Key=key_of(key), UpdateExpression=text,
                   ExpressionAttributeNames=names, ExpressionAttributeValues=values)

    def delete(self):
        key = self.own()
        self.write({key: None}, "DeleteItem", TableName=key[0], Key=key_of(key))

    def condition(self, item):
        if item.state is None:
            return {"ConditionExpression": "attribute_not_exists(a)"}
        return {"ConditionExpression": "version = :was", "ExpressionAttributeValues": {":was": item.state["version"]}}

    def conditional_put(self):
        key = self.own()
        item = self.model.item(key)
        condition = self.condition(item)
        state = self.fresh(key, item)
        self.write({key: state}, "PutItem", TableName=key[0], Item=state, **condition)

    def lost_condition(self):
        key = self.own()
        item = self.model.item(key)
        text = "attribute_exists(a)" if item.state is None else "attribute_not_exists(a)"
        try:
            self.client.call("PutItem", TableName=key[0], Item=self.fresh(key, item), ConditionExpression=text,
                             ReturnValuesOnConditionCheckFailure="ALL_OLD")
        except Refused as refused:
            if refused.name != "ConditionalCheckFailedException" or refused.body.get("Item") != item.state:
                raise
            return
        raise Violation(f"{key}: {text} held for {item.state}")

    def several(self, count):
        keys = {self.own() for _ in range(count)}
        return {key: self.fresh(key, self.model.item(key)) if self.random.random() < 0.7 else None for key in keys}

    def batch(self):
        states = self.several(4)
        requests = {}
        for key, state in states.items():
            requests.setdefault(key[0], []).append(
                {"DeleteRequest": {"Key": key_of(key)}} if state is None else {"PutRequest": {"Item": state}})
        answer = self.write(states, "BatchWriteItem", RequestItems=requests)
        if answer["UnprocessedItems"]:
            raise Violation(f"unprocessed: {answer}")

    def transaction(self):
        states = self.several(4)
        actions = []
        for key, state in states.items():
            condition = self.condition(self.model.item(key))
            if state is None:
                actions.append({"Delete": {"TableName": key[0], "Key": key_of(key), **condition}})
            else:
                actions.append({"Put": {"TableName": key[0], "Item": state, **condition}})
        if self.random.random() < 0.2:
            self.cancelled(actions)
        else:
            self.write(states, "TransactWriteItems", TransactItems=actions)

    def cancelled(self, actions):
        check = {"TableName": "plain", "Key": {"a": {"S": "never"}}, "ConditionExpression": "attribute_exists(a)"}
        try:
            self.client.call("TransactWriteItems", TransactItems=actions + [{"ConditionCheck": check}])
        except Refused as refused:
            if refused.name == "TransactionCanceledException":
                return
            raise
        raise Violation("a transaction was made although a check fails")

    # Shared items.

    def transfer(self):
        source, target = self.random.sample(range(ACCOUNTS), 2)
        amount = self.random.randrange(1, 50)
        receipt = f"{self.number}-{uuid.UUID(int=self.random.getrandbits(128))}"
        move = lambda account, by: {"Update": {
            "TableName": "plain", "Key": {"a": {"S": f"account-{account}"}}, "UpdateExpression": "ADD n :by",
            "ConditionExpression": "attribute_exists(a)", "ExpressionAttributeValues": {":by": {"N": str(by)}}}}
        number = lambda value: {"N": str(value)}
        self.retry = {"ClientRequestToken": receipt[:36], "TransactItems": [
            move(source, -amount), move(target, amount),
            {"Put": {"TableName": "sorted", "ConditionExpression": "attribute_not_exists(a)",
                     "Item": {"a": {"S": f"receipts-{self.number % 4}"}, "b": {"S": receipt}, "from": number(source),
                              "to": number(target), "amount": number(amount)}}}]}
        self.client.call("TransactWriteItems", **self.retry)
        self.model.receipts.append((f"receipts-{self.number % 4}", receipt))
        self.retry = None

    def increment(self):
        counter = self.random.randrange(COUNTERS)
        self.model.count(counter, 1)
        answer = self.client.call("UpdateItem", TableName="plain", Key={"a": {"S": f"counter-{counter}"}},
                                  UpdateExpression="ADD n :one", ExpressionAttributeValues={":one": {"N": "1"}},
                                  ReturnValues="UPDATED_NEW")
        self.model.count(counter, 1, -1)
        self.model.count(counter, 0)
        self.model.see_counter(counter, int(answer["Attributes"]["n"]["N"]))

    def compare_and_set(self):
        counter = COUNTERS + self.random.randrange(CONTENDED)
        key = {"a": {"S": f"counter-{counter}"}}
        found = self.client.call("GetItem", TableName="plain", Key=key, ConsistentRead=True).get("Item")
        value = int(found["n"]["N"]) if found else 0
        self.model.see_counter(counter, value)
        self.model.count(counter, 1)
        condition = {":was": {"N": str(value)}} if found else {}
        try:
            self.client.call("UpdateItem", TableName="plain", Key=key, UpdateExpression="SET n = :next",
                             ConditionExpression="n = :was" if found else "attribute_not_exists(n)",
                             ExpressionAttributeValues={":next": {"N": str(value + 1)}, **condition})
        except Refused as refused:
            if refused.name != "ConditionalCheckFailedException":
                raise
        else:
            self.model.count(counter, 0)
        self.model.count(counter, 1, -1)

    # Tables.

    def own_table(self):
        """Creates the worker's own table with an item, or drops it."""
        name = f"own-{self.number}"
        now = self.model.tables.get(name, [None])[0]
        if now is None:
            item = {"a": {"S": str(self.random.getrandbits(64))}, "g": {"S": "one"}}
            self.model.tables[name] = [None, []]
            create_table_with_index(self.client, name)
            self.model.tables[name] = [[], [item]]
            self.client.call("PutItem", TableName=name, Item=item)
            self.model.tables[name] = [[item]]
        else:
            self.model.tables[name] = [now, None]
            self.client.call("DeleteTable", TableName=name)
            self.model.tables[name] = [None]

    def switch_index(self):
        switch_index(self.client, self.model)

    # Reads.

    def read_others(self):
        with self.model.lock:
            key = self.random.choice(sorted(self.model.items, key=str)) if self.model.items else None
        if key is None:
            return
        found = self.client.call("GetItem", TableName=key[0], Key=key_of(key), ConsistentRead=True).get("Item")
        if found is not None:
            self.model.see_version(key, version_of(found))

    def read_counter(self):
        counter = self.random.randrange(COUNTERS + CONTENDED)
        found = self.client.call("GetItem", TableName="plain", Key={"a": {"S": f"counter-{counter}"}},
                                 ConsistentRead=True).get("Item")
        if found is not None:
            self.model.see_counter(counter, int(found["n"]["N"]))

    def read_accounts(self):
        gets = [{"Get": {"TableName": "plain", "Key": {"a": {"S": f"account-{number}"}}}} for number in range(ACCOUNTS)]
        answer = self.client.call("TransactGetItems", TransactItems=gets)
        total = sum(int(response["Item"]["n"]["N"]) for response in answer["Responses"])
        if total != ACCOUNTS * 1000:
            raise Violation(f"the accounts hold {total} together")

    def query_own(self):
        partition = f"w{self.number % 8}"
        for found in self.client.pages("Query", TableName="sorted", ConsistentRead=True,
                                       KeyConditionExpression="a = :a",
                                       ExpressionAttributeValues={":a": {"S": partition}}):
            self.model.see_version(("sorted", partition, found["b"]["S"]), version_of(found))

    def query_index(self):
        partition = f"w{self.number % 8}"
        for found in self.client.pages("Query", TableName="sorted", IndexName="by_s", ConsistentRead=True,
                                       ScanIndexForward=self.random.random() < 0.5,
                                       KeyConditionExpression="a = :a",
                                       ExpressionAttributeValues={":a": {"S": partition}}):
            self.model.see_version(("sorted", partition, found["b"]["S"]), version_of(found))

    def query_global_index(self):
        """An index shows what this worker was told of its own items."""
        g = self.random.choice("xyz")
        a, prefix = f"w{self.number % 8}", f"{self.number}-"
        found = {(entry["a"]["S"], entry["b"]["S"]): entry["n"]["N"]
                 for entry in self.client.pages("Query", TableName="indexed", IndexName="by_g_n",
                                                KeyConditionExpression="g = :g",
                                                ExpressionAttributeValues={":g": {"S": g}})
                 if entry["a"]["S"] == a and entry["b"]["S"].startswith(prefix)}
        states = {key: self.model.items[key].state for key in
                  (("indexed", a, f"{prefix}{number}") for number in range(ITEMS)) if key in self.model.items}
        expected = {(key[1], key[2]): state["n"]["N"] for key, state in states.items()
                    if state and state.get("g") == {"S": g} and "n" in state}
        if found != expected:
            raise Violation(f"the index by_g_n shows {found} of {g}, and should show {expected}")

    def scan_some(self):
        request = {"TableName": self.random.choice(("plain", "sorted")), "Limit": self.random.choice((5, 50, 500))}
        if request["TableName"] == "sorted" and self.random.random() < 0.5:
            request["IndexName"] = "by_s"
        for found in self.client.call("Scan", ConsistentRead=True, **request)["Items"]:
            if found["a"]["S"].startswith("w"):
                key = (request["TableName"], found["a"]["S"], found.get("b", {}).get("S"))
                self.model.see_version(key, version_of(found))
