"""Groups of many members: what a rebalance costs, and that a crash in the middle of one does not start a storm."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import pytest
from bench.groups_scale import ConsumerSwarm, Phase, Sim, classic, consumer

SMALL = 200
LARGE = 10_000


def by_name(phases: list[Phase]) -> dict[str, Phase]:
    for phase in phases:
        print(phase.line())
    return {phase.name.split(": ")[1]: phase for phase in phases}


def check_consumer(members: int) -> None:
    found = by_name(consumer(members, 2 * members))
    assert found["all join"].rebalances + found["until everyone has its share"].rebalances == 2
    assert found["all join"].records <= 3 * members + 2
    assert found["heartbeats at rest"].records == 0
    assert found["one more joins, until at rest"].rebalances == 1
    crash = found["a crash in the middle of that"]
    assert crash.rebalances == 2, "one for who joined, one for who crashed"
    assert crash.records <= 2 * members + 50


def check_classic(members: int) -> None:
    found = by_name(classic(members, 2 * members))
    assert [phase.rebalances for phase in found.values()] == [1, 0, 1, 1]
    assert [phase.records for phase in found.values()] == [1, 0, 1, 1]


def test_a_group_of_some_members() -> None:
    check_consumer(SMALL)
    check_classic(SMALL)


@pytest.mark.slow
def test_a_group_of_ten_thousand_members() -> None:
    check_consumer(LARGE)
    check_classic(LARGE)


def test_a_heartbeat_costs_the_same_in_a_group_of_any_size() -> None:
    assert heartbeat_calls(10) == heartbeat_calls(300)


def heartbeat_calls(members: int) -> int:
    sim = Sim(2 * members)
    swarm = ConsumerSwarm(sim, members)
    swarm.join_all()
    swarm.settle()
    return calls(lambda: swarm.beat("m000003"))


def calls(work: Callable[[], Any]) -> int:
    """How many functions are entered; generators that run over all members would show."""
    count = 0

    def note(_: Any, event: str, __: Any) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(None)
    return count
