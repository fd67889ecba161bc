"""The values of settings: five Python types, how their text is read, and the text that Java would print for them.

A value is a bool, int, float, str or a tuple of str (a list); None means "not set". The text form matters because
clients compare it.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum
from typing import TypeAlias

Value: TypeAlias = bool | int | float | str | tuple[str, ...] | None


class Kind(IntEnum):
    """Types, numbered as DescribeConfigs reports them."""

    BOOLEAN = 1
    STRING = 2
    INT = 3
    SHORT = 4
    LONG = 5
    DOUBLE = 6
    LIST = 7
    CLASS = 8
    PASSWORD = 9


def value_text(value: Value) -> str | None:
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, tuple):
        return ",".join(value)
    return _double_text(value)


def _double_text(value: float) -> str:
    """Java's Double.toString for the magnitudes that settings use."""
    if value != 0 and not 1e-3 <= abs(value) < 1e7:
        mantissa, _, exponent = f"{value!r}".partition("e")
        if not exponent:
            mantissa, _, exponent = f"{value:.17e}".partition("e")
            mantissa = repr(float(mantissa))
        return f"{mantissa if '.' in mantissa else mantissa + '.0'}E{int(exponent)}"
    return repr(float(value))


def _parse_boolean(text: str) -> bool:
    lowered = text.strip().lower()
    if lowered not in {"true", "false"}:
        raise ValueError("Expected value to be either true or false")
    return lowered == "true"


def _whole(text: str, limit: int, kind: str) -> int:
    stripped = text.strip()
    digits = stripped[1:] if stripped[:1] in {"-", "+"} else stripped
    if not (digits.isascii() and digits.isdigit() and len(digits) < 25):
        raise ValueError(f"Not a number of type {kind}")
    number = int(stripped)
    if not -limit <= number < limit:
        raise ValueError(f"Not a number of type {kind}")
    return number


def _parse_int(text: str) -> int:
    return _whole(text, 1 << 31, "INT")


def _parse_short(text: str) -> int:
    return _whole(text, 1 << 15, "SHORT")


def _parse_long(text: str) -> int:
    return _whole(text, 1 << 63, "LONG")


def _parse_double(text: str) -> float:
    try:
        return float(text.strip())
    except ValueError:
        raise ValueError("Not a number of type DOUBLE") from None


def _parse_list(text: str) -> tuple[str, ...]:
    stripped = text.strip()
    return tuple(part.strip() for part in stripped.split(",")) if stripped else ()


def _parse_string(text: str) -> str:
    return text.strip()


PARSERS: dict[Kind, Callable[[str], Value]] = {
    Kind.BOOLEAN: _parse_boolean,
    Kind.STRING: _parse_string,
    Kind.INT: _parse_int,
    Kind.SHORT: _parse_short,
    Kind.LONG: _parse_long,
    Kind.DOUBLE: _parse_double,
    Kind.LIST: _parse_list,
    Kind.CLASS: _parse_string,
    Kind.PASSWORD: str,
}
