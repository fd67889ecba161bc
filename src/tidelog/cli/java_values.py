"""Numbers, times and durations on a command line, as the classes of Java read them that Apache's tools use."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, timezone

from tidelog.cli.tool import Failure

_LONG = re.compile(r"[-+]?[0-9]+")
# What follows is not looked at.
_DATETIME = re.compile(
    r"(\d+)-(\d+)-(\d+)T(\d+):(\d+):(\d+)\.(\d+)"  # milliseconds are a number, not a fraction
    r"(?:Z|([-+])(\d\d)(?::(\d\d))?)?"
)
_DURATION = re.compile(
    r"([-+]?)P(?:([-+]?\d+)D)?"
    r"(?:T(?=[-+\d])(?:([-+]?\d+)H)?(?:([-+]?\d+)M)?(?:([-+]?\d+)(?:[.,](\d{0,9}))?S)?)?",
    re.I,
)
_FIRST_MS = 0


def long(text: str, option: str) -> int:
    number = int(text) if _LONG.fullmatch(text) else 1 << 63
    if not -(1 << 63) <= number < 1 << 63:
        raise Failure(f"Cannot parse argument '{text}' of option {option}")
    return number


def datetime_ms(text: str) -> int:
    """`2026-11-15T10:00:00.000`, in UTC unless a zone follows, as milliseconds."""
    found = _DATETIME.match(text)
    if found is None or (found.end() < len(text) and not found[8] and text[found.end() - 1] != "Z"):
        raise _bad_time(text)
    year, month, day, hour, minute, second, millis = map(int, found.groups()[:7])
    shift = timedelta(hours=int(found[9] or 0), minutes=int(found[10] or 0))
    try:
        zone = timezone(-shift if found[8] == "-" else shift)
        moment = datetime(year, month, day, hour, minute, second, tzinfo=zone)
    except (ValueError, OverflowError):
        raise _bad_time(text) from None
    since_ms = (moment - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(milliseconds=1) + millis
    if millis > 999 or since_ms < _FIRST_MS:
        raise _bad_time(text)
    return since_ms


def _bad_time(text: str) -> Failure:
    return Failure(f"'{text}' is not a time since 1970; write it as 2026-11-15T10:00:00.000, with +01:00 if not UTC")


def duration_ms(text: str) -> int:
    """PnDTnHnMn.nS, any of these negative."""
    found = _DURATION.fullmatch(text)
    if found is None or not any(found.groups()[1:5]):
        raise Failure(f"'{text}' is not a duration; write it as PnDTnHnMnS, for example PT1H30M or P2D")
    sign, days, hours, minutes, seconds, fraction = found.groups()
    total = int(days or 0) * 86_400 + int(hours or 0) * 3600 + int(minutes or 0) * 60 + int(seconds or 0)
    millis = int((fraction or "").ljust(9, "0")) // 1_000_000
    total_ms = total * 1000 + (-millis if (seconds or "").startswith("-") else millis)
    return -total_ms if sign == "-" else total_ms
