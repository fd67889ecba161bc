"""What is said about a group that does not move, without a cluster."""

from typing import Any

import pytest

from tidelog.cli.group_explain import Place, findings
from tidelog.cli.group_lag import Lag
from tidelog.cli.group_rate import Rate
from tidelog.client.admin_groups import GroupView, MemberView
from tidelog.client.metadata import BrokerView

KEY = ("t", 0)
MEMBER = MemberView("m-1", "", "worker", "/10.0.0.1", (KEY,), 3, (KEY,))
IDLE = MemberView("m-2", "", "idle", "/10.0.0.2", (), 3, ())
LATE = MemberView("m-3", "", "late", "/10.0.0.3", (KEY,), 2, ())


def said(
    committed: int | None,
    records: int | None,
    members: tuple[MemberView, ...] = (MEMBER,),
    state: str = "Stable",
    read: float | None = None,
    **ends: int,
) -> list[tuple[str, str]]:
    view = GroupView("g", "Consumer", state, "uniform", BrokerView(1, "localhost", 9092, None), members, 3, 3)
    lag = Lag(committed, ends.get("stable", 10), ends.get("end", 10), records, None)
    place = Place(ends.get("start", 0), lag, None if read is None else Rate(read, 0.0))
    return [(each.subject, each.finding) for each in findings(view, {KEY: place}, [], 2)]


@pytest.mark.parametrize(
    ("given", "subject", "words"),
    [
        ({"committed": 4, "records": 6, "members": ()}, "g", "no members"),
        ({"committed": 4, "records": 6, "state": "PreparingRebalance"}, "g", "rebalancing"),
        (
            {"committed": 4, "records": 6, "members": (LATE, IDLE), "read": 1.0},
            "g",
            "late at 10.0.0.3 has still to give",
        ),
        ({"committed": 4, "records": 6, "read": 0.0}, "t-0", "worker at 10.0.0.1 has committed none in 2 s"),
        ({"committed": 4, "records": 6, "members": (IDLE,)}, "t-0", "no member has it"),
        ({"committed": 12, "records": 0}, "t-0", "past the end 10"),
        ({"committed": 1, "records": 6, "start": 4, "read": 0.0}, "t-0", "the log begins at 4"),
        ({"committed": 10, "records": 0, "end": 17}, "t-0", "an open transaction holds 7 offsets back"),
        ({"committed": None, "records": None}, "t-0", "has committed nothing yet"),
        ({"committed": 4, "records": 6, "read": 2.5}, "g", "it reads; 6 records are left"),
        ({"committed": 10, "records": 0}, "g", "nothing is in its way"),
    ],
)
def test_the_reason_is_told(given: dict[str, Any], subject: str, words: str) -> None:
    first, *_ = said(**given)
    assert first[0] == subject
    assert words in first[1]


def test_offsets_of_a_topic_that_is_gone() -> None:
    view = GroupView("g", "Classic", "Stable", "range", BrokerView(1, "localhost", 9092, None), (IDLE,))
    (found,) = findings(view, {}, [("old", 1)], 2)
    assert (found.subject, found.next) == ("old-1", "kafka-consumer-groups --delete-offsets --group g --topic old")
