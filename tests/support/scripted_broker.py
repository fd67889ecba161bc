"""A broker on a real socket whose answers a test writes: for faults that a healthy node does not show.

One topic `t` with some partitions, led by node 1. A test replaces `on_produce` or `on_fetch`, or the whole answer of an
API in `answers`.
"""

import asyncio
import struct
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from tidelog.protocol import messages
from tidelog.protocol.messages.api_versions import ApiVersion, ApiVersionsResponse
from tidelog.protocol.messages.fetch import FetchableTopicResponse, FetchResponse, PartitionData
from tidelog.protocol.messages.init_producer_id import InitProducerIdResponse
from tidelog.protocol.messages.list_offsets import (
    ListOffsetsPartitionResponse,
    ListOffsetsResponse,
    ListOffsetsTopicResponse,
)
from tidelog.protocol.messages.metadata import (
    MetadataResponse,
    MetadataResponseBroker,
    MetadataResponsePartition,
    MetadataResponseTopic,
)
from tidelog.protocol.messages.produce import PartitionProduceResponse, ProduceResponse, TopicProduceResponse

TOPIC = "t"
TOPIC_ID = bytes(range(16))
SERVED = {0: 12, 1: 12, 2: 7, 3: 12, 18: 4, 22: 5}
"""Produce and Fetch by name, so that a test reads topics and not ids."""


class Hangup(Exception):
    """Raised by a test's answer: the broker closes the connection instead."""


class ScriptedBroker:
    def __init__(self, partitions: int = 1) -> None:
        self.partitions = partitions
        self.port = 0
        self.served = dict(SERVED)
        self.seen: list[Any] = []
        self.next_offset = 0
        self.answers: dict[int, Callable[[Any], Any]] = {
            0: self._produce,
            1: self._fetch,
            2: self._list_offsets,
            3: self._metadata,
            18: self._api_versions,
            22: lambda request: InitProducerIdResponse(producer_id=4000, producer_epoch=0),
        }
        self.on_produce: Callable[[Any], int] = lambda partition: 0
        self.on_fetch: Callable[[Any], PartitionData] = lambda row: PartitionData(
            partition_index=row.partition, records=b""
        )

    @asynccontextmanager
    async def running(self) -> AsyncIterator[dict[str, Any]]:
        """Serves, and gives the settings of a client that talks to it."""
        server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        try:
            yield {"bootstrap.servers": f"127.0.0.1:{self.port}", "retry.backoff.ms": 1, "linger.ms": 0}
        finally:
            server.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                size = int.from_bytes(await reader.readexactly(4), "big")
                await self._one(await reader.readexactly(size), writer)
        except (asyncio.IncompleteReadError, ConnectionError, Hangup):
            pass
        finally:
            writer.close()

    async def _one(self, frame: bytes, writer: asyncio.StreamWriter) -> None:
        key, version, correlation_id, name_length = struct.unpack_from(">hhih", frame)
        api = messages.APIS[key]
        flexible = api.flexible_from is not None and version >= api.flexible_from
        body = frame[10 + max(name_length, 0) + flexible :]
        request = messages.request_class(key).decode(body, version)
        self.seen.append(request)
        if key == 18 and version > self.served[18]:
            answer, version = ApiVersionsResponse(error_code=35, api_keys=self._keys()), 0
        else:
            answer = self.answers[key](request)
            if asyncio.iscoroutine(answer):
                answer = await answer
        if answer is None:
            return
        tags = b"\x00" if flexible and key != 18 else b""
        payload = correlation_id.to_bytes(4, "big") + tags + answer.encode(version)
        writer.write(len(payload).to_bytes(4, "big") + payload)
        await writer.drain()

    def requests(self, kind: type) -> list[Any]:
        return [each for each in self.seen if isinstance(each, kind)]

    # The answers of a healthy broker.

    def _keys(self) -> list[ApiVersion]:
        lowest = {0: 3, 1: 4, 2: 1}
        return [ApiVersion(api_key=k, min_version=lowest.get(k, 0), max_version=v) for k, v in self.served.items()]

    def _api_versions(self, request: Any) -> ApiVersionsResponse:
        return ApiVersionsResponse(api_keys=self._keys())

    def _metadata(self, request: Any) -> MetadataResponse:
        partitions = [
            MetadataResponsePartition(partition_index=i, leader_id=1, leader_epoch=5, replica_nodes=[1], isr_nodes=[1])
            for i in range(self.partitions)
        ]
        known = MetadataResponseTopic(name=TOPIC, topic_id=TOPIC_ID, partitions=partitions)
        names = [TOPIC] if request.topics is None else [each.name for each in request.topics]
        topics = [known if name == TOPIC else MetadataResponseTopic(name=name, error_code=3) for name in names]
        broker = MetadataResponseBroker(node_id=1, host="127.0.0.1", port=self.port)
        return MetadataResponse(brokers=[broker], cluster_id="scripted", controller_id=1, topics=topics)

    def _produce(self, request: Any) -> ProduceResponse | None:
        topics = []
        for topic in request.topic_data:
            rows = []
            for partition in topic.partition_data:
                code = self.on_produce(partition)
                count = int.from_bytes(bytes(partition.records)[57:61], "big")
                offset = self.next_offset if code == 0 else -1
                self.next_offset += count if code == 0 else 0
                rows.append(PartitionProduceResponse(index=partition.index, error_code=code, base_offset=offset))
            topics.append(TopicProduceResponse(name=topic.name, partition_responses=rows))
        return None if request.acks == 0 else ProduceResponse(responses=topics)

    def _fetch(self, request: Any) -> FetchResponse:
        topics = [
            FetchableTopicResponse(topic=topic.topic, partitions=[self.on_fetch(row) for row in topic.partitions])
            for topic in request.topics
        ]
        return FetchResponse(responses=topics)

    def _list_offsets(self, request: Any) -> ListOffsetsResponse:
        topics = [
            ListOffsetsTopicResponse(
                name=topic.name,
                partitions=[
                    ListOffsetsPartitionResponse(partition_index=row.partition_index, offset=100, leader_epoch=5)
                    for row in topic.partitions
                ],
            )
            for topic in request.topics
        ]
        return ListOffsetsResponse(topics=topics)
