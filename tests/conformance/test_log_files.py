"""Our files read by Apache Kafka, and its files opened here: the same bytes on both sides."""

from __future__ import annotations

import re
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from confluent_kafka import Consumer, KafkaError, KafkaException, Producer
from confluent_kafka import TopicPartition as KafkaPartition
from confluent_kafka.admin import AdminClient, NewTopic

from peer.apache import ApacheNode, run_class
from peer.toolchain import needs
from support.logs import NOW_MS, batch, marker, read_records
from tidelog.io.clock import RealClock
from tidelog.io.disk import RealDisk
from tidelog.log.config import LogConfig
from tidelog.log.log import Log, Origin
from tidelog.log.manager import LogManager
from tidelog.model.topic_partition import TopicPartition
from tidelog.protocol.compression import Codec

pytestmark = pytest.mark.apache
CONFIG = LogConfig(segment_bytes=4000, index_interval_bytes=300)
CLICKS = TopicPartition("clicks", 0)
DUMP = "org.apache.kafka.tools.DumpLogSegments"


def fill(log: Log) -> None:
    """Plain, compressed, idempotent and transactional batches of several leaders, over several segments."""
    sequence = 0
    for number in range(120):
        codec = list(Codec)[number % 5]
        log.append_as_leader(
            batch(*[f"{number}:{each}" * 5 for each in range(3)], codec=codec,
                  timestamp=NOW_MS + number * (-1) ** number, producer_id=7, producer_epoch=1, base_sequence=sequence),
            number // 50, NOW_MS,
        )  # fmt: skip
        sequence += 3
        if number % 10 == 3:
            log.append_as_leader(
                batch("in a transaction", producer_id=9, producer_epoch=0, base_sequence=number // 10,
                      transactional=True),
                number // 50, NOW_MS, transactional=True,
            )  # fmt: skip
        if number % 10 == 7:
            log.append_as_leader(marker(9, 0, commit=number % 20 == 7), number // 50, NOW_MS, Origin.COORDINATOR)


@pytest.fixture(scope="module")
def our_files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    needs("java", "mvn")
    root = tmp_path_factory.mktemp("ours")
    manager = LogManager(RealDisk(), RealClock(), [str(root)])
    manager.load(lambda topic: CONFIG)
    log = manager.create(CLICKS, bytes(range(16)), CONFIG)
    fill(log)
    assert len(log.segments) >= 4
    manager.close()
    return root / "clicks-0"


def dump(*files: Path, flags: tuple[str, ...] = ()) -> str:
    done = run_class(DUMP, *flags, "--files", ",".join(map(str, files)))
    assert done.returncode == 0, done.stderr
    assert not re.search(r"Exception|[Mm]ismatch|[Cc]orrupt|could not|Found .* errors", done.stdout + done.stderr), (
        done.stdout
    )
    return done.stdout


def test_apache_reads_our_segments_record_by_record(our_files: Path) -> None:
    segments = sorted(our_files.glob("*.log"))
    text = dump(*segments, flags=("--print-data-log", "--deep-iteration"))
    offsets = [int(found) for found in re.findall(r"^\| offset: (\d+)", text, re.MULTILINE)]
    assert offsets == list(range(120 * 3 + 12 + 12))
    assert text.count("isvalid: true") == 120 + 12 + 12
    assert "isvalid: false" not in text
    assert text.count("endTxnMarker: ABORT") == text.count("endTxnMarker: COMMIT") == 6
    assert all(f"compresscodec: {name}" in text for name in ("none", "gzip", "snappy", "lz4", "zstd"))


@pytest.mark.parametrize("kind", ["index", "timeindex"])
def test_our_indexes_are_sane(our_files: Path, kind: str) -> None:
    files = sorted(our_files.glob(f"*.{kind}"))
    text = dump(*files, flags=("--index-sanity-check",))
    assert text.count("passed sanity check") == len(files)
    assert len(re.findall(r"^(?:timestamp|offset): ", dump(*files, flags=("--verify-index-only",)), re.MULTILINE)) == 0
    entries = re.findall(r"^(?:timestamp|offset): ", dump(*files), re.MULTILINE)
    assert len(entries) == sum(file.stat().st_size // (8 if kind == "index" else 12) for file in files) > 20


def test_our_producer_snapshots_and_transaction_indexes_are_read(our_files: Path) -> None:
    snapshots = sorted(our_files.glob("*.snapshot"))
    assert len(snapshots) >= 4
    last = dump(snapshots[-1])
    assert re.search(r"producerId: 7 producerEpoch: 1 .*lastSequence: 359", last), last
    assert re.search(r"producerId: 9 producerEpoch: 0 ", last), last
    text = dump(*sorted(our_files.glob("*.txnindex")))
    assert text.count("producerId: 9") == 6


class Written:
    """What Apache Kafka wrote, and its directory after it was stopped."""

    def __init__(self, root: Path, records: dict[str, list[tuple[int, int, bytes | None, bytes | None]]]) -> None:
        self.root = root
        self.records = records


def end_offset(consumer: Consumer, topic: str) -> int:
    """A node that has just started may not lead yet."""
    for _ in range(200):
        try:
            return int(consumer.get_watermark_offsets(KafkaPartition(topic, 0), timeout=20)[1])
        except KafkaException as error:
            if error.args[0].code() != KafkaError.NOT_LEADER_FOR_PARTITION:
                raise
            time.sleep(0.05)
    raise TimeoutError(f"nobody leads {topic}")


def consume(address: str, topic: str) -> list[tuple[int, int, bytes | None, bytes | None]]:
    consumer = Consumer({"bootstrap.servers": address, "group.id": "x", "enable.auto.commit": False, "log_level": 0})
    consumer.assign([KafkaPartition(topic, 0, 0)])
    end = end_offset(consumer, topic)
    found = []
    try:
        while consumer.position([KafkaPartition(topic, 0)])[0].offset < end:
            message = consumer.poll(20)
            assert message is not None
            assert message.error() is None, message.error()
            found.append((message.offset(), message.timestamp()[1], message.key(), message.value()))
            if found[-1][0] >= end - 1:
                break
    finally:
        consumer.close()
    return found


def produce(address: str, topic: str, codec: str, count: int, **settings: object) -> None:
    producer = Producer({"bootstrap.servers": address, "compression.type": codec, "linger.ms": 1, **settings})
    for number in range(count):
        producer.produce(topic, key=f"k{number % 7}", value=f"{codec} {number} " + "x" * (number % 1500), partition=0)
        if number % 50 == 49:
            producer.flush()
    producer.flush()


def transactions(address: str, topic: str) -> None:
    producer = Producer({"bootstrap.servers": address, "transactional.id": "t"})
    producer.init_transactions(20)
    for number in range(8):
        producer.begin_transaction()
        producer.produce(topic, value=f"transaction {number}", partition=0)
        producer.flush()
        producer.commit_transaction(20) if number % 2 else producer.abort_transaction(20)


@pytest.fixture(scope="module")
def apache_files(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Written]:
    needs("java", "mvn")
    node = ApacheNode(tmp_path_factory.mktemp("apache"), {"log.index.interval.bytes": "512"})
    node.start()
    try:
        admin = AdminClient({"bootstrap.servers": node.address})
        topics = [NewTopic(name, 1, 1, config={"segment.bytes": "1048576"}) for name in ("plain", "txn")]
        topics.append(NewTopic("stamped", 1, 1, config={"message.timestamp.type": "LogAppendTime"}))
        for future in admin.create_topics(topics).values():
            future.result(20)
        for codec in ("none", "gzip", "snappy", "lz4", "zstd"):
            produce(node.address, "plain", codec, 2500)
            produce(node.address, "stamped", codec, 30, **{"enable.idempotence": True})
        transactions(node.address, "txn")
        records = {topic: consume(node.address, topic) for topic in ("plain", "stamped")}
        assert node.stop(60) in (0, 143)
        yield Written(node.data, records)
    finally:
        node.close()


def copy_of(written: Written, tmp_path: Path) -> Path:
    target = tmp_path / "data"
    shutil.copytree(written.root, target)
    return target


def open_manager(root: Path) -> LogManager:
    manager = LogManager(RealDisk(), RealClock(), [str(root)])
    manager.load(lambda topic: LogConfig(index_interval_bytes=512))
    assert not manager.corrupt
    return manager


def test_a_directory_that_apache_left_opens_with_the_same_records(apache_files: Written, tmp_path: Path) -> None:
    manager = open_manager(copy_of(apache_files, tmp_path))
    assert manager.disks[0].is_clean
    for topic, expected in apache_files.records.items():
        log = manager.get(TopicPartition(topic, 0))
        assert log is not None
        found = [(record.offset, record.timestamp, record.key, record.value) for record in read_records(log)]
        assert found == expected
        assert log.epochs.entries() == [(0, 0)]
    plain = manager.get(TopicPartition("plain", 0))
    assert plain is not None
    assert len(plain.segments) > 1
    manager.close()


def test_files_made_anew_from_apache_segments_are_the_bytes_that_apache_wrote(
    apache_files: Written, tmp_path: Path
) -> None:
    """Indexes, transaction indexes, epochs and producer snapshots are rebuilt from the segments alone."""
    root = copy_of(apache_files, tmp_path)
    (root / ".kafka_cleanshutdown").unlink()
    (root / "recovery-point-offset-checkpoint").unlink()
    originals = {}
    for topic in ("plain", "txn", "stamped"):
        for path in (root / f"{topic}-0").iterdir():
            originals[path] = path.read_bytes()
            if path.suffix != ".log" and path.name != "partition.metadata":
                path.unlink()
    manager = open_manager(root)
    log = manager.get(TopicPartition("txn", 0))
    assert log is not None
    assert len([txn for segment in log.segments for txn in segment.txn_index.entries]) == 4
    manager.close()
    for path, content in originals.items():
        assert path.read_bytes() == content, path


def test_apache_goes_on_where_we_stopped(apache_files: Written, tmp_path: Path) -> None:
    """We write into its directory; it starts without recovering anything and serves our records behind its own."""
    root = copy_of(apache_files, tmp_path)
    manager = open_manager(root)
    log = manager.get(TopicPartition("plain", 0))
    assert log is not None
    before = log.log_end_offset
    for number in range(300):
        log.append_as_leader(batch(f"ours {number}", codec=list(Codec)[number % 5]), 0, NOW_MS)
    manager.disks[0].high_watermarks[log.partition] = log.log_end_offset
    manager.close(broker_epoch=manager.disks[0].broker_epoch)
    node = ApacheNode(tmp_path / "again", {"log.index.interval.bytes": "512"}, data=root)
    node.start()
    try:
        found = consume(node.address, "plain")
        assert found[:before] == apache_files.records["plain"]
        assert [value for _, _, _, value in found[before:]] == [f"ours {number}".encode() for number in range(300)]
        # The metadata log is always read again; ours need not be.
        complaints = r"partition=plain.*(Recovering unflushed|Rebuilding|CorruptIndex|corrupt)"
        assert not re.search(complaints, node.output.read_text())
    finally:
        node.close()
