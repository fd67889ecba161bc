"""The four codecs in Kafka's own framings, inflating only into memory that the caller has allowed.

gzip and zstd are plain frames. lz4 is the frame format with independent blocks, the only kind that Java clients read.
snappy is the xerial framing (blocks behind a 16-byte header); librdkafka and others send one bare block instead, so
both are read. Every inflate writes into a buffer of at most `max_bytes`: a bomb costs the bound and not a byte more.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from enum import IntEnum
from typing import Any

import cramjam

Buffer = bytes | bytearray | memoryview

XERIAL_MAGIC = b"\x82SNAPPY\x00"
_XERIAL_HEADER = XERIAL_MAGIC + struct.pack(">ii", 1, 1)
_XERIAL_BLOCK_BYTES = 32 * 1024
_LZ4_BLOCK_BYTES = 64 * 1024
# Magic, then version 1 with independent blocks of 64 KB and no checksums; the last byte is the checksum of those two.
_LZ4_HEADER = b"\x04\x22\x4d\x18\x60\x40\x82"
_LZ4_STORED = 0x80000000
_LZ4_DEFAULT_LEVEL = 9
_U32_BE = struct.Struct(">I")
_U32_LE = struct.Struct("<I")


class Codec(IntEnum):
    """The low three bits of a batch's attributes."""

    NONE = 0
    GZIP = 1
    SNAPPY = 2
    LZ4 = 3
    ZSTD = 4


LEVELS: dict[Codec, tuple[int, int, int]] = {
    Codec.GZIP: (1, 9, -1),
    Codec.LZ4: (1, 17, 9),
    Codec.ZSTD: (-131072, 22, 3),
}
"""Lowest, highest and default level of the codecs that have one."""


class DecompressionFailed(ValueError):
    """The bytes are not what their codec says they are."""


class DecompressionTooLarge(DecompressionFailed):
    """Inflating would pass the caller's bound."""

    def __init__(self, codec: Codec, max_bytes: int) -> None:
        super().__init__(f"{codec.name.lower()} data inflates to more than the {max_bytes} bytes allowed")


def compress(codec: int, data: Buffer, level: int | None = None) -> bytes:
    """`data` in the framing of `codec`; a level means what it means to Apache's producer, None is its default."""
    if codec == Codec.NONE:
        return bytes(data)
    return _COMPRESS[Codec(codec)](data, level)


def decompress(codec: int, data: Buffer, max_bytes: int) -> bytes | bytearray:
    """Inflates `data`, which may be hostile, to at most `max_bytes`."""
    try:
        known = Codec(codec)
    except ValueError:
        raise DecompressionFailed(f"compression type {codec} does not exist") from None
    if known is Codec.NONE:
        if len(data) > max_bytes:
            raise DecompressionTooLarge(known, max_bytes)
        return bytes(data)
    return _DECOMPRESS[known](data, max_bytes)


def _gzip(data: Buffer, level: int | None) -> bytes:
    return bytes(cramjam.gzip.compress(data, 6 if level is None or level == -1 else level))


def _zstd(data: Buffer, level: int | None) -> bytes:
    return bytes(cramjam.zstd.compress(data, 3 if level is None else level))


def _snappy(data: Buffer, level: int | None) -> bytes:
    view = memoryview(data)
    parts = [_XERIAL_HEADER]
    for start in range(0, len(view), _XERIAL_BLOCK_BYTES):
        block = bytes(cramjam.snappy.compress_raw(view[start : start + _XERIAL_BLOCK_BYTES]))
        parts += (_U32_BE.pack(len(block)), block)
    return b"".join(parts)


def _lz4(data: Buffer, level: int | None) -> bytes:
    # Apache's default level stands for the fast compressor; any other one for the high compressor at that level.
    fast = level is None or level == _LZ4_DEFAULT_LEVEL
    options: Any = {} if fast else {"mode": "high_compression", "compression": level}
    view = memoryview(data)
    parts = [_LZ4_HEADER]
    for start in range(0, len(view), _LZ4_BLOCK_BYTES):
        chunk = view[start : start + _LZ4_BLOCK_BYTES]
        block = bytes(cramjam.lz4.compress_block(chunk, store_size=False, **options))
        if len(block) < len(chunk):
            parts += (_U32_LE.pack(len(block)), block)
        else:
            parts += (_U32_LE.pack(len(chunk) | _LZ4_STORED), bytes(chunk))
    parts.append(b"\0\0\0\0")
    return b"".join(parts)


def _inflater(codec: Codec, into: Callable[[Buffer, bytearray], int]) -> Callable[[Buffer, int], bytearray]:
    def inflate(data: Buffer, max_bytes: int) -> bytearray:
        size = min(max_bytes, 4 * len(data) + 1024)
        while True:
            output = bytearray(size)
            try:
                del output[into(data, output) :]
                return output
            except cramjam.DecompressionError as error:
                if "write whole buffer" not in str(error):
                    raise DecompressionFailed(f"{codec.name.lower()} data is corrupt: {error}") from None
            if size >= max_bytes:
                raise DecompressionTooLarge(codec, max_bytes)
            size = min(max_bytes, 4 * size)

    return inflate


def _unsnappy(data: Buffer, max_bytes: int) -> bytearray:
    view = memoryview(data)
    if view[: len(XERIAL_MAGIC)] != XERIAL_MAGIC or len(view) < len(_XERIAL_HEADER):
        return _unsnappy_block(view, max_bytes)
    output = bytearray()
    position = 0
    while position < len(view):
        if view[position : position + len(XERIAL_MAGIC)] == XERIAL_MAGIC:
            position += len(_XERIAL_HEADER)
            continue
        if position + 4 > len(view):
            raise DecompressionFailed("snappy data is corrupt: a block length is cut off")
        (length,) = _U32_BE.unpack_from(view, position)
        position += 4
        if length > len(view) - position:
            raise DecompressionFailed("snappy data is corrupt: a block is longer than the data")
        output += _unsnappy_block(view[position : position + length], max_bytes - len(output))
        position += length
    return output


def _unsnappy_block(block: memoryview, max_bytes: int) -> bytearray:
    # A block declares its size first; cramjam never writes more than that, so the check bounds the allocation.
    try:
        size = cramjam.snappy.decompress_raw_len(block)
        if size > max_bytes:
            raise DecompressionTooLarge(Codec.SNAPPY, max_bytes)
        output = bytearray(size)
        del output[cramjam.snappy.decompress_raw_into(block, output) :]
    except cramjam.DecompressionError as error:
        raise DecompressionFailed(f"snappy data is corrupt: {error}") from None
    return output


_COMPRESS: dict[Codec, Callable[[Buffer, int | None], bytes]] = {
    Codec.GZIP: _gzip,
    Codec.SNAPPY: _snappy,
    Codec.LZ4: _lz4,
    Codec.ZSTD: _zstd,
}
_DECOMPRESS: dict[Codec, Callable[[Buffer, int], bytearray]] = {
    Codec.GZIP: _inflater(Codec.GZIP, cramjam.gzip.decompress_into),
    Codec.SNAPPY: _unsnappy,
    Codec.LZ4: _inflater(Codec.LZ4, cramjam.lz4.decompress_into),
    Codec.ZSTD: _inflater(Codec.ZSTD, cramjam.zstd.decompress_into),
}
