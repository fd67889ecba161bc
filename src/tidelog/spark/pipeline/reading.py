"""Sources to DataFrames: a stream, a batch over a range, or empty frames that only have a schema."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql import types as T

from tidelog.spark.pipeline.declare import CHANGES, COMPACTED, GLOBAL_TABLE, LAKE, STREAM, TABLE, VIEW, Source, Step
from tidelog.spark.pipeline.errors import PipelineError
from tidelog.spark.pipeline.given_options import of_a_range
from tidelog.spark.pipeline.tables import Table
from tidelog.spark.values import columns
from tidelog.spark.values.choose import JSON, RAW, Value

LIVE, RANGE, EMPTY = "live", "range", "empty"
RECORD = T.StructType(
    [
        T.StructField("key", T.BinaryType()),
        T.StructField("value", T.BinaryType()),
        T.StructField("topic", T.StringType()),
        T.StructField("partition", T.IntegerType()),
        T.StructField("offset", T.LongType()),
        T.StructField("timestamp", T.TimestampType()),
        T.StructField("timestampType", T.IntegerType()),
    ]
)
HEADERS = T.ArrayType(T.StructType([T.StructField("key", T.StringType()), T.StructField("value", T.BinaryType())]))


@dataclass
class Reader:
    """How the sources of one query are read. `options` go to every source that is a stream."""

    spark: SparkSession
    mode: str = EMPTY
    settings: dict[str, str] = field(default_factory=dict)
    """Client settings with Kafka's names."""
    query: str = ""
    folder: str = ""
    """Where a global table is kept on this machine."""
    options: dict[str, str] = field(default_factory=dict)

    def result(self, step: Step) -> DataFrame:
        """What the step's function makes of what it reads."""
        frames = {name: self.frame(read) for name, read in step.reads.items()}
        found = step.function(**frames)
        if not isinstance(found, DataFrame):
            raise PipelineError(f"{step.name}() returned {type(found).__name__}; it must return a DataFrame")
        return found

    def frame(self, read: Source | Step) -> Any:
        if isinstance(read, Step):
            if read.target.kind == VIEW:
                return self.result(read)
            return self._frame(written(read, self.spark), whole=True)
        return self._frame(read)

    def _frame(self, read: Source, whole: bool = False) -> Any:
        if read.kind == GLOBAL_TABLE:
            return self._global(read)
        records = self.records(read, whole)
        if read.kind == STREAM:
            return stream_frame(records, read)
        changes = changes_frame(records, read)
        return Table(changes, tuple(key_of(read).names)) if read.kind == TABLE else changes

    def records(self, source: Source, whole: bool = False) -> DataFrame:
        """`whole`: in a range, what another step of it wrote; its records have the time of their writing."""
        if self.mode == EMPTY:
            more = [T.StructField("headers", HEADERS)] if ("includeHeaders", "true") in source.options else []
            return self.spark.createDataFrame([], T.StructType([*RECORD, *more]))
        options = {"subscribe": source.topic, **self._client()}
        if self.mode == LIVE:
            options |= {"startingOffsets": "earliest", "kafka.group.id": self.query}
            if source.kind == STREAM:
                options |= self.options
            return self.spark.readStream.format("tidelog").options(**(options | dict(source.options))).load()
        options |= of_a_range(source.options)
        options |= self.options if source.kind == STREAM and not whole else {"startingOffsets": "earliest"}
        return self.spark.read.format("tidelog").options(**options).load()

    def _client(self) -> dict[str, str]:
        return {f"kafka.{name}": text for name, text in self.settings.items()}

    def _global(self, source: Source) -> DataFrame:
        if self.mode == EMPTY:
            records = self.spark.createDataFrame([], RECORD)
        else:
            options = {"topic": source.topic, "folder": self.folder, **self._client(), **dict(source.options)}
            records = self.spark.read.format("tidelog_global").options(**options).load()
        return changes_frame(records, source).where(~F.col("_deleted")).drop("_deleted")


def stream_frame(records: DataFrame, source: Source) -> DataFrame:
    """The fields of every value that decodes; the others are the dead letters' affair."""
    if source.value.form == RAW:
        found = records
    else:
        decoded = columns.decoded(records, source.value, source.topic.split(",")[0])
        found = decoded.where("_error is null").select("_value.*", *_about(), *_headers(decoded))
    if source.time:
        if source.time not in found.columns:
            raise PipelineError(
                f"topic '{source.topic}' has no column '{source.time}' for its time; it has {found.columns}"
            )
        found = found.withWatermark(source.time, source.grace)
    return found


