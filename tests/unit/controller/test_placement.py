"""Replicas spread over racks and brokers; who is fenced comes last."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tidelog.controller.placement import Candidate, place
from tidelog.protocol.errors import KafkaError


def brokers(*racks: str | None, fenced: tuple[int, ...] = ()) -> list[Candidate]:
    return [Candidate(index + 1, rack, index + 1 in fenced) for index, rack in enumerate(racks)]


def test_leaders_go_round() -> None:
    assert place(brokers(None, None, None), 3, 1, 0) == [[1], [2], [3]]
    assert place(brokers(None, None, None), 3, 3, 1)[0][0] == 2


def test_a_partition_spans_racks() -> None:
    nodes = brokers("a", "a", "b", "b", "c", "c")
    rack_of = {each.id: each.rack for each in nodes}
    for replicas in place(nodes, 12, 3, 0):
        assert len({rack_of[each] for each in replicas}) == 3


@given(
    st.lists(st.sampled_from(["a", "b", "c", None]), min_size=1, max_size=9),
    st.integers(1, 40),
    st.integers(1, 9),
    st.integers(0, 20),
    st.data(),
)
def test_any_cluster(racks, partitions, factor, start, data) -> None:
    fenced = tuple(data.draw(st.sets(st.integers(2, len(racks)), max_size=len(racks) - 1)) if len(racks) > 1 else ())
    nodes = brokers(*racks, fenced=fenced)
    factor = min(factor, len(nodes))
    placed = place(nodes, partitions, factor, start)
    assert len(placed) == partitions
    for replicas in placed:
        assert len(set(replicas)) == factor
        assert replicas[0] not in fenced, "a fenced broker never comes first"


def test_leaders_are_even_when_racks_are() -> None:
    placed = place(brokers("a", "a", "b", "b"), 400, 2, 3)
    assert set(Counter(replicas[0] for replicas in placed).values()) == {100}


def test_refusals_say_why() -> None:
    with pytest.raises(KafkaError, match="All brokers are currently fenced"):
        place(brokers(None, fenced=(1,)), 1, 1, 0)
    with pytest.raises(KafkaError, match="cannot be reached because only 2"):
        place(brokers(None, None), 1, 3, 0)


def test_the_followers_of_a_leader_vary() -> None:
    placed = place(brokers(None, None, None, None), 40, 2, 0)
    assert len({tuple(replicas) for replicas in placed}) == 12, "every pair of leader and follower occurs"
