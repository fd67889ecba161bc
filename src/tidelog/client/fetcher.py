"""Keeps fetches on the way: one long-polling request per leader, for partitions whose records are all taken."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Any

from tidelog.client.cluster import Cluster, is_retriable
from tidelog.client.errors import ClientError, LogTruncated, RequestTimeout
from tidelog.client.fetched import ConsumerRecord, FetchedPartition, open_batches
from tidelog.client.positions import UNKNOWN, PartitionState, Positions
from tidelog.client.settings import ClientSettings
from tidelog.client.validation import Validation
from tidelog.protocol.errors import ErrorCode, KafkaError
from tidelog.protocol.messages.fetch import FetchPartition, FetchRequest, FetchResponse, FetchTopic

_BY_TOPIC_ID = 13
_NO_SESSION_EPOCH = -1
_NOT_ASKED = (-1, -1)
_GRACE_S = 10.0
"""How long past `fetch.max.wait.ms` an answer is waited for."""


class Fetcher:
    def __init__(self, cluster: Cluster, settings: ClientSettings, positions: Positions) -> None:
        self._cluster = cluster
        self._settings = settings
        self._positions = positions
        self._loop = asyncio.get_running_loop()
        self._committed = settings["isolation.level"] == "read_committed"
        self._asked: dict[int, asyncio.Future[Any]] = {}
        self._opening: dict[int, asyncio.Task[Any]] = {}
        self._buffered: deque[FetchedPartition] = deque()
        self._failure: Exception | None = None
        self._refreshing: asyncio.Task[Any] | None = None
        self._waking: asyncio.TimerHandle | None = None
        self._validation = Validation(cluster, self._compare, self._validated)
        self.arrived = asyncio.Event()

    def close(self) -> None:
        for task in self._opening.values():
            task.cancel()
        if self._refreshing is not None:
            self._refreshing.cancel()
        if self._waking is not None:
            self._waking.cancel()
        self._validation.close()

    def forget(self) -> None:
        """Drops what is buffered for partitions that were moved, paused or unassigned."""
        self._buffered = deque(part for part in self._buffered if self._is_current(part))

    def take(self, limit: int) -> list[ConsumerRecord]:
        """Buffered records, at most `limit`; also sees to it that more are on the way."""
        out: list[ConsumerRecord] = []
        while self._buffered and len(out) < limit:
            part = self._buffered[0]
            if not self._is_current(part):
                self._buffered.popleft()
                continue
            more = part.take(limit - len(out), out)
            state = self._positions.states[(part.topic, part.partition)]
            state.offset, state.leader_epoch = part.position, part.leader_epoch
            if not more:
                self._buffered.popleft()
        self.fetch()
        if not out and self._failure is not None:
            failure, self._failure = self._failure, None
            raise failure
        if not self._buffered:
            self.arrived.clear()
        return out

    def _is_current(self, part: FetchedPartition) -> bool:
        state = self._positions.states.get((part.topic, part.partition))
        return state is not None and not state.paused and state.offset == part.position

    # Requests.

    def fetch(self) -> None:
        """Sends a fetch to every leader that has none on the way and partitions to ask about."""
        buffered = {(part.topic, part.partition) for part in self._buffered}
        wanted: dict[int, list[PartitionState]] = {}
        doubtful: dict[int, list[PartitionState]] = {}
        now = self._loop.time()
        for key, state in self._positions.states.items():
            if state.offset < 0 or state.paused or key in buffered:
                continue
            if state.retry_at > now:
                self._wake_at(state.retry_at)
                continue
            leader = self._cluster.view.partition(state.topic, state.partition)
            if leader is None or leader.leader_id < 0:
                self._refresh()
                continue
            if state.leader_epoch < 0:
                state.valid_in = leader.leader_epoch  # nothing to compare with
            if state.valid_in != leader.leader_epoch:
                doubtful.setdefault(leader.leader_id, []).append(state)
                continue
            node_id = self._read_from(state, leader.leader_id, now)
            if node_id not in self._asked and node_id not in self._opening:
                wanted.setdefault(node_id, []).append(state)
        for node_id, states in doubtful.items():
            self._validation.ask(node_id, states)
        for node_id, states in wanted.items():
            self._ask(node_id, states)

    def _read_from(self, state: PartitionState, leader_id: int, now: float) -> int:
        """The replica that the leader named, while that holds, else the leader."""
        if state.replica >= 0 and (now >= state.replica_until or state.replica not in self._cluster.view.brokers):
            state.replica = UNKNOWN
        return state.replica if state.replica >= 0 else leader_id

    def _back_to_leaders(self, node_id: int) -> None:
        """Nobody reads from this broker any more because a leader said so."""
        for state in self._positions.states.values():
            if state.replica == node_id:
                state.replica = UNKNOWN

    def _ask(self, node_id: int, states: list[PartitionState]) -> None:
        connection = self._cluster.open_broker(node_id)
        if connection is None:
            task = self._loop.create_task(self._open(node_id))
            self._opening[node_id] = task
            return
        try:
            by_id = connection.version_for(FetchRequest) >= _BY_TOPIC_ID
            future = connection.send(self._request(states, by_id))
        except (ClientError, KafkaError) as error:
            self._failed(error)
            return
        self._asked[node_id] = future
        limit_s = self._settings.seconds("fetch.max.wait.ms") + _GRACE_S
        late = RequestTimeout(f"{connection.address} did not answer Fetch within {limit_s:g} s")
        timer = self._loop.call_later(limit_s, connection.fail, late)
        positions = {(state.topic, state.partition): (state.offset, state.valid_in) for state in states}
        future.add_done_callback(lambda done: self._on_answer(done, node_id, positions, timer))

    def _request(self, states: list[PartitionState], by_id: bool) -> FetchRequest:
        topics: dict[str, FetchTopic] = {}
        partition_bytes = self._settings["max.partition.fetch.bytes"]
        for state in states:
            view = self._cluster.view.topics[state.topic]
            topic = topics.get(state.topic)
            if topic is None:
                topic = topics[state.topic] = FetchTopic(topic=state.topic, partitions=[])
                if by_id:
                    topic.topic_id = view.topic_id
            topic.partitions.append(
                FetchPartition(
                    partition=state.partition,
                    current_leader_epoch=state.valid_in,
                    fetch_offset=state.offset,
                    last_fetched_epoch=state.leader_epoch,
                    partition_max_bytes=partition_bytes,
                )
            )
        return FetchRequest(
            max_wait_ms=self._settings["fetch.max.wait.ms"],
            min_bytes=self._settings["fetch.min.bytes"],
            max_bytes=self._settings["fetch.max.bytes"],
            isolation_level=int(self._committed),
            session_id=0,
            session_epoch=_NO_SESSION_EPOCH,
            topics=list(topics.values()),
            rack_id=self._settings["client.rack"],
        )

    # Answers.

    def _on_answer(
        self,
        done: asyncio.Future[Any],
        node_id: int,
        positions: dict[tuple[str, int], tuple[int, int]],
        timer: asyncio.TimerHandle,
    ) -> None:
        timer.cancel()
        self._asked.pop(node_id, None)
        error = done.exception()
        if error is not None:
            self._back_to_leaders(node_id)
            self._failed(error)
            return
        answer: FetchResponse = done.result()
        if answer.error_code:
            self._failed(KafkaError(ErrorCode.of(answer.error_code)))
            return
        for topic in answer.responses:
            name = topic.topic or self._cluster.view.names_by_id.get(topic.topic_id, "")
            for row in topic.partitions:
                asked = positions.get((name, row.partition_index), _NOT_ASKED)
                self._receive(name, row, *asked, node_id)
        if self._buffered or self._failure is not None:
            self.arrived.set()
        else:
            self.fetch()

    def _receive(self, topic: str, row: Any, asked_offset: int, asked_epoch: int, node_id: int) -> None:
        state = self._positions.states.get((topic, row.partition_index))
        if state is None or state.offset != asked_offset:
            return  # moved or unassigned while the fetch was on its way
        if row.error_code or row.diverging_epoch.epoch >= 0:
            if state.replica == node_id:
                # It may be behind the leader, or not have the partition any more: the leader knows.
                state.replica = UNKNOWN
                self._retry(state)
            elif self._epoch_of(state) != asked_epoch:
                self._retry(state)  # the word of a leader that was replaced meanwhile
            elif row.error_code:
                self._partition_failed(state, ErrorCode.of(row.error_code))
            else:
                self._compare(state, row.diverging_epoch.epoch, row.diverging_epoch.end_offset)
            return
        if row.preferred_read_replica >= 0 and row.preferred_read_replica != node_id:
            state.replica = row.preferred_read_replica
            state.replica_until = self._loop.time() + self._settings.seconds("metadata.max.age.ms")
            if state.replica not in self._cluster.view.brokers:
                # The leader would name it again as fast as it can be asked.
                self._retry(state)
            return
        state.high_watermark = row.high_watermark
        state.last_stable_offset = row.last_stable_offset
        if row.records is None or not len(row.records):
            return
        aborted = (row.aborted_transactions or []) if self._committed else None
        batches = open_batches(memoryview(row.records), asked_offset, aborted, self._settings["check.crcs"])
        self._buffered.append(FetchedPartition(topic, row.partition_index, batches, asked_offset, state.leader_epoch))

    def _epoch_of(self, state: PartitionState) -> int:
        leader = self._cluster.view.partition(state.topic, state.partition)
        return UNKNOWN if leader is None else leader.leader_epoch

    def _compare(self, state: PartitionState, epoch: int, end_offset: int) -> None:
        try:
            self._positions.compare(state, epoch, end_offset)
        except LogTruncated as error:
            state.valid_in = UNKNOWN
            self._retry(state)
            self._failed(error)
        self.forget()
        if state.offset < 0:
            self.arrived.set()  # `poll` looks for a position

    def _validated(self, states: list[PartitionState], error: Exception | None) -> None:
        """The leader has answered; those that it had no word for are asked about again after a pause."""
        for state in states:
            self._retry(state)
        if error is not None:
            self._failed(error)
        self.fetch()

    def _partition_failed(self, state: PartitionState, code: ErrorCode) -> None:
        if code == ErrorCode.OFFSET_OUT_OF_RANGE:
            self._positions.out_of_range(state)
            self.arrived.set()
        elif code.retriable:
            self._retry(state)
        else:
            self._failed(KafkaError(code, f"{state.topic}-{state.partition}: {code.message}"))

    def _failed(self, error: BaseException) -> None:
        if is_retriable(error):
            self._refresh()
            return
        self._failure = error if isinstance(error, Exception) else ClientError(str(error))
        self.arrived.set()

    # Chores.

    def _retry(self, state: PartitionState) -> None:
        """After a pause, and with metadata that is asked for meanwhile."""
        state.retry_at = self._loop.time() + self._settings.seconds("retry.backoff.ms")
        self._refresh()

    def _wake_at(self, when: float) -> None:
        """Looks again then: metadata that was asked for before the refusal may have come too early for it."""
        if self._waking is not None and self._waking.when() <= when:
            return
        if self._waking is not None:
            self._waking.cancel()
        self._waking = self._loop.call_at(when, self._wake)

    def _wake(self) -> None:
        self._waking = None
        self.fetch()

    async def _open(self, node_id: int) -> None:
        try:
            await self._cluster.broker(node_id)
        except (ClientError, KafkaError) as error:
            self._back_to_leaders(node_id)
            self._failed(error)
            # One that refuses does so at once: without a pause it would be asked as fast as it refuses.
            await asyncio.sleep(self._settings.seconds("retry.backoff.ms"))
        finally:
            self._opening.pop(node_id, None)
        self.fetch()

    def _refresh(self) -> None:
        """Metadata after a pause, so that a partition without a leader is not asked about in a tight circle."""
        if self._refreshing is None or self._refreshing.done():
            self._refreshing = self._loop.create_task(self._refresh_later())

    async def _refresh_later(self) -> None:
        await asyncio.sleep(self._settings.seconds("retry.backoff.ms"))
        try:
            await self._cluster.refresh(dict.fromkeys(topic for topic, _ in self._positions.states))
        except (ClientError, KafkaError) as error:
            if not is_retriable(error) or not self._cluster.view.brokers:
                self._failed(error)
        self._refreshing = None
        self.fetch()
