"""Fetch sessions: what is remembered, what is told again, and who loses a place in a full cache."""

from __future__ import annotations

from itertools import count

from tidelog.broker.fetch_sessions import EPOCH_MAX, EVICTION_MS, CachedPartition, FetchSession, FetchSessions, Wanted
from tidelog.protocol.errors import ErrorCode


def sessions(slots: int = 10) -> FetchSessions:
    ids = count(1)
    return FetchSessions(slots, lambda: next(ids))


def partitions(number: int, topic: bytes = b"t", offset: int = 0) -> list[Wanted]:
    return [(topic, index, -1, offset, -1, -1, 1000) for index in range(number)]


def created(cache: FetchSessions, number: int, now_ms: int) -> FetchSession:
    session = cache.create(partitions(number), False, now_ms)
    assert session is not None
    return session


def test_a_session_goes_on_with_the_next_epoch_only() -> None:
    cache = sessions()
    session = created(cache, 2, 0)
    assert session.epoch == 1
    assert cache.find(session.id, 1, False, 5) is session
    session.next_epoch()
    assert cache.find(session.id, 1, False, 5) is ErrorCode.INVALID_FETCH_SESSION_EPOCH
    assert cache.find(session.id, 2, True, 5) is ErrorCode.FETCH_SESSION_TOPIC_ID_ERROR
    assert cache.find(session.id + 1, 2, False, 5) is ErrorCode.FETCH_SESSION_ID_NOT_FOUND
    cache.remove(session.id)
    assert cache.find(session.id, 2, False, 5) is ErrorCode.FETCH_SESSION_ID_NOT_FOUND


def test_epochs_wrap_past_the_special_ones() -> None:
    session = created(sessions(), 1, 0)
    session.epoch = EPOCH_MAX
    session.next_epoch()
    assert session.epoch == 1


def test_ids_that_mean_something_else_or_are_taken_are_not_given() -> None:
    dice = iter([0, 0, 5, 5, 7])
    cache = FetchSessions(10, lambda: next(dice))
    assert created(cache, 1, 0).id == 5
    assert created(cache, 1, 0).id == 7


def test_only_news_is_told() -> None:
    partition = CachedPartition(partitions(1)[0])
    assert partition.is_news(0, 0, 10, 0)
    assert not partition.is_news(0, 0, 10, 0)
    assert partition.is_news(0, 100, 10, 0)
    assert partition.is_news(0, 0, 11, 0)
    assert partition.is_news(0, 0, 11, 3)
    assert not partition.is_news(0, 0, 11, 3)
    assert partition.is_news(1, 0, -1, -1)
    assert partition.is_news(0, 0, 11, 3), "after an error the same state is news"


def test_who_was_served_goes_last() -> None:
    session = created(sessions(), 3, 0)
    session.was_served((b"t", 0))
    assert [key[1] for key in session.partitions] == [1, 2, 0]


def test_a_full_cache_keeps_young_sessions() -> None:
    cache = sessions(2)
    for _ in range(2):
        created(cache, 1, 0)
    assert cache.create(partitions(50), False, EVICTION_MS) is None
    assert len(cache) == 2


def test_a_full_cache_drops_the_one_unused_for_longest() -> None:
    cache = sessions(2)
    first, second = created(cache, 5, 0), created(cache, 5, 0)
    cache.find(first.id, 1, False, EVICTION_MS)
    created(cache, 1, EVICTION_MS + 1)
    assert cache.find(second.id, 1, False, 0) is ErrorCode.FETCH_SESSION_ID_NOT_FOUND
    assert cache.find(first.id, 1, False, 0) is first
    assert cache.evictions == 1


def test_a_larger_session_takes_the_place_of_a_smaller_one_of_age() -> None:
    cache = sessions(2)
    small, large = created(cache, 2, 0), created(cache, 9, 0)
    later = EVICTION_MS + 1
    for session in (small, large):
        cache.find(session.id, 1, False, later)
    assert cache.create(partitions(2), False, later) is None
    assert cache.create(partitions(3), False, later) is not None
    assert cache.find(small.id, 1, False, later) is ErrorCode.FETCH_SESSION_ID_NOT_FOUND
    assert cache.partitions == 12


def test_no_slots_means_no_sessions() -> None:
    assert sessions(0).create(partitions(1), False, 0) is None


def test_a_request_says_only_what_changed() -> None:
    session = created(sessions(), 2, 0)
    session.update([*partitions(1, offset=7), *partitions(1, b"new")], [(b"t", 1), (b"t", 99)])
    assert list(session.partitions) == [(b"t", 0), (b"new", 0)]
    assert session.partitions[(b"t", 0)].wanted[3] == 7
