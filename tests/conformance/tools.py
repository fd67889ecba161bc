"""Apache's command-line tools and ours, run the same way, and what of their output may differ."""

import difflib
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from conformance.brokers import Both, Broker
from peer.apache import java

FOLDER = Path(__file__).parent / "cli_tools"

CLASSES = {
    "kafka-topics": "org.apache.kafka.tools.TopicCommand",
    "kafka-configs": "kafka.admin.ConfigCommand",
    "kafka-get-offsets": "org.apache.kafka.tools.GetOffsetShell",
    "kafka-dump-log": "org.apache.kafka.tools.DumpLogSegments",
    "kafka-delete-records": "org.apache.kafka.tools.DeleteRecordsCommand",
    "kafka-log-dirs": "org.apache.kafka.tools.LogDirsCommand",
    "kafka-broker-api-versions": "org.apache.kafka.tools.BrokerApiVersionsCommand",
    "kafka-console-producer": "org.apache.kafka.tools.ConsoleProducer",
    "kafka-console-consumer": "org.apache.kafka.tools.consumer.ConsoleConsumer",
    "kafka-producer-perf-test": "org.apache.kafka.tools.ProducerPerformance",
    "kafka-consumer-perf-test": "org.apache.kafka.tools.ConsumerPerformance",
    "kafka-storage": "kafka.tools.StorageTool",
    "kafka-consumer-groups": "org.apache.kafka.tools.consumer.group.ConsumerGroupCommand",
    "kafka-groups": "org.apache.kafka.tools.GroupsCommand",
    "kafka-transactions": "org.apache.kafka.tools.TransactionsCommand",
    "kafka-leader-election": "org.apache.kafka.tools.LeaderElectionCommand",
    "kafka-reassign-partitions": "org.apache.kafka.tools.reassign.ReassignPartitionsCommand",
    "kafka-features": "org.apache.kafka.tools.FeatureCommand",
    "kafka-cluster": "org.apache.kafka.tools.ClusterTool",
    "kafka-metadata-quorum": "org.apache.kafka.tools.MetadataQuorumCommand",
    "kafka-metadata-shell": "org.apache.kafka.shell.MetadataShell",
}


class Result(NamedTuple):
    code: int
    out: str
    err: str


class Batch:
    """A process that runs one tool after the other: starting one for each would take seconds."""

    name = ""

    def __init__(self, command: list[str], programs: dict[str, str]) -> None:
        self._programs = programs
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )

    def run(self, tool: str, *args: str, stdin: str = "") -> Result:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
            file.write(stdin)
            file.flush()
            line = "\x1f".join([self._programs[tool], file.name, *args])
            self._process.stdin.write(line.encode() + b"\n")
            self._process.stdin.flush()
            head = self._process.stdout.readline().split()
            assert head[:1] == [b"exit"], f"the process that runs {self.name} tools ended at {tool} {args}"
            out, err = (self._process.stdout.read(int(size)).decode(errors="replace") for size in head[2:])
        return Result(int(head[1]), out, err)

    def close(self) -> None:
        self._process.kill()
        self._process.wait()


class ApacheTools(Batch):
    name = "apache"

    def __init__(self) -> None:
        super().__init__(java(str(FOLDER / "ToolBatch.java")), CLASSES)


class OurTools(Batch):
    """Ours, each in a process forked from one that has Python's start behind it."""

    name = "ours"

    def __init__(self) -> None:
        modules = {tool: f"tidelog.cli.{tool.replace('-', '_')}" for tool in CLASSES}
        super().__init__([sys.executable, str(FOLDER / "tool_batch.py")], modules)


Tools = ApacheTools | OurTools


def masked(text: str, broker: Broker, *names: str) -> str:
    """The output without what no two runs share: addresses, ids, times, paths, checksums, the test's own names.

    Settings that Apache does not have (`tidelog.…`) are left out too.
    """
    text = re.sub(r"(?m)^  tidelog\..*\n", "", text)
    for number, name in enumerate(names):
        text = text.replace(name, f"<name{number}>")
    text = text.replace(str(broker.node.data), "<data>").replace(broker.address, "<address>")
    text = re.sub(r"localhost:\d+", "<address>", text)
    text = re.sub(r"TopicId: [\w-]{22}", "TopicId: <id>", text)
    text = re.sub(r"\b1\d{12}\b", "<time>", text)
    return re.sub(r"crc: \d+", "crc: <crc>", text)


Story = Callable[[Tools, Broker, str], list[Result]]


def compare(tools: tuple[Tools, Tools], both: Both, topic: str, story: Story) -> None:
    """Plays the story with each tool set against each broker; all four must say the same."""
    found: dict[str, list[tuple[int, str]]] = {}
    for broker in (both.apache, both.ours):
        for kind in tools:
            name = f"{topic}-{kind.name}"
            results = story(kind, broker, name)
            found[f"{kind.name} tools, {broker.node.name} broker"] = [
                (result.code, masked(result.out, broker, name)) for result in results
            ]
    (first, expected), *others = found.items()
    different = [
        f"step {number} differs between {first} ({want[0]}) and {who} ({have[0]}): {diff(want[1], have[1])}"
        for who, results in others
        for number, (want, have) in enumerate(zip(expected, results, strict=True))
        if have != want
    ]
    assert not different, "\n".join(different)


def diff(want: str, have: str) -> str:
    lines = difflib.unified_diff(want.splitlines(), have.splitlines(), "wanted", "found", lineterm="", n=0)
    return "\n".join(["", *lines])
