"""Compacting a log here and now, and what a reader of the log then sees."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tidelog.log.clean_job import Cleaned, CleanJob, CleanSettings, plan_job
from tidelog.log.clean_plan import DirtyPart, dirty_part
from tidelog.log.clean_swap import name_finally, swap_in
from tidelog.log.log import Log
from tidelog.protocol.record_batch import BatchHeader, Record, decode_records, iter_batches

SETTINGS = CleanSettings(dedupe_bytes=1 << 20, piece_bytes=4096, seed=bytes(range(16)))


def part_of(log: Log, now_ms: int, checkpoint: int | None = None, high_watermark: int | None = None) -> DirtyPart:
    stable = log.last_stable_offset(log.log_end_offset if high_watermark is None else high_watermark)
    return dirty_part(
        log.segments.items, log.config, checkpoint, log.log_start_offset, log.log_end_offset, stable, now_ms
    )


def compact(
    log: Log,
    now_ms: int,
    checkpoint: int | None = None,
    settings: CleanSettings = SETTINGS,
    high_watermark: int | None = None,
) -> CleanJob:
    """All steps one after the other."""
    job = plan_job(log, part_of(log, now_ms, checkpoint, high_watermark), settings, now_ms)
    for done in job.run():
        if isinstance(done, Cleaned):
            swap_in(log, done, job.generation)
            log.disk.fsync_dir(log.directory)
            name_finally(log, done)
            log.disk.fsync_dir(log.directory)
    return job


def batches(log: Log) -> list[tuple[BatchHeader, list[Record]]]:
    """Every batch of the log as it is on disk, from its first segment on."""
    found = []
    for segment in log.segments:
        raw = log.disk.read_bytes(segment.path(".log"))[: segment.size]
        for position, header in iter_batches(raw):
            found.append((header, decode_records(raw, position)))
    return found


def records(log: Log) -> list[Record]:
    """Of data batches only."""
    return [record for header, found in batches(log) if not header.is_control for record in found]


class InlineBlocking:
    """Work that may wait, done here and now."""

    async def run(self, work: Callable[..., Any], *args: Any) -> Any:
        return work(*args)


def committed(log: Log, max_bytes: int = 1 << 20) -> list[Record]:
    """What a reader of committed records sees, by what the broker tells of aborted transactions."""
    found: list[Record] = []
    offset, end = log.log_start_offset, log.last_stable_offset(log.log_end_offset)
    while offset < end:
        data = log.read(offset, max_bytes, end)
        if data is None:
            break
        waiting = sorted(log.aborted_transactions(offset, data), key=lambda txn: txn.first_offset)
        raw = data.file.pread(data.length, data.position)
        aborting: set[int] = set()
        for position, header in iter_batches(raw):
            while waiting and waiting[0].first_offset <= header.last_offset:
                aborting.add(waiting.pop(0).producer_id)
            if header.is_control:
                aborting.discard(header.producer_id)
            elif not (header.is_transactional and header.producer_id in aborting):
                found += [each for each in decode_records(raw, position) if each.offset >= offset]
            offset_after = header.next_offset
        offset = offset_after
    return found
