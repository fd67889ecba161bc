"""A directory of a leader fails: leadership of what lies there moves away, the node and its other directory live on,
and no acknowledged record is lost. The directory is a small file system that fills up, so this needs root."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from cluster.load import Load, create_at, describe
from peer.our_cluster import wait_for
from peer.server_cluster import ServerCluster

ROLES = {1: "broker", 2: "broker", 3: "broker", 10: "controller"}
ALL = {1, 2, 3}
PARTITIONS = 4


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Path]:
    """A file system of its own with room for little."""
    folder = tmp_path / "small"
    folder.mkdir()
    if os.geteuid() != 0:
        pytest.skip("a small file system needs root; run this as root")
    mount = ["mount", "-t", "tmpfs", "-o", "size=64m", "tmpfs", str(folder)]
    done = subprocess.run(mount, capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"this machine mounts no tmpfs ({done.stderr.strip()}); run it where mount -t tmpfs works")
    yield folder
    subprocess.run(["umount", "-l", str(folder)], capture_output=True, check=False)


@contextlib.contextmanager
def started(folder: Path, small: Path) -> Iterator[ServerCluster]:
    own = {1: {"log.dirs": f"{folder / 'roomy'},{small / 'data'}"}}
    cluster = ServerCluster(folder, ROLES, own=own)
    try:
        cluster.start()
        yield cluster
    finally:
        cluster.close()


def log_dirs(cluster: ServerCluster) -> str:
    command = [sys.executable, "-m", "tidelog.cli.kafka_log_dirs", "--bootstrap-server", cluster.address]
    words = ["--describe", "--broker-list", "1"]
    done = subprocess.run([*command, *words], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def lies_in(folder: Path) -> set[int]:
    return {int(path.name.rpartition("-")[2]) for path in folder.glob("orders-*") if path.is_dir()}


def test_leadership_moves_away_from_a_directory_that_fails(tmp_path: Path, small: Path) -> None:
    with started(tmp_path / "cluster", small) as cluster:
        create_at(cluster.address, "orders", [[1, 2, 3]] * PARTITIONS)
        places = small / "data", tmp_path / "cluster" / "roomy"
        wait_for(lambda: set().union(*map(lies_in, places)) == set(range(PARTITIONS)), "broker 1 has all of them")
        there, elsewhere = map(lies_in, places)
        assert there
        assert not there & elsewhere
        load = Load(cluster.address, "orders", PARTITIONS)
        load.wait_for_acks(500)
        assert all(describe(cluster.address, "orders", each) == (1, ALL) for each in range(PARTITIONS))

        fill_up(small / "everything.bin")
        for each in there:
            wait_for(lambda each=each: describe(cluster.address, "orders", each)[0] in (2, 3), "another broker leads")
            assert 1 not in describe(cluster.address, "orders", each)[1]
        load.wait_for_acks(500)
        assert all(describe(cluster.address, "orders", each) == (1, ALL) for each in elsewhere), "the rest stays"
        assert '"error":"org.apache.kafka.common.errors.KafkaStorageException"' in log_dirs(cluster)

        # Room is made and the node is started again: the directory is taken back and catches up.
        cluster.stop_node(1)
        (small / "everything.bin").unlink()
        cluster.start_node(1)
        in_sync = lambda: all(describe(cluster.address, "orders", each)[1] == ALL for each in range(PARTITIONS))  # noqa: E731
        wait_for(in_sync, "everything is in sync again", 60)
        assert load.judge() > 1000


def fill_up(path: Path) -> None:
    with path.open("wb", buffering=0) as file, contextlib.suppress(OSError):
        while True:
            file.write(b"\\0" * 65536)
