"""Appending: the hot path of the log.

Everything is checked before the one write; indexes, epochs and producers follow it. If the write fails, the file is cut
back to where it was, so that no reader ever meets half a batch.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from enum import IntEnum
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from crc32c import crc32c

from tidelog.kernels import walk_batches
from tidelog.kernels.batch_read import WALK_CUT_OFF
from tidelog.log.config import LogConfig
from tidelog.log.markers import Marker, read_marker
from tidelog.log.segment import RECENT_MAX, Segment
from tidelog.ports import Buffer
from tidelog.protocol.errors import ErrorCode, KafkaError
from tidelog.protocol.record_batch import CONTROL_FLAG, HEADER, LOG_APPEND_TIME_FLAG, TRANSACTIONAL_FLAG
from tidelog.protocol.records_validate import Header, prepare_batch

if TYPE_CHECKING:
    from tidelog.log.log import Log

_OFFSET = struct.Struct(">q")
_EPOCH = struct.Struct(">i")
_CRC = struct.Struct(">I")
_HEADER_BYTES = HEADER.size
_MAX_RELATIVE = 2**31 - 1
_SEQUENCE_MASK = 0x7FFFFFFF
_NEWEST_EPOCH = 2**31 - 1


class Origin(IntEnum):
    """Who appends; a client's batches are trusted least."""

    CLIENT = 0
    COORDINATOR = 1
    RAFT = 2


_CLIENT = Origin.CLIENT


class AppendInfo(NamedTuple):
    base_offset: int
    last_offset: int
    log_append_time_ms: int
    duplicate: bool


# Twice as quick as calling the class, which goes through a function of its own.
_make_info: Callable[[tuple[int, int, int, bool]], AppendInfo] = partial(tuple.__new__, AppendInfo)


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
    if log.offline is not None:
        log.check_online()
    config = log.config
    if type(records) is not memoryview:
        records = memoryview(records)
    if origin is _CLIENT:
        records, header, max_timestamp, _ = prepare_batch(records, config, now_ms)
        if header[5] & TRANSACTIONAL_FLAG and not transactional:
            raise KafkaError(
                ErrorCode.TRANSACTIONAL_ID_AUTHORIZATION_FAILED,
                "The batch is transactional, but the request names no transactional id.",
            )
    else:
        records, header, max_timestamp = _prepare_own(records, config, now_ms)
    if records.readonly:
        records = memoryview(bytearray(records))
    if len(records) > config.segment_bytes:
        raise KafkaError(
            ErrorCode.RECORD_LIST_TOO_LARGE,
            f"The batch has {len(records)} bytes, more than the topic's segment.bytes of {config.segment_bytes}.",
        )
    attributes, last_delta, producer_id = header[5], header[6], header[9]
    marker = None
    if producer_id >= 0:
        if attributes & CONTROL_FLAG:
            marker = _check_marker(log, records, header)
        elif origin is _CLIENT:
            earlier = log.producers.check(
                producer_id,
                header[10],
                header[11],
                (header[11] + last_delta) & _SEQUENCE_MASK,
                attributes & TRANSACTIONAL_FLAG != 0,
            )
            if earlier is not None:
                return AppendInfo(earlier.base_offset, earlier.last_offset, earlier.timestamp, True)
        else:
            log.producers.check_epoch(producer_id, header[10])
    base_offset = log.log_end_offset
    last_offset = base_offset + last_delta
    _OFFSET.pack_into(records, 0, base_offset)
    _EPOCH.pack_into(records, 12, leader_epoch)
    write_batch(log, records, base_offset, last_offset, max_timestamp, now_ms)
    if leader_epoch != log.epochs.latest:
        log.epochs.assign(leader_epoch, base_offset)
    if producer_id >= 0:
        _update_producer(log, header, base_offset, max_timestamp, marker)
    log.producers.end_offset = last_offset + 1
    return _make_info((base_offset, last_offset, now_ms if config.log_append_time else -1, False))


