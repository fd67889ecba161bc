"""What clients see of a node: produce, fetch, long polling, acknowledgements, restarts."""

from __future__ import annotations

import os
import threading
from pathlib import Path
from typing import Any

import pytest

from support.node import RunningNode, Wire, running
from tidelog.protocol.errors import ErrorCode
from tidelog.protocol.messages.fetch import FetchPartition, FetchRequest, FetchResponse, FetchTopic
from tidelog.protocol.messages.list_offsets import (
    ListOffsetsPartition,
    ListOffsetsRequest,
    ListOffsetsResponse,
    ListOffsetsTopic,
)
from tidelog.protocol.messages.metadata import MetadataRequest, MetadataRequestTopic, MetadataResponse
from tidelog.protocol.messages.produce import PartitionProduceData, ProduceRequest, ProduceResponse, TopicProduceData
from tidelog.protocol.record_batch import Record, build_batch, decode_records, iter_batches


def batch(*values: bytes, **options: Any) -> bytes:
    return build_batch([Record(index, 1000 + index, None, value, ()) for index, value in enumerate(values)], **options)


def produce_request(topic: str, *batches: bytes, acks: int = -1, index: int = 0) -> ProduceRequest:
    data = [PartitionProduceData(index=index + number, records=each) for number, each in enumerate(batches)]
    return ProduceRequest(acks=acks, timeout_ms=5000, topic_data=[TopicProduceData(name=topic, partition_data=data)])


def produce(wire: Wire, topic: str, *values: bytes, acks: int = -1) -> Any:
    answer = wire.call(produce_request(topic, batch(*values), acks=acks), ProduceResponse, 9)
    return answer.responses[0].partition_responses[0]


def fetch_request(topic: str, offset: int, **options: Any) -> FetchRequest:
    partition_max_bytes = options.pop("partition_max_bytes", 1 << 20)
    options = {"max_wait_ms": 0, "min_bytes": 1, "max_bytes": 1 << 24, "session_epoch": -1} | options
    partition = FetchPartition(partition=0, fetch_offset=offset, partition_max_bytes=partition_max_bytes)
    return FetchRequest(topics=[FetchTopic(topic=topic, partitions=[partition])], **options)


def fetch(wire: Wire, topic: str, offset: int, version: int = 12, **options: Any) -> Any:
    answer = wire.call(fetch_request(topic, offset, **options), FetchResponse, version)
    return answer.responses[0].partitions[0]


def values_of(partition: Any) -> list[bytes | None]:
    found = bytes(partition.records)
    return [record.value for position, _ in iter_batches(found) for record in decode_records(found, position)]


@pytest.mark.parametrize("version", range(4, 13))
def test_what_is_produced_is_fetched_in_every_version(node: RunningNode, wire: Wire, version: int) -> None:
    topic = f"roundtrip{version}"
    node.create(topic)
    assert produce(wire, topic, b"a", b"b").base_offset == 0
    assert produce(wire, topic, b"c").base_offset == 2
    found = fetch(wire, topic, 0, version)
    assert values_of(found) == [b"a", b"b", b"c"]
    assert found.high_watermark == 3


def test_records_leave_by_sendfile(node: RunningNode, wire: Wire) -> None:
    node.create("by-file")
    before = node.ask(lambda it: it.network.counters.sendfile_bytes)
    produce(wire, "by-file", b"x" * 50_000)
    found = fetch(wire, "by-file", 0)
    assert node.ask(lambda it: it.network.counters.sendfile_bytes) - before == len(bytes(found.records))


def test_a_fetch_larger_than_the_socket_comes_whole(node: RunningNode, wire: Wire) -> None:
    node.create("large")
    blob = bytes(range(256)) * 3900
    for _ in range(10):
        assert produce(wire, "large", blob).error_code == 0
    found = fetch(wire, "large", 0, partition_max_bytes=1 << 24)
    assert values_of(found) == [blob] * 10


