"""Finalized feature levels, what this software supports, and the names of metadata versions."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from tidelog.metadata.records import FeatureLevelRecord

METADATA_VERSION = "metadata.version"
KRAFT_VERSION = "kraft.version"
ELR_VERSION = "eligible.leader.replicas.version"

# Levels 7 to 30 of metadata.version, in order.
METADATA_VERSION_NAMES = (
    *("3.3-IV3", "3.4-IV0", "3.5-IV0", "3.5-IV1", "3.5-IV2", "3.6-IV0", "3.6-IV1", "3.6-IV2"),
    *("3.7-IV0", "3.7-IV1", "3.7-IV2", "3.7-IV3", "3.7-IV4", "3.8-IV0", "3.9-IV0"),
    *("4.0-IV0", "4.0-IV1", "4.0-IV2", "4.0-IV3", "4.1-IV0", "4.1-IV1", "4.2-IV0", "4.2-IV1", "4.3-IV0"),
)
METADATA_VERSION_MIN = 7
METADATA_VERSION_MAX = METADATA_VERSION_MIN + len(METADATA_VERSION_NAMES) - 1

SUPPORTED: Mapping[str, tuple[int, int]] = MappingProxyType(
    {
        "group.version": (0, 1),
        KRAFT_VERSION: (0, 1),
        METADATA_VERSION: (METADATA_VERSION_MIN, METADATA_VERSION_MAX),
        "share.version": (0, 1),
        "streams.version": (0, 1),
        "transaction.version": (0, 2),
        ELR_VERSION: (0, 1),
    }
)

# From which metadata.version on a new cluster gets a feature, and at which level; in the order formatting writes them.
_BORN: tuple[tuple[str, int, int], ...] = (
    (ELR_VERSION, 26, 1),
    ("group.version", 22, 1),
    ("share.version", 28, 1),
    ("streams.version", 29, 1),
    ("transaction.version", 24, 2),
)


def levels_of_release(metadata_version: int = METADATA_VERSION_MAX) -> dict[str, int]:
    """The features that a new cluster of a release finalizes."""
    levels = {METADATA_VERSION: metadata_version}
    return levels | {name: level for name, since, level in _BORN if metadata_version >= since}


def metadata_version_of(text: str) -> int:
    """The level of `4.3-IV0`, or of the last one of release `4.3`; ValueError when there is none."""
    for level in range(METADATA_VERSION_MAX, METADATA_VERSION_MIN - 1, -1):
        name = METADATA_VERSION_NAMES[level - METADATA_VERSION_MIN]
        if text == name or text == name.partition("-")[0]:
            return level
    known = ", ".join(METADATA_VERSION_NAMES)
    raise ValueError(f"Unknown metadata.version '{text}'. Supported metadata.version are: {known}")


def metadata_version_name(level: int) -> str:
    index = level - METADATA_VERSION_MIN
    return METADATA_VERSION_NAMES[index] if 0 <= index < len(METADATA_VERSION_NAMES) else f"UNKNOWN [{level}]"


class FeaturesImage(NamedTuple):
    levels: Mapping[str, int]

    @property
    def metadata_version(self) -> int:
        return self.levels.get(METADATA_VERSION, METADATA_VERSION_MIN)

    @property
    def elr_enabled(self) -> bool:
        return self.levels.get(ELR_VERSION, 0) > 0


EMPTY_FEATURES = FeaturesImage(MappingProxyType({}))


class FeaturesDelta:
    def __init__(self, image: FeaturesImage) -> None:
        self.image = image
        self.changed: dict[str, int] = {}

    def __bool__(self) -> bool:
        return bool(self.changed)

    def replay(self, record: FeatureLevelRecord) -> None:
        self.changed[record.name] = record.feature_level

    def apply(self) -> FeaturesImage:
        if not self:
            return self.image
        levels = {**self.image.levels, **self.changed}
        return FeaturesImage({name: level for name, level in levels.items() if level > 0})
