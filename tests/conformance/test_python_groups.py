"""kafka-python and aiokafka: groups with their assignors, committed offsets, and transactions."""

import asyncio
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest
from aiokafka import AIOKafkaConsumer, AIOKafkaProducer
from aiokafka.coordinator.assignors.range import RangePartitionAssignor as AioRange
from aiokafka.coordinator.assignors.roundrobin import RoundRobinPartitionAssignor as AioRoundRobin
from aiokafka.coordinator.assignors.sticky.sticky_assignor import StickyPartitionAssignor as AioSticky
from kafka import KafkaConsumer, KafkaProducer, TopicPartition
from kafka.coordinator.assignors.cooperative_sticky import CooperativeStickyAssignor
from kafka.coordinator.assignors.range import RangePartitionAssignor
from kafka.coordinator.assignors.roundrobin import RoundRobinPartitionAssignor
from kafka.coordinator.assignors.sticky.sticky_assignor import StickyPartitionAssignor
from kafka.structs import OffsetAndMetadata

from conformance.batches import batch
from conformance.brokers import Both, Broker
from conformance.requests import produce

COUNT = 24


def fill(broker: Broker, topic: str, partitions: int = 4) -> None:
    broker.create(topic, partitions)
    for index in range(partitions):
        produce(broker, topic, batch(COUNT // partitions), index=index)


def until(expected: Any, look: Callable[[], Any], patience_s: float = 25) -> Any:
    deadline = time.monotonic() + patience_s
    while (found := look()) != expected and time.monotonic() < deadline:
        time.sleep(0.01)
    return found


class Member(threading.Thread):
    """A kafka-python consumer in a thread of its own.

    Its polls are long: when one ends while the group is being joined, this client can lose the assignment that comes.
    """

    def __init__(self, broker: Broker, topic: str, **settings: Any) -> None:
        super().__init__(daemon=True)
        self.consumer = KafkaConsumer(
            topic,
            bootstrap_servers=broker.address,
            group_id=topic,
            auto_offset_reset="earliest",
            enable_auto_commit=False,
            heartbeat_interval_ms=200,
            **settings,
        )
        self.ending = False
        self.owned = 0
        self.seen: set[tuple[int, int]] = set()
        self.at_end: Callable[[KafkaConsumer], Any] = lambda consumer: None
        self.result: Any = None
        self.start()

    def run(self) -> None:
        while not self.ending:
            for records in self.consumer.poll(2000).values():
                self.seen.update((record.partition, record.offset) for record in records)
            self.owned = len(self.consumer.assignment())
        self.result = self.at_end(self.consumer)
        self.consumer.close()

    def end(self, at_end: Callable[[KafkaConsumer], Any] = lambda consumer: None) -> Any:
        """Stop polling, do one last thing in the consumer's own thread, close it, and give what that said."""
        self.at_end = at_end
        self.ending = True
        self.join(30)
        return self.result


ASSIGNORS = [
    RangePartitionAssignor,
    RoundRobinPartitionAssignor,
    StickyPartitionAssignor,
    CooperativeStickyAssignor,
]


@pytest.mark.parametrize("assignor", ASSIGNORS, ids=lambda a: a.name)
def test_kafka_python_members_share(both: Both, topic: str, assignor: Any) -> None:
    def step(broker: Broker) -> Any:
        fill(broker, topic)
        one, other = (Member(broker, topic, partition_assignment_strategy=[assignor]) for _ in range(2))
        shared = until([2, 2], lambda: [one.owned, other.owned])
        other.end()
        alone = until(4, lambda: one.owned)
        count = until(COUNT, lambda: len(one.seen | other.seen))
        one.end()
        return shared, alone, count

    assert both.same(step) == [[2, 2], 4, COUNT]


def test_a_static_member_of_kafka_python_comes_back_to_its_partitions(both: Both, topic: str) -> None:
    def step(broker: Broker) -> Any:
        fill(broker, topic)
        static = {"session_timeout_ms": 20_000}
        one, other = (Member(broker, topic, group_instance_id=f"m{i}", **static) for i in range(2))
        shared = until([2, 2], lambda: [one.owned, other.owned])
        before = other.end(lambda consumer: sorted(each.partition for each in consumer.assignment()))
        again = Member(broker, topic, group_instance_id="m1", **static)
        found = until([2, 2], lambda: [one.owned, again.owned])
        after = again.end(lambda consumer: sorted(each.partition for each in consumer.assignment()))
        one.end()
        return shared, found, before == after

    assert both.same(step) == [[2, 2], [2, 2], True]


def test_kafka_python_commits(both: Both, topic: str) -> None:
    def step(broker: Broker) -> Any:
        fill(broker, topic, 1)
        first = TopicPartition(topic, 0)

        def commit(consumer: KafkaConsumer) -> Any:
            consumer.commit({first: OffsetAndMetadata(9, "a note", 0)})
            return tuple(consumer.committed(first, metadata=True))

        before = Member(broker, topic, max_poll_records=10)
        until(True, lambda: len(before.seen) >= 10)
        kept = before.end(commit)
        after = Member(broker, topic)
        count = until(COUNT - 9, lambda: len(after.seen))
        after.end()
        return kept, min(after.seen), count

    both.same(step)


def test_kafka_python_transactions(both: Both, topic: str) -> None:
    def step(broker: Broker) -> Any:
        broker.create(topic)
        first = TopicPartition(topic, 0)
        producer = KafkaProducer(bootstrap_servers=broker.address, transactional_id=topic)
        producer.init_transactions()
        for number in range(6):
            producer.begin_transaction()
            producer.send(topic, b"t%d" % number, partition=0)
            producer.flush()
            if number == 3:
                producer.send_offsets_to_transaction({first: OffsetAndMetadata(3, "", 0)}, f"{topic}-group")
            producer.abort_transaction() if number % 3 == 1 else producer.commit_transaction()
        producer.close()
        reader = KafkaConsumer(
            bootstrap_servers=broker.address,
            group_id=f"{topic}-group",
            isolation_level="read_committed",
            enable_auto_commit=False,
        )
        reader.assign([first])
        committed = reader.committed(first)
        reader.seek_to_beginning(first)
        found: list[Any] = []

        def look() -> int:
            found.extend((r.offset, r.value) for records in reader.poll(100).values() for r in records)
            return len(found)

        until(4, look)
        reader.close()
        return committed, found

    assert len(both.same(step)[1]) == 4


@pytest.mark.parametrize("assignor", [AioRange, AioRoundRobin, AioSticky], ids=lambda a: a.name)
def test_aiokafka_members_share(both: Both, topic: str, assignor: Any) -> None:
    async def work(broker: Broker) -> Any:
        options = {"group_id": topic, "auto_offset_reset": "earliest", "enable_auto_commit": False}
        members = [
            AIOKafkaConsumer(
                topic,
                bootstrap_servers=broker.address,
                heartbeat_interval_ms=200,
                partition_assignment_strategy=[assignor],
                **options,
            )
            for _ in range(2)
        ]
        await asyncio.gather(*(each.start() for each in members))
        seen: set[tuple[int, int]] = set()

        async def look() -> list[int]:
            for each in members:
                for records in (await each.getmany(timeout_ms=50)).values():
                    seen.update((record.partition, record.offset) for record in records)
            return [len(each.assignment()) for each in members]

        async def wait(expected: list[int]) -> list[int]:
            deadline = time.monotonic() + 25
            while (found := await look()) != expected and time.monotonic() < deadline:
                pass
            return found

        shared = await wait([2, 2])
        await members.pop().stop()
        alone = await wait([4])
        deadline = time.monotonic() + 25
        while len(seen) < COUNT and time.monotonic() < deadline:
            await look()
        await members[0].commit()
        await members[0].stop()
        return shared, alone, len(seen)

    def step(broker: Broker) -> Any:
        fill(broker, topic)
        return asyncio.run(work(broker))

    assert both.same(step) == [[2, 2], [4], COUNT]


def test_a_static_member_of_aiokafka_comes_back_to_its_partitions(both: Both, topic: str) -> None:
    async def member(broker: Broker, name: str) -> AIOKafkaConsumer:
        options = {"group_id": topic, "session_timeout_ms": 20_000, "heartbeat_interval_ms": 200}
        made = AIOKafkaConsumer(topic, bootstrap_servers=broker.address, group_instance_id=name, **options)
        await made.start()
        return made

    async def owned(members: list[AIOKafkaConsumer]) -> list[list[int]]:
        deadline = time.monotonic() + 25
        while True:
            found = [sorted(each.partition for each in member.assignment()) for member in members]
            if [len(each) for each in found] == [2, 2] or time.monotonic() > deadline:
                return found
            await asyncio.sleep(0.02)

    async def work(broker: Broker) -> Any:
        members = list(await asyncio.gather(member(broker, "m0"), member(broker, "m1")))
        before = await owned(members)
        await members.pop().stop()
        members.append(await member(broker, "m1"))
        after = await owned(members)
        for each in members:
            await each.stop()
        return [len(each) for each in before], before == after

    def step(broker: Broker) -> Any:
        fill(broker, topic)
        return asyncio.run(work(broker))

    assert both.same(step) == [[2, 2], True]


def test_aiokafka_transactions(both: Both, topic: str) -> None:
    async def work(broker: Broker) -> Any:
        async with AIOKafkaProducer(bootstrap_servers=broker.address, transactional_id=topic) as producer:
            for number in range(6):
                await producer.begin_transaction()
                await producer.send_and_wait(topic, b"t%d" % number, partition=0)
                await (producer.abort_transaction() if number % 3 == 1 else producer.commit_transaction())
        options = {"isolation_level": "read_committed", "auto_offset_reset": "earliest"}
        async with AIOKafkaConsumer(topic, bootstrap_servers=broker.address, **options) as reader:
            found = [await asyncio.wait_for(reader.getone(), 15) for _ in range(4)]
        return [(each.offset, each.value) for each in found]

    def step(broker: Broker) -> Any:
        broker.create(topic)
        return asyncio.run(work(broker))

    assert len(both.same(step)) == 4
