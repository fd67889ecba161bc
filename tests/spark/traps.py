"""Kills inside a real Spark: the process that reaches a step of the sink's protocol strikes, so nothing is timed.

The hook runs in every Python process of a Spark whose environment names a folder. A trap is a file in that folder; the
process that comes to its step for the n-th time kills whom the trap names, and no other process does so afterwards.
"""

import json
import os
import signal
import uuid
from collections.abc import Iterator
from pathlib import Path

from tidelog.spark import steps

FOLDER = "TIDELOG_TRAP_FOLDER"
HOOK = "spark.traps:on_step"
WORKER, DRIVER, ZOMBIE, BROKER = "worker", "driver", "zombie", "broker"
"""Itself; Spark and itself; Spark, and itself goes on; the node."""
TARGETS = (WORKER, DRIVER, ZOMBIE, BROKER)
EXECUTOR = "executor"
"""On a cluster: the JVM that started it, and itself."""


def environment(folder: Path) -> dict[str, str]:
    """What a Spark needs in its environment to step into traps of the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    path = os.pathsep.join([str(Path(__file__).parent.parent), os.environ.get("PYTHONPATH", "")])
    return {steps.VARIABLE: HOOK, FOLDER: str(folder), "PYTHONPATH": path}


class Trap:
    """Kills `target` when `step` is reached for the n-th time."""

    def __init__(self, folder: Path, step: str, times: int, target: str, broker: int = 0) -> None:
        self._count = folder / f"count-{uuid.uuid4()}"
        self._count.touch()
        self._times = times
        new = folder / "trap.new"
        trap = {"step": step, "times": times, "target": target, "broker": broker, "count": str(self._count)}
        new.write_text(json.dumps(trap))
        new.replace(folder / "trap")
        self.step = step
        self.target = target

    @property
    def has_struck(self) -> bool:
        return self._count.stat().st_size >= self._times


def disarm(folder: Path) -> None:
    (folder / "trap").unlink(missing_ok=True)


def on_step(name: str) -> None:
    folder = Path(os.environ[FOLDER])
    try:
        trap = json.loads((folder / "trap").read_text())
    except OSError:
        return
    if trap["step"] == name and _count(Path(trap["count"])) == trap["times"]:
        _strike(trap["target"], trap["broker"])


def _count(file: Path) -> int:
    """How many processes have come by, this one included."""
    with file.open("ab", buffering=0) as counts:
        counts.write(b".")
        return counts.tell()


def _strike(target: str, broker: int) -> None:
    if target == BROKER:
        os.kill(broker, signal.SIGKILL)
        return
    if target in (DRIVER, ZOMBIE):
        for pid in drivers():
            os.kill(pid, signal.SIGKILL)
    if target == EXECUTOR:
        *_, jvm = drivers()
        os.kill(jvm, signal.SIGKILL)
    if target != ZOMBIE:
        os.kill(os.getpid(), signal.SIGKILL)


def drivers() -> Iterator[int]:
    """The program that started Spark, and Spark's JVM: both are ancestors of every worker."""
    above = []
    pid = os.getppid()
    while pid > 1:
        above.append(pid)
        if _name(pid) == "java":
            yield _parent(pid)
            yield pid
            return
        pid = _parent(pid)
    raise RuntimeError(f"no JVM is among the ancestors {above} of process {os.getpid()}")


def _name(pid: int) -> str:
    return Path(f"/proc/{pid}/comm").read_text().strip()


def _parent(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
