"""Replay of the records of consumer groups: the only place where these groups change."""

from __future__ import annotations

from collections.abc import Callable

from tidelog.coordinator.contract import CoordinatorRecord
from tidelog.coordinator.group import consumer_records as records
from tidelog.coordinator.group.classic import ClassicGroup
from tidelog.coordinator.group.consumer import FIRST_EPOCH, ConsumerGroup, ResolvedRegex
from tidelog.coordinator.group.consumer_member import ConsumerMember
from tidelog.coordinator.group.host import Host
from tidelog.protocol.group_records import consumer_group_member_metadata as metadata
from tidelog.protocol.group_records import consumer_group_metadata as group_epoch
from tidelog.protocol.group_records import consumer_group_regular_expression as expression
from tidelog.protocol.group_records import consumer_group_target_assignment_metadata as target


def replay(host: Host, kind: int, record: CoordinatorRecord) -> None:
    handler = _HANDLERS.get(kind)
    if handler is not None:
        handler(host, record)


def _group(host: Host, group_id: str, create: bool) -> ConsumerGroup | None:
    """A record with a value makes the group, in place of a classic one that only had offsets."""
    group = host.groups.get(group_id)
    if isinstance(group, ConsumerGroup):
        return group
    if not create or (group is not None and not isinstance(group, ClassicGroup)):
        return None
    made = host.groups[group_id] = ConsumerGroup(group_id)
    return made


def _replay_group(host: Host, record: CoordinatorRecord) -> None:
    key = group_epoch.ConsumerGroupMetadataKey.decode(record.key[2:], 0)
    value = records.value_of(record, group_epoch.ConsumerGroupMetadataValue)
    group = _group(host, key.group_id, value is not None)
    if group is None:
        return
    if value is None:
        del host.groups[key.group_id]
        return
    group.epoch = value.epoch
    group.metadata_hash = value.metadata_hash


def _replay_member(host: Host, record: CoordinatorRecord) -> None:
    key = metadata.ConsumerGroupMemberMetadataKey.decode(record.key[2:], 0)
    value = records.value_of(record, metadata.ConsumerGroupMemberMetadataValue)
    group = _group(host, key.group_id, value is not None)
    if group is None:
        return
    if value is None:
        group.drop_member(key.member_id)
        return
    member = group.members.get(key.member_id) or ConsumerMember(key.member_id)
    group.set_member(records.with_metadata(member, value))


def _replay_target(host: Host, record: CoordinatorRecord) -> None:
    key = target.ConsumerGroupTargetAssignmentMetadataKey.decode(record.key[2:], 0)
    value = records.value_of(record, target.ConsumerGroupTargetAssignmentMetadataValue)
    group = _group(host, key.group_id, value is not None)
    if group is None:
        return
    group.assignment_epoch = FIRST_EPOCH if value is None else value.assignment_epoch
    group.assignment_timestamp_ms = -1 if value is None else value.assignment_timestamp


def _replay_target_member(host: Host, record: CoordinatorRecord) -> None:
    group_id, member_id, assignment = records.read_target_member(record)
    group = _group(host, group_id, assignment is not None)
    if group is None:
        return
    if assignment is None:
        group.targets.pop(member_id, None)
    else:
        group.targets[member_id] = assignment


def _replay_current(host: Host, record: CoordinatorRecord) -> None:
    """The tombstone comes before that of the member; should it come alone, the member holds nothing."""
    group_id, member_id, progress = records.read_current(record)
    group = _group(host, group_id, progress is not None)
    if group is None:
        return
    member = group.members.get(member_id)
    if progress is not None:
        group.set_member(records.with_current(member or ConsumerMember(member_id), progress))
    elif member is not None:
        group.set_member(
            ConsumerMember(member_id)._replace(
                instance_id=member.instance_id,
                rack_id=member.rack_id,
                rebalance_timeout_ms=member.rebalance_timeout_ms,
                client_id=member.client_id,
                client_host=member.client_host,
                topics=member.topics,
                regex=member.regex,
                server_assignor=member.server_assignor,
                classic=member.classic,
            )
        )


def _replay_expression(host: Host, record: CoordinatorRecord) -> None:
    key = expression.ConsumerGroupRegularExpressionKey.decode(record.key[2:], 0)
    value = records.value_of(record, expression.ConsumerGroupRegularExpressionValue)
    group = _group(host, key.group_id, value is not None)
    if group is None:
        return
    if value is None:
        group.regexes.pop(key.regular_expression, None)
    else:
        resolved = ResolvedRegex(frozenset(value.topics), value.version, value.timestamp)
        group.regexes[key.regular_expression] = resolved


_HANDLERS: dict[int, Callable[[Host, CoordinatorRecord], None]] = {
    records.GROUP: _replay_group,
    records.MEMBER: _replay_member,
    records.TARGET: _replay_target,
    records.TARGET_MEMBER: _replay_target_member,
    records.CURRENT: _replay_current,
    records.EXPRESSION: _replay_expression,
}
