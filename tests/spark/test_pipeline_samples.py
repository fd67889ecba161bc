"""The sample pipelines on a real node through the real exactly-once sink, against plain loops over the same events."""

import json
import time
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

import duckdb
import pytest
from pyspark.sql import SparkSession

from peer.apache import ApacheNode
from peer.ours import OurNode
from peer.toolchain import needs
from tidelog.cli.tool import run_async
from tidelog.spark.pipeline import state
from tidelog.spark.pipeline.errors import PipelineError
from tidelog.spark.pipeline.loading import load
from tidelog.spark.pipeline.replay import Replay, renamed
from tidelog.spark.pipeline.run import Runner
from tidelog.spark.pipeline.session import register
from tidelog.spark.pipeline.status import lag, saved
from tidelog.spark.pipeline.topics import prepare
from tidelog.spark.samples import model, outputs
from tidelog.spark.samples.feed import SAMPLES, Event, create, events, read_all, send

RECORDS = 400


@pytest.fixture
def settings(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[dict[str, str]]:
    is_apache = getattr(request, "param", "ours") == "apache"
    if is_apache:
        needs("mvn")
    node = (ApacheNode if is_apache else OurNode)(tmp_path / "node")
    node.start()
    try:
        yield {"bootstrap.servers": node.address}
    finally:
        node.close()


class Played:
    """A sample on the node: what was sent so far, and its queries run to the end of it."""

    def __init__(self, name: str, spark: SparkSession, settings: dict[str, str], folder: Path) -> None:
        self.name = name
        self.settings = settings
        self.folder = folder
        self.pipeline = load(SAMPLES[name].file)
        self.sent: list[Event] = []
        self.runner = Runner(self.pipeline, register(spark), settings, folder / "home")
        run_async(create(settings, SAMPLES[name].topics))
        run_async(prepare(self.pipeline, settings))

    def play(self, made: list[Event]) -> None:
        self.sent += made
        run_async(send(self.settings, made))
        self.runner.run_once()

    def rows(self) -> model.Outputs:
        return run_async(outputs.written(self.pipeline, self.settings, self.folder))

    def differences(self) -> list[str]:
        return model.differences(self.rows(), model.expected(self.name, self.sent))


@pytest.fixture(autouse=True)
def _in_own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # a lake table's place is relative to where the pipeline runs
    (tmp_path / "node").mkdir()


@pytest.mark.parametrize("settings", ["ours", "apache"], indirect=True)
def test_marketplace_events_are_keyed_by_city(spark: SparkSession, settings: dict[str, str], tmp_path: Path) -> None:
    """On both brokers: a pipeline asks of them what any Kafka has."""
    sample = Played("marketplace", spark, settings, tmp_path)
    sample.play(list(events("marketplace", RECORDS)))
    assert sample.differences() == []
    records = run_async(read_all(settings, "marketplace-by-city"))
    assert {record.key.decode() == json.loads(record.value)["city"] for record in records} == {True}


def test_orders_are_enriched_and_their_state_lag_and_replay_are_right(
    spark: SparkSession, settings: dict[str, str], tmp_path: Path
) -> None:
    """All that `tide pipeline status`, `state` and `replay` show, on the pipeline of the mission."""
    sample = Played("orders", spark, settings, tmp_path)
    made = list(events("orders", RECORDS))
    sample.play(made[:-100])
    until_ms = 1 + max(record.timestamp for record in run_async(read_all(settings, "orders")))
    queries = [sample.pipeline.query(step) for step in sample.pipeline.writers]
    wait_until_after(until_ms)
    run_async(send(settings, made[-100:]))
    assert [run_async(lag(settings, query)) for query in queries] == [100, 0]
    sample.sent += made[-100:]
    sample.runner.run_once()
    assert sample.differences() == []
    assert [run_async(lag(settings, query)) for query in queries] == [0, 0]
    assert {
        query: row["batch"] for query, row in saved(tmp_path / "home").items() if query in queries
    } == dict.fromkeys(queries, 1)

    wanted = model.expected("orders", sample.sent)["spent-by-city"]
    known = state.stores(spark, tmp_path / "home", "orders.spent")
    chosen = state.choice(known, None, "")
    assert chosen is not None
    rows = state.found_rows(spark, tmp_path / "home", "orders.spent", chosen)
    assert {row["key"]["city"]: row["value"]["count"] for row in rows} == {row["city"]: row["orders"] for row in wanted}
    with pytest.raises(PipelineError, match=r"cannot be read so: .*nothing.*\(its columns are struct<"):
        state.found_rows(spark, tmp_path / "home", "orders.spent", chosen, where="nothing = 1")
    with pytest.raises(PipelineError, match=r"there is no such store; there are: default of operator 0"):
        state.choice(known, 7, "")

    run_async(prepare(sample.pipeline, settings, ".again"))
    with pytest.raises(
        PipelineError, match=r"topic 'enriched-orders\.again' is there already; give the replay another"
    ):
        run_async(prepare(sample.pipeline, settings, ".again"))
    replay = Replay(sample.pipeline, spark, settings, ".again", None, until_ms)
    assert replay.run() == {"enriched": "enriched-orders.again", "spent": "spent-by-city.again"}
    assert replay.dead_letters() == 0
    again = run_async(outputs.written(renamed(sample.pipeline, ".again"), settings, tmp_path))
    first = model.expected("orders", made[:-100])
    assert (
        model.differences(again, {f"{name}.again": first[name] for name in ("enriched-orders", "spent-by-city")}) == []
    )
    assert sample.differences() == []


def wait_until_after(time_ms: int) -> None:
    while time.time() * 1000 <= time_ms:
        time.sleep(0.01)


def test_clicks_with_dead_letters_of_broken_ones_and_grace_for_late_ones(
    spark: SparkSession, settings: dict[str, str], tmp_path: Path
) -> None:
    sample = Played("clicks", spark, settings, tmp_path)
    sample.play(list(events("clicks", RECORDS)))
    assert sample.differences() == []
    letters = run_async(outputs.dead_letters(sample.pipeline, settings))
    broken = [record for record in run_async(read_all(settings, "clicks")) if record.key is None]
    assert {row["from"]: row["value"].encode() for row in letters} == {
        f"clicks-{record.partition}@{record.offset}": record.value for record in broken
    }
    assert sorted(row["reason"] for row in letters) == [
        "field 'at' is not a timestamp: 7.5",
        "field 'click_id' is missing",
        "the value is not JSON: Expecting value: line 1 column 1 (char 0)",
    ]

    newest = max(datetime.fromisoformat(json.loads(value or b"")["at"]) for _, _, value in sample.sent[:RECORDS])
    in_grace, too_late = (late_click(newest - timedelta(seconds=seconds)) for seconds in (8, 60))
    sample.play([in_grace, too_late])
    wanted = model.expected("clicks", [each for each in sample.sent if each is not too_late])
    assert model.differences(sample.rows(), {"page-counts": wanted["page-counts"]}) == []


def late_click(at: datetime) -> Event:
    row = {"click_id": f"late {at}", "user": "u0", "page": "/late", "at": at.isoformat()}
    return "clicks", b"u0", json.dumps(row).encode()


def test_profiles_bootstrap_state_and_are_kept_up_to_date(
    spark: SparkSession, settings: dict[str, str], tmp_path: Path
) -> None:
    """The second run reads the changes alone; the table that they change is in the state of the first."""
    sample = Played("profiles", spark, settings, tmp_path)
    sample.play(list(events("profiles", RECORDS)))
    assert sample.differences() == []
    first = sample.rows()["views-with-plan"]
    view = {"user_id": "u1", "page": "/"}
    later: list[Event] = [
        ("profiles", b"u1", json.dumps({"name": "ann", "plan": "gold"}).encode()),
        ("profiles", b"u2", None),
        *[
            ("page-views", None, json.dumps({**view, "view_id": f"w{n}", "user_id": f"u{n}"}).encode())
            for n in (1, 2, 4)
        ],
    ]
    sample.play(later)
    found = sample.rows()
    wanted = model.expected("profiles", sample.sent)
    added = [row for row in found["views-with-plan"] if row not in first]
    assert {row["view_id"]: row["plan"] for row in added} == {
        "w1": "gold",
        "w4": model.newest((key, value) for topic, key, value in sample.sent if topic == "profiles")["u4"]["plan"],
    }
    assert len(added) + len(first) == len(found["views-with-plan"])
    assert model.differences(found, {"users-by-plan": wanted["users-by-plan"]}) == []


def test_topics_kept_as_lake_tables_that_duckdb_reads(
    spark: SparkSession, settings: dict[str, str], tmp_path: Path
) -> None:
    sample = Played("lake_table", spark, settings, tmp_path)
    sample.play(list(events("lake_table", RECORDS)))
    assert sample.differences() == []
    sample.play([("profiles", b"u5", None), *list(events("clicks", 20, seed=1))[:20]])
    clicks = duckdb.sql(f"select count(*), count(distinct day) from '{tmp_path}/lake/clicks/*/*.parquet'").fetchall()
    assert clicks == [(RECORDS + 20, 1)]
    wanted = model.expected("lake_table", sample.sent)["lake/shop.profiles"]
    assert "u5" not in {row["user_id"] for row in wanted}
    assert model.differences(sample.rows(), {"lake/shop.profiles": wanted}) == []
    run_async(prepare(sample.pipeline, settings, ".again"))
    places = {"kept_clicks": "lake/clicks.again", "kept_profiles": "lake/shop.profiles_again"}
    assert Replay(sample.pipeline, spark, settings, ".again").run() == places
    again = run_async(outputs.written(renamed(sample.pipeline, ".again"), settings, tmp_path))
    assert model.differences(again, {"lake/shop.profiles_again": wanted}) == []
    with pytest.raises(PipelineError, match=r"the lake table 'lake/clicks\.again' is there already"):
        run_async(prepare(sample.pipeline, settings, ".again"))
