"""Connections from this node to other nodes: one to each address and purpose, opened when first needed.

Requests leave in the order in which they were sent, and answers come back in the same order. Nothing is retried here:
a request that was not answered fails with PeerUnavailable, and what that means is its sender's business. After a failed
attempt the next one waits a moment, longer each time; requests that are sent meanwhile wait with it.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from struct import Struct
from typing import Any

from tidelog.ports import Buffer, Clock, Network, Transport
from tidelog.protocol.frames import FrameReader
from tidelog.protocol.header import decode_response_header, encode_request_header
from tidelog.protocol.messages import APIS, response_class
from tidelog.protocol.primitives import Message

BACKOFF_FIRST_MS = 20
BACKOFF_MAX_MS = 500

OnResponse = Callable[[memoryview | None, OSError | None], None]
# Length of what follows, API, version, correlation id: what a request begins with. The rest of its header is kept.
_HEAD = Struct(">ihhi")
_HEAD_PACK = _HEAD.pack


class PeerUnavailable(OSError):
    """The request may have been carried out or not. `refused`: nobody listens there, so surely not."""

    def __init__(self, message: str, *, refused: bool = False, timed_out: bool = False) -> None:
        super().__init__(message)
        self.refused = refused
        self.timed_out = timed_out


class _Call:
    """One request that waits for its answer."""

    __slots__ = ("api_key", "correlation_id", "deadline_ms", "done", "frame", "version")

    def __init__(self, api_key: int, version: int, deadline_ms: int, done: OnResponse) -> None:
        self.api_key = api_key
        self.version = version
        self.deadline_ms = deadline_ms
        self.done = done
        self.correlation_id = -1
        self.frame = b""


class Peer:
    """One connection to one node, now or when it is next needed. It is also the receiver of its transport."""

    def __init__(self, network: Network, clock: Clock, client_id: str, host: str, port: int) -> None:
        self.host = host
        self.port = port
        # Called when the other side ended an established connection; not when this side did.
        self.on_lost: Callable[[], None] | None = None
        self._network = network
        self._clock = clock
        self._client_id = client_id
        self._link: _Link | None = None
        self._connecting: asyncio.Task[None] | None = None
        self._calls: deque[_Call] = deque()
        self._probes: list[asyncio.Future[PeerUnavailable | None]] = []
        self._correlation_id = 0
        # By API and version, the end of the header: who asks.
        self._heads: dict[tuple[int, int], bytes] = {}
        self._failures = 0
        self._retry_ms = 0
        self._timer: asyncio.TimerHandle | None = None
        self._timer_ms = 0
        self._closed = False

    @property
    def is_connected(self) -> bool:
        return self._link is not None

    @property
    def in_flight(self) -> int:
        return len(self._calls)

    def __str__(self) -> str:
        return f"{self.host}:{self.port}"

    async def request(self, message: Message, version: int | None = None, timeout_ms: int = 30_000) -> Any:
        """The decoded answer. PeerUnavailable when none comes."""
        future: asyncio.Future[memoryview] = asyncio.get_running_loop().create_future()

        def done(body: memoryview | None, error: OSError | None) -> None:
            if future.done():
                return
            if body is None:
                future.set_exception(error or PeerUnavailable(f"{self} gave no answer"))
            else:
                future.set_result(body)

        chosen = message.VERSIONS[1] if version is None else version
        self.send(message, chosen, timeout_ms, done)
        return response_class(message.API_KEY).decode(await future, chosen)

    def send(self, message: Message, version: int, timeout_ms: int, on_response: OnResponse) -> None:
        """`on_response` is called once, never before this returns, with the undecoded body or with an error."""
        assert message.API_KEY in APIS
        parts: Sequence[Buffer] = message.encode_parts(version)  # type: ignore[assignment]
        self.send_body(message.API_KEY, version, b"".join(parts), timeout_ms, on_response)

    def send_body(self, api_key: int, version: int, body: bytes, timeout_ms: int, on_response: OnResponse) -> None:
        """The same for a request that is encoded already."""
        now_ms = self._clock.monotonic_ms()
        deadline_ms = now_ms + timeout_ms
        call = _Call(api_key, version, deadline_ms, on_response)
        if self._closed:
            asyncio.get_running_loop().call_soon(on_response, None, PeerUnavailable(f"{self} is no longer used"))
            return
        self._correlation_id = correlation_id = call.correlation_id = (self._correlation_id + 1) & 0x7FFFFFFF
        head = self._heads.get((api_key, version))
        if head is None:
            head = encode_request_header(api_key, version, 0, self._client_id)[_HEAD.size - 4 :]
            self._heads[api_key, version] = head
        size = _HEAD.size - 4 + len(head) + len(body)
        frame = _HEAD_PACK(size, api_key, version, correlation_id) + head + body
        self._calls.append(call)
        if self._timer is None or deadline_ms < self._timer_ms:
            self._watch(deadline_ms, now_ms)
        if self._link is not None:
            self._link.write(frame)
            return
        call.frame = frame
        if self._connecting is None:
            self._connecting = asyncio.get_running_loop().create_task(self._connect())

    def connect(self) -> None:
        """Opens the connection if there is none, without a request: its end then tells of the other side's end."""
        if self._link is None and self._connecting is None and not self._closed:
            self._connecting = asyncio.get_running_loop().create_task(self._connect())

    async def probe(self) -> PeerUnavailable | None:
        """Tries to connect now, without any backoff; None when there is a connection, else why there is none."""
        if self._link is not None:
            return None
        self._retry_ms = 0
        future: asyncio.Future[PeerUnavailable | None] = asyncio.get_running_loop().create_future()
        self._probes.append(future)
        self.connect()
        return await future

    def close(self) -> None:
        self._closed = True
        self._drop(PeerUnavailable(f"{self} is no longer used"))

    def hang_up(self, why: str) -> None:
        """Whoever was at the other end is gone, and a machine that lost power does not say so."""
        self._drop(PeerUnavailable(f"{self} {why}"))

    # connecting

    async def _connect(self) -> None:
        wait_ms = self._retry_ms - self._clock.monotonic_ms()
        if wait_ms > 0:
            await asyncio.sleep(wait_ms / 1000)
        link = _Link(self)
        try:
            await self._network.connect(self.host, self.port, lambda: link)
        except OSError as error:
            self._connecting = None
            self._failed(error)
            return
        self._connecting = None
        if self._closed or link.transport is None:  # lost in the same moment
            link.abort()
            self._failed(PeerUnavailable(f"{self} closed the connection"))
            return
        self._link = link
        self._failures = 0
        self._answer_probes(None)
        for call in self._calls:
            link.write(call.frame)
            call.frame = b""

    def _failed(self, error: OSError) -> None:
        self._failures += 1
        backoff_ms = min(BACKOFF_FIRST_MS << min(self._failures - 1, 10), BACKOFF_MAX_MS)
        self._retry_ms = self._clock.monotonic_ms() + backoff_ms
        refused = isinstance(error, ConnectionRefusedError)
        self._fail_calls(PeerUnavailable(f"{self} cannot be reached: {error}", refused=refused))

    # what a link tells

    def answered(self, frame: bytes | bytearray) -> None:
        if not self._calls:
            raise ValueError("an answer that was not asked for")
        call = self._calls[0]
        view = memoryview(frame)
        correlation_id, body_at = decode_response_header(view, call.api_key, call.version)
        if correlation_id != call.correlation_id:
            raise ValueError(f"the answer to request {correlation_id} where {call.correlation_id} was due")
        self._calls.popleft()
        call.done(view[body_at:], None)

    def lost(self, link: _Link, error: Exception | None) -> None:
        if self._link is not link:
            return
        self._link = None
        self._fail_calls(PeerUnavailable(f"{self} closed the connection{f': {error}' if error else ''}"))
        if self.on_lost is not None:
            self.on_lost()

    def broken(self, link: _Link, error: ValueError) -> None:
        """The other side does not speak the protocol: what it sends next cannot be told apart any more."""
        if self._link is link:
            self._drop(PeerUnavailable(f"{self} sent {error}"))

    # ending

    def _drop(self, error: PeerUnavailable) -> None:
        link, self._link = self._link, None
        if link is not None:
            link.abort()
        if self._connecting is not None:
            self._connecting.cancel()
            self._connecting = None
        self._fail_calls(error)

    def _fail_calls(self, error: PeerUnavailable) -> None:
        calls, self._calls = self._calls, deque()
        self._answer_probes(error)
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        for call in calls:
            call.done(None, error)

    def _answer_probes(self, outcome: PeerUnavailable | None) -> None:
        probes, self._probes = self._probes, []
        for probe in probes:
            if not probe.done():
                probe.set_result(outcome)

    # time

    def _watch(self, deadline_ms: int, now_ms: int) -> None:
        """One timer for all: it fires at the earliest deadline it was told of, and looks what is due."""
        if self._timer is not None:
            if self._timer_ms <= deadline_ms:
                return
            self._timer.cancel()
        self._timer_ms = deadline_ms
        loop = asyncio.get_running_loop()
        self._timer = loop.call_later(max(0, deadline_ms - now_ms) / 1000, self._look)

    def _look(self) -> None:
        self._timer = None
        now_ms = self._clock.monotonic_ms()
        if not self._calls:
            return
        earliest_ms = min(call.deadline_ms for call in self._calls)
        if earliest_ms <= now_ms:
            # Answers come in order: what is behind an answer that does not come will not come either.
            self._drop(PeerUnavailable(f"{self} did not answer in time", timed_out=True))
        else:
            self._watch(earliest_ms, now_ms)


