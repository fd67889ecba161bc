"""What a pipeline has written, read back by clients that know nothing of Spark."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tidelog.spark.pipeline.declare import COMPACTED, LAKE, Step
from tidelog.spark.pipeline.loading import Pipeline
from tidelog.spark.samples import feed
from tidelog.spark.samples.model import Outputs, Row, shown

REASON = "__streams.errors.message"


async def written(pipeline: Pipeline, settings: dict[str, str], folder: Path) -> Outputs:
    """By output its rows: of a table the newest of each key, of a topic every record; and the dead letters' values."""
    found: Outputs = {}
    for step in pipeline.writers:
        found[step.target.name] = await _rows(step, settings, folder)
    letters = await feed.read_all(settings, pipeline.dead_letters)
    found[pipeline.dead_letters] = [{"value": _text(each.value)} for each in letters]
    return found


async def _rows(step: Step, settings: dict[str, str], folder: Path) -> list[Row]:
    name = step.target.name
    if step.target.kind == LAKE:
        return lake_rows(folder / name, step.target.format)
    records = await feed.read_all(settings, name)
    if step.target.kind == COMPACTED:
        return list(feed.newest(records).values())
    return [json.loads(record.value) for record in records]


def lake_rows(place: Path, form: str) -> list[Row]:
    """Times as the topics have them, so that both compare."""
    rows = _delta(place) if form == "delta" else _iceberg(place)
    return [
        {name: shown(value) if hasattr(value, "astimezone") else value for name, value in row.items()} for row in rows
    ]


def _delta(place: Path) -> list[Any]:
    from deltalake import DeltaTable

    found: list[Any] = DeltaTable(str(place)).to_pyarrow_table().to_pylist()
    return found


def _iceberg(place: Path) -> list[Any]:
    from tidelog.spark.lake.iceberg import open_table

    table = open_table(str(place))
    return [] if table is None else table.scan().to_arrow().to_pylist()


async def dead_letters(pipeline: Pipeline, settings: dict[str, str]) -> list[Row]:
    """Each with its place and its reason."""
    rows = []
    for record in await feed.read_all(settings, pipeline.dead_letters):
        about = {name.rpartition(".")[2]: _text(value) for name, value in record.headers}
        place = f"{about.get('topic', '')}-{about.get('partition', '')}@{about.get('offset', '')}"
        rows.append({"value": _text(record.value), "from": place, "reason": about["message"]})
    return rows


def _text(value: bytes | None) -> str:
    return "" if value is None else value.decode("utf-8", "replace")
