"""A position knows the leader epoch of the last record before it (KIP-320): old leaders have no say about it."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from support.scripted_broker import TOPIC
from support.scripted_leader import ScriptedLeader
from tidelog.client.blocking import BlockingCluster
from tidelog.client.cluster import Cluster
from tidelog.client.columnar_arrow import schema_of
from tidelog.client.columnar_fetch import Loss, Range, RangeReader
from tidelog.client.consumer import Consumer, OffsetAndEpoch
from tidelog.client.errors import LogTruncated
from tidelog.protocol.errors import ErrorCode
from tidelog.protocol.messages.fetch import FetchRequest, PartitionData
from tidelog.protocol.messages.list_offsets import ListOffsetsRequest
from tidelog.protocol.messages.metadata import MetadataRequest, MetadataResponseBroker
from tidelog.protocol.messages.offset_for_leader_epoch import OffsetForLeaderEpochRequest

PLACE = (TOPIC, 0)


def consume(broker: ScriptedLeader, story: Callable[[Consumer], Awaitable[Any]], reset: str = "earliest") -> Any:
    async def run() -> Any:
        async with broker.running() as given:
            ours = {"group.id": "g", "auto.offset.reset": reset, "enable.auto.commit": "false"}
            async with Consumer(given | ours) as consumer:
                consumer.assign([PLACE])
                return await story(consumer)

    return asyncio.run(asyncio.wait_for(run(), 20))


async def read(consumer: Consumer, count: int) -> list[str]:
    found: list[str] = []
    while len(found) < count:
        found += [(record.value or b"").decode() for record in await consumer.poll(5.0)]
    return found


def asked(broker: ScriptedLeader, kind: type) -> list[Any]:
    return [request.topics[0].partitions[0] for request in broker.requests(kind)]


def test_the_epoch_of_the_last_record_is_committed_and_kept_with_the_position() -> None:
    broker = ScriptedLeader(5, {3: 0, 5: 2}, end=4)

    async def write(consumer: Consumer) -> None:
        consumer.seek(PLACE, 0)
        await read(consumer, 4)
        await consumer.commit({PLACE: 1})
        assert broker.committed == (1, -1)
        await consumer.commit({PLACE: OffsetAndEpoch(2, 3)})
        assert broker.committed == (2, 3)
        await consumer.commit()

    consume(broker, write)
    assert broker.committed == (4, 5)
    broker.end = 5
    broker.seen.clear()
    assert consume(broker, lambda consumer: read(consumer, 1)) == ["5/4"]
    row = asked(broker, FetchRequest)[0]
    assert (row.current_leader_epoch, row.last_fetched_epoch, row.fetch_offset) == (5, 5, 4)


def test_a_committed_position_is_not_shown_to_a_leader_of_an_older_epoch() -> None:
    """The old leader is cut off, does not know that it was replaced, and has never seen the position."""
    broker = ScriptedLeader(5, {5: 0}, end=10)
    broker.committed = (40, 7)

    def heal(request: Any) -> Any:
        if len(broker.requests(MetadataRequest)) > 6:
            broker.told_epoch = 7
            broker.history(7, {5: 0, 7: 12}, end=42)
        return broker._metadata(request)

    broker.answers[3] = heal
    assert consume(broker, lambda consumer: read(consumer, 2)) == ["7/40", "7/41"]
    assert {row.current_leader_epoch for row in asked(broker, FetchRequest)} == {7}
    assert {row.current_leader_epoch for row in asked(broker, OffsetForLeaderEpochRequest)} == {7}
    assert not broker.requests(ListOffsetsRequest)


@pytest.mark.parametrize("code", [ErrorCode.FENCED_LEADER_EPOCH, ErrorCode.UNKNOWN_LEADER_EPOCH])
def test_after_a_leader_change_the_position_is_compared_and_reading_goes_on(code: ErrorCode) -> None:
    broker = ScriptedLeader(5, {5: 0}, end=3)

    async def story(consumer: Consumer) -> list[str]:
        consumer.seek(PLACE, 0)
        await read(consumer, 3)
        broker.history(6, {5: 0, 6: 3}, end=5)
        refused = [code]
        leading = broker.on_fetch
        broker.on_fetch = lambda row: (
            PartitionData(partition_index=0, error_code=int(refused.pop())) if refused else leading(row)
        )
        broker.told_epoch = 6
        return await read(consumer, 2)

    assert consume(broker, story) == ["6/3", "6/4"]
    (row,) = asked(broker, OffsetForLeaderEpochRequest)
    assert (row.leader_epoch, row.current_leader_epoch) == (5, 6)


def cut(broker: ScriptedLeader) -> None:
    """A leader that had only two of the records was elected, and has written others since."""
    broker.history(6, {5: 0, 6: 2}, end=5)
    broker.told_epoch = 6


def test_what_was_cut_off_is_read_again_from_where_the_histories_part() -> None:
    broker = ScriptedLeader(5, {5: 0}, end=4)

    async def story(consumer: Consumer) -> list[str]:
        consumer.seek(PLACE, 0)
        await read(consumer, 4)
        cut(broker)
        return await read(consumer, 3)

    assert consume(broker, story) == ["6/2", "6/3", "6/4"]


def test_without_a_reset_a_cut_is_a_sentence_until_somebody_seeks() -> None:
    broker = ScriptedLeader(5, {5: 0}, end=4)

    async def story(consumer: Consumer) -> list[str]:
        consumer.seek(PLACE, 0)
        await read(consumer, 4)
        cut(broker)
        for _ in range(2):
            with pytest.raises(LogTruncated, match=r"before offset 4 .* differs from offset 2 on; seek"):
                await read(consumer, 1)
        consumer.seek(PLACE, 2)
        return await read(consumer, 3)

    assert consume(broker, story, reset="none") == ["6/2", "6/3", "6/4"]


def test_a_committed_position_in_a_history_that_is_gone_starts_where_the_reset_says() -> None:
    broker = ScriptedLeader(8, {}, end=0)
    broker.committed = (40, 7)

    async def story(consumer: Consumer) -> int:
        while not broker.requests(ListOffsetsRequest):
            await consumer.poll(0.01)
        return await consumer.position(PLACE)

    assert consume(broker, story) == 100
    assert asked(broker, ListOffsetsRequest)[0].current_leader_epoch == 8


def test_an_epoch_of_which_compaction_left_nothing_is_no_cut() -> None:
    broker = ScriptedLeader(6, {4: 0, 6: 8}, end=10)
    broker.committed = (7, 5)
    assert consume(broker, lambda consumer: read(consumer, 3)) == ["4/7", "6/8", "6/9"]


def test_the_refusal_of_a_leader_that_was_replaced_meanwhile_does_not_count() -> None:
    broker = ScriptedLeader(5, {5: 0}, end=3)
    refused = []

    async def story(consumer: Consumer) -> list[str]:
        leading = broker.on_fetch

        def answer(row: Any) -> PartitionData:
            if refused:
                return leading(row)
            refused.append(row)
            consumer.cluster.view = consumer.cluster.view.with_epoch(*PLACE, 6)
            broker.history(6, {5: 0, 6: 3}, end=12)
            broker.told_epoch = 6
            return PartitionData(partition_index=0, error_code=int(ErrorCode.OFFSET_OUT_OF_RANGE))

        broker.on_fetch = answer
        consumer.seek(PLACE, 10)
        return await read(consumer, 2)

    assert consume(broker, story) == ["6/10", "6/11"]
    assert not broker.requests(ListOffsetsRequest)


def test_a_broker_that_is_behind_is_not_the_only_one_asked() -> None:
    old, new = ScriptedLeader(5, {5: 0}, end=3), ScriptedLeader(6, {6: 0}, end=3)

    async def run() -> int:
        async with old.running() as given, new.running():
            for broker in (old, new):
                broker.answers[3] = both(broker)
            async with Cluster({"bootstrap.servers": given["bootstrap.servers"]}) as cluster:
                await cluster.refresh([TOPIC])
                cluster.view = cluster.view.with_epoch(*PLACE, 6)
                assert cluster.view.leader(*PLACE) == -1
                for _ in range(3):
                    await cluster.refresh([TOPIC])
                return cluster.view.leader(*PLACE)

    def both(broker: ScriptedLeader) -> Callable[[Any], Any]:
        def answer(request: Any) -> Any:
            found = broker._metadata(request)
            found.brokers = [
                MetadataResponseBroker(node_id=number, host="127.0.0.1", port=each.port)
                for number, each in ((1, old), (2, new))
            ]
            return found

        return answer

    assert asyncio.run(asyncio.wait_for(run(), 20)) == 1


def test_a_range_whose_records_were_cut_off_while_it_was_read_is_a_loss() -> None:
    broker = ScriptedLeader(5, {5: 0}, end=4)
    leading = broker.on_fetch

    def answer(row: Any) -> PartitionData:
        found = leading(row)
        cut(broker)
        return found

    broker.on_fetch = answer

    def read_all(settings: dict[str, Any]) -> None:
        with BlockingCluster(settings) as cluster:
            for _ in RangeReader(cluster, Range(TOPIC, 0, 0, 6), schema_of(("value",))).batches():
                pass

    async def run() -> None:
        async with broker.running() as given:
            with pytest.raises(Loss, match="offsets 2 to 3 are lost: a leader without them was elected"):
                await asyncio.to_thread(read_all, given)

    asyncio.run(asyncio.wait_for(run(), 20))
