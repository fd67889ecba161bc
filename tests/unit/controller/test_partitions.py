"""More partitions, and what else the controller hands out."""

import pytest

from tidelog.controller.brokers import Registration, register_broker, unfence_broker
from tidelog.controller.partitions import create_partitions
from tidelog.controller.producer_ids import allocate_producer_ids
from tidelog.controller.topics import create_topics
from tidelog.metadata import records as r
from tidelog.protocol.errors import ErrorCode, KafkaError
from tidelog.protocol.messages.create_partitions import (
    CreatePartitionsAssignment,
    CreatePartitionsRequest,
    CreatePartitionsTopic,
)
from tidelog.protocol.messages.create_topics import CreatableTopic, CreateTopicsRequest


@pytest.fixture(autouse=True)
def _topic(cluster) -> None:
    topics = [CreatableTopic(name="t", num_partitions=2, replication_factor=1)]
    cluster.do(create_topics, CreateTopicsRequest(topics=topics))


def grow(cluster, name: str, count: int, assignments: list[list[int]] | None = None, validate_only: bool = False):
    wanted = CreatePartitionsTopic(
        name=name,
        count=count,
        assignments=None
        if assignments is None
        else [CreatePartitionsAssignment(broker_ids=each) for each in assignments],
    )
    ((_, error),) = cluster.do(create_partitions, CreatePartitionsRequest(topics=[wanted], validate_only=validate_only))
    return (error.code, error.message) if error else None


def test_new_partitions_follow_the_old_ones(cluster) -> None:
    before = cluster.image.topics.get("t").partitions
    assert grow(cluster, "t", 5) is None
    after = cluster.image.topics.get("t").partitions
    assert len(after) == 5
    assert after[:2] == before
    assert grow(cluster, "t", 6, [[1]]) is None
    assert grow(cluster, "t", 9, validate_only=True) is None
    assert len(cluster.image.topics.get("t").partitions) == 6


@pytest.mark.parametrize(
    ("count", "assignments", "code", "message"),
    [
        (1, None, 37, "The topic t currently has 2 partition(s); 1 would not be an increase."),
        (2, None, 37, "Topic already has 2 partition(s)."),
        (-1, None, 37, "The topic t currently has 2 partition(s); -1 would not be an increase."),
        (4, [[1]], 39, "Attempted to add 2 additional partition(s), but only 1 assignment(s) were specified."),
        (3, [[9]], 39, "The manual partition assignment includes broker 9, but no such broker is registered."),
        (3, [[1, 1]], 39, "The manual partition assignment includes the broker 1 more than once."),
        (3, [[]], 39, "The manual partition assignment includes an empty replica list."),
        (200_000, None, 44, "Excessively large number of partitions per request."),
    ],
)
def test_refusals(cluster, count, assignments, code, message) -> None:
    assert grow(cluster, "t", count, assignments) == (ErrorCode(code), message)


def test_an_unknown_topic_and_one_named_twice(cluster) -> None:
    assert grow(cluster, "nope", 3)[0] is ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
    twice = [CreatePartitionsTopic(name="t", count=count, assignments=None) for count in (3, 4)]
    outcome = cluster.do(create_partitions, CreatePartitionsRequest(topics=twice))
    assert [(name, error.message) for name, error in outcome] == [("t", "Duplicate topic name.")]


def test_producer_ids_are_handed_out_once(cluster) -> None:
    first = cluster.do(lambda image, _: allocate_producer_ids(image, 1, 1))
    second = cluster.do(lambda image, _: allocate_producer_ids(image, 1, 1))
    assert (first.first, first.end, second.first) == (0, 1000, 1000)
    with pytest.raises(KafkaError) as error:
        cluster.do(lambda image, _: allocate_producer_ids(image, 1, 99))
    assert error.value.code is ErrorCode.STALE_BROKER_EPOCH


def test_producer_ids_end(cluster) -> None:
    end = (1 << 63) - 2
    record = r.ProducerIdsRecord(broker_id=1, broker_epoch=1, next_producer_id=end)
    cluster.image = cluster.image._replace(next_producer_id=record.next_producer_id)
    with pytest.raises(KafkaError):
        cluster.do(lambda image, _: allocate_producer_ids(image, 1, 1))


def test_a_broker_begins_fenced_and_its_epoch_grows(cluster) -> None:
    node = Registration(1, bytes(16), [], "rack", [bytes(16)])
    epoch = cluster.do(register_broker, node)
    assert cluster.image.cluster.brokers[1].fenced
    cluster.do(lambda image, environment: unfence_broker(image, environment, 1, epoch))
    assert cluster.image.cluster.brokers[1].active
    assert cluster.do(register_broker, node) == epoch, "the same run of a process registers once"
    later = cluster.do(register_broker, node._replace(incarnation_id=bytes(range(16))))
    assert later > epoch
    with pytest.raises(KafkaError):
        cluster.do(lambda image, environment: unfence_broker(image, environment, 1, epoch))


def test_replicas_on_several_directories_are_assigned_later(cluster) -> None:
    cluster.register(1, dirs=2)
    assert grow(cluster, "t", 3) is None
    assert cluster.image.topics.get("t").partitions[2].directories == (bytes(16),)
