"""Consumers in groups, by either protocol, on a node of our own."""

import asyncio
import re
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from peer.ours import OurNode
from tidelog.client.admin import Admin
from tidelog.client.consumer import Consumer
from tidelog.client.errors import SettingError
from tidelog.client.producer import Producer

QUICK = {
    "group.initial.rebalance.delay.ms": "0",
    "group.min.session.timeout.ms": "100",
    "group.consumer.heartbeat.interval.ms": "100",
    "group.consumer.min.heartbeat.interval.ms": "100",
}
KINDS = {
    "range": {"partition.assignment.strategy": "range"},
    "cooperative": {"partition.assignment.strategy": "cooperative-sticky"},
    "consumer": {"group.protocol": "consumer"},
}


@pytest.fixture(scope="module")
def node(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OurNode]:
    found = OurNode(Path(tmp_path_factory.mktemp("node")), QUICK)
    found.start()
    yield found
    found.close()


class Team:
    """Consumers that are all polled, because a rebalance needs every member."""

    def __init__(self, node: OurNode, topic: str, kind: str, **settings: str) -> None:
        given = {name.replace("_", "."): value for name, value in settings.items()}
        self.settings = {
            "bootstrap.servers": node.address,
            "group.id": f"team-{topic}",
            "auto.offset.reset": "earliest",
            "heartbeat.interval.ms": "100",
            "auto.commit.interval.ms": "60000",
            **KINDS[kind],
            **given,
        }
        self.topic = topic
        self.events: list[tuple[str, str, list[Any]]] = []
        self.seen: list[bytes] = []
        self.members: dict[str, Consumer] = {}

    def join(self, name: str, topics: Any = None) -> Consumer:
        consumer = Consumer(self.settings)
        self.members[name] = consumer
        consumer.subscribe(
            [self.topic] if topics is None else topics,
            on_assigned=lambda keys: self.events.append((name, "+", keys)),
            on_revoked=lambda keys: self.events.append((name, "-", keys)),
        )
        return consumer

    async def until(self, done: Callable[[], bool]) -> None:
        async with asyncio.timeout(30):
            while not done():
                found = await asyncio.gather(*(each.poll(0.05) for each in self.members.values()))
                self.seen += [record.value or b"" for records in found for record in records]

    def sizes(self) -> list[int]:
        return sorted(len(each.assignment) for each in self.members.values())

    async def leave(self, name: str) -> None:
        await self.members.pop(name).close()


def play(node: OurNode, topic: str, story: Callable[[Admin], Awaitable[None]], partitions: int = 4) -> None:
    async def run() -> None:
        async with Admin({"bootstrap.servers": node.address}) as admin:
            await admin.topics.create(topic, partitions=partitions)
            await story(admin)

    asyncio.run(run())


async def produce(node: OurNode, topic: str, count: int, partitions: int = 4) -> None:
    async with Producer({"bootstrap.servers": node.address}) as producer:
        for number in range(count):
            await producer.send(topic, b"%d" % number, partition=number % partitions)


@pytest.mark.parametrize("kind", KINDS)
def test_members_share_and_hand_over(node: OurNode, kind: str) -> None:
    topic = f"share-{kind}"

    async def story(admin: Admin) -> None:
        team = Team(node, topic, kind)
        await produce(node, topic, 40)
        team.join("a")
        await team.until(lambda: len(team.seen) == 40)
        team.join("b")
        await team.until(lambda: team.sizes() == [2, 2])
        kept = set(team.members["a"].assignment)
        assert kept.isdisjoint(team.members["b"].assignment)
        given_up = {key for name, sign, keys in team.events if (name, sign) == ("a", "-") for key in keys}
        assert len(given_up) == (4 if kind == "range" else 2)
        await produce(node, topic, 20)
        await team.until(lambda: len(team.seen) >= 60)
        await team.leave("b")
        await team.until(lambda: team.sizes() == [4])
        await team.leave("a")
        assert len(team.seen) == 60, "what was committed when partitions changed hands is not read again"
        offsets = await admin.groups.offsets(f"team-{topic}")
        assert {key: row.offset for key, row in offsets.items()} == {(topic, index): 15 for index in range(4)}
        view = await admin.groups.describe(f"team-{topic}")
        assert (view.state, view.members) == ("Empty", ())

    play(node, topic, story)


