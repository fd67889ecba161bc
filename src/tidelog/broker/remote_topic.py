"""The topic of remote log metadata from this broker's side: written and read at its leaders, here or elsewhere."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING

from tidelog.broker.coordinator_log import append_internal
from tidelog.broker.partition import Partition
from tidelog.controller.topics import create_topics
from tidelog.log.reading import read
from tidelog.ports import Buffer
from tidelog.protocol.errors import ErrorCode, KafkaError
from tidelog.protocol.messages.create_topics import CreatableTopic, CreatableTopicConfig, CreateTopicsRequest
from tidelog.protocol.messages.fetch import FetchPartition, FetchRequest, FetchTopic
from tidelog.protocol.messages.produce import PartitionProduceData, ProduceRequest, TopicProduceData
from tidelog.protocol.record_batch import Record, build_batch, decode_records, iter_batches
from tidelog.runtime.futures import settle
from tidelog.tier.metadata import Values
from tidelog.tier.records import TOPIC

if TYPE_CHECKING:
    from tidelog.broker.broker import Broker
    from tidelog.runtime.peers import Peer

PURPOSE = "remote-metadata"
READ_BYTES = 1 << 20
ALL = -1
TIMEOUT_MS = 10_000


class _Signal:
    """Wakes one reader when the partition moves."""

    def __init__(self) -> None:
        self.event = asyncio.Event()

    def moved(self, bytes_added: int) -> None:
        self.event.set()


class BrokerMetadataTopic:
    def __init__(self, broker: Broker) -> None:
        self._broker = broker

    def partition_count(self) -> int | None:
        known = self._broker.metadata.image.topics.get(TOPIC)
        return None if known is None else len(known.partitions)

    async def create(self) -> None:
        """With the settings that the node was given under `rlmm.config.`; nothing happens if it is there already."""
        config = self._broker.config
        prefix = config.remote_log_metadata_manager_impl_prefix + "remote.log.metadata.topic."

        def setting(name: str, default: int) -> int:
            return int(config.static.get(prefix + name, default))

        settings = {
            "cleanup.policy": "delete",
            "retention.ms": setting("retention.ms", -1),
            # A cluster whose other internal topics have fewer replicas is too small for Kafka's defaults here too.
            "min.insync.replicas": setting("min.isr", min(2, config.transaction_state_log_min_isr)),
            "remote.storage.enable": "false",
        }
        topic = CreatableTopic(
            name=TOPIC,
            num_partitions=setting("num.partitions", 50),
            replication_factor=setting("replication.factor", min(3, config.offsets_topic_replication_factor)),
            configs=[CreatableTopicConfig(name=name, value=str(value)) for name, value in settings.items()],
        )
        request = CreateTopicsRequest(topics=[topic], timeout_ms=TIMEOUT_MS)
        if self._broker.controller is not None:
            await self._broker.controller.request(request, TIMEOUT_MS)
        else:
            await self._broker.metadata.submit(lambda image, environment: create_topics(image, environment, request))

    async def append(self, partition: int, value: bytes) -> int:
        batch = build_batch([Record(0, self._broker.clock.now_ms(), None, value, ())])
        here = self._broker.partitions.get(TOPIC, partition)
        if here is not None and here.leader is not None:
            return await self._append_here(here, bytearray(batch))
        data = PartitionProduceData(index=partition, records=batch)
        topic = TopicProduceData(name=TOPIC, topic_id=self._topic_id(), partition_data=[data])
        request = ProduceRequest(acks=ALL, timeout_ms=TIMEOUT_MS, topic_data=[topic])
        response = await self._leader(partition, "write").request(request, timeout_ms=TIMEOUT_MS)
        answer = response.responses[0].partition_responses[0]
        if answer.error_code:
            raise KafkaError(ErrorCode(answer.error_code))
        offset: int = answer.base_offset
        return offset

    async def _append_here(self, partition: Partition, batch: bytearray) -> int:
        offset = append_internal(self._broker, partition, batch)
        if not partition.is_acked(ALL, offset + 1):
            acked: asyncio.Future[ErrorCode] = asyncio.get_running_loop().create_future()
            partition.when_acked(ALL, offset + 1, partial(settle, acked))
            error = await acked
            if error:
                raise KafkaError(error)
        return offset

    async def read(self, partition: int, offset: int, wait_ms: int) -> Values:
        here = self._broker.partitions.get(TOPIC, partition)
        if here is not None:  # a follower knows what is committed, a moment later than the leader
            here.log.check_online()
            return await self._read_here(here, offset, wait_ms)
        wanted = FetchPartition(partition=partition, fetch_offset=offset, partition_max_bytes=READ_BYTES)
        topic = FetchTopic(topic=TOPIC, topic_id=self._topic_id(), partitions=[wanted])
        request = FetchRequest(max_wait_ms=wait_ms, min_bytes=1, max_bytes=READ_BYTES, topics=[topic])
        # A connection for each, because a broker answers one request of a connection after the other.
        peer = self._leader(partition, f"read-{partition}")
        response = await peer.request(request, timeout_ms=wait_ms + TIMEOUT_MS)
        if response.error_code:
            raise KafkaError(ErrorCode(response.error_code))
        answer = response.responses[0].partitions[0]
        if answer.error_code:
            raise KafkaError(ErrorCode(answer.error_code))
        return _values(answer.records or b"", offset, answer.high_watermark)

    async def _read_here(self, partition: Partition, offset: int, wait_ms: int) -> Values:
        if offset >= partition.high_watermark and wait_ms:
            signal = _Signal()
            partition.watchers[signal] = None
            try:
                async with asyncio.timeout(wait_ms / 1000):
                    await signal.event.wait()
            except TimeoutError:
                pass
            finally:
                partition.watchers.pop(signal, None)
        start = max(offset, partition.log_start_offset)
        end = partition.high_watermark
        log = partition.log
        try:
            found = read(log, start, READ_BYTES, end)
            if found is None:
                return Values((), start, end)
            data = await self._broker.blocking.run(found.file.pread, found.length, found.position)
        except OSError as error:
            self._broker.read_failed(partition, log, error)
            raise
        return _values(data, start, end)

    def _topic_id(self) -> bytes:
        known = self._broker.metadata.image.topics.get(TOPIC)
        if known is None:
            raise KafkaError(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION)
        return known.id

    def _leader(self, partition: int, purpose: str) -> Peer:
        known = self._broker.metadata.image.topics.get(TOPIC)
        leader = known.partitions[partition].leader if known is not None else -1
        peer = self._broker.peer(leader, f"{PURPOSE}-{purpose}") if leader not in (-1, self._broker.node_id) else None
        if peer is None:
            raise KafkaError(ErrorCode.NOT_LEADER_OR_FOLLOWER)
        return peer


def _values(data: Buffer, offset: int, end_offset: int) -> Values:
    values, next_offset = [], offset
    data = bytes(data)
    for position, header in iter_batches(data):
        if not header.is_control:
            values += [
                (each.offset, each.value)
                for each in decode_records(data, position, READ_BYTES * 16, header)
                if each.value is not None and each.offset >= offset
            ]
        next_offset = header.next_offset
    return Values(values, next_offset, end_offset)
