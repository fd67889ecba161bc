"""Settings of one seed: no two clusters are set up alike, so that what needs small segments or long waits shows.

Each seed draws every setting on its own, mostly the default, sometimes one that makes a rare path a common one. What
follows from the kind of story (replicas, syncs, time) is set elsewhere and wins.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from random import Random

Choices = dict[str, tuple[str, ...]]

BROKER: Choices = {
    "replica.fetch.wait.max.ms": ("500", "500", "1500", "4000"),
    "replica.lag.time.max.ms": ("30000", "30000", "10000", "6000"),
    "num.replica.fetchers": ("1", "1", "2"),
    "controller.quorum.fetch.timeout.ms": ("2000", "2000", "4000"),
    "metadata.log.max.record.bytes.between.snapshots": ("20971520", "20000", "3000"),
    "internal.metadata.log.segment.bytes": ("8388608", "20000", "4000"),
    "log.index.interval.bytes": ("4096", "1000", "100"),
    "log.cleaner.backoff.ms": ("15000", "15000", "1000"),
    "offsets.topic.segment.bytes": ("104857600", "1048576"),
    "transaction.state.log.segment.bytes": ("104857600", "1048576"),
    "log.cleaner.min.cleanable.ratio": ("0.5", "0.5", "0.01"),
    "leader.imbalance.check.interval.seconds": ("300", "300", "10"),
    "log.flush.offset.checkpoint.interval.ms": ("60000", "5000"),
    "replica.high.watermark.checkpoint.interval.ms": ("5000", "5000", "500"),
    "max.incremental.fetch.session.cache.slots": ("1000", "1000", "2"),
    "group.coordinator.append.linger.ms": ("-1", "0", "5"),
}
# Beat and session, together: a broker must beat several times in a session.
SESSIONS = (("2000", "9000"), ("2000", "9000"), ("1000", "4000"), ("4000", "18000"))
CLASSIC = (("2000", "15000"), ("3000", "10000"))
TOPIC: Choices = {
    "internal.segment.bytes": ("20000", "20000", "3000", "1048576"),
    "message.timestamp.type": ("CreateTime", "LogAppendTime"),
    "compression.type": ("producer", "producer", "producer", "lz4", "zstd", "uncompressed"),
    "index.interval.bytes": ("4096", "500"),
}
PRODUCER: Choices = {
    "compression.type": ("none", "none", "zstd", "lz4", "gzip", "snappy"),
    "linger.ms": ("0", "5", "50"),
    "batch.size": ("16384", "16384", "300"),
    "max.in.flight.requests.per.connection": ("5", "5", "1"),
}
READER: Choices = {
    "fetch.max.wait.ms": ("500", "2000", "5000"),
    "max.partition.fetch.bytes": ("1048576", "1048576", "2000"),
}


def draw(random: Random, choices: Choices) -> dict[str, str]:
    return {name: random.choice(values) for name, values in choices.items()}


@dataclass(frozen=True)
class Swarm:
    """What one seed's cluster and clients are set to."""

    broker: dict[str, str] = field(default_factory=dict)
    topic: dict[str, str] = field(default_factory=dict)
    producer: dict[str, str] = field(default_factory=dict)
    reader: dict[str, str] = field(default_factory=dict)
    classic: dict[str, str] = field(default_factory=dict)
    # Brokers stand in racks, and readers read from the replica next to them.
    racks: bool = False

    @classmethod
    def drawn(cls, seed: str) -> Swarm:
        random = Random(f"swarm {seed}")
        heartbeat, session = random.choice(SESSIONS)
        broker = draw(random, BROKER)
        broker |= {"broker.heartbeat.interval.ms": heartbeat, "broker.session.timeout.ms": session}
        topic = draw(random, TOPIC) | {"segment.index.bytes": "4096"}
        classic = dict(zip(("heartbeat.interval.ms", "session.timeout.ms"), random.choice(CLASSIC), strict=True))
        producer, reader = draw(random, PRODUCER), draw(random, READER)
        racks = random.random() < 0.4
        if racks:
            broker["replica.selector.class"] = "org.apache.kafka.common.replica.RackAwareReplicaSelector"
        return cls(broker, topic, producer, reader, classic, racks)

    def unhurried(self, broker: dict[str, str], reader: dict[str, str], classic: dict[str, str]) -> Swarm:
        return replace(self, broker=self.broker | broker, reader=self.reader | reader, classic=classic)

    def told(self) -> str:
        """The settings that a reader of the story should know."""
        rows = {**self.broker, **self.topic, **{f"producer {k}": v for k, v in self.producer.items()}}
        rows |= {"racks": str(self.racks)}
        rows |= {f"reader {k}": v for k, v in self.reader.items()}
        return ", ".join(f"{name}={value}" for name, value in rows.items())
