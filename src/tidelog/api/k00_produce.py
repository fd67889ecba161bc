"""Produce (0), versions 3 to 13 (0 to 2 are advertised for old librdkafka, and refused): appends batches to partitions.

The raw form: the request is never turned into objects, each partition's batch goes from the receive buffer to its file.
acks=0 answers nothing and cuts the connection on an error, acks=1 answers when the leader has it, acks=all when every
replica in sync has it; with flush.messages reached, both wait for the flush as well. Topics by name, from version 13 by
id. Each partition succeeds or fails by itself, with a message and the bad records from version 8. A partition new to
its transaction is verified with, or from version 12 added by, the coordinator first. Left out: quotas.
"""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct
from typing import NamedTuple

from tidelog.api.context import CLOSE, Answer, RequestContext
from tidelog.api.produce_response import encode, encode_one
from tidelog.api.registry import api
from tidelog.api.txn_produce import Refused, has_several_producers, must_wait, verify_then_append
from tidelog.broker.broker import Broker
from tidelog.broker.partition import Acked, Partition
from tidelog.broker.timers import Timer
from tidelog.kernels import parse_produce
from tidelog.log.append import AppendInfo
from tidelog.log.errors import InvalidRecords, RecordError
from tidelog.ports import Part
from tidelog.protocol.errors import ErrorCode, KafkaError
from tidelog.protocol.messages.produce import ProduceRequest
from tidelog.protocol.primitives import DecodeError
from tidelog.protocol.record_batch import HEADER_BYTES

TOPIC_IDS_FROM = 13
ZSTD_FROM = 7
ZSTD = 4
CODEC_MASK = 7
ATTRIBUTES_AT = 22  # the low byte of a batch's attributes
INTERNAL_ALLOWED = "__admin_client"
NOTHING = memoryview(b"")
MAGIC_AT = 16
_LENGTH = Struct(">i").unpack_from
# Refusals that do not tell where the log begins; for a producer that lost its state the others must.
SAYS_NO_START = frozenset(
    {
        ErrorCode.CORRUPT_MESSAGE,
        ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
        ErrorCode.NOT_LEADER_OR_FOLLOWER,
        ErrorCode.MESSAGE_TOO_LARGE,
        ErrorCode.INVALID_TOPIC_EXCEPTION,
        ErrorCode.RECORD_LIST_TOO_LARGE,
        ErrorCode.TRANSACTIONAL_ID_AUTHORIZATION_FAILED,
        ErrorCode.KAFKA_STORAGE_ERROR,
    }
)
# Topic name or id, partition, error, base offset, append time, log start offset, message, bad records.
Result = tuple[bytes, int, int, int, int, int, str | None, tuple[RecordError, ...]]


class Waiting(NamedTuple):
    slot: int
    partition: Partition
    end_offset: int


@api(ProduceRequest, raw=True, concurrent=True)
def handle(broker: Broker, context: RequestContext, body: memoryview) -> Answer | None:
    try:
        transactional_id, acks, timeout_ms, batches = parse_produce(body, context.version)
    except ValueError as error:
        raise DecodeError(str(error)) from error
    if acks not in (-1, 0, 1):
        bad_acks = ErrorCode.INVALID_REQUIRED_ACKS
        return encode(broker, context, [_failed(topic, index, bad_acks) for topic, index, _, _ in batches])
    topics = broker.partitions.by_id if context.version >= TOPIC_IDS_FROM else broker.partitions.by_raw_name
    is_one = len(batches) == 1 and acks and context.version >= ZSTD_FROM
    if transactional_id is not None and len(batches) > 1 and has_several_producers(body, batches):
        mixed: Refused = {(topic, index): ErrorCode.INVALID_PRODUCER_ID_MAPPING for topic, index, _, _ in batches}
        return _append(broker, context, topics, body, True, acks, timeout_ms, batches, mixed)
    if transactional_id is not None and must_wait(broker, context.connection, topics, body, batches, context.version):

        def append(copy: memoryview, refused: Refused) -> Answer | None:
            if is_one and not refused:
                return _append_one(broker, context, topics, copy, True, acks, timeout_ms, batches)
            return _append(broker, context, topics, copy, True, acks, timeout_ms, batches, refused)

        verify_then_append(broker, context, topics, body, transactional_id.decode(), batches, append)
        return None
    if is_one:
        return _append_one(broker, context, topics, body, transactional_id is not None, acks, timeout_ms, batches)
    return _append(broker, context, topics, body, transactional_id is not None, acks, timeout_ms, batches, None)


