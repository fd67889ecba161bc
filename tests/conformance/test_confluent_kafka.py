"""confluent-kafka (librdkafka): admin calls, producing with every codec and guarantee, reading by offset and time."""

import threading
from typing import Any

import pytest
from confluent_kafka import Consumer, KafkaError, KafkaException, Producer, TopicPartition
from confluent_kafka.admin import (
    AdminClient,
    AlterConfigOpType,
    ConfigEntry,
    ConfigResource,
    NewPartitions,
    NewTopic,
    OffsetSpec,
    ResourceType,
)

from conformance.batches import START_MS
from conformance.brokers import Both, Broker

CODECS = ("none", "gzip", "snappy", "lz4", "zstd")


def admin(broker: Broker) -> AdminClient:
    return AdminClient({"bootstrap.servers": broker.address, "log_level": 0})


def name_of(error: Any) -> str:
    if isinstance(error, KafkaException):
        error = error.args[0]
    return error.name() if isinstance(error, KafkaError) else repr(error)


def outcome(future: Any) -> Any:
    try:
        return future.result(15)
    except KafkaException as error:
        return name_of(error)


def outcomes(futures: dict[Any, Any]) -> dict[str, Any]:
    return {str(key): outcome(future) for key, future in futures.items()}


def send(broker: Broker, topic: str, count: int = 30, **settings: Any) -> Any:
    """Records with keys, headers and nulls to two partitions; gives where each went."""
    producer = Producer({"bootstrap.servers": broker.address, "linger.ms": 20, "log_level": 0, **settings})
    reports: list[Any] = []
    for i in range(count):
        producer.produce(
            topic,
            key=None if i % 5 == 0 else f"key-{i % 7}",
            value=None if i % 6 == 5 else f"value-{i}-é-{'x' * i * 10}",
            partition=i % 2,
            timestamp=START_MS + i * 1000,
            headers=[("h", bytes([i, 0, 255])), ("null", None), ("", b"")] if i % 3 == 0 else None,
            on_delivery=lambda error, m: reports.append((m.partition(), error and error.name(), m.offset())),
        )
    assert producer.flush(20) == 0
    return sorted(reports)


def one(broker: Broker, topic: str, **record: Any) -> Any:
    settings = {"message.timeout.ms": 4000, "log_level": 0}
    producer = Producer({"bootstrap.servers": broker.address, **settings})
    report: list[Any] = []
    try:
        producer.produce(topic, **record, on_delivery=lambda e, m: report.append(name_of(e) if e else m.offset()))
    except KafkaException as error:
        return name_of(error)
    producer.flush(15)
    return report


def read(broker: Broker, positions: list[TopicPartition], count: int, **settings: Any) -> Any:
    """Read until `count` records came, or an error other than the end of a partition."""
    options = {"group.id": "unused", "enable.auto.commit": False, "auto.offset.reset": "error", "log_level": 0}
    consumer = Consumer({"bootstrap.servers": broker.address, **options, **settings})
    found: list[Any] = []
    try:
        consumer.assign(positions)
        while len(found) < count:
            message = consumer.poll(15)
            if message is None:
                return found, "nothing more came"
            if message.error():
                return found, message.error().name()
            kind, at = message.timestamp()
            found.append(
                (
                    message.partition(), message.offset(), kind, at if kind == 1 else "now", message.key(),
                    message.value(), message.headers(), message.leader_epoch(),
                )
            )  # fmt: skip
    finally:
        consumer.close()
    return sorted(found, key=lambda each: each[:2])


def everything(topic: str, offset: int = 0) -> list[TopicPartition]:
    return [TopicPartition(topic, index, offset) for index in range(2)]


@pytest.mark.parametrize("idempotent", [True, False])
@pytest.mark.parametrize("codec", CODECS)
def test_codecs(both: Both, topic: str, codec: str, idempotent: bool) -> None:
    def step(broker: Broker) -> Any:
        broker.create(topic, 2)
        sent = send(broker, topic, **{"compression.type": codec, "enable.idempotence": idempotent})
        return sent, read(broker, everything(topic), 30)

    assert len(both.same(step)[1]) == 30


