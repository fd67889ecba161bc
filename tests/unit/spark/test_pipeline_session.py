"""What is left when a session cannot be had: nothing."""

import subprocess
import sys

import pytest

from tidelog.spark.pipeline.session import _children, _no_orphan, reason

WAIT = [sys.executable, "-c", "import time; time.sleep(600)"]


@pytest.mark.parametrize(
    ("said", "why"),
    [
        (
            'WARNING: modules\nException in thread "main" org.apache.spark.SparkException: Master must be local\n'
            "\tat org.apache.spark.deploy.SparkSubmit.error(SparkSubmit.scala:1068)\n",
            "Master must be local",
        ),
        ("Error: Could not find main class\nand so on\n", "Error: Could not find main class"),
        ("one\n\ttwo\nthree\n", "three"),
        ("", ""),
    ],
)
def test_why_a_jvm_did_not_start(said: str, why: str) -> None:
    assert reason(said) == why


def start_and_be_interrupted(started: list[subprocess.Popen[bytes]]) -> None:
    with _no_orphan():
        started.append(subprocess.Popen(WAIT))
        assert _children() >= {each.pid for each in started}
        raise KeyboardInterrupt


def test_what_was_started_is_ended_when_starting_is_interrupted() -> None:
    started = [subprocess.Popen(WAIT)]
    try:
        with pytest.raises(KeyboardInterrupt):
            start_and_be_interrupted(started)
        assert started[1].wait(30) == -9
        assert started[0].poll() is None
    finally:
        started[0].kill()
        started[0].wait()
