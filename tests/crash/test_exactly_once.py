"""A bounded share of the exactly-once soak: real workers, a real node, real kills, an independent judge."""

from pathlib import Path

import pytest

from soak.exactly_once import GROUP, SINK, SOURCE, Soak, history_of
from tidelog.sim.checker import check
from tidelog.sim.history import Read

# Two transactions that ended well, one that was aborted and done again, one whose worker was killed.
JOURNALS = ["begin a 0@a 1@a", "ok a", "begin b 2@b 3@b", "aborted b", "begin c 2@c 3@c", "ok c", "begin d 4@d 5@d"]
ALL = ["0@a", "1@a", "2@c", "3@c", "4@d", "5@d"]


def judged(*values: str, inputs: int = 6) -> set[str]:
    reads = [Read("final", (SINK, 0), place, value) for place, value in enumerate(values)]
    return {each.kind for each in check(history_of(JOURNALS, reads, inputs))}


def test_nothing_is_lost_doubled_torn_or_seen_after_an_abort(tmp_path: Path) -> None:
    soak = Soak(tmp_path, records=2_000, workers=2, seed=7, abort=0.1, batch=5)
    assert soak.run(kill_every_s=60, quiet=True, rounds=4) == []
    assert soak.kills["worker"] + soak.kills["node"] >= 3


def test_the_judge_lets_pass_what_is_allowed() -> None:
    assert judged(*ALL) == set()
    assert judged(*ALL[:4], inputs=4) == set(), "nobody was told what became of the last transaction"


@pytest.mark.parametrize(
    ("kind", "values"),
    [
        ("unseen", ["0@a", "1@a", "4@d", "5@d"]),  # lost: a commit that was acknowledged is nowhere
        ("unseen", ["0@a", "1@a", "2@c", "3@c"]),  # lost: the input of the killed worker never came out
        ("duplicate", [*ALL, "1@a"]),  # one record stands at two offsets
        ("duplicate", [*ALL, "4@e"]),  # one input came out of two transactions
        ("aborted-read", [*ALL[:2], "2@b", "3@b", *ALL[4:]]),
        ("torn-transaction", [*ALL[:5]]),  # one of the two records of the last transaction
        ("torn-transaction", ["0@a", *ALL[2:]]),
    ],
)
def test_the_judge_finds(kind: str, values: list[str]) -> None:
    assert kind in judged(*values)


def test_the_judge_finds_a_position_that_went_back() -> None:
    history = history_of(JOURNALS, [Read("final", (SINK, 0), place, value) for place, value in enumerate(ALL)], 6)
    history.commits = [(GROUP, (SOURCE, 1), position) for position in (0, 3, 3, 13_869, -1)]
    assert [each.kind for each in check(history)] == ["offset-regressed"]
