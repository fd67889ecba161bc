"""Transactions on the wire, in both protocols: what is written, who sees it, who is fenced."""

import time
from typing import Any

import pytest

from conformance.batches import batch
from conformance.brokers import Both, Broker
from conformance.groups import coordinator_ready, fetch_offsets
from conformance.requests import fetch, list_offset, produce
from conformance.transactions import Transaction, settled, stable_offset
from tidelog.protocol.messages.describe_producers import DescribeProducersRequest, TopicRequest
from tidelog.protocol.messages.describe_transactions import DescribeTransactionsRequest
from tidelog.protocol.messages.init_producer_id import InitProducerIdRequest
from tidelog.protocol.messages.list_transactions import ListTransactionsRequest


@pytest.fixture(params=[1, 2], ids=["v1", "v2"])
def version(request: pytest.FixtureRequest) -> int:
    return int(request.param)


def begun(broker: Broker, topic: str, version: int) -> Transaction:
    """A producer that may begin, and a topic of two partitions for it."""
    broker.create(topic, 2)
    transaction = Transaction(broker, topic, version)
    assert transaction.init().error_code == 0
    return transaction


@pytest.mark.parametrize("commit", [True, False])
def test_one_transaction(both: Both, topic: str, version: int, commit: bool) -> None:
    def step(broker: Broker) -> Any:
        transaction = begun(broker, topic, version)
        story = [transaction.send(topic), transaction.send(topic, 1, 1), transaction.send(topic, 3)]
        open_one = fetch(broker, topic, 0, isolation_level=1), list_offset(broker, topic, -1, isolation_level=1)
        ended = transaction.end(commit)
        return story, open_one, ended, settled(broker, topic), settled(broker, topic, 1)

    both.same(step)


def test_committed_and_aborted_after_each_other(both: Both, topic: str, version: int) -> None:
    def step(broker: Broker) -> Any:
        transaction = begun(broker, topic, version)
        for number, commit in enumerate((True, False, False, True, False)):
            transaction.send(topic, number + 1)
            transaction.end(commit)
            settled(broker, topic)
        middle = fetch(broker, topic, 5, isolation_level=1, max_bytes=150)
        return settled(broker, topic), {"aborted": [part.first_offset for part in middle.aborted_transactions]}

    both.same(step)


def test_two_producers_interleaved(both: Both, topic: str, version: int) -> None:
    def step(broker: Broker) -> Any:
        one = begun(broker, topic, version)
        other = Transaction(broker, f"{topic}-other", version)
        other.init()
        one.send(topic)
        other.send(topic)
        produce(broker, topic, batch(1))
        one.send(topic)
        first = one.end(False)
        between = stable_offset(broker, topic, 2)
        second = other.end(True)
        return first, between, second, settled(broker, topic)

    both.same(step)


def test_ending_twice_and_ending_nothing(both: Both, topic: str, version: int) -> None:
    def step(broker: Broker) -> Any:
        transaction = begun(broker, topic, version)
        id_before, epoch_before = transaction.id, transaction.epoch
        story = [transaction.end(True), transaction.end(False)]
        transaction.send(topic)
        story.append(transaction.end(True))
        story += [transaction.end(True), transaction.end(False)]
        return story, transaction.epoch - epoch_before, transaction.id == id_before

    both.same(step)


def test_old_epochs_are_fenced(both: Both, topic: str, version: int) -> None:
    def step(broker: Broker) -> Any:
        transaction = begun(broker, topic, version)
        transaction.send(topic)
        old = transaction.epoch
        again = transaction.init()
        story: list[Any] = [again.error_code, again.producer_epoch > old]
        story.append(transaction.end(True, producer_epoch=old).error_code)
        story.append(transaction.add((topic, [0]), producer_epoch=old))
        data = batch(1, transactional=True, producer_id=transaction.id, producer_epoch=old, base_sequence=2)
        story.append(produce(broker, topic, data, 11, transactional_id=topic).error_code)
        story.append(produce(broker, topic, data, 12, transactional_id=topic).error_code)
        return story, settled(broker, topic)["latest"]

    both.same(step)


def test_init_with_an_id_and_an_epoch(both: Both, topic: str) -> None:
    def step(broker: Broker) -> Any:
        transaction = begun(broker, topic, 1)
        own, epoch = transaction.id, transaction.epoch

        def ask(producer_id: int, producer_epoch: int, version: int = 4) -> Any:
            request = InitProducerIdRequest(
                transactional_id=topic, transaction_timeout_ms=60_000, producer_id=producer_id,
                producer_epoch=producer_epoch,
            )  # fmt: skip
            answer = broker.call(request, version)
            return answer.error_code, answer.producer_epoch, answer.producer_id == own

        return [ask(own, epoch), ask(own, epoch), ask(own, epoch + 7), ask(own + 999, 0), ask(-1, -1), ask(own, 0, 3)]

    both.same(step)


@pytest.mark.parametrize("timeout", [0, -1, 900_000, 900_001, 2**31 - 1])
def test_timeouts_have_bounds(both: Both, topic: str, timeout: int) -> None:
    def step(broker: Broker) -> Any:
        begun(broker, topic, 1)
        return Transaction(broker, f"{topic}-timed", 1).init(timeout_ms=timeout)

    both.same(step)


