"""What a ConsumerGroupHeartbeat must look like before the group is asked, and who may speak as which member."""

from __future__ import annotations

from tidelog.coordinator.group import regex
from tidelog.coordinator.group.assignors import ASSIGNORS
from tidelog.coordinator.group.consumer import ConsumerGroup
from tidelog.coordinator.group.consumer_member import LEAVING_STATIC, ConsumerMember, is_subset
from tidelog.coordinator.group.consumer_reconcile import Owned
from tidelog.coordinator.group.host import Host
from tidelog.protocol.errors import ErrorCode, KafkaError
from tidelog.protocol.messages.consumer_group_heartbeat import ConsumerGroupHeartbeatRequest

MEMBER_ID_FROM_CLIENT = 1


def check_request(host: Host, request: ConsumerGroupHeartbeatRequest, api_version: int) -> None:
    """Raises for a request that is wrong whatever the state of the group."""
    complaint = _complaint(request, api_version)
    if complaint is not None:
        raise KafkaError(ErrorCode.INVALID_REQUEST, complaint)
    if request.server_assignor is not None and request.server_assignor not in _assignors(host):
        known = ", ".join(_assignors(host))
        message = f"There is no server assignor {request.server_assignor!r} here; choose one of {known}."
        raise KafkaError(ErrorCode.UNSUPPORTED_ASSIGNOR, message)
    if request.subscribed_topic_regex:
        check_regex(request.subscribed_topic_regex)


def _assignors(host: Host) -> list[str]:
    return [name for name in host.config.consumer_assignors if name in ASSIGNORS]


def check_regex(expression: str) -> None:
    try:
        regex.compiled(expression)
    except regex.BadRegex as error:
        message = f"The topic expression `{expression}` cannot be used: {error}."
        raise KafkaError(ErrorCode.INVALID_REGULAR_EXPRESSION, message) from error


def _complaint(request: ConsumerGroupHeartbeatRequest, api_version: int) -> str | None:
    epoch = request.member_epoch
    if not request.group_id.strip():
        return "The group id must not be empty."
    if not request.member_id.strip() and (api_version >= MEMBER_ID_FROM_CLIENT or epoch != 0):
        return "The member id must not be empty."
    if request.instance_id == "":
        return "The instance id must not be empty; leave it out for a dynamic member."
    if request.rack_id == "":
        return "The rack id must not be empty; leave it out when the rack is not known."
    if epoch == LEAVING_STATIC and request.instance_id is None:
        return "Only a member with an instance id can leave for a while."
    if epoch < LEAVING_STATIC:
        return "The member epoch must be -2 or more."
    return _joining_complaint(request) if epoch == 0 else None


def _joining_complaint(request: ConsumerGroupHeartbeatRequest) -> str | None:
    if request.rebalance_timeout_ms == -1:
        return "A member that joins must tell its rebalance timeout."
    if request.topic_partitions is None or request.topic_partitions:
        return "A member that joins must say that it owns no partitions."
    if request.subscribed_topic_names is None and request.subscribed_topic_regex is None:
        return "A member that joins must tell its topics, by name or by regular expression."
    return None


def known_member(group: ConsumerGroup, member_id: str, instance_id: str | None) -> ConsumerMember:
    """The member of this id; with an instance id, only if nobody else holds that now."""
    if instance_id is not None:
        holder = group.static_members.get(instance_id)
        if holder is None:
            raise KafkaError(ErrorCode.UNKNOWN_MEMBER_ID, f"No member has the instance id {instance_id}; join again.")
        if holder != member_id:
            message = f"The instance id {instance_id} belongs to {holder} now, not to {member_id}."
            raise KafkaError(ErrorCode.FENCED_INSTANCE_ID, message)
    member = group.members.get(member_id)
    if member is None:
        message = f"Member {member_id} is not in group {group.group_id}; join again with epoch 0."
        raise KafkaError(ErrorCode.UNKNOWN_MEMBER_ID, message)
    return member


def check_epoch(member: ConsumerMember, epoch: int, owned: Owned | None) -> None:
    """The previous epoch passes, from a member that has nothing else: the answer with the new one may be lost."""
    if epoch == member.epoch:
        return
    lost_answer = epoch == member.previous_epoch < member.epoch and owned is not None
    if lost_answer and owned is not None and is_subset(owned, member.assigned):
        return
    message = f"The member epoch is {member.epoch}, not {epoch}; give up all partitions and join again with epoch 0."
    raise KafkaError(ErrorCode.FENCED_MEMBER_EPOCH, message)


def check_room(host: Host, group: ConsumerGroup, member_id: str) -> None:
    if member_id not in group.members and len(group.members) >= host.config.consumer_max_size:
        message = f"The group has {len(group.members)} members, as many as group.consumer.max.size allows."
        raise KafkaError(ErrorCode.GROUP_MAX_SIZE_REACHED, message)
