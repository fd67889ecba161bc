"""Replicas on their way from one log directory of this broker to another (KIP-113), each a task of its own.

A copy follows the log, wherever that is written, until it has everything. Then the controller is told of the new
directory, so that leadership would move if that failed, and the copy takes over. A move that a restart interrupted
begins again.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from tidelog.broker.partition import Partition
from tidelog.log import future as futures
from tidelog.log.directory import LogDirectory
from tidelog.log.log import Log
from tidelog.metadata.configs import BROKER
from tidelog.metadata.image import MetadataImage
from tidelog.model.topic_partition import TopicPartition
from tidelog.protocol.errors import ErrorCode, KafkaError
from tidelog.replication.throttle import UNLIMITED, Throttle

if TYPE_CHECKING:
    from tidelog.broker.broker import Broker

LOG = logging.getLogger(__name__)
RATE = "replica.alter.log.dirs.io.max.bytes.per.second"
CHUNK_BYTES = 1 << 20
RETRY_S = 0.5
# So often a moment without a flush is waited for; a log that is flushed all the time is then taken as it is.
QUIET_TRIES = 50


class Move:
    __slots__ = ("directory", "future", "partition", "task")

    def __init__(self, partition: Partition, directory: LogDirectory, future: Log) -> None:
        self.partition = partition
        self.directory = directory
        self.future = future
        self.task: asyncio.Task[None] | None = None


class ReplicaMoves:
    def __init__(self, broker: Broker) -> None:
        self._broker = broker
        self._moves: dict[Partition, Move] = {}
        self.throttle = Throttle()

    def rate_changed(self, image: MetadataImage) -> None:
        own = {**image.configs.get(BROKER, ""), **image.configs.get(BROKER, str(self._broker.node_id))}
        self.throttle.set_rate(int(own.get(RATE) or UNLIMITED))

    @property
    def copies(self) -> list[tuple[Partition, Log]]:
        return [(move.partition, move.future) for move in self._moves.values()]

    def goes_to(self, partition: Partition, directory_id: bytes) -> bool:
        move = self._moves.get(partition)
        return move is not None and move.directory.directory_id == directory_id

    def alter(self, path: str, topic: str, index: int) -> ErrorCode:
        """The replica should lie in this directory; where there is none yet, it will when it is made."""
        broker = self._broker
        directory = next((each for each in broker.logs.disks if each.path == path), None)
        if directory is None:
            return ErrorCode.LOG_DIR_NOT_FOUND
        if directory.offline is not None:
            return ErrorCode.KAFKA_STORAGE_ERROR
        partition = broker.partitions.get(topic, index)
        if partition is None:
            return self._prefer(directory, topic, index)
        if partition.log.offline is not None:
            return ErrorCode.KAFKA_STORAGE_ERROR
        if partition.log.config.remote_storage:
            return ErrorCode.INVALID_REQUEST
        move = self._moves.get(partition)
        if move is None or move.directory is not directory:
            self.cancel(partition)
            if partition.log.host is not directory:
                return self._begin(partition, directory)
        return ErrorCode.NONE

    def _prefer(self, directory: LogDirectory, topic: str, index: int) -> ErrorCode:
        known = self._broker.metadata.image.topics.get(topic)
        if known is None or not 0 <= index < len(known.partitions):
            return ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
        self._broker.logs.preferred[TopicPartition(topic, index)] = directory
        return ErrorCode.REPLICA_NOT_AVAILABLE

    def hosted(self, partition: Partition) -> None:
        """A partition is here now; if a move of it was interrupted, it goes on."""
        directory = self._broker.logs.interrupted_moves.pop(partition.log.partition, None)
        if directory is not None and directory.offline is None and partition.log.offline is None:
            self.alter(directory.path, partition.topic, partition.index)

    def cancel(self, partition: Partition) -> None:
        move = self._moves.pop(partition, None)
        if move is not None:
            if move.task is not None:
                move.task.cancel()
            futures.discard(move.future)

    def directory_failed(self, directory: LogDirectory) -> None:
        for partition, move in list(self._moves.items()):
            if directory in (move.directory, partition.log.host):
                self.cancel(partition)

    def close(self) -> None:
        """The copies stay where they are and say after a restart what was wanted."""
        for move in self._moves.values():
            if move.task is not None:
                move.task.cancel()
            move.future.release()
        self._moves.clear()

    def _begin(self, partition: Partition, directory: LogDirectory) -> ErrorCode:
        try:
            future = futures.open_future(self._broker.logs, partition.log, directory)
        except OSError as error:
            directory.trouble(error)
            return ErrorCode.KAFKA_STORAGE_ERROR
        except KafkaError as error:
            return error.code
        move = self._moves[partition] = Move(partition, directory, future)
        move.task = self._broker.spawn(self._run(move))
        LOG.info("%s moves from %s to %s", future.partition, partition.log.directory, directory.path)
        return ErrorCode.NONE

    async def _run(self, move: Move) -> None:
        try:
            await self._catch_up(move)
            await self._broker.logs.flush(move.future)
            while not await self._broker.directory_assignments.moved(move.partition, move.directory.directory_id):
                await asyncio.sleep(RETRY_S)
            await self._come_to_rest(move)
            self._take_over(move)
        except (KafkaError, OSError) as error:
            LOG.warning("%s cannot move to %s: %s", move.future.partition, move.directory.path, error)
            if isinstance(error, OSError):
                move.directory.trouble(error)
            self.cancel(move.partition)

    async def _catch_up(self, move: Move) -> None:
        """Until the copy lacks less than what is copied in one go."""
        while True:
            await self._hold_back()
            current, future = move.partition.log, move.future
            found = futures.next_range(current, future, min(CHUNK_BYTES, self.throttle.rate))
            if found is None:
                return
            generation = current.generation
            with futures.reading(current):
                data = await self._broker.blocking.run(found.file.pread, found.length, found.position)
            if current.generation == generation:
                future.append_as_follower(data, self._broker.clock.now_ms())
            self.throttle.spend(len(data), self._broker.clock.monotonic_ms())
            if current.log_end_offset == future.log_end_offset:
                return

    async def _hold_back(self) -> None:
        """All moves together are slowed down; a changed rate is heard of within a second."""
        while wait_ms := self.throttle.wait_ms(self._broker.clock.monotonic_ms()):
            await asyncio.sleep(min(wait_ms, 1000) / 1000)

    async def _come_to_rest(self, move: Move) -> None:
        """Neither a compaction nor a flush of the log is under way, as far as that can be waited for."""
        flusher = self._broker.logs.flusher
        for _ in range(QUIET_TRIES):
            await self._catch_up(move)
            if not flusher.is_busy(move.partition.log) and not self._must_wait(move):
                return
            await asyncio.sleep(0.02)
        while self._must_wait(move):
            await asyncio.sleep(0.02)

    def _must_wait(self, move: Move) -> bool:
        return move.partition.log.is_cleaning or self._broker.logs.flusher.is_busy(move.future)

    def _take_over(self, move: Move) -> None:
        """In one turn: what was written since the last look is copied here and now."""
        current, future = move.partition.log, move.future
        while (found := futures.next_range(current, future, CHUNK_BYTES)) is not None:
            with futures.reading(current):
                data = found.file.pread(found.length, found.position)
            future.append_as_follower(data, self._broker.clock.now_ms())
        if not futures.is_level(current, future):
            futures.skip_to_end(current, future)
        if self._broker.logs.flusher.is_busy(current):
            current.offline = f"{current.partition} moved to {move.directory.path}"
        move.partition.log = futures.take_over(self._broker.logs, current, future)
        self._moves.pop(move.partition, None)
        LOG.info("%s lies in %s now", current.partition, move.directory.path)
