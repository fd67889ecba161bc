"""The follower's half of a fetch session: what its requests say, read back with the generated codec."""

from __future__ import annotations

from tidelog.protocol.messages.fetch import FetchRequest
from tidelog.replication.fetch_session import VERSION, FollowerSession

TOPIC, OTHER = bytes(range(16)), bytes(range(16, 32))
Named = dict[tuple[bytes, int], tuple[int, int, int, int, int]]


def sent(session: FollowerSession, session_id: int = 7) -> tuple[FetchRequest, Named]:
    """The next request, answered with the same session."""
    body = session.request(33, 500, 1, 10_000_000, 1_000_000)
    request = FetchRequest.decode(body, VERSION)
    session.answered(session_id)
    assert (request.max_wait_ms, request.min_bytes, request.max_bytes) == (500, 1, 10_000_000)
    assert (request.replica_state.replica_id, request.replica_state.replica_epoch) == (2, 33)
    return request, {
        (bytes(topic.topic_id), each.partition): (
            each.current_leader_epoch,
            each.fetch_offset,
            each.last_fetched_epoch,
            each.log_start_offset,
            each.partition_max_bytes,
        )
        for topic in request.topics
        for each in topic.partitions
    }


def test_the_first_request_names_everything_and_later_ones_what_moved() -> None:
    session = FollowerSession(2)
    for index in (0, 1):
        session.put((TOPIC, index), (5, 100 + index, 4, 3))
    session.put((OTHER, 0), (1, 7, 1, 0))
    request, named = sent(session)
    assert (request.session_id, request.session_epoch) == (0, 0)
    assert named == {
        (TOPIC, 0): (5, 100, 4, 3, 1_000_000),
        (TOPIC, 1): (5, 101, 4, 3, 1_000_000),
        (OTHER, 0): (1, 7, 1, 0, 1_000_000),
    }
    request, named = sent(session)
    assert (request.session_id, request.session_epoch, named) == (7, 1, {})
    session.put((TOPIC, 1), (6, 2**40, 6, -1))
    request, named = sent(session)
    assert (request.session_epoch, request.forgotten_topics_data) == (2, [])
    assert named == {(TOPIC, 1): (6, 2**40, 6, -1, 1_000_000)}
    assert not session.has_news


def test_one_that_moved_beside_one_that_is_forgotten() -> None:
    session = FollowerSession(2)
    session.put((TOPIC, 0), (5, 1, 5, 0))
    session.put((OTHER, 3), (5, 1, 5, 0))
    sent(session)
    session.put((TOPIC, 0), (5, 2, 5, 0))
    session.remove((OTHER, 3))
    request, named = sent(session)
    assert named == {(TOPIC, 0): (5, 2, 5, 0, 1_000_000)}
    assert [(bytes(each.topic_id), each.partitions) for each in request.forgotten_topics_data] == [(OTHER, [3])]


def test_an_answer_counts_only_for_the_position_that_was_asked() -> None:
    session = FollowerSession(2)
    session.put((TOPIC, 0), (5, 1, 5, 0))
    sent(session)
    session.put((TOPIC, 0), (5, 2, 5, 0))
    assert not session.is_answer_due((TOPIC, 0))
    sent(session)
    assert session.is_answer_due((TOPIC, 0))