class TestStrangers:
    def test_requests_of_an_unknown_transaction(self, both: Both, topic: str, version: int) -> None:
        def step(broker: Broker) -> Any:
            known = begun(broker, topic, version)
            stranger = Transaction(broker, f"{topic}-stranger", version)
            stranger.id, stranger.epoch = known.id, known.epoch
            story: list[Any] = [stranger.end(True).error_code, stranger.add((topic, [0]))]
            story.append(stranger.add_offsets(topic).error_code)
            story.append(known.end(True, producer_id=known.id + 999).error_code)
            story.append(known.add((topic, [0]), producer_epoch=known.epoch + 5))
            story.append(known.add((topic, [0]), producer_id=known.id + 999))
            return story

        both.same(step)

    def test_partitions_that_do_not_exist(self, both: Both, topic: str) -> None:
        def step(broker: Broker) -> Any:
            transaction = begun(broker, topic, 1)
            return transaction.add((topic, [0, 7]), (f"{topic}-nowhere", [3])), transaction.add((topic, [0]))

        both.same(step)

    def test_produce_without_adding_the_partition(self, both: Both, topic: str, version: int) -> None:
        def step(broker: Broker) -> Any:
            transaction = begun(broker, topic, version)
            sent = transaction.send(topic, add=False)
            wrong = transaction.send(topic, 1, 1, add=False, producer_epoch=transaction.epoch + 3)
            transaction.end(False)
            return sent, wrong, settled(broker, topic)

        both.same(step)

    def test_plain_and_transactional_batches_of_one_producer(self, both: Both, topic: str, version: int) -> None:
        def step(broker: Broker) -> Any:
            transaction = begun(broker, topic, version)
            transaction.send(topic)
            own = {"producer_id": transaction.id, "producer_epoch": transaction.epoch, "base_sequence": 2}
            plain = produce(broker, topic, batch(1, **own), transactional_id=topic)
            nameless = produce(broker, topic, batch(1, transactional=True, **own))
            ended = transaction.end(True).error_code
            return plain, nameless, ended, settled(broker, topic)["latest"]

        both.same(step)


class TestOffsets:
    @pytest.mark.parametrize("commit", [True, False])
    def test_offsets_in_a_transaction(self, both: Both, topic: str, version: int, commit: bool) -> None:
        def step(broker: Broker) -> Any:
            group = f"{topic}-group"
            transaction = begun(broker, topic, version)
            coordinator_ready(broker, group)
            transaction.send(topic)
            story: list[Any] = []
            if version == 1:
                story.append(transaction.add_offsets(group))
            story.append(transaction.commit_offsets(group, topic, {0: 5}))
            story.append(fetch_offsets(broker, group, {topic: [0]}))
            pending = fetch_offsets(broker, group, {topic: [0]}, require_stable=True)
            story.append(pending.topics[0].partitions[0].error_code)
            story.append(transaction.end(commit).error_code)
            settled(broker, topic)
            for _ in range(500):
                after = fetch_offsets(broker, group, {topic: [0]}, require_stable=True)
                if after.topics[0].partitions[0].error_code == 0:
                    break
            return story, after

        both.same(step)

    def test_offsets_of_fenced_members(self, both: Both, topic: str, version: int) -> None:
        def step(broker: Broker) -> Any:
            group = f"{topic}-group"
            transaction = begun(broker, topic, version)
            coordinator_ready(broker, group)
            transaction.send(topic)
            if version == 1:
                transaction.add_offsets(group)
            story = [
                transaction.commit_offsets(group, topic, {0: 5}, member_id="nobody", generation_id=4),
                transaction.commit_offsets(group, topic, {0: 5}, member_id="nobody"),
                transaction.commit_offsets(group, topic, {0: 5}, generation_id=4),
                transaction.commit_offsets(group, f"{topic}-nowhere", {0: 5}),
                transaction.commit_offsets(group, topic, {9: 5}),
                transaction.commit_offsets("", topic, {0: 5}),
            ]
            transaction.end(False)
            return story

        both.same(step)


class TestDescribe:
    def test_describe_and_list(self, both: Both, topic: str, version: int) -> None:
        def step(broker: Broker) -> Any:
            transaction = begun(broker, topic, version)
            own, names = transaction.id, [topic, f"{topic}-unknown", ""]

            def look() -> Any:
                states = broker.call(DescribeTransactionsRequest(transactional_ids=names)).transaction_states
                for state in states:
                    state.transaction_start_time_ms = min(state.transaction_start_time_ms, 0)
                listed = broker.call(ListTransactionsRequest(producer_id_filters=[own]), 1).transaction_states
                wanted = [TopicRequest(name=topic, partition_indexes=[0])]
                producers = broker.call(DescribeProducersRequest(topics=wanted)).topics[0].partitions[0]
                return states, listed, producers

            story = [look()]
            transaction.send(topic)
            story.append(look())
            transaction.end(True)
            settled(broker, topic)
            return story, look()

        both.same(step)

    @pytest.mark.parametrize(
        "fields",
        [
            {"state_filters": ["Ongoing"]},
            {"state_filters": ["Empty"]},
            {"state_filters": ["ongoing", "Nonsense"]},
            {"duration_filter": 100_000},
            {"duration_filter": 0},
            {"transactional_id_pattern": "t-.*"},
            {"transactional_id_pattern": "nothing"},
            {"transactional_id_pattern": "bad["},
        ],
        ids=str,
    )
    def test_list_filters(self, both: Both, topic: str, fields: dict[str, Any]) -> None:
        def step(broker: Broker) -> Any:
            transaction = begun(broker, topic, 1)
            transaction.send(topic)
            time.sleep(0.01)  # older than 0 ms by any clock
            answer = broker.call(ListTransactionsRequest(**fields), 2)
            mine = [each for each in answer.transaction_states if each.transactional_id == topic]
            transaction.end(False)
            return answer.error_code, answer.unknown_state_filters, mine

        both.same(step)
