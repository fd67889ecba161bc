"""Fetch (1), versions 4 to 18: records from partitions, at once or when enough have come.

Waits up to max_wait_ms for min_bytes, as a callback on the partitions and never as a task. Fetch sessions (KIP-227),
topics by id from version 13, leader epochs checked (KIP-320), read_committed with the list of aborted transactions. A
fetch in the middle of a batch gets the whole batch, and the first batch comes even if it is larger than the limits.
Records go from the file to the socket. A follower reads to the end of the log, and what it asks for next says what it
has. A consumer that names its rack is sent to a replica there if the cluster is set up so (KIP-392), and served by a
follower as far as that knows records to be committed. Left out: quotas.
"""

from __future__ import annotations

from collections.abc import Mapping

from tidelog.api.context import Answer, RequestContext
from tidelog.api.fetch_response import encode_error
from tidelog.api.fetch_work import Fetch
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
from tidelog.broker.fetching import Ask
from tidelog.broker.partition import Partition
from tidelog.kernels import parse_fetch, repeated_fetch
from tidelog.protocol.errors import ErrorCode
from tidelog.protocol.messages.fetch import FetchRequest
from tidelog.protocol.primitives import DecodeError

TOPIC_IDS_FROM = 13
SESSIONS_FROM = 7
REPLICA_TAGGED_FROM = 15


@api(FetchRequest, raw=True)
def handle(broker: Broker, context: RequestContext, body: memoryview) -> Answer | None:
    last: Fetch | None = context.connection.repeating
    if last is not None:
        offset = repeated_fetch(body, last.body, last.epoch)
        if offset >= 0 and last.repeat(context, offset):
            return last.wait_or_look()
        context.connection.repeating = None
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
    fetch: Fetch | None = session.fetch if session is not None else None
    if session is not None and fetch is not None and fetch.replica == parsed[0]:
        session.fetch = None
        is_whole = len(wanted) == len(session.partitions) == 1 and context.version >= REPLICA_TAGGED_FROM
        if is_whole and fetch.replica >= 0:
            # It will most likely ask the same again, from where it will be then.
            fetch.body = bytes(body)
            context.connection.repeating = fetch
        else:
            fetch.body = b""
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


def _rank(ask: Ask) -> int:
    """Partitions that are not here come last, those of unknown topic ids first among them, as clients are used to."""
    if ask.partition is not None:
        return 0
    return 1 if ask.error == ErrorCode.UNKNOWN_TOPIC_ID else 2
