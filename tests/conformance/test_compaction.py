"""Compaction beside Apache Kafka: the same log compacted by both, our files in its tools, and its own tester."""

from __future__ import annotations

import re
import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from confluent_kafka.admin import AdminClient
from confluent_kafka.cimpl import NewTopic

from peer.apache import ApacheNode, run_class
from peer.ours import OurNode
from peer.process import NodeProcess
from peer.toolchain import needs
from support.logs import marker
from tidelog.io.clock import RealClock
from tidelog.io.disk import RealDisk
from tidelog.log import checkpoints
from tidelog.log.config import LogConfig
from tidelog.log.log import Log, Origin
from tidelog.log.manager import LogManager
from tidelog.model.topic_partition import TopicPartition
from tidelog.protocol.compression import Codec
from tidelog.protocol.record_batch import BatchHeader, Record, build_batch, check_crc, decode_records, iter_batches

pytestmark = pytest.mark.apache
PROFILES = TopicPartition("profiles", 0)
DUMP = "org.apache.kafka.tools.DumpLogSegments"
QUICK = {"log.cleaner.backoff.ms": "100", "log.cleaner.dedupe.buffer.size": "4194304", "log.roll.ms": "30"}
TOPIC = {"cleanup.policy": "compact", "min.cleanable.dirty.ratio": "0.01", "segment.ms": "604800000"}
BASE_MS = 1_700_000_000_000


def fill(log: Log) -> None:
    """Updates, tombstones and transactions of several producers in every codec, over many segments."""
    random = Random(41)
    sequences = dict.fromkeys(range(1, 6), 0)
    is_open: set[int] = set()
    for number in range(400):
        producer = random.choice([None, 1, 2, 3, 4, 5])
        made = [
            Record(
                0, BASE_MS + number * 10 + random.randrange(9), f"user-{random.randrange(60)}".encode(),
                None if random.random() < 0.1 else random.randbytes(random.randrange(120)),
                (("source", b"test"),) if random.random() < 0.3 else (),
            )
            for _ in range(random.choice([1, 3, 8]))
        ]  # fmt: skip
        options: dict[str, object] = {"codec": list(Codec)[number % 5]}
        transactional = producer is not None and (producer in is_open or (producer > 2 and random.random() < 0.5))
        if producer is not None:
            options |= {"producer_id": producer, "producer_epoch": 0, "base_sequence": sequences[producer]}
            sequences[producer] += len(made)
            options["transactional"] = transactional
        data = memoryview(bytearray(build_batch(made, **options)))  # type: ignore[arg-type]
        log.append_as_leader(data, 0, BASE_MS, Origin.CLIENT, transactional)
        if transactional and producer is not None:
            is_open.add(producer)
        if is_open and random.random() < 0.3:
            ending = random.choice(sorted(is_open))
            is_open.remove(ending)
            log.append_as_leader(marker(ending, 0, random.random() < 0.5), 0, BASE_MS, Origin.COORDINATOR)
    for ending in sorted(is_open):
        log.append_as_leader(marker(ending, 0, commit=True), 0, BASE_MS, Origin.COORDINATOR)
    log.roll(BASE_MS)


def create(node: NodeProcess, topic: str) -> None:
    admin = AdminClient({"bootstrap.servers": node.address})
    (made,) = admin.create_topics([NewTopic(topic, 1, 1, config=TOPIC)]).values()
    made.result(30)


def compacted(node: NodeProcess) -> list[tuple[BatchHeader, list[Record]]]:
    """Waits until the node has compacted the log up to its active segment, and gives what its files hold."""
    folder = node.data / str(PROFILES)
    checkpoint = node.data / "cleaner-offset-checkpoint"
    deadline = time.monotonic() + 90
    while time.monotonic() < deadline:
        if checkpoint.exists():
            done = checkpoints.decode_offsets(checkpoint.read_bytes()).get(PROFILES, 0)
            segments = sorted(folder.glob("*.log"))
            if done >= int(segments[-1].stem) > 0:
                return [batch for segment in segments for batch in batches_of(segment)]
        time.sleep(0.05)
    raise TimeoutError(f"{node.name} compacted nothing: {node.tail()}")


