"""The records of the metadata log: their classes by type, and the frame around each one.

A record's value is a frame version (1), the record type and the record version as unsigned varints, then the body.
"""

from __future__ import annotations

from typing import Any, TypeAlias

from tidelog.protocol.metadata_records.abort_transaction_record import AbortTransactionRecord
from tidelog.protocol.metadata_records.access_control_entry_record import AccessControlEntryRecord
from tidelog.protocol.metadata_records.begin_transaction_record import BeginTransactionRecord
from tidelog.protocol.metadata_records.broker_registration_change_record import BrokerRegistrationChangeRecord
from tidelog.protocol.metadata_records.clear_elr_record import ClearElrRecord
from tidelog.protocol.metadata_records.client_quota_record import ClientQuotaRecord
from tidelog.protocol.metadata_records.config_record import ConfigRecord
from tidelog.protocol.metadata_records.delegation_token_record import DelegationTokenRecord
from tidelog.protocol.metadata_records.end_transaction_record import EndTransactionRecord
from tidelog.protocol.metadata_records.feature_level_record import FeatureLevelRecord
from tidelog.protocol.metadata_records.fence_broker_record import FenceBrokerRecord
from tidelog.protocol.metadata_records.no_op_record import NoOpRecord
from tidelog.protocol.metadata_records.partition_change_record import PartitionChangeRecord
from tidelog.protocol.metadata_records.partition_record import PartitionRecord
from tidelog.protocol.metadata_records.producer_ids_record import ProducerIdsRecord
from tidelog.protocol.metadata_records.register_broker_record import RegisterBrokerRecord
from tidelog.protocol.metadata_records.register_controller_record import RegisterControllerRecord
from tidelog.protocol.metadata_records.remove_access_control_entry_record import RemoveAccessControlEntryRecord
from tidelog.protocol.metadata_records.remove_delegation_token_record import RemoveDelegationTokenRecord
from tidelog.protocol.metadata_records.remove_topic_record import RemoveTopicRecord
from tidelog.protocol.metadata_records.remove_user_scram_credential_record import RemoveUserScramCredentialRecord
from tidelog.protocol.metadata_records.topic_record import TopicRecord
from tidelog.protocol.metadata_records.unfence_broker_record import UnfenceBrokerRecord
from tidelog.protocol.metadata_records.unregister_broker_record import UnregisterBrokerRecord
from tidelog.protocol.metadata_records.user_scram_credential_record import UserScramCredentialRecord
from tidelog.protocol.metadata_records.zk_migration_state_record import ZkMigrationStateRecord
from tidelog.protocol.primitives import DecodeError

__all__ = [
    "AbortTransactionRecord",
    "AccessControlEntryRecord",
    "BeginTransactionRecord",
    "BrokerRegistrationChangeRecord",
    "ClearElrRecord",
    "ClientQuotaRecord",
    "ConfigRecord",
    "DelegationTokenRecord",
    "EndTransactionRecord",
    "FeatureLevelRecord",
    "FenceBrokerRecord",
    "MetadataRecord",
    "NoOpRecord",
    "PartitionChangeRecord",
    "PartitionRecord",
    "ProducerIdsRecord",
    "RegisterBrokerRecord",
    "RegisterControllerRecord",
    "RemoveAccessControlEntryRecord",
    "RemoveDelegationTokenRecord",
    "RemoveTopicRecord",
    "RemoveUserScramCredentialRecord",
    "TopicRecord",
    "UnfenceBrokerRecord",
    "UnreadableRecord",
    "UnregisterBrokerRecord",
    "UserScramCredentialRecord",
    "ZkMigrationStateRecord",
    "decode_record",
    "encode_record",
    "write_version",
]

MetadataRecord: TypeAlias = (
    AbortTransactionRecord
    | AccessControlEntryRecord
    | BeginTransactionRecord
    | BrokerRegistrationChangeRecord
    | ClearElrRecord
    | ClientQuotaRecord
    | ConfigRecord
    | DelegationTokenRecord
    | EndTransactionRecord
    | FeatureLevelRecord
    | FenceBrokerRecord
    | NoOpRecord
    | PartitionChangeRecord
    | PartitionRecord
    | ProducerIdsRecord
    | RegisterBrokerRecord
    | RegisterControllerRecord
    | RemoveAccessControlEntryRecord
    | RemoveDelegationTokenRecord
    | RemoveTopicRecord
    | RemoveUserScramCredentialRecord
    | TopicRecord
    | UnfenceBrokerRecord
    | UnregisterBrokerRecord
    | UserScramCredentialRecord
    | ZkMigrationStateRecord
)

