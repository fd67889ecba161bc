"""Committing, reading and deleting offsets, and the age at which they are forgotten."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from tidelog.coordinator.contract import CoordinatorRecord, Effects, Token
from tidelog.coordinator.group.classic import ClassicGroup, ClassicState
from tidelog.coordinator.group.classic_join import check_member, touch
from tidelog.coordinator.group.consumer import EPOCHS_FROM, ConsumerGroup
from tidelog.coordinator.group.consumer_leave import gone_records
from tidelog.coordinator.group.host import Host
from tidelog.coordinator.group.records import Offset, group_record, offset_records, offset_tombstone
from tidelog.coordinator.group.subscriptions import subscribed_topics
from tidelog.coordinator.group.values import Committer, Position, TopicPartition
from tidelog.protocol.errors import ErrorCode


def commit_offsets(
    host: Host,
    token: Token,
    group_id: str,
    committer: Committer,
    positions: list[Position],
    retention_ms: int,
    now_ms: int,
) -> Effects:
    """Replies a code for the whole group, or a code per partition, in the order of the positions."""
    refused = _commit_refusal(host, group_id, committer, positions, now_ms)
    if refused is not None:
        return Effects().reply(token, [refused] * len(positions))
    longest = host.config.offset_metadata_max_bytes
    kept = [one for one in positions if not one[4] or len(one[4]) <= longest]
    codes = [ErrorCode.NONE] * len(kept)
    if len(kept) < len(positions):
        codes = [ErrorCode.NONE if one in kept else ErrorCode.OFFSET_METADATA_TOO_LARGE for one in positions]
    expire_ms = now_ms + retention_ms if retention_ms >= 0 else -1
    records = offset_records(group_id, kept, now_ms, expire_ms)
    return Effects(records, [(token, codes)], None, committer.producer_id, committer.producer_epoch)


def _commit_refusal(
    host: Host, group_id: str, committer: Committer, positions: list[Position], now_ms: int
) -> ErrorCode | None:
    group = host.groups.get(group_id)
    transactional = committer.producer_id >= 0
    if group is None:
        if committer.generation_id >= 0:
            by_epoch = committer.api_version >= EPOCHS_FROM and not transactional
            return ErrorCode.GROUP_ID_NOT_FOUND if by_epoch else ErrorCode.ILLEGAL_GENERATION
        host.groups[group_id] = ClassicGroup(group_id, state_timestamp_ms=now_ms)
        return None
    if not isinstance(group, ClassicGroup):
        refused: ErrorCode | None = group.commit_refusal(committer, positions)
        return refused
    by_hand = committer.generation_id < 0 and not committer.member_id and committer.group_instance_id is None
    if by_hand:
        allowed = group.state is ClassicState.EMPTY or transactional
        return None if allowed else ErrorCode.UNKNOWN_MEMBER_ID
    error = check_member(group, committer.member_id, committer.group_instance_id)
    if error is not None:
        return error
    if committer.generation_id != group.generation_id:
        return ErrorCode.ILLEGAL_GENERATION
    if group.state is ClassicState.COMPLETING_REBALANCE and not transactional:
        return ErrorCode.REBALANCE_IN_PROGRESS
    touch(host, group, group.members[committer.member_id], now_ms)
    return None


class Fetched(NamedTuple):
    """The committed offset of one partition, or why there is none to give."""

    topic: str
    partition: int
    offset: Offset | None
    error: ErrorCode = ErrorCode.NONE


def fetch_offsets(
    host: Host, group_id: str, partitions: Iterable[TopicPartition] | None, require_stable: bool
) -> list[Fetched]:
    """All offsets of the group when no partition is named. A position an open transaction may replace is not stable."""
    offsets = host.offsets.of(group_id)
    found = []
    for key in sorted(offsets) if partitions is None else partitions:
        if require_stable and host.offsets.has_pending(group_id, key):
            found.append(Fetched(*key, None, ErrorCode.UNSTABLE_OFFSET_COMMIT))
        else:
            found.append(Fetched(*key, offsets.get(key)))
    return found


def delete_offsets(host: Host, token: Token, group_id: str, partitions: list[TopicPartition]) -> Effects:
    """Replies a code for the group and codes by partition; a topic that a member subscribes to keeps its offsets."""
    group = host.groups.get(group_id)
    if group is None and not host.offsets.of(group_id):
        return Effects().reply(token, (ErrorCode.GROUP_ID_NOT_FOUND, {}))
    if isinstance(group, ClassicGroup) and group.members and group.protocol_type != "consumer":
        return Effects().reply(token, (ErrorCode.NON_EMPTY_GROUP, {}))
    in_use = topics_in_use(group)
    offsets = host.offsets.of(group_id)
    codes: dict[TopicPartition, ErrorCode] = {}
    effects = Effects()
    for topic, partition in partitions:
        codes[topic, partition] = ErrorCode.GROUP_SUBSCRIBED_TO_TOPIC if topic in in_use else ErrorCode.NONE
        if topic not in in_use and (topic, partition) in offsets:
            effects.records.append(offset_tombstone(group_id, topic, partition))
    return effects.reply(token, (ErrorCode.NONE, codes))


def topics_in_use(group: object) -> set[str]:
    if group is None:
        return set()
    if not isinstance(group, ClassicGroup):
        topics: set[str] = group.subscribed_topics()  # type: ignore[attr-defined]
        return topics
    if group.protocol_type != "consumer" or group.state is ClassicState.EMPTY:
        return set()
    return {
        topic
        for member in group.members.values()
        for topic in subscribed_topics(member.metadata(group.protocol_name or member.protocols[0][0]))
    }


def expire_offsets(host: Host, now_ms: int) -> list[CoordinatorRecord]:
    """Tombstones for what nobody has used for the retention time; a group that ends up with nothing goes as well."""
    records = []
    for group_id in [*host.offsets.groups(), *(one for one in host.groups if not host.offsets.of(one))]:
        group = host.groups.get(group_id)
        expired = _expired(host, group_id, group, now_ms)
        records += [offset_tombstone(group_id, topic, partition) for topic, partition in expired]
        if (
            _is_unused(group)
            and len(expired) == len(host.offsets.of(group_id))
            and not host.offsets.has_pending(group_id)
        ):
            if isinstance(group, ClassicGroup):
                host.kill(group, now_ms)
                records.append(group_record(group_id, None))
            elif isinstance(group, ConsumerGroup):
                records += gone_records(group).records
    return records


def forget_topics(host: Host, names: set[str]) -> list[CoordinatorRecord]:
    """Topics were deleted: nobody can go on reading where their offsets point."""
    return [
        offset_tombstone(group_id, topic, partition)
        for group_id in host.offsets.groups()
        for topic, partition in host.offsets.of(group_id)
        if topic in names
    ]


def _is_unused(group: object) -> bool:
    if isinstance(group, ClassicGroup):
        return group.state is ClassicState.EMPTY and not group.pending_members
    return isinstance(group, ConsumerGroup) and not group.members


def _expired(host: Host, group_id: str, group: object, now_ms: int) -> list[TopicPartition]:
    retention_ms = host.config.offsets_retention_ms
    in_use = topics_in_use(group)
    empty_since_ms = -1
    if isinstance(group, ClassicGroup):
        if group.state is not ClassicState.EMPTY and group.protocol_type != "consumer":
            return []
        if group.state is ClassicState.EMPTY and group.protocol_type is not None:
            empty_since_ms = group.state_timestamp_ms

    def is_expired(partition: TopicPartition, offset: Offset) -> bool:
        if partition[0] in in_use:
            return False
        if offset.expire_timestamp_ms >= 0:
            return now_ms >= offset.expire_timestamp_ms
        return now_ms - max(empty_since_ms, offset.commit_timestamp_ms) >= retention_ms

    return host.offsets.expired(group_id, is_expired)
