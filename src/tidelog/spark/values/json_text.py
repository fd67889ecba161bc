"""What is wrong with a JSON value, in words. Called for the values that Spark's parser refused. Pure."""

from __future__ import annotations

import json
from typing import Any

_WHOLE = {"byte", "short", "integer", "long"}


def explain(value: bytes | None, fields: list[dict[str, Any]]) -> str:
    """`fields` are those of the schema's own JSON form (`StructType.jsonValue()["fields"]`)."""
    if value is None:
        return "the record has no value; read a topic with tombstones as a table or as changes"
    try:
        text = value.decode("utf-8")
    except UnicodeDecodeError as error:
        return f"the value is not JSON: byte {error.start} is not UTF-8"
    try:
        found = json.loads(text)
    except ValueError as error:
        return f"the value is not JSON: {error}" if text.strip() else "the value is not JSON: it is empty"
    except RecursionError:
        return "the value is not JSON that can be read: it is nested too deep"
    if not isinstance(found, dict):
        return f"the value is a JSON {_kind(found)}, not an object"
    for field in fields:
        reason = _field(found.get(field["name"]), field)
        if reason:
            return reason
    return "the value does not fit the schema"


def _field(value: Any, field: dict[str, Any]) -> str:
    name, wanted = field["name"], field["type"]
    if value is None:
        return "" if field.get("nullable", True) else f"field '{name}' is missing"
    if fits(value, wanted):
        return ""
    shown = json.dumps(value, ensure_ascii=False)
    kind = wanted if isinstance(wanted, str) else wanted["type"]
    return f"field '{name}' is not a {kind}: {shown if len(shown) <= 60 else shown[:59] + '…'}"


def fits(value: Any, wanted: Any) -> bool:
    """Whether a JSON value can be of this type, as far as that is seen without parsing times."""
    if value is None:
        return True
    if isinstance(wanted, dict):
        if wanted["type"] == "struct":
            return isinstance(value, dict) and all(fits(value.get(f["name"]), f["type"]) for f in wanted["fields"])
        if wanted["type"] == "array":
            return isinstance(value, list) and all(fits(each, wanted["elementType"]) for each in value)
        return isinstance(value, dict)
    if wanted in _WHOLE:
        return isinstance(value, int) and not isinstance(value, bool)
    if wanted in {"double", "float"} or wanted.startswith("decimal"):
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    if wanted == "boolean":
        return isinstance(value, bool)
    if wanted in {"timestamp", "date", "timestamp_ntz", "binary"}:
        return False if not isinstance(value, (str, int)) else wanted == "binary" or _looks_like_time(value)
    return True  # a string takes any value


def _looks_like_time(value: str | int) -> bool:
    from datetime import datetime

    if isinstance(value, int):
        return True
    try:
        datetime.fromisoformat(value)
    except ValueError:
        return False
    return True


def _kind(value: Any) -> str:
    kinds = {list: "array", str: "string", bool: "boolean", int: "number", float: "number"}
    return "null" if value is None else kinds[type(value)]
