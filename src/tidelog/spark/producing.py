"""Arrow batches to partitions: rows are sorted and encoded by the compiled kernel and sent as they are, in order.

A few requests are on their way at a time. When one fails for a reason that passes, everything that was not
acknowledged is sent again in order; sequence numbers keep the broker from storing a batch twice.
"""

from __future__ import annotations

import sys
import time
from collections import deque
from collections.abc import Callable
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc
from crc32c import crc32c

from tidelog import kernels
from tidelog.client.blocking import BlockingCluster, BlockingConnection
from tidelog.client.blocking_offsets import TopicPartition
from tidelog.client.cluster import is_retriable
from tidelog.client.errors import ClientError
from tidelog.client.settings import ClientSettings
from tidelog.protocol.compression import Codec, compress
from tidelog.protocol.errors import ErrorCode, KafkaError
from tidelog.protocol.messages.produce import PartitionProduceData, ProduceRequest, TopicProduceData
from tidelog.protocol.record_batch import (
    ATTRIBUTES_POSITION,
    CRC_POSITION,
    HEADER,
    HEADER_BYTES,
    LOG_OVERHEAD,
    MAGIC,
    TRANSACTIONAL_FLAG,
)
from tidelog.spark.transactions import Identity

_BY_NAME = 11
"""The newest Produce that names topics and leaves adding partitions to the client."""
_IN_FLIGHT_MAX = 4
_BATCH_BYTES = 768 * 1024
_EMPTY = memoryview(b"")


class Encoded(NamedTuple):
    """The records of one batch without its header."""

    body: bytes | bytearray | memoryview
    records: int
    timestamp: int


class _Sent(NamedTuple):
    node_id: int
    batches: dict[TopicPartition, bytes]


class PartitionWriter:
    """Sends batches of one producer. `before_first` is called with partitions that it has not written to yet."""

    def __init__(
        self,
        cluster: BlockingCluster,
        settings: ClientSettings,
        identity: Identity,
        before_first: Callable[[set[TopicPartition]], None] | None = None,
    ) -> None:
        self._cluster = cluster
        self._identity = identity
        self._codec = Codec[settings["compression.type"].upper()]
        self._acks = settings["acks"] if not identity.transactional_id else -1
        self._timeout_ms = settings["request.timeout.ms"]
        self._before_first = before_first
        self._sequences: dict[TopicPartition, int] = {}
        self._unacknowledged: deque[_Sent] = deque()

    def send(self, encoded: dict[TopicPartition, Encoded]) -> None:
        """One batch for each of some partitions."""
        new = {key for key in encoded if key not in self._sequences}
        if new and self._before_first is not None:
            self._before_first(new)
        by_leader: dict[int, dict[TopicPartition, bytes]] = {}
        for key, rows in encoded.items():
            data = self._batch(key, rows)
            by_leader.setdefault(self._leader(key), {})[key] = data
        for node_id, batches in by_leader.items():
            self._unacknowledged.append(_Sent(node_id, batches))
            try:
                self._put(self._cluster.broker(node_id), batches)
                while len(self._unacknowledged) > _IN_FLIGHT_MAX:
                    self._acknowledge()
            except (ClientError, KafkaError) as error:
                self._again(error)

    def flush(self) -> None:
        """Waits until everything is acknowledged."""
        while self._unacknowledged:
            try:
                self._acknowledge()
            except (ClientError, KafkaError) as error:
                self._again(error)

    def _leader(self, key: TopicPartition) -> int:
        def attempt() -> int:
            self._cluster.leader(*key)
            return self._cluster.view.leader(*key)

        return self._cluster.retrying(attempt)

    def _batch(self, key: TopicPartition, rows: Encoded) -> bytes:
        sequence = self._sequences.get(key, 0)
        self._sequences[key] = (sequence + rows.records) & 0x7FFFFFFF
        body = compress(self._codec, rows.body) if self._codec else rows.body
        head = bytearray(HEADER_BYTES)
        transactional = TRANSACTIONAL_FLAG if self._identity.transactional_id else 0
        HEADER.pack_into(
            head, 0, 0, HEADER_BYTES - LOG_OVERHEAD + len(body), -1, MAGIC, 0, self._codec | transactional,
            rows.records - 1, rows.timestamp, rows.timestamp, self._identity.producer_id, self._identity.epoch,
            sequence, rows.records,
        )  # fmt: skip
        crc = crc32c(body, crc32c(head[ATTRIBUTES_POSITION:]))
        head[CRC_POSITION : CRC_POSITION + 4] = crc.to_bytes(4, "big")
        return b"".join((head, body))

    def _put(self, connection: BlockingConnection, batches: dict[TopicPartition, bytes]) -> None:
        topics: dict[str, TopicProduceData] = {}
        for (topic, index), data in batches.items():
            row = PartitionProduceData(index=index, records=memoryview(data))
            topics.setdefault(topic, TopicProduceData(name=topic, partition_data=[])).partition_data.append(row)
        request = ProduceRequest(
            transactional_id=self._identity.transactional_id or None,
            acks=-1,
            timeout_ms=self._timeout_ms,
            topic_data=list(topics.values()),
        )
        connection.send(request, connection.version_for(request, _BY_NAME))

    def _acknowledge(self) -> None:
        sent = self._unacknowledged[0]
        self._check(self._cluster.broker(sent.node_id).receive())
        self._unacknowledged.popleft()

    def _check(self, answer: Any) -> None:
        """Raises the answer's worst error: one that does not pass before one that does."""
        failed: list[KafkaError] = []
        for topic in answer.responses:
            for row in topic.partition_responses:
                code = ErrorCode.of(row.error_code)
                if not code or code == ErrorCode.DUPLICATE_SEQUENCE_NUMBER:
                    continue
                if code.refreshes_metadata:
                    self._cluster.forget(topic.name)
                failed.append(KafkaError(code, f"{topic.name}-{row.index}: {row.error_message or code.message}"))
        if failed:
            raise min(failed, key=is_retriable)

    def _again(self, error: Exception) -> None:
        """Sends what is not acknowledged once more, batch by batch and in order, until it is."""
        if not is_retriable(error) and not self._is_out_of_order(error):
            raise error
        self._cluster.close()
        waiting = [item for sent in self._unacknowledged for item in sent.batches.items()]
        self._unacknowledged.clear()
        deadline = time.monotonic() + self._cluster.settings.seconds("default.api.timeout.ms")
        for key, data in waiting:
            self._cluster.forget(key[0])
            self._send_one(key, data, deadline)

    def _is_out_of_order(self, error: Exception) -> bool:
        """A batch behind one that failed is refused for the gap; sending both again closes it."""
        wrong = isinstance(error, KafkaError) and error.code == ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER
        return wrong and len(self._unacknowledged) > 1

    def _send_one(self, key: TopicPartition, data: bytes, deadline: float) -> None:
        while True:
            try:
                connection = self._cluster.broker(self._leader(key))
                self._put(connection, {key: data})
                self._check(connection.receive())
                return
            except (ClientError, KafkaError) as error:
                if not is_retriable(error) or time.monotonic() > deadline:
                    raise
            time.sleep(self._cluster.settings.seconds("retry.backoff.ms"))


