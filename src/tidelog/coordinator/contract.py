"""What every coordinator is: a replicated state machine over one partition of its own topic.

A handler reads the state and answers with `Effects`. Hard state changes only in `replay`, on the leader after the
append and on a new leader while it loads. Soft state (who waits for an answer, session deadlines) dies with the
leadership. A reply leaves the node only when every record appended before it is committed, so a reader never sees what
may still be lost.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple, Protocol

Token = Hashable


class CoordinatorRecord(NamedTuple):
    """One record for the coordinator's partition; a value of None is a tombstone."""

    key: bytes
    value: bytes | None


class KnownRecord(CoordinatorRecord):
    """A record whose maker had at hand what a reader of it would find; `replay` then need not read it again."""

    meaning: Any


# A third of the time that calling the class takes.
_make_known: Callable[[tuple[bytes, bytes]], KnownRecord] = partial(tuple.__new__, KnownRecord)


def known_record(key: bytes, value: bytes, meaning: Any) -> KnownRecord:
    record = _make_known((key, value))
    record.meaning = meaning
    return record


@dataclass(slots=True, init=False)
class Effects:
    """What a handler wants done: records appended as one batch, then replies sent to the requests that wait."""

    records: list[CoordinatorRecord]
    replies: list[tuple[Token, Any]]
    # What goes to other parts of the cluster once the records are committed; the driver is built with a taker.
    sends: list[Any]
    # Set when the records belong to a producer's transaction (offsets committed within it).
    producer_id: int
    producer_epoch: int
    # Called when the records could not be written: takes back what the handler changed before its records were.
    not_written: Callable[[int], Effects] | None

    def __init__(
        self,
        records: list[CoordinatorRecord] | None = None,
        replies: list[tuple[Token, Any]] | None = None,
        sends: list[Any] | None = None,
        producer_id: int = -1,
        producer_epoch: int = -1,
        not_written: Callable[[int], Effects] | None = None,
    ) -> None:
        self.records = [] if records is None else records
        self.replies = [] if replies is None else replies
        self.sends = [] if sends is None else sends
        self.producer_id = producer_id
        self.producer_epoch = producer_epoch
        self.not_written = not_written

    def reply(self, token: Token, response: Any) -> Effects:
        self.replies.append((token, response))
        return self

    def extend(self, other: Effects) -> Effects:
        assert other.producer_id == -1 or not other.records, "transactional records travel in a batch of their own"
        if other.records:
            self.records += other.records
        self.replies += other.replies
        if other.sends:
            self.sends += other.sends
        self.not_written = self.not_written or other.not_written
        return self


class Shard(Protocol):
    """The machine of one coordinator partition."""

    def replay(self, offset: int, producer_id: int, producer_epoch: int, record: CoordinatorRecord) -> None:
        """Applies one record; producer_id is -1 unless the record is part of a transaction still open."""
        ...

    def replay_end_transaction(self, producer_id: int, producer_epoch: int, committed: bool) -> None: ...

    def loaded(self, now_ms: int) -> Effects:
        """Called once after the last record was replayed and before the first request."""
        ...

    def unloaded(self) -> Effects:
        """Leadership is gone: answers everyone who waits; its records are dropped."""
        ...

    def next_deadline_ms(self) -> int | None:
        """When `tick` should be called next, on the clock of `now_ms`; there may turn out to be nothing to do then."""
        ...

    def tick(self, now_ms: int) -> Effects: ...
