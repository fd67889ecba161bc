"""The tools for leaders, places of replicas, features and brokers: Apache's and ours say the same, at both brokers."""

import json
import re
from pathlib import Path

import pytest

from conformance.brokers import Both, Broker
from conformance.tools import Result, Tools, compare

pytestmark = pytest.mark.apache


def plain(result: Result) -> Result:
    """Without what only a Java program prints: the places in its code that an exception passed through."""
    lines = [
        each
        for each in result.out.splitlines()
        if not re.match(r"\t|(org|java|com|joptsimple|Caused by).*Exception", each)
    ]
    return result._replace(out="\n".join(lines).rstrip())


def in_order(found: re.Match[str]) -> str:
    return ", ".join(sorted(found[0].split(", ")))


def test_leader_election(tools: tuple[Tools, Tools], both: Both, topic: str, tmp_path: Path) -> None:
    def story(kind: Tools, broker: Broker, name: str) -> list[Result]:
        def elect(*args: str) -> Result:
            found = plain(kind.run("kafka-leader-election", "--bootstrap-server", broker.address, *args))
            # Hash maps order the partitions by the topic's name, which differs from run to run.
            return found._replace(out=re.sub(r"(?<=for partitions )(.*)", in_order, found.out))

        kind.run("kafka-topics", "--bootstrap-server", broker.address, "--create", "--topic", name, "--partitions", "2")
        broker.wait_for(name, 2)
        path = tmp_path / "partitions.json"
        path.write_text(json.dumps({"partitions": [{"topic": name, "partition": each} for each in (0, 1)]}))
        twice = tmp_path / "twice.json"
        twice.write_text(json.dumps({"partitions": [{"topic": name, "partition": 0}] * 2}))
        one = ("--topic", name, "--partition", "0")
        return [
            elect("--election-type", "preferred", *one),
            elect("--election-type", "unclean", *one),
            elect("--election-type", "preferred", "--all-topic-partitions"),
            elect("--election-type", "preferred", "--path-to-json-file", str(path)),
            elect("--election-type", "preferred", "--path-to-json-file", str(twice)),
            elect("--election-type", "preferred", "--topic", f"{name}-x", "--partition", "0"),
            elect("--election-type", "preferred", "--topic", name, "--partition", "7"),
            elect("--election-type", "preferred", "--topic", name),
            elect("--election-type", "nobody", *one),
            elect("--election-type", "preferred"),
            elect(*one),
        ]

    compare(tools, both, topic, story)


def test_reassignment(tools: tuple[Tools, Tools], both: Both, topic: str, tmp_path: Path) -> None:
    def story(kind: Tools, broker: Broker, name: str) -> list[Result]:
        def reassign(*args: str) -> Result:
            return plain(kind.run("kafka-reassign-partitions", "--bootstrap-server", broker.address, *args))

        def plan(*rows: tuple[str, int, list[int]]) -> tuple[str, str]:
            path = tmp_path / f"plan-{len(list(tmp_path.iterdir()))}.json"
            partitions = [{"topic": t, "partition": p, "replicas": replicas} for t, p, replicas in rows]
            path.write_text(json.dumps({"version": 1, "partitions": partitions}))
            return "--reassignment-json-file", str(path)

        kind.run("kafka-topics", "--bootstrap-server", broker.address, "--create", "--topic", name, "--partitions", "2")
        broker.wait_for(name, 2)
        topics = tmp_path / "topics.json"
        topics.write_text(json.dumps({"version": 1, "topics": [{"topic": name}]}))
        same = plan((name, 0, [1]), (name, 1, [1]))
        return [
            reassign("--list"),
            reassign("--generate", "--topics-to-move-json-file", str(topics), "--broker-list", "1"),
            reassign("--generate", "--topics-to-move-json-file", str(topics), "--broker-list", "1,1"),
            reassign("--verify", *same),
            reassign("--execute", *same, "--throttle", "1000"),
            reassign("--verify", *same, "--preserve-throttles"),
            reassign("--verify", *same),
            reassign("--cancel", *same),
            reassign("--verify", *plan((name, 0, [1, 2])), "--preserve-throttles"),
            reassign("--execute", *plan((name, 0, [1, 9]))),
            reassign("--execute", *plan((name, 0, [1]), (name, 0, [1]))),
            reassign("--execute", *plan((name, 0, [1, 1]))),
            reassign("--execute", *plan((f"{name}-x", 0, [1]))),
            reassign("--execute"),
            reassign("--list", "--execute"),
        ]

    compare(tools, both, topic, story)


def test_features_and_brokers(tools: tuple[Tools, Tools], both: Both, topic: str) -> None:
    def story(kind: Tools, broker: Broker, name: str) -> list[Result]:
        def features(*args: str) -> Result:
            found = kind.run("kafka-features", "--bootstrap-server", broker.address, *args)
            return found._replace(out=re.sub(r"Epoch: \d+", "Epoch: <offset>", found.out))

        def cluster(command: str, *args: str) -> Result:
            found = kind.run("kafka-cluster", command, "--bootstrap-server", broker.address, *args)
            text = re.sub(r"Cluster ID: [\w-]{22}", "Cluster ID: <id>", found.out).replace("127.0.0.1", "localhost")
            return found._replace(out=re.sub(r"\b\d{4,5} +", "<port> ", text))

        return [
            features("describe"),
            features("upgrade", "--feature", "group.version=1"),
            features("upgrade", "--feature", "group.version=9"),
            features("downgrade", "--feature", "group.version=0", "--dry-run"),
            features("downgrade", "--metadata", "3.9"),
            features("disable", "--feature", "nothing"),
            features("upgrade"),
            features("disable"),
            features("upgrade", "--feature", "group.version"),
            features("version-mapping", "--release-version", "4.1-IV0"),
            features("feature-dependencies", "--feature", "transaction.version=2"),
            cluster("cluster-id"),
            cluster("list-endpoints"),
            cluster("list-endpoints", "--include-fenced-brokers"),
            cluster("unregister", "--id", "99"),
        ]

    compare(tools, both, topic, story)


