"""Replicas move between log directories: Apache's tools and ours start, show and end that alike, at both brokers."""

import json
import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from conformance.brokers import Both, Broker
from conformance.conftest import serving
from conformance.tools import Result, Tools, compare
from peer.apache import ApacheNode
from peer.ours import OurNode
from peer.process import NodeProcess
from peer.toolchain import needs
from tidelog.protocol.errors import ErrorCode
from tidelog.protocol.messages.alter_replica_log_dirs import (
    AlterReplicaLogDir,
    AlterReplicaLogDirsRequest,
    AlterReplicaLogDirTopic,
)

pytestmark = pytest.mark.apache
SECOND_ID = "abcdefghijklmnopqrstug"


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Both]:
    """Nodes with two log directories each."""
    needs("java", "mvn")
    nodes: list[NodeProcess] = []
    for make in (ApacheNode, OurNode):
        folder = Path(tmp_path_factory.mktemp("node"))
        nodes.append(make(folder, {"log.dirs": f"{folder / 'data'},{folder / 'second'}"}))
    format_second(nodes[0])
    with serving(nodes) as found:
        yield found


def format_second(node: NodeProcess) -> None:
    text = (node.data / "meta.properties").read_text()
    folder = node.folder / "second"
    folder.mkdir()
    (folder / "meta.properties").write_text(re.sub("(?<=directory.id=).*", SECOND_ID, text))


def home(broker: Broker, topic: str) -> str:
    return next(each for each in ("data", "second") if (broker.node.folder / each / f"{topic}-0").exists())


def moved(broker: Broker, topic: str, to: str) -> None:
    deadline = time.monotonic() + 60
    while not (broker.node.folder / to / f"{topic}-0").exists() or list(broker.node.folder.glob("*/*-future")):
        assert time.monotonic() < deadline, "the replica does not arrive"
        time.sleep(0.02)


def test_a_replica_moves(tools: tuple[Tools, Tools], both: Both, topic: str, tmp_path: Path) -> None:
    def story(kind: Tools, broker: Broker, name: str) -> list[Result]:
        broker.create(name)
        first = home(broker, name)
        second = "second" if first == "data" else "data"

        def plan(path: str) -> tuple[str, str]:
            row = {"topic": name, "partition": 0, "replicas": [1], "log_dirs": [path]}
            file = tmp_path / f"{kind.name}-{Path(path).name}.json"
            file.write_text(json.dumps({"version": 1, "partitions": [row]}))
            return "--reassignment-json-file", str(file)

        def run(tool: str, *args: str) -> Result:
            found = kind.run(tool, "--bootstrap-server", broker.address, *args)
            text = found.out.replace(f"{broker.node.folder}/{first}", "FIRST")
            text = text.replace(f"{broker.node.folder}/{second}", "SECOND")
            lines = [each for each in text.splitlines() if not re.match(r"\t|(org|java|Caused by).*Exception", each)]
            return found._replace(out="\n".join(lines).rstrip())

        def reassign(*args: str) -> Result:
            return run("kafka-reassign-partitions", *args)

        there, nowhere = plan(f"{broker.node.folder}/{second}"), plan("/nowhere")
        steps = [reassign("--verify", *there), reassign("--execute", *there)]
        moved(broker, name, second)
        return [
            *steps,
            reassign("--verify", *there),
            reassign("--execute", *there),
            reassign("--cancel", *there),
            reassign("--execute", *nowhere),
            reassign("--verify", *nowhere, "--preserve-throttles"),
        ]

    compare(tools, both, topic, story)


def test_what_is_refused(both: Both, topic: str) -> None:
    def story(broker: Broker) -> list[int]:
        broker.create(topic)
        codes = []
        second = str(broker.node.folder / "second")
        for path, name, index in (
            (second, topic, 7),
            (second, f"{topic}-x", 0),
            ("/nowhere", topic, 0),
            ("", topic, 0),
        ):
            rows = [AlterReplicaLogDirTopic(name=name, partitions=[index])]
            answer = broker.call(AlterReplicaLogDirsRequest(dirs=[AlterReplicaLogDir(path=path, topics=rows)]))
            codes.append(answer.results[0].partitions[0].error_code)
        return codes

    unknown, not_found = ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, ErrorCode.LOG_DIR_NOT_FOUND
    assert both.same(story) == [unknown, unknown, not_found, not_found]
