"""DescribeConfigs in full, IncrementalAlterConfigs, AlterConfigs and ListConfigResources."""

import time
from typing import Any

import pytest

from conformance.brokers import Both, Broker
from tidelog.protocol.messages.alter_configs import AlterableConfig as LegacyConfig
from tidelog.protocol.messages.alter_configs import AlterConfigsRequest
from tidelog.protocol.messages.alter_configs import AlterConfigsResource as LegacyResource
from tidelog.protocol.messages.describe_configs import DescribeConfigsRequest, DescribeConfigsResource
from tidelog.protocol.messages.incremental_alter_configs import (
    AlterableConfig,
    AlterConfigsResource,
    IncrementalAlterConfigsRequest,
)
from tidelog.protocol.messages.list_config_resources import ListConfigResourcesRequest

TOPIC, BROKER, LOGGER, CLIENT_METRICS, GROUP = 2, 4, 8, 16, 32
SET, DELETE, APPEND, SUBTRACT = range(4)

# Settings of the two processes themselves: where they keep data and listen.
OWN = frozenset({
    "log.dirs", "log.dir", "listeners", "advertised.listeners", "controller.quorum.voters", "node.id", "broker.id",
    "process.roles", "controller.listener.names", "inter.broker.listener.name", "listener.security.protocol.map",
    "controller.quorum.bootstrap.servers", "metadata.log.dir",
})  # fmt: skip


# Apache lets groups grow without bound; ours have a limit by default.
FINITE = frozenset({"group.max.size", "group.consumer.max.size", "group.streams.max.size"})


def describe(
    broker: Broker, kind: int, name: str, keys: list[str] | None = None, version: int = 4, **fields: bool
) -> Any:
    resource = DescribeConfigsResource(resource_type=kind, resource_name=name, configuration_keys=keys)
    answer = broker.call(DescribeConfigsRequest(resources=[resource], **fields), version).results[0]
    answer.configs.sort(key=lambda config: config.name)
    return answer


def by_name(answer: Any, without: frozenset[str] = frozenset()) -> dict[str, Any]:
    shared = [config for config in answer.configs if not config.name.startswith("tidelog.")]
    return {config.name: config for config in shared if config.name not in without}


def alter(broker: Broker, kind: int, name: str, *operations: tuple[str, int, str | None], **fields: Any) -> Any:
    configs = [AlterableConfig(name=key, config_operation=op, value=value) for key, op, value in operations]
    resource = AlterConfigsResource(resource_type=kind, resource_name=name, configs=configs)
    return broker.call(IncrementalAlterConfigsRequest(resources=[resource], **fields)).responses


def settled(broker: Broker, topic: str, name: str, expected: str | None) -> Any:
    """The setting as described once it has the expected value: brokers learn of changes a moment later."""
    deadline = time.monotonic() + 60
    while True:
        found = describe(broker, TOPIC, topic, [name], include_synonyms=True).configs[0]
        if found.value == expected or time.monotonic() > deadline:
            return found


class TestDescribe:
    @pytest.mark.parametrize("version", range(1, 5))
    def test_every_topic_setting(self, both: Both, topic: str, version: int) -> None:
        def step(broker: Broker) -> Any:
            broker.create(topic, 1, retention_ms="12345", cleanup_policy="compact,delete")
            return by_name(describe(broker, TOPIC, topic, version=version, include_synonyms=True))

        assert len(both.same(step)) > 30

    def test_topic_settings_without_synonyms_and_with_documentation(self, both: Both, topic: str) -> None:
        def step(broker: Broker) -> Any:
            broker.create(topic)
            return by_name(describe(broker, TOPIC, topic, include_documentation=True))

        both.same(step)

    @pytest.mark.parametrize("version", [1, 4])
    def test_every_broker_setting(self, both: Both, version: int) -> None:
        def step(broker: Broker) -> Any:
            return by_name(describe(broker, BROKER, "1", version=version, include_synonyms=True), OWN | FINITE)

        assert len(both.same(step)) > 200

    def test_broker_settings_have_documentation(self, both: Both) -> None:
        def step(broker: Broker) -> Any:
            answer = by_name(describe(broker, BROKER, "1", include_documentation=True), OWN)
            return {name: config.documentation is not None for name, config in answer.items()}

        both.same(step)

    def test_chosen_keys(self, both: Both, topic: str) -> None:
        def step(broker: Broker) -> Any:
            broker.create(topic)
            return [
                describe(broker, TOPIC, topic, keys) for keys in (["retention.ms", "no.such"], [], ["segment.bytes"])
            ]

        both.same(step)

    @pytest.mark.parametrize(
        ("kind", "name"),
        [
            (TOPIC, "nowhere"),
            (TOPIC, "bad name"),
            (TOPIC, ""),
            (BROKER, ""),
            (BROKER, "99"),
            (BROKER, "one"),
            (CLIENT_METRICS, "m"),
            (GROUP, "g"),
            (0, "x"),
            (1, "x"),
            (3, "x"),
            (99, "x"),
        ],
        ids=str,
    )
    def test_other_resources(self, both: Both, kind: int, name: str) -> None:
        both.same(lambda broker: describe(broker, kind, name, include_synonyms=True))


