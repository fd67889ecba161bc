"""Apache's tools and ours print the same, with the same exit codes, against Apache's broker and against ours."""

import json
import re
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from conformance.brokers import Both, Broker
from conformance.tools import Result, Tools, compare

pytestmark = pytest.mark.apache


def settled(ask: Callable[[], Result], done: Callable[[Result], bool]) -> Result:
    deadline = time.monotonic() + 60
    while True:
        found = ask()
        if done(found) or time.monotonic() > deadline:
            return found


def test_topics(tools: tuple[Tools, Tools], both: Both, topic: str) -> None:
    def story(kind: Tools, broker: Broker, name: str) -> list[Result]:
        def topics(*args: str) -> Result:
            return kind.run("kafka-topics", "--bootstrap-server", broker.address, *args)

        found = [
            topics("--create", "--topic", name, "--partitions", "3", "--config", "retention.ms=99999"),
            topics("--create", "--topic", name),
            topics("--create", "--topic", name, "--if-not-exists"),
            topics("--create", "--topic", f"{name}!"),
            topics("--create", "--topic", f"{name}-x", "--replication-factor", "3"),
            topics("--create", "--topic", f"{name}-x", "--config", "nope=1"),
            topics("--create", "--topic", f"{name}-x", "--config", "retention.ms=abc"),
            topics("--create", "--topic", f"{name}-x", "--partitions", "0"),
            topics("--create", "--topic", f"{name}-x", "--replica-assignment", "7"),
            topics("--alter", "--topic", name, "--partitions", "5"),
            topics("--alter", "--topic", name, "--partitions", "5"),
            topics("--alter", "--topic", name, "--partitions", "2"),
            topics("--alter", "--topic", f"{name}-x", "--partitions", "2"),
        ]
        broker.wait_for(name, 5)
        found += [
            topics("--describe", "--topic", name),
            topics("--describe", "--topic", name, "--under-replicated-partitions"),
            topics("--describe", "--topic", name, "--at-min-isr-partitions"),
            topics("--describe", "--topic", name, "--topics-with-overrides"),
            topics("--describe", "--topic", name, "--partition-size-limit-per-response", "2"),
            topics("--describe", "--topic", f"{name}-x"),
            topics("--list", "--topic", f"{name}.*"),
            topics("--delete", "--topic", name),
            topics("--delete", "--topic", name),
            topics("--delete", "--topic", name, "--if-exists"),
            topics("--list", "--topic", f"{name}.*"),
            topics("--nope"),
            topics("--list", "--create", "--topic", "x"),
        ]
        return found

    compare(tools, both, topic, story)


def test_records(tools: tuple[Tools, Tools], both: Both, topic: str, tmp_path: Path) -> None:
    def story(kind: Tools, broker: Broker, name: str) -> list[Result]:
        where = ("--bootstrap-server", broker.address)

        def produce(stdin: str, *args: str) -> Result:
            return kind.run("kafka-console-producer", *where, "--topic", name, *args, stdin=stdin)

        def consume(*args: str) -> Result:
            return kind.run("kafka-console-consumer", *where, "--topic", name, *args)

        def offsets(*args: str) -> Result:
            return kind.run("kafka-get-offsets", *where, *args)

        broker.create(name)
        file = tmp_path / f"{broker.node.name}-{kind.name}.json"
        file.write_text(json.dumps({"partitions": [{"topic": name, "partition": 0, "offset": 3}], "version": 1}))
        columns = [f"print.{column}=true" for column in ("key", "offset", "partition", "headers", "timestamp")]
        shown = [word for column in columns for word in ("--formatter-property", column)]
        return [
            produce("one\ntwo\n\nfour\n"),
            produce("k\tv\nnull\tx\n", "--reader-property", "parse.key=true", "--reader-property", "null.marker=null"),
            produce("h:1,g:2\tk\tv\n", *_reader("parse.key=true", "parse.headers=true"), "--compression-codec", "zstd"),
            produce("no separator\n", *_reader("parse.key=true", "key.separator=:")),
            produce("x\n", "--compression-codec", "rar"),
            offsets("--topic", name),
            offsets("--topic", name, "--time", "earliest"),
            offsets("--topic", name, "--time", "-3"),
            offsets("--topic", name, "--time", "9999999999999"),
            offsets("--topic", f"{name}-x"),
            offsets("--topic", name, "--time", "soon"),
            consume("--partition", "0", "--offset", "earliest", "--max-messages", "7", *shown),
            consume("--partition", "0", "--offset", "4", "--max-messages", "2"),
            consume("--partition", "0", "--offset", "nope"),
            consume("--offset", "3"),
            kind.run("kafka-delete-records", *where, "--offset-json-file", str(file)),
            offsets("--topic", name, "--time", "-2"),
            consume("--partition", "0", "--from-beginning", "--max-messages", "4"),
        ]

    compare(tools, both, topic, story)


def _reader(*properties: str) -> list[str]:
    return [word for each in properties for word in ("--reader-property", each)]


