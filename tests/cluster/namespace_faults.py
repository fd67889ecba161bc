"""Faults on a cluster whose nodes are hosts of their own: kill -9, pauses, and partitions of every shape.

Each stays until the cluster has noticed it, as far as it can: another leader, another active controller, a smaller ISR.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable

from confluent_kafka import ElectionType, TopicPartition

from cluster.java_load import MixedLoad
from cluster.load import admin, create, describe
from peer.netns_cluster import CLIENTS, NetnsCluster
from peer.our_cluster import wait_for

PARTITIONS = 3
ROLES = {1: "broker", 2: "broker", 3: "broker", 11: "controller", 12: "controller", 13: "controller"}
ALL = {1, 2, 3}
Fault = Callable[["Story"], None]


class Story:
    """Faults one after the other under one load, each from its beginning until everybody is in sync again."""

    def __init__(self, cluster: NetnsCluster, topic: str) -> None:
        self.cluster = cluster
        self.topic = topic
        create(cluster.address, topic, PARTITIONS)
        self.load = MixedLoad(cluster.address, topic, PARTITIONS)
        self.load.wait_for_acks(200)

    def describe(self, *without: int) -> tuple[int, set[int]]:
        """Leader and ISR of the first partition, as brokers tell that are none of these."""
        addresses = [address for node, address in self.cluster.addresses.items() if node not in without]
        return describe(",".join(addresses), self.topic)

    def leader(self) -> int:
        return self.describe()[0]

    def others(self, node_id: int) -> list[int]:
        return [each for each in self.cluster.roles if each != node_id]

    def followers(self) -> list[int]:
        return [each for each in self.cluster.brokers if each != self.leader()]

    def await_new_leader(self, old: int) -> None:
        wait_for(lambda: self.describe(old)[0] not in (old, -1), f"another broker than {old} leads")

    def is_alone(self, leader: int, *without: int) -> bool:
        """Only this leader is in sync; or it is none any more, as a busy machine may fence it when the fault begins."""
        found = self.describe(*without)
        return found == (leader, {leader}) or found[0] != leader

    def in_sync(self) -> bool:
        return all(describe(self.cluster.address, self.topic, each)[1] == ALL for each in range(PARTITIONS))

    def during(self, fault: Fault) -> None:
        fault(self)
        self.cluster.heal()
        wait_for(self.in_sync, f"everybody is in sync after: {fault.__name__}", 60)
        self.spread()
        self.load.wait_for_acks(50)

    def spread(self) -> None:
        """Leads go back to the first replicas. librdkafka asks for metadata where it sent last: if all that it writes
        is led by one broker which nobody but clients hears, it asks that one for as long as this goes on."""
        partitions = [TopicPartition(self.topic, each) for each in range(PARTITIONS)]
        client = admin(self.cluster.address)
        client.elect_leaders(ElectionType.PREFERRED, partitions).result(60)


def active_controller(cluster: NetnsCluster) -> int:
    command = [sys.executable, "-m", "tidelog.cli.kafka_metadata_quorum", "--bootstrap-server", cluster.address]
    done = subprocess.run(
        [*command, "describe", "--status"], capture_output=True, text=True, timeout=60, check=False
    )  # fmt: skip
    found = re.search(r"LeaderId:\s+(\d+)", done.stdout)
    return int(found[1]) if found else -1


def kill_the_leader(story: Story) -> None:
    leader = story.leader()
    story.cluster.kill_node(leader)
    story.load.wait_for_acks(100)
    story.cluster.start_node(leader)


def kill_the_active_controller(story: Story) -> None:
    active = active_controller(story.cluster)
    story.cluster.kill_node(active)
    wait_for(lambda: active_controller(story.cluster) not in (active, -1), "another controller is active")
    story.load.wait_for_acks(100)
    story.cluster.start_node(active)


def pause_the_leader(story: Story) -> None:
    """Longer than its session: it wakes as a leader that nobody follows, and acknowledges nothing as such."""
    leader = story.leader()
    story.cluster.pause_node(leader)
    try:
        story.await_new_leader(leader)
        story.load.wait_for_acks(100)
    finally:
        story.cluster.resume_node(leader)


def pause_the_active_controller(story: Story) -> None:
    active = active_controller(story.cluster)
    story.cluster.pause_node(active)
    try:
        wait_for(lambda: active_controller(story.cluster) not in (active, -1), "another controller is active")
        story.load.wait_for_acks(100)
    finally:
        story.cluster.resume_node(active)


def symmetric(story: Story) -> None:
    leader = story.leader()
    story.cluster.cut([leader], story.others(leader))
    story.await_new_leader(leader)
    story.load.wait_for_acks(100)


def a_host_is_gone(story: Story) -> None:
    """Clients do not reach it either, and no kernel says that it is dead."""
    leader = story.leader()
    story.cluster.cut([leader], [*story.others(leader), CLIENTS])
    story.await_new_leader(leader)
    story.load.wait_for_acks(100)


def nobody_hears_the_leader(story: Story) -> None:
    leader = story.leader()
    story.cluster.mute([leader], story.others(leader))
    story.await_new_leader(leader)
    story.load.wait_for_acks(100)


def the_leader_cannot_ask(story: Story) -> None:
    """Followers reach it and copy from it, but its heartbeats reach nobody: it is fenced."""
    leader = story.leader()
    story.cluster.keep_from_asking([leader], story.others(leader))
    story.await_new_leader(leader)
    story.load.wait_for_acks(100)


def the_leader_reaches_controllers_but_no_follower(story: Story) -> None:
    """It stays leader, alone in sync, and has too few replicas to acknowledge anything."""
    leader = story.leader()
    story.cluster.cut([leader], story.followers())
    wait_for(lambda: story.is_alone(leader), "only the leader is in sync")


def followers_reach_the_leader_but_no_controller(story: Story) -> None:
    leader, followers = story.leader(), story.followers()
    story.cluster.cut(followers, story.cluster.controllers)
    wait_for(lambda: story.is_alone(leader, *followers), "only the leader is in sync")


def the_active_controller_is_in_the_minority(story: Story) -> None:
    """Brokers reach it as before, but it can decide nothing; the majority has another."""
    active = active_controller(story.cluster)
    story.cluster.cut([active], [each for each in story.cluster.controllers if each != active])
    wait_for(lambda: active_controller(story.cluster) not in (active, -1), "the majority has an active controller")
    story.load.wait_for_acks(100)


def bridge(story: Story) -> None:
    """One broker reaches both others, which do not reach each other; all reach the controllers."""
    leader = story.leader()
    other = story.followers()[0]
    story.cluster.cut([leader], [other])
    wait_for(lambda: story.describe()[1] == ALL - {other}, f"{other} is no longer in sync")
    story.load.wait_for_acks(100)


def clients_do_not_reach_the_leader(story: Story) -> None:
    leader = story.leader()
    before = story.load.acked
    story.cluster.cut([leader], [CLIENTS])
    wait_for(lambda: story.describe(leader) == (leader, ALL), "the cluster sees no fault")
    story.cluster.heal()
    wait_for(lambda: story.load.acked > before, "clients go on")


CRASHES = (kill_the_leader, kill_the_active_controller, pause_the_leader, pause_the_active_controller)
PARTITIONED = (symmetric, a_host_is_gone, bridge, clients_do_not_reach_the_leader)
ASYMMETRIC = (
    nobody_hears_the_leader,
    the_leader_cannot_ask,
    the_leader_reaches_controllers_but_no_follower,
    followers_reach_the_leader_but_no_controller,
    the_active_controller_is_in_the_minority,
)
