"""The four codecs in Kafka's own framings, inflating only into memory that the caller has allowed.

gzip and zstd are plain frames. lz4 is the frame format with independent blocks, the only kind that Java clients read.
snappy is the xerial framing (blocks behind a 16-byte header); librdkafka and others send one bare block instead, so
both are read. Nothing inflates into more than `max_bytes`: a bomb costs the bound and not a byte more. Which library
serves which codec was measured, see docs/decisions/0003-codecs.md.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable
from contextlib import suppress
from enum import IntEnum
from typing import Any

import cramjam

from tidelog.protocol import compression_lz4, compression_zstd
from tidelog.protocol.compression_errors import DecompressionFailed, DecompressionTooLarge

inflating_zlib: Any = zlib
with suppress(ImportError):  # up to twice as fast, same calls; not built for every platform
    from isal import isal_zlib

    inflating_zlib = isal_zlib

__all__ = ["LEVELS", "Codec", "DecompressionFailed", "DecompressionTooLarge", "compress", "decompress"]

Buffer = bytes | bytearray | memoryview

XERIAL_MAGIC = b"\x82SNAPPY\x00"
_XERIAL_HEADER = XERIAL_MAGIC + struct.pack(">ii", 1, 1)
_XERIAL_BLOCK_BYTES = 32 * 1024
_GZIP_WINDOW = 31
_GZIP_MEMBERS_MAX = 64  # each one copies what follows it
_U32_BE = struct.Struct(">I")


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


def compress(codec: int, data: Buffer, level: int | None = None) -> bytes:
    """`data` in the framing of `codec`; a level means what it means to Apache's producer, None is its default."""
    if codec == Codec.NONE:
        return bytes(data)
    return _COMPRESS[codec](data, level)


def decompress(codec: int, data: Buffer, max_bytes: int, *, strict: bool = False) -> bytes | bytearray:
    """Inflates `data`, which may be hostile, to at most `max_bytes`.

    `strict` also refuses what Java clients cannot read, so that nothing is stored that only some consumers understand.
    """
    if codec == Codec.LZ4:
        return compression_lz4.decompress(data, max_bytes, strict)
    inflate = _DECOMPRESS.get(codec)
    if inflate is None:
        raise DecompressionFailed(f"compression type {codec} does not exist")
    return inflate(data, max_bytes)


def _none(data: Buffer, max_bytes: int) -> bytes:
    if len(data) > max_bytes:
        raise DecompressionTooLarge("uncompressed", max_bytes)
    return bytes(data)


def _gzip(data: Buffer, level: int | None) -> bytes:
    stream = zlib.compressobj(-1 if level is None else level, zlib.DEFLATED, _GZIP_WINDOW)
    return stream.compress(data) + stream.flush()


def _gunzip(data: Buffer, max_bytes: int) -> bytes:
    """One or more members, as the format allows, the bound being over all of them."""
    parts: list[bytes] = []
    rest: Buffer = data
    left = max_bytes
    try:
        while rest or not parts:
            stream = inflating_zlib.decompressobj(_GZIP_WINDOW)
            # One byte more than allowed tells «just fits» from «too large»; with 0 zlib would not stop at all.
            part = stream.decompress(rest, left + 1)
            if len(part) > left:
                raise DecompressionTooLarge("gzip", max_bytes)
            if not stream.eof:
                raise DecompressionFailed("gzip data is corrupt: it is cut off")
            parts.append(part)
            left -= len(part)
            rest = stream.unused_data
            if len(parts) > _GZIP_MEMBERS_MAX:
                raise DecompressionFailed("gzip data is cut into far too many members")
    except (zlib.error, inflating_zlib.error) as error:
        raise DecompressionFailed(f"gzip data is corrupt: {error}") from None
    return parts[0] if len(parts) == 1 else b"".join(parts)


def _snappy(data: Buffer, level: int | None) -> bytes:
    view = memoryview(data)
    parts = [_XERIAL_HEADER]
    for start in range(0, len(view), _XERIAL_BLOCK_BYTES):
        block = bytes(cramjam.snappy.compress_raw(view[start : start + _XERIAL_BLOCK_BYTES]))
        parts += (_U32_BE.pack(len(block)), block)
    return b"".join(parts)


def _unsnappy(data: Buffer, max_bytes: int) -> bytearray:
    view = memoryview(data)
    if view[: len(XERIAL_MAGIC)] != XERIAL_MAGIC or len(view) < len(_XERIAL_HEADER):
        return _unsnappy_block(view, max_bytes, max_bytes)
    output = bytearray()
    position = 0
    blocks_left = 64 + len(view) // 64
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
        # Writers cut at 32 KB; crumbs of a few bytes would only keep this loop busy.
        blocks_left -= 1
        if blocks_left < 0:
            raise DecompressionFailed("snappy data is cut into far too many blocks")
        output += _unsnappy_block(view[position : position + length], max_bytes - len(output), max_bytes)
        position += length
    return output


def _unsnappy_block(block: memoryview, left: int, max_bytes: int) -> bytearray:
    # A block declares its size first; cramjam never writes more than that, so the check bounds the allocation.
    try:
        size = cramjam.snappy.decompress_raw_len(block)
        if size > left:
            raise DecompressionTooLarge("snappy", max_bytes)
        output = bytearray(size)
        written = cramjam.snappy.decompress_raw_into(block, output)
    except cramjam.DecompressionError as error:
        raise DecompressionFailed(f"snappy data is corrupt: {error}") from None
    if written != size:
        raise DecompressionFailed("snappy data is corrupt: a block is shorter than it says")
    return output


_COMPRESS: dict[int, Callable[[Buffer, int | None], bytes]] = {
    Codec.GZIP: _gzip,
    Codec.SNAPPY: _snappy,
    Codec.LZ4: compression_lz4.compress,
    Codec.ZSTD: compression_zstd.compress,
}
_DECOMPRESS: dict[int, Callable[[Buffer, int], bytes | bytearray]] = {
    Codec.NONE: _none,
    Codec.GZIP: _gunzip,
    Codec.SNAPPY: _unsnappy,
    Codec.ZSTD: compression_zstd.decompress,
}
