"""A schema registry for tests: a real HTTP server with the paths that clients of values use, and schemas in memory."""

import base64
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class SchemaRegistry:
    def __init__(self) -> None:
        self.schemas: list[tuple[str, str]] = []
        self.subjects: dict[str, list[int]] = {}
        self.requests: list[str] = []
        self.url = ""

    def register(self, subject: str, schema: str, kind: str = "AVRO") -> int:
        """Ids begin with 1; the same schema has the same id."""
        if (schema, kind) not in self.schemas:
            self.schemas.append((schema, kind))
        number = self.schemas.index((schema, kind)) + 1
        self.subjects.setdefault(subject, []).append(number)
        return number

    def answer(self, method: str, path: str, body: dict[str, str]) -> tuple[int, dict[str, object]]:
        self.requests.append(f"{method} {path}")
        words = path.partition("?")[0].strip("/").split("/")
        if method == "POST" and words[0] == "subjects":
            return 200, {"id": self.register(words[1], body["schema"], body.get("schemaType", "AVRO"))}
        if words[:2] == ["schemas", "ids"] and 1 <= int(words[2]) <= len(self.schemas):
            return 200, {"schema": self.schemas[int(words[2]) - 1][0]}
        if words[0] == "subjects" and words[1] in self.subjects:
            number = self.subjects[words[1]][-1]
            return 200, {"id": number, "schema": self.schemas[number - 1][0]}
        return 404, {"error_code": 40403, "message": "not found"}


def serialized(file: object) -> str:
    """A Protobuf file as a registry gives it with format=serialized."""
    return base64.b64encode(file.SerializeToString()).decode()  # type: ignore[attr-defined]


@contextmanager
def schema_registry() -> Iterator[SchemaRegistry]:
    registry = SchemaRegistry()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._answer("GET", {})

        def do_POST(self) -> None:
            self._answer("POST", json.loads(self.rfile.read(int(self.headers["Content-Length"]))))

        def _answer(self, method: str, body: dict[str, str]) -> None:
            code, found = registry.answer(method, self.path, body)
            text = json.dumps(found).encode()
            self.send_response(code)
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    registry.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield registry
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
