"""Where the replicas of new partitions go: striped over racks, and over the brokers of each rack.

Leaders go round the racks in turn, so each broker leads about as many partitions as any other; followers continue in
the next racks, so that a partition spans as many racks as it has replicas. Fenced brokers come last and never first.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeVar

from tidelog.metadata.cluster import Broker, ClusterImage
from tidelog.protocol.errors import ErrorCode, KafkaError

T = TypeVar("T")


class Candidate(NamedTuple):
    id: int
    rack: str | None
    fenced: bool


def candidates(cluster: ClusterImage) -> list[Candidate]:
    """Brokers that may take new replicas."""
    return [
        Candidate(broker.id, broker.rack, broker.fenced or broker.in_controlled_shutdown)
        for _, broker in sorted(cluster.brokers.items())
        if not _all_cordoned(broker)
    ]


def _all_cordoned(broker: Broker) -> bool:
    cordoned = broker.cordoned_directories
    return bool(cordoned and broker.directories) and set(broker.directories) <= set(cordoned or ())


def place(brokers: Sequence[Candidate], partitions: int, replication_factor: int, start: int) -> list[list[int]]:
    """Replicas for each of `partitions` new partitions; `start` turns the wheel, so topics do not all begin alike."""
    _check(brokers, replication_factor)
    racks = _racks([each for each in brokers if not each.fenced])
    fenced = _interleaved(_racks([each for each in brokers if each.fenced]))
    return [_one(racks, fenced, start + index, replication_factor) for index in range(partitions)]


def _check(brokers: Sequence[Candidate], replication_factor: int) -> None:
    problem = None
    if replication_factor <= 0:
        problem = f"Invalid replication factor {replication_factor}: the replication factor must be positive."
    elif all(each.fenced for each in brokers):
        problem = "All brokers are currently fenced or have all their log directories cordoned."
    elif replication_factor > len(brokers):
        problem = (
            f"The target replication factor of {replication_factor} cannot be reached because only {len(brokers)} "
            "broker(s) are registered or some brokers have all their log directories cordoned."
        )
    if problem is not None:
        raise KafkaError(ErrorCode.INVALID_REPLICATION_FACTOR, problem)


def _racks(brokers: Sequence[Candidate]) -> list[list[int]]:
    """Broker ids by rack; brokers without a rack share one."""
    racks: dict[str, list[int]] = {}
    for each in brokers:
        racks.setdefault(each.rack or "", []).append(each.id)
    return [racks[rack] for rack in sorted(racks)]


def _turned(items: list[T], by: int) -> list[T]:
    by = by % len(items) if items else 0
    return items[by:] + items[:by]


def _interleaved(racks: list[list[int]]) -> list[int]:
    depth = max((len(rack) for rack in racks), default=0)
    return [rack[level] for level in range(depth) for rack in racks if level < len(rack)]


def _one(racks: list[list[int]], fenced: list[int], index: int, count: int) -> list[int]:
    """One partition: a leader, then one broker of each further rack in turn, then a second of each, then the fenced.

    Each time all brokers have led once, the followers turn by one, so that the partitions of a broker that dies go to
    many others.
    """
    depth, first = divmod(index, len(racks))
    cycle = index // sum(map(len, racks))
    leader, *beside = _turned(racks[first], depth)
    others = [_turned(rack, depth + cycle) for rack in _turned(racks[first + 1 :] + racks[:first], cycle)]
    chosen = _interleaved([[leader, *_turned(beside, cycle)], *others])[:count]
    return chosen + _turned(fenced, index)[: count - len(chosen)]
