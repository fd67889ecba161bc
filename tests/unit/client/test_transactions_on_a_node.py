"""Transactions of our producer, with a reader of committed records, on a node of our own."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import pytest

from peer.ours import OurNode
from tidelog.client.admin import Admin
from tidelog.client.consumer import Consumer
from tidelog.client.errors import SettingError
from tidelog.client.list_offsets import LATEST, list_offsets
from tidelog.client.producer import Producer
from tidelog.client.transaction import WrongState
from tidelog.protocol.errors import ErrorCode, KafkaError


@pytest.fixture(scope="module")
def node(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OurNode]:
    found = OurNode(Path(tmp_path_factory.mktemp("node")), {"group.initial.rebalance.delay.ms": "0"})
    found.start()
    yield found
    found.close()


def producer(node: OurNode, name: str, **settings: str) -> Producer:
    given = {key.replace("_", "."): value for key, value in settings.items()}
    return Producer({"bootstrap.servers": node.address, "transactional.id": name, **given})


async def committed(node: OurNode, topic: str) -> list[bytes | None]:
    """What a reader of committed records sees when every transaction has ended."""
    settings = {
        "bootstrap.servers": node.address,
        "isolation.level": "read_committed",
        "auto.offset.reset": "earliest",
    }
    async with Consumer(settings) as consumer:
        consumer.assign([(topic, 0)])
        end = -1
        while (await consumer.end_offsets([(topic, 0)]))[topic, 0] != end:  # markers are written after the answer
            end = (await list_offsets(consumer.cluster, {(topic, 0): LATEST}))[topic, 0].offset
        seen: list[bytes | None] = []
        while await consumer.position((topic, 0)) < end:
            seen += [record.value for record in await consumer.poll(0.2)]
        return seen


def play(node: OurNode, topic: str, story: Callable[[Admin], Awaitable[None]]) -> None:
    async def run() -> None:
        async with asyncio.timeout(60), Admin({"bootstrap.servers": node.address}) as admin:
            await admin.topics.create(topic, partitions=1)
            await story(admin)

    asyncio.run(run())


@pytest.fixture(params=["transaction.version 2", "transaction.version 1"])
def either_version(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Brokers before version 2 want partitions and offsets to be added by requests; this node takes those too."""
    name: str = request.param
    if name.endswith("1"):
        monkeypatch.setattr("tidelog.client.transaction._transaction_version", lambda connection: 1)
    return name.replace(" ", "-")


def test_only_committed_records_are_seen(node: OurNode, either_version: str) -> None:
    topic = f"seen-{either_version}"

    async def story(admin: Admin) -> None:
        async with producer(node, topic) as one:
            await one.init_transactions()
            for number in range(6):
                one.begin_transaction()
                await one.send(topic, b"%d" % number)
                if number % 2:
                    await one.flush()
                    await one.abort_transaction()
                else:
                    await one.commit_transaction()
            one.begin_transaction()
            await one.commit_transaction()
        assert await committed(node, topic) == [b"0", b"2", b"4"]
        (row,) = [each for each in await admin.transactions.all() if each.transactional_id == topic]
        assert row.state in {"PrepareAbort", "CompleteAbort"}, (
            "the empty transaction at the end asks nothing of the coordinator"
        )

    play(node, topic, story)


def test_offsets_count_with_the_transaction(node: OurNode, either_version: str) -> None:
    topic = f"offsets-{either_version}"

    async def story(admin: Admin) -> None:
        group = (topic, -1, "", "")
        async with producer(node, topic) as one:
            await one.init_transactions()

            async def doomed() -> None:
                async with one.transaction():
                    await one.send(topic, b"lost")
                    await one.send_offsets({(topic, 0): 5}, group)
                    raise ZeroDivisionError

            with pytest.raises(ZeroDivisionError):
                await doomed()
            assert await admin.groups.offsets(topic) == {}
            async with one.transaction():
                await one.send_offsets({(topic, 0): 7}, group)
            async with Consumer({"bootstrap.servers": node.address, "group.id": topic}) as reader:
                assert await reader.committed([(topic, 0)]) == {(topic, 0): 7}
        assert await committed(node, topic) == []

    play(node, topic, story)


