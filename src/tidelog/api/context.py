"""What a handler knows of the request it answers: who asks, over which connection, and how to answer later."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tidelog.ports import Part

ANONYMOUS = "User:ANONYMOUS"
# Given in place of a response: what was answered before still goes out, then the connection is closed.
CLOSE: Sequence[Part] = (b"close",)
# The body of a response as parts, without frame and header; or bytes, which are a whole frame with its header. Nothing
# (empty parts) is answered with nothing, as acks=0 wants it.
Answer = Sequence[Part] | bytes


class Connection:
    """The identity of one connection, as authentication left it."""

    __slots__ = (
        "client_software_name",
        "client_software_version",
        "heartbeat",
        "listener_name",
        "on_lost",
        "peer_host",
        "peer_port",
        "principal",
        "repeating",
        "security_protocol",
        "txn_produces",
    )

    def __init__(self, peer_host: str, peer_port: int, listener_name: str, security_protocol: str) -> None:
        self.peer_host = peer_host
        self.peer_port = peer_port
        self.listener_name = listener_name
        self.security_protocol = security_protocol
        self.principal = ANONYMOUS
        # Called when the connection ends, by whoever reads something from that.
        self.on_lost: Callable[[], None] | None = None
        self.client_software_name = "unknown"
        # The last heartbeat of a consumer group's member, for the case that it is repeated; see repeated_heartbeat.py.
        self.heartbeat: Any = None
        # A follower's last fetch, if its next one may be the same but for the offset; see fetch_work.py.
        self.repeating: Any = None
        # Produce requests of transactions that wait for the coordinator; see txn_produce.py.
        self.txn_produces: Any = None
        self.client_software_version = "unknown"


class RequestContext:
    """One request under way; a handler that does not answer at once keeps it and calls `respond` once, later."""

    __slots__ = ("_answer", "api_key", "client_id", "connection", "correlation_id", "on_lost", "parts", "version")

    def __init__(
        self,
        api_key: int,
        version: int,
        correlation_id: int,
        client_id: str | None,
        connection: Connection,
        answer: Callable[[], None],
    ) -> None:
        self.api_key = api_key
        self.version = version
        self.correlation_id = correlation_id
        self.client_id = client_id
        self.connection = connection
        self.parts: Answer | None = None
        # Called when the connection ends before the answer: whoever waits on behalf of it can stop.
        self.on_lost: Callable[[], None] | None = None
        self._answer = answer

    def respond(self, parts: Answer) -> None:
        self.parts = parts
        self._answer()
