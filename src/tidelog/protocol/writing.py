"""Writes the variable-size types of the protocol: each function appends a value to the output.

`compact` says whether lengths are the varints of flexible versions.
"""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct, pack

from tidelog.ports import FileRange
from tidelog.protocol.primitives import EncodeError, Output, Records, write_uvarint

_int16 = Struct(">h").pack
_int32 = Struct(">i").pack
# Replica lists have a few entries; for them the packers of the whole array, length included, are made in advance.
_SHORT = 8
_int32s = [Struct(f">i{count}i").pack for count in range(_SHORT)]
_compact_int32s = [Struct(f">B{count}i").pack for count in range(_SHORT)]


def string(out: bytearray, value: str, compact: bool) -> None:
    data = value.encode()
    if not compact:
        out += _int16(len(data))
    elif len(data) < 127:
        out.append(len(data) + 1)
    else:
        if len(data) > 0x7FFF:
            raise EncodeError(f"a string of {len(data)} bytes is too long")
        write_uvarint(out, len(data) + 1)
    out += data


def nullable_string(out: bytearray, value: str | None, compact: bool) -> None:
    if value is not None:
        string(out, value, compact)
    elif compact:
        out.append(0)
    else:
        out += b"\xff\xff"


def blob(out: bytearray, value: bytes, compact: bool) -> None:
    count(out, len(value), compact)
    out += value


def nullable_blob(out: bytearray, value: bytes | None, compact: bool) -> None:
    if value is None:
        null(out, compact)
    else:
        blob(out, value, compact)


def nullable_records(out: bytearray, value: Records, compact: bool) -> None:
    """Bytes, a range of a file or several of both; large ones are spliced in rather than copied."""
    if value is None:
        null(out, compact)
        return
    assert isinstance(out, Output)
    if isinstance(value, (bytes, memoryview, bytearray)):
        count(out, len(value), compact)
        out.add(value)
    elif isinstance(value, FileRange):
        count(out, value.length, compact)
        out.splices.append((len(out), value))
    else:
        count(out, sum(part.length if isinstance(part, FileRange) else len(part) for part in value), compact)
        for part in value:
            out.add(part)


def records(out: bytearray, value: Records, compact: bool) -> None:
    if value is None:
        raise EncodeError("records are null that must not be")
    nullable_records(out, value, compact)


def null(out: bytearray, compact: bool) -> None:
    """A null array or byte string."""
    if compact:
        out.append(0)
    else:
        out += b"\xff\xff\xff\xff"


def count(out: bytearray, length: int, compact: bool) -> None:
    if not compact:
        out += _int32(length)
    elif length < 127:
        out.append(length + 1)
    else:
        write_uvarint(out, length + 1)


def int32s(out: bytearray, values: Sequence[int], compact: bool) -> None:
    length = len(values)
    if length < _SHORT:
        out += _compact_int32s[length](length + 1, *values) if compact else _int32s[length](length, *values)
    else:
        count(out, length, compact)
        out += pack(f">{length}i", *values)


def numbers(out: bytearray, values: Sequence[int], compact: bool, code: str) -> None:
    """An array of fixed-size integers, `code` being their letter in the struct module."""
    count(out, len(values), compact)
    out += pack(f">{len(values)}{code}", *values)


def uuids(out: bytearray, values: Sequence[bytes], compact: bool) -> None:
    count(out, len(values), compact)
    for value in values:
        if len(value) != 16:
            raise EncodeError(f"an id has {len(value)} bytes and not 16")
        out += value


def strings(out: bytearray, values: Sequence[str], compact: bool) -> None:
    count(out, len(values), compact)
    for value in values:
        string(out, value, compact)


def tags(out: bytearray, fields: Sequence[tuple[int, bytearray]]) -> None:
    """The tagged fields of a struct, in the order of their tags."""
    if not fields:
        out.append(0)
        return
    write_uvarint(out, len(fields))
    for tag, body in fields:
        write_uvarint(out, tag)
        write_uvarint(out, len(body))
        out += body


def not_carried(name: str, version: int) -> EncodeError:
    return EncodeError(f"version {version} has no field {name}, and it is not at its default")


def null_refused(name: str, version: int) -> EncodeError:
    return EncodeError(f"{name} must not be null in version {version}")
