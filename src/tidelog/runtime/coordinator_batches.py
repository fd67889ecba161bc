"""The batches that a coordinator's records are written in."""

from __future__ import annotations

from collections.abc import Iterator

from tidelog.coordinator.contract import CoordinatorRecord, Effects
from tidelog.protocol.record_batch import TRANSACTIONAL_FLAG, plain_batch

# Keys and values of one batch; what the format adds to each record comes on top.
BATCH_BYTES = 400_000


def batch_of(records: list[CoordinatorRecord], now_ms: int, producer_id: int, producer_epoch: int) -> bytearray:
    return plain_batch(records, now_ms, producer_id, producer_epoch, TRANSACTIONAL_FLAG if producer_id >= 0 else 0)


def batches(records: list[CoordinatorRecord]) -> Iterator[list[CoordinatorRecord]]:
    """Runs of records that stay well below the largest batch that any setting of the topic lets pass by default."""
    start = size = 0
    for index, record in enumerate(records):
        size += record_bytes(record)
        if size > BATCH_BYTES and index > start:
            yield records[start:index]
            start, size = index, record_bytes(record)
    yield records[start:]


def merged(staged: list[Effects]) -> Iterator[Effects]:
    """As few as will do: those whose records fit into one batch are written, and fail, together."""
    whole: Effects | None = None
    size = 0
    for effects in staged:
        added = sum(map(record_bytes, effects.records))
        if whole is None or size + added > BATCH_BYTES:
            if whole is not None:
                yield whole
            whole, size = effects, added
        else:
            whole.extend(effects)
            size += added
    if whole is not None:
        yield whole


def record_bytes(record: CoordinatorRecord) -> int:
    key, value = record
    return len(key) + len(value) if value is not None else len(key)
