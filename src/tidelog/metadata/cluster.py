"""Brokers and controllers that registered."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from tidelog.metadata.records import (
    BrokerRegistrationChangeRecord,
    FenceBrokerRecord,
    RegisterBrokerRecord,
    RegisterControllerRecord,
    UnfenceBrokerRecord,
    UnregisterBrokerRecord,
)


class Broker(NamedTuple):
    """The registration is the record itself, which is never changed in place once it is in an image."""

    id: int
    epoch: int
    incarnation_id: bytes
    endpoints: tuple[tuple[str, str, int, int], ...]  # listener name, host, port, security protocol
    features: Mapping[str, tuple[int, int]]
    rack: str | None
    fenced: bool
    in_controlled_shutdown: bool
    directories: tuple[bytes, ...]
    cordoned_directories: tuple[bytes, ...] | None

    @classmethod
    def from_record(cls, record: RegisterBrokerRecord) -> Broker:
        cordoned = record.cordoned_log_dirs
        return cls(
            id=record.broker_id,
            epoch=record.broker_epoch,
            incarnation_id=record.incarnation_id,
            endpoints=tuple((each.name, each.host, each.port, each.security_protocol) for each in record.end_points),
            features={each.name: (each.min_supported_version, each.max_supported_version) for each in record.features},
            rack=record.rack,
            fenced=record.fenced,
            in_controlled_shutdown=record.in_controlled_shutdown,
            directories=tuple(record.log_dirs),
            cordoned_directories=None if cordoned is None else tuple(cordoned),
        )

    def endpoint(self, listener_name: str) -> tuple[str, int] | None:
        for name, host, port, _ in self.endpoints:
            if name == listener_name:
                return host, port
        return None

    @property
    def active(self) -> bool:
        """Leads and follows partitions: not fenced, and not on its way out."""
        return not self.fenced and not self.in_controlled_shutdown


class Controller(NamedTuple):
    id: int
    incarnation_id: bytes
    zk_migration_ready: bool
    endpoints: tuple[tuple[str, str, int, int], ...]
    features: Mapping[str, tuple[int, int]]

    @classmethod
    def from_record(cls, record: RegisterControllerRecord) -> Controller:
        return cls(
            id=record.controller_id,
            incarnation_id=record.incarnation_id,
            zk_migration_ready=record.zk_migration_ready,
            endpoints=tuple((each.name, each.host, each.port, each.security_protocol) for each in record.end_points),
            features={each.name: (each.min_supported_version, each.max_supported_version) for each in record.features},
        )


class ClusterImage(NamedTuple):
    brokers: Mapping[int, Broker]
    controllers: Mapping[int, Controller]

    def live_brokers(self) -> list[Broker]:
        return [self.brokers[each] for each in sorted(self.brokers) if not self.brokers[each].fenced]


EMPTY_CLUSTER = ClusterImage(MappingProxyType({}), MappingProxyType({}))


class ClusterDelta:
    """`brokers` holds each broker that changed, None for one that was unregistered."""

    def __init__(self, image: ClusterImage) -> None:
        self.image = image
        self.brokers: dict[int, Broker | None] = {}
        self.controllers: dict[int, Controller] = {}

    def __bool__(self) -> bool:
        return bool(self.brokers or self.controllers)

    def replay_register_broker(self, record: RegisterBrokerRecord) -> None:
        self.brokers[record.broker_id] = Broker.from_record(record)

    def replay_unregister_broker(self, record: UnregisterBrokerRecord) -> None:
        self.brokers[record.broker_id] = None

    def replay_fence_broker(self, record: FenceBrokerRecord) -> None:
        self.brokers[record.id] = self._broker(record.id)._replace(fenced=True)

    def replay_unfence_broker(self, record: UnfenceBrokerRecord) -> None:
        self.brokers[record.id] = self._broker(record.id)._replace(fenced=False)

    def replay_registration_change(self, record: BrokerRegistrationChangeRecord) -> None:
        """In a change 0 means "as it was"; 1 sets and -1 clears, except that -1 unfences."""
        broker = self._broker(record.broker_id)
        if record.fenced:
            broker = broker._replace(fenced=record.fenced == 1)
        if record.in_controlled_shutdown:
            broker = broker._replace(in_controlled_shutdown=record.in_controlled_shutdown == 1)
        if record.log_dirs:
            broker = broker._replace(directories=tuple(record.log_dirs))
        if record.cordoned_log_dirs is not None:
            broker = broker._replace(cordoned_directories=tuple(record.cordoned_log_dirs))
        self.brokers[record.broker_id] = broker

    def replay_register_controller(self, record: RegisterControllerRecord) -> None:
        self.controllers[record.controller_id] = Controller.from_record(record)

    def apply(self) -> ClusterImage:
        if not self:
            return self.image
        brokers = {**self.image.brokers, **self.brokers}
        return ClusterImage(
            {node: broker for node, broker in brokers.items() if broker is not None},
            {**self.image.controllers, **self.controllers},
        )

    def _broker(self, broker_id: int) -> Broker:
        found = self.brokers.get(broker_id, self.image.brokers.get(broker_id))
        assert found is not None, f"a change of broker {broker_id}, which is not registered"
        return found
