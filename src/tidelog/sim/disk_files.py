"""The parts of the simulated disk: inodes, directories, open files and mappings."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from typing import TYPE_CHECKING

from tidelog.ports import Buffer

if TYPE_CHECKING:
    from tidelog.sim.disk import SimDisk

SECTOR = 512


class Inode:
    __slots__ = ("data", "durable", "forgotten", "modified_ms")

    def __init__(self) -> None:
        self.data = bytearray()
        self.durable = b""
        # What a failed sync was to write: the kernel calls it clean from then on, and does not write it again.
        self.forgotten: bytes | None = None
        self.modified_ms = 0

    def sync(self) -> None:
        before, self.durable = self.durable, bytes(self.data)
        if self.forgotten is not None:
            self.durable = self._without(self.forgotten, before)

    def sync_failed(self) -> None:
        self.forgotten = bytes(self.data)

    def _without(self, forgotten: bytes, before: bytes) -> bytes:
        """Sectors that were dirty when the sync failed, and were not written to since, keep what the platter had."""
        after = bytearray(self.data)
        for start in range(0, len(after), SECTOR):
            part = slice(start, start + SECTOR)
            if after[part] == forgotten[part]:
                after[part] = before[part].ljust(len(after[part]), b"\0")
        return bytes(after)

    def flip(self, position: int, bit: int) -> None:
        """One bit turns, in the cache and on the platter."""
        self.data[position] ^= 1 << bit
        if position < len(self.durable):
            durable = bytearray(self.durable)
            durable[position] ^= 1 << bit
            self.durable = bytes(durable)

    def resize(self, size: int) -> None:
        """A new buffer, because the old one may be mapped."""
        grown = bytearray(size)
        kept = min(size, len(self.data))
        grown[:kept] = self.data[:kept]
        self.data = grown

    def crash(self, keep: Callable[[], bool]) -> None:
        """Each sector that was not synced has reached the platter or has not; so has the size."""
        size = len(self.data) if keep() else len(self.durable)
        after = bytearray(size)
        after[: min(size, len(self.durable))] = self.durable[:size]
        for start in range(0, min(size, len(self.data)), SECTOR):
            end = min(start + SECTOR, size, len(self.data))
            if self.data[start:end] != after[start:end] and keep():
                after[start:end] = self.data[start:end]
        self.data = after
        self.forgotten = None
        self.sync()


Entries = dict[str, "Inode | Directory"]


class Directory:
    __slots__ = ("durable", "entries")

    def __init__(self) -> None:
        self.entries: Entries = {}
        self.durable: Entries = {}


class SimFile:
    def __init__(self, disk: SimDisk, path: str, inode: Inode) -> None:
        self._disk = disk
        self.path = path
        self.inode = inode

    def fileno(self) -> int:
        raise OSError(errno.EBADF, "a simulated file has no descriptor", self.path)

    def size(self) -> int:
        return len(self.inode.data)

    def pread(self, length: int, position: int) -> bytes:
        self._disk.check("read", self.path)
        return bytes(self.inode.data[position : position + length])

    def pwrite(self, data: Buffer, position: int) -> None:
        view = memoryview(data)
        allowed = self._disk.room_for(len(self.inode.data), position, len(view))
        short = self._disk.check("write", self.path, len(view))
        self._store(view[: min(short, allowed)], position)
        self._disk.after_short(short < len(view))
        if allowed < len(view):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), self.path)

    def _store(self, view: memoryview, position: int) -> None:
        data, end = self.inode.data, position + len(view)
        if position == len(data):
            try:
                data += view
            except BufferError:  # it is mapped
                self.inode.resize(end)
                self.inode.data[position:end] = view
        else:
            if end > len(data):
                self.inode.resize(end)
            self.inode.data[position:end] = view
        self.inode.modified_ms = self._disk.now_ms()

    def truncate(self, size: int) -> None:
        self._disk.check("truncate", self.path)
        self.inode.resize(size)

    def allocate(self, size: int) -> None:
        self._disk.check("reserve", self.path)
        if size > len(self.inode.data):
            self.inode.resize(size)

    def pread_cached(self, length: int, position: int) -> bytes | None:
        if not self.is_cached(position, length):
            return None
        try:
            data = self.pread(length, position)
        except OSError:
            return None  # it is not in memory, and whoever waits for the device hears why
        return data if len(data) == length else None

    def is_cached(self, position: int, length: int) -> bool:
        return self.path not in self._disk.cold

    def fsync(self) -> None:
        try:
            self._disk.check("fsync", self.path)
        except OSError:
            self.inode.sync_failed()
            raise
        self.inode.sync()

    def close(self) -> None:
        pass


class SimMapping:
    def __init__(self, disk: SimDisk, path: str, inode: Inode) -> None:
        self._disk = disk
        self._path = path
        self._inode = inode
        self.view = memoryview(inode.data)

    def reserve(self, position: int, length: int) -> None:
        self._disk.check("reserve", self._path)
        if self._disk.is_full:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), self._path)

    def flush(self) -> None:
        try:
            self._disk.check("fsync", self._path)
        except OSError:
            self._inode.sync_failed()
            raise
        self._inode.sync()

    def resize(self, size: int) -> None:
        self._disk.check("resize", self._path)
        self.view.release()
        self._inode.resize(size)
        self.view = memoryview(self._inode.data)

    def close(self) -> None:
        self.view.release()


class SimLock:
    def __init__(self, locks: set[str], path: str) -> None:
        self._locks = locks
        self._path = path

    def release(self) -> None:
        self._locks.discard(self._path)
