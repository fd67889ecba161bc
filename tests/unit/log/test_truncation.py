"""Cutting a log at its end."""

from __future__ import annotations

import pytest

from support.logs import NOW_MS, append, batch, marker, open_log, read_records, values
from tidelog.log import names
from tidelog.log.config import LogConfig
from tidelog.log.log import Log, Origin
from tidelog.ports import Disk

CONFIG = LogConfig(segment_bytes=700, index_interval_bytes=100, segment_index_bytes=4096)


def written(disk: Disk, root: str) -> Log:
    log = open_log(disk, f"{root}/clicks-0", CONFIG)
    for number in range(40):
        append(log, str(number), epoch=number // 10, producer_id=5, producer_epoch=0, base_sequence=number,
               timestamp=NOW_MS + number)  # fmt: skip
    return log


@pytest.mark.parametrize("offset", [0, 1, 9, 10, 25, 39])
def test_everything_from_the_offset_on_is_gone(disk: Disk, root: str, offset: int) -> None:
    log = written(disk, root)
    log.truncate_to(offset)
    log.check_invariants()
    assert log.log_end_offset == offset
    assert values(read_records(log)) == [str(number) for number in range(offset)]
    assert log.epochs.entries() == [(epoch, epoch * 10) for epoch in range(4) if epoch * 10 < offset]
    entry = log.producers.entries.get(5)
    assert (entry.last_sequence if entry else -1) == offset - 1
    latest = log.max_timestamp_offset()
    assert (latest.offset if latest else -1) == offset - 1
    append(log, "new", epoch=9, producer_id=5, producer_epoch=0, base_sequence=offset)
    assert values(read_records(log))[-1] == "new"


def test_a_cut_log_opens_again(disk: Disk, root: str) -> None:
    log = written(disk, root)
    log.truncate_to(23)
    log.close()
    again = open_log(disk, f"{root}/clicks-0", CONFIG, is_clean=True, recovery_point=23)
    assert values(read_records(again)) == [str(number) for number in range(23)]
    assert again.producers.entries[5].last_sequence == 22


def test_a_cut_inside_a_batch_takes_the_whole_batch(disk: Disk, root: str) -> None:
    log = open_log(disk, f"{root}/clicks-0")
    append(log, "a", "b")
    append(log, "c", "d", "e")
    log.truncate_to(4)
    assert log.log_end_offset == 2


def test_a_cut_at_the_end_forgets_epochs_that_never_wrote(disk: Disk, root: str) -> None:
    log = written(disk, root)
    log.epochs.assign(8, 40)
    assert not log.truncate_to(40)
    assert log.epochs.latest == 3
    assert disk.read_bytes(f"{log.directory}/{names.EPOCHS}").startswith(b"0\n4\n")


def test_starting_over(disk: Disk, root: str) -> None:
    log = written(disk, root)
    log.truncate_fully_and_start_at(1000)
    log.check_invariants()
    assert (log.log_start_offset, log.log_end_offset) == (1000, 1000)
    assert append(log, "first") == 1000
    assert values(read_records(log)) == ["first"]
    assert [name for name in disk.listdir(log.directory) if name.endswith(names.LOG)] == ["00000000000000001000.log"]


def test_transactions_are_as_they_were(disk: Disk, root: str) -> None:
    log = open_log(disk, f"{root}/clicks-0")
    for number in range(3):
        data = batch("x", producer_id=number, producer_epoch=0, base_sequence=0, transactional=True)
        log.append_as_leader(data, 0, NOW_MS, transactional=True)
        log.append_as_leader(marker(number, 0, commit=False), 0, NOW_MS, Origin.COORDINATOR)
    assert len(log.active.txn_index.entries) == 3
    log.truncate_to(3)
    assert len(log.active.txn_index.entries) == 1
    assert log.producers.open_txns == {2: 1}
    assert log.last_stable_offset(3) == 2
