"""aiokafka: admin calls, producing with every codec and guarantee, reading by offset and time."""

import asyncio
from collections.abc import Coroutine
from typing import Any

import pytest
from aiokafka import AIOKafkaConsumer, AIOKafkaProducer, TopicPartition
from aiokafka.admin import AIOKafkaAdminClient, NewPartitions, NewTopic, RecordsToDelete
from aiokafka.admin.config_resource import ConfigResource, ConfigResourceType
from aiokafka.errors import KafkaError

from conformance.batches import START_MS
from conformance.brokers import Both, Broker

CODECS = (None, "gzip", "snappy", "lz4", "zstd")


async def outcome(work: Coroutine[Any, Any, Any]) -> Any:
    try:
        return await work
    except KafkaError as error:
        return type(error).__name__


async def send(broker: Broker, topic: str, count: int = 30, **settings: Any) -> Any:
    """Records with keys, headers and nulls to two partitions; gives where each went."""
    async with AIOKafkaProducer(bootstrap_servers=broker.address, linger_ms=20, **settings) as producer:
        futures = [
            await producer.send(
                topic,
                key=None if i % 5 == 0 and i % 6 != 5 else b"key-%d" % (i % 7),
                value=None if i % 6 == 5 else f"value-{i}-é-{'x' * i * 10}".encode(),
                partition=i % 2,
                timestamp_ms=START_MS + i * 1000,
                headers=[("h", bytes([i, 0, 255])), ("", b"")] if i % 3 == 0 else None,
            )
            for i in range(count)
        ]
        sent = [await future for future in futures]
        return sorted((m.partition, m.offset, m.log_start_offset) for m in sent if m)


async def one(broker: Broker, topic: str, **record: Any) -> Any:
    async with AIOKafkaProducer(bootstrap_servers=broker.address, request_timeout_ms=4000) as producer:
        answer = await outcome(producer.send_and_wait(topic, **record))
        return answer if isinstance(answer, str) else answer.offset


async def read(broker: Broker, positions: dict[TopicPartition, int | None], count: int, **settings: Any) -> Any:
    options = {"group_id": None, "enable_auto_commit": False, "auto_offset_reset": "none"}
    found: list[Any] = []
    async with AIOKafkaConsumer(bootstrap_servers=broker.address, **{**options, **settings}) as reader:
        reader.assign(list(positions))
        for partition, offset in positions.items():
            if offset is None:
                await reader.seek_to_beginning(partition)
            else:
                reader.seek(partition, offset)
        try:
            while len(found) < count:
                m = await asyncio.wait_for(reader.getone(), 10)
                at = "now" if m.timestamp_type else m.timestamp
                found.append((m.partition, m.offset, at, m.timestamp_type, m.key, m.value, list(m.headers)))
        except (KafkaError, TimeoutError) as error:
            return found, type(error).__name__
    return sorted(found, key=lambda each: each[:2])


def everything(topic: str) -> dict[TopicPartition, int | None]:
    return {TopicPartition(topic, index): None for index in range(2)}


@pytest.mark.parametrize("idempotent", [True, False])
@pytest.mark.parametrize("codec", CODECS)
def test_codecs(both: Both, topic: str, codec: str | None, idempotent: bool) -> None:
    async def work(broker: Broker) -> Any:
        sent = await send(broker, topic, compression_type=codec, enable_idempotence=idempotent)
        return sent, await read(broker, everything(topic), 30)

    def step(broker: Broker) -> Any:
        broker.create(topic, 2)
        return asyncio.run(work(broker))

    assert len(both.same(step)[1]) == 30


@pytest.mark.parametrize("acks", [0, 1, "all"])
def test_acks(both: Both, topic: str, acks: int | str) -> None:
    async def work(broker: Broker) -> Any:
        return await send(broker, topic, 10, acks=acks), await read(broker, everything(topic), 10)

    def step(broker: Broker) -> Any:
        broker.create(topic, 2)
        return asyncio.run(work(broker))

    both.same(step)


