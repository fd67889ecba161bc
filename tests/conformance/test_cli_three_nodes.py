"""The tools on three nodes, where replicas move, lag and die: Apache's and ours say the same, at both clusters."""

import json
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from confluent_kafka import Producer

from conformance.tools import Result, Tools, diff
from peer.apache_cluster import ApacheCluster
from peer.our_cluster import OurCluster
from peer.toolchain import needs

pytestmark = pytest.mark.apache
Cluster = ApacheCluster | OurCluster


@pytest.fixture(scope="module")
def clusters(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Cluster, Cluster]]:
    needs("java", "mvn")
    quick = {"broker.session.timeout.ms": "3000", "broker.heartbeat.interval.ms": "500"}
    found = (
        ApacheCluster(tmp_path_factory.mktemp("apache"), quick),
        OurCluster(tmp_path_factory.mktemp("ours"), quick),
    )
    try:
        for each in found:
            each.start()
        yield found
    finally:
        for each in found:
            each.close()


class Story:
    """What one kind of tools said at one cluster, without what no two runs share."""

    def __init__(self, kind: Tools, cluster: Cluster, topic: str, folder: Path) -> None:
        self.kind = kind
        self.cluster = cluster
        self.topic = topic
        self.folder = folder
        self.said: list[tuple[str, int, str]] = []

    def run(self, tool: str, *args: str) -> Result:
        server = ("--bootstrap-server", self.cluster.address)
        words = (args[0], *server, *args[1:]) if tool == "kafka-cluster" else (*server, *args)
        return self.kind.run(tool, *words)

    def tell(self, tool: str, *args: str) -> str:
        done = self.run(tool, *args)
        self.said.append((" ".join((tool, *args)), done.code, self.masked(done.out)))
        return done.out

    def until(self, text: str, tool: str, *args: str, times: int = 1) -> None:
        """Asks until the answer has the text so many times, and only that answer counts."""
        deadline = time.monotonic() + 60
        while True:
            done = self.run(tool, *args)
            if done.out.count(text) >= times:
                break
            assert time.monotonic() < deadline, f"{tool} never said '{text}' but: {done.out}{done.err}"
            time.sleep(0.2)
        self.said.append((" ".join((tool, *args)), done.code, self.masked(done.out)))

    def masked(self, text: str) -> str:
        for address in self.cluster.address.split(","):
            text = text.replace(address, "<address>")
        text = re.sub(r'(?<=")/[^"]*/(apache|ours)\d+/[^"]*(?=")', "<directory>", text)
        text = text.replace(self.topic, "<topic>").replace(str(self.folder), "<folder>").replace("127.0.0.1", "<host>")
        text = re.sub(r"(?m)^(\t|at |org\.|java\.|Caused by).*Exception.*\n|^\t(?!Topic).*\n", "", text)
        text = re.sub(r"TopicId: [\w-]{22}", "TopicId: <id>", text)
        return re.sub(r"(?<=<host> )\d+ +", "<port> ", text).rstrip()

    def plan(self, *replicas: list[int]) -> tuple[str, str]:
        path = self.folder / f"plan-{len(list(self.folder.iterdir()))}.json"
        rows = [{"topic": self.topic, "partition": index, "replicas": each} for index, each in enumerate(replicas)]
        path.write_text(json.dumps({"version": 1, "partitions": rows}))
        return "--reassignment-json-file", str(path)


def compare(
    tools: tuple[Tools, Tools],
    clusters: tuple[Cluster, Cluster],
    name: str,
    folder: Path,
    story: Callable[[Story], None],
) -> None:
    """Plays the story with each kind of tools at each cluster; all four must say the same."""
    found = {}
    for cluster in clusters:
        for kind in tools:
            where = folder / f"{cluster.name} {kind.name}"
            where.mkdir()
            told = Story(kind, cluster, f"{name}-{kind.name}", where)
            story(told)
            found[f"{kind.name} tools, {cluster.name}"] = told.said
    (first, expected), *others = found.items()
    different = [
        f"{have[0]}: {first} ({want[1]}) and {who} ({have[1]}) differ: {diff(want[2], have[2])}"
        for who, said in others
        for want, have in zip(expected, said, strict=True)
        if have[1:] != want[1:]
    ]
    assert not different, "\n".join(different)


