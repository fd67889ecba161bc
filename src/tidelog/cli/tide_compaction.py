"""`tide topic compaction`: what compaction would leave of a topic, found by reading it."""

from __future__ import annotations

import argparse
from hashlib import blake2b
from typing import TYPE_CHECKING

from tidelog.cli import tide
from tidelog.cli.render import Row, show

if TYPE_CHECKING:
    from tidelog.client.fetched import ConsumerRecord

_COLUMNS = ("partition", "records", "keys", "bytes", "kept_bytes", "saved_percent")


class Tally:
    """Of one partition: every record counts once, and of each key only the last."""

    def __init__(self) -> None:
        self.records = 0
        self.bytes = 0
        self._latest: dict[bytes, int] = {}  # by a hash of the key, so that long keys cost no more than short ones

    def add(self, key: bytes | None, value: bytes | None) -> None:
        size = len(key or b"") + len(value or b"")
        self.records += 1
        self.bytes += size
        if key is not None:  # compaction drops what has no key
            self._latest[blake2b(key, digest_size=16).digest()] = 0 if value is None else size

    def row(self, partition: int | str) -> Row:
        kept = sum(self._latest.values())
        return {
            "partition": partition,
            "records": self.records,
            "keys": sum(size > 0 for size in self._latest.values()),
            "bytes": self.bytes,
            "kept_bytes": kept,
            "saved_percent": round(100 * (1 - kept / self.bytes), 1) if self.bytes else 0.0,
        }


def total(rows: list[Row]) -> Row:
    summed: Row = {name: sum(row[name] for row in rows) for name in _COLUMNS[1:-1]}
    saved = round(100 * (1 - summed["kept_bytes"] / summed["bytes"]), 1) if summed["bytes"] else 0.0
    return {"partition": "all", **summed, "saved_percent": saved}


async def estimate(args: argparse.Namespace) -> None:
    from tidelog.client.consumer import Consumer

    settings = tide.settings(args) | {"auto.offset.reset": "earliest", "isolation.level": "read_committed"}
    async with Consumer(settings) as consumer:
        view = await consumer.cluster.topic(args.topic)
        keys = [(args.topic, each.partition) for each in view.partitions]
        tallies = {key: Tally() for key in keys}
        consumer.assign(keys)
        consumer.seek_to_beginning()
        ends = await consumer.end_offsets(keys)
        while [key for key, end in ends.items() if await consumer.position(key) < end]:
            for record in await consumer.poll(timeout_s=0.5):
                _count(tallies, record)
    rows = [tallies[key].row(key[1]) for key in sorted(keys)]
    show([*rows, total(rows)] if len(rows) > 1 else rows, args.output, _COLUMNS)


def _count(tallies: dict[tuple[str, int], Tally], record: ConsumerRecord) -> None:
    tallies[record.topic, record.partition].add(record.key, record.value)
