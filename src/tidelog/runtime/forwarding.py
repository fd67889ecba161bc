"""The way to the active controller, wherever it is: in this process, or over a connection of its own.

A request is sent until the active controller answers it or its time is over. A leader that steps down, a connection
that breaks and a quorum without a leader are waited out, and the next leader is asked. So a request may be carried out
twice, as it may be with any client that retries.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, Protocol

from tidelog.ports import Clock
from tidelog.protocol.errors import ErrorCode, KafkaError
from tidelog.protocol.header import decode_response_header
from tidelog.protocol.messages.envelope import EnvelopeRequest
from tidelog.protocol.primitives import DecodeError, Message
from tidelog.runtime.peers import Peer, Peers, PeerUnavailable

# How soon the next attempt follows when there is no leader, or the one there was has stepped down.
RETRY_MS = 20
# One attempt waits no longer than this, so that a leader that fell silent is not waited for while another one leads.
ATTEMPT_MS_MAX = 5_000
PURPOSE = "controller"


class Quorum(Protocol):
    """What of the metadata runtime is needed here."""

    @property
    def is_active(self) -> bool: ...

    def leader(self) -> tuple[int, str, int] | None: ...


class ControllerChannel:
    def __init__(self, metadata: Quorum, peers: Peers, clock: Clock) -> None:
        self._metadata = metadata
        self._peers = peers
        self._clock = clock
        # Answers a request when this node's own controller leads; set by whoever composes the node.
        self.local: Callable[[Message, int], Awaitable[Any]] | None = None

    async def request(self, message: Message, timeout_ms: int = 30_000, version: int | None = None) -> Any:
        """The answer of the active controller; KafkaError(REQUEST_TIMED_OUT) when there is none in time."""
        chosen = message.VERSIONS[1] if version is None else version
        deadline_ms = self._clock.monotonic_ms() + timeout_ms
        while True:
            answer = await self._attempt(message, chosen, deadline_ms)
            if answer is not None and getattr(answer, "error_code", 0) != ErrorCode.NOT_CONTROLLER:
                return answer
            await self._pause(deadline_ms)

    async def forward(self, envelope: EnvelopeRequest, api_key: int, version: int, timeout_ms: int) -> memoryview:
        """The body of the answer to a client's request, which the envelope carries."""
        answer = await self.request(envelope, timeout_ms)
        if answer.error_code:
            raise KafkaError(ErrorCode.of(answer.error_code))
        data = memoryview(answer.response_data or b"")
        try:
            _, body_at = decode_response_header(data, api_key, version)
        except DecodeError:
            raise KafkaError(ErrorCode.UNKNOWN_SERVER_ERROR, "The controller's answer cannot be read.") from None
        return data[body_at:]

    def peer(self) -> Peer | None:
        """The connection to the active controller, when that is another node."""
        leader = self._metadata.leader()
        return None if leader is None else self._peers.at(leader[1], leader[2], PURPOSE)

    async def _attempt(self, message: Message, version: int, deadline_ms: int) -> Any:
        """The answer, or None when nobody gave one."""
        if self._metadata.is_active and self.local is not None:
            try:
                return await self.local(message, version)
            except KafkaError as error:
                if error.code is not ErrorCode.NOT_CONTROLLER:
                    raise
                return None
        peer = self.peer()
        if peer is None:
            return None
        left_ms = max(deadline_ms - self._clock.monotonic_ms(), 1)
        try:
            return await peer.request(message, version, min(left_ms, ATTEMPT_MS_MAX))
        except PeerUnavailable:
            return None

    async def _pause(self, deadline_ms: int) -> None:
        if self._clock.monotonic_ms() + RETRY_MS >= deadline_ms:
            raise KafkaError(
                ErrorCode.REQUEST_TIMED_OUT, "No active controller answered in time; try again when the quorum has one."
            )
        await asyncio.sleep(RETRY_MS / 1000)
