"""Who leads a partition.

A leader comes from the in-sync replicas, then from the eligible ones (replicas that left the in-sync set while it was
already too small to accept writes, so they have every acknowledged record), then, if there is nobody else to ask, the
last leader that was known.
"""

from __future__ import annotations

from collections.abc import Callable

from tidelog.metadata import configs
from tidelog.metadata.image import MetadataImage
from tidelog.metadata.partition import NO_LEADER, Partition
from tidelog.metadata.records import MetadataRecord, PartitionChangeRecord
from tidelog.metadata.topics import Topic

MIN_INSYNC_REPLICAS = "min.insync.replicas"


def choose_leader(partition: Partition, is_active: Callable[[int], bool]) -> int:
    """The first of the replicas, in their order, that may lead and is active; NO_LEADER if there is none."""
    for allowed in (partition.isr, partition.elr):
        for replica in partition.replicas:
            if replica in allowed and is_active(replica):
                return replica
    if not partition.isr and not partition.elr and len(partition.last_known_elr) == 1:
        last = partition.last_known_elr[0]
        return last if is_active(last) else NO_LEADER
    return NO_LEADER


def elect(topic: Topic, index: int, leader: int, min_insync_replicas: int) -> PartitionChangeRecord:
    """Makes `leader` lead from here on, which starts a new leader epoch even if it led before."""
    partition = topic.partitions[index]
    record = PartitionChangeRecord(partition_id=index, topic_id=topic.id, leader=leader)
    isr = partition.isr if leader in partition.isr else (leader,)
    if isr != partition.isr:
        record.isr = list(isr)
    left = () if len(isr) >= min_insync_replicas else tuple(each for each in partition.elr if each not in isr)
    if left != partition.elr:
        record.eligible_leader_replicas = list(left)
    if partition.last_known_elr:
        record.last_known_elr = []
    return record


def elections_for(image: MetadataImage, broker_id: int) -> list[MetadataRecord]:
    """What changes when a broker becomes active: it leads what has no leader, and what it led before it was fenced.

    The latter gets a new leader epoch too: a process that was killed may have lost the end of its logs, and readers can
    only tell the new records at those offsets from the lost ones by their epoch.
    """
    brokers = image.cluster.brokers

    def is_active(replica: int) -> bool:
        return replica == broker_id or (replica in brokers and brokers[replica].active)

    records: list[MetadataRecord] = []
    for topic in image.topics.by_id.values():
        min_insync_replicas = _min_insync_replicas(image, topic.name)
        for index, partition in enumerate(topic.partitions):
            if partition.leader not in (NO_LEADER, broker_id) or broker_id not in partition.replicas:
                continue
            leader = broker_id if partition.leader == broker_id else choose_leader(partition, is_active)
            if leader != NO_LEADER:
                records.append(elect(topic, index, leader, min_insync_replicas))
    return records


def _min_insync_replicas(image: MetadataImage, topic: str) -> int:
    text = image.configs.get(configs.TOPIC, topic).get(MIN_INSYNC_REPLICAS)
    return int(text or image.configs.get(configs.BROKER, "").get(MIN_INSYNC_REPLICAS) or 1)
