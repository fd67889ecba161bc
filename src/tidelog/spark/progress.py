"""How far streaming queries are, as a bar for each on a terminal."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any, NamedTuple, TextIO

from pyspark.sql import SparkSession
from pyspark.sql.streaming.listener import StreamingQueryListener

from tidelog.client.errors import ClientError
from tidelog.spark.positions import Position

WIDTH = 24


class State(NamedTuple):
    """What is shown of a query: offsets read since it was started, and offsets that wait."""

    name: str
    batch: int
    rows_per_second: float
    done: int
    behind: int

    def line(self, width: int) -> str:
        share = self.done / max(self.done + self.behind, 1)
        filled = int(WIDTH * share)
        bar = "█" * filled + "░" * (WIDTH - filled)
        rate = f"{self.rows_per_second:,.0f} rows/s"
        return f"{self.name:<{width}}  batch {self.batch:<5} {bar} {share:4.0%}  {rate:>16}  {self.behind:,} behind"


class Bars:
    """Draws the states of queries over what it has drawn before."""

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self._states: dict[str, State] = {}
        self._drawn = 0

    def update(self, query: str, progress: dict[str, Any]) -> None:
        before = self._states.get(query)
        self._states[query] = state_of(progress, before.done if before else 0)
        self._draw()

    def end(self, query: str) -> None:
        """The line stays where it is; what other queries do is drawn below it."""
        if self._states.pop(query, None) is not None:
            self._drawn = 0

    def _draw(self) -> None:
        width = max(len(state.name) for state in self._states.values())
        back = f"\033[{self._drawn}A" if self._drawn else ""
        lines = [f"\033[2K{state.line(width)}\n" for state in self._states.values()]
        self._out.write(back + "".join(lines))
        self._out.flush()
        self._drawn = len(lines)


def state_of(progress: dict[str, Any], done: int) -> State:
    behind = 0
    for source in progress["sources"]:
        start, end, latest = (_offsets(source.get(name)) for name in ("startOffset", "endOffset", "latestOffset"))
        done += sum(max(end[key] - start.get(key, 0), 0) for key in end)
        behind += sum(max(offset - end.get(key, 0), 0) for key, offset in latest.items())
    name = progress["name"] or str(progress["id"])[:8]
    return State(name, int(progress["batchId"]), float(progress["processedRowsPerSecond"] or 0.0), done, behind)


def _offsets(text: Any) -> dict[tuple[str, int], int]:
    """Of a source of format("tidelog"); of others nothing is known."""
    with suppress(ValueError, TypeError, AttributeError, ClientError):
        found = json.loads(text) if isinstance(text, str) else text
        return dict(Position.from_json(found).offsets)
    return {}


class _Listener(StreamingQueryListener):
    def __init__(self, bars: Bars) -> None:
        self._bars = bars

    def onQueryStarted(self, event: Any) -> None:
        pass

    def onQueryProgress(self, event: Any) -> None:
        self._bars.update(str(event.progress.runId), json.loads(event.progress.json))

    def onQueryIdle(self, event: Any) -> None:
        pass

    def onQueryTerminated(self, event: Any) -> None:
        self._bars.end(str(event.runId))


def show_progress(spark: SparkSession, out: TextIO) -> StreamingQueryListener:
    """From now on each query of the session has a bar, until the listener that is given back is removed."""
    listener = _Listener(Bars(out))
    spark.streams.addListener(listener)
    return listener