@pytest.mark.parametrize("acks", [0, 1, -1])
def test_acks(both: Both, topic: str, acks: int) -> None:
    def step(broker: Broker) -> Any:
        broker.create(topic, 2)
        sent = send(broker, topic, 10, acks=acks)
        return sent if acks else len(sent), read(broker, everything(topic), 10)

    both.same(step)


@pytest.mark.parametrize("codec", ["gzip", "snappy", "lz4", "zstd", "uncompressed"])
def test_topics_that_compress(both: Both, topic: str, codec: str) -> None:
    def step(broker: Broker) -> Any:
        broker.create(topic, 2, compression_type=codec)
        return send(broker, topic, 10), read(broker, everything(topic), 10)

    both.same(step)


def test_log_append_time(both: Both, topic: str) -> None:
    def step(broker: Broker) -> Any:
        broker.create(topic, 2, message_timestamp_type="LogAppendTime")
        return send(broker, topic, 4), read(broker, everything(topic), 4)

    both.same(step)


def test_positions(both: Both, topic: str) -> None:
    def step(broker: Broker) -> Any:
        broker.create(topic, 2)
        send(broker, topic, 40, **{"batch.num.messages": 3})
        consumer = Consumer({"bootstrap.servers": broker.address, "group.id": "unused", "log_level": 0})
        try:
            times = [TopicPartition(topic, 0, START_MS + delta) for delta in (0, 1, 20_000, 38_000)]
            by_time = [consumer.offsets_for_times([each], 10)[0].offset for each in times]
            after = consumer.offsets_for_times([TopicPartition(topic, 0, START_MS + 38_001)], 10)[0].offset
            marks = consumer.get_watermark_offsets(TopicPartition(topic, 1), 10)
        finally:
            consumer.close()
        middle = read(broker, [TopicPartition(topic, 0, 7)], 13)
        tail = read(broker, [TopicPartition(topic, 0, by_time[2])], 10)
        small = read(broker, everything(topic), 40, **{"fetch.message.max.bytes": 100, "fetch.max.bytes": 1000,
                                                       "message.max.bytes": 1000})  # fmt: skip
        end = read(broker, [TopicPartition(topic, 0, 20)], 1, **{"enable.partition.eof": True})
        return by_time, after, marks, middle, tail, small, end

    both.same(step)


def test_out_of_range(both: Both, topic: str) -> None:
    def step(broker: Broker) -> Any:
        broker.create(topic, 2)
        send(broker, topic, 10)
        wrong = read(broker, [TopicPartition(topic, 0, 777)], 1)
        reset = read(broker, [TopicPartition(topic, 0, 777)], 5, **{"auto.offset.reset": "earliest"})
        return wrong, reset

    both.same(step)


def test_refused_records(both: Both, topic: str) -> None:
    def step(broker: Broker) -> Any:
        broker.create(topic, 1, max_message_bytes="1000")
        broker.create(f"{topic}-compacted", 1, cleanup_policy="compact")
        broker.create(f"{topic}-recent", 1, message_timestamp_before_max_ms="1000")
        return {
            "too large": one(broker, topic, value=b"x" * 5000),
            "no key": one(broker, f"{topic}-compacted", value=b"v"),
            "tombstone": one(broker, f"{topic}-compacted", key=b"k"),
            "old": one(broker, f"{topic}-recent", value=b"v", timestamp=START_MS),
            "bad name": one(broker, "bad name!", value=b"v"),
            "unknown partition": one(broker, topic, value=b"v", partition=9),
            "auto-created": one(broker, f"{topic}-auto", value=b"v"),
        }

    both.same(step)


