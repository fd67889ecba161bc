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
from tidelog.protocol.compression import Codec, DecompressionFailed, compress, decompress
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

Header = tuple[Any, ...]
INT64_MAX = 2**63 - 1
INT64_MIN = -(2**63)
COMPRESSED = header_problem.COMPRESSED
FAULTS_MAX = record_problem.FAULTS_MAX
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


class PreparedBatch(NamedTuple):
    """A batch ready to be given its offsets and written, and what is known of it."""

    batch: memoryview
    header: Header
    """As it was produced, in the order of `HEADER`; codec, timestamp type and latest timestamp may since be others."""
    max_timestamp: int
    max_timestamp_delta: int
    """Of the first record with that timestamp; of the last record where the time is that of appending."""


_prepared = partial(tuple.__new__, PreparedBatch)


def prepare_batch(batch: memoryview, rules: ProduceRules, now_ms: int) -> PreparedBatch:
    """Checks a client's batch and rewrites it where needed, in place if it is writable and keeps its size.

    Raises InvalidRecords, or KafkaError with CORRUPT_MESSAGE, MESSAGE_TOO_LARGE or UNSUPPORTED_COMPRESSION_TYPE.
    """
    oldest, newest = INT64_MIN, INT64_MAX
    append_time = rules.log_append_time
    if not append_time:
        oldest = now_ms - rules.timestamp_before_max_ms
        if oldest < INT64_MIN:
            oldest = INT64_MIN
        if now_ms <= INT64_MAX - rules.timestamp_after_max_ms:
            newest = now_ms + rules.timestamp_after_max_ms
    problem, detail, header, max_timestamp, max_delta, faults = kernels.check_produced(
        batch, rules.max_message_bytes, rules.check_records, rules.compact, oldest, newest
    )
    if problem and problem != COMPRESSED:
        raise _refusal(problem, detail, batch, rules)
    if faults is not None:
        raise _faulty(faults, oldest, newest)
    assert header is not None
    attributes = header[5]
    codec = attributes & CODEC_MASK
    body: Buffer | None = None
    if attributes & (CODEC_MASK | LOG_APPEND_TIME_FLAG):
        _check_attributes(header, append_time)
        if problem == COMPRESSED:
            body = _inflate(batch, codec, rules.inflated_bytes_max)
            max_timestamp, max_delta = _check_body(body, header, rules, oldest, newest)
    if not rules.check_records and max_timestamp != -1 and not oldest <= max_timestamp <= newest:
        raise InvalidRecords(_out_of_range(max_timestamp, oldest, newest), ErrorCode.INVALID_TIMESTAMP)
    if append_time:
        max_timestamp, max_delta = now_ms, header[6]
    target = rules.compression
    if target is not None and target != codec:
        batch = _recompressed(batch, codec, body, rules)
        _restamp(batch, attributes & ~CODEC_MASK | target, max_timestamp, append_time)
    elif append_time or max_timestamp != header[8] or attributes & LOG_APPEND_TIME_FLAG:
        batch = memoryview(bytearray(batch)) if batch.readonly else batch
        _restamp(batch, attributes, max_timestamp, append_time)
    return _prepared((batch, header, max_timestamp, max_delta))


def _check_attributes(header: Header, append_time: bool) -> None:
    attributes = header[5]
    codec = attributes & CODEC_MASK
    if codec > Codec.ZSTD:
        raise KafkaError(
            ErrorCode.UNSUPPORTED_COMPRESSION_TYPE,
            f"Compression type {codec} does not exist; use gzip (1), snappy (2), lz4 (3) or zstd (4).",
        )
    # Apache's broker takes the bit off where it keeps the producer's timestamps, and so do we.
    if attributes & LOG_APPEND_TIME_FLAG and (append_time or header[8] == -1):
        sentence = "A producer may not set the timestamp type LogAppendTime; leave its bit of the attributes 0."
        errors = tuple(RecordError(index, sentence) for index in range(min(header[12], FAULTS_MAX)))
        raise InvalidRecords(sentence, ErrorCode.INVALID_TIMESTAMP, errors)


def _check_body(body: Buffer, header: Header, rules: ProduceRules, oldest: int, newest: int) -> tuple[int, int]:
    """Highest timestamp of inflated records, and the delta of the first that has it."""
    problem, detail, max_timestamp, max_delta, faults = kernels.check_records(
        body, 0, len(body), header[12], header[7], rules.compact, oldest, newest
    )
    if problem:
        raise InvalidRecords(_SENTENCES[problem].format(detail))
    if faults:
        raise _faulty(faults, oldest, newest)
    return max_timestamp, max_delta


def _inflate(batch: memoryview, codec: int, max_bytes: int) -> Buffer:
    try:
        return decompress(codec, batch[HEADER_BYTES:], max_bytes, strict=True)
    except DecompressionFailed as error:
        raise InvalidRecords(f"The records cannot be inflated: {error}.") from None


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


def _restamp(batch: memoryview, attributes: int, max_timestamp: int, append_time: bool) -> None:
    """Writes attributes, timestamp type and latest timestamp into the header, which the checksum covers."""
    attributes = attributes & ~LOG_APPEND_TIME_FLAG | LOG_APPEND_TIME_FLAG * append_time
    struct.pack_into(">h", batch, ATTRIBUTES_POSITION, attributes)
    struct.pack_into(">q", batch, _MAX_TIMESTAMP_POSITION, max_timestamp)
    struct.pack_into(">I", batch, CRC_POSITION, crc32c(batch[ATTRIBUTES_POSITION:]))


def _recompressed(batch: memoryview, codec: int, body: Buffer | None, rules: ProduceRules) -> memoryview:
    """The same records behind the topic's codec; attributes and checksum are still to be written."""
    assert rules.compression is not None
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
    return memoryview(written)
