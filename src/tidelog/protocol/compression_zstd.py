"""zstd frames, inflated in one go into exactly the room that they may have.

A frame may not say how large its content is (Java's producer never does), and data may follow a frame. So the blocks
of a frame are walked first, which tells where it ends and that it is not cut off; then the library does the rest.
"""

from __future__ import annotations

from typing import Any

import zstandard

from tidelog.protocol.compression_errors import DecompressionFailed, DecompressionTooLarge

Buffer = bytes | bytearray | memoryview

DEFAULT_LEVEL = 3
_UNKNOWN = 2**64 - 1
_GUESS_RATIO = 8
_GUESS_BYTES_MIN = 16 * 1024
_SKIPPABLE = range(0x184D2A50, 0x184D2A60)
_RLE_BLOCK = 1
_POOLED_WINDOW_BYTES_MAX = 8 * 1024 * 1024
_POOLED_LEVELS_MAX = 8
# A context costs several times what a small batch does, and one must not be used by two threads at once. Taking it out
# of a list and putting it back are atomic, so each is with one thread at a time; a failed one is not put back.
_readers: list[Any] = []
_writers: dict[int, list[Any]] = {}


def compress(data: Buffer, level: int | None) -> bytes:
    level = DEFAULT_LEVEL if level is None else level
    pool = _writers.get(level)
    if pool is None:
        pool = _writers[level] = []
        if len(_writers) > _POOLED_LEVELS_MAX:
            del _writers[next(iter(_writers))]
    writer = pool.pop() if pool else zstandard.ZstdCompressor(level=level)
    compressed: bytes = writer.compress(data)
    pool.append(writer)
    return compressed


def decompress(data: Buffer, max_bytes: int) -> bytes:
    """All frames of `data`, together at most `max_bytes`."""
    view = memoryview(data)
    parts: list[bytes] = []
    left = max_bytes
    start = 0
    while start < len(view):
        if int.from_bytes(view[start : start + 4], "little") in _SKIPPABLE:
            start += 8 + int.from_bytes(view[start + 4 : start + 8], "little")
            continue
        rest = view[start:]
        try:
            frame = zstandard.get_frame_parameters(rest)
            end = _frame_end(rest, zstandard.frame_header_size(rest), frame.has_checksum)
            part = _inflate(rest[:end], frame, left)
        except zstandard.ZstdError as error:
            raise DecompressionFailed(f"zstd data is corrupt: {error}") from None
        if part is None:
            raise DecompressionTooLarge("zstd", max_bytes)
        parts.append(part)
        left -= len(part)
        start += end
        if len(parts) > 64 + len(view) // 64:
            raise DecompressionFailed("zstd data is cut into far too many frames")
    if start > len(view):
        raise DecompressionFailed("zstd data is corrupt: it is cut off")
    return parts[0] if len(parts) == 1 else b"".join(parts)


def _frame_end(view: memoryview, position: int, has_checksum: bool) -> int:
    """Where the frame ends; each block begins with three bytes: is it the last, its kind, its size."""
    length = len(view)
    while True:
        if position + 3 > length:
            raise DecompressionFailed("zstd data is corrupt: it is cut off")
        word = view[position] | view[position + 1] << 8 | view[position + 2] << 16
        position += 3 + (1 if word >> 1 & 3 == _RLE_BLOCK else word >> 3)
        if word & 1:
            break
    position += 4 if has_checksum else 0
    if position > length:
        raise DecompressionFailed("zstd data is corrupt: it is cut off")
    return position


def _inflate(data: memoryview, frame: Any, max_bytes: int) -> bytes | None:
    """The content of one whole frame; None if it is larger than allowed."""
    if frame.content_size == 0:
        return b""
    if frame.content_size != _UNKNOWN:
        return _attempt(data, frame, frame.content_size) if frame.content_size <= max_bytes else None
    room = min(max_bytes, _GUESS_RATIO * len(data) + _GUESS_BYTES_MIN)
    try:
        return _attempt(data, frame, room)
    except zstandard.ZstdError as error:
        if "full frame" not in str(error):
            raise
    # The frame is whole, so the room was too small. The memory beyond what is written is never touched.
    if room < max_bytes:
        try:
            return _attempt(data, frame, max_bytes)
        except zstandard.ZstdError as error:
            if "full frame" not in str(error):
                raise
    return None


def _attempt(data: memoryview, frame: Any, room: int) -> bytes:
    reader = _readers.pop() if _readers else zstandard.ZstdDecompressor()
    found: bytes = reader.decompress(data, max_output_size=room)
    if frame.window_size <= _POOLED_WINDOW_BYTES_MAX:
        _readers.append(reader)
    return found
