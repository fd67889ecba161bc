"""A member of a consumer group sends the same heartbeat again and again, and is told the same until something changes.

So the bytes of the last heartbeat of a connection are kept, and from its first repetition on what they mean and what is
answered. Whether it is still the answer is for the shard to say. Anything else is decoded and handled as usual.
"""

from __future__ import annotations

import struct

from tidelog.api.context import RequestContext
from tidelog.api.groups import caller
from tidelog.broker.broker import Broker
from tidelog.coordinator.group.consumer_steady import Steady
from tidelog.coordinator.group.shard import GroupShard
from tidelog.protocol.errors import KafkaError
from tidelog.protocol.messages.consumer_group_heartbeat import ConsumerGroupHeartbeatRequest

_HEAD = struct.Struct(">iiB").pack


class Repeated:
    __slots__ = ("_answer", "_body", "_client_id", "_group_id", "_steady", "_version", "changed_nothing")

    def __init__(self, context: RequestContext, body: bytes) -> None:
        self._body = body
        self._version = context.version
        self._client_id = context.client_id
        self._group_id = ""
        self._steady: Steady | None = None
        self._answer = b""
        # The last time it came: while heartbeats change something, it is not worth asking whether they do.
        self.changed_nothing = False

    def is_same(self, context: RequestContext, body: memoryview) -> bool:
        return body == self._body and context.version == self._version and context.client_id == self._client_id

    def frame(self, broker: Broker, context: RequestContext) -> bytes | None:
        if self._steady is None:
            return self._first(broker, context) if self.changed_nothing else None
        try:
            is_steady = broker.coordinators.group(self._group_id).glance(self._again)
        except KafkaError:
            is_steady = False
        if not is_steady:
            self._steady, self.changed_nothing = None, False
            return None
        return _HEAD(len(self._answer) + 5, context.correlation_id, 0) + self._answer

    def _again(self, shard: GroupShard, now_ms: int) -> bool:
        assert self._steady is not None
        return self._steady.again(shard.host, now_ms)

    def _first(self, broker: Broker, context: RequestContext) -> bytes | None:
        request = ConsumerGroupHeartbeatRequest.decode(self._body, self._version, exact=False)
        who = caller(context)
        try:
            coordinator = broker.coordinators.group(request.group_id)
        except KafkaError:
            return None
        self._group_id = request.group_id
        self._steady = coordinator.glance(lambda shard, now_ms: shard.steady_heartbeat(who, request, now_ms))
        if self._steady is None:
            return None
        self._answer = self._steady.response.encode(self._version)
        return _HEAD(len(self._answer) + 5, context.correlation_id, 0) + self._answer


def repeated(broker: Broker, context: RequestContext, body: memoryview) -> bytes | None:
    """The frame of the answer, if this heartbeat is the last one once more and changes nothing."""
    known: Repeated | None = context.connection.heartbeat
    if known is not None and known.is_same(context, body):
        return known.frame(broker, context)
    context.connection.heartbeat = Repeated(context, bytes(body))
    return None
