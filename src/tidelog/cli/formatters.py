"""Records to lines, as the console consumer prints them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from tidelog.cli.deserializers import Show, deserializer
from tidelog.cli.tool import Failure

if TYPE_CHECKING:
    from tidelog.client.fetched import ConsumerRecord

Formatter = Callable[["ConsumerRecord"], bytes]
_TIMESTAMP_TYPES = ("CreateTime", "LogAppendTime")


class DefaultFormatter:
    """Properties as Apache's: print.key, print.timestamp, key.separator, null.literal, key.deserializer, ..."""

    def __init__(self, properties: Mapping[str, str]) -> None:
        def wanted(name: str, default: bool = False) -> bool:
            return default if name not in properties else properties[name].strip().lower() == "true"

        def text(name: str, default: str) -> bytes:
            return properties.get(name, default).encode()

        def show(name: str) -> Show | None:
            return deserializer(properties[name]) if name in properties else None

        self._separator = text("key.separator", "\t")
        self._line_end = text("line.separator", "\n")
        self._headers_separator = text("headers.separator", ",")
        self._null = text("null.literal", "null")
        self._show_key = show("key.deserializer")
        self._show_value = show("value.deserializer")
        self._show_header = show("headers.deserializer")
        self._columns: list[Formatter] = []
        for name, column in (
            ("print.timestamp", _timestamp),
            ("print.partition", lambda r: b"Partition:%d" % r.partition),
            ("print.offset", lambda r: b"Offset:%d" % r.offset),
            ("print.delivery", lambda r: b"Delivery:NOT_PRESENT"),
            ("print.epoch", lambda r: b"Epoch:NOT_PRESENT"),
            ("print.headers", self._headers),
            ("print.key", lambda r: self._shown(r.key, self._show_key)),
        ):
            if wanted(name):
                self._columns.append(column)
        if wanted("print.value", True):
            self._columns.append(lambda r: self._shown(r.value, self._show_value))

    def __call__(self, record: ConsumerRecord) -> bytes:
        if not self._columns:
            return b""
        return self._separator.join([column(record) for column in self._columns]) + self._line_end

    def _shown(self, data: bytes | None, show: Show | None) -> bytes:
        present = self._null if data is None else data
        return present if show is None else show(present)

    def _headers(self, record: ConsumerRecord) -> bytes:
        if not record.headers:
            return b"NO_HEADERS"
        return self._headers_separator.join(
            [name.encode() + b":" + self._shown(value, self._show_header) for name, value in record.headers]
        )


def _timestamp(record: ConsumerRecord) -> bytes:
    if record.timestamp < 0:
        return b"NO_TIMESTAMP"
    return f"{_TIMESTAMP_TYPES[record.timestamp_type]}:{record.timestamp}".encode()


def _nothing(record: ConsumerRecord) -> bytes:
    return b""


def formatter(class_name: str, properties: Mapping[str, str]) -> Formatter:
    """The formatter that a Java class name (or its short form) stands for."""
    short = class_name.rpartition(".")[2].rpartition("$")[2]
    if short == "NoOpMessageFormatter":
        return _nothing
    if short in {"DefaultMessageFormatter", "LoggingMessageFormatter"}:
        return DefaultFormatter(properties)
    from tidelog.cli.record_formatters import RECORD_FORMATTERS

    if short in RECORD_FORMATTERS:
        return RECORD_FORMATTERS[short]
    raise Failure(f"There is no formatter '{class_name}' here; use DefaultMessageFormatter or leave --formatter out")
