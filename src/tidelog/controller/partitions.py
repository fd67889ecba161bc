"""More partitions for topics that exist."""

from __future__ import annotations

from collections import Counter

from tidelog.controller.assignments import check_manual_assignment, partition_record
from tidelog.controller.placement import candidates, place
from tidelog.controller.result import Environment, Result, check_one_batch
from tidelog.controller.topics import PARTITIONS_MAX
from tidelog.metadata.image import MetadataImage
from tidelog.metadata.records import MetadataRecord
from tidelog.metadata.topics import Topic
from tidelog.protocol.errors import ErrorCode, KafkaError
from tidelog.protocol.messages.create_partitions import CreatePartitionsRequest, CreatePartitionsTopic

Outcome = list[tuple[str, KafkaError | None]]


def create_partitions(
    image: MetadataImage, environment: Environment, request: CreatePartitionsRequest
) -> Result[Outcome]:
    """Each topic stands for itself; the records of a topic's partitions do not move, so keys may change partition."""
    counts = Counter(topic.name for topic in request.topics)
    outcome: Outcome = [
        (name, KafkaError(ErrorCode.INVALID_REQUEST, "Duplicate topic name."))
        for name, count in counts.items()
        if count > 1
    ]
    records: list[MetadataRecord] = []
    for wanted in request.topics:
        if counts[wanted.name] > 1:
            continue
        try:
            records += _more(image, environment, wanted)
            outcome.append((wanted.name, None))
        except KafkaError as error:
            outcome.append((wanted.name, error))
    check_one_batch(records)
    return Result([] if request.validate_only else records, outcome)


def _more(image: MetadataImage, environment: Environment, wanted: CreatePartitionsTopic) -> list[MetadataRecord]:
    topic = image.topics.get(wanted.name)
    if topic is None:
        raise KafkaError(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION)
    count = len(topic.partitions)
    additional = wanted.count - count
    if additional == 0:
        raise KafkaError(ErrorCode.INVALID_PARTITIONS, f"Topic already has {count} partition(s).")
    if additional < 0:
        raise KafkaError(
            ErrorCode.INVALID_PARTITIONS,
            f"The topic {wanted.name} currently has {count} partition(s); {wanted.count} would not be an increase.",
        )
    if additional > PARTITIONS_MAX:
        raise KafkaError(ErrorCode.POLICY_VIOLATION, "Excessively large number of partitions per request.")
    replicas = _replicas(image, environment, topic, wanted, additional)
    return [partition_record(image.cluster, topic.id, count + index, each) for index, each in enumerate(replicas)]


def _replicas(
    image: MetadataImage, environment: Environment, topic: Topic, wanted: CreatePartitionsTopic, additional: int
) -> list[list[int]]:
    """As many replicas as the first partition has."""
    factor = len(topic.partitions[0].replicas)
    if wanted.assignments is None:
        brokers = candidates(image.cluster)
        return place(brokers, additional, factor, environment.pick(max(len(brokers), 1)))
    if len(wanted.assignments) != additional:
        raise KafkaError(
            ErrorCode.INVALID_REPLICA_ASSIGNMENT,
            f"Attempted to add {additional} additional partition(s), but only {len(wanted.assignments)} assignment(s) "
            "were specified.",
        )
    for each in wanted.assignments:
        check_manual_assignment(image.cluster, each.broker_ids, factor)
    return [each.broker_ids for each in wanted.assignments]
