"""One seed is one story: to the byte of every packet, in this process and in one with another hash seed."""

from __future__ import annotations

import os
import subprocess
import sys

from tidelog.sim.profile import PROFILES
from tidelog.sim.simulation import simulate

PROGRAM = """
from tidelog.sim.profile import PROFILES
from tidelog.sim.simulation import simulate
print(simulate(4, PROFILES["cluster"], trace=True).digest)
"""


def test_a_seed_is_the_same_story_every_time() -> None:
    first = simulate(4, PROFILES["cluster"], trace=True)
    second = simulate(4, PROFILES["cluster"], trace=True)
    assert first.lines == second.lines
    assert first.faults > 0
    assert first.acknowledged > 0

    environment = os.environ | {"PYTHONHASHSEED": "77"}
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, env=environment, check=True)
    assert done.stdout.strip() == first.digest


def test_another_seed_is_another_story() -> None:
    first = simulate(1, PROFILES["single"])
    second = simulate(2, PROFILES["single"])
    assert first.digest != second.digest
