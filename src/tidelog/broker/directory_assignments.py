"""Tells the controller in which directory each replica here lies, if that is not what the metadata says.

A broker with one directory seldom has to: the controller knows it, unless the disk is a new one. With several, the
broker chooses when it makes a log, and the controller must know the choice to move leadership away when that one fails.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from tidelog.broker.partition import Partition
from tidelog.log.directory import LogDirectory
from tidelog.metadata.partition import Partition as PartitionImage
from tidelog.model import uuids
from tidelog.protocol.errors import KafkaError
from tidelog.protocol.messages import assign_replicas_to_dirs as messages
from tidelog.protocol.messages.assign_replicas_to_dirs import AssignReplicasToDirsRequest

if TYPE_CHECKING:
    from tidelog.broker.broker import Broker

LOG = logging.getLogger(__name__)
RETRY_S = 0.5
NOT_SAID = (uuids.DIRECTORY_UNASSIGNED, uuids.DIRECTORY_MIGRATING)
TIMEOUT_MS = 10_000


class DirectoryAssignments:
    def __init__(self, broker: Broker) -> None:
        self._broker = broker
        self._waiting: dict[Partition, bytes] = {}
        self._is_busy = False

    def hosted(self, partition: Partition, state: PartitionImage) -> None:
        """The partition is here, and the metadata says `state` of it."""
        broker = self._broker
        directory = partition.log.host
        if not isinstance(directory, LogDirectory) or directory.offline is not None:
            return
        known = state.directories[state.replicas.index(broker.node_id)]
        if len(broker.logs.disks) < 2 and known in NOT_SAID:
            return
        if broker.replica_moves.goes_to(partition, known):
            return  # told before the copy there takes over
        if known == directory.directory_id:
            self._waiting.pop(partition, None)
            return
        self._waiting[partition] = directory.directory_id
        if not self._is_busy and broker.controller is not None:
            self._is_busy = True
            broker.spawn(self._run())

    async def _run(self) -> None:
        try:
            while self._waiting:
                batch, self._waiting = self._waiting, {}
                if not await self._tell(batch):
                    self._waiting = {**batch, **self._waiting}
                    await asyncio.sleep(RETRY_S)
        finally:
            self._is_busy = False

    async def moved(self, partition: Partition, directory_id: bytes) -> bool:
        """A replica goes to another directory; True when the controller knows it."""
        return self._broker.controller is None or await self._tell({partition: directory_id})

    async def _tell(self, batch: dict[Partition, bytes]) -> bool:
        broker = self._broker
        assert broker.controller is not None
        request = AssignReplicasToDirsRequest(broker_id=broker.node_id, broker_epoch=broker.broker_epoch)
        directories: dict[bytes, dict[bytes, list[int]]] = {}
        for partition, directory_id in batch.items():
            directories.setdefault(directory_id, {}).setdefault(partition.topic_id, []).append(partition.index)
        for directory_id, topics in directories.items():
            request.directories.append(_directory(directory_id, topics))
        try:
            answer = await broker.controller.request(request, TIMEOUT_MS)
        except (KafkaError, OSError) as error:
            LOG.info("the controller was not told where replicas lie: %s", error)
            return False
        return not answer.error_code


def _directory(directory_id: bytes, topics: dict[bytes, list[int]]) -> messages.RequestDirectoryData:
    return messages.RequestDirectoryData(
        id=directory_id,
        topics=[
            messages.RequestTopicData(
                topic_id=topic_id,
                partitions=[messages.RequestPartitionData(partition_index=index) for index in indexes],
            )
            for topic_id, indexes in topics.items()
        ],
    )
