"""A program as people write it with kafka-python: an idempotent, transactional producer that commits positions too."""

import time
from typing import Any

import pytest
from kafka import KafkaConsumer, KafkaProducer, TopicPartition
from kafka.consumer.fetcher import ConsumerRecord
from kafka.errors import KafkaError
from kafka.structs import OffsetAndMetadata

from conformance.brokers import Both, Broker


@pytest.fixture(params=["ours", "apache"])
def broker(request: pytest.FixtureRequest, both: Both) -> Broker:
    return both.ours if request.param == "ours" else both.apache


def order_producer(broker: Broker, topic: str) -> KafkaProducer:
    return KafkaProducer(
        # Three are named, one answers: any one that can be reached is enough.
        bootstrap_servers=["127.0.0.1:1", broker.address, "127.0.0.1:2"],
        enable_idempotence=True,
        acks="all",
        max_in_flight_requests_per_connection=5,
        retries=2147483647,
        transactional_id=f"{topic}-order-producer-1",
        # The order in which it tries them is chance, and by default it waits up to half a minute after each failure.
        reconnect_backoff_max_ms=200,
    )


def process_batch(producer: KafkaProducer, records: list[ConsumerRecord], output: str, group: str, bad: str) -> None:
    """Output and positions in one transaction, or nothing at all."""
    producer.begin_transaction()
    try:
        offsets: dict[TopicPartition, Any] = {}
        for record in records:
            if record.value.decode() == bad:
                raise KafkaError("this order cannot be processed")
            producer.send(output, value=record.value.upper())
            at = TopicPartition(record.topic, record.partition)
            offsets[at] = OffsetAndMetadata(record.offset + 1, "", -1)
        producer.send_offsets_to_transaction(offsets, group)
        producer.commit_transaction()
    except KafkaError:
        producer.abort_transaction()
        raise


def committed_values(broker: Broker, topic: str, count: int) -> list[bytes]:
    consumer = KafkaConsumer(
        topic,
        bootstrap_servers=broker.address,
        auto_offset_reset="earliest",
        isolation_level="read_committed",
        consumer_timeout_ms=20_000,
        group_id=None,
    )
    found = []
    for record in consumer:
        found.append(record.value)
        if len(found) == count:
            break
    consumer.close()
    return found


def committed_position(reader: KafkaConsumer, partition: TopicPartition, expected: int) -> Any:
    """Once it is what is expected: a commit is decided first and written to the partitions a moment later."""
    deadline = time.monotonic() + 60
    while (found := reader.committed(partition)) != expected and time.monotonic() < deadline:
        time.sleep(0.01)
    return found


def test_an_order_is_processed_exactly_once(broker: Broker, topic: str) -> None:
    output, group = f"{topic}-out", f"{topic}-group"
    broker.create(topic)
    broker.create(output)
    source = KafkaProducer(bootstrap_servers=broker.address)
    for number in range(6):
        source.send(topic, f"order-{number}".encode()).get(60)
    source.close()

    reader = KafkaConsumer(bootstrap_servers=broker.address, group_id=group, enable_auto_commit=False)
    partition = TopicPartition(topic, 0)
    reader.assign([partition])
    reader.seek(partition, 0)
    records: list[ConsumerRecord] = []
    while len(records) < 6:
        for batch in reader.poll(timeout_ms=10_000).values():
            records += batch

    producer = order_producer(broker, topic)
    producer.init_transactions()
    process_batch(producer, records[:3], output, group, bad="none")
    with pytest.raises(KafkaError):
        process_batch(producer, records[3:], output, group, bad="order-5")
    assert committed_position(reader, partition, 3) == 3, "the aborted batch left no position behind"
    process_batch(producer, records[3:], output, group, bad="none")
    assert committed_position(reader, partition, 6) == 6
    producer.close()
    reader.close()
    assert committed_values(broker, output, 6) == [f"ORDER-{number}".encode() for number in range(6)]


def test_a_second_session_fences_the_first(broker: Broker, topic: str) -> None:
    broker.create(topic)
    first = order_producer(broker, topic)
    first.init_transactions()
    first.begin_transaction()
    first.send(topic, b"from the first").get(60)
    second = order_producer(broker, topic)
    second.init_transactions()
    with pytest.raises(KafkaError):
        first.commit_transaction()
    second.begin_transaction()
    second.send(topic, b"from the second")
    second.commit_transaction()
    second.close()
    assert committed_values(broker, topic, 1) == [b"from the second"]
