"""Reads a range of one partition as Arrow batches: a fetch is on its way while the one before it is decoded.

What is not there is told apart. Records that compaction or an aborted transaction took away are no loss: the range has
gaps. Offsets below the start of the log, a range that ends behind its end, and a topic that was made anew are `Loss`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import pyarrow as pa

from tidelog import kernels
from tidelog.client.blocking import BlockingCluster, BlockingConnection
from tidelog.client.cluster import is_retriable
from tidelog.client.columnar_arrow import ColumnBuilder
from tidelog.client.errors import ClientError, UnknownTopic
from tidelog.model import uuids
from tidelog.protocol.errors import ErrorCode, KafkaError
from tidelog.protocol.messages.fetch import EpochEndOffset, FetchPartition, FetchRequest, FetchTopic
from tidelog.protocol.record_batch import HEADER_BYTES, BatchHeader, CorruptBatch, marker_type, records_body

_BY_TOPIC_ID = 13
_MAX_WAIT_MS = 500
_UNCOMMITTED, _COMMITTED = 0, 1
_PATIENT = {ErrorCode.UNKNOWN_TOPIC_ID, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, ErrorCode.INCONSISTENT_TOPIC_ID}


class Range(NamedTuple):
    """Offsets from `start` to before `end` of one partition; `topic_id` is zero when any topic of the name will do."""

    topic: str
    partition: int
    start: int
    end: int
    topic_id: bytes = uuids.ZERO


class Loss(ClientError):
    """Offsets of the range that were there once, or should be there, and are not."""

    def __init__(self, range_: Range, first: int, end: int, reason: str) -> None:
        super().__init__(f"{range_.topic}-{range_.partition}: offsets {first} to {end - 1} are lost: {reason}")
        self.first = first
        self.end = end
        self.reason = reason


class Limits(NamedTuple):
    """How large an Arrow batch and a fetch may become, and how long a fetch may bring nothing."""

    rows: int = 65_536
    bytes: int = 32 * 1024 * 1024
    fetch_bytes: int = 8 * 1024 * 1024
    patience_s: float = 60.0


class Marker(NamedTuple):
    """The end of a transaction in the partition."""

    offset: int
    producer_id: int
    is_commit: bool


class RangeReader:
    def __init__(
        self,
        cluster: BlockingCluster,
        range_: Range,
        schema: pa.Schema,
        *,
        committed: bool = True,
        check_crcs: bool = True,
        limits: Limits = Limits(),  # noqa: B008 - immutable
        on_loss: Callable[[Loss], None] | None = None,
        on_marker: Callable[[Marker], None] | None = None,
    ) -> None:
        self._cluster = cluster
        self._range = range_
        self._builder = ColumnBuilder(range_.topic, range_.partition, schema, limits.rows, limits.bytes)
        self._committed = committed
        self._check_crcs = check_crcs
        self._limits = limits
        self._on_loss = on_loss
        self._on_marker = on_marker
        self.position = range_.start
        self._leader_epoch = -1
        """Of the last batch that was read: a leader which does not have it so says where the histories part."""

    def batches(self) -> Iterator[pa.RecordBatch]:
        """Arrow batches until the end of the range. `on_loss` raises, or returns to go on behind what is lost."""
        connection: BlockingConnection | None = None
        try:
            while self.position < self._range.end:
                if connection is None or not connection.in_flight:
                    connection = self._cluster.retrying(self._ask)
                row = self._receive(connection) if connection is not None else None
                if connection is None or row is None:
                    continue
                found, after, self._leader_epoch = self._walk(row)
                if after < self._range.end:
                    self._prefetch(connection, after)
                for body, header in found:
                    yield from self._add(body, header)
                self.position = max(self.position, after)
            if self._builder.count:
                yield self._builder.take()
        finally:
            if connection is not None and connection.in_flight:
                connection.close()  # an answer that nobody reads must not be taken for the next one's

    def first_answer(self, size: int) -> Any | None:
        """What one fetch of about `size` bytes from the start of the range brings; None when that is nothing."""
        self._limits = self._limits._replace(fetch_bytes=size)
        connection = self._cluster.retrying(self._ask)
        return self._receive(connection) if connection is not None else None

    def _add(self, body: bytes | memoryview, header: BatchHeader) -> Iterator[pa.RecordBatch]:
        done = 0
        while done >= 0:
            done = self._builder.add(body, header, self._range.start, self._range.end, done)
            if self._builder.is_full:
                yield self._builder.take()

    # Requests.

    def _ask(self) -> BlockingConnection | None:
        """The leader's connection, with a request on its way; None when there is nothing left to ask for."""
        try:
            connection = self._cluster.leader(self._range.topic, self._range.partition)
        except UnknownTopic:
            self._lost(self.position, self._range.end, "the topic was deleted")
            return None
        wanted, found = self._range.topic_id, self._cluster.topic(self._range.topic).topic_id
        if uuids.ZERO not in (wanted, found) and wanted != found:
            self._lost(self.position, self._range.end, "the topic was deleted and made anew under the same name")
            return None
        self._send(connection, self.position)
        return connection

    def _prefetch(self, connection: BlockingConnection, offset: int) -> None:
        try:
            self._send(connection, offset)
        except ClientError as error:
            if not is_retriable(error):  # the connection is closed, and asking again opens another
                raise

    def _send(self, connection: BlockingConnection, offset: int) -> None:
        range_, view = self._range, self._cluster.topic(self._range.topic)
        partition = FetchPartition(
            partition=range_.partition,
            current_leader_epoch=view.partitions[range_.partition].leader_epoch,
            fetch_offset=offset,
            last_fetched_epoch=self._leader_epoch,
            partition_max_bytes=self._limits.fetch_bytes,
        )
        version = connection.version_for(FetchRequest)
        topic = FetchTopic(topic=range_.topic, partitions=[partition])
        if version >= _BY_TOPIC_ID:
            topic.topic_id = view.topic_id
        request = FetchRequest(
            max_wait_ms=_MAX_WAIT_MS,
            min_bytes=1,
            max_bytes=max(self._limits.fetch_bytes, 1),
            isolation_level=_COMMITTED if self._committed else _UNCOMMITTED,
            session_epoch=-1,
            topics=[topic],
            rack_id="",
        )
        connection.send(request, version)

    # Answers.

    def _receive(self, connection: BlockingConnection) -> Any | None:
        """The partition's part of the answer; None when it brought nothing and another request is due."""
        try:
            answer = connection.receive(reuse=True)
        except ClientError as error:
            if not is_retriable(error) or self._is_out_of_patience():
                raise
            self._cluster.forget(self._range.topic)
            return None
        code = ErrorCode.of(answer.error_code)
        row = None
        if not code:
            row = answer.responses[0].partitions[0]
            code = ErrorCode.of(row.error_code)
        if code == ErrorCode.OFFSET_OUT_OF_RANGE:
            self._out_of_range()
            return None
        if code:
            self._failed(code)
            return None
        assert row is not None
        if row.diverging_epoch.epoch >= 0:
            self._diverged(row.diverging_epoch)
            return None
        if row.records:
            return row
        self._nothing(row)
        return None

    def _failed(self, code: ErrorCode) -> None:
        self._cluster.forget(self._range.topic)
        if (not code.retriable and code not in _PATIENT) or self._is_out_of_patience():
            raise KafkaError(code, f"{self._range.topic}-{self._range.partition}: {code.message}")
        time.sleep(self._cluster.settings.seconds("retry.backoff.ms"))

    def _out_of_range(self) -> None:
        start, end = self._log_range()
        if self.position < start:
            self._lost(self.position, min(start, self._range.end), "they are older than what the topic still holds")
        elif self.position > end:
            self._lost(self.position, self._range.end, f"the partition ends at offset {end}")

    def _diverged(self, found: EpochEndOffset) -> None:
        if found.end_offset >= self.position:
            self._leader_epoch = found.epoch  # compaction left nothing of ours, and the one before it is as good
            return
        self._leader_epoch = -1
        reason = f"a leader without them was elected, and the partition differs from offset {found.end_offset} on"
        self._lost(found.end_offset, self.position, reason)

    def _log_range(self) -> tuple[int, int]:
        from tidelog.client.blocking_offsets import EARLIEST, LATEST, list_offsets

        key = (self._range.topic, self._range.partition)
        return tuple(  # type: ignore[return-value]
            list_offsets(self._cluster, {key: moment}, committed=False)[key] for moment in (EARLIEST, LATEST)
        )

    def _nothing(self, row: Any) -> None:
        """An empty answer is right while a transaction is open; a log that is shorter than the range is a loss."""
        if not self._is_out_of_patience():
            return  # what is missing may arrive, or has done so in the moment between
        if row.high_watermark < self._range.end:
            self._lost(self.position, self._range.end, f"the partition ends at offset {row.high_watermark}")
            return
        if row.last_stable_offset >= self._range.end:
            raise ClientError(
                f"{self._range.topic}-{self._range.partition}: nothing comes from offset {self.position} on, "
                f"though the partition ends at {row.high_watermark}; kafka-dump-log shows what is in the segment"
            )
        raise ClientError(
            f"{self._range.topic}-{self._range.partition}: a transaction that is still open holds back offset "
            f"{row.last_stable_offset}; end it (kafka-transactions lists it), or read with isolation read_uncommitted"
        )

    _waiting_at = -1
    _waiting_since = 0.0

    def _is_out_of_patience(self) -> bool:
        """Whether the position has not moved for as long as is allowed."""
        if self._waiting_at != self.position:
            self._waiting_at, self._waiting_since = self.position, time.monotonic()
        return time.monotonic() >= self._waiting_since + self._limits.patience_s

    def _lost(self, first: int, end: int, reason: str) -> None:
        loss = Loss(self._range, first, end, reason)
        if self._on_loss is None:
            raise loss
        self._on_loss(loss)
        self.position = max(self.position, end)

    # Batches.

    def _walk(self, row: Any) -> tuple[list[tuple[bytes | memoryview, BatchHeader]], int, int]:
        """The batches that count, inflated, the offset behind the last one, and its leader epoch."""
        records = memoryview(row.records)
        found, stopped, why = kernels.walk_batches(records, 0, len(records), self._check_crcs)
        if why > 1:
            raise CorruptBatch(
                f"{self._range.topic}-{self._range.partition}: the batch {stopped} bytes into the fetch from offset "
                f"{self.position} is damaged; kafka-dump-log shows what is in the segment"
            )
        after, epoch = self.position, self._leader_epoch
        kept = []
        pending = sorted(row.aborted_transactions or (), key=lambda each: each.first_offset, reverse=True)
        dead: set[int] = set()
        for pos, fields in found:
            header = BatchHeader(*fields)
            after = header.next_offset
            epoch = header.partition_leader_epoch
            if header.base_offset >= self._range.end:
                break
            while pending and pending[-1].first_offset <= header.last_offset:
                dead.add(pending.pop().producer_id)
            if header.is_control:
                is_commit = marker_type(records, pos)
                if is_commit is False:
                    dead.discard(header.producer_id)
                if is_commit is not None and self._on_marker is not None:
                    self._on_marker(Marker(header.base_offset, header.producer_id, is_commit))
            elif after > self._range.start and not (header.is_transactional and header.producer_id in dead):
                kept.append((_body(records, pos, header), header))
        if not found:
            raise ClientError(
                f"{self._range.topic}-{self._range.partition}: a batch at offset {self.position} is larger than "
                f"{self._limits.fetch_bytes} bytes; raise max.partition.fetch.bytes"
            )
        return kept, after, epoch


def _body(records: memoryview, pos: int, header: BatchHeader) -> bytes | memoryview:
    if header.codec:
        return records_body(records, pos, header)
    return records[pos + HEADER_BYTES : pos + header.size]
