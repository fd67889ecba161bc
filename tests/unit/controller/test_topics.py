"""Topics are created, refused and deleted as Apache Kafka does it, in its words."""

import pytest

from tidelog.controller.topic_names import check_topic_name
from tidelog.controller.topics import create_topics, delete_topics
from tidelog.metadata import configs
from tidelog.protocol.errors import ErrorCode, KafkaError
from tidelog.protocol.messages.create_topics import (
    CreatableReplicaAssignment,
    CreatableTopic,
    CreatableTopicConfig,
    CreateTopicsRequest,
)


def topic(
    name: str = "t", partitions: int = 1, factor: int = 1, assignments=(), **settings: str | None
) -> CreatableTopic:
    return CreatableTopic(
        name=name,
        num_partitions=partitions,
        replication_factor=factor,
        assignments=[CreatableReplicaAssignment(partition_index=index, broker_ids=ids) for index, ids in assignments],
        configs=[CreatableTopicConfig(name=key.replace("_", "."), value=value) for key, value in settings.items()],
    )


def create(cluster, *topics: CreatableTopic, **options):
    return cluster.do(create_topics, CreateTopicsRequest(topics=list(topics), **options))


def refusal(cluster, *args, **kwargs) -> tuple[ErrorCode, str]:
    before = cluster.image
    (done,) = create(cluster, topic(*args, **kwargs))
    assert cluster.image.topics is before.topics, "what is refused changes nothing"
    return done.error.code, done.error.message


def test_a_topic_gets_an_id_settings_and_partitions(cluster) -> None:
    (done,) = create(cluster, topic("orders", 3, 1, retention_ms="1000"))
    found = cluster.image.topics.get("orders")
    assert (done.error, done.partitions, done.replication_factor) == (None, 3, 1)
    assert found.id == done.topic_id
    assert [(each.replicas, each.isr, each.leader, each.leader_epoch) for each in found.partitions] == [
        ((1,), (1,), 1, 0)
    ] * 3
    assert found.partitions[0].directories == cluster.image.cluster.brokers[1].directories
    assert cluster.image.configs.get(configs.TOPIC, "orders") == {"retention.ms": "1000"}


def test_defaults_come_from_the_broker(cluster) -> None:
    (done,) = create(cluster, topic("t", -1, -1))
    assert (done.partitions, done.replication_factor) == (1, 1)


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("", "the empty string is not allowed"),
        (".", "'.' is not allowed"),
        ("..", "'..' is not allowed"),
        ("a" * 250, f"the length of '{'a' * 250}' is longer than the max allowed length 249"),
        ("a b", "'a b' contains one or more characters other than ASCII alphanumerics, '.', '_' and '-'"),
        ("a/b", "'a/b' contains one or more characters other than ASCII alphanumerics, '.', '_' and '-'"),
        ("ü", "'ü' contains one or more characters other than ASCII alphanumerics, '.', '_' and '-'"),
        ("a\n", "'a\n' contains one or more characters other than ASCII alphanumerics, '.', '_' and '-'"),
    ],
)
def test_names_that_no_topic_can_have(cluster, name: str, problem: str) -> None:
    assert refusal(cluster, name) == (ErrorCode.INVALID_TOPIC_EXCEPTION, f"Topic name is invalid: {problem}")


def test_names_at_the_limit_are_fine() -> None:
    check_topic_name("a" * 249)
    check_topic_name("...")
    with pytest.raises(KafkaError):
        check_topic_name("..")


def test_dots_and_underscores_collide(cluster) -> None:
    create(cluster, topic("a.b"))
    assert refusal(cluster, "a_b") == (
        ErrorCode.INVALID_TOPIC_EXCEPTION, "Topic 'a_b' collides with existing topic: a.b",
    )  # fmt: skip
    first, second = create(cluster, topic("x.y"), topic("x_y"))
    assert first.error is None
    assert second.error.code is ErrorCode.INVALID_TOPIC_EXCEPTION
    many = "_".join("abcdefghijklmn")
    create(cluster, topic(many))
    assert refusal(cluster, many.replace("_", "."))[0] is ErrorCode.INVALID_TOPIC_EXCEPTION


def test_what_exists_is_not_made_again(cluster) -> None:
    create(cluster, topic("t"))
    assert refusal(cluster, "t") == (ErrorCode.TOPIC_ALREADY_EXISTS, "Topic 't' already exists.")
    assert refusal(cluster, "__cluster_metadata")[0] is ErrorCode.INVALID_REQUEST


