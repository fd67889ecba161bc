"""A compacted topic in a cluster: every replica compacts its own copy, and whoever leads next has all latest values."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from confluent_kafka import Producer
from confluent_kafka.admin import AlterConfigOpType, ConfigEntry, ConfigResource  # type: ignore[attr-defined]

from cluster.load import PATIENT, admin, create, describe, read_all
from peer.our_cluster import OurCluster, our_cluster, wait_for
from tidelog.log import checkpoints
from tidelog.model.topic_partition import TopicPartition
from tidelog.protocol.record_batch import decode_records, iter_batches

USERS, ROUNDS = 40, 15
CLOSED = USERS * (ROUNDS - 1)  # each round closes the segment of the one before
SETTINGS = {"log.cleaner.backoff.ms": "50", "log.cleaner.dedupe.buffer.size": "4194304"}


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[OurCluster]:
    with our_cluster(tmp_path / "cluster", **SETTINGS) as found:
        yield found


def update(address: str, users: range, rounds: range) -> None:
    """A new profile for each user in each round, which all replicas have before the next round begins."""
    producer = Producer({**PATIENT, "bootstrap.servers": address})
    failed: list[object] = []
    for number in rounds:
        for user in users:
            producer.produce(
                "profiles", f"{user}:{number}", key=f"{user}", timestamp=1_700_000_000_000 + 1000 * number,
                on_delivery=lambda error, _: failed.append(error) if error else None,
            )  # fmt: skip
        assert producer.flush(60) == 0
    assert not failed


def need_in_sync(cluster: OurCluster, replicas: int) -> None:
    entry = ConfigEntry("min.insync.replicas", str(replicas), incremental_operation=AlterConfigOpType.SET)
    topic = ConfigResource(ConfigResource.Type.TOPIC, "profiles", incremental_configs=[entry])
    client = admin(cluster.address)  # which lives until the answer is there
    client.incremental_alter_configs([topic])[topic].result(30)


def clean_until(cluster: OurCluster, node_id: int) -> int:
    """Up to where this node has compacted its copy."""
    for path in cluster.data.glob(f"*{node_id}*/cleaner-offset-checkpoint"):
        return checkpoints.decode_offsets(path.read_bytes()).get(TopicPartition("profiles", 0), 0)
    return 0


def stored(cluster: OurCluster, node_id: int) -> list[tuple[int, bytes | None]]:
    """Offsets and values in the files of this node."""
    found = []
    for path in sorted(cluster.data.glob(f"*{node_id}*/profiles-0/*.log")):
        raw = path.read_bytes()
        for position, _ in iter_batches(raw):
            found += [(record.offset, record.value) for record in decode_records(raw, position)]
    return found


def latest(address: str) -> tuple[dict[int, int], int]:
    """The round of each user's profile, as a new instance builds it from offset 0, and how many records it read."""
    reads = read_all(address, "profiles", 1)
    pairs = [each.value.split(":") for each in reads]
    return {int(user): int(number) for user, number in pairs}, len(pairs)


def fail_over(cluster: OurCluster) -> tuple[int, str]:
    """Kills the leader and waits for the next; gives the dead node and the addresses of the others."""
    old, _ = describe(cluster.address, "profiles")
    cluster.kill_node(old)
    others = ",".join(address for node, address in cluster.addresses.items() if node != old)
    wait_for(lambda: describe(others, "profiles")[0] not in (old, -1), "another node leads")
    return old, others


def test_followers_compact_too_and_serve_every_latest_value_when_they_lead(cluster: OurCluster) -> None:
    create(
        cluster.address, "profiles", cleanup_policy="compact", min_cleanable_dirty_ratio="0.01", segment_ms="100",
        min_insync_replicas="3",
    )  # fmt: skip
    update(cluster.address, range(USERS), range(ROUNDS))
    for node_id in cluster.pids:
        wait_for(lambda node_id=node_id: clean_until(cluster, node_id) >= CLOSED, f"node {node_id} has compacted")
        wanted = [(CLOSED - USERS + user, b"%d:%d" % (user, ROUNDS - 2)) for user in range(USERS)]
        assert [each for each in stored(cluster, node_id) if each[0] < CLOSED] == wanted
    everybody = dict.fromkeys(range(USERS), ROUNDS - 1)
    need_in_sync(cluster, 2)
    dead, others = fail_over(cluster)
    assert latest(others) == (everybody, 2 * USERS)

    # One that was away while others went on catches up, and the next leader has all of that too.
    update(others, range(USERS // 2), range(ROUNDS, ROUNDS + 2))
    everybody |= dict.fromkeys(range(USERS // 2), ROUNDS + 1)
    assert latest(others)[0] == everybody
    cluster.start_node(dead)
    wait_for(lambda: describe(others, "profiles")[1] == {1, 2, 3}, "all are in sync")
    _, others = fail_over(cluster)
    state, count = latest(others)
    assert state == everybody
    assert count < 4 * USERS
