"""A group changes from the classic protocol to the new one and back while it runs: members are replaced one by one."""

from typing import Any

import pytest
from confluent_kafka import Consumer, KafkaException, Producer, TopicPartition
from confluent_kafka.admin import AdminClient

from conformance.brokers import Both, Broker
from conformance.waiting import until

PARTITIONS = 4
EACH = 8
CLASSIC: dict[str, Any] = {"heartbeat.interval.ms": 200}
MODERN: dict[str, Any] = {"group.protocol": "consumer"}


class Group:
    """Its members are polled in turn, and each commits what it read at once."""

    def __init__(self, broker: Broker, topic: str) -> None:
        self.broker = broker
        self.topic = topic
        self.members: list[Consumer] = []
        self.seen: dict[bytes, int] = {}
        self.sent = 0

    def send(self) -> None:
        producer = Producer({"bootstrap.servers": self.broker.address, "log_level": 0})
        for _ in range(EACH):
            producer.produce(self.topic, value=f"v{self.sent}", partition=self.sent % PARTITIONS)
            self.sent += 1
        assert producer.flush(20) == 0

    def join(self, **settings: Any) -> None:
        own = {
            "bootstrap.servers": self.broker.address,
            "group.id": self.topic,
            "auto.offset.reset": "earliest",
            "enable.auto.commit": False,
            "log_level": 0,
            **settings,
        }
        self.members.append(Consumer(own))
        self.members[-1].subscribe([self.topic])

    def leave(self) -> None:
        """The oldest one goes."""
        self.members.pop(0).close()

    def shares(self) -> list[int]:
        for each in self.members:
            message = each.poll(0.05)
            if message is None or message.error():
                continue
            self.seen[message.value()] = self.seen.get(message.value(), 0) + 1
            # A commit between two generations is refused; what it would have said is said with a later one.
            try:
                each.commit(message, asynchronous=False)
            except KafkaException:
                continue
        return sorted(len(each.assignment()) for each in self.members)

    def settled(self) -> list[int]:
        """Once everything is shared out and everything that was sent is read."""
        share, more = divmod(PARTITIONS, len(self.members))
        expected = sorted([share] * (len(self.members) - more) + [share + 1] * more)
        until(True, lambda: self.shares() == expected and len(self.seen) == self.sent)
        assert len(self.seen) == self.sent, f"{self.sent - len(self.seen)} of {self.sent} records never came"
        return self.shares()

    def kind(self) -> str:
        admin = AdminClient({"bootstrap.servers": self.broker.address, "log_level": 0})
        found = admin.list_consumer_groups(request_timeout=60).result()
        return next(str(each.type) for each in found.valid if each.group_id == self.topic)


@pytest.mark.parametrize("instances", [False, True], ids=["dynamic", "static"])
def test_there_and_back(both: Both, topic: str, instances: bool) -> None:
    def named(number: int, settings: dict[str, Any]) -> dict[str, Any]:
        return {**settings, "group.instance.id": f"m{number}"} if instances else settings

    def step(broker: Broker) -> Any:
        broker.create(topic, PARTITIONS)
        group = Group(broker, topic)
        group.join(**named(0, CLASSIC))
        group.join(**named(1, CLASSIC))
        story: list[Any] = []
        for kind in (MODERN, CLASSIC):
            for number in range(2):
                group.send()
                story.append((group.settled(), group.kind()))
                group.leave()
                group.join(**named(number, kind))
        group.send()
        story.append((group.settled(), group.kind()))
        for each in group.members:
            each.close()
        reader = Consumer({"bootstrap.servers": broker.address, "group.id": topic})
        places = reader.committed([TopicPartition(topic, index) for index in range(PARTITIONS)], 10)
        reader.close()
        return story, [each.offset for each in places]

    story, places = both.same(step)
    assert [kind for _, kind in story] == [
        "ConsumerGroupType.CLASSIC",
        "ConsumerGroupType.CONSUMER",
        "ConsumerGroupType.CONSUMER",
        "ConsumerGroupType.CONSUMER",
        "ConsumerGroupType.CLASSIC",
    ]
    assert [shares for shares, _ in story] == [[2, 2]] * 5
    assert places == [5 * EACH // PARTITIONS] * PARTITIONS
