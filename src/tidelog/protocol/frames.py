"""Cutting the byte stream of one connection into frames, with at most one copy of each byte.

Small frames are copied out of one reusable buffer. A frame that does not fit gets memory of its own, and the rest of
it is received straight into that.
"""

from __future__ import annotations

from collections.abc import Callable
from struct import Struct

FRAME_BYTES_MAX = 256 * 1024 * 1024
_BUFFER_BYTES = 64 * 1024
_SIZE = Struct(">i").unpack_from


class BadFrame(ValueError):
    """The peer does not speak the Kafka protocol: the length in front of a frame makes no sense."""


class FrameReader:
    def __init__(self, on_frame: Callable[[bytes | bytearray], None]) -> None:
        self._on_frame = on_frame
        self._buffer = bytearray(_BUFFER_BYTES)
        self._view = memoryview(self._buffer)
        self._filled = 0
        self._frame: bytearray | None = None
        self._frame_filled = 0

    def get_buffer(self) -> memoryview:
        if self._frame is not None:
            return memoryview(self._frame)[self._frame_filled :]
        return self._view[self._filled :] if self._filled else self._view

    def buffer_updated(self, length: int) -> None:
        if self._frame is None:
            if not self._filled and length >= 8 and _SIZE(self._view)[0] == length - 4:
                self._on_frame(self._view[4:length].tobytes())  # one frame and no more, as it is most of the time
                return
            self._filled += length
            self._cut()
            return
        self._frame_filled += length
        if self._frame_filled == len(self._frame):
            frame, self._frame = self._frame, None
            self._on_frame(frame)

    def _cut(self) -> None:
        start = 0
        while self._filled - start >= 4:
            size = int.from_bytes(self._view[start : start + 4], "big", signed=True)
            if not 4 <= size <= FRAME_BYTES_MAX:
                raise BadFrame(f"a frame of {size} bytes")
            if start + 4 + size > self._filled:
                break
            self._on_frame(bytes(self._view[start + 4 : start + 4 + size]))
            start += 4 + size
        self._keep_rest(start)

    def _keep_rest(self, start: int) -> None:
        rest = self._filled - start
        if not rest:
            self._filled = 0
            return
        if rest >= 4:
            size = int.from_bytes(self._view[start : start + 4], "big")
            if size > _BUFFER_BYTES - 4:
                self._frame = bytearray(size)
                self._frame[: rest - 4] = self._view[start + 4 : self._filled]
                self._frame_filled = rest - 4
                self._filled = 0
                return
        self._buffer[:rest] = self._buffer[start : self._filled]
        self._filled = rest
