"""Members of the classic protocol inside a consumer group: JoinGroup, SyncGroup, Heartbeat and LeaveGroup.

The coordinator assigns; such a member is a follower of nobody. It learns of a new target by REBALANCE_IN_PROGRESS,
tells with its next JoinGroup what it has given up, and gets with SyncGroup what it has now. Its generation is its
member epoch.
"""

from __future__ import annotations

from collections.abc import Mapping

from tidelog.coordinator.contract import Effects, Token
from tidelog.coordinator.group import consumer_leave, migration
from tidelog.coordinator.group.classic_join import KNOWN_MEMBER_ID_FROM
from tidelog.coordinator.group.consumer import PROTOCOL_TYPE, ConsumerGroup
from tidelog.coordinator.group.consumer_checks import check_room, known_member
from tidelog.coordinator.group.consumer_draft import Draft
from tidelog.coordinator.group.consumer_member import ClassicMetadata, ConsumerMember, MemberState, partitions
from tidelog.coordinator.group.host import Host
from tidelog.coordinator.group.values import Caller
from tidelog.protocol.errors import ErrorCode, KafkaError
from tidelog.protocol.group_records.consumer_protocol_subscription import ConsumerProtocolSubscription
from tidelog.protocol.messages.heartbeat import HeartbeatRequest, HeartbeatResponse
from tidelog.protocol.messages.join_group import JoinGroupRequest, JoinGroupResponse
from tidelog.protocol.messages.leave_group import MemberIdentity
from tidelog.protocol.messages.sync_group import SyncGroupRequest, SyncGroupResponse

REJOIN = "rejoin"
SYNC = "sync_consumer"


# JoinGroup


def join(
    host: Host, token: Token, group: ConsumerGroup, caller: Caller, request: JoinGroupRequest, now_ms: int
) -> Effects:
    """Raises KafkaError when the request is refused."""
    _check_session_timeout(host, request)
    check_room(host, group, request.member_id)
    _check_protocols(group, request)
    if not request.member_id and request.group_instance_id is None and caller.api_version >= KNOWN_MEMBER_ID_FROM:
        response = JoinGroupResponse(
            error_code=ErrorCode.MEMBER_ID_REQUIRED, member_id=host.new_id(), protocol_name=None
        )
        return Effects().reply(token, response)
    draft = Draft(host, group, now_ms)
    subscription = migration.read_subscription(request.protocols[0].metadata)
    before, member, replaced = _member(host, draft, request)
    joined = _joined(member, caller, request, subscription)
    if before is None or joined != before:
        draft.put(before, joined)
    draft.bump_if_needed()
    draft.assign_if_due()
    changed = before is not None and before.topics != joined.topics
    after = draft.reconcile(joined, _owned(host, subscription), changed)
    effects = Effects(draft.records)
    if replaced is not None and migration.can_downgrade(host, group, {replaced}, joining=after):
        effects = migration.downgrade(host, group, {replaced}, now_ms, joining=after)
    group_id = group.group_id
    host.timers.cancel((REJOIN, group_id, after.member_id))
    host.timers.set(("session", group_id, after.member_id), now_ms + request.session_timeout_ms)
    host.timers.set((SYNC, group_id, after.member_id), now_ms + max(0, after.rebalance_timeout_ms))
    response = JoinGroupResponse(
        member_id=after.member_id,
        generation_id=after.epoch,
        protocol_type=PROTOCOL_TYPE,
        protocol_name=request.protocols[0].name,
    )
    return effects.reply(token, response)


def _check_session_timeout(host: Host, request: JoinGroupRequest) -> None:
    config = host.config
    if not config.group_min_session_timeout_ms <= request.session_timeout_ms <= config.group_max_session_timeout_ms:
        raise KafkaError(ErrorCode.INVALID_SESSION_TIMEOUT)


def _check_protocols(group: ConsumerGroup, request: JoinGroupRequest) -> None:
    """One of its protocols must be one that all members of the classic protocol have."""
    names = {each.name for each in request.protocols}
    others = group.classic_count
    known = group.members.get(request.member_id)
    counts: Mapping[str, int] = group.classic_protocols
    if known is not None and known.classic is not None:
        others -= 1
        own = {name for name, _ in known.classic.protocols}
        counts = {name: count - (name in own) for name, count in counts.items()}
    fits = others == 0 or any(counts.get(name, 0) == others for name in names)
    if request.protocol_type != PROTOCOL_TYPE or not names or not fits:
        raise KafkaError(ErrorCode.INCONSISTENT_GROUP_PROTOCOL)


def _member(
    host: Host, draft: Draft, request: JoinGroupRequest
) -> tuple[ConsumerMember | None, ConsumerMember, str | None]:
    """The member as it was, the value that the join is applied to, and the id of a static member that it replaces."""
    group = draft.group
    instance_id = request.group_instance_id
    if request.member_id and instance_id is not None:
        member = known_member(group, request.member_id, instance_id)
        return member, member, None
    if instance_id is None:
        member_id = request.member_id or host.new_id()
        known = group.members.get(member_id)
        return known, known or ConsumerMember(member_id), None
    member_id = host.new_id()
    holder = group.static_members.get(instance_id)
    if holder is None:
        return None, ConsumerMember(member_id, instance_id=instance_id), None
    old = group.members[holder]
    new = old._replace(member_id=member_id, epoch=0, previous_epoch=0)
    consumer_leave.cancel_timers(host, group.group_id, holder)
    draft.replace_static(old, new)
    return new, new, holder


