"""Fuzzes what the record layer reads from strangers: produced batches, fetched batches, and each codec by itself.

`run(seed, count)` is the target. Whatever the bytes, the answer is the records or a typed error, both forms of the
kernels give the same one, and nothing inflates past its bound. On a failure the seed and the input are printed.
"""

from __future__ import annotations

import argparse
import struct
import sys
import time
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from itertools import count as counting
from random import Random
from typing import Any

from crc32c import crc32c

from tidelog.protocol.compression import Codec, DecompressionFailed, compress, decompress
from tidelog.protocol.errors import ErrorCode, KafkaError
from tidelog.protocol.record_batch import BatchError, Record, build_batch, decode_records, iter_batches, read_header
from tidelog.protocol.records_validate import prepare_batch

NOW_MS = 1_700_000_000_000
BOUND = 200_000
ANSWERS = {
    ErrorCode.CORRUPT_MESSAGE,
    ErrorCode.INVALID_RECORD,
    ErrorCode.INVALID_TIMESTAMP,
    ErrorCode.MESSAGE_TOO_LARGE,
    ErrorCode.UNSUPPORTED_COMPRESSION_TYPE,
}
INTERESTING = [
    b"\0",
    b"\x01",
    b"\x7f",
    b"\x80",
    b"\xff",
    b"\xff\xff\xff\xff\x0f",
    b"\x80" * 10,
    struct.pack(">i", -1),
    struct.pack(">i", 2**31 - 1),
    struct.pack("<I", 0x80000000),
    struct.pack(">q", -(2**63)),
    b"\x82SNAPPY\0",
    b"\x04\x22\x4d\x18",
    b"\x28\xb5\x2f\xfd",
    b"\x1f\x8b\x08",
]


@dataclass(frozen=True)
class Rules:
    max_message_bytes: int = 100_000
    inflated_bytes_max: int = BOUND
    check_records: bool = True
    compact: bool = False
    log_append_time: bool = False
    timestamp_before_max_ms: int = 2**63 - 1
    timestamp_after_max_ms: int = 3_600_000
    compression: int | None = None
    compression_level: int | None = None


def some_records(chooser: Random) -> list[Record]:
    return [
        Record(
            index,
            NOW_MS + chooser.randrange(-1000, 1000),
            chooser.choice([None, b"", chooser.randbytes(5)]),
            chooser.choice([None, b"", chooser.randbytes(20), b"ab" * chooser.randrange(200)]),
            tuple((f"h{n}", chooser.choice([None, b"x"])) for n in range(chooser.choice([0, 0, 0, 1, 3]))),
        )
        for index in range(chooser.randrange(1, 12))
    ]


def spoil(chooser: Random, data: bytes, start: int = 0) -> bytes:
    """Some bytes from `start` on changed, cut, doubled or put in."""
    made = bytearray(data)
    for _ in range(chooser.choice([0, 1, 1, 1, 2, 5])):
        position = chooser.randrange(start, max(start + 1, len(made)))
        piece = chooser.choice(INTERESTING)
        action = chooser.randrange(5)
        if action == 0 and position < len(made):
            made[position] ^= 1 << chooser.randrange(8)
        elif action == 1:
            made[position : position + len(piece)] = piece
        elif action == 2:
            made[position:position] = piece
        elif action == 3:
            del made[position : position + chooser.randrange(1, 9)]
        else:
            made[position:position] = made[position : position + chooser.randrange(1, 40)]
    return bytes(made)


def sealed(batch: bytes) -> bytes:
    """With length and checksum put right, so that the bytes behind them are looked at."""
    made = bytearray(batch)
    if len(made) >= 61:
        struct.pack_into(">i", made, 8, len(made) - 12)
        struct.pack_into(">I", made, 17, crc32c(bytes(made[21:])))
    return bytes(made)


