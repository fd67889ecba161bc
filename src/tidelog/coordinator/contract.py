"""What every coordinator is: a replicated state machine over one partition of its own topic.

A handler reads the state and answers with `Effects`. Hard state changes only in `replay`, on the leader after the
append and on a new leader while it loads. Soft state (who waits for an answer, session deadlines) dies with the
leadership. A reply leaves the node only when every record appended before it is committed, so a reader never sees what
may still be lost.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

Token = Hashable


class CoordinatorRecord(NamedTuple):
    """One record for the coordinator's partition; a value of None is a tombstone."""

    key: bytes
    value: bytes | None


class KnownRecord(CoordinatorRecord):
    """A record whose maker had at hand what a reader of it would find; `replay` then need not read it again."""

    meaning: Any


@dataclass(slots=True)
class Effects:
    """What a handler wants done: records appended as one batch, then replies sent to the requests that wait."""

    records: list[CoordinatorRecord] = field(default_factory=list)
    replies: list[tuple[Token, Any]] = field(default_factory=list)
    # What goes to other parts of the cluster once the records are committed; the driver is built with a taker.
    sends: list[Any] = field(default_factory=list)
    # Set when the records belong to a producer's transaction (offsets committed within it).
    producer_id: int = -1
    producer_epoch: int = -1
    # Called when the records could not be written: takes back what the handler changed before its records were.
    not_written: Callable[[int], Effects] | None = None

    def reply(self, token: Token, response: Any) -> Effects:
        self.replies.append((token, response))
        return self

    def extend(self, other: Effects) -> Effects:
        assert other.producer_id == -1 or not other.records, "transactional records travel in a batch of their own"
        self.records += other.records
        self.replies += other.replies
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
        """When `tick` should be called next, on the clock of `now_ms`."""
        ...

    def tick(self, now_ms: int) -> Effects: ...
