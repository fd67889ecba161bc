"""The records of consumer groups in `__consumer_offsets`, built from values and read back into them."""

from __future__ import annotations

from struct import Struct
from typing import Any, NamedTuple

from tidelog.coordinator.contract import CoordinatorRecord, KnownRecord, known_record
from tidelog.coordinator.group.consumer_member import Assignment, ClassicMetadata, ConsumerMember, Held, MemberState
from tidelog.coordinator.group.records import VERSION
from tidelog.protocol import writing
from tidelog.protocol.group_records import consumer_group_current_member_assignment as current
from tidelog.protocol.group_records import consumer_group_member_metadata as metadata
from tidelog.protocol.group_records import consumer_group_metadata as group_epoch
from tidelog.protocol.group_records import consumer_group_partition_metadata as partition_metadata
from tidelog.protocol.group_records import consumer_group_regular_expression as expression
from tidelog.protocol.group_records import consumer_group_target_assignment_member as target_member
from tidelog.protocol.group_records import consumer_group_target_assignment_metadata as target

GROUP = group_epoch.ConsumerGroupMetadataKey.API_KEY
PARTITIONS = partition_metadata.ConsumerGroupPartitionMetadataKey.API_KEY
MEMBER = metadata.ConsumerGroupMemberMetadataKey.API_KEY
TARGET = target.ConsumerGroupTargetAssignmentMetadataKey.API_KEY
TARGET_MEMBER = target_member.ConsumerGroupTargetAssignmentMemberKey.API_KEY
CURRENT = current.ConsumerGroupCurrentMemberAssignmentKey.API_KEY
EXPRESSION = expression.ConsumerGroupRegularExpressionKey.API_KEY
TYPES = frozenset((GROUP, PARTITIONS, MEMBER, TARGET, TARGET_MEMBER, CURRENT, EXPRESSION))
_PREFIX = {kind: VERSION.pack(kind) for kind in TYPES}
_VALUE_PREFIX = VERSION.pack(0)
# Version, epoch, previous epoch, state.
_CURRENT_HEAD = Struct(">hiib").pack


class Progress(NamedTuple):
    """How far a member is, and what it holds."""

    epoch: int
    previous_epoch: int
    state: MemberState
    assigned: Held
    revoking: Held


def _record(key: Any, value: Any) -> CoordinatorRecord:
    body = None if value is None else _VALUE_PREFIX + value.encode(0)
    return CoordinatorRecord(_PREFIX[key.API_KEY] + key.encode(0), body)


def group_record(group_id: str, epoch: int, metadata_hash: int) -> CoordinatorRecord:
    value = group_epoch.ConsumerGroupMetadataValue(epoch=epoch, metadata_hash=metadata_hash)
    return _record(group_epoch.ConsumerGroupMetadataKey(group_id=group_id), value)


def member_record(group_id: str, member: ConsumerMember) -> CoordinatorRecord:
    classic = None
    if member.classic is not None:
        classic = metadata.ClassicMemberMetadata(
            session_timeout_ms=member.classic.session_timeout_ms,
            supported_protocols=[
                metadata.ClassicProtocol(name=name, metadata=data) for name, data in member.classic.protocols
            ],
        )
    value = metadata.ConsumerGroupMemberMetadataValue(
        instance_id=member.instance_id,
        rack_id=member.rack_id,
        client_id=member.client_id,
        client_host=member.client_host,
        subscribed_topic_names=list(member.topics),
        subscribed_topic_regex=member.regex,
        rebalance_timeout_ms=member.rebalance_timeout_ms,
        server_assignor=member.server_assignor,
        classic_member_metadata=classic,
    )
    return _record(metadata.ConsumerGroupMemberMetadataKey(group_id=group_id, member_id=member.member_id), value)


def target_record(group_id: str, epoch: int, timestamp_ms: int) -> CoordinatorRecord:
    value = target.ConsumerGroupTargetAssignmentMetadataValue(assignment_epoch=epoch, assignment_timestamp=timestamp_ms)
    return _record(target.ConsumerGroupTargetAssignmentMetadataKey(group_id=group_id), value)


# The records that a rebalance has of each member are written by hand, and keep what a reader would find in them.


def target_member_record(group_id: str, member_id: str, assignment: Assignment) -> CoordinatorRecord:
    out = bytearray(_VALUE_PREFIX)
    writing.count(out, len(assignment), True)
    for topic_id, indexes in sorted(assignment.items()):
        out += topic_id
        writing.int32s(out, indexes, True)
        out.append(0)
    out.append(0)
    meaning = (group_id, member_id, dict(assignment))
    return known_record(_member_key(TARGET_MEMBER, group_id, member_id), bytes(out), meaning)


def current_record(group_id: str, member: ConsumerMember) -> CoordinatorRecord:
    out = bytearray(_CURRENT_HEAD(0, member.epoch, member.previous_epoch, member.state))
    _put_held(out, member.assigned)
    _put_held(out, member.revoking)
    out.append(0)
    held = Progress(member.epoch, member.previous_epoch, member.state, member.assigned, member.revoking)
    key = _member_key(CURRENT, group_id, member.member_id)
    return known_record(key, bytes(out), (group_id, member.member_id, held))


def _member_key(kind: int, group_id: str, member_id: str) -> bytes:
    group, member = group_id.encode(), member_id.encode()
    return b"".join((_PREFIX[kind], VERSION.pack(len(group)), group, VERSION.pack(len(member)), member))