class _Link:
    """The receiver of one transport; a late event of an old one cannot be taken for one of the next."""

    def __init__(self, peer: Peer) -> None:
        self.transport: Transport | None = None
        self._peer = peer
        self._frames = FrameReader(peer.answered)
        self.get_buffer = self._frames.get_buffer
        self._aborted = False

    def write(self, frame: bytes) -> None:
        assert self.transport is not None
        self.transport.write((frame,))

    def abort(self) -> None:
        self._aborted = True
        if self.transport is not None:
            self.transport.abort()

    def connection_made(self, transport: Transport) -> None:
        self.transport = transport

    def buffer_updated(self, length: int) -> None:
        if self._aborted:
            return
        try:
            self._frames.buffer_updated(length)
        except ValueError as error:  # BadFrame, DecodeError
            self._peer.broken(self, error)

    def pause_writing(self) -> None:
        """What a node sends to another is bounded by those that send it."""

    def resume_writing(self) -> None:
        pass

    def connection_lost(self, error: Exception | None) -> None:
        self.transport = None
        self._peer.lost(self, error)


class Peers:
    """All connections of this node, by address and purpose; a purpose of its own is a connection of its own."""

    def __init__(self, network: Network, clock: Clock, client_id: str) -> None:
        self._network = network
        self._clock = clock
        self._client_id = client_id
        self._peers: dict[tuple[str, int, str], Peer] = {}

    def at(self, host: str, port: int, purpose: str = "") -> Peer:
        key = (host, port, purpose)
        peer = self._peers.get(key)
        if peer is None:
            peer = self._peers[key] = Peer(self._network, self._clock, self._client_id, host, port)
        return peer

    def forget(self, peer: Peer, purpose: str = "") -> None:
        """The node is gone or has moved: its connection and what waits on it end."""
        peer.close()
        self._peers.pop((peer.host, peer.port, purpose), None)

    def close(self) -> None:
        for peer in list(self._peers.values()):
            peer.close()
        self._peers.clear()
