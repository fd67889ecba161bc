"""CPU time of one append and one read, without network: what the log itself costs.

    python -m bench.micro.log_append [--profile]

Prints microseconds per append for batches of one record, 16 KB and 64 KB (100-byte records), with and without
idempotence, and per read at the tail and in the middle of logs of 1, 10 and 100 segments.
"""

from __future__ import annotations

import argparse
import cProfile
import pstats
import shutil
import tempfile
import time
from collections.abc import Callable

from tidelog.io.clock import RealClock
from tidelog.io.disk import RealDisk
from tidelog.log.config import LogConfig
from tidelog.log.log import Log
from tidelog.model.topic_partition import TopicPartition
from tidelog.protocol.record_batch import Record, build_batch

CLOCK = RealClock()
BURST = 20


def open_log(folder: str, config: LogConfig | None = None) -> Log:
    return Log.open(RealDisk(), folder, TopicPartition("bench", 0), config or LogConfig(), CLOCK)


def make_batch(records: int, sequence: int | None) -> bytearray:
    value = bytes(100)
    options = {} if sequence is None else {"producer_id": 1, "producer_epoch": 0, "base_sequence": sequence}
    return bytearray(build_batch([Record(0, CLOCK.now_ms(), None, value)] * records, **options))


def append_run(records: int, idempotent: bool, count: int, config: LogConfig) -> float:
    """Microseconds of CPU per append; the batches are made before the clock starts."""
    folder = tempfile.mkdtemp()
    try:
        log = open_log(folder, config)
        now_ms = CLOCK.now_ms()
        spent = 0.0
        for first in range(0, count, BURST):
            # A few at a time, so that they are as warm as bytes that have just come from a socket.
            batches = [
                memoryview(make_batch(records, number * records if idempotent else None))
                for number in range(first, first + BURST)
            ]
            append = log.append_as_leader
            begun = time.process_time()
            for batch in batches:
                append(batch, 1, now_ms)
            spent += time.process_time() - begun
        return spent / count * 1e6
    finally:
        shutil.rmtree(folder)


def best(work: Callable[[], float], times: int = 5) -> float:
    return min(work() for _ in range(times))


def appends() -> None:
    print("append, µs of CPU        checked  idempotent  header only")
    for name, records, count in (("1 record of 100 B", 1, 4000), ("16 KB", 152, 800), ("64 KB", 610, 300)):
        figures = [
            best(lambda r=records, c=count: append_run(r, False, c, LogConfig())),  # type: ignore[misc]
            best(lambda r=records, c=count: append_run(r, True, c, LogConfig())),  # type: ignore[misc]
            best(lambda r=records, c=count: append_run(r, False, c, LogConfig(check_records=False))),  # type: ignore[misc]
        ]
        print(f"{name:22}" + "".join(f"{figure:11.2f}" for figure in figures))


def reads() -> None:
    print("read of 64 KB, µs of CPU     tail  middle, next  middle, random")
    for segments in (1, 10, 100):
        folder = tempfile.mkdtemp()
        try:
            log = open_log(folder, LogConfig(segment_bytes=1 << 20))
            while len(log.segments) < segments or log.active.size < 900_000:
                log.append_as_leader(memoryview(make_batch(40, None)), 1, CLOCK.now_ms())
            print(f"{segments:4} segments         " + "".join(f"{figure:12.2f}" for figure in read_figures(log)))
        finally:
            shutil.rmtree(folder)


def read_figures(log: Log) -> list[float]:
    end = log.log_end_offset
    far = [end // 2 + (number * 7919) % (end // 4) for number in range(2000)]
    row = range(end // 2 // 40 * 40, end // 2 // 40 * 40 + 4000, 40)
    return [
        best(lambda: read_run(log, [end - 40] * 2000)),
        best(lambda: read_run(log, list(row))),
        best(lambda: read_run(log, far)),
    ]


def read_run(log: Log, offsets: list[int]) -> float:
    end = log.log_end_offset
    begun = time.process_time()
    for offset in offsets:
        log.read(offset, 65536, end)
    return (time.process_time() - begun) / len(offsets) * 1e6


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--profile", action="store_true", help="where the time of one-record appends goes")
    if parser.parse_args().profile:
        profile = cProfile.Profile()
        profile.runcall(append_run, 1, True, 20_000, LogConfig())
        pstats.Stats(profile).sort_stats("tottime").print_stats(20)
        return
    appends()
    reads()


if __name__ == "__main__":
    main()
