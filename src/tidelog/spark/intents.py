"""Decisions that outlive the driver: a compacted topic with the last batch that each query has decided to commit.

Half of its partitions hold intents, written by drivers in transactions of milliseconds. The other half hold proofs: a
record that each task writes inside its own transaction, so that it can be seen later whether that was committed.
They are apart because an open transaction hides what follows it in its partition from readers of committed records.
"""

from __future__ import annotations

import json
import time
import zlib
from collections.abc import Callable, Iterator
from typing import NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from tidelog.client.blocking import BlockingCluster
from tidelog.client.blocking_offsets import EARLIEST, LATEST, TopicPartition, list_offsets
from tidelog.client.cluster import raise_for
from tidelog.client.columnar_arrow import schema_of
from tidelog.client.columnar_fetch import Limits, Marker, Range, RangeReader
from tidelog.client.errors import ClientError, UnknownTopic
from tidelog.protocol.errors import ErrorCode
from tidelog.protocol.messages.create_topics import CreatableTopic, CreatableTopicConfig, CreateTopicsRequest
from tidelog.protocol.record_batch import Record
from tidelog.protocol.record_batch import build_batch as _build_batch
from tidelog.spark.producing import Encoded
from tidelog.spark.transactions import Identity

TOPIC = "__spark_intents"
_PARTITIONS = 16
_CONFIGS = {
    "cleanup.policy": "compact",
    "min.cleanable.dirty.ratio": "0.1",
    "segment.bytes": str(4 * 1024 * 1024),
    "segment.ms": str(24 * 3_600_000),
}
_HEADER_BYTES = 61
_LIMITS = Limits(bytes=1 << 20, patience_s=60.0)
_TAIL = 1000


class TaskEntry(NamedTuple):
    """What one task wrote; a producer id of -1 says that it had nothing to write."""

    partition: int
    producer_id: int
    epoch: int
    rows: int


class Intent(NamedTuple):
    """The decision to commit a batch. `query` tells checkpoints apart that share a name."""

    query: str
    batch: int
    tasks: tuple[TaskEntry, ...]

    def is_of(self, query: str, batch: int) -> bool:
        return self.query == query and self.batch == batch

    def to_bytes(self) -> bytes:
        return json.dumps({"query": self.query, "batch": self.batch, "tasks": self.tasks}).encode()

    @classmethod
    def from_bytes(cls, data: bytes) -> Intent:
        found = json.loads(data)
        return cls(found["query"], found["batch"], tuple(TaskEntry(*row) for row in found["tasks"]))


def ensure_topic(cluster: BlockingCluster, topic: str) -> int:
    """Makes the topic unless it is there; gives how many partitions it has."""
    try:
        return len(cluster.topic(topic).partitions)
    except UnknownTopic:
        _create(cluster, topic)

    def attempt() -> int:
        found = cluster.refresh([topic]).topics[topic]
        raise_for(found.error)
        if any(part.leader_id < 0 for part in found.partitions):
            raise_for(ErrorCode.LEADER_NOT_AVAILABLE)
        return len(found.partitions)

    return cluster.retrying(attempt)


def _create(cluster: BlockingCluster, topic: str) -> None:
    configs = [CreatableTopicConfig(name=name, value=value) for name, value in _CONFIGS.items()]
    row = CreatableTopic(name=topic, num_partitions=_PARTITIONS, replication_factor=-1, configs=configs)
    request = CreateTopicsRequest(topics=[row], timeout_ms=cluster.settings["request.timeout.ms"])

    def attempt() -> None:
        answer = cluster.any_broker().request(request).topics[0]
        if answer.error_code != ErrorCode.TOPIC_ALREADY_EXISTS:
            raise_for(answer.error_code, f"The topic {topic} cannot be made: {answer.error_message}")

    cluster.retrying(attempt)


class IntentLog:
    """The intents and proofs of one query, whose transactional ids begin with `name`."""

    def __init__(self, cluster: BlockingCluster, topic: str, name: str) -> None:
        self._cluster = cluster
        self._topic = topic
        self._name = name
        half = max(ensure_topic(cluster, topic) // 2, 1)
        number = zlib.crc32(name.encode()) % half
        self.intents: TopicPartition = (topic, number)
        self.proofs: TopicPartition = (topic, half + number if half > 1 else number)

    def intent_record(self, intent: Intent) -> Encoded:
        return _encoded(self._name.encode(), intent.to_bytes())

    def proof_record(self, identity: Identity, query: str, batch: int) -> Encoded:
        value = json.dumps({"query": query, "batch": batch, "epoch": [identity.producer_id, identity.epoch]})
        return _encoded(identity.transactional_id.encode(), value.encode())

    def read(self) -> Intent | None:
        """The last intent. Call it after the driver's id was taken over: nobody else can write one then.

        Drivers of other queries that are about to decide are waited for; they have a quarter of a minute. A query that
        runs finds its intent at the end of the partition, so all of it is read only when it is not there.
        """
        first, end = self._ends(self.intents)
        for start in dict.fromkeys((max(first, end - _TAIL), first)):
            data = None
            for rows in self._rows(Range(*self.intents, start, end), self._name, committed=True):
                data = rows.column("value")[-1].as_py()
            if data:
                return Intent.from_bytes(data)
        return None

    def is_proven(self, identity: Identity, query: str, batch: int) -> bool:
        """Whether the task's transaction was committed. Call it after the task's id was taken over: it has ended then.

        Other tasks hold transactions open in the partition for as long as the batch runs, and one of them may wait for
        this very answer. So nothing is waited for: everything is read, and the marker behind the proof decides.
        """
        wanted = {"query": query, "batch": batch, "epoch": [identity.producer_id, identity.epoch]}
        ends: list[Marker] = []
        proof = -1
        range_ = Range(*self.proofs, *self._ends(self.proofs))
        for rows in self._rows(range_, identity.transactional_id, committed=False, on_marker=ends.append):
            for row in rows.to_pylist():
                if json.loads(row["value"]) == wanted:
                    proof = row["offset"]
        mine = (each for each in ends if each.producer_id == identity.producer_id and each.offset > proof)
        first = next(mine, None)
        return proof >= 0 and first is not None and first.is_commit

    def _ends(self, where: TopicPartition) -> tuple[int, int]:
        first, end = (
            list_offsets(self._cluster, {where: moment}, committed=False)[where] for moment in (EARLIEST, LATEST)
        )
        return first, end

    def _rows(
        self, range_: Range, key: str, *, committed: bool, on_marker: Callable[[Marker], None] | None = None
    ) -> Iterator[pa.RecordBatch]:
        """The records with the key, in order; no batch is empty."""
        columns = schema_of(("key", "value", "offset"))
        reader = RangeReader(self._cluster, range_, columns, committed=committed, limits=_LIMITS, on_marker=on_marker)
        for batch in reader.batches():
            found = batch.filter(pc.equal(batch.column("key"), pa.scalar(key.encode(), pa.binary())))
            if found.num_rows:
                yield found


def _encoded(key: bytes, value: bytes) -> Encoded:
    now = int(time.time() * 1000)
    batch = _build_batch([Record(0, now, key, value)])
    if len(batch) > 900_000:
        raise ClientError("The batch has too many tasks for one intent; let fewer partitions write to the topic")
    return Encoded(batch[_HEADER_BYTES:], 1, now)
