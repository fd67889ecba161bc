"""Command lines in the manner of Apache Kafka's tools: long flags from a table, `--name value` or `--name=value`.

A flag that takes a value takes the next word whatever it begins with (`--offset -1`), words that belong to no flag
are ignored, and mistakes are `UsageError`s. Apache's tools print their help to stderr and end with 1, so ours do.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import NamedTuple, NoReturn

KAFKA_VERSION = "4.3.1"
"""The release of Apache Kafka whose commands and protocol these are; scripts compare it."""


class Flag(NamedTuple):
    name: str
    help: str
    value: str = ""
    """What the value stands for; empty for a switch."""
    default: str | None = None
    optional_value: bool = False
    """The value may be left out: `--compression-codec` alone means gzip."""


class UsageError(Exception):
    """The command line does not make sense; the text says why."""


class Options:
    """What a command line said."""

    def __init__(self, flags: dict[str, Flag], words: list[tuple[str, str | None]]) -> None:
        self._flags = flags
        self.words = words
        """(flag, value) in the order of the command line."""
        self._values: dict[str, list[str]] = {}
        for name, value in words:
            taken = self._values.setdefault(name, [])
            if value is not None:
                taken.append(value)

    def has(self, name: str) -> bool:
        return name in self._values

    def all(self, *names: str) -> list[str]:
        """Every value given, over all the names that a flag has had."""
        return [value for name in names for value in self._values.get(name, [])]

    def get(self, *names: str) -> str | None:
        """The last value given under any of the names, or the default."""
        given = self.all(*names)
        return given[-1] if given else self._flags[names[0]].default

    def text(self, *names: str) -> str:
        value = self.get(*names)
        if value is None:
            raise UsageError(f'Missing required argument "[{names[0]}]"')
        return value

    def integer(self, *names: str) -> int | None:
        value = self.get(*names)
        if value is None:
            return None
        try:
            return int(value)
        except ValueError:
            raise UsageError(f"Cannot parse argument '{value}' of option {names[0]}") from None

    def require(self, *names: str) -> None:
        for name in names:
            if not self.has(name):
                raise UsageError(f'Missing required argument "[{name}]"')

    def refuse_with(self, used: str, *others: str) -> None:
        for other in others:
            if self.has(used) and self.has(other):
                raise UsageError(f'Option "[{used}]" can\'t be used with option "[{other}]"')


COMMON = (Flag("help", "show this help"), Flag("version", "show the version of Apache Kafka this stands for"))


class Command:
    """A tool: its name, what it is for, and its flags."""

    def __init__(self, name: str, purpose: str, flags: Sequence[Flag]) -> None:
        self.name = name
        self.purpose = purpose
        self.flags = {flag.name: flag for flag in (*flags, *COMMON)}

    def parse(self, words: Sequence[str]) -> Options:
        """The options; `--help` and `--version` are answered here and end the program."""
        options = Options(self.flags, self._read(list(words)))
        if options.has("help"):
            self.leave_with_help(self.purpose)
        if options.has("version"):
            print(KAFKA_VERSION)
            raise SystemExit(0)
        return options

    def _read(self, words: list[str]) -> list[tuple[str, str | None]]:
        found: list[tuple[str, str | None]] = []
        words.reverse()
        while words:
            word = words.pop()
            if word == "--":
                break
            if word in {"-h", "-?"}:
                found.append(("help", None))
            elif word.startswith("--"):
                name, equals, value = word[2:].partition("=")
                flag = self._flag(name)
                found.append((name, self._value(flag, value if equals else None, words)))
            elif word.startswith("-") and len(word) > 1:
                raise UsageError(f"{word[1:]} is not a recognized option")
        return found

    def _flag(self, name: str) -> Flag:
        if name not in self.flags:
            raise UsageError(f"{name} is not a recognized option")
        return self.flags[name]

    def _value(self, flag: Flag, value: str | None, words: list[str]) -> str | None:
        if not flag.value or value is not None:
            return value if flag.value else None
        if words and not (flag.optional_value and words[-1].startswith("-")):
            return words.pop()
        if not flag.optional_value:
            raise UsageError(f"Option {flag.name} requires an argument")
        return None

    def leave_with_help(self, message: str) -> NoReturn:
        print(f"{message}\n{self.help_text()}", file=sys.stderr)
        raise SystemExit(1)

    def help_text(self) -> str:
        lines = [f"usage: {self.name} [options]", ""]
        for name in sorted(self.flags):
            flag = self.flags[name]
            word = f"--{name}" + (f" <{flag.value}>" if flag.value else "")
            default = f" (default: {flag.default})" if flag.default is not None else ""
            lines += _two_columns(word, flag.help + default)
        return "\n".join(lines)


_LEFT = 40
_RIGHT = 76


def _two_columns(left: str, right: str) -> list[str]:
    lines, line = [], ""
    for word in right.split():
        if line and len(line) + 1 + len(word) > _RIGHT:
            lines.append(line)
            line = ""
        line = f"{line} {word}" if line else word
    lines.append(line)
    head = [f"  {left}"] if len(left) > _LEFT - 3 else []
    first = "" if head else f"  {left}"
    return head + [f"{first if i == 0 else '':<{_LEFT}}{line}" for i, line in enumerate(lines)]
