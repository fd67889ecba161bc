"""The key map of one compaction: as many keys as its memory holds, each with its latest offset."""

from __future__ import annotations

from array import array
from typing import Any

from tidelog.kernels import cleaning
from tidelog.kernels.clean_map import DONE, ENTRIES, FULL, LATEST, LIMIT, POSITION, READ, SLOT_WORDS, SPECIAL
from tidelog.ports import Buffer

SLOT_BYTES = 8 * SLOT_WORDS
SLOTS_MAX = 2**31 // SLOT_BYTES
_SLOTS_MIN = 64
_STATE_NUMBERS = 16

__all__ = ["DONE", "FULL", "SLOT_BYTES", "SPECIAL", "KeyMap"]


class KeyMap:
    def __init__(self, memory_bytes: int, load_factor: float, keys_max: int, seed: bytes) -> None:
        """Takes no more memory than `keys_max` keys can use: half full is quicker than as full as allowed."""
        most = min(memory_bytes // SLOT_BYTES, SLOTS_MAX)
        slots = max(min(most, 2 * keys_max), min(most, _SLOTS_MIN), 2)
        self.table: Any = memoryview(bytearray(slots * SLOT_BYTES)).cast("Q")
        self.seeds = int.from_bytes(seed[:8], "little"), int.from_bytes(seed[8:16], "little")
        self.state = array("q", bytes(8 * _STATE_NUMBERS))
        # One key at least, however small the memory: a round that gets nowhere would be followed by the same again.
        self.state[LIMIT] = max(1, min(int(most * load_factor), slots - 1))
        self.state[LATEST] = -1
        self.slots_most = most

    def put_batches(self, data: Buffer, position: int, end: int, start_offset: int) -> tuple[int, int]:
        """Plain batches from `position` on; why it stopped, and where."""
        why = cleaning.put_batches(self.table, *self.seeds, data, position, end, start_offset, self.state)
        return why, self.state[POSITION]

    def put_records(self, body: Buffer, count: int, base_offset: int, start_offset: int) -> int:
        return cleaning.put_records(self.table, *self.seeds, body, count, base_offset, start_offset, self.state)

    def latest_offset(self, key: bytes) -> int:
        """Of a key; -1 if it is not in the map."""
        return int(cleaning.latest_offset(self.table, *self.seeds, key))

    def read_up_to(self, offset: int) -> None:
        """Everything up to and with `offset` has been looked at."""
        if offset > self.state[LATEST]:
            self.state[LATEST] = offset

    @property
    def latest(self) -> int:
        """The last offset whose key the map knows; -1 before the first."""
        return self.state[LATEST]

    @property
    def entries(self) -> int:
        return self.state[ENTRIES]

    @property
    def records_read(self) -> int:
        return self.state[READ]

    @property
    def utilization(self) -> float:
        """How full the memory that it could have is."""
        return self.entries / self.slots_most if self.slots_most else 1.0
