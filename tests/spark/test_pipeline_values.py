"""Values of every form through real queries: what decodes comes out, what does not is a dead letter with its reason."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import fastavro
import pytest
from google.protobuf import descriptor_pb2
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

from peer.ours import OurNode
from support.schema_registry import SchemaRegistry, schema_registry
from tidelog.cli.tool import run_async
from tidelog.spark.pipeline import registry, stream, to_topic
from tidelog.spark.pipeline.loading import Pipeline, collect
from tidelog.spark.pipeline.run import Runner
from tidelog.spark.pipeline.session import register
from tidelog.spark.pipeline.topics import prepare
from tidelog.spark.samples import outputs
from tidelog.spark.samples.feed import create, read_all, send
from tidelog.spark.values import avro, columns, protobuf
from tidelog.spark.values.choose import JSON, Value

WRITER = {"type": "record", "name": "Order", "fields": [{"name": "id", "type": "string"}, {"name": "n", "type": "int"}]}
DOUBLED = {
    "type": "record",
    "name": "Doubled",
    "fields": [{"name": "id", "type": "string"}, {"name": "n", "type": "long"}],
}
AT = datetime(2026, 1, 1, tzinfo=UTC)


def note_file() -> bytes:
    """`shop.Note` with a text and a time, as protoc writes it down."""
    field = descriptor_pb2.FieldDescriptorProto
    file = descriptor_pb2.FileDescriptorProto(name="note.proto", package="shop", syntax="proto3")
    file.dependency.append("google/protobuf/timestamp.proto")
    note = file.message_type.add(name="Note")
    note.field.add(name="text", number=1, type=field.TYPE_STRING, label=1)
    note.field.add(name="at", number=2, type=field.TYPE_MESSAGE, label=1, type_name=".google.protobuf.Timestamp")
    return protobuf._set(file)


@pytest.fixture
def schemas() -> Iterator[SchemaRegistry]:
    with schema_registry() as found:
        found.register("orders-value", json.dumps(WRITER))
        yield found


def pipeline(url: str, notes: str) -> Pipeline:
    orders, blobs = stream("orders", avro=registry(url)), stream("blobs")
    note, lines = stream("notes", protobuf=notes), stream("lines", text=True)

    @to_topic("doubled", key="id", avro=registry(url, schema=DOUBLED))
    def doubled(orders: Any = orders) -> Any:
        return orders.select("id", (F.col("n") * 2).cast("long").alias("n"))

    @to_topic("framed-notes", protobuf=registry(url, schema=notes))
    def framed(note: Any = note) -> Any:
        return note.select("text", F.expr("at + interval 1 day").alias("at"))

    @to_topic("loud", raw=True)
    def loud(lines: Any = lines) -> Any:
        return lines.select(F.upper("value").alias("value"))

    @to_topic("copies", raw=True, key="key")
    def copies(blobs: Any = blobs) -> Any:
        return blobs.select("key", "value")

    return collect("forms", {"doubled": doubled, "framed": framed, "loud": loud, "copies": copies})


def test_every_form_of_values(spark: SparkSession, schemas: SchemaRegistry, tmp_path: Path) -> None:
    (tmp_path / "note.desc").write_bytes(note_file())
    notes = f"{tmp_path / 'note.desc'}:shop.Note"
    made = pipeline(schemas.url, notes)
    node = OurNode(tmp_path)
    node.start()
    try:
        settings = {"bootstrap.servers": node.address}
        run_async(create(settings, dict.fromkeys(("orders", "notes", "lines", "blobs"), False), partitions=1))
        run_async(prepare(made, settings))
        run_async(send(settings, events(schemas.url, notes)))
        Runner(made, register(spark), settings, tmp_path / "home").run_once()
        found = {name: [each.value for each in run_async(read_all(settings, name))] for name in made.topics_written()}
        letters = run_async(outputs.dead_letters(made, settings))
    finally:
        node.close()
    (framed_order,) = found["doubled"]
    assert framed_order[:5] == b"\0" + (2).to_bytes(4, "big")
    assert avro.Avro(json.dumps(DOUBLED)).decoder()(framed_order[5:]) == {"id": "o1", "n": 14}
    (note,) = found["framed-notes"]
    assert protobuf.resolve(registry(schemas.url, schema=notes), "framed-notes").decoder()(note) == {
        "text": "hi",
        "at": datetime(2026, 1, 2, tzinfo=UTC),
    }
    assert found["loud"] == [b"HELLO"]
    assert found["copies"] == [bytes(range(256))]
    assert {row["from"]: row["reason"] for row in letters} == {
        "orders-0@1": f"the registry at {schemas.url} has no schema 99",
        "orders-0@2": "the value begins with byte 110, not with the 0 that comes before a schema id",
        "orders-0@3": "the value is not Avro of this schema: 2 bytes are left over",
        "notes-0@1": next(row["reason"] for row in letters if row["from"] == "notes-0@1"),
        "lines-0@1": "the value is not UTF-8 text",
    }
    assert "not a Protobuf shop.Note" in next(row["reason"] for row in letters if row["from"] == "notes-0@1")


def test_json_is_one_object_and_nothing_behind_it(spark: SparkSession) -> None:
    whole = ['{"a":1,"s":"x"}', ' {"a":1}\r\n', '{"a":1,"s":"}{"}', '{"a":1,"n":{"b":2}} ']
    broken = [
        '{"a":1}{"a":2}',
        '{"a":1,"n":{"b":2}}, {"a":2}',
        '{"a":1}]}',
        '{"a":1}}',
        '{"a":1} x}',
        '{"a":1',
        "",
        "[]",
    ]
    frame = spark.createDataFrame([(text.encode(),) for text in whole + broken], "value binary")
    rows = columns.decoded(frame, Value(JSON, "a int, s string, n struct<b:int>"), "topic").collect()
    found = {bytes(row["value"]).decode(): row["_value"] and row["_value"]["a"] for row in rows}
    assert found == {**dict.fromkeys(whole, 1), **dict.fromkeys(broken)}
    assert [bytes(row["value"]).decode() for row in rows if row["_error"]] == broken


def events(url: str, notes: str) -> list[Any]:
    order = b"\0" + (1).to_bytes(4, "big") + avro.Avro(json.dumps(WRITER)).encoder()({"id": "o1", "n": 7})
    note = protobuf.resolve(notes, "notes").encoder()({"text": "hi", "at": AT})
    return [
        ("orders", b"k", order),
        ("orders", b"k", b"\0\0\0\0\x63" + order[5:]),
        ("orders", b"k", b"not framed"),
        ("orders", b"k", order + b"xx"),
        ("notes", None, note),
        ("notes", None, b"\xff\xff\xff"),
        ("lines", None, b"hello"),
        ("lines", None, b"\xff\xfe"),
        ("blobs", b"k", bytes(range(256))),
    ]


def test_avro_is_what_other_writers_make() -> None:
    """The bytes in this file are those of the library, not only of our own encoder."""
    import io

    out = io.BytesIO()
    fastavro.schemaless_writer(out, fastavro.parse_schema(WRITER), {"id": "o1", "n": 7})
    assert out.getvalue() == avro.Avro(json.dumps(WRITER)).encoder()({"id": "o1", "n": 7})
