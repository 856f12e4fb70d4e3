"""Measures what a global secondary index costs: durable PutItems into a table with one and into one without, in turn,
how far the index falls behind meanwhile, and how fast an index is filled that is added to a large table.

Run it through scripts/bench --indexes."""

import argparse
import json
import pathlib
import random
import re
import statistics
import tempfile
import threading
import time
import urllib.request
from urllib.parse import urlparse

from dynamodb_client import Client, Signer
from load import REQUESTS_IN_POOL, measure
from programs import Program
from startup import free_port

CONNECTIONS = 64
# Each key is written with many values, or most writes would change nothing.
KEYS = 200
GROUPS = 1000
ITEM_BYTES = 1024
SEEDING_THREADS = 8
BATCH = 25
INDEX = {
    "IndexName": "by_group",
    "KeySchema": [{"AttributeName": "group", "KeyType": "HASH"}],
    "Projection": {"ProjectionType": "ALL"},
}
GROUP = {"AttributeName": "group", "AttributeType": "S"}


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--server", required=True, help="the basalt program")
    parser.add_argument("--folder", help="where databases are made: the disk that is measured")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=int, default=5, help="length of one measurement")
    parser.add_argument("--fill", type=int, default=1_000_000, help="items of the table that gets an index; 0: none")
    return parser.parse_args()


def create_table(client, name, indexed):
    table = {
        "TableName": name,
        "BillingMode": "PAY_PER_REQUEST",
        "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
        "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
    }
    if indexed:
        table["AttributeDefinitions"].append(GROUP)
        table["GlobalSecondaryIndexes"] = [INDEX]
    client.call("CreateTable", table)


def item(key, source):
    result = {
        "pk": {"S": f"item#{key:010d}"},
        "group": {"S": f"group#{source.randrange(GROUPS):06d}"},
        "count": {"N": str(source.randrange(10**9))},
    }
    filler = ITEM_BYTES - len(json.dumps(result)) - 20
    result["note"] = {"S": "".join(source.choices("abcdefghijklmnopqrstuvwxyz ", k=filler))}
    return result


def write_pool(path, endpoint, table):
    signer = Signer(urlparse(endpoint).netloc)
    source = random.Random(1)
    with open(path, "wb") as file:
        for _ in range(REQUESTS_IN_POOL):
            document = {"TableName": table, "Item": item(source.randrange(KEYS), source)}
            request = signer.raw_request("PutItem", document)
            file.write(b"%d\n" % len(request) + request)


class Metrics:
    def __init__(self, port):
        self.address = f"http://127.0.0.1:{port}/metrics"

    def value(self, name):
        with urllib.request.urlopen(self.address) as answer:
            return float(re.search(rf"^{name} (\S+)", answer.read().decode(), re.MULTILINE)[1])


class LagWatch:
    """Looks at the lag four times a second while something else is measured."""

    def __init__(self, metrics):
        self.metrics = metrics
        self.seen = []
        self.over = threading.Event()
        self.thread = threading.Thread(target=self._watch)

    def _watch(self):
        while not self.over.wait(0.25):
            self.seen.append(self.metrics.value("basalt_index_lag_seconds"))

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.over.set()
        self.thread.join()


def compare(options, program, metrics, folder):
    ratios = []
    for number in range(options.rounds):
        results = {}
        for table in ("Plain", "Indexed")[:: 1 if number % 2 == 0 else -1]:
            write_pool(folder / table, program.endpoint, table)
            with LagWatch(metrics) as watch:
                results[table] = measure(program, folder / table, CONNECTIONS, options.seconds)
            if results[table]["bad_status"] or results[table]["socket_errors"]:
                raise SystemExit("some requests failed: the figures are not valid")
            if table == "Indexed":
                half = len(watch.seen) // 2
                lags = [max(part) * 1000 for part in (watch.seen[:half], watch.seen[half:])]
        plain, indexed = (results[table]["per_second"] for table in ("Plain", "Indexed"))
        ratios.append(indexed / plain)
        print(f"PutItem {plain:.0f}/s without an index ({results['Plain']['cpu_us']:.0f} us of CPU), {indexed:.0f}/s with "
              f"one ({results['Indexed']['cpu_us']:.0f} us): {indexed / plain:.2f}; largest lag {lags[0]:.0f} ms in the "
              f"first half, {lags[1]:.0f} ms in the second; other programs took {results['Indexed']['foreign']:.2f} cores",
              flush=True)
    print(f"With an index : without = {statistics.median(ratios):.2f}, median of the rounds")


def seed_share(endpoint, items, first):
    client = Client(endpoint)
    source = random.Random(first)
    for start in range(first * BATCH, items, SEEDING_THREADS * BATCH):
        puts = [{"PutRequest": {"Item": item(key, source)}} for key in range(start, min(start + BATCH, items))]
        client.call("BatchWriteItem", {"RequestItems": {"Large": puts}})


def fill(program, items):
    client = Client(program.endpoint)
    create_table(client, "Large", False)
    threads = [threading.Thread(target=seed_share, args=(program.endpoint, items, n)) for n in range(SEEDING_THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    start, cpu = time.monotonic(), program.cpu_seconds()
    client.call("UpdateTable", {"TableName": "Large", "AttributeDefinitions": [GROUP],
                                "GlobalSecondaryIndexUpdates": [{"Create": INDEX}]})
    while client.call("DescribeTable", {"TableName": "Large"})["Table"]["GlobalSecondaryIndexes"][0]["IndexStatus"] \
            != "ACTIVE":
        time.sleep(0.05)
    took = time.monotonic() - start
    print(f"an index of {items} items was filled in {took:.1f} s: {items / took:.0f} items/s, "
          f"{(program.cpu_seconds() - cpu) / items * 1e6:.1f} us of CPU an item")


def main():
    options = arguments()
    with tempfile.TemporaryDirectory(prefix="basalt-bench-", dir=options.folder) as name:
        folder = pathlib.Path(name)
        metrics_port = free_port()
        program = Program([options.server, "--port", "0", "--data-dir", str(folder / "data"), "--log-level", "warning",
                           "--metrics-port", str(metrics_port)])
        try:
            client = Client(program.endpoint)
            create_table(client, "Plain", False)
            create_table(client, "Indexed", True)
            compare(options, program, Metrics(metrics_port), folder)
            if options.fill:
                fill(program, options.fill)
        finally:
            program.stop()


if __name__ == "__main__":
    main()