def _append_one(
    broker: Broker,
    context: RequestContext,
    topics: dict[bytes, dict[int, Partition]],
    body: memoryview,
    transactional: bool,
    acks: int,
    timeout_ms: int,
    batches: Sequence[tuple[bytes, int, int, int]],
) -> Answer | None:
    """The same as `_append` for the commonest request, which has one batch, with nothing in between."""
    topic, index, start, end = batches[0]
    hosted = topics.get(topic)
    partition = hosted.get(index) if hosted is not None else None
    if partition is None or partition.is_internal or start < 0:
        return _append(broker, context, topics, body, transactional, acks, timeout_ms, batches, None)
    try:
        info = partition.append(body[start:end], acks, broker.clock.now_ms(), transactional)
    except (KafkaError, OSError) as error:
        return encode(broker, context, [_refusal(broker, partition, topic, index, body[start:end], error)])
    log_start_offset = partition.log.log_start_offset
    end_offset = info[1] + 1
    if partition.is_acked(acks, end_offset):
        return encode_one(context, topic, index, info, log_start_offset)
    parked = ParkedBatch(broker, context, topic, index, info, log_start_offset)
    parked.timer = broker.timers.after(timeout_ms / 1000, parked.expire)
    partition.when_acked(acks, end_offset, parked.acked)
    return None


def _append(
    broker: Broker,
    context: RequestContext,
    topics: dict[bytes, dict[int, Partition]],
    body: memoryview,
    transactional: bool,
    acks: int,
    timeout_ms: int,
    batches: Sequence[tuple[bytes, int, int, int]],
    refused: Refused | None,
) -> Sequence[Part] | None:
    now_ms = broker.clock.now_ms()
    results: list[Result] = []
    waiting: list[Waiting] = []
    for topic, index, start, end in batches:
        hosted = topics.get(topic)
        partition = hosted.get(index) if hosted is not None else None
        if partition is None:
            results.append(_unknown(broker, context, topic, index))
            continue
        if refused and (topic, index) in refused:
            results.append(_failed(topic, index, refused[topic, index]))
            continue
        records = body[start:end] if start >= 0 else NOTHING
        try:
            if partition.is_internal and context.client_id != INTERNAL_ALLOWED:
                raise KafkaError(
                    ErrorCode.INVALID_TOPIC_EXCEPTION, f"Cannot append to internal topic {partition.topic}"
                )
            if context.version < ZSTD_FROM and end - start > ATTRIBUTES_AT:
                _check_codec(body[start + ATTRIBUTES_AT])
            info = partition.append(records, acks, now_ms, transactional)
        except (KafkaError, OSError) as error:
            results.append(_refusal(broker, partition, topic, index, records, error))
            continue
        end_offset = info[1] + 1
        if acks and not partition.is_acked(acks, end_offset):
            waiting.append(Waiting(len(results), partition, end_offset))
        results.append((topic, index, 0, info[0], info[2], partition.log.log_start_offset, None, ()))
    if acks == 0:
        return CLOSE if any(result[2] for result in results) else ()
    if waiting:
        ParkedProduce(broker, context, results, acks, timeout_ms, waiting)
        return None
    return encode(broker, context, results)


def _refusal(
    broker: Broker, partition: Partition, topic: bytes, index: int, records: memoryview, error: KafkaError | OSError
) -> Result:
    if isinstance(error, OSError):
        broker.storage_failed(partition, error)
        return _failed(topic, index, ErrorCode.KAFKA_STORAGE_ERROR)
    bad = error.record_errors if isinstance(error, InvalidRecords) else ()
    unseen = error.code in SAYS_NO_START or not _is_one_batch(records)
    log_start_offset = -1 if unseen else partition.log.log_start_offset
    return (topic, index, int(error.code), -1, -1, log_start_offset, str(error) or None, bad)


