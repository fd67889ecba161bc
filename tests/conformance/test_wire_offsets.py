"""ListOffsets, OffsetForLeaderEpoch and DeleteRecords."""

from typing import Any

import pytest

from conformance.batches import START_MS, batch
from conformance.brokers import Both, Broker
from conformance.requests import fetch, list_offset, produce
from tidelog.protocol.compression import Codec
from tidelog.protocol.messages.delete_records import DeleteRecordsPartition, DeleteRecordsRequest, DeleteRecordsTopic
from tidelog.protocol.messages.list_offsets import ListOffsetsPartition, ListOffsetsRequest, ListOffsetsTopic
from tidelog.protocol.messages.offset_for_leader_epoch import (
    OffsetForLeaderEpochRequest,
    OffsetForLeaderPartition,
    OffsetForLeaderTopic,
)
from tidelog.protocol.record_batch import Record, build_batch

SPECIAL = {"latest": -1, "earliest": -2, "max timestamp": -3, "earliest local": -4, "latest tiered": -5, "pending": -6}


def filled(broker: Broker, topic: str) -> None:
    """Four batches whose timestamps rise and fall."""
    broker.create(topic)
    for number, codec in ((0, Codec.NONE), (2, Codec.GZIP), (1, Codec.NONE), (3, Codec.ZSTD)):
        produce(broker, topic, batch(5, timestamp=START_MS + number * 1000, codec=codec))


def delete(broker: Broker, topic: str, offset: int, version: int = 2, index: int = 0) -> Any:
    parts = [DeleteRecordsPartition(partition_index=index, offset=offset)]
    request = DeleteRecordsRequest(topics=[DeleteRecordsTopic(name=topic, partitions=parts)], timeout_ms=5000)
    return broker.call(request, version).topics[0].partitions[0]


class TestListOffsets:
    @pytest.mark.parametrize("version", range(1, 12))
    def test_special_timestamps_in_every_version(self, both: Both, topic: str, version: int) -> None:
        def step(broker: Broker) -> Any:
            filled(broker, topic)
            return {name: list_offset(broker, topic, special, version) for name, special in SPECIAL.items()}

        both.same(step)

    @pytest.mark.parametrize("version", [1, 7, 11])
    def test_special_timestamps_of_an_empty_log(self, both: Both, topic: str, version: int) -> None:
        def step(broker: Broker) -> Any:
            broker.create(topic)
            return {name: list_offset(broker, topic, special, version) for name, special in SPECIAL.items()}

        both.same(step)

    def test_by_timestamp(self, both: Both, topic: str) -> None:
        deltas = (-START_MS, -1, 0, 1, 3, 4, 5, 999, 1000, 1002, 1500, 2000, 2004, 2005, 3000, 3004, 3005, 10_000)

        def step(broker: Broker) -> Any:
            filled(broker, topic)
            return {delta: list_offset(broker, topic, START_MS + delta) for delta in deltas}

        both.same(step)

    @pytest.mark.parametrize("timestamp", [-7, -100, -(2**63), 2**63 - 1])
    def test_odd_timestamps(self, both: Both, topic: str, timestamp: int) -> None:
        def step(broker: Broker, version: int) -> Any:
            return list_offset(broker, topic, timestamp, version)

        for broker in (both.ours, both.apache):
            filled(broker, topic)
        both.same(step, 1)
        both.same(step, 9)

    def test_after_deleted_records(self, both: Both, topic: str) -> None:
        def step(broker: Broker) -> Any:
            filled(broker, topic)
            delete(broker, topic, 7)
            answers = {name: list_offset(broker, topic, special) for name, special in SPECIAL.items()}
            return answers, list_offset(broker, topic, START_MS), list_offset(broker, topic, START_MS + 2001)

        both.same(step)

    def test_max_timestamp_of_equal_timestamps(self, both: Both, topic: str) -> None:
        def step(broker: Broker) -> Any:
            broker.create(topic)
            same_time = [Record(i, START_MS, b"k", b"v") for i in range(3)]
            for _ in range(3):
                produce(broker, topic, build_batch(same_time))
            return list_offset(broker, topic, -3), list_offset(broker, topic, START_MS)

        both.same(step)

    def test_append_time(self, both: Both, topic: str) -> None:
        def step(broker: Broker) -> Any:
            broker.create(topic, 1, message_timestamp_type="LogAppendTime")
            produce(broker, topic, batch(4))
            answers = [list_offset(broker, topic, special) for special in (-1, -2, -3)]
            for answer in answers:
                answer.timestamp = min(answer.timestamp, 0)
            return answers

        both.same(step)

    @pytest.mark.parametrize("epoch", [-1, 0, 1, 5])
    def test_epochs(self, both: Both, topic: str, epoch: int) -> None:
        def step(broker: Broker) -> Any:
            filled(broker, topic)
            return list_offset(broker, topic, -1, current_leader_epoch=epoch)

        both.same(step)

    @pytest.mark.parametrize("isolation", [0, 1])
    def test_isolation(self, both: Both, topic: str, isolation: int) -> None:
        def step(broker: Broker) -> Any:
            filled(broker, topic)
            return [list_offset(broker, topic, special, isolation_level=isolation) for special in (-1, -3, START_MS)]

        both.same(step)

    @pytest.mark.parametrize("replica", [-2, 0, 1, 9])
    def test_replica_ids(self, both: Both, topic: str, replica: int) -> None:
        def step(broker: Broker) -> Any:
            filled(broker, topic)
            return list_offset(broker, topic, -1, replica_id=replica)

        both.same(step)

    def test_unknown_and_twice(self, both: Both, topic: str) -> None:
        def step(broker: Broker) -> Any:
            filled(broker, topic)
            twice = [ListOffsetsPartition(partition_index=0, timestamp=special) for special in (-1, -2)]
            request = ListOffsetsRequest(replica_id=-1, topics=[ListOffsetsTopic(name=topic, partitions=twice)])
            return [
                list_offset(broker, topic, -1, index=7),
                list_offset(broker, f"{topic}-nowhere", -1),
                list_offset(broker, "bad name", -1),
                broker.call(request, 9).topics,
            ]

        both.same(step)


