"""The HTTP port for Prometheus: GET /metrics and nothing else, over the same network as everything."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from tidelog.metrics.exposition import read_all, render
from tidelog.ports import Network, Server, Transport

if TYPE_CHECKING:
    from tidelog.node.node import Node

LOG = logging.getLogger(__name__)
REQUEST_BYTES_MAX = 8192
PATIENCE_SECONDS = 10.0
_TEXT = "text/plain; version=0.0.4; charset=utf-8"


class MetricsPort:
    def __init__(self, node: Node) -> None:
        self.node = node
        self.tasks: set[asyncio.Task[None]] = set()

    async def listen(self, network: Network, host: str, port: int) -> Server:
        return await network.listen(host, port, lambda: HttpRequest(self))


class HttpRequest:
    """One connection, one request, one answer."""

    def __init__(self, port: MetricsPort) -> None:
        self._port = port
        self._data = b""
        self._room = memoryview(bytearray(REQUEST_BYTES_MAX))
        self._answered = False

    def connection_made(self, transport: Transport) -> None:
        self._transport = transport
        self._timer = asyncio.get_running_loop().call_later(PATIENCE_SECONDS, transport.abort)

    def get_buffer(self) -> memoryview:
        return self._room

    def buffer_updated(self, length: int) -> None:
        self._data += self._room[:length]
        if self._answered:
            return
        if b"\r\n\r\n" in self._data or b"\n\n" in self._data:
            self._answered = True
            task = asyncio.get_running_loop().create_task(self._answer(self._data.split(b"\n", 1)[0]))
            self._port.tasks.add(task)
            task.add_done_callback(self._port.tasks.discard)
        elif len(self._data) >= REQUEST_BYTES_MAX:
            self._transport.abort()

    async def _answer(self, line: bytes) -> None:
        words = line.split()
        if len(words) < 2 or words[0] not in (b"GET", b"HEAD"):
            self._send("405 Method Not Allowed", b"only GET is understood here\n")
        elif words[1].split(b"?")[0] != b"/metrics":
            self._send("404 Not Found", b"the metrics are at /metrics\n")
        else:
            node = self._port.node
            self._send("200 OK", await node.blocking.run(render, read_all(node)))

    def _send(self, status: str, body: bytes) -> None:
        head = f"HTTP/1.1 {status}\r\nContent-Type: {_TEXT}\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n"
        self._transport.write([head.encode(), body])
        self._transport.close()

    def pause_writing(self) -> None:
        pass

    def resume_writing(self) -> None:
        pass

    def connection_lost(self, error: Exception | None) -> None:
        self._timer.cancel()