def changes_frame(records: DataFrame, source: Source) -> DataFrame:
    """The key's columns, the value's, and `_deleted`; a record without a value is a deletion."""
    keys = key_of(source)
    decoded = columns.decoded(records, source.value, source.topic)
    if source.value.form == RAW:
        raise PipelineError(f"table '{source.topic}' needs the form of its values: json=, avro= or protobuf=")
    kept = decoded.where("_error is null or value is null").where(_key_error(source).isNull())
    fields = [name for name in columns.schema_of(source.value, source.topic).names if name not in keys.names]
    values = [F.col("_value")[name].alias(name) for name in fields]
    deleted = F.col("value").isNull().alias("_deleted")
    return kept.select(*_key_columns(keys), *values, deleted, *_about())


def errors_frame(records: DataFrame, source: Source) -> DataFrame:
    """The records of a source that do not decode, with `_error`."""
    decoded = columns.decoded(records, source.value, source.topic.split(",")[0])
    if source.kind == STREAM:
        return columns.explained(decoded.where("_error is not null"), source.value)
    wrong_key = _key_error(source)
    of_value = decoded.where(wrong_key.isNull() & F.expr("_error is not null and value is not null"))
    of_key = decoded.where(wrong_key.isNotNull()).withColumn("_error", wrong_key)
    return columns.explained(of_value, source.value).unionByName(of_key)


def _key_error(source: Source) -> Column:
    """Why a record has no place in a table; null when it has one."""
    keys = key_of(source)
    unread = F.lit(False)
    for each in _key_columns(keys):
        unread = unread | each.isNull()
    wanted = ", ".join(f"{field.name} {field.dataType.simpleString()}" for field in keys.fields)
    shown = F.concat(F.lit(f"the key is not {wanted}: "), F.substring(F.col("key").cast("string"), 1, 60))
    return F.when(F.col("key").isNull(), F.lit("the record has no key")).when(unread, shown)


def _about() -> list[Column]:
    key = F.col("key").cast("string").alias("_key")
    return [key, *[F.col(name).alias(f"_{name}") for name in ("timestamp", "topic", "partition", "offset")]]


def _headers(records: DataFrame) -> list[Column]:
    return [F.col("headers").alias("_headers")] if "headers" in records.columns else []


def key_of(source: Source) -> T.StructType:
    """The columns of a table's key, from `user_id`, `user_id bigint` or `city string, minute timestamp`."""
    text = source.key if " " in source.key.strip() else f"{source.key} string"
    try:
        found = T.DataType.fromDDL(text)
    except Exception as error:
        raise PipelineError(f"'{source.key}' is not a key: write key='user_id' or key='user_id bigint'") from error
    assert isinstance(found, T.StructType)
    return found


def _key_columns(keys: T.StructType) -> list[Column]:
    text = F.col("key").cast("string")
    if len(keys) == 1:
        return [text.try_cast(keys[0].dataType).alias(keys[0].name)]
    parsed = F.from_json(text, keys)
    return [parsed[name].alias(name) for name in keys.names]


def written(step: Step, spark: SparkSession) -> Source:
    """What another step wrote, as a source: its topic, with the schema that its rows have."""
    target = step.target
    if target.kind == LAKE:
        raise PipelineError(f"'{step.name}' writes a lake table, which is not read as a stream; read what it reads")
    value = target.value or Value(JSON)
    schema = value_schema(Reader(spark).result(step))
    if value.form == JSON:
        value = Value(JSON, schema)
    if target.kind == COMPACTED:
        key = ", ".join(f"{name} {schema[name].dataType.simpleString()}" for name in target.key)
        return Source(TABLE, target.name, value, key=key)
    return Source(STREAM, ",".join((target.name, *target.also)), value, time=target.time, grace=target.grace)


def value_schema(frame: DataFrame) -> T.StructType:
    """The columns of a result that go into the value; the others say something about the record."""
    return T.StructType([each for each in frame.schema.fields if not each.name.startswith("_")])


__all__ = ["CHANGES", "EMPTY", "LIVE", "RANGE", "Reader", "changes_frame", "errors_frame", "stream_frame", "written"]
