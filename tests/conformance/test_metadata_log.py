"""The metadata log is Apache Kafka's: its tools read ours, and either node starts from the other's directory."""

import json
from pathlib import Path

import pytest
from confluent_kafka import Consumer, Producer, TopicPartition
from confluent_kafka.admin import AdminClient, AlterConfigOpType, ConfigEntry, ConfigResource, NewTopic, ResourceType

from peer.apache import ApacheNode, run_class
from peer.ours import OurNode
from peer.process import NodeProcess
from peer.toolchain import needs
from tidelog.metadata.delta import MetadataDelta
from tidelog.metadata.image import EMPTY, MetadataImage, Provenance
from tidelog.metadata.records import decode_record, encode_record
from tidelog.metadata.snapshot import snapshot_of
from tidelog.metadata.transactions import TransactionFilter
from tidelog.protocol.record_batch import check_crc, decode_records, iter_batches

pytestmark = pytest.mark.apache
# Apache Kafka waits until the session of the node's former run has ended.
QUICK_SESSION = {"broker.session.timeout.ms": "1000", "broker.heartbeat.interval.ms": "200"}
LOG = "__cluster_metadata-0/00000000000000000000.log"


def records_of(data: Path) -> list[tuple[int, bytes]]:
    """Offset and value of every record that is not a control record; each batch is checked on the way."""
    found = []
    log = (data / LOG).read_bytes()
    for position, header in iter_batches(log):
        check_crc(log, position, header)
        if not header.is_control:
            found += [(record.offset, record.value or b"") for record in decode_records(log, position, header=header)]
    return found


def image_of(data: Path) -> MetadataImage:
    delta = MetadataDelta(EMPTY)
    records = records_of(data)
    delta.replay_all(TransactionFilter().feed(decode_record(value) for _, value in records))
    return delta.apply(Provenance(records[-1][0], 1, 0))


def administer(node: NodeProcess, prefix: str) -> None:
    """Topics, more partitions, settings of a topic and of the broker, a deletion."""
    admin = AdminClient({"bootstrap.servers": node.address})

    def wait(futures) -> None:
        for future in futures.values():
            future.result(30)

    settings = {"cleanup.policy": "compact", "segment.bytes": "2000000"}
    wait(admin.create_topics([NewTopic(f"{prefix}-a", 3, 1), NewTopic(f"{prefix}-b", 1, 1, config=settings)]))
    wait(admin.create_topics([NewTopic(f"{prefix}-gone", 1, 1)]))
    wait(admin.delete_topics([f"{prefix}-gone"]))
    entry = ConfigEntry("log.retention.ms", "123456789", incremental_operation=AlterConfigOpType.SET)
    wait(admin.incremental_alter_configs([ConfigResource(ResourceType.BROKER, "1", incremental_configs=[entry])]))


def described(node: NodeProcess) -> dict[str, int]:
    topics = AdminClient({"bootstrap.servers": node.address}).list_topics(timeout=30).topics
    return {name: len(topic.partitions) for name, topic in topics.items()}


def produce(node: NodeProcess, topic: str, value: str) -> int:
    """Writes one record to partition 0 and gives its offset."""
    offsets = []
    producer = Producer({"bootstrap.servers": node.address, "acks": "all"})
    producer.produce(topic, value, partition=0, on_delivery=lambda error, message: offsets.append(message.offset()))
    assert producer.flush(30) == 0
    return offsets[0]


def consume(node: NodeProcess, topic: str, count: int) -> list[str]:
    consumer = Consumer({"bootstrap.servers": node.address, "group.id": "x", "enable.auto.commit": False})
    consumer.assign([TopicPartition(topic, 0, 0)])
    found = [message.value().decode() for message in consumer.consume(count, 30)]
    consumer.close()
    return found


def topics_in_apaches_shell(snapshot: Path) -> list[str]:
    """It may run its command before it has published what it read, and then shows nothing: it is asked again."""
    for _ in range(5):
        command = ("--snapshot", str(snapshot), "ls", "/image/topics/byName")
        shown = run_class("org.apache.kafka.shell.MetadataShell", *command)
        if found := shown.stdout.split():
            return found
    return []


def test_apaches_dump_tool_reads_our_log_and_snapshot(tmp_path: Path) -> None:
    needs("java", "mvn")
    ours = OurNode(tmp_path / "ours")
    ours.start()
    administer(ours, "x")
    ours.stop()
    dumped = run_class(
        "org.apache.kafka.tools.DumpLogSegments", "--cluster-metadata-decoder", "--files", str(ours.data / LOG)
    )
    assert "isvalid: false" not in dumped.stdout
    payloads = [json.loads(line.split("payload: ")[1]) for line in dumped.stdout.splitlines() if "payload: " in line]
    assert len(payloads) == len(records_of(ours.data)), dumped.stderr
    types = [payload["type"] for payload in payloads]
    assert types.count("TOPIC_RECORD") == 3
    assert types.count("PARTITION_RECORD") == 5
    assert types.count("REMOVE_TOPIC_RECORD") == 1

    snapshot = tmp_path / "00000000000000000100-0000000001.checkpoint"
    snapshot.write_bytes(b"".join(snapshot_of(image_of(ours.data), 0)))
    assert topics_in_apaches_shell(snapshot) == ["x-a", "x-b"]


def test_our_encoding_of_apaches_records_is_apaches(tmp_path: Path) -> None:
    needs("java", "mvn")
    apache = ApacheNode(tmp_path / "apache")
    apache.start()
    administer(apache, "x")
    apache.stop()
    for offset, value in records_of(apache.data):
        assert encode_record(decode_record(value), 30) == value, f"the record at offset {offset}"


def test_a_directory_goes_from_apache_to_ours_and_back(tmp_path: Path) -> None:
    needs("java", "mvn")
    apache = ApacheNode(tmp_path / "apache")
    apache.start()
    administer(apache, "first")
    assert produce(apache, "first-a", "one") == 0
    apache.stop()

    ours = OurNode(tmp_path / "ours", data=apache.data)
    ours.start()
    assert described(ours) == {"first-a": 3, "first-b": 1}
    administer(ours, "second")
    assert produce(ours, "first-a", "two") == 1
    assert produce(ours, "second-a", "alpha") == 0
    ours.stop()
    between = image_of(apache.data)
    assert between.topics.get("first-a").partitions[0].leader_epoch == 3, "lost by Apache, won and given up by ours"

    again = ApacheNode(tmp_path / "again", QUICK_SESSION, data=apache.data)
    again.start()
    assert described(again) == {"first-a": 3, "first-b": 1, "second-a": 3, "second-b": 1}
    assert produce(again, "first-a", "three") == 2
    assert consume(again, "first-a", 3) == ["one", "two", "three"]
    assert consume(again, "second-a", 1) == ["alpha"]
    again.stop()
    after = image_of(apache.data)
    assert after.topics.get("second-b").id == between.topics.get("second-b").id
    assert after.configs.get(4, "1")["log.retention.ms"] == "123456789"
