"""A follower whose next offset the leader has only in remote storage: begins behind it, with state from there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tidelog.broker.offset_recovery import EARLIEST, PURPOSE, leader_answer, leader_offset
from tidelog.broker.partition import Partition
from tidelog.broker.remote_reads import place_of
from tidelog.protocol.errors import ErrorCode, KafkaError
from tidelog.protocol.messages.offset_for_leader_epoch import (
    OffsetForLeaderEpochRequest,
    OffsetForLeaderPartition,
    OffsetForLeaderTopic,
)
from tidelog.tier.rebuild import rebuild, segment_before

if TYPE_CHECKING:
    from tidelog.broker.broker import Broker

EARLIEST_LOCAL = -4


async def begin_behind_remote(broker: Broker, partition: Partition, leader_id: int) -> None:
    """KafkaError or OSError when it has to be tried again: the metadata may lag behind the leader's."""
    if broker.remote is None:
        raise KafkaError(ErrorCode.OFFSET_MOVED_TO_TIERED_STORAGE)
    epoch = partition.leader_epoch
    local = await leader_answer(broker, partition, leader_id, EARLIEST_LOCAL)
    start = await leader_offset(broker, partition, leader_id, EARLIEST)
    before = await _epoch_before(broker, partition, leader_id, local.offset, local.leader_epoch)
    manifest = await broker.remote.metadata.refresh(place_of(partition))
    segment = segment_before(manifest, local.offset, before) if manifest is not None else None
    if segment is None:
        raise OSError(f"no remote segment that ends before offset {local.offset} is known here yet")
    aux = await broker.remote.reader.aux(segment)
    if partition.leader is not None or partition.leader_epoch != epoch:
        return  # decided otherwise meanwhile
    rebuild(partition.log, segment, aux, start)
    partition.follower_high_watermark(partition.log.log_end_offset, 0)


async def _epoch_before(broker: Broker, partition: Partition, leader_id: int, offset: int, epoch: int) -> int:
    """The epoch in which the leader has the offset before `offset`, which itself is of `epoch`."""
    peer = broker.peer(leader_id, PURPOSE)
    if peer is None:
        raise KafkaError(ErrorCode.BROKER_NOT_AVAILABLE)
    wanted = OffsetForLeaderPartition(
        partition=partition.index, current_leader_epoch=partition.leader_epoch, leader_epoch=epoch - 1
    )
    request = OffsetForLeaderEpochRequest(
        replica_id=broker.node_id, topics=[OffsetForLeaderTopic(topic=partition.topic, partitions=[wanted])]
    )
    response = await peer.request(request, timeout_ms=broker.config.replica_socket_timeout_ms)
    answer = response.topics[0].partitions[0]
    if answer.error_code:
        raise KafkaError(ErrorCode(answer.error_code))
    earlier: int = answer.leader_epoch
    return earlier if answer.end_offset >= offset else epoch
