"""The group coordinator of one partition of `__consumer_offsets`: every group that hashes to it, and their offsets."""

from __future__ import annotations

from tidelog.coordinator.contract import CoordinatorRecord, Effects, Token
from tidelog.coordinator.group import classic_join, classic_sync, listing, offset_requests, records
from tidelog.coordinator.group.classic import ClassicGroup, ClassicState, from_value
from tidelog.coordinator.group.host import Host
from tidelog.coordinator.group.offset_requests import Committer, Fetched, Position
from tidelog.coordinator.group.values import Caller, GroupConfig, NewId, TopicPartition
from tidelog.protocol.errors import ErrorCode
from tidelog.protocol.messages.heartbeat import HeartbeatRequest
from tidelog.protocol.messages.join_group import JoinGroupRequest
from tidelog.protocol.messages.leave_group import MemberIdentity
from tidelog.protocol.messages.sync_group import SyncGroupRequest

EXPIRY = ("expiry", "")


class GroupShard:
    def __init__(self, config: GroupConfig, new_id: NewId) -> None:
        self.host = Host(config, new_id)
        self._is_loaded = False

    # -- the contract

    def replay(self, offset: int, producer_id: int, producer_epoch: int, record: CoordinatorRecord) -> None:
        kind = records.record_type(record)
        if kind in (records.OFFSET_COMMIT, records.LEGACY_OFFSET_COMMIT):
            group_id, topic, partition, value = records.read_offset(record, offset)
            self.host.offsets.replay(group_id, (topic, partition), value, producer_id)
        elif kind == records.GROUP_METADATA and not self._is_loaded:
            self._replay_group(record)

    def _replay_group(self, record: CoordinatorRecord) -> None:
        """Only while loading: afterwards the group in memory is the one that the record was made from."""
        group_id, value = records.read_group(record)
        if value is None:
            self.host.groups.pop(group_id, None)
        else:
            self.host.groups[group_id] = from_value(group_id, value)

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
        group = self.host.classic(key[1])
        if group is None:
            return Effects()
        if key[0] == "member":
            return classic_sync.member_deadline(self.host, group, key[2], now_ms)
        if key[0] == "join":
            return classic_join.join_deadline(self.host, group, now_ms)
        return classic_sync.sync_deadline(self.host, group, now_ms)

    # -- the classic protocol

    def join_group(self, token: Token, caller: Caller, request: JoinGroupRequest, now_ms: int) -> Effects:
        return classic_join.join_group(self.host, token, caller, request, now_ms)

    def sync_group(self, token: Token, request: SyncGroupRequest, now_ms: int) -> Effects:
        return classic_sync.sync_group(self.host, token, request, now_ms)

    def heartbeat(self, token: Token, request: HeartbeatRequest, now_ms: int) -> Effects:
        return classic_sync.heartbeat(self.host, token, request, now_ms)

    def leave_group(
        self, token: Token, group_id: str, leaving: list[MemberIdentity], api_version: int, now_ms: int
    ) -> Effects:
        return classic_sync.leave_group(self.host, token, group_id, leaving, api_version, now_ms)

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
            self.host.kill(group, now_ms)
        effects = Effects(
            [records.offset_tombstone(group_id, *partition) for partition in self.host.offsets.of(group_id)]
        )
        effects.records.append(records.group_record(group_id, None))
        return effects.reply(token, ErrorCode.NONE)
