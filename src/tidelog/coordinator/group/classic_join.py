"""JoinGroup of the classic protocol: who may join, and when a rebalance begins and its join phase ends."""

from __future__ import annotations

from tidelog.coordinator.contract import Effects, Token
from tidelog.coordinator.group.classic import ClassicGroup, ClassicMember, ClassicState, Protocols
from tidelog.coordinator.group.host import Host
from tidelog.coordinator.group.records import group_record
from tidelog.coordinator.group.values import Caller
from tidelog.protocol.errors import ErrorCode
from tidelog.protocol.messages.join_group import JoinGroupRequest, JoinGroupResponse
from tidelog.protocol.messages.sync_group import SyncGroupResponse

KNOWN_MEMBER_ID_FROM = 4
SKIP_ASSIGNMENT_FROM = 9


def join_group(host: Host, token: Token, caller: Caller, request: JoinGroupRequest, now_ms: int) -> Effects:
    error = _refusal(host, request)
    if error is not None:
        return refuse(token, error, request.member_id)
    group = host.classic(request.group_id)
    if group is None:
        if request.group_id in host.groups:
            return refuse(token, ErrorCode.INCONSISTENT_GROUP_PROTOCOL, request.member_id)
        if request.member_id:
            return refuse(token, ErrorCode.UNKNOWN_MEMBER_ID, request.member_id)
        group = host.groups[request.group_id] = ClassicGroup(request.group_id, state_timestamp_ms=now_ms)
    protocols = [(protocol.name, protocol.metadata) for protocol in request.protocols]
    if not group.supports(request.protocol_type, protocols):
        return refuse(token, ErrorCode.INCONSISTENT_GROUP_PROTOCOL, request.member_id)
    if not _has_room(host, group, request.member_id):
        return refuse(token, ErrorCode.GROUP_MAX_SIZE_REACHED, request.member_id)
    if request.member_id:
        return _join_known(host, group, token, caller, request, protocols, now_ms)
    if request.group_instance_id is not None:
        return _join_new_static(host, group, token, caller, request, protocols, now_ms)
    return _join_new_dynamic(host, group, token, caller, request, protocols, now_ms)


def _refusal(host: Host, request: JoinGroupRequest) -> ErrorCode | None:
    config = host.config
    if not request.group_id:
        return ErrorCode.INVALID_GROUP_ID
    if not config.group_min_session_timeout_ms <= request.session_timeout_ms <= config.group_max_session_timeout_ms:
        return ErrorCode.INVALID_SESSION_TIMEOUT
    if not request.protocol_type or not request.protocols:
        return ErrorCode.INCONSISTENT_GROUP_PROTOCOL
    return None


def refuse(token: Token, error: ErrorCode, member_id: str = "") -> Effects:
    return Effects().reply(token, JoinGroupResponse(error_code=error, member_id=member_id, protocol_name=None))


def _has_room(host: Host, group: ClassicGroup, member_id: str) -> bool:
    if member_id in group.members:
        return True
    pending = len(group.pending_members) - (member_id in group.pending_members)
    return len(group.members) + pending < host.config.group_max_size


def _join_new_dynamic(
    host: Host,
    group: ClassicGroup,
    token: Token,
    caller: Caller,
    request: JoinGroupRequest,
    protocols: Protocols,
    now_ms: int,
) -> Effects:
    """From version 4 on the id is handed out first, so that a client that gives up leaves no ghost member behind."""
    member_id = f"{caller.client_id}-{host.new_id()}"
    if caller.api_version >= KNOWN_MEMBER_ID_FROM:
        group.pending_members.add(member_id)
        host.timers.set(("member", group.group_id, member_id), now_ms + request.session_timeout_ms)
        return refuse(token, ErrorCode.MEMBER_ID_REQUIRED, member_id)
    return _add_member(host, group, token, caller, request, protocols, member_id, now_ms)


def _join_new_static(
    host: Host,
    group: ClassicGroup,
    token: Token,
    caller: Caller,
    request: JoinGroupRequest,
    protocols: Protocols,
    now_ms: int,
) -> Effects:
    """A static member that comes back takes the place of its former self, without a rebalance if nothing changed."""
    assert request.group_instance_id is not None
    member_id = f"{request.group_instance_id}-{host.new_id()}"
    old_id = group.static_members.get(request.group_instance_id)
    if old_id is None:
        return _add_member(host, group, token, caller, request, protocols, member_id, now_ms)
    effects = _fence(host, group, old_id)
    leader_before = group.leader_id or ""
    member = group.replace_static(old_id, member_id)
    _update(group, member, caller, request, protocols)
    if group.state is ClassicState.STABLE and group.select_protocol() == group.protocol_name:
        touch(host, group, member, now_ms)
        return effects.extend(_keep_static(group, token, member, leader_before, caller.api_version))
    group.wait_in_join(member, token)
    _touch_joining(host, group, member, now_ms)
    return effects.extend(_rebalance_or_complete(host, group, now_ms))


