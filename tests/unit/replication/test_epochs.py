"""The leader epochs of a partition."""

from __future__ import annotations

import pytest

from tidelog.replication.epochs import LeaderEpochs


def epochs(*entries: tuple[int, int]) -> LeaderEpochs:
    return LeaderEpochs(entries)


def test_an_epoch_is_noted_once() -> None:
    found = epochs()
    assert found.assign(1, 10)
    assert not found.assign(1, 20)
    assert found.assign(3, 30)
    assert found.entries() == [(1, 10), (3, 30)]
    assert found.latest == 3


def test_a_new_epoch_drops_what_contradicts_it() -> None:
    found = epochs((1, 10), (2, 20), (3, 30))
    found.assign(4, 20)
    assert found.entries() == [(1, 10), (4, 20)]
    found.assign(2, 15)
    assert found.entries() == [(1, 10), (2, 15)]
    found.check_invariants()


@pytest.mark.parametrize(
    ("asked", "answer"),
    [(-1, (-1, -1)), (0, (0, 10)), (1, (1, 20)), (2, (1, 20)), (3, (3, 40)), (4, (3, 40)), (5, (5, 99)), (6, (-1, -1))],
)
def test_where_an_epoch_ended(asked: int, answer: tuple[int, int]) -> None:
    assert epochs((1, 10), (3, 20), (5, 40)).end_offset_for(asked, 99) == answer


def test_without_epochs_nothing_is_known() -> None:
    assert epochs().end_offset_for(0, 99) == (-1, -1)
    assert epochs().epoch_at(5) == -1


def test_which_epoch_an_offset_was_written_in() -> None:
    found = epochs((1, 10), (3, 20))
    assert [found.epoch_at(offset) for offset in (9, 10, 19, 20, 100)] == [-1, 1, 1, 3, 3]


def test_truncation_from_the_end() -> None:
    found = epochs((1, 10), (3, 20), (5, 40))
    assert not found.truncate_from_end(41)
    assert found.truncate_from_end(40)
    assert found.entries() == [(1, 10), (3, 20)]
    assert found.latest == 3
    found.clear()
    assert found.entries() == []
    assert found.latest == -1


def test_truncation_from_the_start_keeps_the_epoch_in_force() -> None:
    found = epochs((1, 10), (3, 20), (5, 40))
    assert not found.truncate_from_start(5)
    assert not found.truncate_from_start(10)
    assert found.truncate_from_start(25)
    assert found.entries() == [(3, 25), (5, 40)]
    assert found.truncate_from_start(99)
    assert found.entries() == [(5, 99)]


def test_changes_ask_to_be_written() -> None:
    found = epochs((1, 10))
    assert not found.dirty
    found.assign(2, 20)
    assert found.dirty
