"""Record batches become Arrow columns: the compiled kernel copies each wanted column, nothing is made per record."""

from __future__ import annotations

from typing import Any

import pyarrow as pa

from tidelog import kernels
from tidelog.protocol.record_batch import LOG_APPEND_TIME, BatchHeader, InvalidBatch

KEY, VALUE = 2, 4
"""Where a field stands in a row of `index_records`."""
COLUMNS = ("key", "value", "topic", "partition", "offset", "timestamp", "timestampType", "headers")
HEADERS_TYPE = pa.list_(pa.struct([pa.field("key", pa.string()), pa.field("value", pa.binary())]))
TYPES = {
    "key": pa.binary(),
    "value": pa.binary(),
    "topic": pa.string(),
    "partition": pa.int32(),
    "offset": pa.int64(),
    "timestamp": pa.timestamp("ms", "UTC"),
    "timestampType": pa.int32(),
    "headers": HEADERS_TYPE,
}
_SCALES = {"ms": 1, "us": 1_000, "ns": 1_000_000}


def schema_of(columns: tuple[str, ...]) -> pa.Schema:
    return pa.schema([pa.field(name, TYPES[name]) for name in columns])


def _memory(size: int) -> memoryview:
    """Memory of Arrow's pool, which is not cleared as a bytearray would be: large buffers are mostly left unused."""
    return memoryview(pa.allocate_buffer(size)).cast("B")


def _ends(count: int) -> memoryview:
    found = _memory(4 * (count + 1)).cast("i")
    found[0] = 0
    return found


