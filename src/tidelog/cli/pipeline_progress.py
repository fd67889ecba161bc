"""Progress of a pipeline's queries: a bar each on a terminal, a line for each micro-batch with rows otherwise."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TextIO


class Progress:
    def __init__(self, out: TextIO) -> None:
        from tidelog.spark.progress import Bars

        self._out = out
        self._bars = Bars(out) if out.isatty() else None
        self._seen: dict[str, tuple[str, int]] = {}

    def show(self, query: str, progress: Mapping[str, Any]) -> None:
        """What Spark says of the query's last micro-batch; the same one again changes nothing."""
        batch = (str(progress["runId"]), int(progress["batchId"]))
        if self._seen.get(query) == batch:
            return
        self._seen[query] = batch
        if self._bars is not None:
            self._bars.update(query, dict(progress))
        elif progress["numInputRows"]:
            rate = progress["processedRowsPerSecond"] or 0.0
            line = f"{query}: batch {batch[1]}, {progress['numInputRows']} rows, {rate:,.0f} rows/s"
            print(line, file=self._out, flush=True)
