"""A scripted broker that leads `t-0` in a given epoch, with a history that a test changes while a client reads it."""

from typing import Any

from support.scripted_broker import TOPIC, ScriptedBroker
from tidelog.protocol.errors import ErrorCode
from tidelog.protocol.messages.fetch import EpochEndOffset, PartitionData
from tidelog.protocol.messages.find_coordinator import Coordinator, FindCoordinatorResponse
from tidelog.protocol.messages.offset_commit import (
    OffsetCommitResponse,
    OffsetCommitResponsePartition,
    OffsetCommitResponseTopic,
)
from tidelog.protocol.messages.offset_fetch import (
    OffsetFetchResponse,
    OffsetFetchResponseGroup,
    OffsetFetchResponsePartitions,
    OffsetFetchResponseTopics,
)
from tidelog.protocol.messages.offset_for_leader_epoch import EpochEndOffset as EndOfEpoch
from tidelog.protocol.messages.offset_for_leader_epoch import (
    OffsetForLeaderEpochResponse,
    OffsetForLeaderTopicResult,
)
from tidelog.protocol.record_batch import Record, build_batch
from tidelog.replication.epochs import LeaderEpochs


class ScriptedLeader(ScriptedBroker):
    def __init__(self, epoch: int, starts: dict[int, int], end: int) -> None:
        """Epochs with the offset at which each began, and where the log ends; one record is one batch."""
        super().__init__()
        self.served |= {8: 9, 9: 9, 10: 4, 23: 4}
        self.told_epoch = epoch
        """What metadata says; the broker itself acts in the epoch of its history."""
        self.committed = (-1, -1)
        self.history(epoch, starts, end)
        self.on_fetch = self._read
        self.answers |= {8: self._commit, 9: self._offsets, 10: self._coordinator, 23: self._end_of_epoch}

    def history(self, epoch: int, starts: dict[int, int], end: int) -> None:
        self.epoch, self.end = epoch, end
        self.epochs = LeaderEpochs(list(starts.items()))

    def _metadata(self, request: Any) -> Any:
        answer = super()._metadata(request)
        for topic in answer.topics:
            for row in topic.partitions:
                row.leader_epoch = self.told_epoch
        return answer

    def _check(self, epoch: int) -> int:
        if epoch in (-1, self.epoch):
            return 0
        return int(ErrorCode.FENCED_LEADER_EPOCH if epoch < self.epoch else ErrorCode.UNKNOWN_LEADER_EPOCH)

    def _read(self, row: Any) -> PartitionData:
        found = PartitionData(partition_index=row.partition, error_code=self._check(row.current_leader_epoch))
        if found.error_code:
            return found
        if row.last_fetched_epoch >= 0:
            epoch, end = self.epochs.end_offset_for(row.last_fetched_epoch, self.end)
            if epoch < row.last_fetched_epoch or end < row.fetch_offset:
                found.diverging_epoch = EpochEndOffset(epoch=epoch, end_offset=end)
                return found
        if row.fetch_offset > self.end:
            found.error_code = int(ErrorCode.OFFSET_OUT_OF_RANGE)
            return found
        found.high_watermark = self.end
        found.records = b"".join(self._batch(offset) for offset in range(row.fetch_offset, self.end))
        return found

    def _batch(self, offset: int) -> bytes:
        epoch = self.epochs.epoch_at(offset)
        value = f"{epoch}/{offset}".encode()
        return bytes(build_batch([Record(offset, 1, None, value)], base_offset=offset, partition_leader_epoch=epoch))

    def _end_of_epoch(self, request: Any) -> OffsetForLeaderEpochResponse:
        (wanted,) = request.topics[0].partitions
        row = EndOfEpoch(partition=0, error_code=self._check(wanted.current_leader_epoch))
        if not row.error_code:
            row.leader_epoch, row.end_offset = self.epochs.end_offset_for(wanted.leader_epoch, self.end)
        return OffsetForLeaderEpochResponse(topics=[OffsetForLeaderTopicResult(topic=TOPIC, partitions=[row])])

    def _coordinator(self, request: Any) -> FindCoordinatorResponse:
        found = Coordinator(key=request.coordinator_keys[0], node_id=1, host="127.0.0.1", port=self.port)
        return FindCoordinatorResponse(coordinators=[found])

    def _offsets(self, request: Any) -> OffsetFetchResponse:
        offset, epoch = self.committed
        row = OffsetFetchResponsePartitions(partition_index=0, committed_offset=offset, committed_leader_epoch=epoch)
        topics = [OffsetFetchResponseTopics(name=TOPIC, partitions=[row])]
        return OffsetFetchResponse(
            groups=[OffsetFetchResponseGroup(group_id=request.groups[0].group_id, topics=topics)]
        )

    def _commit(self, request: Any) -> OffsetCommitResponse:
        (row,) = request.topics[0].partitions
        self.committed = (row.committed_offset, row.committed_leader_epoch)
        topics = [OffsetCommitResponseTopic(name=TOPIC, partitions=[OffsetCommitResponsePartition(partition_index=0)])]
        return OffsetCommitResponse(topics=topics)
