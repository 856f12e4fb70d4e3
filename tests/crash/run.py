#!/usr/bin/env python3
"""Crashes the server under load and judges what it comes back with.

    run.py --server build/release/tests/crash/crash_server [--program .../basalt] [--rounds 20] [--seed N]

Each round serves 32 clients for a random time, kills the server, in every other round also cuts the power (everything
unsynced is lost; see power_cut.py), sometimes kills it again while it starts, starts it and compares everything in it
with the model of what it acknowledged and showed. The directory goes on over rounds, with a fresh one now and then.
Prints the seed; a violation ends the run with exit status 1 and leaves the directory. With --program every fifth crashed
directory is also checked by `verify` before the server opens it.
"""
import argparse
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import global_indexes
import power_cut
from client import Client, Refused, Unknown
from model import (ACCOUNTS, BALANCE, Model, Violation, check_accounts, check_counters, check_index, check_items,
                   check_pages, check_tables, check_versions)
from workload import WORKERS, Worker, create_tables

START_PATIENCE_S = 60


class Server:
    def __init__(self, program, directory, memtable_kb):
        self.process = subprocess.Popen([program, os.path.join(directory, "data"), os.path.join(directory, "journal"),
                                         str(memtable_kb)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def wait_for_port(self):
        line = self.process.stdout.readline()
        if not line.startswith("PORT "):
            raise Violation(f"the server does not start: {self.process.stderr.read()}")
        return int(line.rsplit(":", 1)[1])

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.communicate()


class Run:
    def __init__(self, options):
        self.options = options
        self.random = random.Random(options.seed)
        self.base = tempfile.mkdtemp(prefix="basalt-crash-")
        self.directory = None
        self.model = None
        self.entries = self.index_changes = self.half_made = 0
        self.operations = self.power_cuts = self.start_kills = self.verified = 0

    def fresh(self):
        if self.directory is not None:
            shutil.rmtree(self.directory)
        self.directory = os.path.join(self.base, f"{self.random.getrandbits(32):08x}")
        os.mkdir(self.directory)
        self.model = Model()
        self.model.receipts = []
        server = Server(self.options.server, self.directory, 64)
        client = Client(server.wait_for_port())
        create_tables(client)
        for number in range(ACCOUNTS):
            client.call("PutItem", TableName="plain", Item={"a": {"S": f"account-{number}"}, "n": {"N": str(BALANCE)}})
        server.kill()

    def crash(self, server, cut):
        server.kill()
        if not cut:
            return
        self.power_cuts += 1
        journal = os.path.join(self.directory, "journal")
        self.lost += power_cut.cut_power(os.path.join(self.directory, "data"), journal, self.random)

    def round(self, number):
        cut = number % 2 == 1
        self.lost = []
        server = Server(self.options.server, self.directory, self.random.choice((64, 256, 4096)))
        port = server.wait_for_port()
        failures = []
        workers = [Worker(worker, f"{self.options.seed}/{number}", port, self.model, failures)
                   for worker in range(WORKERS)]
        for worker in workers:
            worker.start()
        self.wait_for_the_moment()
        self.crash(server, cut)
        for worker in workers:
            worker.join()
            worker.client.connection.close()
        self.operations += sum(worker.done for worker in workers)
        self.index_changes += self.model.index_changes
        self.model.index_changes = 0
        if failures:
            raise Violation("; ".join(failures))
        while self.random.random() < 0.3:
            self.start_kills += 1
            server = Server(self.options.server, self.directory, 64)
            time.sleep(self.random.uniform(0, 0.05))
            self.crash(server, cut)
        if self.options.program and number % 5 == 0:
            self.verify()
        self.check([worker.retry for worker in workers if worker.retry])

    def wait_for_the_moment(self):
        """Some crashes come while an index is being made or deleted."""
        time.sleep(self.random.uniform(0.05, self.options.load_s))
        if self.random.random() < 0.3:
            self.model.index_changing.clear()
            self.model.index_changing.wait(self.options.load_s)
            time.sleep(self.random.uniform(0, 0.02))

    def verify(self):
        self.verified += 1
        done = subprocess.run([self.options.program, "verify", "--data-dir", os.path.join(self.directory, "data")],
                              capture_output=True, text=True, timeout=120, check=False)
        if done.returncode != 0:
            raise Violation(f"verify says {done.returncode}: {done.stdout}{done.stderr}")

    def check(self, retries):
        server = Server(self.options.server, self.directory, 64)
        try:
            client = Client(server.wait_for_port())
            self.half_made += global_indexes.is_half_made(client)
            self.compare(client, retries)
        finally:
            server.kill()

    def compare(self, client, retries):
        # Under their tokens: those that were made are not made again.
        for retry in retries:
            client.call("TransactWriteItems", **retry)
            receipt = retry["TransactItems"][2]["Put"]["Item"]
            self.model.receipts.append((receipt["a"]["S"], receipt["b"]["S"]))
        tables = {name: {(item["a"]["S"], item.get("b", {}).get("S")): item
                         for item in client.pages("Scan", TableName=name, ConsistentRead=True)}
                  for name in ("plain", "sorted", "indexed")}
        entries = {(item["a"]["S"], item["b"]["S"]): item
                   for item in client.pages("Scan", TableName="sorted", IndexName="by_s", ConsistentRead=True)}
        check_versions(self.model, tables)
        check_items(self.model, tables)
        check_counters(self.model, tables)
        for receipt in self.model.receipts:
            if receipt not in tables["sorted"]:
                raise Violation(f"the transfer {receipt} is gone")
        check_accounts(tables)
        check_index(tables, entries)
        own = [name for name in client.call("ListTables")["TableNames"] if name not in tables]
        contents = {name: list(client.pages("Scan", TableName=name, ConsistentRead=True)) for name in own}
        check_tables(self.model, contents)
        contents["indexed"] = list(tables["indexed"].values())
        for name, items in contents.items():
            self.entries += global_indexes.check(client, self.random, name, items)
        global_indexes.check_names(client, self.model)

        def query(partition, index, forward):
            return list(client.pages("Query", TableName="sorted", **({"IndexName": index} if index else {}),
                                     ConsistentRead=True, ScanIndexForward=forward, KeyConditionExpression="a = :a",
                                     ExpressionAttributeValues={":a": {"S": partition}}))

        check_pages(tables, entries, query)

    def run(self):
        print(f"seed {self.options.seed}", flush=True)
        started = time.monotonic()
        for number in range(self.options.rounds):
            if number % self.options.fresh_every == 0:
                self.fresh()
            try:
                self.round(number)
            except (Violation, Unknown, Refused) as violation:
                print(f"VIOLATION in round {number}, seed {self.options.seed}: {violation}\n"
                      f"lost in the round's power cuts: {self.lost}\nleft in {self.directory}", flush=True)
                return 1
            if (number + 1) % 20 == 0:
                print(f"{number + 1} crashes, {self.power_cuts} power cuts, {self.start_kills} more while starting, "
                      f"{self.operations} operations, {self.index_changes} indexes made or deleted, {self.half_made} "
                      f"found half made, {self.entries} index entries compared, {self.verified} verified, "
                      f"{time.monotonic() - started:.0f} s", flush=True)
        shutil.rmtree(self.base)
        return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--server", required=True)
    parser.add_argument("--program")
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--seed", type=int, default=int.from_bytes(os.urandom(4), "big"))
    parser.add_argument("--fresh-every", type=int, default=25)
    parser.add_argument("--load-s", type=float, default=0.8, help="the longest load of a round")
    sys.exit(Run(parser.parse_args()).run())


if __name__ == "__main__":
    main()
