"""Differential test: random schemas, items and expressions, answered by the server and by a reference evaluator.

The reference (reference.py and what it imports) is a slow, obvious second implementation of DynamoDB's rules for items
and expressions: own tokenizer and parser, conditions, filters, projections, updates with their five ReturnValues, number
arithmetic in decimals, set semantics, and the exact texts of the errors. It shares nothing with the server. generate*.py
draw the requests. Every response is compared as a whole: status, error type, message, body; the order of sets, of map
members and of scanned items does not count.

Cases come in worlds: one new table with items, then a number of requests, each of which is one case. A world depends on
the seed and its own number alone, so one that showed a difference can be run again without the others.

    tests/differential/run.py --server build/release/src/server/basalt                         the usual few thousand
    tests/differential/run.py --server build/release/src/server/basalt --cases 100000 --seed 7       the long version
    tests/differential/run.py --server build/release/src/server/basalt --seed 7 --world 123         one world again

Exit code 0: no difference. 1: differences, printed with seed, world and case; the run stops at the twentieth."""

import argparse
import collections
import json
import sys
import threading
import time
import traceback

from connection import Connection, Server
from generate import World
from reference import Table
from refusal import Refused
from values import Misprint, read_response_item, show_item

CASES_PER_WORLD = 250
FIRST_ITEMS = 30
CONNECTIONS = 2
DIFFERENCES_MAX = 20
ERROR_TYPES = {"ValidationException": "com.amazon.coral.validate#ValidationException"}
MODELLED = "com.amazonaws.dynamodb.v20120810#"


class Run:
    """What all threads share: the counters, the differences, the next world."""

    def __init__(self, arguments):
        self.seed = arguments.seed
        self.lock = threading.Lock()
        self.worlds = iter([arguments.world] if arguments.world is not None else
                           range((arguments.cases + CASES_PER_WORLD - 1) // CASES_PER_WORLD))
        self.results = collections.Counter()
        self.errors = collections.Counter()
        self.differences = []

    def next_world(self):
        with self.lock:
            return None if len(self.differences) >= DIFFERENCES_MAX else next(self.worlds, None)

    def work(self, address):
        connection = Connection(address)
        while (number := self.next_world()) is not None:
            try:
                self.run_world(connection, number)
            except Exception:  # pylint: disable=broad-except; a thread that dies in silence would look like success
                self.differences.append(f"seed {self.seed} world {number}: broken off\n{traceback.format_exc()}")
                return
        connection.close()

    def run_world(self, connection, number):
        world = World(self.seed, number)
        world.table = Table(world.schema)
        status, body = connection.call("CreateTable", world.create_table())
        if status != 200:
            raise ValueError(f"CreateTable: {body}")
        for _ in range(FIRST_ITEMS):
            self.run_case(connection, world, number, "first", ("item", "PutItem", {"TableName": world.name,
                                                                                  "Item": world.new_item()}))
        for case in range(CASES_PER_WORLD):
            if not self.run_case(connection, world, number, case, world.case()):
                break
        connection.call("DeleteTable", {"TableName": world.name})

    def run_case(self, connection, world, number, case, drawn):
        """False if there was a difference, after which the two sides may have parted."""
        kind, operation, request = drawn
        sent = json.dumps(request, ensure_ascii=False)
        try:
            expected = world.table.answer(operation, request)
        except Refused as refused:
            expected = refused
        answer = connection.call(operation, request)
        why = difference(operation, expected, answer[0], dict(answer[1]))
        with self.lock:
            (self.errors if isinstance(expected, Refused) else self.results)[kind] += 1
            if why and len(self.differences) < DIFFERENCES_MAX:
                self.differences.append(describe(self.seed, number, case, kind, operation, sent, expected, answer, why))
        return not why


def difference(operation, expected, status, body):
    """None if the answer is as expected, else what is not."""
    if isinstance(expected, Refused):
        return error_difference(expected, status, body)
    if status != 200:
        return "an error instead of a result"
    try:
        got = read_body(body)
    except Misprint as fault:
        return str(fault)
    if operation == "Scan":
        expected, got = unordered(expected), unordered(got)
    return None if got == expected else "another body"


def error_difference(expected, status, body):
    if status != 400:
        return "another status"
    if body.pop("__type", None) != ERROR_TYPES.get(expected.kind, MODELLED + expected.kind):
        return "another type"
    text = body.pop("message", None) or body.pop("Message", None)
    if listed_keys_sorted(text or "") not in set(map(listed_keys_sorted, expected.texts)):
        return "another message"
    try:
        item = read_response_item(body.pop("Item")) if "Item" in body else None
    except Misprint as fault:
        return str(fault)
    if item != expected.item:
        return "another Item"
    return f"unknown members {list(body)}" if body else None


def listed_keys_sorted(text):
    """Of several unused placeholders no rule says which comes first."""
    head, mark, keys = text.partition("unused in expressions: keys: {")
    return head + mark + ", ".join(sorted(keys.rstrip("}").split(", "))) if mark else text


def read_body(body):
    read = {}
    for member, content in body.items():
        if member == "Items":
            content = [read_response_item(item) for item in content]
        elif member in ("Attributes", "Item", "LastEvaluatedKey"):
            content = read_response_item(content)
        read[member] = content
    return read


def unordered(body):
    if "Items" not in body:
        return body
    return {**body, "Items": sorted(json.dumps(show_item(item), sort_keys=True) for item in body["Items"])}


def describe(seed, world, case, kind, operation, sent, expected, answer, why):
    if isinstance(expected, Refused):
        wanted = f"{expected.kind} {sorted(expected.texts)}"
        wanted += f" Item {json.dumps(show_item(expected.item), ensure_ascii=False)}" if expected.item is not None else ""
    else:
        wanted = json.dumps({member: [show_item(item) for item in content] if member == "Items" else
                             show_item(content) if isinstance(content, dict) else content
                             for member, content in expected.items()}, ensure_ascii=False, sort_keys=True)
    return (f"seed {seed} world {world} case {case} ({kind}): {why}\n  {operation} {sent}\n  expected {wanted}\n"
            f"  got      {answer[0]} {json.dumps(answer[1], ensure_ascii=False, sort_keys=True)}")


def main():
    parser = argparse.ArgumentParser(description="Compares the server with the reference evaluator.")
    parser.add_argument("--server", required=True, help="the server program")
    parser.add_argument("--cases", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--port", type=int, default=0, help="0: a free one")
    parser.add_argument("--world", type=int, help="run this world only")
    arguments = parser.parse_args()
    run = Run(arguments)
    started = time.monotonic()
    with Server(arguments.server, arguments.port) as server:
        threads = [threading.Thread(target=run.work, args=(server.address,)) for _ in range(CONNECTIONS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    seconds = time.monotonic() - started
    for text in run.differences:
        print(text)
    total = sum(run.results.values()) + sum(run.errors.values())
    print(f"seed {run.seed}: {total} cases in {seconds:.1f} s ({total / seconds:.0f} a second), "
          f"{len(run.differences)} differences")
    for kind in sorted(run.results.keys() | run.errors.keys()):
        print(f"  {kind:20} {run.results[kind]:7} results {run.errors[kind]:7} errors")
    return 1 if run.differences else 0


if __name__ == "__main__":
    sys.exit(main())
