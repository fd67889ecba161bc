"""The real network over real sockets: order, brakes, files, and ends of connections."""

from __future__ import annotations

import asyncio
import errno
import os
import socket
from collections.abc import Awaitable, Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest
import uvloop

from tidelog.io.blocking import ThreadBlocking
from tidelog.io.disk import RealDisk
from tidelog.io.network import SocketOptions, TcpNetwork
from tidelog.io.transport import HIGH_WATER_BYTES
from tidelog.ports import Buffer, FileRange, RangeUnreadable, Transport


class Recorder:
    """A receiver that keeps what it is told."""

    def __init__(self) -> None:
        self.received = b""
        self.paused = 0
        self.resumed = 0
        self.lost: list[Exception | None] = []
        self.transport: Transport
        self._room = memoryview(bytearray(65536))

    def connection_made(self, transport: Transport) -> None:
        self.transport = transport

    def get_buffer(self) -> memoryview:
        return self._room

    def buffer_updated(self, length: int) -> None:
        self.received += self._room[:length]

    def pause_writing(self) -> None:
        self.paused += 1

    def resume_writing(self) -> None:
        self.resumed += 1

    def connection_lost(self, error: Exception | None) -> None:
        self.lost.append(error)


def run(work: Callable[[], Coroutine[Any, Any, None]]) -> None:
    async def bounded() -> None:
        await asyncio.wait_for(work(), 30)

    uvloop.run(bounded())


async def until(condition: Callable[[], bool]) -> None:
    while not condition():
        await asyncio.sleep(0.002)


async def pair(network: TcpNetwork) -> tuple[Recorder, socket.socket, Any]:
    """The node's side as a recorder, the client's side as a plain socket."""
    made: list[Recorder] = []

    def factory() -> Recorder:
        made.append(Recorder())
        return made[-1]

    server = await network.listen("127.0.0.1", 0, factory)
    client = socket.socket()
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 8192)
    client.setblocking(False)
    await asyncio.get_running_loop().sock_connect(client, (server.host, server.port))
    await until(lambda: bool(made))
    return made[0], client, server


async def read_all(client: socket.socket, size: int) -> bytes:
    loop = asyncio.get_running_loop()
    data = b""
    while len(data) < size and (some := await loop.sock_recv(client, 1 << 20)):
        data += some
    return data


def test_parts_arrive_in_order_however_slowly_they_are_read(tmp_path: Path) -> None:
    content = os.urandom(3_000_000)
    (tmp_path / "log").write_bytes(content)
    file = RealDisk().open(str(tmp_path / "log"))

    async def work() -> None:
        network = TcpNetwork(ThreadBlocking(), SocketOptions(send_buffer_bytes=16384))
        session, client, _ = await pair(network)
        writes = [
            [b"head", FileRange(file, 0, 1_000_000), b"middle", b"", FileRange(file, 1_000_000, 7)],
            [b"x" * 100_000, b"y" * 100_000, b"z"],
            [b"%d," % number for number in range(2000)],
            [FileRange(file, 2_000_000, 1_000_000)],
            [b"tail"],
        ]
        expected = b""
        for parts in writes:
            session.transport.write(parts)
            for part in parts:
                if isinstance(part, FileRange):
                    expected += content[part.position : part.position + part.length]
                else:
                    expected += part
        assert await read_all(client, len(expected)) == expected
        await until(lambda: session.resumed == session.paused == 1)
        assert network.counters.sendfile_bytes == 2_000_007
        assert network.counters.sent_bytes == len(expected)

    run(work)


def test_a_queue_that_grows_stops_the_session_and_an_emptied_one_lets_it_go_on() -> None:
    async def work() -> None:
        session, client, _ = await pair(TcpNetwork(ThreadBlocking(), SocketOptions(send_buffer_bytes=16384)))
        total = 0
        while not session.paused:
            session.transport.write([b"a" * 100_000])
            total += 100_000
        assert total >= HIGH_WATER_BYTES
        await asyncio.sleep(0.01)
        assert session.resumed == 0
        assert len(await read_all(client, total)) == total
        await until(lambda: session.resumed == 1)

    run(work)


def test_close_sends_what_is_queued_and_abort_does_not() -> None:
    async def work() -> None:
        network = TcpNetwork(ThreadBlocking(), SocketOptions(send_buffer_bytes=16384))
        session, client, _ = await pair(network)
        session.transport.write([b"b" * 500_000])
        session.transport.close()
        session.transport.write([b"too late"])
        assert await read_all(client, 1 << 30) == b"b" * 500_000
        await until(lambda: session.lost == [None])
        session, client, _ = await pair(network)
        session.transport.write([b"c" * 5_000_000])
        session.transport.abort()
        await until(lambda: session.lost == [None])
        assert len(await read_all(client, 1 << 30)) < 5_000_000

    run(work)


def test_the_end_of_a_peer_is_told_once() -> None:
    async def work() -> None:
        session, client, _ = await pair(TcpNetwork(ThreadBlocking()))
        client.send(b"last words")
        client.close()
        await until(lambda: bool(session.lost))
        assert session.received == b"last words"
        session.transport.write([b"nobody listens"])
        session.transport.close()
        await asyncio.sleep(0.01)
        assert session.lost == [None]

    run(work)


