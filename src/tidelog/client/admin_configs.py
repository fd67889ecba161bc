"""Settings of topics, brokers, groups and client metrics: describe, change, list what has any."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import IntEnum
from typing import Any

from tidelog.client.cluster import Cluster, raise_for
from tidelog.protocol.messages.describe_configs import (
    DescribeConfigsRequest,
    DescribeConfigsResource,
    DescribeConfigsResourceResult,
    DescribeConfigsResponse,
)
from tidelog.protocol.messages.incremental_alter_configs import (
    AlterableConfig,
    AlterConfigsResource,
    IncrementalAlterConfigsRequest,
)
from tidelog.protocol.messages.list_config_resources import ListConfigResourcesRequest


class ResourceType(IntEnum):
    TOPIC = 2
    BROKER = 4
    BROKER_LOGGER = 8
    CLIENT_METRICS = 16
    GROUP = 32


class ConfigSource(IntEnum):
    UNKNOWN = 0
    DYNAMIC_TOPIC_CONFIG = 1
    DYNAMIC_BROKER_CONFIG = 2
    DYNAMIC_DEFAULT_BROKER_CONFIG = 3
    STATIC_BROKER_CONFIG = 4
    DEFAULT_CONFIG = 5
    DYNAMIC_BROKER_LOGGER_CONFIG = 6
    DYNAMIC_CLIENT_METRICS_CONFIG = 7
    DYNAMIC_GROUP_CONFIG = 8

    @property
    def is_default(self) -> bool:
        return self == ConfigSource.DEFAULT_CONFIG


SET, DELETE, APPEND, SUBTRACT = range(4)

_OF_ONE_BROKER = {ResourceType.BROKER, ResourceType.BROKER_LOGGER}


class ConfigAdmin:
    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster

    async def describe(
        self, kind: ResourceType, name: str, *, synonyms: bool = True, keys: list[str] | None = None
    ) -> list[DescribeConfigsResourceResult]:
        """The settings of one thing, in the broker's order."""
        return (await self.describe_many(kind, [name], synonyms=synonyms, keys=keys))[name]

    async def describe_many(
        self, kind: ResourceType, names: Iterable[str], *, synonyms: bool = True, keys: list[str] | None = None
    ) -> dict[str, list[DescribeConfigsResourceResult]]:
        """As `describe`, for several things of one kind."""
        wanted = list(names)
        if kind in _OF_ONE_BROKER and any(wanted):
            answers = {name: await self._describe(kind, [name], synonyms, keys) for name in wanted}
            return {name: rows[name] for name, rows in answers.items()}
        return await self._describe(kind, wanted, synonyms, keys)

    async def _describe(
        self, kind: ResourceType, names: list[str], synonyms: bool, keys: list[str] | None
    ) -> dict[str, list[DescribeConfigsResourceResult]]:
        request = DescribeConfigsRequest(
            resources=[
                DescribeConfigsResource(resource_type=kind, resource_name=name, configuration_keys=keys)
                for name in names
            ],
            include_synonyms=synonyms,
        )
        answer: DescribeConfigsResponse = await self._ask(kind, names[0] if names else "", request)
        for row in answer.results:
            raise_for(row.error_code, row.error_message)
        return {row.resource_name: row.configs for row in answer.results}

    async def alter(
        self,
        kind: ResourceType,
        name: str,
        change: Mapping[str, str] | None = None,
        delete: Iterable[str] = (),
        *,
        validate_only: bool = False,
    ) -> None:
        """Sets and deletes settings of one thing, all or none."""
        rows = [AlterableConfig(name=key, config_operation=SET, value=value) for key, value in (change or {}).items()]
        rows += [AlterableConfig(name=key, config_operation=DELETE, value=None) for key in delete]
        request = IncrementalAlterConfigsRequest(
            resources=[AlterConfigsResource(resource_type=kind, resource_name=name, configs=rows)],
            validate_only=validate_only,
        )
        answer = await self._ask(kind, name, request)
        raise_for(answer.responses[0].error_code, answer.responses[0].error_message)

    async def resources(self, *kinds: ResourceType) -> list[tuple[int, str]]:
        """(kind, name) of everything of these kinds that has settings of its own."""
        answer = await self._cluster.ask_any(ListConfigResourcesRequest(resource_types=[int(kind) for kind in kinds]))
        raise_for(answer.error_code)
        return [(row.resource_type, row.resource_name) for row in answer.config_resources]

    async def _ask(
        self, kind: ResourceType, name: str, request: DescribeConfigsRequest | IncrementalAlterConfigsRequest
    ) -> Any:
        """A node answers for itself; for the rest any broker does, or the active controller, which alone changes."""
        cluster = self._cluster
        if kind in _OF_ONE_BROKER and name:
            if not cluster.of_controllers:
                return await cluster.ask(int(name), request)
            is_known = int(name) in (await cluster.refresh([])).brokers
            if is_known and isinstance(request, DescribeConfigsRequest):
                return await cluster.ask(int(name), request)
        return await self._cluster.ask_any(request)
