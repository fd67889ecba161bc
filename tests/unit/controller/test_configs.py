"""Changes of settings while running."""

import pytest

from tidelog.controller.configs import (
    APPEND,
    DELETE,
    SET,
    SUBTRACT,
    Change,
    ResourceChange,
    alter_configs,
    incremental_alter_configs,
)
from tidelog.controller.topics import create_topics
from tidelog.metadata import configs
from tidelog.metadata import records as r
from tidelog.protocol.errors import ErrorCode
from tidelog.protocol.messages.create_topics import CreatableTopic, CreateTopicsRequest

TOPIC, BROKER, GROUP, METRICS = configs.TOPIC, configs.BROKER, configs.GROUP, configs.CLIENT_METRICS


@pytest.fixture(autouse=True)
def _topic(cluster) -> None:
    request = CreateTopicsRequest(topics=[CreatableTopic(name="t", num_partitions=1, replication_factor=1)])
    cluster.do(create_topics, request)


def change(cluster, kind: int, resource: str, name: str, operation: int, value: str | None = "", validate_only=False):
    changes = [ResourceChange(kind, resource, [Change(name, operation, value)])]
    (error,) = cluster.do(incremental_alter_configs, changes, validate_only)
    return (error.code, error.message) if error else None


def overrides(cluster, kind: int = TOPIC, name: str = "t") -> dict[str, str]:
    return dict(cluster.image.configs.get(kind, name))


def test_set_and_delete(cluster) -> None:
    assert change(cluster, TOPIC, "t", "retention.ms", SET, "5") is None
    assert overrides(cluster) == {"retention.ms": "5"}
    assert change(cluster, TOPIC, "t", "retention.ms", DELETE) is None
    assert overrides(cluster) == {}
    assert change(cluster, TOPIC, "t", "no.such.name", DELETE) is None


def test_lists_grow_and_shrink_from_the_default(cluster) -> None:
    assert change(cluster, TOPIC, "t", "cleanup.policy", APPEND, "compact") is None
    assert overrides(cluster) == {"cleanup.policy": "delete,compact"}
    assert change(cluster, TOPIC, "t", "cleanup.policy", APPEND, "compact") is None
    assert change(cluster, TOPIC, "t", "cleanup.policy", SUBTRACT, "delete") is None
    assert overrides(cluster) == {"cleanup.policy": "compact"}
    assert change(cluster, TOPIC, "t", "cleanup.policy", SUBTRACT, "compact,zzz") is None
    assert overrides(cluster) == {"cleanup.policy": ""}
    assert change(cluster, BROKER, "", "log.cleanup.policy", APPEND, "compact") is None
    assert overrides(cluster, BROKER, "") == {"log.cleanup.policy": "delete,compact"}


@pytest.mark.parametrize(
    ("kind", "resource", "name", "operation", "value", "code", "message"),
    [
        (TOPIC, "nope", "retention.ms", SET, "1", 3, "The topic 'nope' does not exist."),
        (TOPIC, "", "retention.ms", SET, "1", 42, "Default topic resources are not allowed."),
        (TOPIC, "t", "foo", SET, "1", 40, "Unknown topic config name: foo"),
        (TOPIC, "t", "retention.ms", APPEND, "5", 40, "Can't APPEND to key retention.ms because its type is not LIST."),
        (TOPIC, "t", "cleanup.policy", APPEND, "", 40, "Configuration 'cleanup.policy' values must not be empty."),
        (BROKER, "1", "log.dirs", SET, "/x", 42, "Cannot update these configs dynamically: [log.dirs]"),
        (BROKER, "", "listeners", SET, "PLAINTEXT://:1", 42,
         "Cannot update these configs at default cluster level, broker id must be specified: [listeners]"),
        (BROKER, "1", "ssl.keystore.password", SET, "s", 42,
         "These security configs can be dynamically updated only per-listener using the listener prefix: "
         "[ssl.keystore.password]"),
        (BROKER, "1", "log.segment.bytes", SET, "1", 42,
         "Invalid value 1 for configuration log.segment.bytes: Value must be at least 1048576"),
        (GROUP, "g", "consumer.session.timeout.ms", SET, "1", 40,
         "consumer.session.timeout.ms must be greater than or equal to group.consumer.min.session.timeout.ms"),
        (GROUP, "g", "foo", SET, "1", 40, "Unknown group config name: foo"),
        (GROUP, "", "consumer.session.timeout.ms", SET, "50000", 42, "Default group resources are not allowed."),
        (METRICS, "m", "foo", SET, "1", 42, "Unknown client metrics configuration: foo"),
        (METRICS, "m", "interval.ms", SET, "5", 42,
         "Invalid value 5 for interval.ms, interval must be between 100 and 3600000 (1 hour)"),
        (METRICS, "m", "match", SET, "x", 40, "Illegal client matching pattern: x"),
        (METRICS, "", "interval.ms", SET, "500", 42, "Subscription name can't be empty"),
        (99, "x", "a", SET, "1", 42, "Unknown resource type 99"),
    ],
)  # fmt: skip
def test_refusals(cluster, kind, resource, name, operation, value, code, message) -> None:
    before = cluster.image.configs
    assert change(cluster, kind, resource, name, operation, value) == (ErrorCode(code), message)
    assert cluster.image.configs is before


