"""confluent-kafka: groups with every assignor and both protocols, committed offsets, and transactions."""

from typing import Any

import pytest
from confluent_kafka import Consumer, ConsumerGroupTopicPartitions, KafkaException, Producer, TopicPartition
from confluent_kafka.admin import AdminClient

from conformance.brokers import Both, Broker
from conformance.waiting import until

COUNT = 24


def fill(broker: Broker, topic: str, partitions: int = 4) -> None:
    broker.create(topic, partitions)
    producer = Producer({"bootstrap.servers": broker.address, "log_level": 0})
    for i in range(COUNT):
        producer.produce(topic, key=str(i), value=f"v{i}", partition=i % partitions)
    assert producer.flush(20) == 0


def member(broker: Broker, topic: str, **settings: Any) -> Consumer:
    options = {
        "bootstrap.servers": broker.address,
        "group.id": topic,
        "auto.offset.reset": "earliest",
        "enable.auto.commit": False,
        "log_level": 0,
        **settings,
    }
    if options.get("group.protocol") != "consumer":
        options.setdefault("heartbeat.interval.ms", 200)
    consumer = Consumer(options)
    consumer.subscribe([topic])
    return consumer


def poll(members: list[Consumer], seen: set[tuple[int, int]]) -> list[int]:
    """Poll every member, note what came, and give how many partitions each has."""
    for each in members:
        message = each.poll(0.05)
        if message is not None and not message.error():
            seen.add((message.partition(), message.offset()))
    return [len(each.assignment()) for each in members]


SETTINGS: dict[str, dict[str, Any]] = {
    "range": {"partition.assignment.strategy": "range"},
    "roundrobin": {"partition.assignment.strategy": "roundrobin"},
    "cooperative-sticky": {"partition.assignment.strategy": "cooperative-sticky"},
    "consumer protocol": {"group.protocol": "consumer"},
    "consumer protocol, range": {"group.protocol": "consumer", "group.remote.assignor": "range"},
}


@pytest.mark.parametrize("name", SETTINGS)
def test_two_members_share_and_one_goes(both: Both, topic: str, name: str) -> None:
    def step(broker: Broker) -> Any:
        fill(broker, topic)
        members = [member(broker, topic, **SETTINGS[name]) for _ in range(2)]
        seen: set[tuple[int, int]] = set()
        shared = until([2, 2], lambda: poll(members, seen))
        members.pop().close()
        alone = until([4], lambda: poll(members, seen))
        until(COUNT, lambda: poll(members, seen) and len(seen))
        members[0].close()
        return shared, alone, len(seen)

    assert both.same(step) == [[2, 2], [4], COUNT]


def test_a_static_member_comes_back_without_a_rebalance(both: Both, topic: str) -> None:
    def step(broker: Broker) -> Any:
        fill(broker, topic)
        static = {"session.timeout.ms": 20_000}
        members = [member(broker, topic, **static, **{"group.instance.id": f"m{i}"}) for i in range(2)]
        seen: set[tuple[int, int]] = set()
        shared = until([2, 2], lambda: poll(members, seen))
        before = sorted(part.partition for part in members[1].assignment())
        members.pop().close()
        members.append(member(broker, topic, **static, **{"group.instance.id": "m1"}))
        again = until([2, 2], lambda: poll(members, seen))
        after = sorted(part.partition for part in members[1].assignment())
        for each in members:
            each.close()
        return shared, again, before == after

    assert both.same(step) == [[2, 2], [2, 2], True]


