"""kafka-python 3: admin calls, producing with every codec and guarantee, reading by offset and time."""

from typing import Any

import pytest
from kafka import KafkaAdminClient, KafkaConsumer, KafkaProducer, TopicPartition
from kafka.admin import ConfigResource, ConfigResourceType
from kafka.errors import KafkaError

from conformance.batches import START_MS
from conformance.brokers import Both, Broker

CODECS = (None, "gzip", "snappy", "lz4", "zstd")


def outcome(call: Any, *args: Any, **options: Any) -> Any:
    try:
        return call(*args, **options)
    except KafkaError as error:
        return type(error).__name__


def send(broker: Broker, topic: str, count: int = 30, **settings: Any) -> Any:
    """Records with keys, headers and nulls to two partitions; gives where each went."""
    producer = KafkaProducer(bootstrap_servers=broker.address, linger_ms=20, **settings)
    try:
        futures = [
            producer.send(
                topic,
                key=None if i % 5 == 0 and i % 6 != 5 else b"key-%d" % (i % 7),
                value=None if i % 6 == 5 else f"value-{i}-é-{'x' * i * 10}".encode(),
                partition=i % 2,
                timestamp_ms=START_MS + i * 1000,
                headers=[("h", bytes([i, 0, 255])), ("", b"")] if i % 3 == 0 else None,
            )
            for i in range(count)
        ]
        producer.flush(20)
        sent = [future.get(60) for future in futures]
        return sorted((m.partition, m.offset, m.timestamp - START_MS) for m in sent)
    finally:
        producer.close(5)


def one(broker: Broker, topic: str, **record: Any) -> Any:
    producer = KafkaProducer(bootstrap_servers=broker.address, max_block_ms=3000, retries=1, delivery_timeout_ms=5000,
                             request_timeout_ms=4000)  # fmt: skip
    try:
        return outcome(lambda: producer.send(topic, **record).get(60).offset)
    finally:
        producer.close(5)


def consumer(broker: Broker, **settings: Any) -> KafkaConsumer:
    options = {"group_id": None, "enable_auto_commit": False, "auto_offset_reset": "none", "consumer_timeout_ms": 8000}
    return KafkaConsumer(bootstrap_servers=broker.address, **{**options, **settings})


def read(broker: Broker, positions: dict[TopicPartition, int | None], count: int, **settings: Any) -> Any:
    reader = consumer(broker, **settings)
    found = []
    try:
        reader.assign(list(positions))
        for partition, offset in positions.items():
            reader.seek_to_beginning(partition) if offset is None else reader.seek(partition, offset)
        for m in reader:
            at = "now" if m.timestamp_type else m.timestamp
            found.append((m.partition, m.offset, at, m.timestamp_type, m.key, m.value, list(m.headers), m.leader_epoch))
            if len(found) == count:
                break
    except KafkaError as error:
        return found, type(error).__name__
    finally:
        reader.close()
    return sorted(found, key=lambda each: each[:2])


def everything(topic: str) -> dict[TopicPartition, int | None]:
    return {TopicPartition(topic, index): None for index in range(2)}


@pytest.mark.parametrize("idempotent", [True, False])
@pytest.mark.parametrize("codec", CODECS)
def test_codecs(both: Both, topic: str, codec: str | None, idempotent: bool) -> None:
    def step(broker: Broker) -> Any:
        broker.create(topic, 2)
        sent = send(broker, topic, compression_type=codec, enable_idempotence=idempotent, acks="all")
        return sent, read(broker, everything(topic), 30)

    assert len(both.same(step)[1]) == 30


@pytest.mark.parametrize("acks", [0, 1, "all"])
def test_acks(both: Both, topic: str, acks: int | str) -> None:
    def step(broker: Broker) -> Any:
        broker.create(topic, 2)
        sent = send(broker, topic, 10, acks=acks, enable_idempotence=False)
        return sent if acks else len(sent), read(broker, everything(topic), 10)

    both.same(step)


def test_positions(both: Both, topic: str) -> None:
    def step(broker: Broker) -> Any:
        broker.create(topic, 2)
        send(broker, topic, 40, batch_size=300)
        first, second = TopicPartition(topic, 0), TopicPartition(topic, 1)
        reader = consumer(broker)
        try:
            deltas = (0, 1, 20_000, 38_000, 38_001)
            by_time = [reader.offsets_for_times({first: START_MS + delta})[first] for delta in deltas]
            marks = reader.beginning_offsets([first]), reader.end_offsets([second]), reader.partitions_for_topic(topic)
        finally:
            reader.close()
        middle = read(broker, {first: 7}, 13)
        tail = read(broker, {first: by_time[2].offset}, 10)
        small = read(broker, everything(topic), 40, max_partition_fetch_bytes=100, fetch_max_bytes=100)
        return [each and tuple(each) for each in by_time], [str(mark) for mark in marks], middle, tail, small

    both.same(step)


