"""Checks of the settings of groups and of subscriptions to client metrics."""

from __future__ import annotations

import re
from collections.abc import Mapping

from tidelog.config.group_settings import CLIENT_METRICS_SETTINGS, GROUP_SETTINGS
from tidelog.config.setting import ConfigError
from tidelog.config.values import Value
from tidelog.controller.result import Environment
from tidelog.protocol.errors import ErrorCode, KafkaError

__all__ = ["GROUP_SETTINGS", "check_client_metrics", "check_group_configs"]

# Each of these must lie between the broker's min and max for it.
BOUNDED = (
    "consumer.heartbeat.interval.ms",
    "consumer.session.timeout.ms",
    "consumer.assignment.interval.ms",
    "share.heartbeat.interval.ms",
    "share.session.timeout.ms",
    "share.assignment.interval.ms",
    "share.record.lock.duration.ms",
    "share.delivery.count.limit",
    "share.partition.max.record.locks",
    "streams.heartbeat.interval.ms",
    "streams.session.timeout.ms",
    "streams.assignment.interval.ms",
    "streams.num.standby.replicas",
)
INTERVAL_MS = (100, 3_600_000)
MATCH_NAMES = {
    "client_instance_id",
    "client_id",
    "client_software_name",
    "client_software_version",
    "client_source_address",
    "client_source_port",
}


def check_group_configs(environment: Environment, overrides: Mapping[str, str]) -> None:
    parsed: dict[str, Value] = {}
    for name, text in overrides.items():
        row = GROUP_SETTINGS.get(name)
        if row is None:
            raise KafkaError(ErrorCode.INVALID_CONFIG, f"Unknown group config name: {name}")
        try:
            parsed[name] = row.setting.parse(text)
        except ConfigError as error:
            raise KafkaError(ErrorCode.INVALID_CONFIG, str(error)) from None
    for name in BOUNDED:
        if name in parsed:
            _check_bounds(environment, name, parsed[name])
    _check_pairs(environment, parsed)


def _check_bounds(environment: Environment, name: str, value: Value) -> None:
    assert isinstance(value, int)
    kind, _, rest = name.partition(".")
    for word, refused in (("min", "greater than or equal to"), ("max", "less than or equal to")):
        bound_name = f"group.{kind}.{word}.{rest.removeprefix('num.') if kind == 'streams' else rest}"
        bound = getattr(environment.config, bound_name.replace(".", "_"), None)
        if bound is None:
            continue
        if (word == "min" and value < bound) or (word == "max" and value > bound):
            raise KafkaError(ErrorCode.INVALID_CONFIG, f"{name} must be {refused} {bound_name}")


def _check_pairs(environment: Environment, parsed: Mapping[str, Value]) -> None:
    """A member must be able to send a heartbeat before its session ends."""
    for kind in ("consumer", "share", "streams"):
        names = [f"{kind}.heartbeat.interval.ms", f"{kind}.session.timeout.ms"]
        heartbeat, session = (
            parsed.get(name, getattr(environment.config, f"group_{name}".replace(".", "_"))) for name in names
        )
        assert isinstance(heartbeat, int)
        assert isinstance(session, int)
        if any(name in parsed for name in names) and session <= heartbeat:
            raise KafkaError(ErrorCode.INVALID_CONFIG, f"{names[1]} must be greater than {names[0]}")


def check_client_metrics(overrides: Mapping[str, str]) -> None:
    for name, text in overrides.items():
        row = CLIENT_METRICS_SETTINGS.get(name)
        if row is None:
            raise KafkaError(ErrorCode.INVALID_REQUEST, f"Unknown client metrics configuration: {name}")
        try:
            value = row.setting.parse(text)
        except ConfigError as error:
            raise KafkaError(ErrorCode.INVALID_CONFIG, str(error)) from None
        if name == "interval.ms":
            _check_interval(value)
        elif name == "match":
            _check_patterns(value)


def _check_interval(value: Value) -> None:
    assert isinstance(value, int)
    if not INTERVAL_MS[0] <= value <= INTERVAL_MS[1]:
        raise KafkaError(
            ErrorCode.INVALID_REQUEST,
            f"Invalid value {value} for interval.ms, interval must be between {INTERVAL_MS[0]} and {INTERVAL_MS[1]} "
            "(1 hour)",
        )


def _check_patterns(value: Value) -> None:
    assert isinstance(value, tuple)
    for pattern in value:
        name, equals, expression = pattern.partition("=")
        if not equals or name.strip() not in MATCH_NAMES:
            raise KafkaError(ErrorCode.INVALID_CONFIG, f"Illegal client matching pattern: {pattern}")
        try:
            re.compile(expression.strip())
        except re.error:
            raise KafkaError(ErrorCode.INVALID_CONFIG, f"Illegal client matching pattern: {pattern}") from None