def test_topics(both: Both, topic: str) -> None:
    def step(broker: Broker) -> Any:
        client = admin(broker)
        wanted = [
            NewTopic(topic, 3, 1, config={"retention.ms": "3600000"}),
            NewTopic("bad name!", 1, 1),
            NewTopic(f"{topic}-replicas", 1, 3),
            NewTopic(f"{topic}-config", 1, 1, config={"no.such": "1"}),
        ]
        created = outcomes(client.create_topics(wanted))
        broker.wait_for(topic, 3)
        again = outcomes(client.create_topics([NewTopic(topic, 1, 1)]))
        listed = client.list_topics(topic, 10).topics[topic]
        shown = sorted((p.id, p.leader, p.replicas, p.isrs) for p in listed.partitions.values())
        grown = outcomes(client.create_partitions([NewPartitions(topic, 5)]))
        broker.wait_for(topic, 5)
        shrunk = outcomes(client.create_partitions([NewPartitions(topic, 2)]))
        cluster = client.describe_cluster().result(60)
        deleted = outcomes(client.delete_topics([topic, f"{topic}-nowhere"]))
        return created, again, shown, grown, shrunk, len(cluster.nodes), cluster.controller.id, deleted

    both.same(step)


def test_settings(both: Both, topic: str) -> None:
    def step(broker: Broker) -> Any:
        client = admin(broker)
        broker.create(topic, 1, segment_bytes="2097152")
        resource = ConfigResource(ResourceType.TOPIC, topic)

        def shown() -> Any:
            found = client.describe_configs([resource])[resource].result(60)
            return {
                e.name: (e.value, e.source, e.is_read_only, e.is_sensitive, sorted(e.synonyms)) for e in found.values()
            }

        def change(name: str, operation: Any, value: str | None) -> Any:
            entry = ConfigEntry(name, value, incremental_operation=operation)
            changed = ConfigResource(ResourceType.TOPIC, topic, incremental_configs=[entry])
            return list(outcomes(client.incremental_alter_configs([changed])).values())

        before = shown()
        story = [
            change("retention.ms", AlterConfigOpType.SET, "777"),
            change("cleanup.policy", AlterConfigOpType.APPEND, "compact"),
            change("cleanup.policy", AlterConfigOpType.SUBTRACT, "delete"),
            change("retention.ms", AlterConfigOpType.SET, "soon"),
            change("no.such", AlterConfigOpType.SET, "1"),
        ]
        broker_resource = ConfigResource(ResourceType.BROKER, "1")
        unknown = ConfigResource(ResourceType.TOPIC, f"{topic}-nowhere")
        names = client.describe_configs([broker_resource])[broker_resource].result(60)
        count = len([name for name in names if not name.startswith("tidelog.")])
        return before, story, outcome(client.describe_configs([unknown])[unknown]), count

    both.same(step)


def test_offsets_and_records(both: Both, topic: str) -> None:
    def step(broker: Broker) -> Any:
        client = admin(broker)
        broker.create(topic, 2)
        send(broker, topic, 20)
        first = TopicPartition(topic, 0)
        specs = {
            "earliest": OffsetSpec.earliest(),
            "latest": OffsetSpec.latest(),
            "max": OffsetSpec.max_timestamp(),
            "at": OffsetSpec.for_timestamp(START_MS + 7000),
        }
        listed = {}
        for name, spec in specs.items():
            info = outcome(client.list_offsets({first: spec})[first])
            listed[name] = (info.offset, info.timestamp, info.leader_epoch)
        cut = TopicPartition(topic, 0, 4)
        deleted = outcome(client.delete_records([cut])[cut])
        beyond = TopicPartition(topic, 0, 400)
        refused = outcome(client.delete_records([beyond])[beyond])
        return listed, deleted.low_watermark, refused, read(broker, [TopicPartition(topic, 0, 4)], 6)

    both.same(step)


def test_many_producers_at_once(both: Both, topic: str) -> None:
    """Four idempotent producers in threads: every record is there once, each producer's records in order."""

    def step(broker: Broker) -> Any:
        broker.create(topic, 2)

        def work(who: int) -> None:
            producer = Producer({"bootstrap.servers": broker.address, "enable.idempotence": True, "log_level": 0})
            for i in range(500):
                producer.produce(topic, key=str(who), value=str(i), partition=i % 2)
            producer.flush(20)

        threads = [threading.Thread(target=work, args=(who,)) for who in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        order: dict[Any, list[int]] = {}
        for record in read(broker, everything(topic), 2000):
            order.setdefault((record[0], record[4]), []).append(int(record[5]))
        return {str(key): values == sorted(values) and len(values) for key, values in order.items()}

    assert set(both.same(step).values()) == {250}
