"""Mistakes and mishaps inside Spark: each is a sentence in the first line, and nothing is lost by it."""

import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from confluent_kafka import Producer
from confluent_kafka.admin import AdminClient, NewTopic
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession

from peer.ours import OurNode
from peer.process import NodeProcess
from spark.outputs import committed_keys

TOO_BUSY = "failed to connect back"


@pytest.fixture(scope="module")
def node(tmp_path_factory: pytest.TempPathFactory) -> Iterator[NodeProcess]:
    found = OurNode(tmp_path_factory.mktemp("ours"))
    found.start()
    try:
        make_topics(found, "clicks", "others", "out", "safe")
        fill(found, "clicks", 0, 20)
        yield found
    finally:
        found.close()


def make_topics(node: NodeProcess, *names: str) -> None:
    admin = AdminClient({"bootstrap.servers": node.address})
    for future in admin.create_topics([NewTopic(name, 2, 1) for name in names]).values():
        future.result(60)


def fill(node: NodeProcess, topic: str, first: int, end: int) -> None:
    producer = Producer({"bootstrap.servers": node.address})
    for number in range(first, end):
        producer.produce(topic, b"value", str(number).encode(), number % 2)
    assert producer.flush(60) == 0


def stream(spark: SparkSession, node: NodeProcess, **options: str) -> DataFrame:
    given = {"kafka.bootstrap.servers": node.address, "startingOffsets": "earliest", **options}
    return spark.readStream.format("tidelog").options(**given).load().selectExpr("key", "value")


def run(frame: DataFrame, node: NodeProcess, folder: Path, **options: str) -> None:
    """To its end. Spark gives a Python worker ten seconds to start, which a busy machine may not keep: then again."""
    given = {"kafka.bootstrap.servers": node.address, "checkpointLocation": str(folder), **options}
    for left in (2, 1, 0):
        query = frame.writeStream.format("tidelog").options(**given).trigger(availableNow=True).start()
        try:
            assert query.awaitTermination(120)
            return
        except PySparkException as error:
            if TOO_BUSY not in str(error) or not left:
                raise
        finally:
            query.stop()


def first_line(error: Any) -> str:
    return str(error.value).splitlines()[0]


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"subscribe": "clicks", "startingOffset": "latest"}, "did you mean startingOffsets?"),
        ({"subscribe": "nope"}, "There is no topic 'nope'; create it first, or check its name"),
        ({"subscribe": "clicks", "endingOffsets": "latest"}, "A stream has no end"),
        ({"subscribe": "clicks", "kafka.bootstrap.servers": "127.0.0.1:1"}, "start the broker or check the address"),
    ],
)
def test_a_stream_that_cannot_be_read(
    spark: SparkSession, node: NodeProcess, tmp_path: Path, options: dict[str, str], sentence: str
) -> None:
    with pytest.raises(PySparkException) as caught:
        run(stream(spark, node, **options), node, tmp_path / "checkpoint", topic="out")
    assert sentence in first_line(caught)


@pytest.mark.parametrize(
    ("columns", "options", "sentence"),
    [
        (("key", "value"), {"topics": "out"}, "There is no option 'topics'; did you mean topic?"),
        (("key", "value"), {}, "Say where to write"),
        (("key",), {"topic": "out"}, "There is no column 'value'"),
        (("key", "value"), {"topic": "nope"}, "There is no topic 'nope'; create it first, or check its name"),
    ],
)
def test_a_stream_that_cannot_be_written(
    spark: SparkSession,
    node: NodeProcess,
    tmp_path: Path,
    columns: tuple[str, ...],
    options: dict[str, str],
    sentence: str,
) -> None:
    with pytest.raises(PySparkException) as caught:
        run(stream(spark, node, subscribe="clicks").select(*columns), node, tmp_path / "checkpoint", **options)
    assert sentence in first_line(caught)


def test_a_checkpoint_of_another_topic(spark: SparkSession, node: NodeProcess, tmp_path: Path) -> None:
    run(stream(spark, node, subscribe="clicks"), node, tmp_path / "checkpoint", topic="safe")
    with pytest.raises(PySparkException) as caught:
        run(stream(spark, node, subscribe="others"), node, tmp_path / "checkpoint", topic="safe")
    assert "Topic 'clicks' is in the checkpoint and is not read any more" in first_line(caught)
    run(stream(spark, node, subscribe="clicks"), node, tmp_path / "checkpoint", topic="safe")
    assert committed_keys(node.address, "safe") == sorted(str(number) for number in range(20))


def test_a_broker_that_goes_away_and_comes_back(spark: SparkSession, tmp_path: Path) -> None:
    """The query goes on by itself, or fails with a sentence and goes on when it is started again."""
    node = OurNode(tmp_path / "node")
    node.start()
    try:
        make_topics(node, "clicks", "copy")
        frame = stream(spark, node, subscribe="clicks")
        given = {"kafka.bootstrap.servers": node.address, "topic": "copy"}
        writer = frame.writeStream.format("tidelog").options(**given, checkpointLocation=str(tmp_path / "checkpoint"))
        fill(node, "clicks", 0, 100)
        query = Supervised(writer.trigger(processingTime="0 seconds"))
        try:
            query.wait_for(node, 100)
            node.kill()
            with suppress(PySparkException):
                query.query.awaitTermination(3)
            node.start()
            fill(node, "clicks", 100, 200)
            query.wait_for(node, 200)
        finally:
            query.query.stop()
        assert committed_keys(node.address, "copy") == sorted(str(number) for number in range(200))
    finally:
        node.close()


class Supervised:
    """A query that is started again whenever it ends; why it ended must be a sentence, whichever."""

    def __init__(self, writer: Any) -> None:
        self._writer = writer
        self._said: list[str] = []
        self.query = writer.start()

    def wait_for(self, node: NodeProcess, rows: int) -> None:
        deadline = time.monotonic() + 120
        while (found := len(committed_keys(node.address, "copy"))) < rows:
            assert time.monotonic() < deadline, f"only {found} of {rows} rows came; {self._said}"
            if not self.query.isActive:
                self._said.append(str(self.query.exception()).splitlines()[0])
                assert "Traceback" not in self._said[-1]
                self.query = self._writer.start()
            time.sleep(0.1)
