"""`tide pipeline run` as a person runs and stops it: its terminal shows sentences, whatever struck when."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from peer.ours import OurNode
from peer.toolchain import needs
from tidelog.cli.quickstart_driver import members
from tidelog.cli.tool import run_async
from tidelog.spark.samples.feed import SAMPLES, create, events, send

pytestmark = pytest.mark.timeout(600)
PATIENCE_S = 200


@pytest.fixture
def running(tmp_path: Path) -> Iterator["subprocess.Popen[bytes]"]:
    """The orders, as a process group of its own; what it says is in a file."""
    needs("java")
    node = OurNode(tmp_path / "node")
    node.start()
    settings = {"bootstrap.servers": node.address}
    run_async(create(settings, SAMPLES["orders"].topics))
    run_async(send(settings, events("orders", 50)))
    command = [sys.executable, "-m", "tidelog.cli.main", "pipeline", "run", SAMPLES["orders"].file, "-b", node.address]
    with (tmp_path / "said").open("wb") as said:
        process = subprocess.Popen(
            [*command, "--master", "local[2]"], cwd=tmp_path, stdout=said, stderr=said, start_new_session=True
        )
    try:
        wait_for(lambda: "Ctrl-C stops" in text(tmp_path), tmp_path)
        yield process
    finally:
        for pid in members(process.pid):
            os.kill(pid, signal.SIGKILL)
        process.wait()
        node.close()


def text(folder: Path) -> str:
    return (folder / "said").read_text()


def wait_for(condition: Callable[[], bool], folder: Path) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < deadline, text(folder)
        time.sleep(0.05)


def test_one_signal_stops_it_and_everything_it_started(running: "subprocess.Popen[bytes]", tmp_path: Path) -> None:
    running.send_signal(signal.SIGINT)
    assert running.wait(PATIENCE_S) == 0
    assert text(tmp_path).splitlines()[-1].startswith("stopping after the running micro-batches")
    assert "Traceback" not in text(tmp_path)
    wait_for(lambda: not members(running.pid), tmp_path)


def test_a_signal_to_the_whole_group_takes_the_jvm_too(running: "subprocess.Popen[bytes]", tmp_path: Path) -> None:
    os.killpg(running.pid, signal.SIGTERM)
    assert running.wait(PATIENCE_S) == 0
    assert "Traceback" not in text(tmp_path)
    assert "Exception" not in text(tmp_path)


def test_a_jvm_that_dies_is_told_in_a_sentence(running: "subprocess.Popen[bytes]", tmp_path: Path) -> None:
    (java,) = [pid for pid in members(running.pid) if Path(f"/proc/{pid}/comm").read_text().strip() == "java"]
    os.kill(java, signal.SIGKILL)
    assert running.wait(PATIENCE_S) == 1
    last = text(tmp_path).splitlines()[-1]
    assert last.startswith("tide pipeline: Spark's JVM ended in the middle of its work; ")
    assert "Traceback" not in text(tmp_path)
