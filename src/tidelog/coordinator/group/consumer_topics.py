"""What groups see of the cluster: topics with their partitions and racks, and the settings of single groups."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from hashlib import blake2b
from typing import NamedTuple, Protocol

Racks = frozenset[str]


class TopicInfo(NamedTuple):
    """`racks` has an entry per partition, or none at all when no broker has a rack."""

    name: str
    id: bytes
    partitions: int
    racks: tuple[Racks, ...] = ()


class ClusterView(Protocol):
    """An immutable picture; a change of the metadata brings another one."""

    def topic(self, name: str) -> TopicInfo | None: ...

    def topic_name(self, topic_id: bytes) -> str | None: ...

    def topic_names(self) -> Iterable[str]: ...

    def group_settings(self, group_id: str) -> Mapping[str, str]:
        """What was set for this group alone."""
        ...


class TopicTable:
    """A view from plain values."""

    def __init__(
        self, topics: Iterable[TopicInfo] = (), group_settings: Mapping[str, Mapping[str, str]] | None = None
    ) -> None:
        self._topics = {topic.name: topic for topic in topics}
        self._names = {topic.id: topic.name for topic in self._topics.values()}
        self._group_settings = group_settings or {}

    def topic(self, name: str) -> TopicInfo | None:
        return self._topics.get(name)

    def topic_name(self, topic_id: bytes) -> str | None:
        return self._names.get(topic_id)

    def topic_names(self) -> Iterable[str]:
        return self._topics

    def group_settings(self, group_id: str) -> Mapping[str, str]:
        return self._group_settings.get(group_id, {})


NO_TOPICS: ClusterView = TopicTable()


def metadata_hash(view: ClusterView, names: Iterable[str]) -> int:
    """One number for all that an assignment depends on: ids, partition counts and racks of these topics.

    0 when none of them exists. A group whose stored number differs gets a new epoch, and with it a new assignment.
    """
    state = blake2b(digest_size=8)
    found = False
    for name in sorted(names):
        topic = view.topic(name)
        if topic is None:
            continue
        found = True
        racks = [sorted(each) for each in topic.racks]
        state.update(repr((topic.name, topic.id, topic.partitions, racks)).encode())
    return int.from_bytes(state.digest(), "big", signed=True) if found else 0
