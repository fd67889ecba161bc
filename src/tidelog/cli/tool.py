"""How a command runs and ends: parse, do the work, turn what went wrong into a sentence and an exit code."""

from __future__ import annotations

import sys
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from tidelog.cli.flags import Command, Flag, Options
from tidelog.cli.flags import UsageError as UsageError

if TYPE_CHECKING:
    from tidelog.client.admin import Admin

T = TypeVar("T")

BOOTSTRAP = Flag("bootstrap-server", "the brokers to connect to first, as HOST:PORT,...", "servers")
COMMAND_CONFIG = Flag("command-config", "a properties file with client settings", "file")


class Failure(Exception):
    """A command cannot do what it was asked; the text says why."""


def run_async(work: Coroutine[Any, Any, T]) -> T:
    """Runs the work on uvloop where that is installed. SIGTERM ends it as Ctrl-C does: it leaves its groups first.

    It does so by itself and not by way of SIGINT: shells let background jobs ignore that.
    """
    import asyncio
    import signal
    import threading

    loop_factory: Callable[[], asyncio.AbstractEventLoop] = asyncio.new_event_loop
    try:
        import uvloop

        loop_factory = uvloop.new_event_loop
    except ImportError:
        pass
    told: list[int] = []

    async def until_told() -> T:
        task = asyncio.current_task()
        assert task is not None

        def stop() -> None:
            told.append(signal.SIGTERM)
            task.cancel()

        if threading.current_thread() is threading.main_thread():
            asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop)
        return await work

    with asyncio.Runner(loop_factory=loop_factory) as runner:
        try:
            return runner.run(until_told())
        except asyncio.CancelledError:
            if told:
                raise KeyboardInterrupt from None
            raise


def run_tool(
    command: Command,
    body: Callable[[Options], int | None],
    say_failure: Callable[[str], None],
    words: Sequence[str] | None = None,
) -> int:
    """The whole life of a tool under one of Apache's names; gives the exit code."""
    try:
        options = command.parse(sys.argv[1:] if words is None else words)
        return body(options) or 0
    except UsageError as error:
        print(f"{error}\n{command.name} --help lists the options.", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    except Exception as error:
        if not is_expected(error):
            raise
        sys.stdout.flush()
        say_failure(str(error))
        return 1


def is_expected(error: Exception) -> bool:
    """Errors whose text is written for the person at the keyboard."""
    from tidelog.client.errors import ClientError
    from tidelog.protocol.errors import KafkaError

    return isinstance(error, (Failure, ClientError, KafkaError))


def to_stderr(message: str) -> None:
    print(message, file=sys.stderr)


def client_settings(options: Options, *config_flags: str) -> dict[str, str]:
    """Settings for a client: the properties file, then the servers."""
    path = options.get("command-config", *config_flags)
    settings: dict[str, str] = {}
    if path is not None:
        from tidelog.client.properties import read_properties

        settings.update(read_properties(path))
    servers = options.get("bootstrap-server")
    if servers is not None:
        settings["bootstrap.servers"] = servers
    return settings


def pairs(words: Sequence[str], *, what: str = "property") -> dict[str, str]:
    """`name=value` words; a word without `=` has an empty value."""
    found = {}
    for word in words:
        name, _, value = word.partition("=")
        if not name:
            raise UsageError(f"'{word}' is not a {what}; write name=value")
        found[name] = value
    return found


def with_admin(settings: dict[str, str], work: Callable[[Admin], Awaitable[T]]) -> T:
    """Runs `work` with an `Admin` that is closed afterwards."""

    async def run() -> T:
        from tidelog.client.admin import Admin

        async with Admin(settings) as admin:
            return await work(admin)

    return run_async(run())
