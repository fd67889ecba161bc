"""Reads the message language (`schemas/README.md`) into plain values.

Every version range that comes out of here is closed, lies inside the served versions, and accounts for the enclosing
structs: a field's `versions` are exactly the versions that carry it on the wire.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

SCHEMAS = Path(__file__).resolve().parent.parent.parent / "schemas"

# Fixed-size types and their struct codes.
FIXED = {
    "bool": "?",
    "int8": "b",
    "int16": "h",
    "int32": "i",
    "int64": "q",
    "uint16": "H",
    "uint32": "I",
    "float64": "d",
    "uuid": "16s",
}
VARIABLE = {"string", "bytes", "records"}
INDENT = 2

Versions = tuple[int, int]


class SchemaError(ValueError):
    """A schema file says something that the language does not know."""


@dataclass
class Field:
    name: str
    type: str  # the element's type for an array
    versions: Versions
    array: bool = False
    nullable: Versions | None = None
    tag: int | None = None
    default: str | None = None  # as written; None stands for the natural one
    ignorable: bool = False
    plain: bool = False

    @property
    def is_struct(self) -> bool:
        return self.type not in FIXED and self.type not in VARIABLE

    @property
    def is_fixed(self) -> bool:
        return not self.array and self.type in FIXED

    @property
    def null_default(self) -> bool:
        return self.default == "null"


@dataclass
class Struct:
    name: str
    versions: Versions
    fields: list[Field] = field(default_factory=list)

    @property
    def plain_fields(self) -> list[Field]:
        return [field for field in self.fields if field.tag is None]

    @property
    def tagged_fields(self) -> list[Field]:
        return sorted((field for field in self.fields if field.tag is not None), key=lambda field: field.tag or 0)


@dataclass
class Message:
    kind: str
    name: str  # the API's name for a request or a response, otherwise the message's own
    versions: Versions
    group: str
    key: int | None = None
    flexible_from: int | None = None
    unstable: int | None = None
    listeners: tuple[str, ...] = ()
    structs: dict[str, Struct] = field(default_factory=dict)  # the message itself last, each after those it uses

    @property
    def class_name(self) -> str:
        return self.name + {"request": "Request", "response": "Response"}.get(self.kind, "")

    @property
    def root(self) -> Struct:
        return self.structs[self.class_name]


def within(text: str, outer: Versions) -> Versions:
    """`9+`, `3-12` or `0`, cut to the versions of the surroundings."""
    first, mark, last = re.fullmatch(r"(\d+)(\+|-(?=\d))?(\d+)?", text).groups()  # type: ignore[union-attr]
    end = outer[1] if mark == "+" else int(last) if mark == "-" else int(first)
    found = max(int(first), outer[0]), min(end, outer[1])
    if found[0] > found[1]:
        raise SchemaError(f"no version of {text} is among {outer[0]}-{outer[1]}")
    return found


def parse_field(words: list[str], outer: Versions) -> Field:
    name, kind, *rest = words
    found = Field(name, "", outer)
    if rest and rest[0][0].isdigit():
        found.versions = within(rest.pop(0), outer)
    if rest and rest[0].startswith("@"):
        found.tag = int(rest.pop(0)[1:])
    if len(rest) > 1 and rest[0] == "=":
        found.default = rest[1]
        del rest[:2]
    for option in ("ignorable", "plain"):
        if rest and rest[0] == option:
            setattr(found, option, True)
            del rest[0]
    if rest:
        raise SchemaError(f"'{' '.join(rest)}' of {name} is not understood")
    base, question, since = kind.partition("?")
    found.nullable = (within(since, found.versions) if since else found.versions) if question else None
    found.array = base.startswith("[]")
    found.type = base.removeprefix("[]")
    return found


class _Parser:
    def __init__(self, lines: Iterator[tuple[int, list[str]]], message: Message) -> None:
        self.lines = list(lines)
        self.at = 0
        self.message = message

    def fields(self, struct: Struct, depth: int) -> None:
        """Takes the lines at `depth` as fields of `struct`, and deeper ones as those of the field before."""
        while self.at < len(self.lines) and self.lines[self.at][0] == depth:
            if depth == 0 and self.lines[self.at][1][0] == "struct":
                break
            found = parse_field(self.lines[self.at][1], struct.versions)
            self.at += 1
            struct.fields.append(found)
            if self.at < len(self.lines) and self.lines[self.at][0] == depth + 1:
                inner = Struct(found.type, found.versions)
                self.fields(inner, depth + 1)
                self.add(inner)
        if depth:
            return
        while self.at < len(self.lines) and self.lines[self.at][1][0] == "struct":
            self.shared()

    def shared(self) -> None:
        inner = Struct(self.lines[self.at][1][1], self.message.versions)
        self.at += 1
        self.fields(inner, 1)
        self.add(inner)

    def add(self, struct: Struct) -> None:
        if struct.name in self.message.structs:
            raise SchemaError(f"struct {struct.name} is described twice")
        self.message.structs[struct.name] = struct


def in_order(structs: dict[str, Struct], root: str) -> dict[str, Struct]:
    """Each struct after those that it uses."""
    found: dict[str, Struct] = {}

    def visit(name: str) -> None:
        for used in structs[name].fields:
            if used.is_struct and used.type not in found:
                if used.type not in structs:
                    raise SchemaError(f"struct {used.type} is not described")
                visit(used.type)
        found[name] = structs[name]

    visit(root)
    if len(found) != len(structs):
        raise SchemaError(f"unused structs: {sorted(set(structs) - set(found))}")
    return found


def parse_head(line: str, group: str) -> Message:
    title, _, facts = line.partition(":")
    kind, name = title.split()
    said = dict(fact.strip().split(" ", 1) for fact in facts.split(","))
    message = Message(kind, name, within(said.pop("versions"), (0, 1 << 15)), group)
    if "key" in said:
        message.key = int(said.pop("key"))
    if "flexible" in said:
        message.flexible_from = int(said.pop("flexible").removesuffix("+"))
    if "unstable" in said:
        message.unstable = int(said.pop("unstable"))
    message.listeners = tuple(said.pop("on", "").split())
    if said:
        raise SchemaError(f"'{' '.join(said)}' in the first line is not understood")
    return message


def parse(text: str, group: str) -> Message:
    head, *body = text.splitlines()
    message = parse_head(head, group)
    lines = (((len(line) - len(line.lstrip())) // INDENT, line.split()) for line in body if line.strip())
    parser = _Parser(lines, message)
    root = Struct(message.class_name, message.versions)
    parser.fields(root, 0)
    parser.add(root)
    if parser.at != len(parser.lines):
        raise SchemaError(f"line '{' '.join(parser.lines[parser.at][1])}' is indented too far")
    message.structs = in_order(message.structs, root.name)
    return message


def load(path: Path) -> Message:
    try:
        return parse(path.read_text(), path.parent.name)
    except (SchemaError, ValueError, AttributeError, KeyError) as error:
        raise SchemaError(f"{path}: {error}") from error


def load_all() -> list[Message]:
    return [load(path) for path in sorted(SCHEMAS.glob("*/*.msg"))]
