"""The administration APIs on a real node: answers by version, pages, cursors, and what is refused."""

import asyncio
import logging
import os
from pathlib import Path

import pytest

from tidelog.api import (
    k03_metadata,
    k19_create_topics,
    k20_delete_topics,
    k32_describe_configs,
    k33_alter_configs,
    k37_create_partitions,
    k44_incremental_alter_configs,
    k55_describe_quorum,
    k60_describe_cluster,
    k74_list_config_resources,
    k75_describe_topic_partitions,
)
from tidelog.api.context import Connection, RequestContext
from tidelog.broker.broker import DEPARTED_MS
from tidelog.config.broker_config import BrokerConfig, single_node_properties
from tidelog.io.clock import RealClock
from tidelog.io.disk import RealDisk
from tidelog.metadata.delta import MetadataDelta
from tidelog.metadata.image import MetadataImage
from tidelog.model.uuids import ZERO
from tidelog.node.node import Node
from tidelog.node.storage_format import ensure_formatted
from tidelog.protocol.errors import ErrorCode
from tidelog.protocol.messages import alter_configs as legacy
from tidelog.protocol.messages import describe_configs as describe
from tidelog.protocol.messages import describe_quorum as quorum
from tidelog.protocol.messages import incremental_alter_configs as incremental
from tidelog.protocol.messages.create_partitions import CreatePartitionsRequest, CreatePartitionsTopic
from tidelog.protocol.messages.create_topics import CreatableTopic, CreatableTopicConfig, CreateTopicsRequest
from tidelog.protocol.messages.delete_topics import DeleteTopicsRequest, DeleteTopicState
from tidelog.protocol.messages.describe_cluster import DescribeClusterRequest
from tidelog.protocol.messages.describe_topic_partitions import (
    Cursor,
    DescribeTopicPartitionsRequest,
    TopicRequest,
)
from tidelog.protocol.messages.list_config_resources import ListConfigResourcesRequest
from tidelog.protocol.messages.metadata import MetadataRequest, MetadataRequestTopic
from tidelog.protocol.metadata_records.register_broker_record import BrokerEndpoint, RegisterBrokerRecord

TOPIC, BROKER, LOGGER, METRICS, GROUP = 2, 4, 8, 16, 32


class Running:
    """A node, and calls of its handlers as the server makes them: each answer is encoded and decoded again."""

    def __init__(self, folder: Path, **settings: str) -> None:
        self.config = BrokerConfig.from_properties(
            single_node_properties(str(folder), 0, host="127.0.0.1")
            | {name.replace("_", "."): value for name, value in settings.items()}
        )

    async def __aenter__(self) -> "Running":
        ensure_formatted(self.config, RealDisk(), os.urandom, 0)
        self.node = Node(self.config)
        await self.node.start()
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.node.stop()

    async def __call__(self, api, request, version: int | None = None, listener: str = "PLAINTEXT"):
        version = request.VERSIONS[1] if version is None else version
        connection = Connection("127.0.0.1", 1, listener, "PLAINTEXT")
        context = RequestContext(request.API_KEY, version, 1, "test", connection, lambda: None)
        answer = api.handle(self.node.broker, context, type(request).decode(request.encode(version), version))
        response = answer if hasattr(answer, "encode") else await answer
        return type(response).decode(response.encode(version), version)

    async def create(self, *names: str, partitions: int = 1, **options: object):
        topics = [CreatableTopic(name=name, num_partitions=partitions, replication_factor=1) for name in names]
        return await self(k19_create_topics, CreateTopicsRequest(topics=topics, **options))

    async def alter(self, kind: int, name: str, *changes: tuple[str, int, str | None]):
        resource = incremental.AlterConfigsResource(
            resource_type=kind,
            resource_name=name,
            configs=[
                incremental.AlterableConfig(name=key, config_operation=operation, value=value)
                for key, operation, value in changes
            ],
        )
        request = incremental.IncrementalAlterConfigsRequest(resources=[resource])
        (result,) = (await self(k44_incremental_alter_configs, request)).responses
        return result.error_code, result.error_message

    async def describe(self, kind: int, name: str, *keys: str, **options: bool):
        resource = describe.DescribeConfigsResource(
            resource_type=kind, resource_name=name, configuration_keys=list(keys) or None
        )
        (result,) = (
            await self(k32_describe_configs, describe.DescribeConfigsRequest(resources=[resource], **options))
        ).results
        return result