def test_paused_reading_leaves_bytes_in_the_socket() -> None:
    async def work() -> None:
        session, client, _ = await pair(TcpNetwork(ThreadBlocking()))
        session.transport.pause_reading()
        client.send(b"early")
        await asyncio.sleep(0.02)
        assert session.received == b""
        session.transport.resume_reading()
        await until(lambda: session.received == b"early")

    run(work)


class ColdFile:
    """A file that is not in memory until somebody has read it."""

    def __init__(self, path: Path) -> None:
        self.path = str(path)
        self._file = RealDisk().open(self.path)
        self.is_warm = False
        self.asked = 0

    def fileno(self) -> int:
        return self._file.fileno()

    def is_cached(self, position: int, length: int) -> bool:
        self.asked += 1
        return self.is_warm

    def pread_cached(self, length: int, position: int) -> Buffer | None:
        return self._file.pread_cached(length, position) if self.is_warm else None


class SlowDevice:
    """Runs work when it is told to."""

    def __init__(self) -> None:
        self.waiting: list[tuple[Callable[[], Any], asyncio.Future[Any]]] = []

    def run(self, work: Callable[..., Any], *args: Any) -> Awaitable[Any]:
        future = asyncio.get_running_loop().create_future()
        self.waiting.append((lambda: work(*args), future))
        return future

    def finish(self) -> None:
        work, future = self.waiting.pop(0)
        future.set_result(work())


def test_a_cold_file_is_read_beside_the_loop_and_keeps_its_place(tmp_path: Path) -> None:
    (tmp_path / "cold").write_bytes(b"cold" * 1000)
    file = ColdFile(tmp_path / "cold")

    async def work() -> None:
        device = SlowDevice()
        network = TcpNetwork(device)
        session, client, _ = await pair(network)
        other, other_client, _ = await pair(network)
        session.transport.write([b"[", FileRange(file, 0, 4000), b"]"])  # type: ignore[arg-type]
        session.transport.write([b"after"])
        await until(lambda: bool(device.waiting))
        other.transport.write([b"not held up"])
        assert await read_all(other_client, 11) == b"not held up"
        file.is_warm = True
        device.finish()
        assert await read_all(client, 4007) == b"[" + b"cold" * 1000 + b"]after"
        assert network.counters.cold_reads == 1

    run(work)


def test_a_connection_may_end_while_its_file_is_being_read(tmp_path: Path) -> None:
    (tmp_path / "cold").write_bytes(b"cold" * 1000)
    file = ColdFile(tmp_path / "cold")

    async def work() -> None:
        device = SlowDevice()
        session, client, _ = await pair(TcpNetwork(device))
        session.transport.write([FileRange(file, 0, 4000)])  # type: ignore[arg-type]
        client.close()
        await until(lambda: session.lost == [None])
        device.finish()
        await asyncio.sleep(0.01)
        assert session.lost == [None]

    run(work)


def test_a_file_that_is_shorter_than_promised_ends_the_connection(tmp_path: Path) -> None:
    (tmp_path / "short").write_bytes(b"abc")
    file = RealDisk().open(str(tmp_path / "short"))

    async def work() -> None:
        session, client, _ = await pair(TcpNetwork(ThreadBlocking()))
        session.transport.write([b"head", FileRange(file, 0, 10)])
        assert await read_all(client, 14) == b"headabc"
        await until(lambda: bool(session.lost))
        assert isinstance(session.lost[0], OSError)

    run(work)


def test_a_file_that_cannot_be_read_is_named_as_the_reason() -> None:
    """The kernel itself says EIO: nothing is mapped at the beginning of a process's memory."""
    file = ColdFile(Path("/proc/self/mem"))

    async def work() -> None:
        session, client, _ = await pair(TcpNetwork(ThreadBlocking()))
        session.transport.write([b"head", FileRange(file, 0, 10)])  # type: ignore[arg-type]
        assert await read_all(client, 14) == b"head"
        await until(lambda: bool(session.lost))
        [error] = session.lost
        assert isinstance(error, RangeUnreadable)
        assert (error.errno, error.filename) == (errno.EIO, "/proc/self/mem")

    run(work)


def test_what_cannot_be_read_is_not_in_memory() -> None:
    assert RealDisk().open("/proc/self/mem").pread_cached(10, 0) is None


def test_a_port_in_use_is_named(tmp_path: Path) -> None:
    async def work() -> None:
        network = TcpNetwork(ThreadBlocking())
        server = await network.listen("127.0.0.1", 0, Recorder)
        with pytest.raises(OSError, match=f"cannot listen on 127.0.0.1:{server.port}"):
            await network.listen("127.0.0.1", server.port, Recorder)
        await server.close()

    run(work)


def test_we_can_call_others_as_well() -> None:
    async def work() -> None:
        network = TcpNetwork(ThreadBlocking())
        made: list[Recorder] = []

        def factory() -> Recorder:
            made.append(Recorder())
            return made[-1]

        server = await network.listen("127.0.0.1", 0, factory)
        caller = Recorder()
        transport = await network.connect("127.0.0.1", server.port, lambda: caller)
        transport.write([b"hello"])
        await until(lambda: bool(made) and made[0].received == b"hello")
        made[0].transport.write([b"and hello"])
        await until(lambda: caller.received == b"and hello")
        transport.close()
        await until(lambda: made[0].lost == [None])

    run(work)
