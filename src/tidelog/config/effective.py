"""The settings in force for a topic: its own overrides over the broker's dynamic, static and default values.

`TopicDefaults` is what one broker gives every topic; it is built once per change of the broker's settings, so that a
topic costs one dictionary copy plus its overrides.
"""

from __future__ import annotations

from collections.abc import Mapping

from tidelog.config.broker_config import BrokerConfig
from tidelog.config.setting import ConfigError
from tidelog.config.topic_settings import TOPIC_SETTINGS, TopicSetting
from tidelog.config.topic_values import TopicValues
from tidelog.config.values import Value


class TopicConfig(TopicValues):
    """Every topic setting as a typed attribute, for one topic."""

    overrides: Mapping[str, str]

    def __init__(self, values: Mapping[str, Value], overrides: Mapping[str, str]) -> None:
        vars(self).update(values)
        self.overrides = overrides

    def settings(self) -> dict[str, Value]:
        """By the names of the settings, with the limits that the broker sets for all logs."""
        values = vars(self)
        return {name: values[attribute] for name, attribute in _ATTRIBUTES.items()}


# What a log needs beside the topic's own settings.
_BROKER_LIMITS = ("tidelog.max.decompressed.batch.bytes", "tidelog.max.producer.ids.per.partition")
_ATTRIBUTES = {name: row.setting.attribute for name, row in TOPIC_SETTINGS.items()} | {
    name: name.replace(".", "_") for name in _BROKER_LIMITS
}


class TopicDefaults:
    """What one broker gives every topic."""

    def __init__(self, broker: BrokerConfig) -> None:
        self.values = {row.setting.attribute: _inherited(row, broker) for row in TOPIC_SETTINGS.values()}
        self.values |= {_ATTRIBUTES[name]: getattr(broker, _ATTRIBUTES[name]) for name in _BROKER_LIMITS}

    def topic(self, overrides: Mapping[str, str]) -> TopicConfig:
        """The values for a topic with these overrides, which were checked when they were set."""
        if not overrides:
            return TopicConfig(self.values, overrides)
        values = dict(self.values)
        for name, text in overrides.items():
            row = TOPIC_SETTINGS.get(name)
            if row is not None:
                values[row.setting.attribute] = row.setting.parse_type(text)
        return TopicConfig(values, overrides)


def _inherited(row: TopicSetting, broker: BrokerConfig) -> Value:
    """The first broker setting with a value wins; a unit of hours or minutes is converted, -1 stays -1."""
    for synonym in row.synonyms:
        value: Value = getattr(broker, synonym.broker_name.replace(".", "_"))
        if value is None:
            continue
        if synonym.factor != 1 and isinstance(value, int) and value >= 0:
            return value * synonym.factor
        return value
    return row.setting.default


def check_topic_overrides(overrides: Mapping[str, str | None]) -> dict[str, Value]:
    """Parses overrides of one topic; ConfigError names the first that is unknown or refused."""
    parsed = {}
    for name, text in overrides.items():
        row = TOPIC_SETTINGS.get(name)
        if row is None:
            raise ConfigError(f"Unknown topic config name: {name}")
        if text is None:
            raise ConfigError(f"Null value not supported for topic configs: {name}")
        parsed[name] = row.setting.parse(text)
    return parsed
