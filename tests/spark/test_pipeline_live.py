"""Tables in queries that go on: changes and tombstones reach the rows after them, keys that cannot be read do not."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

from peer.ours import OurNode
from tidelog.cli.tool import run_async
from tidelog.spark.pipeline import global_table, join_tables, state, stream, table, to_table, to_topic
from tidelog.spark.pipeline.loading import Pipeline, collect
from tidelog.spark.pipeline.run import Runner
from tidelog.spark.pipeline.session import register
from tidelog.spark.pipeline.topics import prepare
from tidelog.spark.samples import outputs
from tidelog.spark.samples.feed import Event, create, newest, read_all, send

PATIENCE_S = 240


def pipeline() -> Pipeline:
    orders = stream("orders", json="id string not null, city string")
    payments = stream("payments", json="order_id string not null, amount double")
    cities = global_table("cities", key="city", json="country string")
    users = table("users", key="user bigint", json="name string")
    plans = table("plans", key="user bigint", json="plan string")

    @to_topic("orders-by-country", key="id")
    def by_country(orders: Any = orders, cities: Any = cities) -> Any:
        return orders.join(cities, "city", "left").select("id", "country")

    @to_table("accounts", key="user")
    def accounts(users: Any = users, plans: Any = plans) -> Any:
        return join_tables(users, plans)

    @to_topic("paid", key="id")
    def paid(orders: Any = orders, payments: Any = payments) -> Any:
        return orders.join(payments, F.expr("order_id = id")).select("id", "amount")

    return collect("live", {"by_country": by_country, "accounts": accounts, "paid": paid})


def event(topic: str, key: str | None, **row: Any) -> Event:
    return topic, None if key is None else key.encode(), json.dumps(row).encode() if row else None


@pytest.fixture
def settings(tmp_path: Path) -> Iterator[dict[str, str]]:
    node = OurNode(tmp_path)
    node.start()
    try:
        yield {"bootstrap.servers": node.address}
    finally:
        node.close()


@pytest.mark.timeout(PATIENCE_S * 2)
def test_tables_change_under_queries_that_go_on(spark: SparkSession, settings: dict[str, str], tmp_path: Path) -> None:
    made = pipeline()
    run_async(create(settings, {"orders": False, "payments": False, "cities": True, "users": True, "plans": True}))
    run_async(prepare(made, settings))
    run_async(send(settings, [event("cities", "Oslo", country="NO"), event("cities", "Lima", country="PE")]))
    run_async(send(settings, [event("users", "1", name="ann"), event("users", "2", name="bob")]))
    run_async(send(settings, [event("plans", "1", plan="team"), event("plans", "2", plan="free")]))
    run_async(
        send(settings, [event("orders", None, id="o1", city="Oslo"), event("orders", None, id="o2", city="Rome")])
    )
    runner = Runner(made, register(spark), settings, tmp_path / "home")
    runner.start()
    try:
        wait(runner, lambda: countries(settings) == {"o1": "NO", "o2": None})
        wait(runner, lambda: accounts(settings) == {"1": ("ann", "team"), "2": ("bob", "free")})
        run_async(send(settings, [event("cities", "Rome", country="IT"), event("cities", "Oslo")]))
        run_async(
            send(settings, [event("users", "2"), event("users", "1", name="anna"), event("users", "x", name="?")])
        )
        run_async(
            send(settings, [event("orders", None, id=f"p{city}", city=city) for city in ("Rome", "Oslo", "Lima")])
        )
        wait(runner, lambda: countries(settings).keys() >= {"pRome", "pOslo", "pLima"})
        wait(runner, lambda: accounts(settings) == {"1": ("anna", "team")})
        wait(runner, lambda: bool(run_async(outputs.dead_letters(made, settings))))
        run_async(send(settings, [event("payments", None, order_id="o1", amount=2.5)]))
        wait(
            runner,
            lambda: [each.value for each in run_async(read_all(settings, "paid"))] == [b'{"id":"o1","amount":2.5}'],
        )
    finally:
        runner.stop()
    known = state.stores(spark, tmp_path / "home", "live.paid")
    assert [row["store"] for row in known] == ["left", "right"]
    assert state.choice(known, None, "") is None
    rows = state.found_rows(spark, tmp_path / "home", "live.paid", known[1])
    assert [row["value"]["amount"] for row in rows] == [2.5]
    assert countries(settings) == {"o1": "NO", "o2": None, "pRome": "IT", "pOslo": None, "pLima": "PE"}
    last = {record.key: record.value for record in run_async(read_all(settings, "accounts"))}
    assert last[b"2"] is None  # the deletion is a tombstone there too
    (letter,) = run_async(outputs.dead_letters(made, settings))
    assert (letter["value"], letter["reason"]) == ('{"name": "?"}', "the key is not user bigint: x")


def wait(runner: Runner, until: Callable[[], bool]) -> None:
    runner.wait(until=until)
    assert until()


def countries(settings: dict[str, str]) -> dict[str, str | None]:
    rows = [json.loads(record.value) for record in run_async(read_all(settings, "orders-by-country"))]
    assert len(rows) == len({row["id"] for row in rows})
    return {row["id"]: row["country"] for row in rows}


def accounts(settings: dict[str, str]) -> dict[str, tuple[str, str]]:
    rows = newest(run_async(read_all(settings, "accounts")))
    return {key.decode(): (row["name"], row["plan"]) for key, row in rows.items()}
