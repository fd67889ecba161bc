"""The client's picture of the cluster never goes back to a leader that was replaced."""

from __future__ import annotations

from tidelog.client.metadata import ClusterView
from tidelog.protocol.messages.metadata import (
    MetadataResponse,
    MetadataResponseBroker,
    MetadataResponsePartition,
    MetadataResponseTopic,
)

ID, OTHER_ID = bytes(15) + b"\x01", bytes(15) + b"\x02"


def told(*leaders: tuple[int, int], topic_id: bytes = ID) -> MetadataResponse:
    """An answer about one topic: leader and epoch of each partition."""
    partitions = [
        MetadataResponsePartition(partition_index=index, leader_id=leader, leader_epoch=epoch)
        for index, (leader, epoch) in enumerate(leaders)
    ]
    return MetadataResponse(
        brokers=[MetadataResponseBroker(node_id=each, host=f"node{each}", port=9092) for each in (1, 2)],
        topics=[MetadataResponseTopic(name="t", topic_id=topic_id, partitions=partitions)],
    )


def leaders(*answers: MetadataResponse, replace: bool = False) -> list[int]:
    view = ClusterView.empty()
    for answer in answers:
        view = view.merged(answer, replace)
    return [each.leader_id for each in view.topics["t"].partitions]


def test_a_broker_that_is_behind_does_not_bring_old_leaders_back() -> None:
    assert leaders(told((1, 3), (1, 3)), told((2, 2), (2, 4))) == [1, 2]
    assert leaders(told((1, 3), (1, 3)), told((2, 2), (2, 4)), replace=True) == [1, 2]


def test_a_topic_that_was_made_anew_begins_anew() -> None:
    assert leaders(told((1, 3)), told((2, 0), topic_id=OTHER_ID)) == [2]


def test_new_partitions_are_taken() -> None:
    assert leaders(told((1, 3)), told((2, 2), (2, 0))) == [1, 2]


def test_a_leader_that_is_gone_for_now_is_gone() -> None:
    view = ClusterView.empty().merged(told((1, 3)), False).merged(told((-1, 4)), False)
    assert view.topics["t"].available == ()


def test_a_topic_that_was_forgotten_does_not_come_back_older() -> None:
    view = ClusterView.empty().merged(told((1, 3)), False).without("t").merged(told((2, 2)), False)
    assert [(each.leader_id, each.leader_epoch) for each in view.topics["t"].partitions] == [(-1, 3)]
    assert view.topics["t"].available == ()
    assert view.merged(told((2, 3)), False).leader("t", 0) == 2


def test_partitions_that_the_teller_has_not_heard_of_stay() -> None:
    assert leaders(told((1, 3), (1, 3)), told((2, 2))) == [1, 1]


def test_an_answer_without_partitions_takes_no_epochs_away() -> None:
    assert leaders(told((1, 3)), told(), told((2, 2))) == [-1]


def test_an_epoch_that_a_position_tells_of_counts_as_known() -> None:
    view = ClusterView.empty().with_epoch("t", 1, 7).merged(told((1, 3), (1, 3)), False)
    assert (view.leader("t", 0), view.leader("t", 1)) == (1, -1)
    assert view.is_ahead_of(told((1, 3), (1, 3)))
    assert not view.is_ahead_of(told((1, 3), (1, 7)))
    assert view.merged(told((1, 3), (2, 7)), False).leader("t", 1) == 2
    later = view.merged(told((1, 3), (2, 7)), False).with_epoch("t", 1, 8)
    assert (later.leader("t", 1), later.with_epoch("t", 1, 4)) == (-1, later)
