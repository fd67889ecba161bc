"""Asks leaders whether positions lie in their history: those of a group, and all when a leader was replaced (KIP-320).

A leader that was elected without having everything has cut records off, and others stand at their offsets now.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, NamedTuple

from tidelog.client.cluster import Cluster
from tidelog.client.errors import ClientError
from tidelog.client.positions import PartitionState, TopicPartition
from tidelog.protocol.errors import ErrorCode, KafkaError
from tidelog.protocol.messages.offset_for_leader_epoch import (
    OffsetForLeaderEpochRequest,
    OffsetForLeaderPartition,
    OffsetForLeaderTopic,
)

_FOR_READERS = 3
"""Before it, only brokers were allowed to ask."""


class _Asked(NamedTuple):
    state: PartitionState
    offset: int
    leader_epoch: int
    current: int
    """The epoch of the leader that is asked."""


class Validation:
    def __init__(
        self,
        cluster: Cluster,
        compare: Callable[[PartitionState, int, int], None],
        on_end: Callable[[list[PartitionState], Exception | None], None],
    ) -> None:
        self._cluster = cluster
        self._compare = compare
        """Is given a position whose leader has told the last epoch up to the position's, and where that ended."""
        self._on_end = on_end
        """Is given the positions that are still in doubt, and why, if there is more to say than to ask again."""
        self._asking: dict[int, asyncio.Task[None]] = {}

    def close(self) -> None:
        for task in self._asking.values():
            task.cancel()

    def ask(self, node_id: int, states: list[PartitionState]) -> None:
        """Asks the leader unless an answer of it is due; then whoever asks again later is in time."""
        if node_id in self._asking:
            return
        rows = {}
        for state in states:
            leader = self._cluster.view.partition(state.topic, state.partition)
            assert leader is not None
            rows[state.topic, state.partition] = _Asked(state, state.offset, state.leader_epoch, leader.leader_epoch)
        self._asking[node_id] = asyncio.create_task(self._ask(node_id, rows))

    async def _ask(self, node_id: int, rows: dict[TopicPartition, _Asked]) -> None:
        error: Exception | None = None
        try:
            connection = await self._cluster.broker(node_id)
            if connection.serves(OffsetForLeaderEpochRequest, _FOR_READERS):
                timeout_s = self._cluster.settings.seconds("request.timeout.ms")
                error = self._receive(await connection.request(_request(rows), timeout_s), rows)
            else:
                for each in rows.values():
                    each.state.valid_in = each.current
                rows.clear()
        except (ClientError, KafkaError) as failed:
            error = failed
        finally:
            self._asking.pop(node_id, None)
        self._on_end([each.state for each in rows.values()], error)

    def _receive(self, answer: Any, rows: dict[TopicPartition, _Asked]) -> Exception | None:
        """Takes those with an answer out of `rows`."""
        for topic in answer.topics:
            for row in topic.partitions:
                code = ErrorCode.of(row.error_code)
                if code == ErrorCode.TOPIC_AUTHORIZATION_FAILED:
                    return KafkaError(code, f"{topic.topic}-{row.partition}: {code.message}")
                if code:
                    continue
                state, offset, epoch, current = rows.pop((topic.topic, row.partition))
                if (state.offset, state.leader_epoch) == (offset, epoch):  # not moved meanwhile
                    state.valid_in = current
                    self._compare(state, row.leader_epoch, row.end_offset)
        return None


def _request(rows: dict[TopicPartition, _Asked]) -> OffsetForLeaderEpochRequest:
    topics: dict[str, OffsetForLeaderTopic] = {}
    for (name, index), asked in rows.items():
        topic = topics.setdefault(name, OffsetForLeaderTopic(topic=name, partitions=[]))
        topic.partitions.append(
            OffsetForLeaderPartition(
                partition=index, current_leader_epoch=asked.current, leader_epoch=asked.leader_epoch
            )
        )
    return OffsetForLeaderEpochRequest(replica_id=-1, topics=list(topics.values()))
