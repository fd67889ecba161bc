"""Checks of a produced batch, in the order and with the errors of the protocol.

The header comes in as the tuple of `HEADER`, in the order of `BatchHeader`; nothing here keeps it.
"""

from __future__ import annotations

from typing import Any

from crc32c import crc32c

from tidelog.log.config import LogConfig
from tidelog.log.errors import InvalidRecords, RecordError
from tidelog.ports import Buffer
from tidelog.protocol.errors import ErrorCode, KafkaError
from tidelog.protocol.record_batch import (
    CONTROL_FLAG,
    HEADER_BYTES,
    LOG_APPEND_TIME_FLAG,
    BatchError,
    BatchHeader,
    decode_records,
)

_CRC_START = 21


def check_frame(records: Buffer, header: tuple[Any, ...], config: LogConfig) -> None:
    """Magic, length and checksum of the one batch in `records`."""
    magic = header[3]
    if magic != 2:
        if magic in (0, 1):
            raise InvalidRecords("Only record batches of magic 2 may be produced; use a client of Kafka 0.11 or later.")
        raise KafkaError(ErrorCode.CORRUPT_MESSAGE, f"The batch has magic {magic}, which does not exist.")
    size = len(records)
    if header[1] + 12 != size:
        raise InvalidRecords(
            f"A produce request must hold exactly one batch; this one says {header[1] + 12} of {size} bytes."
        )
    if header[0] != 0:
        raise InvalidRecords(
            f"The base offset of a produced batch must be 0, not {header[0]}; the leader assigns offsets."
        )
    if size > config.max_message_bytes:
        raise KafkaError(
            ErrorCode.MESSAGE_TOO_LARGE,
            f"The batch has {size} bytes, more than the topic's max.message.bytes of {config.max_message_bytes}.",
        )
    if size < HEADER_BYTES or crc32c(memoryview(records)[_CRC_START:]) != header[4]:
        raise KafkaError(ErrorCode.CORRUPT_MESSAGE, "The batch's checksum does not fit its bytes; send it again.")


def check_client_header(header: tuple[Any, ...], config: LogConfig) -> None:
    """What only a client's batch must fulfil."""
    attributes, last_delta, count = header[5], header[6], header[12]
    if attributes & CONTROL_FLAG:
        raise InvalidRecords("Clients may not write control records.")
    if count <= 0 or last_delta + 1 != count:
        raise InvalidRecords(f"The batch says {count} records but its last offset delta is {last_delta}.")
    if header[9] >= 0 and header[11] < 0:
        raise InvalidRecords(f"The batch of producer {header[9]} has the sequence number {header[11]}.")
    if attributes & LOG_APPEND_TIME_FLAG and not config.log_append_time:
        raise InvalidRecords(
            "A producer may not set the timestamp type LogAppendTime; only the topic's settings can.",
            ErrorCode.INVALID_TIMESTAMP,
        )


def check_records(records: Buffer, header: tuple[Any, ...], config: LogConfig, now_ms: int) -> int:
    """Walks every record; gives the latest timestamp."""
    try:
        found = decode_records(records, 0, config.inflated_bytes_max, BatchHeader._make(header))
    except BatchError as error:
        raise InvalidRecords(str(error)) from None
    errors = []
    earliest = now_ms - config.timestamp_before_max_ms
    latest = now_ms + config.timestamp_after_max_ms
    code = ErrorCode.INVALID_RECORD
    for number, record in enumerate(found):
        if record.offset != number:
            raise InvalidRecords(f"Record {number} of the batch has the offset delta {record.offset}.")
        if config.compact and record.key is None:
            errors.append(RecordError(number, "Compacted topic cannot accept message without key."))
        elif not config.log_append_time and record.timestamp != -1 and not earliest <= record.timestamp <= latest:
            code = ErrorCode.INVALID_TIMESTAMP
            errors.append(RecordError(number, f"Timestamp {record.timestamp} is outside of {earliest} to {latest}."))
    if errors:
        raise InvalidRecords("One or more records have been rejected", code, tuple(errors))
    return max(record.timestamp for record in found)
