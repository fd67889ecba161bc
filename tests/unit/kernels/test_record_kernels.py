"""The kernels that read records and batches: known results, and both forms alike on anything."""

from importlib import import_module
from random import Random
from types import ModuleType
from typing import Any

import pytest

from support.kernels import BOTH
from support.raw_batches import batch, record, varint
from tidelog.kernels import batch_read as walk_codes
from tidelog.kernels import record_read as problems

LOW, HIGH = -(2**63), 2**63 - 1


def load(form: str, name: str) -> ModuleType:
    try:
        return import_module(f"{'tidelog.kernels' if form == 'pure' else 'tidelog._compiled'}.{name}")
    except ImportError:
        pytest.skip("the compiled kernels are not built; install a C compiler and run ./dev again")


@pytest.fixture(params=BOTH)
def records(request: pytest.FixtureRequest) -> ModuleType:
    return load(request.param, "record_read")


@pytest.fixture(params=BOTH)
def batches(request: pytest.FixtureRequest) -> ModuleType:
    return load(request.param, "batch_read")


def check(kernel: ModuleType, body: bytes, count: int, **rules: Any) -> Any:
    settings = {"base_timestamp": 1000, "keys_needed": False, "oldest": LOW, "newest": HIGH} | rules
    return kernel.check_records(body, 0, len(body), count, *settings.values())


def test_the_latest_timestamp_and_the_first_record_with_it(records: ModuleType) -> None:
    body = record(0, 5) + record(1, 9) + record(2, 9) + record(3, -5)
    assert check(records, body, 4) == (problems.OK, 4, 1009, 1, None)
    assert check(records, body, 4, base_timestamp=-2000) == (problems.OK, 4, -1, -1, None)


def test_faults_name_the_record(records: ModuleType) -> None:
    body = record(0, 5, key=None) + record(1, 900) + record(2, -900, key=b"")
    found = check(records, body, 3, keys_needed=True, oldest=500, newest=1500)
    assert found == (
        problems.OK,
        3,
        1900,
        1,
        [
            (0, problems.NO_KEY, 1005),
            (1, problems.BAD_TIMESTAMP, 1900),
            (2, problems.BAD_TIMESTAMP, 100),
        ],
    )


def test_no_timestamp_is_no_fault(records: ModuleType) -> None:
    assert check(records, record(0, -1001), 1, oldest=500, newest=1500)[4] is None


def test_the_record_before_the_end_may_not_reach_behind_it(records: ModuleType) -> None:
    body = record(0) + record(1)
    for end in range(len(body)):
        assert records.check_records(body, 0, end, 2, 0, False, LOW, HIGH)[0] != problems.OK


@pytest.mark.parametrize(
    "delta", [0, 1, -1, 63, 64, -64, -65, 2**31 - 1, 2**31, -(2**31), 2**55, 2**62, -(2**62), 2**63 - 1, -(2**63)]
)
def test_timestamp_deltas_of_every_size(records: ModuleType, delta: int) -> None:
    body = record(0, delta)
    assert records.index_records(body, 0, len(body), 1)[1] == delta
    assert records.decode_tuples(body, 1, 0, 0, -1)[0][1] == delta
    assert check(records, body, 1, base_timestamp=0)[2] == max(delta, -1)


@pytest.mark.parametrize("delta", [0, 63, 64, 8191, 8192, 2**20, 2**31 - 1, -1, -(2**31)])
def test_offset_deltas_of_every_size(records: ModuleType, delta: int) -> None:
    body = record(delta)
    assert records.index_records(body, 0, len(body), 1)[0] == delta
    assert records.decode_tuples(body, 1, 7, 0, -1)[0][0] == 7 + delta


def test_the_index_points_at_the_fields(records: ModuleType) -> None:
    body = record(0, 3, b"key", b"value", [(b"h", b"x")]) + record(1, 4, None, None)
    found = records.index_records(body, 0, len(body), 2)
    assert len(found) == 16
    first, second = found[:8].tolist(), found[8:].tolist()
    assert first[:2] == [0, 3]
    assert body[first[2] : first[2] + first[3]] == b"key"
    assert body[first[4] : first[4] + first[5]] == b"value"
    assert body[first[6] : first[7]] == b"\x02\x02h\x02x"
    assert (second[3], second[5]) == (-1, -1)
    assert second[7] == len(body)


def test_the_index_starts_anywhere(records: ModuleType) -> None:
    body = b"...." + record(0, 3, b"key", b"value") + b"...."
    found = records.index_records(memoryview(body), 4, len(body) - 4, 1)
    assert body[found[2] : found[2] + found[3]] == b"key"


@pytest.mark.parametrize(("start", "end"), [(-1, 5), (0, 100)])
def test_a_range_outside_of_the_buffer_is_never_read(records: ModuleType, start: int, end: int) -> None:
    with pytest.raises(IndexError):
        records.check_records(bytes(50), start, end, 1, 0, False, LOW, HIGH)
    with pytest.raises(IndexError):
        records.index_records(bytes(50), start, end, 1)


def test_an_append_timestamp_replaces_the_records(records: ModuleType) -> None:
    assert records.decode_tuples(record(0, 3), 1, 0, 1000, 77)[0][1] == 77


