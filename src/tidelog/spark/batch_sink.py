"""`df.write.format("tidelog")`: a batch job's rows, at least once, or with exactlyOnce all of a task or none.

Without a checkpoint there is no later run that could complete a job whose driver dies while it ends transactions, so
nothing durable is logged: what is open then is aborted when its time is over.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from typing import Any

import pyarrow as pa
from pyspark import TaskContext
from pyspark.sql.datasource import DataSourceArrowWriter, WriterCommitMessage

from tidelog.client.blocking import BlockingCluster
from tidelog.spark import transactions
from tidelog.spark.intents import TaskEntry
from tidelog.spark.permissions import told_with_advice
from tidelog.spark.producing import PartitionWriter
from tidelog.spark.rows import TopicRows
from tidelog.spark.sink import Lost, SinkSettings, TaskMessage, write_plainly


class TidelogBatchWriter(DataSourceArrowWriter):
    def __init__(self, settings: SinkSettings) -> None:
        self._settings = settings
        self._name = f"{settings.prefix or 'spark-batch'}-{uuid.uuid4().hex[:12]}"

    @told_with_advice()
    def write(self, iterator: Iterator[pa.RecordBatch]) -> WriterCommitMessage:
        task = TaskContext.get()
        assert task is not None
        with BlockingCluster(self._settings.client) as cluster:
            if not self._settings.exactly_once:
                rows = write_plainly(cluster, self._settings, iterator)
                return TaskMessage(TaskEntry(task.partitionId(), -1, -1, rows), "", None)
            return self._write_in_transaction(cluster, iterator, task.partitionId())

    def _write_in_transaction(
        self, cluster: BlockingCluster, iterator: Iterator[pa.RecordBatch], number: int
    ) -> WriterCommitMessage:
        identity = transactions.take(cluster, f"{self._name}-{number}", self._settings.timeout_ms)
        writer = PartitionWriter(
            cluster, self._settings.client, identity, lambda new: transactions.add_partitions(cluster, identity, new)
        )
        rows = TopicRows(cluster, self._settings.topic, writer, number)
        for batch in iterator:
            if batch.num_rows:
                rows.add(batch)
        writer.flush()
        producer_id = identity.producer_id if rows.rows else -1
        return TaskMessage(TaskEntry(number, producer_id, identity.epoch, rows.rows), "", identity)

    @told_with_advice()
    def commit(self, messages: list[WriterCommitMessage | None]) -> None:
        lost = self._end(messages, commit=True)
        if lost:
            raise Lost(
                f"The transactions of tasks {lost} ended before the job did; raise kafka.transaction.timeout.ms, or "
                "write without exactlyOnce"
            )

    def abort(self, messages: list[WriterCommitMessage | None]) -> None:
        self._end(messages, commit=False)

    def _end(self, messages: list[Any], *, commit: bool) -> list[int]:
        lost = []
        with BlockingCluster(self._settings.client) as cluster:
            for each in messages:
                wrote = isinstance(each, TaskMessage) and each.entry.producer_id >= 0
                if wrote and not transactions.end(cluster, each.driver, commit=commit):
                    lost.append(each.entry.partition)
        return lost
