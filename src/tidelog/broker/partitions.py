"""The partitions this broker hosts, found by topic name, by the name's bytes as they stand in a request, or by id."""

from __future__ import annotations

from collections.abc import Iterator

from tidelog.broker.partition import Partition


class Partitions:
    __slots__ = ("by_id", "by_name", "by_raw_name")

    def __init__(self) -> None:
        self.by_name: dict[str, dict[int, Partition]] = {}
        self.by_raw_name: dict[bytes, dict[int, Partition]] = {}
        self.by_id: dict[bytes, dict[int, Partition]] = {}

    def get(self, topic: str, index: int) -> Partition | None:
        topics = self.by_name.get(topic)
        return None if topics is None else topics.get(index)

    def get_by_id(self, topic_id: bytes, index: int) -> Partition | None:
        topics = self.by_id.get(topic_id)
        return None if topics is None else topics.get(index)

    def add(self, partition: Partition) -> None:
        shared = self.by_name.get(partition.topic)
        if shared is None:
            shared = {}
            self.by_name[partition.topic] = shared
            self.by_raw_name[partition.topic.encode()] = shared
            self.by_id[partition.topic_id] = shared
        shared[partition.index] = partition

    def remove(self, topic: str, index: int) -> Partition | None:
        shared = self.by_name.get(topic)
        partition = shared.pop(index, None) if shared is not None else None
        if partition is not None and not shared:
            del self.by_name[topic], self.by_raw_name[topic.encode()], self.by_id[partition.topic_id]
        return partition

    def __iter__(self) -> Iterator[Partition]:
        for shared in self.by_name.values():
            yield from shared.values()

    def __len__(self) -> int:
        return sum(map(len, self.by_name.values()))
