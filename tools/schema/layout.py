"""Splits a struct's fields into steps: runs of fixed-size fields, read and written at once, and single other fields.

Inside a run the fields may come and go with the version, so a run has bands: ranges of versions with the same fields.
The count of tagged fields, which ends every struct of a flexible version, joins the last run as a byte.
"""

from __future__ import annotations

from dataclasses import dataclass

from tools.schema.language import Field, Message, Struct, Versions

TAGS = "tags"


@dataclass
class Band:
    versions: Versions
    present: list[Field]
    absent: list[Field]


@dataclass
class Run:
    fields: list[Field]

    def bands(self, struct: Struct) -> list[Band]:
        """Newest first."""
        first, last = struct.versions
        edges = {first}
        for field in self.fields:
            edges |= {field.versions[0], field.versions[1] + 1}
        starts = sorted(edge for edge in edges if first <= edge <= last)
        found = []
        for start, end in zip(starts, [*(start - 1 for start in starts[1:]), last], strict=True):
            present = [field for field in self.fields if field.versions[0] <= start <= field.versions[1]]
            found.append(Band((start, end), present, [field for field in self.fields if field not in present]))
        return found[::-1]


def steps(message: Message, struct: Struct, *, tags: bool) -> list[Run | Field]:
    """`tags` says whether the count of tagged fields takes part."""
    fields = list(struct.plain_fields)
    first, last = struct.versions
    if tags and message.flexible_from is not None and message.flexible_from <= last:
        fields.append(Field(TAGS, "uint8", (max(first, message.flexible_from), last)))
    found: list[Run | Field] = []
    for field in fields:
        if not (field.is_fixed or field.name == TAGS):
            found.append(field)
        elif found and isinstance(found[-1], Run):
            found[-1].fields.append(field)
        else:
            found.append(Run([field]))
    return found
