"""DescribeConfigs (32), versions 1 to 4: the settings of topics, brokers, groups, client metrics and log levels.

Each with its value, where that came from, its other spellings and sources, its type and a sentence of documentation.
A secret shows no value, and neither does a name that nobody knows. A broker without a name means what was set while
running for all brokers.
"""

from __future__ import annotations

from collections.abc import Collection

from tidelog.api.broker_loggers import levels
from tidelog.api.context import RequestContext
from tidelog.api.registry import api
from tidelog.broker.broker import Broker
from tidelog.config.describe import (
    Entry,
    Source,
    describe_broker,
    describe_dynamic_default,
    describe_resource,
    describe_topic,
)
from tidelog.config.effective import TopicDefaults
from tidelog.config.group_settings import CLIENT_METRICS_SETTINGS, GROUP_SETTINGS
from tidelog.controller.topic_names import check_topic_name
from tidelog.metadata import configs
from tidelog.protocol.errors import ErrorCode, KafkaError
from tidelog.protocol.messages.describe_configs import (
    DescribeConfigsRequest,
    DescribeConfigsResource,
    DescribeConfigsResourceResult,
    DescribeConfigsResponse,
    DescribeConfigsResult,
    DescribeConfigsSynonym,
)


@api(DescribeConfigsRequest)
def handle(broker: Broker, context: RequestContext, request: DescribeConfigsRequest) -> DescribeConfigsResponse:
    return DescribeConfigsResponse(results=[_result(broker, request, each) for each in request.resources])


def _result(
    broker: Broker, request: DescribeConfigsRequest, resource: DescribeConfigsResource
) -> DescribeConfigsResult:
    result = DescribeConfigsResult(
        resource_type=resource.resource_type, resource_name=resource.resource_name, error_message=""
    )
    try:
        entries = _entries(broker, resource)
        result.configs = [_config(each, request) for each in entries]
    except KafkaError as error:
        result.error_code = int(error.code)
        result.error_message = "" if error.code is ErrorCode.UNKNOWN_TOPIC_OR_PARTITION else error.message
    return result


def _entries(broker: Broker, resource: DescribeConfigsResource) -> list[Entry]:
    kind, name = resource.resource_type, resource.resource_name
    wanted = set(resource.configuration_keys) if resource.configuration_keys else None
    config = broker.metadata.config
    image = broker.metadata.image
    if kind == configs.TOPIC:
        check_topic_name(name)
        if name not in image.topics.ids:
            raise KafkaError(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION)
        return describe_topic(config, TopicDefaults(config), image.configs.get(kind, name), wanted)
    if kind == configs.BROKER:
        if not name:
            return describe_dynamic_default(config, wanted)
        _check_own_id(broker, name, "expected {} or empty string, but received {}")
        return describe_broker(config, wanted)
    if kind == configs.BROKER_LOGGER:
        _check_named(name, "Broker id")
        _check_own_id(broker, name, "expected {} but received {}")
        return _loggers(wanted)
    if kind == configs.GROUP:
        _check_named(name, "Group name")
        return describe_resource(GROUP_SETTINGS, config, image.configs.get(kind, name), Source.GROUP, wanted)
    if kind == configs.CLIENT_METRICS:
        _check_named(name, "Client metrics subscription name")
        overrides = image.configs.get(kind, name)
        found = describe_resource(CLIENT_METRICS_SETTINGS, config, overrides, Source.CLIENT_METRICS, wanted)
        return [each._replace(synonyms=[]) for each in found]
    raise KafkaError(ErrorCode.INVALID_REQUEST)


def _check_named(name: str, what: str) -> None:
    if not name:
        raise KafkaError(ErrorCode.INVALID_REQUEST, f"{what} must not be empty")


def _check_own_id(broker: Broker, name: str, expected: str) -> None:
    try:
        node_id = int(name)
    except ValueError:
        raise KafkaError(ErrorCode.INVALID_REQUEST, f"Broker id must be an integer, but it is: {name}") from None
    if node_id != broker.node_id:
        raise KafkaError(ErrorCode.INVALID_REQUEST, f"Unexpected broker id, {expected.format(broker.node_id, name)}")


def _loggers(wanted: Collection[str] | None) -> list[Entry]:
    return [
        Entry(name, level, Source.DYNAMIC_BROKER_LOGGER, False, False, 0, "", [])
        for name, level in levels().items()
        if not wanted or name in wanted
    ]


def _config(entry: Entry, request: DescribeConfigsRequest) -> DescribeConfigsResourceResult:
    synonyms = entry.synonyms if request.include_synonyms else []
    return DescribeConfigsResourceResult(
        name=entry.name,
        value=entry.value,
        read_only=entry.read_only,
        config_source=int(entry.source),
        is_sensitive=entry.sensitive,
        synonyms=[
            DescribeConfigsSynonym(name=each.name, value=each.value, source=int(each.source)) for each in synonyms
        ],
        config_type=entry.kind,
        documentation=entry.doc if request.include_documentation else None,
    )
