"""The protocol under the SDKs, by plain HTTP: health page, headers, checksums, CORS, and requests that no SDK would send."""

import http.client
import json
import unittest
import urllib.parse
import zlib

from running_server import ServerCase

JSON_1_0 = "application/x-amz-json-1.0"


class Http(ServerCase):
    in_memory = True

    def setUp(self):
        super().setUp()
        address = urllib.parse.urlsplit(self.server.endpoint)
        self.connection = http.client.HTTPConnection(address.hostname, address.port, timeout=60)
        self.addCleanup(self.connection.close)

    def ask(self, method="POST", body=None, path="/", chunked=False, **headers):
        """Status, headers and body of the answer; the checksum, where there is one, is right."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        if chunked:
            named["Transfer-Encoding"] = "chunked"
        self.connection.request(method, path, body, named, encode_chunked=chunked)
        answer = self.connection.getresponse()
        data = answer.read()
        if answer.getheader("x-amz-crc32") is not None:
            self.assertEqual(int(answer.getheader("x-amz-crc32")), zlib.crc32(data))
        return answer.status, answer.headers, data

    def call(self, operation, body, content_type=JSON_1_0, **more):
        return self.ask(body=body, Content_Type=content_type, X_Amz_Target=f"DynamoDB_20120810.{operation}", **more)

    def test_health(self):
        status, headers, body = self.ask("GET")
        self.assertEqual((status, body), (200, b"healthy: dynamodb.us-east-1.amazonaws.com "))
        self.assertEqual(headers["x-amz-crc32"], "3128867991")

    def test_headers(self):
        status, headers, body = self.call("ListTables", "{}")
        self.assertEqual((status, json.loads(body)), (200, {"TableNames": []}))
        self.assertEqual(headers["Content-Type"], JSON_1_0)
        self.assertRegex(headers["x-amzn-RequestId"], r"^[0-9A-Z]{52}$")
        self.assertIn("Date", headers)
        again = self.call("ListTables", "{}")[1]["x-amzn-RequestId"]
        self.assertNotEqual(again, headers["x-amzn-RequestId"])

    def test_content_types(self):
        self.assertEqual(self.call("ListTables", "{}", "application/json; charset=utf-8")[1]["Content-Type"],
                         "application/json")
        status, _, body = self.call("ListTables", "{}", "text/plain")
        self.assertEqual((status, body), (404, b"<UnknownOperationException/>\n"))

    def test_unknown_target(self):
        for target in ({"X_Amz_Target": "DynamoDB_20120810.ListTable"}, {"X_Amz_Target": "whatever"}, {}):
            status, headers, body = self.ask(body="{}", Content_Type=JSON_1_0, **target)
            self.assertEqual((status, json.loads(body)),
                             (400, {"__type": "com.amazon.coral.service#UnknownOperationException"}))
            self.assertEqual(headers["x-amz-crc32"], "1368724161")

    def test_broken_json(self):
        for body in ('{"TableName": ', "", "[]", "{} {}", '{"a": "\xff"}'.encode("latin-1")):
            status, headers, answer = self.call("ListTables", body)
            self.assertEqual((status, json.loads(answer)), (400, {"__type": "com.amazon.coral.service#SerializationException"}))
            self.assertEqual(headers["Content-Type"], JSON_1_0)

    def test_wrong_member_types(self):
        for body, message in (
                ('{"TableName": 1}', "NUMBER_VALUE cannot be converted to String"),
                ('{"TableName": true}', "TRUE_VALUE cannot be converted to String"),
                ('{"TableName": []}', "Unrecognized collection type class java.lang.String"),
                ('{"TableName": {}}', "Start of structure or map found where not expected")):
            status, _, answer = self.call("DescribeTable", body)
            self.assertEqual((status, json.loads(answer)), (400, {
                "__type": "com.amazon.coral.service#SerializationException", "Message": message}))

    def test_several_constraints_at_once(self):
        status, _, answer = self.call("GetItem", '{"TableName": "", "ReturnConsumedCapacity": "SOME"}')
        body = json.loads(answer)
        self.assertEqual((status, body["__type"]), (400, "com.amazon.coral.validate#ValidationException"))
        self.assertTrue(body["message"].startswith(
            "4 validation errors detected: Value 'SOME' at 'returnConsumedCapacity' failed to satisfy constraint: Member must "
            "satisfy enum value set: [INDEXES, TOTAL, NONE]; Value '' at 'tableName' failed to satisfy constraint: "), body)
        self.assertTrue(body["message"].endswith("Value null at 'key' failed to satisfy constraint: Member must not be null"))

    def test_cors(self):
        status, headers, body = self.ask("OPTIONS", Origin="http://page.example", Access_Control_Request_Method="POST",
                                         Access_Control_Request_Headers="x-amz-target")
        self.assertEqual((status, body), (200, b""))
        self.assertEqual([headers[f"Access-Control-{name}"] for name in ("Allow-Origin", "Allow-Methods", "Allow-Headers",
                                                                         "Max-Age")], ["*", "POST", "x-amz-target", "172800"])
        self.assertEqual(self.call("ListTables", "{}", Origin="http://page.example")[1]["Access-Control-Allow-Origin"], "*")

    def test_body_over_16_mib(self):
        body = "{}" + " " * (17 << 20)
        for chunked in (False, True):
            with self.subTest(chunked=chunked):
                try:
                    status, _, _ = self.call("ListTables", iter([body.encode()]) if chunked else body, chunked=chunked)
                except (BrokenPipeError, ConnectionResetError):
                    self.connection.sock and self.connection.sock.settimeout(10)
                    status = http.client.HTTPResponse(self.connection.sock)
                    status.begin()
                    status = status.status
                self.assertEqual(status, 413)
                self.connection.close()
        self.assertEqual(self.call("ListTables", "{}")[0], 200)

    def test_chunked_body(self):
        status, _, _ = self.call("ListTables", iter([b"{", b"}"]), chunked=True)
        self.assertEqual(status, 200)


if __name__ == "__main__":
    unittest.main()
