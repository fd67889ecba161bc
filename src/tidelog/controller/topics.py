"""Create and delete topics."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from tidelog.config.effective import TopicDefaults
from tidelog.controller.assignments import check_manual_assignment, partition_record
from tidelog.controller.placement import candidates, place
from tidelog.controller.result import Environment, Result, check_one_batch
from tidelog.controller.topic_configs import check_topic_configs
from tidelog.controller.topic_names import CLUSTER_METADATA, check_topic_name, colliding_name
from tidelog.metadata import configs
from tidelog.metadata.image import MetadataImage
from tidelog.metadata.records import ConfigRecord, MetadataRecord, PartitionRecord, RemoveTopicRecord, TopicRecord
from tidelog.protocol.errors import ErrorCode, KafkaError
from tidelog.protocol.messages.create_topics import CreatableTopic, CreateTopicsRequest

PARTITIONS_MAX = 10_000  # in one request


class CreatedTopic:
    """One topic of a create request: what became of it."""

    __slots__ = ("configs", "error", "name", "partitions", "replication_factor", "topic_id")

    def __init__(self, name: str, error: KafkaError | None = None) -> None:
        self.name = name
        self.error = error
        self.topic_id = bytes(16)
        self.partitions = -1
        self.replication_factor = -1
        self.configs: dict[str, str] = {}


def create_topics(
    image: MetadataImage, environment: Environment, request: CreateTopicsRequest, validate_only: bool | None = None
) -> Result[list[CreatedTopic]]:
    """Each topic stands for itself: one that is refused does not hold up the others."""
    _check_partition_count(request.topics)
    doubled = {name for name, count in Counter(topic.name for topic in request.topics).items() if count > 1}
    records: list[MetadataRecord] = []
    outcome = [CreatedTopic(name, KafkaError(ErrorCode.INVALID_REQUEST, "Duplicate topic name.")) for name in doubled]
    created: dict[str, None] = {}
    defaults = TopicDefaults(environment.config)
    for topic in request.topics:
        if topic.name in doubled:
            continue
        try:
            done, made = _create_topic(image, environment, defaults, topic, created)
            records += made
            created[topic.name] = None
        except KafkaError as error:
            done = CreatedTopic(topic.name, error)
        outcome.append(done)
    check_one_batch(records)
    if request.validate_only if validate_only is None else validate_only:
        records = []
    return Result(records, outcome)


def delete_topics(image: MetadataImage, topic_ids: Sequence[bytes]) -> Result[None]:
    """Removes topics that exist; the caller has resolved names and refused the unknown."""
    return Result([RemoveTopicRecord(topic_id=each) for each in topic_ids if each in image.topics.by_id], None)


def _check_partition_count(topics: Sequence[CreatableTopic]) -> None:
    count = sum(max(topic.num_partitions, len(topic.assignments), 0) for topic in topics)
    if count > PARTITIONS_MAX:
        raise KafkaError(ErrorCode.POLICY_VIOLATION, "Excessively large number of partitions per request.")


def _create_topic(
    image: MetadataImage,
    environment: Environment,
    defaults: TopicDefaults,
    topic: CreatableTopic,
    created: dict[str, None],
) -> tuple[CreatedTopic, list[MetadataRecord]]:
    _check_name(image, topic.name, created)
    overrides = {each.name: each.value for each in topic.configs}
    settings = check_topic_configs(environment, defaults, overrides)
    done = CreatedTopic(topic.name)
    done.configs = settings
    done.topic_id = environment.new_id()
    partitions = _partitions(image, environment, topic, done.topic_id)
    done.partitions = len(partitions)
    done.replication_factor = len(partitions[0].replicas)
    records: list[MetadataRecord] = [TopicRecord(name=topic.name, topic_id=done.topic_id)]
    records += [
        ConfigRecord(resource_type=configs.TOPIC, resource_name=topic.name, name=name, value=value)
        for name, value in settings.items()
    ]
    return done, records + list(partitions)


def _check_name(image: MetadataImage, name: str, created: dict[str, None]) -> None:
    if name == CLUSTER_METADATA:
        raise KafkaError(ErrorCode.INVALID_REQUEST, f"Creation of internal topic {name} is prohibited.")
    check_topic_name(name)
    ids = image.topics.ids
    if name in ids:
        raise KafkaError(ErrorCode.TOPIC_ALREADY_EXISTS, f"Topic '{name}' already exists.")
    other = colliding_name(name, lambda each: each in ids or each in created, lambda: [*ids, *created])
    if other is not None:
        raise KafkaError(ErrorCode.INVALID_TOPIC_EXCEPTION, f"Topic '{name}' collides with existing topic: {other}")


def _partitions(
    image: MetadataImage, environment: Environment, topic: CreatableTopic, topic_id: bytes
) -> list[PartitionRecord]:
    replicas = _manual(image, topic) if topic.assignments else _placed(image, environment, topic)
    return [partition_record(image.cluster, topic_id, index, each) for index, each in enumerate(replicas)]


def _manual(image: MetadataImage, topic: CreatableTopic) -> list[list[int]]:
    for value, name in ((topic.replication_factor, "replication factor"), (topic.num_partitions, "numPartitions")):
        if value != -1:
            raise KafkaError(
                ErrorCode.INVALID_REQUEST,
                f"A manual partition assignment was specified, but {name} was not set to -1.",
            )
    by_index: dict[int, list[int]] = {}
    expected = None
    for each in topic.assignments:
        if each.partition_index in by_index:
            raise KafkaError(
                ErrorCode.INVALID_REPLICA_ASSIGNMENT,
                f"Found multiple manual partition assignments for partition {each.partition_index}",
            )
        check_manual_assignment(image.cluster, each.broker_ids, expected)
        by_index[each.partition_index] = each.broker_ids
        expected = len(each.broker_ids)
    if sorted(by_index) != list(range(len(by_index))):
        raise KafkaError(
            ErrorCode.INVALID_REPLICA_ASSIGNMENT, "partitions should be a consecutive 0-based integer sequence"
        )
    return [by_index[index] for index in range(len(by_index))]


def _placed(image: MetadataImage, environment: Environment, topic: CreatableTopic) -> list[list[int]]:
    partitions, factor = topic.num_partitions, topic.replication_factor
    if factor < -1 or factor == 0:
        raise KafkaError(
            ErrorCode.INVALID_REPLICATION_FACTOR,
            "Replication factor must be larger than 0, or -1 to use the default value.",
        )
    if partitions < -1 or partitions == 0:
        raise KafkaError(ErrorCode.INVALID_PARTITIONS, "Number of partitions was set to an invalid non-positive value.")
    partitions = environment.config.num_partitions if partitions == -1 else partitions
    factor = environment.config.default_replication_factor if factor == -1 else factor
    brokers = candidates(image.cluster)
    try:
        return place(brokers, partitions, factor, environment.pick(max(len(brokers), 1)))
    except KafkaError as error:
        raise KafkaError(error.code, f"Unable to replicate the partition {factor} time(s): {error.message}") from None
