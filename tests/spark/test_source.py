"""The source as Spark calls it, on our node and on Apache Kafka: options, limits, and what is loss and what is not."""

import json
import time
from collections.abc import Iterator
from typing import Any

import pytest
from confluent_kafka import Producer, TopicPartition
from confluent_kafka.admin import AdminClient, NewPartitions, NewTopic
from pyspark.sql.streaming.datasource import ReadAllAvailable
from pyspark.sql.types import StructType

from peer.apache import ApacheNode
from peer.ours import OurNode
from peer.process import NodeProcess
from peer.toolchain import missing
from tidelog.client.blocking import BlockingCluster
from tidelog.client.blocking_offsets import EARLIEST, fetch_offsets, list_offsets
from tidelog.spark import intents
from tidelog.spark.datasource import TidelogDataSource
from tidelog.spark.plan import DataLoss
from tidelog.spark.source import TidelogStreamReader
from tidelog.spark.subscription import Subscription

ALL = ReadAllAvailable()
SETTINGS = {"log.cleaner.backoff.ms": "100", "log.retention.check.interval.ms": "200"}
Row = tuple[int, int, bytes | None]


@pytest.fixture(scope="module", params=["ours", "apache"])
def node(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[NodeProcess]:
    if request.param == "apache" and missing("java", "mvn"):
        pytest.skip("Apache Kafka needs Java 17 and Maven; install them and run again")
    kind = {"ours": OurNode, "apache": ApacheNode}[request.param]
    found = kind(tmp_path_factory.mktemp(request.param), SETTINGS)
    found.start()
    try:
        yield found
    finally:
        found.close()


@pytest.fixture
def topic(node: NodeProcess, request: pytest.FixtureRequest) -> str:
    """A topic of two partitions with ten records in each, a second apart from the epoch on."""
    name = f"t{abs(hash(request.node.name)):x}"
    make(node, name)
    fill(node, name, 10)
    return name


def make(node: NodeProcess, name: str, partitions: int = 2, **config: str) -> None:
    """Records of 1970 are to stay."""
    admin = AdminClient({"bootstrap.servers": node.address})
    settings = {"retention.ms": "-1", **{key.replace("_", "."): value for key, value in config.items()}}
    for future in admin.create_topics([NewTopic(name, partitions, 1, config=settings)]).values():
        future.result(60)


def delete(node: NodeProcess, name: str) -> None:
    admin = AdminClient({"bootstrap.servers": node.address})
    for future in admin.delete_topics([name]).values():
        future.result(60)


def fill(node: NodeProcess, name: str, rows: int, partitions: tuple[int, ...] = (0, 1), *, now: bool = False) -> None:
    producer = Producer({"bootstrap.servers": node.address})
    for partition in partitions:
        for number in range(rows):
            moment = {} if now else {"timestamp": 1 + 1000 * number}
            producer.produce(name, f"{number}".encode(), f"{partition}/{number}", partition, **moment)
    assert producer.flush(60) == 0


def source(node: NodeProcess, **options: str) -> TidelogDataSource:
    given = {key.replace("__", "."): value for key, value in options.items()}
    return TidelogDataSource({"kafka.bootstrap.servers": node.address, **given})


def rows_of(reader: Any, partitions: Any) -> list[Row]:
    """Partition, offset and value of everything."""
    found: list[Row] = []
    for partition in partitions:
        for batch in reader.read(partition):
            columns = (batch.column(name).to_pylist() for name in ("partition", "offset", "value"))
            found += zip(*columns, strict=True)
    return sorted(found)


def schema_of(found: TidelogDataSource) -> StructType:
    from pyspark.sql.types import BinaryType, IntegerType, LongType, StructField

    fields = [("partition", IntegerType()), ("offset", LongType()), ("value", BinaryType())]
    return StructType([StructField(name, kind) for name, kind in fields])


def batch(node: NodeProcess, **options: str) -> list[Row]:
    found = source(node, **options)
    reader = found.reader(schema_of(found))
    return rows_of(reader, reader.partitions())


def offsets(rows: list[Row], partition: int = 0) -> list[int]:
    return [offset for found, offset, _ in rows if found == partition]


class Stream:
    """A stream reader and the position that Spark would keep for it."""

    def __init__(self, node: NodeProcess, position: dict[str, Any] | None = None, **options: str) -> None:
        found = source(node, **{"startingOffsets": "earliest", **options})
        reader = found.streamReader(schema_of(found))
        assert isinstance(reader, TidelogStreamReader)
        self.reader = reader
        self.position = position or json.loads(json.dumps(reader.initialOffset()))

    def next(self) -> list[Row]:
        limit = self.reader.getDefaultReadLimit()
        end = json.loads(json.dumps(self.reader.latestOffset(self.position, limit)))
        found = rows_of(self.reader, self.reader.partitions(self.position, end)) if end != self.position else []
        self.position = end
        return found


# What to read.


def test_topics_by_pattern_and_by_assignment(node: NodeProcess, topic: str) -> None:
    assert len(batch(node, subscribePattern=f"{topic[:-1]}.")) == 20
    assert {partition for partition, _, _ in batch(node, assign=json.dumps({topic: [1]}))} == {1}
    with pytest.raises(Exception, match=r"has no partition 7, it has 2; correct assign"):
        batch(node, assign=json.dumps({topic: [7]}))


def test_offsets_from_and_to(node: NodeProcess, topic: str) -> None:
    start, end = json.dumps({topic: {"0": 3}}), json.dumps({topic: {"0": 6}})
    assert batch(node, assign=json.dumps({topic: [0]}), startingOffsets=start, endingOffsets=end) == [
        (0, 3, b"3"), (0, 4, b"4"), (0, 5, b"5")
    ]  # fmt: skip


def test_an_end_that_is_not_there_is_told_at_once_or_counted(node: NodeProcess, topic: str) -> None:
    given = {"assign": json.dumps({topic: [0]}), "endingOffsets": json.dumps({topic: {"0": 15}})}
    with pytest.raises(DataLoss, match=f"{topic}-0 ends at offset 10, endingOffsets says 15; set failOnDataLoss"):
        batch(node, **given)
    assert offsets(batch(node, failOnDataLoss="false", **given)) == list(range(10))


def test_a_range_that_is_gone_whole_is_lost_and_no_more(
    node: NodeProcess, topic: str, capsys: pytest.CaptureFixture[str]
) -> None:
    admin = AdminClient({"bootstrap.servers": node.address})
    for future in admin.delete_records([TopicPartition(topic, 0, 8)]).values():
        future.result(60)
    start, end = json.dumps({topic: {"0": 0}}), json.dumps({topic: {"0": 3}})
    given = {"assign": json.dumps({topic: [0]}), "startingOffsets": start, "endingOffsets": end}
    assert batch(node, failOnDataLoss="false", **given) == []
    assert "offsets 0 to 2 are older than what the topic still holds; 3 offsets lost so far" in capsys.readouterr().err


def test_a_pattern_does_not_find_what_sinks_keep_for_themselves(node: NodeProcess, topic: str) -> None:
    """A query that reads everything, with the intents of its own sink among it, would never come to rest."""
    with BlockingCluster({"bootstrap.servers": node.address}) as cluster:
        intents.IntentLog(cluster, intents.TOPIC, "query")
        found = Subscription(pattern=".*").find(cluster)
        assert topic in found
        assert intents.TOPIC not in found


def test_times_from_and_to(node: NodeProcess, topic: str) -> None:
    found = batch(node, subscribe=topic, startingTimestamp="2500", endingTimestamp="5001")
    assert offsets(found) == offsets(found, 1) == [3, 4]
    start, end = json.dumps({topic: {"0": 8001, "1": 1}}), json.dumps({topic: {"0": 99999, "1": 1001}})
    found = batch(node, subscribe=topic, startingOffsetsByTimestamp=start, endingOffsetsByTimestamp=end)
    assert (offsets(found), offsets(found, 1)) == ([8, 9], [0])
    with pytest.raises(Exception, match="has no record at or after timestamp 99999; choose an earlier one"):
        batch(node, subscribe=topic, startingTimestamp="99999")
    late = {"startingTimestamp": "99999", "startingOffsetsByTimestampStrategy": "latest"}
    assert batch(node, subscribe=topic, **late) == []


def test_more_tasks_than_partitions(node: NodeProcess, topic: str) -> None:
    for option, value, tasks in (
        ("minPartitions", "5", 6),
        ("maxRecordsPerPartition", "4", 6),
        ("minPartitions", "1", 2),
    ):
        found = source(node, subscribe=topic, **{option: value})
        reader = found.reader(schema_of(found))
        partitions = reader.partitions()
        assert len(partitions) == tasks
        assert len(rows_of(reader, partitions)) == 20


# How much a batch takes.


def test_batches_are_limited_in_rows_and_in_bytes(node: NodeProcess, topic: str) -> None:
    stream = Stream(node, subscribe=topic, maxOffsetsPerTrigger="6")
    sizes = [len(stream.next()) for _ in range(5)]
    assert sizes == [6, 6, 6, 2, 0]
    stream = Stream(node, subscribe=topic, maxBytesPerTrigger="150")
    first = len(stream.next())
    assert 0 < first < 20
    found = first
    while found < 20:
        size = len(stream.next())
        assert 0 < size < 20
        found += size


def test_a_batch_waits_for_enough_or_long_enough(node: NodeProcess, topic: str) -> None:
    stream = Stream(node, subscribe=topic, minOffsetsPerTrigger="30", maxTriggerDelay="1h")
    assert stream.next() == []
    fill(node, topic, 5)
    assert len(stream.next()) == 30
    stream = Stream(node, subscribe=topic, minOffsetsPerTrigger="1000", maxTriggerDelay="1ms")
    assert stream.next() == []
    time.sleep(0.01)
    assert len(stream.next()) == 30


def test_available_now_ends_where_the_topic_ended(node: NodeProcess, topic: str) -> None:
    stream = Stream(node, subscribe=topic, maxOffsetsPerTrigger="15")
    stream.reader.prepareForTriggerAvailableNow()
    fill(node, topic, 10)
    assert [len(stream.next()) for _ in range(3)] == [15, 5, 0]


# What is there, what is not, and why.


def test_new_partitions_are_read_from_their_beginning(node: NodeProcess, topic: str) -> None:
    stream = Stream(node, subscribe=topic, startingOffsets="latest")
    assert stream.next() == []
    admin = AdminClient({"bootstrap.servers": node.address})
    for future in admin.create_partitions([NewPartitions(topic, 3)]).values():
        future.result(60)
    fill(node, topic, 4, (2,))
    assert offsets(stream.next(), 2) == [0, 1, 2, 3]


def test_a_topic_that_was_made_anew_is_a_loss(node: NodeProcess, topic: str) -> None:
    stream, lenient = (Stream(node, subscribe=topic, failOnDataLoss=flag) for flag in ("true", "false"))
    assert len(stream.next()) == len(lenient.next()) == 20
    delete(node, topic)
    make(node, topic)
    fill(node, topic, 3)
    with pytest.raises(DataLoss, match=f"'{topic}' was deleted and made anew since the last batch; set failOnDataLoss"):
        stream.next()
    assert len(lenient.next()) == 6


def test_a_deleted_topic_and_a_checkpoint_of_another_topic_are_told(node: NodeProcess, topic: str) -> None:
    before = Stream(node, subscribe=topic)
    before.next()
    make(node, f"{topic}-other")
    other = Stream(node, before.position, subscribe=f"{topic}-other")
    sentence = f"Topic '{topic}' is in the checkpoint and is not read any more"
    with pytest.raises(DataLoss, match=sentence):
        other.next()
    delete(node, topic)
    with pytest.raises(DataLoss, match=sentence):
        before.next()


def test_records_behind_the_start_of_the_log_are_a_loss_that_is_counted(node: NodeProcess, topic: str) -> None:
    stream, lenient = (Stream(node, subscribe=topic, failOnDataLoss=flag) for flag in ("true", "false"))
    admin = AdminClient({"bootstrap.servers": node.address})
    for future in admin.delete_records([TopicPartition(topic, 0, 4)]).values():
        future.result(60)
    with pytest.raises(DataLoss, match="offsets 0 to 3 are older than what the topic still holds"):
        stream.next()
    assert offsets(lenient.next()) == [4, 5, 6, 7, 8, 9]
    fill(node, topic, 1)
    lenient.next()
    assert lenient.position["@"]["lost"] == 4


def test_gaps_of_compaction_are_no_loss(node: NodeProcess, topic: str) -> None:
    name = f"{topic}-compacted"
    settings = {"cleanup_policy": "compact", "segment_ms": "100", "min_cleanable_dirty_ratio": "0.001"}
    make(node, name, 1, **settings)
    deadline = time.monotonic() + 60
    fill(node, name, 5, (0,), now=True)
    while 0 in offsets(batch(node, subscribe=name)):  # a segment that is old enough is closed by the next record
        assert time.monotonic() < deadline, "nothing was cleaned"
        fill(node, name, 5, (0,), now=True)
        time.sleep(0.2)
    stream = Stream(node, subscribe=name, startingOffsets=json.dumps({name: {"0": 0}}))
    rows = stream.next()
    assert offsets(rows) != list(range(len(rows)))
    assert {value for _, _, value in rows} == {b"0", b"1", b"2", b"3", b"4"}


def test_transactions_are_read_when_they_are_committed(node: NodeProcess, topic: str) -> None:
    stream, early = (
        Stream(node, subscribe=topic, startingOffsets="latest", kafka__isolation__level=level)
        for level in ("read_committed", "read_uncommitted")
    )
    producer = Producer({"bootstrap.servers": node.address, "transactional.id": topic})
    producer.init_transactions(60)
    for ending in (producer.abort_transaction, producer.commit_transaction):
        producer.begin_transaction()
        producer.produce(topic, ending.__name__.encode(), partition=0)
        assert producer.flush(60) == 0
        assert stream.next() == []
        assert len(early.next()) == 1
        ending(60)
    found: list[Row] = []
    deadline = time.monotonic() + 60
    while not found and time.monotonic() < deadline:  # the coordinator answers before the marker is in the log
        found = stream.next()
    assert [value for _, _, value in found] == [b"commit_transaction"]


# Who sees it.


def test_a_query_is_a_group_with_lag(node: NodeProcess, topic: str) -> None:
    stream = Stream(node, subscribe=topic, maxOffsetsPerTrigger="6", groupIdPrefix="seen")
    stream.next()
    stream.reader.commit(stream.position)
    group, keys = f"seen-{topic}", [(topic, 0), (topic, 1)]
    with BlockingCluster({"bootstrap.servers": node.address}) as cluster:
        assert sum(fetch_offsets(cluster, group, keys).values()) == 6
        assert list_offsets(cluster, {keys[0]: EARLIEST}, committed=True) == {keys[0]: 0}
    admin = AdminClient({"bootstrap.servers": node.address})
    assert group in {found.group_id for found in admin.list_consumer_groups().result(30).valid}
    latest = stream.reader.reportLatestOffset()
    assert latest is not None
    assert latest[topic] == {"0": 10, "1": 10}
