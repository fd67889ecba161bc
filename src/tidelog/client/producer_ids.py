"""The idempotent producer's identity: producer id, epoch, and the next sequence of each partition."""

from __future__ import annotations

from tidelog.client.accumulator import Batch

_EPOCH_MAX = 32_767
_SEQUENCE_MASK = 0x7FFFFFFF


class ProducerIdentity:
    """Without an id (`producer_id` -1) batches carry no sequences."""

    def __init__(self) -> None:
        self.producer_id = -1
        self.epoch = -1
        self._next: dict[tuple[str, int], int] = {}

    @property
    def is_known(self) -> bool:
        return self.producer_id >= 0

    def assume(self, producer_id: int, epoch: int) -> None:
        self.producer_id = producer_id
        self.epoch = epoch
        self._next.clear()

    def number(self, batch: Batch) -> None:
        """Gives the batch its sequence; a retry keeps the one it has, by which the broker knows it."""
        if batch.sequence >= 0 or not self.is_known:
            return
        key = (batch.topic, batch.partition)
        batch.sequence = self._next.get(key, 0)
        self._next[key] = (batch.sequence + len(batch.records)) & _SEQUENCE_MASK

    def start_over(self, waiting: list[Batch]) -> None:
        """After a batch is lost for good its successors would never be accepted: a new epoch, numbered from zero."""
        if self.epoch >= _EPOCH_MAX:
            self.producer_id = self.epoch = -1
        else:
            self.epoch += 1
        self._next.clear()
        for batch in waiting:
            batch.sequence = -1
