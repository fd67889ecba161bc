"""What Kafka Streams offers, each as the PySpark that does it. `docs/pipelines.md` has its table from here.

Every operation reads one or more of the frames that `FRAMES` names, and says what must come out of the rows in `INPUT`.
"""

import inspect
import json
import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from pyspark.sql import functions as F
from pyspark.sql.streaming.stateful_processor import StatefulProcessor
from pyspark.sql.types import Row

from tidelog.spark.pipeline import (
    changes,
    global_table,
    join_tables,
    lookup,
    revisions,
    sliding,
    stream,
    table,
)

FRAMES = {
    "orders": stream(
        "orders", json="id string, user string, amount double, at timestamp", time="at", grace="5 seconds"
    ),
    "payments": stream("payments", json="order_id string, paid_at timestamp", time="paid_at", grace="5 seconds"),
    "users": table("users", key="user", json="city string"),
    "plans": table("plans", key="user", json="plan string"),
    "user_changes": changes("users", key="user", json="city string"),
    "cities": global_table("cities", key="city", json="country string"),
}


def at(second: int) -> str:
    return f"2026-01-01T00:{second // 60:02}:{second % 60:02}.000Z"


ORDERS = [
    ("o1", "ann", 10.0, 1),
    ("o2", "bob", 20.0, 4),
    ("o3", "ann", 5.0, 12),
    ("o4", "cid", 1.0, 13),
    ("o5", "ann", 2.0, 90),
]
INPUT = {
    "orders": [(user, {"id": id, "user": user, "amount": amount, "at": at(s)}) for id, user, amount, s in ORDERS],
    "payments": [(id, {"order_id": id, "paid_at": at(s)}) for id, s in (("o1", 3), ("o3", 40), ("o9", 50), ("o5", 91))],
    "users": [
        ("ann", {"city": "Rome"}),
        ("bob", {"city": "Lima"}),
        ("cid", {"city": "Oslo"}),
        ("ann", {"city": "Oslo"}),
        ("cid", None),
    ],
    "plans": [("ann", {"plan": "team"}), ("dan", {"plan": "free"})],
    "cities": [("Oslo", {"country": "NO"}), ("Lima", {"country": "PE"})],
}

Rows = list[dict[str, Any]]


@dataclass(frozen=True, eq=False)
class Operation:
    kafka: str
    name: str
    function: Callable[..., Any]
    mode: str
    expected: Rows

    @property
    def reads(self) -> list[str]:
        return list(inspect.signature(self.function).parameters)

    @property
    def source(self) -> str:
        """What the function does, on one line."""
        lines = textwrap.dedent(inspect.getsource(self.function)).splitlines()
        start = next(number for number, line in enumerate(lines) if line.startswith("def "))
        body = " ".join(line.strip() for line in lines[start + 1 :]).replace(" return ", "; ").removeprefix("return ")
        return body.replace("( ", "(").replace(" )", ")").replace(" .", ".").replace(",)", ")")


OPERATIONS: list[Operation] = []


def operation(kafka: str, expected: Rows, mode: str = "append") -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    def keep(function: Callable[..., Any]) -> Callable[..., Any]:
        OPERATIONS.append(Operation(kafka, function.__name__, function, mode, expected))
        return function

    return keep


def ids(*names: str) -> Rows:
    return [{"id": name} for name in names]


# Rows on their own.


@operation("map, mapValues", [{"id": id, "cents": int(amount * 100)} for id, _, amount, _ in ORDERS])
def map_(orders):
    return orders.select("id", (F.col("amount") * 100).cast("long").alias("cents"))


@operation("filter, filterNot", ids("o1", "o2"))
def filter_(orders):
    return orders.where("amount >= 10").select("id")


@operation("flatMap, flatMapValues", [{"id": "o1", "part": "a"}, {"id": "o1", "part": "n"}])
def flat_map(orders):
    return orders.where("id = 'o1'").select("id", F.explode(F.array_distinct(F.split("user", ""))).alias("part"))


@operation("split, branch", [{"id": id, "_topic": "large" if amount >= 10 else "small"} for id, _, amount, _ in ORDERS])
def branch(orders):
    return orders.select("id", F.when(F.col("amount") >= 10, "large").otherwise("small").alias("_topic"))


@operation("merge", [{"id": id} for id, _, _, _ in ORDERS] + ids("o1", "o3", "o9", "o5"))
def merge(orders, payments):
    return orders.select("id").union(payments.select(F.col("order_id").alias("id")))


@operation("selectKey, repartition", [{"id": id, "user": user} for id, user, _, _ in ORDERS])
def repartition(orders):
    return orders.repartition(2, "user").select("id", "user")


@operation(
    "dead letters",
    [{"id": id, "_error": None if amount > 1 else "too little"} for id, _, amount, _ in ORDERS],
)
def dead_letters(orders):
    return orders.select("id", F.when(F.col("amount") <= 1, "too little").alias("_error"))


# Groups.


@operation(
    "groupByKey, count",
    [{"user": "ann", "count": 3}, {"user": "bob", "count": 1}, {"user": "cid", "count": 1}],
    "update",
)
def count(orders):
    return orders.groupBy("user").count()


@operation(
    "aggregate",
    [{"user": "ann", "sum": 17.0, "n": 3}, {"user": "bob", "sum": 20.0, "n": 1}, {"user": "cid", "sum": 1.0, "n": 1}],
    "update",
)
def aggregate(orders):
    return orders.groupBy("user").agg(F.sum("amount").alias("sum"), F.count("*").alias("n"))


@operation("reduce", [{"user": "ann", "id": "o5"}, {"user": "bob", "id": "o2"}, {"user": "cid", "id": "o4"}], "update")
def reduce(orders):
    return orders.groupBy("user").agg(F.max_by("id", "at").alias("id"))


