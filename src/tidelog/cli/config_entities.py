"""Whose settings a kafka-configs command line means: entity types and names, in the long and the short form."""

from __future__ import annotations

from typing import NamedTuple

from tidelog.cli.flags import Options
from tidelog.cli.tool import Failure

TYPES = ("topics", "clients", "users", "brokers", "ips", "client-metrics", "groups", "broker-loggers")
NAMED_FLAGS = {
    "topic": "topics",
    "client": "clients",
    "user": "users",
    "broker": "brokers",
    "broker-logger": "broker-loggers",
    "ip": "ips",
    "client-metrics": "client-metrics",
    "group": "groups",
}
DEFAULT_FLAGS = {
    "client-defaults": "clients",
    "user-defaults": "users",
    "broker-defaults": "brokers",
    "ip-defaults": "ips",
}
_PAIRED = {"users", "clients"}


class Entities(NamedTuple):
    """Types and names in the order given; an empty name is the default of its type."""

    types: list[str]
    names: list[str]

    @property
    def type(self) -> str:
        return self.types[0]

    @property
    def name(self) -> str | None:
        return self.names[0] if self.names else None

    @property
    def singular(self) -> str:
        return self.type[:-1]


def read_entities(options: Options) -> Entities:
    types = options.all("entity-type")
    names = ["" if flag == "entity-default" else value or "" for flag, value in options.words if flag in _NAMES]
    for flag, kind in NAMED_FLAGS.items():
        if options.has(flag):
            types.append(kind)
            names.append(options.text(flag))
    for flag, kind in DEFAULT_FLAGS.items():
        if options.has(flag):
            types.append(kind)
            names.append("")
    found = Entities(types, names)
    _check(found, options.has("alter"))
    return found


_NAMES = {"entity-name", "entity-default"}


def _check(entities: Entities, altering: bool) -> None:
    types = entities.types
    if not types:
        raise Failure("At least one entity type must be specified")
    for kind in types:
        if kind not in TYPES:
            raise Failure(
                f"Invalid entity type {kind}, the entity type must be one of {', '.join(TYPES)} "
                "with a --bootstrap-server or --bootstrap-controller argument"
            )
    repeated = sorted({kind for kind in types if types.count(kind) > 1})
    if repeated:
        raise Failure(f"Duplicate entity type(s) specified: {', '.join(repeated)}")
    if len(types) > 1 and set(types) != _PAIRED:
        raise Failure(
            "Only entity types 'users' and 'clients' can be given together; use one command for each of the others"
        )
    if len(entities.names) > len(types):
        raise Failure("More entity names were given than entity types; name each type once")
    if altering and len(entities.names) != len(types):
        raise Failure(f"An entity name must be specified with --alter of {', '.join(types)}")
    if types[0] in {"brokers", "broker-loggers"} and entities.name:
        _check_broker_id(types[0], entities.name)


def _check_broker_id(kind: str, name: str) -> None:
    if not name.lstrip("-").isdigit():
        raise Failure(f"The entity name for {kind} must be a valid integer broker id, but it is: {name}")
