"""Compaction: what a gigabyte costs, and what produce requests notice of it."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

from confluent_kafka import Producer
from confluent_kafka.admin._config import AlterConfigOpType, ConfigEntry, ConfigResource
from confluent_kafka.admin._resource import ResourceType

from bench.figure import Figure, Row, Samples
from bench.lab import Lab
from bench.side import Side

VALUE_BYTES = 500
KEYS = 100_000
FULL_MB = 240
SETTINGS = {"cleanup.policy": "compact", "min.cleanable.dirty.ratio": "1.0", "segment.bytes": str(16 << 20)}
NODE = {"log.cleaner.backoff.ms": "200"}
CODECS = ("none", "lz4")
RATE = 1000


class Compaction(Figure):
    name = "compaction"
    title = f"Compaction of records of {VALUE_BYTES} B with {KEYS:,} keys, in segments of 16 MB"
    rows = (
        Row("compaction_none_cpu", "not compressed", "CPU-s/GB", bar=1.0),
        Row("compaction_none_s", "not compressed, time", "s/GB"),
        Row("compaction_lz4_cpu", "lz4", "CPU-s/GB", bar=1.0),
        Row("compaction_p99_without_ms", "produce p99 without a cleaner at work", "ms", digits=3),
        Row("compaction_p99_with_ms", "produce p99 with a cleaner at work", "ms", digits=3),
    )
    expected_s = 150
    bounded_by = "hashing keys and copying records in compiled loops, and for compressed batches the codec"

    def measure(self, lab: Lab, samples: Samples) -> None:
        for kind in lab.kinds:
            lab.progress.step(f"compaction: {kind}", self.expected_s / len(lab.kinds))
            with _side(kind) as side:
                megabytes = lab.amount(FULL_MB)
                _compact(side, "warm-none", "none", megabytes // 2)
                _compact(side, "warm-lz4", "lz4", megabytes // 2)
                for repeat in range(lab.repeats):
                    for codec in CODECS:
                        cpu_s, seconds = _compact(side, f"{codec}-{repeat}", codec, megabytes)
                        samples.add(kind, {f"compaction_{codec}_cpu": cpu_s, f"compaction_{codec}_s": seconds})
                    samples.add(kind, _latency(side, repeat, megabytes))


@contextmanager
def _side(kind: str) -> Iterator[Side]:
    """A node of its own: nothing else is compacted on it."""
    side = Side(kind, "compaction", NODE)
    try:
        side.start()
        side.create_topic("latency")
        yield side
    finally:
        side.close()


def _compact(side: Side, topic: str, codec: str, megabytes: int) -> tuple[float, float]:
    """CPU seconds and seconds for each gigabyte of the dirty part."""
    dirty_bytes = _fill(side, topic, codec, megabytes)
    side.settle(0.3)
    cpu_s, began = side.cpu_seconds(), time.monotonic()
    _begin(side, topic)
    _wait(side, topic)
    spent = side.cpu_seconds() - cpu_s, time.monotonic() - began
    side.delete_topics(topic)
    return spent[0] / dirty_bytes * 1e9, spent[1] / dirty_bytes * 1e9


def _fill(side: Side, topic: str, codec: str, megabytes: int) -> int:
    """Updates of all keys in turn; gives the bytes of the closed segments."""
    side.create_topic(topic, 1, SETTINGS)
    options = {"bootstrap.servers": side.node.address, "linger.ms": 20, "compression.type": codec}
    producer = Producer({**options, "batch.size": 65_536, "queue.buffering.max.messages": 200_000})
    noise = Random(7).randbytes(1 << 20)
    for number in range(megabytes * 1_000_000 // (VALUE_BYTES + 30)):
        start = number * 251 % (len(noise) - 250)
        value = noise[start : start + 250] + number.to_bytes(4, "big") * ((VALUE_BYTES - 250) // 4)
        while True:
            try:
                producer.produce(topic, value, f"user-{number * 7919 % KEYS:08d}")
                break
            except BufferError:
                producer.poll(0.05)
        if number % 1000 == 0:
            producer.poll(0)
    producer.flush(60)
    return sum(file.stat().st_size for file in _segments(side, topic)[:-1])


def _segments(side: Side, topic: str) -> list[Path]:
    return sorted((side.node.data / f"{topic}-0").glob("*.log"))


def _begin(side: Side, topic: str) -> None:
    entry = ConfigEntry("min.cleanable.dirty.ratio", "0.01", incremental_operation=AlterConfigOpType.SET)
    resource = ConfigResource(ResourceType.TOPIC, topic, incremental_configs=[entry])
    for done in side.admin().incremental_alter_configs([resource]).values():
        done.result(30)


def _wait(side: Side, topic: str) -> None:
    """Until the checkpoint says that everything but the active segment is compacted."""
    active = int(_segments(side, topic)[-1].stem)
    checkpoint = side.node.data / "cleaner-offset-checkpoint"
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        lines = checkpoint.read_text().splitlines()[2:] if checkpoint.exists() else []
        if any(line.split()[0] == topic and int(line.split()[2]) >= active for line in lines):
            return
        time.sleep(0.02)
    raise TimeoutError(f"{side.kind} did not compact {topic} in time")


def _latency(side: Side, repeat: int, megabytes: int) -> dict[str, float]:
    """The same requests twice: alone, and while logs are compacted one after the other."""
    arguments = {"topic": "latency", "partitions": 1, "rate": RATE, "seconds": 3, "size": 100}
    topics = [f"busy-{repeat}-{number}" for number in range(3)]
    for topic in topics:
        _fill(side, topic, "none", megabytes)
    side.settle(0.3)
    alone = side.librdkafka("latency", **arguments)
    for topic in topics:
        _begin(side, topic)
    busy = side.librdkafka("latency", **arguments)
    for topic in topics:
        _wait(side, topic)
        side.delete_topics(topic)
    return {"compaction_p99_without_ms": alone["ack_p99_ms"], "compaction_p99_with_ms": busy["ack_p99_ms"]}


FIGURE = Compaction()
