"""The image is a function of the log: replayed in one go, in pieces, after encoding, or from a snapshot in between."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from tidelog.config.broker_config import BrokerConfig, single_node_properties
from tidelog.controller.brokers import Registration, register_broker, unfence_broker
from tidelog.controller.configs import DELETE, SET, Change, ResourceChange, incremental_alter_configs
from tidelog.controller.partitions import create_partitions
from tidelog.controller.producer_ids import allocate_producer_ids
from tidelog.controller.result import Environment, Result
from tidelog.controller.topics import create_topics, delete_topics
from tidelog.metadata import configs
from tidelog.metadata.delta import MetadataDelta
from tidelog.metadata.image import EMPTY, MetadataImage, Provenance
from tidelog.metadata.records import (
    AccessControlEntryRecord,
    ClientQuotaRecord,
    FeatureLevelRecord,
    MetadataRecord,
    PartitionChangeRecord,
    RemoveAccessControlEntryRecord,
    decode_record,
    encode_record,
)
from tidelog.metadata.snapshot import SnapshotId, image_of, read_snapshot, snapshot_of
from tidelog.protocol.errors import KafkaError
from tidelog.protocol.messages.create_partitions import CreatePartitionsRequest, CreatePartitionsTopic
from tidelog.protocol.messages.create_topics import CreatableTopic, CreatableTopicConfig, CreateTopicsRequest
from tidelog.protocol.metadata_records.client_quota_record import EntityData

CONFIG = BrokerConfig.from_properties(single_node_properties("/data", 9092))
NAMES = ["a", "b", "a.b", "a_b", "__x"]

COMMANDS = st.lists(
    st.one_of(
        st.tuples(st.just("register"), st.integers(1, 4), st.sampled_from(["r1", "r2", None])),
        st.tuples(st.just("create"), st.sampled_from(NAMES), st.integers(1, 4), st.integers(1, 3)),
        st.tuples(st.just("delete"), st.sampled_from(NAMES)),
        st.tuples(st.just("grow"), st.sampled_from(NAMES), st.integers(2, 6)),
        st.tuples(st.just("set"), st.sampled_from(NAMES), st.sampled_from(["1", "2", None])),
        st.tuples(st.just("broker-set"), st.sampled_from(["", "1"]), st.sampled_from(["1000", "2000", None])),
        st.tuples(st.just("lead"), st.sampled_from(NAMES), st.integers(0, 3)),
        st.tuples(st.just("ids"), st.integers(1, 4)),
        st.tuples(st.just("acl"), st.integers(0, 3), st.booleans()),
        st.tuples(st.just("quota"), st.sampled_from(["u", None]), st.booleans()),
    ),
    max_size=30,
)


class World:
    def __init__(self, metadata_version: int) -> None:
        self.version = metadata_version
        self.image = EMPTY
        self.log: list[list[MetadataRecord]] = []
        self.ids = 0
        self.append([FeatureLevelRecord(name="metadata.version", feature_level=metadata_version)])

    def append(self, records: list[MetadataRecord]) -> None:
        if records:
            for record in records:
                encode_record(record, self.version)
            self.log.append(records)
            self.image = replayed(self.image, records)

    def environment(self) -> Environment:
        return Environment(CONFIG, self.new_id, lambda below: self.ids % below, self.image.provenance.offset + 1)

    def new_id(self) -> bytes:
        self.ids += 1
        return self.ids.to_bytes(16, "big")

    def do(self, step: tuple) -> None:
        try:
            result = getattr(self, "_" + step[0].replace("-", "_"))(*step[1:])
        except KafkaError:
            return
        self.append(list(result.records))

    def _register(self, node: int, rack: str | None) -> Result:
        registration = Registration(node, self.new_id(), [], rack, [bytes([node]) * 16])
        result = register_broker(self.image, self.environment(), registration)
        self.append(list(result.records))
        return unfence_broker(self.image, self.environment(), node, result.response)

    def _create(self, name: str, partitions: int, factor: int) -> Result:
        topic = CreatableTopic(
            name=name,
            num_partitions=partitions,
            replication_factor=factor,
            configs=[CreatableTopicConfig(name="retention.ms", value=str(partitions))],
        )
        return create_topics(self.image, self.environment(), CreateTopicsRequest(topics=[topic]))

    def _delete(self, name: str) -> Result:
        topic = self.image.topics.get(name)
        return delete_topics(self.image, [topic.id] if topic else [])

    def _grow(self, name: str, count: int) -> Result:
        wanted = CreatePartitionsTopic(name=name, count=count, assignments=None)
        return create_partitions(self.image, self.environment(), CreatePartitionsRequest(topics=[wanted]))

    def _set(self, name: str, value: str | None) -> Result:
        return self._alter(configs.TOPIC, name, "segment.ms", value)

    def _broker_set(self, name: str, value: str | None) -> Result:
        return self._alter(configs.BROKER, name, "log.retention.ms", value)

    def _alter(self, kind: int, name: str, key: str, value: str | None) -> Result:
        change = Change(key, DELETE if value is None else SET, value)
        resource = ResourceChange(kind, name, [change])
        return incremental_alter_configs(self.image, self.environment(), [resource], False)

    def _lead(self, name: str, index: int) -> Result:
        topic = self.image.topics.get(name)
        if topic is None or index >= len(topic.partitions):
            return Result([], None)
        last = topic.partitions[index].replicas[-1]
        return Result([PartitionChangeRecord(partition_id=index, topic_id=topic.id, leader=last, isr=[last])], None)

    def _ids(self, node: int) -> Result:
        broker = self.image.cluster.brokers.get(node)
        return allocate_producer_ids(self.image, node, broker.epoch if broker else -1)

    def _acl(self, number: int, remove: bool) -> Result:
        acl_id = bytes([number]) * 16
        if remove:
            return Result([RemoveAccessControlEntryRecord(id=acl_id)], None)
        return Result([AccessControlEntryRecord(id=acl_id, resource_name="a", principal="User:x", host="*")], None)

    def _quota(self, name: str | None, remove: bool) -> Result:
        entity = [EntityData(entity_type="user", entity_name=name)]
        return Result([ClientQuotaRecord(entity=entity, key="k", value=1.5, remove=remove)], None)


def replayed(image: MetadataImage, records: list[MetadataRecord]) -> MetadataImage:
    delta = MetadataDelta(image)
    delta.replay_all(records)
    return delta.apply(Provenance(image.provenance.offset + len(records), 1, 0))


@settings(max_examples=150, deadline=None)
@given(COMMANDS, st.sampled_from([30, 7, 16, 17, 22, 23, 29]), st.data())
def test_one_state_whichever_way_it_is_reached(steps: list[tuple], version: int, data: st.DataObject) -> None:
    world = World(version)
    for step in steps:
        world.do(step)
    world.image.check_invariants()
    records = [record for batch in world.log for record in batch]

    assert replayed(EMPTY, records) == world.image, "one delta over the whole log"

    stored = [decode_record(encode_record(record, version)) for record in records]
    assert replayed(EMPTY, stored) == world.image, "the stored form says the same"

    cut = data.draw(st.integers(1, len(world.log)))
    before = EMPTY
    for batch in world.log[:cut]:
        before = replayed(before, batch)
    snapshot_id = SnapshotId(before.provenance.offset + 1, 1)
    restored = image_of(read_snapshot(b"".join(snapshot_of(before, 0))), snapshot_id)
    restored.check_invariants()
    assert restored == before, "a snapshot is the log before it"
    for batch in world.log[cut:]:
        restored = replayed(restored, batch)
    assert restored == world.image, "and the log goes on behind it"
