"""AssignReplicasToDirs: where a broker keeps its replicas, so that a failed directory takes only its own along."""

from __future__ import annotations

from tidelog.controller.brokers import check_broker_epoch
from tidelog.controller.leadership import Place, Rules, updates
from tidelog.controller.result import Environment, Result
from tidelog.metadata.cluster import Broker
from tidelog.metadata.image import MetadataImage
from tidelog.metadata.partition import Partition
from tidelog.metadata.records import MetadataRecord
from tidelog.model import uuids
from tidelog.protocol.errors import ErrorCode
from tidelog.protocol.messages import assign_replicas_to_dirs as messages
from tidelog.protocol.messages.assign_replicas_to_dirs import AssignReplicasToDirsRequest, AssignReplicasToDirsResponse


def assign_replicas(
    image: MetadataImage, environment: Environment, request: AssignReplicasToDirsRequest
) -> Result[AssignReplicasToDirsResponse]:
    broker = check_broker_epoch(image, request.broker_id, request.broker_epoch)
    rules = Rules(image, environment)
    records: list[MetadataRecord] = []
    lost: list[Place] = []
    response = AssignReplicasToDirsResponse()
    for directory in request.directories:
        answer = messages.ResponseDirectoryData(id=directory.id)
        response.directories.append(answer)
        for topic_data in directory.topics:
            topic_answer = messages.ResponseTopicData(topic_id=topic_data.topic_id)
            answer.topics.append(topic_answer)
            for partition_data in topic_data.partitions:
                place, code = _find(image, topic_data.topic_id, partition_data.partition_index, broker.id)
                topic_answer.partitions.append(
                    messages.ResponsePartitionData(partition_index=partition_data.partition_index, error_code=int(code))
                )
                if place is None:
                    continue
                change = rules.change(place)
                change.directories = {broker.id: bytes(directory.id)}
                if _is_lost(place.partition, broker):
                    change.lost_disks = frozenset((broker.id,))
                record = change.record()
                if record is not None:
                    records.append(record)
                if directory.id not in broker.directories:
                    lost.append(place)
    records += updates(rules, lost, remove=broker.id)
    return Result(records, response)


def _is_lost(partition: Partition, broker: Broker) -> bool:
    """The directory where the replica was is none of the broker's any more: whatever it held is gone."""
    before = partition.directories[partition.replicas.index(broker.id)]
    return before not in broker.directories and not uuids.is_reserved(before)


def _find(image: MetadataImage, topic_id: bytes, index: int, broker_id: int) -> tuple[Place | None, ErrorCode]:
    topic = image.topics.by_id.get(topic_id)
    if topic is None:
        return None, ErrorCode.UNKNOWN_TOPIC_ID
    if not 0 <= index < len(topic.partitions):
        return None, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
    if broker_id not in topic.partitions[index].replicas:
        return None, ErrorCode.NOT_LEADER_OR_FOLLOWER
    return Place(topic, index), ErrorCode.NONE
