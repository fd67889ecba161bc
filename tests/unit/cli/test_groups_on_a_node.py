"""Groups and transactions through the commands, on a node of our own."""

import asyncio
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from peer.ours import OurNode
from tidelog.cli import kafka_console_consumer, kafka_consumer_groups
from tidelog.cli.main import main
from tidelog.client.admin import Admin
from tidelog.client.consumer import Consumer
from tidelog.client.producer import Producer

Tide = Callable[..., tuple[int, Any]]


@pytest.fixture(scope="module")
def node(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OurNode]:
    found = OurNode(Path(tmp_path_factory.mktemp("node")), {"group.initial.rebalance.delay.ms": "0"})
    found.start()
    yield found
    found.close()


@pytest.fixture
def tide(node: OurNode, capsys: pytest.CaptureFixture[str]) -> Tide:
    """Runs a command and gives its exit code and what it printed, read as JSON."""

    def run(*words: str) -> tuple[int, Any]:
        code = main([*words, "-b", node.address, "-o", "json"])
        out = capsys.readouterr().out
        return code, json.loads(out) if out else None

    return run


async def fill(node: OurNode, topic: str, count: int, partitions: int = 1) -> None:
    settings = {"bootstrap.servers": node.address}
    async with Admin(settings) as admin, Producer(settings) as producer:
        await admin.topics.create(topic, partitions=partitions)
        for number in range(count):
            await producer.send(topic, b"%d" % number, partition=number % partitions)


async def commit(node: OurNode, group: str, topic: str, offsets: dict[int, int]) -> None:
    async with Admin({"bootstrap.servers": node.address}) as admin:
        await admin.groups.alter_offsets(group, {(topic, index): offset for index, offset in offsets.items()})


def test_a_group_from_birth_to_death(node: OurNode, tide: Tide) -> None:
    asyncio.run(fill(node, "life", 20, 2))
    assert tide("group", "reset", "life", "--to", "start")[0] == 3
    assert tide("group", "reset", "life", "-t", "life", "--to", "3", "--yes") == (
        0,
        [{"topic": "life", "partition": index, "from": None, "to": 3} for index in (0, 1)],
    )
    code, rows = tide("group", "describe", "life")
    assert (code, [(row["committed"], row["end"], row["lag"]) for row in rows]) == (0, [(3, 10, 7)] * 2)
    assert all(row["lag_ms"] >= 0 and row["member"] is None for row in rows)
    assert tide("group", "reset", "life", "--to", "-2")[0] == 5, "nothing is moved without --yes"
    for place, offset in (("-2", 1), ("+100", 10), ("PT1H", 0), ("2020-01-01T00:00", 0), ("end", 10)):
        code, rows = tide("group", "reset", "life", "--to", place, "-t", "life:0", "--yes")
        assert (code, rows[0]["to"]) == (0, offset), place
    code, summary = tide("group", "describe", "life", "--summary")
    assert (summary["lag"], summary["state"], summary["members"]) == (7, "Empty", 0)
    assert "life" in {row["group"] for row in tide("group", "list", "--state", "Empty")[1]}
    assert tide("group", "delete", "life")[0] == 5
    assert tide("group", "delete", "life", "--yes") == (0, [{"group": "life", "status": "deleted"}])
    assert tide("group", "delete", "life", "--yes")[0] == 3
    assert tide("group", "describe", "life")[0] == 3


def test_a_group_with_members_is_left_alone(node: OurNode, tide: Tide) -> None:
    async def run() -> None:
        await fill(node, "busy", 4, 2)
        settings = {"bootstrap.servers": node.address, "group.id": "busy", "client.id": "worker"}
        async with Consumer(settings) as consumer:
            consumer.subscribe(["busy"])
            while len(consumer.assignment) < 2:
                await consumer.poll(0.1)
            code, rows = await asyncio.to_thread(tide, "group", "describe", "busy", "--members")
            assert (code, len(rows)) == (0, 1)
            assert (rows[0]["client"], rows[0]["assignment"]) == ("worker", ["busy-0", "busy-1"])
            for words in (("reset", "busy", "--to", "start"), ("delete", "busy")):
                code, _ = await asyncio.to_thread(tide, "group", *words, "--yes")
                assert code == 1, words

    asyncio.run(run())


