"""The server on a small file system that fills up: full_disk_test.py SERVER. Needs the right to mount a tmpfs; exits with
77 (skipped) without it.

Writers fill the disk to the server's floor, a ballast file takes the rest and goes away again, the server is killed and
started on the full disk. All along: what was acknowledged is there, what is refused is refused with InternalServerError,
reads go on, and the server serves again by itself when there is space."""

import ctypes
import http.client
import json
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time

FLOOR_MB = 64  # the server's own
WRITERS = 8
PATIENCE_S = 60
servers = []
libc = ctypes.CDLL(None, use_errno=True)


def mount(path, size_mb, flags=0):
    return libc.mount(b"none", path.encode(), b"tmpfs", flags, f"size={size_mb}m".encode()) == 0


def grow(path, size_mb):
    assert mount(path, size_mb, 32), "remounting failed"


class Server:
    def __init__(self, program, small, *options):
        self.log = open(os.path.join(small, os.pardir, "server.log"), "a+b")
        self.process = subprocess.Popen(
            [program, "--data-dir", os.path.join(small, "data"), "--port", "0", "--metrics-port", "0",
             "--memory-budget-mb", "64", *options], stdout=subprocess.PIPE, stderr=self.log)
        servers.append(self)
        ready = self.process.stdout.readline().decode()
        self.port = int(re.search(r"endpoint=http://127.0.0.1:(\d+)", ready).group(1)) if ready else None

    def logged(self, words):
        self.log.seek(0)
        return words in self.log.read().decode()

    def metric(self, name):
        """The sum over all labels."""
        self.log.seek(0)
        address = re.findall(r"metrics are at http://127.0.0.1:(\d+)", self.log.read().decode())[-1]
        connection = http.client.HTTPConnection("127.0.0.1", int(address), timeout=PATIENCE_S)
        connection.request("GET", "/metrics")
        lines = connection.getresponse().read().decode().splitlines()
        return sum(float(line.split()[-1]) for line in lines if re.match(name + "[ {]", line))

    def end(self, how=signal.SIGTERM):
        self.process.send_signal(how)
        self.process.wait()


def padding(key):
    return random.Random(key).randbytes(20_000).hex()  # does not compress well


class Client:
    def __init__(self, server):
        self.connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE_S)

    def call(self, operation, **body):
        self.connection.request("POST", "/", json.dumps(body), {
            "X-Amz-Target": "DynamoDB_20120810." + operation, "Content-Type": "application/x-amz-json-1.0"})
        answer = self.connection.getresponse()
        return answer.status, json.loads(answer.read())

    def put(self, key):
        pad = padding(key)
        return self.call("PutItem", TableName="table", Item={"id": {"S": key}, "pad": {"S": pad}})[0]

    def get(self, key):
        """None: no such item. Fails when it is not whole."""
        start = time.monotonic()
        while True:
            status, body = self.call("GetItem", TableName="table", Key={"id": {"S": key}}, ConsistentRead=True)
            if status != 500 or time.monotonic() - start > PATIENCE_S:
                break
            time.sleep(0.02)  # the store is being opened again, as a compaction has freed some space
        assert status == 200, f"reading {key}: {status} {body}"
        if "Item" not in body:
            return None
        assert body["Item"]["pad"]["S"] == padding(key), f"{key} is not whole"
        return body

    def delete(self, key):
        return self.call("DeleteItem", TableName="table", Key={"id": {"S": key}})[0]


