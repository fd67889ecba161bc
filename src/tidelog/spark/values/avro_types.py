"""Avro schemas to Spark types, and what of Avro has no column. Pure apart from Spark's type classes."""

from __future__ import annotations

from typing import Any

from pyspark.sql import types as T

from tidelog.spark.pipeline.errors import PipelineError

_SIMPLE: dict[str, T.DataType] = {
    "boolean": T.BooleanType(),
    "int": T.IntegerType(),
    "long": T.LongType(),
    "float": T.FloatType(),
    "double": T.DoubleType(),
    "bytes": T.BinaryType(),
    "string": T.StringType(),
    "null": T.NullType(),
}
_LOGICAL: dict[str, T.DataType] = {
    "date": T.DateType(),
    "timestamp-millis": T.TimestampType(),
    "timestamp-micros": T.TimestampType(),
    "local-timestamp-millis": T.TimestampNTZType(),
    "local-timestamp-micros": T.TimestampNTZType(),
    "uuid": T.StringType(),
}


def struct_of(schema: Any) -> T.StructType:
    """The columns of a record schema, parsed by fastavro (names in full)."""
    found, _ = _type(schema, {}, ())
    if not isinstance(found, T.StructType):
        raise PipelineError("an Avro value must be a record, so that its fields become columns")
    return found


def _type(schema: Any, named: dict[str, Any], way: tuple[str, ...]) -> tuple[T.DataType, bool]:
    """The type, and whether it may be null."""
    if isinstance(schema, list):
        return _union(schema, named, way)
    if isinstance(schema, str):
        if schema in _SIMPLE:
            return _SIMPLE[schema], schema == "null"
        if schema in way:
            raise PipelineError(f"the Avro type '{schema}' contains itself, which columns cannot")
        return _type(named[schema], named, way)
    kind = schema["type"]
    if kind in ("record", "error"):
        return _record(schema, named, way), False
    if kind in ("enum", "fixed"):
        named[schema["name"]] = schema
    if schema.get("logicalType") == "decimal":
        return T.DecimalType(schema["precision"], schema.get("scale", 0)), False
    if schema.get("logicalType") in _LOGICAL:
        return _LOGICAL[schema["logicalType"]], False
    if kind == "enum":
        return T.StringType(), False
    if kind == "fixed":
        return T.BinaryType(), False
    if kind == "array":
        item, empty = _type(schema["items"], named, way)
        return T.ArrayType(item, empty), False
    if kind == "map":
        item, empty = _type(schema["values"], named, way)
        return T.MapType(T.StringType(), item, empty), False
    return _type(kind, named, way)


def _record(schema: Any, named: dict[str, Any], way: tuple[str, ...]) -> T.StructType:
    name = schema["name"]
    named[name] = schema
    fields = []
    for each in schema["fields"]:
        found, _ = _type(each["type"], named, (*way, name))
        fields.append(T.StructField(each["name"], found, True))
    return T.StructType(fields)


def _union(schema: list[Any], named: dict[str, Any], way: tuple[str, ...]) -> tuple[T.DataType, bool]:
    members = [_type(each, named, way)[0] for each in schema if each != "null"]
    if len(members) == 1:
        return members[0], "null" in schema
    if members and all(isinstance(each, (T.IntegerType, T.LongType)) for each in members):
        return T.LongType(), "null" in schema
    if members and all(isinstance(each, (T.FloatType, T.DoubleType)) for each in members):
        return T.DoubleType(), "null" in schema
    if not members:
        return T.NullType(), True
    raise PipelineError(f"an Avro union of several types has no column: {schema}; use a union of null and one type")
