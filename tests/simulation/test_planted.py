"""The simulation finds bugs: some of those that `./dev sim --planted` plants, with seeds known to find them."""

from __future__ import annotations

import pytest

from tidelog.broker.partition import Partition
from tidelog.sim.planted import catch, planted


@pytest.mark.parametrize(("name", "seed", "kind"), [("ack-before-isr", 1, "lost-write")])
def test_a_planted_bug_is_caught(name: str, seed: int, kind: str) -> None:
    _, verdict = catch(name, 1, seed)
    assert verdict is not None
    assert kind in {each.kind for each in verdict.anomalies}


def test_a_planted_bug_is_taken_out_again() -> None:
    before = Partition.is_acked
    with planted("ack-before-isr"):
        assert Partition.is_acked is not before
    assert Partition.is_acked is before
