"""What a query reads: which topics and partitions, from where, to where."""

from __future__ import annotations

import json
import re
from typing import NamedTuple

from tidelog.client.blocking import BlockingCluster
from tidelog.client.blocking_offsets import TopicPartition, list_offsets
from tidelog.client.errors import ClientError, UnknownTopic
from tidelog.protocol.errors import ErrorCode
from tidelog.spark.intents import TOPIC as INTENTS_TOPIC
from tidelog.spark.options import EARLIEST, LATEST, OptionError, Options

Offsets = dict[TopicPartition, int]
_WORDS = {"earliest": EARLIEST, "latest": LATEST}


class Subscription(NamedTuple):
    """Exactly one of the three is given."""

    topics: tuple[str, ...] = ()
    pattern: str = ""
    assigned: tuple[TopicPartition, ...] = ()

    @classmethod
    def read(cls, options: Options) -> Subscription:
        given = [name for name in ("subscribe", "subscribePattern", "assign") if options.text(name)]
        if len(given) != 1:
            raise OptionError(
                "Say what to read with exactly one of the options subscribe, subscribePattern and assign"
                + (f"; {' and '.join(given)} are both set" if given else "")
            )
        if given == ["subscribe"]:
            return cls(topics=tuple(sorted({name.strip() for name in options.text("subscribe").split(",")} - {""})))
        if given == ["subscribePattern"]:
            return cls(pattern=_checked_pattern(options.text("subscribePattern")))
        return cls(assigned=tuple(sorted(_assigned(options.text("assign")))))

    @property
    def name(self) -> str:
        """What a group is called when the user gave it no name."""
        if self.pattern:
            return re.sub(r"[^A-Za-z0-9._-]+", "_", self.pattern)
        return "+".join(self.topics or sorted({topic for topic, _ in self.assigned}))

    def find(self, cluster: BlockingCluster, *, missing_ok: bool = False) -> dict[str, tuple[bytes, list[int]]]:
        """Topic id and partitions of each topic that is there now."""
        if self.pattern:
            names = [name for name in _all_topics(cluster) if re.search(self.pattern, name)]
        else:
            names = list(self.topics) or sorted({topic for topic, _ in self.assigned})
        found = {}
        for name in sorted(names):
            cluster.forget(name)
            try:
                view = cluster.topic(name)
            except UnknownTopic:
                if missing_ok:
                    continue
                raise
            wanted = [part for topic, part in self.assigned if topic == name]
            absent = [part for part in wanted if part >= len(view.partitions)]
            if absent and not missing_ok:
                raise ClientError(
                    f"Topic '{name}' has no partition {absent[0]}, it has {len(view.partitions)}; correct assign"
                )
            found[name] = (view.topic_id, wanted or [part.partition for part in view.partitions])
        return found


def _checked_pattern(pattern: str) -> str:
    try:
        re.compile(pattern)
    except re.error as error:
        raise OptionError(f"The option subscribePattern is no regular expression: {error}") from None
    return pattern


def _assigned(text: str) -> list[TopicPartition]:
    try:
        return [(str(topic), int(part)) for topic, parts in json.loads(text).items() for part in parts]
    except (ValueError, AttributeError, TypeError):
        raise OptionError(f"The option assign must be JSON such as {{\"clicks\":[0,1]}}, not '{text}'") from None


def _all_topics(cluster: BlockingCluster) -> list[str]:
    """Without those that brokers and sinks keep for themselves: a query that reads its own intents never rests."""
    view = cluster.retrying(lambda: cluster.refresh(None))
    usable = [name for name, topic in view.topics.items() if not topic.is_internal and topic.error == ErrorCode.NONE]
    return [name for name in usable if name != INTENTS_TOPIC]


