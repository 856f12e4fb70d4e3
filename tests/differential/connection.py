"""The server under test: started on a free port with everything in memory, and keep-alive connections to it.

A connection speaks just enough HTTP for a server that answers every POST with a Content-Length; Python's own client
would spend more time on response headers than the whole case needs."""

import json
import os
import re
import socket
import subprocess
import threading

READY = re.compile(r"BASALT READY endpoint=http://([^:]+):([0-9]+)")
READY_SECONDS = 60
ANSWER_SECONDS = 60
LENGTH = re.compile(rb"\r\nContent-Length: *([0-9]+)\r\n", re.I)
AUTHORIZATION = ("AWS4-HMAC-SHA256 Credential=local/20300101/us-east-1/dynamodb/aws4_request, "
                 "SignedHeaders=host;x-amz-date, Signature=" + 64 * "0")


class Server:
    """One process; with `with`, ended at the end."""

    def __init__(self, program, port=0):
        environment = {name: value for name, value in os.environ.items() if not name.startswith(("AWS_", "BASALT_"))}
        self.process = subprocess.Popen([program, "--host", "127.0.0.1", "--port", str(port), "--in-memory",
                                         "--log-level", "warning"],
                                        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, env=environment)
        too_late = threading.Timer(READY_SECONDS, self.process.kill)
        too_late.start()
        ready = next(filter(None, map(READY.search, self.process.stdout)), None)
        too_late.cancel()
        if ready is None:
            raise RuntimeError(f"the server never became ready; exit code {self.process.wait()}")
        self.address = ready.group(1), int(ready.group(2))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()
        self.process.stdout.close()


class Connection:
    def __init__(self, address):
        self.socket = socket.create_connection(address, ANSWER_SECONDS)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.host = f"{address[0]}:{address[1]}"

    def call(self, operation, request):
        """The status and the parsed body."""
        body = json.dumps(request).encode("ascii")
        head = (f"POST / HTTP/1.1\r\nHost: {self.host}\r\nX-Amz-Target: DynamoDB_20120810.{operation}\r\n"
                f"Content-Type: application/x-amz-json-1.0\r\nX-Amz-Date: 20300101T000000Z\r\n"
                f"Authorization: {AUTHORIZATION}\r\nContent-Length: {len(body)}\r\n\r\n")
        self.socket.sendall(head.encode("ascii") + body)
        return self.receive()

    def receive(self):
        received = b""
        while b"\r\n\r\n" not in received:
            received += self.more()
        head, _, body = received.partition(b"\r\n\r\n")
        length = int(LENGTH.search(head + b"\r\n").group(1))
        parts, missing = [body], length - len(body)
        while missing > 0:
            parts.append(self.more())
            missing -= len(parts[-1])
        return int(head[9:12]), json.loads(b"".join(parts))

    def more(self):
        part = self.socket.recv(1 << 16)
        if not part:
            raise ConnectionError("the server closed the connection in the middle of an answer")
        return part

    def close(self):
        self.socket.close()
