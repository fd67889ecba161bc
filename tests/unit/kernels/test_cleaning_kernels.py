"""The kernels of compaction: the plain and the compiled form do the same, and no bytes lead them astray."""

from __future__ import annotations

from array import array
from importlib import import_module
from random import Random
from types import ModuleType
from typing import Any

import pytest

from tidelog.kernels.clean_map import CUT_OFF
from tidelog.protocol.record_batch import Record, build_batch

SEEDS = (0x0706050403020100, 0x0F0E0D0C0B0A0908)


def forms() -> list[tuple[ModuleType, ModuleType]]:
    found = [(import_module("tidelog.kernels.clean_map"), import_module("tidelog.kernels.clean_filter"))]
    try:
        found.append((import_module("tidelog._compiled.clean_map"), import_module("tidelog._compiled.clean_filter")))
    except ImportError:
        pytest.skip("the compiled kernels are not built; install a C compiler and run ./dev again")
    return found


def table(slots: int) -> Any:
    return memoryview(bytearray(24 * slots)).cast("Q")


def state(limit: int) -> Any:
    numbers = array("q", bytes(8 * 16))
    numbers[1], numbers[2] = limit, -1
    return numbers


def some_batches(seed: int) -> bytes:
    random = Random(seed)
    made = []
    offset = 0
    for _ in range(20):
        count = random.randrange(1, 6)
        found = [
            Record(
                offset + at, random.randrange(-5, 10**13), random.choice([None, *(b"k%d" % n for n in range(9))]),
                random.choice([None, b"v" * random.randrange(200)]), (("h", b"1"),) if random.random() < 0.2 else (),
            )
            for at in range(count)
        ]  # fmt: skip
        append_timestamp = 5 if random.random() < 0.2 else None
        horizon = random.choice([None, None, 10**13])
        made.append(
            build_batch(found, offset, keep_offsets=True, append_timestamp=append_timestamp, delete_horizon_ms=horizon)
        )
        offset += count + random.randrange(3)
    return b"".join(made)


def outcome(form: tuple[ModuleType, ModuleType], data: bytes, slots: int = 40) -> list[Any]:
    """Everything that the two passes give and leave behind."""
    maps, filters = form
    keys, numbers = table(slots), state(slots - 1)
    why = maps.put_batches(keys, *SEEDS, data, 0, len(data), 0, numbers)
    said: list[Any] = [why, list(numbers), bytes(keys)]
    listed = maps.list_batches(data, len(data))
    said.append(listed)
    out, rows, pieces = bytearray(len(data) * 4 + 4096), array("q", bytes(8 * 6 * 500)), array("q", bytes(8 * 4 * 200))
    numbers[3], numbers[8], numbers[9] = 0, 10**12, 1000
    keeps = array("q", [3, 17, 2**63 - 1])
    said.append(filters.filter_batches(keys, *SEEDS, data, 0, len(data), out, numbers, keeps, rows, pieces))
    said += [list(numbers), list(pieces[: 4 * numbers[10]]), bytes(out[: numbers[5]])]
    return said


@pytest.mark.parametrize("seed", range(30))
def test_both_forms_do_the_same(seed: int) -> None:
    plain, compiled = forms()
    data = some_batches(seed)
    assert outcome(plain, data) == outcome(compiled, data)


@pytest.mark.parametrize("seed", range(60))
def test_damaged_bytes_end_both_forms_at_the_same_place(seed: int) -> None:
    plain, compiled = forms()
    random = Random(seed)
    data = bytearray(some_batches(seed))
    for _ in range(random.randrange(1, 4)):
        at = random.randrange(61, len(data))
        data[at] = random.randrange(256)
    cut = bytes(data[: random.randrange(61, len(data))])
    # Lengths and counts in headers are checked before; what is damaged here are the records.
    assert outcome(plain, cut)[0] == outcome(compiled, cut)[0]


def test_keys_of_every_length_have_a_place_of_their_own() -> None:
    for maps, _ in forms():
        keys, numbers = table(1000), state(999)
        seen = set()
        for size in range(64):
            body = build_batch([Record(0, 0, bytes(range(size)), b"")], size)
            assert maps.put_batches(keys, *SEEDS, body, 0, len(body), 0, numbers) == CUT_OFF
            seen.add(maps.latest_offset(keys, *SEEDS, bytes(range(size))))
        assert seen == set(range(64))
        assert numbers[0] == 64
        assert maps.latest_offset(keys, *SEEDS, b"other") == -1