# Windows.


@operation(
    "tumbling window",
    [{"start": at(0), "n": 2}, {"start": at(10), "n": 2}, {"start": at(90), "n": 1}],
    "update",
)
def tumbling(orders):
    return orders.groupBy(F.window("at", "10 seconds")).agg(F.count("*").alias("n")).select("window.start", "n")


@operation(
    "hopping window",
    [{"start": at(s), "n": n} for s, n in ((0, 2), (5, 2), (10, 2), (85, 1), (90, 1))]
    + [{"start": "2025-12-31T23:59:55.000Z", "n": 2}],
    "update",
)
def hopping(orders):
    windows = F.window("at", "10 seconds", "5 seconds")
    return orders.groupBy(windows).agg(F.count("*").alias("n")).select("window.start", "n")


@operation("session window", [{"user": "ann", "n": 2}, {"user": "bob", "n": 1}, {"user": "cid", "n": 1}])
def session(orders):
    return orders.groupBy("user", F.session_window("at", "15 seconds")).agg(F.count("*").alias("n")).select("user", "n")


@operation(
    "sliding window",
    [
        {"user": user, "end": at(s), "count": n}
        for user, s, n in (("ann", 1, 1), ("ann", 12, 2), ("ann", 90, 1), ("bob", 4, 1), ("cid", 13, 1))
    ],
)
def sliding_(orders):
    return sliding(orders, by="user", time="at", within=timedelta(seconds=15)).select("user", "end", "count")


@operation("suppress until the window closes, with grace", [{"start": at(0), "n": 2}, {"start": at(10), "n": 2}])
def suppress(orders):
    return orders.groupBy(F.window("at", "10 seconds")).agg(F.count("*").alias("n")).select("window.start", "n")


# Joins.


@operation("stream-stream join", ids("o1", "o5"))
def stream_stream(orders, payments):
    soon = F.expr("order_id = id and paid_at between at and at + interval 20 seconds")
    return orders.join(payments, soon).select("id")


@operation(
    "stream-table join",
    [{"id": id, "city": {"ann": "Oslo", "bob": "Lima"}.get(user)} for id, user, _, _ in ORDERS],
)
def stream_table(orders, users):
    return lookup(orders, users, on="user").select("id", "city")


@operation("table-table join", [{"user": "ann", "city": "Oslo", "plan": "team", "_deleted": False}])
def table_table(users, plans):
    return join_tables(users, plans)


@operation("stream-global-table join", [{"country": "NO", "n": 3}, {"country": "PE", "n": 1}], "update")
def global_join(orders, cities):
    named = orders.withColumn("city", F.when(F.col("user") == "bob", "Lima").when(F.col("user") == "ann", "Oslo"))
    return named.join(cities, "city").groupBy("country").agg(F.count("*").alias("n"))


# Tables.


@operation("aggregate a table", [{"city": "Lima", "n": 1}, {"city": "Oslo", "n": 1}], "update")
def aggregate_table(users):
    steps = F.expr("inline(array(struct(after.city, 1 as n), struct(before.city, -1 as n)))")
    return revisions(users).select(steps).where("city is not null").groupBy("city").agg(F.sum("n").alias("n"))


@operation("KTable.toStream", [{"user": u, "gone": c is None} for u, c in INPUT["users"]])
def to_stream(user_changes):
    return user_changes.select("user", F.col("_deleted").alias("gone"))


# State of one's own.


class Quiet(StatefulProcessor):
    """Tells of a user who ordered and then was quiet for ten seconds of event time."""

    def init(self, handle):
        self.handle = handle
        self.last = handle.getValueState("last", "at_ms bigint", ttlDurationMs=None)

    def handleInputRows(self, key, rows, timerValues):
        newest = max(round(row["at"].timestamp() * 1000) for row in rows)
        self.last.update((newest,))
        self.handle.registerTimer(newest + 10_000)
        return iter(())

    def handleExpiredTimer(self, key, timerValues, expiredTimerInfo):
        self.last.clear()
        yield Row(user=key[0])

    def close(self):
        pass


@operation("process: state and timers of one's own", [{"user": "bob"}, {"user": "cid"}])
def process(orders):
    return orders.groupBy("user").transformWithState(Quiet(), "user string", "Append", "EventTime")


class FirstOfDay(StatefulProcessor):
    """Tells of a user's first order, and of the next one that comes a day or more later."""

    def init(self, handle):
        self.seen = handle.getValueState("seen", "id string", ttlDurationMs=86_400_000)

    def handleInputRows(self, key, rows, timerValues):
        first = min(row["id"] for row in rows)
        if not self.seen.exists():
            self.seen.update((first,))
            yield Row(user=key[0], id=first)

    def close(self):
        pass


@operation(
    "state with a time to live", [{"user": u, "id": i} for u, i in (("ann", "o1"), ("bob", "o2"), ("cid", "o4"))]
)
def time_to_live(orders):
    return orders.groupBy("user").transformWithState(FirstOfDay(), "user string, id string", "Append", "ProcessingTime")


@operation("deduplicate within a time", [{"user": "ann"}, {"user": "bob"}, {"user": "cid"}])
def deduplicate(orders):
    return orders.select("user", "at").dropDuplicatesWithinWatermark(["user"]).select("user")


def table_of_operations() -> str:
    """The rows of the table in the docs."""
    return "\n".join(f"| {each.kafka} | `{each.source}` | {each.mode} |" for each in OPERATIONS)


def records(topic: str) -> list[tuple[bytes, bytes | None]]:
    return [(key.encode(), None if value is None else json.dumps(value).encode()) for key, value in INPUT[topic]]


__all__ = ["FRAMES", "INPUT", "OPERATIONS", "Operation", "records", "table_of_operations"]
