"""Reads partitions for a fetch: how far the reader may see, what it gets, and why not."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from tidelog.broker.fetch_sessions import CachedPartition
from tidelog.broker.partition import Partition
from tidelog.log.errors import WouldBlock
from tidelog.log.txn_index import AbortedTxn
from tidelog.ports import FileRange
from tidelog.protocol.errors import ErrorCode, KafkaError

if TYPE_CHECKING:
    from tidelog.broker.broker import Broker

READ_COMMITTED = 1
CONSUMER = -1
NONE = int(ErrorCode.NONE)


class Ask:
    """One partition of one fetch: what is asked, and what was found at the last look."""

    __slots__ = (
        "aborted",
        "blocked",
        "cached",
        "diverging",
        "error",
        "high_watermark",
        "last_stable_offset",
        "log_start_offset",
        "partition",
        "records",
    )

    def __init__(self, cached: CachedPartition, partition: Partition | None, error: int = NONE) -> None:
        self.cached = cached
        self.partition = partition
        self.error = error
        self.records: FileRange | None = None
        # Aborted transactions in what was read; None when the reader did not ask for committed only.
        self.aborted: list[AbortedTxn] | None = None if partition is not None else []
        self.diverging: tuple[int, int] | None = None
        self.high_watermark = self.last_stable_offset = self.log_start_offset = -1
        self.blocked = False

    def fail(self, error: ErrorCode) -> None:
        self.error = int(error)
        self.records = self.aborted = None
        self.high_watermark = self.last_stable_offset = self.log_start_offset = -1


def read_all(broker: Broker, asks: Iterable[Ask], max_bytes: int, isolation: int, replica: int, wait: bool) -> int:
    """Reads in the order of the request until `max_bytes` are found; gives how many were.

    The first batch of the whole fetch is given however large it is, so that a reader with small limits gets on. An ask
    that would have to wait for the device is marked as blocked, unless `wait`.
    """
    total = 0
    for ask in asks:
        partition = ask.partition
        if partition is None:
            continue
        ask.blocked = False
        ask.error = NONE
        limit = min(ask.cached.max_bytes, max_bytes - total)
        try:
            _read(ask, partition, limit, isolation, replica, total == 0, not wait)
        except KafkaError as error:
            ask.fail(error.code)
        except WouldBlock:
            ask.blocked = True
            ask.records = None
        except OSError as error:
            broker.storage_failed(partition, error)
            ask.fail(ErrorCode.KAFKA_STORAGE_ERROR)
        if ask.records is not None:
            total += ask.records.length
    return total


def _read(
    ask: Ask, partition: Partition, limit: int, isolation: int, replica: int, min_one: bool, nowait: bool
) -> None:
    leader = partition.leader
    cached = ask.cached
    epoch = cached.current_leader_epoch
    if leader is None:
        raise KafkaError(ErrorCode.NOT_LEADER_OR_FOLLOWER)
    if epoch >= 0 and epoch != partition.leader_epoch:
        raise KafkaError(partition.check_epoch(epoch))
    if replica >= 0 and (replica == leader.local_id or replica not in leader.isr):
        raise KafkaError(ErrorCode.NOT_LEADER_OR_FOLLOWER)
    log = partition.log
    ask.diverging = partition.diverging(cached.last_fetched_epoch, cached.fetch_offset)
    ask.log_start_offset = log.log_start_offset
    ask.high_watermark = high_watermark = leader.high_watermark
    stable = log.last_stable_offset(high_watermark)
    ask.last_stable_offset = stable
    if ask.diverging is not None:
        ask.records = None
        return
    committed = isolation == READ_COMMITTED
    upper = stable if committed else high_watermark if replica < 0 else log.log_end_offset
    offset = cached.fetch_offset
    records = None
    if limit > 0 or min_one or not log.log_start_offset <= offset <= log.log_end_offset:
        records = log.read(offset, limit, upper, min_one, nowait)
    ask.records = records
    ask.aborted = log.aborted_transactions(offset, records) if committed else None
