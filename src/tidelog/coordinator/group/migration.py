"""A group changes its protocol while it runs: classic to consumer when the first member of the new protocol joins, and
back when the last one leaves. `group.consumer.migration.policy` allows the one, the other, both or neither.
"""

from __future__ import annotations

import struct

from tidelog.coordinator.contract import CoordinatorRecord, Effects
from tidelog.coordinator.group import classic_join, classic_sync
from tidelog.coordinator.group import consumer_records as records
from tidelog.coordinator.group.classic import ClassicGroup, ClassicMember, ClassicState
from tidelog.coordinator.group.consumer import PROTOCOL_TYPE, ConsumerGroup
from tidelog.coordinator.group.consumer_member import Assignment, ClassicMetadata, ConsumerMember, partitions
from tidelog.coordinator.group.host import Host
from tidelog.coordinator.group.records import group_record as classic_record
from tidelog.protocol.errors import ErrorCode, KafkaError
from tidelog.protocol.group_records.consumer_protocol_assignment import ConsumerProtocolAssignment
from tidelog.protocol.group_records.consumer_protocol_assignment import TopicPartition as AssignedTopic
from tidelog.protocol.group_records.consumer_protocol_subscription import ConsumerProtocolSubscription
from tidelog.protocol.primitives import DecodeError

CONVERTED = "converted"
# Deadlines of one member of a consumer group: to be heard of, to give partitions up, to join again, to sync.
MEMBER_TIMERS = ("session", "revoking", "rejoin", "sync_consumer")
_VERSION = struct.Struct(">h")


# classic to consumer


def upgrade(host: Host, classic: ClassicGroup, effects: Effects, now_ms: int) -> ConsumerGroup:
    """The consumer group that the classic one becomes; `effects` gets the records that make it so.

    An empty classic group is simply left behind. Members in the middle of a classic rebalance are told to join again.
    """
    if classic.members:
        _check_upgrade(host, classic)
    group = ConsumerGroup(classic.group_id)
    effects.records.append(classic_record(classic.group_id, None))
    if classic.members:
        effects.records += _converted(host, classic, group, now_ms)
    if classic.state is not ClassicState.STABLE:
        effects.extend(classic_sync.everyone_out(host, classic, ErrorCode.REBALANCE_IN_PROGRESS))
    return group


def _check_upgrade(host: Host, classic: ClassicGroup) -> None:
    refusal = None
    if host.config.consumer_migration_policy not in ("bidirectional", "upgrade"):
        refusal = "group.consumer.migration.policy does not allow it"
    elif classic.protocol_type != PROTOCOL_TYPE:
        refusal = f"its members are of the protocol type {classic.protocol_type!r}, not {PROTOCOL_TYPE!r}"
    elif len(classic.members) > host.config.consumer_max_size:
        refusal = "it has more members than group.consumer.max.size allows"
    if refusal is not None:
        message = f"The classic group {classic.group_id} cannot become a consumer group: {refusal}."
        raise KafkaError(ErrorCode.GROUP_ID_NOT_FOUND, message)


def _converted(host: Host, classic: ClassicGroup, group: ConsumerGroup, now_ms: int) -> list[CoordinatorRecord]:
    """Every member keeps what its leader gave it; that is the first target assignment."""
    group_id = group.group_id
    group.epoch = group.assignment_epoch = max(classic.generation_id, 1)
    taken: dict[bytes, set[int]] = {}
    for member in classic.members.values():
        target = _assignment_of(host, member.assignment, taken)
        held = {topic_id: dict.fromkeys(indexes, group.epoch) for topic_id, indexes in target.items()}
        group.set_member(
            _converted_member(classic, member)._replace(epoch=group.epoch, previous_epoch=group.epoch, assigned=held)
        )
        group.targets[member.member_id] = target
        host.timers.set(("session", group_id, member.member_id), now_ms + member.session_timeout_ms)
    group.metadata_hash = host.metadata_hash(group.subscribed_topics())
    made = [records.member_record(group_id, member) for member in group.members.values()]
    made.append(records.group_record(group_id, group.epoch, group.metadata_hash))
    made += [records.target_member_record(group_id, one, target) for one, target in group.targets.items()]
    made.append(records.target_record(group_id, group.epoch, 0))
    made += [records.current_record(group_id, member) for member in group.members.values()]
    return made


def _converted_member(classic: ClassicGroup, member: ClassicMember) -> ConsumerMember:
    data = member.metadata(classic.protocol_name or "") or (member.protocols[0][1] if member.protocols else b"")
    subscription = read_subscription(data)
    return ConsumerMember(
        member.member_id,
        instance_id=member.group_instance_id,
        rack_id=subscription.rack_id,
        rebalance_timeout_ms=member.rebalance_timeout_ms,
        client_id=member.client_id,
        client_host=member.client_host,
        topics=tuple(sorted(set(subscription.topics))),
        classic=ClassicMetadata(member.session_timeout_ms, tuple(member.protocols)),
    )


def read_subscription(data: bytes) -> ConsumerProtocolSubscription:
    """What a classic member put into its metadata; KafkaError when it is not a subscription."""
    try:
        (version,) = _VERSION.unpack_from(data)
        known = min(version, ConsumerProtocolSubscription.VERSIONS[1])
        return ConsumerProtocolSubscription.decode(data[2:], known)
    except (DecodeError, struct.error) as error:
        message = "The member's metadata is not a subscription of the consumer protocol."
        raise KafkaError(ErrorCode.INCONSISTENT_GROUP_PROTOCOL, message) from error


