"""The ports: everything the ported packages may know of the world outside.

Real implementations live in `tidelog.io`, simulated ones (virtual time, seeded faults) in `tidelog.sim`. Timers, tasks
and futures come from the running asyncio loop, which is itself replaced under simulation. Nothing here does work.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import Any, NamedTuple, Protocol, TypeVar

Buffer = bytes | bytearray | memoryview
T = TypeVar("T")


class Clock(Protocol):
    def now_ms(self) -> int:
        """Wall-clock milliseconds since 1970; may jump either way."""
        ...

    def monotonic_ms(self) -> int:
        """Milliseconds that only grow; for timeouts."""
        ...


class File(Protocol):
    """One open file. A failing device raises OSError, which the owner of the directory handles.

    Dropping the last reference closes it: a range that is still on its way to a socket keeps its file alive.
    """

    path: str

    def fileno(self) -> int: ...
    def size(self) -> int: ...
    def pread(self, length: int, position: int) -> bytes: ...
    def pwrite(self, data: Buffer, position: int) -> None:
        """Writes all of `data` or raises; after an error any part of it may have been written."""
        ...

    def truncate(self, size: int) -> None: ...
    def allocate(self, size: int) -> None:
        """Reserves the space of the first `size` bytes, so that writes there cannot run out of space."""
        ...

    def pread_cached(self, length: int, position: int) -> Buffer | None:
        """All of the bytes if memory has them; None if that takes waiting for the device, or if they are not there.

        Never raises for the device: `pread` does.
        """
        ...

    def is_cached(self, position: int, length: int) -> bool:
        """Whether a read of this range would be served from memory, without waiting for the device."""
        ...

    def fsync(self) -> None: ...
    def close(self) -> None: ...


class Mapping(Protocol):
    """A file mapped into memory, for the indexes: reads and writes through `view` cost no system call."""

    view: memoryview

    def reserve(self, position: int, length: int) -> None:
        """Makes sure that the space behind this range exists: a store into a hole of a full disk kills the process."""
        ...

    def flush(self) -> None: ...
    def resize(self, size: int) -> None:
        """Cuts or grows file and mapping; `view` is a new object afterwards."""
        ...

    def close(self) -> None: ...


class DirectoryLock(Protocol):
    def release(self) -> None: ...


class Disk(Protocol):
    def open(self, path: str, *, create: bool = False, writable: bool = True) -> File: ...
    def map(self, path: str, size: int | None = None, *, writable: bool = True) -> Mapping:
        """Maps the file, set to `size` if that is given (created when missing and writable)."""
        ...

    def exists(self, path: str) -> bool: ...
    def size(self, path: str) -> int: ...
    def modified_ms(self, path: str) -> int: ...
    def set_modified_ms(self, path: str, modified_ms: int) -> None: ...
    def listdir(self, path: str) -> list[str]: ...
    def is_dir(self, path: str) -> bool: ...
    def makedirs(self, path: str) -> None: ...
    def rename(self, source: str, target: str) -> None: ...
    def remove(self, path: str) -> None: ...
    def remove_tree(self, path: str) -> None: ...
    def fsync_dir(self, path: str) -> None: ...
    def sync_tree(self, path: str) -> None:
        """Makes everything below `path` durable at once: cheaper than thousands of files one by one."""
        ...

    def read_bytes(self, path: str) -> bytes: ...
    def write_atomic(self, path: str, data: bytes, *, sync: bool = True) -> None:
        """Temporary file, fsync, rename, fsync of the directory: a crash leaves the old content or the new, no mix."""
        ...

    def lock(self, path: str) -> DirectoryLock | None:
        """Takes the lock file for this process; None when another process holds it."""
        ...

    def usage(self, path: str) -> tuple[int, int]:
        """Total and usable bytes of the volume that holds `path`."""
        ...


class FileRange(NamedTuple):
    """Bytes of a file that go to a socket without passing through Python."""

    file: File
    position: int
    length: int


Part = Buffer | FileRange


class RangeUnreadable(OSError):
    """The file of a range could not be read on its way to a socket; `filename` says which. The peer is not at fault."""


class Transport(Protocol):
    """The sending half of one connection, and the brakes of its receiving half."""

    peer_host: str
    peer_port: int

    def write(self, parts: Sequence[Part]) -> None:
        """Queues the parts in order. Never blocks: what the socket does not take is kept and `pause_writing` called."""
        ...

    def pause_reading(self) -> None: ...
    def resume_reading(self) -> None: ...
    def close(self) -> None:
        """Sends what is queued, then closes."""
        ...

    def abort(self) -> None: ...


class Receiver(Protocol):
    """What a transport drives: the session of one connection."""

    def connection_made(self, transport: Transport) -> None: ...
    def get_buffer(self) -> memoryview:
        """Where the next bytes are received into; never empty while reading is not paused."""
        ...

    def buffer_updated(self, length: int) -> None: ...
    def pause_writing(self) -> None: ...
    def resume_writing(self) -> None: ...
    def connection_lost(self, error: Exception | None) -> None:
        """The last call. With RangeUnreadable it was a disk that failed, in the middle of an answer."""
        ...


class Server(Protocol):
    host: str
    port: int

    async def close(self) -> None: ...


class Network(Protocol):
    async def listen(self, host: str, port: int, factory: Callable[[], Receiver]) -> Server: ...
    async def connect(self, host: str, port: int, factory: Callable[[], Receiver]) -> Transport: ...


class Blocking(Protocol):
    """Work that may wait for a device runs here, beside the event loop."""

    def run(self, work: Callable[..., T], *args: Any) -> Awaitable[T]: ...


class StoredObject(NamedTuple):
    key: str
    size: int
    modified_ms: int


class ObjectStore(Protocol):
    """Objects by key in a store far away. A failing store raises OSError, a missing object FileNotFoundError.

    A put that failed may have stored the object all the same; a list may lag behind; nothing else is taken back.
    """

    async def put(self, key: str, data: AsyncIterator[Buffer] | Buffer) -> None:
        """Stores the whole object under `key`, or none of it."""
        ...

    async def get_range(self, key: str, position: int, length: int) -> Buffer: ...
    async def head(self, key: str) -> StoredObject: ...
    async def list(self, prefix: str) -> Sequence[StoredObject]: ...
    async def delete(self, keys: Sequence[str]) -> None:
        """Those that are not there count as deleted."""
        ...
