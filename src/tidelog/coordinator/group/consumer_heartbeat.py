"""ConsumerGroupHeartbeat: joining, staying and leaving. In the steady state it looks up a member and sets a timer."""

from __future__ import annotations

from tidelog.coordinator.contract import CoordinatorRecord, Effects, Token
from tidelog.coordinator.group import consumer_leave, migration
from tidelog.coordinator.group.consumer import ConsumerGroup
from tidelog.coordinator.group.consumer_checks import check_epoch, check_request, check_room, known_member
from tidelog.coordinator.group.consumer_draft import Draft
from tidelog.coordinator.group.consumer_member import (
    LEAVING_STATIC,
    ConsumerMember,
    MemberState,
    owned,
    partitions,
    same_partitions,
)
from tidelog.coordinator.group.consumer_reconcile import Owned
from tidelog.coordinator.group.consumer_steady import SESSION, says_nothing_new, steady
from tidelog.coordinator.group.host import Host
from tidelog.coordinator.group.values import Caller
from tidelog.protocol.errors import ErrorCode, KafkaError
from tidelog.protocol.messages.consumer_group_heartbeat import (
    Assignment,
    ConsumerGroupHeartbeatRequest,
    ConsumerGroupHeartbeatResponse,
    TopicPartitions,
)

REVOKING = "revoking"


def heartbeat(host: Host, token: Token, caller: Caller, request: ConsumerGroupHeartbeatRequest, now_ms: int) -> Effects:
    """Raises KafkaError when the request is refused."""
    found = steady(host, caller, request, now_ms)
    if found is not None:
        return Effects().reply(token, found.response)
    check_request(host, request, caller.api_version)
    if request.member_epoch < 0:
        return consumer_leave.leave(host, token, request, now_ms)
    effects = Effects()
    group = _group(host, request, effects, now_ms)
    claimed = None
    if request.topic_partitions is not None:
        claimed = owned((each.topic_id, each.partitions) for each in request.topic_partitions)
    draft = Draft(host, group, now_ms)
    before, member = _member(host, draft, request, claimed)
    changed = _subscribe(draft, before, member, caller, request)
    draft.bump_if_needed()
    draft.assign_if_due()
    after = draft.reconcile(changed, claimed, _resubscribed(before, changed))
    effects.records += draft.records
    touch(host, group.group_id, after.member_id, now_ms)
    watch_revocation(host, group.group_id, after, now_ms)
    return effects.reply(token, _response(host, group, request, before, after))


def _group(host: Host, request: ConsumerGroupHeartbeatRequest, effects: Effects, now_ms: int) -> ConsumerGroup:
    """The group, made by a first join, or made from a classic one by a first join of the new protocol."""
    group = host.groups.get(request.group_id)
    if isinstance(group, ConsumerGroup):
        return group
    joins = request.member_epoch == 0
    classic = host.classic(request.group_id)
    if classic is not None and joins:
        return migration.upgrade(host, classic, effects, now_ms)
    if group is None and joins:
        return ConsumerGroup(request.group_id)
    raise KafkaError(ErrorCode.GROUP_ID_NOT_FOUND, f"There is no consumer group {request.group_id}; join with epoch 0.")


def _member(
    host: Host, draft: Draft, request: ConsumerGroupHeartbeatRequest, claimed: Owned | None
) -> tuple[ConsumerMember | None, ConsumerMember]:
    """The member as the group knows it (None: a new one), and the value that the request is applied to."""
    group = draft.group
    member_id = request.member_id or host.new_id()
    if request.member_epoch != 0:
        member = known_member(group, member_id, request.instance_id)
        check_epoch(member, request.member_epoch, claimed)
        return member, member
    if request.instance_id is not None:
        return _static_member(host, draft, member_id, request.instance_id)
    known = group.members.get(member_id)
    if known is not None:
        return known, known
    check_room(host, group, member_id)
    return None, ConsumerMember(member_id)


