"""The row type of a setting."""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

from tidelog.config.checks import Check
from tidelog.config.values import PARSERS, Kind, Value, value_text


class ConfigError(ValueError):
    """A setting with a value that is not allowed; the message names the setting and says what is."""


class Scope(IntEnum):
    """Who can change a setting while the node runs."""

    READ_ONLY = 0
    PER_BROKER = 1
    CLUSTER_WIDE = 2


class Setting(NamedTuple):
    name: str
    kind: Kind
    default: Value
    check: Check | None
    scope: Scope
    importance: str
    doc: str
    hidden: bool = False  # accepted, but not listed by DescribeConfigs
    required: bool = False
    apache_default: Value = None  # only where ours differs on purpose

    @property
    def attribute(self) -> str:
        return self.name.replace(".", "_")

    @property
    def sensitive(self) -> bool:
        return self.kind is Kind.PASSWORD

    def parse(self, text: str | None) -> Value:
        """The typed value of `text`, or ConfigError with a sentence that names the setting."""
        value = self.parse_type(text)
        problem = self.check.problem(self.name, value) if self.check else None
        if problem is not None:
            raise ConfigError(problem)
        return value

    def parse_type(self, text: str | None) -> Value:
        if text is None:
            return None
        try:
            return PARSERS[self.kind](text)
        except ValueError as error:
            shown = "[hidden]" if self.sensitive else text
            raise ConfigError(f"Invalid value {shown} for configuration {self.name}: {error}") from None

    def text(self, value: Value) -> str | None:
        return value_text(value)
