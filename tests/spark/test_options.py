"""The source's options beside those of Spark's own source: the same rows, and a sentence where Spark refuses too."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from confluent_kafka import Producer, TopicPartition
from confluent_kafka.admin import AdminClient, NewTopic
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession

from peer.ours import OurNode
from peer.process import NodeProcess
from peer.toolchain import needs

TOPICS: dict[str, dict[str, str]] = {"east": {}, "west": {}, "stamped": {"message.timestamp.type": "LogAppendTime"}}
BATCHES: tuple[dict[str, Any], ...] = (
    {"subscribe": "east,west"},
    {"subscribePattern": "(e|w)est"},
    {"subscribePattern": "st"},
    {"subscribePattern": "north.*"},
    {"subscribe": "stamped", "includeHeaders": "true"},
    {"assign": {"east": [1], "west": [0]}},
    {"subscribe": "east", "startingOffsets": {"east": {"0": 3, "1": -2}}, "endingOffsets": {"east": {"0": 6, "1": -1}}},
    {"subscribe": "west", "startingOffsets": {"west": {"0": 0, "1": 1}}, "failOnDataLoss": "false"},
    {"subscribe": "east", "startingTimestamp": "2500", "endingTimestamp": "5001"},
    {
        "subscribe": "east",
        "startingOffsetsByTimestamp": {"east": {"0": 8001, "1": 1}},
        "endingOffsetsByTimestamp": {"east": {"0": 99999, "1": 1001}},
    },
    {"subscribe": "east", "startingTimestamp": "99999", "startingOffsetsByTimestampStrategy": "latest"},
    {"subscribe": "east", "endingTimestamp": "0"},
    {"subscribe": "east", "minPartitions": "5"},
)
STREAMS: tuple[dict[str, Any], ...] = (
    {"subscribe": "east,west", "startingOffsets": "earliest", "maxOffsetsPerTrigger": "7"},
    {"subscribePattern": "^.est$", "startingOffsets": "earliest", "minPartitions": "6"},
    {"assign": {"east": [1]}, "startingOffsets": {"east": {"1": 4}}},
    {"subscribe": "east", "startingTimestamp": "4000"},
    {"subscribe": "west", "startingOffsets": {"west": {"0": 0, "1": 1}}, "failOnDataLoss": "false"},
    {"subscribe": "east"},
)
REFUSED: tuple[tuple[dict[str, Any], str], ...] = (
    ({"startingOffsets": "latest"}, "startingOffsets cannot be latest in a batch read: nothing would be read"),
    ({"startingOffsets": {"east": {"0": -1, "1": 1}}}, "startingOffsets has -1 for east-0: nothing of it would"),
    ({"endingOffsets": {"east": {"0": -2, "1": 1}}}, "endingOffsets has -2 for east-0: nothing of it would be read"),
    ({"startingOffsets": {"east": {"0": 3}}}, "startingOffsets names no value for east-1; give one for each"),
    ({"startingOffsets": {"east": {"0": 3, "1": 1, "2": 0}}}, "startingOffsets names east-2, which is not read"),
    ({"startingOffsets": {"east": {"0": 3, "1": 1}, "esat": {"0": 1}}}, "startingOffsets names esat-0, which is not"),
    ({"startingOffsets": {"east": {"0": 15, "1": 1}}}, "east-0 would be read from offset 15 up to offset 10"),
    (
        {"startingOffsets": {"east": {"0": 6, "1": 1}}, "endingOffsets": {"east": {"0": 3, "1": 2}}},
        "east-0 would be read from offset 6 up to offset 3, where nothing is; choose an earlier start or a later end",
    ),
    ({"endingOffsets": {"east": {"0": 15, "1": 1}}}, "east-0 ends at offset 10, endingOffsets says 15; set failOnData"),
    ({"startingTimestamp": "5001", "endingTimestamp": "2500"}, "east-0 would be read from offset 5 up to offset 3"),
    ({"startingTimestamp": "99999"}, "has no record at or after timestamp 99999; choose an earlier one"),
)


@pytest.fixture(scope="module")
def node(tmp_path_factory: pytest.TempPathFactory) -> Iterator[NodeProcess]:
    """Ten records a second apart in each partition; the first four of one are deleted."""
    needs("java", "mvn")
    found = OurNode(tmp_path_factory.mktemp("ours"))
    found.start()
    try:
        admin = AdminClient({"bootstrap.servers": found.address})
        old = {"retention.ms": "-1"}  # the records are of 1970
        made = [NewTopic(name, 2, 1, config={**old, **settings}) for name, settings in TOPICS.items()]
        for future in admin.create_topics(made).values():
            future.result(60)
        producer = Producer({"bootstrap.servers": found.address})
        for topic in TOPICS:
            for number in range(20):
                moment = 1 + 1000 * (number // 2)
                producer.produce(topic, b"v", str(number), number % 2, timestamp=moment, headers=[("h", b"1")])
        assert producer.flush(60) == 0
        for future in admin.delete_records([TopicPartition("west", 0, 4)]).values():
            future.result(60)
        yield found
    finally:
        found.close()


def options(node: NodeProcess, given: dict[str, Any]) -> dict[str, str]:
    texts = {name: value if isinstance(value, str) else json.dumps(value) for name, value in given.items()}
    return {"kafka.bootstrap.servers": node.address, **texts}


def rows_of(frame: DataFrame) -> list[Any]:
    return sorted(frame.collect(), key=lambda row: (row.topic, row.partition, row.offset))


@pytest.mark.parametrize("given", BATCHES, ids=str)
def test_a_batch_reads_the_rows_of_sparks_own_source(
    spark: SparkSession, node: NodeProcess, given: dict[str, Any]
) -> None:
    ours, theirs = (spark.read.format(form).options(**options(node, given)).load() for form in ("tidelog", "kafka"))
    assert [(f.name, f.dataType) for f in ours.schema] == [(f.name, f.dataType) for f in theirs.schema]
    assert rows_of(ours) == rows_of(theirs)
    if "minPartitions" in given:
        assert ours.rdd.getNumPartitions() == theirs.rdd.getNumPartitions() >= int(given["minPartitions"])


@pytest.mark.parametrize("given", STREAMS, ids=str)
def test_a_stream_reads_the_rows_of_sparks_own_source(
    spark: SparkSession, node: NodeProcess, tmp_path: Path, given: dict[str, Any]
) -> None:
    found = {}
    for form in ("tidelog", "kafka"):
        frame = spark.readStream.format(form).options(**options(node, given)).load()
        writer = frame.writeStream.format("memory").queryName(f"{form}_rows").trigger(availableNow=True)
        query = writer.option("checkpointLocation", str(tmp_path / form)).start()
        try:
            assert query.awaitTermination(120)
        finally:
            query.stop()
        found[form] = rows_of(spark.table(f"{form}_rows"))
        if "maxOffsetsPerTrigger" in given:
            most = int(given["maxOffsetsPerTrigger"])
            assert all(progress["numInputRows"] <= most for progress in query.recentProgress)
    assert found["tidelog"] == found["kafka"]


@pytest.mark.parametrize(("given", "sentence"), REFUSED, ids=str)
def test_what_sparks_own_source_refuses_is_a_sentence_here(
    spark: SparkSession, node: NodeProcess, given: dict[str, Any], sentence: str
) -> None:
    said = {}
    for form in ("tidelog", "kafka"):
        # Spark's own source waits for records that are not there as long as this says.
        more = {"subscribe": "east", "kafkaConsumer.pollTimeoutMs": "1000", **given}
        with pytest.raises(Exception) as caught:  # noqa: PT011 - Spark's own has many kinds
            spark.read.format(form).options(**options(node, more)).load().collect()
        said[form] = caught.value
    assert isinstance(said["tidelog"], PySparkException)
    assert sentence in str(said["tidelog"]).splitlines()[0]
