"""basalt verify over directories that a server has filled: left by a polite stop, by kill -9, and damaged."""

import hashlib
import subprocess
import unittest

from running_server import RunningServer, server_program

ALL_IS_WELL, FOUND_ERRORS, NOT_CHECKED = 0, 1, 2


class Verify(unittest.TestCase):
    def setUp(self):
        self.server = RunningServer()
        self.addCleanup(self.server.remove)
        self.directory = self.server.folder / "data"

    def fill(self):
        client = self.server.client()
        client.create_table(
            TableName="orders", BillingMode="PAY_PER_REQUEST",
            KeySchema=[{"AttributeName": "customer", "KeyType": "HASH"}, {"AttributeName": "number", "KeyType": "RANGE"}],
            AttributeDefinitions=[{"AttributeName": name, "AttributeType": kind}
                                  for name, kind in (("customer", "S"), ("number", "N"), ("status", "S"))],
            LocalSecondaryIndexes=[{
                "IndexName": "by_status", "Projection": {"ProjectionType": "KEYS_ONLY"},
                "KeySchema": [{"AttributeName": "customer", "KeyType": "HASH"},
                              {"AttributeName": "status", "KeyType": "RANGE"}]}])
        client.create_table(TableName="dropped", BillingMode="PAY_PER_REQUEST",
                            KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}],
                            AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "B"}])
        client.put_item(TableName="dropped", Item={"pk": {"B": b"\x00\xff"}})
        for number in range(120):
            key = {"customer": {"S": f"customer {number % 7}"}, "number": {"N": str(number)}}
            client.put_item(TableName="orders", Item={**key, "status": {"S": "open"}, "note": {"S": "x" * 300}})
            if number % 3 == 0:
                client.update_item(TableName="orders", Key=key, UpdateExpression="SET #s = :s",
                                   ExpressionAttributeNames={"#s": "status"},
                                   ExpressionAttributeValues={":s": {"S": "paid"}})
            if number % 5 == 0:
                client.delete_item(TableName="orders", Key=key)
        client.delete_table(TableName="dropped")

    def files(self):
        return {path.name: (hashlib.sha256(path.read_bytes()).hexdigest(), path.stat().st_mtime_ns)
                for path in self.directory.iterdir()}

    def verify(self, *options):
        """Exit code and what was said. Nothing in the directory changes."""
        before = self.files()
        done = subprocess.run([server_program(), "verify", *(options or ["--data-dir", str(self.directory)])],
                              capture_output=True, text=True, timeout=120, check=False)
        self.assertEqual(self.files(), before)
        return done.returncode, done.stdout + done.stderr

    def assert_well(self):
        code, said = self.verify()
        self.assertEqual(code, ALL_IS_WELL, said)
        self.assertIn("all is well", said)
        self.assertNotIn("error", said)
        return said

    def test_after_a_polite_stop(self):
        self.fill()
        self.assertEqual(self.server.terminate(), 0, self.server.log_text())
        said = self.assert_well()
        self.assertIn("1 table, 96 items", said)
        self.assertIn("table orders: 96 items, 96 index entries\n", said)

    def test_after_kill_9_and_the_start_after_it(self):
        self.fill()
        self.server.kill()
        self.assertIn("96 items", self.assert_well())
        self.server.start()
        self.assertEqual(self.server.terminate(), 0, self.server.log_text())
        self.assertIn("96 items", self.assert_well())

    def test_a_flipped_byte_is_found(self):
        self.fill()
        self.server.kill()
        log = max(self.directory.glob("*.log"), key=lambda path: path.stat().st_size)
        sound = log.read_bytes()
        damaged = bytearray(sound)
        damaged[len(damaged) // 2] ^= 1
        log.write_bytes(damaged)
        code, said = self.verify()
        self.assertEqual(code, FOUND_ERRORS, said)
        self.assertIn(log.name, said)
        log.write_bytes(sound[:-3])
        self.assertIn("in the middle of a commit", self.assert_well())

    def test_what_cannot_be_checked(self):
        code, said = self.verify()
        self.assertEqual(code, NOT_CHECKED, said)
        self.assertIn("open already", said)
        self.server.kill()
        for options in (["--data-dir", str(self.directory / "none")], ["--data-dir", str(self.server.folder)],
                        ["--port", "1"], ["--data-dir"], ["more"]):
            code, said = self.verify(*options)
            self.assertEqual(code, NOT_CHECKED, (options, said))
            self.assertEqual(said.count("\n"), 1, said)
        self.assertFalse((self.directory / "none").exists())

    def test_help(self):
        code, said = self.verify("--help")
        self.assertEqual(code, 0)
        self.assertIn("--data-dir", said)
        self.assertNotIn("--port", said)


if __name__ == "__main__":
    unittest.main()
