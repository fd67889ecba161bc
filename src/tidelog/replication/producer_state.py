"""What a partition remembers of its producers: sequence numbers for idempotence, and the transactions that are open.

A producer's batches carry id, epoch and sequence. The last five batches of each are remembered, so that a retry is
recognised and answered with the offsets of the first try. The offset before which every transaction is decided, the
last stable offset, comes from here as well.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from tidelog.protocol.errors import ErrorCode, KafkaError

NO_EPOCH = -1
NO_SEQUENCE = -1
NO_OFFSET = -1
BATCHES_KEPT = 5
SEQUENCE_MASK = 0x7FFFFFFF


class BatchMetadata(NamedTuple):
    first_sequence: int
    last_sequence: int
    base_offset: int
    last_offset: int
    timestamp: int


_make_batch: Callable[[tuple[int, int, int, int, int]], BatchMetadata] = partial(tuple.__new__, BatchMetadata)


class CompletedTxn(NamedTuple):
    producer_id: int
    first_offset: int
    last_offset: int
    is_aborted: bool


class ProducerEntry:
    __slots__ = ("batches", "coordinator_epoch", "epoch", "last_timestamp", "producer_id", "txn_first_offset")

    def __init__(self, producer_id: int, epoch: int = NO_EPOCH) -> None:
        self.producer_id = producer_id
        self.epoch = epoch
        self.coordinator_epoch = -1
        self.last_timestamp = -1
        self.txn_first_offset = NO_OFFSET
        self.batches: list[BatchMetadata] = []

    @property
    def last_sequence(self) -> int:
        return self.batches[-1].last_sequence if self.batches else NO_SEQUENCE

    @property
    def last_offset(self) -> int:
        return self.batches[-1].last_offset if self.batches else NO_OFFSET

    def find_duplicate(self, epoch: int, first_sequence: int, last_sequence: int) -> BatchMetadata | None:
        if epoch == self.epoch:
            for batch in self.batches:
                if batch[0] == first_sequence and batch[1] == last_sequence:
                    return batch
        return None

    def set_epoch(self, epoch: int) -> None:
        if epoch != self.epoch:
            self.batches = []
            self.epoch = epoch


class ProducerState:
    """Of one partition. `end_offset` is the offset up to which the log has been taken into account."""

    __slots__ = ("end_offset", "entries", "entries_max", "open_txns", "unreplicated_txns")

    def __init__(self, end_offset: int = 0, entries_max: int = 100_000) -> None:
        self.entries: dict[int, ProducerEntry] = {}
        self.entries_max = entries_max
        self.end_offset = end_offset
        self.open_txns: dict[int, int] = {}  # first offset -> producer id, in the order of the offsets
        self.unreplicated_txns: dict[
            int, int
        ] = {}  # first offset -> offset of the marker, not yet under the high watermark

    def check(
        self, producer_id: int, epoch: int, first_sequence: int, last_sequence: int, transactional: bool
    ) -> BatchMetadata | None:
        """Judges a client's batch before it is written: gives the batch it repeats, if any; raises if it may not be."""
        entry = self.entries.get(producer_id)
        if entry is None:
            if epoch < NO_EPOCH:
                raise KafkaError(
                    ErrorCode.INVALID_PRODUCER_EPOCH, f"{epoch} of producer {producer_id} is no epoch; they begin at 0."
                )
            return None  # the first batch of a producer not (or no longer) known here may carry any sequence
        if epoch == entry.epoch:
            batches = entry.batches
            last = batches[-1][1] if batches else NO_SEQUENCE
            if first_sequence != (last + 1) & SEQUENCE_MASK:  # the usual case first; no repetition can be in order
                duplicate = entry.find_duplicate(epoch, first_sequence, last_sequence)
                if duplicate is None:
                    raise _out_of_order(entry, first_sequence, f"the last sequence seen is {last}")
                return duplicate
        elif epoch < entry.epoch:
            raise _fenced(entry, epoch)
        elif first_sequence != 0:
            raise _out_of_order(entry, first_sequence, f"epoch {epoch} is new and must begin at sequence 0")
        if entry.txn_first_offset >= 0 and not transactional:
            raise KafkaError(
                ErrorCode.INVALID_TXN_STATE,
                f"Producer {producer_id} has an open transaction here; end it before writing outside of a transaction.",
            )
        return None

    def check_epoch(self, producer_id: int, epoch: int) -> None:
        """Judges a batch that did not come from a client: only its epoch counts."""
        entry = self.entries.get(producer_id)
        if entry is not None and epoch < entry.epoch:
            raise _fenced(entry, epoch)

    def check_marker(self, producer_id: int, epoch: int, coordinator_epoch: int, transaction_version: int = 0) -> None:
        """From transaction version 2 on a transaction ends with a new epoch: the same one is only a marker again."""
        self.check_epoch(producer_id, epoch)
        entry = self.entries.get(producer_id)
        if entry is not None and transaction_version >= 2 and epoch == entry.epoch and entry.txn_first_offset >= 0:
            raise _fenced(entry, epoch)
        if entry is not None and coordinator_epoch < entry.coordinator_epoch:
            raise KafkaError(
                ErrorCode.TRANSACTION_COORDINATOR_FENCED,
                f"The marker for producer {producer_id} comes from coordinator epoch {coordinator_epoch}, "
                f"but epoch {entry.coordinator_epoch} has already written here.",
            )

    def append(
        self,
        producer_id: int,
        epoch: int,
        first_sequence: int,
        last_sequence: int,
        base_offset: int,
        last_offset: int,
        timestamp: int,
        transactional: bool,
    ) -> None:
        """A data batch has been written."""
        entry = self.entries.get(producer_id)
        if entry is None:
            entry = self._add(producer_id, epoch)
        if epoch != entry.epoch:
            entry.set_epoch(epoch)
        batches = entry.batches
        if len(batches) == BATCHES_KEPT:
            del batches[0]
        batches.append(_make_batch((first_sequence, last_sequence, base_offset, last_offset, timestamp)))
        entry.last_timestamp = timestamp
        if transactional and entry.txn_first_offset < 0:
            entry.txn_first_offset = base_offset
            self.open_txns[base_offset] = producer_id

    def end_txn(
        self, producer_id: int, epoch: int, coordinator_epoch: int, commit: bool, offset: int, timestamp: int
    ) -> CompletedTxn | None:
        """A marker has been written at `offset`; gives the transaction it ends, if that wrote anything here."""
        entry = self.entries.get(producer_id)
        if entry is None:
            entry = self._add(producer_id, epoch)
        first = entry.txn_first_offset
        entry.set_epoch(epoch)
        entry.coordinator_epoch = coordinator_epoch
        entry.txn_first_offset = NO_OFFSET
        entry.last_timestamp = timestamp
        return CompletedTxn(producer_id, first, offset, not commit) if first >= 0 else None

    def stable_offset_after(self, completed: CompletedTxn) -> int:
        """The last stable offset once `completed` is decided."""
        for first, producer_id in self.open_txns.items():
            if producer_id != completed.producer_id:
                return first
        return completed.last_offset + 1

    def complete(self, completed: CompletedTxn) -> None:
        del self.open_txns[completed.first_offset]
        self.unreplicated_txns[completed.first_offset] = completed.last_offset

    def on_high_watermark(self, high_watermark: int) -> None:
        """Markers under the high watermark decide their transactions for every replica."""
        if self.unreplicated_txns:
            self.unreplicated_txns = {f: last for f, last in self.unreplicated_txns.items() if last >= high_watermark}

    def first_unstable_offset(self) -> int | None:
        """Where the first transaction begins that is open, or decided only above the high watermark."""
        if not self.open_txns and not self.unreplicated_txns:
            return None
        first_open = next(iter(self.open_txns), None)
        first_unreplicated = min(self.unreplicated_txns, default=None)
        return min(offset for offset in (first_open, first_unreplicated) if offset is not None)

    def remove_expired(self, now_ms: int, expiration_ms: int) -> int:
        """Forgets producers that have been idle for that long and have no open transaction."""
        gone = [
            entry.producer_id
            for entry in self.entries.values()
            if entry.txn_first_offset < 0 and now_ms - entry.last_timestamp >= expiration_ms
        ]
        for producer_id in gone:
            del self.entries[producer_id]
        return len(gone)

    def load(self, entry: ProducerEntry) -> None:
        """An entry out of a snapshot."""
        self.entries[entry.producer_id] = entry
        if entry.txn_first_offset >= 0:
            self.open_txns[entry.txn_first_offset] = entry.producer_id
            self.open_txns = dict(sorted(self.open_txns.items()))

    def clear(self, end_offset: int) -> None:
        self.entries.clear()
        self.open_txns.clear()
        self.unreplicated_txns.clear()
        self.end_offset = end_offset

    def on_log_start_offset(self, log_start_offset: int) -> None:
        """Transactions that ended before the log begins need no further care; open ones cannot lie there."""
        self.unreplicated_txns = {f: last for f, last in self.unreplicated_txns.items() if last >= log_start_offset}

    def _add(self, producer_id: int, epoch: int) -> ProducerEntry:
        if len(self.entries) >= self.entries_max:
            self._forget_idlest()
        entry = self.entries[producer_id] = ProducerEntry(producer_id, epoch)
        return entry

    def _forget_idlest(self) -> None:
        """A tenth at once, so that a flood of producer ids does not pay for a search each time."""
        idle = sorted((entry.last_timestamp, key) for key, entry in self.entries.items() if entry.txn_first_offset < 0)
        for _, producer_id in idle[: max(1, self.entries_max // 10)]:
            del self.entries[producer_id]

    def check_invariants(self) -> None:
        assert list(self.open_txns) == sorted(self.open_txns)
        for first, producer_id in self.open_txns.items():
            assert self.entries[producer_id].txn_first_offset == first
        assert all(len(entry.batches) <= BATCHES_KEPT for entry in self.entries.values())


def _out_of_order(entry: ProducerEntry, first_sequence: int, why: str) -> KafkaError:
    return KafkaError(
        ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER,
        f"Sequence {first_sequence} of producer {entry.producer_id} is out of order: {why}.",
    )


def _fenced(entry: ProducerEntry, epoch: int) -> KafkaError:
    return KafkaError(
        ErrorCode.INVALID_PRODUCER_EPOCH,
        f"Epoch {epoch} of producer {entry.producer_id} is older than {entry.epoch}, which has already written here.",
    )
