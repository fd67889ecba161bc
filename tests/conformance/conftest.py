"""One node of ours and one of Apache Kafka per test process, shared by all tests: each test has its own topics."""

import os
import uuid
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest

from conformance.brokers import Both, Broker
from conformance.tools import ApacheTools, OurTools, Tools
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


@contextmanager
def serving(nodes: Sequence[NodeProcess]) -> Iterator[Both]:
    """Apache's and ours, in this order, started side by side; ended afterwards."""
    try:
        for node in nodes:
            node.launch()
        for node in nodes:
            node.wait_until_it_serves()
        apache, ours = (Broker(node) for node in nodes)
        yield Both(ours, apache)
    finally:
        for node in nodes:
            node.close()


def two_nodes(folders: pytest.TempPathFactory, settings: dict[str, str]) -> AbstractContextManager[Both]:
    needs("java", "mvn")
    return serving([make(Path(folders.mktemp("node")), settings) for make in (ApacheNode, OURS_KIND)])


@pytest.fixture(scope="session")
def both(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Both]:
    with two_nodes(tmp_path_factory, QUICK) as found:
        yield found


@pytest.fixture(scope="module")
def tools() -> Iterator[tuple[Tools, Tools]]:
    """Apache's and ours."""
    needs("java", "mvn")
    found = ApacheTools(), OurTools()
    yield found
    for each in found:
        each.close()


@pytest.fixture
def topic() -> str:
    """A name that no other test uses, the same at both brokers."""
    return f"t-{uuid.uuid4().hex[:12]}"
