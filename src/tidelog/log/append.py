"""Appending: the hot path of the log.

Everything is checked before the one write; indexes, epochs and producers follow it. If the write fails, the file is cut
back to where it was, so that no reader ever meets half a batch.
"""

from __future__ import annotations

import struct
from enum import IntEnum
from typing import TYPE_CHECKING, Any, NamedTuple

from crc32c import crc32c

from tidelog.log.errors import InvalidRecords
from tidelog.log.markers import read_marker
from tidelog.log.recompress import recompress
from tidelog.log.segment import Segment
from tidelog.log.validation import check_client_header, check_frame, check_records
from tidelog.ports import Buffer
from tidelog.protocol.errors import ErrorCode, KafkaError
from tidelog.protocol.record_batch import CODEC_MASK, CONTROL_FLAG, HEADER, LOG_APPEND_TIME_FLAG, TRANSACTIONAL_FLAG

if TYPE_CHECKING:
    from tidelog.log.log import Log

_OFFSET = struct.Struct(">q")
_EPOCH = struct.Struct(">i")
_CRC_AND_ATTRIBUTES = struct.Struct(">Ih")
_HEADER_BYTES = HEADER.size
_MAX_RELATIVE = 2**31 - 1
_SEQUENCE_MASK = 0x7FFFFFFF


class Origin(IntEnum):
    """Who appends; a client's batches are trusted least."""

    CLIENT = 0
    COORDINATOR = 1
    RAFT = 2


class AppendInfo(NamedTuple):
    base_offset: int
    last_offset: int
    log_append_time_ms: int
    duplicate: bool


def append_as_leader(
    log: Log,
    records: Buffer,
    leader_epoch: int,
    now_ms: int,
    origin: Origin = Origin.CLIENT,
    transactional: bool = False,
) -> AppendInfo:
    """Checks one batch, gives it offsets and writes it; `transactional` says that the caller checked its transaction.

    Patches `records` in place when it is writable. Raises KafkaError for a peer's mistake, OSError for a device.
    """
    if len(records) < _HEADER_BYTES:
        raise InvalidRecords(f"A produce request must hold exactly one batch; {len(records)} bytes cannot.")
    header = HEADER.unpack_from(records, 0)
    config = log.config
    check_frame(records, header, config)
    _, _, _, _, _, attributes, last_delta, _, max_timestamp, producer_id, producer_epoch, sequence, _ = header
    if origin is Origin.CLIENT:
        check_client_header(header, config)
        if attributes & TRANSACTIONAL_FLAG and not transactional:
            raise KafkaError(
                ErrorCode.TRANSACTIONAL_ID_AUTHORIZATION_FAILED,
                "The batch is transactional, but the request names no transactional id.",
            )
        if config.check_records:
            max_timestamp = check_records(records, header, config, now_ms)
    if (
        config.compression is not None
        and config.compression != attributes & CODEC_MASK
        and not attributes & CONTROL_FLAG
    ):
        records = recompress(records, header, config)
        header = HEADER.unpack_from(records, 0)
    elif type(records) is not memoryview or records.readonly:
        records = bytearray(records)
    append_time = -1
    if config.log_append_time:
        append_time = max_timestamp = now_ms
    if append_time >= 0 or max_timestamp != header[8]:
        _set_max_timestamp(records, max_timestamp, append_time >= 0)
    size = len(records)
    if size > config.segment_bytes:
        raise KafkaError(
            ErrorCode.RECORD_LIST_TOO_LARGE,
            f"The batch has {size} bytes, more than the topic's segment.bytes of {config.segment_bytes}.",
        )
    marker = None
    producers = log.producers
    if producer_id >= 0:
        is_transactional = attributes & TRANSACTIONAL_FLAG != 0
        last_sequence = (sequence + last_delta) & _SEQUENCE_MASK if sequence >= 0 else sequence
        if attributes & CONTROL_FLAG:
            marker = read_marker(records)
            if marker is not None:
                producers.check_marker(producer_id, producer_epoch, marker.coordinator_epoch)
        elif origin is Origin.CLIENT:
            earlier = producers.check(producer_id, producer_epoch, sequence, last_sequence, is_transactional)
            if earlier is not None:
                return AppendInfo(earlier.base_offset, earlier.last_offset, earlier.timestamp, True)
        else:
            producers.check_epoch(producer_id, producer_epoch)
    base_offset = log.log_end_offset
    last_offset = base_offset + last_delta
    _OFFSET.pack_into(records, 0, base_offset)
    _EPOCH.pack_into(records, 12, leader_epoch)
    log.write(records, base_offset, last_offset, max_timestamp, now_ms)
    if leader_epoch != log.epochs.latest:
        log.epochs.assign(leader_epoch, base_offset)
    if producer_id >= 0:
        if marker is not None:
            log.end_txn(producer_id, producer_epoch, marker, last_offset, max_timestamp)
        elif not attributes & CONTROL_FLAG:
            producers.append(
                producer_id, producer_epoch, sequence, last_sequence, base_offset, last_offset, max_timestamp,
                is_transactional,
            )  # fmt: skip
    producers.end_offset = last_offset + 1
    return AppendInfo(base_offset, last_offset, append_time, False)


