"""Formatting: what is written, what is refused, and what a new cluster begins with."""

import os
from pathlib import Path

import pytest

from tidelog.config.broker_config import BrokerConfig, single_node_properties
from tidelog.io.disk import RealDisk
from tidelog.log.meta_properties import decode_meta_properties
from tidelog.metadata.snapshot import read_snapshot
from tidelog.metadata.voters import VoterSet
from tidelog.model import uuids
from tidelog.node.storage_format import (
    FormatError,
    FormatOptions,
    InitialController,
    describe_storage,
    ensure_formatted,
    feature_levels,
    format_storage,
    parse_initial_controllers,
    random_uuid,
)

CLUSTER = "4L6g3nShT-eMCtK--X86sw"


def config(folder: Path, static: bool = True, dirs: int = 1, **extra: str) -> BrokerConfig:
    names = ",".join(str(folder / f"d{index}") for index in range(dirs))
    properties = single_node_properties(names, 9092, controller_port=9093) | extra
    if not static:
        del properties["controller.quorum.voters"]
        properties["controller.quorum.bootstrap.servers"] = "localhost:9093"
    return BrokerConfig.from_properties(properties)


def formatted(settings: BrokerConfig, **options: object) -> list[str]:
    return format_storage(settings, FormatOptions(CLUSTER, **options), RealDisk(), os.urandom, 1_000)  # type: ignore[arg-type]


def test_every_directory_gets_an_identity_and_the_features(tmp_path: Path) -> None:
    settings = config(tmp_path, dirs=2)
    assert formatted(settings) == [
        f"Formatting data directory {tmp_path}/d1 with metadata.version 4.3-IV0.",
        f"Formatting metadata directory {tmp_path}/d0 with metadata.version 4.3-IV0.",
    ]
    metas = [decode_meta_properties((tmp_path / name / "meta.properties").read_bytes()) for name in ("d0", "d1")]
    assert [(meta.cluster_id, meta.node_id, meta.version) for meta in metas] == [(CLUSTER, 1, 1)] * 2
    assert metas[0].directory_id != metas[1].directory_id
    snapshot = read_snapshot((tmp_path / "d0" / "bootstrap.checkpoint").read_bytes())
    assert {each.name: each.feature_level for each in snapshot.records} == feature_levels(FormatOptions(CLUSTER))


def test_a_standalone_controller_keeps_its_voters_in_the_log(tmp_path: Path) -> None:
    settings = config(tmp_path, static=False)
    formatted(settings, standalone=True)
    meta = decode_meta_properties((tmp_path / "d0" / "meta.properties").read_bytes())
    path = tmp_path / "d0/__cluster_metadata-0/00000000000000000000-0000000000.checkpoint"
    voters = VoterSet().replay(read_snapshot(path.read_bytes()).controls)
    assert voters.kraft_version == 1
    assert [(each.id, each.directory_id) for each in voters.voter_keys()] == [(1, meta.directory_id)]


def test_initial_controllers_agree_on_their_directories(tmp_path: Path) -> None:
    mine, other = uuids.new(os.urandom), uuids.new(os.urandom)
    text = f"1@localhost:9093:{uuids.to_text(mine)},2@[::1]:9094:{uuids.to_text(other)}"
    controllers = parse_initial_controllers(text)
    assert controllers == [InitialController(1, "localhost", 9093, mine), InitialController(2, "::1", 9094, other)]
    formatted(config(tmp_path, static=False), initial_controllers=controllers)
    assert decode_meta_properties((tmp_path / "d0" / "meta.properties").read_bytes()).directory_id == mine


def test_formatting_twice_is_refused_or_ignored(tmp_path: Path) -> None:
    settings = config(tmp_path)
    formatted(settings)
    with pytest.raises(FormatError, match=r"is already formatted\. Use --ignore-formatted"):
        formatted(settings)
    assert formatted(settings, ignore_formatted=True) == ["All of the log directories are already formatted."]


@pytest.mark.parametrize(
    ("static", "options", "message"),
    [
        (True, {"standalone": True}, "You cannot specify controller.quorum.voters and format the node with"),
        (False, {}, "you must specify one of the following: --standalone, --initial-controllers"),
        (True, {"release_version": "9.9"}, "Unknown metadata.version '9.9'"),
        (True, {"features": {"foo": 1}}, "Unsupported feature: foo. Supported features are: eligible.leader.replicas"),
        (
            True,
            {"features": {"transaction.version": 9}},
            "No feature:transaction.version with feature level 9; choose one from 0 to 2",
        ),
    ],
)
def test_refusals(tmp_path: Path, static: bool, options: dict[str, object], message: str) -> None:
    with pytest.raises(FormatError) as error:
        formatted(config(tmp_path, static), **options)
    assert message in str(error.value)
    assert not (tmp_path / "d0").exists(), "nothing is written when something is wrong"


def test_a_directory_of_another_cluster_or_node_is_refused(tmp_path: Path) -> None:
    formatted(config(tmp_path))
    with pytest.raises(FormatError, match=r"Invalid cluster.id in: .*Expected other, but read 4L6g3nShT"):
        format_storage(config(tmp_path), FormatOptions("other", True), RealDisk(), os.urandom, 0)
    other = config(tmp_path, **{"node.id": "2", "controller.quorum.voters": "2@localhost:9093"})
    with pytest.raises(FormatError, match=r"Invalid node.id in: .*Expected 2, but read 1"):
        formatted(other, ignore_formatted=True)


def test_ensuring_formats_once_and_fills_new_directories(tmp_path: Path) -> None:
    first = ensure_formatted(config(tmp_path), RealDisk(), os.urandom, 0)
    again = ensure_formatted(config(tmp_path), RealDisk(), os.urandom, 0)
    assert first == again
    more = config(tmp_path, dirs=2)
    assert ensure_formatted(more, RealDisk(), os.urandom, 0) == first
    second = decode_meta_properties((tmp_path / "d1" / "meta.properties").read_bytes())
    assert second.cluster_id == first.cluster_id


def test_info_tells_what_is_there_and_what_is_not(tmp_path: Path) -> None:
    settings = config(tmp_path, dirs=2)
    lines, problems = describe_storage(settings, RealDisk())
    assert lines == ["Found problems:", f"  {tmp_path}/d0 does not exist", f"  {tmp_path}/d1 does not exist", ""]
    assert len(problems) == 2
    formatted(settings)
    lines, problems = describe_storage(settings, RealDisk())
    assert problems == []
    assert lines[:3] == ["Found log directories:", f"  {tmp_path}/d0", f"  {tmp_path}/d1"]
    assert lines[4].startswith(f"Found metadata: {{cluster.id={CLUSTER}, directory.id=")
    assert lines[4].endswith(", node.id=1, version=1}")


def test_an_older_release_has_its_own_features() -> None:
    assert feature_levels(FormatOptions(CLUSTER, release_version="4.0")) == {
        "metadata.version": 25,
        "group.version": 1,
        "transaction.version": 2,
    }
    assert feature_levels(FormatOptions(CLUSTER, features={"group.version": 0}))["group.version"] == 0


def test_a_random_id_is_an_id() -> None:
    assert len(uuids.from_text(random_uuid(os.urandom))) == 16
    with pytest.raises(FormatError, match="write id@host:port:directory-id"):
        parse_initial_controllers("1@localhost:9093")
