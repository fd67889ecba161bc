"""What a run found: the aligned table and the JSON file."""

import json
import os
import platform
import time
from dataclasses import dataclass
from pathlib import Path

from bench.figure import APACHE, OURS, Figure, Row, Samples

HEADINGS = ("", "unit", "ours", "Apache", "ratio", "bar", "")


@dataclass(frozen=True)
class Line:
    """One row with what was measured for it."""

    row: Row
    ours: float | None
    apache: float | None

    @property
    def ratio(self) -> float | None:
        return self.ours / self.apache if self.ours is not None and self.apache else None

    @property
    def met(self) -> bool | None:
        judged = self.ours if self.row.absolute else self.ratio
        if self.row.bar is None or judged is None:
            return None
        return judged >= self.row.bar if self.row.at_least else judged <= self.row.bar

    def cells(self) -> tuple[str, ...]:
        row = self.row
        sign = "≥" if row.at_least else "≤"
        bar = "" if row.bar is None else f"{sign} {row.bar:g}" + (" ours" if row.absolute else "")
        verdict = {None: "", True: "met", False: "MISSED"}[self.met]
        ratio = "" if self.ratio is None else f"{self.ratio:.2f}"
        return row.label, row.unit, _value(self.ours, row), _value(self.apache, row), ratio, bar, verdict


def _value(value: float | None, row: Row) -> str:
    return "" if value is None else f"{value:,.{row.digits}f}"


def lines(figure: Figure, samples: Samples) -> list[Line]:
    found = (Line(row, samples.median(row.key, OURS), samples.median(row.key, APACHE)) for row in figure.rows)
    return [line for line in found if line.ours is not None or line.apache is not None]


def table(results: dict[Figure, Samples]) -> str:
    """Every figure under its title, all in one set of columns."""
    blocks = [(figure, [line.cells() for line in lines(figure, samples)]) for figure, samples in results.items()]
    cells = [HEADINGS, *(line for _, block in blocks for line in block)]
    widths = [max(len(line[column]) for line in cells) for column in range(len(HEADINGS))]
    out = ["  " + _aligned(HEADINGS, widths)]
    for figure, block in blocks:
        out += ["", figure.title, *("  " + _aligned(line, widths) for line in block)]
        out += [f"  {note}" for note in results[figure].notes]
    return "\n".join(line.rstrip() for line in out)


def _aligned(line: tuple[str, ...], widths: list[int]) -> str:
    left = {0, 1, 6}
    return "  ".join(
        cell.ljust(width) if column in left else cell.rjust(width)
        for column, (cell, width) in enumerate(zip(line, widths))
    )


def verdict(results: dict[Figure, Samples]) -> str:
    judged = [line for figure, samples in results.items() for line in lines(figure, samples) if line.met is not None]
    if not judged:
        return ""
    missed = [f"{line.row.label} ({line.row.unit})" for line in judged if not line.met]
    met = f"\n{len(judged) - len(missed)} of {len(judged)} bars met"
    return f"{met}; missed: {', '.join(missed)}" if missed else met


def machine() -> dict[str, str]:
    names = [line.split(":")[1].strip() for line in _read("/proc/cpuinfo") if line.startswith("model name")]
    memory_kb = next((int(line.split()[1]) for line in _read("/proc/meminfo") if line.startswith("MemTotal")), 0)
    return {
        "processor": f"{os.cpu_count()} × {names[0] if names else platform.machine()}",
        "memory": f"{memory_kb / 1e6:.0f} GB",
        "system": f"{platform.system()} {platform.release()}",
        "python": platform.python_version(),
    }


def _read(path: str) -> list[str]:
    return Path(path).read_text().splitlines() if Path(path).exists() else []


def write_json(path: Path, results: dict[Figure, Samples], facts: dict[str, str]) -> None:
    """Every sample, so that a later run can be set beside this one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    rows = {
        line.row.key: {
            "label": line.row.label,
            "unit": line.row.unit,
            "ours": line.ours,
            "apache": line.apache,
            "ratio": line.ratio,
            "bar": line.row.bar,
            "met": line.met,
            "samples": samples.values[line.row.key],
        }
        for figure, samples in results.items()
        for line in lines(figure, samples)
    }
    path.write_text(json.dumps({"facts": facts, "rows": rows}, indent=1) + "\n")


def facts(command: str, versions: dict[str, str]) -> dict[str, str]:
    return {"date": time.strftime("%Y-%m-%d"), "command": command, **machine(), **versions}
