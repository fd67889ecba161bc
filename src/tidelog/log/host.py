"""What a log asks of whoever keeps it: files to open within bounds, and someone to tell when things change."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from tidelog.log.log import Log
    from tidelog.log.segment import Segment

OPEN_SEGMENTS_MAX = 1000


class OpenSegments:
    """The closed segments that hold files open: the ones not read for longest let go of them first.

    Letting go drops the references; a range still on its way to a socket keeps its own.
    """

    __slots__ = ("_open", "limit")

    def __init__(self, limit: int = OPEN_SEGMENTS_MAX) -> None:
        self.limit = limit
        self._open: OrderedDict[Segment, None] = OrderedDict()

    def __len__(self) -> int:
        return len(self._open)

    def used(self, segment: Segment) -> None:
        """Also called by readers in other threads, so every step stands alone."""
        self._open.pop(segment, None)
        self._open[segment] = None
        while len(self._open) > self.limit:
            try:
                self._open.popitem(last=False)[0].close()
            except KeyError:
                return

    def forget(self, segment: Segment) -> None:
        self._open.pop(segment, None)


class LogHost(Protocol):
    """The directory of a log, or a stand-in for a log that stands alone."""

    open_segments: OpenSegments

    def failed(self, error: OSError) -> None:
        """The device did not do what it must: nothing in this directory may be written any more."""
        ...

    def rolled(self, log: Log) -> None:
        """A segment was closed; it should be flushed in the background."""
        ...

    def lower_recovery_point(self, log: Log, offset: int) -> None:
        """Makes it durable that the log may end at `offset`, before it is cut."""
        ...

    def keep_log_start(self, log: Log) -> None:
        """Makes it durable where the log begins, before its first files go while their records stay."""
        ...

    def was_cut(self, log: Log, offset: int) -> None:
        """The log ends at `offset` now: nothing behind it has been compacted."""
        ...

    def remove_later(self, paths: list[str], delay_ms: int) -> None:
        """Files renamed out of use, which readers may still have open."""
        ...

    def jitter_ms(self, limit_ms: int) -> int:
        """A random time below `limit_ms`, so that the segments of many logs do not roll at once."""
        ...


class LoneHost:
    """For a log outside of any log manager."""

    def __init__(self) -> None:
        self.open_segments = OpenSegments()
        self.removable: list[str] = []

    def failed(self, error: OSError) -> None:
        pass

    def rolled(self, log: Log) -> None:
        pass

    def lower_recovery_point(self, log: Log, offset: int) -> None:
        pass

    def keep_log_start(self, log: Log) -> None:
        pass

    def was_cut(self, log: Log, offset: int) -> None:
        pass

    def remove_later(self, paths: list[str], delay_ms: int) -> None:
        self.removable += paths

    def jitter_ms(self, limit_ms: int) -> int:
        return 0
