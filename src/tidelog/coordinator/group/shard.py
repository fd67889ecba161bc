"""The group coordinator of one partition of `__consumer_offsets`: every group that hashes to it, and their offsets."""

from __future__ import annotations

from tidelog.coordinator.contract import CoordinatorRecord, Effects, Token
from tidelog.coordinator.group import (
    classic_join,
    classic_sync,
    consumer_describe,
    consumer_heartbeat,
    consumer_leave,
    consumer_records,
    consumer_replay,
    listing,
    migration,
    migration_classic,
    offset_requests,
    records,
)
from tidelog.coordinator.group.classic import ClassicGroup, ClassicState, from_value
from tidelog.coordinator.group.consumer import ConsumerGroup
from tidelog.coordinator.group.consumer_steady import Steady, steady
from tidelog.coordinator.group.consumer_topics import NO_TOPICS, ClusterView
from tidelog.coordinator.group.host import Host
from tidelog.coordinator.group.offset_requests import Fetched
from tidelog.coordinator.group.records import OffsetRecord, make_offset, read_offset
from tidelog.coordinator.group.values import Caller, Committer, GroupConfig, NewId, Position, TopicPartition
from tidelog.protocol.errors import ErrorCode
from tidelog.protocol.messages.consumer_group_heartbeat import ConsumerGroupHeartbeatRequest
from tidelog.protocol.messages.heartbeat import HeartbeatRequest
from tidelog.protocol.messages.join_group import JoinGroupRequest
from tidelog.protocol.messages.leave_group import MemberIdentity
from tidelog.protocol.messages.sync_group import SyncGroupRequest

EXPIRY = ("expiry", "")


