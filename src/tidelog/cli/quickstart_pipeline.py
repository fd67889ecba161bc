"""The pipeline part of the quickstart: Spark counts clicks, is killed in the middle, and every total is right."""

from __future__ import annotations

import asyncio
import json
import random
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tidelog.cli.quickstart_driver import Driver
from tidelog.cli.quickstart_table import Totals, comparison, complaints, table
from tidelog.cli.tool import Failure

CLICKS, COUNTS, COPIES = "clicks", "page-counts", "clicks-by-section"
QUERIES = ("quickstart.pages", "quickstart.sections")
PATIENCE_S = 180.0
CHANGES_TO_SEE = 3
QUIET_LINE_S = 4.0
"""How often a line is printed where no terminal is."""


class Show:
    """What was sent, what came out so far, and how far the queries are behind."""

    def __init__(self, admin: Any, settings: dict[str, str], folder: Path, per_second: int, kills: int) -> None:
        self._admin = admin
        self._settings = settings
        self._folder = folder
        self._per_second = per_second
        self._kills = kills
        self._sent = Totals()
        self._found = Totals()
        self._changes = 0
        self._lag: int | None = None
        self._drawn = 0
        self._said_at = 0.0

    async def run(self) -> None:
        from tidelog.spark.samples import feed

        await feed.create(self._settings, {CLICKS: False, COUNTS: True, COPIES: False})
        feeding = asyncio.Event()
        feeding.set()
        tasks = [asyncio.create_task(self._feed(feeding)), asyncio.create_task(self._tail())]
        driver = self._start()
        say(f"clicks come in, {self._per_second} a second; Spark starts as process {driver.pid} to count them")
        try:
            for _ in range(self._kills):
                await self._watch(driver, self._changes_seen())
                await self._kill(driver)
                driver = self._start()
                say(f"started again as process {driver.pid} from its checkpoint, while clicks still come in")
            await self._watch(driver, self._changes_seen(1))
            feeding.clear()
            await tasks[0]
            await self._watch(driver, lambda: self._lag == 0 and self._found.copied >= self._sent.copied)
            await self._all_decided(driver)
            self._end_of_table()
        finally:
            driver.kill()
            for task in tasks:
                task.cancel()
                with suppress(asyncio.CancelledError):
                    await task
        await judge(self._settings, self._sent)

    def _changes_seen(self, count: int = CHANGES_TO_SEE) -> Callable[[], bool]:
        wanted = self._changes + count
        return lambda: self._changes >= wanted

    async def _kill(self, driver: Driver) -> None:
        open_ids = await self._middle_of_a_batch(driver)
        driver.kill()
        self._end_of_table()
        say(f"kill -9 of the query in the middle of a batch; it leaves open: {', '.join(open_ids) or 'nothing'}")

    def _start(self) -> Driver:
        from tidelog.spark.samples import quickstart_file

        return Driver(quickstart_file(), self._settings["bootstrap.servers"], self._folder)

    # What goes in and what comes out.

    async def _feed(self, feeding: asyncio.Event) -> None:
        from tidelog.client.producer import Producer
        from tidelog.spark.samples.feed import PAGES

        dice, number = random.Random(1), 0
        async with Producer({**self._settings, "enable.idempotence": "true"}) as producer:
            while feeding.is_set():
                for _ in range(max(1, self._per_second // 10)):
                    now, page = datetime.now(UTC), dice.choice(PAGES)
                    row = {"click_id": f"c{number}", "user": f"u{dice.randrange(20)}", "page": page}
                    await producer.send(CLICKS, json.dumps({**row, "at": now.isoformat()}).encode(), key=page.encode())
                    self._sent.windows[page, window_of(now)] += 1
                    self._sent.clicks[f"c{number}"] += 1
                    number += 1
                await asyncio.sleep(0.1)
            await producer.flush()

    async def _tail(self) -> None:
        """Keeps what came out up to date, from committed records alone."""
        from tidelog.client.consumer import Consumer

        async with Consumer({**self._settings, "isolation.level": "read_committed"}) as consumer:
            places = [(topic, number) for topic in (COUNTS, COPIES) for number in range(2)]
            consumer.assign(places)
            consumer.seek_to_beginning(*places)
            while True:
                records = await consumer.poll(timeout_s=0.5)
                add(self._found, records)
                self._changes += any(record.topic == COUNTS for record in records)

    async def _behind(self) -> int | None:
        """Records that one of the queries has not finished; None while none has finished any."""
        from tidelog.spark.pipeline.status import lag_of

        found = [await lag_of(self._admin, query) for query in QUERIES]
        known = [each for each in found if each is not None]
        return max(known) if len(known) == len(found) else None

    async def _middle_of_a_batch(self, driver: Driver) -> list[str]:
        """The transactions of tasks that have written and are not yet committed."""
        until = time.monotonic() + PATIENCE_S
        while time.monotonic() < until:
            found = [each for each in await self._open_transactions() if not each.endswith("-driver")]
            if found:
                return found
            self._check(driver)
            await asyncio.sleep(0.01)
        return []

    async def _open_transactions(self) -> list[str]:
        found = await self._admin.transactions.all(states=["Ongoing", "PrepareCommit", "PrepareAbort"])
        return sorted(each.transactional_id for each in found if each.transactional_id.startswith(QUERIES))

    async def _all_decided(self, driver: Driver) -> None:
        until = time.monotonic() + PATIENCE_S
        while await self._open_transactions():
            self._check(driver)
            if time.monotonic() > until:
                raise Failure(f"transactions are still open: {', '.join(await self._open_transactions())}")
            await asyncio.sleep(0.1)

    # What is seen.

    async def _watch(self, driver: Driver, until: Callable[[], bool]) -> None:
        limit = time.monotonic() + PATIENCE_S
        while not until():
            self._check(driver)
            if time.monotonic() > limit:
                raise Failure(
                    f"{self._found.counted:,} of {self._sent.copied:,} clicks were counted within {PATIENCE_S:.0f} s; "
                    f"the last that the query said: {driver.last_words()}"
                )
            self._lag = await self._behind()
            self._draw()
            await asyncio.sleep(0.3)

    def _check(self, driver: Driver) -> None:
        if driver.ended:
            raise Failure(f"the query ended by itself: {driver.last_words()}")

    def _draw(self) -> None:
        behind = "not known yet" if self._lag is None else f"{self._lag:,}"
        line = f"  {self._sent.copied:,} clicks sent, {self._found.counted:,} counted, the query's lag is {behind}"
        if not sys.stdout.isatty():
            if time.monotonic() - self._said_at >= QUIET_LINE_S:
                self._said_at = time.monotonic()
                print(line, flush=True)
            return
        lines = [*(table(self._found.windows) if self._found.windows else []), line]
        back = f"\033[{self._drawn}A" if self._drawn else ""
        print(back + "\n".join(f"\033[2K{each}" for each in lines), flush=True)
        self._drawn = len(lines)

    def _end_of_table(self) -> None:
        """The table stays as it is; the next one is drawn below."""
        if not self._drawn:
            print("\n".join(table(self._found.windows)), flush=True)
        self._drawn = 0


def say(text: str) -> None:
    from tidelog.cli.quickstart import tick

    tick(text)


def window_of(at: datetime) -> str:
    return at.replace(second=at.second // 10 * 10).strftime("%H:%M:%S")


def add(found: Totals, records: list[Any]) -> None:
    """Takes records of the outputs into the totals: a count replaces the one before, a copy is one more."""
    for record in records:
        row = json.loads(record.value)
        if record.topic == COUNTS:
            found.windows[row["page"], row["start"][11:19]] = row["count"]
        else:
            found.clicks[row["click_id"]] += 1


async def judge(settings: dict[str, str], sent: Totals) -> None:
    """Reads the outputs anew, from their beginning, and compares them with what was sent."""
    from tidelog.spark.samples.feed import read_all

    found = Totals()
    for topic in (COUNTS, COPIES):
        add(found, await read_all(settings, topic))
    print("\n".join(comparison(sent, found)), flush=True)
    wrong = complaints(sent, found)
    if wrong:
        raise Failure(f"NOT exactly once: {'; '.join(wrong)}; please report this")
    say("exactly once: nothing is missing and nothing is there twice, in every window and for every click")
