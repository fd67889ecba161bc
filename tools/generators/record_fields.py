"""Generates the field table by which the dump tool prints records of internal topics as JSON."""

from __future__ import annotations

from tools.generators.messages import formatted
from tools.schema.language import Field, Message, Struct, load_all

TARGET = "src/tidelog/cli/record_fields.py"
GROUPS = {"metadata", "group", "txn", "share", "tier"}

HEAD = '''"""Fields of the records of internal topics, for JSON. Generated from schemas/ by `./dev gen`: do not edit.

By message, then by struct: (name in JSON, attribute, type, first version, last version, whether it is tagged).
"""

# ruff: noqa
from __future__ import annotations

FieldRow = tuple[str, str, str, int, int, bool]

FIELDS: dict[str, dict[str, tuple[FieldRow, ...]]] = {
'''


def camel(name: str) -> str:
    head, *rest = name.split("_")
    if head == "kraft":  # KRaft with a small first letter
        head = "kRaft"
    return head + "".join(word[:1].upper() + word[1:] for word in rest)


def row(field: Field) -> str:
    kind = field.type if not field.is_struct else f"struct {field.type}"
    values = camel(field.name), field.name, kind, *field.versions, field.tag is not None
    return repr(values)


def struct_rows(struct: Struct) -> str:
    return f"{struct.name!r}: ({''.join(row(field) + ',' for field in struct.fields)}),"


def message_rows(message: Message) -> str:
    return f"{message.class_name!r}: {{{''.join(struct_rows(struct) for struct in message.structs.values())}}},"


def outputs() -> dict[str, str]:
    wanted = [message for message in load_all() if message.group in GROUPS]
    body = "\n".join(message_rows(message) for message in sorted(wanted, key=lambda each: each.class_name))
    return formatted({TARGET: f"{HEAD}{body}\n}}\n"})
