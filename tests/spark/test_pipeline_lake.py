"""Lake tables through kill -9 between the table's commit and Spark's, and small files put together on the way."""

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest
from deltalake import DeltaTable
from pyspark.sql import SparkSession

from peer.ours import OurNode
from tidelog.cli.quickstart_driver import members
from tidelog.cli.tool import run_async
from tidelog.spark.lake import tables
from tidelog.spark.pipeline import stream, to_lake
from tidelog.spark.pipeline.loading import collect, load
from tidelog.spark.pipeline.run import Runner
from tidelog.spark.pipeline.session import register
from tidelog.spark.pipeline.topics import prepare
from tidelog.spark.samples import model, outputs
from tidelog.spark.samples.feed import SAMPLES, create, events, send
from tidelog.spark.steps import VARIABLE

MARKS = "TIDELOG_TEST_MARKS"
TABLES = 2
SAMPLE = SAMPLES["lake_table"]


def kill_when_both_are_committed(step: str) -> None:
    """Runs in the process that has committed a table: when the other table is committed too, nothing lives on."""
    if step != "lake committed":
        return
    folder = Path(os.environ[MARKS])
    (folder / str(os.getpid())).touch()
    while len(list(folder.iterdir())) < TABLES:
        time.sleep(0.01)
    try:
        (folder / "killer").touch(exist_ok=False)
    except FileExistsError:  # two that kill each other would leave the rest alive
        signal.pause()
    for pid in sorted(members(os.getsid(0)), key=lambda pid: pid == os.getpid()):
        os.kill(pid, signal.SIGKILL)


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, str]]:
    monkeypatch.chdir(tmp_path)
    for name in ("node", "marks"):
        (tmp_path / name).mkdir()
    node = OurNode(tmp_path / "node")
    node.start()
    try:
        yield {"bootstrap.servers": node.address}
    finally:
        node.close()


@pytest.mark.timeout(400)
def test_a_driver_killed_between_the_two_commits_writes_nothing_twice(
    spark: SparkSession, settings: dict[str, str], tmp_path: Path
) -> None:
    made = list(events("lake_table", 300))
    run_async(create(settings, SAMPLE.topics))
    run_async(send(settings, made))
    killed = run_and_be_killed(tmp_path, settings)
    assert killed.returncode == -signal.SIGKILL, (tmp_path / "driver.log").read_text()
    deadline = time.monotonic() + 60
    while members(killed.pid):  # the driver was the first to be killed
        assert time.monotonic() < deadline
        time.sleep(0.02)
    home = tmp_path / "home" / "lake-table"
    for query in ("lake-table.kept_clicks", "lake-table.kept_profiles"):
        assert [(home / query / "checkpoint" / name / "0").exists() for name in ("offsets", "commits")] == [True, False]
    before = versions(tmp_path)
    assert before == (1, 0, 0)  # made, then batch 0; both tables know of it

    pipeline = load(SAMPLE.file)
    runner = Runner(pipeline, register(spark), settings, home)
    runner.run_once()
    assert (home / "lake-table.kept_clicks" / "checkpoint" / "commits" / "0").exists()
    assert versions(tmp_path) == before
    found = run_async(outputs.written(pipeline, settings, tmp_path))
    assert model.differences(found, model.expected("lake_table", made)) == []
    assert list(tmp_path.glob("lake/.staged-*/*/*")) == []


def run_and_be_killed(folder: Path, settings: dict[str, str]) -> "subprocess.Popen[bytes]":
    command = [
        sys.executable,
        "-m",
        "tidelog.cli.main",
        "pipeline",
        "run",
        SAMPLE.file,
        "--once",
        "--master",
        "local[2]",
    ]
    command += ["--home", str(folder / "home"), "-b", settings["bootstrap.servers"]]
    hook = {
        VARIABLE: f"spark.{Path(__file__).stem}:{kill_when_both_are_committed.__name__}",
        MARKS: str(folder / "marks"),
    }
    paths = os.pathsep.join([str(Path(__file__).parent.parent), os.environ.get("PYTHONPATH", "")])
    given = {**os.environ, **hook, "PYTHONPATH": paths}
    with open(folder / "driver.log", "wb") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log, start_new_session=True, env=given)
        process.wait(300)
    return process


def versions(folder: Path) -> tuple[int, int, int]:
    """The Delta table's version, and the last batch that each table knows of."""
    place = folder / "lake"
    return (
        DeltaTable(str(place / "clicks")).version(),
        tables.committed("delta", str(place / "clicks"), "lake-table.kept_clicks"),
        tables.committed("iceberg", str(place / "shop.profiles"), "lake-table.kept_profiles"),
    )


def test_small_files_are_put_together_while_the_query_runs(
    spark: SparkSession, settings: dict[str, str], tmp_path: Path
) -> None:
    clicks = stream("clicks", json="click_id string not null, page string", maxOffsetsPerTrigger=60)

    @to_lake("lake/pages", partition_by="page", compactEvery=3)
    def delta(clicks: Any = clicks) -> Any:
        return clicks

    @to_lake("lake/shop.pages", format="iceberg", partition_by="page", compactEvery=3)
    def iceberg(clicks: Any = clicks) -> Any:
        return clicks

    made = [each for each in events("clicks", 180) if each[2] != b"not json"][:180]
    run_async(create(settings, {"clicks": False}))
    run_async(send(settings, made))
    pipeline = collect("small", {"delta": delta, "iceberg": iceberg})
    run_async(prepare(pipeline, settings))
    Runner(pipeline, register(spark), settings, tmp_path / "home").run_once()
    pages = Counter(json.loads(value or b"")["page"] for _, _, value in made)
    for form, place in (("delta", tmp_path / "lake/pages"), ("iceberg", tmp_path / "lake/shop.pages")):
        assert tables.committed(form, str(place), f"small.{form}") == 2
        assert tables.files(form, str(place)) == len(pages)
        assert Counter(row["page"] for row in outputs.lake_rows(place, form)) == pages
    files = DeltaTable(str(tmp_path / "lake/pages")).file_uris()
    assert dict(duckdb.sql(f"select page, count(*) from read_parquet({files}) group by page").fetchall()) == pages