def test_lag_and_who_holds_the_last_stable_offset_back(node: OurNode, tide: Tide) -> None:
    """Offsets: 0 to 2 committed, 3 its marker, 4 and 5 in a transaction that is open."""

    async def run() -> None:
        await fill(node, "stable", 0)
        async with Producer({"bootstrap.servers": node.address, "transactional.id": "holder"}) as producer:
            await producer.init_transactions()
            async with producer.transaction():
                for _ in range(3):
                    await producer.send("stable", b"x")
            producer.begin_transaction()
            for _ in range(2):
                await producer.send("stable", b"y")
            await producer.flush()
            await commit(node, "stable", "stable", {0: 1})
            await asyncio.to_thread(check_while_open)
            await producer.abort_transaction()
        await commit(node, "stable", "stable", {0: 3})
        row = {"stable": 4}
        async with asyncio.timeout(20):
            while row["stable"] == 4:  # the marker is written after the answer
                _, (row,) = await asyncio.to_thread(tide, "group", "describe", "stable")
        assert (row["stable"], row["end"], row["lag"], row["lag_ms"]) == (7, 7, 0, 0), "only markers and aborted ones"

    def check_while_open() -> None:
        _, (row,) = tide("group", "describe", "stable")
        assert (row["stable"], row["end"], row["lag"], row["held_back"]) == (4, 6, 3, 2)
        assert row["lag_ms"] >= 0
        _, (row,) = tide("txn", "lso", "stable")
        assert (row["last_stable_offset"], row["held_back"], row["holder"]) == (4, 2, "holder")
        _, found = tide("txn", "describe", "holder")
        assert (found["state"], found["partitions"]) == ("Ongoing", ["stable-0"])
        assert tide("txn", "hanging") == (0, [])

    asyncio.run(run())


def test_a_transaction_is_taken_over_and_aborted(node: OurNode, tide: Tide) -> None:
    async def run() -> None:
        await fill(node, "stuck", 0)
        async with Producer({"bootstrap.servers": node.address, "transactional.id": "stuck"}) as producer:
            await producer.init_transactions()
            producer.begin_transaction()
            await producer.send("stuck", b"x")
            await producer.flush()
            assert (await asyncio.to_thread(tide, "txn", "abort", "stuck"))[0] == 5
            assert (await asyncio.to_thread(tide, "txn", "abort", "stuck", "--yes"))[0] == 0
            _, (row,) = await asyncio.to_thread(tide, "txn", "lso", "stuck")
            assert (row["held_back"], row["holder"]) == (0, None)
            await producer.close(flush=False)

    asyncio.run(run())


def test_the_console_consumer_goes_on_where_its_group_stopped(
    node: OurNode, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    asyncio.run(fill(node, "console", 6))

    def run(tool: Any, *words: str) -> list[str]:
        monkeypatch.setattr(sys, "argv", ["tool", "--bootstrap-server", node.address, *words])
        assert tool.main() == 0
        sys.stdout.flush()
        return capfdbinary.readouterr().out.decode().splitlines()

    read = ("--topic", "console", "--group", "console", "--from-beginning", "--max-messages")
    assert run(kafka_console_consumer, *read, "4") == ["0", "1", "2", "3"]
    assert run(kafka_console_consumer, *read, "2") == ["4", "5"]
    assert run(kafka_console_consumer, "--include", "con.*", "--from-beginning", "--max-messages", "1") == ["0"]
    line = run(kafka_consumer_groups, "--describe", "--group", "console")[-1].split()
    assert line == ["console", "console", "0", "6", "6", "0", "-", "-", "-"]
