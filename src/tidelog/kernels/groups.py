"""The record of a classic group without objects in between: it names every member, and each rebalance writes it."""

from __future__ import annotations

try:
    import cython  # type: ignore[import-untyped, import-not-found, unused-ignore]
except ImportError:
    from . import no_cython as cython

if not cython.compiled:  # the compiled form has them from its .pxd
    from .commits import put_int, put_uvarint

NAME_MAX = 32_767  # of any string

# Member id, instance id, client id, client host, rebalance and session timeout, subscription, assignment.
Member = tuple[str, str | None, str, str, int, int, bytes, bytes]


def put_text(out: bytearray, text: str | None) -> None:
    if text is None:
        out.append(0)
    else:
        data = text.encode()
        if len(data) > NAME_MAX:
            raise ValueError("a name is too long for a record")
        put_uvarint(out, len(data) + 1)
        out += data


def put_bytes(out: bytearray, data: bytes) -> None:
    put_uvarint(out, len(data) + 1)
    out += data


def encode_group(
    protocol_type: str,
    generation_id: int,
    protocol_name: str | None,
    leader_id: str | None,
    timestamp: int,
    members: list[Member],
) -> bytes:
    """The value (version 4) of the record of a group."""
    out = bytearray()
    put_int(out, 4, 2)
    put_text(out, protocol_type)
    put_int(out, generation_id, 4)
    put_text(out, protocol_name)
    put_text(out, leader_id)
    put_int(out, timestamp, 8)
    put_uvarint(out, len(members) + 1)
    for member_id, instance_id, client_id, client_host, rebalance_ms, session_ms, subscription, assignment in members:
        put_text(out, member_id)
        put_text(out, instance_id)
        put_text(out, client_id)
        put_text(out, client_host)
        put_int(out, rebalance_ms, 4)
        put_int(out, session_ms, 4)
        put_bytes(out, subscription)
        put_bytes(out, assignment)
        out.append(0)
    out.append(0)
    return bytes(out)
