"""Drives one coordinator partition: loads its shard from the log, appends what it decides, answers after the commit.

The shard is pure; this driver owns the append, the order of replies and the one timer. It lives exactly as long as the
node leads the partition: `unload` answers everyone who waits with NOT_COORDINATOR.
"""

from __future__ import annotations

import asyncio
import enum
from collections.abc import AsyncIterator, Callable, Iterator
from struct import Struct
from typing import Any, Generic, Protocol, TypeVar

from crc32c import crc32c

from tidelog.coordinator.contract import CoordinatorRecord, Effects, Shard, Token
from tidelog.kernels import encode_records
from tidelog.ports import Buffer, Clock
from tidelog.protocol.errors import ErrorCode, KafkaError
from tidelog.protocol.record_batch import (
    ATTRIBUTES_POSITION,
    CRC_POSITION,
    HEADER,
    HEADER_BYTES,
    LOG_OVERHEAD,
    MAGIC,
    TRANSACTIONAL_FLAG,
    decode_records,
    iter_batches,
    marker_type,
)

S = TypeVar("S", bound=Shard)
Handler = Callable[[S, Token, int], Effects]
# Keys and values of one batch; what the format adds to each record comes on top.
BATCH_BYTES = 400_000
_CRC = Struct(">I")
_OF_THE_LOG = {
    ErrorCode.UNKNOWN_TOPIC_OR_PARTITION: ErrorCode.COORDINATOR_NOT_AVAILABLE,
    ErrorCode.NOT_ENOUGH_REPLICAS: ErrorCode.COORDINATOR_NOT_AVAILABLE,
    ErrorCode.NOT_ENOUGH_REPLICAS_AFTER_APPEND: ErrorCode.COORDINATOR_NOT_AVAILABLE,
    ErrorCode.REQUEST_TIMED_OUT: ErrorCode.COORDINATOR_NOT_AVAILABLE,
    ErrorCode.NOT_LEADER_OR_FOLLOWER: ErrorCode.NOT_COORDINATOR,
    ErrorCode.KAFKA_STORAGE_ERROR: ErrorCode.NOT_COORDINATOR,
    ErrorCode.MESSAGE_TOO_LARGE: ErrorCode.UNKNOWN_SERVER_ERROR,
    ErrorCode.RECORD_LIST_TOO_LARGE: ErrorCode.UNKNOWN_SERVER_ERROR,
}


class CoordinatorLog(Protocol):
    """The partition behind a shard, as the broker hosts it."""

    def append(self, batch: bytearray) -> int:
        """Appends one batch as the leader and gives the offset of its first record; raises KafkaError."""
        ...

    def when_committed(self, next_offset: int, done: Callable[[ErrorCode], None]) -> None:
        """Calls `done` once the high watermark reaches `next_offset`, at once if it has, or when it never will."""
        ...

    def read_all(self) -> AsyncIterator[Buffer]:
        """Whole batches from the start of the log to its end, in order."""
        ...


class State(enum.Enum):
    LOADING = "loading"
    ACTIVE = "active"
    UNLOADED = "unloaded"


