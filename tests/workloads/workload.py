"""What the workloads share: clients that act at the same moment, pages followed to their end, values compared with types."""

import concurrent.futures
import decimal
import pathlib
import sys
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "sdk"))

import boto3  # noqa: E402
from running_server import SESSION, ServerCase, definitions, key_schema, table_request  # noqa: E402,F401

REFUSED = "ConditionalCheckFailedException"
REFUSED_TEXT = "The conditional request failed"
INVALID = "One or more parameter values were invalid: "
WRONG_KEY = "The provided key element does not match the schema"
MEETING_SECONDS = 120
POLL_SECONDS = 0.02


def typed(value):
    """The value with the type of each part: in Python True == 1 and 1.0 == 1, in a table they differ."""
    if isinstance(value, dict):
        return {name: typed(member) for name, member in value.items()}
    if isinstance(value, list):
        return [typed(element) for element in value]
    if isinstance(value, (int, decimal.Decimal)) and not isinstance(value, bool):
        return "N", str(value)
    return type(value).__name__, value


def pages(call, **parameters):
    """The pages of a Query or Scan, each asked for where the one before ended."""
    while True:
        page = call(**parameters)
        yield page
        if "LastEvaluatedKey" not in page:
            return
        parameters["ExclusiveStartKey"] = page["LastEvaluatedKey"]


def items(call, **parameters):
    return [item for page in pages(call, **parameters) for item in page["Items"]]


def global_index(name, *keys, projection=None, units=None):
    """An index over keys such as 'day:S'; projection: ALL, KEYS_ONLY, or the list of what it includes besides the keys."""
    kind = projection or "ALL"
    index = {"IndexName": name, "KeySchema": key_schema(*keys)}
    if isinstance(kind, list):
        index["Projection"] = {"ProjectionType": "INCLUDE", "NonKeyAttributes": kind}
    else:
        index["Projection"] = {"ProjectionType": kind}
    if units:
        index["ProvisionedThroughput"] = provisioned(*units)
    return index


def provisioned(read, write):
    return {"ReadCapacityUnits": read, "WriteCapacityUnits": write}


class WorkloadCase(ServerCase):
    """One server in memory for all tests of the class, reached through boto3's document API (self.resource, or the resources
    of at_once) and through the typed one (self.client)."""

    in_memory = True

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.session = boto3.session.Session(**SESSION)
        cls.resource = cls.new_resource()
        cls.typed_client = cls.server.client()
        cls.racers = []

    @classmethod
    def new_resource(cls):
        resource = cls.session.resource("dynamodb", endpoint_url=cls.server.endpoint, config=cls.server.config())
        cls.server.clients.append(resource.meta.client)
        return resource

    def setUp(self):
        self.client = self.typed_client

    def make(self, *keys, name=None, **more):
        """A table as the document API sees it; nothing waits between its creation and the first write."""
        return self.resource.create_table(**table_request(name or self.table_name(), *keys, **more))

    def until_active(self, name):
        """Waits, as deployment tools do, until table and indexes have nothing left to change. Returns the description."""
        give_up = time.monotonic() + MEETING_SECONDS
        while True:
            shown = self.client.describe_table(TableName=name)["Table"]
            states = {shown["TableStatus"], *(index["IndexStatus"] for index in shown.get("GlobalSecondaryIndexes", []))}
            if states == {"ACTIVE"}:
                return shown
            self.assertLess(time.monotonic(), give_up, f"still not ACTIVE: {states}")
            time.sleep(POLL_SECONDS)

    def at_once(self, count, work):
        """work(number, resource) in count threads that start together, each with a client of its own. Returns what each of
        them returned; for one whose request was refused, the error's code."""
        while len(self.racers) < count:
            self.racers.append(self.new_resource())
        start = threading.Barrier(count)

        def run(number):
            start.wait(MEETING_SECONDS)
            try:
                return work(number, self.racers[number])
            except self.client.exceptions.ClientError as refusal:
                return self.code_of(refusal)

        with concurrent.futures.ThreadPoolExecutor(count) as threads:
            return list(threads.map(run, range(count)))

    def code_of(self, refusal):
        error = refusal.response["Error"]
        if error["Code"] == REFUSED:
            self.assertEqual(error["Message"], REFUSED_TEXT)
        return error["Code"]

    def passes(self, call, **parameters):
        """Whether the condition of this write held."""
        try:
            call(**parameters)
        except self.client.exceptions.ClientError as refusal:
            self.assertEqual(self.code_of(refusal), REFUSED)
            return False
        return True

    def assert_invalid(self, message, call, **parameters):
        self.assert_client_error("ValidationException", message, call, **parameters)
