"""What is done with a lake table whatever its format."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any

from tidelog.spark.lake.batch import Batch

FORMATS = ("delta", "iceberg")
SMALL_BYTES = 64 * 1024 * 1024


def _home(format: str) -> Any:
    return import_module(f"tidelog.spark.lake.{format}")


def committed(format: str, place: str, query: str) -> int:
    return int(_home(format).committed(place, query))


def exists(format: str, place: str) -> bool:
    return bool(_home(format).exists(place))


def commit(format: str, place: str, batch: Batch, partition_by: Sequence[str], key: Sequence[str]) -> bool:
    return bool(_home(format).commit(place, batch, partition_by, key))


def compact(format: str, place: str, small_bytes: int = SMALL_BYTES) -> tuple[int, int]:
    """Puts files smaller than this together; gives how many were taken away and added."""
    removed, added = _home(format).compact(place, small_bytes)
    return removed, added


def files(format: str, place: str) -> int:
    return int(_home(format).files(place))
