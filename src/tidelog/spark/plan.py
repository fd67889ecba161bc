"""What the driver of a query knows of the cluster: where topics begin and end, and whether something is gone."""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping
from typing import NamedTuple

from tidelog.client.blocking import BlockingCluster
from tidelog.client.blocking_offsets import TopicPartition, commit_offsets, list_offsets
from tidelog.client.cluster import is_retriable
from tidelog.client.columnar_fetch import Range
from tidelog.client.errors import ClientError
from tidelog.client.settings import ClientSettings
from tidelog.protocol.errors import KafkaError
from tidelog.spark.options import EARLIEST, LATEST, SOURCE_OPTIONS, OptionError, Options
from tidelog.spark.positions import Position
from tidelog.spark.subscription import Bound, Subscription

_ADVICE = "; set failOnDataLoss to false to go on without them"
_ANEW = ", or start the query anew with another checkpointLocation"


class DataLoss(ClientError):
    """Records that the query has not read are gone."""


class Settings(NamedTuple):
    """The source's options, checked; small enough to go to every worker."""

    client: ClientSettings
    subscription: Subscription
    starting: Bound
    ending: Bound
    committed: bool
    group: str
    fail_on_loss: bool
    rows_max: int | None
    rows_min: int | None
    delay_ms: int
    bytes_max: int | None
    partition_rows_max: int | None
    partitions_min: int | None
    include_headers: bool
    patience_s: float
    rows_per_batch: int

    @classmethod
    def read(cls, given: Mapping[str, str], *, streaming: bool) -> Settings:
        options = Options(given, SOURCE_OPTIONS)
        subscription = Subscription.read(options)
        if streaming and any(options.has(f"ending{name}") for name in ("Offsets", "Timestamp", "OffsetsByTimestamp")):
            raise OptionError("A stream has no end: endingOffsets and endingTimestamp are for batch reads alone")
        isolation = options.text("kafka.isolation.level", "read_committed").lower()
        if isolation not in ("read_committed", "read_uncommitted"):
            raise OptionError("kafka.isolation.level must be read_committed or read_uncommitted")
        prefix = options.text("groupIdPrefix", "spark")
        return cls(
            client=options.client("consumer"),
            subscription=subscription,
            starting=Bound.read(
                options, "starting", LATEST if streaming else EARLIEST, refused=None if streaming else LATEST
            ),
            ending=Bound.read(options, "ending", LATEST, refused=EARLIEST),
            committed=isolation == "read_committed",
            group=options.text("kafka.group.id") or f"{prefix}-{subscription.name}",
            fail_on_loss=options.flag("failOnDataLoss", True),
            rows_max=options.number("maxOffsetsPerTrigger"),
            rows_min=options.number("minOffsetsPerTrigger"),
            delay_ms=options.duration_ms("maxTriggerDelay", "15m"),
            bytes_max=options.number("maxBytesPerTrigger"),
            partition_rows_max=options.number("maxRecordsPerPartition"),
            partitions_min=options.number("minPartitions"),
            include_headers=options.flag("includeHeaders", False),
            patience_s=(options.number("kafkaConsumer.pollTimeoutMs") or 60_000) / 1000,
            rows_per_batch=options.number("rowsPerBatch") or 65_536,
        )


