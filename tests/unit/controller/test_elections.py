"""Who leads after a broker comes back."""

import pytest

from tidelog.controller.brokers import Registration, register_broker, unfence_broker
from tidelog.controller.elections import choose_leader
from tidelog.controller.topics import create_topics
from tidelog.metadata import records as r
from tidelog.metadata.partition import NO_LEADER, Partition
from tidelog.protocol.messages.create_topics import CreatableTopic, CreateTopicsRequest


def partition(replicas=(1, 2, 3), isr=(), elr=(), last_known=()) -> Partition:
    return Partition(replicas, (bytes(16),) * len(replicas), isr, (), (), elr, last_known, NO_LEADER, 0, 0, 0)


@pytest.mark.parametrize(
    ("state", "active", "leader"),
    [
        (partition(isr=(2, 3)), {1, 2, 3}, 2),
        (partition(isr=(2, 3), elr=(1,)), {1, 3}, 3),
        (partition(isr=(), elr=(3, 2)), {1, 2, 3}, 2),
        (partition(isr=(2,), elr=(3,)), {1, 3}, 3),
        (partition(isr=(2,)), {1, 3}, NO_LEADER),
        (partition(last_known=(2,)), {2}, 2),
        (partition(last_known=(2,)), {1}, NO_LEADER),
        (partition(elr=(3,), last_known=(2,)), {2}, NO_LEADER),
    ],
)
def test_only_who_has_everything_may_lead(state: Partition, active: set[int], leader: int) -> None:
    assert choose_leader(state, active.__contains__) == leader


def restarted(cluster, incarnation: int):
    node = Registration(1, bytes([incarnation]) * 16, [], None, [bytes([1, 0]) * 8])
    epoch = cluster.do(register_broker, node)
    cluster.do(lambda image, _: unfence_broker(image, 1, epoch))
    return cluster.image.topics.get("t").partitions


def test_a_restart_starts_a_new_leader_epoch(cluster) -> None:
    topics = [CreatableTopic(name="t", num_partitions=2, replication_factor=1)]
    cluster.do(create_topics, CreateTopicsRequest(topics=topics))
    for times in (1, 2):
        assert [(each.leader, each.leader_epoch) for each in restarted(cluster, times)] == [(1, times)] * 2


def test_a_partition_left_without_a_leader_gets_it_back(cluster) -> None:
    topics = [CreatableTopic(name="t", num_partitions=1, replication_factor=1)]
    cluster.do(create_topics, CreateTopicsRequest(topics=topics))
    topic_id = cluster.image.topics.get("t").id
    stopped = r.PartitionChangeRecord(
        partition_id=0, topic_id=topic_id, isr=[], leader=-1, eligible_leader_replicas=[1], last_known_elr=[1]
    )
    cluster.do(lambda image, _: type("R", (), {"records": [stopped], "response": None}))
    (state,) = restarted(cluster, 1)
    assert (state.leader, state.isr, state.elr, state.last_known_elr) == (1, (1,), (), ())