def mutated(chooser: Random) -> tuple[bytes, int]:
    """A body of a few records with a few bytes changed, cut or put in."""
    count = chooser.randrange(1, 5)
    body = bytearray()
    for index in range(count):
        headers: list[tuple[bytes | None, bytes | None]] = [(b"h", None)] * chooser.randrange(3)
        body += record(index, chooser.randrange(-70, 70), b"k" * chooser.randrange(3), b"v" * 70, headers)
    for _ in range(chooser.randrange(3)):
        position = chooser.randrange(len(body))
        action = chooser.randrange(3)
        if action == 0:
            body[position] = chooser.choice([0, 1, 2, 0x7F, 0x80, 0xFF, chooser.randrange(256)])
        elif action == 1:
            del body[position : position + chooser.randrange(1, 4)]
        else:
            body[position:position] = chooser.choice([b"\0", b"\xff", varint(2**31 - 1), varint(-(2**31)), b"\x80" * 9])
    return bytes(body), count + chooser.choice([0, 0, 0, 0, -1, 1, 2**31])


def outcome(call: Any, *args: Any) -> Any:
    try:
        return call(*args)
    except ValueError as error:
        return type(error).__name__, error.args


@pytest.mark.parametrize("seed", range(4))
def test_both_forms_agree_on_spoilt_records(seed: int) -> None:
    pure, compiled = load("pure", "record_read"), load("compiled", "record_read")
    chooser = Random(seed)
    good = 0
    for _ in range(1500):
        body, count = mutated(chooser)
        args = (body, 0, len(body), count, 1000, chooser.random() < 0.5, 990, 1010)
        expected = outcome(pure.check_records, *args)
        assert outcome(compiled.check_records, *args) == expected
        good += expected[0] == problems.OK
        for name, given in (("index_records", (body, 0, len(body), count)), ("decode_tuples", (body, count, 5, 6, -1))):
            assert outcome(getattr(compiled, name), *given) == outcome(getattr(pure, name), *given)
    assert 100 < good < 1400  # both kinds were met


@pytest.mark.parametrize("seed", range(4))
def test_both_forms_agree_on_spoilt_batches(seed: int) -> None:
    pure, compiled = load("pure", "batch_read"), load("compiled", "batch_read")
    chooser = Random(seed)
    for _ in range(800):
        body, count = mutated(chooser)
        made = bytearray(batch(body, min(count, 2**31 - 1)))
        if chooser.random() < 0.7:
            made[chooser.randrange(61)] ^= 1 << chooser.randrange(8)
        view = memoryview(made)[: chooser.choice([len(made), len(made), chooser.randrange(len(made) + 1)])]
        args = (view, 10_000, chooser.random() < 0.8, chooser.random() < 0.5, 990, HIGH)
        assert outcome(compiled.check_produced, *args) == outcome(pure.check_produced, *args)
        for name, given in (
            ("walk_batches", (view, 0, len(view), chooser.random() < 0.5)),
            ("find_batch", (view, 0, len(view), chooser.randrange(3), LOW)),
        ):
            assert outcome(getattr(compiled, name), *given) == outcome(getattr(pure, name), *given)


FIRST = batch(record(0) + record(1), 2, base_offset=100, max_timestamp=50)
SECOND = batch(record(0), 1, base_offset=102, max_timestamp=70)
THIRD = batch(record(0), 1, base_offset=110, max_timestamp=60)
LOG = FIRST + SECOND + THIRD


def test_walking_gives_the_headers(batches: ModuleType) -> None:
    from tidelog.protocol.record_batch import HEADER

    found, end, why = batches.walk_batches(memoryview(LOG), 0, len(LOG), True)
    assert (end, why) == (len(LOG), walk_codes.WALKED_ALL)
    assert [position for position, _ in found] == [0, len(FIRST), len(FIRST) + len(SECOND)]
    assert all(header == HEADER.unpack_from(LOG, position) for position, header in found)


def test_walking_ends_where_the_batches_do(batches: ModuleType) -> None:
    start = len(FIRST) + len(SECOND)
    for cut in (1, 20, 61, len(THIRD) - 1):
        found, end, why = batches.walk_batches(memoryview(LOG[: start + cut]), 0, start + cut, True)
        assert (len(found), end, why) == (2, start, walk_codes.WALK_CUT_OFF)
    for position, value, expected in (
        (16, 3, walk_codes.WALK_BAD_MAGIC),
        (8, 0x80, walk_codes.WALK_BAD_SIZE),
        (11, 48, walk_codes.WALK_BAD_SIZE),
        (40, 9, walk_codes.WALK_BAD_CHECKSUM),
    ):
        spoilt = bytearray(LOG)
        spoilt[len(FIRST) + position] = value
        found, end, why = batches.walk_batches(memoryview(spoilt), 0, len(spoilt), True)
        assert (len(found), end, why) == (1, len(FIRST), expected)


def test_finding_by_offset_and_by_time(batches: ModuleType) -> None:
    def find(offset: int, timestamp: int) -> int:
        position, header, _ = batches.find_batch(memoryview(LOG), 0, len(LOG), offset, timestamp)
        return header[0] if header else -position

    assert [find(offset, LOW) for offset in (0, 100, 101, 102, 103, 110)] == [100, 100, 100, 102, 110, 110]
    assert find(111, LOW) == -len(LOG)
    assert [find(0, timestamp) for timestamp in (50, 51, 70)] == [100, 102, 102]
    assert find(103, 55) == 110
    assert find(0, 71) == -len(LOG)


def test_finding_goes_on_behind_the_piece_that_was_read(batches: ModuleType) -> None:
    position, header, why = batches.find_batch(memoryview(LOG)[:61], 0, 61, 102, LOW)
    assert (position, header, why) == (len(FIRST), None, walk_codes.WALK_CUT_OFF)


def test_ranges_outside_of_the_buffer_are_refused(batches: ModuleType) -> None:
    for start, end in ((-1, 10), (0, len(LOG) + 1)):
        with pytest.raises(IndexError):
            batches.walk_batches(memoryview(LOG), start, end, False)
        with pytest.raises(IndexError):
            batches.find_batch(memoryview(LOG), start, end, 0, 0)
