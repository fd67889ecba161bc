"""The high watermark, as the leader works it out."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tidelog.replication.leader import LeaderState


def test_alone_the_leader_commits_what_it_has() -> None:
    leader = LeaderState(1, 5, (1,), 10, 4)
    assert leader.high_watermark == 10
    assert leader.appended(12)
    assert leader.high_watermark == 12
    assert not leader.appended(12)


def test_followers_in_sync_hold_it_back() -> None:
    leader = LeaderState(1, 5, (1, 2, 3), 10, 4)
    assert leader.high_watermark == 4
    assert not leader.appended(20)
    assert not leader.follower_fetched(2, 15)
    assert leader.follower_fetched(3, 12)
    assert leader.high_watermark == 12
    assert leader.isr_changed((1, 2))
    assert leader.high_watermark == 15


def test_it_never_goes_back_but_for_a_truncation() -> None:
    leader = LeaderState(1, 5, (1,), 10, 0)
    assert not leader.isr_changed((1, 2))
    assert leader.high_watermark == 10
    leader.truncated(6)
    assert leader.high_watermark == 6


@given(st.lists(st.tuples(st.sampled_from(["append", "fetch2", "fetch3", "isr"]), st.integers(0, 50)), max_size=40))
def test_invariants_hold_whatever_happens(steps: list[tuple[str, int]]) -> None:
    leader = LeaderState(1, 0, (1, 2, 3), 0, 0)
    end = before = 0
    for what, number in steps:
        if what == "append":
            end += number
            leader.appended(end)
        elif what == "isr":
            leader.isr_changed([(1,), (1, 2), (1, 3), (1, 2, 3)][number % 4])
        else:
            leader.follower_fetched(int(what[-1]), min(number, end))
        leader.check_invariants()
        assert leader.high_watermark >= before, "readers never see less than before"
        before = leader.high_watermark


def behind(lag_messages_max: int) -> LeaderState:
    """A leader at 100 whose followers have 100 and 89."""
    leader = LeaderState(1, 0, (1, 2, 3), 80, 80, lag_ms_max=1000, lag_messages_max=lag_messages_max)
    leader.appended(100)
    for follower, end in ((2, 100), (3, 89)):
        leader.follower_fetched(follower, end, now_ms=10)
    return leader


def test_a_follower_may_be_any_number_of_records_behind_for_a_while() -> None:
    leader = behind(-1)
    assert leader.lagging(900) == ()
    assert leader.lagging(1011) == (3,)


def test_where_records_count_one_too_many_is_enough() -> None:
    assert behind(11).lagging(10) == ()
    assert behind(10).lagging(10) == (3,)
    assert behind(11).lagging(1011) == (3,)


def test_a_follower_that_waited_was_caught_up_until_it_was_answered() -> None:
    leader = LeaderState(1, 5, (1, 2), 10, 10, lag_ms_max=1000)
    leader.follower_fetched(2, 10, leader_end=10, now_ms=100)
    leader.appended(12)
    leader.follower_answered(2, 12, 900)
    assert leader.high_watermark == 10, "an answer says nothing about what the follower has"
    leader.appended(20)
    leader.follower_fetched(2, 12, leader_end=20, now_ms=1500)
    assert leader.lagging(1900) == ()
    assert leader.lagging(1901) == (2,)
