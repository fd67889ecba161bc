"""An Apache broker in a cluster whose controllers are ours: it follows our metadata log, registers, is unfenced, and
sends its clients' requests on to our controller."""

import asyncio
import os
from pathlib import Path

import pytest
from confluent_kafka import Consumer, Producer
from confluent_kafka.admin import AdminClient, NewTopic

from peer.apache import ApacheNode
from peer.toolchain import needs
from support.quorum import CLUSTER_ID, Quorum
from tidelog.config.broker_config import BrokerConfig
from tidelog.io.disk import RealDisk
from tidelog.node.storage_format import FormatOptions, format_storage

pytestmark = pytest.mark.apache
BROKER = 9


def apache_broker(folder: Path, quorum: Quorum) -> ApacheNode:
    settings = {
        "process.roles": "broker",
        "node.id": str(BROKER),
        "controller.quorum.voters": ",".join(f"{each}@127.0.0.1:{quorum.ports[each]}" for each in quorum.voters),
        "controller.listener.names": "CONTROLLER",
        "log.dirs": str(folder / "data"),
    }
    config = BrokerConfig.from_properties({**settings, "listeners": "PLAINTEXT://127.0.0.1:9092"})
    format_storage(config, FormatOptions(CLUSTER_ID), RealDisk(), os.urandom, 0)
    node = ApacheNode(folder)
    listeners = {"listeners": f"PLAINTEXT://127.0.0.1:{node.port}"}
    node.file.write_text(node.file.read_text() + "".join(f"{k}={v}\n" for k, v in {**settings, **listeners}.items()))
    return node


def use(address: str) -> list[bytes]:
    """A topic is made, written and read through the Apache broker."""
    servers = {"bootstrap.servers": address}
    admin = AdminClient(servers)
    admin.create_topics([NewTopic("mixed", 2, 1)])["mixed"].result(60)
    producer = Producer(servers | {"acks": "all", "enable.idempotence": True})
    for index in range(20):
        producer.produce("mixed", str(index).encode(), partition=index % 2)
    assert producer.flush(60) == 0
    consumer = Consumer(servers | {"group.id": "g", "auto.offset.reset": "earliest"})
    consumer.subscribe(["mixed"])
    found: list[bytes] = []
    for _ in range(600):
        message = consumer.poll(0.1)
        if message is not None and message.error() is None:
            found.append(message.value())
        if len(found) == 20:
            break
    consumer.close()
    return sorted(found, key=int)


def test_an_apache_broker_joins_our_controllers(tmp_path: Path) -> None:
    needs("java")

    async def story() -> None:
        async with Quorum(tmp_path, voters=1) as quorum:
            (controller,) = await quorum.start(1)
            broker = apache_broker(tmp_path / "apache", quorum)
            try:
                await asyncio.to_thread(broker.start)
                assert await asyncio.to_thread(use, broker.address) == [str(each).encode() for each in range(20)]
            finally:
                broker.kill()
            image = controller.metadata.image
            assert not image.cluster.brokers[BROKER].in_controlled_shutdown
            topic = image.topics.get("mixed")
            assert topic is not None
            assert [each.replicas for each in topic.partitions] == [(BROKER,), (BROKER,)]
            assert image.next_producer_id > 0, "it asked our controller for producer ids"
            await quorum.until(lambda: controller.metadata.image.cluster.brokers[BROKER].fenced)

    asyncio.run(story())