def test_a_fetch_waits_for_records_and_wakes_when_they_come(node: RunningNode, wire: Wire) -> None:
    node.create("wakes")
    wire.send(wire.frame(fetch_request("wakes", 0, max_wait_ms=20_000), 12))
    node.until(lambda it: bool(it.broker.partitions.get("wakes", 0).watchers))  # type: ignore[union-attr]
    with node.connect() as producer:
        produce(producer, "wakes", b"now")
    answer = wire.receive(FetchResponse, 1, 12)
    assert values_of(answer.responses[0].partitions[0]) == [b"now"]
    assert not node.ask(lambda it: it.broker.partitions.get("wakes", 0).watchers)  # type: ignore[union-attr]


def test_a_fetch_waits_until_there_is_enough(node: RunningNode, wire: Wire) -> None:
    node.create("enough")
    one = len(batch(b"v" * 100))
    wire.send(wire.frame(fetch_request("enough", 0, max_wait_ms=20_000, min_bytes=3 * one), 12))
    with node.connect() as producer:
        for _ in range(3):
            node.until(lambda it: bool(it.broker.partitions.get("enough", 0).watchers))  # type: ignore[union-attr]
            produce(producer, "enough", b"v" * 100)
    answer = wire.receive(FetchResponse, 1, 12)
    assert len(values_of(answer.responses[0].partitions[0])) == 3


def test_a_fetch_that_waits_in_vain_ends_empty(node: RunningNode, wire: Wire) -> None:
    node.create("vain")
    found = fetch(wire, "vain", 0, max_wait_ms=50)
    assert values_of(found) == []
    assert found.error_code == 0


def test_a_client_that_leaves_takes_its_waiting_fetch_along(node: RunningNode) -> None:
    node.create("leaver")
    wire = node.connect()
    wire.send(wire.frame(fetch_request("leaver", 0, max_wait_ms=2**31 - 1), 12))
    node.until(lambda it: bool(it.broker.partitions.get("leaver", 0).watchers))  # type: ignore[union-attr]
    wire.socket.close()
    node.until(lambda it: not it.broker.partitions.get("leaver", 0).watchers)  # type: ignore[union-attr]


def test_many_waiting_fetches_all_wake(node: RunningNode) -> None:
    node.create("crowd")
    wires = [node.connect() for _ in range(50)]
    for wire in wires:
        wire.send(wire.frame(fetch_request("crowd", 0, max_wait_ms=20_000), 12))
    node.until(lambda it: len(it.broker.partitions.get("crowd", 0).watchers) == 50)  # type: ignore[union-attr]
    with node.connect() as producer:
        produce(producer, "crowd", b"all")
    for wire in wires:
        assert values_of(wire.receive(FetchResponse, 1, 12).responses[0].partitions[0]) == [b"all"]
        wire.socket.close()


def test_without_acks_nothing_is_answered_and_the_records_are_there(node: RunningNode, wire: Wire) -> None:
    node.create("silent")
    for number in range(3):
        wire.send(wire.frame(produce_request("silent", batch(b"%d" % number), acks=0), 9))
    found = fetch(wire, "silent", 0)
    assert values_of(found) == [b"0", b"1", b"2"]


def test_without_acks_an_error_closes_the_connection(node: RunningNode, wire: Wire) -> None:
    wire.send(wire.frame(produce_request("nowhere-at-all", batch(b"x"), acks=0), 9))
    assert wire.is_closed()


def test_other_acks_are_refused(node: RunningNode, wire: Wire) -> None:
    node.create("acks")
    assert produce(wire, "acks", b"x", acks=2).error_code == ErrorCode.INVALID_REQUIRED_ACKS
    assert produce(wire, "acks", b"x", acks=1).error_code == 0


def test_each_partition_of_a_request_stands_for_itself(node: RunningNode, wire: Wire) -> None:
    node.create("mixed")
    bad = bytearray(batch(b"bad"))
    bad[-1] ^= 1
    request = ProduceRequest(
        acks=-1,
        timeout_ms=1000,
        topic_data=[
            TopicProduceData(name="mixed", partition_data=[PartitionProduceData(index=0, records=batch(b"good"))]),
            TopicProduceData(name="missing", partition_data=[PartitionProduceData(index=0, records=batch(b"x"))]),
            TopicProduceData(name="mixed", partition_data=[PartitionProduceData(index=0, records=bytes(bad))]),
        ],
    )
    answer = wire.call(request, ProduceResponse, 9)
    errors = {each.name: [part.error_code for part in each.partition_responses] for each in answer.responses}
    assert errors == {
        "mixed": [0, ErrorCode.CORRUPT_MESSAGE],
        "missing": [ErrorCode.UNKNOWN_TOPIC_OR_PARTITION],
    }


