"""Which replica a consumer should read from (KIP-392): one in its own rack, if the cluster is told to choose so."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tidelog.broker.partition import Partition

if TYPE_CHECKING:
    from tidelog.broker.broker import Broker

NO_REPLICA = -1
RACK_AWARE = "RackAwareReplicaSelector"


def is_rack_aware(selector: str | None) -> bool:
    return selector is not None and selector.rpartition(".")[2] == RACK_AWARE


def preferred_replica(broker: Broker, partition: Partition, offset: int, rack: str) -> int:
    """The follower in the consumer's rack that is in sync, has the offset and is farthest; -1 to stay at the leader."""
    leader = partition.leader
    brokers = broker.metadata.image.cluster.brokers
    own = brokers.get(broker.node_id)
    if leader is None or (own is not None and own.rack == rack):
        return NO_REPLICA
    best, best_end = NO_REPLICA, -1
    for replica in leader.isr:
        follower = leader.followers.get(replica)
        known = brokers.get(replica)
        if follower is None or known is None or known.rack != rack or replica not in broker.live_brokers:
            continue
        if follower.log_start_offset <= offset <= follower.end_offset and follower.end_offset > best_end:
            best, best_end = replica, follower.end_offset
    return best