def _put_held(out: bytearray, held: Held) -> None:
    """Since when a partition is held stands in a tagged field of its topic."""
    writing.count(out, len(held), True)
    for topic_id, epochs in sorted(held.items()):
        indexes = sorted(epochs)
        out += topic_id
        writing.int32s(out, indexes, True)
        since = bytearray()
        if indexes:
            writing.int32s(since, [epochs[index] for index in indexes], True)
        writing.tags(out, [(0, since)] if indexes else ())


def expression_record(group_id: str, regex: str, topics: list[str], version: int, now_ms: int) -> CoordinatorRecord:
    value = expression.ConsumerGroupRegularExpressionValue(topics=topics, version=version, timestamp=now_ms)
    return _record(expression.ConsumerGroupRegularExpressionKey(group_id=group_id, regular_expression=regex), value)


# tombstones


def no_expression(group_id: str, regex: str) -> CoordinatorRecord:
    return _record(expression.ConsumerGroupRegularExpressionKey(group_id=group_id, regular_expression=regex), None)


def no_current(group_id: str, member_id: str) -> CoordinatorRecord:
    return _record(current.ConsumerGroupCurrentMemberAssignmentKey(group_id=group_id, member_id=member_id), None)


def no_target_member(group_id: str, member_id: str) -> CoordinatorRecord:
    return _record(target_member.ConsumerGroupTargetAssignmentMemberKey(group_id=group_id, member_id=member_id), None)


def no_member(group_id: str, member_id: str) -> CoordinatorRecord:
    return _record(metadata.ConsumerGroupMemberMetadataKey(group_id=group_id, member_id=member_id), None)


def member_gone(group_id: str, member_id: str) -> list[CoordinatorRecord]:
    return [no_current(group_id, member_id), no_target_member(group_id, member_id), no_member(group_id, member_id)]


def group_gone(group_id: str) -> list[CoordinatorRecord]:
    """Partition metadata is no longer written, but a log from earlier times may have it."""
    return [
        _record(target.ConsumerGroupTargetAssignmentMetadataKey(group_id=group_id), None),
        _record(partition_metadata.ConsumerGroupPartitionMetadataKey(group_id=group_id), None),
        _record(group_epoch.ConsumerGroupMetadataKey(group_id=group_id), None),
    ]


# reading


def value_of(record: CoordinatorRecord, value_class: Any) -> Any:
    if record.value is None:
        return None
    (version,) = VERSION.unpack_from(record.value)
    return value_class.decode(record.value[2:], version)


def with_metadata(member: ConsumerMember, value: metadata.ConsumerGroupMemberMetadataValue) -> ConsumerMember:
    classic = None
    if value.classic_member_metadata is not None and value.classic_member_metadata.supported_protocols:
        protocols = tuple((each.name, each.metadata) for each in value.classic_member_metadata.supported_protocols)
        classic = ClassicMetadata(value.classic_member_metadata.session_timeout_ms, protocols)
    return member._replace(
        instance_id=value.instance_id,
        rack_id=value.rack_id,
        client_id=value.client_id,
        client_host=value.client_host,
        topics=tuple(value.subscribed_topic_names),
        regex=value.subscribed_topic_regex or "",
        rebalance_timeout_ms=value.rebalance_timeout_ms,
        server_assignor=value.server_assignor,
        classic=classic,
    )


def read_current(record: CoordinatorRecord) -> tuple[str, str, Progress | None]:
    """The group, the member, and how far it is."""
    if type(record) is KnownRecord:
        group_id, member_id, progress = record.meaning
        return group_id, member_id, progress
    key = current.ConsumerGroupCurrentMemberAssignmentKey.decode(record.key[2:], 0)
    value = value_of(record, current.ConsumerGroupCurrentMemberAssignmentValue)
    if value is None:
        return key.group_id, key.member_id, None
    return (
        key.group_id,
        key.member_id,
        Progress(
            value.member_epoch,
            value.previous_member_epoch,
            MemberState(value.state) if value.state in _STATES else MemberState.UNKNOWN,
            _read_held(value.assigned_partitions, value.member_epoch),
            _read_held(value.partitions_pending_revocation, value.member_epoch),
        ),
    )


def with_current(member: ConsumerMember, progress: Progress) -> ConsumerMember:
    return member._replace(
        epoch=progress.epoch,
        previous_epoch=progress.previous_epoch,
        state=progress.state,
        assigned=progress.assigned,
        revoking=progress.revoking,
    )


def read_target_member(record: CoordinatorRecord) -> tuple[str, str, Assignment | None]:
    """The group, the member, and what it should have."""
    if type(record) is KnownRecord:
        group_id, member_id, assignment = record.meaning
        return group_id, member_id, assignment
    key = target_member.ConsumerGroupTargetAssignmentMemberKey.decode(record.key[2:], 0)
    value = value_of(record, target_member.ConsumerGroupTargetAssignmentMemberValue)
    if value is None:
        return key.group_id, key.member_id, None
    return key.group_id, key.member_id, {each.topic_id: tuple(each.partitions) for each in value.topic_partitions}


_STATES = frozenset(int(state) for state in MemberState)


def _read_held(topics: list[current.TopicPartitions], epoch: int) -> Held:
    """Records of earlier versions do not tell since when a partition is held; the member's epoch bounds it."""
    found: dict[bytes, dict[int, int]] = {}
    for topic in topics:
        epochs = topic.assignment_epochs
        if not epochs or len(epochs) != len(topic.partitions):
            epochs = [epoch] * len(topic.partitions)
        found[topic.topic_id] = dict(zip(topic.partitions, epochs, strict=True))
    return found