@pytest.mark.parametrize("name", ["__consumer_offsets", "__transaction_state"])
def test_clients_may_not_write_into_internal_topics(node: RunningNode, wire: Wire, name: str) -> None:
    node.create(name)
    assert produce(wire, name, b"x").error_code == ErrorCode.INVALID_TOPIC_EXCEPTION


def test_a_topic_is_created_when_it_is_asked_for(node: RunningNode, wire: Wire) -> None:
    def ask(name: str, allowed: bool) -> int:
        request = MetadataRequest(topics=[MetadataRequestTopic(name=name)], allow_auto_topic_creation=allowed)
        found: int = wire.call(request, MetadataResponse, 12).topics[0].error_code
        return found

    assert ask("by-asking", False) == ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
    assert ask("by-asking", True) in (ErrorCode.NONE, ErrorCode.LEADER_NOT_AVAILABLE)
    assert ask("by-asking", False) == ErrorCode.NONE
    for bad in ("", "..", "a" * 250, "a b", "ä"):
        assert ask(bad, True) == ErrorCode.INVALID_TOPIC_EXCEPTION


def test_with_flush_messages_1_every_ack_is_durable_and_flushes_are_shared(tmp_path: Path) -> None:
    with running(tmp_path, log_flush_interval_messages="1") as node:
        node.create("durable")

        def produce_some() -> None:
            with node.connect() as wire:
                for _ in range(20):
                    assert produce(wire, "durable", b"x").error_code == 0
                    flushed = node.ask(lambda it: it.broker.partitions.get("durable", 0).log.recovery_point)  # type: ignore[union-attr]
                    assert flushed > 0

        threads = [threading.Thread(target=produce_some) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        log = node.ask(lambda it: it.broker.partitions.get("durable", 0).log)  # type: ignore[union-attr]
        assert log.log_end_offset == log.recovery_point == 160


def test_records_that_left_the_memory_are_read_beside_the_loop(tmp_path: Path) -> None:
    with running(tmp_path, log_segment_bytes="20000000") as node, node.connect() as wire:
        node.create("cold")
        blob = os.urandom(900_000)
        for number in range(30):
            assert produce(wire, "cold", blob + b"%d" % number).error_code == 0
        if not node.ask(_forget_first_segment):
            pytest.skip("this file system keeps pages in memory whatever it is told")
        found: list[bytes | None] = []
        while len(found) < 30:
            found += values_of(fetch(wire, "cold", len(found), partition_max_bytes=3_000_000))
        assert found == [blob + b"%d" % number for number in range(30)]
        assert node.ask(lambda it: it.network.counters.cold_reads) > 0


def _forget_first_segment(node: Any) -> bool:
    """Writes the first segment out and asks the kernel to drop it; True when it is gone."""
    log = node.broker.partitions.get("cold", 0).log
    log.flush()
    segment = log.segments[0]
    descriptor = segment.file.fileno()
    os.fsync(descriptor)
    os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
    return not segment.file.is_cached(0, segment.size)


def test_a_restart_keeps_records_topics_and_offsets(tmp_path: Path) -> None:
    with running(tmp_path) as node:
        node.create("kept")
        with node.connect() as wire:
            for number in range(5):
                produce(wire, "kept", b"%d" % number)
    with running(tmp_path) as node, node.connect() as wire:
        assert values_of(fetch(wire, "kept", 0)) == [b"0", b"1", b"2", b"3", b"4"]
        assert produce(wire, "kept", b"5").base_offset == 5
        partition = ListOffsetsPartition(partition_index=0, timestamp=-1)
        request = ListOffsetsRequest(replica_id=-1, topics=[ListOffsetsTopic(name="kept", partitions=[partition])])
        assert wire.call(request, ListOffsetsResponse, 7).topics[0].partitions[0].offset == 6