@pytest.mark.parametrize("version", range(2, 8))
async def test_created_topics_are_described_by_version(tmp_path: Path, version: int) -> None:
    async with Running(tmp_path) as node:
        settings = [CreatableTopicConfig(name="retention.ms", value="5")]
        topic = CreatableTopic(name="a", num_partitions=2, replication_factor=1, configs=settings)
        response = await node(k19_create_topics, CreateTopicsRequest(topics=[topic]), version)
        (result,) = response.topics
        assert (result.name, result.error_code, result.error_message) == ("a", 0, None)
        known = node.node.metadata.image.topics.get("a")
        assert result.topic_id == (known.id if version >= 7 else ZERO)
        if version >= 5:
            assert (result.num_partitions, result.replication_factor) == (2, 1)
            assert {each.name: each.config_source for each in result.configs}["retention.ms"] == 1
            assert len(result.configs) >= 33


async def test_a_created_topic_is_hosted_when_the_answer_comes(tmp_path: Path) -> None:
    async with Running(tmp_path) as node:
        await node.create("a", partitions=3)
        assert node.node.broker.partitions.get("a", 2) is not None
        (refused,) = (await node.create("a")).topics
        assert (refused.error_code, refused.error_message) == (36, "Topic 'a' already exists.")
        (too_many,) = (await node.create("b", partitions=10_001)).topics
        assert too_many.error_code == ErrorCode.POLICY_VIOLATION
        await node.create("c", validate_only=True)
        assert node.node.metadata.image.topics.names() == ["a"]


async def test_topics_are_deleted_by_name_and_by_id(tmp_path: Path) -> None:
    async with Running(tmp_path) as node:
        await node.create("a", "b", "c")
        topic_id = node.node.metadata.image.topics.get("b").id
        states = [
            DeleteTopicState(name="a"),
            DeleteTopicState(name=None, topic_id=topic_id),
            DeleteTopicState(name="nope"),
            DeleteTopicState(name=None, topic_id=bytes(range(16))),
            DeleteTopicState(name=None),
            DeleteTopicState(name="c", topic_id=topic_id),
        ]
        response = await node(k20_delete_topics, DeleteTopicsRequest(topics=states))
        assert [each.error_code for each in response.responses] == [0, 0, 3, 100, 42, 42]
        assert node.node.metadata.image.topics.names() == ["c"]
        assert node.node.broker.partitions.get("a", 0) is None
        response = await node(k20_delete_topics, DeleteTopicsRequest(topic_names=["c", "c", "nope"]), 4)
        assert [(each.name, each.error_code) for each in response.responses] == [("c", 42), ("nope", 3)]
        assert node.node.metadata.image.topics.names() == ["c"]


async def test_deletion_can_be_switched_off(tmp_path: Path) -> None:
    async with Running(tmp_path, delete_topic_enable="false") as node:
        await node.create("a")
        response = await node(k20_delete_topics, DeleteTopicsRequest(topic_names=["a"]), 3)
        assert response.responses[0].error_code == ErrorCode.TOPIC_DELETION_DISABLED
        assert node.node.metadata.image.topics.names() == ["a"]


@pytest.mark.parametrize("version", range(4))
async def test_partitions_are_added(tmp_path: Path, version: int) -> None:
    async with Running(tmp_path) as node:
        await node.create("a")
        topics = [CreatePartitionsTopic(name=name, count=4, assignments=None) for name in ("a", "nope")]
        response = await node(k37_create_partitions, CreatePartitionsRequest(topics=topics), version)
        assert [(each.name, each.error_code, each.error_message) for each in response.results] == [
            ("a", 0, None),
            ("nope", 3, None),
        ]
        assert node.node.broker.partitions.get("a", 3) is not None


async def test_topics_are_paged_by_partitions(tmp_path: Path) -> None:
    async with Running(tmp_path) as node:
        await node.create("a", "b", partitions=3)
        seen, cursor = [], None
        while True:
            request = DescribeTopicPartitionsRequest(response_partition_limit=2, cursor=cursor)
            response = await node(k75_describe_topic_partitions, request)
            seen += [(topic.name, each.partition_index) for topic in response.topics for each in topic.partitions]
            if response.next_cursor is None:
                break
            cursor = Cursor(
                topic_name=response.next_cursor.topic_name, partition_index=response.next_cursor.partition_index
            )
        assert seen == [(name, index) for name in "ab" for index in range(3)]


