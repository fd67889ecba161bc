"""Compaction as people meet it: a running node, real clients, settings that change, restarts and kills."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from peer.ours import OurNode
from tidelog.cli.main import main
from tidelog.client.admin import Admin
from tidelog.client.admin_configs import ResourceType
from tidelog.client.consumer import Consumer
from tidelog.client.producer import Producer
from tidelog.log import checkpoints
from tidelog.model.topic_partition import TopicPartition
from tidelog.protocol.record_batch import decode_records, iter_batches

NODE = {
    "log.cleaner.backoff.ms": "50",
    "log.cleaner.dedupe.buffer.size": "4194304",
    "offsets.topic.num.partitions": "1",
    "transaction.state.log.num.partitions": "1",
    "log.retention.check.interval.ms": "500",
}
STATE = {"cleanup.policy": "compact", "min.cleanable.dirty.ratio": "0.01", "segment.ms": "100"}


@pytest.fixture
def node(tmp_path: Path) -> Iterator[OurNode]:
    found = OurNode(tmp_path / "node", NODE)
    found.start()
    yield found
    found.close()


def until(condition: Callable[[], bool], what: str, timeout_s: float = 60) -> None:
    deadline = time.monotonic() + timeout_s
    while not condition():
        assert time.monotonic() < deadline, f"never: {what}"
        time.sleep(0.02)


def cleaned_up_to(node: OurNode, topic: str) -> int:
    path = _file(node, "cleaner-offset-checkpoint")
    return checkpoints.decode_offsets(path.read_bytes()).get(TopicPartition(topic, 0), 0) if path else 0


def _file(node: OurNode, name: str) -> Path | None:
    return next(iter(node.data.rglob(name)), None)


def stored(node: OurNode, topic: str) -> list[bytes | None]:
    """Keys of all records in the files, in their order."""
    folder = next(node.data.rglob(f"{topic}-0"))
    found = []
    for path in sorted(folder.glob("*.log")):
        raw = path.read_bytes()
        for position, header in iter_batches(raw):
            if not header.is_control:
                found += [record.key for record in decode_records(raw, position)]
    return found


async def create(node: OurNode, topic: str, **settings: str) -> None:
    async with Admin({"bootstrap.servers": node.address}) as admin:
        await admin.topics.create(topic, partitions=1, replication_factor=1, configs=settings)


async def change(node: OurNode, topic: str, **settings: str) -> None:
    async with Admin({"bootstrap.servers": node.address}) as admin:
        await admin.configs.alter(ResourceType.TOPIC, topic, settings)


async def update(node: OurNode, topic: str, round_number: int, users: int) -> None:
    """A new profile for every user; timestamps lie so far apart that each round closes the segment before."""
    async with Producer({"bootstrap.servers": node.address}) as producer:
        for user in range(users):
            await producer.send(
                topic, f"profile {round_number}".encode(), key=f"user-{user}".encode(),
                timestamp_ms=1_700_000_000_000 + 1000 * round_number,
            )  # fmt: skip
        await producer.flush()


async def state_of(node: OurNode, topic: str) -> tuple[dict[bytes, bytes], int]:
    """What a new instance builds from offset 0, and how many records it read for it."""
    settings = {"bootstrap.servers": node.address, "isolation.level": "read_committed"}
    state: dict[bytes, bytes] = {}
    count = 0
    async with Consumer(settings) as consumer:
        partition = (topic, 0)
        consumer.assign([partition])
        consumer.seek_to_beginning()
        end = (await consumer.end_offsets([partition]))[partition]
        while await consumer.position(partition) < end:
            for record in await consumer.poll(timeout_s=0.2):
                count += 1
                assert record.key is not None
                if record.value is None:
                    state.pop(record.key, None)
                else:
                    state[record.key] = record.value
    return state, count


def test_profiles_of_users_stay_while_their_history_goes(node: OurNode, capsys: pytest.CaptureFixture[str]) -> None:
    """Many updates of few users: the disk holds the state, and a new instance reads little more than that."""

    async def story() -> None:
        await create(node, "profiles", **STATE)
        for number in range(20):
            await update(node, "profiles", number, 50)

    asyncio.run(story())
    assert main(["topic", "compaction", "profiles", "-b", node.address, "-o", "json"]) == 0
    (said,) = json.loads(capsys.readouterr().out)
    assert said["keys"] == 50
    until(lambda: cleaned_up_to(node, "profiles") >= 950, "the log is compacted up to its active segment")
    state, count = asyncio.run(state_of(node, "profiles"))
    assert state == {f"user-{user}".encode(): b"profile 19" for user in range(50)}
    assert count <= 100, "the clean part has one record a user, the active segment another"
    assert main(["topic", "compaction", "profiles", "-b", node.address, "-o", "json"]) == 0
    (said,) = json.loads(capsys.readouterr().out)
    assert said["records"] == count
    assert said["saved_percent"] <= 50


def test_a_policy_that_changes_takes_effect_at_once(node: OurNode) -> None:
    async def story() -> None:
        await create(node, "changing", **{**STATE, "cleanup.policy": "delete", "retention.ms": "-1"})
        for number in range(5):
            await update(node, "changing", number, 10)
        assert cleaned_up_to(node, "changing") == 0
        await change(node, "changing", **{"cleanup.policy": "compact"})

    asyncio.run(story())
    until(lambda: cleaned_up_to(node, "changing") >= 40, "the topic is compacted under its new policy")
    assert len(stored(node, "changing")) == 20


def test_committed_offsets_survive_the_compaction_of_their_topic(node: OurNode) -> None:
    """The coordinator's own topic is compacted while groups commit, and tells the same after a restart."""
    group = {"bootstrap.servers": node.address, "group.id": "readers"}

    async def commit_often() -> int:
        await create(node, "input")
        async with Consumer(group) as consumer:
            consumer.assign([("input", 0)])
            await consumer.commit({("input", 0): 0})
            await change(node, "__consumer_offsets", **{"segment.ms": "20", "min.cleanable.dirty.ratio": "0.01"})
            number = 0
            while number < 600 or cleaned_up_to(node, "__consumer_offsets") <= 300:
                number += 1
                await consumer.commit({("input", 0): number})
            return number

    async def committed() -> int:
        async with Consumer(group) as consumer:
            return (await consumer.committed([("input", 0)]))[("input", 0)]

    last = asyncio.run(commit_often())
    assert len(stored(node, "__consumer_offsets")) < last
    assert asyncio.run(committed()) == last
    node.stop()
    node.start()
    assert asyncio.run(committed()) == last


