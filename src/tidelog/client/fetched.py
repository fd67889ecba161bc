"""What a fetch brought for one partition, opened batch by batch when somebody asks for records."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from tidelog.protocol.record_batch import (
    BatchHeader,
    Headers,
    Record,
    check_crc,
    decode_records,
    iter_batches,
)

_ABORT_MARKER = b"\x00\x00\x00\x00"


class ConsumerRecord(NamedTuple):
    topic: str
    partition: int
    offset: int
    timestamp: int
    timestamp_type: int
    key: bytes | None
    value: bytes | None
    headers: Headers
    leader_epoch: int


class FetchedBatch(NamedTuple):
    """The records of one batch from the position on; `next_offset` is where reading goes on."""

    header: BatchHeader
    records: list[Record]
    next_offset: int


def living_batches(
    records: memoryview, aborted: list[Any] | None, check_crcs: bool
) -> Iterator[tuple[int, BatchHeader, bool]]:
    """Where each batch begins, and whether it has records to hand out: control batches have none.

    With `aborted`, those of aborted transactions have none either.
    """
    pending = sorted(aborted or [], key=lambda row: row.first_offset, reverse=True)
    dead: set[int] = set()
    for start, header in iter_batches(records):
        if check_crcs:
            check_crc(records, start, header)
        while pending and pending[-1].first_offset <= header.last_offset:
            dead.add(pending.pop().producer_id)
        if header.is_control and _is_abort(records, start, header):
            dead.discard(header.producer_id)
        is_dead = header.is_transactional and aborted is not None and header.producer_id in dead
        yield start, header, not (header.is_control or is_dead)


def open_batches(
    records: memoryview, position: int, aborted: list[Any] | None, check_crcs: bool
) -> Iterator[FetchedBatch]:
    """The batches from `position` on; those without records to hand out are empty."""
    for start, header, is_living in living_batches(records, aborted, check_crcs):
        if not is_living:
            yield FetchedBatch(header, [], header.next_offset)
        elif header.next_offset > position:
            found = decode_records(records, start, header=header)
            if header.base_offset < position:
                found = [record for record in found if record.offset >= position]
            yield FetchedBatch(header, found, header.next_offset)


def _is_abort(records: memoryview, start: int, header: BatchHeader) -> bool:
    found = decode_records(records, start, header=header)
    return bool(found) and found[0].key == _ABORT_MARKER


class FetchedPartition:
    """Unread records of one partition."""

    def __init__(
        self, topic: str, partition: int, batches: Iterator[FetchedBatch], position: int, leader_epoch: int = -1
    ) -> None:
        self.topic = topic
        self.partition = partition
        self.position = position
        self.leader_epoch = leader_epoch
        """Of the last record before the position."""
        self._batches = batches
        self._current: FetchedBatch | None = None
        self._index = 0

    def take(self, limit: int, out: list[ConsumerRecord]) -> bool:
        """Moves up to `limit` records to `out`; False when nothing is left."""
        while limit > 0:
            batch = self._current
            if batch is None:
                batch = next(self._batches, None)
                if batch is None:
                    return False
                self._current, self._index = batch, 0
            rows = batch.records[self._index : self._index + limit]
            self._index += len(rows)
            limit -= len(rows)
            header = batch.header
            kind, epoch = header.timestamp_type, header.partition_leader_epoch
            topic, partition = self.topic, self.partition
            self.leader_epoch = epoch
            out += [ConsumerRecord(topic, partition, r[0], r[1], kind, r[2], r[3], r[4], epoch) for r in rows]
            if rows:
                self.position = rows[-1].offset + 1
            if self._index >= len(batch.records):
                self.position = batch.next_offset
                self._current = None
        return True
