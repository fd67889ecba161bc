"""MetadataDelta: what a run of records changes in an image."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from tidelog.metadata import records as r
from tidelog.metadata.cluster import ClusterDelta
from tidelog.metadata.configs import ConfigsDelta
from tidelog.metadata.features import FeaturesDelta
from tidelog.metadata.image import MetadataImage, Provenance
from tidelog.metadata.security import SecurityDelta
from tidelog.metadata.topics import TopicsDelta


class MetadataDelta:
    """Listeners get one of these with the image it leads to, and look only at what changed."""

    def __init__(self, image: MetadataImage) -> None:
        self.image = image
        self.features = FeaturesDelta(image.features)
        self.cluster = ClusterDelta(image.cluster)
        self.topics = TopicsDelta(image.topics)
        self.configs = ConfigsDelta(image.configs)
        self.security = SecurityDelta(image.security)
        self.next_producer_id = image.next_producer_id
        self._replay: dict[type, Callable[[Any], None]] = {
            r.TopicRecord: self.topics.replay_topic,
            r.PartitionRecord: self.topics.replay_partition,
            r.PartitionChangeRecord: self.topics.replay_partition_change,
            r.RemoveTopicRecord: self._remove_topic,
            r.ClearElrRecord: self.topics.replay_clear_elr,
            r.ConfigRecord: self.configs.replay,
            r.FeatureLevelRecord: self.features.replay,
            r.RegisterBrokerRecord: self.cluster.replay_register_broker,
            r.UnregisterBrokerRecord: self.cluster.replay_unregister_broker,
            r.FenceBrokerRecord: self.cluster.replay_fence_broker,
            r.UnfenceBrokerRecord: self.cluster.replay_unfence_broker,
            r.BrokerRegistrationChangeRecord: self.cluster.replay_registration_change,
            r.RegisterControllerRecord: self.cluster.replay_register_controller,
            r.ProducerIdsRecord: self._producer_ids,
            r.AccessControlEntryRecord: self.security.replay_acl,
            r.RemoveAccessControlEntryRecord: self.security.replay_remove_acl,
            r.UserScramCredentialRecord: self.security.replay_scram,
            r.RemoveUserScramCredentialRecord: self.security.replay_remove_scram,
            r.DelegationTokenRecord: self.security.replay_token,
            r.RemoveDelegationTokenRecord: self.security.replay_remove_token,
            r.ClientQuotaRecord: self.security.replay_quota,
            r.NoOpRecord: _nothing,
            r.ZkMigrationStateRecord: _nothing,
            # Records between begin and end count only if the end is there; the reader sees to that (`transactions.py`).
            r.BeginTransactionRecord: _nothing,
            r.EndTransactionRecord: _nothing,
            r.AbortTransactionRecord: _nothing,
        }

    def replay(self, record: r.MetadataRecord) -> None:
        self._replay[type(record)](record)

    def replay_all(self, records: Iterable[r.MetadataRecord]) -> None:
        replay = self._replay
        for record in records:
            replay[type(record)](record)

    def apply(self, provenance: Provenance) -> MetadataImage:
        return MetadataImage(
            provenance,
            self.features.apply(),
            self.cluster.apply(),
            self.topics.apply(),
            self.configs.apply(),
            self.security.apply(),
            self.next_producer_id,
        )

    def _remove_topic(self, record: r.RemoveTopicRecord) -> None:
        before = self.image.topics.by_id.get(record.topic_id)
        created = self.topics.changed.get(record.topic_id)
        self.topics.replay_remove_topic(record)
        name = before.name if before else created.name if created else None
        if name is not None:
            self.configs.topic_removed(name)

    def _producer_ids(self, record: r.ProducerIdsRecord) -> None:
        self.next_producer_id = record.next_producer_id


def _nothing(record: object) -> None:
    """Carries no state."""
