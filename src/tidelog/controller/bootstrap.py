"""The first records of a cluster."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tidelog.config.broker_config import BrokerConfig
from tidelog.metadata import configs
from tidelog.metadata.features import ELR_VERSION, levels_of_release
from tidelog.metadata.records import (
    BeginTransactionRecord,
    ConfigRecord,
    EndTransactionRecord,
    FeatureLevelRecord,
    MetadataRecord,
)


def feature_records(levels: Mapping[str, int]) -> list[MetadataRecord]:
    return [FeatureLevelRecord(name=name, feature_level=level) for name, level in levels.items() if level]


def fresh_records() -> list[MetadataRecord]:
    """The features of a new cluster, when nobody chose others by formatting."""
    return feature_records(levels_of_release())


def with_defaults(bootstrap: Sequence[MetadataRecord], config: BrokerConfig) -> list[MetadataRecord]:
    """One transaction of what formatting left, and of the settings that must be the same on all nodes."""
    records: list[MetadataRecord] = [BeginTransactionRecord(name="Bootstrap records"), *bootstrap]
    eligible_leaders = any(
        isinstance(each, FeatureLevelRecord) and each.name == ELR_VERSION and each.feature_level for each in bootstrap
    )
    if eligible_leaders:
        # Which replicas may lead depends on it, so from here on the quorum decides it and not each node's file.
        records.append(
            ConfigRecord(
                resource_type=configs.BROKER,
                resource_name="",
                name="min.insync.replicas",
                value=str(config.min_insync_replicas),
            )
        )
    return [*records, EndTransactionRecord()]
