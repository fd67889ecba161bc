"""The real disk: files, memory mappings, directories and locks of the operating system."""

from __future__ import annotations

import contextlib
import ctypes
import errno
import fcntl
import mmap
import os
import shutil
import sys
from collections.abc import Iterator
from typing import Any

from tidelog.ports import Buffer

_NOWAIT = getattr(os, "RWF_NOWAIT", 0)
_READ_AHEAD_BYTES = 128 * 1024
_ONE_BYTE = (bytearray(1),)  # what is read into it is never looked at
_CANNOT_TELL = {errno.EOPNOTSUPP, errno.ENOSYS}  # such a file system counts as memory
_pwrite = os.pwrite
_libc = ctypes.CDLL(None, use_errno=True)
# From 3.13 a mapping need not hold a descriptor of its own; two a partition are worth saving.
_MAP_OPTIONS: dict[str, Any] = {"trackfd": False} if sys.version_info >= (3, 13) else {}


class RealFile:
    __slots__ = ("_fd", "path")

    def __init__(self, path: str, fd: int) -> None:
        self.path = path
        self._fd = fd

    def fileno(self) -> int:
        return self._fd

    def size(self) -> int:
        return os.fstat(self._fd).st_size

    def pread(self, length: int, position: int) -> bytes:
        data = os.pread(self._fd, length, position)
        if len(data) == length or not data:
            return data
        parts = [data]
        missing = length - len(data)
        while missing and (data := os.pread(self._fd, missing, position + length - missing)):
            parts.append(data)
            missing -= len(data)
        return b"".join(parts)

    def pwrite(self, data: Buffer, position: int) -> None:
        written = _pwrite(self._fd, data, position)
        length = len(data)
        if written == length:
            return
        view = memoryview(data)
        while written < length:
            count = os.pwrite(self._fd, view[written:], position + written)
            if not count:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), self.path)
            written += count

    def truncate(self, size: int) -> None:
        os.ftruncate(self._fd, size)

    def allocate(self, size: int) -> None:
        if size > 0:
            os.posix_fallocate(self._fd, 0, size)

    def pread_cached(self, length: int, position: int) -> bytearray | bytes | None:
        data = bytearray(length)
        try:
            count = os.preadv(self._fd, (data,), position, _NOWAIT)
        except BlockingIOError:
            return None
        except OSError as error:
            return self._pread_whole(length, position) if error.errno in _CANNOT_TELL else None
        return data if count == length else None

    def _pread_whole(self, length: int, position: int) -> bytes | None:
        try:
            data = self.pread(length, position)
        except OSError:
            return None  # whoever then waits for the device hears why
        return data if len(data) == length else None

    def is_cached(self, position: int, length: int) -> bool:
        """Asks for one byte of every 128 KB, as much as read-ahead brings in at a time, and for the last."""
        fd, last = self._fd, position + length - 1
        try:
            for at in range(position, last, _READ_AHEAD_BYTES):
                os.preadv(fd, _ONE_BYTE, at, _NOWAIT)
            os.preadv(fd, _ONE_BYTE, last, _NOWAIT)
        except BlockingIOError:
            return False
        except OSError as error:
            if error.errno in _CANNOT_TELL:
                return True
            raise
        return True

    def fsync(self) -> None:
        os.fdatasync(self._fd)

    def close(self) -> None:
        fd, self._fd = self._fd, -1
        if fd >= 0:
            os.close(fd)

    def __del__(self) -> None:
        with contextlib.suppress(OSError):
            self.close()


class RealMapping:
    """Holds no descriptor of its own: an index is seldom resized or synced, and a node has thousands of them."""

    __slots__ = ("_map", "_writable", "path", "view")

    def __init__(self, path: str, fd: int, writable: bool) -> None:
        self.path = path
        self.view = memoryview(b"")
        self._writable = writable
        self._map: mmap.mmap | None = None
        self._remap(fd)

    def _remap(self, fd: int) -> None:
        size = os.fstat(fd).st_size
        access = mmap.ACCESS_WRITE if self._writable else mmap.ACCESS_READ
        self._map = mmap.mmap(fd, size, access=access, **_MAP_OPTIONS) if size else None
        self.view = memoryview(self._map) if self._map else memoryview(b"")

    def reserve(self, position: int, length: int) -> None:
        with _descriptor(self.path, os.O_RDWR) as fd:
            os.posix_fallocate(fd, position, length)

    def flush(self) -> None:
        # A sync of the file covers stores through the mapping, and lets other threads run, which msync here does not.
        with contextlib.suppress(FileNotFoundError), _descriptor(self.path, os.O_RDONLY) as fd:
            os.fdatasync(fd)  # a file that was deleted meanwhile need not be durable

    def resize(self, size: int) -> None:
        with _descriptor(self.path, os.O_RDWR) as fd:
            self.close()
            os.ftruncate(fd, size)
            self._remap(fd)

    def close(self) -> None:
        self.view.release()
        if self._map is not None:
            self._map.close()
            self._map = None


