"""Sliding windows: for every event, what happened up to it within a span of time; corrected while events come late."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

from pyspark.sql import DataFrame
from pyspark.sql import functions as F
from pyspark.sql import types as T
from pyspark.sql.streaming.stateful_processor import StatefulProcessor, StatefulProcessorHandle

from tidelog.spark.pipeline.errors import PipelineError

_ENTRY = T.StructType([T.StructField("at_us", T.LongType()), T.StructField("value", T.DoubleType())])


def sliding(frame: DataFrame, *, by: str, time: str, within: timedelta, value: str = "") -> DataFrame:
    """`by`, `start`, `end`, `count` and, of the column `value`, `sum`, `min`, `max`: a window ends with each event.

    The frame needs a watermark on `time` (`stream(..., time="at", grace="10 seconds")`): it says when an event is too
    old to matter. An event that comes late gives the later windows that hold it again, so write them in update mode or
    to a table.
    """
    for name in (by, time, *([value] if value else [])):
        if name not in frame.columns:
            raise PipelineError(f"sliding() finds no column '{name}'; the frame has {frame.columns}")
    number = F.col(value).cast("double") if value else F.lit(None).cast("double")
    events = frame.select(F.col(by).alias("_by"), F.unix_micros(time).alias("at_us"), number.alias("value"), time)
    out = T.StructType([T.StructField(by, frame.schema[by].dataType), *_OUT.fields])
    counting = Sliding(by, within // timedelta(microseconds=1))
    return events.groupBy("_by").transformWithState(counting, out, "Append", "EventTime")


_OUT = T.StructType(
    [
        T.StructField("start", T.TimestampType()),
        T.StructField("end", T.TimestampType()),
        T.StructField("count", T.LongType()),
        *[T.StructField(name, T.DoubleType()) for name in ("sum", "min", "max")],
    ]
)


class Sliding(StatefulProcessor):
    """Keeps the events of a key that a window may still need."""

    def __init__(self, by: str, within_us: int) -> None:
        self._by = by
        self._within_us = within_us

    def init(self, handle: StatefulProcessorHandle) -> None:
        self._handle = handle
        self._events = handle.getListState("events", _ENTRY)

    def handleInputRows(self, key: Any, rows: Iterator[Any], timerValues: Any) -> Iterator[Any]:
        new = [(row["at_us"], row["value"]) for row in rows if row["at_us"] is not None]
        if not new:
            return
        watermark_us = timerValues.getCurrentWatermarkInMs() * 1000
        horizon_us = watermark_us - self._within_us
        kept = [entry for entry in map(tuple, self._events.get()) if entry[0] > horizon_us]
        events = sorted([*kept, *new], key=lambda entry: entry[0])
        self._events.put(events)
        self._handle.registerTimer((events[-1][0] + self._within_us) // 1000 + 1)
        ends = sorted({at_us for at_us, _ in events if any(0 <= at_us - one <= self._within_us for one, _ in new)})
        make = T.Row(self._by, *_OUT.names)
        for end_us in ends:
            yield make(key[0], *self._window(events, end_us))

    def _window(self, events: list[Any], end_us: int) -> tuple[Any, ...]:
        inside = [value for at_us, value in events if 0 <= end_us - at_us <= self._within_us]
        numbers = [value for value in inside if value is not None]
        sums = (sum(numbers), min(numbers), max(numbers)) if numbers else (None, None, None)
        return (_time(end_us - self._within_us), _time(end_us), len(inside), *sums)

    def handleExpiredTimer(self, key: Any, timerValues: Any, expiredTimerInfo: Any) -> Iterator[Any]:
        """Nothing came for as long as a window: the key's events are of no more use once none is newer."""
        limit_us = expiredTimerInfo.getExpiryTimeInMs() * 1000 - self._within_us
        kept = [entry for entry in map(tuple, self._events.get()) if entry[0] > limit_us]
        if kept:
            self._events.put(kept)
        else:
            self._events.clear()
        return iter(())

    def close(self) -> None:
        pass


def _time(at_us: int) -> datetime:
    return datetime.fromtimestamp(0, UTC) + timedelta(microseconds=at_us)
