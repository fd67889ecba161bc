"""Arrow columns to records: every row goes to the partition that every Kafka client would choose, and reads back."""

import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from support.kernels import BOTH, use_kernels
from tidelog.client.errors import ClientError
from tidelog.protocol.murmur2 import murmur2
from tidelog.protocol.record_batch import Record, build_batch, decode_records
from tidelog.spark import producing
from tidelog.spark.producing import Encoded, RowEncoder

fields = st.none() | st.binary(max_size=30)


@pytest.fixture(params=BOTH, autouse=True)
def form(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    use_kernels(monkeypatch, request.param)
    return str(request.param)


def decoded(encoded: Encoded) -> list[Record]:
    whole = bytearray(build_batch([Record(0, encoded.timestamp, b"", b"")])[:61]) + encoded.body
    whole[8:12] = (len(whole) - 12).to_bytes(4, "big")
    whole[23:27] = (encoded.records - 1).to_bytes(4, "big")
    whole[57:61] = encoded.records.to_bytes(4, "big")
    return decode_records(bytes(whole))


def by_partition(found: list[dict[int, Encoded]]) -> dict[int, list[tuple[bytes | None, bytes | None]]]:
    rows: dict[int, list[tuple[bytes | None, bytes | None]]] = {}
    for batches in found:
        for partition, encoded in batches.items():
            records = decoded(encoded)
            assert [record.offset for record in records] == list(range(encoded.records))
            rows.setdefault(partition, []).extend((record.key, record.value) for record in records)
    return rows


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    rows=st.lists(st.tuples(fields, fields), min_size=1, max_size=40),
    partitions=st.integers(1, 5),
    skipped=st.integers(0, 3),
)
def test_rows_go_where_their_keys_say(
    rows: list[tuple[bytes | None, bytes | None]], partitions: int, skipped: int
) -> None:
    keys = pa.array([key for key, _ in rows], pa.binary())[skipped:]
    values = pa.array([value for _, value in rows], pa.binary())[skipped:]
    wanted: dict[int, list[tuple[bytes | None, bytes | None]]] = {}
    for key, value in rows[skipped:]:
        place = 1 % partitions if key is None else (murmur2(key) & 0x7FFFFFFF) % partitions
        wanted.setdefault(place, []).append((key, value))
    assert by_partition(RowEncoder(partitions, 0).encode(keys, values, None)) == wanted


def test_a_partition_that_a_row_names_wins() -> None:
    chosen = pa.array([2, None, 0], pa.int32())
    found = by_partition(RowEncoder(3, 0).encode(None, pa.array([b"a", b"b", b"c"]), chosen))
    assert found == {2: [(None, b"a")], 1: [(None, b"b")], 0: [(None, b"c")]}


@pytest.mark.parametrize("place", [-1, 3, 2**31 - 1])
def test_a_partition_that_is_not_there_is_told(place: int) -> None:
    with pytest.raises(ClientError, match="no partition"):
        RowEncoder(3, 0).encode(None, pa.array([b"a"]), pa.array([place], pa.int32()))


def test_rows_that_do_not_fit_one_batch_are_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(producing, "_BATCH_BYTES", 200)
    values = pa.array([bytes([index]) * 60 for index in range(10)] + [b"x" * 1000])
    found = RowEncoder(1, 0).encode(None, values, None)
    assert len(found) > 3
    assert [value for _, value in by_partition(found)[0]] == values.to_pylist()
