"""What the samples must give: the same work as plain loops over the same events, without Spark. Pure.

Outputs are compared as the rows that they hold: of a table the newest of each key, of a topic every record.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from datetime import UTC, datetime, timedelta
from typing import Any

from tidelog.spark.samples.feed import Event

Row = dict[str, Any]
Outputs = dict[str, list[Row]]
GAP, GRACE = timedelta(seconds=5), timedelta(seconds=10)
"""Of the visits: how long a user may be quiet within one, and how late a click may come."""


def expected(name: str, events: Iterable[Event]) -> Outputs:
    """By output, the rows that must be there; dead letters by the number under `<pipeline>.dead-letters`."""
    topics: dict[str, list[tuple[bytes | None, bytes | None]]] = defaultdict(list)
    for topic, key, value in events:
        topics[topic].append((key, value))
    return _MODELS[name](topics)


def differences(found: Outputs, wanted: Outputs) -> list[str]:
    """A sentence for each output that is not what it must be."""
    said = []
    for output, rows in wanted.items():
        there, needed = _bag(found[output]), _bag(rows)
        lacking, extra = needed - there, there - needed
        if lacking or extra:
            one = next(iter(lacking or extra))
            said.append(f"{output} lacks {lacking.total()} rows and has {extra.total()} too many, such as {one}")
    return said


def _bag(rows: Iterable[Row]) -> Counter[str]:
    return Counter(json.dumps(row, sort_keys=True) for row in rows)


def _clicks(topics: Any) -> Outputs:
    good, bad = _parsed(topics["clicks"], "click_id", "at")
    counts = Counter((row["page"], shown(floor(row["at"], 10))) for row in good)
    return {
        "page-counts": [{"page": page, "start": start, "count": count} for (page, start), count in counts.items()],
        "visits": visits(good),
        "clicks-by-section": [
            {
                "click_id": row["click_id"],
                "user": row["user"],
                "page": row["page"],
                "section": row["page"].split("/")[1],
            }
            for row in good
        ],
        "clicks.dead-letters": [{"value": value.decode()} for value in bad],
    }


def visits(clicks: list[Row]) -> list[Row]:
    """Those that are over: nobody may still add to a visit that ended before the grace of the newest click."""
    over = max((row["at"] for row in clicks), default=datetime.fromtimestamp(0, UTC)) - GRACE
    by_user: dict[str, list[datetime]] = defaultdict(list)
    for row in clicks:
        by_user[row["user"]].append(row["at"])
    found = []
    for user, times in by_user.items():
        for start, end, count in sessions(sorted(times)):
            if end <= over:
                found.append({"user": user, "clicks": count, "start": shown(start), "end": shown(end)})
    return found


def sessions(times: list[datetime]) -> list[tuple[datetime, datetime, int]]:
    found: list[tuple[datetime, datetime, int]] = []
    for at in times:
        if found and at < found[-1][1]:
            found[-1] = (found[-1][0], at + GAP, found[-1][2] + 1)
        else:
            found.append((at, at + GAP, 1))
    return found


def _orders(topics: Any) -> Outputs:
    users = newest(topics["users"])
    nobody = {"name": None, "city": None}
    rows = [{**row, "at": shown(row["at"]), **users.get(row["user_id"], nobody)} for row in _good(topics["orders"])]
    cities: dict[str, list[float]] = defaultdict(list)
    for row in rows:
        cities[row["city"] or "unknown"].append(row["amount"])
    spent = [{"city": city, "spent": sum(each), "orders": len(each)} for city, each in cities.items()]
    return {"enriched-orders": rows, "spent-by-city": spent, "orders.dead-letters": []}


def _marketplace(topics: Any) -> Outputs:
    rows = [row for row in _good(topics["marketplace"]) if row["price"] > 0]
    sold: dict[tuple[str, str], float] = defaultdict(float)
    for row in rows:
        if row["event"] == "sale":
            sold[row["city"], shown(floor(row["at"], 60))] += row["price"]
    return {
        "marketplace-by-city": [{**row, "at": shown(row["at"])} for row in rows],
        "city-minutes": [{"city": city, "minute": minute, "sold": price} for (city, minute), price in sold.items()],
        "marketplace.dead-letters": [],
    }


def _profiles(topics: Any) -> Outputs:
    profiles = newest(topics["profiles"])
    views = _good(topics["page-views"])
    plans = Counter(row["plan"] for row in profiles.values())
    return {
        "views-with-plan": [{**row, **profiles[row["user_id"]]} for row in views if row["user_id"] in profiles],
        "users-by-plan": [{"plan": plan, "users": count} for plan, count in plans.items()],
        "profiles.dead-letters": [],
    }


def _lake(topics: Any) -> Outputs:
    clicks = _good(topics["clicks"])
    profiles = newest(topics["profiles"])
    return {
        "lake/clicks": [{**row, "at": shown(row["at"]), "day": f"{row['at']:%Y-%m-%d}"} for row in clicks],
        "lake/shop.profiles": [{"user_id": key, **row} for key, row in profiles.items()],
        "lake-table.dead-letters": [],
    }


_MODELS: dict[str, Callable[[Any], Outputs]] = {
    "clicks": _clicks,
    "orders": _orders,
    "marketplace": _marketplace,
    "profiles": _profiles,
    "lake_table": _lake,
}


def newest(records: Iterable[tuple[bytes | None, bytes | None]]) -> dict[str, Row]:
    """The table that records make: the last value of each key, without the deleted."""
    last = {key.decode(): value for key, value in records if key is not None}
    return {key: json.loads(value) for key, value in last.items() if value is not None}


def _good(records: Iterable[tuple[bytes | None, bytes | None]]) -> list[Row]:
    return _parsed(records)[0]


def _parsed(records: Iterable[tuple[bytes | None, bytes | None]], *needed: str) -> tuple[list[Row], list[bytes]]:
    """Rows with their time as a time, and the values that are none: no JSON, no such field, no such time."""
    good: list[Row] = []
    bad: list[bytes] = []
    for _, value in records:
        try:
            row = json.loads(value or b"")
            good.append({**row, "at": datetime.fromisoformat(row["at"])} if "at" in row or needed else row)
        except (ValueError, KeyError, TypeError):
            bad.append(value or b"")
    return good, bad


def floor(at: datetime, seconds: int) -> datetime:
    return datetime.fromtimestamp(at.timestamp() // seconds * seconds, UTC)


def shown(at: datetime) -> str:
    """As Spark writes times in JSON here."""
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