def test_transactions_go_on_after_the_compaction_of_their_topic(node: OurNode) -> None:
    """Ids, epochs and an open transaction outlive the compaction of the coordinator's topic, and a kill after it."""
    topic = "__transaction_state"

    def producer(transactional_id: str) -> Producer:
        return Producer({"bootstrap.servers": node.address, "transactional.id": transactional_id})

    async def pay(by: Producer, text: str) -> None:
        async with by.transaction():
            await by.send("paid", text.encode(), key=text.encode())

    async def transactions() -> dict[str, tuple[int, int, str]]:
        async with Admin({"bootstrap.servers": node.address}) as admin:
            found = [(await admin.transactions.describe(each)).state for each in ("busy", "idle", "open")]
            return {it.transactional_id: (it.producer_id, it.producer_epoch, it.transaction_state) for it in found}

    async def end_of(topic: str) -> int:
        async with Consumer({"bootstrap.servers": node.address}) as consumer:
            return (await consumer.end_offsets([(topic, 0)]))[(topic, 0)]

    async def before() -> int:
        await create(node, "paid")
        async with producer("idle") as idle, producer("open") as unfinished, producer("busy") as busy:
            for each in (idle, unfinished, busy):
                await each.init_transactions()
            await pay(idle, "idle 0")
            unfinished.begin_transaction()
            await unfinished.send("paid", b"never paid", key=b"never paid")
            await unfinished.flush()
            await change(node, topic, **{"segment.ms": "20", "min.cleanable.dirty.ratio": "0.01"})
            count = 0
            while count < 100 or cleaned_up_to(node, topic) <= 200:
                await pay(busy, f"busy {count}")
                count += 1
            node.kill()
        return count

    async def after() -> None:
        async with producer("idle") as idle, producer("open") as unfinished, producer("busy") as busy:
            for each in (idle, unfinished, busy):
                await each.init_transactions()
                await pay(each, "after")

    count = asyncio.run(before())
    clean, left = cleaned_up_to(node, topic), len(stored(node, topic))
    node.start()
    assert left <= asyncio.run(end_of(topic)) - clean + 3, "the clean part has one record an id"
    known = asyncio.run(transactions())
    assert [known[each][2] for each in ("busy", "idle", "open")] == ["CompleteCommit", "CompleteCommit", "Ongoing"]
    asyncio.run(after())
    now = asyncio.run(transactions())
    assert {each: now[each][0] for each in now} == {each: known[each][0] for each in known}
    assert all(now[each][1] > known[each][1] for each in known), "whoever had the id before is fenced"
    state, _ = asyncio.run(state_of(node, "paid"))
    assert set(state) == {b"idle 0", b"after"} | {b"busy %d" % number for number in range(count)}


def test_kills_in_the_middle_of_compactions_lose_nothing(node: OurNode) -> None:
    asyncio.run(create(node, "killed", **STATE))
    for kill in range(4):
        done = cleaned_up_to(node, "killed")
        for number in range(6):
            asyncio.run(update(node, "killed", 6 * kill + number, 40))
        until(lambda done=done: cleaned_up_to(node, "killed") > done, "a compaction has got somewhere")  # type: ignore[misc]
        node.kill()
        node.start()
        state, _ = asyncio.run(state_of(node, "killed"))
        assert state == {f"user-{user}".encode(): f"profile {6 * kill + 5}".encode() for user in range(40)}
