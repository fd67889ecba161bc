"""What the nouns of `tide` share: common flags, exit codes, and how a command runs.

Exit codes: 0 done, 1 failed, 2 not understood, 3 not found, 4 out of time, 5 unsafe without --yes.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING

from tidelog.cli.render import FORMATS
from tidelog.cli.tool import Failure, UsageError, is_expected, pairs, run_async

if TYPE_CHECKING:
    from tidelog.client.admin import Admin

FAILED, NOT_UNDERSTOOD, NOT_FOUND, OUT_OF_TIME, UNSAFE = 1, 2, 3, 4, 5

Action = Callable[["Admin", argparse.Namespace], Awaitable[int | None]]


class NotFound(Failure):
    """What was named does not exist."""


class Unsafe(Failure):
    """The act destroys something, and nobody said --yes."""


def common() -> argparse.ArgumentParser:
    """Flags of every command that talks to a cluster."""
    found = argparse.ArgumentParser(add_help=False)
    group = found.add_argument_group("connection and output")
    group.add_argument(
        "-b",
        "--bootstrap-server",
        "--brokers",
        default=os.environ.get("TIDE_BOOTSTRAP_SERVER", "localhost:9092"),
        metavar="SERVERS",
        help="the brokers (TIDE_BOOTSTRAP_SERVER, or localhost:9092)",
    )
    group.add_argument(
        "-X", action="append", default=[], metavar="NAME=VALUE", dest="settings", help="a client setting"
    )
    group.add_argument("-o", "--output", choices=FORMATS, default="table", help="the form of the answer (table)")
    group.add_argument("--explain", action="store_true", help="also print the Kafka requests that are sent")
    group.add_argument("-y", "--yes", action="store_true", help="do it without being asked")
    return found


def settings(args: argparse.Namespace) -> dict[str, str]:
    found = pairs(args.settings, what="setting")
    found["bootstrap.servers"] = args.bootstrap_server
    found.setdefault("client.id", "tide")
    return found


def run(parser: argparse.ArgumentParser, words: Sequence[str] | None) -> int:
    """Parses, runs the `action` of the command, and gives the exit code."""
    args = parser.parse_args(words)
    if not hasattr(args, "action"):
        parser.print_help()
        return NOT_UNDERSTOOD
    return attempt(parser.prog, lambda: run_async(_act(args)))


async def _act(args: argparse.Namespace) -> int:
    from tidelog.client.admin import Admin

    if args.explain:
        _explain()
    async with Admin(settings(args)) as admin:
        return (await args.action(admin, args)) or 0


def attempt(name: str, work: Callable[[], int]) -> int:
    try:
        return work()
    except KeyboardInterrupt:
        return 130
    except UsageError as error:
        print(f"{name}: {error}", file=sys.stderr)
        return NOT_UNDERSTOOD
    except Exception as error:
        if not is_expected(error):
            raise
        sys.stdout.flush()
        print(f"{name}: {error}", file=sys.stderr)
        return exit_code(error)


def exit_code(error: Exception) -> int:
    from tidelog.client.errors import RequestTimeout, UnknownTopic, Unreachable
    from tidelog.protocol.errors import ErrorCode, KafkaError

    if isinstance(error, (NotFound, UnknownTopic)):
        return NOT_FOUND
    if isinstance(error, Unsafe):
        return UNSAFE
    if isinstance(error, (RequestTimeout, Unreachable)):
        return OUT_OF_TIME if isinstance(error, RequestTimeout) else FAILED
    if isinstance(error, KafkaError):
        if error.code in (
            ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
            ErrorCode.UNKNOWN_TOPIC_ID,
            ErrorCode.GROUP_ID_NOT_FOUND,
        ):
            return NOT_FOUND
        if error.code == ErrorCode.REQUEST_TIMED_OUT:
            return OUT_OF_TIME
    return FAILED


def _explain() -> None:
    """Every request is announced on stderr as it goes out."""
    from tidelog.client.connection import Connection
    from tidelog.client.wire import Message, api_name

    def announce(address: str, message: Message, version: int) -> None:
        print(f"→ {address} {api_name(message)} v{version} {message!r}"[:400], file=sys.stderr)

    Connection.on_request = staticmethod(announce)


def known(words: Sequence[str], names: Sequence[str], what: str) -> list[str]:
    """The words as the cluster spells them, however they were written."""
    by_name = {name.lower(): name for name in names}
    unknown = [word for word in words if word.lower() not in by_name]
    if unknown:
        raise UsageError(f"'{unknown[0]}' is not a {what}; there are {', '.join(names)}")
    return [by_name[word.lower()] for word in words]


def confirm(args: argparse.Namespace, plan: str) -> None:
    """Shows what a destructive act will do, and asks unless --yes is there."""
    print(plan, file=sys.stderr)
    if args.yes:
        return
    if not sys.stdin.isatty():
        raise Unsafe("this cannot be undone; add --yes to do it")
    print("Go on? [y/N] ", end="", file=sys.stderr, flush=True)
    if sys.stdin.readline().strip().lower() not in {"y", "yes"}:
        raise Unsafe("nothing was changed")