class GroupShard:
    def __init__(self, config: GroupConfig, new_id: NewId, view: ClusterView = NO_TOPICS) -> None:
        self.host = Host(config, new_id, view=view)
        self._is_loaded = False

    # -- the contract

    def replay(self, offset: int, producer_id: int, producer_epoch: int, record: CoordinatorRecord) -> None:
        if type(record) is OffsetRecord:
            group_id, partition, known = record.meaning
            self.host.offsets.replay(group_id, partition, make_offset((*known, offset)), producer_id)
            return
        kind = records.record_type(record)
        if kind in records.OFFSETS:
            self.host.offsets.replay(*read_offset(record, offset), producer_id)
        elif kind == records.GROUP_METADATA:
            self._replay_group(record)
        elif kind in consumer_records.TYPES:
            consumer_replay.replay(self.host, kind, record)

    def _replay_group(self, record: CoordinatorRecord) -> None:
        """Once loaded, a classic group in memory is the one that the record was made from; it changes only its kind."""
        group_id = records.group_of(record)
        group = self.host.groups.get(group_id)
        if record.value is None:
            if isinstance(group, ClassicGroup):
                self.host.kill(group, group.state_timestamp_ms)
        elif not self._is_loaded or not isinstance(group, ClassicGroup):
            self.host.groups[group_id] = from_value(group_id, records.read_group(record.value))

    def replay_end_transaction(self, producer_id: int, producer_epoch: int, committed: bool) -> None:
        self.host.offsets.end_transaction(producer_id, committed)

    def loaded(self, now_ms: int) -> Effects:
        """Members get a full session from now: nobody could reach a coordinator that was not there."""
        self._is_loaded = True
        for group_id in self.host.offsets.groups():
            self.host.groups.setdefault(group_id, ClassicGroup(group_id, state_timestamp_ms=now_ms))
        for group in list(self.host.groups.values()):
            if isinstance(group, ClassicGroup):
                for member in group.members.values():
                    classic_join.touch(self.host, group, member, now_ms)
            elif isinstance(group, ConsumerGroup):
                consumer_heartbeat.loaded(self.host, group, now_ms)
        self.host.timers.set(EXPIRY, now_ms + self.host.config.offsets_retention_check_interval_ms)
        return Effects()

    def unloaded(self) -> Effects:
        effects = Effects()
        for group in list(self.host.groups.values()):
            if isinstance(group, ClassicGroup):
                effects.extend(classic_sync.everyone_out(self.host, group, ErrorCode.NOT_COORDINATOR))
        self.host.timers.clear()
        return effects

    def next_deadline_ms(self) -> int | None:
        return self.host.timers.next_deadline_ms()

    def tick(self, now_ms: int) -> Effects:
        effects = Effects()
        for key in self.host.timers.due(now_ms):
            assert isinstance(key, tuple)
            effects.extend(self._deadline(key, now_ms))
        return effects

    def _deadline(self, key: tuple[str, ...], now_ms: int) -> Effects:
        if key == EXPIRY:
            self.host.timers.set(EXPIRY, now_ms + self.host.config.offsets_retention_check_interval_ms)
            return Effects(offset_requests.expire_offsets(self.host, now_ms))
        consumer = self.host.consumer(key[1])
        if consumer is not None:
            is_of_member = key[0] in consumer_leave.TIMERS
            return consumer_leave.deadline(self.host, consumer, key[2], now_ms) if is_of_member else Effects()
        group = self.host.classic(key[1])
        if group is None or key[0] in consumer_leave.TIMERS:
            return Effects()
        if key[0] == migration.CONVERTED:
            return migration.begin_classic(self.host, group, now_ms)
        if key[0] == "member":
            return classic_sync.member_deadline(self.host, group, key[2], now_ms)
        if key[0] == "join":
            return classic_join.join_deadline(self.host, group, now_ms)
        return classic_sync.sync_deadline(self.host, group, now_ms)

    # -- the classic protocol; its members may be in a group of the consumer protocol, on their way to it or back

    def join_group(self, token: Token, caller: Caller, request: JoinGroupRequest, now_ms: int) -> Effects:
        group = self.host.consumer(request.group_id)
        if group is not None and group.members:
            return migration_classic.join(self.host, token, group, caller, request, now_ms)
        if group is not None and not request.member_id:
            effects = migration.empty_to_classic(self.host, group, now_ms)
            return effects.extend(classic_join.join_group(self.host, token, caller, request, now_ms))
        return classic_join.join_group(self.host, token, caller, request, now_ms)

    def sync_group(self, token: Token, request: SyncGroupRequest, now_ms: int) -> Effects:
        group = self.host.consumer(request.group_id)
        if group is not None:
            return migration_classic.sync(self.host, token, group, request, now_ms)
        return classic_sync.sync_group(self.host, token, request, now_ms)

    def heartbeat(self, token: Token, request: HeartbeatRequest, now_ms: int) -> Effects:
        group = self.host.consumer(request.group_id)
        if group is not None:
            return migration_classic.heartbeat(self.host, token, group, request, now_ms)
        return classic_sync.heartbeat(self.host, token, request, now_ms)

    def leave_group(
        self, token: Token, group_id: str, leaving: list[MemberIdentity], api_version: int, now_ms: int
    ) -> Effects:
        group = self.host.consumer(group_id)
        if group is not None:
            effects, codes = migration_classic.leave(self.host, group, leaving, now_ms)
            return effects.reply(token, classic_sync.left(leaving, codes, api_version))
        return classic_sync.leave_group(self.host, token, group_id, leaving, api_version, now_ms)

    # -- the consumer protocol

    def consumer_heartbeat(
        self, token: Token, caller: Caller, request: ConsumerGroupHeartbeatRequest, now_ms: int
    ) -> Effects:
        return consumer_heartbeat.heartbeat(self.host, token, caller, request, now_ms)

    def steady_heartbeat(self, caller: Caller, request: ConsumerGroupHeartbeatRequest, now_ms: int) -> Steady | None:
        """What to keep of a heartbeat that changes nothing, so that the same one need not be understood again."""
        return steady(self.host, caller, request, now_ms)

    def describe_consumer_group(self, token: Token, group_id: str) -> Effects:
        return Effects().reply(token, consumer_describe.describe(self.host, group_id))

    # -- the cluster

    def metadata_changed(self, view: ClusterView, changed: set[str], deleted: set[str]) -> Effects:
        """`changed` topics are new, gone or have other partitions; offsets of `deleted` ones are forgotten."""
        self.host.see(view)
        for group in self.host.groups.values():
            if isinstance(group, ConsumerGroup):
                group.topics_changed(changed)
        return Effects(offset_requests.forget_topics(self.host, deleted) if deleted else [])

    # -- looking

    def list_groups(self, token: Token, states: set[str], types: set[str]) -> Effects:
        return Effects().reply(token, listing.list_groups(self.host, states, types))

    def describe_group(self, token: Token, group_id: str, api_version: int) -> Effects:
        return Effects().reply(token, listing.describe_group(self.host, group_id, api_version))

    # -- offsets

    def commit_offsets(
        self,
        token: Token,
        group_id: str,
        committer: Committer,
        positions: list[Position],
        retention_ms: int,
        now_ms: int,
    ) -> Effects:
        return offset_requests.commit_offsets(self.host, token, group_id, committer, positions, retention_ms, now_ms)

    def fetch_offsets(
        self,
        token: Token,
        group_id: str,
        partitions: list[TopicPartition] | None,
        require_stable: bool,
        member_id: str | None = None,
        member_epoch: int = -1,
    ) -> Effects:
        """Groups of the new protocol check the member, when one is named; classic ones answer anybody."""
        group = self.host.groups.get(group_id)
        if group is not None and not isinstance(group, ClassicGroup) and member_id is not None:
            group.check_member_epoch(member_id, member_epoch)
        found: list[Fetched] = offset_requests.fetch_offsets(self.host, group_id, partitions, require_stable)
        return Effects().reply(token, found)

    def delete_offsets(self, token: Token, group_id: str, partitions: list[TopicPartition]) -> Effects:
        return offset_requests.delete_offsets(self.host, token, group_id, partitions)

    def delete_group(self, token: Token, group_id: str, now_ms: int) -> Effects:
        """Only a group without members can go; its offsets go with it."""
        group = self.host.groups.get(group_id)
        if group is None:
            return Effects().reply(token, ErrorCode.GROUP_ID_NOT_FOUND)
        if isinstance(group, ClassicGroup):
            if group.state is not ClassicState.EMPTY:
                return Effects().reply(token, ErrorCode.NON_EMPTY_GROUP)
            if self.host.offsets.has_pending(group_id):
                return Effects().reply(token, ErrorCode.NON_EMPTY_GROUP)
        elif group.members or self.host.offsets.has_pending(group_id):
            return Effects().reply(token, ErrorCode.NON_EMPTY_GROUP)
        effects = Effects(
            [records.offset_tombstone(group_id, *partition) for partition in self.host.offsets.of(group_id)]
        )
        if isinstance(group, ClassicGroup):
            self.host.kill(group, now_ms)
            effects.records.append(records.group_record(group_id, None))
        else:
            effects.extend(consumer_leave.gone_records(group))
        return effects.reply(token, ErrorCode.NONE)
