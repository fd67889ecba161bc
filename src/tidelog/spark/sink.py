"""`format("tidelog")` for writing: exactly once with transactions, or at least once without.

A batch is committed in two phases. Each task writes inside a transaction of its own and leaves it open. The driver
then decides: one transaction of its own holds the intent (which transactions belong to the batch) and the offsets of
the query's sources. When that is committed the batch is, whatever happens after; ending the tasks' transactions can
be repeated by anybody who reads the intent. `docs/spark.md` has the states and what each crash leaves.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import pyarrow as pa
from pyspark import TaskContext
from pyspark.sql.datasource import DataSourceStreamArrowWriter, WriterCommitMessage
from pyspark.sql.types import StructType

from tidelog.client.blocking import BlockingCluster
from tidelog.client.errors import ClientError
from tidelog.client.settings import ClientSettings
from tidelog.protocol.errors import KafkaError
from tidelog.spark import steps, transactions
from tidelog.spark.checkpoint import query_id, source_positions
from tidelog.spark.intents import TOPIC, Intent, IntentLog, TaskEntry
from tidelog.spark.options import SINK_OPTIONS, OptionError, Options
from tidelog.spark.permissions import told_with_advice
from tidelog.spark.producing import PartitionWriter
from tidelog.spark.rows import TopicRows, check_columns
from tidelog.spark.transactions import Identity

_DRIVER_TIMEOUT_MS = 15_000
TASK_TIMEOUT_MS = 300_000


class SinkSettings(NamedTuple):
    client: ClientSettings
    topic: str
    exactly_once: bool
    prefix: str
    intents_topic: str
    checkpoint: str
    timeout_ms: int

    @classmethod
    def read(cls, given: Mapping[str, str], schema: StructType, *, streaming: bool) -> SinkSettings:
        options = Options(given, SINK_OPTIONS)
        client = options.client("producer")
        topic = options.text("topic")
        check_columns(schema, topic)
        timeout = client["transaction.timeout.ms"] if "transaction.timeout.ms" in client.given else TASK_TIMEOUT_MS
        return cls(
            client=client,
            topic=topic,
            exactly_once=options.flag("exactlyOnce", streaming),
            prefix=options.text("transactionalIdPrefix"),
            intents_topic=options.text("intentsTopic", TOPIC),
            checkpoint=options.text("checkpointLocation"),
            timeout_ms=timeout,
        )


@dataclass
class TaskMessage(WriterCommitMessage):
    """What a task tells the driver. `done` says that its rows were committed by an earlier try of the batch.

    `decided_tasks` is how many tasks that try had, if it came to a decision.
    """

    entry: TaskEntry
    query: str
    driver: Identity | None
    done: bool = False
    decided_tasks: int = 0


class Lost(ClientError):
    """A transaction ended between its task and the decision."""


class TidelogStreamWriter(DataSourceStreamArrowWriter):
    """Made anew for each batch, once for its tasks and once for its commit.

    Being pickled is the one moment on the driver between the commit of a batch and the tasks of the next: that is when
    the driver's id is taken over and the last intent read, and both go to the tasks with this object.
    """

    def __init__(self, settings: SinkSettings) -> None:
        self._settings = settings
        self._driver: Identity | None = None
        self._intent: Intent | None = None
        if settings.exactly_once:
            assert self.name  # what is missing is told here, before Spark pickles this object

    def __getstate__(self) -> dict[str, Any]:
        if self._settings.exactly_once and self._driver is None:
            self._begin()
        return self.__dict__

    @property
    def name(self) -> str:
        found = self._settings.prefix or query_id(self._settings.checkpoint)
        if not found:
            raise OptionError(
                "The exactly-once sink needs a name that stays the same when the query is started again: set the "
                "option transactionalIdPrefix, or a checkpointLocation on this machine as an option of the query"
            )
        return found if self._settings.prefix else f"spark-{found}"

    @told_with_advice()
    def _begin(self) -> None:
        """From here on nobody else can decide anything for this query, and what was decided can be read."""
        with BlockingCluster(self._settings.client) as cluster:
            self._driver = transactions.take(cluster, f"{self.name}-driver", _DRIVER_TIMEOUT_MS)
            steps.reached("driver taken over")
            self._intent = IntentLog(cluster, self._settings.intents_topic, self.name).read()

    # In a task.

    @told_with_advice()
    def write(self, iterator: Iterator[pa.RecordBatch]) -> WriterCommitMessage:
        task = TaskContext.get()
        assert task is not None
        number = task.partitionId()
        query = str(task.getLocalProperty("sql.streaming.queryId"))
        batch = int(task.getLocalProperty("streaming.sql.batchId") or -1)
        with BlockingCluster(self._settings.client) as cluster:
            if not self._settings.exactly_once:
                rows = write_plainly(cluster, self._settings, iterator)
                return TaskMessage(TaskEntry(number, -1, -1, rows), query, None)
            return SinkTask(cluster, self._settings, self.name, query, batch, number).run(
                iterator, self._intent, self._driver
            )

    # On the driver.

    @told_with_advice()
    def commit(self, messages: list[WriterCommitMessage | None], batchId: int) -> None:
        found = [each for each in messages if isinstance(each, TaskMessage)]
        _check_tasks(found, batchId)
        if not self._settings.exactly_once or all(each.done for each in found):
            return  # a batch without rows is decided too: its offsets tell how far the query has read
        steps.reached("commit begins")
        with BlockingCluster(self._settings.client) as cluster:
            log = IntentLog(cluster, self._settings.intents_topic, self.name)
            if not self._decide(cluster, log, found, batchId):
                raise Lost(
                    f"Batch {batchId} was not committed: another run of the query '{self.name}' has taken over; stop "
                    "one of them, or give them transactionalIdPrefix options that differ"
                )
            steps.reached("decided")
            self._end_tasks(cluster, [each.entry for each in found if not each.done])
        steps.reached("all tasks ended")

    def _decide(self, cluster: BlockingCluster, log: IntentLog, found: list[TaskMessage], batch: int) -> bool:
        """Commits the intent; False when the driver's id was taken over, and nothing can be decided any more."""
        try:
            return self._write_intent(cluster, log, found, batch)
        except KafkaError as error:
            if error.code not in transactions.GONE:
                raise
            return False

    def _write_intent(self, cluster: BlockingCluster, log: IntentLog, found: list[TaskMessage], batch: int) -> bool:
        driver = found[0].driver
        assert driver is not None
        intent = Intent(found[0].query, batch, tuple(each.entry for each in found))
        writer = PartitionWriter(
            cluster, self._settings.client, driver, lambda new: transactions.add_partitions(cluster, driver, new)
        )
        writer.send({log.intents: log.intent_record(intent)})
        writer.flush()
        steps.reached("intent written")
        for position in source_positions(self._settings.checkpoint, batch):
            transactions.send_offsets(cluster, driver, position.group, position.offsets)
        steps.reached("offsets written")
        return transactions.end(cluster, driver, commit=True)

    def _end_tasks(self, cluster: BlockingCluster, entries: list[TaskEntry]) -> None:
        lost = []
        for entry in entries:
            if entry.producer_id >= 0 and not transactions.end(cluster, _identity(self.name, entry), commit=True):
                lost.append(entry.partition)
            steps.reached("one task ended")
        if lost:
            raise Lost(
                f"The transactions of tasks {lost} ended before the batch was committed (a task took longer than "
                "kafka.transaction.timeout.ms?); start the query again, it writes what is missing and nothing twice"
            )

    def abort(self, messages: list[WriterCommitMessage | None], batchId: int) -> None:
        """Ends what the tasks left open, unless it is decided: then it stands, and the next run completes it."""
        found = [each for each in messages if isinstance(each, TaskMessage) and not each.done]
        if not self._settings.exactly_once or not found:
            return
        with BlockingCluster(self._settings.client) as cluster:
            intent = IntentLog(cluster, self._settings.intents_topic, self.name).read()
            is_decided = intent is not None and intent.is_of(found[0].query, batchId)
            decided = intent.tasks if intent is not None and is_decided else ()
            for each in found:
                if each.entry.producer_id >= 0 and each.entry not in decided:
                    transactions.end(cluster, _identity(self.name, each.entry), commit=False)


