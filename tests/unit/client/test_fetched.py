"""What a fetch brought: positions inside batches, control batches, aborted transactions."""

import pytest

from tidelog.client.fetched import ConsumerRecord, FetchedPartition, open_batches
from tidelog.protocol.messages.fetch import AbortedTransaction
from tidelog.protocol.record_batch import CorruptBatch, Record, build_batch

ABORT, COMMIT = b"\x00\x00\x00\x00", b"\x00\x00\x00\x01"


def batch(offset: int, *values: bytes, producer_id: int = -1, transactional: bool = False) -> bytes:
    records = [Record(offset + i, 1000 + i, None, value) for i, value in enumerate(values)]
    return build_batch(
        records,
        base_offset=offset,
        producer_id=producer_id,
        producer_epoch=0,
        base_sequence=0,
        transactional=transactional,
    )


def marker(offset: int, producer_id: int, key: bytes) -> bytes:
    record = Record(offset, 1000, key, b"\x00\x00\x00\x00\x00\x00")
    return build_batch(
        [record], base_offset=offset, producer_id=producer_id, producer_epoch=0, transactional=True, control=True
    )


def values(data: bytes, position: int = 0, aborted: list[AbortedTransaction] | None = None) -> list[bytes | None]:
    return [r.value for b in open_batches(memoryview(data), position, aborted, True) for r in b.records]


def test_records_before_the_position_are_left_out() -> None:
    assert values(batch(10, b"a", b"b", b"c"), position=11) == [b"b", b"c"]


def test_a_cut_batch_at_the_end_is_left_for_the_next_fetch() -> None:
    data = batch(0, b"a") + batch(1, b"b")[:-1]
    assert values(data) == [b"a"]


def test_a_flipped_bit_is_told() -> None:
    data = bytearray(batch(0, b"hello"))
    data[-2] ^= 1
    with pytest.raises(CorruptBatch):
        values(bytes(data))


def test_aborted_transactions_are_skipped_until_their_marker_and_no_longer() -> None:
    data = (
        batch(0, b"dead", producer_id=7, transactional=True)
        + batch(1, b"other", producer_id=8, transactional=True)
        + marker(2, 7, ABORT)
        + batch(3, b"alive", producer_id=7, transactional=True)
        + marker(4, 7, COMMIT)
        + batch(5, b"plain")
    )
    aborted = [AbortedTransaction(producer_id=7, first_offset=0)]
    assert values(data, aborted=aborted) == [b"other", b"alive", b"plain"]
    assert values(data, aborted=None) == [b"dead", b"other", b"alive", b"plain"]


def test_an_aborted_transaction_that_begins_later_does_not_reach_back() -> None:
    data = (
        batch(0, b"first", producer_id=7, transactional=True)
        + marker(1, 7, COMMIT)
        + batch(2, b"second", producer_id=7, transactional=True)
        + marker(3, 7, ABORT)
    )
    assert values(data, aborted=[AbortedTransaction(producer_id=7, first_offset=2)]) == [b"first"]


def test_taking_moves_the_position_past_control_batches() -> None:
    data = memoryview(batch(0, b"a", b"b", b"c") + marker(3, 1, COMMIT))
    part = FetchedPartition("t", 0, open_batches(data, 0, None, True), 0)
    out: list[ConsumerRecord] = []
    assert part.take(2, out)
    assert (part.position, [r.value for r in out]) == (2, [b"a", b"b"])
    assert not part.take(10, out)
    assert (part.position, len(out)) == (4, 3)