def append_plain(log: Log, batch: bytearray, leader_epoch: int, now_ms: int, count: int) -> int:
    """One batch that this node has just made, of `count` records of this moment outside of transactions.

    Nothing is left to check, so this is half the work. Gives the base offset.
    """
    config = log.config
    if log.offline is not None or config.log_append_time or len(batch) > config.segment_bytes:
        return append_as_leader(log, batch, leader_epoch, now_ms, Origin.COORDINATOR).base_offset
    base_offset = log.log_end_offset
    last_offset = base_offset + count - 1
    _OFFSET.pack_into(batch, 0, base_offset)
    _EPOCH.pack_into(batch, 12, leader_epoch)
    write_batch(log, batch, base_offset, last_offset, now_ms, now_ms)
    if leader_epoch != log.epochs.latest:
        log.epochs.assign(leader_epoch, base_offset)
    log.producers.end_offset = last_offset + 1
    return base_offset


def _prepare_own(records: memoryview, config: LogConfig, now_ms: int) -> tuple[memoryview, Header, int]:
    """A batch that this node made itself, such as a marker: only that it is whole is checked."""
    header = HEADER.unpack_from(records, 0)
    assert header[3] == 2, "the node wrote a batch of another magic than 2"
    assert header[1] + 12 == len(records), "the node wrote a batch of the wrong length"
    assert crc32c(records[21:]) == header[4], "the node wrote a batch with a wrong checksum"
    if not config.log_append_time:
        return records, header, header[8]
    records = memoryview(bytearray(records))
    records[22] |= LOG_APPEND_TIME_FLAG
    _OFFSET.pack_into(records, 35, now_ms)
    _CRC.pack_into(records, 17, crc32c(records[21:]))
    return records, header, now_ms


def _check_marker(log: Log, records: Buffer, header: Header) -> Marker | None:
    marker = read_marker(records)
    if marker is not None:
        log.producers.check_marker(header[9], header[10], marker.coordinator_epoch)
    return marker


def _update_producer(
    log: Log, header: Header, base_offset: int, timestamp: int, marker: Marker | None, note_aborted: bool = True
) -> None:
    """The producers follow a batch that is in the log."""
    attributes, last_delta, producer_id, epoch, sequence = header[5], header[6], header[9], header[10], header[11]
    if marker is not None:
        log.end_txn(producer_id, epoch, marker, base_offset + last_delta, timestamp, note_aborted)
    elif not attributes & CONTROL_FLAG:
        last_sequence = (sequence + last_delta) & _SEQUENCE_MASK if sequence >= 0 else sequence
        log.producers.append(
            producer_id, epoch, sequence, last_sequence, base_offset, base_offset + last_delta, timestamp,
            attributes & TRANSACTIONAL_FLAG != 0,
        )  # fmt: skip


def _should_roll(config: LogConfig, segment: Segment, max_timestamp: int, now_ms: int) -> bool:
    """Whether the segment has grown for long enough: by the timestamps of its records if they have any."""
    first = segment.first_timestamp
    waited_ms = max_timestamp - first if first >= 0 else now_ms - segment.created_ms
    return waited_ms > config.roll_ms - segment.roll_jitter_ms and segment.size > 0


def write_batch(log: Log, records: Buffer, base_offset: int, last_offset: int, max_timestamp: int, now_ms: int) -> None:
    """One batch to the end of the active segment, and its index entries."""
    segment = log.active
    size = len(records)
    if not segment.is_active:
        log.prepare_active()
    config = log.config
    if (
        segment.size + size > config.segment_bytes
        or segment.is_full
        or last_offset - segment.base_offset > _MAX_RELATIVE
        or _should_roll(config, segment, max_timestamp, now_ms)
    ):
        segment = log.roll(now_ms, base_offset)
    position = segment.size
    try:
        segment.open_file.pwrite(records, position)  # type: ignore[union-attr]
        _note_batch(log, segment, position, size, base_offset, last_offset, max_timestamp)
    except OSError as error:
        log.cut_back(segment, position, error)
        raise
    log.tail = (position, bytes(records)) if size <= log.tail_bytes_max else None


def _note_batch(
    log: Log, segment: Segment, position: int, size: int, base_offset: int, last_offset: int, max_timestamp: int
) -> None:
    """Indexes and offsets follow a batch that is in the file at `position`."""
    if segment.bytes_since_index > log.config.index_interval_bytes:
        _add_index_entries(segment, last_offset, position, max_timestamp)
    if max_timestamp > segment.max_timestamp:  # type: ignore[operator]
        segment.max_timestamp, segment.max_timestamp_offset = max_timestamp, last_offset
    if not position:
        segment.first_timestamp = max_timestamp
    segment.size = position + size
    segment.bytes_since_index += size
    if base_offset != log.log_end_offset:
        segment.recent = ([], [])  # which batch holds an offset is clear only among batches without gaps
    # The offset comes last: a reader in another thread that sees it finds its position.
    offsets, positions = segment.recent
    positions.append(position)
    offsets.append(base_offset)
    if len(offsets) > RECENT_MAX:
        segment.forget_oldest()
    log.log_end_offset = last_offset + 1


