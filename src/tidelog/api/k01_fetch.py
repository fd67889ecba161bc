"""Fetch (1), versions 4 to 18: records from partitions, at once or when enough have come.

Waits up to max_wait_ms for min_bytes, as a callback on the partitions and never as a task. Fetch sessions (KIP-227),
topics by id from version 13, leader epochs checked (KIP-320), read_committed with the list of aborted transactions. A
fetch in the middle of a batch gets the whole batch, and the first batch comes even if it is larger than the limits.
Records go from the file to the socket. A follower reads to the end of the log, and what it asks for next says what it
has. A consumer that names its rack is sent to a replica there if the cluster is set up so (KIP-392), and served by a
follower as far as that knows records to be committed. Left out: quotas.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from tidelog.api.context import Answer, RequestContext
from tidelog.api.fetch_response import encode, encode_error
from tidelog.api.registry import api
from tidelog.broker.broker import Broker
from tidelog.broker.fetch_sessions import (
    FINAL_EPOCH,
    INITIAL_EPOCH,
    NO_SESSION,
    CachedPartition,
    FetchSession,
    Wanted,
)
from tidelog.broker.fetching import (
    READ_COMMITTED,
    Ask,
    Reader,
    has_all,
    note_answer,
    note_given,
    note_progress,
    read_all,
)
from tidelog.broker.partition import Partition
from tidelog.broker.replica_selector import is_rack_aware
from tidelog.broker.timers import Timer
from tidelog.kernels import parse_fetch
from tidelog.ports import Part
from tidelog.protocol.errors import ErrorCode
from tidelog.protocol.messages.fetch import FetchRequest
from tidelog.protocol.primitives import DecodeError

TOPIC_IDS_FROM = 13
SESSIONS_FROM = 7
ANY_REPLICA_FROM = 11
# Sessions of up to so many partitions keep what a fetch needs for each; larger ones make it anew, and stay small.
KEPT_MAX = 100


@api(FetchRequest, raw=True)
def handle(broker: Broker, context: RequestContext, body: memoryview) -> Answer | None:
    try:
        parsed = parse_fetch(body, context.version)
    except ValueError as error:
        raise DecodeError(str(error)) from error
    session_id, session_epoch, wanted = parsed[5], parsed[6], parsed[7]
    by_id = context.version >= TOPIC_IDS_FROM
    if session_epoch == FINAL_EPOCH or context.version < SESSIONS_FROM:
        if session_id != NO_SESSION:
            broker.fetch_sessions.remove(session_id)
        asks = _asks(broker, by_id, _distinct(wanted))
        return Fetch(broker, context, parsed, None, True, asks).start()
    now_ms = broker.clock.monotonic_ms()
    if session_epoch == INITIAL_EPOCH:
        broker.fetch_sessions.remove(session_id)
        session = broker.fetch_sessions.create(wanted, by_id, now_ms)
    else:
        found = broker.fetch_sessions.find(session_id, session_epoch, by_id, now_ms)
        if isinstance(found, ErrorCode):
            return encode_error(context, found)
        session = found
        session.update(wanted, parsed[8])
        session.next_epoch()
        if not session.partitions:
            broker.fetch_sessions.remove(session.id)
            return Fetch(broker, context, parsed, None, False, []).start()
    is_new = session_epoch == INITIAL_EPOCH
    asks = _asks(broker, by_id, _distinct(wanted) if session is None else None, session)
    if session is not None and session.fetch is not None:
        fetch: Fetch = session.fetch
        session.fetch = None
        return fetch.start_again(context, parsed, asks)
    return Fetch(broker, context, parsed, session, is_new, asks).start()


def _distinct(wanted: list[Wanted]) -> list[Wanted]:
    """A partition that is named twice is fetched as it was named last."""
    if len(wanted) < 2:
        return wanted
    return list({(each[0], each[1]): each for each in wanted}.values())


def _asks(broker: Broker, by_id: bool, wanted: list[Wanted] | None, session: FetchSession | None = None) -> list[Ask]:
    hosted = broker.partitions.by_id if by_id else broker.partitions.by_raw_name
    if session is not None:
        asks = [_ask_in_session(hosted, known) for known in session.partitions.values()]
    else:
        asks = [Ask(each, _find(hosted, each), None) for each in wanted or ()]
    for ask in asks:
        if ask.partition is None:
            ask.missing(_why_missing(broker, ask.topic, ask.index, by_id))
    if len(asks) > 1:
        asks.sort(key=_rank)
    return asks


def _find(hosted: Mapping[bytes, Mapping[int, Partition]], wanted: Wanted) -> Partition | None:
    partitions = hosted.get(wanted[0])
    return partitions.get(wanted[1]) if partitions is not None else None


def _ask_in_session(hosted: Mapping[bytes, Mapping[int, Partition]], known: CachedPartition) -> Ask:
    ask: Ask | None = known.ask
    if ask is None:
        return Ask(known.wanted, _find(hosted, known.wanted), known)
    known.ask = None
    ask.ask_again(known.wanted, _find(hosted, known.wanted))
    return ask


def _why_missing(broker: Broker, topic: bytes, index: int, by_id: bool) -> ErrorCode:
    topics = broker.metadata.image.topics
    known = topics.by_id.get(topic) if by_id else topics.get(topic.decode(errors="replace"))
    if known is not None and 0 <= index < len(known.partitions):
        return ErrorCode.NOT_LEADER_OR_FOLLOWER
    return ErrorCode.UNKNOWN_TOPIC_ID if by_id and known is None else ErrorCode.UNKNOWN_TOPIC_OR_PARTITION


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


def _rank(ask: Ask) -> int:
    """Partitions that are not here come last, those of unknown topic ids first among them, as clients are used to."""
    if ask.partition is not None:
        return 0
    return 1 if ask.error == ErrorCode.UNKNOWN_TOPIC_ID else 2


class Fetch:
    """One fetch under way: looks once, and parks on its partitions when there is too little."""

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
        "_reader",
        "_session",
        "_timer",
        "_woken",
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
        self._timer: Timer | None = None
        self._done = self._woken = False

    def start_again(self, context: RequestContext, parsed: tuple[Any, ...], asks: list[Ask]) -> Answer | None:
        """The next request of the same follower in the same session."""
        self._is_new = False
        self._ask(context, parsed, asks)
        reader = self._reader
        if (reader.isolation, reader.replica, reader.replica_epoch) != (parsed[4], parsed[0], parsed[9]):
            self._reader = reader._replace(isolation=parsed[4], replica=parsed[0], replica_epoch=parsed[9])
        return self.start()

    def start(self) -> Answer | None:
        """The answer, or None when it will come later."""
        if self._min_bytes > 0 and self._max_wait_ms > 0 and has_all(self._asks, self._reader):
            note_progress(self._broker, self._asks, self._reader)
            if not _has_more(self._asks):
                self._wait_for(self._min_bytes)
                return None
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
        self._timer = self._broker.timers.after(self._max_wait_ms / 1000, self._finish)
        self._context.on_lost = self._abandon
        is_follower = self._reader.replica >= 0
        for ask in self._asks:
            partition = ask.partition
            if partition is not None:
                (partition.replica_watchers if is_follower else partition.watchers)[self] = None
        if is_follower:
            self._broker.parked_replica_fetches[self] = None

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
        for ask in self._asks:
            if ask.blocked and ask.partition is not None and not ask.far:
                await self._broker.blocking.run(read_all, self._broker, [ask], self._max_bytes, self._reader, True)
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
        if self._timer is not None:
            self._timer.cancel()
        for ask in self._asks:
            if ask.partition is not None:
                ask.partition.watchers.pop(self, None)
                ask.partition.replica_watchers.pop(self, None)
        self._broker.parked_replica_fetches.pop(self, None)

    # answering

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
