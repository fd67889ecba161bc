"""Produce requests of one connection's transactions: one after the other, also when one of them fails half-way."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from tidelog.api.context import CLOSE
from tidelog.api.txn_produce import HEADER_BYTES, verify_then_append
from tidelog.protocol.errors import ErrorCode

Verified = Callable[[dict[tuple[str, int], ErrorCode]], None]


class Transactions:
    """Keeps whom it was asked by; fails at the number that it is told."""

    def __init__(self, fails_at: int = -1) -> None:
        self.asked: list[Verified] = []
        self.fails_at = fails_at

    def is_verified(self, *_: object) -> bool:
        return False

    def verify(self, _id: str, _producer: object, _partitions: object, _add: bool, done: Verified) -> None:
        self.asked.append(done)
        if len(self.asked) == self.fails_at:
            raise RuntimeError("a defect")


class Story:
    def __init__(self, fails_at: int = -1) -> None:
        self.broker: Any = SimpleNamespace(transactions=Transactions(fails_at))
        self.connection = SimpleNamespace(txn_produces=None)
        self.answers: list[tuple[str, object]] = []

    def produce(self, name: str, producers: int) -> None:
        """A request with one batch of each of so many producers."""
        body = memoryview(bytearray(HEADER_BYTES * producers))
        for number in range(producers):
            body[HEADER_BYTES * number + 50] = number + 1
        topics: Any = {b"t": {number: SimpleNamespace(topic="t", index=number) for number in range(producers)}}
        batches = [(b"t", number, HEADER_BYTES * number, HEADER_BYTES * (number + 1)) for number in range(producers)]
        context: Any = SimpleNamespace(
            version=12, connection=self.connection, respond=lambda parts: self.answers.append((name, parts))
        )
        verify_then_append(self.broker, context, topics, body, "id", batches, lambda *_: [name.encode()])

    def verified(self, number: int) -> None:
        self.broker.transactions.asked[number]({("t", index): ErrorCode.NONE for index in range(9)})


def test_one_after_the_other() -> None:
    story = Story()
    story.produce("one", 2)
    story.produce("two", 1)
    assert len(story.broker.transactions.asked) == 2, "the second waits"
    story.verified(0)
    story.verified(1)
    story.verified(2)
    assert story.answers == [("one", [b"one"]), ("two", [b"two"])]


def test_answers_that_come_after_the_failure_belong_to_nobody() -> None:
    story = Story(fails_at=2)
    story.produce("one", 2)
    assert story.answers == [("one", CLOSE)]
    story.produce("two", 1)
    story.verified(0)
    story.verified(1)
    assert story.answers == [("one", CLOSE)], "the second request still waits for its own answer"
    story.verified(2)
    assert story.answers == [("one", CLOSE), ("two", [b"two"])]
