"""SyncGroup, Heartbeat and LeaveGroup of the classic protocol, and members that were not heard of in time."""

from __future__ import annotations

from tidelog.coordinator.contract import Effects, Token
from tidelog.coordinator.group.classic import ClassicGroup, ClassicMember, ClassicState
from tidelog.coordinator.group.classic_join import (
    check_member,
    complete_if_all_joined,
    drop_syncing,
    prepare_rebalance,
    refuse,
    touch,
)
from tidelog.coordinator.group.host import Host
from tidelog.coordinator.group.records import group_record
from tidelog.protocol.errors import ErrorCode
from tidelog.protocol.messages.heartbeat import HeartbeatRequest, HeartbeatResponse
from tidelog.protocol.messages.leave_group import LeaveGroupResponse, MemberIdentity, MemberResponse
from tidelog.protocol.messages.sync_group import SyncGroupRequest, SyncGroupResponse


def sync_group(host: Host, token: Token, request: SyncGroupRequest, now_ms: int) -> Effects:
    group = host.classic(request.group_id)
    error = ErrorCode.UNKNOWN_MEMBER_ID if group is None else _sync_refusal(group, request)
    if group is None or error is not None:
        return Effects().reply(token, SyncGroupResponse(error_code=error or ErrorCode.NONE))
    member = group.members[request.member_id]
    if group.state is ClassicState.STABLE:
        touch(host, group, member, now_ms)
        return Effects().reply(token, _assigned(group, member))
    effects = Effects()
    if member.syncing is not None:
        effects.reply(member.syncing, SyncGroupResponse(error_code=ErrorCode.UNKNOWN_MEMBER_ID))
    member.syncing = token
    group.pending_sync.discard(member.member_id)
    if member.member_id == group.leader_id:
        given = {assignment.member_id: assignment.assignment for assignment in request.assignments}
        effects.extend(_assign(host, group, given, now_ms))
    return effects


def _sync_refusal(group: ClassicGroup, request: SyncGroupRequest) -> ErrorCode | None:
    error = check_member(group, request.member_id, request.group_instance_id)
    if error is not None:
        return error
    if request.generation_id != group.generation_id:
        return ErrorCode.ILLEGAL_GENERATION
    if request.protocol_type is not None and request.protocol_type != group.protocol_type:
        return ErrorCode.INCONSISTENT_GROUP_PROTOCOL
    if request.protocol_name is not None and request.protocol_name != group.protocol_name:
        return ErrorCode.INCONSISTENT_GROUP_PROTOCOL
    return ErrorCode.REBALANCE_IN_PROGRESS if group.state is ClassicState.PREPARING_REBALANCE else None


def _assign(host: Host, group: ClassicGroup, given: dict[str, bytes], now_ms: int) -> Effects:
    """The leader has spoken: the assignment goes to the log, and with it to everyone who waits and who comes later."""
    group.move(ClassicState.STABLE, now_ms)
    host.timers.cancel(("sync", group.group_id))
    generation_id = group.generation_id
    effects = Effects(not_written=lambda now_ms: _not_written(host, group, generation_id, now_ms))
    for member in group.members.values():
        member.assignment = given.get(member.member_id, b"")
    effects.records.append(group_record(group.group_id, group.value(given)))
    for member in group.members.values():
        if member.syncing is not None:
            effects.reply(member.syncing, _assigned(group, member))
            member.syncing = None
            touch(host, group, member, now_ms)
    return effects


def _not_written(host: Host, group: ClassicGroup, generation_id: int, now_ms: int) -> Effects:
    """An assignment that is not in the log is no assignment: the members have to find another one."""
    if group.state is not ClassicState.STABLE or group.generation_id != generation_id:
        return Effects()
    for member in group.members.values():
        member.assignment = b""
    return prepare_rebalance(host, group, now_ms)


def _assigned(group: ClassicGroup, member: ClassicMember) -> SyncGroupResponse:
    return SyncGroupResponse(
        protocol_type=group.protocol_type, protocol_name=group.protocol_name, assignment=member.assignment
    )


def heartbeat(host: Host, token: Token, request: HeartbeatRequest, now_ms: int) -> Effects:
    group = host.classic(request.group_id)
    error = ErrorCode.UNKNOWN_MEMBER_ID if group is None else _heartbeat_refusal(group, request)
    if group is None or error is not None:
        return Effects().reply(token, HeartbeatResponse(error_code=error or ErrorCode.NONE))
    touch(host, group, group.members[request.member_id], now_ms)
    preparing = group.state is ClassicState.PREPARING_REBALANCE
    code = ErrorCode.REBALANCE_IN_PROGRESS if preparing else ErrorCode.NONE
    return Effects().reply(token, HeartbeatResponse(error_code=code))


