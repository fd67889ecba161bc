"""Writes Fetch responses: packed straight where nothing unusual happened, by the generated codec where a tag is needed.

Records are file ranges that go into the parts as they are; no byte of them is read here.
"""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct

from tidelog.api.context import RequestContext
from tidelog.api.leaders import current_leader, endpoints_of
from tidelog.broker.broker import Broker
from tidelog.broker.fetching import Ask
from tidelog.ports import FileRange, Part
from tidelog.protocol.errors import ErrorCode
from tidelog.protocol.messages.fetch import (
    AbortedTransaction,
    EpochEndOffset,
    FetchableTopicResponse,
    FetchResponse,
    LeaderIdAndEpoch,
    NodeEndpoint,
    PartitionData,
)

FLEXIBLE_FROM = 12
TOPIC_IDS_FROM = 13
LEADERS_FROM = 16
MOVED = frozenset({int(ErrorCode.NOT_LEADER_OR_FOLLOWER), int(ErrorCode.FENCED_LEADER_EPOCH)})
_HEAD_4 = Struct(">ii").pack  # throttle time, topics
_HEAD_7 = Struct(">ihii").pack  # throttle time, error, session id, topics
_HEAD_12 = Struct(">ihi").pack
# Partition, error, high watermark, last stable offset, (log start offset), aborted transactions, (preferred replica)
_PARTITION_4 = Struct(">ihqqi").pack
_PARTITION_5 = Struct(">ihqqqi").pack
_PARTITION_12 = Struct(">ihqqq").pack
# All of an answer with one partition, up to its records.
_ONE_13 = Struct(">ihiB16sBihqqqBi").pack
# The same with the length of the frame and its header in front, and without an error.
_FRAME_13 = Struct(">iibihiB16sBihqqqBi").pack
_FRAME_13_BYTES = Struct(">iibihiB16sBihqqqBi").size - 4
_END_13 = b"\0\0\0"
_INT = Struct(">i").pack
_SHORT = Struct(">h").pack
_ABORTED = Struct(">qq").pack
_ABORTED_FLEXIBLE = Struct(">qqb").pack
_NO_REPLICA = _INT(-1)


def encode(
    broker: Broker, context: RequestContext, session_id: int, asks: Sequence[Ask], *, from_replica: bool
) -> Sequence[Part]:
    version = context.version
    for ask in asks:
        if ask.error in MOVED or ask.diverging is not None:
            return _encode_slow(broker, context, session_id, asks, from_replica)
    if len(asks) == 1 and version >= TOPIC_IDS_FROM and asks[0].aborted is None:
        return _encode_one(session_id, asks[0])
    flexible = version >= FLEXIBLE_FROM
    topics = _by_topic(asks)
    if flexible:
        out = bytearray(_HEAD_12(0, 0, session_id))
        out += _uvarint(len(topics) + 1)
    elif version >= 7:
        out = bytearray(_HEAD_7(0, 0, session_id, len(topics)))
    else:
        out = bytearray(_HEAD_4(0, len(topics)))
    parts: list[Part] = []
    for group in topics:
        _put_topic(out, version, group)
        for ask in group:
            _put_partition(out, version, ask)
            if ask.records is not None:
                parts += (out, ask.records)
                out = bytearray()
            if flexible:
                out += b"\0"
        if flexible:
            out += b"\0"
    if flexible:
        out += b"\0"
    if out:
        parts.append(out)
    return parts


def _encode_one(session_id: int, ask: Ask) -> Sequence[Part]:
    """The commonest answer of later versions, packed at once: one partition, without aborted transactions."""
    records = ask.records
    head = _ONE_13(
        0, 0, session_id, 2, ask.topic, 2,
        ask.index, ask.error, ask.high_watermark, ask.last_stable_offset, ask.log_start_offset, 0, ask.preferred,
    )  # fmt: skip
    if records is None:
        return (head + b"\1\0\0\0",)
    return head + _uvarint(records.length + 1), records, b"\0\0\0"


def frame_one(context: RequestContext, session_id: int, ask: Ask, records: bytes) -> bytes:
    """The whole frame of that answer to a follower, where the records are at hand."""
    length = _uvarint(len(records) + 1)
    head = _FRAME_13(
        _FRAME_13_BYTES + len(length) + len(records) + 3, context.correlation_id, 0,
        0, 0, session_id, 2, ask.topic, 2,
        ask.index, 0, ask.high_watermark, ask.last_stable_offset, ask.log_start_offset, 0, -1,
    )  # fmt: skip
    return b"".join((head, length, records, _END_13))


