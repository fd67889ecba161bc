"""Images and an environment for commands, without any clock, disk or chance."""

from collections.abc import Callable, Sequence

import pytest

from tidelog.config.broker_config import BrokerConfig, single_node_properties
from tidelog.controller.result import Environment, Result
from tidelog.metadata import records as r
from tidelog.metadata.delta import MetadataDelta
from tidelog.metadata.features import SUPPORTED
from tidelog.metadata.image import EMPTY, MetadataImage, Provenance
from tidelog.protocol.metadata_records.register_broker_record import BrokerFeature


def applied(image: MetadataImage, records: Sequence[r.MetadataRecord]) -> MetadataImage:
    delta = MetadataDelta(image)
    delta.replay_all(records)
    after = delta.apply(Provenance(image.provenance.offset + len(records), 1, 0))
    after.check_invariants()
    return after


class Cluster:
    """The newest image, and the way to change it: a command's records, replayed."""

    def __init__(self, brokers: int = 1, racks: Sequence[str | None] = (), **settings: str) -> None:
        properties = single_node_properties("/data", 9092)
        self.config = BrokerConfig.from_properties(
            properties | {name.replace("_", "."): value for name, value in settings.items()}
        )
        self.ids = 0
        self.picked = 0
        self.image = applied(EMPTY, [r.FeatureLevelRecord(name="metadata.version", feature_level=30)])
        for index in range(brokers):
            rack = racks[index] if racks else None
            self.register(index + 1, rack)

    def register(self, broker_id: int, rack: str | None = None, fenced: bool = False, dirs: int = 1) -> None:
        self.image = applied(
            self.image,
            [
                r.RegisterBrokerRecord(
                    broker_id=broker_id,
                    broker_epoch=broker_id,
                    incarnation_id=bytes(15) + bytes([broker_id]),
                    features=[
                        BrokerFeature(name=name, min_supported_version=low, max_supported_version=high)
                        for name, (low, high) in SUPPORTED.items()
                    ],
                    rack=rack,
                    fenced=fenced,
                    log_dirs=[bytes([broker_id, each]) * 8 for each in range(dirs)],
                )
            ],
        )

    def environment(self) -> Environment:
        return Environment(
            self.config, self.new_id, lambda below: self.picked % below, self.image.provenance.offset + 1
        )

    def new_id(self) -> bytes:
        self.ids += 1
        return self.ids.to_bytes(16, "big")

    def replay(self, records: Sequence[r.MetadataRecord]) -> None:
        self.image = applied(self.image, records)

    def do(self, command: Callable[..., Result], *args: object):
        result = command(self.image, self.environment(), *args)
        self.image = applied(self.image, result.records)
        return result.response


@pytest.fixture
def cluster() -> Cluster:
    return Cluster()


@pytest.fixture
def make_cluster() -> type[Cluster]:
    return Cluster
