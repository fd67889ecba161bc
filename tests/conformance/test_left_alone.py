"""What clients leave behind: transactions that time out, transactions that hang, offsets that nobody needs any more."""

from collections.abc import Iterator
from typing import Any

import pytest

from conformance.batches import batch
from conformance.brokers import Both, Broker
from conformance.conftest import two_nodes
from conformance.groups import commit, coordinator_ready, fetch_offsets
from conformance.requests import fetch, list_offset, produce
from conformance.tools import Result, Tools, compare
from conformance.transactions import Transaction, settled, stable_offset
from conformance.waiting import until
from tidelog.protocol.messages.describe_transactions import DescribeTransactionsRequest
from tidelog.protocol.messages.list_groups import ListGroupsRequest

pytestmark = pytest.mark.apache

# Nothing waits long for its end, and a batch of a transaction that no coordinator knows of is taken: so it hangs.
HASTY = {
    "transaction.abort.timed.out.transaction.cleanup.interval.ms": "100",
    "offsets.retention.check.interval.ms": "100",
    "transaction.partition.verification.enable": "false",
}


@pytest.fixture(scope="module")
def hasty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Both]:
    with two_nodes(tmp_path_factory, HASTY) as found:
        yield found


@pytest.mark.parametrize("version", [1, 2], ids=["v1", "v2"])
def test_a_transaction_that_takes_too_long_is_aborted(hasty: Both, topic: str, version: int) -> None:
    def state(broker: Broker) -> str:
        answer = broker.call(DescribeTransactionsRequest(transactional_ids=[topic]), 0)
        return str(answer.transaction_states[0].transaction_state)

    def step(broker: Broker) -> Any:
        broker.create(topic)
        transaction = Transaction(broker, topic, version)
        transaction.init(timeout_ms=600)
        transaction.send(topic)
        held = fetch(broker, topic, 0, isolation_level=1).last_stable_offset
        freed = stable_offset(broker, topic, 3)
        ended = until("CompleteAbort", lambda: state(broker))
        found = settled(broker, topic)["committed"]
        late = transaction.send(topic).error_code, transaction.end(True).error_code
        again = transaction.init().error_code
        sent = transaction.send(topic).error_code
        done = transaction.end(True).error_code
        latest = settled(broker, topic)["latest"]
        return held, freed, ended, found.aborted_transactions[0].first_offset, late, again, sent, done, latest

    assert hasty.same(step)[:3] == [0, 3, "CompleteAbort"]


def test_an_empty_transaction_never_times_out(hasty: Both, topic: str) -> None:
    """Only what was begun at the coordinator can take too long: this producer waits and then works."""

    def step(broker: Broker) -> Any:
        broker.create(topic)
        transaction = Transaction(broker, topic, 2)
        transaction.init(timeout_ms=100)
        other = Transaction(broker, f"{topic}-other", 2)
        other.init(timeout_ms=100)
        other.send(topic)
        stable_offset(broker, topic, 3)
        return transaction.send(topic).error_code, transaction.end(True).error_code

    assert hasty.same(step) == [0, 0]


def test_a_commit_may_say_how_long_it_is_kept(hasty: Both, topic: str) -> None:
    """The group goes with the last of its offsets."""

    def groups(broker: Broker) -> bool:
        return any(each.group_id == topic for each in broker.call(ListGroupsRequest(), 4).groups)

    def offsets(broker: Broker) -> list[int]:
        found = fetch_offsets(broker, topic, {topic: [0, 1]}).topics[0].partitions
        return [part.committed_offset for part in found]

    def step(broker: Broker) -> Any:
        broker.create(topic, 2)
        coordinator_ready(broker, topic)
        story: list[Any] = [commit(broker, topic, topic, {0: 5, 1: 6}, version=3, retention_time_ms=600_000)]
        story += [commit(broker, topic, topic, {0: 7}, version=3, retention_time_ms=1)]
        story += [until([-1, 6], lambda: offsets(broker)), groups(broker)]
        story += [commit(broker, topic, topic, {1: 8}, version=3, retention_time_ms=1)]
        return [*story, until([-1, -1], lambda: offsets(broker)), until(False, lambda: groups(broker))]

    assert hasty.same(step)[2:][:2] == [[-1, 6], True]


def test_a_hanging_transaction_is_found_and_ended(tools: tuple[Tools, Tools], hasty: Both, topic: str) -> None:
    """A batch that no coordinator will ever mark holds the last stable offset back until somebody ends it by hand."""

    def story(kind: Tools, broker: Broker, name: str) -> list[Result]:
        broker.create(name, retention_ms="-1")
        transaction = Transaction(broker, name, 1)
        transaction.init()
        own = {"producer_id": transaction.id, "producer_epoch": transaction.epoch, "base_sequence": 0}
        data = batch(2, transactional=True, **own)
        assert produce(broker, name, data, 11, transactional_id=name).error_code == 0
        produce(broker, name, batch(1))
        assert stable_offset(broker, name, 0) == 0, "it does not hang"

        def transactions(*args: str) -> Result:
            found = kind.run("kafka-transactions", "--bootstrap-server", broker.address, *args)
            titles, *rows = [line.split("\t") for line in found.out.splitlines()] or [[]]
            shown = [i for i, title in enumerate(titles) if title.strip() not in VARYING]
            lines = ["\t".join(row[i].strip().replace(name, "<name>") for i in shown) for row in [titles, *rows]]
            return Result(found.code, "\n".join(lines), "")

        story = [transactions("find-hanging", "--topic", name), transactions("find-hanging", "--broker-id", "1")]
        assert "<name>" in story[0].out, story[0]
        story += [transactions("abort", "--topic", name, "--partition", "0", "--start-offset", "0")]
        assert stable_offset(broker, name, 4) == 4
        assert list_offset(broker, name, -1, isolation_level=1).offset == 4
        return [*story, transactions("find-hanging", "--topic", name)]

    compare(tools, hasty, topic, story)


VARYING = {"ProducerId", "Duration(min)"}
