"""Three brokers and three controllers, each on a host of its own (a network namespace), under a load of confluent-kafka
and Java clients with acks=all: kill -9, pauses, partitions of every shape. Nothing lost, nothing twice, in order."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from cluster.java_load import program
from cluster.namespace_faults import ASYMMETRIC, CRASHES, PARTITIONED, ROLES, Fault, Story
from peer.namespaces import needs_namespaces
from peer.netns_cluster import NetnsCluster, netns_cluster

pytestmark = pytest.mark.apache


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[NetnsCluster]:
    needs_namespaces()
    program()
    with netns_cluster(tmp_path_factory.mktemp("cluster"), ROLES) as found:
        yield found


@pytest.fixture(autouse=True)
def _whole(cluster: NetnsCluster) -> Iterator[None]:
    yield
    cluster.restore()


@pytest.mark.parametrize(
    "faults", [CRASHES, PARTITIONED, ASYMMETRIC], ids=["crashes", "partitions", "asymmetric partitions"]
)
def test_nothing_is_lost_doubled_or_reordered(
    cluster: NetnsCluster, faults: tuple[Fault, ...], request: pytest.FixtureRequest
) -> None:
    story = Story(cluster, re.sub(r"\W+", "-", request.node.name))
    try:
        for fault in faults:
            story.during(fault)
    finally:
        story.load.stop()
    assert story.load.judge() > 1000