def test_committed_offsets(both: Both, topic: str) -> None:
    def step(broker: Broker) -> Any:
        fill(broker, topic, 1)
        first = member(broker, topic)
        read = [first.poll(15).value() for _ in range(10)]
        first.commit(asynchronous=False)
        noted = TopicPartition(topic, 0, 7, "a note")
        committed = first.committed([TopicPartition(topic, 0)], 10)[0].offset
        first.close()
        second = member(broker, topic)
        rest = second.poll(15).value()
        second.commit(offsets=[noted], asynchronous=False)
        back = second.committed([TopicPartition(topic, 0)], 10)[0]
        second.close()
        admin = AdminClient({"bootstrap.servers": broker.address, "log_level": 0})
        listed = admin.list_consumer_group_offsets([ConsumerGroupTopicPartitions(topic)])[topic].result(60)
        shown = [(each.partition, each.offset, each.metadata) for each in listed.topic_partitions]
        described = admin.describe_consumer_groups([topic])[topic].result(60)
        deleted = outcome(admin.delete_consumer_groups([topic])[topic])
        again = outcome(admin.delete_consumer_groups([topic])[topic])
        state = str(described.state), described.is_simple_consumer_group, len(described.members)
        return read, committed, rest, (back.offset, back.metadata), shown, state, deleted, again

    both.same(step)


def outcome(future: Any) -> Any:
    try:
        return future.result(15)
    except KafkaException as error:
        return error.args[0].name()


def committed_values(broker: Broker, topic: str, count: int) -> Any:
    reader = Consumer({"bootstrap.servers": broker.address, "group.id": "unused", "isolation.level": "read_committed"})
    reader.assign([TopicPartition(topic, 0, 0)])
    found = []
    while len(found) < count and (message := reader.poll(15)) is not None:
        found.append(message.error().name() if message.error() else (message.offset(), message.value()))
    reader.close()
    return found


class TestTransactions:
    def producer(self, broker: Broker, name: str) -> Producer:
        settings = {"bootstrap.servers": broker.address, "transactional.id": name, "log_level": 0}
        producer = Producer(settings)
        producer.init_transactions(20)
        return producer

    def test_commit_and_abort(self, both: Both, topic: str) -> None:
        def step(broker: Broker) -> Any:
            broker.create(topic)
            producer = self.producer(broker, topic)
            for number in range(6):
                producer.begin_transaction()
                producer.produce(topic, value=f"t{number}", partition=0)
                producer.flush(10)
                (producer.abort_transaction if number % 3 == 1 else producer.commit_transaction)(15)
            return committed_values(broker, topic, 4)

        assert len(both.same(step)) == 4

    def test_the_older_producer_is_fenced(self, both: Both, topic: str) -> None:
        def step(broker: Broker) -> Any:
            broker.create(topic)
            old = self.producer(broker, topic)
            old.begin_transaction()
            old.produce(topic, value="zombie", partition=0)
            old.flush(10)
            new = self.producer(broker, topic)
            try:
                old.commit_transaction(10)
                refused = "committed"
            except KafkaException as error:
                refused = error.args[0].name(), error.args[0].fatal()
            new.begin_transaction()
            new.produce(topic, value="alive", partition=0)
            new.commit_transaction(15)
            return refused, [value for _, value in committed_values(broker, topic, 1)]

        both.same(step)

    def test_consume_transform_produce(self, both: Both, topic: str) -> None:
        def step(broker: Broker) -> Any:
            fill(broker, topic, 1)
            broker.create(f"{topic}-out")
            consumer = member(broker, topic, **{"isolation.level": "read_committed"})
            producer = self.producer(broker, topic)
            copied, aborted = 0, False
            while copied < COUNT:
                batch = [each for each in consumer.consume(5, 5) if not each.error()]
                producer.begin_transaction()
                for each in batch:
                    producer.produce(f"{topic}-out", value=each.value() + b"!", partition=0)
                if copied == 10 and not aborted:
                    aborted = True
                    producer.abort_transaction(15)
                    consumer.seek(TopicPartition(topic, 0, batch[0].offset()))
                    continue
                where = consumer.position(consumer.assignment())
                producer.send_offsets_to_transaction(where, consumer.consumer_group_metadata(), 15)
                producer.commit_transaction(15)
                copied += len(batch)
            committed = consumer.committed([TopicPartition(topic, 0)], 10)[0].offset
            consumer.close()
            return committed, [value for _, value in committed_values(broker, f"{topic}-out", COUNT)]

        assert both.same(step)[0] == COUNT
