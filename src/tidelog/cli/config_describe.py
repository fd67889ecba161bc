"""The text of `kafka-configs --describe`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tidelog.cli.config_entities import Entities
from tidelog.cli.deserializers import java_float
from tidelog.cli.java_order import hash_order
from tidelog.client.admin_configs import ConfigSource, ResourceType

if TYPE_CHECKING:
    from tidelog.client.admin import Admin

RESOURCES = {
    "topics": (ResourceType.TOPIC, ConfigSource.DYNAMIC_TOPIC_CONFIG),
    "brokers": (ResourceType.BROKER, ConfigSource.DYNAMIC_BROKER_CONFIG),
    "broker-loggers": (ResourceType.BROKER_LOGGER, None),
    "client-metrics": (ResourceType.CLIENT_METRICS, ConfigSource.DYNAMIC_CLIENT_METRICS_CONFIG),
    "groups": (ResourceType.GROUP, ConfigSource.DYNAMIC_GROUP_CONFIG),
}
QUOTA_TYPES = {"users": "user", "clients": "client-id", "ips": "ip"}
_QUOTA_WORDS = {"user": "user-principal", "client-id": "client-id", "ip": "ip"}
SCRAM_MECHANISMS = {1: "SCRAM-SHA-256", 2: "SCRAM-SHA-512"}


async def describe(admin: Admin, entities: Entities, everything: bool) -> None:
    if entities.type in RESOURCES:
        await _describe_resources(admin, entities, everything)
        return
    await _describe_quotas(admin, entities)
    if "users" in entities.types and "clients" not in entities.types and "" not in entities.names:
        await _describe_scram(admin, entities.names)


async def _describe_resources(admin: Admin, entities: Entities, everything: bool) -> None:
    kind, source = RESOURCES[entities.type]
    if entities.name and not await _exists(admin, kind, entities.name):
        print(f"The {entities.singular} '{entities.name}' doesn't exist and doesn't have dynamic config.")
        return
    names = [entities.name] if entities.name is not None else await _all_names(admin, kind)
    for name in names:
        wanted = source
        if name == "" and kind in (ResourceType.BROKER, ResourceType.BROKER_LOGGER):
            print(f"Default configs for {entities.type} in the cluster are:")
            wanted = ConfigSource.DYNAMIC_DEFAULT_BROKER_CONFIG
        else:
            print(f"{'All' if everything else 'Dynamic'} configs for {entities.singular} {name} are:")
        rows = await admin.configs.describe(kind, name)
        for row in sorted(rows, key=lambda row: row.name):
            if everything or wanted is None or row.config_source == wanted:
                print(config_line(row))


def config_line(row: Any) -> str:
    synonyms = ", ".join(f"{ConfigSource(each.source).name}:{each.name}={_text(each.value)}" for each in row.synonyms)
    return f"  {row.name}={_text(row.value)} sensitive={str(row.is_sensitive).lower()} synonyms={{{synonyms}}}"


def _text(value: str | None) -> str:
    return "null" if value is None else value


async def _exists(admin: Admin, kind: ResourceType, name: str) -> bool:
    if kind == ResourceType.TOPIC:
        return name in await admin.topics.all()
    if kind in (ResourceType.BROKER, ResourceType.BROKER_LOGGER):
        return int(name) in await admin.brokers.all()
    return name in await _all_names(admin, kind)


async def _all_names(admin: Admin, kind: ResourceType) -> list[str]:
    if kind == ResourceType.TOPIC:
        return hash_order(await admin.topics.all())
    if kind in (ResourceType.BROKER, ResourceType.BROKER_LOGGER):
        return [*map(str, sorted(await admin.brokers.all())), ""]
    configured = [name for _, name in await admin.configs.resources(kind)]
    if kind != ResourceType.GROUP:
        return configured
    return hash_order([*[each.group_id for each in await admin.groups.list()], *configured])


async def _describe_quotas(admin: Admin, entities: Entities) -> None:
    for entry in await admin.quotas.describe(quota_filters(entities), strict=True):
        names = {each.entity_type: each.entity_name for each in entry.entity}
        sides = [_side(kind, names[kind]) for kind in _QUOTA_WORDS if kind in names]
        values = {each.key: each.value for each in entry.values}
        text = ", ".join(f"{key}={java_float(values[key])}" for key in hash_order(values, len(values)))
        print(f"Quota configs for {', '.join(sides)} are {text}")


def _side(kind: str, name: str | None) -> str:
    word = _QUOTA_WORDS[kind]
    return f"the default {word}" if name is None else f"{word} '{name}'"


def quota_filters(entities: Entities) -> list[Any]:
    from tidelog.client.admin_quotas import ANY, DEFAULT, EXACT, QuotaFilter

    found = []
    for index, kind in enumerate(entities.types):
        name = entities.names[index] if index < len(entities.names) else None
        match = ANY if name is None else EXACT if name else DEFAULT
        found.append(QuotaFilter(QUOTA_TYPES[kind], match, name or None))
    return found


async def _describe_scram(admin: Admin, users: list[str]) -> None:
    from tidelog.protocol.errors import ErrorCode, KafkaError

    try:
        results = await admin.quotas.scram(users or None)
    except KafkaError as error:
        if error.code == ErrorCode.UNSUPPORTED_VERSION:
            return
        raise
    for row in results:
        if row.error_code == ErrorCode.RESOURCE_NOT_FOUND:
            continue
        if row.error_code:
            print(f"Error retrieving SCRAM credential configs for user-principal '{row.user}': {row.error_message}")
            continue
        infos = [f"{SCRAM_MECHANISMS[each.mechanism]}=iterations={each.iterations}" for each in row.credential_infos]
        print(f"SCRAM credential configs for user-principal '{row.user}' are {', '.join(infos)}")