async def test_unknown_topics_and_bad_cursors(tmp_path: Path) -> None:
    async with Running(tmp_path) as node:
        await node.create("a")
        topics = [TopicRequest(name=name) for name in ("a", "nope", "no good")]
        response = await node(k75_describe_topic_partitions, DescribeTopicPartitionsRequest(topics=topics))
        assert [(each.name, each.error_code) for each in response.topics] == [("a", 0), ("no good", 17), ("nope", 3)]
        for cursor in (Cursor(topic_name="a", partition_index=-1), Cursor(topic_name="b", partition_index=0)):
            request = DescribeTopicPartitionsRequest(topics=[TopicRequest(name="a")], cursor=cursor)
            response = await node(k75_describe_topic_partitions, request)
            assert [each.error_code for each in response.topics] == [42]


@pytest.mark.parametrize("version", range(1, 5))
async def test_settings_are_described_by_version(tmp_path: Path, version: int) -> None:
    async with Running(tmp_path) as node:
        resources = [describe.DescribeConfigsResource(resource_type=BROKER, resource_name="1", configuration_keys=None)]
        request = describe.DescribeConfigsRequest(
            resources=resources, include_synonyms=True, include_documentation=version >= 3
        )
        (result,) = (await node(k32_describe_configs, request, version)).results
        by_name = {each.name: each for each in result.configs}
        assert len(by_name) > 340
        assert by_name["log.dirs"].read_only
        assert by_name["log.dirs"].synonyms[0].source == 4
        if version >= 3:
            assert all(each.documentation for each in result.configs)
            assert by_name["log.segment.bytes"].config_type == 3


async def test_secrets_are_masked(tmp_path: Path) -> None:
    async with Running(tmp_path, ssl_keystore_password="hunter2") as node:
        result = await node.describe(BROKER, "1", include_synonyms=True)
        entry = next(each for each in result.configs if each.name == "ssl.keystore.password")
        assert (entry.value, entry.is_sensitive) == (None, True)
        assert "hunter2" not in repr(result)


async def test_resources_that_cannot_be_described(tmp_path: Path) -> None:
    async with Running(tmp_path) as node:
        answers = {
            (kind, name): (await node.describe(kind, name)).error_code
            for kind, name in [
                (TOPIC, "nope"), (TOPIC, ""), (BROKER, "9"), (BROKER, "x"), (LOGGER, "7"), (GROUP, ""), (METRICS, ""),
                (99, "x"), (BROKER, ""), (GROUP, "g"), (METRICS, "m"),
            ]
        }  # fmt: skip
        assert list(answers.values()) == [3, 17, 42, 42, 42, 42, 42, 42, 0, 0, 0]


async def test_changes_show_in_descriptions_with_their_source(tmp_path: Path) -> None:
    async with Running(tmp_path) as node:
        await node.create("a")
        assert await node.alter(TOPIC, "a", ("retention.ms", 0, "5"), ("cleanup.policy", 2, "compact")) == (0, None)
        assert await node.alter(BROKER, "", ("log.segment.bytes", 0, "2000000")) == (0, None)
        assert await node.alter(GROUP, "g", ("consumer.session.timeout.ms", 0, "50000")) == (0, None)
        found = {each.name: (each.value, each.config_source) for each in (await node.describe(TOPIC, "a")).configs}
        assert found["retention.ms"] == ("5", 1)
        assert found["cleanup.policy"] == ("delete,compact", 1)
        assert found["segment.bytes"] == ("2000000", 3)
        (group,) = (await node.describe(GROUP, "g", "consumer.session.timeout.ms")).configs
        assert (group.value, group.config_source) == ("50000", 8)
        log = node.node.broker.partitions.get("a", 0).log
        assert (log.config.retention_ms, log.config.compact, log.config.segment_bytes) == (5, True, 2_000_000)
        await node.create("later")
        assert node.node.broker.partitions.get("later", 0).log.config.segment_bytes == 2_000_000