@contextlib.contextmanager
def _descriptor(path: str, flags: int) -> Iterator[int]:
    fd = os.open(path, flags | os.O_CLOEXEC)
    try:
        yield fd
    finally:
        os.close(fd)


class RealLock:
    def __init__(self, fd: int) -> None:
        self._fd = fd

    def release(self) -> None:
        fd, self._fd = self._fd, -1
        if fd >= 0:
            os.close(fd)


class RealDisk:
    def open(self, path: str, *, create: bool = False, writable: bool = True) -> RealFile:
        flags = os.O_CLOEXEC | (os.O_RDWR if writable else os.O_RDONLY) | (os.O_CREAT if create else 0)
        return RealFile(path, os.open(path, flags, 0o644))

    def map(self, path: str, size: int | None = None, *, writable: bool = True) -> RealMapping:
        flags = os.O_CLOEXEC | (os.O_RDWR | os.O_CREAT if writable else os.O_RDONLY)
        fd = os.open(path, flags, 0o644)
        try:
            if size is not None and os.fstat(fd).st_size != size:
                os.ftruncate(fd, size)
            return RealMapping(path, fd, writable)
        finally:
            os.close(fd)

    def exists(self, path: str) -> bool:
        return os.path.exists(path)

    def size(self, path: str) -> int:
        return os.stat(path).st_size

    def modified_ms(self, path: str) -> int:
        return os.stat(path).st_mtime_ns // 1_000_000

    def set_modified_ms(self, path: str, modified_ms: int) -> None:
        os.utime(path, ns=(modified_ms * 1_000_000, modified_ms * 1_000_000))

    def listdir(self, path: str) -> list[str]:
        return os.listdir(path)

    def is_dir(self, path: str) -> bool:
        return os.path.isdir(path)

    def makedirs(self, path: str) -> None:
        os.makedirs(path, exist_ok=True)

    def rename(self, source: str, target: str) -> None:
        os.replace(source, target)

    def remove(self, path: str) -> None:
        os.unlink(path)

    def remove_tree(self, path: str) -> None:
        shutil.rmtree(path)

    def fsync_dir(self, path: str) -> None:
        fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        try:
            os.fsync(fd)
        finally:
            os.close(fd)

    def sync_tree(self, path: str) -> None:
        with _descriptor(path, os.O_RDONLY) as fd:
            if _libc.syncfs(fd) != 0:
                code = ctypes.get_errno()
                raise OSError(code, os.strerror(code), path)

    def read_bytes(self, path: str) -> bytes:
        with open(path, "rb") as file:
            return file.read()

    def write_atomic(self, path: str, data: bytes, *, sync: bool = True) -> None:
        temporary = path + ".tmp"
        fd = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o644)
        try:
            view = memoryview(data)
            while view:
                view = view[os.write(fd, view) :]
            if sync:
                os.fsync(fd)
        finally:
            os.close(fd)
        os.replace(temporary, path)
        if sync:
            self.fsync_dir(os.path.dirname(path) or ".")

    def lock(self, path: str) -> RealLock | None:
        fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            # POSIX record locks are what Java's FileChannel takes, so the two kinds of node keep each other out.
            fcntl.lockf(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            os.close(fd)
            if error.errno in (errno.EACCES, errno.EAGAIN):
                return None
            raise
        return RealLock(fd)

    def usage(self, path: str) -> tuple[int, int]:
        figures = os.statvfs(path)
        return figures.f_blocks * figures.f_frsize, figures.f_bavail * figures.f_frsize
