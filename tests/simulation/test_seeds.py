"""Seeds that once found something, and a fixed few of every kind of story: all of them must be clean."""

from __future__ import annotations

from pathlib import Path

import pytest

from tidelog.sim.profile import PROFILES
from tidelog.sim.simulation import simulate

TABLE = Path(__file__).with_name("seeds.txt")
# One of every kind; many more run by `./dev sim --count`.
BUDGET = [
    ("single", 1), ("cluster", 2), ("partitions", 1), ("power", 2), ("rolling", 3), ("split", 1), ("moves", 4),
    ("chase", 1), ("stale", 1), ("seesaw", 1), ("usurp", 1), ("sick", 1), ("rot", 1), ("hours", 1),
    ("shelves", 1), ("voters", 1), ("upgrade", 2),
]  # fmt: skip


def known() -> list[tuple[str, int]]:
    rows = [line.split(maxsplit=2) for line in TABLE.read_text().splitlines() if line and not line.startswith("#")]
    return [(profile, int(seed)) for profile, seed, _ in rows]


@pytest.mark.parametrize(("profile", "seed"), [*known(), *BUDGET])
def test_a_story_ends_well(profile: str, seed: int) -> None:
    verdict = simulate(seed, PROFILES[profile])
    assert verdict.anomalies == [], f"./dev sim {seed} --profile {profile} tells the story"
    assert verdict.acknowledged > 0


def test_asking_without_a_pause_would_show() -> None:
    """Nothing in a story of a few minutes needs more than this many callbacks, unless somebody asks in a circle."""
    assert simulate(1002, PROFILES["power"]).callbacks < 100_000
