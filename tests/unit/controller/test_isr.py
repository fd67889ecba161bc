"""What a leader may say about its in-sync replicas, and what it brings about."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from tidelog.controller.brokers import begin_shutdown, fence_broker
from tidelog.controller.isr import alter_partition
from tidelog.controller.reassignments import alter_reassignments
from tidelog.controller.topics import create_topics
from tidelog.metadata import records as r
from tidelog.metadata.partition import Partition
from tidelog.protocol.errors import ErrorCode, KafkaError
from tidelog.protocol.messages.alter_partition import (
    AlterPartitionRequest,
    BrokerState,
    RequestPartitionData,
    RequestTopicData,
    ResponsePartitionData,
)
from tidelog.protocol.messages.alter_partition_reassignments import (
    AlterPartitionReassignmentsRequest,
    ReassignablePartition,
    ReassignableTopic,
)
from tidelog.protocol.messages.create_topics import CreatableReplicaAssignment, CreatableTopic, CreateTopicsRequest


@pytest.fixture
def four(make_cluster: Callable):
    cluster = make_cluster(brokers=4, min_insync_replicas="2")
    cluster.replay([r.FeatureLevelRecord(name="eligible.leader.replicas.version", feature_level=1)])
    assignments = [CreatableReplicaAssignment(partition_index=0, broker_ids=[1, 2, 3])]
    topic = CreatableTopic(name="t", num_partitions=-1, replication_factor=-1, assignments=assignments)
    cluster.do(create_topics, CreateTopicsRequest(topics=[topic]))
    return cluster


def state(cluster) -> Partition:
    return cluster.image.topics.get("t").partitions[0]


def alter(cluster, isr: Sequence[tuple[int, int]], **fields: object) -> ResponsePartitionData:
    partition = state(cluster)
    data = RequestPartitionData(
        partition_index=0,
        leader_epoch=partition.leader_epoch,
        partition_epoch=partition.partition_epoch,
        new_isr_with_epochs=[BrokerState(broker_id=each, broker_epoch=epoch) for each, epoch in isr],
    )
    broker_id, broker_epoch = fields.pop("broker", (1, 1))
    for name, value in fields.items():
        setattr(data, name, value)
    topic = RequestTopicData(topic_id=cluster.image.topics.get("t").id, partitions=[data])
    request = AlterPartitionRequest(broker_id=broker_id, broker_epoch=broker_epoch, topics=[topic])
    return cluster.do(alter_partition, request).topics[0].partitions[0]


def test_the_isr_shrinks_and_grows_with_a_new_partition_epoch(four) -> None:
    answer = alter(four, [(1, 1), (3, 3)])
    assert (answer.error_code, answer.isr, answer.leader_id, answer.partition_epoch) == (0, [1, 3], 1, 1)
    answer = alter(four, [(1, 1), (3, 3), (2, 2)])
    assert (answer.isr, answer.partition_epoch, answer.leader_epoch) == ([1, 3, 2], 2, 0)
    assert state(four).isr == (1, 3, 2)


def test_the_same_again_changes_nothing(four) -> None:
    assert alter(four, [(1, 1), (2, 2), (3, 3)]).partition_epoch == 0


@pytest.mark.parametrize(
    ("isr", "fields", "code"),
    [
        ([(1, 1)], {"leader_epoch": 1}, ErrorCode.NOT_CONTROLLER),
        ([(1, 1)], {"partition_epoch": 1}, ErrorCode.NOT_CONTROLLER),
        ([(1, 1)], {"leader_epoch": -1}, ErrorCode.FENCED_LEADER_EPOCH),
        ([(1, 1)], {"partition_epoch": -1}, ErrorCode.INVALID_UPDATE_VERSION),
        ([(1, 1)], {"broker": (2, 2)}, ErrorCode.INVALID_REQUEST),
        ([(1, 1), (4, 4)], {}, ErrorCode.INVALID_REQUEST),
        ([(1, 1), (1, 1)], {}, ErrorCode.INVALID_REQUEST),
        ([(2, 2), (3, 3)], {}, ErrorCode.INVALID_REQUEST),
        ([], {}, ErrorCode.INVALID_REQUEST),
        ([(1, 1)], {"leader_recovery_state": 1}, ErrorCode.INVALID_REQUEST),
        ([(1, 1), (2, 9)], {}, ErrorCode.INELIGIBLE_REPLICA),
        ([(1, 1)], {"partition_index": 5}, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION),
    ],
)
def test_what_a_leader_may_not_say(four, isr: Sequence[tuple[int, int]], fields: dict, code: ErrorCode) -> None:
    before = state(four)
    assert alter(four, isr, **fields).error_code == code
    assert state(four) == before


def test_a_stale_broker_is_not_listened_to(four) -> None:
    with pytest.raises(KafkaError) as caught:
        alter(four, [(1, 1)], broker=(1, 7))
    assert caught.value.code is ErrorCode.STALE_BROKER_EPOCH


def test_fenced_and_leaving_brokers_are_not_in_sync(four) -> None:
    four.do(fence_broker, 2, 2)
    four.do(begin_shutdown, 3, 3)
    assert state(four).isr == (1,)
    for other in (2, 3):
        assert alter(four, [(1, 1), (other, other)]).error_code == ErrorCode.INELIGIBLE_REPLICA


def test_an_unknown_topic_is_told_by_id(four) -> None:
    data = RequestPartitionData(partition_index=0)
    topic = RequestTopicData(topic_id=bytes(15) + b"?", partitions=[data])
    answer = four.do(alter_partition, AlterPartitionRequest(broker_id=1, broker_epoch=1, topics=[topic]))
    assert answer.topics[0].partitions[0].error_code == ErrorCode.UNKNOWN_TOPIC_ID


# reassignments


def move(cluster, replicas: list[int] | None, allow: bool = True) -> tuple[int, str | None]:
    topic = ReassignableTopic(name="t", partitions=[ReassignablePartition(partition_index=0, replicas=replicas)])
    request = AlterPartitionReassignmentsRequest(topics=[topic], allow_replication_factor_change=allow)
    answer = cluster.do(alter_reassignments, request).responses[0].partitions[0]
    return answer.error_code, answer.error_message


def test_a_reassignment_ends_with_the_isr_that_completes_it(four) -> None:
    assert move(four, [4, 2, 3]) == (0, None)
    partition = state(four)
    assert (partition.replicas, partition.adding_replicas, partition.removing_replicas) == ((4, 2, 3, 1), (4,), (1,))
    answer = alter(four, [(1, 1), (2, 2), (3, 3), (4, 4)])
    assert answer.error_code == ErrorCode.NEW_LEADER_ELECTED, "the leader was among those that left"
    partition = state(four)
    assert (partition.replicas, partition.isr, partition.leader) == ((4, 2, 3), (2, 3, 4), 4)
    assert (partition.adding_replicas, partition.removing_replicas) == ((), ())


def test_a_cancelled_reassignment_leaves_everything_as_it_was(four) -> None:
    move(four, [4, 2, 3])
    assert move(four, None) == (0, None)
    partition = state(four)
    assert (set(partition.replicas), partition.isr, partition.leader) == ({1, 2, 3}, (1, 2, 3), 1)
    assert move(four, None)[0] == ErrorCode.NO_REASSIGNMENT_IN_PROGRESS


def test_a_reassignment_can_change_while_it_is_under_way(four) -> None:
    move(four, [4, 2, 3])
    move(four, [4, 1, 3])
    alter(four, [(1, 1), (2, 2), (3, 3), (4, 4)])
    partition = state(four)
    assert (partition.replicas, partition.isr) == ((4, 1, 3), (1, 3, 4))


def test_fewer_replicas_need_nobody_to_catch_up(four) -> None:
    move(four, [2, 1])
    partition = state(four)
    assert (partition.replicas, partition.isr, partition.leader) == ((2, 1), (1, 2), 1)


@pytest.mark.parametrize(
    ("replicas", "allow", "code"),
    [
        ([1, 9], True, ErrorCode.INVALID_REPLICA_ASSIGNMENT),
        ([1, 1], True, ErrorCode.INVALID_REPLICA_ASSIGNMENT),
        ([], True, ErrorCode.INVALID_REPLICA_ASSIGNMENT),
        ([1, 2], False, ErrorCode.INVALID_REPLICATION_FACTOR),
    ],
)
def test_reassignments_that_are_refused(four, replicas: list[int], allow: bool, code: ErrorCode) -> None:
    assert move(four, replicas, allow)[0] == code
