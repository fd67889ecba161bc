"""Idempotent produce: sequences, duplicates, epochs and the wrap, and what DescribeProducers tells of them."""

from typing import Any

import pytest

from conformance.batches import altered, batch
from conformance.brokers import Both, Broker
from conformance.requests import end_offset, produce, producer_id
from tidelog.protocol.messages.describe_producers import DescribeProducersRequest, TopicRequest
from tidelog.protocol.messages.init_producer_id import InitProducerIdRequest

LAST = 2**31 - 1


def batch_of(pid: int, sequence: int, count: int = 1, epoch: int = 0) -> bytes:
    return batch(count, producer_id=pid, producer_epoch=epoch, base_sequence=sequence)


def story(broker: Broker, topic: str, *steps: tuple[int, ...], **settings: str) -> Any:
    """Produce (sequence, count, epoch) after each other with one producer id; give the answers and the end."""
    broker.create(topic, 1, **settings)
    pid = producer_id(broker)
    answers = [produce(broker, topic, batch_of(pid, *step)) for step in steps]
    return answers, end_offset(broker, topic)


STORIES: dict[str, list[tuple[int, ...]]] = {
    "in order": [(0, 3), (3, 2), (5, 1)],
    "does not begin at zero": [(5, 1), (6, 1)],
    "gap": [(0, 3), (4, 1), (3, 1)],
    "duplicate of the last": [(0, 3), (0, 3), (3, 1)],
    "duplicate of each of the last five": [(i, 1) for i in range(6)] + [(i, 1) for i in range(1, 6)],
    "duplicate of the sixth last": [(i, 1) for i in range(6)] + [(0, 1)],
    "duplicate of a part": [(0, 3), (0, 2)],
    "duplicate with another length": [(0, 3), (0, 4)],
    "overlap": [(0, 3), (2, 3)],
    "old": [(0, 3), (3, 3), (1, 1)],
    "wrap": [(LAST, 1), (0, 1)],
    "wrap inside a batch": [(LAST - 1, 3), (1, 1)],
    "after the last without wrap": [(LAST, 1), (LAST, 1)],
    "new epoch begins at zero": [(0, 2), (0, 2, 1), (2, 1, 1)],
    "new epoch not at zero": [(0, 2), (2, 1, 1)],
    "old epoch": [(0, 2, 1), (2, 1, 0)],
    "epoch far ahead": [(0, 2), (0, 2, 32767)],
    "duplicate in the old epoch": [(0, 2), (0, 2, 1), (0, 2, 0)],
    "negative epoch": [(0, 2, -2)],
    "no epoch": [(0, 2, -1)],
}


@pytest.mark.parametrize("name", STORIES)
def test_sequences(both: Both, topic: str, name: str) -> None:
    both.same(lambda broker: story(broker, topic, *STORIES[name]))


def test_duplicates_keep_the_append_time(both: Both, topic: str) -> None:
    both.same(lambda broker: story(broker, topic, (0, 2), (0, 2), message_timestamp_type="LogAppendTime"))


def test_a_producer_nobody_handed_out(both: Both, topic: str) -> None:
    def step(broker: Broker) -> Any:
        broker.create(topic)
        return [produce(broker, topic, batch_of(987654321, sequence)) for sequence in (0, 1, 5)], end_offset(
            broker, topic
        )

    both.same(step)


def test_two_producers_on_one_partition(both: Both, topic: str) -> None:
    def step(broker: Broker) -> Any:
        broker.create(topic)
        one, other = producer_id(broker), producer_id(broker)
        assert one != other
        return [produce(broker, topic, batch_of(pid, n)) for n in (0, 1, 1) for pid in (one, other)]

    both.same(step)


def test_two_batches_with_sequences_in_one_request(both: Both, topic: str) -> None:
    def step(broker: Broker) -> Any:
        broker.create(topic)
        pid = producer_id(broker)
        return produce(broker, topic, batch_of(pid, 0) + batch_of(pid, 1)), end_offset(broker, topic)

    both.same(step)


@pytest.mark.parametrize("version", [3, 8, 11, 12])
def test_transactional_batches_of_clients_that_own_no_transaction(both: Both, topic: str, version: int) -> None:
    def step(broker: Broker) -> Any:
        broker.create(topic)
        data = batch(1, producer_id=producer_id(broker), producer_epoch=0, base_sequence=0, transactional=True)
        control = batch(1, producer_id=producer_id(broker), producer_epoch=0, base_sequence=0, control=True)
        return (
            produce(broker, topic, data, version),
            produce(broker, topic, control, version),
            end_offset(broker, topic),
        )

    both.same(step)


def test_records_out_of_sequence_leave_the_state_alone(both: Both, topic: str) -> None:
    def step(broker: Broker) -> Any:
        broker.create(topic)
        pid = producer_id(broker)
        bad = altered(batch_of(pid, 1), crc=3)
        datas = (batch_of(pid, 0), bad, batch_of(pid, 7), batch_of(pid, 1))
        return [produce(broker, topic, data) for data in datas], end_offset(broker, topic)

    both.same(step)


class TestDescribeProducers:
    def ask(self, broker: Broker, topic: str, *indexes: int) -> Any:
        wanted = [TopicRequest(name=topic, partition_indexes=list(indexes))]
        return broker.call(DescribeProducersRequest(topics=wanted)).topics

    def test_active_and_none(self, both: Both, topic: str) -> None:
        def step(broker: Broker) -> Any:
            broker.create(topic, 2)
            pid = producer_id(broker)
            produce(broker, topic, batch_of(pid, 0, 3))
            produce(broker, topic, batch_of(pid, 3, 2))
            return self.ask(broker, topic, 0, 1)

        both.same(step)

    def test_unknown(self, both: Both, topic: str) -> None:
        def step(broker: Broker) -> Any:
            broker.create(topic)
            return self.ask(broker, topic, 5), self.ask(broker, f"{topic}-nowhere", 0), self.ask(broker, "bad name", 0)

        both.same(step)


class TestInitProducerId:
    @pytest.mark.parametrize("version", range(6))
    def test_every_version(self, both: Both, version: int) -> None:
        request = InitProducerIdRequest(transactional_id=None, transaction_timeout_ms=60_000)
        both.same(lambda broker: broker.call(request, version))

    @pytest.mark.parametrize(
        "fields",
        [
            {"producer_id": 5, "producer_epoch": 3},
            {"producer_id": 5},
            {"producer_epoch": 3},
            {"transaction_timeout_ms": 0},
            {"transaction_timeout_ms": -1},
            {"transaction_timeout_ms": 2**31 - 1},
            {"transactional_id": ""},
        ],
        ids=str,
    )
    def test_odd_fields(self, both: Both, fields: dict[str, Any]) -> None:
        request = InitProducerIdRequest(**{"transactional_id": None, "transaction_timeout_ms": 60_000, **fields})
        both.same(lambda broker: broker.call(request, 4))

    def test_ids_grow(self, both: Both) -> None:
        def step(broker: Broker) -> bool:
            ids = [producer_id(broker) for _ in range(20)]
            return ids == sorted(set(ids))

        assert both.same(step) is True
