"""One end of a simulated connection: `ports.Transport` on one side, bytes that arrive on the other."""

from __future__ import annotations

import errno
import os
from collections import deque
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from tidelog.ports import FileRange, Part, RangeUnreadable, Receiver
from tidelog.sim.process import Life, Process

if TYPE_CHECKING:
    from tidelog.sim.network import Host, SimNetwork

# What was written and not yet read by the other side, above which a sender is told to wait.
HIGH_WATER_BYTES = 1024 * 1024
LOW_WATER_BYTES = 256 * 1024


class Mark:
    """What arrives that is no data."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return self.name


EOF, RESET = Mark("end"), Mark("reset")
Item = bytes | Mark


class Endpoint:
    __slots__ = (
        "_closing",
        "_paused",
        "_pumping",
        "_reading",
        "_receiver",
        "_unread_bytes",
        "host",
        "inbound",
        "is_gone",
        "last_arrival_s",
        "network",
        "peer",
        "peer_host",
        "peer_port",
        "process",
        "stalled",
    )

    peer: Endpoint

    def __init__(self, network: SimNetwork, process: Process, host: Host, peer_host: str, peer_port: int) -> None:
        self.network = network
        self.process = process
        self.host = host
        self.peer_host = peer_host
        self.peer_port = peer_port
        self.inbound: deque[Item] = deque()
        # What the link did not take; sent when it heals.
        self.stalled: list[Item] = []
        self.last_arrival_s = 0.0
        self.is_gone = False
        self._receiver: Receiver | None = None
        self._unread_bytes = 0
        self._closing = self._paused = self._pumping = False
        self._reading = True
        host.endpoints[self] = None

    def accept(self, factory: Callable[[], Receiver]) -> None:
        if self.is_gone:
            return
        self._receiver = factory()
        self._receiver.connection_made(self)
        self._wake()

    # receiving

    def arrived(self, item: Item) -> None:
        network = self.network
        if network.on_arrival is not None:
            network.on_arrival(network.loop.time(), self.peer_host, self.process.name, item)
        if self.is_gone:
            if item is not EOF and item is not RESET:
                self.peer.reset_soon()
            return
        if item is RESET:
            self._fail(ConnectionResetError(errno.ECONNRESET, os.strerror(errno.ECONNRESET)))
            return
        self.inbound.append(item)
        if self._reading and self._receiver is not None and not self._pumping:
            self._pump()

    def unknown(self, item: Item) -> None:
        """What arrives for a connection of a process that has ended."""
        if type(item) is bytes:
            self.peer.reset_soon()

    def _wake(self) -> None:
        if self.inbound and self._reading and self._receiver is not None and not self._pumping:
            self._pumping = True
            self.process.call_soon(self._woken)

    def _woken(self) -> None:
        self._pumping = False
        self._pump()

    def _pump(self) -> None:
        inbound, receiver = self.inbound, self._receiver
        assert receiver is not None
        self._pumping = True
        while inbound and self._reading and not self.is_gone:
            item = inbound.popleft()
            if type(item) is not bytes:
                self._fail(None)
                break
            view = receiver.get_buffer()
            length = min(len(view), len(item))
            assert length, "a receiver that reads has room for a byte"
            if length < len(item):
                inbound.appendleft(item[length:])
                item = item[:length]
            view[:length] = item
            self.peer._read(length)
            receiver.buffer_updated(length)
        self._pumping = False

    def pause_reading(self) -> None:
        self._reading = False

    def resume_reading(self) -> None:
        if not self._reading and not self.is_gone and not self._closing:
            self._reading = True
            self._wake()

    # sending

    def write(self, parts: Sequence[Part]) -> None:
        if self.is_gone or self._closing or self.process.life is Life.DEAD:
            return
        run: list[bytes | bytearray | memoryview] = []
        for part in parts:
            if type(part) is FileRange:
                try:
                    data = part.file.pread(part.length, part.position)
                except OSError as failure:
                    self._fail_soon(RangeUnreadable(failure.errno, failure.strerror, part.file.path))
                    return
                if len(data) < part.length:
                    error = OSError(f"{part.file.path} is shorter than the range that was promised from it")
                    self._fail_soon(error)
                    return
                run.append(data)
            else:
                run.append(part)  # type: ignore[arg-type]
        payload = b"".join(run)
        if not payload:
            return
        self._unread_bytes += len(payload)
        self.network.transmit(self, payload)
        if self._unread_bytes > HIGH_WATER_BYTES and not self._paused and self._receiver is not None:
            self._paused = True
            self._receiver.pause_writing()

    def _read(self, length: int) -> None:
        """The other side has taken this much."""
        self._unread_bytes -= length
        if self._paused and self._unread_bytes <= LOW_WATER_BYTES:
            self._paused = False
            self.process.call_soon(self._resume_writing)

    def _resume_writing(self) -> None:
        if not self.is_gone and not self._paused and self._receiver is not None:
            self._receiver.resume_writing()

    # ending

    def close(self) -> None:
        if not self.is_gone and not self._closing:
            self._closing = True
            self._reading = False
            self.network.loop.call_soon(self._fail, None)

    def abort(self) -> None:
        self._closing = True
        self._reading = False
        self.network.loop.call_soon(self._fail, None)

    def _fail_soon(self, error: OSError) -> None:
        self._closing = True
        self._reading = False
        self.network.loop.call_soon(self._fail, error)

    def reset_soon(self) -> None:
        """From outside: the connection is reset under both."""
        if not self.is_gone:
            error = ConnectionResetError(errno.ECONNRESET, os.strerror(errno.ECONNRESET))
            self.process.call_soon(self._fail, error)

    def _fail(self, error: Exception | None) -> None:
        if self.is_gone:
            return
        self.vanish()
        self.network.transmit(self, EOF)
        if self._receiver is not None:
            self._receiver.connection_lost(error)

    def vanish(self) -> None:
        """This end is no more; whether the other side hears of it is up to the caller."""
        self.is_gone = True
        self._reading = False
        self.host.endpoints.pop(self, None)
