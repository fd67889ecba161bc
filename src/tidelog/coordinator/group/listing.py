"""Looking at groups without touching them: ListGroups and DescribeGroups."""

from __future__ import annotations

from tidelog.coordinator.group.classic import ClassicGroup, ClassicState
from tidelog.coordinator.group.host import Host
from tidelog.protocol.errors import ErrorCode
from tidelog.protocol.messages.describe_groups import DescribedGroup, DescribedGroupMember
from tidelog.protocol.messages.list_groups import ListedGroup

CLASSIC = "classic"


def list_groups(host: Host, states: set[str], types: set[str]) -> list[ListedGroup]:
    """Filters are lower case; an empty one lets everything pass."""
    found = []
    for group_id, group in host.groups.items():
        if isinstance(group, ClassicGroup):
            listed = ListedGroup(
                group_id=group_id,
                protocol_type=group.protocol_type or "",
                group_state=group.state.value,
                group_type=CLASSIC,
            )
        else:
            listed = group.listed()
        if (not states or listed.group_state.lower() in states) and (not types or listed.group_type.lower() in types):
            found.append(listed)
    return found


def describe_group(host: Host, group_id: str, api_version: int) -> DescribedGroup:
    """A group that is not there is described as dead; from version 6 on that is an error as well."""
    group = host.classic(group_id)
    if group is None:
        missing = DescribedGroup(group_id=group_id, group_state=ClassicState.DEAD.value)
        if api_version >= 6:
            missing.error_code = int(ErrorCode.GROUP_ID_NOT_FOUND)
            what = "is not a classic group" if group_id in host.groups else "not found"
            missing.error_message = f"Group {group_id} {what}."
        return missing
    protocol = group.protocol_name if group.state is ClassicState.STABLE else None
    return DescribedGroup(
        group_id=group_id,
        group_state=group.state.value,
        protocol_type=group.protocol_type or "",
        protocol_data=protocol or "",
        members=[
            DescribedGroupMember(
                member_id=member.member_id,
                group_instance_id=member.group_instance_id,
                client_id=member.client_id,
                client_host=member.client_host,
                member_metadata=member.metadata(protocol) if protocol else b"",
                member_assignment=member.assignment if protocol else b"",
            )
            for member in group.members.values()
        ],
    )
