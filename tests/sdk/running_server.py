"""A Basalt server of its own for a test class: started on a free port over a temporary directory, killed and started
again at will, stopped in the end. Also the base of all SDK tests in Python."""

import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import threading
import unittest

READY = re.compile(r"BASALT READY endpoint=(\S+) pid=(\d+)")
READY_SECONDS = 60
STOP_SECONDS = 60

# Nothing of the user's own setup may leak into a test.
PROGRAM = os.environ.get("BASALT_BINARY")
for name in [name for name in os.environ if name.startswith(("AWS_", "BASALT_"))]:
    del os.environ[name]
os.environ.update(AWS_CONFIG_FILE=os.devnull, AWS_SHARED_CREDENTIALS_FILE=os.devnull, AWS_EC2_METADATA_DISABLED="true",
                  NO_PROXY="127.0.0.1", no_proxy="127.0.0.1")

import boto3  # noqa: E402
from botocore.config import Config  # noqa: E402

SESSION = {"region_name": "us-east-1", "aws_access_key_id": "local", "aws_secret_access_key": "local"}


def server_program():
    """BASALT_BINARY, or the release build's."""
    project = pathlib.Path(__file__).resolve().parents[2]
    path = pathlib.Path(PROGRAM or project / "build/release/src/server/basalt")
    if not path.is_file():
        raise FileNotFoundError(f"{path} is not there: build the server, or name it in BASALT_BINARY")
    return str(path)


class RunningServer:
    """One process at a time over one directory."""

    def __init__(self, *options, in_memory=False):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="basalt-sdk-"))
        self.options = [*options, *(["--in-memory"] if in_memory else ["--data-dir", str(self.folder / "data")])]
        self.log = self.folder / "log"
        self.process = None
        self.endpoint = None
        self.clients = []
        self.start()

    def start(self):
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [server_program(), "--host", "127.0.0.1", "--port", "0", *self.options],
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=log, text=True)
        too_late = threading.Timer(READY_SECONDS, self.process.kill)
        too_late.start()
        ready = next(filter(None, map(READY.search, self.process.stdout)), None)
        too_late.cancel()
        if ready is None:
            raise RuntimeError(f"never became ready; exit code {self.process.wait()}\n{self.log_text()}")
        self.endpoint = ready.group(1)

    def kill(self):
        """kill -9"""
        self.disconnect()
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self.process.stdout.close()

    def terminate(self):
        """A polite stop. Returns the exit code; a sanitizer that found something makes it other than 0."""
        self.disconnect()
        self.process.terminate()
        try:
            return self.process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            return "killed: it did not stop in time"
        finally:
            self.process.stdout.close()

    def crash_and_restart(self):
        self.kill()
        self.start()

    def log_text(self):
        return self.log.read_text(encoding="utf-8", errors="replace")

    def remove(self):
        """Ends what still runs and deletes the directory."""
        if self.process.poll() is None:
            self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)

    def config(self):
        # One try: a retry would hide a wrong answer, and a crc32 that does not match is an error at once.
        return Config(retries={"total_max_attempts": 1}, connect_timeout=10, read_timeout=60, max_pool_connections=64)

    def client(self):
        client = boto3.session.Session(**SESSION).client("dynamodb", endpoint_url=self.endpoint, config=self.config())
        self.clients.append(client)
        return client

    def resource(self):
        resource = boto3.session.Session(**SESSION).resource("dynamodb", endpoint_url=self.endpoint, config=self.config())
        self.clients.append(resource.meta.client)
        return resource

    def disconnect(self):
        for client in self.clients:
            client.close()
        self.clients.clear()


class ServerCase(unittest.TestCase):
    """Tests that share one server; each test makes tables of its own, named after it."""

    server_options = ()
    in_memory = False

    @classmethod
    def setUpClass(cls):
        cls.server = RunningServer(*cls.server_options, in_memory=cls.in_memory)
        cls.addClassCleanup(cls.stop_server)

    @classmethod
    def stop_server(cls):
        code = cls.server.terminate()
        log = cls.server.log_text()
        cls.server.remove()
        if code != 0:
            raise AssertionError(f"the server ended with {code}\n{log}")

    def setUp(self):
        self.client = self.server.client()

    def table_name(self, suffix=""):
        return re.sub(r"[^A-Za-z0-9]", "-", self.id().rpartition(".")[2]) + suffix

    def make_table(self, *keys, name=None, **more):
        """A table with keys such as 'pk:S', 'sk:N'; returns its name."""
        name = name or self.table_name()
        self.client.create_table(**table_request(name, *keys, **more))
        return name

    def assert_client_error(self, code, message, call, **parameters):
        """The call fails with this code and this whole message."""
        with self.assertRaises(self.client.exceptions.ClientError) as caught:
            call(**parameters)
        error = caught.exception.response
        self.assertEqual((error["Error"]["Code"], error["Error"]["Message"]), (code, message))
        self.assertEqual(error["ResponseMetadata"]["HTTPStatusCode"], 400)

    def assert_refused(self, words, call, **parameters):
        """The call fails with a ValidationException that has these words in it."""
        with self.assertRaises(self.client.exceptions.ClientError) as caught:
            call(**parameters)
        error = caught.exception.response["Error"]
        self.assertEqual(error["Code"], "ValidationException")
        self.assertIn(words, error["Message"])


def key_schema(*keys):
    """('pk:S', 'sk:N') as a KeySchema."""
    return [{"AttributeName": key.partition(":")[0], "KeyType": kind} for key, kind in zip(keys, ("HASH", "RANGE"))]


def definitions(*keys):
    return [{"AttributeName": name, "AttributeType": kind} for name, _, kind in (key.partition(":") for key in keys)]


def table_request(name, *keys, **more):
    """Parameters of CreateTable: on demand unless more says otherwise."""
    request = {"TableName": name, "KeySchema": key_schema(*keys), "AttributeDefinitions": definitions(*keys),
               "BillingMode": "PAY_PER_REQUEST"}
    request.update(more)
    return request
