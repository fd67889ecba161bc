"""Groups and transactions through the commands, on a node of our own."""

import asyncio
import json
import signal
import socket
import subprocess
import sys
import time
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
    code, (finding,) = tide("group", "explain", "life", "--seconds", "0.1")
    assert (code, finding["subject"]) == (0, "life")
    assert "no members" in finding["finding"]
    assert tide("group", "delete", "life")[0] == 5
    assert tide("group", "delete", "life", "--yes") == (0, [{"group": "life", "status": "deleted"}])
    assert tide("group", "delete", "life", "--yes")[0] == 3
    assert tide("group", "describe", "life")[0] == 3
    assert tide("group", "explain", "life")[0] == 3
    assert tide("group", "list", "--state", "sleepy")[0] == 2


def test_offsets_are_taken_over(node: OurNode, tide: Tide, tmp_path: Path) -> None:
    asyncio.run(fill(node, "taken", 20, 2))
    asyncio.run(commit(node, "giver", "taken", {0: 4, 1: 6}))
    assert tide("group", "seek", "taker", "--to-group", "giver", "--yes") == (
        0,
        [{"topic": "taken", "partition": index, "from": None, "to": offset} for index, offset in ((0, 4), (1, 6))],
    )
    file = tmp_path / "offsets"
    file.write_text("taken 0 2\ntaken 1 99\n")
    code, rows = tide("group", "seek", "taker", "--to-file", str(file), "--topic", "taken:1", "--yes")
    assert (code, [(row["from"], row["to"]) for row in rows]) == (0, [(6, 10)])
    assert tide("group", "seek", "taker", "--to-group", "nobody", "--yes")[0] == 1
    assert tide("group", "reset", "taker", "--to", "1963-01-01", "--yes")[0] == 1


@pytest.mark.parametrize("protocol", ["classic", "consumer"])
def test_rebalances_are_told(node: OurNode, tide: Tide, protocol: str) -> None:
    name = f"told-{protocol}"

    async def member(client: str, partitions: int, then: Callable[[], Any]) -> None:
        settings = {
            "bootstrap.servers": node.address,
            "group.id": name,
            "client.id": client,
            "group.protocol": protocol,
        }
        async with Consumer(settings) as consumer:
            consumer.subscribe([name])
            while len(consumer.assignment) != partitions:
                await consumer.poll(0.1)
            found = then()
            if found is not None:
                while not found.done() or len(consumer.assignment) != partitions:
                    await consumer.poll(0.1)

    async def run() -> None:
        await fill(node, name, 0, 2)
        await member("first", 2, lambda: asyncio.ensure_future(member("second", 1, lambda: None)))

    asyncio.run(run())
    code, rows = tide("group", "rebalances", name)
    assert code == 0
    seen = [(row["members"], row["joined"], row["left"]) for row in rows]
    assert seen[:3] == [(1, ["first"], []), (2, ["second"], []), (1, [], ["second"])]
    assert [row["epoch"] for row in rows] == sorted(row["epoch"] for row in rows)
    assert tide("group", "rebalances", name, "--last", "1")[1] == rows[-1:]
    assert tide("group", "rebalances", "nobody")[0] == 3


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
            code, (finding, *_) = await asyncio.to_thread(tide, "group", "explain", "busy", "--seconds", "0.1")
            assert (code, finding["subject"]) == (0, "busy-0")
            assert finding["finding"].startswith("worker at 127.0.0.1 has it"), "nobody commits here"
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
        assert (row["stable"], row["end"], row["lag"], row["held_back"]) == (4, 6, 2, 2), "the marker is no record"
        assert row["lag_ms"] >= 0
        _, (row,) = tide("txn", "lso", "stable")
        assert (row["last_stable_offset"], row["held_back"], row["holder"]) == (4, 2, "holder")
        _, (row,) = tide("txn", "watch", "--times", "1")
        assert (row["id"], row["state"], row["partitions"]) == ("holder", "Ongoing", ["stable-0"])
        _, found = tide("txn", "describe", "holder")
        assert (found["state"], found["partitions"]) == ("Ongoing", ["stable-0"])
        assert tide("txn", "hanging") == (0, [])

    asyncio.run(run())


