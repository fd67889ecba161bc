"""The records of `__consumer_offsets`, and what consumers tell each other through the group.

Generated from schemas/ by `./dev gen`: do not edit. Each class is imported when it is first asked for.
"""

# ruff: noqa
from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tidelog.protocol.primitives import Message

    from tidelog.protocol.group_records.consumer_group_current_member_assignment import (
        ConsumerGroupCurrentMemberAssignmentKey as ConsumerGroupCurrentMemberAssignmentKey,
    )
    from tidelog.protocol.group_records.consumer_group_current_member_assignment import (
        ConsumerGroupCurrentMemberAssignmentValue as ConsumerGroupCurrentMemberAssignmentValue,
    )
    from tidelog.protocol.group_records.consumer_group_member_metadata import (
        ConsumerGroupMemberMetadataKey as ConsumerGroupMemberMetadataKey,
    )
    from tidelog.protocol.group_records.consumer_group_member_metadata import (
        ConsumerGroupMemberMetadataValue as ConsumerGroupMemberMetadataValue,
    )
    from tidelog.protocol.group_records.consumer_group_metadata import (
        ConsumerGroupMetadataKey as ConsumerGroupMetadataKey,
    )
    from tidelog.protocol.group_records.consumer_group_metadata import (
        ConsumerGroupMetadataValue as ConsumerGroupMetadataValue,
    )
    from tidelog.protocol.group_records.consumer_group_partition_metadata import (
        ConsumerGroupPartitionMetadataKey as ConsumerGroupPartitionMetadataKey,
    )
    from tidelog.protocol.group_records.consumer_group_partition_metadata import (
        ConsumerGroupPartitionMetadataValue as ConsumerGroupPartitionMetadataValue,
    )
    from tidelog.protocol.group_records.consumer_group_regular_expression import (
        ConsumerGroupRegularExpressionKey as ConsumerGroupRegularExpressionKey,
    )
    from tidelog.protocol.group_records.consumer_group_regular_expression import (
        ConsumerGroupRegularExpressionValue as ConsumerGroupRegularExpressionValue,
    )
    from tidelog.protocol.group_records.consumer_group_target_assignment_member import (
        ConsumerGroupTargetAssignmentMemberKey as ConsumerGroupTargetAssignmentMemberKey,
    )
    from tidelog.protocol.group_records.consumer_group_target_assignment_member import (
        ConsumerGroupTargetAssignmentMemberValue as ConsumerGroupTargetAssignmentMemberValue,
    )
    from tidelog.protocol.group_records.consumer_group_target_assignment_metadata import (
        ConsumerGroupTargetAssignmentMetadataKey as ConsumerGroupTargetAssignmentMetadataKey,
    )
    from tidelog.protocol.group_records.consumer_group_target_assignment_metadata import (
        ConsumerGroupTargetAssignmentMetadataValue as ConsumerGroupTargetAssignmentMetadataValue,
    )
    from tidelog.protocol.group_records.consumer_protocol_assignment import (
        ConsumerProtocolAssignment as ConsumerProtocolAssignment,
    )
    from tidelog.protocol.group_records.consumer_protocol_subscription import (
        ConsumerProtocolSubscription as ConsumerProtocolSubscription,
    )
    from tidelog.protocol.group_records.group_metadata import GroupMetadataKey as GroupMetadataKey
    from tidelog.protocol.group_records.group_metadata import GroupMetadataValue as GroupMetadataValue
    from tidelog.protocol.group_records.legacy_offset_commit import LegacyOffsetCommitKey as LegacyOffsetCommitKey
    from tidelog.protocol.group_records.legacy_offset_commit import LegacyOffsetCommitValue as LegacyOffsetCommitValue
    from tidelog.protocol.group_records.offset_commit import OffsetCommitKey as OffsetCommitKey
    from tidelog.protocol.group_records.offset_commit import OffsetCommitValue as OffsetCommitValue
    from tidelog.protocol.group_records.share_group_current_member_assignment import (
        ShareGroupCurrentMemberAssignmentKey as ShareGroupCurrentMemberAssignmentKey,
    )
    from tidelog.protocol.group_records.share_group_current_member_assignment import (
        ShareGroupCurrentMemberAssignmentValue as ShareGroupCurrentMemberAssignmentValue,
    )
    from tidelog.protocol.group_records.share_group_member_metadata import (
        ShareGroupMemberMetadataKey as ShareGroupMemberMetadataKey,
    )
    from tidelog.protocol.group_records.share_group_member_metadata import (
        ShareGroupMemberMetadataValue as ShareGroupMemberMetadataValue,
    )
    from tidelog.protocol.group_records.share_group_metadata import ShareGroupMetadataKey as ShareGroupMetadataKey
    from tidelog.protocol.group_records.share_group_metadata import ShareGroupMetadataValue as ShareGroupMetadataValue
    from tidelog.protocol.group_records.share_group_state_partition_metadata import (
        ShareGroupStatePartitionMetadataKey as ShareGroupStatePartitionMetadataKey,
    )
    from tidelog.protocol.group_records.share_group_state_partition_metadata import (
        ShareGroupStatePartitionMetadataValue as ShareGroupStatePartitionMetadataValue,
    )
    from tidelog.protocol.group_records.share_group_target_assignment_member import (
        ShareGroupTargetAssignmentMemberKey as ShareGroupTargetAssignmentMemberKey,
    )
    from tidelog.protocol.group_records.share_group_target_assignment_member import (
        ShareGroupTargetAssignmentMemberValue as ShareGroupTargetAssignmentMemberValue,
    )
    from tidelog.protocol.group_records.share_group_target_assignment_metadata import (
        ShareGroupTargetAssignmentMetadataKey as ShareGroupTargetAssignmentMetadataKey,
    )
    from tidelog.protocol.group_records.share_group_target_assignment_metadata import (
        ShareGroupTargetAssignmentMetadataValue as ShareGroupTargetAssignmentMetadataValue,
    )
    from tidelog.protocol.group_records.streams_group_current_member_assignment import (
        StreamsGroupCurrentMemberAssignmentKey as StreamsGroupCurrentMemberAssignmentKey,
    )
    from tidelog.protocol.group_records.streams_group_current_member_assignment import (
        StreamsGroupCurrentMemberAssignmentValue as StreamsGroupCurrentMemberAssignmentValue,
    )
    from tidelog.protocol.group_records.streams_group_member_metadata import (
        StreamsGroupMemberMetadataKey as StreamsGroupMemberMetadataKey,
    )
    from tidelog.protocol.group_records.streams_group_member_metadata import (
        StreamsGroupMemberMetadataValue as StreamsGroupMemberMetadataValue,
    )
    from tidelog.protocol.group_records.streams_group_metadata import StreamsGroupMetadataKey as StreamsGroupMetadataKey
    from tidelog.protocol.group_records.streams_group_metadata import (
        StreamsGroupMetadataValue as StreamsGroupMetadataValue,
    )
    from tidelog.protocol.group_records.streams_group_target_assignment_member import (
        StreamsGroupTargetAssignmentMemberKey as StreamsGroupTargetAssignmentMemberKey,
    )
    from tidelog.protocol.group_records.streams_group_target_assignment_member import (
        StreamsGroupTargetAssignmentMemberValue as StreamsGroupTargetAssignmentMemberValue,
    )
    from tidelog.protocol.group_records.streams_group_target_assignment_metadata import (
        StreamsGroupTargetAssignmentMetadataKey as StreamsGroupTargetAssignmentMetadataKey,
    )
    from tidelog.protocol.group_records.streams_group_target_assignment_metadata import (
        StreamsGroupTargetAssignmentMetadataValue as StreamsGroupTargetAssignmentMetadataValue,
    )
    from tidelog.protocol.group_records.streams_group_topology import StreamsGroupTopologyKey as StreamsGroupTopologyKey
    from tidelog.protocol.group_records.streams_group_topology import (
        StreamsGroupTopologyValue as StreamsGroupTopologyValue,
    )

