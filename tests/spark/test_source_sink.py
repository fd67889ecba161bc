"""`format("tidelog")` inside Spark, on our node and on Apache Kafka, beside Spark's own `format("kafka")`."""

import json
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from confluent_kafka import Producer
from confluent_kafka.admin import AdminClient, NewTopic
from confluent_kafka.cimpl import TopicPartition
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession

from peer.apache import ApacheNode
from peer.ours import OurNode
from peer.process import NodeProcess
from peer.toolchain import needs
from tidelog.client.blocking import BlockingCluster
from tidelog.client.blocking_offsets import fetch_offsets
from tidelog.spark import register
from tidelog.spark.progress import show_progress

CODECS = ("none", "gzip", "snappy", "lz4", "zstd")
ROWS = 500


@pytest.fixture(scope="module", params=["ours", "apache"])
def node(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[NodeProcess]:
    needs("java", "mvn")
    kind = {"ours": OurNode, "apache": ApacheNode}[request.param]
    found = kind(tmp_path_factory.mktemp(request.param))
    found.start()
    try:
        make_topics(found, "mixed", "copy", "kafka-copy", "cut")
        fill_mixed(found)
        yield found
    finally:
        found.close()


def make_topics(node: NodeProcess, *names: str) -> None:
    admin = AdminClient({"bootstrap.servers": node.address})
    for future in admin.create_topics([NewTopic(name, 2, 1) for name in names]).values():
        future.result(60)


def fill_mixed(node: NodeProcess) -> None:
    """Every codec, nulls, headers, and a transaction that was aborted among them."""
    for codec in CODECS:
        producer = Producer({"bootstrap.servers": node.address, "compression.type": codec})
        for number in range(ROWS // len(CODECS)):
            key = None if number % 7 == 0 else f"{codec}-{number}".encode()
            value = None if number % 11 == 0 else b"x" * (number % 90)
            headers = [("a", b"1"), ("b", None)] if number % 5 == 0 else []
            producer.produce("mixed", value, key, partition=number % 2, headers=headers)
        assert producer.flush(60) == 0
    aborted = Producer({"bootstrap.servers": node.address, "transactional.id": "never"})
    aborted.init_transactions(60)
    aborted.begin_transaction()
    aborted.produce("mixed", b"never", partition=0)
    assert aborted.flush(60) == 0
    aborted.abort_transaction(60)


def options(node: NodeProcess, **more: str) -> dict[str, str]:
    return {"kafka.bootstrap.servers": node.address, **more}


def load(spark: SparkSession, node: NodeProcess, form: str, **more: str) -> DataFrame:
    return spark.read.format(form).options(**options(node, **more)).load()


def rows_of(frame: DataFrame) -> list[Any]:
    return frame.orderBy("partition", "offset").collect()


def run_stream(frame: DataFrame, form: str, node: NodeProcess, folder: Path, **more: str) -> Any:
    """Runs a query to its end. Spark gives a Python worker ten seconds to start, which a busy machine may not keep:
    a query that failed for that has done nothing yet and is started again."""
    given = options(node, checkpointLocation=str(folder), **more)
    for left in (2, 1, 0):
        query = frame.writeStream.format(form).options(**given).trigger(availableNow=True).start()
        try:
            assert query.awaitTermination(240)
            return query
        except PySparkException as error:
            if "failed to connect back" not in str(error) or not left:
                raise
    raise AssertionError


def test_rows_are_those_of_sparks_own_source(spark: SparkSession, node: NodeProcess) -> None:
    given = {"subscribe": "mixed", "includeHeaders": "true", "kafka.isolation.level": "read_committed"}
    ours, theirs = load(spark, node, "tidelog", **given), load(spark, node, "kafka", **given)
    assert [(f.name, f.dataType) for f in ours.schema] == [(f.name, f.dataType) for f in theirs.schema]
    found = rows_of(ours)
    assert len(found) == ROWS
    assert found == rows_of(theirs)


def test_ranges_columns_and_cut_tasks(spark: SparkSession, node: NodeProcess) -> None:
    given = {"assign": '{"mixed":[1]}', "startingOffsets": '{"mixed":{"1":10}}', "endingOffsets": '{"mixed":{"1":20}}'}
    frame = spark.read.format("tidelog").schema("offset bigint").options(**options(node, minPartitions="3", **given))
    loaded = frame.load()
    assert sorted(row.offset for row in loaded.collect()) == list(range(10, 20))
    assert loaded.rdd.getNumPartitions() == 3


def test_a_stream_is_copied_exactly_once_and_shown_as_a_group(
    spark: SparkSession, node: NodeProcess, tmp_path: Path
) -> None:
    def source() -> DataFrame:
        given = {"subscribe": "mixed", "startingOffsets": "earliest", "maxOffsetsPerTrigger": "300"}
        reader = spark.readStream.format("tidelog").options(**options(node, **given, **{"kafka.group.id": "copiers"}))
        return reader.load().selectExpr("key", "value")

    bars = StringIO()
    listener = show_progress(spark, bars)
    query = run_stream(source(), "tidelog", node, tmp_path / "checkpoint", topic="copy")
    deadline = time.monotonic() + 60
    while " 100%" not in bars.getvalue():  # Spark tells its listeners in its own time
        assert time.monotonic() < deadline, bars.getvalue()
        time.sleep(0.05)
    spark.streams.removeListener(listener)
    assert "batch 1 " in bars.getvalue()
    assert bars.getvalue().endswith(" 0 behind\n")
    taken = [progress["numInputRows"] for progress in query.recentProgress]
    assert sum(taken) == ROWS
    assert max(taken) <= 300
    assert load(spark, node, "tidelog", subscribe="copy").count() == ROWS
    end = json.loads(query.lastProgress["sources"][0]["endOffset"])
    with BlockingCluster({"bootstrap.servers": node.address}) as cluster:
        committed = fetch_offsets(cluster, "copiers", [("mixed", 0), ("mixed", 1)])
    assert committed == {("mixed", int(part)): offset for part, offset in end["mixed"].items()}
    # Started again from its checkpoint it finds nothing to do, and writes nothing.
    run_stream(source(), "tidelog", node, tmp_path / "checkpoint", topic="copy")
    assert load(spark, node, "tidelog", subscribe="copy").count() == ROWS


def test_sparks_own_source_and_sink(spark: SparkSession, node: NodeProcess, tmp_path: Path) -> None:
    reader = spark.readStream.format("kafka").options(**options(node, subscribe="mixed", startingOffsets="earliest"))
    run_stream(reader.load().selectExpr("key", "value"), "kafka", node, tmp_path / "checkpoint", topic="kafka-copy")
    frame = load(spark, node, "tidelog", subscribe="mixed").selectExpr("key", "value", "'kafka-copy' AS topic")
    frame.write.format("kafka").options(**options(node)).save()
    assert load(spark, node, "kafka", subscribe="kafka-copy").count() >= 2 * ROWS


def test_batches_are_written_with_headers_and_partitions(spark: SparkSession, node: NodeProcess) -> None:
    given = "key string, value string, partition int, headers array<struct<key:string,value:binary>>"
    rows = [("k", "v", 1, [("h", b"1")]), (None, "w", 0, None), ("k", None, None, [])]
    frame = spark.createDataFrame(rows, given)  # type: ignore[type-var]
    for once in ("true", "false"):
        frame.write.format("tidelog").options(**options(node, topic="cut", exactlyOnce=once)).mode("append").save()
    found = load(spark, node, "tidelog", subscribe="cut", includeHeaders="true").collect()
    assert len(found) == 6
    first = next(row for row in found if row.value == b"v")
    assert (first.partition, first.key, [tuple(pair) for pair in first.headers]) == (1, b"k", [("h", b"1")])
    assert {row.partition for row in found if row.value == b"w"} == {0}


def test_queries_start_from_any_thread_that_registered(spark: SparkSession, node: NodeProcess, tmp_path: Path) -> None:
    frame = spark.readStream.format("tidelog").options(**options(node, subscribe="mixed")).load()

    def start() -> Any:
        register(spark)
        return run_stream(frame.select("key", "value"), "tidelog", node, tmp_path / "checkpoint", topic="cut")

    with ThreadPoolExecutor(1) as thread:
        assert thread.submit(start).result() is not None


def test_lost_records_stop_the_query_or_are_counted(spark: SparkSession, node: NodeProcess, tmp_path: Path) -> None:
    topic = "shrinking"
    make_topics(node, topic)
    producer = Producer({"bootstrap.servers": node.address})
    for number in range(20):
        producer.produce(topic, str(number).encode(), partition=0)
    assert producer.flush(60) == 0
    admin = AdminClient({"bootstrap.servers": node.address})
    for future in admin.delete_records([TopicPartition(topic, 0, 5)]).values():
        future.result(60)
    given = {"subscribe": topic, "startingOffsets": f'{{"{topic}":{{"0":0,"1":0}}}}'}
    with pytest.raises(PySparkException, match="offsets 0 to 4 are older than what the topic still holds"):
        load(spark, node, "tidelog", **given).count()
    assert load(spark, node, "tidelog", failOnDataLoss="false", **given).count() == 15


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"subscribe": "nope"}, "There is no topic 'nope'; create it first, or check its name"),
        ({"subscribe": "mixed", "startingOffset": "latest"}, "did you mean startingOffsets"),
        ({"subscribe": "mixed", "kafka.bootstrap.servers": "127.0.0.1:1"}, "start the broker or check the address"),
    ],
)
def test_bad_input_is_a_sentence(spark: SparkSession, node: NodeProcess, given: dict[str, str], sentence: str) -> None:
    if node.name == "apache":
        pytest.skip("the options are checked alike whatever the broker")
    with pytest.raises(PySparkException) as caught:
        spark.read.format("tidelog").options(**{**options(node), **given}).load().count()
    assert sentence in str(caught.value).splitlines()[0]
