"""What is said of a cluster whose workers cannot run a pipeline; no Spark runs here."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tidelog.client.connection import SOFTWARE_VERSION
from tidelog.spark.pipeline import cluster
from tidelog.spark.pipeline.cluster import Worker, check_workers, is_elsewhere
from tidelog.spark.pipeline.errors import PipelineError

HOME = Path("/shared/pipelines")


@pytest.mark.parametrize(
    ("master", "elsewhere"),
    [("", False), ("local", False), ("local[2]", False), ("local-cluster[2,1,512]", True), ("spark://a:7077", True)],
)
def test_where_tasks_run(master: str, elsewhere: bool) -> None:
    assert is_elsewhere(master) == elsewhere


def fake(executors: list[int]) -> Any:
    """A session whose cluster has one more executor each time it is asked, up to what is given."""
    tracker = SimpleNamespace(
        getExecutorInfos=lambda: [None] * (executors.pop(0) if len(executors) > 1 else executors[0])
    )
    java = SimpleNamespace(sc=lambda: SimpleNamespace(statusTracker=lambda: tracker))
    return SimpleNamespace(sparkContext=SimpleNamespace(master="spark://a:7077", _jsc=java))


@pytest.mark.parametrize(
    ("worker", "said"),
    [
        (Worker("w1", "/usr/bin/python3", "", True), r"on w1 \(Python /usr/bin/python3\) has no tidelog; install it"),
        (Worker("w1", "p", "0.0.1", True), "has tidelog 0.0.1 and this machine"),
        (Worker("w1", "p", SOFTWARE_VERSION, False), "does not see the folder /shared/pipelines"),
    ],
)
def test_workers_that_cannot(monkeypatch: pytest.MonkeyPatch, worker: Worker, said: str) -> None:
    monkeypatch.setattr(cluster, "_asked", lambda *_: {worker})
    with pytest.raises(PipelineError, match=said):
        check_workers(fake([2]), HOME, print)


def test_a_cluster_without_workers_is_waited_for_with_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "_asked", lambda *_: {Worker("w1", "p", SOFTWARE_VERSION, True)})
    monkeypatch.setattr(cluster, "PATIENCE_S", -1.0)
    told: list[str] = []
    check_workers(fake([1, 1, 2]), HOME, told.append)
    assert told == ["spark://a:7077 has given no worker yet; waiting (has it one with free cores and memory?)"]
    with pytest.raises(PipelineError, match="gave no worker before the end was asked for"):
        check_workers(fake([1]), HOME, told.append, lambda: True)
