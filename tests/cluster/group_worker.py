"""A process that is one member of many groups. It joins when told to, and says what it is given, line by line."""

from __future__ import annotations

import sys
from functools import partial

from confluent_kafka import Consumer, TopicPartition

SETTINGS = {
    "log_level": 0,
    "auto.offset.reset": "earliest",
    "session.timeout.ms": 2000,
    "heartbeat.interval.ms": 200,
    "partition.assignment.strategy": "range",
}


def say(*words: object) -> None:
    print(*words, flush=True)


def given(group: str, consumer: Consumer, places: list[TopicPartition]) -> None:
    consumer.assign(places)
    say("given", group, *(each.partition for each in places))


def main(address: str, topic: str, groups: int) -> None:
    say("up")
    sys.stdin.readline()
    members = []
    for number in range(groups):
        group = f"group-{number}"
        consumer = Consumer({**SETTINGS, "bootstrap.servers": address, "group.id": group})
        consumer.subscribe([topic], on_assign=partial(given, group))
        members.append(consumer)
    while True:
        for consumer in members:
            consumer.consume(100, 0.005)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
