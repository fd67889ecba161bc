"""Deadlines against a model: a dictionary that is searched through each time."""

from random import Random

import pytest

from tidelog.coordinator.group.timers import Timers

KEYS = [(kind, number) for kind in ("member", "join") for number in range(6)]


@pytest.mark.parametrize("seed", range(200))
def test_they_come_due_as_in_a_model_that_searches(seed: int) -> None:
    dice = Random(seed)
    timers, model, now = Timers(), {}, 0
    for _ in range(200):
        key = dice.choice(KEYS)
        match dice.randrange(4):
            case 0 | 1:
                model[key] = now + dice.choice([1, 5, 45, 300])
                timers.set(key, model[key])
            case 2:
                model.pop(key, None)
                timers.cancel(key)
            case _:
                now += dice.choice([0, 1, 7, 50])
                expected = sorted(at for at in model.values() if at <= now)
                found = timers.due(now)
                assert [model.pop(one) for one in found] == expected
        at = timers.next_deadline_ms()
        assert (at is None) == (not model)
        assert at is None or at <= min(model.values())
        assert all(timers.deadline_ms(one) == model.get(one) for one in KEYS)


def test_looking_at_the_time_it_names_ends_at_each_deadline() -> None:
    timers, now, found = Timers(), 0, {}
    for number in range(50):
        timers.set(number, 10)
    for number in range(50):
        timers.set(number, 100 + number)
    while (at := timers.next_deadline_ms()) is not None:
        assert at > now, "time goes on"
        now = at
        found.update(dict.fromkeys(timers.due(now), now))
    assert found == {number: 100 + number for number in range(50)}


def test_a_deadline_that_goes_back_and_forth_leaves_nothing_behind() -> None:
    timers = Timers()
    for now in range(10_000):
        timers.set("member", now + 300)
        timers.set("member", now + 45)
        timers.next_deadline_ms()
        timers.due(now)
    assert len(timers._heap) <= 2
