"""DescribeQuorum (55), versions 0 to 2: who leads the metadata log, who votes, and how far each one is.

Only `__cluster_metadata-0` has a quorum; a request that names anything else, or more, is told that it is not here.
"""

from __future__ import annotations

from tidelog.api.context import RequestContext
from tidelog.api.registry import api
from tidelog.broker.broker import Broker
from tidelog.controller.topic_names import CLUSTER_METADATA
from tidelog.model.uuids import ZERO
from tidelog.protocol.errors import ErrorCode
from tidelog.protocol.messages.describe_quorum import (
    DescribeQuorumRequest,
    DescribeQuorumResponse,
    Listener,
    Node,
    ReplicaState,
    RequestTopicData,
    ResponsePartitionData,
    ResponseTopicData,
)
from tidelog.runtime.raft_status import ReplicaStatus

DIRECTORIES_FROM = 2  # nodes and directory ids


@api(DescribeQuorumRequest, controller=True)
def handle(broker: Broker, context: RequestContext, request: DescribeQuorumRequest) -> DescribeQuorumResponse:
    if not _is_metadata(request.topics):
        return DescribeQuorumResponse(error_message="", topics=[_unknown(each) for each in request.topics])
    with_directories = context.version >= DIRECTORIES_FROM
    quorum = broker.metadata.quorum
    if not quorum.is_leader:
        return DescribeQuorumResponse(error_message="", topics=[_elsewhere(broker)])
    voters, observers = quorum.describe()
    partition = ResponsePartitionData(
        partition_index=0,
        error_message="",
        leader_id=quorum.leader_id,
        leader_epoch=quorum.epoch,
        high_watermark=quorum.high_watermark,
        current_voters=[_replica(each, with_directories) for each in voters],
        observers=[_replica(each, with_directories) for each in observers],
    )
    return DescribeQuorumResponse(
        error_message="",
        topics=[ResponseTopicData(topic_name=CLUSTER_METADATA, partitions=[partition])],
        nodes=_nodes(broker) if with_directories else [],
    )


def _replica(each: ReplicaStatus, with_directory: bool) -> ReplicaState:
    return ReplicaState(
        replica_id=each.key.id,
        replica_directory_id=each.key.directory_id if with_directory else ZERO,
        log_end_offset=each.end_offset,
        last_fetch_timestamp=each.fetched_ms,
        last_caught_up_timestamp=each.caught_up_ms,
    )


def _elsewhere(broker: Broker) -> ResponseTopicData:
    code = ErrorCode.NOT_LEADER_OR_FOLLOWER
    quorum = broker.metadata.quorum
    partition = ResponsePartitionData(
        partition_index=0,
        error_code=int(code),
        error_message=code.message,
        leader_id=quorum.leader_id,
        leader_epoch=quorum.epoch,
    )
    return ResponseTopicData(topic_name=CLUSTER_METADATA, partitions=[partition])


def _is_metadata(topics: list[RequestTopicData]) -> bool:
    named = [(topic.topic_name, each.partition_index) for topic in topics for each in topic.partitions]
    return named == [(CLUSTER_METADATA, 0)]


def _unknown(topic: RequestTopicData) -> ResponseTopicData:
    code = ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
    return ResponseTopicData(
        topic_name=topic.topic_name,
        partitions=[
            ResponsePartitionData(
                partition_index=each.partition_index, error_code=int(code), error_message=code.message
            )
            for each in topic.partitions
        ],
    )


def _nodes(broker: Broker) -> list[Node]:
    """Where the voters listen: as they registered, or as the voters are named."""
    registered = broker.metadata.image.cluster.controllers
    found = []
    for voter in broker.metadata.quorum.members:
        known = registered.get(voter.key.id)
        places = [each[:3] for each in known.endpoints] if known else voter.endpoints
        listeners = [Listener(name=name, host=host, port=port) for name, host, port in places]
        found.append(Node(node_id=voter.key.id, listeners=listeners))
    return found