def _keep_static(
    group: ClassicGroup, token: Token, member: ClassicMember, leader_before: str, api_version: int
) -> Effects:
    """The group stays as it is: the log learns the new member id, the member learns the running generation.

    A leader must not assign anew. From version 9 on it is told so; an older one is told that its former self leads.
    """
    response = _generation(group, member.member_id)
    if group.leader_id == member.member_id and api_version >= SKIP_ASSIGNMENT_FROM:
        response.members, response.skip_assignment = group.roster(), True
    elif group.leader_id == member.member_id:
        response.leader = leader_before
    assignments = {one.member_id: one.assignment for one in group.members.values()}
    return Effects([group_record(group.group_id, group.value(assignments))]).reply(token, response)


def _fence(host: Host, group: ClassicGroup, old_id: str) -> Effects:
    """The former holder of the instance id, if it still waits for an answer, learns that it was replaced."""
    member = group.members[old_id]
    host.timers.cancel(("member", group.group_id, old_id))
    effects = Effects()
    error = ErrorCode.FENCED_INSTANCE_ID
    if member.joining is not None:
        effects.extend(refuse(member.joining, error, old_id))
    if member.syncing is not None:
        effects.reply(member.syncing, SyncGroupResponse(error_code=error))
    group.end_join(member)
    member.syncing = None
    return effects


def _join_known(
    host: Host,
    group: ClassicGroup,
    token: Token,
    caller: Caller,
    request: JoinGroupRequest,
    protocols: Protocols,
    now_ms: int,
) -> Effects:
    if request.member_id in group.pending_members and request.group_instance_id is None:
        return _add_member(host, group, token, caller, request, protocols, request.member_id, now_ms)
    error = check_member(group, request.member_id, request.group_instance_id)
    if error is not None:
        return refuse(token, error, request.member_id)
    member = group.members[request.member_id]
    if member.protocols == protocols and _may_stay(group, member):
        response = _generation(group, member.member_id)
        if group.leader_id == member.member_id:
            response.members = group.roster()
        touch(host, group, member, now_ms)
        return Effects().reply(token, response)
    earlier = member.joining
    _update(group, member, caller, request, protocols)
    group.wait_in_join(member, token)
    _touch_joining(host, group, member, now_ms)
    effects = _rebalance_or_complete(host, group, now_ms)
    if earlier is None:
        return effects
    return refuse(earlier, ErrorCode.UNKNOWN_MEMBER_ID, member.member_id).extend(effects)


def _may_stay(group: ClassicGroup, member: ClassicMember) -> bool:
    """Who changes nothing gets the running generation again; the leader of a stable group asks for a new one."""
    state = group.state
    if state is ClassicState.STABLE:
        return group.leader_id != member.member_id
    return state is ClassicState.COMPLETING_REBALANCE


def check_member(group: ClassicGroup, member_id: str, group_instance_id: str | None) -> ErrorCode | None:
    """Whether this member, under this instance id, is one of the group."""
    if group_instance_id is not None:
        holder = group.static_members.get(group_instance_id)
        if holder is None:
            return ErrorCode.UNKNOWN_MEMBER_ID
        if holder != member_id:
            return ErrorCode.FENCED_INSTANCE_ID
    return None if member_id in group.members else ErrorCode.UNKNOWN_MEMBER_ID


def _update(
    group: ClassicGroup, member: ClassicMember, caller: Caller, request: JoinGroupRequest, protocols: Protocols
) -> None:
    group.change_protocols(member, protocols)
    member.rebalance_timeout_ms = _rebalance_timeout_ms(request)
    member.session_timeout_ms = request.session_timeout_ms
    member.client_id, member.client_host = caller.client_id, caller.client_host


def _rebalance_timeout_ms(request: JoinGroupRequest) -> int:
    return request.rebalance_timeout_ms if request.rebalance_timeout_ms >= 0 else request.session_timeout_ms


def _add_member(
    host: Host,
    group: ClassicGroup,
    token: Token,
    caller: Caller,
    request: JoinGroupRequest,
    protocols: Protocols,
    member_id: str,
    now_ms: int,
) -> Effects:
    member = ClassicMember(
        member_id,
        request.group_instance_id,
        caller.client_id,
        caller.client_host,
        _rebalance_timeout_ms(request),
        request.session_timeout_ms,
        protocols,
        joining=token,
    )
    if not group.members:
        group.protocol_type = request.protocol_type
    if group.state is ClassicState.PREPARING_REBALANCE and group.group_id in host.delays:
        group.new_member_added = True
    group.add(member)
    _touch_joining(host, group, member, now_ms)
    return _rebalance_or_complete(host, group, now_ms)


def touch(host: Host, group: ClassicGroup, member: ClassicMember, now_ms: int) -> None:
    """The member was heard of; it has another session timeout."""
    host.timers.set(("member", group.group_id, member.member_id), now_ms + member.session_timeout_ms)


