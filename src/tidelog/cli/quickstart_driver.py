"""The pipeline of the quickstart as a process of its own, that can be killed with everything it started."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

GONE_S = 10.0
QUICK_JVM = "spark.driver.extraJavaOptions=-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xshare:auto"
"""A JVM that lives for a minute is better off without the compiler and the collector that take time to pay."""


class Driver:
    """`tide pipeline run` in a session of its own: the driver, its JVM and their workers are all in it."""

    def __init__(self, file: str, servers: str, folder: Path) -> None:
        self._log = folder / "driver.log"
        command = [sys.executable, "-m", "tidelog.cli.main", "pipeline", "run", file, "-b", servers]
        command += ["--home", str(folder / "pipelines"), "--master", "local[2]", "--conf", QUICK_JVM]
        with open(self._log, "ab") as log:
            self._process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True, cwd=folder
            )

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def ended(self) -> bool:
        return self._process.poll() is not None

    def last_words(self) -> str:
        lines = self._log.read_text(encoding="utf-8", errors="replace").strip().splitlines()
        return lines[-1] if lines else "it said nothing"

    def kill(self) -> int:
        """Kill -9 for every process of the session; gives how many there were."""
        found = members(self.pid)
        for pid in found:
            _kill(pid)
        self._process.wait()
        until = time.monotonic() + GONE_S
        while time.monotonic() < until and (left := members(self.pid)):
            for pid in left:
                _kill(pid)
            time.sleep(0.05)
        return len(found)


def _kill(pid: int) -> None:
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)


def members(session: int) -> list[int]:
    """The living processes of a session, its leader first."""
    processes = [each for each in Path("/proc").iterdir() if each.name.isdigit()]
    found = [int(each.name) for each in processes if _session_of(each) == session]
    return sorted(found, key=lambda pid: pid != session)


def _session_of(process: Path) -> int | None:
    try:
        text = (process / "stat").read_text()
    except OSError:
        return None  # it ended meanwhile
    state, _, _, session = text.rpartition(")")[2].split()[:4]
    return None if state == "Z" else int(session)
