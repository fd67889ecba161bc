"""Changes of settings while running: of topics, brokers, groups and client metrics."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from tidelog.config.effective import TopicDefaults
from tidelog.config.topic_settings import TOPIC_SETTINGS
from tidelog.config.values import PARSERS, Kind, Value
from tidelog.controller.broker_configs import broker_row, check_broker_configs
from tidelog.controller.group_configs import GROUP_SETTINGS, check_client_metrics, check_group_configs
from tidelog.controller.result import Environment, Result, check_one_batch
from tidelog.controller.topic_configs import check_topic_configs
from tidelog.controller.topic_names import check_topic_name
from tidelog.metadata import configs
from tidelog.metadata.image import MetadataImage
from tidelog.metadata.records import ClearElrRecord, ConfigRecord, MetadataRecord
from tidelog.protocol.errors import ErrorCode, KafkaError

SET, DELETE, APPEND, SUBTRACT = range(4)
OPERATIONS = {APPEND: "APPEND", SUBTRACT: "SUBTRACT"}
MIN_INSYNC_REPLICAS = "min.insync.replicas"


class Change(NamedTuple):
    name: str
    operation: int
    value: str | None


class ResourceChange(NamedTuple):
    """All changes of one resource; they are made together or not at all."""

    resource_type: int
    resource_name: str
    changes: Sequence[Change]


Outcome = list[KafkaError | None]


def incremental_alter_configs(
    image: MetadataImage, environment: Environment, resources: Sequence[ResourceChange], validate_only: bool
) -> Result[Outcome]:
    return _alter(image, environment, resources, validate_only, _incremental)


def alter_configs(
    image: MetadataImage, environment: Environment, resources: Sequence[ResourceChange], validate_only: bool
) -> Result[Outcome]:
    """The older form: what is not named goes back to its default."""
    return _alter(image, environment, resources, validate_only, _replaced)


def _alter(
    image: MetadataImage,
    environment: Environment,
    resources: Sequence[ResourceChange],
    validate_only: bool,
    change: Callable[[Environment, ResourceChange, Mapping[str, str]], dict[str, str | None]],
) -> Result[Outcome]:
    records: list[MetadataRecord] = []
    outcome: Outcome = []
    for resource in resources:
        try:
            _check_resource(resource)
            before = image.configs.get(resource.resource_type, resource.resource_name)
            changed = change(environment, resource, before)
            _check(image, environment, resource, before, changed)
            records += _records(image, resource, before, changed)
            outcome.append(None)
        except KafkaError as error:
            outcome.append(error)
    check_one_batch(records)
    return Result([] if validate_only else records, outcome)


def _incremental(
    environment: Environment, resource: ResourceChange, before: Mapping[str, str]
) -> dict[str, str | None]:
    """The new text of each named setting, None where it goes back to its default."""
    changed: dict[str, str | None] = {}
    for name, operation, value in resource.changes:
        if operation == DELETE:
            changed[name] = None
        elif operation == SET:
            changed[name] = value
        elif operation in OPERATIONS:
            changed[name] = _edited_list(environment, resource, before.get(name), name, operation, value or "")
        else:
            raise KafkaError(ErrorCode.INVALID_REQUEST, f"Unknown operation {operation} on {name}.")
    return changed


def _edited_list(
    environment: Environment, resource: ResourceChange, current: str | None, name: str, operation: int, value: str
) -> str:
    kind, default = _type_of(environment, resource.resource_type, name)
    if kind is not Kind.LIST:
        raise KafkaError(
            ErrorCode.INVALID_CONFIG, f"Can't {OPERATIONS[operation]} to key {name} because its type is not LIST."
        )
    members = PARSERS[Kind.LIST](current) if current is not None else default or ()
    assert isinstance(members, tuple)
    edited = [each.strip() for each in value.split(",")]
    if operation == APPEND:
        return ",".join([*members, *(each for each in dict.fromkeys(edited) if each not in members)])
    return ",".join(each for each in members if each not in edited)


def _type_of(environment: Environment, resource_type: int, name: str) -> tuple[Kind | None, Value]:
    """The type of a setting, and the value it has when nobody changed it while running."""
    if resource_type == configs.TOPIC:
        row = TOPIC_SETTINGS.get(name)
        if row is None:
            return None, None
        return row.setting.kind, TopicDefaults(environment.config).values[row.setting.attribute]
    if resource_type == configs.GROUP:
        row = GROUP_SETTINGS.get(name)
        return (row.setting.kind, row.setting.default) if row else (None, None)
    if resource_type == configs.CLIENT_METRICS:
        return (Kind.LIST, ()) if name in {"match", "metrics"} else (None, None)
    setting = broker_row(name)
    return (
        (setting.kind, setting.parse_type(environment.config.static.get(name)) or setting.default)
        if setting
        else (
            None,
            None,
        )
    )


def _replaced(environment: Environment, resource: ResourceChange, before: Mapping[str, str]) -> dict[str, str | None]:
    changed: dict[str, str | None] = dict.fromkeys(before)
    return changed | {each.name: each.value for each in resource.changes}


def _check_resource(resource: ResourceChange) -> None:
    kind, name = resource.resource_type, resource.resource_name
    if kind == configs.TOPIC:
        if not name:
            raise KafkaError(ErrorCode.INVALID_REQUEST, "Default topic resources are not allowed.")
        check_topic_name(name)
    elif kind == configs.GROUP:
        if not name:
            raise KafkaError(ErrorCode.INVALID_REQUEST, "Default group resources are not allowed.")
    elif kind == configs.CLIENT_METRICS:
        if not name:
            raise KafkaError(ErrorCode.INVALID_REQUEST, "Subscription name can't be empty")
    elif kind != configs.BROKER:
        raise KafkaError(ErrorCode.INVALID_REQUEST, f"Unknown resource type {kind}")


def _check(
    image: MetadataImage,
    environment: Environment,
    resource: ResourceChange,
    before: Mapping[str, str],
    changed: Mapping[str, str | None],
) -> None:
    merged = {name: text for name, text in {**before, **changed}.items() if text is not None}
    kind = resource.resource_type
    if kind == configs.TOPIC:
        check_topic_configs(environment, TopicDefaults(environment.config), merged, before)
        if resource.resource_name not in image.topics.ids:
            raise KafkaError(
                ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, f"The topic '{resource.resource_name}' does not exist."
            )
    elif kind == configs.GROUP:
        check_group_configs(environment, merged)
    elif kind == configs.CLIENT_METRICS:
        check_client_metrics(merged)
    else:
        check_broker_configs(image, environment, resource.resource_name, changed)


def _records(
    image: MetadataImage, resource: ResourceChange, before: Mapping[str, str], changed: Mapping[str, str | None]
) -> list[MetadataRecord]:
    """Only what differs is written."""
    kind, name = resource.resource_type, resource.resource_name
    records: list[MetadataRecord] = [
        ConfigRecord(resource_type=kind, resource_name=name, name=key, value=text)
        for key, text in changed.items()
        if before.get(key) != text
    ]
    if (
        records
        and image.features.elr_enabled
        and MIN_INSYNC_REPLICAS in changed
        and kind in (configs.TOPIC, configs.BROKER)
    ):
        # Who may lead was decided with the old number.
        records.append(ClearElrRecord(topic_name=name if kind == configs.TOPIC else ""))
    return records
