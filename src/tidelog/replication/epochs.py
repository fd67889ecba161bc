"""Leader epochs of one partition: at which offset each leader's reign began.

Followers and consumers ask where an epoch ended to find out from where their copy or position differs. Epochs and start
offsets both grow from entry to entry.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable

UNDEFINED_EPOCH = -1
UNDEFINED_OFFSET = -1


class LeaderEpochs:
    __slots__ = ("cuts", "dirty", "epochs", "latest", "starts")

    def __init__(self, entries: Iterable[tuple[int, int]] = ()) -> None:
        self.epochs: list[int] = []
        self.starts: list[int] = []
        self.latest = UNDEFINED_EPOCH
        self.cuts = 0  # how often the end was forgotten: what was to be written before that is wrong now
        self.dirty = False
        for epoch, start in sorted(entries):
            self.assign(epoch, start)
        self.dirty = False

    def entries(self) -> list[tuple[int, int]]:
        return list(zip(self.epochs, self.starts))

    def assign(self, epoch: int, start_offset: int) -> bool:
        """A batch of `epoch` begins at `start_offset`; later entries that contradict it are dropped."""
        if epoch == self.latest and start_offset >= self.starts[-1]:
            return False
        assert min(epoch, start_offset) >= 0, f"epoch {epoch} at offset {start_offset}"
        keep = min(bisect_left(self.epochs, epoch), bisect_left(self.starts, start_offset))
        self.epochs[keep:] = [epoch]
        self.starts[keep:] = [start_offset]
        self.latest = epoch
        self.dirty = True
        return True

    def end_offset_for(self, epoch: int, log_end_offset: int) -> tuple[int, int]:
        """The last epoch known that is not past `epoch`, and the offset behind its records; (-1, -1) if none fits."""
        if epoch == UNDEFINED_EPOCH or epoch > self.latest:
            return UNDEFINED_EPOCH, UNDEFINED_OFFSET
        if epoch == self.latest:
            return epoch, log_end_offset
        after = bisect_right(self.epochs, epoch)
        if after == 0:
            # Older than anything known: it ended where the oldest known epoch began.
            return epoch, self.starts[0]
        return self.epochs[after - 1], self.starts[after]

    def epoch_at(self, offset: int) -> int:
        """The epoch that `offset` was or would be written in, or -1."""
        at = bisect_right(self.starts, offset)
        return self.epochs[at - 1] if at else UNDEFINED_EPOCH

    def truncate_from_end(self, end_offset: int) -> bool:
        """Forgets epochs that began at `end_offset` or later."""
        keep = bisect_left(self.starts, end_offset)
        if keep == len(self.starts):
            return False
        del self.epochs[keep:], self.starts[keep:]
        self.latest = self.epochs[-1] if self.epochs else UNDEFINED_EPOCH
        self.cuts += 1
        self.dirty = True
        return True

    def truncate_from_start(self, start_offset: int) -> bool:
        """Forgets what lies before `start_offset`; the epoch in force there now begins there."""
        drop = bisect_right(self.starts, start_offset) - 1
        if drop < 0 or (drop == 0 and self.starts[0] == start_offset):
            return False
        del self.epochs[:drop], self.starts[:drop]
        self.starts[0] = start_offset
        self.dirty = True
        return True

    def clear(self) -> None:
        self.truncate_from_end(0)

    def check_invariants(self) -> None:
        assert self.epochs == sorted(set(self.epochs)), self.epochs
        assert self.starts == sorted(set(self.starts)), self.starts
        assert self.latest == (self.epochs[-1] if self.epochs else UNDEFINED_EPOCH)
