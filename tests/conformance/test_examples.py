"""Programs and logs as the books on Kafka show them, with their numbers."""

import subprocess
import sys
from typing import Any

from confluent_kafka import Consumer, Producer, TopicPartition
from kafka import KafkaConsumer, KafkaProducer
from kafka.errors import KafkaError
from kafka.structs import OffsetAndMetadata
from kafka.structs import TopicPartition as KafkaTopicPartition

from conformance.batches import batch
from conformance.brokers import Both, Broker
from conformance.programs import CLIENTS
from conformance.requests import fetch, list_offset, produce
from conformance.transactions import Transaction, stable_offset
from tidelog.protocol.record_batch import iter_batches


def visible(answer: Any) -> list[int]:
    """The offsets that a reader of committed records shows: data, less what lies in aborted transactions."""
    aborted = {each.producer_id: each.first_offset for each in answer.aborted_transactions or []}
    found = []
    for _, header in iter_batches(answer.records):
        if header.is_control:
            aborted.pop(header.producer_id, None)
        elif not (header.producer_id in aborted and header.base_offset >= aborted[header.producer_id]):
            found += range(header.base_offset, header.last_offset + 1)
    return found


def test_one_transaction_seen_one_skipped_one_waited_for(both: Both, topic: str) -> None:
    """Ten offsets: a committed transaction at 0 to 2, an aborted one at 3 to 5, an open one from 6 on."""

    def step(broker: Broker) -> Any:
        # The records' timestamps are old and the markers' are new: by default that alone would begin a new segment.
        broker.create(topic, 1, segment_ms=str(2**62))
        for number, commit in enumerate((True, False)):
            transaction = Transaction(broker, f"{topic}-{number}", 2)
            transaction.init()
            transaction.send(topic, 2)
            transaction.end(commit)
            stable_offset(broker, topic, 3 * (number + 1))
        waiting = Transaction(broker, f"{topic}-open", 2)
        waiting.init()
        waiting.send(topic, 4)
        answer = fetch(broker, topic, 0, isolation_level=1)
        everything = fetch(broker, topic, 0)
        waiting.end(False)
        return {
            "high watermark": answer.high_watermark,
            "last stable": answer.last_stable_offset,
            "committed": visible(answer),
            "uncommitted": visible(everything),
        }

    assert both.same(step) == {
        "high watermark": 10,
        "last stable": 6,
        "committed": [0, 1],
        "uncommitted": [0, 1, 3, 4, 6, 7, 8, 9],
    }


def test_the_last_stable_offset_is_where_the_oldest_open_transaction_began(both: Both, topic: str) -> None:
    """High watermark 8, last stable offset 3: an open transaction at 3 holds back what others wrote after it."""

    def step(broker: Broker) -> Any:
        broker.create(topic)
        produce(broker, topic, batch(3))
        waiting = Transaction(broker, topic, 2)
        waiting.init()
        waiting.send(topic, 1)
        produce(broker, topic, batch(4))
        answer = fetch(broker, topic, 0, isolation_level=1)
        ends = [list_offset(broker, topic, -1, isolation_level=level).offset for level in (0, 1)]
        seen = visible(answer)
        waiting.end(True)
        after = stable_offset(broker, topic, 9)
        return answer.high_watermark, answer.last_stable_offset, ends, seen, after

    assert both.same(step) == [8, 3, [8, 3], [0, 1, 2], 9]


def test_a_copier_that_crashes_loses_and_repeats_nothing(both: Both, topic: str) -> None:
    """It dies in the middle of a transaction, is started again, goes on from its last commit, and nobody can tell."""

    def step(broker: Broker) -> Any:
        target = f"{topic}-copy"
        broker.create(topic)
        broker.create(target)
        source = Producer({"bootstrap.servers": broker.address, "log_level": 0})
        for number in range(20):
            source.produce(topic, value=f"order-{number}")
        source.flush(10)
        program = [sys.executable, str(CLIENTS / "python" / "copy_orders.py"), broker.address, topic, target]
        crashed = subprocess.run([*program, "8"], timeout=60, check=False).returncode
        finished = subprocess.run([*program, "0"], timeout=60, check=False).returncode
        return crashed, finished, committed(broker, target, 20)

    crashed, finished, values = both.same(step)
    assert (crashed, finished) == (9, 0)
    assert values == [f"ORDER-{number}".encode().hex() for number in range(20)]


def committed(broker: Broker, topic: str, count: int) -> list[bytes]:
    settings = {"bootstrap.servers": broker.address, "group.id": "unused", "isolation.level": "read_committed"}
    reader = Consumer({**settings, "enable.partition.eof": True, "log_level": 0})
    reader.assign([TopicPartition(topic, 0, 0)])
    found: list[bytes] = []
    while (message := reader.poll(15)) is not None and not message.error():
        found.append(message.value())
    reader.close()
    assert len(found) <= count, "more came out than went in"
    return found


def test_the_transactional_producer_of_the_textbook(both: Both, topic: str) -> None:
    """kafka-python: three addresses of which one answers, five requests in flight, an order that fails."""

    def step(broker: Broker) -> Any:
        broker.create(topic)
        producer = KafkaProducer(
            bootstrap_servers=["127.0.0.1:1", broker.address, "127.0.0.1:2"],
            enable_idempotence=True,
            acks="all",
            max_in_flight_requests_per_connection=5,
            retries=2147483647,
            transactional_id=f"{topic}-order-producer-1",
        )
        producer.init_transactions()
        first = KafkaTopicPartition(topic, 0)
        story = []
        for order in ("good", "bad", "better"):
            try:
                producer.begin_transaction()
                producer.send(topic, value=order.encode()).get(60)
                if order == "bad":
                    raise KafkaError("this order cannot be filled")
                producer.send_offsets_to_transaction(
                    {first: OffsetAndMetadata(len(story) + 1, "", -1)}, f"{topic}-group"
                )
                producer.commit_transaction()
                story.append(f"{order} committed")
            except KafkaError:
                producer.abort_transaction()
                story.append(f"{order} aborted")
        producer.close()
        reader = KafkaConsumer(bootstrap_servers=broker.address, group_id=f"{topic}-group", enable_auto_commit=False)
        position = reader.committed(first)
        reader.close()
        return story, position, committed(broker, topic, 2)

    story, position, values = both.same(step)
    assert story == ["good committed", "bad aborted", "better committed"]
    assert position == 3
    assert values == [b"good".hex(), b"better".hex()]
