"""The judge is judged: a clean history passes, and every class of anomaly is found in a history that has it."""

from __future__ import annotations

import pytest

from tidelog.sim.checker import History, Outcome, Read, Send, check

P = ("t", 0)
OK, FAILED, UNKNOWN = Outcome.OK, Outcome.FAILED, Outcome.UNKNOWN


def sent(value: str, offset: int = -1, outcome: Outcome = OK, transaction: str | None = None) -> Send:
    return Send("p", P, value, outcome, offset, transaction)


def read(value: str, offset: int, reader: str = "final") -> Read:
    return Read(reader, P, offset, value)


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
        ("poll-skip", {"reads": [read("a", 0), read("c", 2)], "allow_gaps": False}),
        ("nonmonotonic-send", {"sends": [sent("a", 4), sent("b", 3)]}),
        ("offset-regressed", {"commits": [("g", P, 5), ("g", P, 4)]}),
    ],
)
def test_every_class_of_anomaly_is_found(kind: str, parts: dict[str, object]) -> None:
    assert kind in kinds(**parts)
