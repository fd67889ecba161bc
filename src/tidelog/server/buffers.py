"""Where bytes are received: one shared buffer for whole requests, borrowed ones for those that come in pieces.

A session hands every complete request on before its turn ends, so all of them receive into the same shared buffer and
an idle connection holds nothing. Only a request that is not complete yet needs room of its own. What is borrowed is
counted: when the bound is reached, sessions wait, oldest first, for others to give back. Room for a whole request is
counted before its first byte is kept, so two half-received requests never wait for each other.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

SHARED_BYTES = 256 * 1024
# Under pressure a turn receives little: what cannot be kept should not be taken from the socket.
SHARED_BYTES_SCARCE = 4096
# Requests up to this size get exactly their bytes; larger ones borrow a block with room for what follows them.
EXACT_BYTES_MAX = 16 * 1024
BLOCK_BYTES = 256 * 1024
FREE_BLOCKS_MAX = 16


class ReceiveBuffers:
    def __init__(self, bytes_max: int) -> None:
        self._shared = memoryview(bytearray(SHARED_BYTES))
        self.shared = self._shared
        self.used_bytes = 0
        self._bytes_max = bytes_max
        self._free: list[memoryview] = []
        self._waiting: deque[tuple[int, Callable[[], None]]] = deque()

    def reserve(self, size: int, when_free: Callable[[], None]) -> bool:
        """Counts `size` bytes; if they are not there now, `when_free` is called once they are (and counted)."""
        if self.used_bytes + size <= self._bytes_max or not self.used_bytes:
            self.used_bytes += size
            return True
        self._waiting.append((size, when_free))
        self.shared = self._shared[:SHARED_BYTES_SCARCE]
        return False

    def release(self, size: int) -> None:
        self.used_bytes -= size
        while self._waiting:
            wanted, when_free = self._waiting[0]
            if self.used_bytes and self.used_bytes + wanted > self._bytes_max:
                return
            self._waiting.popleft()
            self.used_bytes += wanted
            when_free()
        self.shared = self._shared

    def take_block(self) -> memoryview:
        return self._free.pop() if self._free else memoryview(bytearray(BLOCK_BYTES))

    def give_block(self, block: memoryview) -> None:
        if len(self._free) < FREE_BLOCKS_MAX:
            self._free.append(block)
