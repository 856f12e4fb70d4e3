"""boto3: what was answered is still there after kill -9, after a polite stop, and in both modes of durability."""

import subprocess
import threading
import unittest

from running_server import RunningServer, ServerCase, server_program


class KilledServer(ServerCase):
    """Sync durability, the default."""

    def test_acknowledged_writes_survive(self):
        table = self.make_table("pk:S", "sk:N")
        acknowledged, lock = {}, threading.Lock()
        enough = threading.Event()

        def write(writer):
            client = self.server.client()
            number = 0
            try:
                while True:
                    value = f"{writer}/{number}"
                    client.put_item(TableName=table, Item={"pk": {"S": f"w{writer}"}, "sk": {"N": str(number)},
                                                           "v": {"S": value}})
                    with lock:
                        acknowledged[f"w{writer}", str(number)] = value
                        if len(acknowledged) >= 400:
                            enough.set()
                    number += 1
            except Exception:  # pylint: disable=broad-except  (the server was killed under it)
                enough.set()

        writers = [threading.Thread(target=write, args=(number,)) for number in range(8)]
        for writer in writers:
            writer.start()
        enough.wait(120)
        self.server.kill()
        for writer in writers:
            writer.join()
        self.server.start()
        self.client = self.server.client()
        self.assertGreaterEqual(len(acknowledged), 400)
        found = {}
        for page in self.client.get_paginator("scan").paginate(TableName=table):
            for item in page["Items"]:
                found[item["pk"]["S"], item["sk"]["N"]] = item["v"]["S"]
        self.assertEqual({key: found.get(key) for key in acknowledged}, acknowledged)
        for (writer, number), value in found.items():
            self.assertEqual(value, f"{writer[1:]}/{number}")

    def test_tables_and_deletes_survive(self):
        kept = self.make_table("pk:S", name="kept")
        dropped = self.make_table("pk:S", name="dropped")
        for key in "abc":
            self.client.put_item(TableName=kept, Item={"pk": {"S": key}})
        self.client.delete_item(TableName=kept, Key={"pk": {"S": "b"}})
        before = self.client.describe_table(TableName=kept)["Table"]
        self.client.tag_resource(ResourceArn=before["TableArn"], Tags=[{"Key": "stage", "Value": "test"}])
        self.client.delete_table(TableName=dropped)
        self.server.crash_and_restart()
        self.client = self.server.client()
        self.assertEqual(self.client.describe_table(TableName=kept)["Table"], before)
        self.assertEqual(self.client.list_tags_of_resource(ResourceArn=before["TableArn"])["Tags"],
                         [{"Key": "stage", "Value": "test"}])
        self.assertEqual(sorted(item["pk"]["S"] for item in self.client.scan(TableName=kept)["Items"]), ["a", "c"])
        self.assertNotIn(dropped, self.client.list_tables()["TableNames"])
        self.make_table("pk:S", name="dropped")
        self.assertEqual(self.client.scan(TableName=dropped)["Count"], 0)


class KilledAsyncServer(ServerCase):
    server_options = ("--durability", "async")

    def test_acknowledged_writes_survive_kill_9(self):
        table = self.make_table("pk:N")
        for number in range(50):
            self.client.put_item(TableName=table, Item={"pk": {"N": str(number)}})
        self.server.crash_and_restart()
        self.client = self.server.client()
        self.assertEqual(self.client.scan(TableName=table)["Count"], 50)


class StoppedServer(unittest.TestCase):
    def test_polite_stop_and_start(self):
        server = RunningServer()
        self.addCleanup(server.remove)
        server.client().create_table(TableName="table", BillingMode="PAY_PER_REQUEST",
                                     KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}],
                                     AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "S"}])
        server.client().put_item(TableName="table", Item={"pk": {"S": "a"}})
        self.assertEqual(server.terminate(), 0, server.log_text())
        server.start()
        self.assertEqual(server.client().scan(TableName="table")["Count"], 1)
        self.assertEqual(server.terminate(), 0, server.log_text())

    def test_one_directory_one_server(self):
        server = RunningServer()
        self.addCleanup(server.remove)
        second = subprocess.run([server_program(), "--port", "0", *server.options], capture_output=True, text=True,
                                timeout=60, check=False)
        self.assertEqual(second.returncode, 1, second.stderr)
        self.assertNotIn("READY", second.stdout)
        self.assertTrue(second.stderr.strip())
        server.client().list_tables()
        self.assertEqual(server.terminate(), 0, server.log_text())


if __name__ == "__main__":
    unittest.main()
