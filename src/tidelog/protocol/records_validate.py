"""What the leader does with a produced batch before giving it offsets: check it, and rewrite it where the topic says.

`prepare_batch` is the one call of the produce path. A batch passes as it came, unless its topic asks for another codec
or for the time of appending, or its header names another latest timestamp than its records have.
"""

from __future__ import annotations

import struct
from functools import partial
from typing import Any, NamedTuple, Protocol

from crc32c import crc32c

from tidelog import kernels
from tidelog.kernels import batch_read as header_problem
from tidelog.kernels import record_read as record_problem
from tidelog.protocol.compression import DecompressionFailed, compress, decompress
from tidelog.protocol.errors import ErrorCode, KafkaError
from tidelog.protocol.record_batch import (
    ATTRIBUTES_POSITION,
    CODEC_MASK,
    CRC_POSITION,
    HEADER_BYTES,
    LOG_APPEND_TIME_FLAG,
    LOG_OVERHEAD,
    Buffer,
)

INT64_MAX = 2**63 - 1
INT64_MIN = -(2**63)
_LENGTH_POSITION = 8
_MAX_TIMESTAMP_POSITION = 35


class ProduceRules(Protocol):
    """The topic's settings that decide about a batch; the log's configuration has them."""

    @property
    def max_message_bytes(self) -> int: ...
    @property
    def inflated_bytes_max(self) -> int: ...
    @property
    def check_records(self) -> bool:
        """False trusts the header and the checksum."""
        ...

    @property
    def compact(self) -> bool: ...
    @property
    def log_append_time(self) -> bool: ...
    @property
    def timestamp_before_max_ms(self) -> int: ...
    @property
    def timestamp_after_max_ms(self) -> int: ...
    @property
    def compression(self) -> int | None:
        """The codec to store with; None keeps the producer's."""
        ...

    @property
    def compression_level(self) -> int | None: ...


class RecordError(NamedTuple):
    """One bad record of a produced batch, as the produce response names it."""

    batch_index: int
    message: str


class InvalidRecords(KafkaError):
    """A produced batch that is whole but not allowed; `record_errors` says which records."""

    def __init__(
        self, message: str, code: ErrorCode = ErrorCode.INVALID_RECORD, record_errors: tuple[RecordError, ...] = ()
    ) -> None:
        super().__init__(code, message)
        self.record_errors = record_errors


class CheckedBatch(NamedTuple):
    """What the checks found; the first two are spent by then. `max_timestamp` is that of the records."""

    problem: int
    detail: int
    attributes: int
    last_offset_delta: int
    base_timestamp: int
    stated_max_timestamp: int
    max_timestamp: int
    max_timestamp_delta: int
    producer_id: int
    producer_epoch: int
    base_sequence: int
    faults: list[tuple[int, int, int]] | None


_checked = partial(tuple.__new__, CheckedBatch)


def prepare_batch(batch: memoryview, rules: ProduceRules, now_ms: int) -> tuple[Any, CheckedBatch]:
    """The batch ready to be given its offsets and written (`batch` itself if it can be), and what is known of it.

    Raises InvalidRecords, or KafkaError with CORRUPT_MESSAGE or MESSAGE_TOO_LARGE.
    """
    if rules.log_append_time:
        oldest, newest = INT64_MIN, INT64_MAX
    else:
        oldest = max(INT64_MIN, now_ms - rules.timestamp_before_max_ms)
        newest = min(INT64_MAX, now_ms + rules.timestamp_after_max_ms)
    checked = _checked(
        kernels.check_produced(batch, rules.max_message_bytes, rules.check_records, rules.compact, oldest, newest)
    )
    body: Buffer | None = None
    if checked[0] or checked[11] is not None or checked[2] & (CODEC_MASK | LOG_APPEND_TIME_FLAG):
        checked, body = _judge(batch, checked, rules, oldest, newest)
    if not rules.check_records and not oldest <= checked[5] <= newest and checked[5] != -1:
        raise InvalidRecords(_out_of_range(checked[5], oldest, newest), ErrorCode.INVALID_TIMESTAMP)
    if rules.log_append_time:
        checked = checked._replace(max_timestamp=now_ms, max_timestamp_delta=checked.last_offset_delta)
    codec = checked[2] & CODEC_MASK
    if rules.compression is not None and rules.compression != codec:
        return _recompressed(batch, checked, body, rules), checked
    if rules.log_append_time or checked[5] != checked[6] or checked[2] & LOG_APPEND_TIME_FLAG:
        batch = memoryview(bytearray(batch)) if batch.readonly else batch
        _restamp(batch, checked, rules.log_append_time)
    return batch, checked


