"""`tide config`: get, set and unset settings of topics, brokers and groups."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tidelog.cli import tide
from tidelog.cli.render import show
from tidelog.cli.tool import UsageError, pairs

if TYPE_CHECKING:
    from tidelog.client.admin import Admin
    from tidelog.client.admin_configs import ResourceType

_WHAT = "topic:NAME, broker:ID, broker: (all brokers) or group:ID"


def parser() -> argparse.ArgumentParser:
    found = argparse.ArgumentParser(prog="tide config", description="Settings of topics, brokers and groups.")
    commands = found.add_subparsers(metavar="COMMAND")
    common = tide.common()

    def add(name: str, action: Any, text: str) -> argparse.ArgumentParser:
        each = commands.add_parser(name, help=text, description=text, parents=[common])
        each.set_defaults(action=action)
        each.add_argument("what", help=_WHAT)
        return each

    get = add("get", get_configs, "print settings that were set; with --all every one")
    get.add_argument("names", nargs="*", metavar="NAME", help="only these")
    get.add_argument("-a", "--all", action="store_true", help="defaults too")
    change = add("set", set_configs, "set settings")
    change.add_argument("pairs", nargs="+", metavar="NAME=VALUE")
    unset = add("unset", unset_configs, "go back to the default")
    unset.add_argument("names", nargs="+", metavar="NAME")
    return found


def main(words: Sequence[str] | None = None) -> int:
    return tide.run(parser(), words)


def resource(text: str) -> tuple[ResourceType, str]:
    from tidelog.client.admin_configs import ResourceType

    kind, colon, name = text.partition(":")
    kinds = {"topic": ResourceType.TOPIC, "broker": ResourceType.BROKER, "group": ResourceType.GROUP}
    if not colon or kind not in kinds or (kind == "broker" and name and not name.isdigit()):
        raise UsageError(f"'{text}' is not understood; write {_WHAT}")
    return kinds[kind], name


async def get_configs(admin: Admin, args: argparse.Namespace) -> None:
    from tidelog.client.admin_configs import ConfigSource

    kind, name = resource(args.what)
    rows = [
        {
            "name": row.name,
            "value": "(secret)" if row.is_sensitive else row.value,
            "source": ConfigSource(row.config_source).name,
            "read_only": row.read_only,
        }
        for row in await admin.configs.describe(kind, name, synonyms=False, keys=args.names or None)
        if args.all or args.names or ConfigSource(row.config_source).name.startswith("DYNAMIC")
    ]
    found = {row["name"] for row in rows}
    missing = [each for each in args.names if each not in found]
    if missing:
        raise tide.NotFound(
            f"{args.what} has no setting {', '.join(missing)}; tide config get {args.what} --all lists them"
        )
    show(sorted(rows, key=lambda row: str(row["name"])), args.output, ("name", "value", "source"), ("read_only",))


async def set_configs(admin: Admin, args: argparse.Namespace) -> None:
    kind, name = resource(args.what)
    change = pairs(args.pairs, what="setting")
    await admin.configs.alter(kind, name, change)
    show([{"name": key, "value": value} for key, value in change.items()], args.output)


async def unset_configs(admin: Admin, args: argparse.Namespace) -> None:
    kind, name = resource(args.what)
    await admin.configs.alter(kind, name, delete=args.names)
    show([{"name": key, "status": "unset"} for key in args.names], args.output)
