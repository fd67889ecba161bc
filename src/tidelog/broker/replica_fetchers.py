"""All fetchers of this broker: by leader, and by slot when `num.replica.fetchers` asks for several connections each."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from tidelog.broker.partition import Partition
from tidelog.broker.replica_fetcher import ReplicaFetcher
from tidelog.model.java_hash import java_hash
from tidelog.replication.fetch_session import Key

if TYPE_CHECKING:
    from tidelog.broker.broker import Broker


class ReplicaFetchers:
    def __init__(self, broker: Broker) -> None:
        self._broker = broker
        self._fetchers: dict[tuple[int, int], ReplicaFetcher] = {}
        self._of: dict[Key, ReplicaFetcher] = {}

    def __iter__(self) -> Iterator[ReplicaFetcher]:
        return iter(self._fetchers.values())

    def __len__(self) -> int:
        return len(self._of)

    def follow(self, partition: Partition) -> None:
        """From the partition's leader, from now on."""
        place = (partition.leader_id, self._slot(partition))
        fetcher = self._fetchers.get(place)
        if fetcher is None:
            fetcher = self._fetchers[place] = ReplicaFetcher(self._broker, *place)
        key = (partition.topic_id, partition.index)
        if self._of.get(key) is not fetcher:
            self.forget(partition)
            self._of[key] = fetcher
        fetcher.follow(partition)

    def forget(self, partition: Partition) -> None:
        fetcher = self._of.pop((partition.topic_id, partition.index), None)
        if fetcher is not None:
            fetcher.drop(partition)

    def broker_gone(self, broker_id: int) -> None:
        for (leader_id, _), fetcher in self._fetchers.items():
            if leader_id == broker_id:
                fetcher.leader_gone()

    def close(self) -> None:
        for fetcher in self._fetchers.values():
            fetcher.close()
        self._fetchers.clear()
        self._of.clear()

    def _slot(self, partition: Partition) -> int:
        count: int = self._broker.config.num_replica_fetchers
        return 0 if count == 1 else abs(31 * java_hash(partition.topic) + partition.index) % count
