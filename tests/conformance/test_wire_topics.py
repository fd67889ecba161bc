"""CreateTopics, DeleteTopics, CreatePartitions and DescribeLogDirs."""

import os
from typing import Any

import pytest

from conformance.batches import batch
from conformance.brokers import Both, Broker
from conformance.requests import produce
from tidelog.protocol.messages.create_partitions import (
    CreatePartitionsAssignment,
    CreatePartitionsRequest,
    CreatePartitionsTopic,
)
from tidelog.protocol.messages.create_topics import (
    CreatableReplicaAssignment,
    CreatableTopic,
    CreatableTopicConfig,
    CreateTopicsRequest,
)
from tidelog.protocol.messages.delete_topics import DeleteTopicsRequest, DeleteTopicState
from tidelog.protocol.messages.describe_log_dirs import DescribableLogDirTopic, DescribeLogDirsRequest


def wanted(name: str, partitions: int = 1, replicas: int = 1, **fields: Any) -> CreatableTopic:
    configs = [CreatableTopicConfig(name=key, value=value) for key, value in fields.pop("configs", {}).items()]
    assignments = [
        CreatableReplicaAssignment(partition_index=index, broker_ids=brokers)
        for index, brokers in fields.pop("assignments", {}).items()
    ]
    return CreatableTopic(
        name=name, num_partitions=partitions, replication_factor=replicas, configs=configs, assignments=assignments
    )


def create(broker: Broker, *topics: CreatableTopic, version: int = 7, validate_only: bool = False) -> Any:
    answer = broker.call(
        CreateTopicsRequest(topics=list(topics), timeout_ms=5000, validate_only=validate_only), version
    )
    answer.topics.sort(key=lambda each: each.name)
    for each in answer.topics:
        if each.configs:
            each.configs.sort(key=lambda config: config.name)
    return answer


