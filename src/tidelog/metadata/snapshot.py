"""Snapshots of the metadata log: an image as records, and the checkpoint files that hold them.

A file is named by the end offset and epoch of the log it stands for. It begins with a header control record and ends
with a footer; a file without a footer was not finished.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import NamedTuple

from tidelog.metadata.cluster import Broker, Controller
from tidelog.metadata.control import ControlRecord, ControlValue, control_batch, control_value, read_control
from tidelog.metadata.delta import MetadataDelta
from tidelog.metadata.features import METADATA_VERSION
from tidelog.metadata.image import EMPTY, MetadataImage, Provenance
from tidelog.metadata.records import (
    ClientQuotaRecord,
    ConfigRecord,
    FeatureLevelRecord,
    MetadataRecord,
    ProducerIdsRecord,
    RegisterBrokerRecord,
    RegisterControllerRecord,
    TopicRecord,
    UnreadableRecord,
    decode_record,
    encode_record,
)
from tidelog.protocol.metadata_records.client_quota_record import EntityData
from tidelog.protocol.metadata_records.register_broker_record import BrokerEndpoint, BrokerFeature
from tidelog.protocol.metadata_records.register_controller_record import ControllerEndpoint, ControllerFeature
from tidelog.protocol.metadata_records.snapshot_footer_record import SnapshotFooterRecord
from tidelog.protocol.metadata_records.snapshot_header_record import SnapshotHeaderRecord
from tidelog.protocol.record_batch import Record, build_batch, check_crc, decode_records, iter_batches

BATCH_RECORDS = 1000
_NAME = re.compile(r"(\d{20})-(\d{10})\.checkpoint")
BOOTSTRAP_NAME = "bootstrap.checkpoint"


class SnapshotId(NamedTuple):
    """`offset` is the first one that the snapshot does not contain."""

    offset: int
    epoch: int

    @property
    def file_name(self) -> str:
        return f"{self.offset:020d}-{self.epoch:010d}.checkpoint"

    @classmethod
    def from_file_name(cls, name: str) -> SnapshotId | None:
        match = _NAME.fullmatch(name)
        return cls(int(match[1]), int(match[2])) if match else None


def image_records(image: MetadataImage) -> Iterator[MetadataRecord]:
    """Records that give this image when replayed onto an empty one. The metadata version comes first."""
    levels = image.features.levels
    for name in sorted(levels, key=lambda name: (name != METADATA_VERSION, name)):
        yield FeatureLevelRecord(name=name, feature_level=levels[name])
    for _, controller in sorted(image.cluster.controllers.items()):
        yield _controller_record(controller)
    for _, broker in sorted(image.cluster.brokers.items()):
        yield _broker_record(broker)
    for topic in image.topics.by_id.values():
        yield TopicRecord(name=topic.name, topic_id=topic.id)
        for index, partition in enumerate(topic.partitions):
            yield partition.to_record(topic.id, index)
    for resource_type, table in sorted(image.configs.by_type.items()):
        for name, overrides in table.items():
            for key, value in overrides.items():
                yield ConfigRecord(resource_type=resource_type, resource_name=name, name=key, value=value)
    yield from _security_records(image)
    if image.next_producer_id:
        yield ProducerIdsRecord(broker_id=-1, broker_epoch=-1, next_producer_id=image.next_producer_id)


def write_snapshot(
    records: Iterable[MetadataRecord],
    epoch: int,
    metadata_version: int,
    last_contained_timestamp_ms: int,
    now_ms: int,
    controls: Iterable[ControlValue] = (),
) -> Iterator[bytes]:
    """The batches of a checkpoint file, in order; `controls` (kraft.version and voters) follow the header."""
    header = SnapshotHeaderRecord(version=0, last_contained_log_timestamp=last_contained_timestamp_ms)
    values = [control_value(header), *controls]
    yield control_batch(values, 0, epoch, now_ms)
    offset = len(values)
    pending = iter(records)
    while chunk := list(islice(pending, BATCH_RECORDS)):
        batch = [
            Record(offset + index, now_ms, None, encode_record(each, metadata_version))
            for index, each in enumerate(chunk)
        ]
        yield build_batch(batch, offset, partition_leader_epoch=epoch)
        offset += len(chunk)
    yield control_batch([control_value(SnapshotFooterRecord(version=0))], offset, epoch, now_ms)


class Snapshot(NamedTuple):
    records: list[MetadataRecord]
    last_contained_timestamp_ms: int
    controls: list[ControlRecord]  # kraft.version and the voters, if they are kept in the log


def read_snapshot(data: bytes | memoryview) -> Snapshot:
    """The records of a checkpoint file; UnreadableRecord when it is damaged or was not finished."""
    records: list[MetadataRecord] = []
    controls: list[ControlRecord] = []
    header: SnapshotHeaderRecord | None = None
    finished = False
    for position, batch in iter_batches(data):
        check_crc(data, position, batch)
        decoded = decode_records(data, position, header=batch)
        if not batch.is_control:
            records += [decode_record(each.value) for each in decoded]
            continue
        for control in map(read_control, decoded):
            if isinstance(control, SnapshotHeaderRecord):
                header = control
            elif isinstance(control, SnapshotFooterRecord):
                finished = True
            elif control is not None:
                controls.append(control)
    if header is None or not finished:
        raise UnreadableRecord("a snapshot of the metadata log has no header or no footer; it was not finished")
    return Snapshot(records, header.last_contained_log_timestamp, controls)


def image_of(snapshot: Snapshot, snapshot_id: SnapshotId) -> MetadataImage:
    delta = MetadataDelta(EMPTY)
    delta.replay_all(snapshot.records)
    return delta.apply(Provenance(snapshot_id.offset - 1, snapshot_id.epoch, snapshot.last_contained_timestamp_ms))


def snapshot_of(image: MetadataImage, now_ms: int, controls: Iterable[ControlRecord] = ()) -> Iterator[bytes]:
    version = image.features.metadata_version
    at = image.provenance
    values = [control_value(each) for each in controls]
    return write_snapshot(image_records(image), at.epoch, version, at.timestamp_ms, now_ms, values)


def _broker_record(broker: Broker) -> RegisterBrokerRecord:
    cordoned = broker.cordoned_directories
    return RegisterBrokerRecord(
        broker_id=broker.id,
        incarnation_id=broker.incarnation_id,
        broker_epoch=broker.epoch,
        end_points=[
            BrokerEndpoint(name=name, host=host, port=port, security_protocol=protocol)
            for name, host, port, protocol in broker.endpoints
        ],
        features=[
            BrokerFeature(name=name, min_supported_version=low, max_supported_version=high)
            for name, (low, high) in broker.features.items()
        ],
        rack=broker.rack,
        fenced=broker.fenced,
        in_controlled_shutdown=broker.in_controlled_shutdown,
        log_dirs=list(broker.directories),
        cordoned_log_dirs=None if cordoned is None else list(cordoned),
    )


def _controller_record(controller: Controller) -> RegisterControllerRecord:
    return RegisterControllerRecord(
        controller_id=controller.id,
        incarnation_id=controller.incarnation_id,
        zk_migration_ready=controller.zk_migration_ready,
        end_points=[
            ControllerEndpoint(name=name, host=host, port=port, security_protocol=protocol)
            for name, host, port, protocol in controller.endpoints
        ],
        features=[
            ControllerFeature(name=name, min_supported_version=low, max_supported_version=high)
            for name, (low, high) in controller.features.items()
        ],
    )


def _security_records(image: MetadataImage) -> Iterator[MetadataRecord]:
    security = image.security
    for entity, limits in security.quotas.items():
        for key, value in limits.items():
            data = [EntityData(entity_type=kind, entity_name=name) for kind, name in entity]
            yield ClientQuotaRecord(entity=data, key=key, value=value, remove=False)
    yield from security.acls.values()
    yield from security.scram.values()
    yield from security.tokens.values()