def test_out_of_range(both: Both, topic: str) -> None:
    def step(broker: Broker) -> Any:
        broker.create(topic, 2)
        send(broker, topic, 10)
        first = TopicPartition(topic, 0)
        return read(broker, {first: 777}, 1), read(broker, {first: 777}, 5, auto_offset_reset="earliest")

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
            "old": one(broker, f"{topic}-recent", value=b"v", timestamp_ms=START_MS),
            "auto-created": one(broker, f"{topic}-auto", value=b"v"),
        }

    both.same(step)


def test_topics(both: Both, topic: str) -> None:
    def step(broker: Broker) -> Any:
        admin = KafkaAdminClient(bootstrap_servers=broker.address)
        try:
            one_each = {"num_partitions": 1, "replication_factor": 1}
            wanted = {
                topic: {"num_partitions": 3, "replication_factor": 1, "configs": {"retention.ms": "3600000"}},
                "bad name!": one_each,
                f"{topic}-replicas": {**one_each, "replication_factor": 3},
                f"{topic}-config": {**one_each, "configs": {"no.such": "1"}},
            }
            created = admin.create_topics(wanted, raise_errors=False)["topics"]
            broker.wait_for(topic, 3)
            described = admin.describe_topics([topic])
            described[0]["partitions"].sort(key=lambda part: part["partition_index"])
            grown = outcome(lambda: bool(admin.create_partitions({topic: 5})))
            broker.wait_for(topic, 5)
            cluster = admin.describe_cluster()
            features = admin.describe_features()
            for feature in features.values():
                feature.pop("finalized_epoch", None)
            return {
                "created": sorted(created, key=lambda each: str(each["name"])),
                "again": outcome(admin.create_topics, {topic: one_each}),
                "listed": topic in admin.list_topics(),
                "described": described,
                "grown": grown,
                "shrunk": outcome(admin.create_partitions, {topic: 2}),
                "cluster": (len(cluster["brokers"]), cluster["controller_id"]),
                "deleted": outcome(lambda: bool(admin.delete_topics([topic]))),
                "unknown": outcome(admin.delete_topics, [f"{topic}-nowhere"]),
                "features": features,
                "quorum": len(admin.describe_metadata_quorum()),
            }
        finally:
            admin.close()

    both.same(step)


def test_settings_and_records(both: Both, topic: str) -> None:
    def step(broker: Broker) -> Any:
        admin = KafkaAdminClient(bootstrap_servers=broker.address)
        try:
            broker.create(topic, 2)
            send(broker, topic, 20)
            resource = ConfigResource(ConfigResourceType.TOPIC, topic)
            before = admin.describe_configs([resource], include_synonyms=True, config_filter="all")

            first = TopicPartition(topic, 0)
            listed = {
                spec: admin.list_partition_offsets({first: spec})[first] for spec in (-1, -2, -3, START_MS + 7000)
            }
            deleted = admin.delete_records({first: 4})[first]
            refused = outcome(admin.delete_records, {first: 400})

            def change(**configs: Any) -> Any:
                named = {name.replace("_", "."): value for name, value in configs.items()}
                changed = ConfigResource(ConfigResourceType.TOPIC, topic, configs=named)
                return str(outcome(admin.alter_configs, [changed], raise_on_unknown=False)).partition("(")[0]

            story = [
                change(retention_ms="777"),
                change(cleanup_policy=("APPEND", "compact")),
                change(cleanup_policy=("SUBTRACT", "delete")),
                change(retention_ms="soon"),
                change(no_such="1"),
            ]
            directories = admin.describe_log_dirs({topic: [0, 1]})
            on_disk = [len(each["topics"][0]["partitions"]) for each in directories[0]["log_dirs"]]
            described = before["topic"][topic]
            for setting in described.values():
                setting.pop("documentation", None)
            return {
                "before": described, "story": story, "listed": {k: tuple(v) for k, v in listed.items()},
                "deleted": deleted, "refused": refused, "on disk": on_disk,
                "producers": len(admin.describe_producers([first])),
            }  # fmt: skip
        finally:
            admin.close()

    both.same(step)
