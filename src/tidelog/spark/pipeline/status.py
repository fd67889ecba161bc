"""How the queries of a pipeline are: what the runner last wrote down, and their lag. Needs no Spark."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tidelog.client.admin import Admin


def saved(home: Path) -> dict[str, dict[str, Any]]:
    """By query, what its runner wrote last."""
    found = {}
    for file in sorted(home.glob("*/status.json")):
        try:
            found[file.parent.name] = json.loads(file.read_text(encoding="utf-8"))
        except ValueError:
            continue  # not written by us, or cut off with the machine
    return found


def is_running(row: Mapping[str, Any]) -> bool:
    """Its process lives; a runner that was killed had no time to write that it stopped."""
    if not row.get("running"):
        return False
    try:
        os.kill(int(row["pid"]), 0)
    except (OSError, KeyError, ValueError):
        return False
    return True


async def lag(settings: Mapping[str, str], group: str) -> int | None:
    """Records between what the query's group committed and the end; None when it committed nothing."""
    from tidelog.client.admin import Admin

    async with Admin(settings) as admin:
        return await lag_of(admin, group)


async def lag_of(admin: Admin, group: str) -> int | None:
    from tidelog.client.list_offsets import LATEST, list_offsets

    committed = await admin.groups.offsets(group)
    if not committed:
        return None
    ends = await list_offsets(admin.cluster, dict.fromkeys(committed, LATEST), isolation_level=1)
    return sum(max(0, ends[place].offset - row.offset) for place, row in committed.items())


def row_of(progress: Any, active: bool) -> dict[str, Any]:
    """What is written down of a query, from Spark's own progress."""
    return {
        "batch": progress["batchId"],
        "rows": progress["numInputRows"],
        "rows_per_second": round(progress["processedRowsPerSecond"] or 0.0, 1),
        "state_rows": sum(each["numRowsTotal"] for each in progress["stateOperators"]),
        "late_rows": sum(each["numRowsDroppedByWatermark"] for each in progress["stateOperators"]),
        "watermark": (progress["eventTime"] or {}).get("watermark"),
        "at": progress["timestamp"],
        "pid": os.getpid(),
        "running": active,
    }


def save(file: Path, row: dict[str, Any]) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    new = file.with_suffix(".new")
    new.write_text(json.dumps(row), encoding="utf-8")
    new.replace(file)