class CoordinatorPartition(Generic[S]):
    def __init__(self, shard: S, log: CoordinatorLog, clock: Clock, send: Callable[[Any], None] | None = None) -> None:
        self.shard = shard
        self._send_out = send
        self.state = State.LOADING
        self._log = log
        self._clock = clock
        self._waiting: dict[Token, asyncio.Future[Any]] = {}
        self._tokens = 0
        self._end_offset = 0
        self._timer: asyncio.TimerHandle | None = None
        self._timer_at: int | None = None

    async def load(self) -> None:
        """Replays the log, then opens the shard for requests; an unreadable log stops the load with its error."""
        async for chunk in self._log.read_all():
            self._replay_chunk(chunk)
            await asyncio.sleep(0)
            if self.state is not State.LOADING:
                return
        self.state = State.ACTIVE
        self._perform(self.shard.loaded(self._clock.now_ms()))

    def submit(self, handler: Handler[S]) -> asyncio.Future[Any]:
        """Runs `handler(shard, token, now_ms)`; the future gets the reply that some effect addresses to the token."""
        future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        if self.state is not State.ACTIVE:
            code = ErrorCode.COORDINATOR_LOAD_IN_PROGRESS if self.state is State.LOADING else ErrorCode.NOT_COORDINATOR
            future.set_exception(KafkaError(code))
            return future
        self._tokens += 1
        token = self._tokens
        self._waiting[token] = future
        try:
            self._perform(handler(self.shard, token, self._clock.now_ms()))
        except KafkaError as error:
            self._fail(token, error)
        return future

    def feed(self, handler: Callable[[S, int], Effects]) -> None:
        """Hands the shard the outcome of something it had asked for; nobody waits for an answer."""
        if self.state is State.ACTIVE:
            self._perform(handler(self.shard, self._clock.now_ms()))

    def apply_marker(self, producer_id: int, producer_epoch: int, committed: bool, next_offset: int) -> None:
        """A transaction marker was written to this partition by the broker, not by the shard."""
        if self.state is State.ACTIVE:
            self._end_offset = max(self._end_offset, next_offset)
            self.shard.replay_end_transaction(producer_id, producer_epoch, committed)

    def unload(self) -> None:
        if self.state is State.UNLOADED:
            return
        was_active = self.state is State.ACTIVE
        self.state = State.UNLOADED
        self._disarm()
        if was_active:
            self._send(self.shard.unloaded().replies)
        for token in list(self._waiting):
            self._fail(token, KafkaError(ErrorCode.NOT_COORDINATOR))

    def tick(self) -> None:
        self._timer = None
        self._timer_at = None
        if self.state is State.ACTIVE:
            self._perform(self.shard.tick(self._clock.now_ms()))

    def _perform(self, effects: Effects) -> None:
        if effects.records:
            try:
                self._append(effects)
            except (KafkaError, OSError) as error:
                self._append_failed(effects, error)
                return
        if effects.replies or effects.sends:
            self._log.when_committed(self._end_offset, lambda error: self._release(effects, error))
        self._arm()

    def _release(self, effects: Effects, error: ErrorCode) -> None:
        if error is not ErrorCode.NONE:
            for token, _ in effects.replies:
                self._fail(token, KafkaError(_as_clients_know_it(error)))
            return
        self._send(effects.replies)
        if effects.sends and self.state is State.ACTIVE:
            assert self._send_out is not None, "a shard that sends needs a driver that was given a taker"
            for message in effects.sends:
                self._send_out(message)

    def _append(self, effects: Effects) -> None:
        """Usually one batch. A change of a very large group takes several, each replayed as it is written."""
        now_ms = self._clock.now_ms()
        transactional = effects.producer_id >= 0
        for records in [effects.records] if transactional else _batches(effects.records):
            base_offset = self._log.append(_batch(records, now_ms, effects.producer_id, effects.producer_epoch))
            self._end_offset = base_offset + len(records)
            for index, record in enumerate(records):
                self.shard.replay(base_offset + index, effects.producer_id, effects.producer_epoch, record)

    def _append_failed(self, effects: Effects, error: KafkaError | OSError) -> None:
        """What was not written was not replayed either; whoever would have been answered learns of the failure."""
        code = error.code if isinstance(error, KafkaError) else ErrorCode.KAFKA_STORAGE_ERROR
        for token, _ in effects.replies:
            self._fail(token, KafkaError(_as_clients_know_it(code)))
        if effects.not_written is not None:
            self._perform(effects.not_written(self._clock.now_ms()))
        self._arm()

    def _send(self, replies: list[tuple[Token, Any]]) -> None:
        for token, response in replies:
            future = self._waiting.pop(token, None)
            if future is not None and not future.done():
                future.set_result(response)

    def _fail(self, token: Token, error: KafkaError) -> None:
        future = self._waiting.pop(token, None)
        if future is not None and not future.done():
            future.set_exception(error)

    def _arm(self) -> None:
        deadline_ms = self.shard.next_deadline_ms()
        if deadline_ms == self._timer_at:
            return
        self._disarm()
        if deadline_ms is not None:
            delay_s = max(0, deadline_ms - self._clock.now_ms()) / 1000
            self._timer = asyncio.get_running_loop().call_later(delay_s, self.tick)
            self._timer_at = deadline_ms

    def _disarm(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None
        self._timer_at = None

    def _replay_chunk(self, chunk: Buffer) -> None:
        for position, header in iter_batches(chunk):
            self._end_offset = header.next_offset
            if header.is_control:
                committed = marker_type(chunk, position)
                if committed is not None:
                    self.shard.replay_end_transaction(header.producer_id, header.producer_epoch, committed)
                continue
            producer_id = header.producer_id if header.is_transactional else -1
            for record in decode_records(chunk, position):
                entry = CoordinatorRecord(record.key or b"", record.value)
                self.shard.replay(record.offset, producer_id, header.producer_epoch, entry)


def _as_clients_know_it(code: ErrorCode) -> ErrorCode:
    """What an error of the coordinator's own log means to whoever asked the coordinator."""
    return _OF_THE_LOG.get(code, code)


def _batch(records: list[CoordinatorRecord], now_ms: int, producer_id: int, producer_epoch: int) -> bytearray:
    """What `build_batch` makes of them, in the one shape that coordinators write."""
    body, _ = encode_records([(0, now_ms, key, value, ()) for key, value in records], 0, now_ms, False)
    attributes = TRANSACTIONAL_FLAG if producer_id >= 0 else 0
    length, last = HEADER_BYTES - LOG_OVERHEAD + len(body), len(records) - 1
    batch = bytearray(
        HEADER.pack(
            0, length, -1, MAGIC, 0, attributes, last, now_ms, now_ms, producer_id, producer_epoch, -1, last + 1
        )
    )
    batch += body
    _CRC.pack_into(batch, CRC_POSITION, crc32c(memoryview(batch)[ATTRIBUTES_POSITION:]))
    return batch


def _batches(records: list[CoordinatorRecord]) -> Iterator[list[CoordinatorRecord]]:
    """Runs of records that stay well below the largest batch that any setting of the topic lets pass by default."""
    start = size = 0
    for index, record in enumerate(records):
        size += len(record.key) + len(record.value or b"")
        if size > BATCH_BYTES and index > start:
            yield records[start:index]
            start, size = index, len(record.key) + len(record.value or b"")
    yield records[start:]
