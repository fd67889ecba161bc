"""Avro values, framed for a registry or bare, through fastavro. What is made here goes to workers, so it pickles."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import fastavro
from fastavro.schema import SchemaParseException

from tidelog.spark.pipeline.errors import PipelineError
from tidelog.spark.values import framing
from tidelog.spark.values.framing import Undecodable
from tidelog.spark.values.registry import Registry, newest, register, schema_by_id


@dataclass(frozen=True)
class Avro:
    """A reader's or writer's schema as text, and the registry when values are framed."""

    schema: str
    where: Registry | None = None
    schema_id: int | None = None

    def decoder(self) -> Callable[[bytes], dict[str, Any]]:
        wanted = fastavro.parse_schema(json.loads(self.schema))
        written: dict[int, Any] = {}

        def decode(value: bytes) -> dict[str, Any]:
            at, writer = 0, wanted
            if self.where is not None:
                schema_id, at = framing.split(value)
                if schema_id not in written:
                    written[schema_id] = fastavro.parse_schema(json.loads(schema_by_id(self.where, schema_id)))
                writer = written[schema_id]
            return _decode(value, at, writer, wanted)

        return decode

    def encoder(self) -> Callable[[dict[str, Any]], bytes]:
        schema = fastavro.parse_schema(json.loads(self.schema))
        head = b"" if self.schema_id is None else framing.frame(self.schema_id)

        def encode(row: dict[str, Any]) -> bytes:
            out = io.BytesIO()
            out.write(head)
            fastavro.schemaless_writer(out, schema, row)
            return out.getvalue()

        return encode

    def parsed(self) -> Any:
        return fastavro.parse_schema(json.loads(self.schema))


def _decode(value: bytes, at: int, writer: Any, wanted: Any) -> dict[str, Any]:
    source = io.BytesIO(value)
    source.seek(at)
    try:
        found = fastavro.schemaless_reader(source, writer, wanted)
    except Exception as error:  # hostile bytes raise whatever the branch they reach raises
        raise Undecodable(f"the value is not Avro of this schema: {type(error).__name__}: {error}") from None
    if source.tell() != len(value):
        raise Undecodable(f"the value is not Avro of this schema: {len(value) - source.tell()} bytes are left over")
    return found  # type: ignore[return-value]  # struct_of() has refused schemas that are not records


def resolve(given: Any, topic: str, *, write: bool = False) -> Avro:
    """From what a declaration says: a file, a schema as text or dict, or a registry."""
    if not isinstance(given, Registry):
        return Avro(_text(given))
    if given.schema is None:
        schema_id, text = newest(given, topic)
        return Avro(_text(text), given, schema_id)
    text = _text(given.schema)
    return Avro(text, given, register(given, topic, text, "AVRO") if write else None)


def _text(given: Any) -> str:
    if isinstance(given, str) and not given.lstrip().startswith(("{", '"')):
        file = Path(given)
        if not file.is_file():
            raise PipelineError(f"there is no Avro schema file '{given}'")
        given = file.read_text(encoding="utf-8")
    text = given if isinstance(given, str) else json.dumps(given)
    try:
        fastavro.parse_schema(json.loads(text))
    except (ValueError, SchemaParseException, KeyError, TypeError) as error:
        raise PipelineError(f"this is not an Avro schema: {error}") from error
    return text


def forgiving(decode: Callable[[bytes], Any], values: Iterable[bytes | None]) -> tuple[list[Any], list[str | None]]:
    """Rows and errors side by side: a row is None where there is an error or no value."""
    rows: list[Any] = []
    errors: list[str | None] = []
    for value in values:
        row, error = None, None
        if value is not None:
            try:
                row = decode(value)
            except Undecodable as reason:
                error = str(reason)
        rows.append(row)
        errors.append(error)
    return rows, errors
