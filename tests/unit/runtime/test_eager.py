"""Coroutines that run at once, and those that have to wait."""

import asyncio

import pytest

from tidelog.runtime.eager import begin


async def test_what_need_not_wait_is_done_at_once() -> None:
    async def ready() -> int:
        return 7

    got: list[int] = []
    assert begin(ready(), got.append) is None
    assert got == [7]


async def test_a_finished_future_is_not_waited_for() -> None:
    future: asyncio.Future[int] = asyncio.get_running_loop().create_future()
    future.set_result(7)

    async def ready() -> int:
        return await future

    got: list[int] = []
    assert begin(ready(), got.append) is None
    assert got == [7]


async def test_the_rest_goes_on_where_it_waited() -> None:
    first: asyncio.Future[int] = asyncio.get_running_loop().create_future()
    second: asyncio.Future[int] = asyncio.get_running_loop().create_future()

    async def sum_of_both() -> int:
        return await first + await second

    got: list[int] = []
    rest = begin(sum_of_both(), got.append)
    assert rest is not None
    first.set_result(3)  # before the task even begins
    task = asyncio.get_running_loop().create_task(rest)
    await asyncio.sleep(0)
    second.set_result(4)
    await task
    assert got == [7]


async def test_an_error_waited_for_reaches_the_coroutine() -> None:
    future: asyncio.Future[int] = asyncio.get_running_loop().create_future()

    async def caught() -> str:
        try:
            await future
        except ValueError as error:
            return str(error)
        return "no error"

    got: list[str] = []
    rest = begin(caught(), got.append)
    assert rest is not None
    future.set_exception(ValueError("seen"))
    await rest
    assert got == ["seen"]


async def test_a_cancelled_task_cancels_the_coroutine() -> None:
    future: asyncio.Future[int] = asyncio.get_running_loop().create_future()
    cleaned_up = False

    async def waiting() -> int:
        nonlocal cleaned_up
        try:
            return await future
        finally:
            cleaned_up = True

    rest = begin(waiting(), lambda _: None)
    assert rest is not None
    task = asyncio.get_running_loop().create_task(rest)
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert cleaned_up


async def test_an_error_before_the_first_wait_is_raised_at_once() -> None:
    async def failing() -> None:
        raise ValueError("at once")

    with pytest.raises(ValueError, match="at once"):
        begin(failing(), lambda _: None)