def _joined(
    member: ConsumerMember, caller: Caller, request: JoinGroupRequest, subscription: ConsumerProtocolSubscription
) -> ConsumerMember:
    timeout_ms = request.rebalance_timeout_ms if request.rebalance_timeout_ms >= 0 else request.session_timeout_ms
    return member._replace(
        rack_id=subscription.rack_id if subscription.rack_id is not None else member.rack_id,
        rebalance_timeout_ms=timeout_ms,
        server_assignor=None,
        topics=tuple(sorted(set(subscription.topics))),
        regex="",
        client_id=caller.client_id,
        client_host=caller.client_host,
        classic=ClassicMetadata(
            request.session_timeout_ms, tuple((each.name, each.metadata) for each in request.protocols)
        ),
    )


def _owned(host: Host, subscription: ConsumerProtocolSubscription) -> dict[bytes, set[int]]:
    """Old subscriptions do not tell what a member owns; such a member gives up everything before it joins."""
    found: dict[bytes, set[int]] = {}
    for each in subscription.owned_partitions:
        topic = host.view.topic(each.topic)
        if topic is not None:
            found.setdefault(topic.id, set()).update(each.partitions)
    return found


# SyncGroup and Heartbeat


def sync(host: Host, token: Token, group: ConsumerGroup, request: SyncGroupRequest, now_ms: int) -> Effects:
    member = _classic_member(group, request.member_id, request.group_instance_id, request.generation_id)
    assert member.classic is not None
    names = [name for name, _ in member.classic.protocols]
    wrong_type = request.protocol_type not in (None, PROTOCOL_TYPE)
    if wrong_type or request.protocol_name not in (None, names[0]):
        raise KafkaError(ErrorCode.INCONSISTENT_GROUP_PROTOCOL)
    if group.assignment_epoch > member.epoch and member.state is not MemberState.UNREVOKED_PARTITIONS:
        _expect_rejoin(host, group, member, now_ms)
        raise KafkaError(ErrorCode.REBALANCE_IN_PROGRESS)
    host.timers.cancel((SYNC, group.group_id, member.member_id))
    _touch(host, group, member, now_ms)
    response = SyncGroupResponse(
        protocol_type=request.protocol_type,
        protocol_name=request.protocol_name,
        assignment=migration.encode_assignment(host, partitions(member.assigned), _version_of(member)),
    )
    return Effects().reply(token, response)


def _version_of(member: ConsumerMember) -> int:
    """Assignments go out in the version in which the member wrote its subscription."""
    assert member.classic is not None
    data = member.classic.protocols[0][1]
    return min(3, max(0, int.from_bytes(data[:2], "big", signed=True)))


def heartbeat(host: Host, token: Token, group: ConsumerGroup, request: HeartbeatRequest, now_ms: int) -> Effects:
    member = _classic_member(group, request.member_id, request.group_instance_id, request.generation_id)
    _touch(host, group, member, now_ms)
    behind = member.epoch < group.assignment_epoch or member.state is MemberState.UNREVOKED_PARTITIONS
    if not behind and member.state is MemberState.UNRELEASED_PARTITIONS:
        behind = _something_is_free(group, member)
    if behind:
        _expect_rejoin(host, group, member, now_ms)
    code = ErrorCode.REBALANCE_IN_PROGRESS if behind else ErrorCode.NONE
    return Effects().reply(token, HeartbeatResponse(error_code=code))


def _something_is_free(group: ConsumerGroup, member: ConsumerMember) -> bool:
    """Whether everything that the member waits for was given up by the others."""
    for topic_id, indexes in group.target_of(member.member_id).items():
        held = member.assigned.get(topic_id, {})
        if any(index not in held and group.holder_epoch(topic_id, index) != -1 for index in indexes):
            return False
    return True


def _classic_member(group: ConsumerGroup, member_id: str, instance_id: str | None, generation: int) -> ConsumerMember:
    member = known_member(group, member_id, instance_id)
    if not member.uses_classic:
        raise KafkaError(ErrorCode.UNKNOWN_MEMBER_ID)
    if member.epoch != generation:
        raise KafkaError(ErrorCode.ILLEGAL_GENERATION)
    return member


def _touch(host: Host, group: ConsumerGroup, member: ConsumerMember, now_ms: int) -> None:
    assert member.classic is not None
    host.timers.set(("session", group.group_id, member.member_id), now_ms + member.classic.session_timeout_ms)


def _expect_rejoin(host: Host, group: ConsumerGroup, member: ConsumerMember, now_ms: int) -> None:
    key = (REJOIN, group.group_id, member.member_id)
    if host.timers.deadline_ms(key) is None:
        host.timers.set(key, now_ms + max(0, member.rebalance_timeout_ms))


# LeaveGroup


def leave(
    host: Host, group: ConsumerGroup, leaving: list[MemberIdentity], now_ms: int
) -> tuple[Effects, list[ErrorCode]]:
    """Also of members of the new protocol: an administrator removes members this way."""
    gone: list[ConsumerMember] = []
    codes = []
    for each in leaving:
        try:
            gone.append(_leaving(group, each))
            codes.append(ErrorCode.NONE)
        except KafkaError as error:
            codes.append(error.code)
    unique = list({member.member_id: member for member in gone}.values())
    return (consumer_leave.remove(host, group, unique, now_ms) if unique else Effects()), codes


def _leaving(group: ConsumerGroup, identity: MemberIdentity) -> ConsumerMember:
    if identity.group_instance_id is None:
        return known_member(group, identity.member_id, None)
    holder = group.static_members.get(identity.group_instance_id)
    if holder is None:
        raise KafkaError(ErrorCode.UNKNOWN_MEMBER_ID)
    return known_member(group, identity.member_id or holder, identity.group_instance_id)
