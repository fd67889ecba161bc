"""The bytes of a connection that do not make a whole request yet, and the memory they are given.

A session has one of these only while it needs it. Its size is counted with all others before the first byte is kept;
when there is too little memory, it holds just what came so far until its turn comes.
"""

from __future__ import annotations

from collections.abc import Callable

from tidelog.server.buffers import BLOCK_BYTES, EXACT_BYTES_MAX, ReceiveBuffers


class Inbox:
    __slots__ = (
        "_buffers",
        "_is_block",
        "_is_closed",
        "_on_fed",
        "_reserved",
        "_wanted",
        "filled",
        "is_starved",
        "view",
    )

    def __init__(self, buffers: ReceiveBuffers, on_fed: Callable[[], None]) -> None:
        self._buffers = buffers
        self._on_fed = on_fed
        self._is_block = self._is_closed = False
        self._reserved = self._wanted = 0
        self.view = memoryview(b"")
        self.filled = 0
        # Waits for memory: nothing may be received until `on_fed` is called.
        self.is_starved = False

    @property
    def is_full(self) -> bool:
        return self.filled == len(self.view)

    def hold(self, data: memoryview, needed: int) -> None:
        """Keeps `data`, the first bytes of a request that has `needed`; they may be its own from before."""
        size = _counted(needed)
        if size > self._reserved:
            self._unreserve()
            if not self._buffers.reserve(size, self._fed):
                self.is_starved = True
                self._wanted = needed
                self._replace(memoryview(bytearray(data)), len(data), False)
                return
            self._reserved = size
        self._grow(data, needed)

    def shift(self, position: int, end: int) -> None:
        """What lies before `position` is done with."""
        self.filled = end - position
        if position:
            self.view[: self.filled] = self.view[position:end]

    def close(self) -> None:
        """Gives all memory back; if it waits for some, that will be given back when it comes."""
        self._is_closed = True
        self._replace(memoryview(b""), 0, False)
        self._unreserve()

    def _fed(self) -> None:
        """Memory is there, and counted, for the request this waited with."""
        self._reserved = _counted(self._wanted)
        if self._is_closed:
            self._unreserve()
            return
        self.is_starved = False
        self._grow(self.view[: self.filled], self._wanted)
        self._on_fed()

    def _grow(self, data: memoryview, needed: int) -> None:
        is_block = EXACT_BYTES_MAX < needed <= BLOCK_BYTES
        if is_block:
            room = self._buffers.take_block()
        else:
            # A long request gets memory as its bytes arrive, never on its word alone.
            room = memoryview(bytearray(min(needed, max(2 * BLOCK_BYTES, 2 * len(data)))))
        room[: len(data)] = data
        self._replace(room, len(data), is_block)

    def _replace(self, room: memoryview, filled: int, is_block: bool) -> None:
        if self._is_block:
            self._buffers.give_block(self.view)
        self.view, self.filled, self._is_block = room, filled, is_block

    def _unreserve(self) -> None:
        reserved, self._reserved = self._reserved, 0
        if reserved:
            self._buffers.release(reserved)


def _counted(needed: int) -> int:
    """What a request of this size is counted as."""
    return needed if needed <= EXACT_BYTES_MAX else max(needed, BLOCK_BYTES)
