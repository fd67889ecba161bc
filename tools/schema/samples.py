"""Random instances of any message, for tests and fuzzing: every field that the version carries, its limits included."""

from __future__ import annotations

from random import Random
from typing import Any

from tools.schema.language import FIXED, Field, Message, Struct
from tools.schema.places import python_class

BITS = {"int8": 8, "int16": 16, "int32": 32, "int64": 64}
TEXTS = ["", "a", "topic-1", "ключ", "名前", "x" * 126, "x" * 127, "y" * 300, "\0", "\U0001f30a"]


def integer_limits(kind: str) -> tuple[int, int]:
    if kind.startswith("u"):
        return 0, (1 << int(kind[4:])) - 1
    return -(1 << BITS[kind] - 1), (1 << BITS[kind] - 1) - 1


class Sampler:
    def __init__(self, random: Random, message: Message) -> None:
        self.random = random
        self.message = message

    def instance(self, version: int) -> Any:
        return self.struct(self.message.root, version)

    def struct(self, struct: Struct, version: int) -> Any:
        values = {}
        for field in struct.fields:
            if not field.versions[0] <= version <= field.versions[1]:
                continue
            if field.tag is not None and self.random.random() < 0.3:
                continue
            values[field.name] = self.value(field, version)
        return python_class(self.message, struct.name)(**values)

    def value(self, field: Field, version: int) -> Any:
        if field.nullable and field.nullable[0] <= version <= field.nullable[1] and self.random.random() < 0.3:
            return None
        if field.array:
            return [self.element(field, version) for _ in range(self.random.choice([0, 1, 1, 2, 3, 9]))]
        return self.element(field, version)

    def element(self, field: Field, version: int) -> Any:
        if field.is_struct:
            return self.struct(self.message.structs[field.type], version)
        if field.type == "string":
            return self.random.choice(TEXTS)
        if field.type in {"bytes", "records"}:
            return self.random.randbytes(self.random.choice([0, 1, 50, 127, 128, 2000]))
        return self.fixed(field.type)

    def fixed(self, kind: str) -> Any:
        assert kind in FIXED
        if kind == "bool":
            return self.random.random() < 0.5
        if kind == "uuid":
            return self.random.randbytes(16)
        if kind == "float64":
            return self.random.choice([0.0, -1.5, 1e300])
        first, last = integer_limits(kind)
        return self.random.choice([first, last, 0, 1, self.random.randint(first, last)])
