"""Checks of a produced batch, with the errors of the protocol and in its order.

On the hot path each check is one question that covers many mistakes; what is wrong is found out only when the answer is
no. Headers are the plain tuples of `HEADER`, in the order of `BatchHeader`.
"""

from __future__ import annotations

from typing import Any

from crc32c import crc32c

from tidelog.kernels import check_records
from tidelog.log.config import LogConfig
from tidelog.log.errors import InvalidRecords, RecordError
from tidelog.ports import Buffer
from tidelog.protocol.compression import DecompressionFailed, decompress
from tidelog.protocol.errors import ErrorCode, KafkaError
from tidelog.protocol.record_batch import (
    CODEC_MASK,
    CONTROL_FLAG,
    HEADER,
    HEADER_BYTES,
    LOG_APPEND_TIME_FLAG,
    TRANSACTIONAL_FLAG,
)

Header = tuple[Any, ...]
INT64_MAX = 2**63 - 1
CODEC_MAX = 4
CRC_START = 21
_CONTROL_OR_APPEND_TIME = CONTROL_FLAG | LOG_APPEND_TIME_FLAG
_NO_KEY = 1
_PROBLEMS = {
    1: "is cut off",
    2: "has a length that does not fit its fields or its batch",
    3: "has a field that is longer than the record, or no number",
    4: "has headers that cannot be read",
    5: "has the wrong offset delta",
    7: "is missing",
}
_LEFT_OVER = 6


def check_batch(records: memoryview, config: LogConfig, from_client: bool, transactional: bool) -> Header:
    """The header of the one batch in `records`, which is whole and may be written; raises KafkaError if not."""
    size = len(records)
    if size < HEADER_BYTES:
        raise InvalidRecords(f"A produce request must hold exactly one batch; {size} bytes cannot.")
    header = HEADER.unpack_from(records, 0)
    base_offset, length, _, magic, crc, attributes, last_delta, _, _, producer_id, _, sequence, count = header
    if (
        magic != 2
        or length + 12 != size
        or base_offset
        or size > config.max_message_bytes
        or crc32c(records[CRC_START:]) != crc
    ):
        raise _frame_error(header, size, config)
    if from_client and (
        attributes & (CONTROL_FLAG if config.log_append_time else _CONTROL_OR_APPEND_TIME)
        or (attributes & TRANSACTIONAL_FLAG and not transactional)
        or attributes & CODEC_MASK > CODEC_MAX
        or count <= 0
        or last_delta + 1 != count
        or (producer_id >= 0 and sequence < 0)
    ):
        raise _client_error(header, config)
    return header


def _frame_error(header: Header, size: int, config: LogConfig) -> KafkaError:
    magic = header[3]
    if magic != 2:
        if magic in (0, 1):
            return InvalidRecords("Only batches of magic 2 may be produced; use a client of Kafka 0.11 or later.")
        return KafkaError(ErrorCode.CORRUPT_MESSAGE, f"The batch has magic {magic}, which does not exist.")
    claimed = header[1] + 12
    if claimed < HEADER_BYTES:
        return KafkaError(ErrorCode.CORRUPT_MESSAGE, f"The batch says it has {claimed} bytes, fewer than its header.")
    if claimed != size:
        return InvalidRecords(
            f"A produce request must hold exactly one batch; this one says {claimed} of {size} bytes."
        )
    if header[0] != 0:
        return InvalidRecords(f"The base offset of a produced batch must be 0, not {header[0]}.")
    if size > config.max_message_bytes:
        return too_large(size, config)
    return KafkaError(ErrorCode.CORRUPT_MESSAGE, "The batch's checksum does not fit its bytes; send it again.")


def too_large(size: int, config: LogConfig) -> KafkaError:
    return KafkaError(
        ErrorCode.MESSAGE_TOO_LARGE,
        f"The batch has {size} bytes, more than the topic's max.message.bytes of {config.max_message_bytes}.",
    )


def _client_error(header: Header, config: LogConfig) -> KafkaError:
    """For a client's batch with a header that only others may send, or that contradicts itself."""
    attributes, last_delta, count = header[5], header[6], header[12]
    if attributes & CONTROL_FLAG:
        return InvalidRecords("Clients may not write control records.")
    if count <= 0 or last_delta + 1 != count:
        return InvalidRecords(f"The batch says {count} records but its last offset delta is {last_delta}.")
    if header[9] >= 0 and header[11] < 0:
        return InvalidRecords(f"The batch of producer {header[9]} has the sequence number {header[11]}.")
    if attributes & LOG_APPEND_TIME_FLAG and not config.log_append_time:
        return InvalidRecords(
            "A producer may not set the timestamp type LogAppendTime; only the topic's settings can.",
            ErrorCode.INVALID_TIMESTAMP,
        )
    if attributes & CODEC_MASK > CODEC_MAX:
        return InvalidRecords(f"The batch is compressed with codec {attributes & CODEC_MASK}, which does not exist.")
    assert attributes & TRANSACTIONAL_FLAG
    return KafkaError(
        ErrorCode.TRANSACTIONAL_ID_AUTHORIZATION_FAILED,
        "The batch is transactional, but the request names no transactional id.",
    )


def max_timestamp_of(records: Buffer, header: Header, config: LogConfig, now_ms: int) -> int:
    """The latest timestamp, found by checking every record; with `tidelog.record.check=header` as the batch says."""
    oldest, newest = -INT64_MAX - 1, INT64_MAX
    if not config.log_append_time:
        oldest = now_ms - config.timestamp_before_max_ms
        newest = min(now_ms + config.timestamp_after_max_ms, INT64_MAX)
    if not config.check_records:
        if header[8] > newest or -1 < header[8] < oldest:
            raise InvalidRecords(f"Timestamp {header[8]} is too far from now.", ErrorCode.INVALID_TIMESTAMP)
        return int(header[8])
    position, end, body = HEADER_BYTES, len(records), records
    if header[5] & CODEC_MASK:
        position, body = 0, _inflate(records, header, config)
        end = len(body)
    problem, index, latest, _, faults = check_records(
        body, position, end, header[12], header[7], config.compact, oldest, newest
    )
    if problem or faults:
        raise _records_error(problem, index, faults or ())
    return latest


def _inflate(records: Buffer, header: Header, config: LogConfig) -> Buffer:
    try:
        return decompress(header[5] & CODEC_MASK, memoryview(records)[HEADER_BYTES:], config.inflated_bytes_max)
    except DecompressionFailed as error:
        raise InvalidRecords(f"The batch cannot be inflated: {error}") from None


def _records_error(problem: int, index: int, faults: Any) -> InvalidRecords:
    if problem:
        if problem == _LEFT_OVER:
            return InvalidRecords("Bytes are left over behind the last record of the batch.")
        return InvalidRecords(f"Record {index} of the batch {_PROBLEMS[problem]}.")
    errors = tuple(RecordError(number, _fault(kind, timestamp)) for number, kind, timestamp in faults)
    code = ErrorCode.INVALID_RECORD if all(kind == _NO_KEY for _, kind, _ in faults) else ErrorCode.INVALID_TIMESTAMP
    return InvalidRecords(
        f"{len(errors)} of the batch's records are not allowed here: {errors[0].message}", code, errors
    )


def _fault(kind: int, timestamp: int) -> str:
    if kind == _NO_KEY:
        return "A record of a compacted topic needs a key."
    return f"Timestamp {timestamp} is outside of message.timestamp.before.max.ms and message.timestamp.after.max.ms."
