"""One node of ours and one of Apache Kafka per test process, shared by all tests: each test has its own topics."""

import os
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from conformance.brokers import Both, Broker
from peer.apache import ApacheNode
from peer.ours import OurNode
from peer.process import NodeProcess
from peer.toolchain import needs

# Members of groups beat often, so that tests of rebalances need not wait seconds for each step.
# The connections that tests keep may rest while other files run; nodes end them after ten minutes by default.
# Retention stays away: some tests write records with timestamps of years ago and read them a moment later.
QUICK = {
    "group.consumer.heartbeat.interval.ms": "300",
    "group.consumer.min.heartbeat.interval.ms": "300",
    "connections.max.idle.ms": "86400000",
    "log.retention.check.interval.ms": "86400000",
}

# TIDELOG_OURS=apache puts a second Apache in the place of our node: what differs then is the test's own fault.
OURS_KIND = {"ours": OurNode, "apache": ApacheNode}[os.environ.get("TIDELOG_OURS", "ours")]


@pytest.fixture(scope="session")
def both(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Both]:
    needs("java", "mvn")
    nodes: list[NodeProcess] = []
    try:
        for make in (ApacheNode, OURS_KIND):
            nodes.append(make(Path(tmp_path_factory.mktemp("node")), QUICK))
            nodes[-1].launch()
        for node in nodes:
            node.wait_until_it_serves()
        apache, ours = (Broker(node) for node in nodes)
        yield Both(ours, apache)
    finally:
        for node in nodes:
            node.close()


@pytest.fixture
def topic() -> str:
    """A name that no other test uses, the same at both brokers."""
    return f"t-{uuid.uuid4().hex[:12]}"
