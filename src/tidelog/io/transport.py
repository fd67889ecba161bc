"""One TCP connection over a non-blocking socket of our own: bytes in, parts out, files by sendfile.

uvloop only tells when the socket is ready. Receiving into the session's buffer and sending straight from the caller's
turn costs less CPU than the loop's own transports (17 µs a one-record request against 21), and `os.sendfile` needs the
descriptor anyway. A file range that is not in the page cache is first read in a thread, so that the loop never waits
for a disk; what is behind it in the queue waits with it, which keeps the order.
"""

from __future__ import annotations

import asyncio
import errno
import os
import socket
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any

from tidelog.ports import Blocking, Buffer, File, FileRange, Part, RangeUnreadable, Receiver

# A queue above the high mark stops the session from taking more requests; below the low mark it goes on.
HIGH_WATER_BYTES = 1024 * 1024
LOW_WATER_BYTES = 256 * 1024
# File ranges up to this total are copied into the response: one send, where sendfile needs two calls and a test of the
# page cache before it.
COPY_BYTES_MAX = 32 * 1024
# Parts up to this total are joined: one copy is cheaper than the vector of a sendmsg.
JOIN_BYTES_MAX = 16 * 1024
IOV_MAX = 512
# What one connection may push in one turn of the loop before others get theirs.
TURN_BYTES_MAX = 2 * 1024 * 1024
READ_AHEAD_BYTES = 128 * 1024
# A long range is looked at, and if need be read ahead, in pieces of this size.
WARM_BYTES_MAX = 1024 * 1024


class Counters:
    """What the transports of one process have moved; plain integers, read by the metrics."""

    __slots__ = ("cold_reads", "received_bytes", "sendfile_bytes", "sent_bytes")

    def __init__(self) -> None:
        self.received_bytes = 0
        self.sent_bytes = 0
        self.sendfile_bytes = 0
        self.cold_reads = 0


def read_ahead(part: FileRange) -> None:
    """Brings the range into the page cache; runs in a thread."""
    descriptor, position, length = part.file.fileno(), part.position, part.length
    os.posix_fadvise(descriptor, position, length, os.POSIX_FADV_WILLNEED)
    scratch = bytearray(READ_AHEAD_BYTES)
    end = position + length
    while position < end:
        count = os.preadv(descriptor, [scratch], position)
        if count == 0:
            return
        position += count


def _unreadable(file: File, error: OSError) -> RangeUnreadable:
    return RangeUnreadable(error.errno, error.strerror, file.path)


def _joined(parts: Sequence[Part]) -> Buffer | None:
    """All parts as one buffer; None when there is a file range among them that is long, or not in memory."""
    run: list[Buffer] = []
    room = COPY_BYTES_MAX
    for part in parts:
        if type(part) is FileRange:
            file, position, length = part
            room -= length
            data = file.pread_cached(length, position) if room >= 0 else None
            if data is None:
                return None
            run.append(data)
        else:
            run.append(part)  # type: ignore[arg-type]
    return run[0] if len(run) == 1 else b"".join(run)


