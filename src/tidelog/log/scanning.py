"""Walking the batches of a file in order, reading large pieces at a time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from crc32c import crc32c

from tidelog.log.epoch_order import EpochOrder
from tidelog.ports import File
from tidelog.protocol.record_batch import CONTROL_FLAG, HEADER

HEADER_BYTES = HEADER.size
CHUNK_BYTES = 1 << 20
MAX_RELATIVE_OFFSET = 2**31 - 1
Header = tuple[Any, ...]


class BatchScan:
    """Iterates over (position, header, bytes of the batch) up to the first place that is no valid batch.

    Afterwards `position` is the end of the valid batches, `next_offset` the offset behind them, and `problem` says what
    is wrong at the end (None at the end of the file); `is_torn` is false where no write that was cut off explains it.
    `limit_offset` is where the next segment begins; for the last segment of a log without gaps it is -1, and None if
    nothing is known. `epochs` judges the leader epochs, if somebody cares.
    """

    def __init__(
        self,
        file: File,
        end: int,
        base_offset: int,
        limit_offset: int | None = None,
        epochs: EpochOrder | None = None,
    ) -> None:
        self._file = file
        self._end = end
        self._highest = base_offset + MAX_RELATIVE_OFFSET
        self._limit_offset = limit_offset
        self._epochs = epochs
        self.position = 0
        self.next_offset = base_offset
        self.problem: str | None = None
        self.is_torn = True

    def __iter__(self) -> Iterator[tuple[int, Header, memoryview]]:
        chunk, start = memoryview(b""), 0
        while self.position < self._end:
            at = self.position - start
            if at + HEADER_BYTES > len(chunk):
                chunk, start, at = self._read(CHUNK_BYTES), self.position, 0
            header = HEADER.unpack_from(chunk, at) if at + HEADER_BYTES <= len(chunk) else None
            if header is None or not self._is_whole(header):
                self.problem = self.problem or f"the file ends {self._end - self.position} bytes into a batch"
                return
            size = header[1] + 12
            if at + size > len(chunk):
                chunk, start, at = self._read(max(CHUNK_BYTES, size)), self.position, 0
            batch = chunk[at : at + size]
            if not self._is_valid(header, batch):
                return
            yield self.position, header, batch
            self.position += size
            self.next_offset = header[0] + header[6] + 1

    def _read(self, length: int) -> memoryview:
        return memoryview(self._file.pread(min(length, self._end - self.position), self.position))

    def _is_whole(self, header: Header) -> bool:
        if header[3] != 2:
            self.problem = f"the magic is {header[3]}"
        elif header[1] + 12 < HEADER_BYTES:
            self.problem = f"the length is {header[1]}"
        return self.problem is None and header[1] + 12 <= self._end - self.position

    def _is_valid(self, header: Header, batch: memoryview) -> bool:
        if crc32c(batch[21:]) != header[4]:
            self.problem = "the checksum does not fit the bytes"
        elif header[0] != self.next_offset and not self._is_plausible(header):
            self.problem = f"offset {header[0]} does not follow on {self.next_offset}"
        elif header[6] < 0:
            self.problem = f"the last offset delta is {header[6]}"
        elif self._epochs is not None and (problem := self._epochs.problem(header[2], header[0])):
            self.problem, self.is_torn = problem, False
        return self.problem is None

    def _is_plausible(self, header: Header) -> bool:
        """The checksum does not cover the offset. Compaction leaves gaps, but whatever comes next must still follow."""
        last_offset = header[0] + header[6]
        if header[0] < self.next_offset or last_offset > self._highest:
            return False
        following = self.position + header[1] + 12
        if following < self._end:
            after = self._file.pread(8, following)
            return len(after) < 8 or int.from_bytes(after, "big") > last_offset
        return self._limit_offset is None or self._limit_offset > last_offset


def iter_headers(file: File, position: int, end: int) -> Iterator[tuple[int, Header, memoryview]]:
    """Position, header and body (of control batches only, else empty) of batches that are known to be valid."""
    chunk = nothing = memoryview(b"")
    start = position
    while position + HEADER_BYTES <= end:
        at = position - start
        if at + HEADER_BYTES > len(chunk):
            chunk, start, at = memoryview(file.pread(min(CHUNK_BYTES, end - position), position)), position, 0
            if len(chunk) < HEADER_BYTES:
                return
        header = HEADER.unpack_from(chunk, at)
        size = header[1] + 12
        if header[3] != 2 or size < HEADER_BYTES:
            return
        body = chunk[at : at + size] if header[5] & CONTROL_FLAG else nothing
        if body and len(body) < size:
            body = memoryview(file.pread(size, position))
        yield position, header, body
        position += size
