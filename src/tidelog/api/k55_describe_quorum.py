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

DIRECTORIES_FROM = 2  # nodes and directory ids


@api(DescribeQuorumRequest)
def handle(broker: Broker, context: RequestContext, request: DescribeQuorumRequest) -> DescribeQuorumResponse:
    if not _is_metadata(request.topics):
        return DescribeQuorumResponse(error_message="", topics=[_unknown(each) for each in request.topics])
    quorum = broker.metadata.quorum
    now_ms = broker.clock.now_ms()
    partition = ResponsePartitionData(
        partition_index=0,
        error_message="",
        leader_id=quorum.leader_id,
        leader_epoch=quorum.epoch,
        high_watermark=quorum.high_watermark,
        current_voters=[
            ReplicaState(
                replica_id=each.id,
                replica_directory_id=each.directory_id if context.version >= DIRECTORIES_FROM else ZERO,
                log_end_offset=quorum.log_end_offset,
                last_fetch_timestamp=now_ms,
                last_caught_up_timestamp=now_ms,
            )
            for each in quorum.voters
        ],
    )
    return DescribeQuorumResponse(
        error_message="",
        topics=[ResponseTopicData(topic_name=CLUSTER_METADATA, partitions=[partition])],
        nodes=_nodes(broker) if context.version >= DIRECTORIES_FROM else [],
    )


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
    voters = {each.id for each in broker.metadata.quorum.voters}
    return [
        Node(
            node_id=node_id,
            listeners=[Listener(name=name, host=host, port=port) for name, host, port, _ in each.endpoints],
        )
        for node_id, each in sorted(broker.metadata.image.cluster.controllers.items())
        if node_id in voters
    ]
