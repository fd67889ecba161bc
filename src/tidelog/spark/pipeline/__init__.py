"""Pipelines: functions from DataFrames to a DataFrame, that say what they read and what they write.

    from tidelog.spark.pipeline import lookup, stream, table, to_topic

    orders = stream("orders", json="order_id string, user_id string, amount double")
    users = table("users", key="user_id", json="name string, city string")

    @to_topic("enriched-orders", key="order_id")
    def enriched(orders=orders, users=users):
        return lookup(orders, users, on="user_id")

The arguments are what a function reads, the decorator is what it writes, the body is plain PySpark. `tide pipeline run
FILE` runs it. Names are imported when they are first used: a declaration alone needs no Spark.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tidelog.spark.pipeline.declare import changes as changes
    from tidelog.spark.pipeline.declare import global_table as global_table
    from tidelog.spark.pipeline.declare import stream as stream
    from tidelog.spark.pipeline.declare import table as table
    from tidelog.spark.pipeline.declare import to_lake as to_lake
    from tidelog.spark.pipeline.declare import to_table as to_table
    from tidelog.spark.pipeline.declare import to_topic as to_topic
    from tidelog.spark.pipeline.declare import view as view
    from tidelog.spark.pipeline.sliding_windows import sliding as sliding
    from tidelog.spark.pipeline.tables import Table as Table
    from tidelog.spark.pipeline.tables import join_tables as join_tables
    from tidelog.spark.pipeline.tables import lookup as lookup
    from tidelog.spark.pipeline.tables import revisions as revisions
    from tidelog.spark.values.registry import registry as registry

_HOMES = {
    "Table": "pipeline.tables",
    "changes": "pipeline.declare",
    "global_table": "pipeline.declare",
    "stream": "pipeline.declare",
    "table": "pipeline.declare",
    "to_lake": "pipeline.declare",
    "to_table": "pipeline.declare",
    "to_topic": "pipeline.declare",
    "view": "pipeline.declare",
    "sliding": "pipeline.sliding_windows",
    "join_tables": "pipeline.tables",
    "lookup": "pipeline.tables",
    "revisions": "pipeline.tables",
    "registry": "values.registry",
}
__all__ = [
    "Table",
    "changes",
    "global_table",
    "join_tables",
    "lookup",
    "registry",
    "revisions",
    "sliding",
    "stream",
    "table",
    "to_lake",
    "to_table",
    "to_topic",
    "view",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'tidelog.spark.pipeline' has no attribute {name!r}")
    return getattr(import_module(f"tidelog.spark.{_HOMES[name]}"), name)
