"""The judge is judged: a clean history passes, and every class of anomaly is found in a history that has it."""

from __future__ import annotations

import pytest

from tidelog.sim.checker import check
from tidelog.sim.history import EndOffset, History, Outcome, Read, Send, TxnPoll

P = ("t", 0)
OK, FAILED, UNKNOWN = Outcome.OK, Outcome.FAILED, Outcome.UNKNOWN


def sent(value: str, offset: int = -1, outcome: Outcome = OK, transaction: str | None = None) -> Send:
    return Send("p", P, value, outcome, offset, transaction)


def read(value: str, offset: int, reader: str = "final") -> Read:
    return Read(reader, P, offset, value)


def polled(transaction: str, value: str, offset: int) -> TxnPoll:
    return TxnPoll(transaction, P, offset, value)


def kinds(**parts: object) -> set[str]:
    return {anomaly.kind for anomaly in check(History(**parts))}  # type: ignore[arg-type]


def test_a_clean_history_passes() -> None:
    history = History(
        sends=[
            sent("a", 0),
            sent("b", 1),
            sent("lost-answer", outcome=UNKNOWN),
            sent("refused", outcome=FAILED),
            sent("x", 2, transaction="tx1"),
            sent("y", 3, transaction="tx1"),
            sent("z", 5, transaction="tx2"),
            sent("w", outcome=UNKNOWN, transaction="tx3"),
        ],
        reads=[read("a", 0), read("b", 1), read("x", 2), read("y", 3)],
        transactions={"tx1": OK, "tx2": FAILED, "tx3": UNKNOWN},
        commits=[("g", P, 1), ("g", P, 1), ("g", P, 4)],
        final_readers={"final"},
    )
    assert check(history) == []


@pytest.mark.parametrize(
    ("kind", "parts"),
    [
        ("inconsistent-offsets", {"sends": [sent("a", 0)], "reads": [read("b", 0)]}),
        ("duplicate", {"reads": [read("a", 0), read("a", 1)]}),
        ("lost-write", {"sends": [sent("a", 0), sent("b", 1)], "reads": [read("b", 1)]}),
        ("unseen", {"sends": [sent("a", 5)], "final_readers": {"final"}}),
        (
            "aborted-read",
            {"sends": [sent("a", transaction="t")], "reads": [read("a", 0)], "transactions": {"t": FAILED}},
        ),
        ("failed-read", {"sends": [sent("a", outcome=FAILED)], "reads": [read("a", 0)]}),
        (
            "torn-transaction",
            {
                "sends": [sent("a", outcome=UNKNOWN, transaction="t"), sent("b", outcome=UNKNOWN, transaction="t")],
                "reads": [read("a", 0)],
                "final_readers": {"final"},
            },
        ),
        ("nonmonotonic-poll", {"reads": [read("b", 1), read("a", 0)]}),
        (
            "poll-skip",
            {
                "reads": [read("a", 0), read("b", 1), read("c", 2), read("a", 0, "one"), read("c", 2, "one")],
                "final_readers": {"final"},
            },
        ),
        (
            "dirty-read",
            {
                "sends": [sent("a", outcome=UNKNOWN)],
                "reads": [read("a", 0, "one"), read("b", 1)],
                "final_readers": {"final"},
            },
        ),
        (
            "precommitted-read",
            {"sends": [sent("a", transaction="t", outcome=UNKNOWN)], "polls": [polled("t", "a", 0)]},
        ),
        ("int-nonmonotonic-poll", {"polls": [polled("t", "b", 1), polled("t", "a", 0)]}),
        (
            "int-poll-skip",
            {
                "polls": [polled("t", "a", 0), polled("t", "c", 2)],
                "reads": [read("a", 0), read("b", 1), read("c", 2)],
                "final_readers": {"final"},
            },
        ),
        (
            "G1c",
            {
                "sends": [sent("a", transaction="t1"), sent("b", transaction="t2"), sent("c", transaction="t3")],
                "polls": [polled("t2", "a", 0), polled("t3", "b", 1), polled("t1", "c", 2)],
            },
        ),
        (
            "zombie-write",
            {"sends": [Send("p", P, "a", OK, 3, None, 7.0, 8.0)], "fenced": {"p": 6.5}},
        ),
        (
            "stale-offsets",
            {"sends": [Send("p", P, "a", OK, 3, None, 1.0, 2.0)], "ends": [EndOffset(P, 2.5, 3)]},
        ),
        ("nonmonotonic-send", {"sends": [sent("a", 4), sent("b", 3)]}),
        ("offset-regressed", {"commits": [("g", P, 5), ("g", P, 4)]}),
    ],
)
def test_every_class_of_anomaly_is_found(kind: str, parts: dict[str, object]) -> None:
    assert kind in kinds(**parts)


def test_what_is_allowed_is_no_anomaly() -> None:
    """Gaps where nothing was committed, readers in a line, an end that was asked for before the record was there."""
    history = History(
        sends=[
            Send("p", P, "a", OK, 0, "t1", 1.0, 2.0),
            Send("q", P, "c", OK, 4, "t2", 1.0, 2.0),
            Send("p", P, "d", FAILED, -1, None, 9.0, 9.0),
        ],
        reads=[read("a", 0), read("c", 4), read("a", 0, "one"), read("c", 4, "one")],
        transactions={"t1": OK, "t2": OK, "t3": OK},
        polls=[polled("t2", "a", 0), polled("t3", "a", 0), polled("t3", "c", 4)],
        ends=[EndOffset(P, 1.5, 0), EndOffset(P, 3.0, 5)],
        fenced={"p": 5.0},
        final_readers={"final"},
    )
    assert check(history) == []


def test_reading_in_a_long_line_is_no_circle() -> None:
    count = 3000
    sends = [sent(f"v{number}", number, transaction=f"t{number}") for number in range(count)]
    polls = [polled(f"t{number + 1}", f"v{number}", number) for number in range(count)]
    outcomes = {f"t{number}": OK for number in range(count + 1)}
    reads = [read(f"v{number}", number) for number in range(count)]
    assert kinds(sends=sends, polls=polls, transactions=outcomes, reads=reads) == set()
