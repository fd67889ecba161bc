from __future__ import annotations

from pathlib import Path

import pytest

from support.logs import ManualClock
from tidelog.io.disk import RealDisk
from tidelog.ports import Disk
from tidelog.sim.disk import SimDisk


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture(params=["real", "simulated"])
def disk(request: pytest.FixtureRequest) -> Disk:
    """Every test of a log holds on both disks, so that the simulated one can be believed."""
    return RealDisk() if request.param == "real" else SimDisk()


@pytest.fixture
def root(disk: Disk, tmp_path: Path) -> str:
    directory = str(tmp_path / "logs")
    disk.makedirs(directory)
    return directory
