"""The sparse indexes and the index of aborted transactions."""

from __future__ import annotations

import errno

import pytest

from tidelog.log.indexes import open_offset_index, open_time_index
from tidelog.log.txn_index import AbortedTxn, TxnIndex
from tidelog.ports import Disk
from tidelog.sim.disk import SimDisk


def test_an_offset_index_finds_the_last_entry_not_past_an_offset(disk: Disk, root: str) -> None:
    index = open_offset_index(disk, f"{root}/i", 1000, create=True)
    index.grow(1000)
    for number in range(100):
        index.append(1000 + number * 10 + 9, number * 500)
    assert index.lookup(1008) == -1
    assert index.entry(index.lookup(1009)) == (1009, 0)
    assert index.entry(index.lookup(1500)) == (1499, 24500)
    assert index.entry(index.lookup(99999)) == (1999, 49500)
    assert index.entry(index.last_before_position(24999)) == (1499, 24500)
    assert index.last_before_position(-1) == -1


def test_it_is_full_at_its_size_and_cut_to_its_entries(disk: Disk, root: str) -> None:
    index = open_offset_index(disk, f"{root}/i", 0, create=True)
    index.grow(30)
    assert disk.size(f"{root}/i") == 24
    for number in range(3):
        assert not index.is_full
        index.append(number, number)
    assert index.is_full
    index.truncate_to(1)
    assert (index.count, index.last_offset) == (1, 0)
    index.trim()
    assert disk.size(f"{root}/i") == 8
    again = open_offset_index(disk, f"{root}/i", 0, create=False)
    assert [again.entry(number) for number in range(again.count)] == [(0, 0)]
    assert again.is_sane()


def test_a_time_index_takes_only_later_timestamps_and_keeps_room_for_the_last(disk: Disk, root: str) -> None:
    index = open_time_index(disk, f"{root}/t", 100, create=True)
    index.grow(48)
    assert disk.size(f"{root}/t") == 48
    index.maybe_append(5000, 110)
    index.maybe_append(5000, 120)
    index.maybe_append(4000, 130)
    index.maybe_append(6000, 140)
    assert [index.entry(number) for number in range(index.count)] == [(5000, 110), (6000, 140)]
    assert not index.is_full
    index.maybe_append(7000, 150)
    assert index.is_full
    index.maybe_append(8000, 160)
    assert index.lookup(4999) == -1
    assert index.entry(index.lookup(6999)) == (6000, 140)
    index.truncate_to(150)
    assert (index.last_timestamp, index.last_offset) == (6000, 140)
    index.trim()
    assert disk.size(f"{root}/t") == 24
    assert index.is_sane()


def test_a_full_disk_is_an_error_before_anything_is_stored() -> None:
    disk = SimDisk()
    disk.makedirs("/data")
    index = open_offset_index(disk, "/data/i", 0, create=True)
    index.grow(8192)
    disk.fail_at(disk.steps, errno.ENOSPC, ("reserve",))
    with pytest.raises(OSError, match="space"):
        index.append(1, 1)
    assert index.count == 0
    assert not any(index.view)
    index.append(1, 1)
    assert index.count == 1


def test_aborted_transactions_are_kept_and_found(disk: Disk, root: str) -> None:
    index = TxnIndex(disk, f"{root}/x")
    assert not disk.exists(f"{root}/x")
    txns = [AbortedTxn(number, number * 10, number * 10 + 5, number * 10) for number in range(5)]
    for txn in txns:
        index.append(txn)
    assert disk.size(f"{root}/x") == 5 * 34
    assert TxnIndex(disk, f"{root}/x").entries == txns
    assert index.overlapping(12, 41) == (txns[1:], False)
    assert index.overlapping(0, 15) == (txns[:2], True)
    index.truncate_to(30)
    assert TxnIndex(disk, f"{root}/x").entries == txns[:3]
    index.reset()
    assert TxnIndex(disk, f"{root}/x").entries == []
