"""Metadata, DescribeTopicPartitions and DescribeCluster: who is asked for, and how."""

import os
from typing import Any

import pytest

from conformance.brokers import Both, Broker
from tidelog.protocol.messages.describe_cluster import DescribeClusterRequest
from tidelog.protocol.messages.describe_topic_partitions import Cursor, DescribeTopicPartitionsRequest, TopicRequest
from tidelog.protocol.messages.metadata import MetadataRequest, MetadataRequestTopic


def named(*names: str, create: bool = False, operations: bool = False) -> MetadataRequest:
    return MetadataRequest(
        topics=[MetadataRequestTopic(name=name) for name in names],
        allow_auto_topic_creation=create,
        include_topic_authorized_operations=operations,
        include_cluster_authorized_operations=operations,
    )


@pytest.mark.parametrize("version", range(14))
def test_every_version(both: Both, topic: str, version: int) -> None:
    def step(broker: Broker) -> Any:
        broker.create(topic, 3)
        request = named(topic)
        request.allow_auto_topic_creation = version < 4
        request.topics[0].name = topic
        answer = broker.call(request, version)
        for each in answer.topics:
            each.partitions.sort(key=lambda p: p.partition_index)
        return answer

    assert both.same(step)["topics"][0]["error_code"] == 0


@pytest.mark.parametrize("version", [8, 10, 11, 13])
def test_authorized_operations(both: Both, topic: str, version: int) -> None:
    def step(broker: Broker) -> Any:
        broker.create(topic)
        request = named(topic, operations=True)
        request.include_cluster_authorized_operations = version <= 10
        return broker.call(request, version)

    both.same(step)


def test_all_topics_and_no_topics(both: Both, topic: str) -> None:
    def step(broker: Broker) -> Any:
        broker.create(topic, 2)
        everything = broker.call(MetadataRequest(topics=None), 12)
        nothing = broker.call(MetadataRequest(topics=[]), 12)
        old = broker.call(MetadataRequest(topics=[]), 0)
        found = [t for t in everything.topics if t.name == topic]
        return len(found), nothing, topic in {t.name for t in old.topics}

    assert both.same(step)[0] == 1


NAMES = [
    "",
    ".",
    "..",
    "a" * 249,
    "a" * 250,
    "a b",
    "a/b",
    "a\n",
    "ü",
    "a.b-c_d",
    "__cluster_metadata",
]


@pytest.mark.parametrize("name", NAMES)
def test_names_without_creation(both: Both, name: str) -> None:
    both.same(lambda broker: broker.call(named(name), 12).topics)


@pytest.mark.parametrize("version", [1, 3, 4, 9, 12])
def test_creation_by_asking(both: Both, topic: str, version: int) -> None:
    """Soon after asking the topic is there, with the broker's default partition count.

    Apache first answers that it does not know the topic, and its clients ask again; ours has it in the first answer.
    """

    def step(broker: Broker) -> Any:
        first = broker.call(named(topic, create=True), version).topics
        assert [each.error_code for each in first] == [0 if broker is both.ours else 3]
        broker.wait_for(topic, 1)
        return broker.metadata(topic)

    both.same(step)


def test_creation_by_asking_refuses_bad_names(both: Both, topic: str) -> None:
    both.same(lambda broker: broker.call(named("..", "a b", "", "a" * 250, create=True), 12).topics)


def test_creation_by_asking_for_a_colliding_name(both: Both, topic: str) -> None:
    def step(broker: Broker) -> Any:
        broker.create(f"{topic}.x.y")
        return [broker.call(named(f"{topic}.x_y", create=True), 12).topics for _ in range(2)]

    both.same(step)


def test_the_same_name_twice(both: Both, topic: str) -> None:
    def step(broker: Broker) -> Any:
        broker.create(topic)
        return broker.call(named(topic, topic), 12).topics

    both.same(step)


def test_by_id(both: Both, topic: str) -> None:
    def step(broker: Broker) -> Any:
        topic_id = broker.create(topic)
        unknown = os.urandom(16)

        def by(*wanted: MetadataRequestTopic) -> Any:
            return broker.call(MetadataRequest(topics=list(wanted), allow_auto_topic_creation=False), 12).topics

        return [
            by(MetadataRequestTopic(topic_id=topic_id, name=None)),
            by(MetadataRequestTopic(topic_id=unknown, name=None)),
            by(MetadataRequestTopic(topic_id=bytes(16), name=topic)),
            by(MetadataRequestTopic(topic_id=topic_id, name="")),
            by(MetadataRequestTopic(topic_id=topic_id, name="another")),
            by(MetadataRequestTopic(topic_id=unknown, name=topic)),
        ]

    both.same(step)


def test_by_id_and_name_together(both: Both, topic: str) -> None:
    def step(broker: Broker) -> Any:
        topic_id = broker.create(topic)
        wanted = [MetadataRequestTopic(topic_id=topic_id, name=topic)]
        return broker.call(MetadataRequest(topics=wanted, allow_auto_topic_creation=False), 12)

    both.same(step)


def test_by_id_in_a_version_that_knows_only_names(both: Both, topic: str) -> None:
    def step(broker: Broker, version: int) -> Any:
        topic_id = broker.create(f"{topic}{version}")
        wanted = [MetadataRequestTopic(topic_id=topic_id, name="")]
        return broker.call(MetadataRequest(topics=wanted, allow_auto_topic_creation=False), version)

    both.same(step, 10)
    both.same(step, 11)


class TestDescribeTopicPartitions:
    def test_limits_and_cursor(self, both: Both, topic: str) -> None:
        def step(broker: Broker) -> Any:
            broker.create(f"{topic}-a", 3)
            broker.create(f"{topic}-b", 2)
            topics = [TopicRequest(name=f"{topic}-{letter}") for letter in "ba"]
            first = broker.call(DescribeTopicPartitionsRequest(topics=topics, response_partition_limit=2))
            cursor = Cursor(topic_name=f"{topic}-a", partition_index=2)
            rest = broker.call(DescribeTopicPartitionsRequest(topics=topics, response_partition_limit=2, cursor=cursor))
            return first, rest

        both.same(step)

    def test_unknown_invalid_and_empty(self, both: Both, topic: str) -> None:
        def step(broker: Broker, *names: str) -> Any:
            topics = [TopicRequest(name=name) for name in names]
            return broker.call(DescribeTopicPartitionsRequest(topics=topics))

        both.same(step, topic, "bad name")
        both.same(step, "..")

    @pytest.mark.parametrize("cursor", [("", 0), ("zzz", 1), ("a", -1)])
    def test_odd_cursors(self, both: Both, topic: str, cursor: tuple[str, int]) -> None:
        def step(broker: Broker) -> Any:
            broker.create(topic)
            wanted = Cursor(topic_name=cursor[0], partition_index=cursor[1])
            topics = [TopicRequest(name=topic)]
            return broker.call(DescribeTopicPartitionsRequest(topics=topics, cursor=wanted))

        both.same(step)


@pytest.mark.parametrize("version", range(3))
@pytest.mark.parametrize("operations", [False, True])
def test_describe_cluster(both: Both, version: int, operations: bool) -> None:
    request = DescribeClusterRequest(include_cluster_authorized_operations=operations)
    both.same(lambda broker: broker.call(request, version))


@pytest.mark.parametrize("endpoint", [0, 1, 2, 3])
def test_describe_cluster_endpoints(both: Both, endpoint: int) -> None:
    both.same(lambda broker: broker.call(DescribeClusterRequest(endpoint_type=endpoint), 2))
