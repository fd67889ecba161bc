"""Fetch: positions, limits, epochs and every version."""

import os
import time
from typing import Any

import pytest

from conformance.batches import START_MS, batch
from conformance.brokers import Both, Broker
from conformance.requests import fetch, produce
from tidelog.protocol.compression import Codec
from tidelog.protocol.messages.fetch import FetchPartition, FetchRequest, FetchTopic, ReplicaState
from tidelog.protocol.record_batch import Record, build_batch, iter_batches


def filled(broker: Broker, topic: str, partitions: int = 1, batches: int = 4, count: int = 5) -> bytes:
    """A topic of equal batches in every partition."""
    topic_id = broker.create(topic, partitions)
    for index in range(partitions):
        for number in range(batches):
            produce(broker, topic, batch(count, timestamp=START_MS + number * 1000), index=index)
    return topic_id


def whole(answer: Any) -> list[int]:
    """The base offsets of the whole batches in an answer."""
    return [header.base_offset for _, header in iter_batches(answer.records or b"")]


@pytest.mark.parametrize("version", range(4, 13))
def test_every_version(both: Both, topic: str, version: int) -> None:
    def step(broker: Broker) -> Any:
        filled(broker, topic)
        return fetch(broker, topic, 0, version)

    assert len(both.same(step)["records"]) == 4


@pytest.mark.parametrize("version", range(13, 19))
def test_every_version_by_id(both: Both, topic: str, version: int) -> None:
    def step(broker: Broker) -> Any:
        topic_id = filled(broker, topic)
        parts = [FetchPartition(partition=index, fetch_offset=0, partition_max_bytes=1 << 20) for index in (0, 3)]
        topics = [FetchTopic(topic_id=each, partitions=parts) for each in (topic_id, os.urandom(16))]
        return broker.call(FetchRequest(max_wait_ms=0, min_bytes=1, topics=topics), version)

    both.same(step)


@pytest.mark.parametrize("offset", [0, 1, 4, 5, 7, 19, 20, 21, 1000, -1, -2, 2**62])
@pytest.mark.parametrize("version", [4, 12])
def test_positions(both: Both, topic: str, offset: int, version: int) -> None:
    """In the middle of a batch the whole batch comes; past the end is out of range, at the end is empty."""

    def step(broker: Broker) -> Any:
        filled(broker, topic)
        return fetch(broker, topic, offset, version)

    both.same(step)


@pytest.mark.parametrize("max_bytes", [0, 1, 60, 130, 136, 137, 260, 272, 300, 10_000, 2**31 - 1])
@pytest.mark.parametrize("which", ["max_bytes", "total_bytes"])
@pytest.mark.parametrize("offset", [0, 7])
def test_limits(both: Both, topic: str, max_bytes: int, which: str, offset: int) -> None:
    """The first batch always comes; after it only what fits. Apache also sends a useless piece of the next one."""

    def step(broker: Broker) -> Any:
        filled(broker, topic)
        limits = {which: max_bytes}
        answer = fetch(broker, topic, offset, **limits)
        return {"batches": whole(answer), "error": answer.error_code, "mark": answer.high_watermark}

    both.same(step)


def test_old_versions_cut_by_the_limit_too(both: Both, topic: str) -> None:
    def step(broker: Broker) -> Any:
        filled(broker, topic)
        return [whole(fetch(broker, topic, 0, version, max_bytes=size)) for version in (4, 7) for size in (1, 200)]

    both.same(step)


def test_one_total_limit_over_several_partitions(both: Both, topic: str) -> None:
    def step(broker: Broker, total: int) -> Any:
        parts = [FetchPartition(partition=index, fetch_offset=0, partition_max_bytes=272) for index in range(3)]
        request = FetchRequest(
            max_wait_ms=0, min_bytes=1, max_bytes=total, topics=[FetchTopic(topic=topic, partitions=parts)]
        )
        answer = broker.call(request, 12)
        return [(p.partition_index, whole(p), p.error_code) for p in answer.responses[0].partitions]

    for broker in (both.ours, both.apache):
        filled(broker, topic, 3)
    for total in (1, 136, 272, 408, 544, 100_000):
        both.same(step, total)


@pytest.mark.parametrize("epoch", [-1, 0, 1, 5, -2])
@pytest.mark.parametrize("field", ["current_leader_epoch", "last_fetched_epoch"])
@pytest.mark.parametrize("offset", [0, 10, 20, 25])
def test_epochs(both: Both, topic: str, epoch: int, field: str, offset: int) -> None:
    def step(broker: Broker) -> Any:
        filled(broker, topic)
        epochs: dict[str, Any] = {field: epoch}
        return fetch(broker, topic, offset, **epochs)

    both.same(step)


def test_unknown_topics_and_partitions(both: Both, topic: str) -> None:
    def step(broker: Broker, version: int) -> Any:
        return [
            fetch(broker, f"{topic}-nowhere", 0, version),
            fetch(broker, topic, 0, version, index=5),
            fetch(broker, topic, 0, version, index=-1),
            fetch(broker, "bad name", 0, version),
            fetch(broker, "", 0, version),
        ]

    for broker in (both.ours, both.apache):
        broker.create(topic)
    both.same(step, 4)
    both.same(step, 12)


