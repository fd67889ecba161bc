"""Conversations with a node over plain sockets: each is a generator that gives requests and is sent the answers.

One thread carries all of them, so a hundred members of a group cost the machine little besides what the node does.
"""

import heapq
import itertools
import selectors
import socket
import struct
import time
from collections.abc import Callable, Generator, Iterable
from typing import Any

from tidelog.protocol.header import decode_response_header, encode_request_header
from tidelog.protocol.messages import response_class
from tidelog.protocol.messages.find_coordinator import FindCoordinatorRequest

_SIZE = struct.Struct(">i")
# How long a client waits before it asks again what it was told to ask again.
BACKOFF_S = 0.001
RETRIABLE = (7, 14, 15, 16, 19, 51)
GROUP, TRANSACTION = 0, 1

# What a conversation gives: requests, all sent at once, or seconds to wait. What it is sent: as many answers.
Talk = Generator[list[bytes] | float, list[bytes], None]


def frame(message: Any, version: int) -> bytes:
    """A whole request. Answers come in order, so the correlation id says nothing."""
    body = encode_request_header(message.API_KEY, version, 1, "bench") + message.encode(version)
    return _SIZE.pack(len(body)) + body


def answer(request: Any, version: int, data: bytes) -> Any:
    _, at = decode_response_header(data, request.API_KEY, version)
    return response_class(request.API_KEY).decode(data[at:], version)


def exchange(message: Any, version: int) -> Generator[list[bytes] | float, list[bytes], Any]:
    """One request and its answer, decoded."""
    (data,) = yield [frame(message, version)]
    return answer(message, version, data)


def until_done(
    message: Any, version: int, code_of: Callable[[Any], int]
) -> Generator[list[bytes] | float, list[bytes], Any]:
    """Asks again, after a moment, as long as the node says so; any other error ends the run."""
    while True:
        got = yield from exchange(message, version)
        code = code_of(got)
        if not code:
            return got
        if code not in RETRIABLE:
            raise RuntimeError(f"{type(message).__name__} was answered with the error {code}")
        yield BACKOFF_S


class _Line:
    """One connection, the conversation on it, and what has arrived of its next answers."""

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=30)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.talk: Talk | None = None
        self.received = b""
        self.answers: list[bytes] = []
        self.wanted = 0

    def receive(self) -> bool:
        """Whether all the answers to what was asked are here."""
        more = self.socket.recv(1 << 18)
        if not more:
            raise RuntimeError("the node closed the connection")
        data = self.received + more if self.received else more
        at, end = 0, len(data)
        while end - at >= 4:
            stop = at + 4 + _SIZE.unpack_from(data, at)[0]
            if stop > end:
                break
            self.answers.append(data[at + 4 : stop])
            at = stop
        self.received = data[at:]
        return len(self.answers) >= self.wanted


class Lines:
    """Connections to one node; `run` carries one conversation on each of them to its end."""

    def __init__(self, port: int, count: int) -> None:
        self._selector = selectors.DefaultSelector()
        self._lines = [_Line(port) for _ in range(count)]
        self._pauses: list[tuple[float, int, _Line]] = []
        self._order = itertools.count()
        self._open = 0
        for line in self._lines:
            self._selector.register(line.socket, selectors.EVENT_READ, line)

    def run(self, talks: Iterable[Talk], timeout_s: float = 120) -> float:
        """The seconds it took."""
        began = time.perf_counter()
        for line, talk in zip(self._lines, talks, strict=False):
            line.talk = talk
            self._open += 1
        for line in self._lines[: self._open]:
            self._step(line, None)
        while self._open:
            if time.perf_counter() - began > timeout_s:
                raise TimeoutError(f"a conversation has not ended after {timeout_s:.0f} s")
            for key, _ in self._selector.select(self._pause_left()):
                if key.data.receive():
                    answers, key.data.answers = key.data.answers, []
                    self._step(key.data, answers)
            while self._pauses and self._pauses[0][0] <= time.perf_counter():
                self._step(heapq.heappop(self._pauses)[2], [])
        return time.perf_counter() - began

    def _pause_left(self) -> float:
        return max(0.0, self._pauses[0][0] - time.perf_counter()) if self._pauses else 1.0

    def _step(self, line: _Line, answers: list[bytes] | None) -> None:
        assert line.talk is not None, "an answer belongs to a conversation"
        try:
            asked = next(line.talk) if answers is None else line.talk.send(answers)
        except StopIteration:
            line.talk = None
            self._open -= 1
            return
        if isinstance(asked, float):
            heapq.heappush(self._pauses, (time.perf_counter() + asked, next(self._order), line))
            return
        line.wanted = len(asked)
        line.socket.sendall(asked[0] if len(asked) == 1 else b"".join(asked))

    def close(self) -> None:
        self._selector.close()
        for line in self._lines:
            line.socket.close()

    def __enter__(self) -> "Lines":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def find_coordinator(kind: int, key: str) -> Talk:
    """Waits until the node coordinates this group or transactional id: the first to ask creates the topic behind it."""
    request = FindCoordinatorRequest(key_type=kind, coordinator_keys=[key])
    yield from until_done(request, 4, lambda got: int(got.coordinators[0].error_code))
