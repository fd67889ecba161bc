"""Reads partitions for a fetch: how far the reader may see, what it gets, and why not.

Three kinds of reader: a consumer at the leader, a consumer at a follower (from version 11 on, up to what that knows to
be committed), and a follower, which reads to the end of the leader's log and thereby says how far it is itself.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from tidelog.broker.fetch_sessions import CachedPartition, Wanted
from tidelog.broker.partition import Partition
from tidelog.broker.replica_selector import preferred_replica
from tidelog.log.errors import WouldBlock
from tidelog.log.reading import IndexMismatch
from tidelog.log.txn_index import AbortedTxn
from tidelog.ports import FileRange
from tidelog.protocol.errors import ErrorCode, KafkaError

if TYPE_CHECKING:
    from tidelog.broker.broker import Broker

LOG = logging.getLogger(__name__)
READ_COMMITTED = 1
CONSUMER = -1
NONE = int(ErrorCode.NONE)
NO_REPLICA = -1
_TIERED = ErrorCode.OFFSET_MOVED_TO_TIERED_STORAGE


class Reader(NamedTuple):
    """Who fetches: a follower if `replica` is a broker's id, else a consumer."""

    isolation: int
    replica: int
    replica_epoch: int
    at_any_replica: bool  # the leader is not the only one it reads from
    rack: str


class Ask:
    """One partition of one fetch: what is asked, and what was found at the last look."""

    __slots__ = (
        "aborted",
        "blocked",
        "cached",
        "diverging",
        "error",
        "far",
        "fetch_offset",
        "follower_start",
        "high_watermark",
        "index",
        "last_fetched_epoch",
        "last_stable_offset",
        "leader_epoch",
        "log_start_offset",
        "max_bytes",
        "partition",
        "preferred",
        "records",
        "topic",
    )

    def __init__(self, wanted: Wanted, partition: Partition | None, cached: CachedPartition | None) -> None:
        (
            self.topic,
            self.index,
            self.leader_epoch,
            self.fetch_offset,
            self.last_fetched_epoch,
            self.follower_start,
            self.max_bytes,
        ) = wanted
        self.preferred = NO_REPLICA
        self.partition = partition
        # What the fetch session remembers of the partition, if there is one.
        self.cached = cached
        self.error = NONE
        self.records: FileRange | None = None
        # Aborted transactions in what was read; None when the reader did not ask for committed records only.
        self.aborted: list[AbortedTxn] | None = None
        self.diverging: tuple[int, int] | None = None
        self.high_watermark = self.last_stable_offset = self.log_start_offset = -1
        self.blocked = False
        # What is asked for lies in remote storage.
        self.far = False

    def ask_again(self, wanted: Wanted, partition: Partition | None) -> None:
        """The next fetch of the same partition in the same session."""
        _, _, self.leader_epoch, self.fetch_offset, self.last_fetched_epoch, self.follower_start, self.max_bytes = (
            wanted
        )
        self.partition = partition
        self.error = NONE
        self.preferred = NO_REPLICA
        self.records = self.aborted = self.diverging = None
        self.high_watermark = self.last_stable_offset = self.log_start_offset = -1
        self.blocked = self.far = False

    def missing(self, error: ErrorCode) -> None:
        """The partition is not here."""
        self.error = int(error)
        self.aborted = []

    def fail(self, error: ErrorCode) -> None:
        self.error = int(error)
        self.records = self.aborted = None
        self.high_watermark = self.last_stable_offset = self.log_start_offset = -1


def read_all(
    broker: Broker, asks: Iterable[Ask], max_bytes: int, reader: Reader, wait: bool, in_thread: bool = False
) -> int:
    """Reads in the order of the request until `max_bytes` are found; gives how many were.

    The first batch of the whole fetch is given however large it is, so that a reader with small limits gets on. An ask
    that would have to wait for the device is marked as blocked, unless `wait`. A device that fails is an error of the
    ask; in a thread it is raised, because directories fail on the loop's thread alone.
    """
    total = 0
    for ask in asks:
        partition = ask.partition
        if partition is None:
            continue
        ask.blocked = ask.far = False
        ask.error = NONE
        limit = min(ask.max_bytes, max_bytes - total)
        try:
            _read(broker, ask, partition, limit, reader, total == 0, not wait)
        except KafkaError as error:
            if error.code is _TIERED and reader.replica < 0 and broker.remote is not None:
                ask.far, ask.records = True, None
            else:
                ask.fail(error.code)
        except IndexMismatch as error:
            LOG.error("%s-%d cannot be read: %s", partition.topic, partition.index, error)
            ask.fail(ErrorCode.CORRUPT_MESSAGE)
        except WouldBlock:
            ask.blocked = True
            ask.records = None
        except OSError as error:
            if in_thread:
                raise
            broker.read_failed(partition, partition.log, error)
            ask.fail(ErrorCode.KAFKA_STORAGE_ERROR)
        if ask.records is not None:
            total += ask.records.length
    return total


