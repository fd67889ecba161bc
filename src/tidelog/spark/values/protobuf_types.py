"""Protobuf descriptors: to Spark types, from messages to rows and back."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from pyspark.sql import types as T

from tidelog.spark.pipeline.errors import PipelineError

_F = FieldDescriptor
_SIMPLE: dict[int, T.DataType] = {
    _F.CPPTYPE_INT32: T.IntegerType(),
    _F.CPPTYPE_INT64: T.LongType(),
    _F.CPPTYPE_UINT32: T.LongType(),
    _F.CPPTYPE_UINT64: T.DecimalType(20, 0),
    _F.CPPTYPE_DOUBLE: T.DoubleType(),
    _F.CPPTYPE_FLOAT: T.FloatType(),
    _F.CPPTYPE_BOOL: T.BooleanType(),
    _F.CPPTYPE_ENUM: T.StringType(),
}
TIMESTAMP = "google.protobuf.Timestamp"


def struct_of(message: Descriptor, way: tuple[str, ...] = ()) -> T.StructType:
    if message.full_name in way:
        raise PipelineError(f"the Protobuf message '{message.full_name}' contains itself, which columns cannot")
    inside = (*way, message.full_name)
    return T.StructType([T.StructField(each.name, _field_type(each, inside), True) for each in message.fields])


def _field_type(field: Any, way: tuple[str, ...]) -> T.DataType:
    if is_map(field):
        key, value = (field.message_type.fields_by_name[name] for name in ("key", "value"))
        return T.MapType(_one_type(key, way), _one_type(value, way), True)
    found = _one_type(field, way)
    return T.ArrayType(found, False) if field.is_repeated else found


def _one_type(field: Any, way: tuple[str, ...]) -> T.DataType:
    if field.cpp_type == _F.CPPTYPE_MESSAGE:
        return T.TimestampType() if field.message_type.full_name == TIMESTAMP else struct_of(field.message_type, way)
    if field.cpp_type == _F.CPPTYPE_STRING:
        return T.BinaryType() if field.type == _F.TYPE_BYTES else T.StringType()
    return _SIMPLE[field.cpp_type]


def is_map(field: Any) -> bool:
    return bool(field.message_type is not None and field.message_type.GetOptions().map_entry)


def row_of(message: Any) -> dict[str, Any]:
    """Fields by name. A field that can be absent and is absent is None; others have Protobuf's default."""
    found: dict[str, Any] = {}
    for field in message.DESCRIPTOR.fields:
        value = getattr(message, field.name)
        if is_map(field):
            one = _reader(field.message_type.fields_by_name["value"])
            found[field.name] = [(key, one(item)) for key, item in value.items()]
        elif field.is_repeated:
            found[field.name] = list(map(_reader(field), value))
        elif field.has_presence and not message.HasField(field.name):
            found[field.name] = None
        else:
            found[field.name] = _reader(field)(value)
    return found


def _reader(field: Any) -> Callable[[Any], Any]:
    if field.cpp_type == _F.CPPTYPE_MESSAGE:
        if field.message_type.full_name == TIMESTAMP:
            return lambda value: value.ToDatetime(tzinfo=UTC)
        return row_of
    if field.cpp_type == _F.CPPTYPE_ENUM:
        names = field.enum_type.values_by_number
        return lambda value: names[value].name if value in names else str(value)
    if field.cpp_type == _F.CPPTYPE_UINT64:
        return Decimal
    return lambda value: value


def fill(message: Any, row: dict[str, Any]) -> Any:
    """A message from a row; what is None or not there stays unset."""
    for field in message.DESCRIPTOR.fields:
        value = row.get(field.name)
        if value is None:
            continue
        if is_map(field):
            _fill_map(getattr(message, field.name), field.message_type.fields_by_name["value"], value)
        elif field.is_repeated:
            _fill_repeated(getattr(message, field.name), field, value)
        elif field.cpp_type == _F.CPPTYPE_MESSAGE:
            _fill_message(getattr(message, field.name), value)
        else:
            setattr(message, field.name, _plain(field, value))
    return message


def _fill_map(target: Any, field: Any, value: Any) -> None:
    for key, item in value.items() if isinstance(value, dict) else value:
        if field.cpp_type == _F.CPPTYPE_MESSAGE:
            _fill_message(target[key], item)
        else:
            target[key] = _plain(field, item)


def _fill_repeated(target: Any, field: Any, value: list[Any]) -> None:
    for item in value:
        if field.cpp_type == _F.CPPTYPE_MESSAGE:
            _fill_message(target.add(), item)
        else:
            target.append(_plain(field, item))


def _fill_message(target: Any, value: Any) -> None:
    target.SetInParent()
    if isinstance(value, datetime):
        target.FromDatetime(value)
    else:
        fill(target, value)


def _plain(field: Any, value: Any) -> Any:
    if field.cpp_type == _F.CPPTYPE_ENUM and isinstance(value, str):
        found = field.enum_type.values_by_name.get(value)
        return found.number if found is not None else int(value)
    return int(value) if isinstance(value, Decimal) else value
