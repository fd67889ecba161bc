"""The consumer: partitions by assignment or through a group, positions by offset or time, records by `poll`.

async with Consumer({"bootstrap.servers": "localhost:9092", "group.id": "billing"}) as consumer:
    consumer.subscribe(["orders"])
    for record in await consumer.poll(timeout_s=1.0):
        print(record.offset, record.value)
    await consumer.commit()
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from tidelog.client.cluster import Cluster
from tidelog.client.errors import SettingError
from tidelog.client.fetched import ConsumerRecord
from tidelog.client.fetcher import Fetcher
from tidelog.client.list_offsets import EARLIEST, LATEST, FoundOffset, list_offsets
from tidelog.client.positions import OffsetAndEpoch, Positions, TopicPartition, with_epochs
from tidelog.client.settings import CONSUMER, ClientSettings
from tidelog.protocol.errors import ErrorCode, KafkaError

if TYPE_CHECKING:
    from tidelog.client.group_member import Callback, Member

__all__ = ["Consumer", "ConsumerRecord", "OffsetAndEpoch", "TopicPartition"]


class Consumer:
    """Must be created while an event loop runs."""

    def __init__(self, settings: Mapping[str, Any], cluster: Cluster | None = None) -> None:
        self.settings = ClientSettings.read(CONSUMER, settings)
        self._owns_cluster = cluster is None
        self.cluster = cluster or Cluster(self.settings)
        self.positions = Positions(self.settings["auto.offset.reset"])
        self._fetcher = Fetcher(self.cluster, self.settings, self.positions)
        self._records_max = self.settings["max.poll.records"]
        self._member: Member | None = None
        self._subscribed = False
        self._placing: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Consumer:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    # What to read.

    def assign(self, partitions: Iterable[TopicPartition]) -> None:
        """Reads exactly these partitions from now on; of a group only the offsets are used then."""
        if self._subscribed:
            raise SettingError(
                "This consumer is subscribed, and its group gives it partitions; use another for assign()"
            )
        self.positions.assign(partitions)
        self._fetcher.forget()

    def subscribe(
        self,
        topics: Iterable[str] | re.Pattern[str],
        *,
        on_assigned: Callback | None = None,
        on_revoked: Callback | None = None,
        on_lost: Callback | None = None,
    ) -> None:
        """Shares these topics, or those whose whole name matches the pattern, with the other members of `group.id`.

        The callbacks, plain or coroutines, are called inside `poll`; a partition is committed before it is given up.
        """
        from tidelog.client.group_member import Listener, Subscription

        if isinstance(topics, str):
            raise SettingError(f"subscribe() takes a list of topics: write ['{topics}']")
        wanted = Subscription(pattern=topics) if isinstance(topics, re.Pattern) else Subscription(frozenset(topics))
        self._subscribed = True
        self._group().subscribe(wanted, Listener(on_assigned, on_revoked, on_lost))

    async def unsubscribe(self) -> None:
        """Leaves the group and reads nothing from now on."""
        member, self._member, self._subscribed = self._member, None, False
        if member is not None:
            await member.close()
        self.positions.assign([])
        self._fetcher.forget()

    @property
    def group_metadata(self) -> tuple[str, int, str, str]:
        """Group, generation, member and instance id, as a transactional producer needs them."""
        member = self._group()
        return member.group_id, member.generation, member.member_id, member.instance_id

    def _group(self) -> Member:
        if self._member is None:
            if not self.settings["group.id"]:
                raise SettingError("This needs a consumer group; set group.id")
            member: type[Member]
            if self.settings["group.protocol"] == "consumer":
                from tidelog.client.group_modern import ModernMember as member
            else:
                from tidelog.client.group_classic import ClassicMember as member
            self._member = member(self.settings, self.cluster, self.positions, self._fetcher.arrived.set)
        return self._member

    # What is done with.

    async def commit(self, offsets: Mapping[TopicPartition, int | OffsetAndEpoch] | None = None) -> None:
        """Commits these offsets, or what `poll` has given out so far, and waits for the answer.

        With the leader epoch of the last record, whoever goes on from there can tell a leader that was replaced.
        """
        await self._group().commit(self.positions.consumed() if offsets is None else with_epochs(offsets))

    def commit_soon(
        self,
        offsets: Mapping[TopicPartition, int | OffsetAndEpoch] | None = None,
        on_done: Callable[[Exception | None], None] | None = None,
    ) -> None:
        """As `commit`, without waiting; `on_done` gets the error or None."""
        self._group().commit_soon(self.positions.consumed() if offsets is None else with_epochs(offsets), on_done)

    async def committed(self, partitions: Iterable[TopicPartition]) -> dict[TopicPartition, int]:
        """The group's offsets, without partitions that have none."""
        return {key: each.offset for key, each in (await self._group().committed(partitions)).items()}

    @property
    def assignment(self) -> list[TopicPartition]:
        return list(self.positions.states)

    def pause(self, *partitions: TopicPartition) -> None:
        for key in partitions:
            self.positions.states[key].paused = True
        self._fetcher.forget()

    def resume(self, *partitions: TopicPartition) -> None:
        for key in partitions:
            self.positions.states[key].paused = False

    # Where to read.

    def seek(self, partition: TopicPartition, offset: int | OffsetAndEpoch) -> None:
        self._seek(partition, OffsetAndEpoch(offset) if isinstance(offset, int) else offset)
        self._fetcher.forget()

    def seek_to_beginning(self, *partitions: TopicPartition) -> None:
        self._seek_to_time(EARLIEST, partitions)

    def seek_to_end(self, *partitions: TopicPartition) -> None:
        self._seek_to_time(LATEST, partitions)

    def seek_to_timestamp(self, timestamp_ms: int, *partitions: TopicPartition) -> None:
        """The first record at or after the time; the end when there is none."""
        self._seek_to_time(timestamp_ms, partitions)

    def _seek_to_time(self, timestamp: int, partitions: tuple[TopicPartition, ...]) -> None:
        for key in partitions or self.assignment:
            self.positions.seek_to_time(key, timestamp)
        self._fetcher.forget()

    async def position(self, partition: TopicPartition) -> int:
        """The offset of the next record that `poll` will give."""
        await self._place()
        return self.positions.states[partition].offset

    async def beginning_offsets(self, partitions: Iterable[TopicPartition]) -> dict[TopicPartition, int]:
        return await self._offsets(partitions, EARLIEST)

    async def end_offsets(self, partitions: Iterable[TopicPartition]) -> dict[TopicPartition, int]:
        return await self._offsets(partitions, LATEST)

    async def offsets_for_times(self, times: Mapping[TopicPartition, int]) -> dict[TopicPartition, FoundOffset]:
        return await list_offsets(self.cluster, times, self._isolation)

    # Reading.

    async def poll(self, timeout_s: float = 0.5, max_records: int | None = None) -> list[ConsumerRecord]:
        """Records, as soon as there are any; none when the time is over first."""
        limit = max_records or self._records_max
        try:
            async with asyncio.timeout(timeout_s):
                while True:
                    if self._member is not None:
                        await self._member.settle()
                    if self.positions.unplaced():
                        await self._placed()
                    found = self._fetcher.take(limit)
                    if found:
                        return found
                    if self._member is None or not self._member.has_changes:
                        await self._arrival()
        except TimeoutError:
            return []

    async def _arrival(self) -> None:
        """Waits for records; a member has commits to make meanwhile, however long the wait is."""
        pause_s = None if self._member is None else self._member.pause_s()
        with suppress(TimeoutError):
            async with asyncio.timeout(pause_s):
                await self._fetcher.arrived.wait()

    async def close(self) -> None:
        if self._placing is not None:
            self._placing.cancel()
        if self._member is not None:
            await self._member.close()
        self._fetcher.close()
        if self._owns_cluster:
            await self.cluster.close()

    @property
    def _isolation(self) -> int:
        return int(self.settings["isolation.level"] == "read_committed")

    async def _offsets(self, partitions: Iterable[TopicPartition], time: int) -> dict[TopicPartition, int]:
        found = await list_offsets(self.cluster, dict.fromkeys(partitions, time), self._isolation)
        return {key: row.offset for key, row in found.items()}

    async def _placed(self) -> None:
        """Positions for all; looking them up goes on when the time of this `poll` is over."""
        if self._placing is None:
            self._placing = asyncio.create_task(self._place())
        try:
            await asyncio.shield(self._placing)
        finally:
            if self._placing is not None and self._placing.done():
                self._placing = None

    async def _place(self) -> None:
        """Finds a position for partitions that have none: the group's, or what the settings say."""
        if self.settings["group.id"]:
            await self._place_at_committed()
        wanted: dict[TopicPartition, int] = {}
        for key, state in self.positions.unplaced().items():
            if state.reset_to is None:
                raise KafkaError(
                    ErrorCode.OFFSET_OUT_OF_RANGE,
                    f"{key[0]}-{key[1]} has no position and auto.offset.reset gives none; seek first, or set it",
                )
            wanted[key] = state.reset_to
        if not wanted:
            return
        found = await list_offsets(self.cluster, wanted, self._isolation)
        beyond = [key for key, row in found.items() if row.offset < 0]
        if beyond:
            found |= await list_offsets(self.cluster, dict.fromkeys(beyond, LATEST), self._isolation)
        for topic in dict.fromkeys(topic for topic, _ in wanted):
            await self.cluster.topic(topic)
        for key, row in found.items():
            if key in self.positions.states and self.positions.states[key].offset < 0:
                leader = self.cluster.view.partition(*key)
                valid_in = -1 if leader is None else leader.leader_epoch
                self.positions.seek(key, row.offset, row.leader_epoch, valid_in)

    async def _place_at_committed(self) -> None:
        fresh = [key for key, state in self.positions.unplaced().items() if state.uses_committed]
        found = await self._group().committed(fresh) if fresh else {}
        for key in fresh:
            state = self.positions.states.get(key)
            if state is None or state.offset >= 0:
                continue  # moved or given up meanwhile
            state.uses_committed = False
            if key in found:
                self._seek(key, found[key])

    def _seek(self, key: TopicPartition, place: OffsetAndEpoch) -> None:
        # Whoever led before that record was written may have neither it nor what came after.
        self.cluster.view = self.cluster.view.with_epoch(*key, place.leader_epoch)
        self.positions.seek(key, *place)
