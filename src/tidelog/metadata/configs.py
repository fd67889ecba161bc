"""Settings changed while running, by resource: topics, brokers ("" is the default of all), groups, client metrics."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from tidelog.metadata.records import ConfigRecord
from tidelog.metadata.sharded_map import ShardedMap

TOPIC, BROKER, BROKER_LOGGER, CLIENT_METRICS, GROUP = 2, 4, 8, 16, 32

Overrides: TypeAlias = Mapping[str, str]
Resource: TypeAlias = tuple[int, str]

NONE: Overrides = MappingProxyType({})


class ConfigsImage(NamedTuple):
    by_type: Mapping[int, ShardedMap[str, Overrides]]

    def get(self, resource_type: int, name: str) -> Overrides:
        table = self.by_type.get(resource_type)
        found = table.get(name) if table else None
        return NONE if found is None else found

    def resources(self, resource_type: int) -> list[str]:
        table = self.by_type.get(resource_type)
        return sorted(table) if table else []


EMPTY_CONFIGS = ConfigsImage(MappingProxyType({}))


class ConfigsDelta:
    """`changed` holds, for each resource that changed, each setting with its new text or None."""

    def __init__(self, image: ConfigsImage) -> None:
        self.image = image
        self.changed: dict[Resource, dict[str, str | None]] = {}
        self._removed: set[Resource] = set()

    def __bool__(self) -> bool:
        return bool(self.changed or self._removed)

    def replay(self, record: ConfigRecord) -> None:
        self.changed.setdefault((record.resource_type, record.resource_name), {})[record.name] = record.value

    def topic_removed(self, name: str) -> None:
        """The settings of a topic go with it."""
        self.changed.pop((TOPIC, name), None)
        self._removed.add((TOPIC, name))

    def apply(self) -> ConfigsImage:
        if not self:
            return self.image
        changes: dict[int, dict[str, Overrides | None]] = {}
        for resource_type, name in self._removed:
            changes.setdefault(resource_type, {})[name] = None
        for (resource_type, name), values in self.changed.items():
            base = NONE if (resource_type, name) in self._removed else self.image.get(resource_type, name)
            merged = {key: text for key, text in {**base, **values}.items() if text is not None}
            changes.setdefault(resource_type, {})[name] = merged or None
        empty: ShardedMap[str, Overrides] = ShardedMap()
        tables = {kind: self.image.by_type.get(kind, empty).updated(each) for kind, each in changes.items()}
        merged_tables = {**self.image.by_type, **tables}
        return ConfigsImage({kind: table for kind, table in merged_tables.items() if len(table)})
