"""A bit that turned is turned back where the batch is still the damaged one, and nothing else is touched."""

from __future__ import annotations

from tidelog.protocol.record_batch import Record, build_batch
from tidelog.sim.disk_faults import Flip
from tidelog.sim.disk_files import Inode


def stored(value: bytes) -> Inode:
    inode = Inode()
    inode.data[:] = build_batch([Record(0, 1, None, value)])
    return inode


def test_a_damaged_batch_is_restored() -> None:
    inode = stored(b"before")
    before, position = bytes(inode.data), len(inode.data) - 3
    flips = [Flip("/data/t-0", inode, position, 2), Flip("/data/t-0", inode, position - 1, 7)]
    for flip in flips:
        inode.flip(flip.position, flip.bit)
    assert inode.data != before
    for flip in flips:
        flip.undo()
    assert inode.data == before


def test_what_was_written_since_stays() -> None:
    inode = stored(b"before")
    flip = Flip("/data/t-0", inode, len(inode.data) - 3, 2)
    inode.flip(flip.position, flip.bit)
    inode.data[:] = after = build_batch([Record(0, 1, None, b"after!")])
    flip.undo()
    assert inode.data == after
