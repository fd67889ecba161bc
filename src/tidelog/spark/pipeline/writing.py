"""Results to records: the topic, the key, the value and the headers of every row."""

from __future__ import annotations

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F
from pyspark.sql import types as T

from tidelog.spark.pipeline.declare import COMPACTED, Source, Step
from tidelog.spark.pipeline.errors import PipelineError
from tidelog.spark.pipeline.reading import HEADERS, value_schema
from tidelog.spark.values import columns
from tidelog.spark.values.choose import JSON, RAW, Value

ABOUT = "__streams.errors."


def records(result: DataFrame, step: Step, dead_letters: str, query: str) -> DataFrame:
    """`topic`, `key`, `value`, `headers`: a record for each row.

    A row with `_deleted` has no value, a row with `_error` goes to the dead letters, `_topic` chooses among topics.
    """
    target = step.target
    check(result, step)
    names = value_schema(result).names
    value = columns.encoded(target.value or Value(JSON), names, target.name)
    key = key_column(result, target.key)
    topic: Column = F.lit(target.name)
    headers: Column = F.lit(None).cast(HEADERS)
    if target.also:
        topic = F.col("_topic")
    if "_headers" in result.columns:
        headers = F.col("_headers").cast(HEADERS)
    if target.kind == COMPACTED and "_deleted" in result.columns:
        value = F.when(~F.coalesce(F.col("_deleted"), F.lit(False)), value)
    error = F.col("_error") if "_error" in result.columns else F.lit(None).cast("string")
    if target.kind == COMPACTED:  # a compacted topic takes no record without a key
        error = F.coalesce(error, F.when(key.isNull(), F.lit(f"the row has no {target.key[0]} for its key")))
    if target.kind == COMPACTED or "_error" in result.columns:
        about = _headers({"message": error, "query": F.lit(query), **_position(result)})
        topic = F.when(error.isNotNull(), F.lit(dead_letters)).otherwise(topic)
        headers = F.when(error.isNotNull(), about).otherwise(headers)
    return result.select(topic.alias("topic"), key.alias("key"), value.alias("value"), headers.alias("headers"))


def check(result: DataFrame, step: Step) -> None:
    target, names = step.target, value_schema(result).names
    missing = [name for name in target.key if name not in result.columns]
    if missing:
        raise PipelineError(f"{step.name}() has no column {missing} for its key; it has {names}")
    if not names:
        raise PipelineError(f"{step.name}() has no column for the value; names with an underscore are not written")
    if target.value is not None and target.value.form == RAW and "value" not in names:
        raise PipelineError(f"{step.name}() writes raw values and has no column 'value'; it has {names}")
    if target.also and "_topic" not in result.columns:
        topics = [target.name, *target.also]
        raise PipelineError(f"{step.name}() writes {topics}; give each row a column '_topic' with one of them")
    partition = [name for name in target.partition_by if name not in names]
    if partition:
        raise PipelineError(f"{step.name}() has no column {partition} to partition by; it has {names}")


def key_column(result: DataFrame, names: tuple[str, ...]) -> Column:
    """One column as its text, several as a JSON object; without any, the key of the record that the row comes from."""
    if len(names) == 1:
        kind = result.schema[names[0]].dataType
        found = F.col(f"`{names[0]}`")
        return found if isinstance(kind, T.BinaryType) else found.cast("string").cast("binary")
    if names:
        return F.to_json(F.struct(*[F.col(f"`{name}`") for name in names]), columns.TIMES).cast("binary")
    if "_key" in result.columns:
        return F.col("_key").cast("binary")
    return F.lit(None).cast("binary")


def dead_letters(bad: DataFrame, source: Source, topic: str, query: str) -> DataFrame:
    """The records of a source that do not decode, unchanged, with the reason and the place in their headers."""
    place = {name: F.col(name).cast("string") for name in ("topic", "partition", "offset")}
    headers = _headers({"message": F.col("_error"), "query": F.lit(query), **place})
    return bad.select(F.lit(topic).alias("topic"), "key", "value", headers.alias("headers"))


def _position(result: DataFrame) -> dict[str, Column]:
    names = ("topic", "partition", "offset")
    return {name: F.col(f"_{name}").cast("string") for name in names if f"_{name}" in result.columns}


def _headers(about: dict[str, Column]) -> Column:
    made = [
        F.struct(F.lit(ABOUT + name).alias("key"), text.cast("binary").alias("value")) for name, text in about.items()
    ]
    return F.array(*made).cast(HEADERS)
