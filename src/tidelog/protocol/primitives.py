"""What every message shares: the base classes of the generated structs, the errors of the codec, and varints.

A generated message supplies `_read` and `_write` for the versions it serves; the checks around them stand here, so that
no generated line has to repeat them. Out-of-range reads surface as IndexError or struct.error and become `DecodeError`.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Any, ClassVar, Self

from tidelog.ports import Buffer, FileRange, Part

# Structs and strings that one message may hold; a frame of a hundred megabytes could otherwise ask for a hundred
# million objects.
MAX_ELEMENTS = 1_000_000

# Records below this size are cheaper to copy than to send as a part of their own.
_SPLICE_BYTES = 1024

Readable = bytes | memoryview
Records = Buffer | FileRange | Sequence[Part] | None

UNSET: Any = type("Unset", (), {"__slots__": (), "__repr__": lambda self: "UNSET"})()


class DecodeError(ValueError):
    """The bytes are not what they claim to be."""


class EncodeError(ValueError):
    """The message holds something that this version of it cannot carry."""


class Struct:
    """A plain value with named fields, as a dataclass would be, but a tenth of the import time."""

    __slots__: ClassVar[tuple[str, ...]] = ()
    __hash__ = None  # type: ignore[assignment]

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in self.__slots__)

    def __repr__(self) -> str:
        shown = ", ".join(f"{name}={getattr(self, name)!r}" for name in self.__slots__)
        return f"{type(self).__name__}({shown})"


class Output(bytearray):
    """Encoded bytes, and the records that belong between them without being copied."""

    __slots__ = ("splices",)

    def __init__(self) -> None:
        self.splices: list[tuple[int, Part]] = []

    def add(self, part: Part) -> None:
        if isinstance(part, FileRange) or len(part) >= _SPLICE_BYTES:
            self.splices.append((len(self), part))
        else:
            self += part

    def parts(self) -> list[Part]:
        view = memoryview(self)
        found: list[Part] = []
        done = 0
        for at, part in self.splices:
            if at > done:
                found.append(view[done:at])
                done = at
            found.append(part)
        if done < len(view) or not found:
            found.append(view[done:])
        return found


class Message(Struct):
    """A request, a response, or the body of an internal topic's record."""

    __slots__ = ()

    API_KEY: ClassVar[int]
    VERSIONS: ClassVar[tuple[int, int]]
    FLEXIBLE_FROM: ClassVar[int | None]

    def encode(self, version: int) -> bytes:
        out = bytearray()
        self._encode(out, version)
        return bytes(out)

    def encode_parts(self, version: int) -> list[Part]:
        """Like `encode`; fields of type records stay separate parts, so that they are never copied."""
        out = bytearray()
        self._encode(out, version)
        return [out]

    @classmethod
    def decode(cls, buf: Buffer, version: int, *, exact: bool = True) -> Self:
        """The message that fills `buf`, or unless `exact` begins it; DecodeError for anything else."""
        return cls._decode(buf if type(buf) is bytes else bytes(buf), version, exact)

    @classmethod
    def _decode(cls, data: Readable, version: int, exact: bool) -> Self:
        first, last = cls.VERSIONS
        if not first <= version <= last:
            raise DecodeError(f"{cls.__name__} has no version {version}, only {first} to {last}")
        try:
            message, pos = cls._read(data, 0, version, [MAX_ELEMENTS])
        except (IndexError, struct.error) as error:
            raise DecodeError(f"{cls.__name__} version {version} is cut short") from error
        except UnicodeDecodeError as error:
            raise DecodeError(f"{cls.__name__} version {version} has a string that is not UTF-8") from error
        if exact and pos != len(data):
            raise DecodeError(f"{cls.__name__} version {version} ends at byte {pos} of {len(data)}")
        return message

    def _encode(self, out: bytearray, version: int) -> None:
        first, last = self.VERSIONS
        if not first <= version <= last:
            raise EncodeError(f"{type(self).__name__} has no version {version}, only {first} to {last}")
        try:
            self._write(out, version)
        except (struct.error, UnicodeEncodeError) as error:
            raise EncodeError(f"{type(self).__name__} version {version} cannot carry its values: {error}") from error

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[Self, int]:
        raise NotImplementedError

    def _write(self, out: bytearray, version: int) -> None:
        raise NotImplementedError


class RecordsMessage(Message):
    """A message with fields of type records: decoded ones are views of the buffer, encoded ones are spliced in."""

    __slots__ = ()

    def encode(self, version: int) -> bytes:
        parts = self.encode_parts(version)
        return b"".join(
            [part.file.pread(part.length, part.position) if isinstance(part, FileRange) else part for part in parts]
        )

    def encode_parts(self, version: int) -> list[Part]:
        out = Output()
        self._encode(out, version)
        return out.parts()

    @classmethod
    def decode(cls, buf: Buffer, version: int, *, exact: bool = True) -> Self:
        return cls._decode(memoryview(buf), version, exact)


def read_uvarint(buf: Readable, pos: int) -> tuple[int, int]:
    """An unsigned varint of at most five bytes, and the position after it."""
    byte = buf[pos]
    if byte < 128:
        return byte, pos + 1
    value = byte & 0x7F | (buf[pos + 1] & 0x7F) << 7
    if buf[pos + 1] < 128:
        return value, pos + 2
    pos += 1
    for shift in (14, 21, 28):
        pos += 1
        byte = buf[pos]
        value |= (byte & 0x7F) << shift
        if byte < 128:
            if value > 0xFFFFFFFF:
                break
            return value, pos + 1
    raise DecodeError("a varint is longer than 32 bits")


def read_varlong(buf: Readable, pos: int) -> tuple[int, int]:
    """A zigzag varint of at most ten bytes, and the position after it."""
    value = 0
    for shift in range(0, 70, 7):
        byte = buf[pos]
        pos += 1
        value |= (byte & 0x7F) << shift
        if byte < 128:
            if value > 0xFFFFFFFFFFFFFFFF:
                break
            return (value >> 1) ^ -(value & 1), pos
    raise DecodeError("a varint is longer than 64 bits")


def read_varint(buf: Readable, pos: int) -> tuple[int, int]:
    """A zigzag varint of at most five bytes, and the position after it."""
    value, pos = read_uvarint(buf, pos)
    return (value >> 1) ^ -(value & 1), pos


def write_uvarint(out: bytearray, value: int) -> None:
    while value > 127:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)


def write_varint(out: bytearray, value: int) -> None:
    """Zigzag; serves 32 and 64 bits alike."""
    write_uvarint(out, value << 1 if value >= 0 else (-value << 1) - 1)
