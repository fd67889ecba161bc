"""Fields of the records of internal topics, for JSON. Generated from schemas/ by `./dev gen`: do not edit.

By message, then by struct: (name in JSON, attribute, type, first version, last version, whether it is tagged).
"""

# ruff: noqa
from __future__ import annotations

FieldRow = tuple[str, str, str, int, int, bool]

FIELDS: dict[str, dict[str, tuple[FieldRow, ...]]] = {
    "AbortTransactionRecord": {
        "AbortTransactionRecord": (("reason", "reason", "string", 0, 0, True),),
    },
    "AccessControlEntryRecord": {
        "AccessControlEntryRecord": (
            ("id", "id", "uuid", 0, 0, False),
            ("resourceType", "resource_type", "int8", 0, 0, False),
            ("resourceName", "resource_name", "string", 0, 0, False),
            ("patternType", "pattern_type", "int8", 0, 0, False),
            ("principal", "principal", "string", 0, 0, False),
            ("host", "host", "string", 0, 0, False),
            ("operation", "operation", "int8", 0, 0, False),
            ("permissionType", "permission_type", "int8", 0, 0, False),
        ),
    },
    "BeginTransactionRecord": {
        "BeginTransactionRecord": (("name", "name", "string", 0, 0, True),),
    },
    "BrokerRegistrationChangeRecord": {
        "BrokerRegistrationChangeRecord": (
            ("brokerId", "broker_id", "int32", 0, 3, False),
            ("brokerEpoch", "broker_epoch", "int64", 0, 3, False),
            ("fenced", "fenced", "int8", 0, 3, True),
            ("inControlledShutdown", "in_controlled_shutdown", "int8", 1, 3, True),
            ("logDirs", "log_dirs", "uuid", 2, 3, True),
            ("cordonedLogDirs", "cordoned_log_dirs", "uuid", 3, 3, True),
        ),
    },
    "ClearElrRecord": {
        "ClearElrRecord": (("topicName", "topic_name", "string", 0, 0, False),),
    },
    "ClientQuotaRecord": {
        "EntityData": (
            ("entityType", "entity_type", "string", 0, 0, False),
            ("entityName", "entity_name", "string", 0, 0, False),
        ),
        "ClientQuotaRecord": (
            ("entity", "entity", "struct EntityData", 0, 0, False),
            ("key", "key", "string", 0, 0, False),
            ("value", "value", "float64", 0, 0, False),
            ("remove", "remove", "bool", 0, 0, False),
        ),
    },
    "ConfigRecord": {
        "ConfigRecord": (
            ("resourceType", "resource_type", "int8", 0, 0, False),
            ("resourceName", "resource_name", "string", 0, 0, False),
            ("name", "name", "string", 0, 0, False),
            ("value", "value", "string", 0, 0, False),
        ),
    },
    "ConsumerGroupCurrentMemberAssignmentKey": {
        "ConsumerGroupCurrentMemberAssignmentKey": (
            ("groupId", "group_id", "string", 0, 0, False),
            ("memberId", "member_id", "string", 0, 0, False),
        ),
    },
    "ConsumerGroupCurrentMemberAssignmentValue": {
        "TopicPartitions": (
            ("topicId", "topic_id", "uuid", 0, 0, False),
            ("partitions", "partitions", "int32", 0, 0, False),
            ("assignmentEpochs", "assignment_epochs", "int32", 0, 0, True),
        ),
        "ConsumerGroupCurrentMemberAssignmentValue": (
            ("memberEpoch", "member_epoch", "int32", 0, 0, False),
            ("previousMemberEpoch", "previous_member_epoch", "int32", 0, 0, False),
            ("state", "state", "int8", 0, 0, False),
            ("assignedPartitions", "assigned_partitions", "struct TopicPartitions", 0, 0, False),
            ("partitionsPendingRevocation", "partitions_pending_revocation", "struct TopicPartitions", 0, 0, False),
        ),
    },
    "ConsumerGroupMemberMetadataKey": {
        "ConsumerGroupMemberMetadataKey": (
            ("groupId", "group_id", "string", 0, 0, False),
            ("memberId", "member_id", "string", 0, 0, False),
        ),
    },
    "ConsumerGroupMemberMetadataValue": {
        "ClassicProtocol": (
            ("name", "name", "string", 0, 0, False),
            ("metadata", "metadata", "bytes", 0, 0, False),
        ),
        "ClassicMemberMetadata": (
            ("sessionTimeoutMs", "session_timeout_ms", "int32", 0, 0, False),
            ("supportedProtocols", "supported_protocols", "struct ClassicProtocol", 0, 0, False),
        ),
        "ConsumerGroupMemberMetadataValue": (
            ("instanceId", "instance_id", "string", 0, 0, False),
            ("rackId", "rack_id", "string", 0, 0, False),
            ("clientId", "client_id", "string", 0, 0, False),
            ("clientHost", "client_host", "string", 0, 0, False),
            ("subscribedTopicNames", "subscribed_topic_names", "string", 0, 0, False),
            ("subscribedTopicRegex", "subscribed_topic_regex", "string", 0, 0, False),
            ("rebalanceTimeoutMs", "rebalance_timeout_ms", "int32", 0, 0, False),
            ("serverAssignor", "server_assignor", "string", 0, 0, False),
            ("classicMemberMetadata", "classic_member_metadata", "struct ClassicMemberMetadata", 0, 0, True),
        ),
    },
    "ConsumerGroupMetadataKey": {
        "ConsumerGroupMetadataKey": (("groupId", "group_id", "string", 0, 0, False),),
    },
    "ConsumerGroupMetadataValue": {
        "ConsumerGroupMetadataValue": (
            ("epoch", "epoch", "int32", 0, 0, False),
            ("metadataHash", "metadata_hash", "int64", 0, 0, True),
        ),
    },
    "ConsumerGroupPartitionMetadataKey": {
        "ConsumerGroupPartitionMetadataKey": (("groupId", "group_id", "string", 0, 0, False),),
    },
    "ConsumerGroupPartitionMetadataValue": {
        "PartitionMetadata": (
            ("partition", "partition", "int32", 0, 0, False),
            ("racks", "racks", "string", 0, 0, False),
        ),
        "TopicMetadata": (
            ("topicId", "topic_id", "uuid", 0, 0, False),
            ("topicName", "topic_name", "string", 0, 0, False),
            ("numPartitions", "num_partitions", "int32", 0, 0, False),
            ("partitionMetadata", "partition_metadata", "struct PartitionMetadata", 0, 0, False),
        ),
        "ConsumerGroupPartitionMetadataValue": (("topics", "topics", "struct TopicMetadata", 0, 0, False),),
    },
    "ConsumerGroupRegularExpressionKey": {
        "ConsumerGroupRegularExpressionKey": (
            ("groupId", "group_id", "string", 0, 0, False),
            ("regularExpression", "regular_expression", "string", 0, 0, False),
        ),
    },
    "ConsumerGroupRegularExpressionValue": {
        "ConsumerGroupRegularExpressionValue": (
            ("topics", "topics", "string", 0, 0, False),
            ("version", "version", "int64", 0, 0, False),
            ("timestamp", "timestamp", "int64", 0, 0, False),
        ),
    },
    "ConsumerGroupTargetAssignmentMemberKey": {
        "ConsumerGroupTargetAssignmentMemberKey": (
            ("groupId", "group_id", "string", 0, 0, False),
            ("memberId", "member_id", "string", 0, 0, False),
        ),
    },
    "ConsumerGroupTargetAssignmentMemberValue": {
        "TopicPartition": (
            ("topicId", "topic_id", "uuid", 0, 0, False),
            ("partitions", "partitions", "int32", 0, 0, False),
        ),
        "ConsumerGroupTargetAssignmentMemberValue": (
            ("topicPartitions", "topic_partitions", "struct TopicPartition", 0, 0, False),
        ),
    },
    "ConsumerGroupTargetAssignmentMetadataKey": {
        "ConsumerGroupTargetAssignmentMetadataKey": (("groupId", "group_id", "string", 0, 0, False),),
    },
    "ConsumerGroupTargetAssignmentMetadataValue": {
        "ConsumerGroupTargetAssignmentMetadataValue": (
            ("assignmentEpoch", "assignment_epoch", "int32", 0, 0, False),
            ("assignmentTimestamp", "assignment_timestamp", "int64", 0, 0, True),
        ),
    },
    "ConsumerProtocolAssignment": {
        "TopicPartition": (
            ("topic", "topic", "string", 0, 3, False),
            ("partitions", "partitions", "int32", 0, 3, False),
        ),
        "ConsumerProtocolAssignment": (
            ("assignedPartitions", "assigned_partitions", "struct TopicPartition", 0, 3, False),
            ("userData", "user_data", "bytes", 0, 3, False),
        ),
    },
    "ConsumerProtocolSubscription": {
        "TopicPartition": (
            ("topic", "topic", "string", 1, 3, False),
            ("partitions", "partitions", "int32", 1, 3, False),
        ),
        "ConsumerProtocolSubscription": (
            ("topics", "topics", "string", 0, 3, False),
            ("userData", "user_data", "bytes", 0, 3, False),
            ("ownedPartitions", "owned_partitions", "struct TopicPartition", 1, 3, False),
            ("generationId", "generation_id", "int32", 2, 3, False),
            ("rackId", "rack_id", "string", 3, 3, False),
        ),
    },
    "ControlRecordTypeSchema": {
        "ControlRecordTypeSchema": (("type", "type", "int16", 0, 0, False),),
    },
    "DelegationTokenRecord": {
        "DelegationTokenRecord": (
            ("owner", "owner", "string", 0, 0, False),
            ("requester", "requester", "string", 0, 0, False),
            ("renewers", "renewers", "string", 0, 0, False),
            ("issueTimestamp", "issue_timestamp", "int64", 0, 0, False),
            ("maxTimestamp", "max_timestamp", "int64", 0, 0, False),
            ("expirationTimestamp", "expiration_timestamp", "int64", 0, 0, False),
            ("tokenId", "token_id", "string", 0, 0, False),
        ),
    },
    "EndTransactionRecord": {
        "EndTransactionRecord": (),
    },
    "EndTxnMarker": {
        "EndTxnMarker": (("coordinatorEpoch", "coordinator_epoch", "int32", 0, 0, False),),
    },
    "FeatureLevelRecord": {
        "FeatureLevelRecord": (
            ("name", "name", "string", 0, 0, False),
            ("featureLevel", "feature_level", "int16", 0, 0, False),
        ),
    },
    "FenceBrokerRecord": {
        "FenceBrokerRecord": (
            ("id", "id", "int32", 0, 0, False),
            ("epoch", "epoch", "int64", 0, 0, False),
        ),
    },
    "GroupMetadataKey": {
        "GroupMetadataKey": (("group", "group", "string", 0, 0, False),),
    },
    "GroupMetadataValue": {
        "MemberMetadata": (
            ("memberId", "member_id", "string", 0, 4, False),
            ("groupInstanceId", "group_instance_id", "string", 3, 4, False),
            ("clientId", "client_id", "string", 0, 4, False),
            ("clientHost", "client_host", "string", 0, 4, False),
            ("rebalanceTimeout", "rebalance_timeout", "int32", 1, 4, False),
            ("sessionTimeout", "session_timeout", "int32", 0, 4, False),
            ("subscription", "subscription", "bytes", 0, 4, False),
            ("assignment", "assignment", "bytes", 0, 4, False),
        ),
        "GroupMetadataValue": (
            ("protocolType", "protocol_type", "string", 0, 4, False),
            ("generation", "generation", "int32", 0, 4, False),
            ("protocol", "protocol", "string", 0, 4, False),
            ("leader", "leader", "string", 0, 4, False),
            ("currentStateTimestamp", "current_state_timestamp", "int64", 2, 4, False),
            ("members", "members", "struct MemberMetadata", 0, 4, False),
        ),
    },
    "KRaftVersionRecord": {
        "KRaftVersionRecord": (
            ("version", "version", "int16", 0, 0, False),
            ("kRaftVersion", "kraft_version", "int16", 0, 0, False),
        ),
    },
    "LeaderChangeMessage": {
        "Voter": (
            ("voterId", "voter_id", "int32", 0, 1, False),
            ("voterDirectoryId", "voter_directory_id", "uuid", 1, 1, False),
        ),
        "LeaderChangeMessage": (
            ("version", "version", "int16", 0, 1, False),
            ("leaderId", "leader_id", "int32", 0, 1, False),
            ("voters", "voters", "struct Voter", 0, 1, False),
            ("grantingVoters", "granting_voters", "struct Voter", 0, 1, False),
        ),
    },
    "LegacyOffsetCommitKey": {
        "LegacyOffsetCommitKey": (
            ("group", "group", "string", 0, 0, False),
            ("topic", "topic", "string", 0, 0, False),
            ("partition", "partition", "int32", 0, 0, False),
        ),
    },
    "LegacyOffsetCommitValue": {
        "LegacyOffsetCommitValue": (
            ("offset", "offset", "int64", 0, 0, False),
            ("metadata", "metadata", "string", 0, 0, False),
            ("commitTimestamp", "commit_timestamp", "int64", 0, 0, False),
        ),
    },
    "NoOpRecord": {
        "NoOpRecord": (),
    },
    "OffsetCommitKey": {
        "OffsetCommitKey": (
            ("group", "group", "string", 0, 0, False),
            ("topic", "topic", "string", 0, 0, False),
            ("partition", "partition", "int32", 0, 0, False),
        ),
    },
    "OffsetCommitValue": {
        "OffsetCommitValue": (
            ("offset", "offset", "int64", 0, 4, False),
            ("leaderEpoch", "leader_epoch", "int32", 3, 4, False),
            ("metadata", "metadata", "string", 0, 4, False),
            ("commitTimestamp", "commit_timestamp", "int64", 0, 4, False),
            ("expireTimestamp", "expire_timestamp", "int64", 1, 1, False),
            ("topicId", "topic_id", "uuid", 4, 4, True),
        ),
    },
    "PartitionChangeRecord": {
        "PartitionChangeRecord": (
            ("partitionId", "partition_id", "int32", 0, 2, False),
            ("topicId", "topic_id", "uuid", 0, 2, False),
            ("isr", "isr", "int32", 0, 2, True),
            ("leader", "leader", "int32", 0, 2, True),
            ("replicas", "replicas", "int32", 0, 2, True),
            ("removingReplicas", "removing_replicas", "int32", 0, 2, True),
            ("addingReplicas", "adding_replicas", "int32", 0, 2, True),
            ("leaderRecoveryState", "leader_recovery_state", "int8", 0, 2, True),
            ("directories", "directories", "uuid", 1, 2, True),
            ("eligibleLeaderReplicas", "eligible_leader_replicas", "int32", 2, 2, True),
            ("lastKnownElr", "last_known_elr", "int32", 2, 2, True),
        ),
    },
    "PartitionRecord": {
        "PartitionRecord": (
            ("partitionId", "partition_id", "int32", 0, 2, False),
            ("topicId", "topic_id", "uuid", 0, 2, False),
            ("replicas", "replicas", "int32", 0, 2, False),
            ("isr", "isr", "int32", 0, 2, False),
            ("removingReplicas", "removing_replicas", "int32", 0, 2, False),
            ("addingReplicas", "adding_replicas", "int32", 0, 2, False),
            ("leader", "leader", "int32", 0, 2, False),
            ("leaderRecoveryState", "leader_recovery_state", "int8", 0, 2, True),
            ("leaderEpoch", "leader_epoch", "int32", 0, 2, False),
            ("partitionEpoch", "partition_epoch", "int32", 0, 2, False),
            ("directories", "directories", "uuid", 1, 2, False),
            ("eligibleLeaderReplicas", "eligible_leader_replicas", "int32", 2, 2, True),
            ("lastKnownElr", "last_known_elr", "int32", 2, 2, True),
        ),
    },
    "ProducerIdsRecord": {
        "ProducerIdsRecord": (
            ("brokerId", "broker_id", "int32", 0, 0, False),
            ("brokerEpoch", "broker_epoch", "int64", 0, 0, False),
            ("nextProducerId", "next_producer_id", "int64", 0, 0, False),
        ),
    },
    "ProducerSnapshot": {
        "ProducerEntry": (
            ("producerId", "producer_id", "int64", 1, 1, False),
            ("epoch", "epoch", "int16", 1, 1, False),
            ("lastSequence", "last_sequence", "int32", 1, 1, False),
            ("lastOffset", "last_offset", "int64", 1, 1, False),
            ("offsetDelta", "offset_delta", "int32", 1, 1, False),
            ("timestamp", "timestamp", "int64", 1, 1, False),
            ("coordinatorEpoch", "coordinator_epoch", "int32", 1, 1, False),
            ("currentTxnFirstOffset", "current_txn_first_offset", "int64", 1, 1, False),
        ),
        "ProducerSnapshot": (
            ("crc", "crc", "uint32", 1, 1, False),
            ("producerEntries", "producer_entries", "struct ProducerEntry", 1, 1, False),
        ),
    },
    "QuorumStateData": {
        "Voter": (("voterId", "voter_id", "int32", 0, 0, False),),
        "QuorumStateData": (
            ("clusterId", "cluster_id", "string", 0, 0, False),
            ("leaderId", "leader_id", "int32", 0, 1, False),
            ("leaderEpoch", "leader_epoch", "int32", 0, 1, False),
            ("votedId", "voted_id", "int32", 0, 1, False),
            ("votedDirectoryId", "voted_directory_id", "uuid", 1, 1, False),
            ("appliedOffset", "applied_offset", "int64", 0, 0, False),
            ("currentVoters", "current_voters", "struct Voter", 0, 0, False),
        ),
    },
    "RegisterBrokerRecord": {
        "BrokerEndpoint": (
            ("name", "name", "string", 0, 4, False),
            ("host", "host", "string", 0, 4, False),
            ("port", "port", "uint16", 0, 4, False),
            ("securityProtocol", "security_protocol", "int16", 0, 4, False),
        ),
        "BrokerFeature": (
            ("name", "name", "string", 0, 4, False),
            ("minSupportedVersion", "min_supported_version", "int16", 0, 4, False),
            ("maxSupportedVersion", "max_supported_version", "int16", 0, 4, False),
        ),
        "RegisterBrokerRecord": (
            ("brokerId", "broker_id", "int32", 0, 4, False),
            ("isMigratingZkBroker", "is_migrating_zk_broker", "bool", 2, 4, False),
            ("incarnationId", "incarnation_id", "uuid", 0, 4, False),
            ("brokerEpoch", "broker_epoch", "int64", 0, 4, False),
            ("endPoints", "end_points", "struct BrokerEndpoint", 0, 4, False),
            ("features", "features", "struct BrokerFeature", 0, 4, False),
            ("rack", "rack", "string", 0, 4, False),
            ("fenced", "fenced", "bool", 0, 4, False),
            ("inControlledShutdown", "in_controlled_shutdown", "bool", 1, 4, False),
            ("logDirs", "log_dirs", "uuid", 3, 4, True),
            ("cordonedLogDirs", "cordoned_log_dirs", "uuid", 4, 4, True),
        ),
    },
    "RegisterControllerRecord": {
        "ControllerEndpoint": (
            ("name", "name", "string", 0, 0, False),
            ("host", "host", "string", 0, 0, False),
            ("port", "port", "uint16", 0, 0, False),
            ("securityProtocol", "security_protocol", "int16", 0, 0, False),
        ),
        "ControllerFeature": (
            ("name", "name", "string", 0, 0, False),
            ("minSupportedVersion", "min_supported_version", "int16", 0, 0, False),
            ("maxSupportedVersion", "max_supported_version", "int16", 0, 0, False),
        ),
        "RegisterControllerRecord": (
            ("controllerId", "controller_id", "int32", 0, 0, False),
            ("incarnationId", "incarnation_id", "uuid", 0, 0, False),
            ("zkMigrationReady", "zk_migration_ready", "bool", 0, 0, False),
            ("endPoints", "end_points", "struct ControllerEndpoint", 0, 0, False),
            ("features", "features", "struct ControllerFeature", 0, 0, False),
        ),
    },
    "RemoteLogSegmentMetadataRecord": {
        "TopicIdPartitionEntry": (
            ("name", "name", "string", 0, 0, False),
            ("id", "id", "uuid", 0, 0, False),
            ("partition", "partition", "int32", 0, 0, False),
        ),
        "RemoteLogSegmentIdEntry": (
            ("topicIdPartition", "topic_id_partition", "struct TopicIdPartitionEntry", 0, 0, False),
            ("id", "id", "uuid", 0, 0, False),
        ),
        "SegmentLeaderEpochEntry": (
            ("leaderEpoch", "leader_epoch", "int32", 0, 0, False),
            ("offset", "offset", "int64", 0, 0, False),
        ),
        "RemoteLogSegmentMetadataRecord": (
            ("remoteLogSegmentId", "remote_log_segment_id", "struct RemoteLogSegmentIdEntry", 0, 0, False),
            ("startOffset", "start_offset", "int64", 0, 0, False),
            ("endOffset", "end_offset", "int64", 0, 0, False),
            ("brokerId", "broker_id", "int32", 0, 0, False),
            ("maxTimestampMs", "max_timestamp_ms", "int64", 0, 0, False),
            ("eventTimestampMs", "event_timestamp_ms", "int64", 0, 0, False),
            ("segmentLeaderEpochs", "segment_leader_epochs", "struct SegmentLeaderEpochEntry", 0, 0, False),
            ("segmentSizeInBytes", "segment_size_in_bytes", "int32", 0, 0, False),
            ("customMetadata", "custom_metadata", "bytes", 0, 0, False),
            ("remoteLogSegmentState", "remote_log_segment_state", "int8", 0, 0, False),
            ("txnIndexEmpty", "txn_index_empty", "bool", 0, 0, True),
        ),
    },
    "RemoteLogSegmentMetadataSnapshotRecord": {
        "SegmentLeaderEpochEntry": (
            ("leaderEpoch", "leader_epoch", "int32", 0, 0, False),
            ("offset", "offset", "int64", 0, 0, False),
        ),
        "RemoteLogSegmentMetadataSnapshotRecord": (
            ("segmentId", "segment_id", "uuid", 0, 0, False),
            ("startOffset", "start_offset", "int64", 0, 0, False),
            ("endOffset", "end_offset", "int64", 0, 0, False),
            ("brokerId", "broker_id", "int32", 0, 0, False),
            ("maxTimestampMs", "max_timestamp_ms", "int64", 0, 0, False),
            ("eventTimestampMs", "event_timestamp_ms", "int64", 0, 0, False),
            ("segmentLeaderEpochs", "segment_leader_epochs", "struct SegmentLeaderEpochEntry", 0, 0, False),
            ("segmentSizeInBytes", "segment_size_in_bytes", "int32", 0, 0, False),
            ("customMetadata", "custom_metadata", "bytes", 0, 0, False),
            ("remoteLogSegmentState", "remote_log_segment_state", "int8", 0, 0, False),
            ("txnIndexEmpty", "txn_index_empty", "bool", 0, 0, True),
        ),
    },
    "RemoteLogSegmentMetadataUpdateRecord": {
        "TopicIdPartitionEntry": (
            ("name", "name", "string", 0, 0, False),
            ("id", "id", "uuid", 0, 0, False),
            ("partition", "partition", "int32", 0, 0, False),
        ),
        "RemoteLogSegmentIdEntry": (
            ("topicIdPartition", "topic_id_partition", "struct TopicIdPartitionEntry", 0, 0, False),
            ("id", "id", "uuid", 0, 0, False),
        ),
        "RemoteLogSegmentMetadataUpdateRecord": (
            ("remoteLogSegmentId", "remote_log_segment_id", "struct RemoteLogSegmentIdEntry", 0, 0, False),
            ("brokerId", "broker_id", "int32", 0, 0, False),
            ("eventTimestampMs", "event_timestamp_ms", "int64", 0, 0, False),
            ("customMetadata", "custom_metadata", "bytes", 0, 0, False),
            ("remoteLogSegmentState", "remote_log_segment_state", "int8", 0, 0, False),
        ),
    },
    "RemotePartitionDeleteMetadataRecord": {
        "TopicIdPartitionEntry": (
            ("name", "name", "string", 0, 0, False),
            ("id", "id", "uuid", 0, 0, False),
            ("partition", "partition", "int32", 0, 0, False),
        ),
        "RemotePartitionDeleteMetadataRecord": (
            ("topicIdPartition", "topic_id_partition", "struct TopicIdPartitionEntry", 0, 0, False),
            ("brokerId", "broker_id", "int32", 0, 0, False),
            ("eventTimestampMs", "event_timestamp_ms", "int64", 0, 0, False),
            ("remotePartitionDeleteState", "remote_partition_delete_state", "int8", 0, 0, False),
        ),
    },
    "RemoveAccessControlEntryRecord": {
        "RemoveAccessControlEntryRecord": (("id", "id", "uuid", 0, 0, False),),
    },
    "RemoveDelegationTokenRecord": {
        "RemoveDelegationTokenRecord": (("tokenId", "token_id", "string", 0, 0, False),),
    },
    "RemoveTopicRecord": {
        "RemoveTopicRecord": (("topicId", "topic_id", "uuid", 0, 0, False),),
    },
    "RemoveUserScramCredentialRecord": {
        "RemoveUserScramCredentialRecord": (
            ("name", "name", "string", 0, 0, False),
            ("mechanism", "mechanism", "int8", 0, 0, False),
        ),
    },
    "ShareGroupCurrentMemberAssignmentKey": {
        "ShareGroupCurrentMemberAssignmentKey": (
            ("groupId", "group_id", "string", 0, 0, False),
            ("memberId", "member_id", "string", 0, 0, False),
        ),
    },
    "ShareGroupCurrentMemberAssignmentValue": {
        "TopicPartitions": (
            ("topicId", "topic_id", "uuid", 0, 0, False),
            ("partitions", "partitions", "int32", 0, 0, False),
        ),
        "ShareGroupCurrentMemberAssignmentValue": (
            ("memberEpoch", "member_epoch", "int32", 0, 0, False),
            ("previousMemberEpoch", "previous_member_epoch", "int32", 0, 0, False),
            ("state", "state", "int8", 0, 0, False),
            ("assignedPartitions", "assigned_partitions", "struct TopicPartitions", 0, 0, False),
        ),
    },
    "ShareGroupMemberMetadataKey": {
        "ShareGroupMemberMetadataKey": (
            ("groupId", "group_id", "string", 0, 0, False),
            ("memberId", "member_id", "string", 0, 0, False),
        ),
    },
    "ShareGroupMemberMetadataValue": {
        "ShareGroupMemberMetadataValue": (
            ("rackId", "rack_id", "string", 0, 0, False),
            ("clientId", "client_id", "string", 0, 0, False),
            ("clientHost", "client_host", "string", 0, 0, False),
            ("subscribedTopicNames", "subscribed_topic_names", "string", 0, 0, False),
        ),
    },
    "ShareGroupMetadataKey": {
        "ShareGroupMetadataKey": (("groupId", "group_id", "string", 0, 0, False),),
    },
    "ShareGroupMetadataValue": {
        "ShareGroupMetadataValue": (
            ("epoch", "epoch", "int32", 0, 0, False),
            ("metadataHash", "metadata_hash", "int64", 0, 0, False),
        ),
    },
    "ShareGroupStatePartitionMetadataKey": {
        "ShareGroupStatePartitionMetadataKey": (("groupId", "group_id", "string", 0, 0, False),),
    },
    "ShareGroupStatePartitionMetadataValue": {
        "TopicPartitionsInfo": (
            ("topicId", "topic_id", "uuid", 0, 0, False),
            ("topicName", "topic_name", "string", 0, 0, False),
            ("partitions", "partitions", "int32", 0, 0, False),
        ),
        "TopicInfo": (
            ("topicId", "topic_id", "uuid", 0, 0, False),
            ("topicName", "topic_name", "string", 0, 0, False),
        ),
        "ShareGroupStatePartitionMetadataValue": (
            ("initializingTopics", "initializing_topics", "struct TopicPartitionsInfo", 0, 0, False),
            ("initializedTopics", "initialized_topics", "struct TopicPartitionsInfo", 0, 0, False),
            ("deletingTopics", "deleting_topics", "struct TopicInfo", 0, 0, False),
        ),
    },
    "ShareGroupTargetAssignmentMemberKey": {
        "ShareGroupTargetAssignmentMemberKey": (
            ("groupId", "group_id", "string", 0, 0, False),
            ("memberId", "member_id", "string", 0, 0, False),
        ),
    },
    "ShareGroupTargetAssignmentMemberValue": {
        "TopicPartition": (
            ("topicId", "topic_id", "uuid", 0, 0, False),
            ("partitions", "partitions", "int32", 0, 0, False),
        ),
        "ShareGroupTargetAssignmentMemberValue": (
            ("topicPartitions", "topic_partitions", "struct TopicPartition", 0, 0, False),
        ),
    },
    "ShareGroupTargetAssignmentMetadataKey": {
        "ShareGroupTargetAssignmentMetadataKey": (("groupId", "group_id", "string", 0, 0, False),),
    },
    "ShareGroupTargetAssignmentMetadataValue": {
        "ShareGroupTargetAssignmentMetadataValue": (
            ("assignmentEpoch", "assignment_epoch", "int32", 0, 0, False),
            ("assignmentTimestamp", "assignment_timestamp", "int64", 0, 0, True),
        ),
    },
    "ShareSnapshotKey": {
        "ShareSnapshotKey": (
            ("groupId", "group_id", "string", 0, 0, False),
            ("topicId", "topic_id", "uuid", 0, 0, False),
            ("partition", "partition", "int32", 0, 0, False),
        ),
    },
    "ShareSnapshotValue": {
        "StateBatch": (
            ("firstOffset", "first_offset", "int64", 0, 0, False),
            ("lastOffset", "last_offset", "int64", 0, 0, False),
            ("deliveryState", "delivery_state", "int8", 0, 0, False),
            ("deliveryCount", "delivery_count", "int16", 0, 0, False),
        ),
        "ShareSnapshotValue": (
            ("snapshotEpoch", "snapshot_epoch", "int32", 0, 0, False),
            ("stateEpoch", "state_epoch", "int32", 0, 0, False),
            ("leaderEpoch", "leader_epoch", "int32", 0, 0, False),
            ("startOffset", "start_offset", "int64", 0, 0, False),
            ("deliveryCompleteCount", "delivery_complete_count", "int32", 0, 0, True),
            ("createTimestamp", "create_timestamp", "int64", 0, 0, False),
            ("writeTimestamp", "write_timestamp", "int64", 0, 0, False),
            ("stateBatches", "state_batches", "struct StateBatch", 0, 0, False),
        ),
    },
    "ShareUpdateKey": {
        "ShareUpdateKey": (
            ("groupId", "group_id", "string", 0, 0, False),
            ("topicId", "topic_id", "uuid", 0, 0, False),
            ("partition", "partition", "int32", 0, 0, False),
        ),
    },
    "ShareUpdateValue": {
        "StateBatch": (
            ("firstOffset", "first_offset", "int64", 0, 0, False),
            ("lastOffset", "last_offset", "int64", 0, 0, False),
            ("deliveryState", "delivery_state", "int8", 0, 0, False),
            ("deliveryCount", "delivery_count", "int16", 0, 0, False),
        ),
        "ShareUpdateValue": (
            ("snapshotEpoch", "snapshot_epoch", "int32", 0, 0, False),
            ("leaderEpoch", "leader_epoch", "int32", 0, 0, False),
            ("startOffset", "start_offset", "int64", 0, 0, False),
            ("deliveryCompleteCount", "delivery_complete_count", "int32", 0, 0, True),
            ("stateBatches", "state_batches", "struct StateBatch", 0, 0, False),
        ),
    },
    "SnapshotFooterRecord": {
        "SnapshotFooterRecord": (("version", "version", "int16", 0, 0, False),),
    },
    "SnapshotHeaderRecord": {
        "SnapshotHeaderRecord": (
            ("version", "version", "int16", 0, 0, False),
            ("lastContainedLogTimestamp", "last_contained_log_timestamp", "int64", 0, 0, False),
        ),
    },
    "StreamsGroupCurrentMemberAssignmentKey": {
        "StreamsGroupCurrentMemberAssignmentKey": (
            ("groupId", "group_id", "string", 0, 0, False),
            ("memberId", "member_id", "string", 0, 0, False),
        ),
    },
    "StreamsGroupCurrentMemberAssignmentValue": {
        "TaskIds": (
            ("subtopologyId", "subtopology_id", "string", 0, 0, False),
            ("partitions", "partitions", "int32", 0, 0, False),
            ("assignmentEpochs", "assignment_epochs", "int32", 0, 0, True),
        ),
        "StreamsGroupCurrentMemberAssignmentValue": (
            ("memberEpoch", "member_epoch", "int32", 0, 0, False),
            ("previousMemberEpoch", "previous_member_epoch", "int32", 0, 0, False),
            ("state", "state", "int8", 0, 0, False),
            ("activeTasks", "active_tasks", "struct TaskIds", 0, 0, False),
            ("standbyTasks", "standby_tasks", "struct TaskIds", 0, 0, False),
            ("warmupTasks", "warmup_tasks", "struct TaskIds", 0, 0, False),
            ("activeTasksPendingRevocation", "active_tasks_pending_revocation", "struct TaskIds", 0, 0, False),
            ("standbyTasksPendingRevocation", "standby_tasks_pending_revocation", "struct TaskIds", 0, 0, False),
            ("warmupTasksPendingRevocation", "warmup_tasks_pending_revocation", "struct TaskIds", 0, 0, False),
        ),
    },
    "StreamsGroupMemberMetadataKey": {
        "StreamsGroupMemberMetadataKey": (
            ("groupId", "group_id", "string", 0, 0, False),
            ("memberId", "member_id", "string", 0, 0, False),
        ),
    },
    "StreamsGroupMemberMetadataValue": {
        "Endpoint": (
            ("host", "host", "string", 0, 0, False),
            ("port", "port", "uint16", 0, 0, False),
        ),
        "KeyValue": (
            ("key", "key", "string", 0, 0, False),
            ("value", "value", "string", 0, 0, False),
        ),
        "StreamsGroupMemberMetadataValue": (
            ("instanceId", "instance_id", "string", 0, 0, False),
            ("rackId", "rack_id", "string", 0, 0, False),
            ("clientId", "client_id", "string", 0, 0, False),
            ("clientHost", "client_host", "string", 0, 0, False),
            ("rebalanceTimeoutMs", "rebalance_timeout_ms", "int32", 0, 0, False),
            ("topologyEpoch", "topology_epoch", "int32", 0, 0, False),
            ("processId", "process_id", "string", 0, 0, False),
            ("userEndpoint", "user_endpoint", "struct Endpoint", 0, 0, False),
            ("clientTags", "client_tags", "struct KeyValue", 0, 0, False),
        ),
    },
    "StreamsGroupMetadataKey": {
        "StreamsGroupMetadataKey": (("groupId", "group_id", "string", 0, 0, False),),
    },
    "StreamsGroupMetadataValue": {
        "LastAssignmentConfig": (
            ("key", "key", "string", 0, 0, False),
            ("value", "value", "string", 0, 0, False),
        ),
        "StreamsGroupMetadataValue": (
            ("epoch", "epoch", "int32", 0, 0, False),
            ("metadataHash", "metadata_hash", "int64", 0, 0, False),
            ("validatedTopologyEpoch", "validated_topology_epoch", "int32", 0, 0, True),
            ("lastAssignmentConfigs", "last_assignment_configs", "struct LastAssignmentConfig", 0, 0, True),
        ),
    },
    "StreamsGroupTargetAssignmentMemberKey": {
        "StreamsGroupTargetAssignmentMemberKey": (
            ("groupId", "group_id", "string", 0, 0, False),
            ("memberId", "member_id", "string", 0, 0, False),
        ),
    },
    "StreamsGroupTargetAssignmentMemberValue": {
        "TaskIds": (
            ("subtopologyId", "subtopology_id", "string", 0, 0, False),
            ("partitions", "partitions", "int32", 0, 0, False),
        ),
        "StreamsGroupTargetAssignmentMemberValue": (
            ("activeTasks", "active_tasks", "struct TaskIds", 0, 0, False),
            ("standbyTasks", "standby_tasks", "struct TaskIds", 0, 0, False),
            ("warmupTasks", "warmup_tasks", "struct TaskIds", 0, 0, False),
        ),
    },
    "StreamsGroupTargetAssignmentMetadataKey": {
        "StreamsGroupTargetAssignmentMetadataKey": (("groupId", "group_id", "string", 0, 0, False),),
    },
    "StreamsGroupTargetAssignmentMetadataValue": {
        "StreamsGroupTargetAssignmentMetadataValue": (
            ("assignmentEpoch", "assignment_epoch", "int32", 0, 0, False),
            ("assignmentTimestamp", "assignment_timestamp", "int64", 0, 0, True),
        ),
    },
    "StreamsGroupTopologyKey": {
        "StreamsGroupTopologyKey": (("groupId", "group_id", "string", 0, 0, False),),
    },
    "StreamsGroupTopologyValue": {
        "TopicConfig": (
            ("key", "key", "string", 0, 0, False),
            ("value", "value", "string", 0, 0, False),
        ),
        "TopicInfo": (
            ("name", "name", "string", 0, 0, False),
            ("partitions", "partitions", "int32", 0, 0, False),
            ("replicationFactor", "replication_factor", "int16", 0, 0, False),
            ("topicConfigs", "topic_configs", "struct TopicConfig", 0, 0, False),
        ),
        "CopartitionGroup": (
            ("sourceTopics", "source_topics", "int16", 0, 0, False),
            ("sourceTopicRegex", "source_topic_regex", "int16", 0, 0, False),
            ("repartitionSourceTopics", "repartition_source_topics", "int16", 0, 0, False),
        ),
        "Subtopology": (
            ("subtopologyId", "subtopology_id", "string", 0, 0, False),
            ("sourceTopics", "source_topics", "string", 0, 0, False),
            ("sourceTopicRegex", "source_topic_regex", "string", 0, 0, False),
            ("stateChangelogTopics", "state_changelog_topics", "struct TopicInfo", 0, 0, False),
            ("repartitionSinkTopics", "repartition_sink_topics", "string", 0, 0, False),
            ("repartitionSourceTopics", "repartition_source_topics", "struct TopicInfo", 0, 0, False),
            ("copartitionGroups", "copartition_groups", "struct CopartitionGroup", 0, 0, False),
        ),
        "StreamsGroupTopologyValue": (
            ("epoch", "epoch", "int32", 0, 0, False),
            ("subtopologies", "subtopologies", "struct Subtopology", 0, 0, False),
        ),
    },
    "TopicRecord": {
        "TopicRecord": (
            ("name", "name", "string", 0, 0, False),
            ("topicId", "topic_id", "uuid", 0, 0, False),
        ),
    },
    "TransactionLogKey": {
        "TransactionLogKey": (("transactionalId", "transactional_id", "string", 0, 0, False),),
    },
    "TransactionLogValue": {
        "PartitionsSchema": (
            ("topic", "topic", "string", 0, 1, False),
            ("partitionIds", "partition_ids", "int32", 0, 1, False),
        ),
        "TransactionLogValue": (
            ("producerId", "producer_id", "int64", 0, 1, False),
            ("previousProducerId", "previous_producer_id", "int64", 1, 1, True),
            ("nextProducerId", "next_producer_id", "int64", 1, 1, True),
            ("producerEpoch", "producer_epoch", "int16", 0, 1, False),
            ("nextProducerEpoch", "next_producer_epoch", "int16", 1, 1, True),
            ("transactionTimeoutMs", "transaction_timeout_ms", "int32", 0, 1, False),
            ("transactionStatus", "transaction_status", "int8", 0, 1, False),
            ("transactionPartitions", "transaction_partitions", "struct PartitionsSchema", 0, 1, False),
            ("transactionLastUpdateTimestampMs", "transaction_last_update_timestamp_ms", "int64", 0, 1, False),
            ("transactionStartTimestampMs", "transaction_start_timestamp_ms", "int64", 0, 1, False),
            ("clientTransactionVersion", "client_transaction_version", "int16", 1, 1, True),
        ),
    },
    "UnfenceBrokerRecord": {
        "UnfenceBrokerRecord": (
            ("id", "id", "int32", 0, 0, False),
            ("epoch", "epoch", "int64", 0, 0, False),
        ),
    },
    "UnregisterBrokerRecord": {
        "UnregisterBrokerRecord": (
            ("brokerId", "broker_id", "int32", 0, 0, False),
            ("brokerEpoch", "broker_epoch", "int64", 0, 0, False),
        ),
    },
    "UserScramCredentialRecord": {
        "UserScramCredentialRecord": (
            ("name", "name", "string", 0, 0, False),
            ("mechanism", "mechanism", "int8", 0, 0, False),
            ("salt", "salt", "bytes", 0, 0, False),
            ("storedKey", "stored_key", "bytes", 0, 0, False),
            ("serverKey", "server_key", "bytes", 0, 0, False),
            ("iterations", "iterations", "int32", 0, 0, False),
        ),
    },
    "VotersRecord": {
        "Endpoint": (
            ("name", "name", "string", 0, 0, False),
            ("host", "host", "string", 0, 0, False),
            ("port", "port", "uint16", 0, 0, False),
        ),
        "KRaftVersionFeature": (
            ("minSupportedVersion", "min_supported_version", "int16", 0, 0, False),
            ("maxSupportedVersion", "max_supported_version", "int16", 0, 0, False),
        ),
        "Voter": (
            ("voterId", "voter_id", "int32", 0, 0, False),
            ("voterDirectoryId", "voter_directory_id", "uuid", 0, 0, False),
            ("endpoints", "endpoints", "struct Endpoint", 0, 0, False),
            ("kRaftVersionFeature", "kraft_version_feature", "struct KRaftVersionFeature", 0, 0, False),
        ),
        "VotersRecord": (
            ("version", "version", "int16", 0, 0, False),
            ("voters", "voters", "struct Voter", 0, 0, False),
        ),
    },
    "ZkMigrationStateRecord": {
        "ZkMigrationStateRecord": (("zkMigrationState", "zk_migration_state", "int8", 0, 0, False),),
    },
}
