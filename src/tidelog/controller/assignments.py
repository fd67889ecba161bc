"""Partitions as records: from a placement, or from replicas that a person chose."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from tidelog.metadata.cluster import ClusterImage
from tidelog.metadata.records import PartitionRecord
from tidelog.model import uuids
from tidelog.protocol.errors import ErrorCode, KafkaError


def partition_record(cluster: ClusterImage, topic_id: bytes, index: int, replicas: Sequence[int]) -> PartitionRecord:
    """A new partition; it begins with the replicas that are alive in sync, led by the first of them."""
    isr = [each for each in replicas if cluster.brokers[each].active]
    if not isr:
        raise KafkaError(
            ErrorCode.INVALID_REPLICA_ASSIGNMENT,
            f"All brokers specified in the manual partition assignment for partition {index} are fenced or in "
            "controlled shutdown.",
        )
    return PartitionRecord(
        partition_id=index,
        topic_id=topic_id,
        replicas=list(replicas),
        isr=isr,
        leader=isr[0],
        leader_epoch=0,
        partition_epoch=0,
        directories=[default_directory(cluster, each) for each in replicas],
    )


def default_directory(cluster: ClusterImage, broker_id: int) -> bytes:
    """A broker with one log directory leaves no choice; with several it reports its own choice later."""
    directories = cluster.brokers[broker_id].directories
    return directories[0] if len(directories) == 1 else uuids.DIRECTORY_UNASSIGNED


def check_manual_assignment(cluster: ClusterImage, replicas: Sequence[int], expected: int | None = None) -> None:
    problem = None
    if not replicas:
        problem = "The manual partition assignment includes an empty replica list."
    else:
        ordered = sorted(replicas)
        unknown = next((each for each in ordered if each not in cluster.brokers), None)
        double = next((each for each, after in pairwise(ordered) if each == after), None)
        if unknown is not None:
            problem = f"The manual partition assignment includes broker {unknown}, but no such broker is registered."
        elif double is not None:
            problem = f"The manual partition assignment includes the broker {double} more than once."
        elif expected is not None and len(replicas) != expected:
            problem = (
                f"The manual partition assignment includes a partition with {len(replicas)} replica(s), but this is "
                f"not consistent with previous partitions, which have {expected} replica(s)."
            )
    if problem is not None:
        raise KafkaError(ErrorCode.INVALID_REPLICA_ASSIGNMENT, problem)
