"""Blocks of producer ids: each is handed out once in the life of a cluster."""

from __future__ import annotations

from typing import NamedTuple

from tidelog.controller.result import Result
from tidelog.metadata.image import MetadataImage
from tidelog.metadata.records import ProducerIdsRecord
from tidelog.protocol.errors import ErrorCode, KafkaError

BLOCK_SIZE = 1000
LAST_ID = (1 << 63) - 1


class ProducerIdBlock(NamedTuple):
    first: int
    size: int

    @property
    def end(self) -> int:
        return self.first + self.size


def allocate_producer_ids(image: MetadataImage, broker_id: int, broker_epoch: int) -> Result[ProducerIdBlock]:
    broker = image.cluster.brokers.get(broker_id)
    if broker is None or broker.epoch != broker_epoch:
        raise KafkaError(ErrorCode.STALE_BROKER_EPOCH)
    first = image.next_producer_id
    if first > LAST_ID - BLOCK_SIZE:
        raise KafkaError(
            ErrorCode.UNKNOWN_SERVER_ERROR,
            "All producer ids of this cluster are used up, the highest is 9223372036854775807.",
        )
    record = ProducerIdsRecord(broker_id=broker_id, broker_epoch=broker_epoch, next_producer_id=first + BLOCK_SIZE)
    return Result([record], ProducerIdBlock(first, BLOCK_SIZE))