def _by_topic(asks: Sequence[Ask]) -> list[list[Ask]]:
    topics: list[list[Ask]] = []
    last: object = None
    for ask in asks:
        topic = ask.topic
        if topic == last:
            topics[-1].append(ask)
        else:
            topics.append([ask])
            last = topic
    return topics


def _put_topic(out: bytearray, version: int, group: list[Ask]) -> None:
    topic = group[0].topic
    if version < TOPIC_IDS_FROM:
        out += _uvarint(len(topic) + 1) if version >= FLEXIBLE_FROM else _SHORT(len(topic))
    out += topic
    out += _uvarint(len(group) + 1) if version >= FLEXIBLE_FROM else _INT(len(group))


def _put_partition(out: bytearray, version: int, ask: Ask) -> None:
    index = ask.index
    size = ask.records.length if ask.records is not None else 0
    if version >= FLEXIBLE_FROM:
        out += _PARTITION_12(index, ask.error, ask.high_watermark, ask.last_stable_offset, ask.log_start_offset)
        out += b"\0" if ask.aborted is None else _uvarint(len(ask.aborted) + 1)
        for each in ask.aborted or ():
            out += _ABORTED_FLEXIBLE(each.producer_id, each.first_offset, 0)
        out += _NO_REPLICA if ask.preferred < 0 else _INT(ask.preferred)
        out += _uvarint(size + 1)
        return
    aborted = -1 if ask.aborted is None else len(ask.aborted)
    if version >= 5:
        out += _PARTITION_5(index, ask.error, ask.high_watermark, ask.last_stable_offset, ask.log_start_offset, aborted)
    else:
        out += _PARTITION_4(index, ask.error, ask.high_watermark, ask.last_stable_offset, aborted)
    for each in ask.aborted or ():
        out += _ABORTED(each.producer_id, each.first_offset)
    if version >= 11:
        out += _NO_REPLICA if ask.preferred < 0 else _INT(ask.preferred)
    out += _INT(size)


def _uvarint(value: int) -> bytes:
    if value < 0x80:
        return bytes((value,))
    if value < 0x4000:
        return bytes((value & 0x7F | 0x80, value >> 7))
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def encode_error(context: RequestContext, error: ErrorCode) -> Sequence[Part]:
    """The whole fetch failed; before version 7 there is no room to say so but an empty answer."""
    return FetchResponse(error_code=int(error)).encode_parts(context.version)


def _encode_slow(
    broker: Broker, context: RequestContext, session_id: int, asks: Sequence[Ask], from_replica: bool
) -> Sequence[Part]:
    version = context.version
    response = FetchResponse(session_id=session_id)
    leaders: set[int] = set()
    for group in _by_topic(asks):
        topic = group[0].topic
        answers = [_partition_data(broker, version, ask, leaders) for ask in group]
        if version < TOPIC_IDS_FROM:
            response.responses.append(FetchableTopicResponse(topic=topic.decode(), partitions=answers))
        else:
            response.responses.append(FetchableTopicResponse(topic_id=topic, partitions=answers))
    if version >= LEADERS_FROM and not from_replica:
        response.node_endpoints = [
            NodeEndpoint(node_id=node, host=host, port=port, rack=rack)
            for node, host, port, rack in endpoints_of(broker, context, leaders)
        ]
    return response.encode_parts(version)


def _partition_data(broker: Broker, version: int, ask: Ask, leaders: set[int]) -> PartitionData:
    records: FileRange | bytes = ask.records if ask.records is not None else b""
    answer = PartitionData(
        partition_index=ask.index,
        error_code=ask.error,
        high_watermark=ask.high_watermark,
        last_stable_offset=ask.last_stable_offset,
        log_start_offset=ask.log_start_offset,
        aborted_transactions=(
            None
            if ask.aborted is None
            else [
                AbortedTransaction(producer_id=each.producer_id, first_offset=each.first_offset) for each in ask.aborted
            ]
        ),
        records=records,
        preferred_read_replica=ask.preferred,
    )
    if ask.diverging is not None and version >= FLEXIBLE_FROM:
        answer.diverging_epoch = EpochEndOffset(epoch=ask.diverging[0], end_offset=ask.diverging[1])
    if ask.error in MOVED and version >= LEADERS_FROM:
        leader = current_leader(broker, ask.topic, ask.index, by_id=version >= TOPIC_IDS_FROM)
        if leader is not None:
            answer.current_leader = LeaderIdAndEpoch(leader_id=leader[0], leader_epoch=leader[1])
            leaders.add(leader[0])
    return answer