@pytest.mark.parametrize("count", [0, -2])
def test_bad_counts(cluster, count: int) -> None:
    assert refusal(cluster, "t", count) == (
        ErrorCode.INVALID_PARTITIONS, "Number of partitions was set to an invalid non-positive value.",
    )  # fmt: skip
    assert refusal(cluster, "t", 1, count) == (
        ErrorCode.INVALID_REPLICATION_FACTOR,
        "Replication factor must be larger than 0, or -1 to use the default value.",
    )


def test_more_replicas_than_brokers(cluster) -> None:
    assert refusal(cluster, "t", 1, 2) == (
        ErrorCode.INVALID_REPLICATION_FACTOR,
        "Unable to replicate the partition 2 time(s): The target replication factor of 2 cannot be reached because "
        "only 1 broker(s) are registered or some brokers have all their log directories cordoned.",
    )


@pytest.mark.parametrize(
    ("assignments", "code", "message"),
    [
        ([(0, [1, 1])], ErrorCode.INVALID_REPLICA_ASSIGNMENT, "includes the broker 1 more than once."),
        ([(0, [7])], ErrorCode.INVALID_REPLICA_ASSIGNMENT, "includes broker 7, but no such broker is registered."),
        ([(0, [])], ErrorCode.INVALID_REPLICA_ASSIGNMENT, "includes an empty replica list."),
        ([(0, [1]), (2, [1])], ErrorCode.INVALID_REPLICA_ASSIGNMENT, "consecutive 0-based integer sequence"),
        ([(0, [1]), (0, [1])], ErrorCode.INVALID_REPLICA_ASSIGNMENT, "Found multiple manual partition assignments"),
    ],
)
def test_manual_assignments_are_checked(cluster, assignments, code, message) -> None:
    found, sentence = refusal(cluster, "t", -1, -1, assignments)
    assert found is code
    assert message in sentence


def test_a_manual_assignment_says_everything(cluster) -> None:
    (done,) = create(cluster, topic("t", -1, -1, [(1, [1]), (0, [1])]))
    assert (done.error, done.partitions) == (None, 2)
    assert "replication factor was not set to -1" in refusal(cluster, "u", -1, 1, [(0, [1])])[1]
    assert "numPartitions was not set to -1" in refusal(cluster, "u", 1, -1, [(0, [1])])[1]


def test_settings_are_checked_alone_and_together(cluster) -> None:
    assert refusal(cluster, foo="1") == (ErrorCode.INVALID_CONFIG, "Unknown topic config name: foo")
    assert refusal(cluster, retention_ms=None) == (
        ErrorCode.INVALID_CONFIG, "Null value not supported for topic configs: retention.ms",
    )  # fmt: skip
    assert refusal(cluster, min_compaction_lag_ms="1000", max_compaction_lag_ms="5")[1] == (
        "conflict topic config setting min.compaction.lag.ms (1000) > max.compaction.lag.ms (5)"
    )
    assert "Tiered Storage functionality is disabled" in refusal(cluster, remote_storage_enable="true")[1]


def test_good_and_bad_topics_of_one_request_stand_for_themselves(cluster) -> None:
    outcome = create(cluster, topic("a"), topic("b", 0), topic("c"), topic("d"), topic("d"))
    assert {each.name: each.error and each.error.code for each in outcome} == {
        "a": None,
        "b": ErrorCode.INVALID_PARTITIONS,
        "c": None,
        "d": ErrorCode.INVALID_REQUEST,
    }
    assert cluster.image.topics.names() == ["a", "c"]


def test_validate_only_makes_nothing(cluster) -> None:
    (done,) = create(cluster, topic("a", 2), validate_only=True)
    assert (done.error, done.partitions) == (None, 2)
    assert cluster.image.topics.names() == []


def test_a_request_cannot_ask_for_too_much(cluster) -> None:
    with pytest.raises(KafkaError, match="Excessively large number of partitions per request"):
        create(cluster, topic("a", 9000), topic("b", 1001))
    with pytest.raises(KafkaError, match="Unable to perform excessively large batch operation"):
        create(cluster, topic("a", 10_000))


def test_a_deleted_topic_leaves_its_name_free(cluster) -> None:
    (done,) = create(cluster, topic("a", retention_ms="5"))
    cluster.do(lambda image, _: delete_topics(image, [done.topic_id, bytes(16)]))
    assert cluster.image.topics.names() == []
    (again,) = create(cluster, topic("a"))
    assert again.error is None
    assert again.topic_id != done.topic_id
    assert cluster.image.configs.get(configs.TOPIC, "a") == {}
