"""One hosted partition: the log, the leader's view of its replicas, and the requests that wait for it to move.

A waiting request is a callback in one of four lists, never a task. Appends of one turn of the loop wake the waiting
fetches once, at the end of that turn, so that a fetch takes what all of them wrote. Fetches of followers wait for
appends, those of consumers for the high watermark. What a follower does with its partition is in `following.py`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

from tidelog.broker.topics import is_internal
from tidelog.log.append import AppendInfo, Origin
from tidelog.log.log import Log
from tidelog.metadata.partition import Partition as PartitionImage
from tidelog.ports import Buffer
from tidelog.protocol.errors import ErrorCode, KafkaError
from tidelog.replication.leader import LeaderState

if TYPE_CHECKING:
    from tidelog.broker.broker import Broker

NO_EPOCH = -1
# A batch up to this size stays in memory until the next one: followers that wait for it need not read it.
TAIL_BYTES_MAX = 1024


class Watcher(Protocol):
    """A parked fetch, told when a partition it waits for has more for it."""

    def moved(self, bytes_added: int) -> None: ...


# Called with the error a waiting produce ends with, or NONE.
Acked = Callable[[ErrorCode], None]


class Partition:
    __slots__ = (
        "_broker",
        "_flush_waiters",
        "_flushing",
        "_high_watermark",
        "appended_bytes",
        "commit_waiters",
        "index",
        "is_internal",
        "leader",
        "leader_epoch",
        "leader_id",
        "log",
        "low_watermark_waiters",
        "min_insync_replicas",
        "replica_watchers",
        "topic",
        "topic_id",
        "watchers",
    )

    def __init__(self, broker: Broker, topic: str, topic_id: bytes, index: int, log: Log, high_watermark: int) -> None:
        self._broker = broker
        self.topic = topic
        self.is_internal = is_internal(topic)
        self.topic_id = topic_id
        self.index = index
        self.log = log
        self.appended_bytes = 0
        self.leader_id = -1
        self.leader_epoch = NO_EPOCH
        self.min_insync_replicas = 1
        # None while another broker leads.
        self.leader: LeaderState | None = None
        # As of the time when this broker last led, or as the leader told.
        self._high_watermark = high_watermark
        # Ordered, so that a simulation wakes them in the same order each time.
        self.watchers: dict[Watcher, None] = {}
        self.replica_watchers: dict[Watcher, None] = {}
        self.commit_waiters: deque[tuple[int, Acked]] = deque()
        self.low_watermark_waiters: list[tuple[int, Acked]] = []
        self._flush_waiters: list[tuple[int, Acked]] = []
        self._flushing = False

    # leadership

    def lead(self, state: PartitionImage) -> bool:
        """This broker leads from now on, or goes on leading; True when a new reign begins."""
        broker = self._broker
        self.leader_id = broker.node_id
        now_ms = broker.clock.monotonic_ms()
        if self.leader is not None and state.leader_epoch == self.leader_epoch:
            self._replicas_decided(self.leader, state, now_ms)
            return False
        if state.leader_epoch > self.leader_epoch and self.log.offline is None:
            self.log.epochs.assign(state.leader_epoch, self.log.log_end_offset)
        self.leader_epoch = state.leader_epoch
        self._keep_tail(state)
        self.leader = LeaderState(
            broker.node_id,
            state.leader_epoch,
            state.isr,
            self.log.log_end_offset,
            self.high_watermark,
            replicas=state.replicas,
            partition_epoch=state.partition_epoch,
            min_isr=self.min_insync_replicas,
            live=broker.live_brokers,
            lag_ms_max=broker.config.replica_lag_time_max_ms,
            lag_messages_max=broker.config.replica_lag_max_messages,
            now_ms=now_ms,
        )
        self._committed(0)
        return True

    def _replicas_decided(self, leader: LeaderState, state: PartitionImage, now_ms: int) -> None:
        if state.replicas != leader.replicas:
            self._keep_tail(state)
            leader.replicas_changed(state.replicas, now_ms)
            leader.min_isr = min(self.min_insync_replicas, len(state.replicas))
        self.isr_decided(state.isr, state.partition_epoch)

    def _keep_tail(self, state: PartitionImage) -> None:
        self.log.tail_bytes_max = TAIL_BYTES_MAX if len(state.replicas) > 1 else 0

    def isr_decided(self, isr: tuple[int, ...], partition_epoch: int) -> None:
        """The controller said who is in sync."""
        leader = self.leader
        assert leader is not None
        if leader.isr_changed(isr, partition_epoch):
            self._committed(0)
        if leader.is_under_min_isr and self.commit_waiters:
            waiters, self.commit_waiters = self.commit_waiters, deque()
            for _, acked in waiters:
                acked(ErrorCode.NOT_ENOUGH_REPLICAS_AFTER_APPEND)
        if self.low_watermark_waiters:
            self.low_watermark_moved()

    def follow(self, state: PartitionImage) -> bool:
        """Another broker leads, or nobody; True when that is news."""
        if self.leader is None and (self.leader_id, self.leader_epoch) == (state.leader, state.leader_epoch):
            return False
        self._high_watermark = self.high_watermark
        self.log.tail, self.log.tail_bytes_max = None, 0
        self.leader, self.leader_id, self.leader_epoch = None, state.leader, state.leader_epoch
        self.fail_waiting(ErrorCode.NOT_LEADER_OR_FOLLOWER)
        return True

    def begin_anew(self, log: Log) -> None:
        """With an empty log, as a follower that has nothing yet; the next `follow` is news."""
        self.log = log
        self.leader, self.leader_id, self._high_watermark = None, NO_EPOCH, 0

    def set_min_insync_replicas(self, count: int) -> None:
        self.min_insync_replicas = count
        leader = self.leader
        if leader is not None:
            leader.min_isr = min(count, len(leader.replicas))
            self.replicas_ticked(self._broker.clock.monotonic_ms())

    def check_epoch(self, epoch: int) -> ErrorCode:
        """How a client's idea of the leader epoch compares with ours; a negative one is no idea."""
        if epoch < 0 or epoch == self.leader_epoch:
            return ErrorCode.NONE
        return ErrorCode.FENCED_LEADER_EPOCH if epoch < self.leader_epoch else ErrorCode.UNKNOWN_LEADER_EPOCH

    def diverging(self, last_fetched_epoch: int, fetch_offset: int) -> tuple[int, int] | None:
        """Epoch and offset from which the reader's records are not ours, or None when they are (KIP-595)."""
        if last_fetched_epoch < 0:
            return None
        epoch, end_offset = self.log.epochs.end_offset_for(last_fetched_epoch, self.log.log_end_offset)
        if epoch < 0 or end_offset < 0:
            raise KafkaError(ErrorCode.OFFSET_OUT_OF_RANGE)
        if epoch < last_fetched_epoch or end_offset < fetch_offset:
            return epoch, end_offset
        return None

    # offsets

    @property
    def high_watermark(self) -> int:
        return self.leader.high_watermark if self.leader is not None else self._high_watermark

    def follower_high_watermark(self, high_watermark: int, bytes_added: int) -> None:
        """What the leader counts as committed, while this broker follows; may go back only when the log was cut."""
        if high_watermark != self._high_watermark:
            self._high_watermark = high_watermark
            if self.log.producers.unreplicated_txns:
                self.log.producers.on_high_watermark(high_watermark)
            for watcher in self.watchers:
                watcher.moved(bytes_added)

    @property
    def last_stable_offset(self) -> int:
        return self.log.last_stable_offset(self.high_watermark)

    @property
    def log_start_offset(self) -> int:
        return self.log.log_start_offset

    @property
    def log_end_offset(self) -> int:
        return self.log.log_end_offset

    # writing

    def append(
        self, batches: Buffer, acks: int, now_ms: int, transactional: bool = False, origin: Origin = Origin.CLIENT
    ) -> AppendInfo:
        """Appends a batch; raises KafkaError for a client's mistakes and OSError for the device's."""
        leader = self.leader
        if leader is None:
            raise KafkaError(ErrorCode.NOT_LEADER_OR_FOLLOWER)
        if acks == -1 and len(leader.isr) < leader.min_isr:
            raise KafkaError(ErrorCode.NOT_ENOUGH_REPLICAS)
        info = self.log.append_as_leader(batches, leader.epoch, now_ms, origin, transactional)
        self.appended_bytes += len(batches)
        if not self.log.needs_flush and leader.appended(self.log.log_end_offset):
            self._committed(len(batches))
        if self.replica_watchers:
            for watcher in self.replica_watchers:
                watcher.moved(len(batches))
        return info

    def append_plain(self, batch: bytearray, now_ms: int, count: int) -> int:
        """The same for a batch that this node has just made of `count` records; gives its base offset."""
        leader = self.leader
        if leader is None:
            raise KafkaError(ErrorCode.NOT_LEADER_OR_FOLLOWER)
        if len(leader.isr) < leader.min_isr:
            raise KafkaError(ErrorCode.NOT_ENOUGH_REPLICAS)
        log, size = self.log, len(batch)
        base_offset = log.append_plain(batch, leader.epoch, now_ms, count)
        self.appended_bytes += size
        if not log.needs_flush and leader.appended(log.log_end_offset):
            self._committed(size)
        if self.replica_watchers:
            for watcher in self.replica_watchers:
                watcher.moved(size)
        return base_offset

    # followers of this leader

    def follower_fetched(
        self, broker_id: int, offset: int, log_start_offset: int, broker_epoch: int, now_ms: int
    ) -> None:
        """A follower has everything before `offset`; may commit records, and bring the follower into the ISR."""
        leader = self.leader
        if leader is None or broker_id not in leader.followers:
            return
        moved = leader.follower_fetched(
            broker_id,
            offset,
            log_start_offset=log_start_offset,
            leader_end=self.log.log_end_offset,
            now_ms=now_ms,
            broker_epoch=broker_epoch,
        )
        if moved:
            self._committed(1)
        if broker_id not in leader.isr and leader.wanted_expansion(broker_id):
            self._broker.isr_changes.propose(self, leader.propose_expansion(broker_id))
        if self.low_watermark_waiters:
            self.low_watermark_moved()

    def follower_answered(self, broker_id: int, now_ms: int) -> None:
        """A follower's fetch that waited is answered with what there is now."""
        leader = self.leader
        if leader is not None and broker_id in leader.followers:
            leader.follower_answered(broker_id, self.log.log_end_offset, now_ms)

    def replicas_ticked(self, now_ms: int) -> None:
        """Time has passed or brokers came and went: whoever has not kept up leaves the ISR."""
        leader = self.leader
        if leader is None or not leader.followers:
            return
        if leader.tick(now_ms):
            self._committed(1)
        if leader.proposal is None:
            lagging = leader.lagging(now_ms)
            if lagging:
                self._broker.isr_changes.propose(self, leader.propose_shrink(lagging))

    def low_watermark_moved(self) -> None:
        leader = self.leader
        if leader is None:
            return
        low_watermark = leader.low_watermark(self.log.log_start_offset)
        due = [each for each in self.low_watermark_waiters if each[0] <= low_watermark]
        if due:
            self.low_watermark_waiters = [each for each in self.low_watermark_waiters if each[0] > low_watermark]
            for _, done in due:
                done(ErrorCode.NONE)

    def delete_records(self, offset: int | None) -> int:
        """Moves the start of the log up to `offset`, or to the high watermark; gives where it begins now."""
        high_watermark = self.high_watermark
        wanted = high_watermark if offset is None else offset
        if not self.log.config.delete:
            raise KafkaError(ErrorCode.POLICY_VIOLATION)
        if wanted < 0 or wanted > high_watermark:
            raise KafkaError(ErrorCode.OFFSET_OUT_OF_RANGE)
        self.log.increment_log_start_offset(wanted, high_watermark)
        return self.log.log_start_offset

    def is_acked(self, acks: int, end_offset: int) -> bool:
        """Whether an append up to `end_offset` may be acknowledged now; if not, `when_acked` says when."""
        leader = self.leader
        if leader is None:
            return False
        return leader.high_watermark >= end_offset if acks == -1 else leader.end_offset >= end_offset

    def when_acked(self, acks: int, end_offset: int, acked: Acked) -> None:
        leader = self.leader
        if leader is not None and leader.end_offset < end_offset:
            self._flush_waiters.append((end_offset, self._then_commit(end_offset, acked) if acks == -1 else acked))
            self.start_flush()
        else:
            self.commit_waiters.append((end_offset, acked))

    def _then_commit(self, end_offset: int, acked: Acked) -> Acked:
        def flushed(error: ErrorCode) -> None:
            if error or self.is_acked(-1, end_offset):
                acked(error)
            else:
                self.commit_waiters.append((end_offset, acked))

        return flushed

    def start_flush(self) -> None:
        """One flush at a time: appends that come while it runs share the next one."""
        if not self._flushing:
            self._flushing = True
            self._broker.spawn(self._flush())

    async def _flush(self) -> None:
        try:
            while self._flush_waiters or self.log.needs_flush:
                end_offset = self.log.log_end_offset
                await self._broker.logs.flush(self.log)
                self._flushed(end_offset)
        except (OSError, KafkaError):  # the device failed, now or under another log of the directory
            self.fail_waiting(ErrorCode.KAFKA_STORAGE_ERROR)
        finally:
            self._flushing = False

    def _flushed(self, end_offset: int) -> None:
        leader = self.leader
        if leader is not None and leader.appended(max(end_offset, leader.end_offset)):
            self._committed(1)
        waiters = self._flush_waiters
        self._flush_waiters = [each for each in waiters if each[0] > end_offset]
        for needed, acked in waiters:
            if needed <= end_offset:
                acked(ErrorCode.NONE)

    def _committed(self, bytes_added: int) -> None:
        """The high watermark moved: acknowledgements are due, and waiting fetches have more to read."""
        if self.log.producers.unreplicated_txns and self.leader is not None:
            self.log.producers.on_high_watermark(self.leader.high_watermark)
        waiters = self.commit_waiters
        if waiters and self.leader is not None:
            high_watermark = self.leader.high_watermark
            while waiters and waiters[0][0] <= high_watermark:
                waiters.popleft()[1](ErrorCode.NONE)
        if self.watchers:
            for watcher in self.watchers:
                watcher.moved(bytes_added)

    def fail_waiting(self, error: ErrorCode) -> None:
        """Leadership, the directory or the partition itself is gone: nobody waits for it in vain."""
        waiters = [*self._flush_waiters, *self.commit_waiters, *self.low_watermark_waiters]
        self._flush_waiters.clear()
        self.commit_waiters.clear()
        self.low_watermark_waiters.clear()
        for _, acked in waiters:
            acked(error)
        for watcher in [*self.watchers, *self.replica_watchers]:
            watcher.moved(1 << 40)
