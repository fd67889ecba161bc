"""Putting a compacted segment in the place of those it was made from, so that a crash at any moment leaves one of both.

1. The new files wait, durable, as `.swap` (`clean_write`).
2. On the event loop: the old files get names that end in `.deleted`, and readers are given the new segment.
3. The directory is synced: from here on no start finds an old segment beside the new one.
4. On the event loop: the new files get their names. The directory is synced again, and the old files go later.

A start that finds a `.swap` removes what it covers and does step 4. Readers with an open range keep their file.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from tidelog.log import names
from tidelog.log.clean_job import Cleaned
from tidelog.log.clean_write import discard
from tidelog.log.scanning import iter_headers
from tidelog.log.segment import SUFFIXES
from tidelog.log.segments import Segments
from tidelog.ports import Disk

if TYPE_CHECKING:
    from tidelog.log.log import Log


class CleaningAborted(Exception):
    """The log has changed under the compaction, which begins again some other time."""


def swap_in(log: Log, cleaned: Cleaned, generation: int) -> None:
    """Step 2: from now on the log is read from the new segment."""
    old, new = cleaned.replaced, cleaned.segment
    current = log.segments.items
    if log.offline is not None:
        with suppress(OSError):
            discard(log.disk, new.directory, new.base_offset)  # where by now another topic of that name may live
        raise CleaningAborted(log.offline)
    if log.generation != generation or any(each not in current for each in old):
        discard(log.disk, log.directory, new.base_offset)
        raise CleaningAborted(f"segments of {log.partition} went away while they were compacted")
    assert log.active not in old, "the active segment is never compacted"
    removable = []
    for segment in old:
        log.host.open_segments.forget(segment)
        paths = segment.existing_paths()
        if segment is not old[0] and segment.base_offset in log.snapshots.offsets:
            log.snapshots.offsets.remove(segment.base_offset)
            paths.append(log.snapshots.path(segment.base_offset))
        segment.renamed(lambda paths=paths: _rename_all(log.disk, paths), names.DELETED)  # type: ignore[misc]
        removable += [path + names.DELETED for path in paths]
    first = current.index(old[0])
    log.segments = Segments([*current[:first], new, *current[first + len(old) :]])
    log.host.remove_later(removable, log.config.file_delete_delay_ms)


def _rename_all(disk: Disk, paths: list[str]) -> None:
    for path in paths:
        disk.rename(path, path + names.DELETED)


def name_finally(log: Log, cleaned: Cleaned) -> None:
    """Step 4: the log file last, as a start goes by it."""
    new = cleaned.segment
    if log.offline is not None or new not in log.segments.items:
        return
    paths = list(reversed(new.existing_paths()))

    def rename() -> None:
        for path in paths:
            log.disk.rename(path, path.removesuffix(names.SWAP))

    log.host.open_segments.forget(new)
    new.renamed(rename, "")


def finish_swaps(disk: Disk, directory: str, listing: list[str]) -> list[str]:
    """At start: removes what was not complete and puts what was in its place; gives what the directory holds then."""
    cleaned = [name for name in listing if name.endswith(names.CLEANED)]
    swaps = [name for name in listing if name.endswith(names.SWAP)]
    if not cleaned and not swaps:
        return listing
    first_incomplete = min((_offset(name) for name in cleaned), default=2**63)
    bad = [name for name in swaps if _offset(name) >= first_incomplete]
    good = [name for name in swaps if _offset(name) < first_incomplete]
    _remove(disk, directory, [*(name for name in bad), *cleaned])
    for name in good:
        if name.endswith(names.LOG + names.SWAP):
            _remove(disk, directory, _covered(disk, directory, name, listing))
    for name in sorted(good, key=lambda each: each.endswith(names.LOG + names.SWAP)):
        disk.rename(f"{directory}/{name}", f"{directory}/{name.removesuffix(names.SWAP)}")
    disk.fsync_dir(directory)
    return disk.listdir(directory)


def _offset(name: str) -> int:
    offset = names.offset_of(name)
    return -1 if offset is None else offset


def _covered(disk: Disk, directory: str, swap: str, listing: list[str]) -> list[str]:
    """The files of segments behind the first that the compacted one holds; the first one's are renamed over."""
    file = disk.open(f"{directory}/{swap}", writable=False)
    base_offset = next_offset = _offset(swap)
    for _, header, _ in iter_headers(file, 0, file.size()):
        next_offset = header[0] + header[6] + 1
    return [name for name in listing if name.endswith(SUFFIXES) and base_offset < _offset(name) < next_offset]


def _remove(disk: Disk, directory: str, found: list[str]) -> None:
    for name in found:
        disk.remove(f"{directory}/{name}")
    if found:
        disk.fsync_dir(directory)