@pytest.mark.parametrize("isolation", [0, 1])
def test_isolation(both: Both, topic: str, isolation: int) -> None:
    def step(broker: Broker) -> Any:
        filled(broker, topic)
        return fetch(broker, topic, 5, isolation_level=isolation)

    both.same(step)


def test_compressed_batches_come_as_they_were_sent(both: Both, topic: str) -> None:
    def step(broker: Broker) -> Any:
        broker.create(topic)
        for codec in (Codec.GZIP, Codec.SNAPPY, Codec.LZ4, Codec.ZSTD):
            produce(broker, topic, batch(10, codec=codec))
        return [fetch(broker, topic, offset).records.hex() for offset in (0, 15, 39)]

    both.same(step)


def test_zstd_to_a_client_too_old_for_it(both: Both, topic: str) -> None:
    def step(broker: Broker) -> Any:
        broker.create(topic)
        produce(broker, topic, batch(10, codec=Codec.ZSTD))
        return fetch(broker, topic, 0, 9), fetch(broker, topic, 0, 10)

    both.same(step)


def test_a_batch_larger_than_every_limit_still_comes(both: Both, topic: str) -> None:
    def step(broker: Broker) -> Any:
        broker.create(topic)
        large = build_batch([Record(0, START_MS, b"k", os.urandom(200_000))])
        produce(broker, topic, large)
        return len(fetch(broker, topic, 0, max_bytes=100, total_bytes=100).records) == len(large)

    assert both.same(step) is True


class TestWaiting:
    def test_an_empty_fetch_waits_its_time(self, both: Both, topic: str) -> None:
        def step(broker: Broker) -> Any:
            broker.create(topic)
            before = time.monotonic()
            answer = fetch(broker, topic, 0, max_wait_ms=400)
            return answer, time.monotonic() - before >= 0.35

        assert both.same(step)[1] is True

    def test_a_produce_ends_the_wait(self, both: Both, topic: str) -> None:
        def step(broker: Broker) -> Any:
            broker.create(topic)
            part = FetchPartition(partition=0, fetch_offset=0, partition_max_bytes=1 << 20)
            topics = [FetchTopic(topic=topic, partitions=[part])]
            with broker.connect() as wire:
                wire.send(FetchRequest(max_wait_ms=15_000, min_bytes=1, topics=topics), 12)
                before = time.monotonic()
                produce(broker, topic, batch(1))
                answer: Any = wire.receive(1, 12)
                return answer.responses[0].partitions[0], time.monotonic() - before < 10

        assert both.same(step)[1] is True

    def test_errors_do_not_wait(self, both: Both, topic: str) -> None:
        def step(broker: Broker) -> Any:
            broker.create(topic)
            before = time.monotonic()
            fetch(broker, topic, 99, max_wait_ms=5000)
            fetch(broker, f"{topic}-nowhere", 0, max_wait_ms=5000)
            return time.monotonic() - before < 4

        assert both.same(step) is True

    def test_min_bytes_larger_than_what_is_there(self, both: Both, topic: str) -> None:
        def step(broker: Broker) -> Any:
            filled(broker, topic)
            before = time.monotonic()
            answer = fetch(broker, topic, 0, min_bytes=1_000_000, max_wait_ms=300)
            return answer, time.monotonic() - before >= 0.25

        assert both.same(step)[1] is True


@pytest.mark.parametrize("replica", [-2, -3, 0, 1, 7])
def test_replica_ids_of_clients(both: Both, topic: str, replica: int) -> None:
    """Consumers are -1, debuggers -2; anything else claims to be a broker."""

    def step(broker: Broker, version: int) -> Any:
        if version < 15:
            return fetch(broker, topic, 0, version, replica_id=replica)
        part = FetchPartition(partition=0, fetch_offset=0, partition_max_bytes=1 << 20)
        state = ReplicaState(replica_id=replica, replica_epoch=-1)
        wanted = FetchTopic(topic_id=broker.metadata(topic).topic_id, partitions=[part])
        request = FetchRequest(max_wait_ms=0, min_bytes=1, replica_state=state, topics=[wanted])
        return broker.call(request, version)

    for broker in (both.ours, both.apache):
        filled(broker, topic)
    both.same(step, 12)
    both.same(step, 17)


def test_the_same_partition_twice(both: Both, topic: str) -> None:
    def step(broker: Broker) -> Any:
        filled(broker, topic)
        parts = [FetchPartition(partition=0, fetch_offset=offset, partition_max_bytes=1000) for offset in (0, 10)]
        request = FetchRequest(max_wait_ms=0, min_bytes=1, topics=[FetchTopic(topic=topic, partitions=parts)])
        return broker.call(request, 12).responses

    both.same(step)


def test_no_topics(both: Both) -> None:
    both.same(lambda broker: broker.call(FetchRequest(max_wait_ms=0, min_bytes=1, topics=[]), 12))
    both.same(lambda broker: broker.call(FetchRequest(max_wait_ms=200, min_bytes=1, topics=[]), 4))


def test_a_cluster_id_that_is_not_ours(both: Both, topic: str) -> None:
    def step(broker: Broker) -> Any:
        filled(broker, topic)
        return fetch(broker, topic, 0, cluster_id="someone-elses")

    both.same(step)
