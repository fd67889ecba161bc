"""Real Spark, killed at steps of the sink's protocol. `./dev soak spark --real` has all steps and random moments."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from peer.ours import OurNode
from peer.process import NodeProcess
from peer.toolchain import needs
from spark.real import NODE_SETTINGS, RealQuery
from spark.traps import BROKER, DRIVER, WORKER, ZOMBIE, Trap

pytestmark = pytest.mark.timeout(600)
KILLS_OF_SPARK = (("task wrote all", 3, DRIVER), ("decided", 1, DRIVER), ("one task ended", 1, ZOMBIE))
"""Which step, the how-manieth time, and who is killed."""
OTHER_KILLS = (("task wrote some", WORKER), ("intent written", WORKER), ("decided", BROKER))


@pytest.fixture
def node(tmp_path: Path) -> Iterator[NodeProcess]:
    needs("java")
    found = OurNode(tmp_path / "node", NODE_SETTINGS)
    found.start()
    try:
        yield found
    finally:
        found.close()


def test_spark_its_workers_and_the_broker_are_killed(node: NodeProcess, tmp_path: Path) -> None:
    """One query and its checkpoint through all of it."""
    query = RealQuery(node, tmp_path / "query")
    query.feed(800)
    try:
        for step, times, target in (
            ("task wrote all", 3, DRIVER),
            ("decided", 1, DRIVER),
            ("one task ended", 1, ZOMBIE),
        ):
            trap = Trap(query.traps, step, times, target)
            assert query.run() == -9, query.tail()
            assert trap.has_struck
        query.start(stays=True)
        for step, target in OTHER_KILLS:
            trap = Trap(query.traps, step, 1, target, broker=node.pid)
            query.feed(100)
            query.wait_for(lambda trap=trap: trap.has_struck)
        assert query.finish() == 0, query.tail()
    finally:
        query.stop()
    query.check()