class _Bytes:
    """A growing column of byte strings in Arrow's layout."""

    def __init__(self, rows_max: int, bytes_max: int) -> None:
        self.ends = _ends(rows_max)
        self.room = _memory(bytes_max)
        self.valid = bytearray((rows_max + 7) // 8)
        self.used = 0
        self.nulls = 0

    def reserve(self, size: int) -> None:
        if self.used + size > len(self.room):
            grown = _memory(max(self.used + size, 2 * len(self.room)))
            grown[: self.used] = self.room[: self.used]
            self.room = grown

    def buffers(self) -> list[Any]:
        valid = pa.py_buffer(self.valid) if self.nulls else None
        return [valid, pa.py_buffer(self.ends), pa.py_buffer(self.room[: self.used])]


class _Headers:
    """A growing column of lists of (name, value)."""

    def __init__(self, rows_max: int) -> None:
        self.ends = _ends(rows_max)
        self.valid = bytearray((rows_max + 7) // 8)
        self.nulls = 0
        self.entries = 0
        self._entries_max = 1024
        self.names = _Bytes(self._entries_max, 1 << 16)
        self.values = _Bytes(self._entries_max, 1 << 16)

    def reserve(self, entries: int, size: int) -> None:
        for column in (self.names, self.values):
            column.reserve(size)
        if self.entries + entries <= self._entries_max:
            return
        self._entries_max = max(self.entries + entries, 2 * self._entries_max)
        for column in (self.names, self.values):
            ends = _ends(self._entries_max)
            ends[: len(column.ends)] = column.ends
            valid = bytearray((self._entries_max + 7) // 8)
            valid[: len(column.valid)] = column.valid
            column.ends, column.valid = ends, valid

    def array(self, count: int, kind: pa.DataType) -> pa.Array:
        row = kind.value_type
        names = pa.Array.from_buffers(pa.string(), self.entries, [None, *self.names.buffers()[1:]], null_count=0)
        values = pa.Array.from_buffers(pa.binary(), self.entries, self.values.buffers(), null_count=self.values.nulls)
        pairs = pa.Array.from_buffers(row, self.entries, [None], null_count=0, children=[names, values])
        valid = pa.py_buffer(self.valid) if self.nulls else None
        return pa.Array.from_buffers(
            kind, count, [valid, pa.py_buffer(self.ends)], null_count=self.nulls, children=[pairs]
        )


class ColumnBuilder:
    """Takes the records of one partition, batch by batch, and gives an Arrow batch of the wanted columns."""

    def __init__(self, topic: str, partition: int, schema: pa.Schema, rows_max: int, bytes_max: int) -> None:
        self._topic = topic
        self._partition = partition
        self._schema = schema
        self._rows_max = rows_max
        self._bytes_max = bytes_max
        self._scale = _SCALES[schema.field("timestamp").type.unit] if "timestamp" in schema.names else 1
        self._start()

    def _start(self) -> None:
        names, rows = self._schema.names, self._rows_max
        self.count = 0
        self.bytes = 0
        self._key = _Bytes(rows, 1 << 16) if "key" in names else None
        self._value = _Bytes(rows, self._bytes_max) if "value" in names else None
        self._headers = _Headers(rows) if "headers" in names else None
        self._offsets = _memory(8 * rows).cast("q") if "offset" in names else None
        self._timestamps = _memory(8 * rows).cast("q") if "timestamp" in names else None
        self._runs: list[tuple[int, int]] = []

    @property
    def is_full(self) -> bool:
        return self.count >= self._rows_max or self.bytes >= self._bytes_max

    def add(self, body: bytes | memoryview, header: BatchHeader, first: int, end: int, done: int = 0) -> int:
        """Takes records with offsets from `first` to before `end`; `done` of them were taken by an earlier call.

        Gives how many rows of the batch are taken now, counting those, or -1 when all are.
        """
        try:
            rows = kernels.index_records(body, 0, len(body), header.records_count)
        except kernels.BadRecords as error:
            raise InvalidBatch(f"the batch at offset {header.base_offset} is not valid: {error}") from None
        start, stop = 0, header.records_count
        if header.base_offset < first or header.last_offset >= end:
            start, stop = kernels.rows_between(rows, header.base_offset, first, end)
        start += done
        cut = min(stop, start + self._rows_max - self.count)
        self._copy(body, rows, header, start, cut)
        self.bytes += len(body) * (cut - start) // max(header.records_count, 1)
        return -1 if cut == stop else done + cut - start

    def _copy(self, body: bytes | memoryview, rows: Any, header: BatchHeader, start: int, stop: int) -> None:
        if stop <= start:
            return
        at = self.count
        is_append_time = header.timestamp_type == LOG_APPEND_TIME
        if self._offsets is not None:
            kernels.copy_offsets(rows, start, stop, header.base_offset, self._offsets, at)
        if self._timestamps is not None:
            append = header.max_timestamp if is_append_time else -1
            kernels.copy_timestamps(rows, start, stop, header.base_timestamp, append, self._scale, self._timestamps, at)
        for field, column in ((KEY, self._key), (VALUE, self._value)):
            if column is not None:
                column.reserve(len(body))
                column.used, nulls = kernels.copy_fields(
                    body, rows, start, stop, field, column.ends, column.room, column.valid, at, column.used
                )
                column.nulls += nulls
        if self._headers is not None:
            self._copy_headers(self._headers, body, rows, start, stop)
        self.count += stop - start
        kind = header.timestamp_type
        if self._runs and self._runs[-1][0] == kind:
            self._runs[-1] = (kind, self._runs[-1][1] + stop - start)
        else:
            self._runs.append((kind, stop - start))

    def _copy_headers(self, column: _Headers, body: bytes | memoryview, rows: Any, start: int, stop: int) -> None:
        column.reserve(kernels.count_headers(body, rows, start, stop), len(body))
        names, values = column.names, column.values
        column.entries, names.used, values.used, null_lists, null_values = kernels.copy_headers(
            body, rows, start, stop, column.ends, column.valid, self.count,
            column.entries, names.ends, names.room, names.used,
            values.ends, values.room, values.valid, values.used,
        )  # fmt: skip
        column.nulls += null_lists
        values.nulls += null_values

    def take(self) -> pa.RecordBatch:
        """What was added so far as one Arrow batch; the builder is empty afterwards."""
        arrays = [self._array(field) for field in self._schema]
        batch = pa.RecordBatch.from_arrays(arrays, schema=self._schema)
        self._start()
        return batch

    def _array(self, field: pa.Field) -> pa.Array:
        name, count = field.name, self.count
        if name in ("key", "value"):
            column = self._key if name == "key" else self._value
            assert column is not None
            return pa.Array.from_buffers(field.type, count, column.buffers(), null_count=column.nulls)
        if name == "topic":
            return pa.repeat(pa.scalar(self._topic, field.type), count)
        if name == "partition":
            return pa.repeat(pa.scalar(self._partition, field.type), count)
        if name == "timestampType":
            runs = [pa.repeat(pa.scalar(kind, field.type), length) for kind, length in self._runs]
            return pa.concat_arrays(runs) if runs else pa.array([], field.type)
        if name == "headers":
            assert self._headers is not None
            return self._headers.array(count, field.type)
        numbers = self._offsets if name == "offset" else self._timestamps
        return pa.Array.from_buffers(field.type, count, [None, pa.py_buffer(numbers)], null_count=0)
