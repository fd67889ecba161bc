"""A look into the state of a query: its stores, and their rows. Reads the checkpoint, whether the query runs or not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pyspark.sql import DataFrame, SparkSession

from tidelog.spark.pipeline.errors import PipelineError
from tidelog.spark.pipeline.failures import sentence


def checkpoint(home: Path, query: str) -> Path:
    found = home / query / "checkpoint"
    if not (found / "commits").is_dir() or not any((found / "commits").iterdir()):
        known = sorted(each.parent.name for each in home.glob("*/checkpoint"))
        raise PipelineError(f"query '{query}' has no finished batch in {home}; there are {known or 'no queries'}")
    if not (found / "state").is_dir():
        raise PipelineError(f"query '{query}' keeps no state")
    return found


def stores(spark: SparkSession, home: Path, query: str) -> list[dict[str, Any]]:
    """A row for each stateful operator and each of its variables."""
    place = checkpoint(home, query)
    rows = spark.read.format("state-metadata").load(str(place)).collect()
    found: dict[tuple[int, str], dict[str, Any]] = {}
    for row in rows:
        known = row.asDict()
        for name in _variables(known.get("operatorProperties")) or [known["stateStoreName"]]:
            entry = {"operator": known["operatorId"], "kind": known["operatorName"], "store": name}
            found[known["operatorId"], name] = entry | {"batch": known["maxBatchId"]}
    return list(found.values())


def rows(spark: SparkSession, home: Path, query: str, store: str = "", operator: int = 0) -> DataFrame:
    """Key and value of every entry, as of the last finished batch."""
    place = checkpoint(home, query)
    reader = spark.read.format("statestore").option("operatorId", operator)
    if store and store != "default":
        join = store in ("left", "right") and _is_join(spark, place, operator)
        reader = reader.option("joinSide" if join else "stateVarName", store)
    try:
        return reader.load(str(place))
    except Exception as error:
        raise PipelineError(f"the state of '{query}' cannot be read: {sentence(error)}") from error


def _is_join(spark: SparkSession, place: Path, operator: int) -> bool:
    found = spark.read.format("state-metadata").load(str(place)).where(f"operatorId = {operator}").first()
    return found is not None and "Join" in found["operatorName"]


def _variables(properties: str | None) -> list[str]:
    """The names of a custom operator's variables, from what it wrote about itself."""
    import json

    try:
        found = json.loads(properties or "{}")
    except ValueError:
        return []
    return [each["stateName"] for each in found.get("stateVariables", []) if not each["stateName"].startswith("$")]
