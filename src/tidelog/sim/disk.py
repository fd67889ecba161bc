"""A disk in memory that can lose everything it was not told to keep.

Every file has what programs see and what the platter holds. `crash` brings the two together: what was synced survives;
of the rest, single sectors may have been written back or not, and of the changes to directories a prefix has happened,
as in a journal. Faults can be planned for the n-th call: an error, a write cut short, or the end of the process.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterator
from random import Random

from tidelog.sim.disk_files import Directory, Entries, Inode, SimFile, SimLock, SimMapping

CHANGES = ("write", "truncate", "fsync", "create", "rename", "remove", "makedirs", "fsync_dir", "reserve", "resize",
           "touch")  # fmt: skip


class SimulatedCrash(BaseException):
    """The process ends here; nothing may catch it but the test."""


class SimDisk:
    """`steps` counts the changes; a plan names the one at which something happens."""

    def __init__(self, now_ms: Callable[[], int] = lambda: 0, capacity_bytes: int | None = None) -> None:
        self.now_ms = now_ms
        self.capacity_bytes = capacity_bytes
        self.steps = 0
        # What was done, for tests that go through the steps one by one.
        self.trace: list[tuple[str, str]] | None = []
        self.cold: set[str] = set()  # paths whose reads would wait for the device
        self.counts: dict[str, int] = {}
        self._plans: list[Callable[[str, str, int], int | None]] = []
        self._crash_after_write = False
        self._torn = 0.0
        self._root = Directory()
        self._pending: list[tuple[Directory, Callable[[Entries], None]]] = []
        self._locks: set[str] = set()
        self._is_sealed = False

    def successor(self) -> SimDisk:
        """The same platter for the next process; the one before can touch it no more."""
        self._is_sealed = True
        after = SimDisk(self.now_ms, self.capacity_bytes)
        after._root, after._pending = self._root, self._pending
        return after

    # faults

    def plan(self, act: Callable[[str, str, int], int | None]) -> None:
        """`act(operation, path, step)` before every call: raises, or gives how much of a write is still done."""
        self._plans.append(act)

    def crash_at(self, step: int, torn: float = 0.0) -> None:
        """The process ends at the given change, of which this share was done if it is a write."""

        def act(operation: str, path: str, now: int) -> int | None:
            if now < step or operation == "read":
                return None
            if operation == "write" and torn:
                self._crash_after_write = True
                return -1
            raise SimulatedCrash(f"{operation} {path}")

        self._torn = torn
        self.plan(act)

    def fail_at(self, step: int, code: int, operations: tuple[str, ...] = CHANGES, times: int = 1) -> None:
        """An error at the first call of one of the `operations` from `step` on."""
        left = [times]

        def act(operation: str, path: str, now: int) -> int | None:
            if now >= step and operation in operations and left[0] > 0:
                left[0] -= 1
                raise OSError(code, os.strerror(code), path)
            return None

        self.plan(act)

    def heal(self) -> None:
        self._plans.clear()
        self._crash_after_write = False

    def check(self, operation: str, path: str, length: int = 0) -> int:
        if self._is_sealed:
            raise SimulatedCrash(f"{operation} {path} by a process that is dead")
        self.counts[operation] = self.counts.get(operation, 0) + 1
        if operation != "read":
            self.steps += 1
            if self.trace is not None:
                self.trace.append((operation, path))
        for act in self._plans:
            if act(operation, path, self.steps) is not None:
                return int(length * self._torn)
        return length

    def after_short(self, is_short: bool) -> None:
        if is_short and self._crash_after_write:
            raise SimulatedCrash("in the middle of a write")

    def crash(self, random: Random | None = None, keep_share: float = 0.0) -> None:
        """Power is lost: each unsynced sector survives with the given probability; without `random`, none does."""

        def keep() -> bool:
            return random is not None and random.random() < keep_share

        self.heal()
        done = random.randrange(len(self._pending) + 1) if random and self._pending and keep_share else 0
        for directory, change in self._pending[:done]:
            change(directory.durable)
        self._pending.clear()
        self._locks.clear()
        for directory in self._directories(self._root):
            directory.entries = dict(directory.durable)
        for inode in self._inodes(self._root):
            inode.crash(keep)

    def kill(self) -> None:
        """Only the process ends: what it wrote stays in the cache, and reaches the platter later."""
        self.heal()
        self._locks.clear()

    def _directories(self, top: Directory) -> Iterator[Directory]:
        yield top
        for entry in top.durable.values():
            if isinstance(entry, Directory):
                yield from self._directories(entry)

    def _inodes(self, top: Directory) -> Iterator[Inode]:
        for entry in top.entries.values():
            if isinstance(entry, Directory):
                yield from self._inodes(entry)
            else:
                yield entry

    # space

    @property
    def is_full(self) -> bool:
        return self.capacity_bytes is not None and self._used() >= self.capacity_bytes

    def _used(self) -> int:
        """Indexes are sparse files, so they do not count."""
        return sum(len(inode.data) for path, inode in self._walk("", self._root) if not path.endswith("index"))

    def _walk(self, prefix: str, top: Directory) -> Iterator[tuple[str, Inode]]:
        for name, entry in top.entries.items():
            if isinstance(entry, Directory):
                yield from self._walk(f"{prefix}/{name}", entry)
            else:
                yield f"{prefix}/{name}", entry

    def fill(self, left_bytes: int) -> None:
        """From now on there is so much room left, until `capacity_bytes` is lifted."""
        self.capacity_bytes = self._used() + left_bytes

    def files(self, directory: str) -> Iterator[tuple[str, Inode]]:
        found = self._find(directory)
        if isinstance(found, Directory):
            yield from self._walk(directory.rstrip("/"), found)

    def room_for(self, size: int, position: int, length: int) -> int:
        if self.capacity_bytes is None:
            return length
        free = max(0, self.capacity_bytes - self._used())
        return min(length, max(0, size - position) + free)

    def usage(self, path: str) -> tuple[int, int]:
        total = self.capacity_bytes if self.capacity_bytes is not None else 1 << 40
        return total, max(0, total - self._used())

    # files and directories

    def _find(self, path: str) -> Inode | Directory | None:
        entry: Inode | Directory | None = self._root
        for name in filter(None, path.split("/")):
            if not isinstance(entry, Directory):
                return None
            entry = entry.entries.get(name)
        return entry

    def _parent(self, path: str) -> tuple[Directory, str]:
        head, _, name = path.strip("/").rpartition("/")
        parent = self._find(head) if head else self._root
        if not isinstance(parent, Directory):
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path)
        return parent, name

    def _change(self, directory: Directory, change: Callable[[Entries], None]) -> None:
        change(directory.entries)
        self._pending.append((directory, change))

    def _inode(self, path: str, create: bool) -> Inode:
        found = self._find(path)
        if isinstance(found, Directory):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), path)
        if found is None:
            if not create:
                raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path)
            self.check("create", path)
            made = found = Inode()
            parent, name = self._parent(path)
            self._change(parent, lambda entries: entries.__setitem__(name, made))
        return found

    def open(self, path: str, *, create: bool = False, writable: bool = True) -> SimFile:
        return SimFile(self, path, self._inode(path, create))

    def map(self, path: str, size: int | None = None, *, writable: bool = True) -> SimMapping:
        inode = self._inode(path, writable)
        if size is not None and size != len(inode.data):
            inode.resize(size)
        return SimMapping(self, path, inode)

    def exists(self, path: str) -> bool:
        return self._find(path) is not None

    def size(self, path: str) -> int:
        return len(self._inode(path, False).data)

    def modified_ms(self, path: str) -> int:
        return self._inode(path, False).modified_ms

    def set_modified_ms(self, path: str, modified_ms: int) -> None:
        self.check("touch", path)
        self._inode(path, False).modified_ms = modified_ms

    def _directory(self, path: str) -> Directory:
        found = self._find(path)
        if isinstance(found, Directory):
            return found
        code = errno.ENOENT if found is None else errno.ENOTDIR
        raise OSError(code, os.strerror(code), path)

    def listdir(self, path: str) -> list[str]:
        return list(self._directory(path).entries)

    def is_dir(self, path: str) -> bool:
        return isinstance(self._find(path), Directory)

    def makedirs(self, path: str) -> None:
        parts = path.strip("/").split("/")
        for depth in range(1, len(parts) + 1):
            part = "/".join(parts[:depth])
            if self._find(part) is None:
                self.check("makedirs", part)
                parent, name = self._parent(part)
                made = Directory()
                self._change(parent, lambda entries, name=name, made=made: entries.__setitem__(name, made))  # type: ignore[misc]

    def rename(self, source: str, target: str) -> None:
        self.check("rename", target)
        entry = self._find(source)
        if entry is None:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), source)
        parent, old = self._parent(source)
        other, new = self._parent(target)
        assert parent is other, "only renames within one directory are atomic here"

        def change(entries: Entries) -> None:
            entries.pop(old, None)
            entries[new] = entry

        self._change(parent, change)

    def remove(self, path: str) -> None:
        self.check("remove", path)
        self._inode(path, False)
        parent, name = self._parent(path)
        self._change(parent, lambda entries: entries.pop(name, None))  # type: ignore[arg-type]

    def remove_tree(self, path: str) -> None:
        self.check("remove", path)
        self._directory(path)
        parent, name = self._parent(path)
        self._change(parent, lambda entries: entries.pop(name, None))  # type: ignore[arg-type]

    def fsync_dir(self, path: str) -> None:
        self.check("fsync_dir", path)
        directory = self._directory(path)
        left = []
        for each, change in self._pending:
            if each is directory:
                change(directory.durable)
            else:
                left.append((each, change))
        self._pending = left

    def sync_tree(self, path: str) -> None:
        self.check("fsync", path)
        for directory, change in self._pending:
            change(directory.durable)
        self._pending.clear()
        for inode in self._inodes(self._root):
            inode.sync()

    def read_bytes(self, path: str) -> bytes:
        self.check("read", path)
        return bytes(self._inode(path, False).data)

    def write_atomic(self, path: str, data: bytes, *, sync: bool = True) -> None:
        temporary = path + ".tmp"
        file = self.open(temporary, create=True)
        file.truncate(0)
        file.pwrite(data, 0)
        if sync:
            file.fsync()
        self.rename(temporary, path)
        if sync:
            self.fsync_dir(path.rpartition("/")[0])

    def lock(self, path: str) -> SimLock | None:
        self.open(path, create=True)
        if path in self._locks:
            return None
        self._locks.add(path)
        return SimLock(self._locks, path)
