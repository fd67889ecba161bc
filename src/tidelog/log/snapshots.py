"""The producer snapshots in a log's directory: taking, finding and removing them."""

from __future__ import annotations

import logging
from collections.abc import Callable

from tidelog.log import names
from tidelog.log.checkpoints import BadCheckpoint
from tidelog.log.producer_snapshot import decode_snapshot, encode_snapshot
from tidelog.ports import Disk
from tidelog.replication.producer_state import ProducerState

logger = logging.getLogger(__name__)


class Snapshots:
    """One per segment, at the offset where it begins, and one at the end of a log that was closed."""

    __slots__ = ("_directory", "_disk", "_unflushed", "offsets")

    def __init__(self, disk: Disk, directory: str, listing: list[str]) -> None:
        self._disk = disk
        self._directory = directory
        self._unflushed: list[str] = []
        found = [names.offset_of(name) for name in listing if name.endswith(names.SNAPSHOT)]
        self.offsets = sorted(offset for offset in found if offset is not None)

    def path(self, offset: int) -> str:
        return f"{self._directory}/{names.offset_name(offset, names.SNAPSHOT)}"

    def take(self, state: ProducerState) -> None:
        """Writes the state as it is at its end offset. Not yet durable: it can always be made again from the log."""
        offset = state.end_offset
        if self.offsets and self.offsets[-1] >= offset:
            return
        file = self._disk.open(self.path(offset), create=True)
        data = encode_snapshot(state)
        file.pwrite(data, 0)
        file.truncate(len(data))
        self._unflushed.append(self.path(offset))
        self.offsets.append(offset)

    def take_unflushed(self) -> list[str]:
        """Hands over the files that a flush has to make durable."""
        paths, self._unflushed = self._unflushed, []
        return paths

    def load(self, state: ProducerState, log_start_offset: int, limit: int) -> None:
        """Fills `state` from the newest good snapshot up to `limit`; later and bad ones are removed."""
        self.remove(lambda offset: offset > limit)
        while self.offsets:
            offset = self.offsets[-1]
            try:
                entries = decode_snapshot(self._disk.read_bytes(self.path(offset)))
            except BadCheckpoint as error:
                logger.warning("%s is left out and made again from the log: %s", self.path(offset), error)
                self.remove(offset.__eq__)
                continue
            state.clear(max(offset, log_start_offset))
            for entry in entries:
                state.load(entry)
            return
        state.clear(log_start_offset)

    def keep_only(self, bases: list[int]) -> None:
        """Removes snapshots that belong to no segment, but keeps the latest."""
        if self.offsets:
            wanted = {*bases, self.offsets[-1]}
            self.remove(lambda offset: offset not in wanted)

    def remove(self, unwanted: Callable[[int], bool]) -> None:
        for offset in [offset for offset in self.offsets if unwanted(offset)]:
            self._disk.remove(self.path(offset))
            self.offsets.remove(offset)

    def moved(self, directory: str) -> None:
        self._directory = directory
