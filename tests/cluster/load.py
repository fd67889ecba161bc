"""A load on a cluster and what came of it: what every producer was told, and what a reader finds in the end."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from confluent_kafka import Consumer, KafkaError, Message, Producer, TopicPartition
from confluent_kafka.admin import AdminClient
from confluent_kafka.cimpl import NewTopic

from tidelog.sim.checker import check
from tidelog.sim.history import History, Outcome, Read, Send

QUIET = {"log_level": 0}
PATIENT = {
    **QUIET,
    "acks": "all",
    "enable.idempotence": True,
    "linger.ms": 2,
    "delivery.timeout.ms": 90_000,
    "request.timeout.ms": 5_000,
    "socket.timeout.ms": 6_000,
    "retry.backoff.ms": 20,
    "reconnect.backoff.ms": 20,
    "reconnect.backoff.max.ms": 200,
    "topic.metadata.refresh.interval.ms": 2_000,
}


def admin(address: str) -> AdminClient:
    return AdminClient({**QUIET, "bootstrap.servers": address})


def create(address: str, topic: str, partitions: int = 1, replicas: int = 3, **config: str) -> None:
    named = {name.replace("_", "."): value for name, value in config.items()}
    new = NewTopic(topic, num_partitions=partitions, replication_factor=replicas, config=named)
    client = admin(address)
    client.create_topics([new])[topic].result(30)


def create_at(address: str, topic: str, replicas: list[list[int]], **config: str) -> None:
    """With the brokers of each partition, the one that leads first."""
    named = {name.replace("_", "."): value for name, value in config.items()}
    client = admin(address)
    client.create_topics([NewTopic(topic, num_partitions=len(replicas), replica_assignment=replicas, config=named)])[
        topic
    ].result(30)


def describe(address: str, topic: str, partition: int = 0) -> tuple[int, set[int]]:
    """Leader and ISR, once the broker that is asked knows of the partition: a creation is answered before all do."""
    client = admin(address)
    deadline = time.monotonic() + 60
    while partition not in (found := client.list_topics(topic, timeout=20).topics[topic].partitions):
        assert time.monotonic() < deadline, f"no broker that was asked knows {topic}-{partition}"
        time.sleep(0.05)
    return found[partition].leader, set(found[partition].isrs)


class Load:
    """Producers that send numbered values until they are stopped, a few at a time so that none is in doubt for long."""

    def __init__(self, address: str, topic: str, partitions: int, producers: int = 2, **settings: object) -> None:
        self.history = History()
        self.doubts: list[str] = []  # why a send had no certain end
        self.topic = topic
        self.partitions = partitions
        self.acked = 0
        self._address = address
        self._settings = {**PATIENT, "bootstrap.servers": address, **settings}
        self._stopping = threading.Event()
        self._lock = threading.Lock()
        self._threads = [
            threading.Thread(target=self._run, args=(f"p{each}",), daemon=True) for each in range(producers)
        ]
        for thread in self._threads:
            thread.start()

    def _run(self, name: str) -> None:
        producer = Producer(self._settings)
        # Kafka takes any first sequence from a producer that a partition does not know: were the first batch refused,
        # by a leader that is not ready yet, and the next one taken, the gap would count as acknowledged.
        for number in range(self.partitions):
            self._send(producer, name, number)
            producer.flush(95)
        number = self.partitions
        while not self._stopping.is_set():
            if len(producer) >= 200:
                producer.poll(0.01)
                continue
            self._send(producer, name, number)
            number += 1
            producer.poll(0)
            if number % 10 == 0:
                self._stopping.wait(0.01)  # about a thousand a second: the faults are the test, not the load
        left = producer.flush(95)
        assert left == 0, f"{left} sends were never decided"

    def _send(self, producer: Producer, name: str, number: int) -> None:
        value, partition = f"{name}-{number}", number % self.partitions
        producer.produce(self.topic, value, partition=partition, on_delivery=self._told(name, value, partition))

    def _told(self, name: str, value: str, partition: int) -> Callable[[KafkaError | None, Message], None]:
        def told(error: KafkaError | None, message: Message) -> None:
            offset = message.offset()
            with self._lock:
                if error is None:
                    # librdkafka knows no offset when the answer to a later batch told it that this one was taken.
                    place = -1 if offset is None else offset
                    self.acked += 1
                    self.history.sends.append(Send(name, (self.topic, partition), value, Outcome.OK, place))
                else:
                    self.history.sends.append(Send(name, (self.topic, partition), value, Outcome.UNKNOWN))
                    self.doubts.append(f"{value} to {partition}: {error}")

        return told

    def wait_for_acks(self, more: int, timeout_s: float = 60) -> float:
        """Until that many more are acknowledged; gives how long it took."""
        begin, wanted = time.monotonic(), self.acked + more
        while self.acked < wanted:
            assert time.monotonic() < begin + timeout_s, f"only {self.acked} of {wanted} acks within {timeout_s} s"
            time.sleep(0.01)
        return time.monotonic() - begin

    def stop(self) -> None:
        self._stopping.set()
        for thread in self._threads:
            thread.join(120)
            assert not thread.is_alive(), "a producer does not end"

    def judge(self) -> int:
        """Reads everything back and has it judged; gives how many sends were acknowledged."""
        self.stop()
        self.history.reads += read_all(self._address, self.topic, self.partitions)
        self.history.final_readers.add("reader")
        self._place_all()
        anomalies = check(self.history)
        assert not anomalies, f"{len(anomalies)} anomalies, the first: {anomalies[:5]}"
        unknown = sum(each.outcome is not Outcome.OK for each in self.history.sends)
        assert unknown == 0, f"{unknown} sends of {len(self.history.sends)} had no certain end: {self.doubts}"
        return self.acked

    def _place_all(self) -> None:
        """What was acknowledged without an offset must be there, where the reader found it."""
        places = {each.value: each.offset for each in self.history.reads if each.reader == "reader"}
        for number, send in enumerate(self.history.sends):
            if send.outcome is Outcome.OK and send.offset < 0:
                assert send.value in places, f"{send.value} was acknowledged and is not there"
                self.history.sends[number] = send._replace(offset=places[send.value])


def read_all(address: str, topic: str, partitions: int, reader: str = "reader") -> list[Read]:
    """Everything up to the ends of all partitions, as they are now."""
    settings = {**QUIET, "bootstrap.servers": address, "group.id": reader, "enable.auto.commit": False}
    consumer = Consumer({**settings, "auto.offset.reset": "earliest", "enable.partition.eof": True})
    try:
        consumer.assign([TopicPartition(topic, each, 0) for each in range(partitions)])
        found: list[Read] = []
        at_end: set[int] = set()
        deadline = time.monotonic() + 60
        while len(at_end) < partitions:
            assert time.monotonic() < deadline, f"{topic} cannot be read to its end"
            for message in consumer.consume(10_000, 1.0):
                partition = message.partition() or 0
                error = message.error()
                if error is not None:
                    if error.code() == KafkaError._PARTITION_EOF:
                        at_end.add(partition)
                    continue
                value = (message.value() or b"").decode()
                found.append(Read(reader, (topic, partition), message.offset() or 0, value))
        return found
    finally:
        consumer.close()
