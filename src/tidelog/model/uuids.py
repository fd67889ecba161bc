"""Kafka's 128-bit ids: 16 raw bytes in memory, 22 characters of url-safe base64 (no padding) for people."""

from __future__ import annotations

from binascii import a2b_base64, b2a_base64
from collections.abc import Callable

ZERO = bytes(16)
# The id of `__cluster_metadata`; as a directory id the same value says that the directory is lost.
METADATA_TOPIC_ID = bytes(15) + b"\x01"

DIRECTORY_UNASSIGNED = ZERO
DIRECTORY_LOST = METADATA_TOPIC_ID
DIRECTORY_MIGRATING = bytes(15) + b"\x02"

_RESERVED = 100
_TO_URL_SAFE = bytes.maketrans(b"+/", b"-_")
_FROM_URL_SAFE = bytes.maketrans(b"-_+/", b"+/!!")


def to_text(uuid: bytes) -> str:
    return b2a_base64(uuid, newline=False).translate(_TO_URL_SAFE)[:22].decode("ascii")


def from_text(text: str) -> bytes:
    """The id that `text` spells; ValueError when it spells none."""
    try:
        raw = a2b_base64(text.rstrip("=").encode("ascii").translate(_FROM_URL_SAFE) + b"==", strict_mode=True)
    except ValueError:
        raw = b""
    if len(raw) != 16 or len(text.rstrip("=")) != 22:
        raise ValueError(
            f"'{text}' is not an id; one has 22 letters, digits, '-' or '_', as kafka-storage random-uuid prints"
        )
    return raw


def is_reserved(uuid: bytes) -> bool:
    """The first hundred ids have meanings of their own and name no topic, cluster or directory."""
    return int.from_bytes(uuid, "big") < _RESERVED


def new(random_bytes: Callable[[int], bytes]) -> bytes:
    """A fresh id from a source of randomness. None starts with '-', which command lines would take for an option."""
    while True:
        raw = bytearray(random_bytes(16))
        raw[6] = raw[6] & 0x0F | 0x40
        raw[8] = raw[8] & 0x3F | 0x80
        uuid = bytes(raw)
        if not is_reserved(uuid) and not to_text(uuid).startswith("-"):
            return uuid
