"""Nearly all heartbeats: a member that is where it should be says that it lives, and nothing new."""

from __future__ import annotations

from tidelog.coordinator.group.consumer import ConsumerGroup
from tidelog.coordinator.group.consumer_draft import is_assignment_due
from tidelog.coordinator.group.consumer_member import ConsumerMember
from tidelog.coordinator.group.host import Host
from tidelog.coordinator.group.values import Caller, ConsumerSettings
from tidelog.protocol.messages.consumer_group_heartbeat import (
    ConsumerGroupHeartbeatRequest,
    ConsumerGroupHeartbeatResponse,
)

SESSION = "session"


class Steady:
    """A heartbeat that changes nothing, and the state in which that is so: while it lasts, so does the answer."""

    __slots__ = ("_group", "_member", "_settings", "_timer", "response")

    def __init__(self, group: ConsumerGroup, member: ConsumerMember, settings: ConsumerSettings) -> None:
        self._group = group
        self._member = member
        self._settings = settings
        self._timer = (SESSION, group.group_id, member.member_id)
        self.response = ConsumerGroupHeartbeatResponse(
            member_id=member.member_id, member_epoch=member.epoch, heartbeat_interval_ms=settings.heartbeat_interval_ms
        )

    def again(self, host: Host, now_ms: int) -> bool:
        """The same heartbeat has come once more. Whether it still changes nothing; the member lives if so.

        A member is a value: it is the same one as long as no record was written about it.
        """
        group, member = self._group, self._member
        group_id = group.group_id
        if (
            host.groups.get(group_id) is not group
            or group.members.get(member.member_id) is not member
            or group.assignment_epoch != member.epoch
            or group.is_stale
        ):
            return False
        settings = host.settings(group_id)
        if settings != self._settings or (
            group.epoch != member.epoch
            and is_assignment_due(group, group.epoch, settings.assignment_interval_ms, now_ms)
        ):
            return False
        host.timers.set(self._timer, now_ms + settings.session_timeout_ms)
        return True


def steady(host: Host, caller: Caller, request: ConsumerGroupHeartbeatRequest, now_ms: int) -> Steady | None:
    """What the member owns does not matter: one that has reached its target has nothing to give up."""
    group = host.consumer(request.group_id)
    if group is None:
        return None
    member = group.members.get(request.member_id)
    if (
        member is None
        or request.member_epoch <= 0
        or request.member_epoch != member.epoch
        or not member.is_reconciled_to(group.assignment_epoch)
        or not says_nothing_new(member, caller, request)
    ):
        return None
    found = Steady(group, member, host.settings(group.group_id))
    return found if found.again(host, now_ms) else None


def says_nothing_new(member: ConsumerMember, caller: Caller, request: ConsumerGroupHeartbeatRequest) -> bool:
    """Of itself; what it owns is another matter."""
    return (
        member.classic is None
        and member.client_id == caller.client_id
        and member.client_host == caller.client_host
        and request.rebalance_timeout_ms in (-1, member.rebalance_timeout_ms)
        and request.subscribed_topic_names is None
        and request.subscribed_topic_regex is None
        and request.instance_id in (None, member.instance_id)
        and request.rack_id is None
        and request.server_assignor is None
    )
