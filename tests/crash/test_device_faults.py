"""A node on a disk that is full, and on one that fails."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from confluent_kafka import KafkaError, Producer
from confluent_kafka.admin import AdminClient, NewTopic

from crash.test_kill_under_load import QUIET, consume_partition
from peer.ours import OurNode

OK = 0
THREADS = 4


def send(address: str, topic: str, count: int, value: bytes = b"x") -> list[int]:
    """The error code of each record, without any retries."""
    outcomes: list[int] = []
    producer = Producer({**QUIET, "bootstrap.servers": address, "retries": 0, "linger.ms": 0, "acks": "all"})
    for number in range(count):
        producer.produce(
            topic, value, partition=0, on_delivery=lambda error, _: outcomes.append(error.code() if error else OK)
        )
        if number % 10 == 9:
            producer.flush(30)
    producer.flush(30)
    return outcomes


def create(address: str, topic: str, **settings: str) -> None:
    admin = AdminClient({**QUIET, "bootstrap.servers": address})
    config = {name.replace("_", "."): value for name, value in settings.items()}
    admin.create_topics([NewTopic(topic, 1, 1, config=config)])[topic].result(30)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A volume of 24 MB, a third of it taken by a file that can go."""
    place = tmp_path / "volume"
    place.mkdir()
    done = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=24m", "tmpfs", str(place)], capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        pytest.skip(f"a volume of its own cannot be mounted here: {done.stderr.strip()}")
    (place / "ballast").write_bytes(bytes(8 << 20))
    try:
        yield place
    finally:
        subprocess.run(["umount", "-l", str(place)], check=False)


def test_a_full_disk_refuses_writes_serves_reads_and_recovers(small_disk: Path, tmp_path: Path) -> None:
    node = OurNode(tmp_path / "node", {"log.dirs": str(small_disk / "logs")}, data=small_disk / "logs")
    node.start()
    try:
        create(node.address, "clicks")
        outcomes = send(node.address, "clicks", 400, b"y" * 60_000)
        taken = outcomes.count(OK)
        assert taken > 50
        assert set(outcomes) == {OK, KafkaError.KAFKA_STORAGE_ERROR}
        assert len(consume_partition(node.address, "clicks", 0)) == taken
        (small_disk / "ballast").unlink()
        assert send(node.address, "clicks", 20) == [OK] * 20
        assert len(consume_partition(node.address, "clicks", 0)) == taken + 20
        assert node.stop() == 0
        node.start()
        assert len(consume_partition(node.address, "clicks", 0)) == taken + 20
    finally:
        node.close()


class TracedNode(OurNode):
    """Under strace, which makes the n-th sync of one file fail in each thread."""

    fault: tuple[Path, int] | None = None

    def command(self) -> list[str]:
        if self.fault is None:
            return super().command()
        path, number = self.fault
        inject = ["-e", "trace=fdatasync", "-e", f"inject=fdatasync:error=EIO:when={number}", "-P", str(path)]
        return ["strace", "-D", "-f", "-qq", "-o", str(self.folder / "strace.txt"), *inject, *super().command()]


@pytest.mark.parametrize("number", [1, 2, 5])
def test_a_failed_sync_is_never_acknowledged(tmp_path: Path, number: int) -> None:
    """One sync fails and the next ones would not: still nothing in that directory is acknowledged any more."""
    if shutil.which("strace") is None:
        pytest.skip("strace is missing: install the package strace")
    first, second = tmp_path / "first", tmp_path / "second"
    settings = {"log.dirs": f"{first},{second}", "metadata.log.dir": str(first)}
    node = TracedNode(tmp_path / "node", settings, data=first)
    node.start()
    try:
        create(node.address, "a", flush_messages="1")
        create(node.address, "b", flush_messages="1")
        [bad] = list(second.glob("[ab]-0"))
        assert node.stop() == 0
        node.fault = (bad / "00000000000000000000.log", number)
        node.start()
        other = "a" if bad.name == "b-0" else "b"
        outcomes = [send(node.address, bad.name[0], 1)[0] for _ in range(THREADS * number + 3)]
        good = outcomes.index(KafkaError.KAFKA_STORAGE_ERROR)
        assert outcomes == [OK] * good + [KafkaError.KAFKA_STORAGE_ERROR] * (len(outcomes) - good)
        assert send(node.address, other, 3) == [OK] * 3
        assert "failed" in node.output.read_text()
        node.kill()
        node.fault = None
        node.start()
        assert len(consume_partition(node.address, bad.name[0], 0)) >= good
        assert len(consume_partition(node.address, other, 0)) == 3
    finally:
        node.close()
