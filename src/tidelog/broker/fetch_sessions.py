"""Fetch sessions (KIP-227): a consumer names its partitions once and then only what changed.

The cache is bounded. A full cache gives a slot to a new session when another has not been used for two minutes, or when
the new one is larger than one of that age; a client that gets none simply sends full requests.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable
from typing import Any

from tidelog.protocol.errors import ErrorCode

NO_SESSION = 0
INITIAL_EPOCH = 0
FINAL_EPOCH = -1
EVICTION_MS = 120_000
EPOCH_MAX = 2**31 - 1

# The bytes of a topic's name, or its id; and the partition.
Key = tuple[bytes, int]
# (topic, partition, leader epoch, fetch offset, last fetched epoch, log start offset, max bytes), as parsed.
Wanted = tuple[bytes, int, int, int, int, int, int]
# Partitions that all sessions together may remember.
PARTITIONS_MAX = 2_000_000


class CachedPartition:
    """What a session remembers of one partition: what was asked, and what was last said of it."""

    __slots__ = ("ask", "high_watermark", "key", "said_log_start_offset", "wanted")

    def __init__(self, wanted: Wanted) -> None:
        self.key: Key = (wanted[0], wanted[1])
        self.wanted = wanted
        # What the last fetch used for it, for the next one; None while one is under way.
        self.ask: Any = None
        self.said_log_start_offset = self.high_watermark = -1

    def is_news(self, error: int, size: int, high_watermark: int, log_start_offset: int) -> bool:
        """Whether this state must be told, and notes it as told. After an error the next state is told in any case."""
        news = size > 0 or bool(error)
        if high_watermark != self.high_watermark or log_start_offset != self.said_log_start_offset:
            news = True
        self.high_watermark = -1 if error else high_watermark
        self.said_log_start_offset = log_start_offset
        return news

    def told(self, high_watermark: int, log_start_offset: int) -> None:
        """The same for a state that is told in any case, and is no error."""
        self.high_watermark, self.said_log_start_offset = high_watermark, log_start_offset


class FetchSession:
    __slots__ = ("created_ms", "epoch", "fetch", "id", "last_used_ms", "partitions", "uses_topic_ids")

    def __init__(self, session_id: int, uses_topic_ids: bool, now_ms: int) -> None:
        self.id = session_id
        self.epoch = 1
        self.uses_topic_ids = uses_topic_ids
        self.created_ms = self.last_used_ms = now_ms
        self.partitions: OrderedDict[Key, CachedPartition] = OrderedDict()
        # What a follower's last fetch used, for the next one; None while one is under way.
        self.fetch: Any = None

    def next_epoch(self) -> None:
        self.epoch = 1 if self.epoch == EPOCH_MAX else self.epoch + 1

    def update(self, wanted: Iterable[Wanted], forgotten: Iterable[Key]) -> None:
        """What changed since the last request of the session: partitions added, moved on, or forgotten."""
        for each in wanted:
            key = (each[0], each[1])
            known = self.partitions.get(key)
            if known is None:
                self.partitions[key] = CachedPartition(each)
            else:
                known.wanted = each
        for key in forgotten:
            self.partitions.pop(key, None)

    def was_served(self, key: Key) -> None:
        """A partition that gave records goes last in the next turn, so that each gets its share of the bytes."""
        self.partitions.move_to_end(key)


class FetchSessions:
    def __init__(self, slots: int, random_id: Callable[[], int]) -> None:
        self._slots = slots
        self._random_id = random_id
        # Least recently used first.
        self._sessions: OrderedDict[int, FetchSession] = OrderedDict()
        self.evictions = 0

    def __len__(self) -> int:
        return len(self._sessions)

    @property
    def partitions(self) -> int:
        return sum(len(session.partitions) for session in self._sessions.values())

    def remove(self, session_id: int) -> None:
        self._sessions.pop(session_id, None)

    def find(self, session_id: int, epoch: int, uses_topic_ids: bool, now_ms: int) -> FetchSession | ErrorCode:
        """The session an incremental request goes on with."""
        session = self._sessions.get(session_id)
        if session is None:
            return ErrorCode.FETCH_SESSION_ID_NOT_FOUND
        if session.epoch != epoch:
            return ErrorCode.INVALID_FETCH_SESSION_EPOCH
        if session.uses_topic_ids != uses_topic_ids:
            return ErrorCode.FETCH_SESSION_TOPIC_ID_ERROR
        session.last_used_ms = now_ms
        self._sessions.move_to_end(session_id)
        return session

    def create(self, wanted: Iterable[Wanted], uses_topic_ids: bool, now_ms: int) -> FetchSession | None:
        """A session for a full request, or None when there is no slot for it."""
        cached = OrderedDict(((each[0], each[1]), CachedPartition(each)) for each in wanted)
        if not self._make_room(len(cached), now_ms):
            return None
        session_id = self._random_id()
        while session_id <= NO_SESSION or session_id in self._sessions:
            session_id = self._random_id()
        session = FetchSession(session_id, uses_topic_ids, now_ms)
        session.partitions = cached
        self._sessions[session_id] = session
        return session

    def _make_room(self, size: int, now_ms: int) -> bool:
        if self.partitions + size > PARTITIONS_MAX:
            return False
        if len(self._sessions) < self._slots:
            return True
        if not self._sessions:
            return False
        oldest = next(iter(self._sessions.values()))
        if now_ms - oldest.last_used_ms <= EVICTION_MS:
            grown = [each for each in self._sessions.values() if now_ms - each.created_ms > EVICTION_MS]
            smallest = min(grown, key=lambda each: len(each.partitions), default=None)
            if smallest is None or len(smallest.partitions) >= size:
                return False
            oldest = smallest
        del self._sessions[oldest.id]
        self.evictions += 1
        return True