class TestIncrementalAlter:
    STORIES = (
        ("set", [("retention.ms", SET, "777")], "retention.ms", "777"),
        ("set and delete", [("retention.ms", DELETE, None)], "retention.ms", "604800000"),
        ("append", [("cleanup.policy", APPEND, "compact")], "cleanup.policy", "delete,compact"),
        ("append what is there", [("cleanup.policy", APPEND, "delete")], "cleanup.policy", "delete"),
        ("append two", [("cleanup.policy", APPEND, "compact,delete")], "cleanup.policy", "delete,compact"),
        ("subtract", [("cleanup.policy", SUBTRACT, "delete")], "cleanup.policy", ""),
        ("subtract what is not there", [("cleanup.policy", SUBTRACT, "compact")], "cleanup.policy", "delete"),
        ("append to a number", [("retention.ms", APPEND, "5")], "retention.ms", "604800000"),
        ("subtract from a number", [("retention.ms", SUBTRACT, "5")], "retention.ms", "604800000"),
        ("set null", [("retention.ms", SET, None)], "retention.ms", "604800000"),
        ("append null", [("cleanup.policy", APPEND, None)], "cleanup.policy", "delete"),
        ("bad value", [("retention.ms", SET, "soon")], "retention.ms", "604800000"),
        ("bad policy", [("cleanup.policy", SET, "nonsense")], "cleanup.policy", "delete"),
        ("out of bounds", [("segment.bytes", SET, "1")], "segment.bytes", "1073741824"),
        ("unknown name", [("no.such", SET, "1")], "retention.ms", "604800000"),
        ("delete unknown name", [("no.such", DELETE, None)], "retention.ms", "604800000"),
        ("unknown operation", [("retention.ms", 9, "1")], "retention.ms", "604800000"),
        ("one good and one bad", [("retention.ms", SET, "1"), ("segment.ms", SET, "x")], "retention.ms", "604800000"),
        ("the same name twice", [("retention.ms", SET, "1"), ("retention.ms", SET, "2")], "retention.ms", "604800000"),
        ("spaces around a number", [("retention.ms", SET, " 77 ")], "retention.ms", "77"),
        ("list with spaces", [("cleanup.policy", SET, "compact, delete")], "cleanup.policy", "compact,delete"),
        ("upper case boolean", [("preallocate", SET, "TRUE")], "preallocate", "true"),
        ("boolean that is none", [("preallocate", SET, "yes")], "preallocate", "false"),
        ("fraction", [("min.cleanable.dirty.ratio", SET, "0.25")], "min.cleanable.dirty.ratio", "0.25"),
        ("fraction above one", [("min.cleanable.dirty.ratio", SET, "1.5")], "min.cleanable.dirty.ratio", "0.5"),
        ("throttled replicas", [("leader.replication.throttled.replicas", SET, "0:1,1:1")],
         "leader.replication.throttled.replicas", "0:1,1:1"),
        ("bad throttled replicas", [("leader.replication.throttled.replicas", SET, "x")],
         "leader.replication.throttled.replicas", ""),
        ("lag order", [("min.compaction.lag.ms", SET, "10"), ("max.compaction.lag.ms", SET, "5")],
         "min.compaction.lag.ms", "0"),
        ("remote storage", [("remote.storage.enable", SET, "true")], "remote.storage.enable", "false"),
        ("lz4 level", [("compression.lz4.level", SET, "99")], "compression.lz4.level", "9"),
        ("empty policy", [("cleanup.policy", SET, "")], "cleanup.policy", ""),
    )  # fmt: skip

    @pytest.mark.parametrize("story", STORIES, ids=lambda story: story[0])
    def test_operations(self, both: Both, topic: str, story: tuple[str, Any, str, str]) -> None:
        _, operations, watched, expected = story

        def step(broker: Broker) -> Any:
            broker.create(topic)
            answer = alter(broker, TOPIC, topic, *operations)
            if answer[0].error_code:
                return answer, describe(broker, TOPIC, topic, [watched], include_synonyms=True)
            return answer, settled(broker, topic, watched, expected)

        both.same(step)

    def test_validate_only(self, both: Both, topic: str) -> None:
        def step(broker: Broker) -> Any:
            broker.create(topic)
            good = alter(broker, TOPIC, topic, ("retention.ms", SET, "1"), validate_only=True)
            bad = alter(broker, TOPIC, topic, ("retention.ms", SET, "x"), validate_only=True)
            return good, bad, describe(broker, TOPIC, topic, ["retention.ms"])

        both.same(step)

    @pytest.mark.parametrize(
        ("kind", "name", "key", "value"),
        [
            (TOPIC, "nowhere", "retention.ms", "1"),
            (TOPIC, "", "retention.ms", "1"),
            (TOPIC, "bad name", "retention.ms", "1"),
            (BROKER, "1", "node.id", "5"),
            (BROKER, "1", "log.dirs", "/tmp"),
            (BROKER, "1", "no.such.setting", "5"),
            (BROKER, "99", "log.cleaner.threads", "2"),
            (BROKER, "x", "log.cleaner.threads", "2"),
            (BROKER, "1", "log.cleaner.threads", "-5"),
            (BROKER, "1", "log.cleaner.threads", "many"),
            (BROKER, "", "log.retention.ms", "soon"),
            (BROKER, "", "listeners", "PLAINTEXT://:1"),
            (0, "x", "y", "1"),
            (99, "x", "y", "1"),
        ],
        ids=str,
    )
    def test_refusals(self, both: Both, kind: int, name: str, key: str, value: str) -> None:
        both.same(lambda broker: alter(broker, kind, name, (key, SET, value)))

    def test_the_same_resource_twice(self, both: Both, topic: str) -> None:
        def step(broker: Broker) -> Any:
            broker.create(topic)
            change = AlterableConfig(name="retention.ms", config_operation=SET, value="5")
            resource = AlterConfigsResource(resource_type=TOPIC, resource_name=topic, configs=[change])
            return broker.call(IncrementalAlterConfigsRequest(resources=[resource, resource]))

        both.same(step)

    def test_a_broker_setting_changes_what_topics_inherit(self, both: Both, topic: str) -> None:
        def step(broker: Broker) -> Any:
            broker.create(topic)
            key = "log.segment.delete.delay.ms"
            story = []
            for where, value in (("", "59999"), ("1", "59998")):
                changed = alter(broker, BROKER, where, (key, SET, value))
                story.append((changed, settled(broker, topic, "file.delete.delay.ms", value)))
            story.append(
                (describe(broker, BROKER, "1", [key], include_synonyms=True), describe(broker, BROKER, "", [key]))
            )
            for where, value in (("1", "59999"), ("", "60000")):
                changed = alter(broker, BROKER, where, (key, DELETE, None))
                story.append((changed, settled(broker, topic, "file.delete.delay.ms", value)))
            return story

        both.same(step)