def some_batch(chooser: Random) -> bytes:
    codec = chooser.choice(list(Codec))
    batch = build_batch(some_records(chooser), codec=codec, producer_id=chooser.choice([-1, 5]), base_sequence=0)
    kind = chooser.randrange(4)
    if kind == 0:
        return spoil(chooser, batch)
    if kind == 1:
        return sealed(spoil(chooser, batch, 21))
    if kind == 2:
        return sealed(spoil(chooser, batch, 61))
    body = spoil(chooser, build_batch(some_records(chooser)), 61)[61:]
    return sealed(batch[:61] + compress(codec, body))


def known_answer(error: KafkaError) -> None:
    assert error.code in ANSWERS, error


def produce(chooser: Random, batch: bytes) -> None:
    rules = Rules(
        check_records=chooser.random() < 0.9,
        compact=chooser.random() < 0.3,
        log_append_time=chooser.random() < 0.2,
        compression=chooser.choice([None, None, None, 0, 1, 2, 3, 4]),
    )
    try:
        prepared, _, max_timestamp, _ = prepare_batch(memoryview(bytearray(batch)), rules, NOW_MS)
    except KafkaError as error:
        known_answer(error)
        return
    header = read_header(prepared)
    assert header.size == len(prepared)
    assert header.crc == crc32c(bytes(prepared[21:]))
    assert header.max_timestamp == max_timestamp
    if rules.check_records:
        assert [found.offset for found in decode_records(prepared)] == list(range(header.records_count))


def fetch(batch: bytes) -> None:
    try:
        for position, header in iter_batches(batch):
            decode_records(batch, position, BOUND, header)
    except BatchError as error:
        known_answer(error)


def inflate(chooser: Random) -> None:
    codec = chooser.choice(list(Codec))
    data = chooser.choice([chooser.randbytes(300), bytes(100_000), b"text " * 3000])
    packed = spoil(chooser, compress(codec, data)) if chooser.random() < 0.9 else chooser.randbytes(200)
    bound = chooser.choice([BOUND, 1000, 0])
    with suppress(DecompressionFailed):
        assert len(decompress(codec, packed, bound, strict=chooser.random() < 0.5)) <= bound


def forms_agree(batch: bytes) -> None:
    """The plain and the compiled kernels see the same."""
    answers = []
    for package in FORMS:
        reading = import_module(f"{package}.batch_read")
        view = memoryview(batch)
        found: list[Any] = [reading.check_produced(view, 100_000, True, True, 0, NOW_MS)]
        found.append(reading.walk_batches(view, 0, len(view), True))
        records = import_module(f"{package}.record_read")
        body = batch[61:]
        try:
            found.append(records.decode_tuples(body, batch[60] if len(batch) > 60 else 1, 0, 0, -1))
        except records.BadRecords as error:
            found.append(error.args)
        answers.append(found)
    assert all(answer == answers[0] for answer in answers)


def _forms() -> list[str]:
    try:
        import_module("tidelog._compiled.batch_read")
    except ImportError:
        return ["tidelog.kernels"]
    return ["tidelog.kernels", "tidelog._compiled"]


FORMS = _forms()


def run(seed: int, count: int) -> None:
    """`count` inputs that follow from `seed`."""
    chooser = Random(seed)
    for number in range(count):
        batch = some_batch(chooser)
        try:
            produce(chooser, batch)
            fetch(batch)
            inflate(chooser)
            forms_agree(batch)
        except Exception:
            print(f"seed {seed}, input {number}: {batch.hex()}", file=sys.stderr)
            raise


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=0, help="the first seed; each has 1,000 inputs")
    given = parser.parse_args()
    end = time.monotonic() + given.seconds
    for seed in counting(given.seed):
        run(seed, 1000)
        if time.monotonic() > end:
            print(f"seeds {given.seed} to {seed}, {1000 * (seed - given.seed + 1)} inputs: nothing found")
            return


if __name__ == "__main__":
    main()
