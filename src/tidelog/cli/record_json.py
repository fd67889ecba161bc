"""Records of internal topics as JSON, field by field as Apache's tools write them.

A field that the version does not carry is left out, and so is a tagged field with its default value; bytes are base64,
ids are text.
"""

from __future__ import annotations

import json
from base64 import b64encode
from typing import Any

from tidelog.cli.deserializers import java_float
from tidelog.cli.record_fields import FIELDS
from tidelog.model import uuids


def to_json(message: Any, version: int) -> str:
    """The message as one line of JSON."""
    name = type(message).__name__
    return _struct(message, FIELDS[name], name, version)


def _struct(struct: Any, structs: dict[str, Any], name: str, version: int) -> str:
    parts = []
    for json_name, attribute, kind, first, last, tagged in structs[name]:
        if not first <= version <= last:
            continue
        value = getattr(struct, attribute)
        if tagged and value == getattr(type(struct)(), attribute):
            continue
        parts.append(f'"{json_name}":{_value(value, structs, kind, version)}')
    return "{" + ",".join(parts) + "}"


def _value(value: Any, structs: dict[str, Any], kind: str, version: int) -> str:
    if value is None:
        return "null"
    if isinstance(value, list):
        return "[" + ",".join([_value(item, structs, kind, version) for item in value]) + "]"
    if kind.startswith("struct "):
        return _struct(value, structs, kind[7:], version)
    if kind == "uuid":
        return f'"{uuids.to_text(value)}"'
    if kind in {"bytes", "records"}:
        return f'"{b64encode(bytes(value)).decode()}"'
    if kind == "float64":
        return java_float(value)
    if kind == "bool":
        return "true" if value else "false"
    return json.dumps(value, ensure_ascii=False)
