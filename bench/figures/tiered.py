"""A topic read from the beginning: from local disk, and from an object store in a directory, with nothing cached."""

import time
from pathlib import Path

from bench.figure import OURS, Figure, Row, Samples
from bench.lab import Lab
from bench.side import Side

RECORD_BYTES = 1000
RECORDS = 600_000
SETTINGS = {
    "remote.log.storage.system.enable": "true",
    "remote.log.manager.task.interval.ms": "200",
    "log.retention.check.interval.ms": "200",
    # Much smaller than the topic: every pass reads the store again.
    "tidelog.remote.cache.bytes": str(64 << 20),
}
TIERED = {"remote.storage.enable": "true", "local.retention.bytes": "1", "file.delete.delay.ms": "0"}
TOPIC = {"segment.bytes": str(32 << 20), "retention.ms": "-1"}
COPY_SECONDS = 180


class Tiered(Figure):
    name = "tiered"
    title = "Read from remote storage (a directory) against local disk, one partition from the beginning"
    rows = (
        Row("tiered_local_rate", "from local disk", "MB/s", digits=0),
        Row("tiered_remote_rate", "from remote storage", "MB/s", digits=0),
        Row("tiered_slowdown", "local rate over remote rate", "times", bar=2.0, absolute=True),
        Row("tiered_local_cpu", "from local disk", "CPU-s/GB", digits=3),
        Row("tiered_remote_cpu", "from remote storage", "CPU-s/GB", digits=3),
        Row("tiered_copy_cpu", "copying, with reading back", "CPU-s/GB", digits=3),
    )
    expected_s = 60
    bounded_by = "one more read, checksum and write of every byte, into the cache on local disk"

    def measure(self, lab: Lab, samples: Samples) -> None:
        if OURS not in lab.kinds:
            return
        side = Side(OURS, "tiered", SETTINGS)
        n = lab.amount(RECORDS)
        try:
            lab.progress.step("tiered: filling the topics")
            side.start()
            side.create_topic("near", 1, TOPIC)
            side.create_topic("far", 1, TOPIC | TIERED)
            side.librdkafka("produce", topic="near", partitions=1, n=n, size=RECORD_BYTES)
            before = side.cpu_seconds()
            made = side.librdkafka("produce", topic="far", partitions=1, n=n, size=RECORD_BYTES)
            lab.progress.step("tiered: waiting for the copies", self.expected_s / 3)
            _await_copies(side)
            copying = side.cpu_seconds() - before - made["cpu_s"]
            samples.add(OURS, {"tiered_copy_cpu": copying / (n * RECORD_BYTES / 1e9)})
            _pass(side, "near", n), _pass(side, "far", n)
            for repeat in range(lab.repeats):
                lab.progress.step(f"tiered: {repeat + 1} of {lab.repeats}", self.expected_s * 2 / 3 / lab.repeats)
                near, far = _pass(side, "near", n), _pass(side, "far", n)
                samples.add(OURS, {"tiered_local_rate": near[0], "tiered_local_cpu": near[1]})
                samples.add(OURS, {"tiered_remote_rate": far[0], "tiered_remote_cpu": far[1]})
                samples.add(OURS, {"tiered_slowdown": near[0] / far[0]})
        finally:
            side.close()


def _pass(side: Side, topic: str, n: int) -> tuple[float, float]:
    """MB/s, and CPU seconds of the node for a gigabyte."""
    got = side.librdkafka("consume", topic=topic, partitions=1, n=n, loops=1)
    return got["bytes"] / got["wall_s"] / 1e6, got["cpu_s"] / (got["bytes"] / 1e9)


def _await_copies(side: Side) -> None:
    """Until only the active segment is on local disk."""
    deadline = time.monotonic() + COPY_SECONDS
    (folder,) = Path(side.folder).rglob("far-0")
    while len(list(folder.glob("*.log"))) > 1:
        assert time.monotonic() < deadline, f"segments are still on local disk after {COPY_SECONDS} s"
        time.sleep(0.1)
    side.settle()


FIGURE = Tiered()
