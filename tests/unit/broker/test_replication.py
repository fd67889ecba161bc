"""Leaders and followers over real logs and sockets, under a controller that decides at once."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

import pytest

from support.brokers import Brokers, until
from tidelog.protocol.errors import ErrorCode, KafkaError
from tidelog.protocol.metadata_records.config_record import ConfigRecord
from tidelog.protocol.metadata_records.partition_change_record import PartitionChangeRecord


def run(story: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(story, 60))


def test_followers_copy_and_acks_all_waits_for_them(tmp_path: Path) -> None:
    async def story() -> None:
        async with Brokers(tmp_path) as cluster:
            cluster.create("t")
            acked = cluster[1].append(b"one", b"two")
            assert not acked.done(), "nobody else has it yet"
            assert await acked is ErrorCode.NONE
            assert cluster[1].partition().high_watermark == 2
            assert cluster[2].values() == cluster[3].values() == [b"one", b"two"]
            assert await cluster[1].append(b"three") is ErrorCode.NONE
            await until(lambda: cluster[2].partition().high_watermark == 3, "the high watermark reaches followers")
            assert set(cluster.state().isr) == {1, 2, 3}

    run(story())


def test_followers_that_ask_again_and_again_get_every_batch(tmp_path: Path) -> None:
    """One at a time, several at once, larger than what is kept in memory, over new segments and a new leader."""

    async def story() -> None:
        async with Brokers(tmp_path) as cluster:
            cluster.create("t")
            sent = [b"%d" % number for number in range(30)]
            for value in sent:
                assert await cluster[1].append(value) is ErrorCode.NONE
            repeated = [each.connection.repeating for each in cluster[1].server.sessions]
            assert any(each is not None and each.body for each in repeated), "its fetches repeat"
            for number in range(20):
                values = [b"%d" % number * size for size in (1, 2000, 10)]
                waiting = [cluster[1].append(value) for value in values]
                assert await asyncio.gather(*waiting) == [ErrorCode.NONE] * 3
                sent += values
                if number % 5 == 0:
                    log = cluster[1].partition().log
                    log.roll(cluster[1].broker.clock.now_ms(), log.log_end_offset)
            cluster.elect(2, isr=[1, 2, 3])
            for value in (b"by", b"another", b"leader"):
                assert await cluster[2].append(value) is ErrorCode.NONE
                sent.append(value)
            for each in (1, 2, 3):
                assert cluster[each].values() == sent
            assert set(cluster.state().isr) == {1, 2, 3}

    run(story())


def test_a_follower_whose_session_was_dropped_begins_another(tmp_path: Path) -> None:
    async def story() -> None:
        async with Brokers(tmp_path) as cluster:
            cluster.create("t")
            for number in range(5):
                assert await cluster[1].append(b"%d" % number) is ErrorCode.NONE
            sessions = cluster[1].broker.fetch_sessions
            for session_id in list(sessions._sessions):
                sessions.remove(session_id)  # as if others had needed the room
            for number in range(5, 10):
                assert await cluster[1].append(b"%d" % number) is ErrorCode.NONE
            assert cluster[2].values() == cluster[3].values() == [b"%d" % number for number in range(10)]

    run(story())


def test_a_dead_follower_leaves_and_comes_back(tmp_path: Path) -> None:
    async def story() -> None:
        async with Brokers(tmp_path) as cluster:
            cluster.create("t", min_insync_replicas="2")
            assert await cluster[1].append(b"one") is ErrorCode.NONE
            cluster.fence(3)
            assert set(cluster.state().isr) == {1, 2}
            assert await cluster[1].append(b"two") is ErrorCode.NONE
            cluster.fence(2)
            with pytest.raises(KafkaError) as refused:
                cluster[1].append(b"three")
            assert refused.value.code is ErrorCode.NOT_ENOUGH_REPLICAS
            assert await cluster[1].append(b"four", acks=1) is ErrorCode.NONE
            assert cluster[1].partition().high_watermark == 2, "too few are in sync to count it as committed"
            cluster.unfence(2)
            cluster.unfence(3)
            await until(lambda: set(cluster.state().isr) == {1, 2, 3}, "both rejoin")
            await until(lambda: cluster[1].partition().high_watermark == 3)
            assert cluster[3].values() == [b"one", b"two", b"four"]

    run(story())


def test_waiting_producers_are_told_when_too_few_are_left(tmp_path: Path) -> None:
    async def story() -> None:
        async with Brokers(tmp_path) as cluster:
            cluster.create("t", min_insync_replicas="2")
            assert await cluster[1].append(b"one") is ErrorCode.NONE
            for each in (2, 3):
                cluster[each].broker.fetchers.close()
            waiting = cluster[1].append(b"two")
            await asyncio.sleep(0)
            cluster.fence(2)
            assert not waiting.done()
            cluster.fence(3)
            assert await waiting is ErrorCode.NOT_ENOUGH_REPLICAS_AFTER_APPEND

    run(story())


def test_a_follower_that_stands_still_leaves_after_the_lag_time(tmp_path: Path) -> None:
    async def story() -> None:
        async with Brokers(tmp_path, replica_lag_time_max_ms="300") as cluster:
            cluster.create("t")
            assert await cluster[1].append(b"one") is ErrorCode.NONE
            cluster[3].broker.fetchers.close()
            waiting = cluster[1].append(b"two")
            assert await waiting is ErrorCode.NONE
            assert set(cluster.state().isr) == {1, 2}

    run(story())


def test_an_old_leader_cuts_what_nobody_else_has(tmp_path: Path) -> None:
    async def story() -> None:
        async with Brokers(tmp_path) as cluster:
            cluster.create("t")
            assert await cluster[1].append(b"one") is ErrorCode.NONE
            cluster[1].deaf = True
            for each in (2, 3):
                cluster[each].broker.fetchers.close()
            lost = cluster[1].append(b"lost", b"too")
            cluster.elect(2, isr=[2, 3])
            kept = cluster[2].append(b"kept")
            assert await kept is ErrorCode.NONE
            assert not lost.done()
            cluster.hear(1)
            assert await lost is ErrorCode.NOT_LEADER_OR_FOLLOWER
            await until(lambda: cluster[1].values() == [b"one", b"kept"], "the old leader follows")
            await until(lambda: set(cluster.state().isr) == {1, 2, 3})
            assert cluster[1].partition().log.epochs.entries() == cluster[2].partition().log.epochs.entries()

    run(story())


def test_histories_that_differ_twice_meet_again(tmp_path: Path) -> None:
    """Fast failovers: each leader wrote alone before it was cut off, so one cut does not suffice."""

    async def story() -> None:
        async with Brokers(tmp_path, count=2) as cluster:
            cluster.create("t", [1, 2])
            assert await cluster[1].append(b"base") is ErrorCode.NONE
            await until(lambda: cluster[2].partition().log_end_offset == 1)
            for each in (1, 2):
                cluster[each].broker.fetchers.close()
            for leader in (2, 1, 2, 1):
                other = 3 - leader
                cluster[other].deaf = True
                cluster.elect(leader, isr=[leader])
                cluster[leader].append(b"by %d" % leader, b"alone", acks=1)
                await asyncio.sleep(0.01)
                cluster[other].broker.fetchers.close()
                cluster[leader].broker.fetchers.close()
                cluster.hear(other)
                cluster[other].broker.fetchers.close()
            cluster.elect(1, isr=[1])
            await until(lambda: set(cluster.state().isr) == {1, 2}, "both are in sync")
            assert await cluster[1].append(b"end") is ErrorCode.NONE
            assert cluster[1].values() == cluster[2].values()
            assert cluster[1].partition().log.epochs.entries() == cluster[2].partition().log.epochs.entries()

    run(story())


def test_a_new_replica_begins_where_the_leader_begins(tmp_path: Path) -> None:
    async def story() -> None:
        async with Brokers(tmp_path) as cluster:
            cluster.create("t", [1, 2])
            for number in range(5):
                assert await cluster[1].append(b"%d" % number) is ErrorCode.NONE
            leader = cluster[1].partition()
            leader.log.roll(0)
            leader.delete_records(4)
            topic = cluster.image.topics.get("t")
            assert topic is not None
            change = PartitionChangeRecord(partition_id=0, topic_id=topic.id, replicas=[1, 2, 3])
            cluster.publish([change])
            await until(lambda: set(cluster.state().isr) == {1, 2, 3}, "the new one joins")
            assert cluster[3].partition().log_start_offset == 4
            assert cluster[3].values() == [b"4"]
            await until(lambda: cluster[2].partition().log_start_offset == 4, "followers delete with the leader")
            cluster.publish([PartitionChangeRecord(partition_id=0, topic_id=topic.id, replicas=[1, 3], isr=[1, 3])])
            assert cluster[2].broker.partitions.get("t", 0) is None
            assert await cluster[1].append(b"5") is ErrorCode.NONE

    run(story())


def test_with_flushes_before_the_ack_every_replica_in_sync_is_durable(tmp_path: Path) -> None:
    async def story() -> None:
        async with Brokers(tmp_path) as cluster:
            cluster.create("t", flush_messages="1")
            for number in range(5):
                assert await cluster[1].append(b"%d" % number) is ErrorCode.NONE
                for each in (1, 2, 3):
                    assert cluster[each].partition().log.recovery_point == number + 1

    run(story())


def test_a_proposed_member_holds_the_high_watermark_back(tmp_path: Path) -> None:
    async def story() -> None:
        async with Brokers(tmp_path) as cluster:
            cluster.create("t")
            assert await cluster[1].append(b"one") is ErrorCode.NONE
            cluster.fence(3)
            cluster.mute = True
            cluster.unfence(3)
            leader = cluster[1].partition().leader
            assert leader is not None
            await until(lambda: leader.proposal is not None, "broker 3 is proposed")
            cluster[3].broker.fetchers.close()
            waiting = cluster[1].append(b"two")
            await until(lambda: cluster[2].partition().log_end_offset == 2)
            await asyncio.sleep(0.05)
            assert not waiting.done(), "if broker 3 is in sync by now, it must have it"
            cluster.mute = False
            cluster.fence(3)
            assert await waiting is ErrorCode.NONE

    run(story())


def test_what_a_commit_causes_to_be_written_does_not_wait_for_the_next_poll(tmp_path: Path) -> None:
    """A follower's fetch commits a record, and whoever waited for that writes to a partition of the same fetch."""

    async def story() -> None:
        async with Brokers(tmp_path, count=2, replica_fetch_wait_max_ms="15000") as cluster:
            cluster.create("t", [1, 2], [1, 2])
            second: list[asyncio.Future[ErrorCode]] = []
            partition = cluster[1].partition()
            await until(lambda: bool(partition.replica_watchers), "the follower waits")
            for number in range(3):
                first = cluster[1].append(b"cause")
                partition.when_acked(-1, number + 1, lambda _: second.append(cluster[1].append(b"effect", index=1)))
                assert await first is ErrorCode.NONE
                assert await asyncio.wait_for(second[-1], 10) is ErrorCode.NONE

    run(story())


