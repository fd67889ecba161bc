"""Three of our nodes as real processes, started by `tide up --nodes 3`, with the faults that `tide fault` makes."""

import contextlib
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

from peer.process import NodeProcess, write_properties

TIDE = [sys.executable, "-m", "tidelog.cli.main"]
# Failures are noticed soon, so that a test takes seconds; a cluster in production is more patient.
QUICK = {
    "broker.session.timeout.ms": "3000",
    "broker.heartbeat.interval.ms": "500",
    "replica.lag.time.max.ms": "3000",
    "replica.socket.timeout.ms": "3000",
    "controller.quorum.fetch.timeout.ms": "1000",
    "controller.quorum.election.timeout.ms": "500",
    "offsets.topic.num.partitions": "4",
    "transaction.state.log.num.partitions": "4",
}


class OurCluster(NodeProcess):
    name = "our cluster"

    def __init__(
        self, folder: Path, properties: Mapping[str, str] | None = None, nodes: int = 3, quick: bool = True
    ) -> None:
        super().__init__(folder)
        self.nodes = nodes
        self.file = write_properties(folder / "server.properties", {**(QUICK if quick else {}), **(properties or {})})
        self.pids: dict[int, int] = {}
        self.addresses: dict[int, str] = {}

    def command(self) -> list[str]:
        up = ["up", "--nodes", str(self.nodes), "--data", str(self.data), "--port", "0", "--host", "127.0.0.1"]
        return [*TIDE, *up, "--properties", str(self.file)]

    def serves(self, output: str) -> bool:
        if "\nready " not in output:
            return False
        for node_id, pid, address in re.findall(r"^node (\d+) pid (\d+) (\S+)$", output, re.MULTILINE):
            self.pids[int(node_id)], self.addresses[int(node_id)] = int(pid), address
        return True

    @property
    def address(self) -> str:
        return ",".join(self.addresses.values())

    def signal_node(self, node_id: int, number: int) -> None:
        os.kill(self.pids[node_id], number)

    def kill_node(self, node_id: int) -> None:
        """Returns when the process is gone, which a busy machine may delay."""
        pid = self.pids[node_id]
        self.signal_node(node_id, signal.SIGKILL)
        wait_for(lambda: not is_running(pid), f"node {node_id} is gone")

    def pause_node(self, node_id: int) -> None:
        self.signal_node(node_id, signal.SIGSTOP)

    def resume_node(self, node_id: int) -> None:
        self.signal_node(node_id, signal.SIGCONT)

    def start_node(self, node_id: int) -> None:
        """Brings a killed node back; returns when it serves."""
        line = self.tide("node", "start", str(node_id))
        self.pids[node_id] = int(line.split()[3])

    def restore(self) -> None:
        """Every node runs and reaches every other, whatever a test left behind."""
        for node_id, pid in self.pids.items():
            if not is_running(pid):
                self.start_node(node_id)
        self.fault("heal")

    def fault(self, *words: str) -> None:
        self.tide("fault", *words)

    def tide(self, *words: str) -> str:
        command = [*TIDE, *words, "--data", str(self.data)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        assert done.returncode == 0, f"tide {' '.join(words)}: {done.stdout}{done.stderr}{self.tail()}"
        return done.stdout

    def close(self) -> None:
        for node_id in self.pids:
            with contextlib.suppress(ProcessLookupError):
                self.resume_node(node_id)
        super().close()
        for pid in self.pids.values():  # those that were brought back are nobody's children
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)

    def cpu_of_all(self) -> float:
        """User and system seconds of all nodes so far."""
        total = 0
        for pid in self.pids.values():
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            total += int(fields[11]) + int(fields[12])
        return total / os.sysconf("SC_CLK_TCK")


def is_running(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


@contextlib.contextmanager
def our_cluster(folder: Path, **properties: str) -> Iterator[OurCluster]:
    cluster = OurCluster(folder, {name.replace("_", "."): value for name, value in properties.items()})
    cluster.start()
    try:
        yield cluster
    finally:
        cluster.close()


def wait_for(condition: object, what: str, timeout_s: float = 90) -> None:
    """Until the condition holds; asks ten times a second."""
    deadline = time.monotonic() + timeout_s
    while not condition():  # type: ignore[operator]
        assert time.monotonic() < deadline, f"not within {timeout_s} s: {what}"
        time.sleep(0.1)
