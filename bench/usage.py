"""What a process and its children use, from the kernel's accounting: CPU seconds and memory."""

import os
from pathlib import Path

TICK = os.sysconf("SC_CLK_TCK")


def _stat(pid: int) -> list[str]:
    """The fields of /proc/PID/stat after the program's name, which may hold spaces: field 3 comes first."""
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()


def family(pid: int) -> list[int]:
    """The process and all that descend from it."""
    parents: dict[int, int] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parents[int(entry.name)] = int(_stat(int(entry.name))[1])
            except (OSError, IndexError):
                continue  # it ended while we looked
    found = [pid]
    for one in found:
        found += [child for child, parent in parents.items() if parent == one]
    return found


def cpu_seconds(pid: int) -> float:
    """User and system time of all threads so far (fields 14 and 15), children included."""
    return sum(sum(map(int, _stat(one)[11:13])) for one in family(pid)) / TICK


def memory_bytes(pid: int) -> tuple[int, int]:
    """Resident and proportional memory. The second counts a page that several processes share once."""
    resident = proportional = 0
    for one in family(pid):
        for line in Path(f"/proc/{one}/smaps_rollup").read_text().splitlines():
            if line.startswith("Rss:"):
                resident += int(line.split()[1]) * 1024
            elif line.startswith("Pss:"):
                proportional += int(line.split()[1]) * 1024
    return resident, proportional
