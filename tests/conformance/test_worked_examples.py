"""Worked examples of transactions, offset by offset, at both brokers."""

import pytest
from confluent_kafka import Consumer, TopicPartition

from conformance.brokers import Both, Broker
from conformance.requests import fetch, list_offset
from conformance.transactions import Transaction, stable_offset


@pytest.fixture(params=["ours", "apache"])
def broker(request: pytest.FixtureRequest, both: Both) -> Broker:
    return both.ours if request.param == "ours" else both.apache


def producer(broker: Broker, topic: str, name: str) -> Transaction:
    transaction = Transaction(broker, f"{topic}-{name}", 1)
    assert transaction.init().error_code == 0
    return transaction


def read(broker: Broker, topic: str, isolation: str) -> list[int]:
    """The offsets of the records that an ordinary client is handed."""
    consumer = Consumer(
        {
            "bootstrap.servers": broker.address,
            "group.id": f"{topic}-{isolation}",
            "isolation.level": isolation,
            "enable.partition.eof": True,
        }
    )
    consumer.assign([TopicPartition(topic, 0, 0)])
    found = []
    while True:
        message = consumer.poll(20)
        assert message is not None, "neither a record nor the end of the partition came"
        error = message.error()
        if error is not None:
            assert error.name() == "_PARTITION_EOF", error
            consumer.close()
            return found
        found.append(message.offset())


def test_isolation_levels(broker: Broker, topic: str) -> None:
    """Offsets 0 to 9: records of three transactions, the commit of the first at 4, the abort of the second at 7."""
    broker.create(topic)
    tx1, tx2, tx3 = (producer(broker, topic, name) for name in ("tx1", "tx2", "tx3"))
    tx1.send(topic, 2)
    tx2.send(topic, 1)
    tx1.send(topic, 1)
    tx1.end(True)
    assert stable_offset(broker, topic, 2) == 2, "the second transaction, still open, begins at 2"
    tx2.send(topic, 2)
    tx2.end(False)
    assert stable_offset(broker, topic, 8) == 8
    tx3.send(topic, 2)
    assert stable_offset(broker, topic, 8) == 8
    assert fetch(broker, topic, 0).high_watermark == 10
    assert read(broker, topic, "read_uncommitted") == [0, 1, 2, 3, 5, 6, 8, 9], "all but the markers at 4 and 7"
    assert read(broker, topic, "read_committed") == [0, 1, 3], "the aborted ones are skipped, the open ones wait"
    tx3.end(True)
    assert stable_offset(broker, topic, 11) == 11
    assert read(broker, topic, "read_committed") == [0, 1, 3, 8, 9]


def test_last_stable_offset(broker: Broker, topic: str) -> None:
    """High watermark 8, last stable offset 3: the first record of the oldest open transaction holds it there."""
    broker.create(topic)
    tx1, tx2, tx3 = (producer(broker, topic, name) for name in ("tx1", "tx2", "tx3"))
    tx1.send(topic, 2)
    tx1.end(True)
    assert stable_offset(broker, topic, 3) == 3
    tx2.send(topic, 2)
    tx3.send(topic, 2)
    tx2.send(topic, 1)
    found = fetch(broker, topic, 0, isolation_level=1)
    assert (found.high_watermark, found.last_stable_offset) == (8, 3)
    assert list_offset(broker, topic, -1, isolation_level=1).offset == 3
    assert list_offset(broker, topic, -1).offset == 8
    assert read(broker, topic, "read_committed") == [0, 1], "up to offset 2, which is the marker"
