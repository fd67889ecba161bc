"""lz4 frames. The blocks are the library's, the frame around them is ours: Java clients read only independent blocks.

A frame is magic, descriptor, blocks and an end mark. Java clients read one frame with independent blocks and stop;
others read any. Writing keeps to what everybody reads: blocks of 64 KB, no checksums (the batch has one).
"""

from __future__ import annotations

import struct
from typing import Any

import lz4.block
import lz4.frame

from tidelog.protocol.compression_errors import DecompressionFailed, DecompressionTooLarge

Buffer = bytes | bytearray | memoryview

MAGIC = b"\x04\x22\x4d\x18"
BLOCK_BYTES = 64 * 1024
DEFAULT_LEVEL = 9
# Version 1 with independent blocks of 64 KB and nothing else; the last byte is the checksum of those two.
_HEADER = MAGIC + b"\x60\x40\x82"
_END_MARK = b"\0\0\0\0"
_STORED = 0x80000000
_U32 = struct.Struct("<I")
_INDEPENDENT = 0x20
_BLOCK_CHECKSUM = 0x10
_CONTENT_SIZE = 0x08
_CONTENT_CHECKSUM = 0x04
_DICTIONARY = 0x01
_FRAMES_MAX = 64  # each one copies what follows it
_RATIO_MAX = 255
"""No lz4 block inflates by more than this."""


def compress(data: Buffer, level: int | None) -> bytes:
    """One frame. As with Apache, the default level is the fast compressor, any other the high one at that level."""
    fast = level is None or level == DEFAULT_LEVEL
    options: Any = {} if fast else {"mode": "high_compression", "compression": level}
    view = memoryview(data)
    parts = [_HEADER]
    for start in range(0, len(view), BLOCK_BYTES):
        chunk = view[start : start + BLOCK_BYTES]
        block = lz4.block.compress(chunk, store_size=False, **options)
        if len(block) < len(chunk):
            parts += (_U32.pack(len(block)), block)
        else:
            parts += (_U32.pack(len(chunk) | _STORED), bytes(chunk))
    parts.append(_END_MARK)
    return b"".join(parts)


def decompress(data: Buffer, max_bytes: int, strict: bool) -> bytes:
    """Inflates one frame of independent blocks itself and, unless `strict`, anything else through the frame reader."""
    view = memoryview(data)
    if len(view) < 7 or view[:4] != MAGIC or view[4] >> 6 != 1:
        raise DecompressionFailed("lz4 data is corrupt: it does not begin with a frame")
    flags = view[4]
    if not flags & _INDEPENDENT or flags & _DICTIONARY:
        if strict:
            raise DecompressionFailed("lz4 data has blocks that depend on each other, which Java clients cannot read")
        return _decompress_any(view, max_bytes)
    blocks, end = _blocks(view, flags)
    if end != len(view):
        if strict:
            raise DecompressionFailed("lz4 data goes on behind its frame, where Java clients do not look")
        return _decompress_any(view, max_bytes)
    if len(blocks) > 64 + len(view) // 64:
        raise DecompressionFailed("lz4 data is cut into far too many blocks")
    return _inflate(view, blocks, _block_bytes_max(view[5]), max_bytes)


def _block_bytes_max(descriptor: int) -> int:
    size_code = (descriptor >> 4) & 7
    if size_code < 4:
        raise DecompressionFailed("lz4 data is corrupt: its block size does not exist")
    return 1 << (8 + 2 * size_code)


def _blocks(view: memoryview, flags: int) -> tuple[list[tuple[int, int]], int]:
    """(start, length word) of each block, and where the frame ends."""
    position = 15 if flags & _CONTENT_SIZE else 7
    checksum = 4 if flags & _BLOCK_CHECKSUM else 0
    found = []
    try:
        while True:
            (word,) = _U32.unpack_from(view, position)
            position += 4
            if word == 0:
                break
            found.append((position, word))
            position += (word & ~_STORED) + checksum
    except struct.error:
        raise DecompressionFailed("lz4 data is corrupt: it is cut off") from None
    end = position + 4 if flags & _CONTENT_CHECKSUM else position
    if end > len(view):
        raise DecompressionFailed("lz4 data is corrupt: it is cut off")
    return found, end


def _inflate(view: memoryview, blocks: list[tuple[int, int]], block_max: int, max_bytes: int) -> bytes:
    parts: list[bytes] = []
    left = max_bytes
    for start, word in blocks:
        if word >= _STORED:
            part = bytes(view[start : start + word - _STORED])
        else:
            room = min(block_max, _RATIO_MAX * word)
            try:
                part = lz4.block.decompress(view[start : start + word], uncompressed_size=min(room, left))
            except lz4.block.LZ4BlockError as error:
                # The library does not say which it is; a block that may have needed more than is left is too large.
                if room > left:
                    raise DecompressionTooLarge("lz4", max_bytes) from None
                raise DecompressionFailed(f"lz4 data is corrupt: {error}") from None
        left -= len(part)
        if left < 0:
            raise DecompressionTooLarge("lz4", max_bytes)
        parts.append(part)
    return parts[0] if len(parts) == 1 else b"".join(parts)


def _decompress_any(view: memoryview, max_bytes: int) -> bytes:
    """Frames of any kind, one behind the other."""
    parts: list[bytes] = []
    left = max_bytes
    rest: Buffer = view
    while rest:
        reader = lz4.frame.LZ4FrameDecompressor()
        try:
            part = reader.decompress(rest, left + 1)
        except RuntimeError as error:
            raise DecompressionFailed(f"lz4 data is corrupt: {error}") from None
        left -= len(part)
        if left < 0:
            raise DecompressionTooLarge("lz4", max_bytes)
        if not reader.eof:
            raise DecompressionFailed("lz4 data is corrupt: it is cut off")
        parts.append(part)
        if len(parts) > _FRAMES_MAX:
            raise DecompressionFailed("lz4 data is cut into far too many frames")
        rest = reader.unused_data or b""
    return b"".join(parts)
