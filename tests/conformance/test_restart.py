"""What a node knew before it was stopped or killed it knows again: the same story with restarts, at both brokers."""

import asyncio
import time
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

import pytest

from conformance.batches import batch
from conformance.brokers import Both, Broker
from conformance.compare import differences, plain
from conformance.conftest import OURS_KIND, QUICK
from conformance.groups import commit, coordinator_ready, fetch_offsets, stable_member
from conformance.requests import fetch, list_offset, produce, producer_id
from conformance.transactions import Transaction, settled
from peer.apache import ApacheNode
from peer.toolchain import needs
from tidelog.client.consumer import Consumer
from tidelog.protocol.errors import ErrorCode
from tidelog.protocol.messages.delete_records import DeleteRecordsPartition, DeleteRecordsRequest, DeleteRecordsTopic
from tidelog.protocol.messages.describe_configs import DescribeConfigsRequest, DescribeConfigsResource
from tidelog.protocol.messages.incremental_alter_configs import (
    AlterableConfig,
    AlterConfigsResource,
    IncrementalAlterConfigsRequest,
)
from tidelog.protocol.messages.list_groups import ListGroupsRequest
from tidelog.protocol.record_batch import iter_batches

TOPIC_RESOURCE = 2
NOW_MS = int(time.time() * 1000)


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Both]:
    """Nodes of this file's own, since it ends them."""
    needs("java", "mvn")
    nodes = [make(Path(tmp_path_factory.mktemp("restarted")), QUICK) for make in (OURS_KIND, ApacheNode)]
    try:
        for node in nodes:
            node.launch()
        for node in nodes:
            node.wait_until_it_serves()
        yield Both(*(Broker(node) for node in nodes))
    finally:
        for node in nodes:
            node.close()


def restart(broker: Broker, how: str) -> None:
    broker.hang_up()
    broker.node.kill() if how == "killed" else broker.node.stop()
    if how == "without snapshots":
        for path in broker.node.data.glob("*/*.snapshot"):
            path.unlink()
    broker.node.start()


def set_retention(broker: Broker, topic: str, value: str) -> None:
    change = AlterableConfig(name="retention.ms", config_operation=0, value=value)
    resource = AlterConfigsResource(resource_type=TOPIC_RESOURCE, resource_name=topic, configs=[change])
    assert broker.call(IncrementalAlterConfigsRequest(resources=[resource])).responses[0].error_code == 0


def retention(broker: Broker, topic: str) -> Any:
    wanted = DescribeConfigsResource(
        resource_type=TOPIC_RESOURCE, resource_name=topic, configuration_keys=["retention.ms"]
    )
    return broker.call(DescribeConfigsRequest(resources=[wanted])).results[0].configs


def seen(answer: Any) -> Any:
    """Marks, aborted transactions and batches; epochs and the clock of markers are each broker's own."""
    return {
        "marks": (answer.high_watermark, answer.last_stable_offset),
        "aborted": [each.first_offset for each in answer.aborted_transactions or []],
        "batches": [(h.base_offset, h.records_count, h.attributes) for _, h in iter_batches(answer.records)],
    }


# A story is a generator: it yields once, where the node is restarted, and returns what it saw.
Story = Generator[None, None, Any]


def topics_records_and_settings(broker: Broker, topic: str, how: str) -> Story:
    topic_id = broker.create(topic, 2, segment_bytes="1048576")
    for number in range(20):
        produce(broker, topic, batch(3), index=number % 2)
    set_retention(broker, topic, "86400000000")
    parts = [DeleteRecordsPartition(partition_index=0, offset=4)]
    request = DeleteRecordsRequest(topics=[DeleteRecordsTopic(name=topic, partitions=parts)], timeout_ms=5000)
    deleted = broker.call(request).topics[0].partitions[0].error_code
    yield
    broker.wait_for(topic, 2)
    # Apache writes the log start down once a minute: a killed node may show deleted records again.
    start = list_offset(broker, topic, -2).offset if how == "stopped" else deleted
    return {
        "same id": broker.metadata(topic).topic_id == topic_id,
        "offsets": (start, [list_offset(broker, topic, -1, index=index).offset for index in (0, 1)]),
        "settings": retention(broker, topic),
        "records": fetch(broker, topic, 0, index=1).records,
        "trimmed": {"records": fetch(broker, topic, 4).records},
        "goes on": produce(broker, topic, batch(1)).base_offset,
    }


def idempotence(broker: Broker, topic: str, how: str) -> Story:
    """A retry across the restart is answered with the first try's offset; a gap and an old epoch are refused."""
    broker.create(topic)
    pid = producer_id(broker)

    def send(sequence: int, epoch: int = 1) -> Any:
        # Old timestamps would let the producer expire while the node is down.
        own = {"producer_id": pid, "producer_epoch": epoch, "base_sequence": sequence, "timestamp": NOW_MS}
        return produce(broker, topic, batch(2, **own))

    before = [send(0), send(2), send(4)]
    yield
    broker.wait_for(topic)
    older = send(2)
    if how == "killed":
        # From the log alone Apache rebuilds no more than a producer's newest batch; we rebuild all that are kept.
        older = "refused or repeated"
    after = [send(4), older, send(9), send(0, epoch=0), send(6), send(0, epoch=2)]
    return before, after, producer_id(broker) > pid


