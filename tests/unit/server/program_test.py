"""The program as a process: its ready line, its exit codes, its signals. usage: program_test.py PATH_OF_BASALT"""

import json
import os
import pathlib
import re
import signal
import socket
import subprocess
import sys
import tempfile
import unittest
import urllib.request

PROGRAM = ""
PATIENCE_SECONDS = 60


class Basalt:
    """A running server."""

    def __init__(self, *options):
        command = [PROGRAM, "--log-level", "warning", *map(str, options)]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.ready_line = self.process.stdout.readline()
        found = re.fullmatch(r"BASALT READY endpoint=(http://127\.0\.0\.1:(\d+)) pid=(\d+)\n", self.ready_line)
        if not found:
            self.process.kill()
            raise AssertionError(f"no ready line but {self.ready_line!r} {self.process.communicate()}")
        self.endpoint, self.port, self.pid = found[1], int(found[2]), int(found[3])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate(timeout=PATIENCE_SECONDS)

    def call(self, operation, document):
        headers = {"X-Amz-Target": "DynamoDB_20120810." + operation, "Content-Type": "application/x-amz-json-1.0"}
        request = urllib.request.Request(self.endpoint, json.dumps(document).encode(), headers)
        with urllib.request.urlopen(request, timeout=PATIENCE_SECONDS) as response:
            return json.load(response)

    def create_table(self, name, **more):
        self.call("CreateTable", {
            "TableName": name,
            "BillingMode": "PAY_PER_REQUEST",
            "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
            "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
            **more,
        })

    def end(self, number):
        """Sends a signal; gives the exit code and what else was printed."""
        self.process.send_signal(number)
        output, errors = self.process.communicate(timeout=PATIENCE_SECONDS)
        return self.process.returncode, output, errors


def run(*options):
    return subprocess.run([PROGRAM, *map(str, options)], capture_output=True, text=True, timeout=PATIENCE_SECONDS)


class ProgramTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="basalt-program-test-")
        self.addCleanup(folder.cleanup)
        self.data = pathlib.Path(folder.name) / "data"

    def assert_complaint(self, finished, pattern):
        self.assertEqual(finished.returncode, 1, finished.stderr)
        self.assertEqual(finished.stdout, "")
        self.assertRegex(finished.stderr, r"\Abasalt: " + pattern + r"[^\n]*\n\Z")

    def test_ready_line_is_all_of_stdout(self):
        for number in (signal.SIGTERM, signal.SIGINT):
            with Basalt("--port", 0, "--in-memory") as server:
                self.assertEqual(server.pid, server.process.pid)
                self.assertEqual(server.call("ListTables", {}), {"TableNames": []})
                self.assertEqual(server.end(number), (0, "", ""))

    def test_settings_from_the_environment(self):
        os.environ["BASALT_PORT"] = "0"
        os.environ["BASALT_DATA_DIR"] = str(self.data)
        self.addCleanup(os.environ.pop, "BASALT_PORT")
        self.addCleanup(os.environ.pop, "BASALT_DATA_DIR")
        with Basalt():
            self.assertTrue(self.data.is_dir())

    def test_bad_settings(self):
        self.assert_complaint(run("--colour", "blue"), "[^\n]*--colour")
        self.assert_complaint(run("--port", "many"), "--port must be a whole number from 0 to 65535, not 'many'")
        self.assert_complaint(run("--host", "no.such.host", "--data-dir", self.data), "host 'no.such.host' is neither")
        self.assert_complaint(run("--config", self.data / "none.toml"), "the configuration file ")
        self.assertFalse(self.data.exists())

    def test_port_in_use_leaves_the_directory_alone(self):
        with socket.socket() as other:
            other.bind(("127.0.0.1", 0))
            other.listen()
            port = other.getsockname()[1]
            self.assert_complaint(
                run("--port", port, "--data-dir", self.data),
                f"cannot listen on 127.0.0.1:{port}: the port is in use by another program",
            )
        self.assertFalse(self.data.exists())

    def test_directory_in_use(self):
        with Basalt("--port", 0, "--data-dir", self.data) as server:
            server.create_table("Kept")
            self.assert_complaint(run("--port", 0, "--data-dir", self.data), "")
            self.assertEqual(server.call("ListTables", {}), {"TableNames": ["Kept"]})

    def test_restart_at_once_on_the_same_port_and_directory(self):
        with Basalt("--port", 0, "--data-dir", self.data) as server:
            server.create_table("Kept")
            port = server.port
            self.assertEqual(server.end(signal.SIGTERM)[0], 0)
        with Basalt("--port", port, "--data-dir", self.data) as server:
            self.assertEqual(server.call("ListTables", {}), {"TableNames": ["Kept"]})
            server.create_table("KeptToo")
            self.assertEqual(server.end(signal.SIGKILL)[0], -signal.SIGKILL)
        with Basalt("--port", port, "--data-dir", self.data) as server:
            self.assertEqual(server.call("ListTables", {}), {"TableNames": ["Kept", "KeptToo"]})

    def test_a_hangup_reads_what_may_change(self):
        with tempfile.TemporaryDirectory() as directory:
            config = pathlib.Path(directory) / "basalt.toml"
            config.write_text('index_reads = "eventual"\nindex_lag_ms = 86400000\n')
            with Basalt("--config", config, "--in-memory", "--port", 0) as server:
                key = {"AttributeName": "pk", "KeyType": "HASH"}
                index = {"IndexName": "again", "KeySchema": [key], "Projection": {"ProjectionType": "ALL"}}
                server.create_table("table", GlobalSecondaryIndexes=[index])
                server.call("PutItem", {"TableName": "table", "Item": {"pk": {"S": "a"}}})
                scan = {"TableName": "table", "IndexName": "again"}
                self.assertEqual(server.call("Scan", scan)["Count"], 0)
                config.write_text("index_lag_ms = -1\n")  # refused as a whole
                server.process.send_signal(signal.SIGHUP)
                config.write_text("# the defaults\n")
                server.process.send_signal(signal.SIGHUP)
                # The second signal may have come before the first was taken: they count as one then.
                while server.call("Scan", scan)["Count"] == 0:
                    pass
                self.assertEqual(server.end(signal.SIGTERM)[0], 0)

    def test_a_second_signal_ends_the_program_at_once(self):
        with Basalt("--port", 0, "--in-memory", "--shutdown-grace-s", PATIENCE_SECONDS * 2) as server:
            with socket.create_connection(("127.0.0.1", server.port)) as client:
                client.sendall(b"GET / HTTP/1.1\r\n\r\nPOST / HT")  # the second one keeps the server waiting
                self.assertIn(b"healthy", client.recv(4096))
                server.process.send_signal(signal.SIGTERM)
                with self.assertRaises(OSError):
                    while True:  # until it accepts no more, so that the first signal has been taken
                        socket.create_connection(("127.0.0.1", server.port)).close()
                self.assertEqual(server.end(signal.SIGTERM)[0], -signal.SIGTERM)

    def test_help_and_version(self):
        for option in ("--help", "--version"):
            finished = run(option)
            self.assertEqual((finished.returncode, finished.stderr), (0, ""))
            self.assertIn("asalt", finished.stdout)


if __name__ == "__main__":
    PROGRAM = sys.argv.pop(1)
    unittest.main()
