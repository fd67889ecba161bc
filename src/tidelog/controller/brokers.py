"""Registration of brokers and controllers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tidelog.config.endpoints import Endpoint
from tidelog.controller.elections import elections_for
from tidelog.controller.result import Environment, Result
from tidelog.metadata.features import SUPPORTED
from tidelog.metadata.image import MetadataImage
from tidelog.metadata.records import (
    BrokerRegistrationChangeRecord,
    MetadataRecord,
    RegisterBrokerRecord,
    RegisterControllerRecord,
)
from tidelog.protocol.errors import ErrorCode, KafkaError
from tidelog.protocol.metadata_records.register_broker_record import BrokerEndpoint, BrokerFeature
from tidelog.protocol.metadata_records.register_controller_record import ControllerEndpoint, ControllerFeature

UNFENCE = -1  # in a change record: -1 clears the fence, 1 sets it


class Registration(NamedTuple):
    """What a node says of itself when it starts. The incarnation tells one run of the process from the next."""

    node_id: int
    incarnation_id: bytes
    endpoints: Sequence[Endpoint]
    rack: str | None
    directories: Sequence[bytes]


def register_broker(image: MetadataImage, environment: Environment, broker: Registration) -> Result[int]:
    """The broker begins fenced; the response is its epoch, which is the offset of the record and so always grows."""
    level = image.features.metadata_version
    supported = SUPPORTED["metadata.version"]
    if not supported[0] <= level <= supported[1]:
        raise KafkaError(
            ErrorCode.UNSUPPORTED_VERSION,
            f"The cluster is at metadata.version {level}, and this software supports {supported[0]} to {supported[1]}.",
        )
    before = image.cluster.brokers.get(broker.node_id)
    if before is not None and before.incarnation_id == broker.incarnation_id:
        return Result([], before.epoch)
    record = RegisterBrokerRecord(
        broker_id=broker.node_id,
        incarnation_id=broker.incarnation_id,
        broker_epoch=environment.next_offset,
        end_points=[
            BrokerEndpoint(
                name=each.listener_name, host=each.host, port=each.port, security_protocol=each.security_protocol_id
            )
            for each in broker.endpoints
        ],
        features=[
            BrokerFeature(name=name, min_supported_version=low, max_supported_version=high)
            for name, (low, high) in sorted(SUPPORTED.items())
        ],
        rack=broker.rack,
        fenced=True,
        in_controlled_shutdown=False,
        log_dirs=sorted(broker.directories),
    )
    return Result([record], environment.next_offset)


def unfence_broker(image: MetadataImage, broker_id: int, epoch: int) -> Result[None]:
    """The broker has caught up with the log: it leads what waits for it."""
    broker = image.cluster.brokers.get(broker_id)
    if broker is None or broker.epoch != epoch:
        raise KafkaError(ErrorCode.STALE_BROKER_EPOCH)
    records: list[MetadataRecord] = []
    if broker.fenced:
        records.append(BrokerRegistrationChangeRecord(broker_id=broker_id, broker_epoch=epoch, fenced=UNFENCE))
        records += elections_for(image, broker_id)
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
            for name, (low, high) in sorted(SUPPORTED.items())
        ],
    )
    return Result([record], None)