class TestOffsetForLeaderEpoch:
    @pytest.mark.parametrize("version", range(2, 5))
    @pytest.mark.parametrize("epoch", [-1, 0, 1, 7])
    @pytest.mark.parametrize("current", [-1, 0, 3])
    def test_epochs(self, both: Both, topic: str, version: int, epoch: int, current: int) -> None:
        def step(broker: Broker) -> Any:
            filled(broker, topic)
            parts = [
                OffsetForLeaderPartition(partition=index, leader_epoch=epoch, current_leader_epoch=current)
                for index in (0, 8)
            ]
            topics = [OffsetForLeaderTopic(topic=name, partitions=parts) for name in (topic, f"{topic}-nowhere")]
            return broker.call(OffsetForLeaderEpochRequest(replica_id=-1, topics=topics), version)

        both.same(step)


class TestDeleteRecords:
    @pytest.mark.parametrize("version", range(3))
    def test_every_version(self, both: Both, topic: str, version: int) -> None:
        def step(broker: Broker) -> Any:
            filled(broker, topic)
            first = delete(broker, topic, 7, version)
            return [first, fetch(broker, topic, 0), fetch(broker, topic, 6), fetch(broker, topic, 7)]

        both.same(step)

    @pytest.mark.parametrize("offset", [-1, 0, 20, 21, -2, 2**62])
    def test_bounds(self, both: Both, topic: str, offset: int) -> None:
        def step(broker: Broker) -> Any:
            filled(broker, topic)
            return [delete(broker, topic, offset), list_offset(broker, topic, -2), list_offset(broker, topic, -1)]

        both.same(step)

    def test_backwards_and_again(self, both: Both, topic: str) -> None:
        def step(broker: Broker) -> Any:
            filled(broker, topic)
            return [delete(broker, topic, offset) for offset in (10, 3, 10, 20)] + [produce(broker, topic, batch())]

        both.same(step)

    def test_unknown(self, both: Both, topic: str) -> None:
        def step(broker: Broker) -> Any:
            filled(broker, topic)
            return [
                delete(broker, topic, 0, index=4),
                delete(broker, f"{topic}-nowhere", 0),
                delete(broker, "bad name", 0),
            ]

        both.same(step)

    def test_a_compacted_topic_keeps_its_records(self, both: Both, topic: str) -> None:
        def step(broker: Broker) -> Any:
            broker.create(topic, 1, cleanup_policy="compact")
            produce(broker, topic, batch())
            return delete(broker, topic, 1)

        both.same(step)

    def test_internal_topics(self, both: Both) -> None:
        both.same(lambda broker: delete(broker, "__cluster_metadata", 1))
