"""Sends what the accumulator holds: picks the batches that are due, one request per leader, and sorts the answers.

There is no task per request: `look` runs from timers and callbacks, takes what may go out now, and arms the next
timer. Only opening a connection, refreshing metadata and getting a producer id run as tasks, one of each at a time.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Coroutine
from typing import Any

from tidelog.client.accumulator import Accumulator, Batch
from tidelog.client.cluster import Cluster, is_retriable
from tidelog.client.connection import Connection
from tidelog.client.errors import ClientError, RequestTimeout
from tidelog.client.produce_codec import ProduceEncoder, produce_answers
from tidelog.client.producer_ids import ProducerIdentity
from tidelog.client.settings import ClientSettings
from tidelog.client.transaction import Transaction
from tidelog.protocol.errors import ErrorCode, KafkaError
from tidelog.protocol.messages.init_producer_id import InitProducerIdRequest
from tidelog.protocol.messages.produce import ProduceRequest

_LOST_SEQUENCE = {
    ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER,
    ErrorCode.UNKNOWN_PRODUCER_ID,
    ErrorCode.INVALID_PRODUCER_EPOCH,
}
_NOT_STORED = _LOST_SEQUENCE | {
    ErrorCode.NOT_ENOUGH_REPLICAS,
    ErrorCode.MESSAGE_TOO_LARGE,
    ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
    ErrorCode.CONCURRENT_TRANSACTIONS,
}
"""Answers that say for certain that this try was not appended."""
_BEFORE_IS_ENDING_S = 0.02
"""Between two tries while the markers of the transaction before are written."""


class Sender:
    def __init__(self, cluster: Cluster, settings: ClientSettings, accumulator: Accumulator) -> None:
        self._cluster = cluster
        self._accumulator = accumulator
        self._loop = asyncio.get_running_loop()
        self._linger_s = settings.seconds("linger.ms")
        self._backoff_s = settings.seconds("retry.backoff.ms")
        self._delivery_timeout_s = settings.seconds("delivery.timeout.ms")
        self._request_timeout_s = settings.seconds("request.timeout.ms")
        self._request_bytes_max = settings["max.request.size"]
        self._in_flight_max = settings["max.in.flight.requests.per.connection"]
        self._retries = settings["retries"]
        self._acks = settings["acks"]
        self.identity = ProducerIdentity()
        self._encoder = ProduceEncoder(settings, self.identity)
        self._idempotent = settings["enable.idempotence"]
        self.transaction = Transaction(cluster, settings, self.identity) if settings["transactional.id"] else None
        self._on_the_way: dict[tuple[str, int], int] = {}
        self._requests: dict[int, int] = {}
        self._chores: dict[str, asyncio.Task[None]] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._timer_at = 0.0
        self._flushing = 0
        self._start_over = False
        self._dropping = False
        self.on_settled: Callable[[Batch], None] | None = None
        """Called with every batch that is acknowledged or given up; cheaper than a callback per record."""
        self._idle = asyncio.Event()
        self._idle.set()

    # Entry points.

    def wake(self) -> None:
        """A batch began or was filled."""
        self._idle.clear()
        self._arm(0.0 if self._linger_s == 0 else self._linger_s)

    def look_now(self) -> None:
        self._idle.clear()
        self._arm(0.0)

    async def flush(self) -> None:
        """Waits until everything sent so far is acknowledged or failed."""
        self._flushing += 1
        try:
            while not self._is_idle():
                self._idle.clear()
                self._look()
                if not self._is_idle():
                    await self._idle.wait()
        finally:
            self._flushing -= 1

    async def drop(self, error: Exception) -> None:
        """Fails what is not on the way yet, and waits for the answers to the rest, whatever they are.

        A partition that is being added to the transaction is waited for too: added after the end, it would begin
        another one.
        """
        self._dropping = True
        try:
            while not self._is_idle() or "transaction" in self._chores:
                self._fail_everything(error)
                if "transaction" in self._chores:
                    await asyncio.wait([self._chores["transaction"]])
                elif self._on_the_way:
                    self._idle.clear()
                    await self._idle.wait()
        finally:
            self._dropping = False

    def close(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        for task in self._chores.values():
            task.cancel()

    def _is_idle(self) -> bool:
        return self._accumulator.is_empty and not self._on_the_way

    # What goes out.

    def _arm(self, delay_s: float) -> None:
        when = self._loop.time() + delay_s
        if self._timer is not None:
            if self._timer_at <= when:
                return
            self._timer.cancel()
        self._timer_at = when
        self._timer = self._loop.call_at(when, self._look)

    def _look(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        now = self._loop.time()
        if self._idempotent and not self.identity.is_known:
            self._chore("producer id", self._get_producer_id())
        if self._start_over and not self._on_the_way:
            self._begin_anew()
        due: dict[int, list[Batch]] = {}
        next_look_s = self._delivery_timeout_s
        for key, queue in list(self._accumulator.queues.items()):
            if queue:
                self._expire(queue, now)
            if queue:
                next_look_s = min(next_look_s, self._consider(key, queue, now, due))
        for node_id, batches in due.items():
            self._send(node_id, batches, now)
        if self._is_idle():
            self._idle.set()
        else:
            self._arm(max(next_look_s, 0.001))

    def _consider(self, key: tuple[str, int], queue: deque[Batch], now: float, due: dict[int, list[Batch]]) -> float:
        """Adds the queue's first batch to what is due, or tells in how many seconds it may be."""
        head = queue[0]
        waited = now - head.created
        full = head.closed or len(queue) > 1 or not self._accumulator.has_room(1)
        if not full and not self._flushing and waited < self._linger_s:
            return self._linger_s - waited
        if head.retry_at > now:
            return head.retry_at - now
        on_the_way = self._on_the_way.get(key, 0)
        if on_the_way and (head.attempts or self._in_flight_max == 1):
            return self._delivery_timeout_s  # order: a repeated batch waits for those before it, an answer wakes us
        if self._start_over or (self._idempotent and not self.identity.is_known):
            return self._backoff_s
        node_id = self._cluster.view.leader(*key)
        if node_id < 0:
            self._chore("metadata", self._refresh_later())
            return self._backoff_s
        if self.transaction is not None and not self.transaction.may_send(key):
            self._chore("transaction", self.transaction.add_partitions())
            return self._backoff_s
        due.setdefault(node_id, []).append(head)
        return self._delivery_timeout_s

    def _begin_anew(self) -> None:
        """A new epoch, in which a broker cannot know again what it was sent before: that is given up, never doubled."""
        for queue in self._accumulator.queues.values():
            for batch in [each for each in queue if each.may_be_stored]:
                queue.remove(batch)
                self._give_up(batch, ClientError("The broker lost track of the records before; it may have this one"))
        self._start_over = False
        self.identity.start_over([batch for queue in self._accumulator.queues.values() for batch in queue])

    def _send(self, node_id: int, batches: list[Batch], now: float) -> None:
        connection = self._cluster.open_broker(node_id)
        if connection is None:
            self._chore(f"broker {node_id}", self._open(node_id))
            return
        while batches and self._requests.get(node_id, 0) < self._in_flight_max:
            taken: list[Batch] = []
            size = 0
            while batches and (not taken or size + batches[0].bytes <= self._request_bytes_max):
                size += batches[0].bytes
                taken.append(self._take(batches.pop(0)))
            self._send_request(connection, node_id, taken)
            # The queues of the same partitions may hold more full batches for this node.
            batches += [queue[0] for batch in taken if (queue := self._more(batch))]

    def _more(self, batch: Batch) -> deque[Batch] | None:
        queue = self._accumulator.queues[(batch.topic, batch.partition)]
        pipelined = self._in_flight_max > 1 and not batch.attempts > 1
        return queue if queue and pipelined and queue[0].closed and not queue[0].attempts else None

    def _take(self, batch: Batch) -> Batch:
        key = (batch.topic, batch.partition)
        taken = self._accumulator.queues[key].popleft()
        assert taken is batch
        batch.closed = True
        batch.attempts += 1
        self.identity.number(batch)
        self._on_the_way[key] = self._on_the_way.get(key, 0) + 1
        return batch

    def _send_request(self, connection: Connection, node_id: int, batches: list[Batch]) -> None:
        try:
            version = self._version(connection)
            request = self._encoder.request(self._cluster.view, batches, version)
            if self._acks == 0:
                connection.send_without_answer(request)
                self._sent_blind(batches)
                return
            future = connection.send(request, version)
        except (ClientError, KafkaError) as error:
            for batch in batches:
                self._answered(batch, error)
            return
        self._requests[node_id] = self._requests.get(node_id, 0) + 1
        timeout = self._loop.call_later(self._request_timeout_s, self._too_late, connection)
        future.add_done_callback(lambda done: self._on_answer(done, node_id, batches, timeout))

    def _version(self, connection: Connection) -> int:
        if self.transaction is not None:
            return self.transaction.version(connection, ProduceRequest)
        return connection.version_for(ProduceRequest)

    def _sent_blind(self, batches: list[Batch]) -> None:
        for batch in batches:
            self._complete(batch, -1, -1)

    def _too_late(self, connection: Connection) -> None:
        seconds = self._request_timeout_s
        connection.fail(RequestTimeout(f"{connection.address} did not answer Produce within {seconds:g} s"))

    # What comes back.

    def _on_answer(
        self, done: asyncio.Future[Any], node_id: int, batches: list[Batch], timeout: asyncio.TimerHandle
    ) -> None:
        timeout.cancel()
        self._requests[node_id] -= 1
        error = done.exception()
        if error is not None:
            failure = error if isinstance(error, Exception) else ClientError(str(error))
            for batch in batches:
                self._answered(batch, failure)
        else:
            answers = produce_answers(done.result(), self._cluster.view)
            for batch in batches:
                answer = answers.get((batch.topic, batch.partition))
                self._sort(batch, answer)
        self._look()

    def _sort(self, batch: Batch, answer: Any) -> None:
        if answer is None:
            self._answered(batch, ClientError("The broker's answer leaves a partition out; its log may say why"))
            return
        code = ErrorCode.of(answer.error_code)
        if code in (ErrorCode.NONE, ErrorCode.DUPLICATE_SEQUENCE_NUMBER):
            self._complete(batch, answer.base_offset, answer.log_append_time_ms)
            return
        self._answered(batch, KafkaError(code, answer.error_message or code.message))

    def _answered(self, batch: Batch, error: Exception) -> None:
        """The batch was not accepted: again, in halves, or given up."""
        self._on_the_way_less(batch)
        if not isinstance(error, KafkaError) or error.code not in _NOT_STORED:
            batch.may_be_stored = True
        if isinstance(error, KafkaError) and error.code == ErrorCode.MESSAGE_TOO_LARGE and len(batch.records) > 1:
            for half in reversed(batch.split()):
                self._accumulator.requeue(half)
            return
        if self._may_repeat(batch, error):
            batch.retry_at = self._loop.time() + self._pause_s(batch, error)
            self._accumulator.requeue(batch)
            if not isinstance(error, KafkaError) or error.code.refreshes_metadata:
                self._chore("metadata", self._refresh())
            return
        self._give_up(batch, error)

    def _pause_s(self, batch: Batch, error: Exception) -> float:
        if isinstance(error, KafkaError) and error.code == ErrorCode.CONCURRENT_TRANSACTIONS:
            return _BEFORE_IS_ENDING_S
        return min(self._backoff_s * 2.0 ** (batch.attempts - 1), 1.0)

    def _may_repeat(self, batch: Batch, error: Exception) -> bool:
        if batch.attempts > self._retries or self._dropping:
            return False
        if isinstance(error, KafkaError) and error.code in _LOST_SEQUENCE and batch.sequence >= 0:
            if self.transaction is not None:
                return False  # the whole transaction has to be done again
            queue = self._accumulator.queues[(batch.topic, batch.partition)]
            earlier = self._on_the_way.get((batch.topic, batch.partition)) or (queue and queue[0].attempts)
            if not earlier:
                self._start_over = True
            return batch.attempts < 10 and (bool(earlier) or not batch.may_be_stored)
        return is_retriable(error)

    def _give_up(self, batch: Batch, error: Exception) -> None:
        self._accumulator.release(batch)
        if self.transaction is not None:
            self.transaction.fail(error)
        elif batch.sequence >= 0:
            self._start_over = True
        batch.fail(error)
        if self.on_settled is not None:
            self.on_settled(batch)

    def _expire(self, queue: deque[Batch], now: float) -> None:
        while queue and now - queue[0].created > self._delivery_timeout_s:
            batch = queue.popleft()
            seconds = self._delivery_timeout_s
            self._give_up(
                batch,
                RequestTimeout(
                    f"{len(batch.records)} record(s) for {batch.topic}-{batch.partition} were not acknowledged within "
                    f"{seconds:g} s (delivery.timeout.ms); check that the partition has a leader"
                ),
            )

    def _complete(self, batch: Batch, base_offset: int, log_append_time: int) -> None:
        self._on_the_way_less(batch)
        self._accumulator.release(batch)
        batch.complete(base_offset, log_append_time)
        if self.on_settled is not None:
            self.on_settled(batch)

    def _on_the_way_less(self, batch: Batch) -> None:
        key = (batch.topic, batch.partition)
        left = self._on_the_way[key] - 1
        if left:
            self._on_the_way[key] = left
        else:
            del self._on_the_way[key]

    # Chores: one task of each kind at a time.

    def _chore(self, name: str, work: Coroutine[Any, Any, None]) -> None:
        if name in self._chores:
            work.close()
            return
        self._chores[name] = task = self._loop.create_task(work)
        task.add_done_callback(lambda _: self._chore_done(name, task))

    def _chore_done(self, name: str, task: asyncio.Task[None]) -> None:
        del self._chores[name]
        if task.cancelled():
            return
        error = task.exception()
        if error is not None and not is_retriable(error) and isinstance(error, (ClientError, KafkaError)):
            self._fail_everything(error)
        self._arm(0.0 if error is None else self._backoff_s)

    def _fail_everything(self, error: Exception) -> None:
        for queue in list(self._accumulator.queues.values()):
            while queue:
                self._give_up(queue.popleft(), error)

    async def _open(self, node_id: int) -> None:
        try:
            await self._cluster.broker(node_id)
        except (ClientError, KafkaError):
            await asyncio.sleep(self._backoff_s)
            await self._refresh()

    async def _refresh_later(self) -> None:
        """After a pause: a partition without a leader would be asked about in a tight circle."""
        await asyncio.sleep(self._backoff_s)
        await self._refresh()

    async def _refresh(self) -> None:
        await self._cluster.refresh(dict.fromkeys(topic for topic, _ in self._accumulator.queues))

    async def _get_producer_id(self) -> None:
        request = InitProducerIdRequest(transactional_id=None, transaction_timeout_ms=2**31 - 1)
        answer = await self._cluster.ask_any(request)
        if answer.error_code:
            raise KafkaError(ErrorCode.of(answer.error_code))
        self.identity.assume(answer.producer_id, answer.producer_epoch)
