"""What clients of a simulation were told and saw, as it happens; `history` is what the judge reads."""

from __future__ import annotations

from dataclasses import dataclass, field

from tidelog.sim.checker import History, Outcome, Read, Send, TopicPartition


class Sent:
    """One record on its way; unknown until somebody says otherwise."""

    __slots__ = ("offset", "outcome", "partition", "producer", "transaction", "value")

    def __init__(self, producer: str, partition: TopicPartition, value: str, transaction: str | None) -> None:
        self.producer = producer
        self.partition = partition
        self.value = value
        self.transaction = transaction
        self.outcome = Outcome.UNKNOWN
        self.offset = -1

    def acknowledged(self, offset: int) -> None:
        self.outcome, self.offset = Outcome.OK, offset


@dataclass(slots=True)
class Recorder:
    sent: list[Sent] = field(default_factory=list)
    reads: list[Read] = field(default_factory=list)
    transactions: dict[str, Outcome] = field(default_factory=dict)
    commits: list[tuple[str, TopicPartition, int]] = field(default_factory=list)
    final_readers: set[str] = field(default_factory=set)
    uncommitted_readers: set[str] = field(default_factory=set)
    # What members of a group were given: group, partition, offset.
    delivered: dict[tuple[str, TopicPartition], set[int]] = field(default_factory=dict)

    def send(self, producer: str, partition: TopicPartition, value: str, transaction: str | None = None) -> Sent:
        sent = Sent(producer, partition, value, transaction)
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
            [Send(s.producer, s.partition, s.value, s.outcome, s.offset, s.transaction) for s in self.sent],
            list(self.reads),
            dict(self.transactions),
            list(self.commits),
            set(self.final_readers),
            uncommitted_readers=set(self.uncommitted_readers),
            delivered=self.delivered,
        )
