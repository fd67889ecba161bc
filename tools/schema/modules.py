"""Puts one Python module together from the messages that belong in it."""

from __future__ import annotations

import dataclasses
import re

from tools.schema.code import Formats, Lines, annotation, default, snake
from tools.schema.decoders import Decoder
from tools.schema.encoders import Encoder
from tools.schema.language import Message, Struct

SIDES = {"request": "Request", "response": "Response"}


def write_class(lines: Lines, message: Message, struct: Struct) -> None:
    root = struct is message.root
    base = "Struct"
    if root:
        holds_records = any(field.type == "records" for part in message.structs.values() for field in part.fields)
        base = "RecordsMessage" if holds_records else "Message"
    with lines.block(f"class {struct.name}({base}):"):
        names = ", ".join(f'"{field.name}"' for field in struct.fields)
        lines(f"__slots__ = ({names}{',' if len(struct.fields) == 1 else ''})")
        if root:
            lines()
            lines(f"API_KEY = {-1 if message.key is None else message.key}")
            lines(f"VERSIONS = {message.versions}")
            lines(f"FLEXIBLE_FROM = {message.flexible_from}")
        write_constructor(lines, struct)
        if root:
            write_entry_points(lines, struct)
    lines()
    lines()


def is_fresh(text: str) -> bool:
    """A default that must be made anew for each instance."""
    return text == "[]" or text.endswith("()")


def write_constructor(lines: Lines, struct: Struct) -> None:
    if not struct.fields:
        return
    lines()
    arguments = [
        f"{field.name}: {annotation(field)} = {'UNSET' if is_fresh(default(field)) else default(field)}"
        for field in struct.fields
    ]
    with lines.block(f"def __init__(self, *, {', '.join(arguments)}) -> None:"):
        for field in struct.fields:
            value = default(field)
            source = f"{value} if {field.name} is UNSET else {field.name}" if is_fresh(value) else field.name
            lines(f"self.{field.name} = {source}")


def write_entry_points(lines: Lines, struct: Struct) -> None:
    name = snake(struct.name)
    lines()
    lines("@classmethod")
    head = f"def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[{struct.name}, int]:"
    with lines.block(head):
        lines(f"(item,), pos = _read_{name}(buf, pos, 1, version, left)")
        lines("return item, pos")
    lines()
    with lines.block("def _write(self, out: bytearray, version: int) -> None:"):
        lines(f"_write_{name}(out, (self,), version)")


def write_module(messages: list[Message], title: str) -> str:
    """`messages` are a request and its response, or a key and its value, or one alone."""
    body = Lines()
    formats = Formats()
    done: set[str] = set()
    for message in settle_names(messages):
        fresh = [struct for struct in message.structs.values() if struct.name not in done]
        for struct in fresh:
            write_class(body, message, struct)
        decoder, encoder = Decoder(message, body, formats), Encoder(message, body, formats)
        for struct in fresh:
            decoder.struct(struct)
            encoder.struct(struct)
            done.add(struct.name)
    return head_lines(title, body.text(), formats) + body.text()


def settle_names(messages: list[Message]) -> list[Message]:
    """Structs of the same name and content are shared by both messages of a module; of differing content, renamed."""
    if len(messages) < 2:
        return messages
    first, second = messages
    clashes = {
        name
        for name in set(first.structs) & set(second.structs)
        if first.structs[name] != second.structs[name] or first.flexible_from != second.flexible_from
    }
    # A struct that holds a renamed one differs through it.
    while more := {
        name
        for name in set(first.structs) & set(second.structs) - clashes
        if any(field.type in clashes for field in first.structs[name].fields)
    }:
        clashes |= more
    return [rename(message, {name: SIDES[message.kind] + name for name in clashes}) for message in messages]


def rename(message: Message, names: dict[str, str]) -> Message:
    structs = {}
    for struct in message.structs.values():
        fields = [dataclasses.replace(field, type=names.get(field.type, field.type)) for field in struct.fields]
        renamed = Struct(names.get(struct.name, struct.name), struct.versions, fields)
        structs[renamed.name] = renamed
    return dataclasses.replace(message, structs=structs)


def head_lines(title: str, body: str, formats: Formats) -> str:
    lines = Lines()
    lines(f'"""{title} Generated from schemas/ by `./dev gen`: do not edit."""')
    lines()
    lines("# ruff: noqa")
    lines("from __future__ import annotations")
    lines()

    def used(names: list[str]) -> str:
        return ", ".join(name for name in names if re.search(rf"\b{name}\b", body))

    if "Sequence[" in body:
        lines("from collections.abc import Sequence")
    if formats.readers or formats.packers:
        lines("from struct import Struct as Format")
    lines()
    if used(["ZERO"]):
        lines("from tidelog.model.uuids import ZERO")
    if halves := used(["reading", "writing"]):
        lines(f"from tidelog.protocol import {halves}")
    names = used(["UNSET", "Message", "Readable", "Records", "RecordsMessage", "Struct"])
    lines(f"from tidelog.protocol.primitives import {names}")
    lines()
    for definition in formats.definitions():
        lines(definition)
    lines()
    lines()
    return lines.text()
