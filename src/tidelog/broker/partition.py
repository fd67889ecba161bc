"""One hosted partition: the log, the leader's view of its replicas, and the requests that wait for it to move.

A waiting request is a callback in one of three lists, never a task. Appends of one turn of the loop wake the waiting
fetches once, at the end of that turn, so that a fetch takes what all of them wrote.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

from tidelog.broker.topics import is_internal
from tidelog.log.append import AppendInfo, Origin
from tidelog.log.log import Log
from tidelog.ports import Buffer
from tidelog.protocol.errors import ErrorCode, KafkaError
from tidelog.replication.leader import LeaderState

if TYPE_CHECKING:
    from tidelog.broker.broker import Broker

NO_EPOCH = -1


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
        "appended_bytes",
        "commit_waiters",
        "index",
        "is_internal",
        "leader",
        "leader_epoch",
        "leader_id",
        "log",
        "min_insync_replicas",
        "topic",
        "topic_id",
        "watchers",
    )

    def __init__(self, broker: Broker, topic: str, topic_id: bytes, index: int, log: Log) -> None:
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
        self.watchers: set[Watcher] = set()
        self.commit_waiters: deque[tuple[int, Acked]] = deque()
        self._flush_waiters: list[tuple[int, Acked]] = []
        self._flushing = False

    # leadership

    def lead(self, epoch: int, isr: tuple[int, ...], high_watermark: int) -> None:
        """This broker leads from now on, or goes on leading with another epoch or set of replicas."""
        self.leader_id = self._broker.node_id
        if self.leader is not None and epoch == self.leader_epoch:
            if self.leader.isr_changed(isr):
                self._committed(0)
            return
        if epoch > self.leader_epoch:
            self.log.epochs.assign(epoch, self.log.log_end_offset)
        self.leader_epoch = epoch
        known = self.leader.high_watermark if self.leader is not None else high_watermark
        self.leader = LeaderState(self._broker.node_id, epoch, isr, self.log.log_end_offset, known)
        self._committed(0)

    def follow(self, leader_id: int, epoch: int) -> None:
        self.leader, self.leader_id, self.leader_epoch = None, leader_id, epoch
        self.fail_waiting(ErrorCode.NOT_LEADER_OR_FOLLOWER)

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
        return self.leader.high_watermark if self.leader is not None else self.log.log_end_offset

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
        if acks == -1 and len(leader.isr) < self.min_insync_replicas:
            raise KafkaError(ErrorCode.NOT_ENOUGH_REPLICAS)
        info = self.log.append_as_leader(batches, leader.epoch, now_ms, origin, transactional)
        self.appended_bytes += len(batches)
        if not self.log.needs_flush and leader.appended(self.log.log_end_offset):
            self._committed(len(batches))
        return info

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
        except OSError:
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
        waiters = [*self._flush_waiters, *self.commit_waiters]
        self._flush_waiters.clear()
        self.commit_waiters.clear()
        for _, acked in waiters:
            acked(error)
        for watcher in list(self.watchers):
            watcher.moved(1 << 40)