class TestCreateTopics:
    @pytest.mark.parametrize("version", range(2, 8))
    def test_every_version(self, both: Both, topic: str, version: int) -> None:
        both.same(lambda broker: create(broker, wanted(topic, 2, configs={"retention.ms": "5000"}), version=version))

    @pytest.mark.parametrize("version", [2, 3, 4, 7])
    def test_defaults(self, both: Both, topic: str, version: int) -> None:
        both.same(lambda broker: create(broker, wanted(topic, -1, -1), version=version))

    def test_good_and_bad_together(self, both: Both, topic: str) -> None:
        def step(broker: Broker) -> Any:
            create(broker, wanted(f"{topic}-there"))
            answer = create(
                broker,
                wanted(f"{topic}-good"),
                wanted(f"{topic}-there"),
                wanted(f"{topic}-replicas", 1, 2),
                wanted(f"{topic}-no-replicas", 1, 0),
                wanted(f"{topic}-minus", 1, -2),
                wanted(f"{topic}-zero", 0),
                wanted(f"{topic}-negative", -3),
                wanted(f"{topic}-config", configs={"no.such": "1"}),
                wanted(f"{topic}-value", configs={"retention.ms": "soon"}),
                wanted(f"{topic}-null", configs={"retention.ms": None}),
                wanted(f"{topic}-bounds", configs={"segment.bytes": "10"}),
                wanted(f"{topic}-policy", configs={"cleanup.policy": "nonsense"}),
                wanted(f"{topic}-many", 10_001),
                wanted("bad name"),
            )
            names = {each.name for each in answer.topics if each.error_code == 0}
            for name in names:
                broker.wait_for(name)
            return answer

        both.same(step)

    @pytest.mark.parametrize(
        "assignments",
        [
            {0: [1]},
            {0: [1], 1: [1]},
            {1: [1]},
            {0: [1], 2: [1]},
            {-1: [1]},
            {0: [2]},
            {0: []},
            {0: [1, 1]},
            {0: [-1]},
            {0: [1], 1: [1, 2]},
        ],
        ids=str,
    )
    def test_assignments(self, both: Both, topic: str, assignments: dict[int, list[int]]) -> None:
        both.same(lambda broker: create(broker, wanted(topic, -1, -1, assignments=assignments)))

    def test_assignments_with_counts(self, both: Both, topic: str) -> None:
        both.same(lambda broker: create(broker, wanted(topic, 1, 1, assignments={0: [1]})))
        both.same(lambda broker: create(broker, wanted(f"{topic}-2", -1, 1, assignments={0: [1]})))

    @pytest.mark.parametrize("name", ["", ".", "..", "a" * 250, "a b", "a/b", "a:b", "a\0", "ü", "x,y"])
    def test_bad_names(self, both: Both, name: str) -> None:
        both.same(lambda broker: create(broker, wanted(name)))

    def test_names_that_collide(self, both: Both, topic: str) -> None:
        def step(broker: Broker) -> Any:
            first = create(broker, wanted(f"{topic}.a_b"))
            broker.wait_for(f"{topic}.a_b")
            return first, create(broker, wanted(f"{topic}_a.b")), create(broker, wanted(f"{topic}.a.b"))

        both.same(step)

    def test_names_that_collide_in_one_request(self, both: Both, topic: str) -> None:
        """Apache looks only at topics that are there already, and so makes both; we make one."""
        answers = [create(broker, wanted(f"{topic}.x"), wanted(f"{topic}_x")) for broker in (both.ours, both.apache)]
        assert [sorted(each.error_code for each in answer.topics) for answer in answers] == [[0, 17], [0, 0]]

    def test_the_same_name_twice(self, both: Both, topic: str) -> None:
        both.same(lambda broker: create(broker, wanted(topic), wanted(topic), wanted(f"{topic}-other")))

    def test_a_setting_twice(self, both: Both, topic: str) -> None:
        def step(broker: Broker) -> Any:
            each = wanted(topic)
            each.configs = [CreatableTopicConfig(name="retention.ms", value=value) for value in ("1", "2")]
            return create(broker, each)

        both.same(step)

    def test_validate_only(self, both: Both, topic: str) -> None:
        def step(broker: Broker) -> Any:
            answer = create(broker, wanted(topic, 3), wanted(f"{topic}-bad", 1, 9), validate_only=True)
            return answer, broker.metadata(topic)

        both.same(step)

    def test_nothing(self, both: Both) -> None:
        both.same(lambda broker: create(broker))

    def test_internal_names(self, both: Both) -> None:
        both.same(lambda broker: create(broker, wanted("__cluster_metadata")))


class TestDeleteTopics:
    @pytest.mark.parametrize("version", range(1, 7))
    def test_every_version(self, both: Both, topic: str, version: int) -> None:
        def step(broker: Broker) -> Any:
            broker.create(topic)
            names = [topic, f"{topic}-nowhere", "bad name"]
            if version < 6:
                request = DeleteTopicsRequest(topic_names=names, timeout_ms=5000)
            else:
                request = DeleteTopicsRequest(topics=[DeleteTopicState(name=name) for name in names], timeout_ms=5000)
            answer = broker.call(request, version)
            answer.responses.sort(key=lambda each: each.name)
            return answer

        both.same(step)

    def test_by_id(self, both: Both, topic: str) -> None:
        def step(broker: Broker) -> Any:
            topic_id = broker.create(topic)
            states = [DeleteTopicState(name=None, topic_id=each) for each in (topic_id, os.urandom(16))]
            answer = broker.call(DeleteTopicsRequest(topics=states, timeout_ms=5000), 6)
            answer.responses.sort(key=lambda each: each.error_code)
            return answer

        both.same(step)

    def test_by_name_and_id(self, both: Both, topic: str) -> None:
        def step(broker: Broker) -> Any:
            topic_id = broker.create(topic)
            states = [DeleteTopicState(name=topic, topic_id=topic_id)]
            return broker.call(DeleteTopicsRequest(topics=states, timeout_ms=5000), 6)

        both.same(step)

    def test_neither_name_nor_id(self, both: Both) -> None:
        states = [DeleteTopicState(name=None)]
        both.same(lambda broker: broker.call(DeleteTopicsRequest(topics=states, timeout_ms=5000), 6))

    def test_twice_in_one_request(self, both: Both, topic: str) -> None:
        def step(broker: Broker) -> Any:
            broker.create(topic)
            states = [DeleteTopicState(name=topic) for _ in range(2)]
            return broker.call(DeleteTopicsRequest(topics=states, timeout_ms=5000), 6)

        both.same(step)

    def test_a_topic_made_again_is_another_topic(self, both: Both, topic: str) -> None:
        def step(broker: Broker) -> Any:
            old = broker.create(topic)
            produce(broker, topic, batch())
            broker.call(DeleteTopicsRequest(topics=[DeleteTopicState(name=topic)], timeout_ms=5000), 6)
            answer = create(broker, wanted(topic, 2))
            broker.wait_for(topic, 2)
            return answer.topics[0].error_code, old != answer.topics[0].topic_id, produce(broker, topic, batch())

        both.same(step)


