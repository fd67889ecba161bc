"""The table of APIs, by key. Generated from schemas/ by `./dev gen`: do not edit.

Importing it loads no message; `request_class` and `response_class` load a module when it is first asked for.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from tidelog.protocol.primitives import Message


class Api(NamedTuple):
    key: int
    name: str
    module: str
    min_version: int
    max_version: int
    flexible_from: int | None
    on_broker: bool
    on_controller: bool
    advertised_from: int


def request_class(key: int) -> type[Message]:
    return _load(key, "Request")


def response_class(key: int) -> type[Message]:
    return _load(key, "Response")


@cache
def _load(key: int, side: str) -> type[Message]:
    api = APIS[key]
    found: type[Message] = getattr(import_module(f"{__name__}.{api.module}"), api.name + side)
    return found


APIS: dict[int, Api] = {
    0: Api(0, "Produce", "produce", 3, 13, 9, True, False, 0),
    1: Api(1, "Fetch", "fetch", 4, 18, 12, True, True, 4),
    2: Api(2, "ListOffsets", "list_offsets", 1, 11, 6, True, False, 1),
    3: Api(3, "Metadata", "metadata", 0, 13, 9, True, False, 0),
    8: Api(8, "OffsetCommit", "offset_commit", 2, 10, 8, True, False, 2),
    9: Api(9, "OffsetFetch", "offset_fetch", 1, 10, 6, True, False, 1),
    10: Api(10, "FindCoordinator", "find_coordinator", 0, 6, 3, True, False, 0),
    11: Api(11, "JoinGroup", "join_group", 0, 9, 6, True, False, 0),
    12: Api(12, "Heartbeat", "heartbeat", 0, 4, 4, True, False, 0),
    13: Api(13, "LeaveGroup", "leave_group", 0, 5, 4, True, False, 0),
    14: Api(14, "SyncGroup", "sync_group", 0, 5, 4, True, False, 0),
    15: Api(15, "DescribeGroups", "describe_groups", 0, 6, 5, True, False, 0),
    16: Api(16, "ListGroups", "list_groups", 0, 5, 3, True, False, 0),
    17: Api(17, "SaslHandshake", "sasl_handshake", 0, 1, None, True, True, 0),
    18: Api(18, "ApiVersions", "api_versions", 0, 4, 3, True, True, 0),
    19: Api(19, "CreateTopics", "create_topics", 2, 7, 5, True, True, 2),
    20: Api(20, "DeleteTopics", "delete_topics", 1, 6, 4, True, True, 1),
    21: Api(21, "DeleteRecords", "delete_records", 0, 2, 2, True, False, 0),
    22: Api(22, "InitProducerId", "init_producer_id", 0, 5, 2, True, False, 0),
    23: Api(23, "OffsetForLeaderEpoch", "offset_for_leader_epoch", 2, 4, 4, True, False, 2),
    24: Api(24, "AddPartitionsToTxn", "add_partitions_to_txn", 0, 5, 3, True, False, 0),
    25: Api(25, "AddOffsetsToTxn", "add_offsets_to_txn", 0, 4, 3, True, False, 0),
    26: Api(26, "EndTxn", "end_txn", 0, 5, 3, True, False, 0),
    27: Api(27, "WriteTxnMarkers", "write_txn_markers", 1, 2, 1, True, False, 1),
    28: Api(28, "TxnOffsetCommit", "txn_offset_commit", 0, 5, 3, True, False, 0),
    29: Api(29, "DescribeAcls", "describe_acls", 1, 3, 2, True, True, 1),
    30: Api(30, "CreateAcls", "create_acls", 1, 3, 2, True, True, 1),
    31: Api(31, "DeleteAcls", "delete_acls", 1, 3, 2, True, True, 1),
    32: Api(32, "DescribeConfigs", "describe_configs", 1, 4, 4, True, True, 1),
    33: Api(33, "AlterConfigs", "alter_configs", 0, 2, 2, True, True, 0),
    34: Api(34, "AlterReplicaLogDirs", "alter_replica_log_dirs", 1, 2, 2, True, False, 1),
    35: Api(35, "DescribeLogDirs", "describe_log_dirs", 1, 5, 2, True, False, 1),
    36: Api(36, "SaslAuthenticate", "sasl_authenticate", 0, 2, 2, True, True, 0),
    37: Api(37, "CreatePartitions", "create_partitions", 0, 3, 2, True, True, 0),
    38: Api(38, "CreateDelegationToken", "create_delegation_token", 1, 3, 2, True, True, 1),
    39: Api(39, "RenewDelegationToken", "renew_delegation_token", 1, 2, 2, True, True, 1),
    40: Api(40, "ExpireDelegationToken", "expire_delegation_token", 1, 2, 2, True, True, 1),
    41: Api(41, "DescribeDelegationToken", "describe_delegation_token", 1, 3, 2, True, True, 1),
    42: Api(42, "DeleteGroups", "delete_groups", 0, 2, 2, True, False, 0),
    43: Api(43, "ElectLeaders", "elect_leaders", 0, 2, 2, True, True, 0),
    44: Api(44, "IncrementalAlterConfigs", "incremental_alter_configs", 0, 1, 1, True, True, 0),
    45: Api(45, "AlterPartitionReassignments", "alter_partition_reassignments", 0, 1, 0, True, True, 0),
    46: Api(46, "ListPartitionReassignments", "list_partition_reassignments", 0, 0, 0, True, True, 0),
    47: Api(47, "OffsetDelete", "offset_delete", 0, 0, None, True, False, 0),
    48: Api(48, "DescribeClientQuotas", "describe_client_quotas", 0, 1, 1, True, False, 0),
    49: Api(49, "AlterClientQuotas", "alter_client_quotas", 0, 1, 1, True, True, 0),
    50: Api(50, "DescribeUserScramCredentials", "describe_user_scram_credentials", 0, 0, 0, True, True, 0),
    51: Api(51, "AlterUserScramCredentials", "alter_user_scram_credentials", 0, 0, 0, True, True, 0),
    52: Api(52, "Vote", "vote", 0, 2, 0, False, True, 0),
    53: Api(53, "BeginQuorumEpoch", "begin_quorum_epoch", 0, 1, 1, False, True, 0),
    54: Api(54, "EndQuorumEpoch", "end_quorum_epoch", 0, 1, 1, False, True, 0),
    55: Api(55, "DescribeQuorum", "describe_quorum", 0, 2, 0, True, True, 0),
    56: Api(56, "AlterPartition", "alter_partition", 2, 3, 2, False, True, 2),
    57: Api(57, "UpdateFeatures", "update_features", 0, 2, 0, True, True, 0),
    58: Api(58, "Envelope", "envelope", 0, 0, 0, False, True, 0),
    59: Api(59, "FetchSnapshot", "fetch_snapshot", 0, 1, 0, False, True, 0),
    60: Api(60, "DescribeCluster", "describe_cluster", 0, 2, 0, True, True, 0),
    61: Api(61, "DescribeProducers", "describe_producers", 0, 0, 0, True, False, 0),
    62: Api(62, "BrokerRegistration", "broker_registration", 0, 4, 0, False, True, 0),
    63: Api(63, "BrokerHeartbeat", "broker_heartbeat", 0, 2, 0, False, True, 0),
    64: Api(64, "UnregisterBroker", "unregister_broker", 0, 0, 0, True, True, 0),
    65: Api(65, "DescribeTransactions", "describe_transactions", 0, 0, 0, True, False, 0),
    66: Api(66, "ListTransactions", "list_transactions", 0, 2, 0, True, False, 0),
    67: Api(67, "AllocateProducerIds", "allocate_producer_ids", 0, 0, 0, False, True, 0),
    68: Api(68, "ConsumerGroupHeartbeat", "consumer_group_heartbeat", 0, 1, 0, True, False, 0),
    69: Api(69, "ConsumerGroupDescribe", "consumer_group_describe", 0, 1, 0, True, False, 0),
    70: Api(70, "ControllerRegistration", "controller_registration", 0, 0, 0, False, True, 0),
    71: Api(71, "GetTelemetrySubscriptions", "get_telemetry_subscriptions", 0, 0, 0, True, False, 0),
    72: Api(72, "PushTelemetry", "push_telemetry", 0, 0, 0, True, False, 0),
    73: Api(73, "AssignReplicasToDirs", "assign_replicas_to_dirs", 0, 0, 0, False, True, 0),
    74: Api(74, "ListConfigResources", "list_config_resources", 0, 1, 0, True, False, 0),
    75: Api(75, "DescribeTopicPartitions", "describe_topic_partitions", 0, 0, 0, True, False, 0),
    76: Api(76, "ShareGroupHeartbeat", "share_group_heartbeat", 1, 1, 1, True, False, 1),
    77: Api(77, "ShareGroupDescribe", "share_group_describe", 1, 1, 1, True, False, 1),
    78: Api(78, "ShareFetch", "share_fetch", 1, 2, 1, True, False, 1),
    79: Api(79, "ShareAcknowledge", "share_acknowledge", 1, 2, 1, True, False, 1),
    80: Api(80, "AddRaftVoter", "add_raft_voter", 0, 1, 0, True, True, 0),
    81: Api(81, "RemoveRaftVoter", "remove_raft_voter", 0, 0, 0, True, True, 0),
    82: Api(82, "UpdateRaftVoter", "update_raft_voter", 0, 0, 0, False, True, 0),
    83: Api(83, "InitializeShareGroupState", "initialize_share_group_state", 0, 0, 0, True, False, 0),
    84: Api(84, "ReadShareGroupState", "read_share_group_state", 0, 0, 0, True, False, 0),
    85: Api(85, "WriteShareGroupState", "write_share_group_state", 0, 1, 0, True, False, 0),
    86: Api(86, "DeleteShareGroupState", "delete_share_group_state", 0, 0, 0, True, False, 0),
    87: Api(87, "ReadShareGroupStateSummary", "read_share_group_state_summary", 0, 1, 0, True, False, 0),
    88: Api(88, "StreamsGroupHeartbeat", "streams_group_heartbeat", 0, 0, 0, True, False, 0),
    89: Api(89, "StreamsGroupDescribe", "streams_group_describe", 0, 0, 0, True, False, 0),
    90: Api(90, "DescribeShareGroupOffsets", "describe_share_group_offsets", 0, 1, 0, True, False, 0),
    91: Api(91, "AlterShareGroupOffsets", "alter_share_group_offsets", 0, 0, 0, True, False, 0),
    92: Api(92, "DeleteShareGroupOffsets", "delete_share_group_offsets", 0, 0, 0, True, False, 0),
}
