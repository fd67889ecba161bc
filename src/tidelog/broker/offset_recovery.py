"""A follower whose place the leader does not know: new, long away, or ahead of a leader that was not in sync.

If the leader's log ends before this one, the rest here goes. If it begins behind the end of this one, nothing here is
of use any more, and the log begins anew where the leader's does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tidelog.broker import following
from tidelog.broker.partition import Partition
from tidelog.protocol.errors import ErrorCode, KafkaError
from tidelog.protocol.messages.list_offsets import (
    ListOffsetsPartition,
    ListOffsetsPartitionResponse,
    ListOffsetsRequest,
    ListOffsetsTopic,
)

if TYPE_CHECKING:
    from tidelog.broker.broker import Broker

LATEST, EARLIEST = -1, -2
PURPOSE = "ask"


async def find_place(broker: Broker, partition: Partition, leader_id: int) -> None:
    """Brings the log here to a state from which it can be fetched on."""
    epoch = partition.leader_epoch
    end = await leader_offset(broker, partition, leader_id, LATEST)
    start = 0 if end < partition.log_end_offset else await leader_offset(broker, partition, leader_id, EARLIEST)
    if partition.leader is not None or partition.leader_epoch != epoch:
        return  # decided otherwise meanwhile
    if end < partition.log_end_offset:
        following.cut_to(partition, end)
    elif start > partition.log_end_offset:
        following.start_over(partition, start)


async def leader_offset(broker: Broker, partition: Partition, leader_id: int, timestamp: int) -> int:
    answer = await leader_answer(broker, partition, leader_id, timestamp)
    return answer.offset


async def leader_answer(
    broker: Broker, partition: Partition, leader_id: int, timestamp: int
) -> ListOffsetsPartitionResponse:
    peer = broker.peer(leader_id, PURPOSE)
    if peer is None:
        raise KafkaError(ErrorCode.BROKER_NOT_AVAILABLE)
    wanted = ListOffsetsPartition(
        partition_index=partition.index, current_leader_epoch=partition.leader_epoch, timestamp=timestamp
    )
    request = ListOffsetsRequest(
        replica_id=broker.node_id, topics=[ListOffsetsTopic(name=partition.topic, partitions=[wanted])]
    )
    response = await peer.request(request, timeout_ms=broker.config.replica_socket_timeout_ms)
    answer: ListOffsetsPartitionResponse = response.topics[0].partitions[0]
    if answer.error_code:
        raise KafkaError(ErrorCode(answer.error_code))
    return answer
