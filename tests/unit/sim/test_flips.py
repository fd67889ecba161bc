"""A bit that turned is turned back where the batch is still the damaged one, and nothing else is touched."""

from __future__ import annotations

from tidelog.protocol.record_batch import Record, build_batch
from tidelog.sim.disk_files import Inode
from tidelog.sim.rot import Place, flip


def stored(value: bytes) -> Place:
    inode = Inode()
    inode.data[:] = build_batch([Record(0, 1, None, value)])
    return Place("/data/t-0/0.log", inode, 0, len(inode.data), False)


def test_a_damaged_batch_is_restored() -> None:
    place = stored(b"before")
    before = place.content()
    flips = [flip(place, position, bit) for position, bit in ((place.end - 3, 2), (12, 7), (place.end - 4, 0))]
    assert place.content() != before
    for each in reversed(flips):
        each.undo()
    assert place.content() == before


def test_what_was_written_since_stays() -> None:
    place = stored(b"before")
    turned = flip(place, place.end - 3, 2)
    place.inode.data[:] = after = build_batch([Record(0, 1, None, b"after!")])
    turned.undo()
    assert place.inode.data == after
