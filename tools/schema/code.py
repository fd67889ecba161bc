"""Small helps for writing Python: indented lines, version conditions, names, and how fields look as Python values."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from tools.schema.language import FIXED, Field, Message, Struct, Versions


class Lines:
    def __init__(self) -> None:
        self.lines: list[str] = []
        self.depth = 0

    def __call__(self, line: str = "") -> None:
        self.lines.append("    " * self.depth + line if line else "")

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        """The lines written inside are indented below `head`."""
        self(head)
        self.depth += 1
        before = len(self.lines)
        yield
        if len(self.lines) == before:
            self("pass")
        self.depth -= 1

    def text(self) -> str:
        return "\n".join(self.lines) + "\n"


def snake(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name.replace("KRaft", "Kraft")).lower()


def condition(versions: Versions, outer: Versions) -> str:
    """The test on `version` that tells `versions` inside `outer`; empty when there is nothing to tell."""
    first, last = versions
    if first > outer[0] and last < outer[1]:
        return f"{first} <= version <= {last}" if first != last else f"version == {first}"
    if first > outer[0]:
        return f"version >= {first}"
    if last < outer[1]:
        return f"version <= {last}"
    return ""


def compact(message: Message, struct: Struct, field: Field | None = None) -> str:
    """The Python expression that says whether lengths are compact in the present version."""
    flexible_from = message.flexible_from
    if flexible_from is None or flexible_from > struct.versions[1] or (field is not None and field.plain):
        return "False"
    versions = field.versions if field is not None else struct.versions
    if flexible_from > versions[1]:
        return "False"
    return "True" if flexible_from <= versions[0] else "compact"


def default(field: Field) -> str:
    """The default as a Python expression."""
    if field.null_default:
        return "None"
    if field.array:
        return "[]"
    if field.is_struct:
        return f"{field.type}()"
    if field.default is not None:
        return {"true": "True", "false": "False"}.get(field.default, field.default)
    natural = {"bool": "False", "float64": "0.0", "uuid": "ZERO", "string": '""', "bytes": 'b""', "records": 'b""'}
    return natural.get(field.type, "0")


def annotation(field: Field) -> str:
    plain = {"bool": "bool", "float64": "float", "uuid": "bytes", "string": "str", "bytes": "bytes"}
    if field.type == "records":
        return "Records"
    name = plain.get(field.type, "int" if field.type in FIXED else field.type)
    name = f"list[{name}]" if field.array else name
    return f"{name} | None" if field.nullable or field.null_default else name


def differs(value: str, field: Field, structs: dict[str, Struct]) -> str:
    """The Python expression that is true when `value` is not the field's default."""
    if field.null_default:
        return f"{value} is not None"
    if field.array or field.type in {"string", "bytes", "records"}:
        if field.nullable:
            return f"({value} is None or len({value}) > 0)" if field.type != "records" else f"{value} != b''"
        return value
    if field.is_struct:
        tests = [differs(f"{value}.{part.name}", part, structs) for part in structs[field.type].fields]
        return " or ".join([f"{value} is None", *tests] if field.nullable else tests) or "False"
    if field.type == "bool":
        return f"not {value}" if field.default == "true" else value
    return f"{value} != {default(field)}"


class Formats:
    """The struct formats that a module uses; each gets a reader and a packer under a name of its own."""

    def __init__(self) -> None:
        self.readers: set[str] = set()
        self.packers: set[str] = set()

    def reader(self, codes: str) -> str:
        self.readers.add(codes)
        return f"_get_{self.name(codes)}"

    def packer(self, codes: str) -> str:
        self.packers.add(codes)
        return f"_put_{self.name(codes)}"

    @staticmethod
    def name(codes: str) -> str:
        return codes.replace("16s", "u").replace("?", "o")

    def definitions(self) -> Iterator[str]:
        for codes in sorted(self.readers):
            yield f'_get_{self.name(codes)} = Format(">{codes}").unpack_from'
        for codes in sorted(self.packers):
            yield f'_put_{self.name(codes)} = Format(">{codes}").pack'
