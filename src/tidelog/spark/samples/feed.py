"""Made-up events for the samples: the same seed makes the same events."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

START = datetime(2026, 11, 15, 10, tzinfo=UTC)
CITIES = ("Oslo", "Lagos", "Lima", "Osaka", "Pune")
PLANS = ("free", "team", "firm")
PAGES = ("/shop/shoes", "/shop/hats", "/news/today", "/help/contact", "/")

Event = tuple[str, bytes | None, bytes | None]
"""Topic, key, value."""


@dataclass(frozen=True)
class Sample:
    """A pipeline with what it reads, and the outputs that are worth a look."""

    name: str
    about: str
    topics: dict[str, bool]
    """Input topics, and whether they are compacted."""
    outputs: tuple[str, ...]

    @property
    def file(self) -> str:
        return str(Path(__file__).with_name(f"{self.name}.py"))


SAMPLES = {
    each.name: each
    for each in (
        Sample(
            "clicks",
            "page counts by window, visits, and dead letters",
            {"clicks": False},
            ("page-counts", "visits", "clicks-by-section"),
        ),
        Sample(
            "orders",
            "orders enriched with users, and what each city spends",
            {"orders": False, "users": True},
            ("enriched-orders", "spent-by-city"),
        ),
        Sample(
            "marketplace",
            "events keyed by city, and sales by the minute",
            {"marketplace": False},
            ("marketplace-by-city", "city-minutes"),
        ),
        Sample(
            "profiles",
            "state from a compacted topic, with changes and deletions",
            {"profiles": True, "page-views": False},
            ("views-with-plan", "users-by-plan"),
        ),
        Sample(
            "lake_table",
            "topics as Delta and Iceberg tables",
            {"clicks": False, "profiles": True},
            ("lake/clicks", "lake/shop.profiles"),
        ),
    )
}


def events(name: str, count: int, seed: int = 0) -> Iterator[Event]:
    """The events of a sample: `count` of its main stream, and its tables before them."""
    dice = random.Random(seed)
    if name == "orders":
        yield from _users(dice)
    if name in ("profiles", "lake_table"):
        yield from _profiles(dice)
    make = {"orders": _order, "marketplace": _sale, "profiles": _view}.get(name, click)
    for number in range(count):
        yield make(dice, number)
    if name == "clicks":
        yield from broken_clicks()


def click(dice: random.Random, number: int) -> Event:
    at = START + timedelta(milliseconds=100 * number + dice.randrange(2000))
    user = f"u{dice.randrange(20)}"
    row = {"click_id": f"c{number}", "user": user, "page": dice.choice(PAGES), "at": at.isoformat()}
    return "clicks", user.encode(), _json(row)


def broken_clicks() -> list[Event]:
    """What a careless producer sends."""
    return [
        ("clicks", None, b"not json"),
        ("clicks", None, b'{"user":"u1"}'),
        ("clicks", None, b'{"click_id":"x","at":7.5}'),
    ]


def _order(dice: random.Random, number: int) -> Event:
    at = START + timedelta(seconds=number)
    row = {"order_id": f"o{number}", "user_id": f"u{dice.randrange(12)}", "amount": dice.randrange(1, 100) * 0.5}
    return "orders", row["order_id"].encode(), _json({**row, "at": at.isoformat()})  # type: ignore[attr-defined]


def _users(dice: random.Random) -> Iterator[Event]:
    for number in range(10):  # two of the buyers are in no table
        yield "users", f"u{number}".encode(), _json({"name": f"user {number}", "city": dice.choice(CITIES)})


def _sale(dice: random.Random, number: int) -> Event:
    at = START + timedelta(seconds=number)
    price = 0.0 if dice.random() < 0.1 else dice.randrange(1, 200) * 0.25
    row = {"event": dice.choice(("sale", "view")), "city": dice.choice(CITIES), "price": price, "at": at.isoformat()}
    return "marketplace", None, _json(row)


def _profiles(dice: random.Random) -> Iterator[Event]:
    for number in range(30):
        yield "profiles", f"u{number % 20}".encode(), _json({"name": f"user {number % 20}", "plan": dice.choice(PLANS)})
    for number in (3, 17):
        yield "profiles", f"u{number}".encode(), None


def _view(dice: random.Random, number: int) -> Event:
    row = {"view_id": f"v{number}", "user_id": f"u{dice.randrange(22)}", "page": dice.choice(PAGES)}
    return "page-views", row["view_id"].encode(), _json(row)


def _json(row: Mapping[str, Any]) -> bytes:
    return json.dumps(row).encode()


async def send(settings: Mapping[str, str], made: Iterable[Event]) -> int:
    """Sends events and waits until all are there."""
    from tidelog.client.producer import Producer

    count = 0
    async with Producer({**settings, "enable.idempotence": "true"}) as producer:
        for topic, key, value in made:
            await producer.send(topic, value, key=key)
            count += 1
        await producer.flush()
    return count


async def create(settings: Mapping[str, str], topics: Mapping[str, bool], partitions: int = 2) -> None:
    """Makes the topics that are not there."""
    from tidelog.client.admin import Admin

    async with Admin(settings) as admin:
        there = await admin.topics.all()
        for name, compacted in topics.items():
            if name not in there:
                configs = {"cleanup.policy": "compact"} if compacted else {}
                await admin.topics.create(name, partitions=partitions, configs=configs)


async def read_all(settings: Mapping[str, str], topic: str) -> list[Any]:
    """Every committed record up to the end that the topic has now."""
    from tidelog.client.consumer import Consumer

    found: list[Any] = []
    wanted = {**settings, "isolation.level": "read_committed", "auto.offset.reset": "earliest"}
    async with Consumer(wanted) as consumer:
        view = await consumer.cluster.topic(topic)
        places = [(topic, each.partition) for each in view.partitions]
        ends = await consumer.end_offsets(places)
        left = [place for place in places if ends[place] > 0]
        consumer.assign(left)
        while left:
            records = await consumer.poll(timeout_s=0.2)
            found += [record for record in records if record.offset < ends[record.topic, record.partition]]
            left = [place for place in left if await consumer.position(place) < ends[place]]
    return found


def newest(records: Iterable[Any]) -> dict[bytes, Any]:
    """The table that a compacted topic is: the last value of each key, without the deleted."""
    found: dict[bytes, Any] = {}
    for record in records:
        if record.value is None:
            found.pop(record.key, None)
        else:
            found[record.key] = json.loads(record.value)
    return found
