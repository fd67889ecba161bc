"""What group coordinators see of the metadata: topics with their racks, settings of groups, and what has changed."""

from __future__ import annotations

from tidelog.broker.cluster_view import ImageView, changed_topics
from tidelog.metadata import records as r
from tidelog.metadata.configs import GROUP
from tidelog.metadata.delta import MetadataDelta
from tidelog.metadata.image import EMPTY, MetadataImage, Provenance

ID = b"t" * 16


def changed(image: MetadataImage, *records: r.MetadataRecord) -> tuple[MetadataDelta, MetadataImage]:
    delta = MetadataDelta(image)
    delta.replay_all(records)
    return delta, delta.apply(Provenance(image.provenance.offset + 1, 1, 0))


def partition(index: int, *replicas: int) -> r.PartitionRecord:
    everyone = list(replicas)
    return r.PartitionRecord(partition_id=index, topic_id=ID, replicas=everyone, isr=everyone, leader=replicas[0])


def one_topic() -> tuple[MetadataDelta, MetadataImage]:
    _, image = changed(
        EMPTY, r.RegisterBrokerRecord(broker_id=1, rack="r1"), r.RegisterBrokerRecord(broker_id=2, rack="r2")
    )
    return changed(image, r.TopicRecord(name="t", topic_id=ID), partition(0, 1, 2), partition(1, 2))


def test_topics_are_seen_with_the_racks_of_their_replicas() -> None:
    delta, image = one_topic()
    view = ImageView(image)
    topic = view.topic("t")
    assert topic is not None
    assert (topic.id, topic.partitions, topic.racks) == (ID, 2, (frozenset({"r1", "r2"}), frozenset({"r2"})))
    assert (view.topic_name(ID), list(view.topic_names()), view.topic("u")) == ("t", ["t"], None)
    assert changed_topics(delta) == ({"t"}, set())


def test_only_changes_that_matter_to_groups_count() -> None:
    _, image = one_topic()
    leader, image = changed(image, r.PartitionChangeRecord(partition_id=0, topic_id=ID, leader=2))
    assert changed_topics(leader) == (set(), set())
    grown, image = changed(image, partition(2, 1))
    assert changed_topics(grown) == ({"t"}, set())
    moved, image = changed(image, r.PartitionChangeRecord(partition_id=2, topic_id=ID, replicas=[2], isr=[2]))
    assert changed_topics(moved) == ({"t"}, set())
    gone, image = changed(image, r.RemoveTopicRecord(topic_id=ID))
    assert changed_topics(gone) == ({"t"}, {"t"})
    assert ImageView(image).topic("t") is None


def test_groups_have_settings_of_their_own() -> None:
    record = r.ConfigRecord(resource_type=GROUP, resource_name="g", name="consumer.session.timeout.ms", value="50000")
    _, image = changed(EMPTY, record)
    assert dict(ImageView(image).group_settings("g")) == {"consumer.session.timeout.ms": "50000"}
    assert dict(ImageView(image).group_settings("other")) == {}