def _touch_joining(host: Host, group: ClassicGroup, member: ClassicMember, now_ms: int) -> None:
    """While it waits in a join it cannot send heartbeats, so only a much longer time counts against it."""
    deadline_ms = now_ms + max(member.session_timeout_ms, host.config.new_member_join_timeout_ms)
    host.timers.set(("member", group.group_id, member.member_id), deadline_ms)


def _rebalance_or_complete(host: Host, group: ClassicGroup, now_ms: int) -> Effects:
    if group.state is not ClassicState.PREPARING_REBALANCE:
        return prepare_rebalance(host, group, now_ms)
    return complete_if_all_joined(host, group, now_ms)


def complete_if_all_joined(host: Host, group: ClassicGroup, now_ms: int) -> Effects:
    """A group that was empty waits out its delay even when all have joined: more members are about to come."""
    was_empty = group.group_id in host.delays
    return complete_join(host, group, now_ms) if group.all_joined() and not was_empty else Effects()


def prepare_rebalance(host: Host, group: ClassicGroup, now_ms: int) -> Effects:
    effects = Effects()
    if group.state is ClassicState.COMPLETING_REBALANCE:
        effects.extend(drop_syncing(host, group, ErrorCode.REBALANCE_IN_PROGRESS))
    was_empty = group.state is ClassicState.EMPTY
    group.move(ClassicState.PREPARING_REBALANCE, now_ms)
    delay_ms = host.config.group_initial_rebalance_delay_ms
    if was_empty and delay_ms > 0:
        group.new_member_added = False
        host.delays[group.group_id] = now_ms + group.rebalance_timeout_ms
        host.timers.set(("join", group.group_id), now_ms + delay_ms)
        return effects
    if group.all_joined():
        return effects.extend(complete_join(host, group, now_ms))
    host.timers.set(("join", group.group_id), now_ms + group.rebalance_timeout_ms)
    return effects


def drop_syncing(host: Host, group: ClassicGroup, error: ErrorCode) -> Effects:
    """Everyone who waits for an assignment of this generation learns that there will be none."""
    effects = Effects()
    for member in group.members.values():
        member.assignment = b""
        if member.syncing is not None:
            effects.reply(member.syncing, SyncGroupResponse(error_code=error))
            member.syncing = None
    group.pending_sync.clear()
    host.timers.cancel(("sync", group.group_id))
    return effects


def join_deadline(host: Host, group: ClassicGroup, now_ms: int) -> Effects:
    """The delay of a group that was empty is prolonged while members keep coming, up to the rebalance timeout."""
    if group.state is not ClassicState.PREPARING_REBALANCE:
        return Effects()
    until_ms = host.delays.get(group.group_id)
    if until_ms is not None and group.new_member_added and now_ms < until_ms:
        group.new_member_added = False
        delay_ms = min(host.config.group_initial_rebalance_delay_ms, until_ms - now_ms)
        host.timers.set(("join", group.group_id), now_ms + delay_ms)
        return Effects()
    return complete_join(host, group, now_ms)


def complete_join(host: Host, group: ClassicGroup, now_ms: int) -> Effects:
    """Ends the join phase: whoever did not join is out, unless it is static and may still be back in time."""
    host.timers.cancel(("join", group.group_id))
    host.delays.pop(group.group_id, None)
    for member in [one for one in group.members.values() if one.joining is None and one.group_instance_id is None]:
        group.remove(member.member_id)
        host.timers.cancel(("member", group.group_id, member.member_id))
    for member_id in list(group.pending_members):
        group.pending_members.discard(member_id)
        host.timers.cancel(("member", group.group_id, member_id))
    if group.members and not group.elect_joined_leader():
        host.timers.set(("join", group.group_id), now_ms + group.rebalance_timeout_ms)
        return Effects()
    group.generation_id += 1
    if not group.members:
        return _empty(group, now_ms)
    return _begin_generation(host, group, now_ms)


def _empty(group: ClassicGroup, now_ms: int) -> Effects:
    group.protocol_name = None
    group.leader_id = None
    group.move(ClassicState.EMPTY, now_ms)
    return Effects([group_record(group.group_id, group.value({}))])


def _begin_generation(host: Host, group: ClassicGroup, now_ms: int) -> Effects:
    group.protocol_name = group.select_protocol()
    group.move(ClassicState.COMPLETING_REBALANCE, now_ms)
    effects = Effects()
    for member in group.members.values():
        if member.joining is not None:
            response = _generation(group, member.member_id)
            if member.member_id == group.leader_id:
                response.members = group.roster()
            effects.reply(member.joining, response)
        group.end_join(member)
        touch(host, group, member, now_ms)
    group.pending_sync = set(group.members)
    host.timers.set(("sync", group.group_id), now_ms + group.rebalance_timeout_ms)
    return effects


def _generation(group: ClassicGroup, member_id: str) -> JoinGroupResponse:
    return JoinGroupResponse(
        generation_id=group.generation_id,
        protocol_type=group.protocol_type,
        protocol_name=group.protocol_name,
        leader=group.leader_id or "",
        member_id=member_id,
    )
