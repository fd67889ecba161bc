"""One fetch under way: looks once, and parks on its partitions when there is too little.

A follower that has all of its one partition asks for nothing but the next records, again and again. Such a fetch is the
same object each time, and what the leader's log gets while it is parked is its answer without a look into the log: the
bytes between where the log ended then and where it ends now.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from tidelog.api.context import Answer, RequestContext
from tidelog.api.fetch_response import encode, frame_one
from tidelog.broker.broker import Broker
from tidelog.broker.fetch_sessions import NO_SESSION, FetchSession
from tidelog.broker.fetching import (
    NONE,
    READ_COMMITTED,
    Ask,
    Reader,
    has_all,
    note_answer,
    note_given,
    note_progress,
    read_all,
)
from tidelog.broker.replica_selector import is_rack_aware
from tidelog.broker.timers import Deadline, Timer
from tidelog.ports import FileRange, Part
from tidelog.protocol.errors import ErrorCode

if TYPE_CHECKING:
    from tidelog.log.segment import Segment

ANY_REPLICA_FROM = 11
# Sessions of up to so many partitions keep what a fetch needs for each; larger ones make it anew, and stay small.
KEPT_MAX = 100


def _has_more(asks: Iterable[Ask]) -> bool:
    for ask in asks:
        partition = ask.partition
        if partition is None or ask.error or ask.diverging is not None or ask.records is not None:
            continue
        if partition.log.log_end_offset > ask.fetch_offset:
            return True
    return False


def _is_blocked(asks: Iterable[Ask]) -> bool:
    for ask in asks:  # noqa: SIM110  every fetch comes here: a generator would cost more than the look
        if ask.blocked:
            return True
    return False


def _picks_replicas(broker: Broker) -> bool:
    return is_rack_aware(broker.config.replica_selector_class)


class Fetch:
    __slots__ = (
        "_asks",
        "_broker",
        "_context",
        "_deadline",
        "_done",
        "_is_new",
        "_max_bytes",
        "_max_wait_ms",
        "_min_bytes",
        "_missing",
        "_position",
        "_reader",
        "_segment",
        "_session",
        "_timer",
        "_woken",
        "body",
    )

    def __init__(
        self,
        broker: Broker,
        context: RequestContext,
        parsed: tuple[Any, ...],
        session: FetchSession | None,
        is_new: bool,
        asks: list[Ask],
    ) -> None:
        self._broker = broker
        self._session = session
        self._is_new = is_new
        rack = parsed[10].decode(errors="replace") if parsed[10] and _picks_replicas(broker) else ""
        self._reader = Reader(parsed[4], parsed[0], parsed[9], context.version >= ANY_REPLICA_FROM, rack)
        # A follower asks again and again: one timer is enough for all of its waits.
        self._deadline = Deadline(broker.timers, self._finish) if parsed[0] >= 0 else None
        self._position = 0
        # The request, if the next one may be told from it by its offset alone.
        self.body = b""
        self._ask(context, parsed, asks)

    def _ask(self, context: RequestContext, parsed: tuple[Any, ...], asks: list[Ask]) -> None:
        self._context = context
        self._asks = asks
        replica, self._max_wait_ms, min_bytes, max_bytes = parsed[:4]
        if replica < 0:
            max_bytes = min(max_bytes, self._broker.config.fetch_max_bytes)
        self._max_bytes = max_bytes
        self._min_bytes = min(min_bytes, max_bytes)
        self._missing = 0
        self._timer: Timer | Deadline | None = None
        # Where the log ended when a follower that had all of it was parked, if that is known.
        self._segment: Segment | None = None
        self._done = self._woken = False

    def start_again(self, context: RequestContext, parsed: tuple[Any, ...], asks: list[Ask]) -> Answer | None:
        """The next request of the same follower in the same session."""
        self._is_new = False
        self._ask(context, parsed, asks)
        reader = self._reader
        if (reader.isolation, reader.replica, reader.replica_epoch) != (parsed[4], parsed[0], parsed[9]):
            self._reader = reader._replace(isolation=parsed[4], replica=parsed[0], replica_epoch=parsed[9])
        return self.start()

    @property
    def epoch(self) -> int:
        """Which epoch of the session the next request has; -1 when this fetch cannot be asked again."""
        session = self._session
        return session.epoch if session is not None and session.fetch is self else -1

    @property
    def replica(self) -> int:
        return self._reader.replica

    def repeat(self, context: RequestContext, offset: int) -> bool:
        """The follower asks the same from another offset; False if that is not all there is to it, and nothing is
        done."""
        session, ask, broker = self._session, self._asks[0], self._broker
        assert session is not None
        assert ask.cached is not None
        cached, partition, reader = ask.cached, ask.partition, self._reader
        hosted = broker.partitions.by_id.get(ask.topic)
        if partition is None or hosted is None or hosted.get(ask.index) is not partition:
            return False
        if self._min_bytes <= 0 or self._max_wait_ms <= 0:
            return False
        ask.fetch_offset = offset
        now_ms = broker.clock.monotonic_ms()
        if not has_all(self._asks, reader):
            return False
        if broker.fetch_sessions.find(session.id, session.epoch, True, now_ms) is not session:
            return False
        session.next_epoch()
        session.fetch = cached.ask = None
        cached.wanted = (*cached.wanted[:3], offset, *cached.wanted[4:])
        self._context = context
        self._is_new = self._done = self._woken = ask.blocked = ask.far = False
        ask.error = NONE
        ask.records = ask.aborted = ask.diverging = None
        partition.follower_fetched(reader.replica, offset, ask.follower_start, reader.replica_epoch, now_ms)
        return True

    def start(self) -> Answer | None:
        """The answer, or None when it will come later."""
        if self._min_bytes > 0 and self._max_wait_ms > 0 and has_all(self._asks, self._reader):
            note_progress(self._broker, self._asks, self._reader)
            return self.wait_or_look()
        return self._look_and_answer()

    def wait_or_look(self) -> Answer | None:
        """A follower that had all of the log has said so; what that committed may have made somebody here write more,
        such as markers."""
        ask = self._asks[0]
        assert ask.partition is not None
        log = ask.partition.log
        if log.log_end_offset > ask.fetch_offset:
            return self._look_and_answer()
        self._segment, self._position = log.active, log.active.size
        self._wait_for(self._min_bytes)
        return None

    def _look_and_answer(self) -> Answer | None:
        found = self._look(wait=False)
        if _is_blocked(self._asks):
            self._broker.spawn(self._look_in_thread())
            return None
        if self._is_enough(found) or self._max_wait_ms <= 0 or not self._asks:
            return self._answer()
        self._wait_for(self._min_bytes - found)
        return None

    def _wait_for(self, missing: int) -> None:
        self._missing = missing
        self._context.on_lost = self._abandon
        deadline = self._deadline
        if deadline is None:
            self._timer = self._broker.timers.after(self._max_wait_ms / 1000, self._finish)
        else:
            deadline.set(self._max_wait_ms / 1000)
            self._timer = deadline
            self._broker.parked_replica_fetches[self] = None
        for ask in self._asks:
            partition = ask.partition
            if partition is not None:
                (partition.watchers if deadline is None else partition.replica_watchers)[self] = None

    def answer_now(self) -> None:
        """There may be partitions that the follower would ask for if it were not waiting here."""
        self._finish()

    def _abandon(self) -> None:
        self._done = True
        self._unpark()

    def _look(self, wait: bool, is_first: bool = True) -> int:
        broker, asks = self._broker, self._asks
        found = read_all(broker, asks, self._max_bytes, self._reader, wait)
        remote = broker.remote
        if remote is not None:
            committed = self._reader.isolation == READ_COMMITTED
            found = remote.reads.read_all(asks, self._max_bytes, found, committed, wait)
        if self._reader.replica >= 0:
            if not is_first:
                note_answer(broker, asks, self._reader)
                return found
            note_progress(broker, asks, self._reader)
            if found < self._min_bytes and _has_more(asks):
                # What the progress committed made somebody here write more, such as markers, behind the first look.
                found = read_all(broker, asks, self._max_bytes, self._reader, wait)
        return found

    def _is_enough(self, found: int) -> bool:
        if found >= self._min_bytes:
            return True
        for ask in self._asks:  # noqa: SIM110  as in `_is_blocked`
            if ask.error or ask.diverging is not None or ask.preferred >= 0:
                return True
        return False

    async def _look_in_thread(self) -> None:
        """Finding the place needs the disk: the same look, from a thread that may wait. Limits the wait to the look."""
        broker = self._broker
        for ask in self._asks:
            partition = ask.partition
            if ask.blocked and partition is not None and not ask.far:
                log = partition.log
                try:
                    await broker.blocking.run(read_all, broker, [ask], self._max_bytes, self._reader, True, True)
                except OSError as failure:
                    broker.read_failed(partition, log, failure)  # what that means for the ask, the look below finds out
        failed = await self._bring() if any(ask.far for ask in self._asks) else {}
        self._look(wait=True)
        for ask, error in failed.items():
            if ask.far:
                ask.fail(error)
        if not self._done:
            self._done = True
            self._context.respond(self._answer())

    async def _bring(self) -> dict[Ask, ErrorCode]:
        """Waits for what lies in remote storage, unless there is enough for an answer without it."""
        assert self._broker.remote is not None
        found = sum(ask.records.length for ask in self._asks if ask.records is not None)
        committed = self._reader.isolation == READ_COMMITTED
        return await self._broker.remote.reads.load(self._asks, committed, found >= max(1, self._min_bytes))

    # parked

    def moved(self, bytes_added: int) -> None:
        """A partition has more for us; called for every append, so it only counts and asks to be woken."""
        self._missing -= bytes_added
        if self._missing <= 0 and not self._woken:
            self._woken = True
            self._broker.wake(self._wake)

    def _wake(self) -> None:
        self._woken = False
        if self._done:
            return
        if self._segment is not None:
            answer = self._answer_from_end(self._asks[0], self._segment)
            if answer is not None:
                self._done = True
                self._unpark()
                self._context.respond(answer)
                return
        found = self._look(wait=False, is_first=False)
        if _is_blocked(self._asks):
            self._unpark()
            self._broker.spawn(self._look_in_thread())
        elif self._is_enough(found):
            self._done = True
            self._unpark()
            self._context.respond(self._answer())
        else:
            self._missing = self._min_bytes - found

    def _finish(self) -> None:
        """Time is up: whatever there is now is the answer."""
        if not self._done:
            self._unpark()
            self._look(wait=True, is_first=False)
            self._done = True
            self._context.respond(self._answer())

    def _unpark(self) -> None:
        self._segment = None
        if self._timer is not None:
            self._timer.cancel()
        is_follower = self._deadline is not None
        for ask in self._asks:
            partition = ask.partition
            if partition is not None:
                (partition.replica_watchers if is_follower else partition.watchers).pop(self, None)
        if is_follower:
            self._broker.parked_replica_fetches.pop(self, None)

    # answering

    def _answer_from_end(self, ask: Ask, segment: Segment) -> Answer | None:
        """All that was appended since the follower was parked, or None if that has to be looked for."""
        partition, session, cached, broker = ask.partition, self._session, ask.cached, self._broker
        if partition is None or partition.leader is None or session is None or cached is None:
            return None
        log, replica = partition.log, self._reader.replica
        position = self._position
        size = segment.size - position
        if (
            log.active is not segment
            or log.offline is not None
            or partition.leader_epoch != ask.leader_epoch
            or log.epochs.latest != ask.last_fetched_epoch
            or not self._min_bytes <= size <= min(ask.max_bytes, self._max_bytes)
            or replica not in partition.leader.followers
            or broker.throttles.leader.is_limited
            or self._reader.isolation == READ_COMMITTED
        ):
            return None
        partition.leader.follower_answered(replica, log.log_end_offset, broker.clock.monotonic_ms())
        ask.high_watermark = high_watermark = partition.leader.high_watermark
        ask.log_start_offset = log.log_start_offset
        ask.last_stable_offset = log.last_stable_offset(high_watermark)
        tail = log.tail
        if tail is None or tail[0] != position or len(tail[1]) != size:
            ask.records = FileRange(segment.file, position, size)
            return self._answer()
        broker.counters.fetched_bytes += size
        cached.told(high_watermark, log.log_start_offset)
        session.fetch, cached.ask = self, ask
        return frame_one(self._context, session.id, ask, tail[1])

    def _answer(self) -> Sequence[Part]:
        session = self._session
        asks: Sequence[Ask] = self._asks
        if session is not None:
            asks = self._news(session)
        broker, is_follower = self._broker, self._reader.replica >= 0
        for ask in asks:
            if ask.records is not None:
                broker.counters.fetched_bytes += ask.records.length
        if is_follower and broker.throttles.leader.is_limited:
            note_given(broker, asks)
        session_id = session.id if session is not None else NO_SESSION
        parts = encode(broker, self._context, session_id, asks, from_replica=is_follower)
        if session is not None and len(self._asks) <= KEPT_MAX:
            for ask in self._asks:
                if ask.cached is not None:
                    ask.cached.ask = ask
            if is_follower:
                session.fetch = self
        return parts

    def _news(self, session: FetchSession) -> list[Ask]:
        """All partitions for a new session, else those about which there is something to say."""
        told = []
        for ask in self._asks:
            size = ask.records.length if ask.records is not None else 0
            cached = ask.cached
            news = cached is None or cached.is_news(ask.error, size, ask.high_watermark, ask.log_start_offset)
            if news or self._is_new or ask.diverging is not None or ask.preferred >= 0:
                told.append(ask)
        if not self._is_new:
            for ask in told:
                key = (ask.topic, ask.index)
                if ask.records is not None and key in session.partitions:
                    session.was_served(key)
        return told
