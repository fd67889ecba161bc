"""The value column to fields and an error, and rows to a value column: the one place where forms meet Spark."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pyarrow as pa
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F
from pyspark.sql import types as T
from pyspark.sql.pandas.types import to_arrow_type

from tidelog.spark.pipeline.errors import PipelineError
from tidelog.spark.values.choose import AVRO, JSON, PROTOBUF, RAW, TEXT, Value

arrow_udf: Any = vars(F)["arrow_udf"]  # not in the library's declared names
CORRUPT = "_corrupt_record"
TIMES = {"timestampFormat": "yyyy-MM-dd'T'HH:mm:ss.SSSSSSXXX"}


def schema_of(value: Value, topic: str) -> T.StructType:
    """The fields that the values of a topic have as columns."""
    if value.form == RAW:
        return T.StructType()
    if value.form == TEXT:
        return T.StructType([T.StructField("value", T.StringType())])
    if value.form == JSON:
        return _json_schema(value.schema)
    if value.form == AVRO:
        from tidelog.spark.values import avro, avro_types

        return avro_types.struct_of(avro.resolve(value.schema, topic).parsed())
    from tidelog.spark.values import protobuf, protobuf_types

    return protobuf_types.struct_of(protobuf.resolve(value.schema, topic).message_class().DESCRIPTOR)


def _json_schema(given: Any) -> T.StructType:
    if isinstance(given, T.StructType):
        return given
    try:
        found = T.DataType.fromDDL(given)
    except Exception as error:
        raise PipelineError(f"'{given}' is not a schema: write json='order_id string, amount double'") from error
    if not isinstance(found, T.StructType):
        raise PipelineError(f"'{given}' is one type; name the fields: json='order_id string, amount double'")
    return found


def decoded(frame: DataFrame, value: Value, topic: str, into: str = "_value", error: str = "_error") -> DataFrame:
    """The frame with a struct of the value's fields and, where there is no such thing, with an error."""
    if value.form == TEXT:
        text = F.expr("try_validate_utf8(cast(value as string))")
        wrong = F.when(F.col("value").isNull(), F.lit("the record has no value")).when(
            text.isNull(), F.lit("the value is not UTF-8 text")
        )
        return frame.withColumn(into, F.struct(text.alias("value"))).withColumn(error, wrong)
    if value.form == JSON:
        return _decoded_json(frame, _json_schema(value.schema), into, error)
    made = _decoder(value, topic)(F.col("value"))
    both = frame.withColumn("_both", made)
    wrong = F.when(F.col("value").isNull(), F.lit("the record has no value")).otherwise(F.col("_both.error"))
    return both.withColumn(into, F.col("_both.row")).withColumn(error, wrong).drop("_both")


def _decoded_json(frame: DataFrame, schema: T.StructType, into: str, error: str) -> DataFrame:
    """Spark's parser decides; only a value that it refuses is looked at again, for the reason."""
    whole = T.StructType([*schema.fields, T.StructField(CORRUPT, T.StringType())])
    options = {"mode": "PERMISSIVE", "columnNameOfCorruptRecord": CORRUPT}
    text = F.col("value").cast("string")
    parsed = frame.withColumn("_parsed", F.from_json(text, whole, options))
    bad = F.col("_parsed").isNull() | F.col(f"_parsed.{CORRUPT}").isNotNull() | ~_is_one_object(text)
    for field in schema.fields:
        if not field.nullable:
            bad = bad | F.col("_parsed")[field.name].isNull()
    fields = [F.col("_parsed")[field.name].alias(field.name) for field in schema.fields]
    marked = parsed.withColumn(into, F.when(~bad, F.struct(*fields)))
    return marked.withColumn(error, F.when(bad, F.lit("the value is not JSON of this schema"))).drop("_parsed")


def _is_one_object(text: Column) -> Column:
    """Whether nothing follows the first object, which is where the parser stops.

    Where the first closing brace is the last character, that is all there is to see. Otherwise the text is parsed again
    as the only element of an array, with something behind it that is reached only if the text is whole.
    """
    trimmed = F.rtrim(text, F.lit(" \t\r\n"))
    within = F.concat(F.lit('{"objects":['), text, F.lit('],"end":0}'))
    parsed = F.from_json(within, "objects array<string>, end int")
    alone = (F.size(parsed["objects"]) == 1) & parsed["end"].isNotNull()
    is_last = F.instr(trimmed, "}") == F.length(trimmed)
    return F.when(is_last, F.length(trimmed) > 0).otherwise(F.coalesce(alone, F.lit(False)))


def explained(frame: DataFrame, value: Value, error: str = "_error") -> DataFrame:
    """For frames of errors alone: the reason in words, where finding it costs too much for every record."""
    if value.form != JSON:
        return frame
    fields = _json_schema(value.schema).jsonValue()["fields"]

    def reasons(values: pa.Array) -> pa.Array:
        from tidelog.spark.values.json_text import explain

        return pa.array([explain(each, fields) for each in values.to_pylist()], pa.string())

    return frame.withColumn(error, arrow_udf(reasons, T.StringType())(F.col("value")))


def _decoder(value: Value, topic: str) -> Any:
    if value.form == AVRO:
        from tidelog.spark.values import avro

        codec: Any = avro.resolve(value.schema, topic)
    else:
        from tidelog.spark.values import protobuf

        codec = protobuf.resolve(value.schema, topic)
    schema = schema_of(value, topic)
    both = T.StructType([T.StructField("row", schema), T.StructField("error", T.StringType())])
    kinds = to_arrow_type(schema, timezone="UTC")

    def decode(values: pa.Array) -> pa.Array:
        from tidelog.spark.values.avro import forgiving

        rows, errors = forgiving(codec.decoder(), values.to_pylist())
        return pa.StructArray.from_arrays([pa.array(rows, kinds), pa.array(errors, pa.string())], ["row", "error"])

    return arrow_udf(decode, both)


def encoded(value: Value, columns: Sequence[str], topic: str) -> Column:
    """The columns of a row as the bytes of a value."""
    if value.form == RAW:
        return F.col("value").cast("binary")
    if value.form == JSON:
        fields = F.struct(*[F.col(f"`{name}`") for name in columns])
        return F.to_json(fields, {"ignoreNullFields": "false", **TIMES}).cast("binary")
    if value.form == AVRO:
        from tidelog.spark.values import avro

        codec: Any = avro.resolve(value.schema, topic, write=True)
    elif value.form == PROTOBUF:
        from tidelog.spark.values import protobuf

        codec = protobuf.resolve(value.schema, topic, write=True)
    else:
        raise PipelineError(f"rows are written as JSON, Avro, Protobuf or raw bytes, not as {value.form}")

    def encode(rows: pa.Array) -> pa.Array:
        encoder = codec.encoder()
        return pa.array([encoder(row) for row in rows.to_pylist()], pa.binary())

    made: Column = arrow_udf(encode, T.BinaryType())(F.struct(*[F.col(f"`{name}`") for name in columns]))
    return made