def fill(server, label):
    """Puts with several clients until each was refused three times in a row; what was acknowledged."""
    acknowledged = []
    lock = threading.Lock()

    def write(number):
        client = Client(server)
        count = refused = 0
        while refused < 3:
            key = f"{label}-{number}-{count}"
            status = client.put(key)
            # 400: throttled, as RocksDB cannot compact what it has.
            assert status in (200, 400, 500), status
            refused = 0 if status == 200 else refused + (1 if status == 500 else 3)
            if status == 200:
                with lock:
                    acknowledged.append(key)
                count += 1
    threads = [threading.Thread(target=write, args=(number,)) for number in range(WRITERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return acknowledged


def check_all(server, keys, when):
    client = Client(server)
    for key in keys:
        assert client.get(key) is not None, f"{key} was acknowledged and is missing {when}"


def until_served(server, key):
    client = Client(server)
    start = time.monotonic()
    while client.put(key) != 200:
        assert time.monotonic() - start < PATIENCE_S, "not served again"
        time.sleep(0.05)
    return time.monotonic() - start


class Ballast:
    """Takes all space that is left."""

    def __init__(self, directory):
        self.path = os.path.join(directory, "ballast")

    def grow(self):
        with open(self.path, "ab", buffering=0) as file:
            for size in (1 << 20, 1 << 12):
                try:
                    while True:
                        file.write(b"x" * size)
                except OSError:
                    pass

    def go(self):
        os.unlink(self.path)


TABLE = {"TableName": "table", "BillingMode": "PAY_PER_REQUEST",
         "KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}],
         "AttributeDefinitions": [{"AttributeName": "id", "AttributeType": "S"}]}


def below_the_floor(program, small):
    """The server refuses before the disk is full. Gives what it then holds."""
    server = Server(program, small)
    client = Client(server)
    assert client.call("CreateTable", **TABLE)[0] == 200
    kept = fill(server, "floor")
    assert len(kept) > 50, len(kept)
    assert server.metric("basalt_writes_refused") == 1
    assert server.logged("writes are refused")
    check_all(server, kept, "below the floor")
    assert client.call("CreateTable", **{**TABLE, "TableName": "refused"})[0] == 500
    assert client.call("ListTables")[1] == {"TableNames": ["table"]}
    gone = kept.pop()
    assert client.delete(gone) == 200, "deletes give space back"
    assert client.get(gone) is None
    print(f"floor: {len(kept)} items, then writes are refused; reads and deletes go on")
    grow(small, FLOOR_MB + 100)
    print(f"floor: served again after {until_served(server, 'again'):.2f} s")
    assert server.metric("basalt_store_failures_total") == 0
    server.end()
    return kept + ["again"]


def without_a_floor(program, small, kept):
    """The disk itself gives ENOSPC, to the log or to a flush."""
    server = Server(program, small, "--min-free-space-mb", "0")
    size = FLOOR_MB + 100
    for round in range(2):
        before = len(kept)
        kept += fill(server, f"full{round}")
        check_all(server, kept[-500:], "on the full disk")
        size += 40
        grow(small, size)
        took = until_served(server, f"again{round}")
        kept.append(f"again{round}")
        check_all(server, kept[-500:], "after the disk was full")
        print(f"full: {len(kept) - before} items more, served again after {took:.2f} s; so far the store failed "
              f"{server.metric('basalt_store_failures_total'):.0f} times, was opened again "
              f"{server.metric('basalt_store_reopenings_total'):.0f} times, RocksDB had "
              f"{server.metric('basalt_background_errors_total'):.0f} errors in the background and recovered from "
              f"{server.metric('basalt_background_recoveries_total'):.0f}")
    kept += fill(server, "last")
    server.end(signal.SIGKILL)
    print(f"killed on the full disk with {len(kept)} items acknowledged")


def start_on_a_full_disk(program, small, kept):
    ballast = Ballast(small)
    for _ in range(3):  # opening and closing give back space that the ballast then takes
        ballast.grow()
        server = Server(program, small)
        if server.port is None:
            code = server.process.wait()
            assert code == 1, code
            assert server.logged("No space left"), "the message says why"
            print("start: refused without a byte of space, exit code 1")
        else:
            check_all(server, kept[-500:], "after starting on the full disk")
            server.end()
            print("start: served on the full disk")
    ballast.go()
    grow(small, 2 * FLOOR_MB + 400)
    server = Server(program, small)
    check_all(server, kept, "after all that")
    server.end()
    print(f"start: all {len(kept)} items are there")


def run(program, small):
    kept = below_the_floor(program, small)
    without_a_floor(program, small, kept)
    start_on_a_full_disk(program, small, kept)


def main():
    with tempfile.TemporaryDirectory(prefix="basalt-full-disk-") as directory:
        small = os.path.join(directory, "small")
        os.mkdir(small)
        if not mount(small, FLOOR_MB + 24):
            print(f"SKIPPED: a tmpfs cannot be mounted here ({os.strerror(ctypes.get_errno())})")
            return 77
        try:
            run(sys.argv[1], small)
        except BaseException:
            with open(os.path.join(directory, "server.log")) as log:
                print("".join(log.readlines()[-60:]), file=sys.stderr)
            raise
        finally:
            for server in servers:
                server.process.kill()
                server.process.wait()
            libc.umount2(small.encode(), 2)
    return 0


if __name__ == "__main__":
    sys.exit(main())
