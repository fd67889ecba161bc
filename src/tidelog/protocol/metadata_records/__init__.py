"""The records of the cluster's metadata log, its control records, and the quorum's state.

Generated from schemas/ by `./dev gen`: do not edit. Each class is imported when it is first asked for.
"""

# ruff: noqa
from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tidelog.protocol.primitives import Message

    from tidelog.protocol.metadata_records.abort_transaction_record import (
        AbortTransactionRecord as AbortTransactionRecord,
    )
    from tidelog.protocol.metadata_records.access_control_entry_record import (
        AccessControlEntryRecord as AccessControlEntryRecord,
    )
    from tidelog.protocol.metadata_records.begin_transaction_record import (
        BeginTransactionRecord as BeginTransactionRecord,
    )
    from tidelog.protocol.metadata_records.broker_registration_change_record import (
        BrokerRegistrationChangeRecord as BrokerRegistrationChangeRecord,
    )
    from tidelog.protocol.metadata_records.clear_elr_record import ClearElrRecord as ClearElrRecord
    from tidelog.protocol.metadata_records.client_quota_record import ClientQuotaRecord as ClientQuotaRecord
    from tidelog.protocol.metadata_records.config_record import ConfigRecord as ConfigRecord
    from tidelog.protocol.metadata_records.delegation_token_record import DelegationTokenRecord as DelegationTokenRecord
    from tidelog.protocol.metadata_records.end_transaction_record import EndTransactionRecord as EndTransactionRecord
    from tidelog.protocol.metadata_records.feature_level_record import FeatureLevelRecord as FeatureLevelRecord
    from tidelog.protocol.metadata_records.fence_broker_record import FenceBrokerRecord as FenceBrokerRecord
    from tidelog.protocol.metadata_records.kraft_version_record import KRaftVersionRecord as KRaftVersionRecord
    from tidelog.protocol.metadata_records.leader_change_message import LeaderChangeMessage as LeaderChangeMessage
    from tidelog.protocol.metadata_records.no_op_record import NoOpRecord as NoOpRecord
    from tidelog.protocol.metadata_records.partition_change_record import PartitionChangeRecord as PartitionChangeRecord
    from tidelog.protocol.metadata_records.partition_record import PartitionRecord as PartitionRecord
    from tidelog.protocol.metadata_records.producer_ids_record import ProducerIdsRecord as ProducerIdsRecord
    from tidelog.protocol.metadata_records.quorum_state_data import QuorumStateData as QuorumStateData
    from tidelog.protocol.metadata_records.register_broker_record import RegisterBrokerRecord as RegisterBrokerRecord
    from tidelog.protocol.metadata_records.register_controller_record import (
        RegisterControllerRecord as RegisterControllerRecord,
    )
    from tidelog.protocol.metadata_records.remove_access_control_entry_record import (
        RemoveAccessControlEntryRecord as RemoveAccessControlEntryRecord,
    )
    from tidelog.protocol.metadata_records.remove_delegation_token_record import (
        RemoveDelegationTokenRecord as RemoveDelegationTokenRecord,
    )
    from tidelog.protocol.metadata_records.remove_topic_record import RemoveTopicRecord as RemoveTopicRecord
    from tidelog.protocol.metadata_records.remove_user_scram_credential_record import (
        RemoveUserScramCredentialRecord as RemoveUserScramCredentialRecord,
    )
    from tidelog.protocol.metadata_records.snapshot_footer_record import SnapshotFooterRecord as SnapshotFooterRecord
    from tidelog.protocol.metadata_records.snapshot_header_record import SnapshotHeaderRecord as SnapshotHeaderRecord
    from tidelog.protocol.metadata_records.topic_record import TopicRecord as TopicRecord
    from tidelog.protocol.metadata_records.unfence_broker_record import UnfenceBrokerRecord as UnfenceBrokerRecord
    from tidelog.protocol.metadata_records.unregister_broker_record import (
        UnregisterBrokerRecord as UnregisterBrokerRecord,
    )
    from tidelog.protocol.metadata_records.user_scram_credential_record import (
        UserScramCredentialRecord as UserScramCredentialRecord,
    )
    from tidelog.protocol.metadata_records.voters_record import VotersRecord as VotersRecord
    from tidelog.protocol.metadata_records.zk_migration_state_record import (
        ZkMigrationStateRecord as ZkMigrationStateRecord,
    )

_MODULES = {
    "AbortTransactionRecord": "abort_transaction_record",
    "AccessControlEntryRecord": "access_control_entry_record",
    "BeginTransactionRecord": "begin_transaction_record",
    "BrokerRegistrationChangeRecord": "broker_registration_change_record",
    "ClearElrRecord": "clear_elr_record",
    "ClientQuotaRecord": "client_quota_record",
    "ConfigRecord": "config_record",
    "DelegationTokenRecord": "delegation_token_record",
    "EndTransactionRecord": "end_transaction_record",
    "FeatureLevelRecord": "feature_level_record",
    "FenceBrokerRecord": "fence_broker_record",
    "KRaftVersionRecord": "kraft_version_record",
    "LeaderChangeMessage": "leader_change_message",
    "NoOpRecord": "no_op_record",
    "PartitionChangeRecord": "partition_change_record",
    "PartitionRecord": "partition_record",
    "ProducerIdsRecord": "producer_ids_record",
    "QuorumStateData": "quorum_state_data",
    "RegisterBrokerRecord": "register_broker_record",
    "RegisterControllerRecord": "register_controller_record",
    "RemoveAccessControlEntryRecord": "remove_access_control_entry_record",
    "RemoveDelegationTokenRecord": "remove_delegation_token_record",
    "RemoveTopicRecord": "remove_topic_record",
    "RemoveUserScramCredentialRecord": "remove_user_scram_credential_record",
    "SnapshotFooterRecord": "snapshot_footer_record",
    "SnapshotHeaderRecord": "snapshot_header_record",
    "TopicRecord": "topic_record",
    "UnfenceBrokerRecord": "unfence_broker_record",
    "UnregisterBrokerRecord": "unregister_broker_record",
    "UserScramCredentialRecord": "user_scram_credential_record",
    "VotersRecord": "voters_record",
    "ZkMigrationStateRecord": "zk_migration_state_record",
}

# The record type's number, and the class that reads it.
RECORDS = {
    0: "RegisterBrokerRecord",
    1: "UnregisterBrokerRecord",
    2: "TopicRecord",
    3: "PartitionRecord",
    4: "ConfigRecord",
    5: "PartitionChangeRecord",
    7: "FenceBrokerRecord",
    8: "UnfenceBrokerRecord",
    9: "RemoveTopicRecord",
    10: "DelegationTokenRecord",
    11: "UserScramCredentialRecord",
    12: "FeatureLevelRecord",
    14: "ClientQuotaRecord",
    15: "ProducerIdsRecord",
    17: "BrokerRegistrationChangeRecord",
    18: "AccessControlEntryRecord",
    19: "RemoveAccessControlEntryRecord",
    20: "NoOpRecord",
    21: "ZkMigrationStateRecord",
    22: "RemoveUserScramCredentialRecord",
    23: "BeginTransactionRecord",
    24: "EndTransactionRecord",
    25: "AbortTransactionRecord",
    26: "RemoveDelegationTokenRecord",
    27: "RegisterControllerRecord",
    28: "ClearElrRecord",
}


def __getattr__(name: str) -> type[Message]:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found: type[Message] = getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
    globals()[name] = found
    return found
