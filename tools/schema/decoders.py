"""Writes the reading half: per struct one function that reads a number of its instances in a row."""

from __future__ import annotations

from tools.schema.code import Formats, Lines, compact, condition, default, snake
from tools.schema.language import FIXED, Field, Message, Struct
from tools.schema.layout import TAGS, Band, Run, steps

SIZES = {"?": 1, "b": 1, "B": 1, "h": 2, "H": 2, "i": 4, "I": 4, "q": 8, "d": 8, "16s": 16}
READERS = {"string": "string", "bytes": "blob", "records": "records"}


def code(field: Field) -> str:
    return "B" if field.name == TAGS else FIXED[field.type]


class Decoder:
    def __init__(self, message: Message, lines: Lines, formats: Formats) -> None:
        self.message = message
        self.lines = lines
        self.formats = formats

    def struct(self, struct: Struct) -> None:
        """`_read_x(buf, pos, count, version, left)`; a single instance is a row of one."""
        lines = self.lines
        if struct.tagged_fields:
            self.tags(struct)
        head = f"def _read_{snake(struct.name)}(buf: Readable, pos: int, count: int, version: int, left: list[int])"
        with lines.block(f"{head} -> tuple[list[{struct.name}], int]:"):
            self.compact_local(struct)
            lines(f"items: list[{struct.name}] = []")
            lines(f"new = {struct.name}.__new__")
            with lines.block("for _ in range(count):"):
                lines(f"item = new({struct.name})")
                for step in steps(self.message, struct, tags=True):
                    if isinstance(step, Run):
                        self.run(step, struct)
                    else:
                        self.field(step, struct)
                self.tagged_part(struct)
                lines("items.append(item)")
            lines("return items, pos")
        lines()
        lines()

    def compact_local(self, struct: Struct) -> None:
        if any(
            compact(self.message, struct, field) == "compact" for field in struct.plain_fields if not field.is_fixed
        ):
            self.lines(f"compact = version >= {self.message.flexible_from}")

    def run(self, run: Run, struct: Struct) -> None:
        bands = run.bands(struct)
        for number, band in enumerate(bands):
            if len(bands) == 1:
                self.band(band)
                continue
            last = number == len(bands) - 1
            head = "else:" if last else f"{'if' if number == 0 else 'elif'} version >= {band.versions[0]}:"
            with self.lines.block(head):
                self.band(band)

    def band(self, band: Band) -> None:
        targets = ["tags" if field.name == TAGS else f"item.{field.name}" for field in band.present]
        codes = [code(field) for field in band.present]
        size = sum(SIZES[found] for found in codes)
        if codes == ["B"]:
            self.lines(f"{targets[0]} = buf[pos]")
        elif codes:
            left = f"({targets[0]},)" if len(targets) == 1 else ", ".join(targets)
            self.lines(f"{left} = {self.formats.reader(''.join(codes))}(buf, pos)")
        if codes:
            self.lines(f"pos += {size}")
        for field in band.absent:
            self.lines("tags = 0" if field.name == TAGS else f"item.{field.name} = {default(field)}")

    def tagged_part(self, struct: Struct) -> None:
        for field in struct.tagged_fields:
            self.lines(f"item.{field.name} = {default(field)}")
        flexible_from = self.message.flexible_from
        if flexible_from is None or flexible_from > struct.versions[1]:
            return
        with self.lines.block("if tags:"):
            if struct.tagged_fields:
                self.lines(f"pos = _tags_{snake(struct.name)}(item, buf, pos - 1, version, left)")
            else:
                self.lines("pos = reading.skip_tags(buf, pos - 1)")

    def field(self, field: Field, struct: Struct) -> None:
        test = condition(field.versions, struct.versions)
        if not test:
            self.value(field, compact(self.message, struct, field))
            return
        with self.lines.block(f"if {test}:"):
            self.value(field, compact(self.message, struct, field))
        with self.lines.block("else:"):
            self.lines(f"item.{field.name} = {default(field)}")

    def value(self, field: Field, compact_now: str) -> None:
        """Reads the field into `item`, its presence being settled."""
        lines = self.lines
        prefix = "nullable_" if field.nullable else ""
        if field.is_struct:
            self.struct_value(field, compact_now)
        elif field.is_fixed:
            lines(f"(item.{field.name},) = {self.formats.reader(FIXED[field.type])}(buf, pos)")
            lines(f"pos += {SIZES[FIXED[field.type]]}")
        else:
            helper, extra = self.reader(field)
            lines(f"item.{field.name}, pos = reading.{prefix}{helper}(buf, pos, {compact_now}{extra})")
        if field.nullable and field.nullable != field.versions:
            with lines.block(f"if item.{field.name} is None and not ({condition(field.nullable, field.versions)}):"):
                lines(f'raise reading.null_refused("{field.name}", version)')

    @staticmethod
    def reader(field: Field) -> tuple[str, str]:
        if not field.array:
            return READERS[field.type], ""
        if field.type == "string":
            return "strings", ", left"
        if field.type == "uuid":
            return "uuids", ""
        if field.type == "int32" and not field.nullable:
            return "int32s", ""
        found = FIXED[field.type]
        return "numbers", f', "{found}", {SIZES[found]}'

    def struct_value(self, field: Field, compact_now: str) -> None:
        lines = self.lines
        call = f"_read_{snake(field.type)}(buf, pos, {{}}, version, left)"
        if field.array:
            helper = "nullable_count" if field.nullable else "count"
            lines(f"length, pos = reading.{helper}(buf, pos, {compact_now}, left)")
            if not field.nullable:
                lines(f"item.{field.name}, pos = {call.format('length')}")
                return
            with lines.block("if length < 0:"):
                lines(f"item.{field.name} = None")
            with lines.block("else:"):
                lines(f"item.{field.name}, pos = {call.format('length')}")
        elif field.nullable:
            helper = "present" if field.tag is None else "tagged_present"
            lines(f"here, pos = reading.{helper}(buf, pos)")
            lines(f"item.{field.name} = None")
            with lines.block("if here:"):
                lines(f"(item.{field.name},), pos = {call.format('1')}")
        else:
            lines(f"(item.{field.name},), pos = {call.format('1')}")

    def tags(self, struct: Struct) -> None:
        lines = self.lines
        head = f"def _tags_{snake(struct.name)}(item: {struct.name}, buf: Readable, pos: int, version: int"
        with lines.block(f"{head}, left: list[int]) -> int:"):
            lines("count, pos = reading.tag_count(buf, pos)")
            lines("tag = -1")
            with lines.block("for _ in range(count):"):
                lines("tag, pos, stop = reading.tag_head(buf, pos, tag)")
                for number, field in enumerate(struct.tagged_fields):
                    outer = max(struct.versions[0], self.message.flexible_from or 0), struct.versions[1]
                    test = condition(field.versions, outer)
                    word = "elif" if number else "if"
                    with lines.block(f"{word} tag == {field.tag}{' and ' + test if test else ''}:"):
                        self.value(field, "True")
                with lines.block("else:"):
                    lines("pos = stop")
                lines("reading.tag_end(pos, stop, tag)")
            lines("return pos")
        lines()
        lines()
