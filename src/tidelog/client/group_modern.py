"""A member by the new protocol: one kind of heartbeat, by which the coordinator tells each member what it owns."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Any

from tidelog.client.cluster import Cluster
from tidelog.client.group_member import Member
from tidelog.client.positions import OffsetAndEpoch, Positions, TopicPartition
from tidelog.client.settings import ClientSettings
from tidelog.protocol.errors import ErrorCode, KafkaError
from tidelog.protocol.messages.consumer_group_heartbeat import ConsumerGroupHeartbeatRequest, TopicPartitions

_JOIN, _LEAVE, _LEAVE_FOR_A_WHILE = 0, -1, -2
_LOST = {ErrorCode.FENCED_MEMBER_EPOCH, ErrorCode.UNKNOWN_MEMBER_ID}


class ModernMember(Member):
    def __init__(
        self, settings: ClientSettings, cluster: Cluster, positions: Positions, wake: Callable[[], None]
    ) -> None:
        super().__init__(settings, cluster, positions, wake)
        from uuid import uuid4

        from tidelog.model import uuids

        self.member_id = uuids.to_text(uuid4().bytes)
        self.generation = _JOIN
        self._target: list[TopicPartition] | None = None
        self._lost = False
        self._talking = asyncio.Lock()
        self._said: tuple[list[str], list[TopicPartition]] | None = None
        """What the coordinator was told last: the topics we want, the partitions we own."""
        self._interval_s = settings.seconds("heartbeat.interval.ms")

    async def _reconcile(self) -> None:
        if self._lost:
            self._lost = False
            await self._revoke(list(self.positions.states), lost=True)
        topics = await self.wanted_topics()
        if self._said is None or self._said[0] != topics:
            await self._say(topics)
        await self._move_to_target()
        self._start_beating(0.0)

    async def commit(self, offsets: Mapping[TopicPartition, OffsetAndEpoch]) -> None:
        """The epoch may grow while a commit is on its way; with the new one it is as good as before."""
        while True:
            generation = self.generation
            try:
                return await super().commit(offsets)
            except KafkaError as error:
                if error.code != ErrorCode.STALE_MEMBER_EPOCH or self.generation == generation:
                    raise

    async def _move_to_target(self) -> None:
        """Gives up first and says so, because others wait for it; then takes what is new."""
        if self._target is None:
            return
        target = self._target
        gone = [key for key in self.positions.states if key not in target]
        await self._revoke(gone)
        await self._take(target)

    async def _beat(self) -> float:
        await self._say(self._said[0] if self._said is not None else await self.wanted_topics())
        return self._interval_s

    def _topics_changed(self) -> None:
        """The coordinator sees new partitions by itself; only a pattern may match other topics now."""
        if self.subscription.pattern is not None:
            self.ask_for_change()

    async def _say(self, topics: list[str]) -> None:
        try:
            # One after the other: an assignment is sent once, so no answer may be overtaken.
            async with self._talking:
                await self._heartbeat(topics)
        except KafkaError as error:
            if error.code not in _LOST:
                raise
            self._lose_membership()
            return
        if self._target is not None and self._target != sorted(self.positions.states):
            self.ask_for_change()

    async def _heartbeat(self, topics: list[str]) -> None:
        owned = sorted(self.positions.states)
        joins = self.generation == _JOIN
        request = ConsumerGroupHeartbeatRequest(
            group_id=self.group_id,
            member_id=self.member_id,
            member_epoch=self.generation,
            instance_id=self.instance_id or None,
            topic_partitions=None,
        )
        if joins:
            request.rack_id = self.settings["client.rack"] or None
            request.rebalance_timeout_ms = self.settings["max.poll.interval.ms"]
            request.server_assignor = self.settings["group.remote.assignor"] or None
        if joins or self._said is None or self._said[0] != topics:
            request.subscribed_topic_names = topics
        if joins or self._said is None or self._said[1] != owned:
            request.topic_partitions = [] if joins else self._by_id(owned)
        answer = await self.coordinator.ask(request, lambda found: int(found.error_code))
        self._said = (topics, [] if joins else owned)
        self.generation = answer.member_epoch
        self._interval_s = answer.heartbeat_interval_ms / 1000
        if answer.assignment is not None:
            self._target = sorted(await self._named(answer.assignment.topic_partitions))

    def _by_id(self, owned: list[TopicPartition]) -> list[TopicPartitions]:
        rows: dict[str, TopicPartitions] = {}
        for topic, index in owned:
            view = self.cluster.view.topics.get(topic)
            if view is not None:
                rows.setdefault(topic, TopicPartitions(topic_id=view.topic_id, partitions=[])).partitions.append(index)
        return list(rows.values())

    async def _named(self, rows: list[Any]) -> list[TopicPartition]:
        if any(row.topic_id not in self.cluster.view.names_by_id for row in rows):
            await self.cluster.refresh(None)
        names = self.cluster.view.names_by_id
        return [(names[row.topic_id], index) for row in rows if row.topic_id in names for index in row.partitions]

    def _lose_membership(self) -> None:
        self.generation = _JOIN
        self._said = self._target = None
        self._lost = True
        self.ask_for_change()

    async def _leave(self) -> None:
        if self.generation == _JOIN:
            return
        request = ConsumerGroupHeartbeatRequest(
            group_id=self.group_id,
            member_id=self.member_id,
            member_epoch=_LEAVE_FOR_A_WHILE if self.instance_id else _LEAVE,
            instance_id=self.instance_id or None,
        )
        await self.coordinator.ask(request, lambda found: int(found.error_code))