def with_error(result: Result) -> Result:
    """What goes to stdout, and the first line of stderr: behind it Apache's tools list their options or their stack."""
    found = plain(result)
    return found._replace(out="\n".join([found.out, *found.err.splitlines()[:1]]))


def test_mistakes_in_elections_and_features(tools: tuple[Tools, Tools], both: Both, topic: str, tmp_path: Path) -> None:
    def story(kind: Tools, broker: Broker, name: str) -> list[Result]:
        def run(tool: str, *args: str) -> Result:
            return with_error(kind.run(tool, "--bootstrap-server", broker.address, *args))

        def elect(text: str) -> Result:
            path = tmp_path / "partitions.json"
            path.write_text(text)
            return run("kafka-leader-election", "--election-type", "preferred", "--path-to-json-file", str(path))

        def features(*args: str) -> Result:
            return run("kafka-features", *args)

        settings = tmp_path / "client.properties"
        settings.write_text("client.id=me\n")
        return [
            elect("{nonsense"),
            elect(""),
            elect("{}"),
            elect('{"partitions": []}'),
            features("upgrade", "--feature", "group.version=-1"),
            features("upgrade", "--feature", "group.version=0"),
            features("upgrade", "--feature", "a=b=c"),
            features("upgrade", "--feature", "group.version=1", "--feature", "group.version=1"),
            features("upgrade", "--release-version", "4.0", "--feature", "group.version=1"),
            features("upgrade", "--release-version", "4.0", "--dry-run"),
            features("downgrade", "--feature", "nope=0"),
            features("feature-dependencies", "--feature", "group.version=77"),
            features("feature-dependencies", "--feature", "metadata.version=5"),
            features("feature-dependencies", "--feature", "nope=1"),
            run("kafka-metadata-quorum", "--command-config", str(settings), "add-controller"),
        ]

    compare(tools, both, topic, story)


def test_mistakes_in_reassignments(tools: tuple[Tools, Tools], both: Both, topic: str, tmp_path: Path) -> None:
    def story(kind: Tools, broker: Broker, name: str) -> list[Result]:
        def run(*args: str) -> Result:
            return with_error(kind.run("kafka-reassign-partitions", *args))

        def reassign(*args: str) -> Result:
            return run("--bootstrap-server", broker.address, *args)

        def file(content: object) -> str:
            path = tmp_path / f"{len(list(tmp_path.iterdir()))}.json"
            path.write_text(json.dumps(content))
            return str(path)

        def plan(*replicas: object, **more: object) -> tuple[str, str]:
            rows = [{"topic": name, "partition": 0, "replicas": each, **more} for each in replicas]
            return "--reassignment-json-file", file({"version": 1, "partitions": rows})

        def move(content: object, brokers: str = "1") -> tuple[str, ...]:
            return "--generate", "--topics-to-move-json-file", file(content), "--broker-list", brokers

        kind.run("kafka-topics", "--bootstrap-server", broker.address, "--create", "--topic", name)
        broker.wait_for(name, 1)
        topics = {"version": 1, "topics": [{"topic": name}]}
        there = {"version": 1, "partitions": [{"topic": name, "partition": 7, "replicas": [1]}]}
        return [
            reassign(),
            run("--list"),
            run("--bootstrap-server", broker.address, "--bootstrap-controller", broker.address, "--list"),
            reassign("--generate"),
            reassign(*move(topics | {"version": 2})),
            reassign(*move({})),
            reassign(*move({"topics": [{"topic": name}] * 2})),
            reassign(*move(topics, "77")),
            reassign(*move(topics), "--throttle", "5"),
            reassign("--execute", *plan([1]), "--throttle", "x"),
            reassign("--execute", *plan([1]), "--timeout", "x"),
            reassign("--execute", *plan([1]), "--disable-rack-aware"),
            reassign("--execute", *plan([1]), "--preserve-throttles"),
            reassign("--execute", *plan()),
            reassign("--execute", *plan([])),
            reassign("--execute", *plan([1], log_dirs=["any", "any"])),
            reassign("--execute", "--reassignment-json-file", file({})),
            reassign("--execute", "--reassignment-json-file", file([])),
            reassign("--execute", "--reassignment-json-file", file({"version": 2, "partitions": []})),
            reassign("--execute", "--reassignment-json-file", file(there)),
            reassign("--verify", *plan(), "--preserve-throttles"),
            reassign("--verify", *plan()),
            reassign("--verify", *plan([1]), "--throttle", "3"),
            reassign("--cancel", *plan()),
            reassign("--cancel", *plan([1]), "--additional"),
            reassign("--list", "--preserve-throttles"),
            reassign("--list", "--timeout", "3"),
        ]

    compare(tools, both, topic, story)
