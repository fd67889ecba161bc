"""The simulation finds bugs: some of those that `./dev sim --planted` plants, within a few seeds."""

from __future__ import annotations

import pytest

from tidelog.broker.partition import Partition
from tidelog.sim.planted import catch, planted


@pytest.mark.parametrize(
    "name", ["ack-before-isr", "cut-at-watermark", "join-at-once", "amnesia", "own-epochs-ignored", "epochs-believed"]
)
def test_a_planted_bug_is_caught(name: str) -> None:
    _, verdict = catch(name, 10)
    assert verdict is not None


def test_a_planted_bug_is_taken_out_again() -> None:
    before = Partition.is_acked
    with planted("ack-before-isr"):
        assert Partition.is_acked is not before
    assert Partition.is_acked is before
