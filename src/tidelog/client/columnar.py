"""A topic, or any range of it, as Arrow: for pandas, Polars, DuckDB and whatever else reads Arrow.

    from tidelog.client import columnar
    clicks = columnar.read("localhost:9092", "clicks", columns=("key", "value", "timestamp"))
    clicks.to_pandas()                 # or .to_table(), .to_polars(), .batches()
    duckdb.from_arrow(clicks.to_reader()).aggregate("count(*)")

A range begins and ends at an offset, at a time, or at the ends of the topic. Needs pyarrow.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any

import pyarrow as pa

from tidelog.client.blocking import BlockingCluster
from tidelog.client.blocking_offsets import EARLIEST, LATEST, list_offsets, partitions_of
from tidelog.client.columnar_arrow import COLUMNS, schema_of
from tidelog.client.columnar_fetch import Limits, Range, RangeReader
from tidelog.client.errors import ClientError
from tidelog.client.settings import CONSUMER, ClientSettings

Place = str | int | datetime | Mapping[int, int]
"""«earliest», «latest», an offset for every partition, a time, or an offset for each partition."""


class TopicRange:
    """Records of a topic that are read when asked for, each time anew."""

    def __init__(self, settings: ClientSettings, ranges: list[Range], schema: pa.Schema, committed: bool) -> None:
        self._settings = settings
        self._committed = committed
        self.ranges = ranges
        self.schema = schema

    def batches(self) -> Iterator[pa.RecordBatch]:
        """Arrow batches, partition after partition; memory holds one batch and one fetch."""
        limits = Limits(fetch_bytes=max(self._settings["max.partition.fetch.bytes"], Limits().fetch_bytes))
        with BlockingCluster(self._settings) as cluster:
            for each in self.ranges:
                reader = RangeReader(
                    cluster,
                    each,
                    self.schema,
                    committed=self._committed,
                    check_crcs=self._settings["check.crcs"],
                    limits=limits,
                )
                yield from reader.batches()

    def to_reader(self) -> pa.RecordBatchReader:
        """A stream of batches for engines that read Arrow, for example DuckDB."""
        return pa.RecordBatchReader.from_batches(self.schema, self.batches())

    def to_table(self) -> pa.Table:
        return pa.Table.from_batches(self.batches(), self.schema)

    def to_pandas(self, **options: Any) -> Any:
        return self.to_table().to_pandas(**options)

    def to_polars(self) -> Any:
        import polars

        return polars.from_arrow(self.to_table())


def read(
    servers: str,
    topic: str,
    *,
    start: Place = "earliest",
    end: Place = "latest",
    partitions: Iterable[int] | None = None,
    columns: Iterable[str] = COLUMNS[:-1],
    isolation: str = "read_committed",
    settings: Mapping[str, Any] | None = None,
) -> TopicRange:
    """The records of `topic` from `start` to before `end`, as they are now: what arrives later is not part of it."""
    names = tuple(columns)
    for name in names:
        if name not in COLUMNS:
            raise ClientError(f"There is no column '{name}'; choose from {', '.join(COLUMNS)}")
    if isolation not in ("read_committed", "read_uncommitted"):
        raise ClientError(f"isolation must be read_committed or read_uncommitted, not '{isolation}'")
    committed = isolation == "read_committed"
    read_settings = ClientSettings.read(CONSUMER, {**(settings or {}), "bootstrap.servers": servers})
    with BlockingCluster(read_settings) as cluster:
        wanted = [part for _, part in partitions_of(cluster, [topic])]
        chosen = wanted if partitions is None else sorted(set(partitions))
        if not set(chosen) <= set(wanted):
            raise ClientError(f"Topic '{topic}' has partitions 0 to {len(wanted) - 1}; choose from those")
        first = _places(cluster, topic, chosen, start, committed)
        after = _places(cluster, topic, chosen, end, committed)
        topic_id = cluster.topic(topic).topic_id
    ranges = [Range(topic, part, first[part], after[part], topic_id) for part in chosen if first[part] < after[part]]
    return TopicRange(read_settings, ranges, schema_of(names), committed)


def _places(
    cluster: BlockingCluster, topic: str, partitions: list[int], place: Place, committed: bool
) -> dict[int, int]:
    """The offset that a place means in each partition, held inside what the partition has."""
    keys = [(topic, part) for part in partitions]

    def ask(moment: int) -> dict[int, int]:
        found = list_offsets(cluster, dict.fromkeys(keys, moment), committed=committed)
        return {part: found[(topic, part)] for part in partitions}

    low, high = ask(EARLIEST), ask(LATEST)
    if place == "earliest":
        return low
    if place == "latest":
        return high
    if isinstance(place, datetime):
        found = ask(int(place.timestamp() * 1000))
        return {part: high[part] if found[part] < 0 else found[part] for part in partitions}
    if isinstance(place, str):
        raise ClientError(f"'{place}' is no place in a topic; use earliest, latest, an offset or a datetime")
    wanted = dict.fromkeys(partitions, place) if isinstance(place, int) else place
    return {part: min(max(wanted.get(part, low[part]), low[part]), high[part]) for part in partitions}
