"""Several brokers in one loop: real logs, real sockets, and in the place of the quorum one image that tests change.

The controller is the real one, without a log of its own: a command's records are replayed and every broker that is not
cut off from the metadata applies the change at once.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any

from tidelog.api import registry
from tidelog.api.k18_api_versions import unsupported_version
from tidelog.broker.broker import Broker
from tidelog.broker.partition import Partition
from tidelog.config.broker_config import BrokerConfig, single_node_properties
from tidelog.config.endpoints import Endpoint
from tidelog.controller.brokers import Registration, fence_broker, register_broker, unfence_broker
from tidelog.controller.isr import alter_partition
from tidelog.controller.producer_ids import allocate_producer_ids
from tidelog.controller.result import Environment, Result
from tidelog.controller.topics import create_topics
from tidelog.io.blocking import ThreadBlocking
from tidelog.io.clock import RealClock
from tidelog.io.disk import RealDisk
from tidelog.io.network import TcpNetwork
from tidelog.log.manager import LogManager
from tidelog.metadata import records as r
from tidelog.metadata.delta import MetadataDelta
from tidelog.metadata.image import EMPTY, MetadataImage, Provenance
from tidelog.metadata.partition import Partition as PartitionImage
from tidelog.node.storage_format import ensure_formatted
from tidelog.protocol.errors import ErrorCode
from tidelog.protocol.messages.allocate_producer_ids import AllocateProducerIdsRequest, AllocateProducerIdsResponse
from tidelog.protocol.messages.alter_partition import AlterPartitionRequest
from tidelog.protocol.messages.create_topics import (
    CreatableReplicaAssignment,
    CreatableTopic,
    CreatableTopicConfig,
    CreateTopicsRequest,
)
from tidelog.protocol.record_batch import Record, build_batch, decode_records, iter_batches
from tidelog.runtime.peers import Peers
from tidelog.server.limits import Limits
from tidelog.server.server import RequestServer

WAIT_S = 60


class OneImage:
    """What a broker knows of the metadata: as told, or as it was when it was cut off."""

    def __init__(self, config: BrokerConfig, image: MetadataImage) -> None:
        self.config = config
        self.image = self.latest = image
        self.is_active = False


class Member:
    """One broker with its logs, its listener and its connections."""

    def __init__(self, cluster: Brokers, node_id: int, directory: Path, settings: dict[str, str]) -> None:
        properties = single_node_properties(str(directory), 0, node_id=node_id, host="127.0.0.1") | settings
        self.cluster = cluster
        self.node_id = node_id
        self.config = BrokerConfig.from_properties(properties)
        self.deaf = False  # hears nothing of the metadata
        ensure_formatted(self.config, RealDisk(), os.urandom, 0)

    async def start(self) -> None:
        cluster, clock = self.cluster, RealClock()
        random = Random(self.node_id)
        self.metadata = OneImage(self.config, cluster.image)
        self.logs = LogManager(RealDisk(), clock, self.config.log_directories, blocking=cluster.blocking, random=random)
        self.broker = Broker(
            self.config,
            self.metadata,  # type: ignore[arg-type]
            self.logs,
            clock,
            cluster.blocking,
            lambda: random.getrandbits(31),
            lambda: str(random.getrandbits(64)),
        )
        self.broker.peers = Peers(cluster.network, clock, f"broker-{self.node_id}")
        self.broker.controller = cluster
        await self.logs.start(lambda topic: self.broker.log_config(cluster.image, topic))
        self.broker.load(cluster.image)
        apis = registry.load()
        self.broker.apis = apis
        self.server = RequestServer(self.broker, apis, clock, Limits(), unsupported_version())
        endpoint = Endpoint("PLAINTEXT", "127.0.0.1", 0, "PLAINTEXT")
        listening = await self.server.listen(cluster.network, endpoint)
        self.server.open()
        where = endpoint._replace(port=listening.port)
        rack = self.config.broker_rack
        registration = Registration(self.node_id, random.randbytes(16), [where], rack, [bytes([self.node_id]) * 16])
        epoch = cluster.do(register_broker, registration)
        cluster.do(unfence_broker, self.node_id, epoch)

    async def stop(self) -> None:
        await self.server.close()
        assert self.broker.peers is not None
        self.broker.peers.close()
        await self.broker.close()
        await self.logs.flusher.settle()
        await self.cluster.blocking.run(self.logs.close)

    def partition(self, topic: str = "t", index: int = 0) -> Partition:
        found = self.broker.partitions.get(topic, index)
        assert found is not None, f"broker {self.node_id} does not host {topic}-{index}"
        return found

    def values(self, topic: str = "t", index: int = 0) -> list[bytes]:
        """Everything in the log, committed or not."""
        log = self.partition(topic, index).log
        found: list[bytes] = []
        offset = log.log_start_offset
        while offset < log.log_end_offset:
            piece = log.read(offset, 1 << 20, log.log_end_offset)
            assert piece is not None
            chunk = piece.file.pread(piece.length, piece.position)
            for position, header in iter_batches(chunk):
                found += [each.value or b"" for each in decode_records(chunk, position)]
                offset = header.next_offset
        return found

    def append(self, *values: bytes, acks: int = -1, topic: str = "t", index: int = 0) -> asyncio.Future[ErrorCode]:
        """One batch; the future has the error that a producer would get."""
        partition = self.partition(topic, index)
        now_ms = self.broker.clock.now_ms()
        batch = build_batch([Record(at, now_ms, None, value) for at, value in enumerate(values)])
        future: asyncio.Future[ErrorCode] = asyncio.get_running_loop().create_future()
        info = partition.append(memoryview(bytearray(batch)), acks, now_ms)
        if partition.is_acked(acks, info.last_offset + 1):
            future.set_result(ErrorCode.NONE)
        else:
            partition.when_acked(acks, info.last_offset + 1, future.set_result)
        return future


class Brokers:
    """Brokers 1 to `count`; also the channel that they reach the controller through."""

    def __init__(self, directory: Path, count: int = 3, **settings: str) -> None:
        named = {name.replace("_", "."): value for name, value in settings.items()}
        self.blocking = ThreadBlocking()
        self.network = TcpNetwork(self.blocking)
        self.image = EMPTY
        self._ids = 0
        self.mute = False  # the controller does not answer
        self.members = {each: Member(self, each, directory / str(each), named) for each in range(1, count + 1)}

    def __getitem__(self, node_id: int) -> Member:
        return self.members[node_id]

    async def __aenter__(self) -> Brokers:
        self.publish([r.FeatureLevelRecord(name="metadata.version", feature_level=30)])
        for member in self.members.values():
            await member.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        for member in self.members.values():
            await member.stop()
        self.blocking.close()

    # the controller

    async def request(self, message: Any, timeout_ms: int) -> Any:
        while self.mute:
            await asyncio.sleep(0.01)
        if isinstance(message, AllocateProducerIdsRequest):
            block = self.do(lambda image, _: allocate_producer_ids(image, message.broker_id, message.broker_epoch))
            return AllocateProducerIdsResponse(producer_id_start=block.first, producer_id_len=block.end - block.first)
        return self.do(alter_partition if isinstance(message, AlterPartitionRequest) else create_topics, message)

    def do(self, command: Callable[..., Result[Any]], *arguments: Any) -> Any:
        environment = Environment(self[1].config, self._new_id, lambda below: 0, self.image.provenance.offset + 1)
        result = command(self.image, environment, *arguments)
        self.publish(result.records)
        return result.response

    def publish(self, records: Sequence[Any]) -> None:
        if not records:
            return
        delta = MetadataDelta(self.image)
        delta.replay_all(records)
        before, self.image = self.image, delta.apply(Provenance(self.image.provenance.offset + len(records), 1, 0))
        self.image.check_invariants()
        for member in self.members.values():
            if hasattr(member, "broker") and not member.deaf:
                assert member.metadata.image is before, "one change after the other"
                member.metadata.image = member.metadata.latest = self.image
                member.broker.apply(delta, self.image)

    def _new_id(self) -> bytes:
        self._ids += 1
        return self._ids.to_bytes(16, "big")

    def create(self, topic: str = "t", *replicas: Sequence[int], **configs: str) -> None:
        """One partition on each list of replicas; one on all brokers if none is given."""
        chosen = replicas or (list(self.members),)
        request = CreateTopicsRequest(
            topics=[
                CreatableTopic(
                    name=topic,
                    num_partitions=-1,
                    replication_factor=-1,
                    assignments=[
                        CreatableReplicaAssignment(partition_index=index, broker_ids=list(each))
                        for index, each in enumerate(chosen)
                    ],
                    configs=[
                        CreatableTopicConfig(name=name.replace("_", "."), value=value)
                        for name, value in configs.items()
                    ],
                )
            ]
        )
        self.do(create_topics, request)

    def state(self, topic: str = "t", index: int = 0) -> PartitionImage:
        found = self.image.topics.get(topic)
        assert found is not None
        return found.partitions[index]

    def fence(self, node_id: int) -> None:
        self.do(fence_broker, node_id, self.image.cluster.brokers[node_id].epoch)

    def unfence(self, node_id: int) -> None:
        self.do(unfence_broker, node_id, self.image.cluster.brokers[node_id].epoch)

    def hear(self, node_id: int) -> None:
        """A broker that was cut off from the metadata gets all it missed, as from a snapshot."""
        member = self[node_id]
        member.deaf = False
        member.metadata.image = member.metadata.latest = self.image
        member.broker.load(self.image)

    def elect(self, leader: int, topic: str = "t", index: int = 0, isr: Sequence[int] | None = None) -> None:
        """Another leader, by decree."""
        found = self.image.topics.get(topic)
        assert found is not None
        change = r.PartitionChangeRecord(partition_id=index, topic_id=found.id, leader=leader)
        if isr is not None:
            change.isr = list(isr)
        self.publish([change])


async def until(condition: Callable[[], bool], what: str = "") -> None:
    """Waits until it is so."""
    for _ in range(WAIT_S * 200):
        if condition():
            return
        await asyncio.sleep(0.005)
    raise AssertionError(f"it did not come to pass within {WAIT_S} s: {what}")
