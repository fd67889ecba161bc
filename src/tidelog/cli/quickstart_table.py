"""What the quickstart shows and how it judges: windowed counts as a table, and totals side by side. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

Window = tuple[str, str]
"""A page and the time at which its ten seconds begin."""
COLUMNS = 5


@dataclass
class Totals:
    """What was sent, or what came out: clicks by page and window, and how often each click is there."""

    windows: Counter[Window] = field(default_factory=Counter)
    clicks: Counter[str] = field(default_factory=Counter)

    @property
    def counted(self) -> int:
        return sum(self.windows.values())

    @property
    def copied(self) -> int:
        return sum(self.clicks.values())


def complaints(sent: Totals, found: Totals) -> list[str]:
    """What is not exactly once; nothing when everything is."""
    missing = len(sent.clicks.keys() - found.clicks.keys())
    twice = sum(1 for times in found.clicks.values() if times > 1)
    foreign = len(found.clicks.keys() - sent.clicks.keys())
    wrong = [each for each in sent.windows.keys() | found.windows.keys() if sent.windows[each] != found.windows[each]]
    said = []
    if missing:
        said.append(f"{missing:,} clicks are missing from the copies")
    if twice:
        said.append(f"{twice:,} clicks were copied more than once")
    if foreign:
        said.append(f"{foreign:,} copies are of clicks that nobody sent")
    if wrong:
        page, start = min(wrong)
        first = f"{page} at {start} has {found.windows[page, start]:,} and not {sent.windows[page, start]:,}"
        said.append(f"{len(wrong):,} windows have a wrong count: {first}")
    return said


def table(windows: Mapping[Window, int]) -> list[str]:
    """A line for each page, a column for each of the last windows."""
    starts = sorted({start for _, start in windows})
    pages = sorted({page for page, _ in windows})
    shown = starts[-COLUMNS:]
    width = max(map(len, pages), default=4)
    lines = [f"  {'page':<{width}}" + "".join(f"{start:>10}" for start in shown) + f"{'all':>10}"]
    for page in pages:
        cells = "".join(f"{windows.get((page, start), 0):>10,}" for start in shown)
        whole = sum(count for (each, _), count in windows.items() if each == page)
        lines.append(f"  {page:<{width}}{cells}{whole:>10,}")
    return lines


def comparison(sent: Totals, found: Totals) -> list[str]:
    """The totals beside each other."""
    rows = [
        ("clicks sent", sent.copied),
        ("counted in windows", found.counted),
        ("copied with their section", found.copied),
        ("of them different", len(found.clicks)),
    ]
    return [f"  {name:<26}{number:>10,}" for name, number in rows]
