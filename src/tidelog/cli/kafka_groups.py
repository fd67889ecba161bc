"""kafka-groups: list groups of every type."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from tidelog.cli.flags import Command, Flag, Options, UsageError
from tidelog.cli.java_order import hash_order
from tidelog.cli.reader import AS_APACHE, ends_with_its_reader
from tidelog.cli.tool import BOOTSTRAP, COMMAND_CONFIG, client_settings, run_tool, to_stderr, with_admin

if TYPE_CHECKING:
    from tidelog.client.admin import Admin

COMMAND = Command(
    "kafka-groups",
    "Lists groups of every type.",
    [
        BOOTSTRAP,
        COMMAND_CONFIG,
        Flag("list", "list the groups"),
        Flag("group-type", "only groups of this type: classic, consumer, share or streams", "type"),
        Flag("protocol", "only groups of this protocol type", "protocol"),
        Flag("consumer", "only consumer groups, classic and new"),
        Flag("share", "only share groups"),
        Flag("streams", "only streams groups"),
    ],
)
TYPES = ("classic", "consumer", "share", "streams")


@ends_with_its_reader(AS_APACHE)
def main() -> int:
    return run_tool(COMMAND, run, to_stderr)


def run(options: Options) -> int:
    options.require("bootstrap-server")
    if not options.has("list"):
        raise UsageError("Command must include exactly one action: --list.")
    if (options.get("group-type") or "classic").lower() not in TYPES:
        raise UsageError("--group-type must be a valid group type.")
    if sum(options.has(flag) for flag in ("consumer", "share", "streams", "group-type")) > 1:
        raise UsageError("Only one of --consumer, --share, --streams and --group-type can be given.")
    options.refuse_with("consumer", "protocol")
    options.refuse_with("share", "protocol")
    options.refuse_with("streams", "protocol")

    async def work(admin: Admin) -> None:
        await show(admin, options)

    with_admin(client_settings(options), work)
    return 0


async def show(admin: Admin, options: Options) -> None:
    rows = {each.group_id: each for each in await admin.groups.list()}
    # The order is that of all groups, also when only some of them are shown.
    names = [name for name in hash_order(rows) if is_wanted(rows[name], options)]
    width = max([20, *map(len, names)])
    print(f"{'GROUP':<{width}} {'TYPE':<{width}} {'PROTOCOL':<{width}}")
    for name in names:
        kind = rows[name].group_type
        print(f"{name:<{width}} {kind[:1].upper() + kind[1:]:<{width}} {rows[name].protocol_type:<{width}} ")


def is_wanted(group: Any, options: Options) -> bool:
    kind = group.group_type.lower()
    if options.has("consumer"):
        return kind == "consumer" or (kind == "classic" and group.protocol_type in {"consumer", ""})
    if options.has("share") or options.has("streams"):
        return bool(kind == ("share" if options.has("share") else "streams"))
    if options.has("group-type") and kind != options.text("group-type").lower():
        return False
    return not options.has("protocol") or bool(group.protocol_type == options.text("protocol"))


if __name__ == "__main__":
    sys.exit(main())
