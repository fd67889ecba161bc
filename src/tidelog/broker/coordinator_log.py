"""A partition of an internal topic, as the driver of its coordinator uses it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from typing import TYPE_CHECKING

from tidelog.broker.partition import Partition
from tidelog.log.append import Origin
from tidelog.log.markers import marker_records
from tidelog.log.reading import read
from tidelog.ports import Buffer
from tidelog.protocol.errors import ErrorCode, KafkaError
from tidelog.protocol.record_batch import CONTROL_FLAG, TRANSACTIONAL_FLAG, plain_batch, read_header

if TYPE_CHECKING:
    from tidelog.broker.broker import Broker

ALL = -1
_MARKER = TRANSACTIONAL_FLAG | CONTROL_FLAG


class PartitionLog:
    def __init__(self, broker: Broker, partition: Partition, load_bytes: int) -> None:
        self._broker = broker
        self._partition = partition
        self._load_bytes = load_bytes

    def append(self, batch: bytearray, count: int, now_ms: int, in_transaction: bool) -> int:
        partition = self._partition
        if len(batch) > partition.log.config.max_message_bytes:
            raise KafkaError(ErrorCode.MESSAGE_TOO_LARGE)  # a member with megabytes to say must not stop its readers
        if in_transaction:
            return append_internal(self._broker, partition, batch)
        return partition.append_plain(batch, now_ms, count)

    def is_committed(self, next_offset: int) -> bool:
        leader = self._partition.leader
        return leader is not None and leader.high_watermark >= next_offset

    def when_committed(self, next_offset: int, done: Callable[[ErrorCode], None]) -> None:
        if self._partition.leader is None:
            done(ErrorCode.NOT_COORDINATOR)
        elif self._partition.is_acked(ALL, next_offset):
            done(ErrorCode.NONE)
        else:
            self._partition.when_acked(ALL, next_offset, done)

    async def read_all(self) -> AsyncIterator[Buffer]:
        """A log that cannot be read fails its directory, so that a replica leads whose coordinator can be loaded."""
        log = self._partition.log
        offset, end_offset = log.log_start_offset, log.log_end_offset
        while offset < end_offset:
            log = self._partition.log
            try:
                found = read(log, offset, self._load_bytes, end_offset)
                if found is None:
                    return
                chunk = await self._broker.blocking.run(found.file.pread, found.length, found.position)
            except OSError as error:
                if log is not self._partition.log:
                    continue  # it has moved to another directory, and is read there
                log.failed(error)
                raise
            yield chunk
            offset = _end_of(chunk)


def _end_of(chunk: bytes) -> int:
    """The offset behind the last batch of a chunk of whole batches."""
    position = next_offset = 0
    while position < len(chunk):
        header = read_header(chunk, position)
        next_offset = header.next_offset
        position += header.size
    return next_offset


def append_internal(broker: Broker, partition: Partition, batch: bytearray) -> int:
    """Appends what the broker itself has to say; gives the base offset."""
    info = partition.append(memoryview(batch), ALL, broker.clock.now_ms(), origin=Origin.COORDINATOR)
    return info.base_offset


def append_marker(
    broker: Broker, partition: Partition, producer_id: int, epoch: int, coordinator_epoch: int, committed: bool
) -> int:
    """Ends a producer's transaction in this partition; gives the offset behind the marker."""
    if partition.leader is None:
        raise KafkaError(ErrorCode.NOT_LEADER_OR_FOLLOWER)
    now_ms = broker.clock.now_ms()
    batch = plain_batch([marker_records(committed, coordinator_epoch)], now_ms, producer_id, epoch, _MARKER)
    return append_internal(broker, partition, batch) + 1
