"""Which remote segments hold which offsets, under late events, other histories and overlapping copies."""

import contextlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tidelog.protocol.primitives import DecodeError
from tidelog.replication.epochs import LeaderEpochs
from tidelog.tier import records
from tidelog.tier.cost import Prices, monthly_cost
from tidelog.tier.expiry import Retention, expired_until, useless
from tidelog.tier.manifest import Manifest, agreed_end
from tidelog.tier.segments import (
    Checks,
    Note,
    NoteKind,
    RemoteSegment,
    SegmentState,
    TopicIdPartition,
    id_of_key,
)
from tidelog.tier.updates import SegmentUpdate

PLACE = TopicIdPartition(bytes(range(16)), 0, "../../etc")
FINISHED, STARTED = SegmentState.COPY_FINISHED, SegmentState.COPY_STARTED
DELETE_STARTED, DELETE_FINISHED = SegmentState.DELETE_STARTED, SegmentState.DELETE_FINISHED


def segment(number: int, start: int, end: int, *epochs: tuple[int, int], size: int = 100) -> RemoteSegment:
    return RemoteSegment(
        bytes([number]) * 16, PLACE, start, end, 1, 1000 + end, 0, epochs or ((1, start),), size, STARTED
    )


def update(of: RemoteSegment, state: SegmentState, kind: NoteKind | None = None, epoch: int = 1) -> SegmentUpdate:
    custom = Note(kind, epoch).encode() if kind is not None else None
    if state is FINISHED:
        custom = Checks(1, 2, 3).encode(epoch)
    return SegmentUpdate(of.id, PLACE, 1, 0, state, custom)


def manifest_of(*segments: RemoteSegment) -> Manifest:
    found = Manifest(PLACE)
    for each in segments:
        assert found.replay(each)
        assert found.replay(update(each, FINISHED))
    found.check_invariants()
    return found


ONE = LeaderEpochs([(1, 0)])


def test_a_half_copied_segment_is_never_served() -> None:
    found = Manifest(PLACE)
    part = segment(1, 0, 9)
    found.replay(part)
    assert found.find(5, ONE) is None
    found.replay(update(part, FINISHED))
    assert found.find(5, ONE) is not None


def test_a_copy_that_was_given_up_never_comes_to_life() -> None:
    found = Manifest(PLACE)
    part = segment(1, 0, 9)
    found.replay(part)
    assert found.replay(update(part, DELETE_STARTED, NoteKind.ABANDONED, 2))
    assert not found.replay(update(part, FINISHED))
    assert found.replay(update(part, DELETE_FINISHED))
    assert not found.segments


def test_a_finished_copy_is_not_given_up_by_mistake() -> None:
    part = segment(1, 0, 9)
    found = manifest_of(part)
    assert not found.replay(update(part, DELETE_STARTED, NoteKind.ABANDONED, 2))
    assert found.find(5, ONE) is not None


def test_an_old_leader_is_not_heard_once_a_new_one_was() -> None:
    part, later = segment(1, 0, 9), segment(2, 10, 19)
    found = manifest_of(part)
    found.replay(later._replace(custom=Note(NoteKind.STARTED, 7).encode()))
    assert not found.replay(update(part, DELETE_STARTED, NoteKind.RETIRED, 6))
    assert found.replay(update(part, DELETE_STARTED, NoteKind.RETIRED, 7))
    assert found.retired_until(0, ONE) == 10


def test_a_copy_counts_as_far_as_its_history_is_the_logs() -> None:
    part = segment(1, 0, 99, (1, 0), (2, 50))
    assert agreed_end(part, LeaderEpochs([(1, 0), (2, 50)])) == 99
    assert agreed_end(part, LeaderEpochs([(1, 0), (3, 40)])) == 39
    assert agreed_end(part, LeaderEpochs([(1, 0), (3, 60)])) == 49
    assert agreed_end(part, LeaderEpochs([(4, 0)])) == -1
    assert agreed_end(part, LeaderEpochs([(2, 70)])) == 99
    assert agreed_end(part, LeaderEpochs()) == -1


def test_what_is_needed_no_more() -> None:
    whole, inside = segment(1, 0, 99), segment(2, 20, 60)
    other, later = segment(3, 50, 99, (9, 50)), segment(4, 100, 149, (5, 100))
    found = manifest_of(whole, inside, other, later)
    epochs = LeaderEpochs([(1, 0)])
    assert [each.id[0] for each in useless(found, epochs, 0, 3)] == [2]
    assert [each.id[0] for each in useless(found, LeaderEpochs([(1, 0), (5, 100)]), 0, 9)] == [2, 3]
    assert [each.id[0] for each in useless(found, LeaderEpochs([(5, 100)]), 100, 9)] == [1, 2, 3]


def test_retention_counts_both_sides() -> None:
    found = manifest_of(segment(1, 0, 9), segment(2, 10, 19), segment(3, 20, 29))

    def until(ms: int, size: int, local_only: int = 0, now_ms: int = 0) -> int:
        return expired_until(found, ONE, 0, 30, local_only, Retention(ms, size), now_ms)

    assert until(-1, -1) == 0
    assert until(-1, 300) == 0
    assert until(-1, 300, local_only=99) == 0
    assert until(-1, 300, local_only=100) == 10
    assert until(-1, 0) == 30
    assert until(500, -1, now_ms=1000 + 9 + 501) == 10


def test_the_mission_arithmetic() -> None:
    petabyte = 10**15
    assert round(monthly_cost(petabyte, 0, petabyte, 1, Prices()).saved) == 77_000
    assert round(monthly_cost(petabyte, 0, petabyte, 3, Prices()).saved) == 277_000


def test_names_of_objects_come_from_ids() -> None:
    part = segment(7, 5, 9)
    assert part.log_key == "AAECAwQFBgcICQoLDA0ODw/0/00000000000000000005-BwcHBwcHBwcHBwcHBwcHBw.log"
    assert id_of_key(part.aux_key) == part.id
    assert id_of_key("somebody/else/x.log") is None


# As Apache's own partitioner gives them, for a topic of 50 partitions.
KNOWN = [
    ("0123456789abcdeffedcba9876543210", 0, 11),
    ("0123456789abcdeffedcba9876543210", 1, 2),
    ("0123456789abcdeffedcba9876543210", 17, 11),
    ("091a2b3c4d5e6f78fb72ea61d950c840", 0, 23),
    ("091a2b3c4d5e6f78fb72ea61d950c840", 1, 12),
]


@pytest.mark.parametrize(("topic_id", "partition", "number"), KNOWN)
def test_the_partition_that_tells_of_another(topic_id: str, partition: int, number: int) -> None:
    assert records.metadata_partition(bytes.fromhex(topic_id), partition, 50) == number


@given(st.binary(max_size=80))
@settings(max_examples=200, deadline=None)
def test_any_bytes_are_a_record_or_an_error(data: bytes) -> None:
    with contextlib.suppress(DecodeError):
        records.decode(data)
