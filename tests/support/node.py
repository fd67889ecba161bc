"""A real node inside the test process: its own thread and loop, real sockets on a free port, a directory of its own."""

from __future__ import annotations

import asyncio
import os
import socket
import struct
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import uvloop

from tidelog.broker.topics import auto_create
from tidelog.config.broker_config import BrokerConfig, single_node_properties
from tidelog.io.disk import RealDisk
from tidelog.node.node import Node
from tidelog.node.storage_format import ensure_formatted
from tidelog.protocol.header import decode_response_header, encode_request_header

T = TypeVar("T")
TIMEOUT_SECONDS = 30


class RunningNode:
    """Starts in `start`, answers calls made in its own loop, and stops in `stop`."""

    def __init__(self, directory: Path, **settings: str) -> None:
        properties = single_node_properties(str(directory), 0, host="127.0.0.1")
        properties |= {name.replace("_", "."): value for name, value in settings.items()}
        self.config = BrokerConfig.from_properties(properties)
        ensure_formatted(self.config, RealDisk(), os.urandom, 0)
        self.loop = uvloop.new_event_loop()
        self._thread = threading.Thread(target=self.loop.run_forever, daemon=True)

    def start(self) -> RunningNode:
        self._thread.start()

        async def start() -> Node:
            node = Node(self.config)
            await node.start()
            return node

        self.node = self.wait(start())
        self.host, port = self.node.address.rsplit(":", 1)
        self.port = int(port)
        return self

    def stop(self) -> None:
        self.wait(self.node.stop())
        self.loop.call_soon_threadsafe(self.loop.stop)
        self._thread.join(TIMEOUT_SECONDS)
        self.loop.close()

    def wait(self, work: Any) -> Any:
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(TIMEOUT_SECONDS)

    def ask(self, question: Callable[[Node], T]) -> T:
        """Runs in the node's loop, so that nothing moves meanwhile."""

        async def run() -> T:
            return question(self.node)

        found: T = self.wait(run())
        return found

    def until(self, condition: Callable[[Node], bool]) -> None:
        """Waits for something to become true inside the node."""

        async def poll() -> None:
            while not condition(self.node):
                await asyncio.sleep(0.005)

        self.wait(poll())

    def create(self, *names: str) -> None:
        self.wait(auto_create(self.node.broker, names))

    def connect(self) -> Wire:
        return Wire(self.host, self.port)


class Wire:
    """A client that sends exactly the bytes it is told to."""

    def __init__(self, host: str, port: int, receive_buffer_bytes: int | None = None) -> None:
        self.socket = socket.socket()
        if receive_buffer_bytes is not None:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer_bytes)
        self.socket.settimeout(TIMEOUT_SECONDS)
        self.socket.connect((host, port))
        self.correlation_id = 0

    def __enter__(self) -> Wire:
        return self

    def __exit__(self, *_: object) -> None:
        self.socket.close()

    def send(self, data: bytes) -> None:
        self.socket.sendall(data)

    def frame(self, request: Any, version: int, client_id: str | None = "test") -> bytes:
        self.correlation_id += 1
        payload = encode_request_header(request.API_KEY, version, self.correlation_id, client_id)
        payload += request.encode(version)
        return struct.pack(">i", len(payload)) + payload

    def receive_frame(self) -> bytes | None:
        """The payload of the next frame, or None when the connection was closed."""
        head = self._receive(4)
        if head is None:
            return None
        return self._receive(struct.unpack(">i", head)[0])

    def _receive(self, size: int) -> bytes | None:
        parts = []
        while size:
            try:
                data = self.socket.recv(min(size, 1 << 20))
            except ConnectionResetError:
                return None
            if not data:
                return None
            parts.append(data)
            size -= len(data)
        return b"".join(parts)

    def receive(self, response: Any, api_key: int, version: int) -> Any:
        payload = self.receive_frame()
        assert payload is not None, "the node closed the connection"
        correlation_id, start = decode_response_header(payload, api_key, version)
        assert correlation_id == self.correlation_id
        return response.decode(payload[start:], version)

    def call(self, request: Any, response: Any, version: int) -> Any:
        self.send(self.frame(request, version))
        return self.receive(response, request.API_KEY, version)

    def is_closed(self) -> bool:
        """True when the node has closed this connection; waits for it to do so."""
        return self.receive_frame() is None


@contextmanager
def running(directory: Path, **settings: str) -> Iterator[RunningNode]:
    node = RunningNode(directory, **settings).start()
    try:
        yield node
    finally:
        node.stop()
