"""One connection to the server, one request at a time."""
import http.client
import json


class Unknown(Exception):
    """No answer: the request may have been carried out."""


class Refused(Exception):
    """An answer that says no; nothing was changed."""

    def __init__(self, name, body):
        super().__init__(f"{name}: {body.get('message') or body.get('Message')}")
        self.name = name
        self.body = body


class Client:
    def __init__(self, port):
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)

    def call(self, operation, **request):
        headers = {"X-Amz-Target": "DynamoDB_20120810." + operation, "Content-Type": "application/x-amz-json-1.0"}
        try:
            self.connection.request("POST", "/", json.dumps(request), headers)
            response = self.connection.getresponse()
            body = response.read()
        except (OSError, http.client.HTTPException) as failure:
            raise Unknown(str(failure)) from failure
        answer = json.loads(body)
        if response.status == 200:
            return answer
        name = answer.get("__type", "").rpartition("#")[2]
        if response.status >= 500:
            raise Unknown(name)
        raise Refused(name, answer)

    def pages(self, operation, **request):
        """All items of a Query or Scan."""
        while True:
            page = self.call(operation, **request)
            yield from page["Items"]
            if "LastEvaluatedKey" not in page:
                return
            request["ExclusiveStartKey"] = page["LastEvaluatedKey"]