def test_a_second_producer_fences_the_first(node: OurNode, either_version: str) -> None:
    topic = f"fenced-{either_version}"

    async def story(admin: Admin) -> None:
        async with producer(node, topic) as first, producer(node, topic) as second:
            await first.init_transactions()
            first.begin_transaction()
            await first.send(topic, b"old")
            await first.flush()
            await second.init_transactions()
            with pytest.raises(KafkaError) as refused:
                await first.commit_transaction()
            assert refused.value.code in {ErrorCode.PRODUCER_FENCED, ErrorCode.INVALID_PRODUCER_EPOCH}
            with pytest.raises(KafkaError):
                first.begin_transaction()
            async with second.transaction():
                await second.send(topic, b"new")
        assert await committed(node, topic) == [b"new"]

    play(node, topic, story)


def test_a_failed_record_leaves_only_the_abort(node: OurNode, either_version: str) -> None:
    topic = f"failed-{either_version}"

    async def story(admin: Admin) -> None:
        await admin.topics.create(f"{topic}-small", partitions=1, configs={"max.message.bytes": "100"})
        async with producer(node, topic) as one:
            await one.init_transactions()
            one.begin_transaction()
            await one.send(topic, b"a")
            await one.send(f"{topic}-small", b"x" * 500)
            with pytest.raises(WrongState, match="can only be aborted"):
                await one.commit_transaction()
            with pytest.raises(WrongState, match="can only be aborted"):
                await one.send(topic, b"b")
            await one.abort_transaction()
            async with one.transaction():
                await one.send(topic, b"c")
        assert await committed(node, topic) == [b"c"]

    play(node, topic, story)


def test_consume_transform_produce(node: OurNode) -> None:
    """Three steps, the second aborted: nothing is lost and nothing is there twice."""
    topic = "loop"

    async def story(admin: Admin) -> None:
        await admin.topics.create("loop-out", partitions=1)
        async with Producer({"bootstrap.servers": node.address}) as source:
            for number in range(30):
                await source.send(topic, b"%d" % number)
        settings = {
            "bootstrap.servers": node.address,
            "group.id": "loop",
            "enable.auto.commit": "false",
            "auto.offset.reset": "earliest",
            "max.poll.records": "10",
        }
        async with producer(node, "loop") as out:
            await out.init_transactions()
            for step in range(4):
                async with Consumer(settings) as consumer:
                    consumer.subscribe([topic])
                    records = []
                    while not records:
                        records = await consumer.poll(1.0)
                    out.begin_transaction()
                    for record in records:
                        await out.send("loop-out", record.value)
                    await out.send_offsets({(topic, 0): records[-1].offset + 1}, consumer.group_metadata)
                    await (out.abort_transaction() if step == 1 else out.commit_transaction())
        assert await committed(node, "loop-out") == [b"%d" % number for number in range(30)]

    play(node, topic, story)


def test_calls_out_of_turn(node: OurNode) -> None:
    async def run() -> None:
        async with producer(node, "turn") as one:
            with pytest.raises(WrongState, match="init_transactions"):
                one.begin_transaction()
            await one.init_transactions()
            with pytest.raises(WrongState, match="begin_transaction"):
                await one.commit_transaction()
            await one.partitions_for("turn")
            with pytest.raises(WrongState, match="begin_transaction"):
                await one.send("turn", b"x")
        async with Producer({"bootstrap.servers": node.address}) as plain:
            with pytest.raises(SettingError, match="set transactional"):
                plain.begin_transaction()
        with pytest.raises(SettingError, match="idempotence"):
            producer(node, "turn", acks="1")

    asyncio.run(run())
