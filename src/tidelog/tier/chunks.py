"""Pieces of remote segments on local disk: a bounded cache that is filled beside the event loop.

Each chunk is a file of whole batches, so a reader gets a range of it for its socket as from a local segment. The chunks
not used for longest go first; a range on its way to a socket keeps its file. Nothing survives a restart.
"""

from __future__ import annotations

import logging
from collections import OrderedDict

from tidelog.log.errors import WouldBlock
from tidelog.log.indexes import OffsetIndex
from tidelog.log.reading import scan
from tidelog.log.scanning import iter_headers
from tidelog.ports import Blocking, Buffer, Disk, File, FileRange
from tidelog.tier.companion import Chunk

logger = logging.getLogger(__name__)
HINTS_MAX = 16
Key = tuple[bytes, int]


class CachedChunk:
    __slots__ = ("_hints", "_index", "chunk", "file")

    def __init__(self, chunk: Chunk, file: File, index: OffsetIndex) -> None:
        self.chunk = chunk
        self.file = file
        self._index = index
        self._hints: dict[int, int] = {chunk.base_offset: 0}

    def read(
        self, offset: int, max_bytes: int, min_one: bool, nowait: bool, upper_offset: int | None = None
    ) -> FileRange | None:
        """Whole batches from the one that holds `offset`; None when the chunk ends before it, or nothing fits."""
        start = self._position_of(offset, nowait)
        size = self.chunk.length
        if upper_offset is not None:
            behind = self._position_of(upper_offset, nowait)
            size = size if behind is None else behind
        if start is None or start >= size:
            return None
        end = size if size - start <= max_bytes else self._trim(start, start + max_bytes, min_one, nowait)
        return FileRange(self.file, start, end - start) if end > start else None

    def _position_of(self, offset: int, nowait: bool) -> int | None:
        known = self._hints.get(offset)
        if known is not None:
            return known
        number = self._index.lookup(offset)
        expected, position = self._index.entry(number) if number >= 0 else (None, 0)
        position -= self.chunk.position
        if position < 0:
            expected, position = None, 0
        found = scan(self.file, position, self.chunk.length, offset, nowait, expected)
        return found.position if found is not None else None

    def _trim(self, start: int, limit: int, min_one: bool, nowait: bool) -> int:
        number = self._index.last_before_position(limit + self.chunk.position)
        if number >= 0:
            last_offset, position = self._index.entry(number)
            end = position - self.chunk.position
            if start < end < self.chunk.length:
                batch = scan(self.file, end, self.chunk.length, -1, nowait, last_offset)
                if batch is not None:
                    self._remember(batch.base_offset, end)
                    return end
        if nowait:
            raise WouldBlock  # walking many batches is nothing for the event loop
        end = start
        for position, header, _ in iter_headers(self.file, start, self.chunk.length):
            after = position + header[1] + 12
            if after > limit:
                return after if end == start and min_one else end
            end = after
        return end

    def _remember(self, base_offset: int, position: int) -> None:
        if len(self._hints) >= HINTS_MAX:
            del self._hints[next(iter(self._hints))]
        self._hints[base_offset] = position


class ChunkCache:
    def __init__(self, disk: Disk, blocking: Blocking, directory: str, limit_bytes: int) -> None:
        self._disk = disk
        self._blocking = blocking
        self._directory = directory
        self._limit_bytes = limit_bytes
        self._chunks: OrderedDict[Key, CachedChunk] = OrderedDict()
        self._written = 0
        self.used_bytes = 0
        self.evictions = 0

    def open(self) -> None:
        """Empties the directory: what a stopped node left there may be half written."""
        if self._disk.exists(self._directory):
            self._disk.remove_tree(self._directory)
        self._disk.makedirs(self._directory)

    def get(self, key: Key) -> CachedChunk | None:
        found = self._chunks.get(key)
        if found is not None:
            self._chunks.move_to_end(key)
        return found

    async def put(self, key: Key, chunk: Chunk, data: Buffer, index: OffsetIndex) -> CachedChunk:
        self._written += 1
        path = f"{self._directory}/{self._written}"
        file = await self._blocking.run(self._write, path, data)
        found = CachedChunk(chunk, file, index)
        self.drop(key)
        self._chunks[key] = found
        self.used_bytes += chunk.length
        while self.used_bytes > self._limit_bytes and len(self._chunks) > 1:
            self.evictions += 1
            self.drop(next(iter(self._chunks)))
        return found

    def _write(self, path: str, data: Buffer) -> File:
        file = self._disk.open(path, create=True)
        file.pwrite(data, 0)
        return file

    def drop(self, key: Key) -> None:
        gone = self._chunks.pop(key, None)
        if gone is not None:
            self.used_bytes -= gone.chunk.length
            try:
                self._disk.remove(gone.file.path)
            except OSError as error:
                logger.warning("%s could not be removed from the cache: %s", gone.file.path, error)

    def __len__(self) -> int:
        return len(self._chunks)
