"""Which form the values of a topic have, from what a declaration says. Codecs are loaded when used."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tidelog.spark.pipeline.errors import PipelineError

RAW, TEXT, JSON, AVRO, PROTOBUF = "raw", "text", "json", "avro", "protobuf"


@dataclass(frozen=True)
class Value:
    """A form and its schema: a Spark DDL text or StructType for JSON, a file, a text or a registry for the others."""

    form: str
    schema: Any = None


def choose(
    json: Any, avro: Any, protobuf: Any, text: bool = False, *, written: bool = False, raw: bool = False
) -> Value:
    """One form at most; without any, bytes are read as they are, and rows are written as JSON."""
    given = [
        (form, schema) for form, schema in ((JSON, json), (AVRO, avro), (PROTOBUF, protobuf)) if schema is not None
    ]
    if text:
        given.append((TEXT, True))
    if raw:
        given.append((RAW, None))
    if len(given) > 1:
        names = " and ".join(form for form, _ in given)
        raise PipelineError(f"a topic's values have one form, and {names} are given; keep one of them")
    if not given:
        return Value(JSON) if written else Value(RAW)
    form, schema = given[0]
    return Value(form, schema)
