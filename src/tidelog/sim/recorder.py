"""What clients of a simulation were told and saw, as it happens; `history` is what the judge reads."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from tidelog.sim.history import EndOffset, History, Outcome, Read, Send, TopicPartition, TxnPoll


class Sent:
    """One record on its way; unknown until somebody says otherwise."""

    __slots__ = ("began_s", "ended_s", "now", "offset", "outcome", "partition", "producer", "transaction", "value")

    def __init__(
        self, producer: str, partition: TopicPartition, value: str, transaction: str | None, now: Callable[[], float]
    ) -> None:
        self.producer = producer
        self.partition = partition
        self.value = value
        self.transaction = transaction
        self.outcome = Outcome.UNKNOWN
        self.offset = -1
        self.now = now
        self.began_s = now()
        self.ended_s = 0.0

    def acknowledged(self, offset: int) -> None:
        self.outcome, self.offset, self.ended_s = Outcome.OK, offset, self.now()


@dataclass(slots=True)
class Recorder:
    now: Callable[[], float] = float
    sent: list[Sent] = field(default_factory=list)
    reads: list[Read] = field(default_factory=list)
    transactions: dict[str, Outcome] = field(default_factory=dict)
    commits: list[tuple[str, TopicPartition, int]] = field(default_factory=list)
    final_readers: set[str] = field(default_factory=set)
    uncommitted_readers: set[str] = field(default_factory=set)
    # Where partitions ended when somebody asked, and what transactions read, in order.
    ends: list[EndOffset] = field(default_factory=list)
    reigns: dict[TopicPartition, dict[int, float]] = field(default_factory=dict)
    polls: list[TxnPoll] = field(default_factory=list)
    # When another producer took over the transactional id of this one.
    fenced: dict[str, float] = field(default_factory=dict)
    # What members of a group were given: group, partition, offset.
    delivered: dict[tuple[str, TopicPartition], set[int]] = field(default_factory=dict)

    def send(self, producer: str, partition: TopicPartition, value: str, transaction: str | None = None) -> Sent:
        sent = Sent(producer, partition, value, transaction, self.now)
        self.sent.append(sent)
        return sent

    def read(self, reader: str, partition: TopicPartition, offset: int, value: bytes | None) -> None:
        self.reads.append(Read(reader, partition, offset, (value or b"").decode()))

    def given(self, group: str, partition: TopicPartition, offset: int) -> None:
        self.delivered.setdefault((group, partition), set()).add(offset)

    @property
    def acknowledged(self) -> int:
        return sum(1 for each in self.sent if each.outcome is Outcome.OK)

    def history(self) -> History:
        return History(
            [
                Send(s.producer, s.partition, s.value, s.outcome, s.offset, s.transaction, s.began_s, s.ended_s)
                for s in self.sent
            ],
            list(self.reads),
            dict(self.transactions),
            list(self.commits),
            set(self.final_readers),
            uncommitted_readers=set(self.uncommitted_readers),
            delivered=self.delivered,
            ends=self.ends,
            reigns=self.reigns,
            polls=self.polls,
            fenced=self.fenced,
        )
