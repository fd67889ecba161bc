"""A tiered topic on a real node: an unchanged client reads what is no longer on local disk."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from confluent_kafka import Consumer, KafkaException, Producer, TopicPartition
from confluent_kafka import admin as confluent_admin

from support.node import RunningNode
from tidelog.broker.fetching import Ask, Reader, read_all
from tidelog.cli.tide_tier import main as tide_tier
from tidelog.model import uuids
from tidelog.protocol.errors import ErrorCode
from tidelog.protocol.messages.fetch import FetchPartition, FetchRequest, FetchResponse, FetchTopic
from tidelog.protocol.messages.list_offsets import (
    ListOffsetsPartition,
    ListOffsetsRequest,
    ListOffsetsResponse,
    ListOffsetsTopic,
)

KAFKA: Any = confluent_admin  # which says little of its types
SEGMENT_BYTES = 20_000
RECORDS = 600


@pytest.fixture
def make_node(tmp_path: Path) -> Iterator[Callable[..., RunningNode]]:
    running: list[RunningNode] = []

    def make(**settings: str) -> RunningNode:
        if running:
            running.pop().stop()
        given = {
            "remote_log_storage_system_enable": "true",
            "remote_log_manager_task_interval_ms": "50",
            "log_retention_check_interval_ms": "50",
            "tidelog_remote_chunk_bytes": "6000",
            "tidelog_remote_storage_url": f"file://{tmp_path}/store",
        }
        running.append(RunningNode(tmp_path / "data", **(given | settings)).start())
        return running[-1]

    yield make
    running.pop().stop()


def tiered_topic(node: RunningNode, name: str = "t", **config: str) -> None:
    settings = {
        "remote.storage.enable": "true",
        "internal.segment.bytes": str(SEGMENT_BYTES),
        "retention.ms": "-1",
        "local.retention.bytes": "1",
        "file.delete.delay.ms": "0",
        **{key.replace("_", "."): value for key, value in config.items()},
    }
    client = admin(node)
    client.create_topics([KAFKA.NewTopic(name, 1, 1, config=settings)])[name].result(60)


def admin(node: RunningNode) -> Any:
    return KAFKA.AdminClient({"bootstrap.servers": f"{node.host}:{node.port}"})


def produce(
    node: RunningNode, first: int, count: int, topic: str = "t", begin_ms: int = 1_700_000_000_000, step_ms: int = 1000
) -> None:
    producer = Producer({"bootstrap.servers": f"{node.host}:{node.port}", "linger.ms": 0, "batch.num.messages": 5})
    for number in range(first, first + count):
        producer.produce(topic, b"%08d" % number * 20, timestamp=begin_ms + number * step_ms)
    assert producer.flush(20) == 0


def consume(node: RunningNode, count: int, offset: int = 0, topic: str = "t", **settings: Any) -> list[Any]:
    consumer = Consumer(
        {
            "bootstrap.servers": f"{node.host}:{node.port}",
            "group.id": "none",
            "enable.auto.commit": False,
            "auto.offset.reset": "error",
            **{key.replace("_", "."): value for key, value in settings.items()},
        }
    )
    consumer.assign([TopicPartition(topic, 0, offset)])
    found: list[Any] = []
    while len(found) < count:
        messages = consumer.consume(count - len(found), timeout=60)
        assert messages, f"no more after {len(found)} records"
        for message in messages:
            assert message.error() is None, message.error()
        found += messages
    consumer.close()
    return found


def log_of(node: Any, topic: str = "t") -> Any:
    return node.broker.partitions.get(topic, 0).log


def until_local_is_gone(node: RunningNode, topic: str = "t") -> None:
    """Only the active segment is left on local disk."""
    node.until(lambda it: len(log_of(it, topic).segments) == 1)


def offsets(node: RunningNode, *specs: Any) -> list[int]:
    client, partition = admin(node), TopicPartition("t", 0)
    return [client.list_offsets({partition: spec})[partition].result(60).offset for spec in specs]


def test_offset_0_is_read_after_the_local_copy_is_gone(make_node: Callable[..., RunningNode]) -> None:
    node = make_node()
    tiered_topic(node)
    produce(node, 0, RECORDS)
    until_local_is_gone(node)
    local_start = node.ask(lambda it: log_of(it).local_start_offset)
    assert local_start > RECORDS // 2
    assert node.ask(lambda it: log_of(it).log_start_offset) == 0
    found = consume(node, RECORDS)
    assert [message.offset() for message in found] == list(range(RECORDS))
    assert [message.value()[:8] for message in found] == [b"%08d" % number for number in range(RECORDS)]
    middle = local_start // 2 + 1
    assert consume(node, 1, middle)[0].offset() == middle
    node.ask(lambda it: log_of(it).check_invariants())


def test_the_log_begins_where_it_did_after_a_restart(make_node: Callable[..., RunningNode], tmp_path: Path) -> None:
    node = make_node()
    tiered_topic(node)
    produce(node, 0, RECORDS)
    until_local_is_gone(node)
    assert list((tmp_path / "store").rglob("*.log"))
    again = make_node()
    assert again.ask(lambda it: log_of(it).log_start_offset) == 0
    assert [message.offset() for message in consume(again, RECORDS)] == list(range(RECORDS))


def test_lookups_reach_the_remote_side(make_node: Callable[..., RunningNode]) -> None:
    node = make_node()
    tiered_topic(node)
    produce(node, 0, RECORDS)
    until_local_is_gone(node)
    assert offsets(node, KAFKA.OffsetSpec.earliest(), KAFKA.OffsetSpec.latest()) == [0, RECORDS]
    assert offsets(node, KAFKA.OffsetSpec.for_timestamp(1_700_000_000_000 + 17_500)) == [18]
    local_start = node.ask(lambda it: log_of(it).local_start_offset)
    assert offsets(node, KAFKA.OffsetSpec.for_timestamp(1_700_000_000_000 + (local_start + 3) * 1000)) == [
        local_start + 3
    ]
    with node.connect() as wire:
        wanted = {
            timestamp: list_offset(wire, timestamp) for timestamp in (EARLIEST_LOCAL, LATEST_TIERED, PENDING_UPLOAD)
        }
    assert wanted == {EARLIEST_LOCAL: local_start, LATEST_TIERED: local_start - 1, PENDING_UPLOAD: local_start}


EARLIEST_LOCAL, LATEST_TIERED, PENDING_UPLOAD = -4, -5, -6


def list_offset(wire: Any, timestamp: int) -> int:
    request = ListOffsetsRequest(
        replica_id=-1,
        topics=[ListOffsetsTopic(name="t", partitions=[ListOffsetsPartition(partition_index=0, timestamp=timestamp)])],
    )
    answer = wire.call(request, ListOffsetsResponse, 11).topics[0].partitions[0]
    assert answer.error_code == 0
    offset: int = answer.offset
    return offset


def test_a_follower_is_told_that_the_offset_is_remote(make_node: Callable[..., RunningNode]) -> None:
    node = make_node()
    tiered_topic(node)
    produce(node, 0, RECORDS)
    until_local_is_gone(node)
    asks = node.ask(lambda it: follower_asks(it, 0))
    assert asks == [int(ErrorCode.OFFSET_MOVED_TO_TIERED_STORAGE)]


def follower_asks(node: Any, offset: int) -> list[int]:
    partition = node.broker.partitions.get("t", 0)
    partition.leader.followers[9] = partition.leader.followers.get(9)
    ask = Ask((partition.topic_id, 0, -1, offset, -1, -1, 1000), partition, None)
    read_all(node.broker, [ask], 1000, Reader(0, 9, -1, True, ""), True)
    del partition.leader.followers[9]
    return [ask.error]


def test_expired_and_deleted_records_go_from_the_store(make_node: Callable[..., RunningNode], tmp_path: Path) -> None:
    node = make_node()
    tiered_topic(node)
    produce(node, 0, RECORDS)
    until_local_is_gone(node)
    stored = len(list((tmp_path / "store").rglob("*.log")))
    client = admin(node)
    client.delete_records([TopicPartition("t", 0, RECORDS // 2)])[TopicPartition("t", 0)].result(60)
    node.until(lambda it: len(list((tmp_path / "store").rglob("*.log"))) <= stored // 2 + 1)
    assert offsets(node, KAFKA.OffsetSpec.earliest()) == [RECORDS // 2]
    assert consume(node, RECORDS // 2, RECORDS // 2)[0].offset() == RECORDS // 2
    alter(node, {"retention.bytes": str(SEGMENT_BYTES), "local.retention.bytes": "1"})
    node.until(lambda it: log_of(it).log_start_offset > RECORDS // 2)
    node.until(lambda it: len(list((tmp_path / "store").rglob("*.log"))) <= 3)
    start = node.ask(lambda it: log_of(it).log_start_offset)
    assert consume(node, RECORDS - start, start)[0].offset() == start


def stored_offsets(tmp_path: Path, suffix: str = "log", topic_id: str = "*") -> list[int]:
    """Where the segments in the store begin."""
    return sorted(int(path.name.split("-")[0]) for path in (tmp_path / "store").glob(f"{topic_id}/0/*.{suffix}"))


def test_old_records_go_from_the_store(make_node: Callable[..., RunningNode], tmp_path: Path) -> None:
    """One record an hour up to now, half of them too old: segments go whole, once all of their records may."""
    node = make_node()
    tiered_topic(node)
    hour_ms, half = 3_600_000, RECORDS // 2
    produce(node, 0, RECORDS, begin_ms=node.ask(lambda it: it.clock.now_ms()) - RECORDS * hour_ms, step_ms=hour_ms)
    until_local_is_gone(node)
    before = stored_offsets(tmp_path)
    alter(node, {"retention.ms": str(half * hour_ms + hour_ms // 2)})
    wanted = max(offset for offset in before if offset <= half)
    left = [offset for offset in before if offset >= wanted]
    assert 0 < len(left) < len(before)
    node.until(lambda it: all(stored_offsets(tmp_path, suffix) == left for suffix in ("log", "aux")))
    assert offsets(node, KAFKA.OffsetSpec.earliest(), KAFKA.OffsetSpec.latest()) == [wanted, RECORDS]
    found = consume(node, RECORDS - wanted, wanted)
    assert [message.value()[:8] for message in found] == [b"%08d" % number for number in range(wanted, RECORDS)]
    with node.connect() as wire:
        answer = wire.call(fetch_request(node, "t", 0), FetchResponse, FETCH_VERSION).responses[0].partitions[0]
        assert answer.error_code == int(ErrorCode.OFFSET_OUT_OF_RANGE)
    again = make_node()
    assert offsets(again, KAFKA.OffsetSpec.earliest()) == [wanted]
    assert stored_offsets(tmp_path) == left


def test_copying_switched_off_keeps_what_is_remote_readable(
    make_node: Callable[..., RunningNode], tmp_path: Path
) -> None:
    node = make_node()
    tiered_topic(node)
    produce(node, 0, RECORDS)
    until_local_is_gone(node)
    before = stored_offsets(tmp_path)
    topic_id = uuids.to_text(node.ask(lambda it: log_of(it).topic_id))
    switch_copying_off(node)
    produce(node, RECORDS, RECORDS)
    # Rounds go on, as another topic shows, but none of them copies this one, and what is only local stays.
    tiered_topic(node, "other")
    produce(node, 0, RECORDS, "other")
    until_local_is_gone(node, "other")
    assert stored_offsets(tmp_path, topic_id=topic_id) == before
    local = node.ask(lambda it: [segment.base_offset for segment in log_of(it).segments])
    assert len(local) > 3
    everything = [b"%08d" % number for number in range(2 * RECORDS)]
    assert [message.value()[:8] for message in consume(node, 2 * RECORDS)] == everything

    node = make_node()
    assert node.ask(lambda it: [segment.base_offset for segment in log_of(it).segments]) == local
    alter(node, {"remote.log.copy.disable": "false"})
    until_local_is_gone(node)
    assert [message.value()[:8] for message in consume(node, 2 * RECORDS)] == everything


def switch_copying_off(node: RunningNode) -> None:
    alter(node, {"remote.log.copy.disable": "true"})
    node.until(lambda it: bool(log_of(it).config.remote_copy_disable))


def test_without_copying_the_limits_of_the_log_hold_on_both_sides(
    make_node: Callable[..., RunningNode], tmp_path: Path
) -> None:
    node = make_node()
    tiered_topic(node)
    produce(node, 0, RECORDS)
    until_local_is_gone(node)
    switch_copying_off(node)
    produce(node, RECORDS, RECORDS)
    alter(node, {"retention.bytes": str(3 * SEGMENT_BYTES)})
    node.until(lambda it: not list((tmp_path / "store").rglob("*.*")))
    node.until(lambda it: log_of(it).log_start_offset == log_of(it).local_start_offset > RECORDS)
    (start,) = offsets(node, KAFKA.OffsetSpec.earliest())
    assert RECORDS < start < 2 * RECORDS - 100, "about three segments are left"
    found = consume(node, 2 * RECORDS - start, start)
    assert [message.value()[:8] for message in found] == [b"%08d" % number for number in range(start, 2 * RECORDS)]
    node.ask(lambda it: log_of(it).check_invariants())


def alter(node: RunningNode, settings: dict[str, str]) -> None:
    client = admin(node)
    entries = [
        KAFKA.ConfigEntry(name, value, incremental_operation=KAFKA.AlterConfigOpType.SET)
        for name, value in settings.items()
    ]
    resource = KAFKA.ConfigResource(KAFKA.ConfigResource.Type.TOPIC, "t", incremental_configs=entries)
    client.incremental_alter_configs([resource])[resource].result(60)


def test_a_deleted_topic_leaves_nothing_behind(make_node: Callable[..., RunningNode], tmp_path: Path) -> None:
    node = make_node()
    tiered_topic(node)
    produce(node, 0, RECORDS)
    until_local_is_gone(node)
    client = admin(node)
    client.delete_topics(["t"])["t"].result(60)
    node.until(lambda it: not list((tmp_path / "store").rglob("*.*")))


def test_switched_off_with_deletion_keeps_what_is_local(make_node: Callable[..., RunningNode], tmp_path: Path) -> None:
    node = make_node()
    tiered_topic(node)
    produce(node, 0, RECORDS)
    until_local_is_gone(node)
    local_start = node.ask(lambda it: log_of(it).local_start_offset)
    with pytest.raises(KafkaException, match="INVALID_CONFIG"):
        alter(node, {"remote.storage.enable": "false"})
    alter(node, {"remote.storage.enable": "false", "remote.log.delete.on.disable": "true"})
    node.until(lambda it: not list((tmp_path / "store").rglob("*.*")))
    assert offsets(node, KAFKA.OffsetSpec.earliest()) == [local_start]
    assert consume(node, RECORDS - local_start, local_start)[0].offset() == local_start


def test_aborted_transactions_stay_hidden(make_node: Callable[..., RunningNode]) -> None:
    node = make_node()
    tiered_topic(node)
    producer = Producer({"bootstrap.servers": f"{node.host}:{node.port}", "transactional.id": "x"})
    producer.init_transactions(20)
    wanted = []
    for number in range(40):
        producer.begin_transaction()
        for part in range(20):
            producer.produce("t", b"%04d-%02d" % (number, part) * 20)
        if number % 3:
            producer.commit_transaction(20)
            wanted += [b"%04d-%02d" % (number, part) for part in range(20)]
        else:
            producer.flush(20)  # else the client drops what it has not sent yet
            producer.abort_transaction(20)
    until_local_is_gone(node)
    assert node.ask(lambda it: log_of(it).local_start_offset) > 100
    found = consume(node, len(wanted), isolation_level="read_committed")
    assert [message.value()[:7] for message in found] == wanted
    everything = consume(node, 800, isolation_level="read_uncommitted")
    assert len({message.value()[:7] for message in everything}) == 800


def test_a_slow_store_delays_only_its_own_readers(make_node: Callable[..., RunningNode]) -> None:
    node = make_node(remote_fetch_max_wait_ms="200")
    tiered_topic(node)
    tiered_topic(node, "near")
    produce(node, 0, RECORDS)
    until_local_is_gone(node)
    produce(node, 0, 5, "near")
    gate = asyncio.Event()

    def make_slow(it: Any) -> None:
        real = it.broker.remote.store.get_range

        async def slow(key: str, position: int, length: int) -> Any:
            await gate.wait()
            return await real(key, position, length)

        it.broker.remote.store.get_range = slow

    node.ask(make_slow)
    with node.connect() as far, node.connect() as near:
        far.send(far.frame(fetch_request(node, "t", 0), FETCH_VERSION))
        answer = near.call(fetch_request(node, "near", 0), FetchResponse, FETCH_VERSION).responses[0].partitions[0]
        assert len(answer.records) > 0
        # The reader of the slow store gets an answer in time too, without records, and asks again.
        late = far.receive(FetchResponse, 1, FETCH_VERSION).responses[0].partitions[0]
        assert (late.error_code, len(late.records)) == (0, 0)
        node.ask(lambda it: gate.set())
        node.until(lambda it: nothing_is_read(it))
        answer = far.call(fetch_request(node, "t", 0), FetchResponse, FETCH_VERSION).responses[0].partitions[0]
        assert len(answer.records) > 0


def nothing_is_read(node: Any) -> bool:
    return bool(node.broker.remote.reader.pending == 0)


FETCH_VERSION = 16


def fetch_request(node: RunningNode, topic: str, offset: int) -> FetchRequest:
    topic_id = node.ask(lambda it: log_of(it, topic).topic_id)
    wanted = FetchPartition(partition=0, fetch_offset=offset, partition_max_bytes=100_000)
    return FetchRequest(
        max_wait_ms=5000, min_bytes=1, topics=[FetchTopic(topic=topic, topic_id=topic_id, partitions=[wanted])]
    )


def test_damaged_bytes_never_reach_a_reader(make_node: Callable[..., RunningNode], tmp_path: Path) -> None:
    node = make_node()
    tiered_topic(node)
    produce(node, 0, RECORDS)
    until_local_is_gone(node)
    first = min((tmp_path / "store").rglob("*.log"))
    data = bytearray(first.read_bytes())
    data[100] ^= 1
    first.write_bytes(data)
    with node.connect() as wire:
        answer = wire.call(fetch_request(node, "t", 0), FetchResponse, FETCH_VERSION).responses[0].partitions[0]
        assert (answer.error_code, len(answer.records)) == (int(ErrorCode.KAFKA_STORAGE_ERROR), 0)
        data[100] ^= 1
        first.write_bytes(data)
        answer = wire.call(fetch_request(node, "t", 0), FetchResponse, FETCH_VERSION).responses[0].partitions[0]
        assert answer.error_code == 0
        assert len(answer.records) > 0


def test_the_commands_of_tide_tier(
    make_node: Callable[..., RunningNode], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    node = make_node()
    tiered_topic(node)
    produce(node, 0, RECORDS)
    until_local_is_gone(node)
    server = f"{node.host}:{node.port}"

    def tide(*words: str) -> tuple[int, str]:
        code = tide_tier([*words, "-b", server])
        return code, capsys.readouterr().out

    code, out = tide("status", "-o", "json")
    (row,) = json.loads(out)
    local_start = node.ask(lambda it: log_of(it).local_start_offset)
    assert (code, row["start"], row["remote_end"], row["local_start"]) == (0, 0, local_start - 1, local_start)
    code, out = tide("audit", "-o", "json")
    assert (code, {each["problem"] for each in json.loads(out)}) == (0, {"none"})
    assert tide("fetch", "t", "0", "7", "--to", str(tmp_path / "got"))[0] == 0
    words = ("--files", str(tmp_path / "got" / f"{0:020d}.log"), "--print-data-log")
    dumped = subprocess.run(
        [sys.executable, "-m", "tidelog.cli.kafka_dump_log", *words], capture_output=True, text=True
    )
    assert "payload: 0000000700000007" in dumped.stdout
    assert json.loads(tide("cost", "-o", "json")[1])[0]["remote_bytes"] > 0
    assert tide("fetch", "t", "0", "99999")[0] == 3

    damaged = min((tmp_path / "store").rglob("*.log"))
    damaged.write_bytes(damaged.read_bytes()[:-1])
    (damaged.parent / "00000000000000000000-AAAAAAAAAAAAAAAAAAAAAA.log").write_bytes(b"nobody knows me")
    code, out = tide("audit", "-o", "json")
    assert (code, sum(each["problem"] != "none" for each in json.loads(out))) == (1, 2)