class TestLegacyAlter:
    def ask(self, broker: Broker, kind: int, name: str, configs: dict[str, str | None], version: int = 2) -> Any:
        changes = [LegacyConfig(name=key, value=value) for key, value in configs.items()]
        resource = LegacyResource(resource_type=kind, resource_name=name, configs=changes)
        return broker.call(AlterConfigsRequest(resources=[resource]), version).responses

    @pytest.mark.parametrize("version", range(3))
    def test_it_replaces_everything(self, both: Both, topic: str, version: int) -> None:
        def step(broker: Broker) -> Any:
            broker.create(topic, 1, retention_ms="5", segment_ms="600000")
            answer = self.ask(broker, TOPIC, topic, {"retention.ms": "777"}, version)
            return (
                answer,
                settled(broker, topic, "retention.ms", "777"),
                settled(broker, topic, "segment.ms", "604800000"),
            )

        both.same(step)

    def test_an_unknown_topic(self, both: Both, topic: str) -> None:
        both.same(lambda broker: self.ask(broker, TOPIC, topic, {"retention.ms": "5"}))

    @pytest.mark.parametrize("configs", [{"no.such": "1"}, {"retention.ms": "x"}, {"retention.ms": None}, {}], ids=str)
    def test_refusals(self, both: Both, topic: str, configs: dict[str, str | None]) -> None:
        def step(broker: Broker) -> Any:
            broker.create(topic)
            return self.ask(broker, TOPIC, topic, configs)

        both.same(step)


KINDS = [(0, []), (1, []), *((1, kinds) for kinds in ([TOPIC], [BROKER], [CLIENT_METRICS], [GROUP], [LOGGER], [77]))]


@pytest.mark.parametrize(("version", "kinds"), KINDS, ids=str)
def test_list_config_resources(both: Both, topic: str, version: int, kinds: list[int]) -> None:
    def step(broker: Broker) -> Any:
        broker.create(topic)
        answer = broker.call(ListConfigResourcesRequest(resource_types=kinds), version)
        kept = {(each.resource_type, each.resource_name) for each in answer.config_resources}
        topics = {each for each in kept if each[0] == TOPIC}
        return answer.error_code, sorted(kept - topics), (TOPIC, topic) in topics

    both.same(step)
