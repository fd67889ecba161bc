"""Which remote segments may go, and where the log begins then: decisions over what is known of them.

A log that is tiered begins where its oldest reachable record is, wherever that lies. Time and size count over both
sides: what lies in the store, and what lies only on local disk.
"""

from __future__ import annotations

from typing import NamedTuple

from tidelog.replication.epochs import LeaderEpochs
from tidelog.tier.manifest import Manifest, agreed_end
from tidelog.tier.segments import RemoteSegment


class Retention(NamedTuple):
    retention_ms: int  # negative: for ever
    retention_bytes: int  # negative: no limit


def expired_until(
    manifest: Manifest,
    epochs: LeaderEpochs,
    log_start_offset: int,
    local_start_offset: int,
    local_only_bytes: int,
    retention: Retention,
    now_ms: int,
) -> int:
    """Where the log begins once everything too old or too much is gone; segments go whole, the oldest first.

    Never past what is remote: what lies on local disk alone is the business of the local log.
    """
    chain = _chain(manifest, epochs, log_start_offset)
    excess = -1
    if retention.retention_bytes >= 0:
        excess = sum(size for _, size in chain) + local_only_bytes - retention.retention_bytes
    start = log_start_offset
    for segment, size in chain:
        is_old = retention.retention_ms >= 0 and now_ms - segment.max_timestamp_ms > retention.retention_ms
        if not is_old and not (excess >= 0 and excess >= size):
            break
        excess -= size
        start = agreed_end(segment, epochs) + 1
    return start


def _chain(manifest: Manifest, epochs: LeaderEpochs, offset: int) -> list[tuple[RemoteSegment, int]]:
    """The copies that a reader goes through from `offset` on, each with about the bytes that it gives.

    Copies of several leaders overlap; what one holds that another gives already does not count twice.
    """
    found = []
    segment = manifest.find(offset, epochs)
    while segment is not None:
        end = agreed_end(segment, epochs)
        share = (end - offset + 1) / (segment.end_offset - segment.start_offset + 1)
        found.append((segment, int(segment.size_bytes * share)))
        offset = end + 1
        segment = manifest.find(offset, epochs)
    return found


def useless(manifest: Manifest, epochs: LeaderEpochs, log_start_offset: int, leader_epoch: int) -> list[RemoteSegment]:
    """Segments that no reader of this log will ever need: before its start, of a history that it left, or held twice.

    What a later leader has copied is never useless to an earlier one that does not know it yet.
    """
    found: list[RemoteSegment] = []
    held_until = -1  # by one copy that begins before those that follow
    for segment in sorted(manifest.live, key=lambda each: (each.start_offset, -each.end_offset, each.id)):
        if segment.epochs[-1][0] > leader_epoch:
            continue
        if segment.end_offset < log_start_offset:
            found.append(segment)
        elif epochs.starts:
            end = agreed_end(segment, epochs)
            # Both are of this log's history, so where one holds the other's offsets it holds the same records.
            if end < segment.start_offset or segment.end_offset <= held_until:
                found.append(segment)
            held_until = max(held_until, end)
    return found
