"""Every version of the requests that make up a transaction, markers from outside, and requests that come too late."""

from typing import Any

import pytest

from conformance.batches import batch
from conformance.brokers import Both, Broker
from conformance.groups import coordinator_ready, fetch_offsets
from conformance.requests import list_offset, produce
from conformance.transactions import Transaction, patiently, settled
from tidelog.protocol.messages.add_offsets_to_txn import AddOffsetsToTxnRequest
from tidelog.protocol.messages.add_partitions_to_txn import (
    AddPartitionsToTxnRequest,
    AddPartitionsToTxnTopic,
    AddPartitionsToTxnTransaction,
)
from tidelog.protocol.messages.end_txn import EndTxnRequest
from tidelog.protocol.messages.txn_offset_commit import (
    TxnOffsetCommitRequest,
    TxnOffsetCommitRequestPartition,
    TxnOffsetCommitRequestTopic,
)
from tidelog.protocol.messages.write_txn_markers import (
    WritableTxnMarker,
    WritableTxnMarkerTopic,
    WriteTxnMarkersRequest,
)


def begun(broker: Broker, topic: str, version: int = 1) -> Transaction:
    broker.create(topic, 2)
    transaction = Transaction(broker, topic, version)
    assert transaction.init().error_code == 0
    return transaction


@pytest.mark.parametrize("version", range(6))
def test_init_producer_id(both: Both, topic: str, version: int) -> None:
    def step(broker: Broker) -> Any:
        begun(broker, f"{topic}-first")
        return [Transaction(broker, topic, 1).init(version) for _ in range(2)]

    both.same(step)


@pytest.mark.parametrize("version", range(6))
@pytest.mark.parametrize("commit", [True, False])
def test_end_txn(both: Both, topic: str, version: int, commit: bool) -> None:
    def step(broker: Broker) -> Any:
        transaction = begun(broker, topic, 2 if version == 5 else 1)
        transaction.send(topic)
        request = EndTxnRequest(committed=commit, **transaction.who)
        first = patiently(lambda: broker.call(request, version))
        state = settled(broker, topic)
        again = patiently(lambda: broker.call(request, version))
        other = patiently(lambda: broker.call(EndTxnRequest(committed=not commit, **transaction.who), version))
        return first, again, other, state["latest"]

    both.same(step)


@pytest.mark.parametrize("version", range(4))
def test_add_partitions(both: Both, topic: str, version: int) -> None:
    def step(broker: Broker) -> Any:
        transaction = begun(broker, topic)
        own = {f"v3_and_below_{key}": value for key, value in transaction.who.items()}
        wanted = [AddPartitionsToTxnTopic(name=topic, partitions=[0, 1])]
        request = AddPartitionsToTxnRequest(**own, v3_and_below_topics=wanted)
        old = {**own, "v3_and_below_producer_epoch": transaction.epoch + 1}
        fenced = AddPartitionsToTxnRequest(**old, v3_and_below_topics=wanted)
        answers = [broker.call(each, version) for each in (request, request, fenced)]
        transaction.end(False)
        for answer in answers:
            for each in answer.results_by_topic_v3_and_below:
                each.results_by_partition.sort(key=lambda part: part.partition_index)
        return answers

    both.same(step)


@pytest.mark.parametrize("version", [4, 5])
@pytest.mark.parametrize("verify", [True, False])
def test_add_partitions_as_brokers_ask(both: Both, topic: str, version: int, verify: bool) -> None:
    def step(broker: Broker) -> Any:
        transaction = begun(broker, topic)
        transaction.add((topic, [0]))
        wanted = [AddPartitionsToTxnTopic(name=topic, partitions=[0, 1])]
        names = (transaction.who, {**transaction.who, "transactional_id": f"{topic}-unknown"})
        asked = [AddPartitionsToTxnTransaction(verify_only=verify, topics=wanted, **who) for who in names]
        answer = broker.call(AddPartitionsToTxnRequest(transactions=asked), version)
        answer.results_by_transaction.sort(key=lambda each: each.transactional_id)
        for each in answer.results_by_transaction:
            for result in each.topic_results:
                result.results_by_partition.sort(key=lambda part: part.partition_index)
        transaction.end(False)
        return answer

    both.same(step)


