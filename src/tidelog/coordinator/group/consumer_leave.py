"""How members of a consumer group go: they leave, for good or for a while, fall silent, or give nothing up."""

from __future__ import annotations

from tidelog.coordinator.contract import Effects, Token
from tidelog.coordinator.group import consumer_records as records
from tidelog.coordinator.group import migration
from tidelog.coordinator.group.consumer import ConsumerGroup
from tidelog.coordinator.group.consumer_checks import known_member
from tidelog.coordinator.group.consumer_draft import Draft
from tidelog.coordinator.group.consumer_member import LEAVING_STATIC, NOTHING, ConsumerMember, MemberState
from tidelog.coordinator.group.host import Host
from tidelog.protocol.errors import ErrorCode, KafkaError
from tidelog.protocol.messages.consumer_group_heartbeat import (
    ConsumerGroupHeartbeatRequest,
    ConsumerGroupHeartbeatResponse,
)

TIMERS = migration.MEMBER_TIMERS


def leave(host: Host, token: Token, request: ConsumerGroupHeartbeatRequest, now_ms: int) -> Effects:
    group = host.consumer(request.group_id)
    if group is None:
        raise KafkaError(ErrorCode.GROUP_ID_NOT_FOUND, f"There is no consumer group {request.group_id}.")
    member = known_member(group, request.member_id, request.instance_id)
    if request.member_epoch == LEAVING_STATIC:
        effects = _leave_for_a_while(group, member)
    else:
        effects = remove(host, group, [member], now_ms)
    response = ConsumerGroupHeartbeatResponse(member_id=member.member_id, member_epoch=request.member_epoch)
    return effects.reply(token, response)


def _leave_for_a_while(group: ConsumerGroup, member: ConsumerMember) -> Effects:
    """Its partitions stay reserved until it is back under the same instance id, or its session runs out."""
    away = member._replace(
        epoch=LEAVING_STATIC,
        previous_epoch=member.epoch if member.epoch >= 0 else member.previous_epoch,
        state=MemberState.STABLE if member.state is MemberState.UNREVOKED_PARTITIONS else member.state,
        revoking=NOTHING,
    )
    return Effects([records.current_record(group.group_id, away)])


def remove(host: Host, group: ConsumerGroup, members: list[ConsumerMember], now_ms: int) -> Effects:
    """Takes members out. When only members of the classic protocol are left, the group becomes a classic one."""
    gone = {member.member_id for member in members}
    for member_id in gone:
        cancel_timers(host, group.group_id, member_id)
    if migration.can_downgrade(host, group, gone):
        return migration.downgrade(host, group, gone, now_ms)
    draft = Draft(host, group, now_ms)
    for member in members:
        draft.remove(member)
    draft.bump_if_needed()
    return Effects(draft.records)


def cancel_timers(host: Host, group_id: str, member_id: str) -> None:
    migration.consumer_timers_off(host, group_id, member_id)


def deadline(host: Host, group: ConsumerGroup, member_id: str, now_ms: int) -> Effects:
    """A session or a time to rebalance ran out."""
    member = group.members.get(member_id)
    return Effects() if member is None else remove(host, group, [member], now_ms)


def gone_records(group: ConsumerGroup) -> Effects:
    return Effects(migration.all_gone(group))