def _assignment_of(host: Host, data: bytes, taken: dict[bytes, set[int]]) -> Assignment:
    """What a leader assigned, of topics that exist; a partition that was given twice goes to the first."""
    if not data:
        return {}
    try:
        (version,) = _VERSION.unpack_from(data)
        known = min(version, ConsumerProtocolAssignment.VERSIONS[1])
        assigned = ConsumerProtocolAssignment.decode(data[2:], known).assigned_partitions
    except (DecodeError, struct.error):
        return {}
    found = {}
    for each in assigned:
        topic = host.view.topic(each.topic)
        if topic is None:
            continue
        others = taken.setdefault(topic.id, set())
        indexes = {index for index in each.partitions if 0 <= index < topic.partitions} - others
        others |= indexes
        found[topic.id] = tuple(sorted(indexes))
    return found


# consumer to classic


def can_downgrade(host: Host, group: ConsumerGroup, gone: set[str], joining: ConsumerMember | None = None) -> bool:
    """Whether the last members of the new protocol go, others stay, and the policy lets those have their group back."""
    leaving = [group.members[member_id] for member_id in gone]
    classic_staying = group.classic_count - sum(member.uses_classic for member in leaving)
    staying = len(group.members) - len(leaving)
    if joining is not None:
        staying, classic_staying = staying + 1, classic_staying + 1
    return (
        staying > 0
        and classic_staying == staying
        and any(not member.uses_classic for member in leaving)
        and host.config.consumer_migration_policy in ("bidirectional", "downgrade")
        and staying <= host.config.group_max_size
    )


def downgrade(
    host: Host, group: ConsumerGroup, gone: set[str], now_ms: int, joining: ConsumerMember | None = None
) -> Effects:
    """Replaying the record of the classic group puts it in place; a timer that is due at once starts its rebalance."""
    group_id = group.group_id
    staying = [member for member in group.members.values() if member.member_id not in gone]
    if joining is not None:
        staying = [member for member in staying if member.member_id != joining.member_id] + [joining]
    effects = Effects(all_gone(group))
    classic = _as_classic(host, group, staying, now_ms)
    assignments = {member.member_id: member.assignment for member in classic.members.values()}
    effects.records.append(classic_record(group_id, classic.value(assignments)))
    host.timers.set((CONVERTED, group_id), now_ms)
    return effects


def begin_classic(host: Host, classic: ClassicGroup, now_ms: int) -> Effects:
    """The classic group that was a consumer group: its members rebalance among themselves."""
    for member in classic.members.values():
        consumer_timers_off(host, classic.group_id, member.member_id)
        classic_join.touch(host, classic, member, now_ms)
    return classic_join.prepare_rebalance(host, classic, now_ms)


def consumer_timers_off(host: Host, group_id: str, member_id: str) -> None:
    for name in MEMBER_TIMERS:
        host.timers.cancel((name, group_id, member_id))


def empty_to_classic(host: Host, group: ConsumerGroup, now_ms: int) -> Effects:
    """Nobody is left in the consumer group; a classic member that joins finds a new classic one."""
    host.groups[group.group_id] = ClassicGroup(group.group_id, state_timestamp_ms=now_ms)
    return Effects(all_gone(group))


def all_gone(group: ConsumerGroup) -> list[CoordinatorRecord]:
    """Tombstones of everything about the group."""
    group_id = group.group_id
    found = [records.no_current(group_id, member_id) for member_id in group.members]
    found += [records.no_target_member(group_id, member_id) for member_id in group.targets]
    found += [records.no_expression(group_id, each) for each in group.regexes]
    found += [records.no_member(group_id, member_id) for member_id in group.members]
    return found + records.group_gone(group_id)


def _as_classic(host: Host, group: ConsumerGroup, staying: list[ConsumerMember], now_ms: int) -> ClassicGroup:
    classic = ClassicGroup(group.group_id, state_timestamp_ms=now_ms, generation_id=group.epoch)
    classic.protocol_type = PROTOCOL_TYPE
    for member in sorted(staying, key=lambda each: each.member_id):
        assert member.classic is not None
        timeout_ms = member.rebalance_timeout_ms
        made = ClassicMember(
            member.member_id,
            member.instance_id,
            member.client_id,
            member.client_host,
            timeout_ms if timeout_ms >= 0 else member.classic.session_timeout_ms,
            member.classic.session_timeout_ms,
            list(member.classic.protocols),
        )
        made.assignment = encode_assignment(host, partitions(member.assigned))
        classic.add(made)
    classic.protocol_name = classic.select_protocol()
    return classic


def encode_assignment(host: Host, assigned: Assignment, version: int = 3) -> bytes:
    topics = []
    for topic_id, indexes in sorted(assigned.items()):
        name = host.view.topic_name(topic_id)
        if name is not None:
            topics.append(AssignedTopic(topic=name, partitions=list(indexes)))
    body = ConsumerProtocolAssignment(assigned_partitions=topics, user_data=None)
    return _VERSION.pack(version) + body.encode(version)
