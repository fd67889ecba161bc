"""The allowance of a throttle."""

from __future__ import annotations

from tidelog.replication.throttle import Throttle


def test_without_a_rate_nothing_is_ever_exceeded() -> None:
    throttle = Throttle()
    throttle.spend(1 << 40, 0)
    assert not throttle.is_exceeded(0)
    assert throttle.wait_ms(0) == 0


def test_what_is_overdrawn_is_waited_for() -> None:
    throttle = Throttle(1000)
    assert not throttle.is_exceeded(5_000), "a second's worth is there"
    throttle.spend(3000, 5_000)
    assert throttle.is_exceeded(5_000)
    assert throttle.wait_ms(6_000) in (1000, 1001)
    assert throttle.is_exceeded(6_999)
    assert not throttle.is_exceeded(7_002)


def test_over_a_long_time_the_rate_holds() -> None:
    throttle, given, now_ms = Throttle(10_000), 0, 1_000
    while now_ms < 61_000:
        if not throttle.is_exceeded(now_ms):
            throttle.spend(700, now_ms)
            given += 700
        now_ms += 7
    assert 590_000 <= given <= 612_000


def test_a_rate_of_nothing_lets_nothing_pass() -> None:
    throttle = Throttle(0)
    assert throttle.is_exceeded(10_000)
    assert throttle.wait_ms(10_000) == 1000
