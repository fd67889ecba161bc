"""AlterReplicaLogDirs (34), versions 1 and 2: replicas of this broker move to other log directories of it (KIP-113).

The answer says that a move has begun; DescribeLogDirs shows the copy until it takes over. A replica that is not here
yet is made in that directory when it comes (REPLICA_NOT_AVAILABLE until then). Left out: topics with remote storage.
"""

from __future__ import annotations

from tidelog.api.context import RequestContext
from tidelog.api.registry import api
from tidelog.broker.broker import Broker
from tidelog.protocol.messages.alter_replica_log_dirs import (
    AlterReplicaLogDirPartitionResult,
    AlterReplicaLogDirsRequest,
    AlterReplicaLogDirsResponse,
    AlterReplicaLogDirTopicResult,
)


@api(AlterReplicaLogDirsRequest)
def handle(broker: Broker, context: RequestContext, request: AlterReplicaLogDirsRequest) -> AlterReplicaLogDirsResponse:
    results: dict[str, AlterReplicaLogDirTopicResult] = {}
    for directory in request.dirs:
        for topic in directory.topics:
            answer = results.setdefault(topic.name, AlterReplicaLogDirTopicResult(topic_name=topic.name))
            for index in topic.partitions:
                code = broker.replica_moves.alter(directory.path, topic.name, index)
                answer.partitions.append(AlterReplicaLogDirPartitionResult(partition_index=index, error_code=int(code)))
    return AlterReplicaLogDirsResponse(results=list(results.values()))