@pytest.mark.parametrize("kind", ["range", "consumer"])
def test_commits_are_where_the_next_one_begins(node: OurNode, kind: str) -> None:
    topic = f"commit-{kind}"

    async def story(admin: Admin) -> None:
        await produce(node, topic, 10, 1)
        team = Team(node, topic, kind, enable_auto_commit="false")
        first = team.join("first")
        await team.until(lambda: len(team.seen) == 10)
        await first.commit({(topic, 0): 4})
        done: list[Exception | None] = []
        first.commit_soon({(topic, 0): 7}, done.append)
        await team.until(lambda: done == [None])
        assert await first.committed([(topic, 0), (topic, 1)]) == {(topic, 0): 7}
        await team.leave("first")
        team.seen.clear()
        team.join("second")
        await team.until(lambda: len(team.seen) >= 3)
        assert team.seen == [b"7", b"8", b"9"]
        await team.leave("second")

    play(node, topic, story, 1)


@pytest.mark.parametrize("kind", ["range", "consumer"])
def test_a_member_that_stops_polling_loses_its_share(node: OurNode, kind: str) -> None:
    topic = f"silent-{kind}"

    async def story(admin: Admin) -> None:
        team = Team(node, topic, kind, max_poll_interval_ms="1000")
        team.join("busy")
        await team.until(lambda: team.sizes() == [4])
        busy = team.members.pop("busy")
        team.join("other")
        await team.until(lambda: team.sizes() == [4])
        team.members["busy"] = busy
        await team.until(lambda: team.sizes() == [2, 2])
        await team.leave("busy")
        await team.leave("other")

    play(node, topic, story)


def test_a_pattern_finds_topics_made_later(node: OurNode) -> None:
    async def story(admin: Admin) -> None:
        team = Team(node, "pattern-1", "range", metadata_max_age_ms="200")
        team.join("a", re.compile("pattern-.*"))
        await team.until(lambda: team.sizes() == [2])
        await admin.topics.create("pattern-2", partitions=3)
        await team.until(lambda: team.sizes() == [5])
        await team.leave("a")

    play(node, "pattern-1", story, 2)


def test_an_assigned_consumer_uses_the_offsets_of_its_group(node: OurNode) -> None:
    topic = "assigned"

    async def story(admin: Admin) -> None:
        await produce(node, topic, 5, 1)
        settings = {"bootstrap.servers": node.address, "group.id": "assigned", "auto.offset.reset": "earliest"}
        for wanted in (5, 3):
            async with Consumer(settings) as consumer:
                consumer.assign([(topic, 0)])
                seen = 0
                while seen < wanted:
                    seen += len(await consumer.poll(1.0))
                await consumer.commit({(topic, 0): 2})
                consumer.settings.override("enable.auto.commit", False)
                consumer.positions.assign([])

    play(node, topic, story, 1)


def test_without_a_group_there_is_nothing_to_subscribe_with(node: OurNode) -> None:
    async def run() -> None:
        async with Consumer({"bootstrap.servers": node.address}) as consumer:
            with pytest.raises(SettingError, match="set group"):
                consumer.subscribe(["t"])
        async with Consumer({"bootstrap.servers": node.address, "group.id": "g"}) as consumer:
            with pytest.raises(SettingError, match=r"\['t'\]"):
                consumer.subscribe("t")
            consumer.subscribe(["t"])
            with pytest.raises(SettingError, match="another"):
                consumer.assign([("t", 0)])

    asyncio.run(run())
