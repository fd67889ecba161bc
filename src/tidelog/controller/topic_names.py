"""Which topic names are allowed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from tidelog.protocol.errors import ErrorCode, KafkaError

NAME_LENGTH_MAX = 249
CLUSTER_METADATA = "__cluster_metadata"
_LEGAL = re.compile(r"[a-zA-Z0-9._-]+")


def check_topic_name(name: str) -> None:
    """KafkaError when no topic can have this name."""
    problem = None
    if not name:
        problem = "the empty string is not allowed"
    elif name in {".", ".."}:
        problem = f"'{name}' is not allowed"
    elif len(name) > NAME_LENGTH_MAX:
        problem = f"the length of '{name}' is longer than the max allowed length {NAME_LENGTH_MAX}"
    elif not _LEGAL.fullmatch(name):
        problem = f"'{name}' contains one or more characters other than ASCII alphanumerics, '.', '_' and '-'"
    if problem is not None:
        raise KafkaError(ErrorCode.INVALID_TOPIC_EXCEPTION, f"Topic name is invalid: {problem}")


def colliding_name(name: str, exists: Callable[[str], bool], names: Callable[[], Iterable[str]]) -> str | None:
    """A topic that metrics could not tell from `name`, because "." and "_" look the same there."""
    if "." not in name and "_" not in name:
        return None
    unified = name.replace(".", "_")
    if name.count(".") + name.count("_") <= 8:
        return next((each for each in _spellings(unified) if each != name and exists(each)), None)
    return next((each for each in names() if each != name and each.replace(".", "_") == unified), None)


def _spellings(unified: str) -> Iterable[str]:
    """Every way to write a name with "." or "_" at its joints; at most 2^8, cheaper than looking at all topics."""
    parts = unified.split("_")
    found = [parts[0]]
    for part in parts[1:]:
        found = [f"{each}{joint}{part}" for each in found for joint in "._"]
    return found