_MODULES = {
    "ConsumerGroupCurrentMemberAssignmentKey": "consumer_group_current_member_assignment",
    "ConsumerGroupCurrentMemberAssignmentValue": "consumer_group_current_member_assignment",
    "ConsumerGroupMemberMetadataKey": "consumer_group_member_metadata",
    "ConsumerGroupMemberMetadataValue": "consumer_group_member_metadata",
    "ConsumerGroupMetadataKey": "consumer_group_metadata",
    "ConsumerGroupMetadataValue": "consumer_group_metadata",
    "ConsumerGroupPartitionMetadataKey": "consumer_group_partition_metadata",
    "ConsumerGroupPartitionMetadataValue": "consumer_group_partition_metadata",
    "ConsumerGroupRegularExpressionKey": "consumer_group_regular_expression",
    "ConsumerGroupRegularExpressionValue": "consumer_group_regular_expression",
    "ConsumerGroupTargetAssignmentMemberKey": "consumer_group_target_assignment_member",
    "ConsumerGroupTargetAssignmentMemberValue": "consumer_group_target_assignment_member",
    "ConsumerGroupTargetAssignmentMetadataKey": "consumer_group_target_assignment_metadata",
    "ConsumerGroupTargetAssignmentMetadataValue": "consumer_group_target_assignment_metadata",
    "ConsumerProtocolAssignment": "consumer_protocol_assignment",
    "ConsumerProtocolSubscription": "consumer_protocol_subscription",
    "GroupMetadataKey": "group_metadata",
    "GroupMetadataValue": "group_metadata",
    "LegacyOffsetCommitKey": "legacy_offset_commit",
    "LegacyOffsetCommitValue": "legacy_offset_commit",
    "OffsetCommitKey": "offset_commit",
    "OffsetCommitValue": "offset_commit",
    "ShareGroupCurrentMemberAssignmentKey": "share_group_current_member_assignment",
    "ShareGroupCurrentMemberAssignmentValue": "share_group_current_member_assignment",
    "ShareGroupMemberMetadataKey": "share_group_member_metadata",
    "ShareGroupMemberMetadataValue": "share_group_member_metadata",
    "ShareGroupMetadataKey": "share_group_metadata",
    "ShareGroupMetadataValue": "share_group_metadata",
    "ShareGroupStatePartitionMetadataKey": "share_group_state_partition_metadata",
    "ShareGroupStatePartitionMetadataValue": "share_group_state_partition_metadata",
    "ShareGroupTargetAssignmentMemberKey": "share_group_target_assignment_member",
    "ShareGroupTargetAssignmentMemberValue": "share_group_target_assignment_member",
    "ShareGroupTargetAssignmentMetadataKey": "share_group_target_assignment_metadata",
    "ShareGroupTargetAssignmentMetadataValue": "share_group_target_assignment_metadata",
    "StreamsGroupCurrentMemberAssignmentKey": "streams_group_current_member_assignment",
    "StreamsGroupCurrentMemberAssignmentValue": "streams_group_current_member_assignment",
    "StreamsGroupMemberMetadataKey": "streams_group_member_metadata",
    "StreamsGroupMemberMetadataValue": "streams_group_member_metadata",
    "StreamsGroupMetadataKey": "streams_group_metadata",
    "StreamsGroupMetadataValue": "streams_group_metadata",
    "StreamsGroupTargetAssignmentMemberKey": "streams_group_target_assignment_member",
    "StreamsGroupTargetAssignmentMemberValue": "streams_group_target_assignment_member",
    "StreamsGroupTargetAssignmentMetadataKey": "streams_group_target_assignment_metadata",
    "StreamsGroupTargetAssignmentMetadataValue": "streams_group_target_assignment_metadata",
    "StreamsGroupTopologyKey": "streams_group_topology",
    "StreamsGroupTopologyValue": "streams_group_topology",
}