def fill(cluster: Cluster, topic: str, count: int) -> None:
    producer = Producer({"bootstrap.servers": cluster.address, "acks": "all"})
    for _ in range(count):
        producer.produce(topic, bytes(10_000), partition=0)
    assert producer.flush(60) == 0


def test_replicas_move(tools: tuple[Tools, Tools], clusters: tuple[Cluster, Cluster], tmp_path: Path) -> None:
    def story(it: Story) -> None:
        topic = ("--topic", it.topic)
        it.tell(
            "kafka-topics", "--create", *topic, "--replica-assignment", "1:2,2:3", "--config", "min.insync.replicas=1"
        )
        it.until("Isr: 2,3", "kafka-topics", "--describe", *topic)
        fill(it.cluster, it.topic, 600)
        away = it.plan([1, 3], [2, 3])
        move = "kafka-reassign-partitions"
        it.tell(move, "--execute", *away, "--throttle", "1000")
        it.tell(move, "--list")
        it.tell("kafka-topics", "--describe", *topic)
        it.tell("kafka-topics", "--describe", *topic, "--under-replicated-partitions")
        it.tell(move, "--verify", *away)
        it.tell(move, "--execute", *away)
        it.tell("kafka-configs", "--describe", *topic)
        it.tell("kafka-configs", "--describe", "--broker", "1")
        it.tell(move, "--cancel", *away)
        it.tell("kafka-topics", "--describe", *topic)
        it.tell(move, "--verify", *away)
        it.tell(move, "--execute", *away, "--throttle", "1000", "--replica-alter-log-dirs-throttle", "10000")
        it.tell(move, "--execute", *away, "--throttle", "100000000", "--additional")
        it.until(f"{it.topic}-0 is completed", move, "--verify", *away)
        it.tell(move, "--list")
        it.tell("kafka-configs", "--describe", *topic)
        it.until("Isr: 1,3", "kafka-topics", "--describe", *topic)
        it.tell(move, "--cancel", *away)

    compare(tools, clusters, "moves", tmp_path, story)


def test_a_node_dies(tools: tuple[Tools, Tools], clusters: tuple[Cluster, Cluster], tmp_path: Path) -> None:
    def story(it: Story) -> None:
        topic = ("--topic", it.topic)
        alone = "only" + it.topic
        it.tell("kafka-topics", "--create", *topic, "--replica-assignment", "3:1:2,1:2:3")
        it.run("kafka-topics", "--create", "--topic", alone, "--replica-assignment", "3")
        it.until("Isr: 1,2,3", "kafka-topics", "--describe", *topic)
        it.cluster.kill_node(3)
        it.until("Leader: 1\tReplicas: 3,1,2\tIsr: 1,2", "kafka-topics", "--describe", *topic)
        for what in ("under-replicated", "unavailable", "under-min-isr", "at-min-isr"):
            it.tell("kafka-topics", "--describe", *topic, f"--{what}-partitions")
            it.tell("kafka-topics", "--describe", "--topic", alone, f"--{what}-partitions")
        elect = "kafka-leader-election"
        it.tell(elect, "--election-type", "preferred", *topic, "--partition", "0")
        it.tell(elect, "--election-type", "unclean", *topic, "--partition", "0")
        it.tell(elect, "--election-type", "unclean", "--topic", alone, "--partition", "0")
        it.tell("kafka-reassign-partitions", "--execute", *it.plan([1, 2], [1, 9]))
        it.tell("kafka-cluster", "list-endpoints")
        it.tell("kafka-cluster", "list-endpoints", "--include-fenced-brokers")
        it.tell("kafka-cluster", "unregister", "--id", "3")
        it.tell("kafka-cluster", "unregister", "--id", "3")
        it.cluster.start_node(3)
        it.until("Isr: 1,2,3", "kafka-topics", "--describe", *topic, times=2)
        it.tell(elect, "--election-type", "preferred", *topic, "--partition", "0")
        it.tell("kafka-topics", "--describe", *topic)
        it.run("kafka-topics", "--delete", "--topic", alone)

    compare(tools, clusters, "dies", tmp_path, story)
