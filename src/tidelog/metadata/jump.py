"""The step from one image to a later one that came as a snapshot: records that say what is different."""

from __future__ import annotations

from collections.abc import Iterator

from tidelog.metadata.delta import MetadataDelta
from tidelog.metadata.image import MetadataImage
from tidelog.metadata.records import (
    ClientQuotaRecord,
    ConfigRecord,
    FeatureLevelRecord,
    MetadataRecord,
    PartitionRecord,
    RemoveAccessControlEntryRecord,
    RemoveDelegationTokenRecord,
    RemoveTopicRecord,
    RemoveUserScramCredentialRecord,
    TopicRecord,
    UnregisterBrokerRecord,
)
from tidelog.metadata.snapshot import image_records
from tidelog.protocol.metadata_records.client_quota_record import EntityData


def delta_between(before: MetadataImage, after: MetadataImage) -> MetadataDelta:
    """What listeners hear when the log between the two is not there to be replayed."""
    delta = MetadataDelta(before)
    delta.replay_all(_removals(before, after))
    for record in image_records(after):
        if _is_news(before, after, record):
            delta.replay(record)
    return delta


def _is_news(before: MetadataImage, after: MetadataImage, record: MetadataRecord) -> bool:
    if isinstance(record, TopicRecord):
        return before.topics.by_id.get(record.topic_id) is None
    if isinstance(record, PartitionRecord):
        known = before.topics.by_id.get(record.topic_id)
        index = record.partition_id
        if known is None or index >= len(known.partitions):
            return True
        now = after.topics.by_id.get(record.topic_id)
        return now is None or known.partitions[index] != now.partitions[index]
    if isinstance(record, ConfigRecord):
        return before.configs.get(record.resource_type, record.resource_name).get(record.name) != record.value
    return True


def _removals(before: MetadataImage, after: MetadataImage) -> Iterator[MetadataRecord]:
    for topic_id in before.topics.by_id:
        if after.topics.by_id.get(topic_id) is None:
            yield RemoveTopicRecord(topic_id=topic_id)
    for node_id, broker in sorted(before.cluster.brokers.items()):
        if node_id not in after.cluster.brokers:
            yield UnregisterBrokerRecord(broker_id=node_id, broker_epoch=broker.epoch)
    for name in sorted(set(before.features.levels) - set(after.features.levels)):
        yield FeatureLevelRecord(name=name, feature_level=0)
    for kind, table in sorted(before.configs.by_type.items()):
        for resource, overrides in table.items():
            for name in overrides:
                if name not in after.configs.get(kind, resource):
                    yield ConfigRecord(resource_type=kind, resource_name=resource, name=name, value=None)
    yield from _security_removals(before, after)


def _security_removals(before: MetadataImage, after: MetadataImage) -> Iterator[MetadataRecord]:
    old, new = before.security, after.security
    for acl_id in old.acls:
        if acl_id not in new.acls:
            yield RemoveAccessControlEntryRecord(id=acl_id)
    for name, mechanism in old.scram:
        if (name, mechanism) not in new.scram:
            yield RemoveUserScramCredentialRecord(name=name, mechanism=mechanism)
    for token_id in old.tokens:
        if token_id not in new.tokens:
            yield RemoveDelegationTokenRecord(token_id=token_id)
    for entity, limits in old.quotas.items():
        for key in limits:
            if key not in new.quotas.get(entity, {}):
                data = [EntityData(entity_type=kind, entity_name=name) for kind, name in entity]
                yield ClientQuotaRecord(entity=data, key=key, value=0.0, remove=True)
