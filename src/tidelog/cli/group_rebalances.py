"""`tide group rebalances`: when a group got new assignments, and who came and went before each.

Read from `__consumer_offsets`, where each of them is a record; what compaction has removed since is not told.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from tidelog.coordinator.contract import CoordinatorRecord
from tidelog.coordinator.group import consumer_records, records
from tidelog.model.java_hash import coordinator_partition
from tidelog.protocol.group_records.consumer_group_member_metadata import (
    ConsumerGroupMemberMetadataKey,
    ConsumerGroupMemberMetadataValue,
)
from tidelog.protocol.group_records.consumer_group_metadata import ConsumerGroupMetadataKey
from tidelog.protocol.group_records.consumer_group_target_assignment_metadata import (
    ConsumerGroupTargetAssignmentMetadataKey,
    ConsumerGroupTargetAssignmentMetadataValue,
)

if TYPE_CHECKING:
    from tidelog.client.consumer import Consumer

TOPIC = "__consumer_offsets"
COLUMNS = ("time", "epoch", "protocol", "members", "joined", "left")
_KEYS: dict[int, Any] = {
    consumer_records.MEMBER: ConsumerGroupMemberMetadataKey,
    consumer_records.TARGET: ConsumerGroupTargetAssignmentMetadataKey,
    consumer_records.GROUP: ConsumerGroupMetadataKey,
}


class History:
    """Fed with the records of a coordinator's partition in order; `rows` are the rebalances of one group."""

    def __init__(self, group_id: str) -> None:
        self.group_id = group_id
        self.rows: list[dict[str, Any]] = []
        # By id, what people call them; as of now, and as of the last rebalance.
        self._members: dict[str, str] = {}
        self._before: dict[str, str] = {}
        self._epoch = -1

    def feed(self, time_ms: int, record: CoordinatorRecord) -> None:
        kind = records.record_type(record)
        if kind == records.GROUP_METADATA:
            if records.group_of(record) == self.group_id:
                self._classic(time_ms, record)
        elif kind in _KEYS:
            key = _KEYS[kind].decode(record.key[2:], 0)
            if key.group_id == self.group_id:
                self._consumer(time_ms, kind, key, record)

    def _classic(self, time_ms: int, record: CoordinatorRecord) -> None:
        if record.value is None:
            self._forget()
            return
        value = records.read_group(record.value)
        self._members = {each.member_id: each.group_instance_id or each.client_id for each in value.members}
        self._assigned(time_ms, value.generation, "Classic")

    def _consumer(self, time_ms: int, kind: int, key: Any, record: CoordinatorRecord) -> None:
        if kind == consumer_records.MEMBER:
            value = consumer_records.value_of(record, ConsumerGroupMemberMetadataValue)
            if value is None:
                self._members.pop(key.member_id, None)
            else:
                self._members[key.member_id] = value.instance_id or value.client_id
        elif record.value is None:
            self._forget()
        elif kind == consumer_records.TARGET:
            value = consumer_records.value_of(record, ConsumerGroupTargetAssignmentMetadataValue)
            self._assigned(time_ms, value.assignment_epoch, "Consumer")

    def _assigned(self, time_ms: int, epoch: int, protocol: str) -> None:
        """The same epoch once more is a record about something else."""
        if epoch == self._epoch:
            return
        self._epoch = epoch
        now, before = self._members, self._before
        self.rows.append(
            {
                "time": datetime.fromtimestamp(time_ms / 1000, UTC).isoformat(timespec="milliseconds")[:23] + "Z",
                "epoch": epoch,
                "protocol": protocol,
                "members": len(now),
                "joined": sorted(name for each, name in now.items() if each not in before),
                "left": sorted(name for each, name in before.items() if each not in now),
            }
        )
        self._before = dict(now)

    def _forget(self) -> None:
        self._members, self._before, self._epoch = {}, {}, -1


async def rebalances(consumer: Consumer, group_id: str) -> list[dict[str, Any]]:
    view = await consumer.cluster.topic(TOPIC)
    key = (TOPIC, coordinator_partition(group_id, len(view.partitions)))
    consumer.assign([key])
    consumer.seek_to_beginning()
    end = (await consumer.end_offsets([key]))[key]
    history = History(group_id)
    while await consumer.position(key) < end:
        for record in await consumer.poll(1.0):
            history.feed(record.timestamp, CoordinatorRecord(record.key or b"", record.value))
    return history.rows
