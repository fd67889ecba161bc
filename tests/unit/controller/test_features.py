"""Feature levels go up, and down only where nothing is lost."""

import pytest

from tidelog.controller.features import SAFE_DOWNGRADE, UNSAFE_DOWNGRADE, UPGRADE, FeatureUpdate, update_features
from tidelog.metadata import configs
from tidelog.protocol.errors import ErrorCode, KafkaError


def update(cluster, *updates: tuple[str, int, int], validate_only: bool = False) -> None:
    cluster.do(update_features, [FeatureUpdate(*each) for each in updates], validate_only)


def test_levels_go_up_and_down(cluster) -> None:
    update(cluster, ("group.version", 1, UPGRADE), ("transaction.version", 2, UPGRADE))
    assert cluster.image.features.levels["transaction.version"] == 2
    update(cluster, ("group.version", 0, SAFE_DOWNGRADE))
    assert "group.version" not in cluster.image.features.levels
    update(cluster, ("group.version", 1, UPGRADE), validate_only=True)
    assert "group.version" not in cluster.image.features.levels


@pytest.mark.parametrize(
    ("name", "level", "kind", "reason"),
    [
        ("foo", 1, UPGRADE, "Local controller 1 does not support this feature."),
        ("foo", 0, SAFE_DOWNGRADE, "Feature foo not found."),
        ("group.version", 5, UPGRADE, "Local controller 1 only supports versions 0-1"),
        ("group.version", -1, UPGRADE, "A feature version cannot be less than 0."),
        ("group.version", 1, 9, "The controller does not support the given upgrade type."),
        ("metadata.version", 29, UPGRADE, "Can't downgrade the version of this feature without setting"),
        ("kraft.version", 2, UPGRADE, "Local controller 1 only supports versions 0-1"),
    ],
)
def test_refusals(cluster, name: str, level: int, kind: int, reason: str) -> None:
    before = cluster.image.features
    with pytest.raises(KafkaError) as error:
        update(cluster, ("transaction.version", 1, UPGRADE), (name, level, kind))
    assert error.value.code is ErrorCode.INVALID_UPDATE_VERSION
    assert f"Invalid update version {level} for feature {name}. " in error.value.message
    assert reason in error.value.message
    assert cluster.image.features is before, "all or none"


def test_metadata_version_goes_back_only_over_what_changed_no_records(cluster) -> None:
    with pytest.raises(KafkaError, match="might delete metadata information"):
        update(cluster, ("metadata.version", 29, SAFE_DOWNGRADE))
    with pytest.raises(KafkaError, match="Unsafe metadata downgrade is not supported"):
        update(cluster, ("metadata.version", 29, UNSAFE_DOWNGRADE))


def test_eligible_leaders_need_the_clusters_own_number(cluster) -> None:
    update(cluster, ("eligible.leader.replicas.version", 1, UPGRADE))
    assert cluster.image.configs.get(configs.BROKER, "") == {"min.insync.replicas": "1"}
    assert cluster.image.features.elr_enabled