@pytest.mark.parametrize("side", ["leader", "follower"])
def test_a_throttled_replica_is_copied_no_faster_than_it_may_be(tmp_path: Path, side: str) -> None:
    async def story() -> None:
        async with Brokers(tmp_path, replica_fetch_max_bytes="20000", replica_fetch_wait_max_ms="50") as cluster:
            cluster.create("t", [1, 2])
            for _ in range(15):
                assert await cluster[1].append(bytes(10_000)) is ErrorCode.NONE
            broker, rate = ("1" if side == "leader" else "3"), f"{side}.replication.throttled.rate"
            replicas = f"{side}.replication.throttled.replicas"
            cluster.publish(
                [
                    ConfigRecord(resource_type=4, resource_name=broker, name=rate, value="60000"),
                    ConfigRecord(resource_type=2, resource_name="t", name=replicas, value=f"0:{broker}"),
                ]
            )
            topic = cluster.image.topics.get("t")
            assert topic is not None
            began = asyncio.get_running_loop().time()
            cluster.publish([PartitionChangeRecord(partition_id=0, topic_id=topic.id, replicas=[1, 2, 3])])
            assert await cluster[1].append(b"meanwhile") is ErrorCode.NONE, "those in sync are not held back"
            await until(lambda: 3 in cluster.state().isr, "the new one joins in the end")
            # 150 KB, of which the first 60 KB and the last 20 KB need not wait.
            assert asyncio.get_running_loop().time() - began > 1.1

    run(story())