def test_lag_is_counted_in_records_and_not_in_offsets(node: OurNode, tide: Tide) -> None:
    """Ten transactions of three records, every other one aborted: 40 offsets, 15 records that will ever be read."""

    async def run() -> None:
        await fill(node, "counted", 0)
        async with Producer({"bootstrap.servers": node.address, "transactional.id": "counted"}) as producer:
            await producer.init_transactions()
            for number in range(10):
                producer.begin_transaction()
                for _ in range(3):
                    await producer.send("counted", b"x")
                await producer.flush()
                await (producer.abort_transaction() if number % 2 else producer.commit_transaction())
        async with asyncio.timeout(20):
            for position, left in ((0, 15), (1, 14), (2, 13), (3, 12), (4, 12), (6, 12), (8, 12), (10, 10), (35, 0)):
                await commit(node, "counted", "counted", {0: position})
                row = {"stable": -1}
                while row["stable"] != 40:  # the last marker is written after the answer
                    _, (row,) = await asyncio.to_thread(tide, "group", "describe", "counted")
                assert (row["lag"], row["lag_exact"], row["end"]) == (left, True, 40), position

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
            assert (await asyncio.to_thread(tide, "txn", "abort", "nobody", "--yes"))[0] == 3
            assert (await asyncio.to_thread(tide, "txn", "describe", "nobody"))[0] == 3
            assert (await asyncio.to_thread(tide, "txn", "list", "--state", "sleepy"))[0] == 2
            _, (row,) = await asyncio.to_thread(tide, "txn", "list", "--state", "ongoing")
            assert row["id"] == "stuck"
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


def test_a_node_that_does_not_answer_is_waited_for_no_longer_than_was_said(
    node: OurNode, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        where = f"127.0.0.1:{silent.getsockname()[1]}"
        monkeypatch.setattr(sys, "argv", ["tool", "--bootstrap-server", where, "--list", "--timeout", "300"])
        began = time.monotonic()
        assert kafka_consumer_groups.main() == 0
        assert time.monotonic() - began < 8, "the ten seconds of a usual connection were waited for"
    assert "did not answer within 0.3 s" in capsys.readouterr().out


@pytest.mark.parametrize("interrupts", [signal.SIG_DFL, signal.SIG_IGN], ids=["in front", "in the background"])
def test_a_console_consumer_commits_while_it_waits_and_leaves_when_it_is_ended(
    node: OurNode, tide: Tide, interrupts: signal.Handlers
) -> None:
    """A shell without job control lets jobs in the background ignore SIGINT."""
    topic, group = f"waiting-{interrupts}", f"waiters-{interrupts}"
    asyncio.run(fill(node, topic, 3))
    words = ["--bootstrap-server", node.address, "--topic", topic, "--from-beginning", "--group", group]
    words += ["--command-property", "auto.commit.interval.ms=50"]
    process = subprocess.Popen(
        [sys.executable, "-m", "tidelog.cli.kafka_console_consumer", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, interrupts),
    )
    try:
        assert process.stdout is not None
        assert [process.stdout.readline() for _ in range(3)] == ["0\n", "1\n", "2\n"]
        wait_until(lambda: [row["committed"] for row in tide("group", "describe", group)[1]] == [3])
    finally:
        process.terminate()
    assert process.communicate(timeout=30)[1] == "Processed a total of 3 messages\n"
    assert tide("group", "describe", group, "--summary")[1]["members"] == 0, "it did not say that it goes"


def wait_until(holds: Callable[[], bool], patience_s: float = 30) -> None:
    deadline = time.monotonic() + patience_s
    while not holds():
        assert time.monotonic() < deadline, "it does not come to that"
        time.sleep(0.05)