@pytest.mark.parametrize(
    ("kind", "resource", "name", "value"),
    [
        (BROKER, "1", "log.retention.ms", "5000"),
        (BROKER, "", "log.retention.ms", "6000"),
        (BROKER, "1", "a.plug.in.setting", "x"),
        (BROKER, "1", "leader.replication.throttled.rate", "1000"),
        (BROKER, "1", "listener.name.external.ssl.keystore.location", "/x"),
        (GROUP, "g", "consumer.session.timeout.ms", "50000"),
        (GROUP, "g", "share.auto.offset.reset", "by_duration:PT1H"),
        (METRICS, "m", "match", "client_id=app.*"),
    ],
)
def test_what_can_be_changed(cluster, kind, resource, name, value) -> None:
    assert change(cluster, kind, resource, name, SET, value) is None
    assert overrides(cluster, kind, resource) == {name: value}


def test_cleaner_threads_change_in_small_steps(cluster) -> None:
    """What counts is the value in force: a default behind a broker's own value may be anything."""
    name = "log.cleaner.threads"

    def refused(broker: str, threads: str, why: str) -> bool:
        return change(cluster, BROKER, broker, name, SET, threads) == (ErrorCode.INVALID_REQUEST, why)

    for broker in ("1", ""):
        assert refused(broker, "0", "Log cleaner threads should be at least 1")
        more = "Log cleaner threads cannot be increased to more than double the current value 1"
        assert refused(broker, "3", more)
    for threads in ("2", "4", "8", "4", "7"):
        assert change(cluster, BROKER, "1", name, SET, threads) is None
    less = "Log cleaner threads cannot be reduced to less than half the current value 7"
    assert refused("1", "2", less)
    assert change(cluster, BROKER, "1", name, DELETE) == (ErrorCode.INVALID_REQUEST, less)
    assert change(cluster, BROKER, "", name, SET, "30") is None
    assert change(cluster, BROKER, "1", name, SET, "3") is None
    assert overrides(cluster, BROKER, "1") == {name: "3"}


def test_validate_only_changes_nothing(cluster) -> None:
    assert change(cluster, TOPIC, "t", "retention.ms", SET, "5", validate_only=True) is None
    assert overrides(cluster) == {}


def test_one_bad_change_of_a_resource_undoes_the_others_of_it_alone(cluster) -> None:
    resources = [
        ResourceChange(TOPIC, "t", [Change("retention.ms", SET, "5"), Change("foo", SET, "1")]),
        ResourceChange(BROKER, "", [Change("log.retention.ms", SET, "7")]),
    ]
    first, second = cluster.do(incremental_alter_configs, resources, False)
    assert first is not None
    assert second is None
    assert overrides(cluster) == {}
    assert overrides(cluster, BROKER, "") == {"log.retention.ms": "7"}


def test_the_older_form_replaces_everything(cluster) -> None:
    change(cluster, TOPIC, "t", "retention.ms", SET, "5")
    cluster.do(alter_configs, [ResourceChange(TOPIC, "t", [Change("segment.ms", SET, "9")])], False)
    assert overrides(cluster) == {"segment.ms": "9"}


def test_min_insync_replicas_belongs_to_the_cluster_once_leaders_depend_on_it(cluster) -> None:
    from_now_on = r.FeatureLevelRecord(name="eligible.leader.replicas.version", feature_level=1)
    cluster.do(lambda image, environment: _Records([from_now_on]))
    assert change(cluster, BROKER, "1", "min.insync.replicas", SET, "2") == (
        ErrorCode.INVALID_CONFIG, "Broker-level min.insync.replicas cannot be altered while ELR is enabled.",
    )  # fmt: skip
    assert change(cluster, BROKER, "", "min.insync.replicas", SET, "2") is None
    assert change(cluster, BROKER, "", "min.insync.replicas", DELETE) is not None


class _Records:
    response = None

    def __init__(self, records: list[r.MetadataRecord]) -> None:
        self.records = records