def batches_of(segment: Path) -> list[tuple[BatchHeader, list[Record]]]:
    raw = segment.read_bytes()
    found = []
    for position, header in iter_batches(raw):
        check_crc(raw, position, header)
        found.append((header, decode_records(raw, position)))
    return found


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[NodeProcess, NodeProcess]]:
    """One log, written here and given to both; the cleaners find it when the nodes start."""
    needs("java", "mvn")
    root = tmp_path_factory.mktemp("compaction")
    apache = ApacheNode(root / "apache", QUICK)
    first = OurNode(root / "first", {"log.cleaner.enable": "false"}, data=apache.data)
    first.start()
    create(first, PROFILES.topic)
    first.stop()
    config = LogConfig(compact=True, delete=False, segment_bytes=8000, index_interval_bytes=512)
    manager = LogManager(RealDisk(), RealClock(), [str(apache.data)])
    manager.load(lambda topic: config)
    log = manager.get(PROFILES)
    assert log is not None
    fill(log)
    assert len(log.segments) > 10
    manager.close()
    ours = OurNode(root / "ours", QUICK, data=root / "data")
    shutil.copytree(apache.data, ours.data)
    try:
        apache.launch()
        ours.launch()
        apache.wait_until_it_serves()
        ours.wait_until_it_serves()
        yield ours, apache
    finally:
        ours.close()
        apache.close()


def told(header: BatchHeader, records: list[Record]) -> tuple[object, ...]:
    """All of a batch but what depends on the moment or on the compressor."""
    base = None if header.delete_horizon_ms is not None else header.base_timestamp
    return (
        *header[:1], header.partition_leader_epoch, header.attributes, header.last_offset_delta, base,
        header.max_timestamp, *header[9:], records,
    )  # fmt: skip


def test_both_leave_the_same_batches(both: tuple[NodeProcess, NodeProcess]) -> None:
    ours, apache = (compacted(node) for node in both)
    assert [told(*each) for each in ours if each[1]] == [told(*each) for each in apache if each[1]]
    assert 60 <= sum(len(found) for header, found in ours if not header.is_control) < 500
    # Every empty batch that Apache keeps for a producer is here too.
    assert {told(*each)[0] for each in apache if not each[1]} <= {told(*each)[0] for each in ours if not each[1]}


def test_apache_reads_our_compacted_files(both: tuple[NodeProcess, NodeProcess]) -> None:
    ours = both[0]
    kept = compacted(ours)
    folder = ours.data / str(PROFILES)
    files = [each for kind in ("log", "index", "timeindex", "txnindex") for each in sorted(folder.glob(f"*.{kind}"))]
    done = run_class(DUMP, "--deep-iteration", "--print-data-log", "--files", ",".join(map(str, files)))
    assert done.returncode == 0, done.stderr
    assert not re.search(r"Exception|[Mm]ismatch|[Cc]orrupt|isvalid: false|Found .* errors", done.stdout + done.stderr)
    offsets = [int(found) for found in re.findall(r"^\| offset: (\d+)", done.stdout, re.MULTILINE)]
    assert offsets == [record.offset for _, found in kept for record in found]


def test_apaches_own_tester_finds_nothing_wrong(both: tuple[NodeProcess, NodeProcess]) -> None:
    """It writes, sleeps and reads. A busy machine may need longer to compact: then a longer sleep follows."""
    assert any(shrunk_by(both[0].address, sleep_s) > 20 for sleep_s in (4, 20, 60)), "nothing was compacted"


def shrunk_by(address: str, sleep_s: int) -> float:
    """One run that finds no mismatch; gives by how many percent the log has shrunk."""
    done = run_class(
        "org.apache.kafka.tools.LogCompactionTester", "--bootstrap-server", address, "--messages", "20000",
        "--duplicates", "10", "--topics", "2", "--percent-deletes", "10", "--sleep", str(sleep_s),
    )  # fmt: skip
    assert "Data verification is completed" in done.stdout, done.stdout + done.stderr
    assert re.search(r"Validated [1-9]\d* values, 0 mismatches", done.stdout), done.stdout
    reduction = re.search(r"\(([\d.]+)% reduction\)", done.stdout)
    assert reduction is not None, done.stdout
    return float(reduction[1])
