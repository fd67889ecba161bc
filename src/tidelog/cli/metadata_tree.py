"""An image of the metadata as a tree of names, as kafka-metadata-shell shows it. A leaf is a text."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from tidelog.cli.flags import KAFKA_VERSION
from tidelog.metadata.features import METADATA_VERSION, metadata_version_name
from tidelog.metadata.image import MetadataImage
from tidelog.metadata.topics import Topic
from tidelog.model.uuids import to_text

Tree = Mapping[str, Any]
RESOURCES = {2: "TOPIC", 4: "BROKER", 8: "BROKER_LOGGER", 16: "CLIENT_METRICS", 32: "GROUP"}
PROTOCOLS = {0: "PLAINTEXT", 1: "SSL", 2: "SASL_PLAINTEXT", 3: "SASL_SSL"}
MECHANISMS = {1: "SCRAM-SHA-256", 2: "SCRAM-SHA-512"}
RECOVERY = {0: "RECOVERED", 1: "RECOVERING"}


def tree_of(image: MetadataImage) -> Tree:
    return {"image": _image(image), "local": {"commitId": "unknown", "version": KAFKA_VERSION}}


def _image(image: MetadataImage) -> Tree:
    at = image.provenance
    stamp = datetime.fromtimestamp(at.timestamp_ms / 1000, UTC)
    # Java leaves out what is zero at the end of a fraction.
    text = stamp.isoformat(timespec="milliseconds").removesuffix("+00:00").rstrip("0").rstrip(".") + "Z[UTC]"
    return {
        "acls": {"byId": {to_text(key): str(acl) for key, acl in image.security.acls.items()}},
        "clientQuotas": _quotas(image),
        "cluster": _cluster(image),
        "configs": _configs(image),
        "delegationToken": {key: str(token) for key, token in image.security.tokens.items()},
        "features": _features(image),
        "producerIds": {"nextProducerId": str(image.next_producer_id or -1)},
        "provenance": f"offset {at.offset}, epoch {at.epoch}, time {text}",
        "scram": _scram(image),
        "topics": _topics(image),
    }


def _features(image: MetadataImage) -> Tree:
    levels = image.features.levels
    found = {f"finalized_{name}": str(level) for name, level in levels.items() if name != METADATA_VERSION}
    version = levels.get(METADATA_VERSION)
    named = "Optional.empty" if version is None else f"Optional[{metadata_version_name(version)}]"
    return {**found, "metadataVersion": named}


def _cluster(image: MetadataImage) -> Tree:
    brokers, controllers = {}, {}
    for node_id, broker in image.cluster.brokers.items():
        cordoned = broker.cordoned_directories
        brokers[str(node_id)] = (
            f"BrokerRegistration(id={node_id}, epoch={broker.epoch}, incarnationId={to_text(broker.incarnation_id)}, "
            f"listeners=[{_endpoints(broker.endpoints)}], supportedFeatures={_supported(broker.features)}, "
            f"rack={'Optional.empty' if broker.rack is None else f'Optional[{broker.rack}]'}, "
            f"fenced={_flag(broker.fenced)}, inControlledShutdown={_flag(broker.in_controlled_shutdown)}, "
            f"isMigratingZkBroker=false, directories=[{', '.join(map(to_text, broker.directories))}], "
            f"cordonedDirectories={'null' if cordoned is None else '[' + ', '.join(map(to_text, cordoned)) + ']'})"
        )
    for node_id, controller in image.cluster.controllers.items():
        controllers[str(node_id)] = (
            f"ControllerRegistration(id={node_id}, incarnationId={to_text(controller.incarnation_id)}, "
            f"zkMigrationReady={_flag(controller.zk_migration_ready)}, listeners=[{_endpoints(controller.endpoints)}], "
            f"supportedFeatures={_supported(controller.features)})"
        )
    return {"brokers": brokers, "controllers": controllers}


def _endpoints(endpoints: Any) -> str:
    return ", ".join(
        f"Endpoint(listenerName='{name}', securityProtocol={PROTOCOLS.get(kind, kind)}, host='{host}', port={port})"
        for name, host, port, kind in sorted(endpoints)
    )


def _supported(features: Mapping[str, tuple[int, int]]) -> str:
    return "{" + ", ".join(f"{name}: {low}-{high}" for name, (low, high) in sorted(features.items())) + "}"


def _flag(value: bool) -> str:
    return "true" if value else "false"


def _configs(image: MetadataImage) -> Tree:
    found = {}
    for kind, table in image.configs.by_type.items():
        for name, overrides in table.items():
            label = RESOURCES.get(kind, str(kind))
            found[f"{label}:{name}" if name else label] = dict(overrides)
    return found


def _quotas(image: MetadataImage) -> Tree:
    found: dict[str, Any] = {}
    for entity, limits in image.security.quotas.items():
        name = "_".join(f"{kind}({'<default>' if value is None else value})" for kind, value in entity)
        found[name] = {key: str(value) for key, value in limits.items()}
    return found


def _scram(image: MetadataImage) -> Tree:
    found: dict[str, dict[str, str]] = {name: {} for name in MECHANISMS.values()}
    for (user, mechanism), record in image.security.scram.items():
        found[MECHANISMS.get(mechanism, str(mechanism))][user] = f"iterations={record.iterations}"
    return found


def _topics(image: MetadataImage) -> Tree:
    topics = {topic.name: _topic(topic) for topic in image.topics.by_id.values()}
    return {"byId": {tree["id"]: tree for tree in topics.values()}, "byName": topics}


def _topic(topic: Topic) -> Tree:
    found = {str(index): _partition(each) for index, each in enumerate(topic.partitions)}
    return {**found, "id": to_text(topic.id), "name": topic.name}


def _partition(each: Any) -> str:
    directories = "[" + ", ".join(map(to_text, each.directories)) + "]"
    return (
        f"PartitionRegistration(replicas={list(each.replicas)}, directories={directories}, isr={list(each.isr)}, "
        f"removingReplicas={list(each.removing_replicas)}, addingReplicas={list(each.adding_replicas)}, "
        f"elr={list(each.elr)}, lastKnownElr={list(each.last_known_elr)}, leader={each.leader}, "
        f"leaderRecoveryState={RECOVERY.get(each.leader_recovery_state, each.leader_recovery_state)}, "
        f"leaderEpoch={each.leader_epoch}, partitionEpoch={each.partition_epoch})"
    )