def test_settings(tools: tuple[Tools, Tools], both: Both, topic: str) -> None:
    def story(kind: Tools, broker: Broker, name: str) -> list[Result]:
        def configs(*args: str) -> Result:
            return kind.run("kafka-configs", "--bootstrap-server", broker.address, *args)

        def shows(text: str, *args: str) -> Result:
            """A change reaches the broker a moment after it is made: asks until the answer has the text."""
            return settled(lambda: configs("--describe", *args), lambda result: text in result.out)

        broker.create(name)
        return [
            configs("--describe", "--topic", name),
            configs("--alter", "--topic", name, "--add-config", "retention.ms=5000,cleanup.policy=[compact,delete]"),
            shows("retention.ms=5000", "--topic", name),
            configs("--describe", "--entity-type", "topics", "--entity-name", name, "--all"),
            configs("--alter", "--topic", name, "--delete-config", "cleanup.policy"),
            settled(lambda: configs("--describe", "--topic", name), lambda result: "compact" not in result.out),
            configs("--alter", "--topic", name, "--add-config", "nope=1"),
            configs("--alter", "--topic", name, "--add-config", "retention.ms=abc"),
            configs("--alter", "--topic", f"{name}-x", "--add-config", "retention.ms=1"),
            configs("--describe", "--topic", f"{name}-x"),
            configs("--alter", "--broker", "1", "--add-config", "log.cleaner.threads=2"),
            shows("threads=2 sensitive", "--broker", "1"),
            configs("--alter", "--broker", "1", "--delete-config", "log.cleaner.threads"),
            configs("--alter", "--broker", "1", "--add-config", "num.partitions=3"),
            configs("--describe", "--broker-defaults"),
            configs("--describe", "--broker", "9"),
            configs("--alter", "--topic", name),
            configs("--describe", "--entity-type", "nope"),
        ]

    compare(tools, both, topic, story)


@pytest.mark.parametrize("which", ["apache", "ours"])
def test_the_same_broker_looks_the_same_through_both(
    tools: tuple[Tools, Tools], both: Both, topic: str, which: str
) -> None:
    """Lists of many things: their order depends on names, so both tool sets must look at the very same ones."""
    broker: Broker = getattr(both, which)
    for number in range(7):
        broker.create(f"{topic}-{number}", partitions=1 + number % 3)
    where = ("--bootstrap-server", broker.address)
    theirs, mine = tools
    for command in (
        ("kafka-topics", *where, "--describe"),
        ("kafka-topics", *where, "--list"),
        ("kafka-configs", *where, "--describe", "--entity-type", "topics"),
        ("kafka-configs", *where, "--describe", "--entity-type", "brokers", "--entity-name", "1", "--all"),
        ("kafka-log-dirs", *where, "--describe"),
        ("kafka-log-dirs", *where, "--describe", "--topic-list", f"{topic}-1,{topic}-2,{topic}-5"),
        ("kafka-get-offsets", *where),
        ("kafka-broker-api-versions", *where),
    ):
        expected, found = (kind.run(*command) for kind in (theirs, mine))
        assert (found.code, found.out) == (expected.code, expected.out), command


@pytest.mark.parametrize("which", ["apache", "ours"])
def test_files_of_either_broker_dump_the_same(tools: tuple[Tools, Tools], both: Both, topic: str, which: str) -> None:
    broker: Broker = getattr(both, which)
    broker.create(topic, index_interval_bytes="64")
    theirs, mine = tools
    where = ("--bootstrap-server", broker.address, "--topic", topic)
    for codec in ("none", "gzip", "snappy", "lz4", "zstd"):
        lines = "".join(f"k{number}\tvalue {number} é\n" for number in range(5))
        mine.run(
            "kafka-console-producer", *where, *_reader("parse.key=true"), "--compression-codec", codec, stdin=lines
        )
    folder = broker.node.data / f"{topic}-0"
    base = folder / "00000000000000000000"
    metadata = broker.node.data / "__cluster_metadata-0" / "00000000000000000000.log"
    for args in (
        ("--files", f"{base}.log"),
        ("--files", f"{base}.log,{base}.index,{base}.timeindex"),
        ("--files", f"{base}.log", "--print-data-log"),
        ("--files", f"{base}.log", "--deep-iteration", "--skip-record-metadata"),
        ("--files", f"{base}.log", "--print-data-log", "--max-bytes", "200"),
        ("--files", f"{base}.index", "--index-sanity-check"),
        ("--files", str(folder / "leader-epoch-checkpoint")),
        ("--files", str(metadata), "--cluster-metadata-decoder", "--max-bytes", "1500"),
        ("--files", str(broker.node.data / "bootstrap.checkpoint"), "--cluster-metadata-decoder"),
    ):
        expected, found = (kind.run("kafka-dump-log", *args) for kind in (theirs, mine))
        assert (found.code, found.out) == (expected.code, expected.out), args


