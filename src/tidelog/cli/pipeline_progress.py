"""Progress of a pipeline's queries: a line each that is written over on a terminal, a line now and then otherwise."""

from __future__ import annotations

from typing import Any, TextIO


class Bars:
    def __init__(self, out: TextIO) -> None:
        self._out = out
        self._live = out.isatty()
        self._rows: dict[str, tuple[int, int, float]] = {}
        self._drawn = 0

    def show(self, query: str, row: dict[str, Any]) -> None:
        known = (int(row["batch"]), int(row["rows"]), float(row["rows_per_second"]))
        if self._rows.get(query) == known:
            return
        self._rows[query] = known
        if self._live:
            self._draw()
        elif known[1]:
            print(f"{query}: batch {known[0]}, {known[1]} rows, {known[2]:,.0f} rows/s", file=self._out, flush=True)

    def _draw(self) -> None:
        width = max(map(len, self._rows))
        fastest = max([rate for _, _, rate in self._rows.values()] + [1.0])
        back = f"\033[{self._drawn}A" if self._drawn else ""
        lines = []
        for query, (batch, _, rate) in self._rows.items():
            bar = "█" * round(20 * rate / fastest)
            lines.append(f"\033[2K{query:<{width}}  batch {batch:>6}  {rate:>12,.0f} rows/s  {bar}")
        print(back + "\n".join(lines), file=self._out, flush=True)
        self._drawn = len(lines)

    def end(self) -> None:
        self._drawn = 0