async def test_requests_that_contradict_themselves(tmp_path: Path) -> None:
    async with Running(tmp_path) as node:
        await node.create("a")
        assert (await node.alter(TOPIC, "a", ("retention.ms", 0, "1"), ("retention.ms", 0, "2")))[1] == (
            "Error due to duplicate config keys"
        )
        assert (await node.alter(TOPIC, "a", ("retention.ms", 0, None)))[
            1
        ] == "Null value not supported for : retention.ms"
        assert (await node.alter(BROKER, "9", ("log.retention.ms", 0, "1")))[1] == (
            "Unexpected broker id, expected 1, but received 9"
        )
        twice = [incremental.AlterConfigsResource(resource_type=TOPIC, resource_name="a", configs=[])] * 2
        response = await node(
            k44_incremental_alter_configs, incremental.IncrementalAlterConfigsRequest(resources=twice)
        )
        assert [each.error_message for each in response.responses] == ["Each resource must appear at most once."] * 2


async def test_the_older_alter_replaces_and_knows_no_loggers(tmp_path: Path) -> None:
    async with Running(tmp_path) as node:
        await node.create("a")
        await node.alter(TOPIC, "a", ("retention.ms", 0, "5"))
        resources = [
            legacy.AlterConfigsResource(
                resource_type=kind, resource_name=name, configs=[legacy.AlterableConfig(name=key, value=value)]
            )
            for kind, name, key, value in [(TOPIC, "a", "segment.ms", "9"), (LOGGER, "1", "root", "INFO")]
        ]
        response = await node(k33_alter_configs, legacy.AlterConfigsRequest(resources=resources))
        assert [each.error_code for each in response.responses] == [0, 42]
        assert dict(node.node.metadata.image.configs.get(TOPIC, "a")) == {"segment.ms": "9"}


async def test_log_levels_change_and_are_not_kept(tmp_path: Path) -> None:
    async with Running(tmp_path) as node:
        logger = logging.getLogger("tidelog.test_admin")
        assert await node.alter(LOGGER, "1", ("tidelog.test_admin", 0, "DEBUG")) == (0, None)
        assert logger.level == logging.DEBUG
        (entry,) = (await node.describe(LOGGER, "1", "tidelog.test_admin")).configs
        assert (entry.value, entry.config_source) == ("DEBUG", 6)
        assert await node.alter(LOGGER, "1", ("tidelog.test_admin", 1, "")) == (0, None)
        assert logger.level == logging.NOTSET
        assert (await node.alter(LOGGER, "1", ("no.such.logger", 0, "DEBUG")))[
            1
        ] == "Logger no.such.logger does not exist!"
        assert "Valid log levels are DEBUG, ERROR, FATAL" in (await node.alter(LOGGER, "1", ("root", 0, "LOUD")))[1]
        assert (await node.alter(LOGGER, "1", ("root", 1, "")))[0] == 42
        assert node.node.metadata.image.configs.resources(LOGGER) == []


@pytest.mark.parametrize("version", range(3))
async def test_the_cluster_is_described_to_each_side(tmp_path: Path, version: int) -> None:
    async with Running(tmp_path) as node:
        response = await node(k60_describe_cluster, DescribeClusterRequest(), version)
        assert (response.cluster_id, response.controller_id) == (node.node.metadata.cluster_id, 1)
        assert [each.broker_id for each in response.brokers] == [1]
        wanted = DescribeClusterRequest(endpoint_type=2) if version else DescribeClusterRequest()
        response = await node(k60_describe_cluster, wanted, version, "CONTROLLER")
        assert [each.broker_id for each in response.brokers] == [1]
        if version:
            assert (await node(k60_describe_cluster, wanted, version)).error_code == 114
            assert (
                await node(k60_describe_cluster, DescribeClusterRequest(endpoint_type=7), version)
            ).error_code == 115


