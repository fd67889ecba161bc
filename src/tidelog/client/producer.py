"""The producer: records in, batches out, a `Delivery` for each record.

async with Producer({"bootstrap.servers": "localhost:9092", "linger.ms": 10}) as producer:
    delivery = await producer.send("orders", b"value", key=b"key")
    print(await delivery)
"""

from __future__ import annotations

import random
import time
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import asynccontextmanager
from typing import Any

from tidelog.client.accumulator import Accumulator, Batch, Callback, Delivery, RecordMetadata, record_bytes
from tidelog.client.cluster import Cluster
from tidelog.client.errors import BufferExhausted, SettingError
from tidelog.client.partitioner import KeyPartitioner, StickyPartitioner
from tidelog.client.positions import OffsetAndEpoch
from tidelog.client.sender import Sender
from tidelog.client.settings import PRODUCER, ClientSettings
from tidelog.client.transaction import GroupMetadata, State, Transaction, WrongState
from tidelog.protocol.errors import ErrorCode, KafkaError
from tidelog.protocol.record_batch import Headers, Record

__all__ = ["Delivery", "Producer", "RecordMetadata"]


class Producer:
    """Must be created while an event loop runs."""

    def __init__(self, settings: Mapping[str, Any], cluster: Cluster | None = None) -> None:
        self.settings = _checked(ClientSettings.read(PRODUCER, settings))
        self._owns_cluster = cluster is None
        self.cluster = cluster or Cluster(self.settings)
        self._accumulator = Accumulator(self.settings["batch.size"], self.settings["buffer.memory"])
        self._sender = Sender(self.cluster, self.settings, self._accumulator)
        self._transaction = self._sender.transaction
        self._keys = KeyPartitioner()
        self._sticky: dict[str, StickyPartitioner] = {}
        self._ignore_keys = self.settings["partitioner.ignore.keys"]
        self._record_bytes_max = self.settings["max.request.size"]
        self._now = self._sender._loop.time

    async def __aenter__(self) -> Producer:
        return self

    async def __aexit__(self, kind: object, *_: object) -> None:
        await self.close(flush=kind is None)

    async def send(
        self,
        topic: str,
        value: bytes | None,
        *,
        key: bytes | None = None,
        partition: int | None = None,
        timestamp_ms: int | None = None,
        headers: Iterable[tuple[str, bytes | None]] = (),
        on_delivery: Callback | None = None,
    ) -> Delivery:
        """Queues a record. Waits only for the topic's metadata the first time, and for room in `buffer.memory`."""
        if topic not in self.cluster.view.topics:
            await self._learn(topic)
        fixed = tuple(headers)
        size = record_bytes(key, value, fixed)
        if not self._accumulator.has_room(size):
            await self._wait_for_room(size)
        return self.send_nowait(topic, value, key, partition, timestamp_ms, fixed, on_delivery, size)

    def send_nowait(
        self,
        topic: str,
        value: bytes | None,
        key: bytes | None = None,
        partition: int | None = None,
        timestamp_ms: int | None = None,
        headers: Headers = (),
        on_delivery: Callback | None = None,
        size: int = 0,
    ) -> Delivery:
        """As `send`, for a topic that is known, without ever waiting: a full buffer raises `BufferExhausted`."""
        if self._transaction is not None:
            self._transaction.check_open()
        size = size or record_bytes(key, value, headers)
        if size > self._record_bytes_max:
            raise KafkaError(
                ErrorCode.MESSAGE_TOO_LARGE,
                f"The record needs {size} bytes and max.request.size is {self._record_bytes_max}; raise the setting",
            )
        if not self._accumulator.has_room(size):
            raise self._full()
        if partition is None:
            partition = self._partition(topic, key, size)
        if timestamp_ms is None:
            timestamp_ms = time.time_ns() // 1_000_000
        record = Record(0, timestamp_ms, key, value, headers)
        batch, wake = self._accumulator.append(topic, partition, record, size, self._now())
        index = len(batch.records) - 1
        if on_delivery is not None:
            batch.callbacks.append((index, on_delivery))
        if wake:
            if batch.closed or (index == 0 and len(self._accumulator.queues[(topic, partition)]) > 1):
                self._sender.look_now()
            else:
                self._sender.wake()
        return Delivery(batch, index)

    def on_batch(self, callback: Callable[[Batch], None]) -> None:
        """Calls back with each batch that is acknowledged or given up (`batch.error`)."""
        self._sender.on_settled = callback

    # Transactions; they need a `transactional.id`.

    async def init_transactions(self) -> None:
        """Once, before the first transaction: fences others of the same id, and ends what they left open."""
        await self._own_transaction().init()

    def begin_transaction(self) -> None:
        self._own_transaction().begin()

    async def send_offsets(self, offsets: Mapping[tuple[str, int], int | OffsetAndEpoch], group: GroupMetadata) -> None:
        """Commits a consumer's offsets with the transaction; `group` is its `group_metadata`."""
        await self._own_transaction().send_offsets(offsets, group)

    async def commit_transaction(self) -> None:
        """Sends what is left and commits; when a record failed, that is raised, and only an abort remains."""
        transaction = self._own_transaction()
        transaction.check_open()
        await self.flush()
        transaction.check_open()
        await transaction.end(commit=True)

    async def abort_transaction(self) -> None:
        transaction = self._own_transaction()
        if transaction.state is not State.FAILED:
            transaction.check_open()
        await self._sender.drop(WrongState("The transaction was aborted before this record was sent"))
        if transaction.state is State.FENCED:
            transaction.check_open()
        await transaction.end(commit=False)

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[Producer]:
        """Commits at the end of the block, aborts when it raises."""
        self.begin_transaction()
        try:
            yield self
            await self.commit_transaction()
        except BaseException:
            if self._own_transaction().state in (State.OPEN, State.FAILED):
                await self.abort_transaction()
            raise

    def _own_transaction(self) -> Transaction:
        if self._transaction is None:
            raise SettingError("This producer has no transactions; set transactional.id")
        return self._transaction

    async def partitions_for(self, topic: str) -> int:
        """How many partitions the topic has."""
        return len((await self.cluster.topic(topic, create=True)).partitions)

    async def flush(self) -> None:
        """Waits until every record sent so far is acknowledged or has failed."""
        await self._sender.flush()

    async def close(self, flush: bool = True) -> None:
        if flush:
            await self.flush()
        self._sender.close()
        if self._owns_cluster:
            await self.cluster.close()

    async def _learn(self, topic: str) -> None:
        await self.cluster.topic(topic, create=True)

    async def _wait_for_room(self, size: int) -> None:
        self._sender.look_now()
        if not await self._accumulator.wait_for_room(size, self.settings.seconds("max.block.ms")):
            raise self._full()

    def _full(self) -> BufferExhausted:
        limit = self.settings["buffer.memory"]
        return BufferExhausted(
            f"buffer.memory ({limit} bytes) is full of records that were not acknowledged yet; "
            "send slower, raise it, or check that the brokers answer"
        )

    def _partition(self, topic: str, key: bytes | None, size: int) -> int:
        known = self.cluster.view.topics.get(topic)
        if known is None or not known.partitions:
            raise KafkaError(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, f"Topic '{topic}' is not known yet; use send()")
        if key is not None and not self._ignore_keys:
            return self._keys.partition(key, len(known.partitions))
        sticky = self._sticky.get(topic)
        if sticky is None:
            sticky = self._sticky[topic] = StickyPartitioner(self._accumulator.batch_bytes, random.randrange)
        return sticky.partition(size, len(known.partitions), known.available)


def _checked(settings: ClientSettings) -> ClientSettings:
    """Idempotence needs acks=all, retries and at most five requests on the way; unasked for, it gives way to them."""
    conflicts = [
        text
        for broken, text in (
            (settings["acks"] != -1, "acks=all"),
            (settings["retries"] == 0, "retries above 0"),
            (settings["max.in.flight.requests.per.connection"] > 5, "max.in.flight.requests.per.connection up to 5"),
        )
        if broken
    ]
    if settings["enable.idempotence"] and conflicts:
        if "enable.idempotence" in settings.given:
            raise SettingError(f"enable.idempotence=true needs {' and '.join(conflicts)}; change one of the settings")
        settings.override("enable.idempotence", False)
    if settings["transactional.id"] and not settings["enable.idempotence"]:
        raise SettingError("transactional.id needs enable.idempotence=true, and what that needs; leave the others out")
    return settings