# The key type's number, and the class that reads it.
KEYS = {
    0: "LegacyOffsetCommitKey",
    1: "OffsetCommitKey",
    2: "GroupMetadataKey",
    3: "ConsumerGroupMetadataKey",
    4: "ConsumerGroupPartitionMetadataKey",
    5: "ConsumerGroupMemberMetadataKey",
    6: "ConsumerGroupTargetAssignmentMetadataKey",
    7: "ConsumerGroupTargetAssignmentMemberKey",
    8: "ConsumerGroupCurrentMemberAssignmentKey",
    10: "ShareGroupMemberMetadataKey",
    11: "ShareGroupMetadataKey",
    12: "ShareGroupTargetAssignmentMetadataKey",
    13: "ShareGroupTargetAssignmentMemberKey",
    14: "ShareGroupCurrentMemberAssignmentKey",
    15: "ShareGroupStatePartitionMetadataKey",
    16: "ConsumerGroupRegularExpressionKey",
    17: "StreamsGroupMetadataKey",
    19: "StreamsGroupMemberMetadataKey",
    20: "StreamsGroupTargetAssignmentMetadataKey",
    21: "StreamsGroupTargetAssignmentMemberKey",
    22: "StreamsGroupCurrentMemberAssignmentKey",
    23: "StreamsGroupTopologyKey",
}

# The value type's number, and the class that reads it.
VALUES = {
    0: "LegacyOffsetCommitValue",
    1: "OffsetCommitValue",
    2: "GroupMetadataValue",
    3: "ConsumerGroupMetadataValue",
    4: "ConsumerGroupPartitionMetadataValue",
    5: "ConsumerGroupMemberMetadataValue",
    6: "ConsumerGroupTargetAssignmentMetadataValue",
    7: "ConsumerGroupTargetAssignmentMemberValue",
    8: "ConsumerGroupCurrentMemberAssignmentValue",
    10: "ShareGroupMemberMetadataValue",
    11: "ShareGroupMetadataValue",
    12: "ShareGroupTargetAssignmentMetadataValue",
    13: "ShareGroupTargetAssignmentMemberValue",
    14: "ShareGroupCurrentMemberAssignmentValue",
    15: "ShareGroupStatePartitionMetadataValue",
    16: "ConsumerGroupRegularExpressionValue",
    17: "StreamsGroupMetadataValue",
    19: "StreamsGroupMemberMetadataValue",
    20: "StreamsGroupTargetAssignmentMetadataValue",
    21: "StreamsGroupTargetAssignmentMemberValue",
    22: "StreamsGroupCurrentMemberAssignmentValue",
    23: "StreamsGroupTopologyValue",
}


def __getattr__(name: str) -> type[Message]:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found: type[Message] = getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
    globals()[name] = found
    return found
