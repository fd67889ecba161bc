"""Readers in other threads while the log is written, rolled, trimmed and shortened."""

from __future__ import annotations

import threading
from pathlib import Path
from random import Random

from support.logs import NOW_MS, append, open_log
from tidelog.io.disk import RealDisk
from tidelog.log.config import LogConfig
from tidelog.log.host import LoneHost, OpenSegments
from tidelog.log.log import Log
from tidelog.protocol.errors import ErrorCode, KafkaError
from tidelog.protocol.record_batch import read_header

CONFIG = LogConfig(segment_bytes=4000, index_interval_bytes=200, segment_index_bytes=4096, retention_bytes=60_000)


class Reader(threading.Thread):
    def __init__(self, log: Log, seed: int, stop: threading.Event) -> None:
        super().__init__(daemon=True)
        self._log, self._random, self._stop_event = log, Random(seed), stop
        self.count = 0
        self.error: BaseException | None = None

    def run(self) -> None:
        try:
            while not self._stop_event.is_set():
                self.read_somewhere()
        except BaseException as error:
            self.error = error

    def read_somewhere(self) -> None:
        end = self._log.log_end_offset
        offset = self._random.randrange(self._log.log_start_offset, end)
        try:
            found = self._log.read(offset, self._random.choice([200, 2000]), end)
        except KafkaError as error:
            if error.code is not ErrorCode.OFFSET_OUT_OF_RANGE:  # deleted since
                raise
            return
        if found is not None:
            header = read_header(found.file.pread(61, found.position))
            assert header.magic == 2
            assert header.base_offset <= offset <= header.last_offset
            self.count += 1


def test_reads_in_threads_see_whole_batches_whatever_happens_meanwhile(tmp_path: Path) -> None:
    host = LoneHost()
    host.open_segments = OpenSegments(5)
    log = open_log(RealDisk(), str(tmp_path / "clicks-0"), CONFIG, host=host)
    append(log, "first")
    stop = threading.Event()
    readers = [Reader(log, seed, stop) for seed in range(3)]
    for reader in readers:
        reader.start()
    number = 0
    while number < 3000 or any(reader.count < 200 and reader.is_alive() for reader in readers):
        append(log, "x" * (number % 150))
        if number % 300 == 299:
            log.delete_old_segments(NOW_MS, log.log_end_offset)
        number += 1
    stop.set()
    for reader in readers:
        reader.join(30)
        if reader.error is not None:
            raise reader.error
    log.check_invariants()