class SocketTransport:
    """The sending half of one connection, and the driver of its receiver."""

    __slots__ = (
        "_blocking",
        "_closing",
        "_counters",
        "_fd",
        "_get_buffer",
        "_loop",
        "_lost",
        "_on_lost",
        "_paused",
        "_queue",
        "_queued_bytes",
        "_reading",
        "_receiver",
        "_recv_into",
        "_send",
        "_socket",
        "_updated",
        "_waiting",
        "_warm_bytes",
        "_warming",
        "_writing",
        "peer_host",
        "peer_port",
    )

    def __init__(
        self,
        connection: socket.socket,
        address: tuple[Any, ...],
        loop: asyncio.AbstractEventLoop,
        blocking: Blocking,
        counters: Counters,
        on_lost: Callable[[SocketTransport], None],
    ) -> None:
        self.peer_host, self.peer_port = str(address[0]), int(address[1])
        self._socket = connection
        self._fd = connection.fileno()
        self._recv_into = connection.recv_into
        self._send = connection.send
        self._loop = loop
        self._blocking = blocking
        self._counters = counters
        self._on_lost = on_lost
        self._queue: deque[Part] = deque()
        self._queued_bytes = 0
        # How much of the range at the head of the queue is known to be in memory.
        self._warm_bytes = 0
        self._warming: asyncio.Task[None] | None = None
        self._reading = self._writing = self._paused = self._waiting = self._closing = self._lost = False

    def start(self, receiver: Receiver) -> None:
        self._receiver = receiver
        self._get_buffer = receiver.get_buffer
        self._updated = receiver.buffer_updated
        self._reading = True
        self._loop.add_reader(self._fd, self._on_readable)
        receiver.connection_made(self)

    # receiving

    def _on_readable(self) -> None:
        try:
            length = self._recv_into(self._get_buffer())
        except (BlockingIOError, InterruptedError):
            return
        except OSError as error:
            self._fail(error)
            return
        if length:
            self._counters.received_bytes += length
            self._updated(length)
        else:
            self._fail(None)

    def pause_reading(self) -> None:
        if self._reading and not self._lost:
            self._reading = False
            self._loop.remove_reader(self._fd)

    def resume_reading(self) -> None:
        if not self._reading and not self._lost and not self._closing:
            self._reading = True
            self._loop.add_reader(self._fd, self._on_readable)

    # sending

    def write(self, parts: Sequence[Part]) -> None:
        if self._lost or self._closing:
            return
        if not self._queue:
            joined = parts[0] if len(parts) == 1 and type(parts[0]) is bytes else _joined(parts)
            if joined is not None:
                self._write_one(joined)
                return
            self._enqueue(parts)
            self._flush()
        else:
            self._enqueue(parts)
        if self._queued_bytes > HIGH_WATER_BYTES and not self._paused:
            self._paused = True
            self._receiver.pause_writing()

    def _write_one(self, data: Buffer) -> None:
        try:
            sent = self._send(data)
        except (BlockingIOError, InterruptedError):
            sent = 0
        except OSError as error:
            self._fail_soon(error)
            return
        self._counters.sent_bytes += sent
        if sent < len(data):
            self._enqueue((memoryview(data)[sent:],))
            self._wait_writable()
            if self._queued_bytes > HIGH_WATER_BYTES and not self._paused:
                self._paused = True
                self._receiver.pause_writing()

    def _enqueue(self, parts: Sequence[Part]) -> None:
        for part in parts:
            size = part.length if type(part) is FileRange else len(part)
            if size:
                self._queue.append(part)
                self._queued_bytes += size

    def _flush(self) -> None:
        """Sends from the head of the queue until it is empty, the socket is full, or a disk must be waited for."""
        queue, budget = self._queue, TURN_BYTES_MAX
        try:
            while queue and budget > 0 and not self._waiting:
                part = queue[0]
                sent = self._send_range(part) if type(part) is FileRange else self._send_buffers()
                self._queued_bytes -= sent
                self._counters.sent_bytes += sent
                budget -= sent
        except (BlockingIOError, InterruptedError):
            pass
        except OSError as error:
            self._fail_soon(error)
            return
        if not queue:
            self._drained()
        elif not self._waiting:
            self._wait_writable()
        if self._paused and not self._closing and self._queued_bytes <= LOW_WATER_BYTES:
            self._paused = False
            self._receiver.resume_writing()

    def _send_buffers(self) -> int:
        """The run of buffers at the head, in one system call; MSG_MORE keeps a header and its file in one segment."""
        queue = self._queue
        run: list[Buffer] = []
        total = 0
        for part in queue:
            if type(part) is FileRange or len(run) == IOV_MAX:
                break
            run.append(part)  # type: ignore[arg-type]
            total += len(part)
        flags = socket.MSG_MORE if len(run) < len(queue) else 0
        if len(run) == 1:
            sent = self._send(run[0], flags)
        elif total <= JOIN_BYTES_MAX:
            sent = self._send(b"".join(run), flags)
        else:
            sent = self._socket.sendmsg(run, (), flags)
        left = sent
        for data in run:
            if left < len(data):
                queue[0] = memoryview(data)[left:]
                break
            left -= len(data)
            queue.popleft()
        return sent

    def _send_range(self, part: FileRange) -> int:
        file, position, length = part
        if not self._warm_bytes:
            piece = min(length, WARM_BYTES_MAX)
            if not file.is_cached(position, piece):
                self._counters.cold_reads += 1
                self._waiting = True
                self._warming = self._loop.create_task(self._warm(FileRange(file, position, piece)))
                return 0
            self._warm_bytes = piece
        try:
            sent = os.sendfile(self._fd, file.fileno(), position, self._warm_bytes)
        except OSError as error:
            if error.errno == errno.EIO:  # no socket says so
                raise _unreadable(file, error) from error
            raise
        if sent == 0:
            raise OSError(f"{file.path} is shorter than the range that was promised from it")
        self._warm_bytes -= sent
        self._counters.sendfile_bytes += sent
        if sent < length:
            self._queue[0] = FileRange(file, position + sent, length - sent)
        else:
            self._queue.popleft()
        return sent

    async def _warm(self, part: FileRange) -> None:
        try:
            await self._blocking.run(read_ahead, part)
        except OSError as error:
            self._fail(_unreadable(part.file, error))
            return
        self._waiting = False
        if not self._lost:
            self._flush()

    def _wait_writable(self) -> None:
        if not self._writing:
            self._writing = True
            self._loop.add_writer(self._fd, self._flush)

    def _drained(self) -> None:
        if self._writing:
            self._writing = False
            self._loop.remove_writer(self._fd)
        if self._closing:
            self._fail(None)

    # closing

    def close(self) -> None:
        if self._lost or self._closing:
            return
        self.pause_reading()
        self._closing = True
        if not self._queue:
            self._loop.call_soon(self._fail, None)

    def abort(self) -> None:
        self.pause_reading()
        self._closing = True
        self._queue.clear()
        self._queued_bytes = self._warm_bytes = 0
        self._loop.call_soon(self._fail, None)

    def _fail_soon(self, error: OSError) -> None:
        """A write fails inside the receiver's own call: it hears of the loss in the next turn, not in the middle."""
        self.pause_reading()
        self._closing = True
        self._loop.call_soon(self._fail, error)

    def _fail(self, error: Exception | None) -> None:
        if self._lost:
            return
        self._lost = True
        if self._reading:
            self._loop.remove_reader(self._fd)
        if self._writing:
            self._loop.remove_writer(self._fd)
        self._queue.clear()
        self._socket.close()
        self._on_lost(self)
        self._receiver.connection_lost(error)
