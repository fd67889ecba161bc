"""Requests that many wire tests send, written with as few words as possible."""

import time
from typing import Any

from conformance.brokers import Broker
from tidelog.protocol.errors import ErrorCode
from tidelog.protocol.messages.fetch import FetchPartition, FetchRequest, FetchTopic
from tidelog.protocol.messages.init_producer_id import InitProducerIdRequest
from tidelog.protocol.messages.list_offsets import ListOffsetsPartition, ListOffsetsRequest, ListOffsetsTopic
from tidelog.protocol.messages.produce import PartitionProduceData, ProduceRequest, TopicProduceData

EARLIEST = -2
LATEST = -1


def produce(
    broker: Broker, topic: str, data: bytes | None, version: int = 12, acks: int = -1, index: int = 0, **fields: Any
) -> Any:
    """The partition's answer to one produce."""
    parts = [PartitionProduceData(index=index, records=data)]
    request = ProduceRequest(
        acks=acks, timeout_ms=5000, topic_data=[TopicProduceData(name=topic, partition_data=parts)], **fields
    )
    return broker.call(request, version).responses[0].partition_responses[0]


def fetch(
    broker: Broker,
    topic: str,
    offset: int,
    version: int = 12,
    index: int = 0,
    max_bytes: int = 1 << 20,
    total_bytes: int = 1 << 20,
    min_bytes: int = 1,
    max_wait_ms: int = 0,
    **fields: Any,
) -> Any:
    """The partition's answer to one fetch outside of any session."""
    names = ("current_leader_epoch", "last_fetched_epoch", "log_start_offset")
    own = {name: fields.pop(name) for name in names if name in fields}
    part = FetchPartition(partition=index, fetch_offset=offset, partition_max_bytes=max_bytes, **own)
    request = FetchRequest(
        max_wait_ms=max_wait_ms,
        min_bytes=min_bytes,
        max_bytes=total_bytes,
        topics=[FetchTopic(topic=topic, partitions=[part])],
        **fields,
    )
    return broker.call(request, version).responses[0].partitions[0]


def list_offset(broker: Broker, topic: str, timestamp: int, version: int = 9, index: int = 0, **fields: Any) -> Any:
    epoch = fields.pop("current_leader_epoch", -1)
    part = ListOffsetsPartition(partition_index=index, timestamp=timestamp, current_leader_epoch=epoch)
    wanted = [ListOffsetsTopic(name=topic, partitions=[part])]
    request = ListOffsetsRequest(replica_id=fields.pop("replica_id", -1), topics=wanted, **fields)
    return broker.call(request, version).topics[0].partitions[0]


def producer_id(broker: Broker) -> int:
    """A fresh id. A broker may need a moment for its first block of ids and says so with a retriable error."""
    while True:
        answer = broker.call(InitProducerIdRequest(transactional_id=None, transaction_timeout_ms=60_000), 4)
        if answer.error_code == 0:
            return int(answer.producer_id)
        assert ErrorCode(answer.error_code).retriable, answer
        time.sleep(0.01)


def end_offset(broker: Broker, topic: str, index: int = 0) -> int:
    return int(list_offset(broker, topic, LATEST, index=index).offset)
