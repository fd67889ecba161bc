"""The metadata image as group coordinators see it: topics, their racks, and the settings of single groups."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from tidelog.coordinator.group.consumer_topics import TopicInfo
from tidelog.metadata.configs import GROUP
from tidelog.metadata.delta import MetadataDelta
from tidelog.metadata.image import MetadataImage


class ImageView:
    """Looks topics up when asked, and remembers them: an image never changes."""

    def __init__(self, image: MetadataImage) -> None:
        self._image = image
        self._topics: dict[str, TopicInfo] = {}

    def topic(self, name: str) -> TopicInfo | None:
        found = self._topics.get(name)
        if found is not None:
            return found
        topic = self._image.topics.get(name)
        if topic is None:
            return None
        racks = {each.id: each.rack for each in self._image.cluster.brokers.values() if each.rack is not None}
        by_partition: tuple[frozenset[str], ...] = ()
        if racks:
            by_partition = tuple(
                frozenset(racks[replica] for replica in partition.replicas if replica in racks)
                for partition in topic.partitions
            )
        info = self._topics[name] = TopicInfo(topic.name, topic.id, len(topic.partitions), by_partition)
        return info

    def topic_name(self, topic_id: bytes) -> str | None:
        topic = self._image.topics.by_id.get(topic_id)
        return None if topic is None else topic.name

    def topic_names(self) -> Iterable[str]:
        return self._image.topics.ids

    def group_settings(self, group_id: str) -> Mapping[str, str]:
        return self._image.configs.get(GROUP, group_id)


def changed_topics(delta: MetadataDelta) -> tuple[set[str], set[str]]:
    """Names of topics that are new, gone or have other partitions or replicas, and of those that are gone."""
    deleted = {topic.name for topic in delta.topics.deleted.values()}
    changed = set(deleted)
    for topic in delta.topics.changed.values():
        before = topic.before
        if before is None or any(
            index >= len(before.partitions) or state.replicas != before.partitions[index].replicas
            for index, state in topic.partitions.items()
        ):
            changed.add(topic.name)
    return changed, deleted