def _set_max_timestamp(records: Any, max_timestamp: int, append_time: bool) -> None:
    """Writes the latest timestamp into the header, which the checksum covers."""
    attributes = struct.unpack_from(">h", records, 21)[0]
    attributes = attributes | LOG_APPEND_TIME_FLAG if append_time else attributes & ~LOG_APPEND_TIME_FLAG
    _OFFSET.pack_into(records, 35, max_timestamp)
    struct.pack_into(">h", records, 21, attributes)
    struct.pack_into(">I", records, 17, crc32c(memoryview(records)[21:]))


def should_roll(log: Log, segment: Segment, size: int, last_offset: int, max_timestamp: int, now_ms: int) -> bool:
    config = log.config
    return (
        segment.size > config.segment_bytes - size
        or (
            segment.size > 0 and _waited_ms(segment, max_timestamp, now_ms) > config.segment_ms - segment.roll_jitter_ms
        )
        or segment.offset_index.is_full
        or segment.time_index.is_full
        or last_offset - segment.base_offset > _MAX_RELATIVE
    )


def _waited_ms(segment: Segment, max_timestamp: int, now_ms: int) -> int:
    """How long the segment has been growing: by the timestamps of its records if they have any, else by the clock."""
    first = segment.first_timestamp
    return max_timestamp - first if first is not None and first >= 0 else now_ms - segment.created_ms


def write_batch(log: Log, records: Buffer, base_offset: int, last_offset: int, max_timestamp: int, now_ms: int) -> None:
    """One batch to the end of the active segment, and its index entries."""
    segment = log.active
    size = len(records)
    if not segment.is_active:
        log.prepare_active()
    if should_roll(log, segment, size, last_offset, max_timestamp, now_ms):
        segment = log.roll(now_ms, base_offset)
    position = segment.size
    latest = segment.max_timestamp
    assert latest is not None
    if max_timestamp > latest:
        latest, latest_offset = max_timestamp, last_offset
    else:
        latest_offset = segment.max_timestamp_offset
    try:
        segment.file.pwrite(records, position)
        if segment.bytes_since_index > log.config.index_interval_bytes:
            segment.offset_index.append(last_offset, position)
            segment.time_index.maybe_append(latest, latest_offset)
            segment.bytes_since_index = 0
    except OSError as error:
        log.cut_back(segment, position, error)
        raise
    segment.max_timestamp, segment.max_timestamp_offset = latest, latest_offset
    if segment.first_timestamp is None:
        segment.first_timestamp = max_timestamp
    segment.size = position + size
    segment.bytes_since_index += size
    segment.remember(base_offset, position)
    log.log_end_offset = last_offset + 1


def append_as_follower(log: Log, records: Buffer, now_ms: int) -> int:
    """Writes batches as the leader sent them, whole and with their offsets; gives how many batches."""
    view = memoryview(records)
    position = count = 0
    while len(view) - position >= _HEADER_BYTES:
        header = HEADER.unpack_from(view, position)
        size = header[1] + 12
        if header[3] != 2 or size < _HEADER_BYTES:
            raise KafkaError(
                ErrorCode.CORRUPT_MESSAGE, f"The leader sent no batch at position {position} of its answer."
            )
        if size > len(view) - position:
            break
        batch = view[position : position + size]
        if crc32c(batch[21:]) != header[4]:
            raise KafkaError(
                ErrorCode.CORRUPT_MESSAGE, f"The batch at offset {header[0]} arrived damaged; fetch it again."
            )
        if header[0] < log.log_end_offset:
            raise KafkaError(
                ErrorCode.OFFSET_OUT_OF_RANGE,
                f"The leader sent offset {header[0]}, but this log already ends at {log.log_end_offset}.",
            )
        log.write(batch, header[0], header[0] + header[6], header[8], now_ms)
        if header[2] >= 0 and header[2] != log.epochs.latest:
            log.epochs.assign(header[2], header[0])
        replay_batch(log, batch, header)
        position += size
        count += 1
    return count


def replay_batch(log: Log, batch: Buffer, header: tuple[Any, ...], note_aborted: bool = True) -> None:
    """Brings the producers up to date with a batch that is in the log: replicated, or found there at start."""
    base_offset, attributes, last_delta, max_timestamp, producer_id, epoch, sequence = (
        header[0], header[5], header[6], header[8], header[9], header[10], header[11]
    )  # fmt: skip
    last_offset = base_offset + last_delta
    if producer_id >= 0:
        if attributes & CONTROL_FLAG:
            marker = read_marker(batch)
            if marker is not None:
                log.end_txn(producer_id, epoch, marker, last_offset, max_timestamp, note_aborted)
        else:
            last_sequence = (sequence + last_delta) & _SEQUENCE_MASK if sequence >= 0 else sequence
            log.producers.append(
                producer_id, epoch, sequence, last_sequence, base_offset, last_offset, max_timestamp,
                attributes & TRANSACTIONAL_FLAG != 0,
            )  # fmt: skip
    log.producers.end_offset = last_offset + 1
