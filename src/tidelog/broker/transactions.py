"""What a broker does for transactions besides coordinating them: it writes markers, and lets no batch in unverified.

Markers for partitions that another broker leads, and questions to a coordinator on another broker, are in
`remote_transactions.py`.

A batch of a transaction is appended only when the coordinator says that the partition belongs to the open transaction
(version 1), or has just been added to it (version 2). Otherwise a late batch could open a transaction that nobody ends.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine, Iterable
from typing import TYPE_CHECKING, Any

from tidelog.broker.coordinator_log import ALL, append_marker
from tidelog.broker.coordinators import OFFSETS_TOPIC, TRANSACTIONS_TOPIC
from tidelog.broker.partition import Partition
from tidelog.broker.remote_transactions import ask_coordinator, leaders_of, send_markers
from tidelog.coordinator.txn.shard import MARKER_DONE, TxnShard
from tidelog.coordinator.txn.state import TopicPartition
from tidelog.coordinator.txn.values import MarkersToWrite
from tidelog.protocol.errors import ErrorCode, KafkaError
from tidelog.runtime.coordinator import CoordinatorPartition

if TYPE_CHECKING:
    from tidelog.broker.broker import Broker

LOG = logging.getLogger(__name__)
RETRY_S = 0.1
Producer = tuple[int, int]
Codes = dict[TopicPartition, ErrorCode]
Verified = Callable[[Codes], None]


class Transactions:
    def __init__(self, broker: Broker) -> None:
        self._broker = broker
        # Producers whose batch waits for its verification, by partition: a marker that comes first makes it too late.
        self._verifying: dict[tuple[str, int, int], object] = {}

    # markers

    def write_markers(self, coordinator: CoordinatorPartition[TxnShard], markers: MarkersToWrite) -> None:
        """Writes them here and at the other leaders, and tells the coordinator once they are committed."""
        results: dict[TopicPartition, ErrorCode] = {}
        left = dict.fromkeys(markers.partitions)

        def written(partition: TopicPartition, error: ErrorCode) -> None:
            results[partition] = error
            left.pop(partition, None)
            if not left:
                self._report(coordinator, markers, results)

        here, elsewhere = leaders_of(self._broker, markers.partitions)
        for leader_id, partitions in elsewhere.items():
            self._broker.spawn(send_markers(self._broker, leader_id, markers, partitions, written))
        for topic, index in here:
            self.write_marker(
                topic,
                index,
                (markers.producer_id, markers.producer_epoch),
                markers.coordinator_epoch,
                markers.committed,
                lambda error, one=(topic, index): written(one, error),  # type: ignore[misc]
            )

    def _report(
        self,
        coordinator: CoordinatorPartition[TxnShard],
        markers: MarkersToWrite,
        results: dict[TopicPartition, ErrorCode],
    ) -> None:
        def tell() -> None:
            coordinator.feed(lambda shard, now_ms: shard.markers_written(markers, results, now_ms))

        if all(code in MARKER_DONE for code in results.values()):
            tell()
        else:
            self._broker.timers.after(RETRY_S, tell)

    def write_marker(
        self,
        topic: str,
        index: int,
        producer: Producer,
        coordinator_epoch: int,
        committed: bool,
        done: Callable[[ErrorCode], None],
    ) -> None:
        """Calls `done` with what became of the marker, once it is committed."""
        try:
            partition = self._broker.leading(topic, index)
            self._verifying.pop((topic, index, producer[0]), None)
            end_offset = append_marker(self._broker, partition, *producer, coordinator_epoch, committed)
        except KafkaError as error:
            done(error.code)
            return
        except OSError as error:
            self._broker.storage_failed(partition, error)
            done(ErrorCode.KAFKA_STORAGE_ERROR)
            return
        if topic == OFFSETS_TOPIC:
            coordinator = self._broker.coordinators.hosted(topic, index)
            if coordinator is not None:
                coordinator.apply_marker(*producer, committed, end_offset)
        if partition.is_acked(ALL, end_offset):
            done(ErrorCode.NONE)
        else:
            partition.when_acked(ALL, end_offset, done)

    # verification

    def is_verified(self, partition: Partition, producer: Producer, adds: bool) -> bool:
        """Whether the producer's transaction is known to be open in this partition.

        Verifying can be switched off. Adding cannot: without it the coordinator would never end the transaction here.
        """
        if not adds and not self._broker.config.transaction_partition_verification_enable:
            return True
        entry = partition.log.producers.entries.get(producer[0])
        return entry is not None and entry.txn_first_offset >= 0 and entry.epoch == producer[1]

    def verify(
        self, transactional_id: str, producer: Producer, partitions: Iterable[Partition], add: bool, done: Verified
    ) -> None:
        """Asks the coordinator about partitions where the transaction is not known to be open; adds them if `add`.

        `done` gets a code for each, at once when the coordinator is here and need not wait.
        """
        wanted = [(each.topic, each.index) for each in partitions]
        guard = object()
        for topic, index in wanted:
            self._verifying[topic, index, producer[0]] = guard

        def answered(codes: Codes) -> None:
            for topic, index in wanted:
                current = self._verifying.get((topic, index, producer[0]))
                if current is guard:
                    del self._verifying[topic, index, producer[0]]
                elif current is None and not codes[topic, index]:
                    codes[topic, index] = ErrorCode.INVALID_TXN_STATE
            done(codes)

        def replied(code: ErrorCode) -> None:
            if code is ErrorCode.CONCURRENT_TRANSACTIONS:
                ask_later(True)
            else:
                answered(dict.fromkeys(wanted, code))

        def ask_later(is_second: bool) -> None:
            rest = self._ask(transactional_id, producer, wanted, add, is_second)
            self._broker.spawn(_tell(rest, wanted, answered))

        coordinators = self._broker.coordinators
        at = coordinators.known_partition_of(TRANSACTIONS_TOPIC, transactional_id)
        coordinator = None if at is None else coordinators.hosted(TRANSACTIONS_TOPIC, at)
        if coordinator is None:
            ask_later(False)
        elif add:
            coordinator.ask(
                lambda shard, token, now: shard.add_partitions(token, transactional_id, producer, wanted, 2, now),
                replied,
                lambda error: answered(dict.fromkeys(wanted, error.code)),
            )
        else:
            coordinator.ask(
                lambda shard, token, _: shard.verify_partitions(token, transactional_id, producer, wanted),
                answered,
                lambda error: answered(dict.fromkeys(wanted, error.code)),
            )

    async def _ask(
        self, transactional_id: str, producer: Producer, wanted: list[TopicPartition], add: bool, is_second: bool
    ) -> Codes:
        """With patience; `is_second` when the first answer was that the last transaction has not ended."""
        config = self._broker.config
        waited_ms = 0
        while True:
            if is_second:
                codes = dict.fromkeys(wanted, ErrorCode.CONCURRENT_TRANSACTIONS)
                is_second = False
            else:
                codes = await self._ask_once(transactional_id, producer, wanted, add)
            busy = ErrorCode.CONCURRENT_TRANSACTIONS in codes.values()
            if not (add and busy) or waited_ms >= config.add_partitions_to_txn_retry_backoff_max_ms:
                return codes
            # The last transaction of this producer is still being marked: usually over in a moment.
            await asyncio.sleep(config.add_partitions_to_txn_retry_backoff_ms / 1000)
            waited_ms += config.add_partitions_to_txn_retry_backoff_ms

    async def _ask_once(
        self, transactional_id: str, producer: Producer, wanted: list[TopicPartition], add: bool
    ) -> Codes:
        coordinators = self._broker.coordinators
        try:
            index = coordinators.known_partition_of(TRANSACTIONS_TOPIC, transactional_id)
            coordinator = None if index is None else coordinators.hosted(TRANSACTIONS_TOPIC, index)
            if coordinator is None:
                located = await coordinators.locate(TRANSACTIONS_TOPIC, transactional_id)
                if located != self._broker.node_id:
                    return await ask_coordinator(self._broker, located, transactional_id, producer, wanted, add)
                coordinator = coordinators.transaction(transactional_id)
            if not add:
                codes: Codes = await coordinator.submit(
                    lambda shard, token, _: shard.verify_partitions(token, transactional_id, producer, wanted)
                )
                return codes
            code = await coordinator.submit(
                lambda shard, token, now: shard.add_partitions(token, transactional_id, producer, wanted, 2, now)
            )
        except KafkaError as error:
            code = error.code
        except OSError:
            code = ErrorCode.COORDINATOR_NOT_AVAILABLE
        return dict.fromkeys(wanted, code)


async def _tell(asking: Coroutine[Any, Any, Codes], wanted: list[TopicPartition], answered: Verified) -> None:
    try:
        codes = await asking
    except Exception:
        LOG.exception("a transaction cannot be verified")
        codes = dict.fromkeys(wanted, ErrorCode.UNKNOWN_SERVER_ERROR)
    answered(codes)