def _judge(
    batch: memoryview, checked: CheckedBatch, rules: ProduceRules, oldest: int, newest: int
) -> tuple[CheckedBatch, Buffer | None]:
    """The slower half: inflates and checks what is compressed, and raises what there is to complain about."""
    body: Buffer | None = None
    if checked.problem == header_problem.COMPRESSED:
        body = _inflate(batch, checked.attributes & CODEC_MASK, rules.inflated_bytes_max)
        problem, detail, max_timestamp, max_delta, faults = kernels.check_records(
            body, 0, len(body), checked.last_offset_delta + 1, checked.base_timestamp, rules.compact, oldest, newest
        )
        checked = checked._replace(
            problem=problem,
            detail=detail,
            max_timestamp=max_timestamp,
            max_timestamp_delta=max_delta,
            faults=faults,
        )
    elif checked.attributes & CODEC_MASK > 4:
        raise _unknown_codec(checked.attributes & CODEC_MASK)
    if checked.problem:
        raise _refusal(checked.problem, checked.detail, batch, rules)
    if checked.faults:
        raise _faulty(checked.faults, oldest, newest)
    if checked.attributes & LOG_APPEND_TIME_FLAG and (rules.log_append_time or checked.stated_max_timestamp == -1):
        sentence = "A producer may not set the timestamp type LogAppendTime; leave its bit of the attributes 0."
        count = min(checked.last_offset_delta + 1, record_problem.FAULTS_MAX)
        errors = tuple(RecordError(index, sentence) for index in range(count))
        raise InvalidRecords(sentence, ErrorCode.INVALID_TIMESTAMP, errors)
    return checked, body


def _inflate(batch: memoryview, codec: int, max_bytes: int) -> Buffer:
    if codec > 4:
        raise _unknown_codec(codec)
    try:
        return decompress(codec, batch[HEADER_BYTES:], max_bytes, strict=True)
    except DecompressionFailed as error:
        raise InvalidRecords(f"The records cannot be inflated: {error}.") from None


def _unknown_codec(codec: int) -> KafkaError:
    return KafkaError(
        ErrorCode.UNSUPPORTED_COMPRESSION_TYPE,
        f"Compression type {codec} does not exist; use gzip (1), snappy (2), lz4 (3) or zstd (4).",
    )


_CORRUPT = {header_problem.BAD_SIZE, header_problem.BAD_MAGIC, header_problem.BAD_CHECKSUM}
_SENTENCES = {
    header_problem.NOT_WHOLE: "A produce request must hold one whole batch per partition; this one is cut off.",
    header_problem.BAD_SIZE: "The batch's length is too small for a batch; send it again.",
    header_problem.OLD_MAGIC: "Only batches of magic 2 may be produced; use a client of Kafka 0.11 or later.",
    header_problem.BAD_MAGIC: "The batch has a magic that does not exist; send it again.",
    header_problem.NOT_ONE_BATCH: "A produce request must hold exactly one batch per partition; send one at a time.",
    header_problem.BASE_OFFSET_SET: "The base offset of a produced batch must be 0; the leader assigns offsets.",
    header_problem.BAD_CHECKSUM: "The batch's checksum does not fit its bytes; send it again.",
    header_problem.BAD_RANGE: "The batch says {} records, which does not fit its last offset delta.",
    header_problem.CONTROL_BATCH: "Clients may not write control records.",
    header_problem.BAD_SEQUENCE: "A batch with a producer id must not have the sequence number {}.",
    record_problem.CUT_OFF: "The batch ends before its record {}.",
    record_problem.BAD_LENGTH: "The length of record {} does not fit its content.",
    record_problem.BAD_FIELD: "A field of record {} does not fit into the record.",
    record_problem.BAD_HEADERS: "The headers of record {} are not valid.",
    record_problem.BAD_DELTA: "Record {} has another offset delta than its place in the batch.",
    record_problem.LEFT_OVER: "The batch goes on behind its {} records.",
}


