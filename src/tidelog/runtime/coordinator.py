"""Drives one coordinator partition: loads its shard from the log, appends what it decides, answers after the commit.

The shard is pure; this driver owns the append, the order of replies and the one timer. It lives exactly as long as the
node leads the partition: `unload` answers everyone who waits with NOT_COORDINATOR.
"""

from __future__ import annotations

import asyncio
import enum
import logging
from collections.abc import AsyncIterator, Callable, Iterator
from functools import partial
from typing import Any, Generic, Protocol, TypeVar

from tidelog.coordinator.contract import CoordinatorRecord, Effects, Shard, Token
from tidelog.ports import Buffer, Clock
from tidelog.protocol.errors import ErrorCode, KafkaError
from tidelog.protocol.record_batch import BatchHeader, decode_records, iter_batches, marker_type
from tidelog.runtime.coordinator_batches import BATCH_BYTES, batch_of, batches, merged
from tidelog.runtime.futures import settle
from tidelog.runtime.turn import Turn

LOG = logging.getLogger(__name__)
S = TypeVar("S", bound=Shard)
T = TypeVar("T")
Handler = Callable[[S, Token, int], Effects]
Replied = Callable[[Any], None]
Refused = Callable[[KafkaError], None]
BATCHES_AT_A_TIME = 256
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

    def append(self, batch: bytearray, count: int, now_ms: int, in_transaction: bool) -> int:
        """Appends one batch of `count` records as the leader and gives its first offset; raises KafkaError."""
        ...

    def is_committed(self, next_offset: int) -> bool:
        """Whether the high watermark has reached `next_offset`."""
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
    def __init__(
        self,
        shard: S,
        log: CoordinatorLog,
        clock: Clock,
        send: Callable[[Any], None] | None = None,
        turn: Turn | None = None,
    ) -> None:
        self.shard = shard
        self._turn = turn or Turn()
        # What requests of this turn want written; any other step of the shard comes after it.
        self._staged: list[Effects] = []
        # Markers that were written while the shard was loaded.
        self._markers: list[tuple[int, int, bool, int]] = []
        self._send_out = send
        self.state = State.LOADING
        self._log = log
        self._clock = clock
        self._waiting: dict[Token, tuple[Replied, Refused]] = {}
        self._tokens = 0
        self._end_offset = 0
        self._timer: asyncio.TimerHandle | None = None
        self._timer_at: int | None = None

    async def load(self) -> None:
        """Replays the log, then opens the shard for requests; an unreadable log stops the load with its error."""
        async for chunk in self._log.read_all():
            for _ in self._replayed(chunk):
                await asyncio.sleep(0)
                if self.state is not State.LOADING:
                    return
        self.state = State.ACTIVE
        for marker in self._markers:
            if marker[-1] > self._end_offset:
                self.apply_marker(*marker)
        self._perform(self.shard.loaded(self._clock.now_ms()))

    def ask(self, handler: Handler[S], replied: Replied, refused: Refused) -> None:
        """Runs `handler(shard, token, now_ms)`; `replied` gets what some effect replies to the token, often at once.

        No future and no task: a request of a group costs about as much as these would.
        """
        if self.state is not State.ACTIVE:
            is_loading = self.state is State.LOADING
            refused(KafkaError(ErrorCode.COORDINATOR_LOAD_IN_PROGRESS if is_loading else ErrorCode.NOT_COORDINATOR))
            return
        if self._staged:
            self.write_staged()
        effects = self._begin(handler, replied, refused)
        if effects is not None:
            self._perform(effects)

    def stage(self, handler: Handler[S], replied: Replied, refused: Refused) -> None:
        """The same, but its records are written at the end of the turn, with those of others in one batch.

        For requests that neither read nor check what other such requests write: none of them waits for another's
        records to be replayed. Each is answered after the batch, or refused with it.
        """
        if self.state is not State.ACTIVE:
            self.ask(handler, replied, refused)
            return
        effects = self._begin(handler, replied, refused)
        if effects is None:
            return
        self._staged.append(effects)
        if len(self._staged) == 1:
            self._turn.at_end(self.write_staged)

    def write_staged(self) -> None:
        staged, self._staged = self._staged, []
        if len(staged) == 1:
            self._perform(staged[0])
            return
        for effects in merged(staged):
            self._perform(effects)

    def glance(self, handler: Callable[[S, int], T]) -> T | None:
        """What `handler(shard, now_ms)` makes of the state, if all of that is committed: it may be told at once."""
        if self.state is not State.ACTIVE or self._staged or not self._log.is_committed(self._end_offset):
            return None
        return handler(self.shard, self._clock.now_ms())

    def _begin(self, handler: Handler[S], replied: Replied, refused: Refused) -> Effects | None:
        self._tokens = token = self._tokens + 1
        self._waiting[token] = replied, refused
        try:
            return handler(self.shard, token, self._clock.now_ms())
        except KafkaError as error:
            self._fail(token, error)
            return None
        except BaseException:
            del self._waiting[token]
            raise

    def submit(self, handler: Handler[S]) -> asyncio.Future[Any]:
        """The same for a coroutine, which waits for the future."""
        future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()

        def refused(error: KafkaError) -> None:
            if not future.done():
                future.set_exception(error)

        self.ask(handler, partial(settle, future), refused)
        return future

    def feed(self, handler: Callable[[S, int], Effects]) -> None:
        """Hands the shard the outcome of something it had asked for; nobody waits for an answer."""
        if self.state is State.ACTIVE:
            self.write_staged()
            self._perform(handler(self.shard, self._clock.now_ms()))

    def apply_marker(self, producer_id: int, producer_epoch: int, committed: bool, next_offset: int) -> None:
        """A transaction marker was written to this partition by the broker, not by the shard.

        The end of the log was fixed when the load began, so a marker that comes meanwhile is kept until it is over.
        """
        if self.state is State.LOADING:
            self._markers.append((producer_id, producer_epoch, committed, next_offset))
        elif self.state is State.ACTIVE:
            self.write_staged()
            self._end_offset = max(self._end_offset, next_offset)
            self.shard.replay_end_transaction(producer_id, producer_epoch, committed)

    def unload(self) -> None:
        if self.state is State.UNLOADED:
            return
        was_active = self.state is State.ACTIVE
        self.state = State.UNLOADED
        self._staged = []  # never written: the answers below say so
        self._disarm()
        if was_active:
            self._send(self.shard.unloaded().replies)
        for token in list(self._waiting):
            self._fail(token, KafkaError(ErrorCode.NOT_COORDINATOR))

    def tick(self) -> None:
        self._timer = None
        self._timer_at = None
        if self.state is State.ACTIVE:
            self.write_staged()
            self._perform(self.shard.tick(self._clock.now_ms()))

    def _perform(self, effects: Effects) -> None:
        if effects.records:
            try:
                self._append(effects)
            except (KafkaError, OSError) as error:
                self._append_failed(effects, error)
                return
        if effects.replies or effects.sends:
            end_offset = self._end_offset
            if self._log.is_committed(end_offset):
                self._release(effects, end_offset, ErrorCode.NONE)
            else:
                self._when_committed(effects, end_offset)
        self._arm()

    def _when_committed(self, effects: Effects, end_offset: int) -> None:
        self._log.when_committed(end_offset, lambda error: self._release(effects, end_offset, error))

    def _release(self, effects: Effects, end_offset: int, error: ErrorCode) -> None:
        if error is not ErrorCode.NONE:
            for token, _ in effects.replies:
                self._fail(token, KafkaError(_as_clients_know_it(error)))
            if effects.sends and error is ErrorCode.NOT_ENOUGH_REPLICAS_AFTER_APPEND:
                # What was decided stands in the log and has been replayed: it is carried out once it is committed.
                self._when_committed(Effects(sends=effects.sends), end_offset)
            return
        if effects.sends and self.state is State.ACTIVE:
            # Before the replies: who has one may ask again at once, and then finds this under way.
            assert self._send_out is not None, "a shard that sends needs a driver that was given a taker"
            for message in effects.sends:
                self._send_out(message)
        self._send(effects.replies)

    def _append(self, effects: Effects) -> None:
        """Usually one batch. A change of a very large group takes several, each replayed as it is written."""
        now_ms = self._clock.now_ms()
        records, producer_id, producer_epoch = effects.records, effects.producer_id, effects.producer_epoch
        batch = batch_of(records, now_ms, producer_id, producer_epoch)
        if len(batch) <= BATCH_BYTES or producer_id >= 0:
            self._write(batch, records, now_ms, producer_id, producer_epoch)
            return
        for some in batches(records):
            self._write(batch_of(some, now_ms, producer_id, producer_epoch), some, now_ms, producer_id, producer_epoch)

    def _write(
        self, batch: bytearray, records: list[CoordinatorRecord], now_ms: int, producer_id: int, producer_epoch: int
    ) -> None:
        offset = self._log.append(batch, len(records), now_ms, producer_id >= 0)
        self._end_offset = offset + len(records)
        replay = self.shard.replay
        for record in records:
            replay(offset, producer_id, producer_epoch, record)
            offset += 1

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
            waiting = self._waiting.pop(token, None)
            if waiting is None:
                continue
            try:
                waiting[0](response)
            except Exception:
                LOG.exception("an answer of a coordinator cannot be given")
                waiting[1](KafkaError(ErrorCode.UNKNOWN_SERVER_ERROR))

    def _fail(self, token: Token, error: KafkaError) -> None:
        waiting = self._waiting.pop(token, None)
        if waiting is not None:
            waiting[1](error)

    def _arm(self) -> None:
        """A timer that is set comes early enough for a later deadline: it looks again then."""
        deadline_ms = self.shard.next_deadline_ms()
        if self._timer_at is not None and (deadline_ms is None or self._timer_at <= deadline_ms):
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

    def _replayed(self, chunk: Buffer) -> Iterator[None]:
        """Stops every so many batches and at the end: a chunk can hold tens of thousands, and other requests wait."""
        for number, (position, header) in enumerate(iter_batches(chunk), 1):
            self._replay_batch(chunk, position, header)
            if number % BATCHES_AT_A_TIME == 0:
                yield
        yield

    def _replay_batch(self, chunk: Buffer, position: int, header: BatchHeader) -> None:
        self._end_offset = header.next_offset
        if header.is_control:
            committed = marker_type(chunk, position)
            if committed is not None:
                self.shard.replay_end_transaction(header.producer_id, header.producer_epoch, committed)
            return
        producer_id = header.producer_id if header.is_transactional else -1
        for record in decode_records(chunk, position):
            entry = CoordinatorRecord(record.key or b"", record.value)
            self.shard.replay(record.offset, producer_id, header.producer_epoch, entry)


def _as_clients_know_it(code: ErrorCode) -> ErrorCode:
    """What an error of the coordinator's own log means to whoever asked the coordinator."""
    return _OF_THE_LOG.get(code, code)
