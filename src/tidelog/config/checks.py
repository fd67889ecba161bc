"""What values a setting allows. Each check gives the sentence for a value it refuses, and a short form for the docs."""

from __future__ import annotations

import re
from typing import Protocol

from tidelog.config.values import Value, value_text


class Check(Protocol):
    @property
    def text(self) -> str: ...

    def problem(self, name: str, value: Value) -> str | None:
        """None when `value` is allowed, otherwise a sentence that names the setting."""
        ...


def refused(name: str, value: Value, reason: str) -> str:
    """Java's sentence for a refused value; a list is shown in brackets."""
    shown = "[" + ", ".join(value) + "]" if isinstance(value, tuple) else value_text(value)
    return f"Invalid value {'null' if shown is None else shown} for configuration {name}: {reason}"


class Range:
    __slots__ = ("high", "low")

    def __init__(self, low: float | None, high: float | None = None) -> None:
        self.low = low
        self.high = high

    @property
    def text(self) -> str:
        return f"[{self.low},...]" if self.high is None else f"[{self.low},...,{self.high}]"

    def problem(self, name: str, value: Value) -> str | None:
        if value is None:
            return None
        assert isinstance(value, int | float)
        if self.low is not None and value < self.low:
            return refused(name, value, f"Value must be at least {self.low}")
        if self.high is not None and value > self.high:
            return refused(name, value, f"Value must be no more than {self.high}")
        return None


class GzipLevel:
    """-1 is zlib's own default; 0 (store) is not a level here."""

    text = "[1,...,9] or -1"

    def problem(self, name: str, value: Value) -> str | None:
        assert isinstance(value, int)
        if value == -1 or 1 <= value <= 9:
            return None
        return refused(name, value, "Value must be between 1 and 9 or equal to -1")


class OneOf:
    __slots__ = ("any_case", "values")

    def __init__(self, *values: str, any_case: bool = False) -> None:
        self.values = values
        self.any_case = any_case

    @property
    def text(self) -> str:
        return "[" + ", ".join(self.values) + "]"

    def problem(self, name: str, value: Value) -> str | None:
        known = value in self.values
        if not known and self.any_case and isinstance(value, str):
            known = value.lower() in {each.lower() for each in self.values}
        prefix = "String must be one of (case insensitive): " if self.any_case else "String must be one of: "
        return None if known else refused(name, value, prefix + ", ".join(self.values))


class EachOf:
    """A list whose members come from a fixed set; unless it is `lenient` it has one at least, and each once."""

    __slots__ = ("lenient", "values")

    def __init__(self, *values: str, lenient: bool = False) -> None:
        self.values = values
        self.lenient = lenient

    @property
    def text(self) -> str:
        return "[" + ", ".join(self.values) + "]"

    def problem(self, name: str, value: Value) -> str | None:
        assert isinstance(value, tuple)
        if not value and not self.lenient:
            return f"Configuration '{name}' must not be empty. Valid values include: {self.text}"
        if "" in value:
            return f"Configuration '{name}' values must not be empty."
        if len(set(value)) != len(value) and not self.lenient:
            return f"Configuration '{name}' values must not be duplicated."
        for member in value:
            if member not in self.values:
                return refused(name, member, "String must be one of: " + ", ".join(self.values))
        return None


class NoDoubles:
    """A list of anything, each member once."""

    text = "distinct members"

    def problem(self, name: str, value: Value) -> str | None:
        if isinstance(value, tuple) and len(set(value)) != len(value):
            return f"Configuration '{name}' values must not be duplicated."
        return None


class NonEmpty:
    __slots__ = ("noun",)

    def __init__(self, noun: str = "string") -> None:
        self.noun = noun

    @property
    def text(self) -> str:
        return f"non-empty {self.noun}"

    def problem(self, name: str, value: Value) -> str | None:
        if value is None or value:
            return None
        return refused(name, value, f"{self.noun.capitalize()} must be non-empty")


class ThrottledReplicas:
    """`*`, or partition:broker pairs."""

    text = "[partitionId]:[brokerId],[partitionId]:[brokerId],..."

    def problem(self, name: str, value: Value) -> str | None:
        assert isinstance(value, tuple)
        if value == ("*",) or all(self._is_pair(member) for member in value):
            return None
        return refused(
            name, value, f"{name} must be the literal '*' or a list of replicas in the following format: {self.text}"
        )

    @staticmethod
    def _is_pair(member: str) -> bool:
        partition, colon, broker = member.partition(":")
        return bool(colon) and partition.isdigit() and broker.isdigit()


class ShareOffsetReset:
    """`latest`, `earliest`, or a duration back from now."""

    text = "[latest, earliest, by_duration:PnDTnHnMn.nS]"
    _duration = re.compile(r"P(?!$)(\d+D)?(T(?=\d)(\d+H)?(\d+M)?(\d+(\.\d+)?S)?)?")

    def problem(self, name: str, value: Value) -> str | None:
        assert isinstance(value, str)
        if value in {"latest", "earliest"}:
            return None
        kind, _, duration = value.partition(":")
        if kind == "by_duration" and self._duration.fullmatch(duration):
            return None
        return refused(name, value, "must be latest, earliest, or by_duration: with an ISO 8601 duration, e.g. PT1H")