def _check_tasks(found: list[TaskMessage], batch: int) -> None:
    """Rows that were divided among tasks in another way would be written twice by some and not at all by others."""
    before = max((each.decided_tasks for each in found), default=0)
    if before not in (0, len(found)):
        raise Lost(
            f"Batch {batch} was decided with {before} tasks and is run again with {len(found)}; start the query with "
            "the settings that it had (cores, minPartitions, maxRecordsPerPartition), until this batch is over"
        )


def _identity(name: str, entry: TaskEntry) -> Identity:
    return Identity(f"{name}-{entry.partition}", entry.producer_id, entry.epoch)


class SinkTask:
    """One task of a batch: writes its rows in a transaction, or finds that an earlier try has committed them."""

    def __init__(
        self, cluster: BlockingCluster, settings: SinkSettings, name: str, query: str, batch: int, number: int
    ) -> None:
        self._cluster = cluster
        self._settings = settings
        self._name = name
        self._query = query
        self._batch = batch
        self._number = number

    def run(self, rows: Iterator[pa.RecordBatch], intent: Intent | None, driver: Identity | None) -> TaskMessage:
        is_decided = intent is not None and intent.is_of(self._query, self._batch)
        tasks = intent.tasks if intent is not None and is_decided else ()
        decided = next((each for each in tasks if each.partition == self._number), None)
        identity = None
        if decided is not None:
            is_committed, identity = self._settle(decided)
            if is_committed:
                # What comes before the sink is computed all the same: state is kept by being read to the end.
                for _ in rows:
                    pass
                return TaskMessage(decided, self._query, driver, done=True, decided_tasks=len(tasks))
        entry = self._write(rows, identity)
        if decided is not None and entry.rows != decided.rows:
            transactions.end(self._cluster, _identity(self._name, entry), commit=False)
            raise Lost(
                f"Task {self._number} of batch {self._batch} was decided with {decided.rows} rows and has {entry.rows} "
                "when it is computed again; a query must give the same rows for the same input to be written once"
            )
        return TaskMessage(entry, self._query, driver, decided_tasks=len(tasks))

    def _settle(self, entry: TaskEntry) -> tuple[bool, Identity | None]:
        """Commits what was decided. When the transaction is gone the proof tells how it ended.

        Taking the id over comes before looking: it ends what a try in between has left open, which would hide the
        proof, and gives the identity for writing anew.
        """
        before = _identity(self._name, entry)
        if entry.producer_id < 0 or transactions.end(self._cluster, before, commit=True):
            return True, None
        identity = self._open()
        log = IntentLog(self._cluster, self._settings.intents_topic, self._name)
        return log.is_proven(before, self._query, self._batch), identity

    def _write(self, rows: Iterator[pa.RecordBatch], identity: Identity | None) -> TaskEntry:
        writing: TopicRows | None = None
        for batch in rows:
            if batch.num_rows == 0:
                continue
            if writing is None:
                identity = identity or self._open()
                writing = TopicRows(self._cluster, self._settings.topic, self._writer(identity), self._number)
            writing.add(batch)
            steps.reached("task wrote some")
        if writing is None or identity is None:
            return TaskEntry(self._number, -1, -1, 0)
        log = IntentLog(self._cluster, self._settings.intents_topic, self._name)
        writing.writer.send({log.proofs: log.proof_record(identity, self._query, self._batch)})
        writing.writer.flush()
        steps.reached("task wrote all")
        return TaskEntry(self._number, identity.producer_id, identity.epoch, writing.rows)

    def _open(self) -> Identity:
        identity = transactions.take(self._cluster, f"{self._name}-{self._number}", self._settings.timeout_ms)
        steps.reached("task taken over")
        return identity

    def _writer(self, identity: Identity) -> PartitionWriter:
        return PartitionWriter(
            self._cluster,
            self._settings.client,
            identity,
            lambda new: transactions.add_partitions(self._cluster, identity, new),
        )


def write_plainly(cluster: BlockingCluster, settings: SinkSettings, rows: Iterator[pa.RecordBatch]) -> int:
    """At least once: every row is stored when this returns, and again when the task is run again."""
    writing: TopicRows | None = None
    for batch in rows:
        if batch.num_rows == 0:
            continue
        if writing is None:
            writer = PartitionWriter(cluster, settings.client, transactions.take_anonymous(cluster))
            writing = TopicRows(cluster, settings.topic, writer, 0)
        writing.add(batch)
    if writing is None:
        return 0
    writing.writer.flush()
    return writing.rows
