"""Idempotence and open transactions of one partition."""

from __future__ import annotations

import pytest

from tidelog.protocol.errors import ErrorCode, KafkaError
from tidelog.replication.producer_state import CompletedTxn, ProducerState

MAX = 2**31 - 1


def write(
    state: ProducerState, first: int, count: int = 1, epoch: int = 0, producer: int = 7, txn: bool = False
) -> int:
    """Checks and appends a batch; gives its base offset, the old one if it is a repetition."""
    last = (first + count - 1) & MAX
    earlier = state.check(producer, epoch, first, last, txn)
    if earlier is not None:
        return earlier.base_offset
    base = state.end_offset
    state.append(producer, epoch, first, last, base, base + count - 1, 1000, txn)
    state.end_offset += count
    state.check_invariants()
    return base


def refused(state: ProducerState, first: int, epoch: int = 0, txn: bool = False) -> ErrorCode:
    with pytest.raises(KafkaError) as caught:
        write(state, first, epoch=epoch, txn=txn)
    return caught.value.code


def test_sequences_follow_on_each_other() -> None:
    state = ProducerState()
    assert write(state, 0, 3) == 0
    assert write(state, 3) == 3
    assert refused(state, 5) is ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER
    assert write(state, 4) == 4


def test_a_repetition_of_one_of_the_last_five_batches_gets_the_old_offset() -> None:
    state = ProducerState()
    bases = [write(state, number * 2, 2) for number in range(7)]
    for number in range(2, 7):
        assert write(state, number * 2, 2) == bases[number]
    assert refused(state, 2) is ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER


def test_half_a_repetition_is_out_of_order() -> None:
    state = ProducerState()
    write(state, 0, 4)
    with pytest.raises(KafkaError):
        write(state, 0, 2)


def test_a_sequence_wraps_to_zero() -> None:
    state = ProducerState()
    write(state, MAX - 1, 2)
    assert write(state, 0) == 2
    wrapped = ProducerState()
    write(wrapped, MAX, 3)
    assert wrapped.entries[7].last_sequence == 1
    assert write(wrapped, 2) == 3
    assert write(wrapped, MAX, 3) == 0  # a repetition over the edge


def test_a_producer_not_known_here_may_begin_anywhere() -> None:
    assert write(ProducerState(), 41) == 0


def test_an_older_epoch_is_fenced_and_a_newer_one_begins_at_zero() -> None:
    state = ProducerState()
    write(state, 0, epoch=1)
    assert refused(state, 1, epoch=0) is ErrorCode.INVALID_PRODUCER_EPOCH
    assert refused(state, 1, epoch=2) is ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER
    assert write(state, 0, epoch=2) == 1
    assert refused(state, 0, epoch=1) is ErrorCode.INVALID_PRODUCER_EPOCH


def test_a_new_epoch_does_not_repeat_the_old_one() -> None:
    state = ProducerState()
    write(state, 0, epoch=0)
    assert write(state, 0, epoch=1) == 1


def test_a_transaction_holds_back_the_stable_offset_until_its_marker_is_replicated() -> None:
    state = ProducerState(end_offset=10)
    assert state.first_unstable_offset() is None
    write(state, 0, txn=True)
    write(state, 1, txn=True)
    assert state.first_unstable_offset() == 10
    completed = state.end_txn(7, 0, 0, True, 12, 1000)
    assert completed == CompletedTxn(7, 10, 12, is_aborted=False)
    assert state.stable_offset_after(completed) == 13
    state.complete(completed)
    assert state.first_unstable_offset() == 10
    state.on_high_watermark(12)
    assert state.first_unstable_offset() == 10
    state.on_high_watermark(13)
    assert state.first_unstable_offset() is None


def test_the_stable_offset_is_that_of_the_oldest_open_transaction() -> None:
    state = ProducerState()
    write(state, 0, producer=1, txn=True)
    write(state, 0, producer=2, txn=True)
    completed = state.end_txn(1, 0, 0, False, 2, 1000)
    assert completed is not None
    assert completed.is_aborted
    assert state.stable_offset_after(completed) == 1
    state.complete(completed)
    state.on_high_watermark(3)
    assert state.first_unstable_offset() == 1


def test_a_marker_without_records_ends_nothing() -> None:
    state = ProducerState()
    assert state.end_txn(7, 3, 0, True, 0, 1000) is None
    assert state.entries[7].epoch == 3


def test_a_write_outside_of_the_open_transaction_is_refused() -> None:
    state = ProducerState()
    write(state, 0, txn=True)
    assert refused(state, 1) is ErrorCode.INVALID_TXN_STATE


def test_a_marker_raises_the_epoch_and_an_old_coordinator_is_fenced() -> None:
    state = ProducerState()
    write(state, 0, txn=True)
    completed = state.end_txn(7, 1, 5, True, 1, 1000)
    assert completed is not None
    state.complete(completed)
    assert refused(state, 1, epoch=0, txn=True) is ErrorCode.INVALID_PRODUCER_EPOCH
    with pytest.raises(KafkaError) as caught:
        state.check_marker(7, 1, 4)
    assert caught.value.code is ErrorCode.TRANSACTION_COORDINATOR_FENCED
    assert write(state, 0, epoch=1, txn=True) == 1


def test_a_late_marker_of_the_last_transaction_does_not_end_the_next_one() -> None:
    """From transaction version 2 on a marker carries the epoch that the transaction ends with, which is always new."""
    state = ProducerState()
    write(state, 0, epoch=3, txn=True)
    state.check_marker(7, 4, 0, transaction_version=2)
    with pytest.raises(KafkaError) as caught:
        state.check_marker(7, 3, 0, transaction_version=2)
    assert caught.value.code is ErrorCode.INVALID_PRODUCER_EPOCH
    state.check_marker(7, 3, 0, transaction_version=1)
    completed = state.end_txn(7, 4, 0, True, 1, 1000)
    assert completed is not None
    state.complete(completed)
    state.check_marker(7, 4, 0, transaction_version=2)  # the same marker again is harmless


def test_idle_producers_are_forgotten_but_not_with_an_open_transaction() -> None:
    state = ProducerState()
    write(state, 0, producer=1)
    write(state, 0, producer=2, txn=True)
    assert state.remove_expired(1999, 1000) == 0
    assert state.remove_expired(2000, 1000) == 1
    assert list(state.entries) == [2]


def test_a_flood_of_producers_is_bounded_and_forgets_the_idlest() -> None:
    state = ProducerState(entries_max=20)
    for producer in range(100):
        base = state.end_offset
        state.append(producer, 0, 0, 0, base, base, 1000 + producer, producer == 0)
        state.end_offset += 1
    assert len(state.entries) <= 20
    assert 0 in state.entries
    assert 99 in state.entries
