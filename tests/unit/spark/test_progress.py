"""The bar of a query on a terminal, and what is said when Spark cannot start."""

import io
from typing import Any

import pytest

from tidelog.spark import NotReady, session
from tidelog.spark.positions import Position
from tidelog.spark.progress import Bars


def progress(batch: int, start: int, end: int, latest: int) -> dict[str, Any]:
    import json

    first, last, there = (json.dumps(Position({("a", 0): at}, {}, "g").to_json()) for at in (start, end, latest))
    source = {"startOffset": first, "endOffset": last, "latestOffset": there}
    other = {"startOffset": None, "endOffset": "17", "latestOffset": None}
    return {
        "id": "4f2c9a1b-0",
        "name": None,
        "batchId": batch,
        "processedRowsPerSecond": 1234.5,
        "sources": [source, other],
    }


def test_a_bar_grows_with_what_is_read_and_is_drawn_over() -> None:
    out = io.StringIO()
    bars = Bars(out)
    bars.update("run", progress(0, 0, 25, 100))
    bars.update("run", progress(1, 25, 100, 100))
    first, second = out.getvalue().splitlines()
    assert "4f2c9a1b  batch 0" in first
    assert first.count("█") == 6
    assert "25%" in first
    assert "1,234 rows/s" in first
    assert first.endswith("75 behind")
    assert second.startswith("\033[1A")
    assert second.count("█") == 24
    assert second.endswith("0 behind")


def test_a_query_that_ended_keeps_its_line() -> None:
    out = io.StringIO()
    bars = Bars(out)
    bars.update("one", progress(0, 0, 10, 10))
    bars.end("one")
    bars.update("two", progress(0, 0, 10, 10))
    assert "\033[1A" not in out.getvalue()


def test_without_java_there_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("JAVA_HOME", raising=False)
    with pytest.raises(NotReady, match="Spark needs Java 17 or newer and none was found; install it"):
        session()
