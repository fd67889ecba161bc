"""What the leader of one partition knows of its replicas: who is in sync, how far each is, and the high watermark.

Pure: it is told about appends and follower fetches, and says when the high watermark moved. With no follower in sync
the high watermark is simply the end of the leader's own durable log.
"""

from __future__ import annotations


class LeaderState:
    __slots__ = ("_followers", "end_offset", "epoch", "high_watermark", "isr", "local_id")

    def __init__(self, local_id: int, epoch: int, isr: tuple[int, ...], end_offset: int, high_watermark: int) -> None:
        self.local_id = local_id
        self.epoch = epoch
        self.isr = isr
        self.end_offset = end_offset
        self.high_watermark = min(high_watermark, end_offset)
        # The end offsets that other replicas have shown by fetching; one that has not fetched yet holds it back.
        self._followers: dict[int, int] = {}
        self._advance()

    def appended(self, end_offset: int) -> bool:
        """The local log is durable up to `end_offset`; True when the high watermark moved."""
        self.end_offset = end_offset
        if len(self.isr) == 1:
            moved = end_offset > self.high_watermark
            if moved:
                self.high_watermark = end_offset
            return moved
        return self._advance()

    def follower_fetched(self, broker_id: int, end_offset: int) -> bool:
        """A follower asks from `end_offset` on, so it has everything before; True when the high watermark moved."""
        self._followers[broker_id] = end_offset
        return self._advance()

    def isr_changed(self, isr: tuple[int, ...]) -> bool:
        self.isr = isr
        return self._advance()

    def truncated(self, end_offset: int) -> None:
        self.end_offset = end_offset
        self.high_watermark = min(self.high_watermark, end_offset)

    def _advance(self) -> bool:
        behind = [self._followers.get(each, 0) for each in self.isr if each != self.local_id]
        lowest = min(self.end_offset, min(behind, default=self.end_offset))
        if lowest <= self.high_watermark:
            return False
        self.high_watermark = lowest
        return True

    def check_invariants(self) -> None:
        assert 0 <= self.high_watermark <= self.end_offset, "the high watermark lies within the log"
        assert self.local_id in self.isr, "a leader is always in sync with itself"
