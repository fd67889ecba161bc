"""Records to Arrow columns: what comes out is what was put in, in both forms of the kernel."""

from typing import Any

import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from support.kernels import BOTH, use_kernels
from tidelog import kernels
from tidelog.client.columnar_arrow import COLUMNS, ColumnBuilder, schema_of
from tidelog.protocol.record_batch import HEADER_BYTES, InvalidBatch, Record, build_batch, read_header

fields = st.none() | st.binary(max_size=40)
headers = st.lists(st.tuples(st.text(max_size=5), fields), max_size=3).map(tuple)
records = st.lists(
    st.tuples(st.integers(0, 2**40), fields, fields, headers).map(lambda row: Record(0, *row)), min_size=1, max_size=30
)


@pytest.fixture(params=BOTH, autouse=True)
def form(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    use_kernels(monkeypatch, request.param)
    return str(request.param)


def built(batches: list[bytes], first: int = 0, end: int = 2**62, rows_max: int = 7) -> pa.Table:
    builder = ColumnBuilder("t", 3, schema_of(COLUMNS), rows_max, 1 << 20)
    found = []
    for data in batches:
        header = read_header(data)
        done = 0
        while done >= 0:
            done = builder.add(data[HEADER_BYTES:], header, first, end, done)
            if builder.is_full:
                found.append(builder.take())
    if builder.count:
        found.append(builder.take())
    for batch in found:
        batch.validate(full=True)
    return pa.Table.from_batches(found, schema_of(COLUMNS))


def expected(record: Record, offset: int) -> dict[str, Any]:
    pairs = [{"key": name, "value": value} for name, value in record.headers]
    return {"key": record.key, "value": record.value, "offset": offset, "headers": pairs or None}


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(batches=st.lists(records, min_size=1, max_size=4), first=st.integers(0, 40), size=st.integers(0, 90))
def test_columns_are_the_records(batches: list[list[Record]], first: int, size: int) -> None:
    data, wanted, base = [], [], 0
    for each in batches:
        data.append(build_batch(each, base_offset=base))
        wanted += [(base + index, record) for index, record in enumerate(each)]
        base += len(each)
    table = built(data, first, first + size)
    rows = table.select(["key", "value", "offset", "headers"]).to_pylist()
    assert rows == [expected(record, offset) for offset, record in wanted if first <= offset < first + size]
    moments = table.column("timestamp").cast(pa.int64()).to_pylist()
    assert moments == [record.timestamp for offset, record in wanted if first <= offset < first + size]


def test_a_topic_with_append_time_has_the_time_of_the_batch() -> None:
    table = built([build_batch([Record(0, 5, b"k", None)] * 3, append_timestamp=9_000)])
    assert table.column("timestamp").cast(pa.int64()).to_pylist() == [9_000] * 3
    assert table.column("timestampType").to_pylist() == [1] * 3
    assert table.column("topic").to_pylist() == ["t"] * 3
    assert table.column("partition").to_pylist() == [3] * 3


def test_gaps_of_compaction_are_kept() -> None:
    kept = [Record(offset, 1, b"k", b"v") for offset in (3, 5, 9)]
    table = built([build_batch(kept, base_offset=2, keep_offsets=True, last_offset_delta=10)], first=4, end=9)
    assert table.column("offset").to_pylist() == [5]


@pytest.mark.parametrize(("base", "delta", "wanted"), [(2**63 - 1, 5, 2**63 - 1), (-(2**63), -5, -(2**63) + 1)])
def test_timestamps_stay_inside_64_bits(base: int, delta: int, wanted: int) -> None:
    from array import array

    out = memoryview(bytearray(8)).cast("q")
    kernels.copy_timestamps(array("q", [0, delta, 0, 0, 0, 0, 0, 0]), 0, 1, base, -1, 1, out, 0)
    assert out[0] == wanted
    kernels.copy_timestamps(array("q", [0, delta, 0, 0, 0, 0, 0, 0]), 0, 1, base, -1, 1000, out, 0)
    assert abs(out[0]) <= 2**63 - 1


def test_nothing_is_written_outside_of_the_buffers() -> None:
    body = build_batch([Record(0, 1, b"key", b"value")])[HEADER_BYTES:]
    rows = kernels.index_records(body, 0, len(body), 1)
    ends = memoryview(bytearray(8)).cast("i")
    for size, stop, at in ((4, 1, 0), (100, 2, 0), (100, 1, 1), (100, 1, -1)):
        with pytest.raises(IndexError):
            kernels.copy_fields(body, rows, 0, stop, 2, ends, memoryview(bytearray(size)), bytearray(1), at, 0)
    with pytest.raises(IndexError):
        kernels.copy_offsets(rows, 0, 1, 0, memoryview(bytearray(0)).cast("q"), 0)


def test_a_damaged_body_is_told() -> None:
    data = build_batch([Record(0, 1, b"key", b"value")])
    builder = ColumnBuilder("t", 0, schema_of(("value",)), 10, 1000)
    with pytest.raises(InvalidBatch):
        builder.add(data[HEADER_BYTES:-2], read_header(data), 0, 10)
