"""The state machines behind tables, called by Spark with all rows of one key in a micro-batch."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pyspark.sql import types as T
from pyspark.sql.streaming.stateful_processor import StatefulProcessor, StatefulProcessorHandle

Row = T.Row


def _state(handle: StatefulProcessorHandle, name: str, fields: list[T.StructField]) -> Any:
    return handle.getValueState(name, T.StructType(fields))


def _apply(state: Any, changes: list[Any], column: str) -> None:
    """The last change by offset is what counts: a key has one partition, so that offsets order its changes."""
    if not changes:
        return
    last = max(changes, key=lambda row: row["_offset"])
    if last["_deleted"]:
        state.clear()
    else:
        state.update(values_of(last[column]))


def values_of(struct: Any) -> tuple[Any, ...]:
    """The values of a struct, which Spark hands over as a Row or as a dict, depending on where it stands."""
    return tuple(struct.values()) if isinstance(struct, dict) else tuple(struct)


class Looking(StatefulProcessor):
    """Keeps the table's row of a key; gives each stream row together with it."""

    def __init__(self, columns: list[str], fields: list[T.StructField], keep_unmatched: bool) -> None:
        self._columns = columns
        self._fields = fields
        self._keep_unmatched = keep_unmatched

    def init(self, handle: StatefulProcessorHandle) -> None:
        self._table = _state(handle, "table", self._fields)

    def handleInputRows(self, key: Any, rows: Iterator[Any], timerValues: Any) -> Iterator[Any]:
        changes, waiting = [], []
        for row in rows:
            if row["row"] is None:
                changes.append(row)
            else:
                waiting.append(row["row"])
        _apply(self._table, changes, "found")
        if not waiting:
            return
        found = self._table.get()
        if found is None:
            if not self._keep_unmatched:
                return
            found = (None,) * len(self._fields)
        make = Row(*self._columns, *[field.name for field in self._fields])
        for row in waiting:
            yield make(*values_of(row), *found)

    def close(self) -> None:
        pass


class Joining(StatefulProcessor):
    """Keeps a key's row of both tables; gives the joined row when it changes, and its end when it ends."""

    def __init__(self, key: tuple[str, ...], left: list[T.StructField], right: list[T.StructField], how: str) -> None:
        self._key = key
        self._sides = {"left": left, "right": right}
        self._how = how

    def init(self, handle: StatefulProcessorHandle) -> None:
        self._states = {name: _state(handle, name, fields) for name, fields in self._sides.items()}

    def handleInputRows(self, key: Any, rows: Iterator[Any], timerValues: Any) -> Iterator[Any]:
        changes: dict[str, list[Any]] = {"left": [], "right": []}
        for row in rows:
            changes["left" if row["left"] is not None else "right"].append(row)
        before = self._joined()
        for side, found in changes.items():
            _apply(self._states[side], found, side)
        after = self._joined()
        if after == before:
            return
        fields = [field.name for side in self._sides.values() for field in side]
        make = Row(*self._key, *fields, "_deleted")
        empty = (None,) * len(fields)
        yield make(*key, *(empty if after is None else after), after is None)

    def _joined(self) -> tuple[Any, ...] | None:
        left, right = self._states["left"].get(), self._states["right"].get()
        needed = {"inner": left is not None and right is not None, "left": left is not None}
        if not needed.get(self._how, left is not None or right is not None):
            return None
        gaps = {name: (None,) * len(fields) for name, fields in self._sides.items()}
        return (*(left or gaps["left"]), *(right or gaps["right"]))

    def close(self) -> None:
        pass


class Revising(StatefulProcessor):
    """Keeps a key's row; gives what it was and what it is when it changes."""

    def __init__(self, key: tuple[str, ...], fields: list[T.StructField]) -> None:
        self._key = key
        self._fields = fields

    def init(self, handle: StatefulProcessorHandle) -> None:
        self._table = _state(handle, "table", self._fields)

    def handleInputRows(self, key: Any, rows: Iterator[Any], timerValues: Any) -> Iterator[Any]:
        before = self._table.get()
        _apply(self._table, list(rows), "found")
        after = self._table.get()
        if after == before:
            return
        row = Row(*[field.name for field in self._fields])
        make = Row(*self._key, "before", "after")
        yield make(*key, before and row(*before), after and row(*after))

    def close(self) -> None:
        pass
