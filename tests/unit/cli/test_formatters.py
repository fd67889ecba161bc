"""Records to lines, as the console consumer prints them."""

import struct

import pytest

from tidelog.cli.deserializers import deserializer, java_float
from tidelog.cli.formatters import formatter
from tidelog.cli.tool import Failure
from tidelog.client.fetched import ConsumerRecord

DEFAULT = "org.apache.kafka.tools.consumer.DefaultMessageFormatter"


def record(key: bytes | None = b"k", value: bytes | None = b"v", headers: tuple = ()) -> ConsumerRecord:  # type: ignore[type-arg]
    return ConsumerRecord("t", 3, 42, 1700000000000, 0, key, value, headers, 0)


def show(found: ConsumerRecord, **properties: str) -> bytes:
    return formatter(DEFAULT, {name.replace("_", "."): value for name, value in properties.items()})(found)


def test_the_value_alone_by_default() -> None:
    assert show(record()) == b"v\n"
    assert show(record(value=None)) == b"null\n"
    assert show(record(value=b"\xff\x00")) == b"\xff\x00\n"


def test_every_column_in_apaches_order() -> None:
    line = show(
        record(headers=(("h", b"x"), ("n", None))),
        print_timestamp="true",
        print_partition="true",
        print_offset="true",
        print_epoch="true",
        print_headers="true",
        print_key="true",
        key_separator="|",
    )
    assert line == b"CreateTime:1700000000000|Partition:3|Offset:42|Epoch:NOT_PRESENT|h:x,n:null|k|v\n"


def test_no_value_null_literal_and_line_separator() -> None:
    line = show(record(key=None), print_key="true", print_value="false", null_literal="NULL", line_separator="@")
    assert line == b"NULL@"
    assert show(record(), print_headers="true") == b"NO_HEADERS\tv\n"


def test_deserializers() -> None:
    long = struct.pack(">q", -5)
    assert (
        show(record(value=long), value_deserializer="org.apache.kafka.common.serialization.LongDeserializer") == b"-5\n"
    )
    with pytest.raises(Failure, match="is not 8"):
        show(record(value=b"abc"), value_deserializer="LongDeserializer")
    with pytest.raises(Failure, match=r"no deserializer 'x\.Avro'"):
        deserializer("x.Avro")


def test_other_formatters() -> None:
    assert formatter("org.apache.kafka.tools.consumer.NoOpMessageFormatter", {})(record()) == b""
    with pytest.raises(Failure, match="no formatter 'Nope'"):
        formatter("Nope", {})


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0.0"),
        (1024.0, "1024.0"),
        (0.5, "0.5"),
        (1e7, "1.0E7"),
        (1048576000.0, "1.048576E9"),
        (1.5e-5, "1.5E-5"),
        (-2.5e10, "-2.5E10"),
        (float("nan"), "NaN"),
        (float("inf"), "Infinity"),
    ],
)
def test_numbers_as_java_prints_them(value: float, text: str) -> None:
    assert java_float(value) == text


def test_floats_have_no_more_digits_than_they_need() -> None:
    (value,) = struct.unpack(">f", struct.pack(">f", 0.1))
    assert java_float(value, ">f") == "0.1"
