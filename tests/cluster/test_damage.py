"""A node comes back with damaged files: what the others have is taken from them, and nothing wrong is ever served."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from cluster.load import Load, create_at, describe, read_all
from peer.our_cluster import wait_for
from peer.server_cluster import ServerCluster, server_cluster
from tidelog.protocol.record_batch import HEADER_BYTES, iter_batches

ROLES = {1: "broker", 2: "broker", 3: "broker", 10: "controller"}
ALL = {1, 2, 3}
RECORDS = 2000
MIDDLE = RECORDS // 2
CHECKPOINTS = (
    "replication-offset-checkpoint",
    "recovery-point-offset-checkpoint",
    "log-start-offset-checkpoint",
    "orders-0/leader-epoch-checkpoint",
)


@pytest.fixture
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerCluster]:
    with server_cluster(tmp_path_factory.mktemp("cluster"), ROLES) as found:
        create_at(found.address, "orders", [[1, 2, 3]])
        yield found


def segment(cluster: ServerCluster, node_id: int) -> Path:
    return cluster.nodes[node_id].data / "orders-0" / f"{0:020}.log"


def flip_a_bit(path: Path, batch: str, byte: int) -> None:
    """In the first batch, in the one in the middle, with good batches before and behind it, or in the last."""
    data = path.read_bytes()
    batches = list(iter_batches(data))
    middle = next(each for each in batches if each[1].next_offset > MIDDLE)
    place = {"first": batches[0], "middle": middle, "last": batches[-1]}[batch][0] + byte
    with path.open("r+b") as file:
        file.seek(place)
        file.write(bytes([data[place] ^ 0x10]))


def written(cluster: ServerCluster) -> tuple[Load, list[str]]:
    load = Load(cluster.address, "orders", 1)
    load.wait_for_acks(RECORDS)
    load.stop()
    return load, [each.value for each in read_all(cluster.address, "orders", 1)]


def in_sync(cluster: ServerCluster) -> bool:
    return describe(cluster.address, "orders")[1] == ALL


# Offset, length and leader epoch lie before what the checksum covers, which is the rest of a batch.
@pytest.mark.parametrize(
    ("victim", "batch", "byte"),
    [
        (1, "middle", HEADER_BYTES),
        (3, "middle", HEADER_BYTES),
        (1, "middle", 7),
        (3, "middle", 11),
        (1, "middle", 12),
        (3, "middle", 15),
        (3, "first", 15),
        (1, "last", 15),
        (3, "last", 12),
    ],
)
def test_a_flipped_bit_is_repaired_from_the_others(cluster: ServerCluster, victim: int, batch: str, byte: int) -> None:
    load, values = written(cluster)
    cluster.kill_node(victim)
    left = cluster.without(victim)
    wait_for(lambda: describe(left, "orders")[1] == ALL - {victim}, "the others go on")
    good = segment(cluster, 2).read_bytes()
    flip_a_bit(segment(cluster, victim), batch, byte)
    cluster.start_node(victim)
    wait_for(lambda: in_sync(cluster), "it has fetched everything anew", 180)
    assert segment(cluster, victim).read_bytes() == good
    assert list(cluster.nodes[victim].data.glob("orders-0.*-stray")), "what was damaged is kept for a person"
    assert [each.value for each in read_all(cluster.address, "orders", 1)] == values
    assert load.acked == len(values)


def test_checkpoints_of_garbage(cluster: ServerCluster) -> None:
    load, values = written(cluster)
    cluster.kill_node(1)
    for name in CHECKPOINTS:
        path = cluster.nodes[1].data / name
        path.write_bytes(b"\\xff\\x00garbage\\n" * 3)
    cluster.start_node(1)
    wait_for(lambda: in_sync(cluster), "it is in sync again", 180)
    assert [each.value for each in read_all(cluster.address, "orders", 1)] == values
    assert load.acked == len(values)
    copies = {segment(cluster, each).read_bytes() for each in ALL}
    assert len(copies) == 1, "all replicas are equal, byte for byte"
