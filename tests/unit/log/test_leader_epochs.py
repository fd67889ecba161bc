"""The leader epoch of a batch, which no checksum covers: what cannot be right is taken for damage."""

from __future__ import annotations

import pytest

from support.logs import NOW_MS, append, batch, open_log
from tidelog.log import names
from tidelog.log.config import LogConfig
from tidelog.log.errors import CorruptLogError
from tidelog.log.log import Log
from tidelog.ports import Disk
from tidelog.protocol.errors import ErrorCode, KafkaError
from tidelog.protocol.record_batch import iter_batches
from tidelog.sim.disk import SimDisk

CONFIG = LogConfig(segment_bytes=700, index_interval_bytes=200, segment_index_bytes=4096)
EPOCHS = [2, 2, 2, 2, 5, 5, 5, 5, 5, 5, 8, 9, 9, 9, 9, 9, 9, 9, 9, 9]
ENTRIES = [(2, 0), (5, 4), (8, 10), (9, 11)]
LAST = len(EPOCHS) - 1


def written(disk: Disk, root: str) -> Log:
    log = open_log(disk, f"{root}/clicks-0", CONFIG)
    for number, epoch in enumerate(EPOCHS):
        append(log, f"value {number:03}", epoch=epoch)
    assert len(log.segments) > 2
    return log


def set_epoch(disk: Disk, log: Log, offset: int, epoch: int) -> None:
    segment = log.segments[log.segments.find(offset)]
    path = segment.path(names.LOG)
    places = [at for at, header in iter_batches(disk.read_bytes(path)) if header.base_offset == offset]
    disk.open(path).pwrite(epoch.to_bytes(4, "big", signed=True), places[0] + 12)


def flips(epoch: int) -> list[int]:
    """What one turned bit makes of it."""
    turned = [epoch ^ 1 << bit for bit in range(32)]
    return [each - 2**32 if each >= 2**31 else each for each in turned]


def test_epochs_are_found_with_a_checkpoint_without_one_and_with_an_old_one(disk: Disk, root: str) -> None:
    log = written(disk, root)
    path = f"{log.directory}/{names.EPOCHS}"
    log.close()
    for checkpoint in (disk.read_bytes(path), b"0\n1\n2 0\n", b"0\n2\n2 0\n5 4\n", b"garbage"):
        disk.write_atomic(path, checkpoint)
        assert open_log(disk, log.directory, CONFIG).epochs.entries() == ENTRIES


@pytest.mark.parametrize("recovery_point", [0, len(EPOCHS)], ids=["unflushed", "flushed"])
def test_a_bit_that_turns_in_any_epoch_is_damage(recovery_point: int) -> None:
    disk = SimDisk()
    log = written(disk, "/data")
    log.close()
    for offset, epoch in enumerate(EPOCHS):
        if log.segments.find(offset) < log.segments.find(recovery_point):
            continue  # what was flushed before the last segment is not read again
        for turned in flips(epoch):
            set_epoch(disk, log, offset, turned)
            if offset == LAST and turned > epoch:
                assert open_log(disk, log.directory, CONFIG, recovery_point=recovery_point).epochs.latest == turned
            else:
                with pytest.raises(CorruptLogError, match=r"leader epoch.*no torn write|had been flushed"):
                    open_log(disk, log.directory, CONFIG, recovery_point=recovery_point)
        set_epoch(disk, log, offset, epoch)
    assert open_log(disk, log.directory, CONFIG, recovery_point=recovery_point).epochs.entries() == ENTRIES


def test_without_a_checkpoint_an_epoch_that_goes_down_is_damage(disk: Disk, root: str) -> None:
    log = written(disk, root)
    log.close()
    disk.remove(f"{log.directory}/{names.EPOCHS}")
    for offset, epoch in ((2, 2 + 64), (6, 1), (12, 8), (LAST, 1)):
        set_epoch(disk, log, offset, epoch)
        for is_clean in (False, True):
            with pytest.raises(CorruptLogError, match="leader epoch"):
                open_log(disk, log.directory, CONFIG, is_clean=is_clean, recovery_point=len(EPOCHS))
        set_epoch(disk, log, offset, EPOCHS[offset])


def test_an_epoch_whose_records_are_gone_is_gone_from_the_checkpoint(disk: Disk, root: str) -> None:
    """Else what takes their place, of an older leader, would look damaged after the next crash."""
    log = written(disk, root)
    log.flush()
    path = log.active.path(names.LOG)
    log.release()
    base = log.active.base_offset
    assert base > 11
    log.disk.open(path).truncate(0)
    log.disk.write_atomic(f"{log.directory}/{names.EPOCHS}", b"0\n5\n2 0\n5 4\n8 10\n9 11\n11 19\n")
    again = open_log(disk, log.directory, CONFIG, recovery_point=base)
    assert again.epochs.entries() == ENTRIES
    for number in range(base, 22):
        append(again, str(number), epoch=9)
    again.release()
    assert open_log(disk, log.directory, CONFIG, recovery_point=base).epochs.entries() == ENTRIES


def test_a_flush_does_not_bring_back_epochs_that_were_cut_under_it(disk: Disk, root: str) -> None:
    log = written(disk, root)
    append(log, "by the next leader", epoch=11)
    plan = log.plan_flush()
    log.truncate_to(len(EPOCHS))
    plan.run()
    plan.done()
    assert disk.read_bytes(f"{log.directory}/{names.EPOCHS}") == b"0\n4\n2 0\n5 4\n8 10\n9 11\n"


@pytest.mark.parametrize(("epoch", "is_taken"), [(4, False), (5, True), (7, True), (8, False), (-2, False)])
def test_a_follower_takes_no_epoch_that_its_leader_cannot_have(
    disk: Disk, root: str, epoch: int, is_taken: bool
) -> None:
    log = open_log(disk, f"{root}/clicks-0", CONFIG)
    append(log, "first", epoch=5)
    records = batch("second")
    records[:8] = (1).to_bytes(8, "big")
    records[12:16] = epoch.to_bytes(4, "big", signed=True)
    if is_taken:
        assert log.append_as_follower(records, NOW_MS, 7) == 1
        assert log.epochs.latest == epoch
        return
    with pytest.raises(KafkaError, match="What the leader sent is damaged at offset 1") as refused:
        log.append_as_follower(records, NOW_MS, 7)
    assert refused.value.code is ErrorCode.CORRUPT_MESSAGE
    assert (log.log_end_offset, log.epochs.entries()) == (1, [(5, 0)])
