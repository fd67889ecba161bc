"""Writes the encoding half: per struct one function that appends a number of its instances in a row."""

from __future__ import annotations

from tools.schema.code import Formats, Lines, compact, condition, differs, snake
from tools.schema.language import FIXED, Field, Message, Struct
from tools.schema.layout import TAGS, Band, Run, steps

WRITERS = {"string": "string", "bytes": "blob", "records": "records"}


class Encoder:
    def __init__(self, message: Message, lines: Lines, formats: Formats) -> None:
        self.message = message
        self.lines = lines
        self.formats = formats

    def struct(self, struct: Struct) -> None:
        lines = self.lines
        if struct.tagged_fields:
            self.tags(struct)
        head = f"def _write_{snake(struct.name)}(out: bytearray, items: Sequence[{struct.name}], version: int)"
        with lines.block(f"{head} -> None:"):
            if any(
                compact(self.message, struct, field) == "compact" for field in struct.plain_fields if not field.is_fixed
            ):
                lines(f"compact = version >= {self.message.flexible_from}")
            found = steps(self.message, struct, tags=not struct.tagged_fields)
            if not found and not struct.tagged_fields:
                lines("return")
            else:
                with lines.block("for item in items:"):
                    for step in found:
                        if isinstance(step, Run):
                            self.run(step, struct)
                        else:
                            self.field(step, struct)
                    self.tagged_part(struct)
        lines()
        lines()

    def run(self, run: Run, struct: Struct) -> None:
        bands = run.bands(struct)
        for number, band in enumerate(bands):
            if len(bands) == 1:
                self.band(band)
                continue
            last = number == len(bands) - 1
            if last and not band.present and all(field.ignorable or field.name == TAGS for field in band.absent):
                continue
            head = "else:" if last else f"{'if' if number == 0 else 'elif'} version >= {band.versions[0]}:"
            with self.lines.block(head):
                self.band(band)

    def band(self, band: Band) -> None:
        for field in band.absent:
            if field.name != TAGS:
                self.refuse(field)
        codes = "".join("x" if field.name == TAGS else FIXED[field.type] for field in band.present)
        values = ", ".join(f"item.{field.name}" for field in band.present if field.name != TAGS)
        if codes == "x":
            self.lines("out.append(0)")
        elif codes:
            self.lines(f"out += {self.formats.packer(codes)}({values})")

    def refuse(self, field: Field) -> None:
        """A value that this version cannot carry must not get lost unnoticed."""
        if not field.ignorable:
            with self.lines.block(f"if {differs(f'item.{field.name}', field, self.message.structs)}:"):
                self.lines(f'raise writing.not_carried("{field.name}", version)')

    def field(self, field: Field, struct: Struct) -> None:
        test = condition(field.versions, struct.versions)
        if not test:
            self.value(field, compact(self.message, struct, field), "out")
            return
        with self.lines.block(f"if {test}:"):
            self.value(field, compact(self.message, struct, field), "out")
        if not field.ignorable:
            with self.lines.block("else:"):
                self.refuse(field)

    def value(self, field: Field, compact_now: str, out: str) -> None:
        """Appends the field of `item`, its presence being settled."""
        lines = self.lines
        value = f"item.{field.name}"
        if field.nullable and field.nullable != field.versions:
            with lines.block(f"if {value} is None and not ({condition(field.nullable, field.versions)}):"):
                lines(f'raise writing.null_refused("{field.name}", version)')
        if field.is_fixed:
            lines(f"{out} += {self.formats.packer(FIXED[field.type])}({value})")
        elif not field.array and not field.is_struct:
            prefix = "nullable_" if field.nullable else ""
            lines(f"writing.{prefix}{WRITERS[field.type]}({out}, {value}, {compact_now})")
        elif field.nullable:
            with lines.block(f"if {value} is None:"):
                # A null struct is a byte of -1, inside a tagged field a varint of 0.
                mark = 255 if field.tag is None else 0
                lines(f"writing.null({out}, {compact_now})" if field.array else f"{out}.append({mark})")
            with lines.block("else:"):
                if not field.array:
                    lines(f"{out}.append(1)")
                self.full(field, compact_now, out)
        else:
            self.full(field, compact_now, out)

    def full(self, field: Field, compact_now: str, out: str) -> None:
        """An array or a struct that is not null."""
        value = f"item.{field.name}"
        if field.is_struct:
            if field.array:
                self.lines(f"writing.count({out}, len({value}), {compact_now})")
            row = value if field.array else f"({value},)"
            self.lines(f"_write_{snake(field.type)}({out}, {row}, version)")
        elif field.type in {"string", "uuid", "int32"}:
            self.lines(f"writing.{field.type}s({out}, {value}, {compact_now})")
        else:
            self.lines(f'writing.numbers({out}, {value}, {compact_now}, "{FIXED[field.type]}")')

    def tagged_part(self, struct: Struct) -> None:
        if not struct.tagged_fields:
            return
        flexible_from = self.message.flexible_from
        assert flexible_from is not None, f"{struct.name} has tagged fields in a message that is never flexible"
        test = condition((max(flexible_from, struct.versions[0]), struct.versions[1]), struct.versions)
        if not test:
            self.lines(f"_put_tags_{snake(struct.name)}(out, item, version)")
            return
        with self.lines.block(f"if {test}:"):
            self.lines(f"_put_tags_{snake(struct.name)}(out, item, version)")
        if not all(field.ignorable for field in struct.tagged_fields):
            with self.lines.block("else:"):
                for field in struct.tagged_fields:
                    self.refuse(field)

    def tags(self, struct: Struct) -> None:
        lines = self.lines
        head = f"def _put_tags_{snake(struct.name)}(out: bytearray, item: {struct.name}, version: int) -> None:"
        with lines.block(head):
            lines("fields: list[tuple[int, bytearray]] = []")
            for field in struct.tagged_fields:
                self.tag(field, struct)
            lines("writing.tags(out, fields)")
        lines()
        lines()

    def tag(self, field: Field, struct: Struct) -> None:
        lines = self.lines
        outer = max(struct.versions[0], self.message.flexible_from or 0), struct.versions[1]
        test = condition(field.versions, outer)
        with lines.block(f"if {differs(f'item.{field.name}', field, self.message.structs)}:"):
            if test and not field.ignorable:
                with lines.block(f"if not ({test}):"):
                    lines(f'raise writing.not_carried("{field.name}", version)')
            if test and field.ignorable:
                with lines.block(f"if {test}:"):
                    self.tag_body(field)
            else:
                self.tag_body(field)

    def tag_body(self, field: Field) -> None:
        self.lines("body = bytearray()")
        if field.null_default and (field.array or field.is_struct):
            # Null is the default, which is never written, so what is here is not null.
            if not field.array:
                self.lines("body.append(1)")
            self.full(field, "True", "body")
        else:
            self.value(field, "True", "body")
        self.lines(f"fields.append(({field.tag}, body))")
