"""The metadata runtime over real files: what is answered survives, in order, and nothing else does."""

import asyncio
import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tidelog.config.broker_config import BrokerConfig, single_node_properties
from tidelog.config.setting import ConfigError
from tidelog.controller.configs import SET, Change, ResourceChange, incremental_alter_configs
from tidelog.controller.result import Result
from tidelog.controller.topics import create_topics, delete_topics
from tidelog.io.blocking import ThreadBlocking
from tidelog.io.clock import RealClock
from tidelog.io.disk import RealDisk
from tidelog.log.errors import CorruptLogError
from tidelog.log.meta_properties import decode_meta_properties
from tidelog.metadata import configs
from tidelog.metadata import records as r
from tidelog.metadata.control import VoterKey, read_control
from tidelog.metadata.snapshot import read_snapshot
from tidelog.metadata.voters import VoterSet
from tidelog.node.storage_format import FormatOptions, format_storage
from tidelog.protocol.errors import ErrorCode, KafkaError
from tidelog.protocol.messages.create_topics import CreatableTopic, CreateTopicsRequest
from tidelog.protocol.record_batch import decode_records, iter_batches
from tidelog.runtime.metadata import MetadataRuntime

LOG = "__cluster_metadata-0/00000000000000000000.log"


class Node:
    """Starts and stops the runtime on one directory."""

    def __init__(self, folder: Path, **settings: str) -> None:
        properties = single_node_properties(str(folder), 9092)
        self.config = BrokerConfig.from_properties(
            properties | {name.replace("_", "."): value for name, value in settings.items()}
        )
        self.folder = folder
        self.blocking = ThreadBlocking(1)

    async def __aenter__(self) -> MetadataRuntime:
        self.runtime = MetadataRuntime.open(self.config, "cluster", RealDisk(), RealClock(), self.blocking, os.urandom)
        await self.runtime.start()
        broker = r.RegisterBrokerRecord(broker_id=1, broker_epoch=1, incarnation_id=bytes(16), fenced=False)
        if 1 not in self.runtime.image.cluster.brokers:
            await self.runtime.submit(lambda image, _: Result([broker], None))
        return self.runtime

    async def __aexit__(self, *error: object) -> None:
        await self.runtime.close()


def creating(name: str, partitions: int = 1) -> Callable:
    request = CreateTopicsRequest(topics=[CreatableTopic(name=name, num_partitions=partitions, replication_factor=1)])
    return lambda image, environment: create_topics(image, environment, request)


def controls(folder: Path) -> list:
    data = (folder / LOG).read_bytes()
    return [
        read_control(record)
        for position, header in iter_batches(data)
        if header.is_control
        for record in decode_records(data, position)
    ]


async def test_a_fresh_node_has_the_features_of_its_release(tmp_path: Path) -> None:
    async with Node(tmp_path) as metadata:
        assert metadata.image.features.metadata_version == 30
        assert metadata.image.features.levels["transaction.version"] == 2
        assert metadata.image.configs.get(configs.BROKER, "") == {"min.insync.replicas": "1"}
        assert (metadata.quorum.leader_id, metadata.quorum.epoch) == (1, 1)
        assert metadata.quorum.high_watermark == metadata.quorum.log_end_offset


async def test_what_was_answered_is_there_after_a_restart(tmp_path: Path) -> None:
    async with Node(tmp_path) as metadata:
        await metadata.submit(creating("a", 3))
        await metadata.submit(creating("b"))
        gone = metadata.image.topics.get("b").id
        await metadata.submit(lambda image, _: delete_topics(image, [gone]))
        before = metadata.image
    async with Node(tmp_path) as metadata:
        assert metadata.image.same_state(before)
        assert metadata.image.topics.names() == ["a"]
        assert metadata.quorum.epoch == 2
    assert [message.leader_id for message in controls(tmp_path)] == [1, 1], "each epoch opens with its leader"


async def test_listeners_hear_of_a_change_before_it_is_answered(tmp_path: Path) -> None:
    async with Node(tmp_path) as metadata:
        heard = []
        metadata.subscribe(
            lambda delta, image: heard.append(sorted(each.name for each in delta.topics.changed.values()))
        )
        await metadata.submit(creating("a"))
        assert heard == [["a"]]
        answers = [metadata.submit(creating(name)) for name in "bcd"]
        assert heard == [["a"]], "nothing is told before it is durable"
        await asyncio.gather(*answers)
        assert heard == [["a"], ["b"], ["c"], ["d"]]