def _static_member(
    host: Host, draft: Draft, member_id: str, instance_id: str
) -> tuple[ConsumerMember | None, ConsumerMember]:
    """An instance id is free once its holder has left, or when that one comes back with the new protocol."""
    holder = draft.group.static_members.get(instance_id)
    if holder is None:
        check_room(host, draft.group, member_id)
        return None, ConsumerMember(member_id, instance_id=instance_id)
    old = draft.group.members[holder]
    if old.epoch != LEAVING_STATIC and not old.uses_classic:
        message = f"The instance id {instance_id} is held by {holder}, which has not left; stop it or wait."
        raise KafkaError(ErrorCode.UNRELEASED_INSTANCE_ID, message)
    new = old._replace(member_id=member_id, epoch=0, previous_epoch=0)
    cancel_timers(host, draft.group.group_id, holder)
    draft.replace_static(old, new)
    return new, new


def _subscribe(
    draft: Draft,
    before: ConsumerMember | None,
    member: ConsumerMember,
    caller: Caller,
    request: ConsumerGroupHeartbeatRequest,
) -> ConsumerMember:
    """Fields that the request leaves out stay as they are."""
    if before is member and says_nothing_new(member, caller, request):
        return member
    names = request.subscribed_topic_names
    expression = request.subscribed_topic_regex
    after = member._replace(
        rack_id=member.rack_id if request.rack_id is None else request.rack_id,
        rebalance_timeout_ms=(
            member.rebalance_timeout_ms if request.rebalance_timeout_ms == -1 else request.rebalance_timeout_ms
        ),
        server_assignor=member.server_assignor if request.server_assignor is None else request.server_assignor,
        topics=member.topics if names is None else tuple(sorted(set(names))),
        regex=member.regex if expression is None else expression,
        client_id=caller.client_id,
        client_host=caller.client_host,
        classic=None,
    )
    if before is None or after != before:
        draft.put(before, after)
    return after


def _resubscribed(before: ConsumerMember | None, after: ConsumerMember) -> bool:
    return before is not None and (before.topics != after.topics or before.regex != after.regex)


def _response(
    host: Host,
    group: ConsumerGroup,
    request: ConsumerGroupHeartbeatRequest,
    before: ConsumerMember | None,
    after: ConsumerMember,
) -> ConsumerGroupHeartbeatResponse:
    """The assignment goes out when it changed, and to a member that told everything about itself."""
    tells_all = request.member_epoch == 0 or (
        request.rebalance_timeout_ms != -1
        and (request.subscribed_topic_names is not None or request.subscribed_topic_regex is not None)
        and request.topic_partitions is not None
    )
    response = ConsumerGroupHeartbeatResponse(
        member_id=after.member_id,
        member_epoch=after.epoch,
        heartbeat_interval_ms=host.settings(group.group_id).heartbeat_interval_ms,
    )
    if tells_all or before is None or not same_partitions(before.assigned, after.assigned):
        response.assignment = Assignment(
            topic_partitions=[
                TopicPartitions(topic_id=topic_id, partitions=list(indexes))
                for topic_id, indexes in sorted(partitions(after.assigned).items())
            ]
        )
    return response


# timers


def touch(host: Host, group_id: str, member_id: str, now_ms: int) -> None:
    host.timers.set((SESSION, group_id, member_id), now_ms + host.settings(group_id).session_timeout_ms)


def watch_revocation(host: Host, group_id: str, member: ConsumerMember, now_ms: int) -> None:
    """A member has its rebalance timeout to give up what it must; others wait for it."""
    key = (REVOKING, group_id, member.member_id)
    if member.state is not MemberState.UNREVOKED_PARTITIONS:
        host.timers.cancel(key)
    elif host.timers.deadline_ms(key) is None:
        host.timers.set(key, now_ms + max(0, member.rebalance_timeout_ms))


def cancel_timers(host: Host, group_id: str, member_id: str) -> None:
    consumer_leave.cancel_timers(host, group_id, member_id)


def loaded(host: Host, group: ConsumerGroup, now_ms: int) -> list[CoordinatorRecord]:
    """A new coordinator: everyone has a full session, and the topics may be other ones."""
    group.is_stale, group.changed_topics = True, None
    for member in group.members.values():
        if member.classic is not None:
            host.timers.set((SESSION, group.group_id, member.member_id), now_ms + member.classic.session_timeout_ms)
        else:
            touch(host, group.group_id, member.member_id, now_ms)
        watch_revocation(host, group.group_id, member, now_ms)
    return []