async def test_resources_with_settings_are_listed(tmp_path: Path) -> None:
    async with Running(tmp_path) as node:
        await node.create("a")
        await node.alter(GROUP, "g", ("consumer.session.timeout.ms", 0, "50000"))
        await node.alter(METRICS, "m", ("interval.ms", 0, "1000"))
        response = await node(k74_list_config_resources, ListConfigResourcesRequest())
        assert {(each.resource_type, each.resource_name) for each in response.config_resources} == {
            (GROUP, "g"), (METRICS, "m"), (LOGGER, "1"), (BROKER, "1"), (TOPIC, "a"),
        }  # fmt: skip
        response = await node(k74_list_config_resources, ListConfigResourcesRequest(), 0)
        assert [each.resource_name for each in response.config_resources] == ["m"]
        assert (await node(k74_list_config_resources, ListConfigResourcesRequest(resource_types=[99]))).error_code == 35


@pytest.mark.parametrize("version", range(3))
async def test_the_quorum_is_one_voter(tmp_path: Path, version: int) -> None:
    def asking(name: str, index: int) -> quorum.DescribeQuorumRequest:
        partitions = [quorum.RequestPartitionData(partition_index=index)]
        return quorum.DescribeQuorumRequest(topics=[quorum.RequestTopicData(topic_name=name, partitions=partitions)])

    async with Running(tmp_path) as node:
        response = await node(k55_describe_quorum, asking("__cluster_metadata", 0), version)
        (partition,) = response.topics[0].partitions
        assert (partition.leader_id, partition.leader_epoch) == (1, 1)
        assert [each.replica_id for each in partition.current_voters] == [1]
        assert partition.high_watermark == partition.current_voters[0].log_end_offset > 0
        assert [each.node_id for each in response.nodes] == ([1] if version >= 2 else [])
        response = await node(k55_describe_quorum, asking("a", 0), version)
        assert response.topics[0].partitions[0].error_code == 3


async def test_metadata_does_not_send_clients_to_a_leader_whose_process_has_just_ended(tmp_path: Path) -> None:
    async with Running(tmp_path) as node:
        await node.create("t")
        request = MetadataRequest(topics=[MetadataRequestTopic(name="t")])
        before = (await node(k03_metadata, request)).topics[0].partitions[0]
        node.node.broker.doubtful = {before.leader_id}
        after = (await node(k03_metadata, request)).topics[0].partitions[0]
        assert (before.error_code, after.error_code) == (ErrorCode.NONE, ErrorCode.LEADER_NOT_AVAILABLE)
        assert (after.leader_id, after.leader_epoch, after.isr_nodes) == (-1, before.leader_epoch, before.isr_nodes)


async def test_metadata_waits_a_moment_for_the_next_leader(tmp_path: Path) -> None:
    async with Running(tmp_path) as node:
        await node.create("t", "other")
        broker = node.node.broker
        broker.doubtful = {broker.node_id}
        request = MetadataRequest(topics=[MetadataRequestTopic(name="t")])
        answer = asyncio.create_task(node(k03_metadata, request))
        await asyncio.sleep(0.02)
        assert not answer.done()
        broker.doubtful = set()
        assert (await answer).topics[0].partitions[0].leader_id == broker.node_id


async def test_metadata_lists_a_broker_for_a_moment_after_it_was_fenced(tmp_path: Path) -> None:
    async with Running(tmp_path) as node:
        broker, metadata = node.node.broker, node.node.metadata

        def image_with_broker_7(fenced: bool) -> MetadataImage:
            delta = MetadataDelta(metadata.image)
            endpoint = BrokerEndpoint(name="PLAINTEXT", host="127.0.0.1", port=7, security_protocol=0)
            delta.replay(RegisterBrokerRecord(broker_id=7, broker_epoch=5, end_points=[endpoint], fenced=fenced))
            return delta.apply(metadata.image.provenance)

        def listed(now_ms: int) -> list[int]:
            broker.clock = StoppedClock(now_ms)
            return [each.id for each in k03_metadata._listed(image_with_broker_7(fenced=True), broker)]

        broker._brokers_changed(image_with_broker_7(fenced=False))
        broker.clock = StoppedClock(1000)
        broker._brokers_changed(image_with_broker_7(fenced=True))
        assert listed(1000 + DEPARTED_MS - 1) == [broker.node_id, 7]
        assert listed(1000 + DEPARTED_MS) == [broker.node_id]
        broker.clock = RealClock()


class StoppedClock(RealClock):
    def __init__(self, now_ms: int) -> None:
        self._now_ms = now_ms

    def monotonic_ms(self) -> int:
        return self._now_ms