def _heartbeat_refusal(group: ClassicGroup, request: HeartbeatRequest) -> ErrorCode | None:
    error = check_member(group, request.member_id, request.group_instance_id)
    if error is not None:
        return error
    return ErrorCode.ILLEGAL_GENERATION if request.generation_id != group.generation_id else None


def leave_group(
    host: Host, token: Token, group_id: str, leaving: list[MemberIdentity], api_version: int, now_ms: int
) -> Effects:
    group = host.classic(group_id)
    if group is None:
        codes = [ErrorCode.UNKNOWN_MEMBER_ID for _ in leaving]
    else:
        codes = [_leave(host, group, member) for member in leaving]
    effects = Effects()
    if group is not None and ErrorCode.NONE in codes:
        effects.extend(after_removal(host, group, now_ms))
    return effects.reply(token, left(leaving, codes, api_version))


def left(leaving: list[MemberIdentity], codes: list[ErrorCode], api_version: int) -> LeaveGroupResponse:
    """Before version 3 a request names one member, whose error is the error of the whole."""
    if api_version < 3:
        return LeaveGroupResponse(error_code=codes[0])
    members = [
        MemberResponse(member_id=member.member_id, group_instance_id=member.group_instance_id, error_code=code)
        for member, code in zip(leaving, codes, strict=True)
    ]
    return LeaveGroupResponse(members=members)


def _leave(host: Host, group: ClassicGroup, leaving: MemberIdentity) -> ErrorCode:
    member_id = leaving.member_id
    if leaving.group_instance_id is not None:
        holder = group.static_members.get(leaving.group_instance_id)
        if holder is None:
            return ErrorCode.UNKNOWN_MEMBER_ID
        if member_id and holder != member_id:
            return ErrorCode.FENCED_INSTANCE_ID
        member_id = holder
    if member_id in group.pending_members:
        group.pending_members.discard(member_id)
    elif group.remove(member_id) is None:
        return ErrorCode.UNKNOWN_MEMBER_ID
    host.timers.cancel(("member", group.group_id, member_id))
    return ErrorCode.NONE


def after_removal(host: Host, group: ClassicGroup, now_ms: int) -> Effects:
    """What the absence of a member sets off."""
    if group.state in (ClassicState.STABLE, ClassicState.COMPLETING_REBALANCE):
        return prepare_rebalance(host, group, now_ms)
    if group.state is ClassicState.PREPARING_REBALANCE:
        return complete_if_all_joined(host, group, now_ms)
    return Effects()


def member_deadline(host: Host, group: ClassicGroup, member_id: str, now_ms: int) -> Effects:
    """The session ran out. Whoever waits in a join or sync gets its answer late, not never."""
    if member_id in group.pending_members:
        group.pending_members.discard(member_id)
        return complete_if_all_joined(host, group, now_ms)
    member = group.remove(member_id)
    if member is None:
        return Effects()
    effects = Effects()
    if member.joining is not None:
        effects.extend(refuse(member.joining, ErrorCode.UNKNOWN_MEMBER_ID))
    if member.syncing is not None:
        effects.reply(member.syncing, SyncGroupResponse(error_code=ErrorCode.UNKNOWN_MEMBER_ID))
    return effects.extend(after_removal(host, group, now_ms))


def sync_deadline(host: Host, group: ClassicGroup, now_ms: int) -> Effects:
    """Members that joined but never asked for their assignment are out; the rest rebalance without them."""
    if group.state is not ClassicState.COMPLETING_REBALANCE or not group.pending_sync:
        return Effects()
    for member_id in list(group.pending_sync):
        group.remove(member_id)
        host.timers.cancel(("member", group.group_id, member_id))
    return prepare_rebalance(host, group, now_ms)


def everyone_out(host: Host, group: ClassicGroup, error: ErrorCode) -> Effects:
    """The coordinator moves away: whoever waits is told to look for the new one."""
    effects = drop_syncing(host, group, error)
    for member in group.members.values():
        if member.joining is not None:
            effects.extend(refuse(member.joining, error, member.member_id))
            group.end_join(member)
    return effects
