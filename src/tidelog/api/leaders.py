"""Where a partition has gone (KIP-951): the leader and its address, for clients that asked the wrong broker."""

from __future__ import annotations

from collections.abc import Iterable

from tidelog.api.context import RequestContext
from tidelog.broker.broker import Broker


def current_leader(broker: Broker, topic: bytes | str, index: int, *, by_id: bool) -> tuple[int, int] | None:
    """Leader and leader epoch of the partition, if it is known and has one."""
    topics = broker.metadata.image.topics
    if isinstance(topic, str):
        known = topics.get(topic)
    else:
        known = topics.by_id.get(topic) if by_id else topics.get(topic.decode(errors="replace"))
    if known is None or not 0 <= index < len(known.partitions):
        return None
    partition = known.partitions[index]
    return (partition.leader, partition.leader_epoch) if partition.leader >= 0 else None


def endpoints_of(
    broker: Broker, context: RequestContext, nodes: Iterable[int]
) -> list[tuple[int, str, int, str | None]]:
    """Node, host, port and rack of each, on the listener that the request came through."""
    brokers = broker.metadata.image.cluster.brokers
    found = []
    for node in sorted(nodes):
        known = brokers.get(node)
        endpoint = known.endpoint(context.connection.listener_name) if known is not None else None
        if known is not None and endpoint is not None:
            found.append((node, endpoint[0], endpoint[1], known.rack))
    return found


def controller_for_clients(broker: Broker) -> int:
    """The broker that clients send changes of the cluster to: any one that lives sends them on where they belong.

    The active controller itself if clients can reach it, else this broker, else another.
    """
    live = [each.id for each in broker.metadata.image.cluster.live_brokers()]
    for node_id in (broker.metadata.quorum.leader_id, broker.node_id):
        if node_id in live:
            return node_id
    return live[0] if live else -1
