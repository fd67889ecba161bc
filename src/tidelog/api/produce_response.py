"""Writes Produce responses: a straight run of packs when all partitions succeeded, the generated codec otherwise."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from struct import Struct
from typing import TYPE_CHECKING

from tidelog.api.context import RequestContext
from tidelog.api.leaders import current_leader, endpoints_of
from tidelog.broker.broker import Broker
from tidelog.log.append import AppendInfo
from tidelog.ports import Part
from tidelog.protocol.errors import ErrorCode
from tidelog.protocol.messages.produce import (
    BatchIndexAndErrorMessage,
    LeaderIdAndEpoch,
    NodeEndpoint,
    PartitionProduceResponse,
    ProduceResponse,
    TopicProduceResponse,
)

if TYPE_CHECKING:
    from tidelog.api.k00_produce import Result

FLEXIBLE_FROM = 9
TOPIC_IDS_FROM = 13
LEADERS_FROM = 10
MOVED = (ErrorCode.NOT_LEADER_OR_FOLLOWER,)
# Partition, error, base offset, append time; log start offset from 5; no bad records and no message from 8.
_PARTITION_3 = Struct(">ihqq").pack
_PARTITION_5 = Struct(">ihqqq").pack
_PARTITION_8 = Struct(">ihqqqih").pack
_PARTITION_9 = Struct(">ihqqqbbb").pack
# Kept pieces of answers, by version, topic and partition.
FRAMES_MAX = 10_000
_FRAMES: dict[tuple[int, bytes, int], tuple[Callable[..., bytes], int, bytes]] = {}
_COUNT = Struct(">i").pack
_NAME_LENGTH = Struct(">h").pack
_NO_THROTTLE = bytes(4)
_NO_THROTTLE_NO_TAGS = bytes(5)


def encode_one(context: RequestContext, topic: bytes, index: int, info: AppendInfo, log_start_offset: int) -> bytes:
    """The whole frame for the commonest answer: one partition, and it went well.

    Most of it is the same for every request to that partition, so it is packed around a piece that is kept.
    """
    version = context.version
    key = (version, topic, index)
    known = _FRAMES.get(key)
    if known is None:
        if len(_FRAMES) >= FRAMES_MAX:
            _FRAMES.clear()
        known = _FRAMES[key] = _template(version, topic, index)
    pack, size, head = known
    if version >= 5:
        return pack(size, context.correlation_id, head, info[0], info[2], log_start_offset)
    return pack(size, context.correlation_id, head, info[0], info[2])


def _template(version: int, topic: bytes, index: int) -> tuple[Callable[..., bytes], int, bytes]:
    """How to pack a frame: what comes before the offsets is one string, what follows them is all zeros or absent."""
    if version >= FLEXIBLE_FROM:
        name = topic if version >= TOPIC_IDS_FROM else _uvarint(len(topic) + 1) + topic
        head = b"\0\2" + name + b"\2" + _COUNT(index) + b"\0\0"
        # No bad records and no message come before the tags: 1, 0, 0 and then three more ends of tags.
        tail = "3x"
        form = Struct(f">ii{len(head)}sqqqB{tail}4xx")
        return (lambda *values: form.pack(*values, 1)), form.size - 4, head
    head = b"\0\0\0\1" + _NAME_LENGTH(len(topic)) + topic + b"\0\0\0\1" + _COUNT(index) + b"\0\0"
    if version >= 8:
        form = Struct(f">ii{len(head)}sqqq4xh4x")
        return (lambda *values: form.pack(*values, -1)), form.size - 4, head
    form = Struct(f">ii{len(head)}s{'qqq' if version >= 5 else 'qq'}4x")
    return form.pack, form.size - 4, head


def encode(broker: Broker, context: RequestContext, results: list[Result]) -> Sequence[Part]:
    for result in results:
        if result[2]:
            return _encode_slow(broker, context, results)
    return (_encode_fast(context.version, results),)


def _partition(version: int, result: Result) -> bytes:
    _, index, _, base_offset, append_time, log_start_offset, _, _ = result
    if version >= FLEXIBLE_FROM:
        return _PARTITION_9(index, 0, base_offset, append_time, log_start_offset, 1, 0, 0)
    if version >= 8:
        return _PARTITION_8(index, 0, base_offset, append_time, log_start_offset, 0, -1)
    if version >= 5:
        return _PARTITION_5(index, 0, base_offset, append_time, log_start_offset)
    return _PARTITION_3(index, 0, base_offset, append_time)


def _encode_fast(version: int, results: list[Result]) -> bytes:
    topics: list[list[Result]] = []
    for result in results:
        if topics and topics[-1][0][0] == result[0]:
            topics[-1].append(result)
        else:
            topics.append([result])
    flexible = version >= FLEXIBLE_FROM
    out = [_uvarint(len(topics) + 1) if flexible else _COUNT(len(topics))]
    for group in topics:
        topic = group[0][0]
        if version >= TOPIC_IDS_FROM:
            out.append(topic)
        elif flexible:
            out += (_uvarint(len(topic) + 1), topic)
        else:
            out += (_NAME_LENGTH(len(topic)), topic)
        out.append(_uvarint(len(group) + 1) if flexible else _COUNT(len(group)))
        out += [_partition(version, result) for result in group]
        if flexible:
            out.append(b"\0")
    out.append(_NO_THROTTLE_NO_TAGS if flexible else _NO_THROTTLE)
    return b"".join(out)


def _uvarint(value: int) -> bytes:
    if value < 0x80:
        return bytes((value,))
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def _encode_slow(broker: Broker, context: RequestContext, results: list[Result]) -> Sequence[Part]:
    version = context.version
    by_topic: dict[bytes, list[PartitionProduceResponse]] = {}
    leaders: set[int] = set()
    for topic, index, error, base_offset, append_time, log_start_offset, message, bad in results:
        answer = PartitionProduceResponse(
            index=index,
            error_code=error,
            base_offset=base_offset,
            log_append_time_ms=append_time,
            log_start_offset=log_start_offset,
            record_errors=[
                BatchIndexAndErrorMessage(batch_index=each.batch_index, batch_index_error_message=each.message)
                for each in bad
            ],
            error_message=message,
        )
        if error in MOVED and version >= LEADERS_FROM:
            leader = current_leader(broker, topic, index, by_id=version >= TOPIC_IDS_FROM)
            if leader is not None:
                answer.current_leader = LeaderIdAndEpoch(leader_id=leader[0], leader_epoch=leader[1])
                leaders.add(leader[0])
        by_topic.setdefault(topic, []).append(answer)
    response = ProduceResponse(
        node_endpoints=[
            NodeEndpoint(node_id=node, host=host, port=port, rack=rack)
            for node, host, port, rack in endpoints_of(broker, context, leaders)
        ]
    )
    for topic, answers in by_topic.items():
        if version >= TOPIC_IDS_FROM:
            response.responses.append(TopicProduceResponse(topic_id=topic, partition_responses=answers))
        else:
            response.responses.append(TopicProduceResponse(name=topic.decode(), partition_responses=answers))
    return response.encode_parts(version)
