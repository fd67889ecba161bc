"""AlterPartition: the leader of a partition tells who is in sync, and the controller checks that it may."""

from __future__ import annotations

from collections.abc import Sequence

from tidelog.controller.brokers import check_broker_epoch
from tidelog.controller.leadership import Place, Rules
from tidelog.controller.partition_change import RECOVERING, Election
from tidelog.controller.result import Environment, Result
from tidelog.metadata.cluster import ClusterImage
from tidelog.metadata.image import MetadataImage
from tidelog.metadata.partition import NO_LEADER_CHANGE, RECOVERED, Partition
from tidelog.metadata.records import MetadataRecord
from tidelog.metadata.topics import Topic
from tidelog.protocol.errors import ErrorCode
from tidelog.protocol.messages import alter_partition as messages
from tidelog.protocol.messages.alter_partition import AlterPartitionRequest, AlterPartitionResponse

Members = Sequence[tuple[int, int]]  # broker and its epoch, -1 when the request does not tell


def alter_partition(
    image: MetadataImage, environment: Environment, request: AlterPartitionRequest
) -> Result[AlterPartitionResponse]:
    """Each partition stands for itself; two changes of one partition in one request see each other."""
    check_broker_epoch(image, request.broker_id, request.broker_epoch)
    rules = Rules(image, environment)
    records: list[MetadataRecord] = []
    response = AlterPartitionResponse()
    for wanted in request.topics:
        answer = messages.ResponseTopicData(topic_id=wanted.topic_id)
        response.topics.append(answer)
        topic = image.topics.by_id.get(wanted.topic_id)
        for each in wanted.partitions:
            if topic is None:
                answer.partitions.append(_refused(each.partition_index, ErrorCode.UNKNOWN_TOPIC_ID))
            else:
                record, outcome = _alter(rules, topic, each, request.broker_id)
                records += record
                answer.partitions.append(outcome)
    return Result(records, response)


def _alter(
    rules: Rules, topic: Topic, wanted: messages.RequestPartitionData, broker_id: int
) -> tuple[list[MetadataRecord], messages.ResponsePartitionData]:
    index = wanted.partition_index
    if not 0 <= index < len(topic.partitions):
        return [], _refused(index, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION)
    partition = topic.partitions[index]
    members = _members(wanted)
    problem = _problem(rules.image.cluster, partition, wanted, members, broker_id)
    if problem is not None:
        return [], _refused(index, problem)
    change = rules.change(Place(topic, index))
    if rules.allows_unclean(topic):
        change.election = Election.UNCLEAN
    change.isr = [each for each, _ in members]
    change.leader_recovery_state = wanted.leader_recovery_state
    record = change.record()
    if record is not None:
        partition = partition.changed(record)
        if record.leader not in (broker_id, NO_LEADER_CHANGE):
            # The change completed a reassignment that took the leadership along.
            return [record], _refused(index, ErrorCode.NEW_LEADER_ELECTED)
    outcome = messages.ResponsePartitionData(
        partition_index=index,
        leader_id=partition.leader,
        leader_epoch=partition.leader_epoch,
        isr=list(partition.isr),
        leader_recovery_state=partition.leader_recovery_state,
        partition_epoch=partition.partition_epoch,
    )
    return [] if record is None else [record], outcome


def _members(wanted: messages.RequestPartitionData) -> Members:
    if wanted.new_isr_with_epochs:
        return [(each.broker_id, each.broker_epoch) for each in wanted.new_isr_with_epochs]
    return [(each, -1) for each in wanted.new_isr]


def _problem(
    cluster: ClusterImage, partition: Partition, wanted: messages.RequestPartitionData, members: Members, broker_id: int
) -> ErrorCode | None:
    if wanted.leader_epoch > partition.leader_epoch or wanted.partition_epoch > partition.partition_epoch:
        # The leader knows more than this controller does: another one leads the quorum by now.
        return ErrorCode.NOT_CONTROLLER
    if wanted.leader_epoch < partition.leader_epoch:
        return ErrorCode.FENCED_LEADER_EPOCH
    if broker_id != partition.leader:
        return ErrorCode.INVALID_REQUEST
    if wanted.partition_epoch < partition.partition_epoch:
        return ErrorCode.INVALID_UPDATE_VERSION
    isr = [each for each, _ in members]
    if not isr or len(set(isr)) != len(isr) or not set(isr) <= set(partition.replicas) or partition.leader not in isr:
        return ErrorCode.INVALID_REQUEST
    if wanted.leader_recovery_state == RECOVERING and (len(isr) > 1 or partition.leader_recovery_state == RECOVERED):
        return ErrorCode.INVALID_REQUEST
    if any(not _eligible(cluster, each, epoch) for each, epoch in members):
        return ErrorCode.INELIGIBLE_REPLICA
    return None


def _eligible(cluster: ClusterImage, broker_id: int, epoch: int) -> bool:
    broker = cluster.brokers.get(broker_id)
    return broker is not None and broker.active and epoch in (-1, broker.epoch)


def _refused(index: int, code: ErrorCode) -> messages.ResponsePartitionData:
    return messages.ResponsePartitionData(partition_index=index, error_code=int(code))
