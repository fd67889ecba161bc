"""The real network: listening sockets, outgoing connections, and the socket options both get."""

from __future__ import annotations

import asyncio
import errno
import logging
import socket
from collections.abc import Callable
from typing import Any, NamedTuple

from tidelog.io.transport import Counters, SocketTransport
from tidelog.ports import Blocking, Receiver

LOG = logging.getLogger(__name__)
ACCEPTS_PER_TURN = 64
# Without descriptors an accept fails at once, again and again: wait for some connection to end.
ACCEPT_PAUSE_SECONDS = 0.1
OUT_OF_DESCRIPTORS = {errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM}


class SocketOptions(NamedTuple):
    """-1 leaves a buffer to the kernel, which then grows it with the need."""

    send_buffer_bytes: int = -1
    receive_buffer_bytes: int = -1
    backlog: int = 1024

    def apply(self, connection: socket.socket) -> None:
        connection.setblocking(False)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        if self.send_buffer_bytes > 0:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, self.send_buffer_bytes)
        if self.receive_buffer_bytes > 0:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, self.receive_buffer_bytes)


class TcpServer:
    """One listening socket and the connections that came through it."""

    def __init__(self, network: TcpNetwork, listening: socket.socket, factory: Callable[[], Receiver]) -> None:
        self.host, self.port = listening.getsockname()[:2]
        self._network = network
        self._listening = listening
        self._factory = factory
        self._loop = asyncio.get_running_loop()
        self._open = True
        self._loop.add_reader(listening, self._on_acceptable)

    def _on_acceptable(self) -> None:
        for _ in range(ACCEPTS_PER_TURN):
            try:
                connection, address = self._listening.accept()
            except (BlockingIOError, InterruptedError, ConnectionAbortedError):
                return
            except OSError as error:
                if error.errno in OUT_OF_DESCRIPTORS:
                    self._pause(error)
                return
            self._network.adopt(connection, address, self._factory)

    def _pause(self, error: OSError) -> None:
        LOG.error("no connection can be taken (%s); raise the limit on open files or lower max.connections", error)
        self._loop.remove_reader(self._listening)
        self._loop.call_later(ACCEPT_PAUSE_SECONDS, self._resume)

    def _resume(self) -> None:
        if self._open:
            self._loop.add_reader(self._listening, self._on_acceptable)

    async def close(self) -> None:
        """Takes no more connections; those that are open belong to their sessions."""
        if self._open:
            self._open = False
            self._loop.remove_reader(self._listening)
            self._listening.close()


class TcpNetwork:
    def __init__(self, blocking: Blocking, options: SocketOptions = SocketOptions()) -> None:  # noqa: B008
        self.counters = Counters()
        self._blocking = blocking
        self._options = options
        self._transports: set[SocketTransport] = set()

    async def listen(self, host: str, port: int, factory: Callable[[], Receiver]) -> TcpServer:
        family, address = await _resolve(host, port, passive=True)
        listening = socket.socket(family, socket.SOCK_STREAM)
        try:
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            if family == socket.AF_INET6:
                listening.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0 if address[0] == "::" else 1)
            listening.setblocking(False)
            listening.bind(address)
            listening.listen(self._options.backlog)
        except OSError as error:
            listening.close()
            raise OSError(error.errno, f"cannot listen on {host}:{port}: {error.strerror}") from error
        return TcpServer(self, listening, factory)

    async def connect(self, host: str, port: int, factory: Callable[[], Receiver]) -> SocketTransport:
        family, address = await _resolve(host, port, passive=False)
        connection = socket.socket(family, socket.SOCK_STREAM)
        try:
            self._options.apply(connection)
            await asyncio.get_running_loop().sock_connect(connection, address)
        except BaseException:
            connection.close()
            raise
        return self._start(connection, address, factory)

    def adopt(self, connection: socket.socket, address: tuple[Any, ...], factory: Callable[[], Receiver]) -> None:
        try:
            self._options.apply(connection)
        except OSError:
            connection.close()  # gone between connecting and now
            return
        self._start(connection, address, factory)

    def _start(
        self, connection: socket.socket, address: tuple[Any, ...], factory: Callable[[], Receiver]
    ) -> SocketTransport:
        loop = asyncio.get_running_loop()
        transports = self._transports
        transport = SocketTransport(connection, address, loop, self._blocking, self.counters, transports.discard)
        transports.add(transport)
        transport.start(factory())
        return transport


async def _resolve(host: str, port: int, *, passive: bool) -> tuple[int, tuple[Any, ...]]:
    """The first address of the name; an empty host is every interface."""
    if passive and not host:
        host = "::" if socket.has_dualstack_ipv6() else "0.0.0.0"
    flags = socket.AI_PASSIVE if passive else 0
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=flags)
    return int(found[0][0]), found[0][4]