def test_storage(tools: tuple[Tools, Tools], tmp_path: Path) -> None:
    def story(kind: Tools) -> list[tuple[int, list[str]]]:
        folder = tmp_path / kind.name
        folder.mkdir()
        file = folder / "server.properties"
        file.write_text(
            "process.roles=broker,controller\nnode.id=4\ncontroller.listener.names=CONTROLLER\n"
            "listeners=PLAINTEXT://127.0.0.1:9092,CONTROLLER://127.0.0.1:9093\n"
            f"controller.quorum.voters=4@127.0.0.1:9093\nlog.dirs={folder}/a,{folder}/b\n"
        )
        cluster = ("--cluster-id", "4L6g3nShT-eMCtK--X86sw", "--config", str(file))
        steps = [
            ("info", "--config", str(file)),
            ("format", *cluster, "--feature", "nope=1"),
            ("format", *cluster),
            ("format", *cluster),
            ("format", *cluster, "--ignore-formatted"),
            ("info", "--config", str(file)),
            ("version-mapping",),
            ("version-mapping", "--release-version", "3.9"),
            ("feature-dependencies", "--feature", "transaction.version=2"),
            ("feature-dependencies", "--feature", "nope=2"),
            ("nope",),
        ]
        results = [kind.run("kafka-storage", *step) for step in steps]
        return [(result.code, _without_ids(result.out.replace(str(folder), "<folder>"))) for result in results]

    theirs, mine = (story(kind) for kind in tools)
    assert mine == theirs


def test_storage_of_a_quorum_that_changes(tools: tuple[Tools, Tools], tmp_path: Path) -> None:
    cluster, own, other = "4L6g3nShT-eMCtK--X86sw", "J8aAPcfLQt2bqs1JT_rMgQ", "K8aAPcfLQt2bqs1JT_rMgQ"
    mine, second = f"4@127.0.0.1:9093:{own}", f"5@127.0.0.1:9094:{other}"

    def story(kind: Tools) -> list[tuple[int, list[str]]]:
        folder = tmp_path / kind.name
        folder.mkdir()

        def run(name: str, *args: str, roles: str = "broker,controller") -> tuple[int, list[str]]:
            file = folder / f"{name}.properties"
            listeners = {"broker": "PLAINTEXT://127.0.0.1:9092", "controller": "CONTROLLER://127.0.0.1:9093"}
            file.write_text(
                f"process.roles={roles}\nnode.id=4\ncontroller.listener.names=CONTROLLER\n"
                f"listeners={','.join(listeners[each] for each in roles.split(','))}\n"
                f"controller.quorum.bootstrap.servers=127.0.0.1:9093\nlog.dirs={folder}/{name}\n"
            )
            done = kind.run("kafka-storage", "format", "--cluster-id", cluster, "--config", str(file), *args)
            info = kind.run("kafka-storage", "info", "--config", str(file))
            return done.code, _without_ids((done.out + info.out).replace(str(folder), "<folder>"))

        return [
            run("a"),
            run("a", "--standalone", "--no-initial-controllers"),
            run("a", "--initial-controllers", ""),
            run("a", "--initial-controllers", "nonsense"),
            run("a", "--initial-controllers", "4@127.0.0.1:9093"),
            run("a", "--initial-controllers", f"4@127.0.0.1:x:{own}"),
            run("a", "--initial-controllers", f"{mine},{mine}"),
            run("a", "--standalone", "--feature", "kraft.version=0"),
            run("a", "--no-initial-controllers", "--feature", "kraft.version=0"),
            run("a", "--standalone", "--feature", "group.version"),
            run("a", "--standalone", "--feature", "group.version=9"),
            run("a", "--standalone", "--release-version", "9.9"),
            run("a", "--standalone", "--feature", "kraft.version=1"),
            run("b", "--initial-controllers", f"{mine},{second}"),
            run("c", "--initial-controllers", second),
            run("d", "--no-initial-controllers"),
            run("e", "--standalone", roles="broker"),
            run("e", roles="broker"),
            run("f", roles="controller"),
            run("f", "-N", roles="controller"),
        ]

    theirs, ours = (story(kind) for kind in tools)
    assert ours == theirs


def _without_ids(text: str) -> list[str]:
    """Directory ids are random, the order of directories is a hash map's, and Apache also prints Java objects."""
    lines = [line for line in text.splitlines() if not line.startswith("Bootstrap metadata: ")]
    return sorted(re.sub(r"directory.id=[\w-]{22}", "directory.id=<id>", line) for line in lines)


def test_performance_lines_have_the_same_shape(tools: tuple[Tools, Tools], both: Both, topic: str) -> None:
    def shape(result: Result) -> tuple[int, str]:
        return result.code, re.sub(r"\d+(\.\d+)?", "#", result.out)

    for broker in (both.apache, both.ours):
        broker.create(f"{topic}-{broker.node.name}")
        where = ("--bootstrap-server", broker.address, "--topic", f"{topic}-{broker.node.name}")
        load = ("--num-records", "2000", "--record-size", "100", "--throughput", "-1")
        for command in (("kafka-producer-perf-test", *where, *load), ("kafka-consumer-perf-test", *where, *load[:2])):
            theirs, mine = (shape(kind.run(*command)) for kind in tools)
            assert mine == theirs, command
