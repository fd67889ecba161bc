"""Changes of finalized feature levels: all of a request, or none."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tidelog.controller.result import Environment, Result
from tidelog.metadata import configs
from tidelog.metadata.features import ELR_VERSION, KRAFT_VERSION, METADATA_VERSION, SUPPORTED
from tidelog.metadata.image import MetadataImage
from tidelog.metadata.records import (
    ELR_FROM,
    ConfigRecord,
    FeatureLevelRecord,
    MetadataRecord,
)
from tidelog.protocol.errors import ErrorCode, KafkaError

UPGRADE, SAFE_DOWNGRADE, UNSAFE_DOWNGRADE = 1, 2, 3
# Levels of metadata.version that brought new records or fields: going back over one would lose what they say.
CHANGED_RECORDS = (7, 8, 11, 13, 14, 15, 17, 23, 30)
MIN_INSYNC_REPLICAS = "min.insync.replicas"


class FeatureUpdate(NamedTuple):
    name: str
    level: int
    upgrade_type: int


def update_features(
    image: MetadataImage,
    environment: Environment,
    updates: Sequence[FeatureUpdate],
    validate_only: bool,
    kraft_version: int = 0,
) -> Result[None]:
    """`kraft_version` is the one in force: it stands in control records, with the voters, and is not changed here."""
    records: list[MetadataRecord] = []
    for update in updates:
        if update.name == KRAFT_VERSION:
            _check_supported(image, environment, update, kraft_version)
            if update.level < kraft_version:
                raise _refused(update, "Can't downgrade the version of this feature.")
        else:
            records += _update(image, environment, update)
    return Result([] if validate_only else records, None)


def _update(image: MetadataImage, environment: Environment, update: FeatureUpdate) -> list[MetadataRecord]:
    current = image.features.levels.get(update.name, 0)
    _check_supported(image, environment, update, current)
    _check_direction(update, current)
    if update.name == METADATA_VERSION:
        _check_metadata_version(update, current)
    if update.name == ELR_VERSION and update.level and image.features.metadata_version < ELR_FROM:
        raise _refused(update, f"{ELR_VERSION}={update.level} needs {METADATA_VERSION} {ELR_FROM}.")
    if update.level == current:
        return []
    records: list[MetadataRecord] = [FeatureLevelRecord(name=update.name, feature_level=update.level)]
    if update.name == ELR_VERSION:
        records += _eligible_leaders(image, environment, update.level)
    return records


def _check_supported(image: MetadataImage, environment: Environment, update: FeatureUpdate, current: int) -> None:
    if update.upgrade_type not in (UPGRADE, SAFE_DOWNGRADE, UNSAFE_DOWNGRADE):
        raise _refused(update, "The controller does not support the given upgrade type.")
    if update.level < 0:
        raise _refused(update, "A feature version cannot be less than 0.")
    if update.name not in SUPPORTED and update.level == 0 and not current:
        raise _refused(update, f"Feature {update.name} not found.")
    _check_range(update, SUPPORTED.get(update.name), f"Local controller {environment.config.node_id}")
    for node_id, broker in sorted(image.cluster.brokers.items()):
        _check_range(update, broker.features.get(update.name), f"Broker {node_id}")
    for node_id, controller in sorted(image.cluster.controllers.items()):
        _check_range(update, controller.features.get(update.name), f"Controller {node_id}")


def _check_range(update: FeatureUpdate, supported: tuple[int, int] | None, who: str) -> None:
    if supported is None:
        if update.level:
            raise _refused(update, f"{who} does not support this feature.")
    elif not supported[0] <= update.level <= supported[1]:
        raise _refused(update, f"{who} only supports versions {supported[0]}-{supported[1]}")


def _check_direction(update: FeatureUpdate, current: int) -> None:
    if update.level < current and update.upgrade_type == UPGRADE:
        raise _refused(
            update,
            "Can't downgrade the version of this feature without setting the upgrade type to either safe or unsafe "
            "downgrade.",
        )


def _check_metadata_version(update: FeatureUpdate, current: int) -> None:
    lost = any(update.level < level <= current for level in CHANGED_RECORDS)
    if update.level >= current or not lost:
        return
    reason = "Refusing to perform the requested downgrade because it might delete metadata information."
    if update.upgrade_type == UNSAFE_DOWNGRADE:
        reason = "Unsafe metadata downgrade is not supported in this version."
    raise KafkaError(
        ErrorCode.INVALID_UPDATE_VERSION,
        f"Unsupported metadata.version downgrade from {current} to {update.level}. {reason}",
    )


def _eligible_leaders(image: MetadataImage, environment: Environment, level: int) -> list[MetadataRecord]:
    """The number that eligibility depends on must be the cluster's own, and no node's."""
    records: list[MetadataRecord] = []
    if not level:
        return records
    if MIN_INSYNC_REPLICAS not in image.configs.get(configs.BROKER, ""):
        value = str(environment.config.min_insync_replicas)
        records.append(
            ConfigRecord(resource_type=configs.BROKER, resource_name="", name=MIN_INSYNC_REPLICAS, value=value)
        )
    own = [
        broker
        for broker in image.configs.resources(configs.BROKER)
        if broker and MIN_INSYNC_REPLICAS in image.configs.get(configs.BROKER, broker)
    ]
    return records + [
        ConfigRecord(resource_type=configs.BROKER, resource_name=broker, name=MIN_INSYNC_REPLICAS, value=None)
        for broker in own
    ]


def _refused(update: FeatureUpdate, reason: str) -> KafkaError:
    return KafkaError(
        ErrorCode.INVALID_UPDATE_VERSION, f"Invalid update version {update.level} for feature {update.name}. {reason}"
    )
