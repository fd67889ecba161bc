"""Records change the image, and nothing else does."""

import pytest

from tidelog.metadata import configs
from tidelog.metadata import records as r
from tidelog.metadata.delta import MetadataDelta
from tidelog.metadata.image import EMPTY, MetadataImage, Provenance
from tidelog.metadata.transactions import TransactionFilter
from tidelog.protocol.metadata_records.client_quota_record import EntityData

ID = bytes(range(16))
OTHER = bytes(range(16, 32))


def replay(image: MetadataImage, *records: r.MetadataRecord) -> MetadataImage:
    delta = MetadataDelta(image)
    delta.replay_all(records)
    after = delta.apply(Provenance(image.provenance.offset + len(records), 1, 0))
    after.check_invariants()
    return after


def topic(name: str = "a", topic_id: bytes = ID, partitions: int = 1) -> list[r.MetadataRecord]:
    return [
        r.TopicRecord(name=name, topic_id=topic_id),
        *(
            r.PartitionRecord(
                partition_id=index,
                topic_id=topic_id,
                replicas=[1, 2],
                isr=[1, 2],
                leader=1,
                leader_epoch=0,
                partition_epoch=0,
                directories=[bytes(16), bytes(16)],
            )
            for index in range(partitions)
        ),
    ]


def test_a_topic_comes_with_its_partitions() -> None:
    image = replay(EMPTY, *topic(partitions=3))
    assert [partition.leader for partition in image.topics.get("a").partitions] == [1, 1, 1]
    assert image.topics.partition_count == 3
    assert EMPTY.topics.get("a") is None


def test_a_partition_change_keeps_what_it_does_not_name() -> None:
    image = replay(EMPTY, *topic())
    image = replay(image, r.PartitionChangeRecord(partition_id=0, topic_id=ID, isr=[2]))
    partition = image.topics.get("a").partitions[0]
    assert (partition.isr, partition.leader, partition.leader_epoch, partition.partition_epoch) == ((2,), 1, 0, 1)
    image = replay(image, r.PartitionChangeRecord(partition_id=0, topic_id=ID, leader=2))
    partition = image.topics.get("a").partitions[0]
    assert (partition.leader, partition.leader_epoch, partition.partition_epoch) == (2, 1, 2)


def test_the_same_leader_again_is_a_new_leader_epoch() -> None:
    image = replay(EMPTY, *topic(), r.PartitionChangeRecord(partition_id=0, topic_id=ID, leader=1))
    assert image.topics.get("a").partitions[0].leader_epoch == 1


def test_a_removed_topic_takes_its_settings_along_and_may_come_back() -> None:
    setting = r.ConfigRecord(resource_type=configs.TOPIC, resource_name="a", name="retention.ms", value="1")
    image = replay(EMPTY, *topic(), setting)
    assert image.configs.get(configs.TOPIC, "a") == {"retention.ms": "1"}
    gone = replay(image, r.RemoveTopicRecord(topic_id=ID))
    assert gone.topics.get("a") is None
    assert gone.configs.get(configs.TOPIC, "a") == {}
    back = replay(image, r.RemoveTopicRecord(topic_id=ID), *topic(topic_id=OTHER, partitions=2))
    assert back.topics.get("a").id == OTHER
    assert back.topics.by_id.get(ID) is None
    assert back.topics.partition_count == 2
    assert back.configs.get(configs.TOPIC, "a") == {}


def test_a_setting_without_value_is_gone() -> None:
    record = r.ConfigRecord(resource_type=configs.BROKER, resource_name="", name="log.retention.ms", value="1")
    image = replay(EMPTY, record)
    image = replay(image, r.ConfigRecord(resource_type=4, resource_name="", name="log.retention.ms", value=None))
    assert image.configs.resources(configs.BROKER) == []


def test_brokers_register_change_and_leave() -> None:
    register = r.RegisterBrokerRecord(broker_id=1, broker_epoch=5, incarnation_id=ID, rack="r", log_dirs=[OTHER])
    image = replay(EMPTY, register)
    assert image.cluster.brokers[1].fenced
    image = replay(image, r.BrokerRegistrationChangeRecord(broker_id=1, broker_epoch=5, fenced=-1))
    assert image.cluster.brokers[1].active
    image = replay(image, r.BrokerRegistrationChangeRecord(broker_id=1, broker_epoch=5, in_controlled_shutdown=1))
    assert not image.cluster.brokers[1].active
    assert replay(image, r.UnregisterBrokerRecord(broker_id=1, broker_epoch=5)).cluster.brokers == {}


def test_quotas_add_up_and_vanish() -> None:
    entity = [EntityData(entity_type="user", entity_name=None)]
    image = replay(EMPTY, r.ClientQuotaRecord(entity=entity, key="producer_byte_rate", value=10.0, remove=False))
    assert image.security.quotas == {(("user", None),): {"producer_byte_rate": 10.0}}
    image = replay(image, r.ClientQuotaRecord(entity=entity, key="producer_byte_rate", value=0.0, remove=True))
    assert image.security.quotas == {}


def test_a_change_of_the_unknown_is_a_broken_invariant() -> None:
    with pytest.raises(AssertionError):
        replay(EMPTY, r.PartitionChangeRecord(partition_id=0, topic_id=ID, leader=1))
    with pytest.raises(AssertionError):
        replay(EMPTY, r.RemoveTopicRecord(topic_id=ID))


def test_a_transaction_counts_at_its_end() -> None:
    pending = TransactionFilter()
    first = r.NoOpRecord()
    inside = r.FeatureLevelRecord(name="x", feature_level=1)
    assert pending.feed([first, r.BeginTransactionRecord(name="t"), inside]) == [first]
    assert pending.open
    assert pending.feed([r.EndTransactionRecord()]) == [inside]
    assert pending.feed([r.BeginTransactionRecord(name="t"), inside, r.AbortTransactionRecord(reason="x")]) == []
    assert not pending.open


def test_clearing_eligible_leaders_touches_only_who_has_some() -> None:
    image = replay(EMPTY, *topic(partitions=2), *topic("b", OTHER))
    image = replay(image, r.PartitionChangeRecord(partition_id=1, topic_id=ID, eligible_leader_replicas=[2]))
    before = image.topics.get("b")
    image = replay(image, r.ClearElrRecord(topic_name=""))
    assert image.topics.get("a").partitions[1].elr == ()
    assert image.topics.get("b") is before