def _add_index_entries(segment: Segment, last_offset: int, position: int, max_timestamp: int) -> None:
    offsets, times = segment.offset_index, segment.time_index
    latest = segment.max_timestamp
    assert latest is not None
    offsets.append(last_offset, position)
    if max_timestamp > latest:
        times.maybe_append(max_timestamp, last_offset)
    else:
        times.maybe_append(latest, segment.max_timestamp_offset)
    segment.is_full = offsets.is_full or times.is_full
    segment.bytes_since_index = 0


def append_as_follower(log: Log, records: Buffer, now_ms: int, leader_epoch: int = _NEWEST_EPOCH) -> int:
    """Writes batches as the leader of `leader_epoch` sent them, whole and with their offsets; gives how many batches.

    What is cut off at the end is left for the next time, and so is everything behind damage, which is an error.
    """
    if log.offline is not None:
        log.check_online()
    view = memoryview(records)
    batches, end, problem = walk_batches(view, 0, len(view), True)
    offset, epoch = log.log_end_offset, log.epochs.latest
    for _, header in batches:
        if header[2] != epoch:
            # No checksum covers it. Only a newer leader comes next, and none that is newer than who sent this.
            if not epoch < header[2] <= leader_epoch:
                raise _damaged(f"at offset {header[0]}: leader epoch {header[2]} does not follow on {epoch}")
            epoch = header[2]
        if header[0] < offset:
            raise KafkaError(
                ErrorCode.OFFSET_OUT_OF_RANGE,
                f"The leader sent offset {header[0]}, but this log already ends at {offset}.",
            )
        offset = header[0] + header[6] + 1
    if len(batches) > 1 and _fits(log, batches, end, now_ms):
        _write_together(log, view[:end], batches)
    else:
        for position, header in batches:
            batch = view[position : position + header[1] + 12]
            log.write(batch, header[0], header[0] + header[6], header[8], now_ms)
            _follow(log, batch, header)
    if problem > WALK_CUT_OFF:
        raise _damaged(f"at position {end}")
    return len(batches)


def _damaged(where: str) -> KafkaError:
    return KafkaError(ErrorCode.CORRUPT_MESSAGE, f"What the leader sent is damaged {where}; fetch it again.")


Batches = list[tuple[int, tuple[int, ...]]]


def _fits(log: Log, batches: Batches, size: int, now_ms: int) -> bool:
    """Whether all of them go into the active segment, so that one write will do."""
    segment = log.active
    if not segment.is_active:
        log.prepare_active()
    last = batches[-1][1]
    indexes = segment.offset_index, segment.time_index
    return (
        segment.size + size <= log.config.segment_bytes
        and all(each.capacity - each.count >= len(batches) for each in indexes)
        and last[0] + last[6] - segment.base_offset <= _MAX_RELATIVE
        and not _should_roll(log.config, segment, max(header[8] for _, header in batches), now_ms)
    )


def _write_together(log: Log, view: memoryview, batches: Batches) -> None:
    segment = log.active
    start = segment.size
    try:
        segment.open_file.pwrite(view, start)  # type: ignore[union-attr]
        for position, header in batches:
            size = header[1] + 12
            _note_batch(log, segment, start + position, size, header[0], header[0] + header[6], header[8])
            _follow(log, view[position : position + size], header)
    except OSError as error:
        log.cut_back(segment, segment.size, error)  # behind the last batch that is known everywhere
        raise


def _follow(log: Log, batch: Buffer, header: Header) -> None:
    if header[2] >= 0 and header[2] != log.epochs.latest:
        log.epochs.assign(header[2], header[0])
    replay_batch(log, batch, header)


def replay_batch(log: Log, batch: Buffer, header: Header, note_aborted: bool = True) -> None:
    """Brings the producers up to date with a batch that is in the log: replicated, or found there at start."""
    if header[9] >= 0:
        marker = read_marker(batch) if header[5] & CONTROL_FLAG else None
        _update_producer(log, header, header[0], header[8], marker, note_aborted)
    log.producers.end_offset = header[0] + header[6] + 1
