"""What `tide pipeline run` shows while it runs."""

import io
from typing import Any

from tidelog.cli.pipeline_progress import Progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def progress(batch: int, rows: int) -> dict[str, Any]:
    return {
        "runId": "r",
        "id": "i",
        "name": "orders.spent",
        "batchId": batch,
        "numInputRows": rows,
        "processedRowsPerSecond": 1234.5,
        "sources": [],
    }


def test_a_line_for_each_batch_with_rows_where_no_terminal_is() -> None:
    out = io.StringIO()
    shown = Progress(out)
    for batch, rows in ((0, 10), (0, 10), (1, 0), (2, 5)):
        shown.show("orders.spent", progress(batch, rows))
    assert out.getvalue() == (
        "orders.spent: batch 0, 10 rows, 1,234 rows/s\norders.spent: batch 2, 5 rows, 1,234 rows/s\n"
    )


def test_a_bar_on_a_terminal() -> None:
    out = Terminal()
    shown = Progress(out)
    shown.show("orders.spent", progress(3, 10))
    assert "orders.spent  batch 3" in out.getvalue()
    assert "1,234 rows/s" in out.getvalue()
