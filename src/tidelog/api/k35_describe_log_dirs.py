"""DescribeLogDirs (35), versions 1 to 5: the log directories of this broker, their space and the logs in them.

A null topic list means all. A directory that failed is named with KAFKA_STORAGE_ERROR. A copy on its way to take the
place of a replica is a future replica; its lag is what it does not have yet.
"""

from __future__ import annotations

from tidelog.api.context import RequestContext
from tidelog.api.registry import api
from tidelog.broker.broker import Broker
from tidelog.log.log import Log
from tidelog.protocol.errors import ErrorCode
from tidelog.protocol.messages.describe_log_dirs import (
    DescribeLogDirsPartition,
    DescribeLogDirsRequest,
    DescribeLogDirsResponse,
    DescribeLogDirsResult,
    DescribeLogDirsTopic,
)


@api(DescribeLogDirsRequest)
async def handle(broker: Broker, context: RequestContext, request: DescribeLogDirsRequest) -> DescribeLogDirsResponse:
    wanted = None
    if request.topics is not None:
        wanted = {(topic.topic, index) for topic in request.topics for index in topic.partitions}
    by_directory: dict[str, list[Log]] = {directory: [] for directory in broker.logs.directories}
    for log in broker.logs:
        if wanted is None or tuple(log.partition) in wanted:
            by_directory[log.directory.rpartition("/")[0]].append(log)
    for _, log in broker.replica_moves.copies:
        if wanted is None or tuple(log.partition) in wanted:
            by_directory[log.directory.rpartition("/")[0]].append(log)
    results = []
    for directory, logs in by_directory.items():
        results.append(await _describe(broker, directory, logs))
    return DescribeLogDirsResponse(results=results)


async def _describe(broker: Broker, directory: str, logs: list[Log]) -> DescribeLogDirsResult:
    if broker.logs.is_offline(directory):
        return DescribeLogDirsResult(error_code=int(ErrorCode.KAFKA_STORAGE_ERROR), log_dir=directory)
    try:
        total, usable = await broker.blocking.run(broker.logs.usage, directory)
    except OSError:
        return DescribeLogDirsResult(error_code=int(ErrorCode.KAFKA_STORAGE_ERROR), log_dir=directory)
    topics: dict[str, DescribeLogDirsTopic] = {}
    for log in sorted(logs, key=lambda each: each.partition):
        topic, index = log.partition
        partition = broker.partitions.get(topic, index)
        is_future = partition is not None and log is not partition.log
        end = 0 if partition is None else partition.log_end_offset if is_future else partition.high_watermark
        entry = topics.setdefault(topic, DescribeLogDirsTopic(name=topic))
        entry.partitions.append(
            DescribeLogDirsPartition(
                partition_index=index,
                partition_size=log.size,
                offset_lag=max(0, end - log.log_end_offset),
                is_future_key=is_future,
            )
        )
    return DescribeLogDirsResult(
        log_dir=directory, topics=list(topics.values()), total_bytes=total, usable_bytes=usable
    )
