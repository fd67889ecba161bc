"""Topic names: which are allowed, and which belong to the broker."""

from __future__ import annotations

import re

INTERNAL = frozenset({"__consumer_offsets", "__transaction_state", "__share_group_state"})
NAME_LENGTH_MAX = 249
_LEGAL = re.compile(r"[a-zA-Z0-9._-]+")


def is_internal(name: str) -> bool:
    return name in INTERNAL


def name_error(name: str) -> str | None:
    """What is wrong with a topic name, or None."""
    if not name:
        return "the empty string is not allowed"
    if name in {".", ".."}:
        return "'.' or '..' is not allowed"
    if len(name) > NAME_LENGTH_MAX:
        return f"the length of '{name}' is longer than the max allowed length {NAME_LENGTH_MAX}"
    if not _LEGAL.fullmatch(name):
        return f"'{name}' contains one or more characters other than ASCII alphanumerics, '.', '_' and '-'"
    return None
