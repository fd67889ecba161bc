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
        for name in _names(known):
            entry = {"operator": known["operatorId"], "kind": known["operatorName"], "store": name}
            found[known["operatorId"], name] = entry | {"batch": known["maxBatchId"]}
    return list(found.values())


def _names(known: dict[str, Any]) -> list[str]:
    """What of an operator can be read: the variables of a custom one, the sides of a join, or its one store."""
    if "Join" in known["operatorName"]:
        return ["left", "right"]
    return _variables(known.get("operatorProperties")) or [known["stateStoreName"]]


def choice(known: list[dict[str, Any]], operator: int | None, store: str) -> dict[str, Any] | None:
    """The one store that is meant; None when several could be."""
    fitting = [row for row in known if operator in (None, row["operator"]) and (not store or store == row["store"])]
    if not fitting:
        names = ", ".join(f"{row['store']} of operator {row['operator']}" for row in known)
        raise PipelineError(f"there is no such store; there are: {names or 'none'}")
    return fitting[0] if len(fitting) == 1 else None


def found_rows(
    spark: SparkSession, home: Path, query: str, chosen: dict[str, Any], where: str = "", limit: int = 20
) -> list[dict[str, Any]]:
    """Key and value of the entries that fit, in a form that every output can show."""
    frame = rows(spark, home, query, chosen["store"], chosen["operator"])
    try:
        frame = frame.where(where) if where else frame
        return [_shown(row.asDict(recursive=True)) for row in frame.limit(limit).collect()]
    except Exception as error:
        raise PipelineError(
            f"the state of '{query}' cannot be read{' so' if where else ''}: {sentence(error)} "
            f"(its columns are {frame.schema.simpleString()})"
        ) from error


def _shown(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _shown(item) for name, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_shown(item) for item in value]
    if isinstance(value, (bytes, bytearray)):
        return value.decode("utf-8", "backslashreplace")
    return value if value is None or isinstance(value, (bool, int, float)) else str(value)


def rows(spark: SparkSession, home: Path, query: str, store: str = "", operator: int = 0) -> DataFrame:
    """Key and value of every entry, as of the last finished batch."""
    place = checkpoint(home, query)
    reader = spark.read.format("statestore").option("operatorId", operator)
    if store and store != "default":
        reader = reader.option("joinSide" if _is_join(spark, place, operator) else "stateVarName", store)
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
