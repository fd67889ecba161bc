"""Reads the variable-size types of the protocol: each function takes (buffer, position) and returns (value, position).

`compact` says whether lengths are the varints of flexible versions. A length is checked against what is left of the
buffer before anything is allocated. Indexing past the end raises IndexError or struct.error, which `Message.decode`
turns into `DecodeError`; positions never go backwards, so neither can wrap around.
"""

from __future__ import annotations

from struct import Struct, unpack_from

from tidelog.protocol.primitives import MAX_ELEMENTS, DecodeError, Readable, read_uvarint

_int16 = Struct(">h").unpack_from
_int32 = Struct(">i").unpack_from
_MAX_STRING = 0x7FFF
_SHORT = 8
_int32s = [Struct(f">{length}i").unpack_from for length in range(_SHORT)]


def string(buf: Readable, pos: int, compact: bool) -> tuple[str, int]:
    if compact and 0 < buf[pos] < 128:
        stop = pos + buf[pos]
        if stop < len(buf):
            return str(buf[pos + 1 : stop], "utf-8"), stop
    value, pos = nullable_string(buf, pos, compact)
    if value is None:
        raise DecodeError("a string is null that must not be")
    return value, pos


def nullable_string(buf: Readable, pos: int, compact: bool) -> tuple[str | None, int]:
    if compact:
        length = buf[pos]
        if length < 128:
            pos += 1
        else:
            length, pos = read_uvarint(buf, pos)
        length -= 1
    else:
        (length,) = _int16(buf, pos)
        pos += 2
    stop = pos + length
    if length < 0:
        if length != -1:
            raise DecodeError(f"a string has the length {length}")
        return None, pos
    if stop > len(buf) or length > _MAX_STRING:
        raise DecodeError(f"a string claims {length} bytes where {len(buf) - pos} are left")
    return str(buf[pos:stop], "utf-8"), stop


def _nullable_slice(buf: Readable, pos: int, compact: bool) -> tuple[Readable | None, int]:
    if compact:
        length = buf[pos]
        if length < 128:
            pos += 1
        else:
            length, pos = read_uvarint(buf, pos)
        length -= 1
    else:
        (length,) = _int32(buf, pos)
        pos += 4
    stop = pos + length
    if length < 0:
        if length != -1:
            raise DecodeError(f"a byte string has the length {length}")
        return None, pos
    if stop > len(buf):
        raise DecodeError(f"a byte string claims {length} bytes where {len(buf) - pos} are left")
    return buf[pos:stop], stop


# Messages with records are decoded from a memoryview, so that a slice of it is a view and not a copy.
nullable_records = _nullable_slice


def records(buf: Readable, pos: int, compact: bool) -> tuple[Readable, int]:
    value, pos = _nullable_slice(buf, pos, compact)
    if value is None:
        raise DecodeError("records are null that must not be")
    return value, pos


def nullable_blob(buf: Readable, pos: int, compact: bool) -> tuple[bytes | None, int]:
    value, pos = _nullable_slice(buf, pos, compact)
    return None if value is None else bytes(value), pos


def blob(buf: Readable, pos: int, compact: bool) -> tuple[bytes, int]:
    value, pos = _nullable_slice(buf, pos, compact)
    if value is None:
        raise DecodeError("a byte string is null that must not be")
    return bytes(value), pos


def _elements(buf: Readable, pos: int, compact: bool) -> tuple[int, int]:
    """The number of elements of an array, -1 for null. An element takes a byte at least, so more cannot be meant."""
    if compact:
        count = buf[pos]
        if count < 128:
            pos += 1
        else:
            count, pos = read_uvarint(buf, pos)
        count -= 1
    else:
        (count,) = _int32(buf, pos)
        pos += 4
    if count > len(buf) - pos or count > MAX_ELEMENTS or count < -1:
        raise DecodeError(f"an array claims {count} elements where {len(buf) - pos} bytes are left")
    return count, pos


def nullable_count(buf: Readable, pos: int, compact: bool, left: list[int]) -> tuple[int, int]:
    """The number of structs of an array, -1 for null, taken off what the message may still hold."""
    found, pos = _elements(buf, pos, compact)
    if found > 0:
        left[0] -= found
        if left[0] < 0:
            raise DecodeError(f"the message holds more than {MAX_ELEMENTS} elements")
    return found, pos