def groups(broker: Broker, topic: str, how: str) -> Story:
    broker.create(topic, 2)
    coordinator_ready(broker, topic)
    member = stable_member(broker, topic)
    who = {"member_id": member.id, "generation_id_or_member_epoch": member.generation}
    committed = commit(broker, topic, topic, {0: 5, 1: 7}, metadata="note", epoch=0, **who)
    member.close()
    yield
    coordinator_ready(broker, topic)
    listed = [each for each in broker.call(ListGroupsRequest(), 5).groups if each.group_id == topic]
    late = commit(broker, topic, topic, {0: 6}, **who)
    return committed, fetch_offsets(broker, topic, {topic: [0, 1]}), listed, late


def open_transaction(broker: Broker, topic: str, end: bool) -> Story:
    """It is still open after the restart, holds back what follows, and can be ended."""
    broker.create(topic, 1, segment_ms=str(2**62))
    transaction = Transaction(broker, topic, 2)
    transaction.init()
    transaction.send(topic, 2)
    transaction.end(False)
    settled(broker, topic)
    transaction.send(topic, 2)
    produce(broker, topic, batch(1))
    yield
    broker.wait_for(topic)
    between = seen(fetch(broker, topic, 0, isolation_level=1))
    answer = transaction.end(end)
    after = settled(broker, topic)
    return between, answer.error_code, seen(after["committed"]), seen(after["everything"]), after["latest"]


def leader_epochs(broker: Broker, topic: str, how: str) -> Story:
    """Our consumer lives on over the restart, and another goes on from what it had committed: the position carries the
    epoch of its last record, and the leader of a newer one is asked whether it has that record."""
    broker.create(topic)
    coordinator_ready(broker, topic)
    produce(broker, topic, batch(3, timestamp=NOW_MS))
    with asyncio.Runner() as runner:
        reader = runner.run(reading(broker, topic))
        before = runner.run(read_and_commit(reader, 3)), committed(broker, topic)
        yield
        broker.wait_for(topic)
        coordinator_ready(broker, topic)
        produce(broker, topic, batch(2, timestamp=NOW_MS))
        other = runner.run(reading(broker, topic))
        found = [runner.run(read_and_commit(each, 2)) for each in (other, reader)]
        after = committed(broker, topic)
        for each in (reader, other):
            runner.run(each.close())
    return before[0], before[1][0], found, after[0], after[1] > before[1][1] >= 0


async def reading(broker: Broker, topic: str) -> Consumer:
    settings = {"bootstrap.servers": broker.node.address, "group.id": topic, "auto.offset.reset": "earliest"}
    consumer = Consumer(settings | {"enable.auto.commit": "false"})
    consumer.assign([(topic, 0)])
    return consumer


async def read_and_commit(consumer: Consumer, count: int) -> list[int]:
    found: list[int] = []
    while len(found) < count:
        found += [each.offset for each in await consumer.poll(5.0)]
    await consumer.commit()
    return found


def committed(broker: Broker, topic: str) -> tuple[int, int]:
    row = fetch_offsets(broker, topic, {topic: [0]}).topics[0].partitions[0]
    return row.committed_offset, row.committed_leader_epoch


@pytest.mark.parametrize("how", ["stopped", "killed"])
def test_a_restart(pair: Both, topic: str, how: str) -> None:
    pair.same(lambda broker: told(broker, topic, how))


def test_producers_are_known_from_the_log_when_their_snapshots_are_lost(pair: Both, topic: str) -> None:
    """Apache forgets them then: it takes the same records twice, and shows those of a transaction that is open."""
    names = ("commit", "abort")
    lost = told(pair.ours, f"{topic}-lost", "without snapshots")
    kept = told(pair.ours, f"{topic}-kept", "stopped")
    found = list(differences(*(plain([story[name] for name in names]) for story in (lost, kept))))
    assert not found, found
    retry, _, gap, old_epoch, following, new_epoch = lost["idempotence"][1]
    assert retry.base_offset == 4, "the same records were taken twice"
    refused = (ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER, ErrorCode.INVALID_PRODUCER_EPOCH)
    assert (gap.error_code, old_epoch.error_code) == refused
    assert (following.base_offset, new_epoch.base_offset) == (6, 8)


def told(broker: Broker, topic: str, how: str) -> dict[str, Any]:
    """Every story comes to its middle, the node is ended and started once, and every story goes on."""
    stories = {
        "topics": topics_records_and_settings(broker, f"{topic}-topics", how),
        "idempotence": idempotence(broker, f"{topic}-idempotence", how),
        "groups": groups(broker, f"{topic}-groups", how),
        "commit": open_transaction(broker, f"{topic}-commit", True),
        "abort": open_transaction(broker, f"{topic}-abort", False),
        "epochs": leader_epochs(broker, f"{topic}-epochs", how),
    }
    for story in stories.values():
        next(story)
    restart(broker, how)
    return {name: ending(story) for name, story in stories.items()}


def ending(story: Story) -> Any:
    try:
        next(story)
    except StopIteration as end:
        return end.value
    raise AssertionError("a story is restarted once")
