"""Records through every codec and both forms of the kernels, and through the encoders of two other clients."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from aiokafka.record.default_records import DefaultRecordBatchBuilder as AioBuilder
from aiokafka.record.memory_records import MemoryRecords as AioRecords
from hypothesis import given, settings
from hypothesis import strategies as st
from kafka.record.default_records import DefaultRecordBatchBuilder as KafkaPythonBuilder
from kafka.record.memory_records import MemoryRecords as KafkaPythonRecords

from support.kernels import BOTH, use_kernels
from tidelog import kernels
from tidelog.protocol.compression import Codec, compress, decompress
from tidelog.protocol.record_batch import Record, build_batch, check_crc, decode_records, read_header

OTHERS = {"kafka-python": (KafkaPythonBuilder, KafkaPythonRecords), "aiokafka": (AioBuilder, AioRecords)}
TIMES = st.integers(min_value=0, max_value=2**48)
CONTENT = st.none() | st.binary(max_size=300)
HEADERS = st.lists(st.tuples(st.text(max_size=20), CONTENT), max_size=4).map(tuple)


@st.composite
def record_lists(draw: st.DrawFn, times: st.SearchStrategy[int] = TIMES) -> list[Record]:
    rows = draw(st.lists(st.tuples(times, CONTENT, CONTENT, HEADERS), min_size=1, max_size=40))
    return [Record(index, *row) for index, row in enumerate(rows)]


@contextmanager
def form_of_kernels(form: str) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        use_kernels(patch, form)
        yield


@pytest.mark.parametrize("form", BOTH)
@settings(max_examples=60, deadline=None)
@given(
    records=record_lists(st.integers(min_value=-(2**61), max_value=2**61)),
    codec=st.sampled_from(Codec),
    base_offset=st.integers(0, 2**62),
    producer=st.tuples(st.integers(-1, 2**63 - 1), st.integers(-1, 2**15 - 1), st.integers(-1, 2**31 - 1)),
    flags=st.tuples(st.booleans(), st.booleans()),
)
def test_what_goes_in_comes_out(
    form: str,
    records: list[Record],
    codec: Codec,
    base_offset: int,
    producer: tuple[int, int, int],
    flags: tuple[bool, bool],
) -> None:
    with form_of_kernels(form):
        made = build_batch(
            records,
            base_offset,
            codec,
            producer_id=producer[0],
            producer_epoch=producer[1],
            base_sequence=producer[2],
            transactional=flags[0],
            control=flags[1],
        )
        header = read_header(made)
        check_crc(made, 0, header)
        assert (header.producer_id, header.producer_epoch, header.base_sequence) == producer
        assert (header.is_transactional, header.is_control) == flags
        assert header.max_timestamp == max(record.timestamp for record in records)
        assert decode_records(made) == [record._replace(offset=base_offset + record.offset) for record in records]


@settings(max_examples=100, deadline=None)
@given(
    records=record_lists(st.integers(min_value=-(2**61), max_value=2**61)),
    offsets=st.lists(st.integers(0, 2**31 - 1), min_size=40, max_size=40),
)
def test_both_forms_write_the_same_bytes(records: list[Record], offsets: list[int]) -> None:
    sparse = [record._replace(offset=offset) for record, offset in zip(records, sorted(offsets))]
    for rows, keep in ((records, False), (sparse, True)):
        found = []
        for form in BOTH:
            with form_of_kernels(form):
                found.append(kernels.encode_records(rows, 0, rows[0].timestamp, keep))
        assert found[0] == found[1]


@pytest.mark.parametrize("client", list(OTHERS))
@settings(max_examples=60, deadline=None)
@given(records=record_lists(), codec=st.sampled_from(Codec))
def test_other_clients_read_ours(client: str, records: list[Record], codec: Codec) -> None:
    made = build_batch(records, codec=codec, producer_id=9, producer_epoch=1, base_sequence=3)
    found = OTHERS[client][1](made).next_batch()
    assert found.validate_crc()
    read = [(row.offset, row.timestamp, row.key, row.value, tuple(map(tuple, row.headers))) for row in found]
    assert read == [tuple(record) for record in records]


@pytest.mark.parametrize("client", list(OTHERS))
@settings(max_examples=60, deadline=None)
@given(records=record_lists(), codec=st.sampled_from(Codec))
def test_ours_reads_other_clients(client: str, records: list[Record], codec: Codec) -> None:
    builder = OTHERS[client][0](
        magic=2,
        compression_type=codec,
        is_transactional=0,
        producer_id=9,
        producer_epoch=1,
        base_sequence=3,
        batch_size=10_000_000,
    )
    for record in records:
        builder.append(record.offset, record.timestamp, record.key, record.value, list(record.headers))
    made = bytes(builder.build())
    header = read_header(made)
    check_crc(made, 0, header)
    assert (header.producer_id, header.producer_epoch, header.base_sequence) == (9, 1, 3)
    assert decode_records(made) == records


@settings(max_examples=100, deadline=None)
@given(data=st.binary(max_size=5000), repeats=st.integers(1, 60), codec=st.sampled_from(Codec))
def test_codecs_round_trip(data: bytes, repeats: int, codec: Codec) -> None:
    data *= repeats
    assert decompress(codec, compress(codec, data), len(data), strict=True) == data