class Bound(NamedTuple):
    """One side of what is read: `everywhere` for all partitions, else an offset or a time for each."""

    everywhere: int | None = None
    offsets: dict[str, dict[int, int]] | None = None
    timestamp: int | None = None
    timestamps: dict[str, dict[int, int]] | None = None
    late: str = "error"
    """What to do when no record is as late as the timestamp: error or latest."""
    option: str = ""
    """The option that has the JSON."""

    @classmethod
    def read(cls, options: Options, side: str, default: int, *, refused: int | None) -> Bound:
        """`refused` is EARLIEST or LATEST where that would leave nothing to read."""
        late = options.text("startingOffsetsByTimestampStrategy", "error").lower()
        if late not in ("error", "latest"):
            raise OptionError("The option startingOffsetsByTimestampStrategy must be error or latest")
        late = late if side == "starting" else "latest"
        moment = options.number(f"{side}Timestamp", 0)
        if moment is not None:
            return cls(timestamp=moment, late=late)
        name = f"{side}OffsetsByTimestamp"
        if options.text(name):
            return cls(timestamps=_least(options.json(name), name, 0, None), late=late, option=name)
        name = f"{side}Offsets"
        text = options.text(name).lower()
        if text not in ("", *_WORDS):
            return cls(offsets=_least(options.json(name), name, EARLIEST, refused), option=name)
        where = _WORDS.get(text, default)
        if where == refused:
            raise OptionError(f"The option {name} cannot be {text} in a batch read: nothing would be read")
        return cls(everywhere=where)

    def resolve(self, cluster: BlockingCluster, partitions: list[TopicPartition], committed: bool) -> Offsets:
        """The offset of each partition."""
        if self.timestamp is not None or self.timestamps is not None:
            return self._by_time(cluster, partitions, committed)
        if self.everywhere is not None:
            return list_offsets(cluster, dict.fromkeys(partitions, self.everywhere), committed=committed)
        wanted = self._for_each(self.offsets or {}, partitions)
        named = {key: offset for key, offset in wanted.items() if offset < 0}
        return {**wanted, **list_offsets(cluster, named, committed=committed)}

    def _by_time(self, cluster: BlockingCluster, partitions: list[TopicPartition], committed: bool) -> Offsets:
        if self.timestamp is not None:
            moments = dict.fromkeys(partitions, self.timestamp)
        else:
            moments = self._for_each(self.timestamps or {}, partitions)
        found = list_offsets(cluster, moments, committed=committed)
        late = [key for key, offset in found.items() if offset < 0]
        if late and self.late == "error":
            topic, part = late[0]
            raise ClientError(
                f"{topic}-{part} has no record at or after timestamp {moments[late[0]]}; choose an earlier one, or set "
                "startingOffsetsByTimestampStrategy to latest"
            )
        return {**found, **list_offsets(cluster, dict.fromkeys(late, LATEST), committed=committed)}

    def _for_each(self, rows: dict[str, dict[int, int]], partitions: list[TopicPartition]) -> Offsets:
        """A value for each partition that is read and for no other: a misspelt topic is told, and not passed over."""
        given = {(topic, part): value for topic, values in rows.items() for part, value in values.items()}
        for topic, part in sorted(set(partitions) - given.keys()):
            raise OptionError(
                f"The JSON of {self.option} names no value for {topic}-{part}; give one for each partition that is read"
            )
        for topic, part in sorted(given.keys() - set(partitions)):
            raise OptionError(f"The JSON of {self.option} names {topic}-{part}, which is not read; leave it out")
        return given


def _least(rows: dict[str, dict[int, int]], option: str, low: int, refused: int | None) -> dict[str, dict[int, int]]:
    for topic, values in rows.items():
        for part, value in values.items():
            if value < low:
                raise OptionError(f"The JSON of {option} has {value} for {topic}-{part}; the least is {low}")
            if value == refused:
                raise OptionError(
                    f"The JSON of {option} has {value} for {topic}-{part}: nothing of it would be read; leave the "
                    "partition out with assign"
                )
    return rows