_TYPES: tuple[Any, ...] = (
    AbortTransactionRecord,
    AccessControlEntryRecord,
    BeginTransactionRecord,
    BrokerRegistrationChangeRecord,
    ClearElrRecord,
    ClientQuotaRecord,
    ConfigRecord,
    DelegationTokenRecord,
    EndTransactionRecord,
    FeatureLevelRecord,
    FenceBrokerRecord,
    NoOpRecord,
    PartitionChangeRecord,
    PartitionRecord,
    ProducerIdsRecord,
    RegisterBrokerRecord,
    RegisterControllerRecord,
    RemoveAccessControlEntryRecord,
    RemoveDelegationTokenRecord,
    RemoveTopicRecord,
    RemoveUserScramCredentialRecord,
    TopicRecord,
    UnfenceBrokerRecord,
    UnregisterBrokerRecord,
    UserScramCredentialRecord,
    ZkMigrationStateRecord,
)
CLASSES: dict[int, Any] = {each.API_KEY: each for each in _TYPES}

FRAME_VERSION = 1
DIRECTORIES_FROM = 17  # metadata.version 3.7-IV2
ELR_FROM = 23  # metadata.version 4.0-IV1
CORDONED_FROM = 30  # metadata.version 4.3-IV0


class UnreadableRecord(ValueError):
    """A record of the metadata log that this software does not know; a newer one may have written it."""


def write_version(record: MetadataRecord, metadata_version: int) -> int:
    """The record version that every node at this metadata.version can read."""
    if isinstance(record, PartitionRecord | PartitionChangeRecord):
        return 2 if metadata_version >= ELR_FROM else 1 if metadata_version >= DIRECTORIES_FROM else 0
    if isinstance(record, RegisterBrokerRecord):
        if metadata_version >= CORDONED_FROM:
            return 4
        return 3 if metadata_version >= DIRECTORIES_FROM else 1
    if isinstance(record, BrokerRegistrationChangeRecord):
        if record.cordoned_log_dirs is not None:
            return 3
        return 2 if record.log_dirs else 1 if record.in_controlled_shutdown else 0
    return 0


def fit(record: MetadataRecord, metadata_version: int) -> int:
    """Takes out of a record what a cluster at this metadata.version does not know; gives the version to write it in."""
    version = write_version(record, metadata_version)
    if isinstance(record, PartitionRecord | PartitionChangeRecord):
        if version < 2:
            record.eligible_leader_replicas = record.last_known_elr = None
        if version < 1:
            record.directories = [] if isinstance(record, PartitionRecord) else None
    elif isinstance(record, RegisterBrokerRecord):
        if version < 4:
            record.cordoned_log_dirs = None
        if version < 3:
            record.log_dirs = []
    return version


def encode_record(record: MetadataRecord, metadata_version: int) -> bytes:
    """The stored form; the record is changed to what it says."""
    version = fit(record, metadata_version)
    return bytes((FRAME_VERSION, record.API_KEY, version)) + record.encode(version)


def decode_record(value: bytes | memoryview | None) -> MetadataRecord:
    if value is None or len(value) < 3:
        raise UnreadableRecord("a record of the metadata log has no frame; the log is damaged")
    frame, key, version = value[0], value[1], value[2]
    cls = CLASSES.get(key)
    if frame != FRAME_VERSION or cls is None or not cls.VERSIONS[0] <= version <= cls.VERSIONS[1]:
        raise UnreadableRecord(
            f"a record of the metadata log has frame version {frame}, type {key} and version {version}, which this "
            "software does not know; start the node with the software that wrote it"
        )
    try:
        found: MetadataRecord = cls.decode(value[3:], version)
    except DecodeError as error:
        raise UnreadableRecord(f"a {cls.__name__} of the metadata log cannot be read: {error}") from error
    return found
