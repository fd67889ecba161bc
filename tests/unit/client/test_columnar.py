"""A topic handed to Arrow, pandas, Polars and DuckDB, read from a real node."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import duckdb
import pytest
from confluent_kafka import Producer
from confluent_kafka.admin import AdminClient

from support.node import RunningNode, running
from tidelog.client import columnar
from tidelog.client.blocking import BlockingCluster
from tidelog.client.columnar_arrow import schema_of
from tidelog.client.columnar_fetch import Loss, RangeReader
from tidelog.client.errors import ClientError, UnknownTopic

HOUR_MS = 3_600_000
START_MS = 1_700_000_000_000


@pytest.fixture(scope="module")
def node(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningNode]:
    with running(Path(tmp_path_factory.mktemp("node")), num_partitions="2") as found:
        found.create("hours", "lied")
        producer = Producer({"bootstrap.servers": address(found), "compression.type": "lz4"})
        for number in range(48):
            moment = START_MS + number // 2 * HOUR_MS
            producer.produce("hours", f"v{number}".encode(), f"k{number}".encode(), number % 2, timestamp=moment)
        assert producer.flush(30) == 0
        in_transactions(found)
        yield found


def in_transactions(node: RunningNode) -> None:
    producer = Producer({"bootstrap.servers": address(node), "transactional.id": "liar"})
    producer.init_transactions(30)
    for value, ends in ((b"kept", producer.commit_transaction), (b"taken back", producer.abort_transaction)):
        producer.begin_transaction()
        producer.produce("lied", value, partition=0)
        assert producer.flush(30) == 0
        ends(30)


def address(node: RunningNode) -> str:
    return f"{node.host}:{node.port}"


def test_a_whole_topic_as_a_table(node: RunningNode) -> None:
    table = columnar.read(address(node), "hours", columns=("value", "partition", "offset")).to_table()
    found = {row["value"]: (row["partition"], row["offset"]) for row in table.to_pylist()}
    assert found == {f"v{number}".encode(): (number % 2, number // 2) for number in range(48)}


def test_ranges_by_offset_time_and_partition(node: RunningNode) -> None:
    def values(**choice: object) -> list[bytes]:
        found = columnar.read(address(node), "hours", columns=("value",), **choice)  # type: ignore[arg-type]
        return sorted(found.to_table().column("value").to_pylist())

    assert values(start=23) == [b"v46", b"v47"]
    assert values(start={0: 23, 1: 24}) == [b"v46"]
    assert values(partitions=[1], end=1) == [b"v1"]
    late = datetime.fromtimestamp((START_MS + 23 * HOUR_MS) / 1000, UTC)
    assert values(start=late) == [b"v46", b"v47"]
    assert values(start=datetime(2100, 1, 1, tzinfo=UTC)) == []
    assert values(start=10**9, end="latest") == []


def test_transactions_that_were_aborted_are_left_out(node: RunningNode) -> None:
    committed = columnar.read(address(node), "lied", columns=("value",)).to_table()
    everything = columnar.read(address(node), "lied", columns=("value",), isolation="read_uncommitted").to_table()
    assert committed.column("value").to_pylist() == [b"kept"]
    assert everything.column("value").to_pylist() == [b"kept", b"taken back"]


def test_pandas_polars_and_duckdb(node: RunningNode) -> None:
    hours = columnar.read(address(node), "hours")
    assert hours.to_pandas().groupby("partition").size().to_dict() == {0: 24, 1: 24}
    assert hours.to_polars()["offset"].max() == 23
    found = duckdb.from_arrow(hours.to_reader()).aggregate("count(*), max(timestamp)").fetchall()
    assert found[0][0] == 48
    assert int(found[0][1].timestamp() * 1000) == START_MS + 23 * HOUR_MS


def test_what_is_not_there_is_a_sentence(node: RunningNode) -> None:
    with pytest.raises(UnknownTopic, match="There is no topic 'minutes'"):
        columnar.read(address(node), "minutes")
    with pytest.raises(ClientError, match="There is no column 'size'"):
        columnar.read(address(node), "hours", columns=("size",))
    with pytest.raises(ClientError, match="has partitions 0 to 1"):
        columnar.read(address(node), "hours", partitions=[2])
    with pytest.raises(ClientError, match="is no place in a topic"):
        columnar.read(address(node), "hours", start="middle")


@pytest.mark.parametrize("made_anew", [False, True])
def test_a_topic_that_is_deleted_after_planning_is_one_loss(node: RunningNode, made_anew: bool) -> None:
    name = f"short-lived-{made_anew}"
    node.create(name)
    producer = Producer({"bootstrap.servers": address(node)})
    for _ in range(3):
        producer.produce(name, b"gone", partition=0)
    assert producer.flush(30) == 0
    (planned,) = columnar.read(address(node), name).ranges
    admin = AdminClient({"bootstrap.servers": address(node)})
    admin.delete_topics([name])[name].result(30)
    if made_anew:
        node.create(name)
    losses: list[Loss] = []
    with BlockingCluster({"bootstrap.servers": address(node)}) as cluster:
        strict = RangeReader(cluster, planned, schema_of(("value",)))
        with pytest.raises(Loss, match="made anew" if made_anew else "the topic was deleted"):
            list(strict.batches())
        lenient = RangeReader(cluster, planned, schema_of(("value",)), on_loss=losses.append)
        assert list(lenient.batches()) == []
    assert [(loss.first, loss.end) for loss in losses] == [(0, 3)]
