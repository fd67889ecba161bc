"""AlterPartitionReassignments and ListPartitionReassignments: replicas move from brokers to others.

While a partition moves it has both its old and its new replicas. It ends when all that come are in sync, which the
leader reports like any change of the in-sync replicas; until then it can be cancelled.
"""

from __future__ import annotations

from collections.abc import Sequence

from tidelog.controller.assignments import check_manual_assignment
from tidelog.controller.leadership import Place, Rules
from tidelog.controller.partition_change import Election
from tidelog.controller.result import Environment, Result
from tidelog.metadata.image import MetadataImage
from tidelog.metadata.partition import Partition
from tidelog.metadata.records import MetadataRecord
from tidelog.protocol.errors import ErrorCode, KafkaError
from tidelog.protocol.messages.alter_partition_reassignments import (
    AlterPartitionReassignmentsRequest,
    AlterPartitionReassignmentsResponse,
    ReassignablePartitionResponse,
    ReassignableTopicResponse,
)
from tidelog.protocol.messages.list_partition_reassignments import (
    ListPartitionReassignmentsRequest,
    ListPartitionReassignmentsResponse,
    OngoingPartitionReassignment,
    OngoingTopicReassignment,
)


def alter_reassignments(
    image: MetadataImage, environment: Environment, request: AlterPartitionReassignmentsRequest
) -> Result[AlterPartitionReassignmentsResponse]:
    rules = Rules(image, environment)
    records: list[MetadataRecord] = []
    response = AlterPartitionReassignmentsResponse(
        error_message=None, allow_replication_factor_change=request.allow_replication_factor_change
    )
    for topic in request.topics:
        answer = ReassignableTopicResponse(name=topic.name)
        response.responses.append(answer)
        for each in topic.partitions:
            outcome = ReassignablePartitionResponse(partition_index=each.partition_index, error_message=None)
            answer.partitions.append(outcome)
            try:
                place = _find(image, topic.name, each.partition_index)
                if each.replicas is None:
                    record = _cancel(rules, place)
                else:
                    record = _change(rules, place, each.replicas, request.allow_replication_factor_change)
                if record is not None:
                    records.append(record)
            except KafkaError as error:
                outcome.error_code, outcome.error_message = int(error.code), error.message
    return Result(records, response)


def _find(image: MetadataImage, name: str, index: int) -> Place:
    topic = image.topics.get(name)
    if topic is None:
        raise KafkaError(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, f"Unable to find a topic named {name}.")
    if not 0 <= index < len(topic.partitions):
        raise KafkaError(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, f"Unable to find partition {name}:{index}.")
    return Place(topic, index)


def _change(rules: Rules, place: Place, replicas: Sequence[int], may_change_factor: bool) -> MetadataRecord | None:
    check_manual_assignment(rules.image.cluster, replicas)
    partition = place.partition
    if not may_change_factor:
        current = [each for each in partition.replicas if each not in partition.adding_replicas]
        if len(current) != len(replicas):
            raise KafkaError(
                ErrorCode.INVALID_REPLICATION_FACTOR,
                f"The replication factor is changed from {len(current)} to {len(replicas)}",
            )
    change = rules.change(place)
    removing = sorted(set(partition.replicas) - set(replicas))
    change.replicas = [*replicas, *removing]
    change.removing = removing
    change.adding = sorted(set(replicas) - set(partition.replicas))
    # A replica that was on its way and stays wanted is still on its way.
    if not change.adding and partition.adding_replicas:
        change.adding = [each for each in partition.adding_replicas if each in replicas]
    return change.record()


def _cancel(rules: Rules, place: Place) -> MetadataRecord | None:
    partition = place.partition
    if not is_reassigning(partition):
        raise KafkaError(ErrorCode.NO_REASSIGNMENT_IN_PROGRESS, "No partition reassignment is in progress.")
    change = rules.change(place)
    replicas = [each for each in partition.replicas if each not in partition.adding_replicas]
    isr = [each for each in partition.isr if each not in partition.adding_replicas]
    is_unclean = not isr
    if is_unclean and not rules.allows_unclean(place.topic):
        raise KafkaError(
            ErrorCode.INVALID_REPLICA_ASSIGNMENT,
            f"Unable to revert partition assignment for {place.topic.name}:{place.partition_id} because it would "
            "require an unclean leader election.",
        )
    if rules.allows_unclean(place.topic):
        change.election = Election.UNCLEAN
    change.isr = isr or replicas[:1]
    change.replicas = replicas
    change.removing = change.adding = ()
    return change.record()


def is_reassigning(partition: Partition) -> bool:
    return bool(partition.adding_replicas or partition.removing_replicas)


def list_reassignments(
    image: MetadataImage, request: ListPartitionReassignmentsRequest
) -> ListPartitionReassignmentsResponse:
    """Those that are under way, of the partitions named or of all."""
    if request.topics is None:
        wanted: list[tuple[str, Sequence[int] | None]] = [(name, None) for name in image.topics.names()]
    else:
        wanted = [(each.name, each.partition_indexes) for each in request.topics]
    response = ListPartitionReassignmentsResponse(error_message=None)
    for name, indexes in wanted:
        topic = image.topics.get(name)
        if topic is None:
            continue
        partitions = [
            OngoingPartitionReassignment(
                partition_index=index,
                replicas=list(topic.partitions[index].replicas),
                adding_replicas=list(topic.partitions[index].adding_replicas),
                removing_replicas=list(topic.partitions[index].removing_replicas),
            )
            for index in (range(len(topic.partitions)) if indexes is None else indexes)
            if 0 <= index < len(topic.partitions) and is_reassigning(topic.partitions[index])
        ]
        if partitions:
            response.topics.append(OngoingTopicReassignment(name=name, partitions=partitions))
    return response
