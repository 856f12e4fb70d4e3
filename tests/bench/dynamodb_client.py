"""Signed DynamoDB requests over one keep-alive connection, with the standard library alone."""

import datetime
import hashlib
import hmac
import http.client
import json
from urllib.parse import urlparse

ACCESS_KEY = "benchmark"
SECRET_KEY = "benchmark"
REGION = "us-east-1"


def _hmac(key, message):
    return hmac.new(key, message.encode(), hashlib.sha256).digest()


class Signer:
    """Signs with Signature Version 4 for one host; the derived key of a day is kept."""

    def __init__(self, host):
        self.host = host
        self._day = None
        self._key = None

    def headers(self, operation, body):
        now = datetime.datetime.now(datetime.timezone.utc).strftime("%Y%m%dT%H%M%SZ")
        day = now[:8]
        if day != self._day:
            key = ("AWS4" + SECRET_KEY).encode()
            for part in (day, REGION, "dynamodb", "aws4_request"):
                key = _hmac(key, part)
            self._day, self._key = day, key
        headers = {
            "content-type": "application/x-amz-json-1.0",
            "host": self.host,
            "x-amz-date": now,
            "x-amz-target": "DynamoDB_20120810." + operation,
        }
        names = ";".join(headers)
        lines = "".join(f"{name}:{value}\n" for name, value in headers.items())
        canonical = f"POST\n/\n\n{lines}\n{names}\n{hashlib.sha256(body).hexdigest()}"
        scope = f"{day}/{REGION}/dynamodb/aws4_request"
        text = f"AWS4-HMAC-SHA256\n{now}\n{scope}\n{hashlib.sha256(canonical.encode()).hexdigest()}"
        signature = _hmac(self._key, text).hex()
        headers["authorization"] = (
            f"AWS4-HMAC-SHA256 Credential={ACCESS_KEY}/{scope}, SignedHeaders={names}, Signature={signature}"
        )
        return headers

    def raw_request(self, operation, document):
        """The whole HTTP request as bytes."""
        body = encode(document)
        head = "".join(f"{name}: {value}\r\n" for name, value in self.headers(operation, body).items())
        return f"POST / HTTP/1.1\r\n{head}content-length: {len(body)}\r\n\r\n".encode() + body


def encode(document):
    return json.dumps(document, separators=(",", ":")).encode()


class Client:
    def __init__(self, endpoint):
        address = urlparse(endpoint)
        self._connection = http.client.HTTPConnection(address.hostname, address.port, timeout=60)
        self._signer = Signer(address.netloc)

    def call(self, operation, document):
        body = encode(document)
        self._connection.request("POST", "/", body, self._signer.headers(operation, body))
        response = self._connection.getresponse()
        answer = json.loads(response.read())
        if response.status != 200:
            raise SystemExit(f"{operation} failed: {response.status} {answer}")
        return answer
