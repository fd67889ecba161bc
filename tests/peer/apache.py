"""One Apache Kafka node (broker and controller) on free ports with fresh data, and its classes as commands."""

import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

from peer.jars import VERSION, class_path, jars
from peer.paths import once
from peer.process import NodeProcess, free_port, write_properties
from peer.toolchain import run

# Tests want a quick start and little memory more than peak speed: the first compiler tier, one collector thread.
QUICK_JVM = ("-Xmx512m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto")
# For measuring: what Apache Kafka's own start script would use, a warm server compiler and a one-gigabyte heap.
SERVER_JVM = ("-Xmx1g", "-Xms1g", "-server", "-XX:+UseG1GC", "-XX:MaxGCPauseMillis=20")

CLUSTER_ID = "4L6g3nShT-eMCtK--X86sw"


def java(main: str, *args: str, flags: tuple[str, ...] = QUICK_JVM, level: str = "ERROR", extra: str = "") -> list[str]:
    """The command line that runs a class with Apache Kafka's jars (and those of `extra`) on its class path."""
    path = f"{extra}:{class_path()}" if extra else class_path()
    log4j = f"-Dlog4j2.configurationFile=file:{jars()}/log4j2.xml"
    return ["java", *flags, f"-Dpeer.level={level}", log4j, "-cp", path, main, *args]


def run_class(
    main: str, *args: str, stdin: str = "", timeout_s: float = 120, extra: str = ""
) -> "subprocess.CompletedProcess[str]":
    """Run a class of Apache Kafka to its end, e.g. `org.apache.kafka.tools.DumpLogSegments`."""
    return subprocess.run(
        java(main, *args, extra=extra), input=stdin, capture_output=True, text=True, timeout=timeout_s, check=False
    )


class ApacheNode(NodeProcess):
    """Apache Kafka. `properties` go on top of the few settings that one node on this machine needs."""

    name = "apache"

    def __init__(
        self,
        folder: Path,
        properties: Mapping[str, str] | None = None,
        flags: tuple[str, ...] = QUICK_JVM,
        data: Path | None = None,
    ) -> None:
        super().__init__(folder, data)
        self.flags = flags
        self.file = write_properties(folder / "server.properties", self._settings(properties or {}))
        if not (self.data / "meta.properties").exists():
            shutil.copytree(_formatted(), self.data, dirs_exist_ok=True)

    def _settings(self, properties: Mapping[str, str]) -> dict[str, str]:
        controller_port = free_port()
        return {
            "process.roles": "broker,controller",
            "node.id": "1",
            "controller.quorum.voters": f"1@127.0.0.1:{controller_port}",
            "listeners": f"PLAINTEXT://127.0.0.1:{self.port},CONTROLLER://127.0.0.1:{controller_port}",
            "advertised.listeners": f"PLAINTEXT://127.0.0.1:{self.port}",
            "inter.broker.listener.name": "PLAINTEXT",
            "controller.listener.names": "CONTROLLER",
            "listener.security.protocol.map": "CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT",
            "log.dirs": str(self.data),
            **ONE_NODE,
            **properties,
        }

    def command(self) -> list[str]:
        return java("kafka.Kafka", str(self.file), flags=self.flags, level="INFO")

    def serves(self, output: str) -> bool:
        return "Kafka Server started" in output


# Internal topics with one replica, and no waiting for more members: what any single node for tests wants.
ONE_NODE = {
    "offsets.topic.replication.factor": "1",
    "transaction.state.log.replication.factor": "1",
    "transaction.state.log.min.isr": "1",
    "share.coordinator.state.topic.replication.factor": "1",
    "share.coordinator.state.topic.min.isr": "1",
    "group.initial.rebalance.delay.ms": "0",
}


def _formatted() -> Path:
    """A data directory as the storage tool leaves it, made once: copying it saves a JVM at every start."""
    return once(f"formatted-{VERSION}", _format) / "data"


def _format(folder: Path) -> None:
    data = folder / "data"
    shutil.rmtree(data, ignore_errors=True)
    file = write_properties(
        folder / "server.properties",
        {
            "process.roles": "broker,controller",
            "node.id": "1",
            "controller.quorum.voters": "1@127.0.0.1:9093",
            "listeners": "PLAINTEXT://127.0.0.1:9092,CONTROLLER://127.0.0.1:9093",
            "controller.listener.names": "CONTROLLER",
            "log.dirs": str(data),
        },
    )
    run(java("kafka.tools.StorageTool", "format", "-t", CLUSTER_ID, "-c", str(file)))