def count(buf: Readable, pos: int, compact: bool, left: list[int]) -> tuple[int, int]:
    found, pos = nullable_count(buf, pos, compact, left)
    if found < 0:
        raise DecodeError("an array is null that must not be")
    return found, pos


def nullable_numbers(buf: Readable, pos: int, compact: bool, code: str, size: int) -> tuple[list[int] | None, int]:
    """An array of fixed-size integers, `code` being their letter in the struct module."""
    found, pos = _elements(buf, pos, compact)
    if found <= 0:
        return (None if found else []), pos
    stop = pos + found * size
    if stop > len(buf):
        raise DecodeError(f"an array claims {found} elements where {len(buf) - pos} bytes are left")
    return list(unpack_from(f">{found}{code}", buf, pos)), stop


def int32s(buf: Readable, pos: int, compact: bool) -> tuple[list[int], int]:
    """The commonest array; replica lists have a few entries, for which there are readers made in advance."""
    if compact and 0 < buf[pos] <= _SHORT:
        length = buf[pos] - 1
        return list(_int32s[length](buf, pos + 1)), pos + 1 + 4 * length
    return numbers(buf, pos, compact, "i", 4)


def numbers(buf: Readable, pos: int, compact: bool, code: str, size: int) -> tuple[list[int], int]:
    found, pos = nullable_numbers(buf, pos, compact, code, size)
    if found is None:
        raise DecodeError("an array is null that must not be")
    return found, pos


def nullable_uuids(buf: Readable, pos: int, compact: bool) -> tuple[list[bytes] | None, int]:
    found, pos = _elements(buf, pos, compact)
    if found < 0:
        return None, pos
    stop = pos + found * 16
    if stop > len(buf):
        raise DecodeError(f"an array claims {found} elements where {len(buf) - pos} bytes are left")
    return [bytes(buf[at : at + 16]) for at in range(pos, stop, 16)], stop


def uuids(buf: Readable, pos: int, compact: bool) -> tuple[list[bytes], int]:
    found, pos = nullable_uuids(buf, pos, compact)
    if found is None:
        raise DecodeError("an array is null that must not be")
    return found, pos


def nullable_strings(buf: Readable, pos: int, compact: bool, left: list[int]) -> tuple[list[str] | None, int]:
    found, pos = nullable_count(buf, pos, compact, left)
    if found < 0:
        return None, pos
    values = []
    for _ in range(found):
        value, pos = string(buf, pos, compact)
        values.append(value)
    return values, pos


def strings(buf: Readable, pos: int, compact: bool, left: list[int]) -> tuple[list[str], int]:
    found, pos = nullable_strings(buf, pos, compact, left)
    if found is None:
        raise DecodeError("an array is null that must not be")
    return found, pos


def present(buf: Readable, pos: int) -> tuple[bool, int]:
    """Whether a struct follows that may be null; the byte before it is negative when none does."""
    return buf[pos] < 128, pos + 1


def tagged_present(buf: Readable, pos: int) -> tuple[bool, int]:
    """The same inside a tagged field, where it is a varint, and 0 when there is none."""
    mark, pos = read_uvarint(buf, pos)
    return mark > 0, pos


def tag_count(buf: Readable, pos: int) -> tuple[int, int]:
    found, pos = read_uvarint(buf, pos)
    if found * 2 > len(buf) - pos:
        raise DecodeError(f"{found} tagged fields are claimed where {len(buf) - pos} bytes are left")
    return found, pos


def tag_head(buf: Readable, pos: int, last: int) -> tuple[int, int, int]:
    """A tagged field's tag, its first byte and the one after its last; tags must grow."""
    tag, pos = read_uvarint(buf, pos)
    if tag <= last:
        raise DecodeError(f"tag {tag} follows tag {last}")
    size, pos = read_uvarint(buf, pos)
    stop = pos + size
    if stop > len(buf):
        raise DecodeError(f"tag {tag} claims {size} bytes where {len(buf) - pos} are left")
    return tag, pos, stop


def skip_tags(buf: Readable, pos: int) -> int:
    """Passes over the tagged fields of a struct that knows none: a newer peer may send them."""
    found, pos = tag_count(buf, pos)
    last = -1
    for _ in range(found):
        last, _, pos = tag_head(buf, pos, last)
    return pos


def tag_end(pos: int, stop: int, tag: int) -> None:
    if pos != stop:
        raise DecodeError(f"tag {tag} does not have the size that it claims")


def null_refused(name: str, version: int) -> DecodeError:
    return DecodeError(f"{name} must not be null in version {version}")
