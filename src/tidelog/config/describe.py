"""Settings as DescribeConfigs tells of them: value, where it came from, and what it would be otherwise.

A setting with several spellings (`log.retention.ms`, `.minutes`, `.hours`) lists all of them, from the first mention of
its own name on. Secrets, and names nobody knows, show no value.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from enum import IntEnum
from typing import NamedTuple

from tidelog.config.broker_config import BrokerConfig
from tidelog.config.broker_settings import BROKER_SETTINGS, DYNAMIC_ONLY, broker_setting
from tidelog.config.effective import TopicDefaults
from tidelog.config.setting import Scope, Setting
from tidelog.config.topic_settings import SPELLINGS, TOPIC_SETTINGS, TopicSetting
from tidelog.config.values import value_text

UNKNOWN_KIND = 0


class Source(IntEnum):
    """Numbered as DescribeConfigs reports them."""

    DYNAMIC_TOPIC = 1
    DYNAMIC_BROKER = 2
    DYNAMIC_DEFAULT_BROKER = 3
    STATIC_BROKER = 4
    DEFAULT = 5
    DYNAMIC_BROKER_LOGGER = 6
    CLIENT_METRICS = 7
    GROUP = 8


class SynonymValue(NamedTuple):
    name: str
    value: str | None
    source: Source


class Entry(NamedTuple):
    name: str
    value: str | None
    source: Source
    read_only: bool
    sensitive: bool
    kind: int
    doc: str | None
    synonyms: list[SynonymValue]


def describe_topic(
    broker: BrokerConfig, defaults: TopicDefaults, overrides: Mapping[str, str], wanted: Collection[str] | None = None
) -> list[Entry]:
    values = vars(defaults.topic(overrides))
    return [
        _inheriting(row, value_text(values[row.setting.attribute]), broker, overrides, Source.DYNAMIC_TOPIC)
        for name, row in TOPIC_SETTINGS.items()
        if not row.setting.hidden and (not wanted or name in wanted)
    ]


def describe_broker(broker: BrokerConfig, wanted: Collection[str] | None = None) -> list[Entry]:
    """Every setting of the broker, and whatever else was given to it."""
    names = dict.fromkeys(name for name, row in BROKER_SETTINGS.items() if not row.hidden)
    names |= dict.fromkeys([*broker.static, *broker.dynamic_default, *broker.dynamic])
    return [_broker_entry(name, broker) for name in names if not wanted or name in wanted]


def describe_dynamic_default(broker: BrokerConfig, wanted: Collection[str] | None = None) -> list[Entry]:
    """What was set while running for all brokers, and nothing else."""
    found = []
    for name, text in broker.dynamic_default.items():
        if wanted and name not in wanted:
            continue
        entry = _broker_entry(name, broker)
        value = None if entry.sensitive else text
        synonym = SynonymValue(name, value, Source.DYNAMIC_DEFAULT_BROKER)
        found.append(entry._replace(value=value, source=Source.DYNAMIC_DEFAULT_BROKER, synonyms=[synonym]))
    return found


def describe_resource(
    rows: Mapping[str, TopicSetting],
    broker: BrokerConfig,
    overrides: Mapping[str, str],
    source: Source,
    wanted: Collection[str] | None = None,
) -> list[Entry]:
    """A group, or a subscription to client metrics."""
    found = []
    for name, row in rows.items():
        if wanted and name not in wanted:
            continue
        text = overrides.get(name)
        value = value_text(_inherited(row, broker) if text is None else row.setting.parse_type(text))
        found.append(_inheriting(row, value, broker, overrides, source))
    return found


def _inherited(row: TopicSetting, broker: BrokerConfig) -> bool | int | float | str | tuple[str, ...] | None:
    if not row.synonyms:
        return row.setting.default
    value: bool | int | float | str | tuple[str, ...] | None = getattr(
        broker, row.synonyms[0].broker_name.replace(".", "_")
    )
    return value


def _inheriting(
    row: TopicSetting, value: str | None, broker: BrokerConfig, overrides: Mapping[str, str], source: Source
) -> Entry:
    setting = row.setting
    synonyms = _broker_synonyms(row.synonyms[0].broker_name, broker, setting.sensitive) if row.synonyms else []
    if setting.name in overrides:
        synonyms.insert(0, SynonymValue(setting.name, value, source))
    elif not row.synonyms and source is Source.GROUP:
        synonyms.append(SynonymValue(setting.name, value_text(setting.default), Source.DEFAULT))
    shown = None if setting.sensitive else value
    where = synonyms[0].source if synonyms else Source.DEFAULT
    return Entry(setting.name, shown, where, False, setting.sensitive, int(setting.kind), setting.doc, synonyms)


def _broker_entry(name: str, broker: BrokerConfig) -> Entry:
    row = broker_setting(name) or DYNAMIC_ONLY.get(name)
    sensitive = row is None or row.sensitive
    synonyms = _broker_synonyms(name, broker, sensitive)
    where = synonyms[0].source if synonyms else Source.DEFAULT
    value = None if sensitive else _broker_value(name, row, broker, synonyms)
    return Entry(
        name,
        value,
        where,
        row is None or row.scope is Scope.READ_ONLY or name.startswith("listener.name."),
        sensitive,
        int(row.kind) if row else UNKNOWN_KIND,
        row.doc if row else None,
        synonyms,
    )


def _broker_value(name: str, row: Setting | None, broker: BrokerConfig, synonyms: list[SynonymValue]) -> str | None:
    if row is not None and name in BROKER_SETTINGS:
        return value_text(getattr(broker, row.attribute))
    return synonyms[0].value if synonyms else None


def _broker_synonyms(name: str, broker: BrokerConfig, sensitive: bool) -> list[SynonymValue]:
    spellings = SPELLINGS.get(name) or (name,)
    found = [
        SynonymValue(each, None if sensitive else values[each], source)
        for values, source in (
            (broker.dynamic, Source.DYNAMIC_BROKER),
            (broker.dynamic_default, Source.DYNAMIC_DEFAULT_BROKER),
            (broker.static, Source.STATIC_BROKER),
        )
        for each in spellings
        if each in values
    ]
    for each in spellings:
        row = BROKER_SETTINGS.get(each)
        if row is not None and row.default is not None:
            found.append(SynonymValue(each, None if sensitive else value_text(row.default), Source.DEFAULT))
    first = next((index for index, each in enumerate(found) if each.name == name), len(found))
    return found[first:]
