"""What a coordinator keeps of a record it wrote is what a reader of the log finds in it."""

import pytest

from tidelog.coordinator.contract import CoordinatorRecord
from tidelog.coordinator.group.records import Offset, offset_key, offset_record, read_offset
from tidelog.coordinator.txn.state import Status, Transaction, read_record
from tidelog.model.uuids import ZERO
from tidelog.protocol.group_records.offset_commit import OffsetCommitKey, OffsetCommitValue
from tidelog.protocol.record_batch import Record, build_batch
from tidelog.runtime.coordinator import _batch

TOPIC_ID = bytes(range(16))


@pytest.mark.parametrize("metadata", ["", "m", "é" * 63, "x" * 126, "x" * 127, "x" * 4096])
@pytest.mark.parametrize("topic_id", [TOPIC_ID, ZERO])
@pytest.mark.parametrize("expire_ms", [-1, 5])
def test_offsets_are_written_and_kept_as_the_schema_has_them(metadata: str, topic_id: bytes, expire_ms: int) -> None:
    record = offset_record("grüppe", "topic", 3, Offset(123, 4, metadata, 99, expire_ms, topic_id))
    value = OffsetCommitValue(
        offset=123,
        leader_epoch=4,
        metadata=metadata,
        commit_timestamp=99,
        expire_timestamp=expire_ms,
        topic_id=topic_id,
    )
    version = 4 if expire_ms < 0 else 1
    assert record.value == bytes((0, version)) + value.encode(version)
    assert read_offset(record, 7)[3].expire_timestamp_ms == expire_ms
    assert read_offset(record, 7) == read_offset(CoordinatorRecord(*record), 7)


def test_keys_of_offsets_are_as_the_schema_has_them() -> None:
    key = OffsetCommitKey(group="grüppe", topic="t", partition=3)
    assert offset_key("grüppe", "t", 3) == b"\0\1" + key.encode(0)


@pytest.mark.parametrize("status", Status)
def test_transactions_are_kept_as_the_log_has_them(status: Status) -> None:
    partitions = frozenset() if status is Status.EMPTY else frozenset({("a", 1), ("a", 2), ("b", 0)})
    record = Transaction("id", 5, 3, 60_000, status, partitions, 10, 2, 4, 6, 0, 2).record()
    assert read_record(record) == read_record(CoordinatorRecord(*record))


@pytest.mark.parametrize("producer", [(-1, -1), (5, 2)])
def test_batches_are_those_that_any_builder_makes(producer: tuple[int, int]) -> None:
    records = [CoordinatorRecord(b"key", b"value"), CoordinatorRecord(b"gone", None)]
    expected = build_batch(
        [Record(0, 1000, key, value) for key, value in records],
        producer_id=producer[0],
        producer_epoch=producer[1],
        transactional=producer[0] >= 0,
    )
    assert bytes(_batch(records, 1000, *producer)) == expected
