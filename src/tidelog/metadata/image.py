"""MetadataImage: the whole state of the cluster at one offset of the metadata log. Immutable."""

from __future__ import annotations

from typing import NamedTuple

from tidelog.metadata.cluster import EMPTY_CLUSTER, ClusterImage
from tidelog.metadata.configs import EMPTY_CONFIGS, ConfigsImage
from tidelog.metadata.features import EMPTY_FEATURES, FeaturesImage
from tidelog.metadata.security import EMPTY_SECURITY, SecurityImage
from tidelog.metadata.topics import EMPTY_TOPICS, TopicsImage


class Provenance(NamedTuple):
    """The last record that an image contains."""

    offset: int
    epoch: int
    timestamp_ms: int


class MetadataImage(NamedTuple):
    provenance: Provenance
    features: FeaturesImage
    cluster: ClusterImage
    topics: TopicsImage
    configs: ConfigsImage
    security: SecurityImage
    next_producer_id: int

    def check_invariants(self) -> None:
        self.topics.check_invariants()

    def same_state(self, other: MetadataImage) -> bool:
        """Equal but for the offset at which they were taken."""
        return self[1:] == other[1:]


EMPTY = MetadataImage(
    Provenance(-1, -1, -1), EMPTY_FEATURES, EMPTY_CLUSTER, EMPTY_TOPICS, EMPTY_CONFIGS, EMPTY_SECURITY, 0
)
