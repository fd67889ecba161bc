"""`tide pipeline run --master` on a standalone cluster: the same outputs, once, and the same lag as on one machine."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from peer.ours import OurNode
from peer.toolchain import needs
from spark import traps
from spark.standalone import Standalone
from tidelog.cli.tool import run_async
from tidelog.spark.pipeline.loading import load
from tidelog.spark.pipeline.status import lag
from tidelog.spark.samples import model, outputs
from tidelog.spark.samples.feed import SAMPLES, create, events, send

pytestmark = pytest.mark.timeout(600)
RECORDS = 300
CONF = {
    "spark.driver.host": "127.0.0.1",
    "spark.driver.memory": "512m",
    "spark.executor.memory": "512m",
    "spark.executor.cores": "1",
    "spark.sql.shuffle.partitions": "2",
    "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
    "spark.executor.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
}


@pytest.fixture
def node(tmp_path: Path) -> Iterator[OurNode]:
    needs("java")
    found = OurNode(tmp_path / "node")
    found.start()
    try:
        yield found
    finally:
        found.close()


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Standalone]:
    needs("java")
    found = Standalone(tmp_path / "cluster")
    try:
        found.start()
        yield found
    finally:
        found.stop()


def test_an_executor_is_killed_and_everything_is_there_once(node: OurNode, cluster: Standalone, tmp_path: Path) -> None:
    """The tasks that were on it have written and not committed; they are tried again on the other executor."""
    settings = {"bootstrap.servers": node.address}
    made = list(events("orders", RECORDS))
    run_async(create(settings, SAMPLES["orders"].topics))
    run_async(send(settings, made))
    trap = traps.Trap(tmp_path, "task wrote all", 1, traps.EXECUTOR)
    hooks = {f"spark.executorEnv.{name}": text for name, text in traps.environment(tmp_path).items()}
    done = run(SAMPLES["orders"].file, node, cluster, tmp_path, **hooks)
    assert done.returncode == 0, done.stderr
    assert trap.has_struck
    pipeline = load(SAMPLES["orders"].file)
    found = run_async(outputs.written(pipeline, settings, tmp_path))
    assert model.differences(found, model.expected("orders", made)) == []
    assert [run_async(lag(settings, pipeline.query(step))) for step in pipeline.writers] == [0, 0]


def run(file: str, node: OurNode, cluster: Standalone, folder: Path, **conf: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "tidelog.cli.main", "pipeline", "run", file, "--once", "-b", node.address]
    command += ["--master", cluster.master, "--home", str(folder / "home")]
    for name, text in {**CONF, **conf}.items():
        command += ["--conf", f"{name}={text}"]
    given = {name: text for name, text in os.environ.items() if not name.startswith(("PYSPARK_", "SPARK_"))}
    return subprocess.run(command, cwd=folder, env=given, capture_output=True, text=True, check=False, timeout=500)
