"""kill -9 in a loop while clients write: what was acknowledged is there, at its offset, once and in order."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random

import pytest
from confluent_kafka import Consumer, Message, Producer
from confluent_kafka import TopicPartition as KafkaPartition
from confluent_kafka.admin import AdminClient, NewTopic

from peer.ours import OurNode
from tidelog.protocol.record_batch import iter_batches

PARTITIONS = 3
QUIET = {"log_level": 0}


class Load:
    """Producers that write numbered values without pause, and what they were told."""

    def __init__(self, address: str, topic: str, idempotent: bool) -> None:
        self.topic = topic
        self.acked: dict[tuple[int, int], bytes] = {}
        self.failed = 0
        self._stop = threading.Event()
        self._settings = {
            **QUIET,
            "bootstrap.servers": address,
            "acks": "all",
            "enable.idempotence": idempotent,
            "linger.ms": 2,
            "delivery.timeout.ms": 60_000,
            "request.timeout.ms": 5_000,
            "retry.backoff.ms": 20,
            "reconnect.backoff.ms": 20,
            "reconnect.backoff.max.ms": 100,
        }
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _delivered(self, error: object, message: Message) -> None:
        if error is not None:
            self.failed += 1
            return
        partition, offset, value = message.partition(), message.offset(), message.value()
        assert partition is not None
        assert offset is not None
        assert value is not None
        self.acked[partition, offset] = value

    def _run(self) -> None:
        producer = Producer(self._settings)
        number = 0
        while not self._stop.is_set():
            try:
                partition = number % PARTITIONS
                producer.produce(self.topic, f"{number:08}".encode(), partition=partition, on_delivery=self._delivered)
                number += 1
            except BufferError:
                producer.poll(0.01)
            producer.poll(0)
            if number % 50 == 0:
                time.sleep(0.005)
        producer.flush(60)

    def wait_for(self, more: int) -> None:
        goal = len(self.acked) + more
        wait(lambda: len(self.acked) >= goal, f"{more} more acknowledgements")

    def stop(self) -> None:
        self._stop.set()
        self._thread.join(90)


def wait(condition: Callable[[], bool], what: str, timeout_s: float = 90) -> None:
    deadline = time.monotonic() + timeout_s
    while not condition():
        assert time.monotonic() < deadline, f"waited in vain for {what}"
        time.sleep(0.01)


def consume_partition(address: str, topic: str, partition: int) -> dict[tuple[int, int], bytes]:
    return consume(address, topic, [partition])


def consume(address: str, topic: str, partitions: Sequence[int] = range(PARTITIONS)) -> dict[tuple[int, int], bytes]:
    settings = {**QUIET, "bootstrap.servers": address, "group.id": "x", "enable.auto.commit": False}
    consumer = Consumer({**settings, "enable.partition.eof": True, "check.crcs": True})
    found: dict[tuple[int, int], bytes] = {}
    try:
        consumer.assign([KafkaPartition(topic, partition, 0) for partition in partitions])
        ended: set[int] = set()
        while len(ended) < len(partitions):
            message = consumer.poll(30)
            assert message is not None
            partition, offset = message.partition(), message.offset()
            assert partition is not None
            if message.error() is not None:
                assert message.error().name() == "_PARTITION_EOF", message.error()
                ended.add(partition)
            else:
                assert offset is not None
                found[partition, offset] = message.value() or b""
    finally:
        consumer.close()
    return found


def create(address: str, topic: str, **settings: str) -> None:
    admin = AdminClient({**QUIET, "bootstrap.servers": address})
    config = {name.replace("_", "."): value for name, value in settings.items()}
    admin.create_topics([NewTopic(topic, PARTITIONS, 1, config=config)])[topic].result(30)


@pytest.fixture
def node(tmp_path: Path) -> Iterator[OurNode]:
    properties = {
        "log.flush.offset.checkpoint.interval.ms": "500",
        "replica.high.watermark.checkpoint.interval.ms": "500",
    }
    running = OurNode(tmp_path / "node", properties)
    running.start()
    try:
        yield running
    finally:
        running.close()


def assert_kept(load: Load, found: dict[tuple[int, int], bytes], idempotent: bool) -> None:
    missing = {place: value for place, value in load.acked.items() if found.get(place) != value}
    assert not missing, (
        f"{len(missing)} of {len(load.acked)} acknowledged records are gone: {list(missing.items())[:5]}"
    )
    for partition in range(PARTITIONS):
        offsets = sorted(offset for each, offset in found if each == partition)
        assert offsets == list(range(len(offsets))), "offsets have gaps"
        values = [found[partition, offset] for offset in offsets]
        if idempotent:
            assert values == sorted(set(values)), "records are out of order or twice there"
        else:
            assert sorted(set(values)) == [value for number, value in enumerate(values) if value not in values[:number]]


@pytest.mark.parametrize("flush", ["1", "9223372036854775807"], ids=["flushed", "not flushed"])
def test_acknowledged_records_survive_kill_after_kill(node: OurNode, flush: str) -> None:
    create(node.address, "clicks", flush_messages=flush, segment_bytes="1048576")
    load = Load(node.address, "clicks", idempotent=True)
    source = Random(5)
    try:
        for _ in range(4):
            load.wait_for(source.randrange(100, 1500))
            node.kill()
            node.start()
        load.wait_for(200)
    finally:
        load.stop()
    assert load.failed == 0
    found = consume(node.address, "clicks")
    assert_kept(load, found, idempotent=True)
    assert node.stop() == 0
    node.start()
    assert consume(node.address, "clicks") == found


def test_a_clean_stop_under_load_loses_nothing(node: OurNode) -> None:
    create(node.address, "clicks")
    load = Load(node.address, "clicks", idempotent=True)
    try:
        for _ in range(2):
            load.wait_for(300)
            assert node.stop() == 0
            assert list(node.data.rglob(".kafka_cleanshutdown"))
            node.start()
            assert not list(node.data.rglob(".kafka_cleanshutdown"))
        load.wait_for(100)
    finally:
        load.stop()
    assert load.failed == 0
    assert_kept(load, consume(node.address, "clicks"), idempotent=True)


def test_damage_keeps_one_partition_closed_and_says_why(node: OurNode) -> None:
    create(node.address, "clicks", segment_bytes="1048576")
    load = Load(node.address, "clicks", idempotent=True)
    [path] = node.data.rglob("clicks-1/*.log")
    wait(lambda: len(list(iter_batches(path.read_bytes()))) >= 5, "five batches")
    load.stop()
    node.kill()
    content = bytearray(path.read_bytes())
    content[100] ^= 0x10
    path.write_bytes(content)
    node.start()
    assert path.read_bytes() == bytes(content), "a damaged file was changed"
    output = node.output.read_text()
    assert "clicks-1" in output
    assert "Restore the files from a replica or a backup" in output
    producer = Producer({**QUIET, "bootstrap.servers": node.address, "delivery.timeout.ms": 3000})
    errors = []
    for partition in (0, 1):
        producer.produce("clicks", b"x", partition=partition, on_delivery=lambda error, _: errors.append(error))
    producer.flush(30)
    assert sorted(error is None for error in errors) == [False, True]
