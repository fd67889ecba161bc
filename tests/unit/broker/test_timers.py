"""Many deadlines on one timer of the loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from tidelog.broker.timers import CLEAN_AT, Deadline, Timers


def run(work: Callable[[], Coroutine[Any, Any, None]]) -> None:
    asyncio.run(work())


def test_deadlines_come_in_order_and_cancelled_ones_not_at_all() -> None:
    async def work() -> None:
        timers, fired = Timers(), []
        done = asyncio.Event()
        timers.after(0.03, lambda: fired.append("late"))
        timers.after(0.01, lambda: fired.append("early"))
        timers.after(0.02, lambda: fired.append("cancelled")).cancel()
        timers.after(0.04, done.set)
        await asyncio.wait_for(done.wait(), 10)
        assert fired == ["early", "late"]

    run(work)


def test_a_timer_set_by_a_timer_fires_too() -> None:
    async def work() -> None:
        timers, done = Timers(), asyncio.Event()
        timers.after(0.001, lambda: timers.after(0.001, done.set) and None)
        await asyncio.wait_for(done.wait(), 10)

    run(work)


def test_a_timer_that_sets_itself_again_does_not_hold_up_the_others() -> None:
    async def work() -> None:
        timers, done = Timers(), asyncio.Event()
        timers.after(0.001, lambda: timers.after(1000, lambda: None) and None)
        timers.after(0.02, done.set)
        await asyncio.wait_for(done.wait(), 10)
        timers.close()

    run(work)


def test_a_failing_callback_does_not_stop_the_others() -> None:
    async def work() -> None:
        timers, done, told = Timers(), asyncio.Event(), []
        asyncio.get_running_loop().set_exception_handler(lambda _, context: told.append(context["exception"]))

        def fail() -> None:
            raise ValueError("deliberate")

        timers.after(0.001, fail)
        timers.after(0.002, done.set)
        await asyncio.wait_for(done.wait(), 10)
        assert [str(each) for each in told] == ["deliberate"]

    run(work)


def test_cancelled_timers_do_not_pile_up() -> None:
    async def work() -> None:
        timers = Timers()
        for _ in range(CLEAN_AT * 10):
            timers.after(1000, lambda: None).cancel()
        assert len(timers._heap) <= CLEAN_AT * 2
        timers.close()

    run(work)


def test_a_deadline_that_is_set_anew_is_put_off_and_one_that_is_cancelled_does_not_come() -> None:
    async def work() -> None:
        timers, fired, done = Timers(), [], asyncio.Event()
        first, second = Deadline(timers, lambda: fired.append("first")), Deadline(timers, lambda: fired.append("no"))
        first.set(0.005)
        second.set(0.005)
        first.set(0.03)  # put off: what fires at the first time only looks
        second.cancel()
        timers.after(0.02, lambda: fired.append("between"))
        timers.after(0.05, done.set)
        await asyncio.wait_for(done.wait(), 10)
        assert fired == ["between", "first"]

    run(work)


def test_a_deadline_may_be_set_to_an_earlier_time_and_again_after_it_came() -> None:
    async def work() -> None:
        timers, fired, done = Timers(), [], asyncio.Event()

        def once_more() -> None:
            fired.append(len(fired))
            deadline.set(0.001) if len(fired) < 3 else done.set()

        deadline = Deadline(timers, once_more)
        deadline.set(1000)
        deadline.set(0.001)
        await asyncio.wait_for(done.wait(), 10)
        assert fired == [0, 1, 2]
        timers.close()

    run(work)