@pytest.mark.parametrize("version", range(6))
def test_offsets(both: Both, topic: str, version: int) -> None:
    def step(broker: Broker) -> Any:
        group = f"{topic}-group"
        transaction = begun(broker, topic, 2 if version == 5 else 1)
        coordinator_ready(broker, group)
        story = []
        if version < 5:
            story.append(broker.call(AddOffsetsToTxnRequest(group_id=group, **transaction.who), min(version, 3)))
        part = TxnOffsetCommitRequestPartition(partition_index=0, committed_offset=4, committed_metadata="m")
        topics = [TxnOffsetCommitRequestTopic(name=topic, partitions=[part])]
        request = TxnOffsetCommitRequest(group_id=group, topics=topics, **transaction.who)
        story.append(patiently(lambda: broker.call(request, version).topics[0].partitions[0]))
        transaction.end(True)
        for _ in range(1000):
            kept = fetch_offsets(broker, group, {topic: [0]}, require_stable=True)
            if kept.topics[0].partitions[0].error_code == 0:
                break
        return story, kept

    both.same(step)


class TestMarkers:
    """WriteTxnMarkers is for coordinators; without an authorizer anyone may send it."""

    def ask(self, broker: Broker, topics: dict[str, list[int]], version: int = 1, **fields: Any) -> Any:
        named = [WritableTxnMarkerTopic(name=name, partition_indexes=parts) for name, parts in topics.items()]
        marker = WritableTxnMarker(**{"transaction_result": True, "coordinator_epoch": 0, "topics": named, **fields})
        answer = broker.call(WriteTxnMarkersRequest(markers=[marker]), version)
        for each in answer.markers[0].topics:
            each.partitions.sort(key=lambda part: part.partition_index)
        return answer

    def test_unknown_partitions_and_producers(self, both: Both, topic: str) -> None:
        def step(broker: Broker) -> Any:
            transaction = begun(broker, topic)
            own = {"producer_id": transaction.id, "producer_epoch": transaction.epoch}
            return [
                self.ask(broker, {topic: [0]}, **own),
                self.ask(broker, {topic: [7]}, **own),
                list_offset(broker, topic, -1),
            ]

        both.same(step)

    def test_a_marker_ends_an_open_transaction(self, both: Both, topic: str) -> None:
        def step(broker: Broker) -> Any:
            transaction = begun(broker, topic)
            transaction.send(topic)
            own = {"producer_id": transaction.id, "producer_epoch": transaction.epoch, "transaction_result": False}
            marked = self.ask(broker, {topic: [0]}, **own)
            aborted = settled(broker, topic)["committed"].aborted_transactions
            stale = self.ask(broker, {topic: [0]}, **{**own, "producer_epoch": transaction.epoch - 1})
            old_coordinator = self.ask(broker, {topic: [0]}, **{**own, "coordinator_epoch": -5})
            transaction.end(False)
            return marked, [each.first_offset for each in aborted], stale, old_coordinator

        both.same(step)


class TestTooLate:
    """Requests of a transaction that reach the broker when the next one has begun."""

    def test_an_end_from_before(self, both: Both, topic: str) -> None:
        def step(broker: Broker) -> Any:
            transaction = begun(broker, topic, 2)
            transaction.send(topic)
            before = dict(transaction.who)
            transaction.end(True)
            settled(broker, topic)
            transaction.send(topic)
            late = [
                broker.call(EndTxnRequest(committed=commit, **before), version).error_code
                for commit in (True, False)
                for version in (5, 4)
            ]
            ended = transaction.end(True).error_code
            return late, ended, settled(broker, topic)["latest"]

        both.same(step)

    def test_a_produce_from_before(self, both: Both, topic: str) -> None:
        def step(broker: Broker) -> Any:
            transaction = begun(broker, topic, 2)
            transaction.send(topic)
            own = {"producer_id": transaction.id, "producer_epoch": transaction.epoch, "base_sequence": 2}
            transaction.end(True)
            settled(broker, topic)
            late = [produce(broker, topic, batch(1, transactional=True, **own), transactional_id=topic)]
            transaction.send(topic)
            late.append(produce(broker, topic, batch(1, transactional=True, **own), transactional_id=topic))
            transaction.end(True)
            return late, settled(broker, topic)["latest"]

        both.same(step)

    @pytest.mark.parametrize("version", [1, 2], ids=["v1", "v2"])
    def test_partitions_and_offsets_from_before(self, both: Both, topic: str, version: int) -> None:
        def step(broker: Broker) -> Any:
            group = f"{topic}-group"
            transaction = begun(broker, topic, version)
            coordinator_ready(broker, group)
            transaction.send(topic)
            before = {"producer_id": transaction.id, "producer_epoch": transaction.epoch}
            transaction.end(True)
            settled(broker, topic)
            if version == 1:
                transaction.init()
            transaction.send(topic)
            story = [
                transaction.add((topic, [1]), **before),
                transaction.add_offsets(group, **before).error_code,
                transaction.commit_offsets(group, topic, {0: 1}, **before),
            ]
            transaction.end(False)
            return story

        both.same(step)
