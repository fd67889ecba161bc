"""Batches to append and logs to append them to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tidelog.log.config import LogConfig
from tidelog.log.log import Log
from tidelog.log.markers import marker_records
from tidelog.model.topic_partition import TopicPartition
from tidelog.ports import Clock, Disk
from tidelog.protocol.record_batch import Record, build_batch, decode_records, iter_batches

NOW_MS = 1_700_000_000_000
PARTITION = TopicPartition("clicks", 0)


class ManualClock:
    def __init__(self, now_ms: int = NOW_MS) -> None:
        self.ms = now_ms

    def now_ms(self) -> int:
        return self.ms

    def monotonic_ms(self) -> int:
        return self.ms


def batch(*values: bytes | str, timestamp: int = NOW_MS, key: bytes | None = b"k", **options: Any) -> memoryview:
    """One writable batch as a producer sends it."""
    records = [Record(0, timestamp, key, value if isinstance(value, bytes) else value.encode()) for value in values]
    return memoryview(bytearray(build_batch(records, **options)))


def marker(producer_id: int, epoch: int, commit: bool, coordinator_epoch: int = 0) -> memoryview:
    key, value = marker_records(commit, coordinator_epoch)
    record = Record(0, NOW_MS, key, value)
    data = build_batch(
        [record], producer_id=producer_id, producer_epoch=epoch, transactional=True, control=True, base_sequence=-1
    )
    return memoryview(bytearray(data))


def open_log(
    disk: Disk, directory: str, config: LogConfig | None = None, clock: Clock | None = None, **options: Any
) -> Log:
    return Log.open(disk, directory, PARTITION, config or LogConfig(), clock or ManualClock(), **options)


def append(log: Log, *values: bytes | str, epoch: int = 0, **options: Any) -> int:
    return log.append_as_leader(batch(*values, **options), epoch, NOW_MS).base_offset


def read_records(
    log: Log, offset: int | None = None, upper: int | None = None, max_bytes: int = 1 << 20
) -> list[Record]:
    """Everything from `offset` on, in as many reads as it takes."""
    found: list[Record] = []
    next_offset = log.log_start_offset if offset is None else offset
    end = log.log_end_offset if upper is None else upper
    while next_offset < end:
        data = log.read(next_offset, max_bytes, end)
        if data is None:
            break
        raw = data.file.pread(data.length, data.position)
        for position, header in iter_batches(raw):
            found += [record for record in decode_records(raw, position) if record.offset >= next_offset]
            next_offset = header.next_offset
    return found


def values(records: Sequence[Record]) -> list[str]:
    return [(record.value or b"").decode() for record in records]