def _is_one_batch(records: memoryview) -> bool:
    """Whether the bytes look like one whole batch; anything else is refused before the log is looked at."""
    return len(records) >= HEADER_BYTES and records[MAGIC_AT] == 2 and _LENGTH(records, 8)[0] + 12 == len(records)


def _check_codec(attributes: int) -> None:
    if attributes & CODEC_MASK == ZSTD:
        raise KafkaError(
            ErrorCode.UNSUPPORTED_COMPRESSION_TYPE, "Produce requests need version 7 or later for zstd compression"
        )


def _failed(topic: bytes, index: int, error: ErrorCode) -> Result:
    return (topic, index, int(error), -1, -1, -1, None, ())


def _unknown(broker: Broker, context: RequestContext, topic: bytes, index: int) -> Result:
    """Why a partition is not here: nobody has it, or another broker does."""
    topics = broker.metadata.image.topics
    by_id = context.version >= TOPIC_IDS_FROM
    known = topics.by_id.get(topic) if by_id else topics.get(topic.decode(errors="replace"))
    if known is not None and 0 <= index < len(known.partitions):
        return _failed(topic, index, ErrorCode.NOT_LEADER_OR_FOLLOWER)
    unknown_id = by_id and known is None
    return _failed(topic, index, ErrorCode.UNKNOWN_TOPIC_ID if unknown_id else ErrorCode.UNKNOWN_TOPIC_OR_PARTITION)


class ParkedBatch:
    """The commonest case of `ParkedProduce`: one batch, and its answer is ready but for the acknowledgement."""

    __slots__ = ("_broker", "_context", "_index", "_info", "_log_start_offset", "_topic", "timer")

    def __init__(
        self,
        broker: Broker,
        context: RequestContext,
        topic: bytes,
        index: int,
        info: AppendInfo,
        log_start_offset: int,
    ) -> None:
        self._broker = broker
        self._context = context
        self._topic = topic
        self._index = index
        self._info = info
        self._log_start_offset = log_start_offset
        self.timer: Timer | None = None

    def acked(self, error: ErrorCode) -> None:
        timer = self.timer
        if timer is not None:  # else its time was over before
            timer.cancel()
            self._answer(error)

    def expire(self) -> None:
        self._answer(ErrorCode.REQUEST_TIMED_OUT)

    def _answer(self, error: ErrorCode) -> None:
        self.timer = None
        context = self._context
        if error:
            context.respond(encode(self._broker, context, [_failed(self._topic, self._index, error)]))
        else:
            context.respond(encode_one(context, self._topic, self._index, self._info, self._log_start_offset))


class ParkedProduce:
    """A request whose records are appended but not yet where the producer wants them: answers when they are."""

    __slots__ = ("_broker", "_context", "_left", "_results", "_timer")

    def __init__(
        self,
        broker: Broker,
        context: RequestContext,
        results: list[Result],
        acks: int,
        timeout_ms: int,
        waiting: list[Waiting],
    ) -> None:
        self._broker = broker
        self._context = context
        self._results = results
        self._left = {each.slot for each in waiting}
        self._timer: Timer = broker.timers.after(timeout_ms / 1000, self._expire)
        for each in waiting:
            each.partition.when_acked(acks, each.end_offset, self._callback(each.slot))

    def _callback(self, slot: int) -> Acked:
        def acked(error: ErrorCode) -> None:
            if slot in self._left:
                self._left.discard(slot)
                if error:
                    self._fail(slot, error)
                if not self._left:
                    self._timer.cancel()
                    self._context.respond(encode(self._broker, self._context, self._results))

        return acked

    def _fail(self, slot: int, error: ErrorCode) -> None:
        topic, index, *_ = self._results[slot]
        self._results[slot] = _failed(topic, index, error)

    def _expire(self) -> None:
        for slot in self._left:
            self._fail(slot, ErrorCode.REQUEST_TIMED_OUT)
        self._left.clear()
        self._context.respond(encode(self._broker, self._context, self._results))
