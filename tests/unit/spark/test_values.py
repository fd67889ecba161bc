"""Values of every form: what they decode to, what they say of bytes that are not theirs, frames of a registry."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from decimal import Decimal

import pytest
from google.protobuf import descriptor_pb2
from hypothesis import given, settings
from hypothesis import strategies as st

from support.schema_registry import SchemaRegistry, schema_registry, serialized
from tidelog.spark.pipeline.errors import PipelineError
from tidelog.spark.values import avro, framing, json_text, protobuf
from tidelog.spark.values.choose import JSON, RAW, choose
from tidelog.spark.values.framing import Undecodable
from tidelog.spark.values.registry import registry

ORDER = {
    "type": "record",
    "name": "Order",
    "fields": [
        {"name": "id", "type": "string"},
        {"name": "amount", "type": ["null", "double"], "default": None},
        {"name": "at", "type": {"type": "long", "logicalType": "timestamp-millis"}},
    ],
}
ROW = {"id": "o1", "amount": 2.5, "at": datetime(2026, 1, 1, tzinfo=UTC)}


@pytest.fixture
def schemas() -> Iterator[SchemaRegistry]:
    with schema_registry() as found:
        yield found


def order_file() -> descriptor_pb2.FileDescriptorProto:
    """A file with two messages; the second has what a message can have: presence, times, lists, maps, enums."""
    field = descriptor_pb2.FieldDescriptorProto
    file = descriptor_pb2.FileDescriptorProto(name="order.proto", package="shop", syntax="proto3")
    file.dependency.append("google/protobuf/timestamp.proto")
    file.message_type.add(name="Note").field.add(name="text", number=1, type=field.TYPE_STRING, label=1)
    order = file.message_type.add(name="Order")
    order.field.add(name="id", number=1, type=field.TYPE_STRING, label=1)
    order.field.add(name="n", number=2, type=field.TYPE_UINT64, label=1, oneof_index=0, proto3_optional=True)
    order.oneof_decl.add(name="_n")
    order.field.add(name="at", number=3, type=field.TYPE_MESSAGE, label=1, type_name=".google.protobuf.Timestamp")
    order.field.add(name="lines", number=4, type=field.TYPE_MESSAGE, label=3, type_name=".shop.Order.Line")
    order.field.add(name="tags", number=5, type=field.TYPE_MESSAGE, label=3, type_name=".shop.Order.TagsEntry")
    line = order.nested_type.add(name="Line")
    line.field.add(name="sku", number=1, type=field.TYPE_STRING, label=1)
    line.field.add(name="kind", number=2, type=field.TYPE_ENUM, label=1, type_name=".shop.Kind")
    entry = order.nested_type.add(name="TagsEntry")
    entry.field.add(name="key", number=1, type=field.TYPE_STRING, label=1)
    entry.field.add(name="value", number=2, type=field.TYPE_INT32, label=1)
    entry.options.map_entry = True
    kind = file.enum_type.add(name="Kind")
    kind.value.add(name="PLAIN", number=0)
    kind.value.add(name="GIFT", number=1)
    return file


def test_an_avro_value_comes_back() -> None:
    codec = avro.resolve(ORDER, "orders")
    assert codec.decoder()(codec.encoder()(ROW)) == ROW


def test_an_avro_schema_is_a_file_a_text_or_a_dict(tmp_path) -> None:
    file = tmp_path / "order.avsc"
    file.write_text(json.dumps(ORDER))
    assert {avro.resolve(each, "t").schema for each in (ORDER, json.dumps(ORDER), str(file))} == {json.dumps(ORDER)}
    with pytest.raises(PipelineError, match="there is no Avro schema file 'away"):
        avro.resolve("away.avsc", "t")
    with pytest.raises(PipelineError, match="not an Avro schema"):
        avro.resolve({"type": "recrd"}, "t")


def test_bytes_after_an_avro_value_are_an_error() -> None:
    codec = avro.resolve(ORDER, "orders")
    with pytest.raises(Undecodable, match="1 bytes are left over"):
        codec.decoder()(codec.encoder()(ROW) + b"x")


@settings(deadline=None, max_examples=50)
@given(st.binary(max_size=40))
def test_any_bytes_are_avro_or_an_error(value: bytes) -> None:
    rows, errors = avro.forgiving(avro.resolve(ORDER, "orders").decoder(), [value, None])
    assert (rows[0] is None) == (errors[0] is not None)
    assert rows[1] is None
    assert errors[1] is None


def test_avro_of_an_older_schema_is_read_with_the_newer(schemas: SchemaRegistry) -> None:
    older = {**ORDER, "fields": [ORDER["fields"][0], ORDER["fields"][2]]}
    where = registry(schemas.url)
    value = avro.resolve(registry(schemas.url, schema=older), "orders", write=True).encoder()(ROW)
    schemas.register("orders-value", json.dumps(ORDER))
    assert value[:5] == b"\0\0\0\0\1"
    decode = avro.resolve(where, "orders").decoder()
    assert decode(value) == {**ROW, "amount": None}
    decode(value)
    assert schemas.requests.count("GET /schemas/ids/1") == 1


def test_an_unknown_schema_is_the_records_fault_and_a_registry_that_is_away_is_not(schemas: SchemaRegistry) -> None:
    schemas.register("orders-value", json.dumps(ORDER))
    decode = avro.resolve(registry(schemas.url), "orders").decoder()
    with pytest.raises(Undecodable, match="has no schema 77"):
        decode(framing.frame(77) + b"x")
    away = avro.Avro(json.dumps(ORDER), registry("http://127.0.0.1:1"))
    with pytest.raises(PipelineError, match="does not answer"):
        away.decoder()(framing.frame(1) + b"x")
    with pytest.raises(PipelineError, match="has no subject 'lost-value'"):
        avro.resolve(registry(schemas.url), "lost")


def test_a_protobuf_value_comes_back(tmp_path) -> None:
    file = tmp_path / "order.desc"
    file.write_bytes(protobuf._set(order_file()))
    codec = protobuf.resolve(f"{file}:shop.Order", "orders")
    row = {
        "id": "o1",
        "n": Decimal(2**64 - 1),
        "at": datetime(2026, 1, 1, tzinfo=UTC),
        "lines": [{"sku": "a", "kind": "GIFT"}, {"sku": "b", "kind": "PLAIN"}],
        "tags": [("x", 1)],
    }
    assert codec.decoder()(codec.encoder()(row)) == row
    empty = codec.decoder()(b"")
    assert empty == {"id": "", "n": None, "at": None, "lines": [], "tags": []}


def test_a_protobuf_value_names_its_message_for_the_registry(schemas: SchemaRegistry) -> None:
    number = schemas.register("orders-value", serialized(order_file()), "PROTOBUF")
    files = protobuf._set(order_file())
    where = registry(schemas.url)
    order = protobuf.Protobuf(files, "shop.Order", where, number)
    value = order.encoder()({"id": "o1"})
    assert value[:7] == b"\0" + number.to_bytes(4, "big") + b"\x02\x02"  # one level, second message, in zigzag
    assert order.decoder()(value)["id"] == "o1"
    note = protobuf.resolve(where, "orders")
    assert note.message == "shop.Note"
    assert note.encoder()({"text": "x"})[5:6] == b"\0"
    with pytest.raises(Undecodable, match=r"a 'shop.Order', not a 'shop.Note'"):
        note.decoder()(value)


@settings(deadline=None, max_examples=50)
@given(st.binary(max_size=40))
def test_any_bytes_are_protobuf_or_an_error(value: bytes) -> None:
    codec = protobuf.Protobuf(protobuf._set(order_file()), "shop.Order")
    rows, errors = avro.forgiving(codec.decoder(), [value])
    assert (rows[0] is None) == (errors[0] is not None)


@settings(deadline=None, max_examples=50)
@given(st.lists(st.integers(0, 300), min_size=1, max_size=5))
def test_the_path_to_a_message_comes_back(path: list[int]) -> None:
    framed = framing.framed_path(tuple(path))
    assert framing.message_path(b"12345" + framed, 5) == (tuple(path), 5 + len(framed))


@pytest.mark.parametrize("value", [b"", b"\0\0\0", b"\1\0\0\0\1x"])
def test_what_is_not_framed_says_so(value: bytes) -> None:
    with pytest.raises(Undecodable, match="the value"):
        framing.split(value)


FIELDS = [
    {"name": "id", "type": "string", "nullable": False},
    {"name": "amount", "type": "double", "nullable": True},
    {"name": "at", "type": "timestamp", "nullable": True},
]


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        (None, "the record has no value"),
        (b"", "it is empty"),
        (b"\xff", "byte 0 is not UTF-8"),
        (b"{", "the value is not JSON"),
        (b"[1]", "a JSON array, not an object"),
        (b"null", "a JSON null, not an object"),
        (b"{}", "field 'id' is missing"),
        (b'{"id":"1","amount":"x"}', "field 'amount' is not a double: \"x\""),
        (b'{"id":"1","at":"noon"}', "field 'at' is not a timestamp"),
        (b"[" * 100_000, "the value is not JSON"),
    ],
)
def test_a_json_value_that_was_refused_is_explained(value: bytes | None, reason: str) -> None:
    assert reason in json_text.explain(value, FIELDS)


def test_a_topic_has_one_form() -> None:
    assert choose(None, None, None).form == RAW
    assert choose(None, None, None, written=True).form == JSON
    with pytest.raises(PipelineError, match="json and avro are given"):
        choose("a int", {}, None)