def _refusal(problem: int, detail: int, batch: memoryview, rules: ProduceRules) -> KafkaError:
    if problem == header_problem.TOO_LARGE:
        return _too_large(len(batch), rules.max_message_bytes)
    sentence = _SENTENCES[problem].format(detail)
    if problem in _CORRUPT:
        return KafkaError(ErrorCode.CORRUPT_MESSAGE, sentence)
    return InvalidRecords(sentence)


def _too_large(size: int, allowed: int) -> KafkaError:
    return KafkaError(
        ErrorCode.MESSAGE_TOO_LARGE,
        f"The batch has {size} bytes, more than the topic's max.message.bytes of {allowed}.",
    )


def _out_of_range(timestamp: int, oldest: int, newest: int) -> str:
    return f"Timestamp {timestamp} is out of range; the topic takes {oldest} to {newest}."


def _faulty(faults: list[tuple[int, int, int]], oldest: int, newest: int) -> InvalidRecords:
    """A single bad timestamp decides the code, as with Apache."""
    errors = tuple(
        RecordError(
            index,
            "The topic is compacted, so a record must have a key."
            if fault == record_problem.NO_KEY
            else _out_of_range(timestamp, oldest, newest),
        )
        for index, fault, timestamp in faults
    )
    if any(fault == record_problem.BAD_TIMESTAMP for _, fault, _ in faults):
        code, message = ErrorCode.INVALID_TIMESTAMP, "One or more records have an invalid timestamp"
    else:
        code, message = ErrorCode.INVALID_RECORD, "One or more records have been rejected"
    return InvalidRecords(f"{message}; the first is record {faults[0][0]}: {errors[0].message}", code, errors)


def _restamp(batch: memoryview, checked: CheckedBatch, append_time: bool) -> None:
    """Writes timestamp type and latest timestamp into the header, which the checksum covers."""
    attributes = checked.attributes & ~LOG_APPEND_TIME_FLAG | LOG_APPEND_TIME_FLAG * append_time
    struct.pack_into(">h", batch, ATTRIBUTES_POSITION, attributes)
    struct.pack_into(">q", batch, _MAX_TIMESTAMP_POSITION, checked.max_timestamp)
    struct.pack_into(">I", batch, CRC_POSITION, crc32c(batch[ATTRIBUTES_POSITION:]))


def _recompressed(batch: memoryview, checked: CheckedBatch, body: Buffer | None, rules: ProduceRules) -> memoryview:
    """The same records behind the codec of the topic; only what wraps them changes."""
    assert rules.compression is not None
    codec = checked.attributes & CODEC_MASK
    if body is None:
        body = _inflate(batch, codec, rules.inflated_bytes_max) if codec else batch[HEADER_BYTES:]
    packed = compress(rules.compression, body, rules.compression_level) if rules.compression else body
    size = HEADER_BYTES + len(packed)
    if size > rules.max_message_bytes:
        raise _too_large(size, rules.max_message_bytes)
    written = bytearray(size)
    written[:HEADER_BYTES] = batch[:HEADER_BYTES]
    written[HEADER_BYTES:] = packed
    struct.pack_into(">i", written, _LENGTH_POSITION, size - LOG_OVERHEAD)
    target = memoryview(written)
    attributes = checked.attributes & ~CODEC_MASK | rules.compression
    _restamp(target, checked._replace(attributes=attributes), rules.log_append_time)
    return target
