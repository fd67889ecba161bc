"""What a coordinator keeps of a record it wrote is what a reader of the log finds in it."""

import pytest

from tidelog.coordinator.contract import CoordinatorRecord
from tidelog.coordinator.group import consumer_records
from tidelog.coordinator.group.consumer_member import ConsumerMember, MemberState
from tidelog.coordinator.group.records import offset_key, offset_records, read_offset
from tidelog.coordinator.group.values import Position
from tidelog.coordinator.txn.state import Status, Transaction, read_record
from tidelog.model.uuids import ZERO
from tidelog.protocol.group_records import consumer_group_current_member_assignment as current
from tidelog.protocol.group_records import consumer_group_target_assignment_member as target_member
from tidelog.protocol.group_records.offset_commit import OffsetCommitKey, OffsetCommitValue
from tidelog.protocol.record_batch import Record, build_batch
from tidelog.protocol.txn_records.transaction_log import PartitionsSchema, TransactionLogValue
from tidelog.runtime.coordinator_batches import batch_of

TOPIC_ID = bytes(range(16))
MANY = {bytes([number]) * 16: dict.fromkeys(range(number), number) for number in range(140)}


def held(topics: dict[bytes, dict[int, int]]) -> list[current.TopicPartitions]:
    return [
        current.TopicPartitions(
            topic_id=one,
            partitions=sorted(topics[one]),
            assignment_epochs=[topics[one][at] for at in sorted(topics[one])],
        )
        for one in sorted(topics)
    ]


@pytest.mark.parametrize("metadata", ["", "m", "é" * 63, "x" * 126, "x" * 127, "x" * 20_000])
@pytest.mark.parametrize("topic_id", [TOPIC_ID, ZERO])
@pytest.mark.parametrize("expire_ms", [-1, 5])
def test_offsets_are_written_and_kept_as_the_schema_has_them(metadata: str, topic_id: bytes, expire_ms: int) -> None:
    positions = [Position("other", 0, 1), Position("topic", 3, 123, 4, metadata, topic_id)]
    record = offset_records("grüppe", positions, 99, expire_ms)[1]
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
    assert read_offset(record, 7)[2].expire_timestamp_ms == expire_ms
    assert read_offset(record, 7) == read_offset(CoordinatorRecord(*record), 7)


def test_keys_of_offsets_are_as_the_schema_has_them() -> None:
    key = OffsetCommitKey(group="grüppe", topic="t", partition=3)
    assert offset_key("grüppe", "t", 3) == b"\0\1" + key.encode(0)


@pytest.mark.parametrize("status", Status)
def test_transactions_are_kept_as_the_log_has_them(status: Status) -> None:
    partitions = frozenset() if status is Status.EMPTY else frozenset({("a", 1), ("a", 2), ("b", 0)})
    record = Transaction("id", 5, 3, 60_000, status, partitions, 10, 2, 4, 6, 0, 2).record()
    assert read_record(record) == read_record(CoordinatorRecord(*record))


@pytest.mark.parametrize("state", [MemberState.STABLE, MemberState.UNREVOKED_PARTITIONS])
@pytest.mark.parametrize("assigned", [{}, {b"t" * 16: {5: 2}, TOPIC_ID: {3: 1, 0: 2}}, {TOPIC_ID: {}}, MANY])
def test_members_are_kept_as_the_log_has_them(state: MemberState, assigned: dict[bytes, dict[int, int]]) -> None:
    member = ConsumerMember("m", 7, 6, state, assigned=assigned, revoking={b"r" * 16: {1: 1}})
    record = consumer_records.current_record("group", member)
    assert consumer_records.read_current(record) == consumer_records.read_current(CoordinatorRecord(*record))
    expected = current.ConsumerGroupCurrentMemberAssignmentValue(
        member_epoch=7,
        previous_member_epoch=6,
        state=int(state),
        assigned_partitions=held(assigned),
        partitions_pending_revocation=held({b"r" * 16: {1: 1}}),
    )
    key = current.ConsumerGroupCurrentMemberAssignmentKey(group_id="group", member_id="m")
    assert record == (b"\0\x08" + key.encode(0), b"\0\0" + expected.encode(0))
    progress = consumer_records.read_current(record)[2]
    assert progress is not None
    assert consumer_records.with_current(ConsumerMember("m"), progress) == member


@pytest.mark.parametrize("target", [{}, {b"t" * 16: (5,), TOPIC_ID: (0, 3)}, {TOPIC_ID: tuple(range(300))}])
def test_targets_are_kept_as_the_log_has_them(target: dict[bytes, tuple[int, ...]]) -> None:
    record = consumer_records.target_member_record("group", "m", target)
    topics = [target_member.TopicPartition(topic_id=one, partitions=list(target[one])) for one in sorted(target)]
    expected = target_member.ConsumerGroupTargetAssignmentMemberValue(topic_partitions=topics)
    key = target_member.ConsumerGroupTargetAssignmentMemberKey(group_id="group", member_id="m")
    assert record == (b"\0\x07" + key.encode(0), b"\0\0" + expected.encode(0))
    found = consumer_records.read_target_member(record)
    assert found == consumer_records.read_target_member(CoordinatorRecord(*record)) == ("group", "m", target)


@pytest.mark.parametrize("status", Status)
@pytest.mark.parametrize("client_version", [0, 1, 2])
@pytest.mark.parametrize("ids", [(-1, -1, -1), (4, -1, -1), (-1, 6, 0), (-1, -1, 0), (0, 0, 0)])
@pytest.mark.parametrize("count", [0, 1, 130])
def test_transactions_are_written_as_the_schema_has_them(
    status: Status, client_version: int, ids: tuple[int, int, int], count: int
) -> None:
    topics = {f"t{number}" * (1 if number else 200): [0, 7] for number in range(count)}
    partitions = frozenset((topic, index) for topic, indexes in topics.items() for index in indexes)
    transaction = Transaction("id", 5, 3, 60_000, status, partitions, 10, 2, *ids, client_version)
    expected = TransactionLogValue(
        producer_id=5,
        producer_epoch=3,
        previous_producer_id=ids[0],
        next_producer_id=ids[1],
        next_producer_epoch=ids[2],
        transaction_timeout_ms=60_000,
        transaction_status=status,
        transaction_partitions=None
        if status is Status.EMPTY
        else [PartitionsSchema(topic=topic, partition_ids=topics[topic]) for topic in sorted(topics)],
        transaction_last_update_timestamp_ms=10,
        transaction_start_timestamp_ms=2,
        client_transaction_version=client_version,
    )
    assert transaction.record().value == b"\0\1" + expected.encode(1)


@pytest.mark.parametrize("producer", [(-1, -1), (5, 2)])
def test_batches_are_those_that_any_builder_makes(producer: tuple[int, int]) -> None:
    records = [CoordinatorRecord(b"key", b"value"), CoordinatorRecord(b"gone", None)]
    expected = build_batch(
        [Record(0, 1000, key, value) for key, value in records],
        producer_id=producer[0],
        producer_epoch=producer[1],
        transactional=producer[0] >= 0,
    )
    assert bytes(batch_of(records, 1000, *producer)) == expected
