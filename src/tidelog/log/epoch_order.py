"""Whether the leader epochs of a log's batches can be right: no checksum covers them.

Epochs never go down from batch to batch, and where the checkpoint knows which one was in force, it is that one. The
checkpoint may lack the newest epochs, which were not flushed yet; it never has one that the log does not have.
"""

from __future__ import annotations

from bisect import bisect_right

from tidelog.replication.epochs import UNDEFINED_EPOCH, LeaderEpochs

_NO_LIMIT = 2**63


class EpochOrder:
    """`found` holds each epoch that is newer than all before it, with its first offset."""

    __slots__ = ("_epoch", "_known", "_limit", "found")

    def __init__(self, known: LeaderEpochs) -> None:
        self._known = known
        self._epoch = UNDEFINED_EPOCH
        self._limit = 0  # before this offset the checkpoint knows of no other epoch
        self.found: list[tuple[int, int]] = []

    def problem(self, epoch: int, offset: int) -> str | None:
        """What is wrong with the epoch of the next batch, which begins at `offset`."""
        if epoch == self._epoch and offset < self._limit:
            return None
        if epoch < self._epoch:
            return f"leader epoch {epoch} does not follow on {self._epoch}"
        known = self._known
        wanted = known.epoch_at(offset)
        if wanted not in (UNDEFINED_EPOCH, epoch) and (epoch <= known.latest or wanted != known.latest):
            return f"its leader epoch is {epoch}, and the checkpoint of epochs has {wanted} there"
        if epoch > self._epoch:
            self.found.append((epoch, offset))
        later = bisect_right(known.starts, offset)
        self._epoch, self._limit = epoch, known.starts[later] if later < len(known.starts) else _NO_LIMIT
        return None
