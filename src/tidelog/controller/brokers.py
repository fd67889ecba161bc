"""Brokers and controllers come and go: registration, fencing, and the end of a registration.

A broker registers fenced, with an epoch that is the offset of its record and so always grows. A new incarnation takes
the place of the old one, which leaves every in-sync set; if the old one did not stop cleanly, it also leaves the
eligible leaders, since it may have lost what it acknowledged.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from tidelog.config.endpoints import Endpoint
from tidelog.controller.leadership import (
    Rules,
    has_leaderships,
    in_isr,
    in_isr_or_elr,
    places,
    updates,
    without_leader,
)
from tidelog.controller.result import Environment, Result
from tidelog.metadata.cluster import Broker
from tidelog.metadata.features import METADATA_VERSION, SUPPORTED
from tidelog.metadata.image import MetadataImage
from tidelog.metadata.records import (
    BrokerRegistrationChangeRecord,
    MetadataRecord,
    RegisterBrokerRecord,
    RegisterControllerRecord,
    UnregisterBrokerRecord,
)
from tidelog.protocol.errors import ErrorCode, KafkaError
from tidelog.protocol.metadata_records.register_broker_record import BrokerEndpoint, BrokerFeature
from tidelog.protocol.metadata_records.register_controller_record import ControllerEndpoint, ControllerFeature

FENCE, UNFENCE = 1, -1  # in a change record; 0 leaves it
SHUTTING_DOWN = 1
Ranges = Mapping[str, tuple[int, int]]


class Registration(NamedTuple):
    """What a node says of itself when it starts. The incarnation tells one run of the process from the next."""

    node_id: int
    incarnation_id: bytes
    endpoints: Sequence[Endpoint]
    rack: str | None
    directories: Sequence[bytes]
    previous_epoch: int = -1  # as the last clean stop left it
    features: Ranges = SUPPORTED


def register_broker(image: MetadataImage, environment: Environment, broker: Registration) -> Result[int]:
    """The broker begins fenced; the response is its epoch."""
    _check_features(image, broker.features)
    _check_directories(image, broker)
    before = image.cluster.brokers.get(broker.node_id)
    if before is not None and before.incarnation_id == broker.incarnation_id:
        return Result([], before.epoch)
    records: list[MetadataRecord] = []
    if before is not None:
        records += _superseded(image, environment, before, broker.previous_epoch == before.epoch)
    epoch = environment.next_offset + len(records)
    records.append(
        RegisterBrokerRecord(
            broker_id=broker.node_id,
            incarnation_id=broker.incarnation_id,
            broker_epoch=epoch,
            end_points=[
                BrokerEndpoint(
                    name=each.listener_name, host=each.host, port=each.port, security_protocol=each.security_protocol_id
                )
                for each in broker.endpoints
            ],
            features=[
                BrokerFeature(name=name, min_supported_version=low, max_supported_version=high)
                for name, (low, high) in sorted(broker.features.items())
            ],
            rack=broker.rack,
            fenced=True,
            in_controlled_shutdown=False,
            log_dirs=sorted(broker.directories),
        )
    )
    return Result(records, epoch)


def _superseded(image: MetadataImage, environment: Environment, before: Broker, is_clean: bool) -> list[MetadataRecord]:
    rules = Rules(image, environment)
    if is_clean or not image.features.elr_enabled:
        return updates(rules, places(image, in_isr(before.id)), remove=before.id)
    return updates(rules, places(image, in_isr_or_elr(before.id)), unclean=before.id)


def _check_features(image: MetadataImage, features: Ranges) -> None:
    for name, level in sorted(image.features.levels.items()):
        low, high = features.get(name, (0, 0))
        if not low <= level <= high:
            raise KafkaError(
                ErrorCode.UNSUPPORTED_VERSION,
                f"Unable to register because the broker does not support finalized version {level} of {name}. The "
                f"broker wants a version between {low} and {high}, inclusive.",
            )
    if METADATA_VERSION not in features:
        raise KafkaError(ErrorCode.UNSUPPORTED_VERSION, "The broker does not say which metadata.version it supports.")


def _check_directories(image: MetadataImage, broker: Registration) -> None:
    if not broker.directories:
        raise KafkaError(ErrorCode.INVALID_REGISTRATION, "No directories specified in request")
    if len(set(broker.directories)) != len(broker.directories):
        raise KafkaError(ErrorCode.INVALID_REGISTRATION, "A directory is named twice in the registration.")
    for other in image.cluster.brokers.values():
        if other.id != broker.node_id and not set(other.directories).isdisjoint(broker.directories):
            raise KafkaError(
                ErrorCode.INVALID_REGISTRATION, f"A directory of the registration is in use by broker {other.id}."
            )


def check_broker_epoch(image: MetadataImage, broker_id: int, epoch: int) -> Broker:
    broker = image.cluster.brokers.get(broker_id)
    if broker is None:
        raise KafkaError(ErrorCode.STALE_BROKER_EPOCH, f"No broker registration found for broker id {broker_id}")
    if broker.epoch != epoch:
        raise KafkaError(
            ErrorCode.STALE_BROKER_EPOCH, f"Expected broker epoch {broker.epoch}, but got broker epoch {epoch}"
        )
    return broker


def unfence_broker(image: MetadataImage, environment: Environment, broker_id: int, epoch: int) -> Result[None]:
    """The broker has caught up with the log: it leads what waits for it."""
    broker = check_broker_epoch(image, broker_id, epoch)
    if not broker.fenced:
        return Result([], None)
    change = BrokerRegistrationChangeRecord(broker_id=broker_id, broker_epoch=epoch, fenced=UNFENCE)
    leaderless = updates(Rules(image, environment), places(image, without_leader), add=broker_id)
    return Result([change, *leaderless], None)


def fence_broker(image: MetadataImage, environment: Environment, broker_id: int, epoch: int) -> Result[None]:
    """The broker leads nothing and is in sync with nothing until it is heard of again."""
    broker = check_broker_epoch(image, broker_id, epoch)
    if broker.fenced:
        return Result([], None)
    records = updates(Rules(image, environment), places(image, in_isr(broker_id)), remove=broker_id)
    records.append(BrokerRegistrationChangeRecord(broker_id=broker_id, broker_epoch=epoch, fenced=FENCE))
    return Result(records, None)


def begin_shutdown(image: MetadataImage, environment: Environment, broker_id: int, epoch: int) -> Result[None]:
    """The broker wants to stop: others take over what they can, while it still serves."""
    broker = check_broker_epoch(image, broker_id, epoch)
    if broker.in_controlled_shutdown:
        return Result([], None)
    change = BrokerRegistrationChangeRecord(
        broker_id=broker_id, broker_epoch=epoch, in_controlled_shutdown=SHUTTING_DOWN
    )
    moved = updates(Rules(image, environment), places(image, in_isr(broker_id)), remove=broker_id)
    return Result([change, *moved], None)


def directories_offline(
    image: MetadataImage, environment: Environment, broker_id: int, epoch: int, offline: Sequence[bytes]
) -> Result[None]:
    """What lies in a failed directory has no replica there any more."""
    broker = check_broker_epoch(image, broker_id, epoch)
    lost = set(broker.directories).intersection(offline)
    if not lost:
        return Result([], None)
    held = in_isr(broker_id)
    affected = (
        place
        for place in places(image, held)
        if place.partition.directories[place.partition.replicas.index(broker_id)] in lost
    )
    records = updates(Rules(image, environment), affected, remove=broker_id)
    left = [each for each in broker.directories if each not in lost]
    records.append(BrokerRegistrationChangeRecord(broker_id=broker_id, broker_epoch=epoch, log_dirs=left))
    return Result(records, None)


def unregister_broker(image: MetadataImage, environment: Environment, broker_id: int) -> Result[None]:
    broker = image.cluster.brokers.get(broker_id)
    if broker is None:
        raise KafkaError(ErrorCode.BROKER_ID_NOT_REGISTERED, f"Broker ID {broker_id} is not currently registered")
    records = updates(Rules(image, environment), places(image, in_isr(broker_id)), remove=broker_id)
    records.append(UnregisterBrokerRecord(broker_id=broker_id, broker_epoch=broker.epoch))
    return Result(records, None)


def register_controller(image: MetadataImage, controller: Registration) -> Result[None]:
    before = image.cluster.controllers.get(controller.node_id)
    if before is not None and before.incarnation_id == controller.incarnation_id:
        return Result([], None)
    record = RegisterControllerRecord(
        controller_id=controller.node_id,
        incarnation_id=controller.incarnation_id,
        zk_migration_ready=False,
        end_points=[
            ControllerEndpoint(
                name=each.listener_name, host=each.host, port=each.port, security_protocol=each.security_protocol_id
            )
            for each in controller.endpoints
        ],
        features=[
            ControllerFeature(name=name, min_supported_version=low, max_supported_version=high)
            for name, (low, high) in sorted(controller.features.items())
        ],
    )
    return Result([record], None)


__all__ = [
    "Registration",
    "begin_shutdown",
    "check_broker_epoch",
    "directories_offline",
    "fence_broker",
    "has_leaderships",
    "register_broker",
    "register_controller",
    "unfence_broker",
    "unregister_broker",
]