class TestCreatePartitions:
    def ask(self, broker: Broker, *topics: CreatePartitionsTopic, version: int = 3, validate_only: bool = False) -> Any:
        request = CreatePartitionsRequest(topics=list(topics), timeout_ms=5000, validate_only=validate_only)
        answer = broker.call(request, version)
        answer.results.sort(key=lambda each: each.name)
        return answer

    @pytest.mark.parametrize("version", range(4))
    def test_every_version(self, both: Both, topic: str, version: int) -> None:
        def step(broker: Broker) -> Any:
            broker.create(topic, 2)
            grown = CreatePartitionsTopic(name=topic, count=4, assignments=None)
            answer = self.ask(broker, grown, version=version)
            broker.wait_for(topic, 4)
            return answer, produce(broker, topic, batch(), index=3)

        both.same(step)

    @pytest.mark.parametrize("count", [2, 1, 0, -1])
    def test_bad_counts(self, both: Both, topic: str, count: int) -> None:
        def step(broker: Broker) -> Any:
            broker.create(topic, 2)
            return self.ask(broker, CreatePartitionsTopic(name=topic, count=count, assignments=None))

        both.same(step)

    @pytest.mark.parametrize("assignments", [[[1]], [[1], [1]], [[2]], [[]], [[1, 1]], []], ids=str)
    def test_assignments(self, both: Both, topic: str, assignments: list[list[int]]) -> None:
        def step(broker: Broker) -> Any:
            broker.create(topic, 2)
            parts = [CreatePartitionsAssignment(broker_ids=brokers) for brokers in assignments]
            return self.ask(broker, CreatePartitionsTopic(name=topic, count=3, assignments=parts))

        both.same(step)

    def test_mixed_twice_unknown_and_validate_only(self, both: Both, topic: str) -> None:
        def step(broker: Broker) -> Any:
            broker.create(topic, 2)
            grown = CreatePartitionsTopic(name=topic, count=3, assignments=None)
            unknown = CreatePartitionsTopic(name=f"{topic}-nowhere", count=3, assignments=None)
            only = self.ask(broker, grown, unknown, validate_only=True)
            return only, self.ask(broker, grown, grown), len(broker.metadata(topic).partitions)

        both.same(step)


@pytest.mark.parametrize("version", range(1, 6))
def test_describe_log_dirs(both: Both, topic: str, version: int) -> None:
    def step(broker: Broker) -> Any:
        broker.create(topic, 2)
        produce(broker, topic, batch())
        asked = [DescribableLogDirTopic(topic=topic, partitions=[0, 1, 9])]
        named = broker.call(DescribeLogDirsRequest(topics=asked), version)
        everything = broker.call(DescribeLogDirsRequest(topics=None), version)
        for result in named.results:
            for each in result.topics:
                each.partitions.sort(key=lambda part: part.partition_index)
        return named, len(everything.results), topic in {each.name for each in everything.results[0].topics}

    both.same(step)


def test_describe_log_dirs_of_nothing(both: Both) -> None:
    both.same(lambda broker: broker.call(DescribeLogDirsRequest(topics=[])))
    both.same(
        lambda broker: broker.call(
            DescribeLogDirsRequest(topics=[DescribableLogDirTopic(topic="nowhere", partitions=[0])])
        )
    )
