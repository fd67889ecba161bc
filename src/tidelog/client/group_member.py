"""What members of either protocol share: the subscription, commits, and taking and giving up partitions.

Partitions change hands only inside `poll`, so that everything an earlier `poll` gave is dealt with by then; joining may
take longer than one `poll`, and goes on as a task.
"""

from __future__ import annotations

import asyncio
import inspect
import re
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Iterable, Mapping
from contextlib import suppress
from typing import Any, NamedTuple

from tidelog.client.cluster import Cluster
from tidelog.client.errors import ClientError
from tidelog.client.group_coordinator import GroupCoordinator
from tidelog.client.positions import OffsetAndEpoch, Positions, TopicPartition
from tidelog.client.settings import ClientSettings
from tidelog.protocol.errors import ErrorCode, KafkaError

Callback = Callable[[list[TopicPartition]], Awaitable[None] | None]
_MISSING_TOPIC_S = 1.0


class Listener(NamedTuple):
    """Told when partitions come and go; what is lost was not given up but taken away, and cannot be committed."""

    on_assigned: Callback | None = None
    on_revoked: Callback | None = None
    on_lost: Callback | None = None


class Subscription(NamedTuple):
    topics: frozenset[str] = frozenset()
    pattern: re.Pattern[str] | None = None


class Member(ABC):
    def __init__(
        self, settings: ClientSettings, cluster: Cluster, positions: Positions, wake: Callable[[], None]
    ) -> None:
        self.settings = settings
        self.cluster = cluster
        self.positions = positions
        self.coordinator = GroupCoordinator(settings)
        self.group_id: str = settings["group.id"]
        self.instance_id: str = settings["group.instance.id"]
        self.member_id = ""
        self.generation = -1
        self.listener = Listener()
        self.subscription = Subscription()
        self._wake = wake
        self._loop = asyncio.get_running_loop()
        self._auto_commit: bool = settings["enable.auto.commit"]
        self._commit_at = self._loop.time() + settings.seconds("auto.commit.interval.ms")
        self._commits: dict[asyncio.Task[None], None] = {}
        self._last_poll = self._loop.time()
        self._changes = False
        """Whether `poll` has something to do for the group."""
        self._changing: asyncio.Task[None] | None = None
        self._failure: Exception | None = None
        self._beating: asyncio.Task[None] | None = None
        self._hurry = asyncio.Event()
        self._known: dict[str, int] = {}
        self._watched_at = 0.0

    # What the consumer calls.

    def subscribe(self, subscription: Subscription, listener: Listener) -> None:
        self.subscription = subscription
        self.listener = listener
        self._changes = True

    async def settle(self) -> None:
        """Called by every `poll`: joins, gives up and takes over what there is; raises what ended the membership."""
        self._last_poll = self._loop.time()
        self._raise_failure()
        while self.has_changes:
            if self._changing is None:
                self._changes = False
                self._changing = self._loop.create_task(self._change())
            # The time of a poll may be over before; the next one waits on.
            await asyncio.shield(self._changing)
            self._raise_failure()
        if self._auto_commit and self._last_poll >= self._commit_at:
            self._commit_at = self._last_poll + self.settings.seconds("auto.commit.interval.ms")
            self.commit_soon(self.positions.consumed())

    def pause_s(self) -> float:
        """How long a `poll` that waits for records may leave `settle` alone."""
        alive_s: float = self.settings.seconds("max.poll.interval.ms") / 3
        return min(alive_s, max(0.0, self._commit_at - self._loop.time())) if self._auto_commit else alive_s

    @property
    def has_changes(self) -> bool:
        return self._changes or self._changing is not None or self._failure is not None

    def _raise_failure(self) -> None:
        """What failed is tried again by the next `poll`."""
        if self._failure is not None:
            failure, self._failure = self._failure, None
            self._changes = True
            raise failure

    async def commit(self, offsets: Mapping[TopicPartition, OffsetAndEpoch]) -> None:
        await self.coordinator.commit(offsets, self.member_id, self.generation, self.instance_id)

    def commit_soon(
        self,
        offsets: Mapping[TopicPartition, OffsetAndEpoch],
        on_done: Callable[[Exception | None], None] | None = None,
    ) -> None:
        async def work() -> None:
            error: Exception | None = None
            try:
                await self.commit(offsets)
            except (ClientError, KafkaError) as failed:
                error = failed
            if on_done is not None:
                on_done(error)

        task = self._loop.create_task(work())
        self._commits[task] = None
        task.add_done_callback(self._commits.pop)

    async def committed(self, partitions: Iterable[TopicPartition]) -> dict[TopicPartition, OffsetAndEpoch]:
        return await self.coordinator.committed(partitions, self.member_id, self.generation)

    async def close(self) -> None:
        """Commits where that is automatic, gives everything up, and leaves."""
        self._stop_beating()
        if self._changing is not None:
            self._changing.cancel()
            await asyncio.gather(self._changing, return_exceptions=True)
        try:
            async with asyncio.timeout(self.settings.seconds("request.timeout.ms")):
                if self._commits:
                    await asyncio.gather(*self._commits)
                await self._revoke(list(self.positions.states))
                await self._leave()
        except (ClientError, KafkaError, TimeoutError):
            pass  # the session will run out
        finally:
            await self.coordinator.cluster.close()

    # What a protocol is.

    @abstractmethod
    async def _reconcile(self) -> None:
        """Joins or changes what is owned."""

    @abstractmethod
    async def _beat(self) -> float:
        """Says that we are alive, and gives the seconds until the next time."""

    @abstractmethod
    async def _leave(self) -> None:
        """Tells the group that we go."""

    # What protocols use.

    async def _change(self) -> None:
        try:
            await self._reconcile()
        except Exception as error:  # the listener's errors too: `poll` raises it, this one or the next
            self.fail(error)
        finally:
            self._changing = None

    async def wanted_topics(self) -> list[str]:
        """The names subscribed to; a pattern is matched with what exists now. Also learns their partitions."""
        pattern = self.subscription.pattern
        if pattern is None:
            names = sorted(self.subscription.topics)
            view = await self.cluster.refresh(names, create=self.settings["allow.auto.create.topics"])
        else:
            view = await self.cluster.refresh(None)
            hidden = self.settings["exclude.internal.topics"]
            names = sorted(
                name
                for name, topic in view.topics.items()
                if pattern.fullmatch(name) and not (hidden and topic.is_internal)
            )
        self._watched_at = self._loop.time()
        self._known = {name: len(view.topics[name].partitions) for name in names if name in view.topics}
        return names

    async def _watch_topics(self) -> None:
        """Looks again, in long intervals, whether topics have come or grown."""
        missing = any(not count for count in self._known.values())
        interval_s = _MISSING_TOPIC_S if missing else self.settings.seconds("metadata.max.age.ms")
        if self._loop.time() - self._watched_at < interval_s:
            return
        before = self._known
        await self.wanted_topics()
        if self._known != before:
            self._topics_changed()

    def _topics_changed(self) -> None:
        self.ask_for_change()

    def ask_for_change(self) -> None:
        self._changes = True
        self._wake()

    def fail(self, error: Exception) -> None:
        self._failure = error
        self._wake()

    def _start_beating(self, first_s: float) -> None:
        if self._beating is None or self._beating.done():
            self._beating = self._loop.create_task(self._beat_on(first_s))
        elif first_s == 0:
            self._hurry.set()

    def _stop_beating(self) -> None:
        if self._beating is not None and self._beating is not asyncio.current_task():
            self._beating.cancel()
        self._beating = None

    async def _beat_on(self, pause_s: float) -> None:
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(pause_s):
                    await self._hurry.wait()
            self._hurry.clear()
            try:
                if self._loop.time() - self._last_poll > self.settings.seconds("max.poll.interval.ms"):
                    await self._leave()
                    self._lose_membership()
                    return
                pause_s = await self._beat()
                await self._watch_topics()
            except ClientError:
                pause_s = self.settings.seconds("retry.backoff.max.ms")
            except KafkaError as error:
                self.fail(error)
                return

    @abstractmethod
    def _lose_membership(self) -> None:
        """The group no longer knows us: what we own belongs to others by now."""

    async def _revoke(self, partitions: list[TopicPartition], lost: bool = False) -> None:
        if not partitions:
            return
        if self._auto_commit and not lost:
            try:
                await self.commit(self.positions.consumed())
            except KafkaError as error:
                # Somebody else has it already; the records since the last commit will be read twice.
                if error.code not in _TOO_LATE:
                    raise
        callback = self.listener.on_lost or self.listener.on_revoked if lost else self.listener.on_revoked
        await _call(callback, partitions)
        gone = set(partitions)
        self.positions.assign([key for key in self.positions.states if key not in gone])
        self._wake()

    async def _take(self, partitions: Iterable[TopicPartition]) -> None:
        """Owns exactly these from now on; those that are new have no position yet."""
        keys = list(partitions)
        new = [key for key in keys if key not in self.positions.states]
        self.positions.assign(keys)
        await _call(self.listener.on_assigned, new)


_TOO_LATE = {
    ErrorCode.UNKNOWN_MEMBER_ID,
    ErrorCode.ILLEGAL_GENERATION,
    ErrorCode.FENCED_INSTANCE_ID,
    ErrorCode.STALE_MEMBER_EPOCH,
    ErrorCode.FENCED_MEMBER_EPOCH,
    ErrorCode.REBALANCE_IN_PROGRESS,
    ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
}


async def _call(callback: Callback | None, partitions: list[TopicPartition]) -> None:
    if callback is not None:
        result: Any = callback(partitions)
        if inspect.isawaitable(result):
            await result