class Planner:
    """Talks to the cluster for the driver. `lost` counts what was gone and was allowed to be."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.cluster = BlockingCluster(settings.client)
        self.lost = 0
        self._advice = _ADVICE + _ANEW

    def close(self) -> None:
        self.cluster.close()

    def initial(self) -> Position:
        topics = self.settings.subscription.find(self.cluster)
        keys = [(name, part) for name, (_, parts) in topics.items() for part in parts]
        offsets = self.settings.starting.resolve(self.cluster, keys, self.settings.committed)
        return self._position(offsets, {name: topic_id for name, (topic_id, _) in topics.items()})

    def latest(self, start: Position | None) -> Position:
        """Where the topics end now; `start` names topics that must still be there."""
        topics = self.settings.subscription.find(self.cluster, missing_ok=start is not None)
        self._check_topics(start, topics)
        keys = [(name, part) for name, (_, parts) in topics.items() for part in parts]
        offsets = list_offsets(self.cluster, dict.fromkeys(keys, LATEST), committed=self.settings.committed)
        return self._position(offsets, {name: topic_id for name, (topic_id, _) in topics.items()})

    def _position(self, offsets: dict[TopicPartition, int], ids: dict[str, bytes]) -> Position:
        return Position(offsets, ids, self.settings.group, self.lost)

    def _check_topics(self, start: Position | None, topics: dict[str, tuple[bytes, list[int]]]) -> None:
        for name in sorted({topic for topic, _ in start.offsets} if start else ()):
            if name not in topics:
                self._loss(
                    0, f"Topic '{name}' is in the checkpoint and is not read any more: it was deleted or left out"
                )

    # Ranges.

    def batch(self) -> list[Range]:
        """What a batch read takes."""
        self._advice = _ADVICE
        start = self.initial()
        ends = self._ends(sorted(start.offsets))
        for (topic, part), first in start.offsets.items():
            if first > ends[topic, part]:
                raise OptionError(
                    f"{topic}-{part} would be read from offset {first} up to offset {ends[topic, part]}, where nothing "
                    "is; choose an earlier start or a later end"
                )
        return self.ranges(start, start._replace(offsets=ends))

    def _ends(self, keys: list[TopicPartition]) -> dict[TopicPartition, int]:
        """An end that is not there yet is told now, and not after a worker has waited for it."""
        found = self.settings.ending.resolve(self.cluster, keys, self.settings.committed)
        if self.settings.ending.offsets is None:
            return found
        for key, there in list_offsets(self.cluster, dict.fromkeys(keys, LATEST), committed=False).items():
            if found[key] > there:
                self._loss(
                    found[key] - there, f"{key[0]}-{key[1]} ends at offset {there}, endingOffsets says {found[key]}"
                )
                found[key] = there
        return found

    def ranges(self, start: Position, end: Position) -> list[Range]:
        """What lies between two positions, from where it can still be read."""
        keys = sorted(end.offsets)
        earliest = list_offsets(self.cluster, dict.fromkeys(keys, EARLIEST), committed=False) if keys else {}
        found = []
        for key in keys:
            topic_id = end.ids.get(key[0], bytes(16))
            first = self._first(key, start, min(earliest[key], end.offsets[key]), topic_id)
            if first > end.offsets[key]:
                self._loss(
                    0,
                    f"{key[0]}-{key[1]} ends at offset {end.offsets[key]}, before {first}, from where it is to be "
                    "read: the log was cut, or startingOffsets is too high",
                )
            elif first < end.offsets[key]:
                found.append(Range(key[0], key[1], first, end.offsets[key], topic_id))
        return found

    def _first(self, key: TopicPartition, start: Position, earliest: int, topic_id: bytes) -> int:
        known = start.ids.get(key[0])
        if known is not None and known != topic_id:
            self._loss(0, f"Topic '{key[0]}' was deleted and made anew since the last batch")
            return earliest
        first = start.offsets.get(key)
        if first is None:  # a partition that is new since the last batch, which is read from its beginning
            first = 0
        if first < earliest:
            self._loss(
                earliest - first,
                f"{key[0]}-{key[1]}: offsets {first} to {earliest - 1} are older than what the topic still holds",
            )
        return max(first, earliest)

    def _loss(self, count: int, sentence: str) -> None:
        if self.settings.fail_on_loss:
            raise DataLoss(sentence + self._advice)
        self.lost += count
        print(f"tidelog: {sentence}; {self.lost} offsets lost so far, going on", file=sys.stderr, flush=True)

    # Sizes.

    def record_bytes(self, start: Position, end: Position) -> dict[TopicPartition, float]:
        """What an offset takes on average, from the first batches of what is to be read."""
        from tidelog.spark.probe import bytes_per_offset

        wanted = [each for each in self.ranges(start, end) if each.end > each.start]
        return {(each.topic, each.partition): bytes_per_offset(self.cluster, each) for each in wanted}

    # The group.

    def commit(self, position: Position) -> None:
        """Shows the group where the query is. A coordinator that is away is no reason to stop the query."""
        try:
            commit_offsets(self.cluster, position.group or self.settings.group, position.offsets)
        except (ClientError, KafkaError) as error:
            if not is_retriable(error):
                raise
            print(f"tidelog: the offsets were not committed to the group ({error})", file=sys.stderr, flush=True)


def now_ms() -> int:
    return int(time.time() * 1000)
