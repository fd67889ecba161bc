"""One connection to one leader: fetches every partition that this broker follows there, one request at a time.

No task runs while nothing is wrong: an answer is taken and the next request sent in the same turn of the loop. A
partition that cannot go on for now leaves the fetch session and comes back later; the others do not wait for it. What
a topic's settings want durable before it is acknowledged is flushed before the next request says that it is here.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from tidelog.broker import following
from tidelog.broker.offset_recovery import find_place
from tidelog.broker.partition import Partition
from tidelog.kernels import parse_fetch_response
from tidelog.protocol.errors import ErrorCode, KafkaError
from tidelog.replication.fetch_session import VERSION, FollowerSession, Key

if TYPE_CHECKING:
    from tidelog.broker.broker import Broker
    from tidelog.metadata.cluster import ClusterImage
    from tidelog.runtime.peers import Peer

LOG = logging.getLogger(__name__)
RETRY_FIRST_MS = 50
FETCH = 1
# Partition's turn: topic id, index, error, high watermark, log start, diverging epoch, its end, records from, to.
Fetched = tuple[bytes, int, int, int, int, int, int, int, int]


class ReplicaFetcher:
    def __init__(self, broker: Broker, leader_id: int, slot: int) -> None:
        self._broker = broker
        self.leader_id = leader_id
        self._purpose = f"fetch-{slot}"
        self.session = FollowerSession(broker.node_id)
        self.followed: dict[Key, Partition] = {}
        self._is_busy = False  # a request is under way, or what it brought is being flushed
        self._is_due = False
        self._failures = 0
        # Partitions that were refused, and how often in a row.
        self._refusals: dict[Key, int] = {}
        self._closed = False
        # The way to the leader and this broker's epoch, as of a state of the cluster that they were read from.
        self._cluster: ClusterImage | None = None
        self._peer: Peer | None = None
        self._broker_epoch = -1

    # which partitions

    def follow(self, partition: Partition) -> None:
        key = (partition.topic_id, partition.index)
        self.followed[key] = partition
        self.session.put(key, following.position(partition))
        self._fetch_soon()

    def drop(self, partition: Partition) -> None:
        key = (partition.topic_id, partition.index)
        self._refusals.pop(key, None)
        if self.followed.pop(key, None) is not None:
            self.session.remove(key)

    def leader_gone(self) -> None:
        """An answer that its last process owed will not come; without this it would be waited for."""
        if self._peer is not None:
            self._peer.hang_up("was fenced or started anew")

    def close(self) -> None:
        self._closed = True
        self.followed.clear()

    def _later(self, partition: Partition, why: str) -> None:
        """Out of the session for a moment, then for longer: often the leader has not heard yet that it leads, and
        nobody's records are acknowledged until it is asked again. Told when it goes on for long."""
        key = (partition.topic_id, partition.index)
        most_ms = self._broker.config.replica_fetch_backoff_ms
        refusals = self._refusals[key] = self._refusals.get(key, 0) + 1
        wait_ms = _growing(refusals, most_ms)
        if wait_ms == most_ms:
            LOG.info("%s-%d is not fetched from %d for now: %s", partition.topic, partition.index, self.leader_id, why)
        self._pause(partition, wait_ms)

    def _pause(self, partition: Partition, wait_ms: int) -> None:
        key = (partition.topic_id, partition.index)
        epoch = partition.leader_epoch
        self.session.remove(key)

        def again() -> None:
            if self.followed.get(key) is partition and partition.leader_epoch == epoch:
                self.follow(partition)

        self._broker.timers.after(wait_ms / 1000, again)

    # asking

    def _fetch_soon(self) -> None:
        """At the end of this turn, when all changes of the metadata are in."""
        if not self._is_busy and not self._is_due:
            self._is_due = True
            asyncio.get_running_loop().call_soon(self._fetch)

    def _fetch(self) -> None:
        self._is_due = False
        broker = self._broker
        if self._closed or self._is_busy or not self.session.positions:
            return
        cluster = broker.metadata.image.cluster
        if cluster is not self._cluster:
            self._cluster, self._broker_epoch = cluster, broker.broker_epoch
            self._peer = broker.peer(self.leader_id, self._purpose)
        peer = self._peer
        if peer is None:
            self._wait_and_retry()
            return
        config = broker.config
        body = self.session.request(
            self._broker_epoch,
            config.replica_fetch_wait_max_ms,
            config.replica_fetch_min_bytes,
            config.replica_fetch_response_max_bytes,
            config.replica_fetch_max_bytes,
        )
        self._is_busy = True
        peer.send_body(FETCH, VERSION, body, config.replica_socket_timeout_ms, self._answered)

    def _wait_and_retry(self) -> None:
        """A leader that cannot be reached is often back, or replaced, in a moment; then it is asked less and less."""
        self._failures += 1
        self._is_busy = True
        delay_ms = _growing(self._failures, self._broker.config.replica_fetch_backoff_ms)
        self._broker.timers.after(delay_ms / 1000, self._free)

    def _free(self) -> None:
        self._is_busy = False
        self._fetch()

    # taking

    def _answered(self, body: memoryview | None, error: OSError | None) -> None:
        self._is_busy = False
        if self._closed:
            return
        if body is None:
            self._unanswered(str(error))
            return
        try:
            code, session_id, found = parse_fetch_response(body)
        except ValueError as mistake:
            self._unanswered(str(mistake))
            return
        if code:
            self._unanswered(ErrorCode(code).name)
            return
        self._failures = 0
        self.session.answered(session_id)
        now_ms = self._broker.clock.now_ms()
        unflushed = []
        for each in found:
            partition = self._take(each, body, now_ms)
            if partition is not None and partition.log.needs_flush:
                unflushed.append(partition)
        if unflushed:
            self._is_busy = True
            self._broker.spawn(self._flush(unflushed))
        else:
            self._fetch()

    def _unanswered(self, why: str) -> None:
        self._cluster = None
        if not self._failures:
            LOG.info("broker %d gave no records: %s", self.leader_id, why)
        self.session.reset()
        self._wait_and_retry()

    async def _flush(self, partitions: list[Partition]) -> None:
        results = await asyncio.gather(
            *(self._broker.logs.flush(each.log) for each in partitions), return_exceptions=True
        )
        for partition, result in zip(partitions, results, strict=True):
            if isinstance(result, BaseException):
                self._later(partition, str(result))
        self._free()

    def _take(self, fetched: Fetched, body: memoryview, now_ms: int) -> Partition | None:
        topic, index, code, high_watermark, log_start, epoch, epoch_end, start, end = fetched
        key = (topic, index)
        partition = self.followed.get(key)
        if partition is None or not self.session.is_answer_due(key):
            return None  # the metadata was quicker
        if code:
            self._refused(partition, ErrorCode(code))
            return None
        try:
            if epoch >= 0 or epoch_end >= 0:
                following.cut(partition, epoch, epoch_end)
            else:
                following.take(partition, body[start:end], high_watermark, log_start, now_ms)
        except KafkaError as error:
            self._later(partition, str(error) or error.code.name)
            return None
        except OSError as error:
            self._broker.storage_failed(partition, error)
            self._later(partition, str(error))
            return None
        self.session.put(key, following.position(partition))
        if self._refusals:
            self._refusals.pop(key, None)
        if end > start:
            self._hold_back(partition, end - start)
        return partition

    def _hold_back(self, partition: Partition, size: int) -> None:
        """A throttled replica that has taken its share waits; one that is in sync does not."""
        broker = self._broker
        if not broker.throttles.follower.is_limited:
            return
        state = broker.metadata.image.topics.by_id.get(partition.topic_id)
        in_sync = state is None or broker.node_id in state.partitions[partition.index].isr
        wait_ms = broker.throttles.took(partition, size, in_sync, broker.clock.monotonic_ms())
        if wait_ms:
            self._pause(partition, wait_ms)

    def _refused(self, partition: Partition, code: ErrorCode) -> None:
        if code in (ErrorCode.OFFSET_OUT_OF_RANGE, ErrorCode.OFFSET_MOVED_TO_TIERED_STORAGE):
            self.session.remove((partition.topic_id, partition.index))
            find = find_place if code is ErrorCode.OFFSET_OUT_OF_RANGE else _begin_behind_remote
            self._broker.spawn(self._find_place(partition, find))
        else:
            self._later(partition, code.name)

    async def _find_place(
        self, partition: Partition, find: Callable[[Broker, Partition, int], Awaitable[None]]
    ) -> None:
        epoch = partition.leader_epoch
        try:
            await find(self._broker, partition, self.leader_id)
        except (KafkaError, OSError) as error:
            if self._is_followed(partition, epoch):
                self._later(partition, f"where to go on cannot be found: {error}")
            return
        if self._is_followed(partition, epoch):
            self.follow(partition)

    def _is_followed(self, partition: Partition, epoch: int) -> bool:
        key = (partition.topic_id, partition.index)
        return not self._closed and self.followed.get(key) is partition and partition.leader_epoch == epoch


def _growing(attempts: int, most_ms: int) -> int:
    return min(RETRY_FIRST_MS << min(attempts - 1, 10), most_ms)


async def _begin_behind_remote(broker: Broker, partition: Partition, leader_id: int) -> None:
    # Imported when it is first needed: tiered storage is a tenth of what a node loads to start, and few use it.
    from tidelog.broker.remote_follower import begin_behind_remote

    await begin_behind_remote(broker, partition, leader_id)
