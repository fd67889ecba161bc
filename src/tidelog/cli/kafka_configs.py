"""kafka-configs: settings of topics, brokers, groups and client metrics, quotas, SCRAM credentials."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING

from tidelog.cli.config_entities import Entities, read_entities
from tidelog.cli.flags import Command, Flag, Options, UsageError
from tidelog.cli.reader import AS_APACHE, ends_with_its_reader
from tidelog.cli.tool import BOOTSTRAP, COMMAND_CONFIG, Failure, client_settings, run_tool, to_stderr, with_admin

if TYPE_CHECKING:
    from tidelog.client.admin import Admin

COMMAND = Command(
    "kafka-configs",
    "Describes and changes settings of topics, brokers, clients, users, addresses, groups and client metrics.",
    [
        BOOTSTRAP,
        Flag("bootstrap-controller", "the controllers to connect to", "servers"),
        COMMAND_CONFIG,
        Flag("describe", "print settings"),
        Flag("alter", "change settings"),
        Flag("all", "print all settings, not only those that were set"),
        Flag("add-config", "settings to set: k1=v1,k2=[v1,v2]; brackets hold a value with commas", "settings"),
        Flag("add-config-file", "a properties file with settings to set", "file"),
        Flag("delete-config", "names of settings to unset: k1,k2", "names"),
        Flag(
            "entity-type",
            "topics, clients, users, brokers, broker-loggers, ips, client-metrics or groups; may be repeated",
            "type",
        ),
        Flag("entity-name", "the name that belongs to the entity type", "name"),
        Flag("entity-default", "the default of the entity type"),
        Flag("topic", "the topic", "name"),
        Flag("client", "the client id", "id"),
        Flag("client-defaults", "the defaults of all clients"),
        Flag("user", "the user", "name"),
        Flag("user-defaults", "the defaults of all users"),
        Flag("broker", "the broker", "id"),
        Flag("broker-defaults", "the defaults of all brokers"),
        Flag("broker-logger", "the log levels of the broker", "id"),
        Flag("ip", "the address", "address"),
        Flag("ip-defaults", "the defaults of all addresses"),
        Flag("group", "the group", "id"),
        Flag("client-metrics", "the client metrics subscription", "name"),
        Flag("force", "accepted; nothing is asked"),
    ],
)

_OUTSIDE_BRACKETS = r"(?=[^\]]*(?:\[|$))"


@ends_with_its_reader(AS_APACHE)
def main() -> int:
    return run_tool(COMMAND, run, to_stderr)


def run(options: Options) -> int:
    if options.has("alter") == options.has("describe"):
        raise UsageError("Command must include exactly one action: --describe, --alter")
    settings = client_settings(options)
    if options.has("bootstrap-controller"):
        settings["bootstrap.controllers"] = options.text("bootstrap-controller")
    if not settings.keys() & {"bootstrap.servers", "bootstrap.controllers"}:
        raise Failure("Either --bootstrap-server or --bootstrap-controller must be specified.")
    entities = read_entities(options)
    if options.has("bootstrap-controller") and options.has("describe") and entities.type == "topics":
        raise Failure("Controllers do not list topics; use --bootstrap-server to describe them.")
    if options.has("alter"):
        _alter(options, entities, settings)
    else:
        from tidelog.cli.config_describe import describe

        async def work(admin: Admin) -> None:
            await describe(admin, entities, everything=options.has("all"))

        with_admin(settings, work)
    return 0


def _alter(options: Options, entities: Entities, settings: dict[str, str]) -> None:
    from tidelog.cli.config_alter import alter

    if not any(options.has(flag) for flag in ("add-config", "add-config-file", "delete-config")):
        raise Failure(
            "At least one of --add-config, --add-config-file, or --delete-config must be specified with --alter"
        )
    change, delete = to_add(options), to_delete(options)

    async def work(admin: Admin) -> None:
        await alter(admin, entities, change, delete)

    with_admin(settings, work)
    if entities.name:
        print(f"Completed updating config for {entities.singular} {entities.name}.")
    else:
        print(f"Completed updating default config for {entities.type} in the cluster.")


def to_add(options: Options) -> dict[str, str]:
    """The settings of --add-config-file and --add-config."""
    found: dict[str, str] = {}
    path = options.get("add-config-file")
    if path is not None:
        from tidelog.client.properties import read_properties

        found.update(read_properties(path))
    text = options.get("add-config")
    for word in re.split("," + _OUTSIDE_BRACKETS, text) if text else []:
        pair = re.split(r"\s*=\s*" + _OUTSIDE_BRACKETS, word)
        if len(pair) != 2:
            raise Failure(
                "requirement failed: Invalid entity config: all configs to be added must be in the format "
                '"key=val" or  "key=[val1,val2]" to group values which contain commas.'
            )
        found[pair[0].strip()] = re.sub(r"\[?\]?", "", pair[1]).strip()
    for name in found:
        if not re.fullmatch(r"[a-zA-Z0-9._-]*", name):
            raise Failure(f"Invalid character found for config key: {name}")
    return found


def to_delete(options: Options) -> list[str]:
    return [name.strip() for text in options.all("delete-config") for name in text.split(",")]


if __name__ == "__main__":
    sys.exit(main())
