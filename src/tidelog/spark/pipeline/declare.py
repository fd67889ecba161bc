"""The declarations of a pipeline file: what is read, what is written. Values only; nothing here touches Spark.

A `Source` is the default value of a parameter. A decorated function becomes a `Step`, which may itself be the default
value of another function's parameter: a step that writes is read back from where it wrote, a `view` is computed in
place.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from tidelog.spark.pipeline.errors import PipelineError
from tidelog.spark.pipeline.given_options import LAKE_OPTIONS, STREAM_OPTIONS, TABLE_OPTIONS, TOPIC_OPTIONS, options_of
from tidelog.spark.values.choose import Value, choose

STREAM, TABLE, GLOBAL_TABLE, CHANGES = "stream", "table", "global table", "changes"
TOPIC, COMPACTED, LAKE, VIEW = "topic", "table", "lake", "view"


@dataclass(frozen=True)
class Source:
    """A topic, and the form in which a function gets it."""

    kind: str
    topic: str
    value: Value
    key: str = ""
    """Of a table: the column that the record's key becomes, with its type (`user_id`, `user_id bigint`)."""
    time: str = ""
    grace: str = "0 seconds"
    options: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Target:
    """Where a step writes, and how."""

    kind: str
    name: str = ""
    """A topic, or the place of a lake table."""
    key: tuple[str, ...] = ()
    value: Value | None = None
    mode: str = "append"
    time: str = ""
    grace: str = "0 seconds"
    partitions: int | None = None
    also: tuple[str, ...] = ()
    """Further topics, which rows choose by their column `_topic`."""
    format: str = ""
    partition_by: tuple[str, ...] = ()
    options: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, eq=False)
class Step:
    """A function with what it reads and where its result goes."""

    name: str
    function: Callable[..., Any]
    target: Target
    reads: dict[str, Source | Step] = field(default_factory=dict)
    line: int = 0

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """The plain function, so that a unit test calls it with DataFrames of its own."""
        return self.function(*args, **kwargs)


# What is read.


def stream(
    topic: str,
    *,
    json: Any = None,
    avro: Any = None,
    protobuf: Any = None,
    text: bool = False,
    time: str = "",
    grace: str = "0 seconds",
    **options: Any,
) -> Any:
    """The records of a topic, as they come. `time` is the event's time, `grace` how late an event may be.

    Without a format the columns are those of `format("tidelog")`; with one they are the value's fields, and `_key`,
    `_timestamp`, `_topic`, `_partition`, `_offset`. Other options go to the source (`maxOffsetsPerTrigger=10000`).
    """
    value = choose(json, avro, protobuf, text)
    given = options_of(options, STREAM_OPTIONS, stream)
    return Source(STREAM, topic, value, time=time, grace=grace, options=given)


def table(topic: str, *, key: str, json: Any = None, avro: Any = None, protobuf: Any = None, **options: Any) -> Any:
    """The newest value of every key of a compacted topic, kept as state; for `lookup` and `join_tables`."""
    given = options_of(options, TABLE_OPTIONS, table)
    return Source(TABLE, topic, choose(json, avro, protobuf), key=key, options=given)


def changes(topic: str, *, key: str, json: Any = None, avro: Any = None, protobuf: Any = None, **options: Any) -> Any:
    """The updates of a compacted topic as a stream; `_deleted` marks a tombstone."""
    given = options_of(options, TABLE_OPTIONS, changes)
    return Source(CHANGES, topic, choose(json, avro, protobuf), key=key, options=given)


def global_table(
    topic: str, *, key: str, json: Any = None, avro: Any = None, protobuf: Any = None, **options: Any
) -> Any:
    """As `table`, but whole on every worker and joined by plain `DataFrame.join` on any column; for small tables."""
    given = options_of(options, set(), global_table)
    return Source(GLOBAL_TABLE, topic, choose(json, avro, protobuf), key=key, options=given)


# What is written.

Decorator = Callable[[Callable[..., Any]], Any]


def to_topic(
    topic: str | Sequence[str],
    *,
    key: str | Sequence[str] = (),
    json: Any = None,
    avro: Any = None,
    protobuf: Any = None,
    raw: bool = False,
    mode: str = "append",
    time: str = "",
    grace: str = "0 seconds",
    partitions: int | None = None,
    **options: Any,
) -> Decorator:
    """Every row becomes a record, exactly once. With several topics the column `_topic` says which.

    With `raw` the column `value` is the record's value as it is.
    """
    first, *also = (topic,) if isinstance(topic, str) else tuple(topic)
    value = choose(json, avro, protobuf, written=True, raw=raw)
    given = options_of(options, TOPIC_OPTIONS, to_topic)
    target = Target(TOPIC, first, _names(key), value, mode, time, grace, partitions, tuple(also), options=given)
    return lambda function: _step(function, target)


def to_table(
    topic: str,
    *,
    key: str | Sequence[str],
    json: Any = None,
    avro: Any = None,
    protobuf: Any = None,
    raw: bool = False,
    mode: str = "update",
    partitions: int | None = None,
    **options: Any,
) -> Decorator:
    """Every row is the new value of its key, in a compacted topic; a row with `_deleted` becomes a tombstone."""
    if not key:
        raise PipelineError(f"table '{topic}' needs a key: write to_table('{topic}', key='the_column')")
    value = choose(json, avro, protobuf, written=True, raw=raw)
    given = options_of(options, TOPIC_OPTIONS, to_table)
    target = Target(COMPACTED, topic, _names(key), value, mode, partitions=partitions, options=given)
    return lambda function: _step(function, target)


def to_lake(
    place: str,
    *,
    format: str = "delta",
    partition_by: str | Sequence[str] = (),
    key: str | Sequence[str] = (),
    mode: str = "append",
    **options: Any,
) -> Decorator:
    """Rows are appended to a Delta or Iceberg table, or with `key` replace the rows that have the same key."""
    if format not in ("delta", "iceberg"):
        raise PipelineError(f"a lake table is 'delta' or 'iceberg', not '{format}'")
    mode = "update" if key and mode == "append" else mode
    given = options_of(options, LAKE_OPTIONS, to_lake)
    target = Target(
        LAKE, place, _names(key), mode=mode, format=format, partition_by=_names(partition_by), options=given
    )
    return lambda function: _step(function, target)


def view(function: Callable[..., Any]) -> Any:
    """A function that others read in place: it writes nothing of its own."""
    return _step(function, Target(VIEW))


def _step(function: Callable[..., Any], target: Target) -> Step:
    if isinstance(function, Step):
        raise PipelineError(f"'{function.name}' writes twice; let a second function read it and write the other")
    reads: dict[str, Source | Step] = {}
    for name, parameter in inspect.signature(function).parameters.items():
        if not isinstance(parameter.default, (Source, Step)):
            raise PipelineError(
                f"parameter '{name}' of {function.__name__}() does not say what it reads; "
                f"write {name}=stream('a-topic'), {name}=table(...) or {name}=another_function"
            )
        reads[name] = parameter.default
    if not reads:
        raise PipelineError(f"{function.__name__}() reads nothing; give it a parameter such as orders=stream('orders')")
    return Step(function.__name__, function, target, reads, function.__code__.co_firstlineno)


def _names(given: str | Sequence[str]) -> tuple[str, ...]:
    return (given,) if isinstance(given, str) else tuple(given)
