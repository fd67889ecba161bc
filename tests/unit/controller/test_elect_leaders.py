"""Elections on request, and those that the controller holds by itself."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tidelog.controller.balancing import balance, elect_unclean
from tidelog.controller.brokers import fence_broker, unfence_broker
from tidelog.controller.configs import SET, Change, ResourceChange, incremental_alter_configs
from tidelog.controller.directories import assign_replicas
from tidelog.controller.elections import PREFERRED, UNCLEAN, elect_leaders
from tidelog.controller.isr import alter_partition
from tidelog.controller.topics import create_topics
from tidelog.metadata.configs import TOPIC
from tidelog.metadata.partition import NO_LEADER, Partition
from tidelog.protocol.errors import ErrorCode, KafkaError
from tidelog.protocol.messages import assign_replicas_to_dirs as dirs
from tidelog.protocol.messages.alter_partition import (
    AlterPartitionRequest,
    BrokerState,
    RequestPartitionData,
    RequestTopicData,
)
from tidelog.protocol.messages.create_topics import CreatableReplicaAssignment, CreatableTopic, CreateTopicsRequest
from tidelog.protocol.messages.elect_leaders import ElectLeadersRequest, TopicPartitions


@pytest.fixture
def two(make_cluster: Callable):
    """Without eligible leaders: the last in-sync replica is waited for."""
    cluster = make_cluster(brokers=2)
    assignments = [CreatableReplicaAssignment(partition_index=0, broker_ids=[1, 2])]
    topic = CreatableTopic(name="t", num_partitions=-1, replication_factor=-1, assignments=assignments)
    cluster.do(create_topics, CreateTopicsRequest(topics=[topic]))
    return cluster


def state(cluster) -> Partition:
    return cluster.image.topics.get("t").partitions[0]


def elect(cluster, kind: int, name: str = "t", index: int = 0) -> ErrorCode:
    wanted = [TopicPartitions(topic=name, partitions=[index])]
    answer = cluster.do(elect_leaders, ElectLeadersRequest(election_type=kind, topic_partitions=wanted))
    return ErrorCode(answer.replica_election_results[0].partition_result[0].error_code)


def all_in_sync(cluster, leader: int) -> None:
    data = RequestPartitionData(
        partition_index=0,
        leader_epoch=state(cluster).leader_epoch,
        partition_epoch=state(cluster).partition_epoch,
        new_isr_with_epochs=[BrokerState(broker_id=each) for each in (1, 2)],
    )
    topic = RequestTopicData(topic_id=cluster.image.topics.get("t").id, partitions=[data])
    cluster.do(alter_partition, AlterPartitionRequest(broker_id=leader, broker_epoch=leader, topics=[topic]))


def away_and_back(cluster) -> None:
    """Broker 1 is fenced and returns: broker 2 leads."""
    cluster.do(fence_broker, 1, 1)
    cluster.do(unfence_broker, 1, 1)
    assert state(cluster).leader == 2


def test_the_preferred_leader_is_elected_when_it_is_in_sync(two) -> None:
    assert elect(two, PREFERRED) is ErrorCode.ELECTION_NOT_NEEDED
    away_and_back(two)
    assert elect(two, PREFERRED) is ErrorCode.PREFERRED_LEADER_NOT_AVAILABLE
    all_in_sync(two, 2)
    assert elect(two, PREFERRED) is ErrorCode.NONE
    assert state(two).leader == 1


def test_elections_of_all_name_only_what_was_needed(two) -> None:
    answer = two.do(elect_leaders, ElectLeadersRequest(election_type=PREFERRED, topic_partitions=None))
    assert [(each.topic, each.partition_result) for each in answer.replica_election_results] == [("t", [])]


def test_an_unclean_election_takes_who_lives(two) -> None:
    two.do(fence_broker, 2, 2)
    two.do(fence_broker, 1, 1)
    two.do(unfence_broker, 2, 2)
    assert state(two).leader == NO_LEADER
    assert elect(two, UNCLEAN) is ErrorCode.NONE
    assert (state(two).leader, state(two).isr, state(two).leader_recovery_state) == (2, (2,), 1)
    assert elect(two, UNCLEAN) is ErrorCode.ELECTION_NOT_NEEDED


def test_an_unclean_election_needs_somebody_alive(two) -> None:
    two.do(fence_broker, 2, 2)
    two.do(fence_broker, 1, 1)
    assert elect(two, UNCLEAN) is ErrorCode.ELIGIBLE_LEADERS_NOT_AVAILABLE


@pytest.mark.parametrize(("name", "index"), [("u", 0), ("t", 1), ("t", -1)])
def test_unknown_partitions(two, name: str, index: int) -> None:
    assert elect(two, PREFERRED, name, index) is ErrorCode.UNKNOWN_TOPIC_OR_PARTITION


def test_an_unknown_kind_of_election(two) -> None:
    with pytest.raises(KafkaError, match="Unknown election type"):
        elect(two, 7)


def test_balancing_gives_leadership_back_once_the_first_replica_is_in_sync(two) -> None:
    away_and_back(two)
    two.do(balance)
    assert state(two).leader == 2
    all_in_sync(two, 2)
    assert two.do(balance) is False
    assert state(two).leader == 1


def test_a_setting_lets_any_replica_lead(two) -> None:
    two.do(fence_broker, 2, 2)
    two.do(fence_broker, 1, 1)
    two.do(unfence_broker, 2, 2)
    two.do(elect_unclean)
    assert state(two).leader == NO_LEADER
    allow = ResourceChange(TOPIC, "t", [Change("unclean.leader.election.enable", SET, "true")])
    two.do(incremental_alter_configs, [allow], False)
    two.do(elect_unclean)
    assert (state(two).leader, state(two).leader_recovery_state) == (2, 1)


def test_replicas_are_assigned_to_directories_and_leave_lost_ones(two) -> None:
    def assign(directory: bytes) -> int:
        topic_id = two.image.topics.get("t").id
        partition = dirs.RequestPartitionData(partition_index=0)
        topic = dirs.RequestTopicData(topic_id=topic_id, partitions=[partition])
        row = dirs.RequestDirectoryData(id=directory, topics=[topic])
        request = dirs.AssignReplicasToDirsRequest(broker_id=2, broker_epoch=2, directories=[row])
        return two.do(assign_replicas, request).directories[0].topics[0].partitions[0].error_code

    own = bytes([2, 0]) * 8
    assert assign(own) == 0
    assert (state(two).directories[1], state(two).isr) == (own, (1, 2))
    assert assign(bytes([9]) * 16) == 0
    assert (state(two).directories[1], state(two).isr) == (bytes([9]) * 16, (1,))