async def test_commands_see_what_was_decided_before_them(tmp_path: Path) -> None:
    async with Node(tmp_path) as metadata:
        first, second = metadata.submit(creating("a")), metadata.submit(creating("a"))
        assert (await first)[0].error is None
        assert (await second)[0].error.code is ErrorCode.TOPIC_ALREADY_EXISTS


async def test_a_refused_command_raises_and_leaves_no_trace(tmp_path: Path) -> None:
    def refuse(image, environment):
        raise KafkaError(ErrorCode.POLICY_VIOLATION, "no")

    async with Node(tmp_path) as metadata:
        end = metadata.quorum.log_end_offset
        with pytest.raises(KafkaError, match="no"):
            await metadata.submit(refuse)
        assert metadata.quorum.log_end_offset == end


async def test_dynamic_settings_are_in_force_at_once_and_after_a_restart(tmp_path: Path) -> None:
    change = [ResourceChange(configs.BROKER, "", [Change("log.retention.ms", SET, "5")])]
    async with Node(tmp_path) as metadata:
        await metadata.submit(lambda image, environment: incremental_alter_configs(image, environment, change, False))
        assert metadata.config.log_retention_ms == 5
    async with Node(tmp_path) as metadata:
        assert metadata.config.log_retention_ms == 5


async def test_a_snapshot_stands_for_the_log_behind_it(tmp_path: Path) -> None:
    async with Node(tmp_path) as metadata:
        for index in range(20):
            await metadata.submit(creating(f"t{index}"))
        snapshot_id = await metadata.snapshots.take(metadata.image)
        await metadata.submit(creating("later"))
        before = metadata.image
    folder = tmp_path / "__cluster_metadata-0"
    assert (folder / snapshot_id.file_name).exists()
    async with Node(tmp_path) as metadata:
        assert metadata.image.same_state(before)
    for name in folder.iterdir():
        if name.suffix in {".log", ".index", ".timeindex", ".snapshot"}:
            name.unlink()
    async with Node(tmp_path) as metadata:
        assert "t19" in metadata.image.topics.names()
        assert "later" not in metadata.image.topics.names()
        assert metadata.quorum.log_end_offset > snapshot_id.offset, "the log goes on behind the snapshot"


async def test_a_damaged_snapshot_is_passed_over_while_the_log_has_everything(tmp_path: Path) -> None:
    async with Node(tmp_path) as metadata:
        await metadata.submit(creating("a"))
        snapshot_id = await metadata.snapshots.take(metadata.image)
        before = metadata.image
    path = tmp_path / "__cluster_metadata-0" / snapshot_id.file_name
    path.write_bytes(path.read_bytes()[:-40])
    async with Node(tmp_path) as metadata:
        assert metadata.image.same_state(before)


async def test_snapshots_come_by_size_and_old_ones_go_with_their_log(tmp_path: Path) -> None:
    node = Node(
        tmp_path,
        metadata_log_max_record_bytes_between_snapshots="2000",
        metadata_max_retention_bytes="20000",
        internal_metadata_log_segment_bytes="4000",
    )
    async with node as metadata:
        for index in range(60):
            await metadata.submit(creating(f"t{index}", 4))
        await metadata.snapshots.close()
        await metadata.snapshots.take(metadata.image)
        snapshots = metadata._files.snapshots()
        assert 0 < len(snapshots) < 10
        assert metadata._files.log.log_start_offset == snapshots[0].offset > 0
        before = metadata.image
    assert not (tmp_path / LOG).exists(), "the first segment is gone"
    async with node as metadata:
        assert metadata.image.same_state(before)


async def test_a_torn_tail_loses_nothing_that_was_answered(tmp_path: Path) -> None:
    async with Node(tmp_path) as metadata:
        await metadata.submit(creating("a"))
        before = metadata.image
    path = tmp_path / LOG
    path.write_bytes(path.read_bytes() + b"\0\0\0\0\0\0\0\x55half a batch")
    async with Node(tmp_path) as metadata:
        assert metadata.image.same_state(before)


