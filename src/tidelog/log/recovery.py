"""Recovery after an unclean end: every segment from the recovery point on is read and checked, its indexes made anew.

A torn tail is cut. Damage that a crash cannot explain is reported, and the log stays closed: `CorruptLogError`.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from crc32c import crc32c

from tidelog.log import damage
from tidelog.log.epoch_order import EpochOrder
from tidelog.log.errors import CorruptLogError
from tidelog.log.indexing import rebuild_indexes
from tidelog.log.scanning import BatchScan
from tidelog.log.segment import Segment
from tidelog.protocol.record_batch import HEADER

if TYPE_CHECKING:
    from tidelog.log.log import Log

logger = logging.getLogger(__name__)
_ADVICE = (
    "Restore the files from a replica or a backup. To give up what is lost instead, remove the partition's line from "
    "recovery-point-offset-checkpoint and cut the file at that position, then start again."
)


def recover(log: Log, number: int, epochs: EpochOrder) -> None:
    """Checks the segments from that number on."""
    while number < len(log.segments):
        segment = log.segments[number]
        number += 1
        following = log.segments.items[number:]
        scan = rebuild_indexes(segment, log.config, _limit(log, following), epochs)
        segment.txn_index.reset()  # filled again when the producers are brought up to date
        log.log_end_offset = scan.next_offset
        if scan.problem is not None:
            _judge(log, segment, scan, any(each.size for each in following))
            logger.warning(
                "%s: cut %d bytes at position %d that were being written when the node stopped (%s); the log now ends "
                "at offset %d", segment.file.path, segment.size - scan.position, scan.position, scan.problem,
                scan.next_offset,
            )  # fmt: skip
            segment.file.truncate(scan.position)
            segment.size = scan.position
        has_gap = bool(following) and not log.has_gaps and following[0].base_offset != scan.next_offset
        if following and (scan.problem is not None or has_gap):
            _drop(log, following, scan.next_offset)
    if log.log_end_offset < log.recovery_point and log.log_start_offset <= log.log_end_offset:
        raise CorruptLogError(
            f"{log.directory}: the log ends at offset {log.log_end_offset}, but everything before offset "
            f"{log.recovery_point} had been flushed. {_ADVICE}"
        )


def _limit(log: Log, following: list[Segment]) -> int | None:
    if following:
        return following[0].base_offset
    return None if log.has_gaps else -1


def _judge(log: Log, segment: Segment, scan: BatchScan, has_later: bool) -> None:
    """Raises unless a crash explains what is wrong at the end of `scan`."""
    file, position, end = segment.file, scan.position, segment.size
    place = f"{file.path}: there is damage at position {position} (offset {scan.next_offset}): {scan.problem}."
    if scan.next_offset < log.recovery_point:
        raise CorruptLogError(f"{place} Offsets before {log.recovery_point} had been flushed. {_ADVICE}")
    if not scan.is_torn:
        raise CorruptLogError(f"{place} The batch is whole, so this was no torn write. {_ADVICE}")
    head = file.pread(HEADER.size, position)
    claimed = HEADER.unpack(head)[1] + 12 if len(head) == HEADER.size else 0
    if damage.has_lost_sector(file, position, min(end, position + max(claimed, HEADER.size)), scan.next_offset):
        return
    if damage.valid_batch_after(file, position, end, scan.next_offset) is not None:
        raise CorruptLogError(f"{place} Valid batches follow it, so this was no torn write. {_ADVICE}")
    if has_later and (claimed <= end - position or _is_whole_but_for_length(segment, position)):
        raise CorruptLogError(f"{place} Later segments follow it, so this was no torn write. {_ADVICE}")


def _is_whole_but_for_length(segment: Segment, position: int) -> bool:
    """The checksum does not cover the length: if it fits the rest of the file, only the length can be wrong."""
    data = segment.file.pread(segment.size - position, position)
    return len(data) >= HEADER.size and crc32c(memoryview(data)[21:]) == HEADER.unpack_from(data)[4]


def _drop(log: Log, segments: list[Segment], end_offset: int) -> None:
    logger.warning(
        "%s: removed %d segments that began behind offset %d, where the log now ends; they had not been flushed",
        log.directory, len(segments), end_offset,
    )  # fmt: skip
    for segment in reversed(segments):
        for path in reversed(segment.existing_paths()):
            log.disk.remove(path)
    log.segments = log.segments.without(segments)
