"""A transactional producer by hand: every request is sent when a test says so, with the epoch that it says."""

import time
from typing import Any

from conformance.batches import batch
from conformance.brokers import Broker
from conformance.requests import fetch, list_offset, produce
from tidelog.protocol.errors import ErrorCode
from tidelog.protocol.messages.add_offsets_to_txn import AddOffsetsToTxnRequest
from tidelog.protocol.messages.add_partitions_to_txn import AddPartitionsToTxnRequest, AddPartitionsToTxnTopic
from tidelog.protocol.messages.end_txn import EndTxnRequest
from tidelog.protocol.messages.find_coordinator import FindCoordinatorRequest
from tidelog.protocol.messages.init_producer_id import InitProducerIdRequest
from tidelog.protocol.messages.txn_offset_commit import (
    TxnOffsetCommitRequest,
    TxnOffsetCommitRequestPartition,
    TxnOffsetCommitRequestTopic,
)

WAITS = {
    ErrorCode.COORDINATOR_NOT_AVAILABLE,
    ErrorCode.COORDINATOR_LOAD_IN_PROGRESS,
    ErrorCode.NOT_COORDINATOR,
    ErrorCode.CONCURRENT_TRANSACTIONS,
}


def patiently(call: Any) -> Any:
    """Ask again while the answer is that the coordinator is still busy with something before."""
    deadline = time.monotonic() + 60
    while True:
        answer = call()
        if answer.error_code not in WAITS or time.monotonic() > deadline:
            return answer
        time.sleep(0.01)


class Transaction:
    """One transactional id at one broker. `version` 1 adds partitions by request, 2 lets produce do it."""

    def __init__(self, broker: Broker, name: str, version: int) -> None:
        self.broker = broker
        self.name = name
        self.version = version
        self.id = -1
        self.epoch = -1
        self.sequences: dict[tuple[str, int], int] = {}

    @property
    def who(self) -> dict[str, Any]:
        return {"transactional_id": self.name, "producer_id": self.id, "producer_epoch": self.epoch}

    def init(self, version: int = 5, timeout_ms: int = 60_000, **fields: Any) -> Any:
        # Asking for the coordinator is what makes the topic it keeps its state in.
        where = FindCoordinatorRequest(coordinator_keys=[self.name], key_type=1)
        patiently(lambda: self.broker.call(where, 4).coordinators[0])
        request = InitProducerIdRequest(transactional_id=self.name, transaction_timeout_ms=timeout_ms, **fields)
        answer = patiently(lambda: self.broker.call(request, version))
        if answer.error_code == 0:
            self.id, self.epoch = answer.producer_id, answer.producer_epoch
            self.sequences.clear()
        return answer

    def add(self, *topics: tuple[str, list[int]], **who: Any) -> list[tuple[int, int]]:
        wanted = [AddPartitionsToTxnTopic(name=name, partitions=parts) for name, parts in topics]
        own = {f"v3_and_below_{key}": value for key, value in {**self.who, **who}.items()}

        request = AddPartitionsToTxnRequest(**own, v3_and_below_topics=wanted)
        deadline = time.monotonic() + 60
        while True:
            answer = self.broker.call(request, 3)
            parts = [part for topic in answer.results_by_topic_v3_and_below for part in topic.results_by_partition]
            codes = sorted((part.partition_index, part.partition_error_code) for part in parts)
            if not any(code in WAITS for _, code in codes) or time.monotonic() > deadline:
                return codes
            time.sleep(0.01)

    def send(self, topic: str, count: int = 2, index: int = 0, add: bool = True, **fields: Any) -> Any:
        """Produce one transactional batch; in version 1 the partition is added first."""
        if self.version == 1 and add:
            self.add((topic, [index]))
        sequence = self.sequences.get((topic, index), 0)
        own = {"producer_id": self.id, "producer_epoch": self.epoch, "base_sequence": sequence, **fields}
        data = batch(count, transactional=True, **own)
        version = 11 if self.version == 1 else 12

        def ask() -> Any:
            return produce(self.broker, topic, data, version, index=index, transactional_id=self.name)

        answer = patiently(ask)
        if answer.error_code == 0:
            self.sequences[topic, index] = sequence + count
        return answer

    def end(self, commit: bool, **who: Any) -> Any:
        request = EndTxnRequest(committed=commit, **{**self.who, **who})
        answer = patiently(lambda: self.broker.call(request, 4 if self.version == 1 else 5))
        if answer.error_code == 0 and self.version == 2 and not who:
            self.id, self.epoch = answer.producer_id, answer.producer_epoch
            self.sequences.clear()
        return answer

    def add_offsets(self, group: str, **who: Any) -> Any:
        request = AddOffsetsToTxnRequest(group_id=group, **{**self.who, **who})
        return patiently(lambda: self.broker.call(request, 3))

    def commit_offsets(self, group: str, topic: str, offsets: dict[int, int], **fields: Any) -> list[Any]:
        parts = [
            TxnOffsetCommitRequestPartition(partition_index=index, committed_offset=offset, committed_metadata="")
            for index, offset in offsets.items()
        ]
        topics = [TxnOffsetCommitRequestTopic(name=topic, partitions=parts)]
        request = TxnOffsetCommitRequest(group_id=group, topics=topics, **{**self.who, **fields})
        version = 4 if self.version == 1 else 5

        def ask() -> Any:
            return self.broker.call(request, version).topics[0].partitions[0]

        return [patiently(ask).error_code]


def stable_offset(broker: Broker, topic: str, expected: int) -> int:
    """The last stable offset, once it is what is expected: markers are written a moment after the end."""
    deadline = time.monotonic() + 60
    while True:
        found = int(fetch(broker, topic, 0, isolation_level=1).last_stable_offset)
        if found == expected or time.monotonic() > deadline:
            return found
        time.sleep(0.01)


def settled(broker: Broker, topic: str, index: int = 0) -> Any:
    """What both kinds of readers see once no transaction is open."""
    deadline = time.monotonic() + 60
    while True:
        answer = fetch(broker, topic, 0, isolation_level=1, index=index)
        if answer.last_stable_offset == answer.high_watermark or time.monotonic() > deadline:
            break
        time.sleep(0.01)
    open_ended = fetch(broker, topic, 0, index=index)
    latest = [list_offset(broker, topic, -1, isolation_level=level, index=index).offset for level in (0, 1)]
    return {"committed": answer, "everything": open_ended, "latest": latest}