async def test_a_transaction_without_its_end_is_closed_and_does_not_count(tmp_path: Path) -> None:
    half = [r.BeginTransactionRecord(name="x"), r.ConfigRecord(resource_type=4, resource_name="9", name="a", value="b")]
    async with Node(tmp_path) as metadata:
        metadata.quorum.append([r.encode_record(each, 30) for each in half])
    async with Node(tmp_path) as metadata:
        assert metadata.image.configs.get(configs.BROKER, "9") == {}
        await metadata.submit(creating("a"))
    async with Node(tmp_path) as metadata:
        assert metadata.image.topics.names() == ["a"]


class FailingFlush(ThreadBlocking):
    def run(self, work, *args):
        async def fail():
            raise OSError(5, "Input/output error")

        return fail()


async def test_a_failed_flush_is_never_answered_as_success(tmp_path: Path) -> None:
    async with Node(tmp_path) as metadata:
        metadata.quorum._blocking = FailingFlush(1)
        with pytest.raises(KafkaError) as error:
            await metadata.submit(creating("a"))
        assert error.value.code is ErrorCode.KAFKA_STORAGE_ERROR
        assert metadata.image.topics.names() == []
        with pytest.raises(KafkaError, match="start the node again"):
            await metadata.submit(creating("b"))


async def test_one_voter_of_three_decides_nothing_alone(tmp_path: Path) -> None:
    node = Node(tmp_path, controller_quorum_voters="1@a:1,2@b:1,3@c:1")
    with pytest.raises(KafkaError) as error:
        async with node:
            pass
    assert error.value.code is ErrorCode.NOT_CONTROLLER
    await node.runtime.close()


async def test_a_log_without_a_quorum_state_is_refused(tmp_path: Path) -> None:
    async with Node(tmp_path):
        pass
    (tmp_path / "__cluster_metadata-0" / "quorum-state").unlink()
    with pytest.raises(ConfigError, match="cannot know what it voted"):
        async with Node(tmp_path):
            pass


async def test_voters_in_the_log_stay_there_with_every_snapshot(tmp_path: Path) -> None:
    settings = single_node_properties(str(tmp_path), 9092, controller_port=9093)
    del settings["controller.quorum.voters"]
    settings["controller.quorum.bootstrap.servers"] = "localhost:9093"
    config = BrokerConfig.from_properties(settings)
    format_storage(config, FormatOptions("cluster", standalone=True), RealDisk(), os.urandom, 0)
    voter = VoterKey(1, decode_meta_properties((tmp_path / "meta.properties").read_bytes()).directory_id)
    node = Node(tmp_path)
    node.config = config
    async with node as metadata:
        assert metadata.quorum.voters == [voter]
        await metadata.submit(creating("a"))
        snapshot_id = await metadata.snapshots.take(metadata.image)
    names = [type(each).__name__ for each in controls(tmp_path)]
    assert names == ["LeaderChangeMessage", "KRaftVersionRecord", "VotersRecord"]
    state = json.loads((tmp_path / "__cluster_metadata-0" / "quorum-state").read_bytes())
    assert (state["leaderEpoch"], state["data_version"]) == (1, 1)
    snapshot = read_snapshot((tmp_path / "__cluster_metadata-0" / snapshot_id.file_name).read_bytes())
    assert VoterSet().replay(snapshot.controls).voter_keys() == [voter]
    async with node as metadata:
        assert metadata.quorum.voters == [voter]
        assert metadata.image.topics.names() == ["a"]
    assert [each.leader_id for each in controls(tmp_path) if hasattr(each, "leader_id")] == [1, 1]


async def test_damage_in_the_middle_stops_the_start_and_is_not_cut(tmp_path: Path) -> None:
    async with Node(tmp_path) as metadata:
        for name in "abcdef":
            await metadata.submit(creating(name))
    path = tmp_path / LOG
    damaged = bytearray(path.read_bytes())
    damaged[len(damaged) // 2] ^= 1
    path.write_bytes(damaged)
    with pytest.raises(CorruptLogError):
        async with Node(tmp_path):
            pass
    assert path.read_bytes() == bytes(damaged)


async def test_a_setting_that_is_not_allowed_here_does_not_stop_the_start(tmp_path: Path) -> None:
    bad = r.ConfigRecord(resource_type=configs.BROKER, resource_name="", name="log.segment.bytes", value="-5")
    async with Node(tmp_path) as metadata:
        await metadata.submit(lambda image, _: Result([bad], None))
    async with Node(tmp_path) as metadata:
        assert metadata.config.log_segment_bytes == 1 << 30