class Column(NamedTuple):
    """A binary or string column as the kernel takes it."""

    ends: memoryview
    room: memoryview
    valid: memoryview
    first_bit: int

    @classmethod
    def of(cls, array: pa.Array) -> Column:
        valid, ends, room = array.buffers()
        numbers = memoryview(ends).cast("B").cast("i") if ends is not None else memoryview(bytes(4)).cast("i")
        bits = memoryview(valid).cast("B") if valid is not None and array.null_count else _EMPTY
        data = memoryview(room).cast("B") if room is not None else _EMPTY
        return cls(numbers[array.offset : array.offset + len(array) + 1], data, bits, array.offset)


NO_COLUMN = Column(memoryview(b"").cast("i"), _EMPTY, _EMPTY, 0)


def _numbers(count: int) -> memoryview:
    return memoryview(bytearray(4 * count)).cast("i")


class RowEncoder:
    """Sorts the rows of an Arrow batch by partition and encodes them."""

    def __init__(self, partitions: int, first_keyless: int) -> None:
        self._partitions = partitions
        self._keyless = first_keyless

    def encode(self, key: pa.Array | None, value: pa.Array, chosen: pa.Array | None) -> list[dict[int, Encoded]]:
        """Batches by partition; more than one set when the rows of a partition do not fit one batch."""
        count = len(value)
        keys = Column.of(key) if key is not None else NO_COLUMN
        values = Column.of(value)
        where = self._choose(keys, chosen, count)
        order, starts = _numbers(count), _numbers(self._partitions + 2)
        try:
            kernels.order_rows(where, count, self._partitions, order, starts)
        except ValueError as error:
            raise ClientError(f"A row cannot be written: {error}; correct the column 'partition'") from None
        now = int(time.time() * 1000)
        found: list[dict[int, Encoded]] = []
        for partition in range(self._partitions):
            batches = self._batches(order, starts[partition], starts[partition + 1], keys, values, count, now)
            for number, encoded in enumerate(batches):
                if number == len(found):
                    found.append({})
                found[number][partition] = encoded
        return found

    def choose(self, key: pa.Array | None, chosen: pa.Array | None, count: int) -> list[int]:
        return self._choose(Column.of(key) if key is not None else NO_COLUMN, chosen, count).tolist()

    def _choose(self, keys: Column, chosen: pa.Array | None, count: int) -> memoryview:
        out = _numbers(count)
        # Rows without a key go to one partition a batch, and to the next one with the next batch.
        self._keyless = (self._keyless + 1) % self._partitions
        if keys is NO_COLUMN:
            out[:] = memoryview(self._keyless.to_bytes(4, sys.byteorder) * count).cast("i")
        else:
            kernels.choose_partitions(*keys, count, self._partitions, self._keyless, out)
        if chosen is None:
            return out
        merged = pc.coalesce(
            chosen.cast(pa.int32()), pa.Array.from_buffers(pa.int32(), count, [None, pa.py_buffer(out)])
        )
        return memoryview(merged.buffers()[1]).cast("B").cast("i")[merged.offset : merged.offset + count]

    def _batches(
        self, order: memoryview, start: int, stop: int, keys: Column, values: Column, count: int, now: int
    ) -> list[Encoded]:
        found = []
        room = min(_BATCH_BYTES, len(keys.room) + len(values.room) + 32 * (stop - start) + 32)
        while start < stop:
            out = memoryview(bytearray(room))
            after, used = kernels.encode_rows(order, start, stop, *keys, *values, count, out)
            if after == start:  # one record larger than a usual batch, which the broker may still take
                room = len(keys.room) + len(values.room) + 64
                continue
            found.append(Encoded(out[:used], after - start, now))
            start = after
        return found
