"""Brokers register, are heard of, fall silent, come back and go."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tidelog.controller.brokers import (
    Registration,
    directories_offline,
    fence_broker,
    register_broker,
    unfence_broker,
    unregister_broker,
)
from tidelog.controller.heartbeats import HeartbeatReply, Heartbeats, heartbeat
from tidelog.controller.topics import create_topics
from tidelog.metadata import records as r
from tidelog.metadata.partition import NO_LEADER, Partition
from tidelog.protocol.errors import ErrorCode, KafkaError
from tidelog.protocol.messages.broker_heartbeat import BrokerHeartbeatRequest
from tidelog.protocol.messages.create_topics import CreatableReplicaAssignment, CreatableTopic, CreateTopicsRequest


@pytest.fixture
def three(make_cluster: Callable):
    """Three brokers, a topic on all of them led by broker 1, two replicas wanted in sync."""
    cluster = make_cluster(brokers=3, min_insync_replicas="2")
    cluster.replay([r.FeatureLevelRecord(name="eligible.leader.replicas.version", feature_level=1)])
    assignments = [CreatableReplicaAssignment(partition_index=0, broker_ids=[1, 2, 3])]
    topic = CreatableTopic(name="t", num_partitions=-1, replication_factor=-1, assignments=assignments)
    cluster.do(create_topics, CreateTopicsRequest(topics=[topic]))
    return cluster


def state(cluster) -> Partition:
    return cluster.image.topics.get("t").partitions[0]


def epoch(cluster, broker_id: int) -> int:
    return cluster.image.cluster.brokers[broker_id].epoch


def fence(cluster, broker_id: int) -> None:
    cluster.do(fence_broker, broker_id, epoch(cluster, broker_id))


def restart(cluster, broker_id: int, clean: bool) -> None:
    cluster.ids += 1
    before = epoch(cluster, broker_id)
    node = Registration(
        broker_id, bytes([cluster.ids]) * 16, [], None, [bytes([broker_id, 0]) * 8], before if clean else -1
    )
    cluster.do(unfence_broker, broker_id, cluster.do(register_broker, node))


def beat(cluster, heartbeats: Heartbeats, broker_id: int, now_ms: int = 0, **fields: object) -> HeartbeatReply:
    at = cluster.image.provenance.offset
    request = BrokerHeartbeatRequest(broker_id=broker_id, broker_epoch=epoch(cluster, broker_id))
    request.current_metadata_offset = at
    for name, value in fields.items():
        setattr(request, name, value)
    return cluster.do(heartbeat, heartbeats, request, now_ms)


def test_fencing_a_leader_elects_the_next_in_sync(three) -> None:
    fence(three, 1)
    assert (state(three).leader, state(three).isr) == (2, (2, 3))
    fence(three, 2)
    assert (state(three).leader, state(three).isr, state(three).elr) == (3, (3,), (2,))
    fence(three, 3)
    assert (state(three).leader, state(three).isr, state(three).elr) == (NO_LEADER, (), (2, 3))


def test_who_stopped_cleanly_stays_eligible_and_leads_when_it_is_back(three) -> None:
    for broker_id in (1, 2, 3):
        fence(three, broker_id)
    restart(three, 1, clean=True)
    assert state(three).leader == NO_LEADER, "broker 1 left while two others were in sync"
    restart(three, 2, clean=True)
    assert (state(three).leader, state(three).isr, state(three).elr) == (2, (2,), (3,))


def test_who_was_killed_is_not_elected_from_the_eligible(three) -> None:
    for broker_id in (1, 2, 3):
        fence(three, broker_id)
    restart(three, 2, clean=False)
    assert (state(three).leader, state(three).elr) == (NO_LEADER, (3,))
    restart(three, 3, clean=False)
    # Nobody is left who surely has everything: the last leader is the best guess, and has to recover.
    assert (state(three).leader, state(three).isr, state(three).leader_recovery_state) == (3, (3,), 1)


def test_a_new_incarnation_leaves_the_in_sync_replicas_before_it_comes_back(three) -> None:
    restart(three, 1, clean=False)
    assert (state(three).leader, state(three).isr, state(three).elr) == (2, (2, 3), ())
    assert not three.image.cluster.brokers[1].fenced


def test_unregistering_takes_a_broker_out_of_everything(three) -> None:
    three.do(unregister_broker, 1)
    assert 1 not in three.image.cluster.brokers
    assert (state(three).leader, state(three).isr) == (2, (2, 3))
    with pytest.raises(KafkaError) as caught:
        three.do(unregister_broker, 1)
    assert caught.value.code is ErrorCode.BROKER_ID_NOT_REGISTERED


def test_a_failed_directory_takes_its_replicas_along(three) -> None:
    three.do(directories_offline, 1, epoch(three, 1), [bytes([1, 0]) * 8])
    assert (state(three).leader, state(three).isr) == (2, (2, 3))
    three.do(directories_offline, 2, epoch(three, 2), [bytes([9, 9]) * 8])
    assert state(three).isr == (2, 3), "a directory that is not its own says nothing"


def test_a_registration_must_know_the_features_of_the_cluster(three) -> None:
    node = Registration(4, bytes(15) + b"n", [], None, [bytes([4]) * 16], features={"metadata.version": (1, 7)})
    with pytest.raises(KafkaError, match=r"finalized version 1 of eligible\.leader"):
        three.do(register_broker, node)


def test_two_brokers_cannot_have_one_directory(three) -> None:
    with pytest.raises(KafkaError, match="in use by broker 1") as caught:
        three.do(register_broker, Registration(4, bytes(15) + b"n", [], None, [bytes([1, 0]) * 8]))
    assert caught.value.code is ErrorCode.INVALID_REGISTRATION


# heartbeats


def test_a_broker_is_unfenced_once_it_has_caught_up(three) -> None:
    heartbeats = Heartbeats(9000)
    fence(three, 3)
    assert beat(three, heartbeats, 3, current_metadata_offset=-1) == HeartbeatReply(False, True, False)
    assert beat(three, heartbeats, 3, want_fence=True) == HeartbeatReply(True, True, False)
    assert beat(three, heartbeats, 3) == HeartbeatReply(True, False, False)
    assert not three.image.cluster.brokers[3].fenced


def test_a_stale_epoch_is_refused(three) -> None:
    with pytest.raises(KafkaError) as caught:
        beat(three, Heartbeats(9000), 3, broker_epoch=77)
    assert caught.value.code is ErrorCode.STALE_BROKER_EPOCH


def test_who_is_silent_for_the_session_timeout_expires(three) -> None:
    heartbeats = Heartbeats(9000)
    heartbeats.begin(three.image, 0)
    for broker_id in (1, 2, 3):
        beat(three, heartbeats, broker_id, 1000)
    beat(three, heartbeats, 2, 5000)
    assert heartbeats.expired(three.image, 9999) == []
    assert heartbeats.next_expiry_ms(three.image) == 10_000
    assert heartbeats.expired(three.image, 10_000) == [(1, 1), (3, 3)]
    fence(three, 1)
    assert heartbeats.expired(three.image, 14_000) == [(3, 3), (2, 2)]


def test_a_new_controller_gives_everybody_a_whole_session(three) -> None:
    heartbeats = Heartbeats(9000)
    heartbeats.begin(three.image, 100_000)
    assert heartbeats.expired(three.image, 108_999) == []
    assert len(heartbeats.expired(three.image, 109_000)) == 3


def test_controlled_shutdown_moves_leaders_and_waits_until_the_others_know(three) -> None:
    heartbeats = Heartbeats(9000)
    for broker_id in (1, 2, 3):
        beat(three, heartbeats, broker_id)
    assert not beat(three, heartbeats, 1, want_shut_down=True).should_shut_down
    assert (state(three).leader, state(three).isr) == (2, (2, 3))
    assert three.image.cluster.brokers[1].in_controlled_shutdown
    assert not beat(three, heartbeats, 1, want_shut_down=True).should_shut_down, "nobody has seen the change yet"
    for broker_id in (2, 3):
        beat(three, heartbeats, broker_id)
    assert beat(three, heartbeats, 1, want_shut_down=True) == HeartbeatReply(True, True, True)
    assert three.image.cluster.brokers[1].fenced


def test_a_broker_that_leads_nothing_may_stop_at_once(three) -> None:
    heartbeats = Heartbeats(9000)
    assert beat(three, heartbeats, 3, want_shut_down=True) == HeartbeatReply(True, True, True)
    assert state(three).isr == (1, 2)


def test_only_a_silent_or_gone_incarnation_can_be_replaced(three) -> None:
    heartbeats = Heartbeats(9000)
    heartbeats.begin(three.image, 0)
    assert not heartbeats.has_valid_session(three.image, 1, 0), "this controller has not heard of it yet"
    beat(three, heartbeats, 1, 1000)
    heartbeats.contacts[1].connected = True
    assert heartbeats.has_valid_session(three.image, 1, 9999)
    assert not heartbeats.has_valid_session(three.image, 1, 10_000)
    heartbeats.contacts[1].connected = False
    assert not heartbeats.has_valid_session(three.image, 1, 1001)