def has_all(asks: Sequence[Ask], reader: Reader) -> bool:
    """Whether this is a follower of one partition that has all of the leader's log, as it is most of the time: then
    there is nothing to look for."""
    if len(asks) != 1 or reader.replica < 0:
        return False
    ask = asks[0]
    partition = ask.partition
    if partition is None or partition.leader is None or ask.leader_epoch != partition.leader_epoch:
        return False
    log = partition.log
    return (
        ask.fetch_offset == log.log_end_offset
        and ask.last_fetched_epoch == log.epochs.latest
        and log.offline is None
        and reader.replica in partition.leader.followers
    )


def note_progress(broker: Broker, asks: Iterable[Ask], reader: Reader) -> None:
    """A follower that asks from an offset has what is before it. On the loop's thread only."""
    now_ms = broker.clock.monotonic_ms()
    for ask in asks:
        partition = ask.partition
        if partition is None or ask.error or ask.diverging is not None or ask.blocked:
            continue
        partition.follower_fetched(reader.replica, ask.fetch_offset, ask.follower_start, reader.replica_epoch, now_ms)
        ask.high_watermark = partition.high_watermark


def note_answer(broker: Broker, asks: Iterable[Ask], reader: Reader) -> None:
    """A follower that waited gets its answer now. On the loop's thread only."""
    now_ms = broker.clock.monotonic_ms()
    for ask in asks:
        partition = ask.partition
        if partition is not None and not ask.error and ask.diverging is None and not ask.blocked:
            partition.follower_answered(reader.replica, now_ms)


def note_given(broker: Broker, asks: Iterable[Ask]) -> None:
    """What a throttle counts."""
    now_ms = broker.clock.monotonic_ms()
    for ask in asks:
        if ask.partition is not None and ask.records is not None:
            broker.throttles.gave(ask.partition, ask.records.length, now_ms)


def _read(
    broker: Broker, ask: Ask, partition: Partition, limit: int, reader: Reader, min_one: bool, nowait: bool
) -> None:
    leader = partition.leader
    epoch = ask.leader_epoch
    replica = reader.replica
    if leader is None and (replica >= 0 or not reader.at_any_replica):
        raise KafkaError(ErrorCode.NOT_LEADER_OR_FOLLOWER)
    if epoch >= 0 and epoch != partition.leader_epoch:
        raise KafkaError(partition.check_epoch(epoch))
    if replica >= 0 and leader is not None and replica not in leader.followers:
        raise KafkaError(ErrorCode.NOT_LEADER_OR_FOLLOWER)
    log = partition.log
    offset = ask.fetch_offset
    is_same = ask.last_fetched_epoch < 0 or (
        ask.last_fetched_epoch == log.epochs.latest and offset <= log.log_end_offset
    )
    ask.diverging = None if is_same else partition.diverging(ask.last_fetched_epoch, offset)
    ask.log_start_offset = log.log_start_offset
    ask.high_watermark = high_watermark = partition.high_watermark
    stable = log.last_stable_offset(high_watermark)
    ask.last_stable_offset = stable
    if ask.diverging is not None:
        ask.records = None
        return
    if reader.rack and leader is not None and replica < 0:
        ask.preferred = preferred_replica(broker, partition, ask.fetch_offset, reader.rack)
        if ask.preferred >= 0:
            ask.records = None
            return
    committed = reader.isolation == READ_COMMITTED
    upper = stable if committed else high_watermark if replica < 0 else log.log_end_offset
    records = None
    if replica >= 0 and broker.throttles.holds_back(partition, replica, broker.clock):
        ask.records = None
        return
    if limit > 0 or min_one or not log.log_start_offset <= offset <= log.log_end_offset:
        records = log.read(offset, limit, upper, min_one, nowait)
    ask.records = records
    ask.aborted = log.aborted_transactions(offset, records) if committed else None
