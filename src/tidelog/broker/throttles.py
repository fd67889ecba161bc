"""The throttles of reassignments: bytes a second that this broker gives to, and takes for, replicas named in settings.

`leader.replication.throttled.rate` and `follower.replication.throttled.rate` are the broker's rates; the topics name
the replicas, as `partition:broker` or `*`. A replica that is in sync is never held back: it has to keep up.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from tidelog.broker.partition import Partition
from tidelog.metadata.configs import BROKER
from tidelog.metadata.image import MetadataImage
from tidelog.ports import Clock
from tidelog.replication.throttle import UNLIMITED, Throttle

if TYPE_CHECKING:
    from tidelog.broker.broker import Broker

LEADER_RATE, FOLLOWER_RATE = "leader.replication.throttled.rate", "follower.replication.throttled.rate"
Named = frozenset[int] | None  # partitions; None for all


class Throttles:
    def __init__(self, broker: Broker) -> None:
        self._broker = broker
        self.leader = Throttle()
        self.follower = Throttle()
        # By topic, the partitions whose replica here is named.
        self._leading: dict[str, Named] = {}
        self._following: dict[str, Named] = {}

    def rates_changed(self, image: MetadataImage) -> None:
        own = {**image.configs.get(BROKER, ""), **image.configs.get(BROKER, str(self._broker.node_id))}
        self.leader.set_rate(int(own.get(LEADER_RATE) or UNLIMITED))
        self.follower.set_rate(int(own.get(FOLLOWER_RATE) or UNLIMITED))

    def topic_changed(self, topic: str, leading: Iterable[str], following: Iterable[str]) -> None:
        for named, words in ((self._leading, leading), (self._following, following)):
            found = _named(words, self._broker.node_id)
            if found is None or found:
                named[topic] = found
            else:
                named.pop(topic, None)

    def holds_back(self, partition: Partition, replica: int, clock: Clock) -> bool:
        """Whether the leader gives this follower nothing now."""
        leader = partition.leader
        return (
            self.leader.is_limited
            and leader is not None
            and replica not in leader.isr
            and _is_named(self._leading, partition)
            and self.leader.is_exceeded(clock.monotonic_ms())
        )

    def gave(self, partition: Partition, size: int, now_ms: int) -> None:
        if self.leader.is_limited and size and _is_named(self._leading, partition):
            self.leader.spend(size, now_ms)

    def took(self, partition: Partition, size: int, in_sync: bool, now_ms: int) -> int:
        """How many milliseconds the follower waits before it asks for more of this partition."""
        if not self.follower.is_limited or not size or not _is_named(self._following, partition):
            return 0
        self.follower.spend(size, now_ms)
        return 0 if in_sync else self.follower.wait_ms(now_ms)


def _is_named(topics: dict[str, Named], partition: Partition) -> bool:
    if partition.topic not in topics:
        return False
    named = topics[partition.topic]
    return named is None or partition.index in named


def _named(words: Iterable[str], node_id: int) -> Named:
    pairs = [word.strip().partition(":") for word in words if word.strip()]
    if any(index == "*" for index, _, _ in pairs):
        return None
    return frozenset(int(index) for index, _, broker in pairs if broker == str(node_id))