def test_positions(both: Both, topic: str) -> None:
    async def work(broker: Broker) -> Any:
        await send(broker, topic, 40, max_batch_size=600)
        first, second = TopicPartition(topic, 0), TopicPartition(topic, 1)
        async with AIOKafkaConsumer(bootstrap_servers=broker.address) as reader:
            deltas = (0, 1, 20_000, 38_000, 38_001)
            by_time = [(await reader.offsets_for_times({first: START_MS + delta}))[first] for delta in deltas]
            marks = await reader.beginning_offsets([first]), await reader.end_offsets([second])
        middle = await read(broker, {first: 7}, 13)
        tail = await read(broker, {first: by_time[2].offset}, 10)
        small = await read(broker, everything(topic), 40, max_partition_fetch_bytes=100, fetch_max_bytes=100)
        committed = await read(broker, everything(topic), 40, isolation_level="read_committed")
        return [each and tuple(each) for each in by_time], [str(mark) for mark in marks], middle, tail, small, committed

    def step(broker: Broker) -> Any:
        broker.create(topic, 2)
        return asyncio.run(work(broker))

    both.same(step)


def test_out_of_range(both: Both, topic: str) -> None:
    async def work(broker: Broker) -> Any:
        await send(broker, topic, 10)
        first = TopicPartition(topic, 0)
        reset = await read(broker, {first: 777}, 5, auto_offset_reset="earliest")
        return await read(broker, {first: 777}, 1), reset

    def step(broker: Broker) -> Any:
        broker.create(topic, 2)
        return asyncio.run(work(broker))

    both.same(step)


def test_refused_records(both: Both, topic: str) -> None:
    async def work(broker: Broker) -> Any:
        return {
            "too large": await one(broker, topic, value=b"x" * 5000),
            "no key": await one(broker, f"{topic}-compacted", value=b"v"),
            "tombstone": await one(broker, f"{topic}-compacted", key=b"k"),
            "old": await one(broker, f"{topic}-recent", value=b"v", timestamp_ms=START_MS),
            "auto-created": await one(broker, f"{topic}-auto", value=b"v"),
        }

    def step(broker: Broker) -> Any:
        broker.create(topic, 1, max_message_bytes="1000")
        broker.create(f"{topic}-compacted", 1, cleanup_policy="compact")
        broker.create(f"{topic}-recent", 1, message_timestamp_before_max_ms="1000")
        return asyncio.run(work(broker))

    both.same(step)


def test_admin(both: Both, topic: str) -> None:
    async def work(broker: Broker) -> Any:
        admin = AIOKafkaAdminClient(bootstrap_servers=broker.address)
        await admin.start()
        try:
            wanted = [NewTopic(topic, 3, 1, topic_configs={"retention.ms": "5000"}), NewTopic("bad name!", 1, 1)]
            created = [each[:2] for each in (await admin.create_topics(wanted)).topic_errors]
            broker.wait_for(topic, 3)
            described = await admin.describe_topics([topic])
            grown = (await admin.create_partitions({topic: NewPartitions(5)})).topic_errors
            broker.wait_for(topic, 5)
            await send(broker, topic, 10)
            resource = ConfigResource(ConfigResourceType.TOPIC, topic)
            configs = (await admin.describe_configs([resource]))[0].resources[0]
            first = TopicPartition(topic, 0)
            cut = await admin.delete_records({first: RecordsToDelete(2)})
            deleted = (await admin.delete_topics([topic, f"{topic}-nowhere"])).topic_error_codes
            cluster = await admin.describe_cluster()
            return {
                "created": sorted(created),
                "described": sorted(p["partition"] for p in described[0]["partitions"]),
                "grown": [each[:2] for each in grown],
                "configs": sorted(tuple(entry[:4]) for entry in configs[4]),
                "cut": str(cut.get(first)),
                "deleted": sorted(deleted),
                "cluster": (len(cluster["brokers"]), cluster["controller_id"]),
            }
        finally:
            await admin.close()

    both.same(lambda broker: asyncio.run(work(broker)))
