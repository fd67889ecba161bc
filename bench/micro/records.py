"""CPU time of the record layer, without network and disk: what looking at every record costs.

    python -m bench.micro.records

Prints the check of each record with the plain and the compiled kernels, its share of all that a produced batch goes
through, decoding and building, the checksum by size, and inflating by codec.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from importlib import import_module
from types import ModuleType
from typing import Any

from crc32c import crc32c

from tidelog.log.config import LogConfig
from tidelog.protocol.compression import Codec, compress, decompress
from tidelog.protocol.record_batch import HEADER_BYTES, Record, build_batch
from tidelog.protocol.records_validate import prepare_batch

NOW_MS = 1_700_000_000_000
RULES = LogConfig()
TRUSTING = LogConfig(check_records=False)
SHAPES = ((1, 100), (140, 100), (580, 100), (64, 1000), (3000, 10))
ROUNDS = 9


def cpu_us(work: Callable[..., Any], *args: Any) -> float:
    """Microseconds of CPU per call: the best of a few rounds, so that neighbours on the machine matter little."""
    count = 1
    while True:
        spent = _spent(work, args, count)
        if spent > 0.02:
            break
        count *= 2
    return min([spent, *(_spent(work, args, count) for _ in range(ROUNDS))]) / count * 1e6


def _spent(work: Callable[..., Any], args: tuple[Any, ...], count: int) -> float:
    begun = time.process_time()
    for _ in range(count):
        work(*args)
    return time.process_time() - begun


def table(title: str, columns: Iterable[str], rows: Iterable[Iterable[Any]]) -> None:
    lines = [
        tuple(columns),
        *(tuple(f"{cell:.2f}" if isinstance(cell, float) else str(cell) for cell in row) for row in rows),
    ]
    widths = [max(len(line[index]) for line in lines) for index in range(len(lines[0]))]
    print(f"\n{title}")
    for line in lines:
        print("  " + "  ".join(cell.rjust(width) for cell, width in zip(line, widths)))


def forms() -> dict[str, ModuleType]:
    found = {"plain": import_module("tidelog.kernels.record_read")}
    try:
        found["compiled"] = import_module("tidelog._compiled.record_read")
    except ImportError:
        print("the compiled kernels are not built; install a C compiler and run ./dev again")
    return found


def some(count: int, size: int) -> list[Record]:
    value = (b"some text that repeats, %d; " % size * (size // 20 + 1))[:size]
    return [Record(index, NOW_MS + index // 10, None, value) for index in range(count)]


def checks() -> None:
    rows = []
    for count, size in SHAPES:
        batch = memoryview(bytearray(build_batch(some(count, size))))
        args = (batch, HEADER_BYTES, len(batch), count, NOW_MS, False, 0, 2**62)
        spent = {name: cpu_us(kernel.check_records, *args) for name, kernel in forms().items()}
        whole, trusting = cpu_us(prepare_batch, batch, RULES, NOW_MS), cpu_us(prepare_batch, batch, TRUSTING, NOW_MS)
        each = [spent.get(name, float("nan")) / count * 1000 for name in ("plain", "compiled")]
        share = f"{100 * spent.get('compiled', spent['plain']) / whole:.0f} %"
        rows.append((count, size, len(batch), *each, spent.get("compiled", 0.0), whole, trusting, share))
    names = (
        "records",
        "bytes",
        "batch",
        "plain ns/rec",
        "compiled ns/rec",
        "compiled µs",
        "prepare µs",
        "trusting µs",
        "share",
    )
    table("checking every record of a produced batch", names, rows)


def decoding() -> None:
    rows = []
    for count, size in SHAPES:
        records = some(count, size)
        body = bytes(build_batch(records)[HEADER_BYTES:])
        spent = [cpu_us(kernel.decode_tuples, body, count, 0, NOW_MS, -1) for kernel in forms().values()]
        index = [cpu_us(kernel.index_records, body, 0, len(body), count) for kernel in forms().values()]
        build = cpu_us(build_batch, records)
        rows.append((count, size, *(us / count * 1000 for us in (*index, *spent, build))))
    names = [f"{work}, {form}" for work in ("index", "decode") for form in forms()]
    table("ns per record", ("records", "bytes", *names, "build_batch"), rows)


def checksums() -> None:
    data = memoryview(bytes(65536))
    rows = []
    for size in (100, 1024, 16384, 65536):
        piece = data[:size]
        rows.append((size, cpu_us(crc32c, piece), cpu_us(lambda piece=piece: piece[21:])))
    table("CRC32C, µs", ("bytes", "crc32c", "taking the slice"), rows)


def inflating() -> None:
    rows = []
    for size in (1000, 16_000, 64_000):
        body = bytes(build_batch(some(size // 100, 90))[HEADER_BYTES:])
        for codec in list(Codec)[1:]:
            packed = compress(codec, body)
            rows.append(
                (
                    codec.name.lower(),
                    len(body),
                    len(packed),
                    cpu_us(compress, codec, body),
                    cpu_us(lambda: decompress(codec, packed, 10_000_000, strict=True)),  # noqa: B023
                )
            )
    table("codecs, µs", ("codec", "bytes", "packed", "compress", "decompress"), rows)


if __name__ == "__main__":
    checks()
    decoding()
    checksums()
    inflating()
