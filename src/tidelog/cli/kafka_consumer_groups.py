"""kafka-consumer-groups: list, describe, reset and delete consumer groups and their offsets."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tidelog.cli.flags import Command, Flag, Options, UsageError
from tidelog.cli.java_order import hash_order
from tidelog.cli.reader import AS_APACHE, ends_with_its_reader
from tidelog.cli.tool import BOOTSTRAP, COMMAND_CONFIG, client_settings, is_expected, run_tool, with_admin

if TYPE_CHECKING:
    from tidelog.client.admin import Admin
    from tidelog.protocol.messages.list_groups import ListedGroup

COMMAND = Command(
    "kafka-consumer-groups",
    "Lists, describes, resets and deletes consumer groups and their offsets.",
    [
        BOOTSTRAP,
        COMMAND_CONFIG,
        Flag("list", "list the groups"),
        Flag("describe", "describe groups: their offsets, or with --members and --state those"),
        Flag("delete", "delete groups"),
        Flag("delete-offsets", "delete a group's offsets of topics"),
        Flag("reset-offsets", "set a group's offsets anew; without --execute it is only shown"),
        Flag("validate-regex", "tell whether a regular expression can be subscribed to", "regex"),
        Flag("group", "the group; may be repeated", "group"),
        Flag("all-groups", "every group"),
        Flag("topic", "the topic, as t or t:0,1,2; may be repeated", "topic"),
        Flag("all-topics", "every topic that the group has offsets of"),
        Flag("members", "describe the members"),
        Flag("offsets", "describe the offsets, which is the default"),
        Flag("state", "describe the state; with --list show it, or only groups in these states", "states", None, True),
        Flag("type", "with --list show the type, or only groups of these types", "types", None, True),
        Flag("verbose", "more columns"),
        Flag("timeout", "how long to wait for answers", "ms", "30000"),
        Flag("dry-run", "only show what would be done"),
        Flag("execute", "do it"),
        Flag("export", "print the plan as CSV"),
        Flag("to-earliest", "reset to the first offset"),
        Flag("to-latest", "reset to the end"),
        Flag("to-current", "reset to the committed offset"),
        Flag("to-offset", "reset to this offset", "offset"),
        Flag("to-datetime", "reset to the first record at or after YYYY-MM-DDThh:mm:ss.sss", "time"),
        Flag("by-duration", "reset to so long ago, as PnDTnHnMnS", "duration"),
        Flag("shift-by", "reset by so many records, forward or back", "count"),
        Flag("from-file", "reset as a CSV file says: topic,partition,offset or group,topic,partition,offset", "file"),
    ],
)

ACTIONS = ("list", "describe", "delete", "reset-offsets", "delete-offsets", "validate-regex")
# What is waited for, and how long without --timeout.
PATIENCE_MS = {
    "default.api.timeout.ms": 1 << 31,
    "request.timeout.ms": 30_000,
    "socket.connection.setup.timeout.ms": 10_000,
}
NEEDS = {
    "verbose": ("describe",),
    "members": ("describe",),
    "offsets": ("describe",),
    "state": ("describe", "list"),
    "type": ("list",),
}
STATES = ("PreparingRebalance", "Dead", "Empty", "Stable", "CompletingRebalance", "Assigning", "Reconciling")
TYPES = ("Classic", "Consumer")


@ends_with_its_reader(AS_APACHE)
def main() -> int:
    return run_tool(COMMAND, run, say_failure)


def say_failure(message: str) -> None:
    print(f"\nError: {message}")


def run(options: Options) -> int:
    check(options)
    if options.has("validate-regex"):
        validate_regex(options.text("validate-regex"))
        return 0
    settings = client_settings(options)
    timeout = options.text("timeout")
    if not timeout.isdigit():
        say_failure(
            f"Executing consumer group command failed due to Cannot parse argument '{timeout}' of option timeout"
        )
        return 0
    for name, usual in PATIENCE_MS.items():  # no single step may take longer than the whole
        settings.setdefault(name, str(min(int(timeout), usual)))

    async def work(admin: Admin) -> None:
        await act(admin, options)

    try:
        with_admin(settings, work)
    except Exception as error:
        _end_as_apache_does(error)
    return 0


def _end_as_apache_does(error: Exception) -> None:
    """Whatever went wrong behind the command line is printed and the exit code stays 0: scripts look for `Error:`."""
    from tidelog.cli.java_errors import java_class, java_error
    from tidelog.client.errors import RequestTimeout, UnknownTopic, Unreachable
    from tidelog.protocol.errors import ErrorCode, KafkaError

    if not is_expected(error):
        raise error
    reason = java_error(error) if isinstance(error, KafkaError) else str(error)
    if isinstance(error, (RequestTimeout, Unreachable)):
        reason = f"{java_class(ErrorCode.REQUEST_TIMED_OUT)}: {error}"
    elif isinstance(error, UnknownTopic):
        reason = f"{java_class(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION)}: {error}"
    say_failure(f"Executing consumer group command failed due to {reason}")


def check(options: Options) -> None:
    if sum(options.has(name) for name in ACTIONS) != 1:
        actions = ", ".join(f"--{name}" for name in ACTIONS)
        raise UsageError(f"Command must include exactly one action: {actions}")
    if not options.has("validate-regex"):
        options.require("bootstrap-server")
    grouped = options.has("group") or options.has("all-groups")
    if options.has("describe") or options.has("delete") or options.has("reset-offsets"):
        action = next(name for name in ("describe", "delete", "reset-offsets") if options.has(name))
        if not grouped:
            raise UsageError(f"Option [{action}] takes one of these options: [all-groups], [group]")
        if options.has("group") and options.has("all-groups"):
            raise UsageError('Option "[group]" can\'t be used with option "[all-groups]"')
    if options.has("describe") and sum(options.has(name) for name in ("members", "offsets", "state")) > 1:
        raise UsageError("Option [describe] takes at most one of these options: [members], [offsets], [state]")
    if options.has("describe") and options.all("state"):
        raise UsageError("Option [describe] does not take a value for [state]")
    if options.has("delete-offsets") and not (options.has("group") and options.has("topic")):
        raise UsageError("Option [delete-offsets] takes the following options: [group], [topic]")
    if options.has("delete") and options.has("topic"):
        raise UsageError("Groups are deleted whole; --delete-offsets deletes a group's offsets of topics.")
    for flag, needed in NEEDS.items():
        if options.has(flag) and not any(options.has(each) for each in needed):
            raise UsageError(f"Option [{flag}] goes with --{' or --'.join(needed)} only.")
    options.refuse_with("group", "list")
    options.refuse_with("topic", "list", "describe")
    if options.has("reset-offsets"):
        _check_reset(options)


def _check_reset(options: Options) -> None:
    if options.has("dry-run") and options.has("execute"):
        raise UsageError("Option [reset-offsets] only accepts one of [execute], [dry-run]")
    if not options.has("dry-run") and not options.has("execute"):
        print("WARN: nothing is changed because --execute is missing; add --dry-run to say so", file=sys.stderr)
    from tidelog.cli.group_reset import SCENARIOS

    if sum(options.has(name) for name in SCENARIOS) != 1:
        names = ", ".join(f"[{name}]" for name in SCENARIOS)
        raise UsageError(f"Option '[reset-offsets]' requires one of the following scenarios: [{names}]")
    if not options.has("all-topics") and not options.has("topic") and not options.has("from-file"):
        raise UsageError("One of the reset scopes should be defined: --all-topics, --topic.")


async def act(admin: Admin, options: Options) -> None:
    if options.has("list"):
        await list_groups(admin, options)
    elif options.has("describe"):
        from tidelog.cli.group_describe import describe

        await describe(admin, options, await group_ids(admin, options))
    elif options.has("delete"):
        await delete(admin, await group_ids(admin, options))
    elif options.has("delete-offsets"):
        from tidelog.cli.group_delete_offsets import delete_offsets

        await delete_offsets(admin, options.all("group"), options.all("topic"))
    else:
        from tidelog.cli.group_reset import reset

        await reset(admin, options, await group_ids(admin, options))


async def group_ids(admin: Admin, options: Options) -> list[str]:
    if options.has("group"):
        return list(dict.fromkeys(options.all("group")))
    return hash_order(each.group_id for each in await consumer_groups(admin))


async def consumer_groups(admin: Admin, states: Sequence[str] = (), types: Sequence[str] = TYPES) -> list[ListedGroup]:
    """Also those that were never more than offsets, but no groups of workers that are not consumers."""
    return [each for each in await admin.groups.list(states, types) if each.protocol_type in ("consumer", "")]


async def list_groups(admin: Admin, options: Options) -> None:
    states = _names(options, "state", STATES)
    types = _names(options, "type", TYPES)
    rows = {each.group_id: each for each in await consumer_groups(admin, states, types or TYPES)}
    ordered = [rows[name] for name in hash_order(rows)]
    if not options.has("state") and not options.has("type"):
        for each in ordered:
            print(each.group_id)
        return
    width = max([15, *(len(each.group_id) for each in ordered)]) + 10
    columns = [("TYPE", "group_type")] * options.has("type") + [("STATE", "group_state")] * options.has("state")
    print(" ".join([f"{'GROUP':<{width}}", *(f"{title:<20}" for title, _ in columns)]))
    for each in ordered:
        print(" ".join([f"{each.group_id:<{width}}", *(f"{_title(getattr(each, name)):<20}" for _, name in columns)]))


def _title(text: str) -> str:
    """Brokers spell types in small letters, tools with a capital."""
    return text[:1].upper() + text[1:]


def _names(options: Options, flag: str, known: tuple[str, ...]) -> list[str]:
    by_name = {name.lower(): name for name in known}
    wanted = [word.strip() for text in options.all(flag) for word in text.split(",") if word.strip()]
    unknown = [word for word in wanted if word.lower() not in by_name]
    if unknown:
        raise UsageError(f"Invalid {flag} list '{','.join(wanted)}'. Valid {flag}s are: {', '.join(known)}")
    return [by_name[word.lower()] for word in wanted]


async def delete(admin: Admin, groups: list[str]) -> None:
    from tidelog.cli.java_errors import java_error
    from tidelog.protocol.errors import KafkaError

    failed: dict[str, str] = {}
    groups = hash_order(groups)
    for group in groups:
        try:
            await admin.groups.delete(group)
        except KafkaError as error:
            failed[group] = java_error(error)
    done = [group for group in groups if group not in failed]
    if not failed:
        names = ", ".join(f"'{group}'" for group in groups)
        print(f"Deletion of requested consumer groups ({names}) was successful.")
        return
    print("\nError: Deletion of some consumer groups failed:")
    for group, reason in failed.items():
        print(f"* Group '{group}' could not be deleted due to: {reason}")
    if done:
        names = ", ".join(f"'{group}'" for group in done)
        print(f"\nThese consumer groups were deleted successfully: {names}")


def validate_regex(text: str) -> None:
    """By the rules of the broker that would match it."""
    from tidelog.coordinator.group.regex import BadRegex, compiled

    try:
        compiled(text)
    except BadRegex as error:
        print(f"The regular expression `{text}` is invalid: {error}.")
        return
    print(f"The regular expression `{text}` is valid.")


if __name__ == "__main__":
    sys.exit(main())
