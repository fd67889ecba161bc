"""What happens to a replicated partition when replicas go: the stories that every introduction to replication tells."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

import pytest
from confluent_kafka import Consumer, KafkaError, KafkaException, Producer
from confluent_kafka import TopicPartition as Place

from cluster.load import PATIENT, QUIET, create, describe, read_all
from peer.our_cluster import OurCluster, our_cluster, wait_for


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OurCluster]:
    with our_cluster(tmp_path_factory.mktemp("cluster")) as found:
        yield found


@pytest.fixture(autouse=True)
def _whole(cluster: OurCluster) -> Iterator[None]:
    yield
    cluster.restore()


class Client:
    """A producer that sends one record after the other and says how each ended."""

    def __init__(self, address: str, topic: str, **settings: object) -> None:
        self.topic = topic
        self._producer = Producer({**PATIENT, "bootstrap.servers": address, **settings})

    def send(self, value: str) -> KafkaError | None:
        ends: list[KafkaError | None] = []
        self._producer.produce(self.topic, value, partition=0, on_delivery=lambda error, _: ends.append(error))
        self._producer.flush(60)
        assert ends, "a send has no end"
        return ends[0]


IMPATIENT = {"delivery.timeout.ms": 4000, "enable.idempotence": False, "retries": 0}


def others(cluster: OurCluster, *gone: int) -> str:
    return ",".join(address for node, address in cluster.addresses.items() if node not in gone)


def test_writes_succeed_with_one_follower_down_and_are_refused_with_two(cluster: OurCluster) -> None:
    """All three in sync: accepted. One follower down: accepted. Two down: too few replicas, until one is back."""
    create(cluster.address, "table")
    leader, isr = describe(cluster.address, "table")
    assert isr == {1, 2, 3}
    client = Client(cluster.address, "table")
    assert client.send("all in sync") is None
    first, second = sorted(isr - {leader})
    cluster.kill_node(first)
    assert client.send("one follower down") is None
    wait_for(lambda: describe(others(cluster, first), "table")[1] == {leader, second}, "the dead follower leaves")
    cluster.pause_node(second)  # two dead controllers of three could decide nothing; a paused one comes back at once
    try:
        impatient = Client(others(cluster, first, second), "table", **IMPATIENT)
        error = impatient.send("two followers down")
        assert error is not None, "nothing may be acknowledged by the leader alone"
    finally:
        cluster.resume_node(second)
    assert client.send("one is back") is None
    cluster.start_node(first)
    wait_for(lambda: describe(cluster.address, "table")[1] == {1, 2, 3}, "all are in sync again")
    values = [each.value for each in read_all(cluster.address, "table", 1)]
    assert [each for each in values if each != "two followers down"] == [
        "all in sync",
        "one follower down",
        "one is back",
    ]


def test_the_refusal_names_the_replicas_that_are_missing(cluster: OurCluster) -> None:
    """With three needed and one down, the leader refuses before it writes."""
    create(cluster.address, "strict", min_insync_replicas="3")
    leader, isr = describe(cluster.address, "strict")
    assert Client(cluster.address, "strict").send("three") is None
    victim = min(isr - {leader})
    cluster.kill_node(victim)
    left = others(cluster, victim)
    wait_for(lambda: describe(left, "strict")[1] == isr - {victim}, "the dead follower leaves")
    error = Client(left, "strict", **IMPATIENT).send("two")
    assert error is not None
    assert error.code() == KafkaError.NOT_ENOUGH_REPLICAS
    cluster.start_node(victim)
    wait_for(lambda: describe(cluster.address, "strict")[1] == isr, "it is back")
    assert Client(cluster.address, "strict").send("three again") is None
    assert [each.value for each in read_all(cluster.address, "strict", 1)] == ["three", "three again"]


def test_a_leader_dies_and_one_in_sync_takes_over_with_everything(cluster: OurCluster) -> None:
    """A hundred records are acknowledged; the leader dies; a replica in sync leads on with the same hundred."""
    create(cluster.address, "hundred")
    leader, isr = describe(cluster.address, "hundred")
    assert isr == {1, 2, 3}
    client = Client(cluster.address, "hundred")
    for number in range(100):
        assert client.send(f"record {number}") is None
    cluster.kill_node(leader)
    left = others(cluster, leader)
    wait_for(lambda: describe(left, "hundred")[0] in isr - {leader}, "another replica leads")
    assert describe(left, "hundred")[1] == isr - {leader}
    assert client.send("record 100") is None
    assert [each.value for each in read_all(left, "hundred", 1)] == [f"record {number}" for number in range(101)]
    cluster.start_node(leader)
    wait_for(lambda: describe(cluster.address, "hundred")[1] == isr, "the old leader follows and catches up")
    assert "max lag is 0 for partition hundred-0 at offset 101 among 1 partitions" in verified(cluster, "hundred")


def verified(cluster: OurCluster, topic: str) -> str:
    """What kafka-replica-verification says, having compared all replicas from their beginning."""
    command = [sys.executable, "-m", "tidelog.cli.kafka_replica_verification", "--broker-list", cluster.address]
    done = subprocess.run(
        [*command, "--topics-include", topic, "--time", "-2", "--once"],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def _goes_on_without(address: str, topic: str, gone: int) -> bool:
    """In one answer: another one may come from a broker that has not heard of it yet."""
    leader, isr = describe(address, topic)
    return leader not in (gone, -1) and gone not in isr


def test_a_broker_nobody_reaches_loses_its_leadership_and_readers_go_on(cluster: OurCluster) -> None:
    """Cut off from the controller and its peers: the ISR shrinks, leadership moves, the cut-off one acks nothing."""
    create(cluster.address, "unreachable")
    leader, _ = describe(cluster.address, "unreachable")
    client = Client(cluster.address, "unreachable")
    assert client.send("before") is None
    consumer = Consumer({**QUIET, "bootstrap.servers": cluster.address, "group.id": "readers"})
    consumer.assign([Place("unreachable", 0, 0)])
    read: list[bytes] = []
    wait_for(lambda: _work(consumer, read) == 1, "a consumer reads from the leader")
    cluster.fault("partition", str(leader))
    try:
        left = others(cluster, leader)
        wait_for(lambda: _goes_on_without(left, "unreachable", leader), "leadership moves and the ISR shrinks")
        alone = Client(cluster.addresses[leader], "unreachable", **IMPATIENT)
        client_error = alone.send("into the void")
        assert Client(left, "unreachable").send("during") is None
    finally:
        cluster.fault("heal")
    wait_for(lambda: describe(cluster.address, "unreachable")[1] == {1, 2, 3}, "it is back in sync")
    assert client.send("after") is None
    values = [each.value for each in read_all(cluster.address, "unreachable", 1)]
    expected = ["before", "during", "after"]
    if client_error is None:  # the client had found the new leader by itself
        expected.insert(1, "into the void")
    assert sorted(values) == sorted(expected)
    # Who read from the leader that was cut off, and could not know better, goes on with the next one.
    wait_for(lambda: _work(consumer, read) == len(expected), "the consumer goes on")
    consumer.close()
    assert [each.decode() for each in read] == values


def test_a_group_goes_on_with_its_offsets_when_its_coordinator_dies(cluster: OurCluster) -> None:
    """Committed before the crash, known after it: no record is processed twice."""
    create(cluster.address, "work", 2)
    producer = Client(cluster.address, "work")
    for number in range(20):
        assert producer.send(f"job {number}") is None
    consumer = Consumer(
        {
            **QUIET,
            "bootstrap.servers": cluster.address,
            "group.id": "workers",
            "auto.offset.reset": "earliest",
            "enable.auto.commit": False,
            "session.timeout.ms": 6000,
        }
    )
    try:
        consumer.subscribe(["work"])
        done: list[bytes] = []
        wait_for(lambda: _work(consumer, done) >= 20, "the first jobs are done")
        wait_for(lambda: _commit(consumer), "the position is committed")
        places = [Place("__consumer_offsets", each) for each in range(4)]
        leaders = {
            each.partition: describe(cluster.address, "__consumer_offsets", each.partition)[0] for each in places
        }
        victim = leaders[_coordinator_partition("workers", 4)]
        cluster.kill_node(victim)
        for number in range(20, 40):
            assert producer.send(f"job {number}") is None
        wait_for(lambda: _work(consumer, done) >= 40, "the group goes on", 60)
        wait_for(lambda: _commit(consumer), "the new coordinator takes the position", 60)
        assert sorted(done) == sorted(b"job %d" % number for number in range(40))
        cluster.start_node(victim)
        committed = consumer.committed([Place("work", 0)], timeout=20)[0]
        assert committed.offset == 40
    finally:
        consumer.close()


def _work(consumer: Consumer, done: list[bytes]) -> int:
    done += [each.value() or b"" for each in consumer.consume(100, 0.5) if each.error() is None]
    return len(done)


def _commit(consumer: Consumer) -> bool:
    try:
        consumer.commit(asynchronous=False)
    except KafkaException:
        return False
    return True


def _coordinator_partition(group: str, count: int) -> int:
    from tidelog.model.java_hash import coordinator_partition

    return coordinator_partition(group, count)
