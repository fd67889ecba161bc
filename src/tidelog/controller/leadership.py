"""Leaders and in-sync replicas of many partitions at once, after something happened to a broker."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from tidelog.config.effective import TopicDefaults
from tidelog.controller.assignments import default_directory
from tidelog.controller.partition_change import Election, PartitionChange
from tidelog.controller.result import Environment
from tidelog.metadata import configs
from tidelog.metadata.image import MetadataImage
from tidelog.metadata.partition import NO_LEADER, Partition
from tidelog.metadata.records import MetadataRecord
from tidelog.metadata.topics import Topic
from tidelog.model import uuids

NO_BROKER = -1


class Place(NamedTuple):
    topic: Topic
    partition_id: int

    @property
    def partition(self) -> Partition:
        return self.topic.partitions[self.partition_id]


class Rules:
    """How partitions change in this image: which brokers may lead, and the settings of each topic."""

    def __init__(self, image: MetadataImage, environment: Environment) -> None:
        self.image = image
        self._defaults = TopicDefaults(environment.config)
        self._elr_enabled = image.features.elr_enabled
        self._settings: dict[str, tuple[int, bool]] = {}

    def change(self, place: Place, is_active: Callable[[int], bool] | None = None) -> PartitionChange:
        topic, index = place
        partition = topic.partitions[index]
        min_insync_replicas, _ = self._of(topic)
        change = PartitionChange(
            partition,
            topic.id,
            index,
            self.acceptable(partition, is_active or self.is_active),
            min_insync_replicas,
            self._elr_enabled,
        )
        change.default_directory = self._default_directory
        return change

    def is_active(self, broker_id: int) -> bool:
        broker = self.image.cluster.brokers.get(broker_id)
        return broker is not None and broker.active

    def acceptable(self, partition: Partition, is_active: Callable[[int], bool]) -> Callable[[int], bool]:
        def check(replica: int) -> bool:
            return is_active(replica) and self._has_directory(partition, replica)

        return check

    def allows_unclean(self, topic: Topic) -> bool:
        return self._of(topic)[1]

    def min_insync_replicas(self, topic: Topic) -> int:
        return self._of(topic)[0]

    def _of(self, topic: Topic) -> tuple[int, bool]:
        found = self._settings.get(topic.name)
        if found is None:
            values = self._defaults.topic(self.image.configs.get(configs.TOPIC, topic.name))
            factor = len(topic.partitions[0].replicas) if topic.partitions else 1
            found = (min(values.min_insync_replicas, factor), values.unclean_leader_election_enable)
            self._settings[topic.name] = found
        return found

    def _has_directory(self, partition: Partition, replica: int) -> bool:
        """A replica whose directory failed cannot lead, though its broker lives."""
        broker = self.image.cluster.brokers.get(replica)
        if broker is None or replica not in partition.replicas:
            return False
        directory = partition.directories[partition.replicas.index(replica)]
        unknown = directory in (uuids.DIRECTORY_UNASSIGNED, uuids.DIRECTORY_MIGRATING)
        return unknown or not broker.directories or directory in broker.directories

    def _default_directory(self, replica: int) -> bytes:
        return default_directory(self.image.cluster, replica)


def places(image: MetadataImage, wanted: Callable[[Partition], bool]) -> Iterator[Place]:
    for topic in image.topics.by_id.values():
        for index, partition in enumerate(topic.partitions):
            if wanted(partition):
                yield Place(topic, index)


def updates(
    rules: Rules,
    where: Iterable[Place],
    *,
    remove: int = NO_BROKER,
    add: int = NO_BROKER,
    unclean: int = NO_BROKER,
) -> list[MetadataRecord]:
    """`remove` leaves the in-sync replicas, `add` counts as alive, `unclean` lost what it may have acknowledged."""
    gone = (remove, unclean)

    def is_active(replica: int) -> bool:
        return replica not in gone and (replica == add or rules.is_active(replica))

    records: list[MetadataRecord] = []
    for place in where:
        change = rules.change(place, is_active)
        if rules.allows_unclean(place.topic):
            change.election = Election.UNCLEAN
        if unclean != NO_BROKER:
            change.unclean_shutdown = frozenset((unclean,))
        change.isr = [each for each in place.partition.isr if each not in gone]
        record = change.record()
        if record is not None:
            records.append(record)
    return records


def in_isr(broker_id: int) -> Callable[[Partition], bool]:
    return lambda partition: broker_id in partition.isr


def in_isr_or_elr(broker_id: int) -> Callable[[Partition], bool]:
    return lambda partition: broker_id in partition.isr or broker_id in partition.elr


def without_leader(partition: Partition) -> bool:
    return partition.leader == NO_LEADER


def has_leaderships(image: MetadataImage, broker_id: int) -> bool:
    return any(partition.leader == broker_id for topic in image.topics.by_id.values() for partition in topic.partitions)
