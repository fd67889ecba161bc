"""A cluster of several nodes on this machine, as `tide up --nodes N` starts it: where its files are, and its processes.

The directory holds, for each node, its settings (`node-1.properties`), its data (`node-1/`), what it logged
(`node-1.log`), the id of its process (`node-1.pid`) and which others it must not reach (`node-1.faults`).
"""

from __future__ import annotations

import contextlib
import os
import signal
import time
from pathlib import Path
from typing import NamedTuple

from tidelog.cli.tide import NotFound
from tidelog.cli.tool import Failure

DEFAULT_DATA = "tidelog-data"
START_SECONDS = 30.0
STOP_SECONDS = 15.0
END_SECONDS = 5.0


class LocalNode(NamedTuple):
    id: int
    host: str
    port: int
    directory: Path

    @property
    def properties(self) -> Path:
        return self.directory / f"node-{self.id}.properties"

    @property
    def data(self) -> Path:
        return self.directory / f"node-{self.id}"

    @property
    def log(self) -> Path:
        return self.directory / f"node-{self.id}.log"

    @property
    def pid_file(self) -> Path:
        return self.directory / f"node-{self.id}.pid"

    @property
    def faults(self) -> Path:
        return self.directory / f"node-{self.id}.faults"

    def settings(self) -> dict[str, str]:
        from tidelog.config.properties import parse_properties

        return dict(parse_properties(self.properties.read_text(encoding="latin-1")))

    def pid(self) -> int | None:
        """The process of the node, if it runs."""
        try:
            pid = int(self.pid_file.read_text())
        except (OSError, ValueError):
            return None
        return pid if is_alive(pid) else None

    def line(self, pid: int) -> str:
        return f"node {self.id} pid {pid} {self.host}:{self.port}"


def with_data(command: str, data: str) -> str:
    """A command to try next, with the directory where that is not the one it takes by itself."""
    return command if data == DEFAULT_DATA else f"{command} --data {data}"


def is_alive(pid: int) -> bool:
    """Whether the process runs or is paused; one that has ended and was not waited for does not count."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state not in "ZX"


def is_paused(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] in "Tt"
    except OSError:
        return False


def holds_cluster(directory: str) -> bool:
    return any(Path(directory).glob("node-*.properties"))


def find_nodes(directory: str) -> list[LocalNode]:
    """The nodes of the cluster in `directory`; NotFound when there is none."""
    folder = Path(directory).resolve()
    found = []
    for path in folder.glob("node-*.properties"):
        number = path.name.removeprefix("node-").removesuffix(".properties")
        if number.isdecimal():
            node = LocalNode(int(number), "", 0, folder)
            host, _, port = node.settings()["listeners"].partition("://")[2].partition(",")[0].rpartition(":")
            found.append(LocalNode(int(number), host, int(port), folder))
    if not found:
        raise NotFound(f"{directory} holds no cluster; start one with: tide up --nodes 3 --data {directory}")
    return sorted(found)


def find_node(directory: str, node_id: int) -> LocalNode:
    nodes = {each.id: each for each in find_nodes(directory)}
    if node_id not in nodes:
        raise NotFound(f"{directory} has no node {node_id}; it has {', '.join(map(str, nodes))}")
    return nodes[node_id]


def fork_node(node: LocalNode, settings: dict[str, str], *, detached: bool) -> tuple[int, int]:
    """A process that serves the node; gives its id and a pipe that ends, or brings a line when the node is ready.

    The process is a copy of this one, which has loaded everything already: three nodes start in the time of one.
    """
    reader, writer = os.pipe()
    pid = os.fork()
    if pid:
        os.close(writer)
        node.pid_file.write_text(f"{pid}\n")
        return pid, reader
    try:
        os.close(reader)
        _serve(node, settings, writer, detached)
    except BaseException as error:  # this copy must end here, whatever happens
        os.write(2, f"node {node.id} failed: {error!r}\n".encode())
        os._exit(1)
    os._exit(0)


def _serve(node: LocalNode, settings: dict[str, str], writer: int, detached: bool) -> None:
    from tidelog.config.broker_config import BrokerConfig
    from tidelog.node.node import run

    if detached:
        os.setsid()
    sink = os.open(node.log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(sink, 1)
    os.dup2(sink, 2)
    # Ctrl-C and the terminal's end reach every process of it; the one that was started there tells the others to stop.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)

    def announce(line: str) -> None:
        os.write(writer, f"{line}\n".encode())

    run(BrokerConfig.from_properties(settings), announce, stop_on_interrupt=False)


def await_ready(node: LocalNode, reader: int, deadline: float) -> None:
    """Until the node serves; Failure when it ended or takes too long."""
    import select

    text = b""
    while b"ready" not in text:
        left = deadline - time.monotonic()
        ready, _, _ = select.select([reader], [], [], max(0.0, left))
        if not ready:
            raise Failure(f"node {node.id} is not ready after {START_SECONDS:g} s; {node.log} says why")
        data = os.read(reader, 4096)
        if not data:
            raise Failure(f"node {node.id} did not start; the end of {node.log} says:\n{_tail(node.log)}")
        text += data
    os.close(reader)


def _tail(path: Path) -> str:
    try:
        return "\n".join(path.read_text(errors="replace").splitlines()[-5:])
    except OSError:
        return ""


def stop(pids: list[int]) -> None:
    """All of them in an orderly way; those that do not end in time are killed."""
    for pid in pids:
        send_signal(pid, signal.SIGCONT)
        send_signal(pid, signal.SIGTERM)
    deadline = time.monotonic() + STOP_SECONDS
    while any(map(is_alive, pids)) and time.monotonic() < deadline:
        _reap()
        time.sleep(0.02)
    for pid in filter(is_alive, pids):
        send_signal(pid, signal.SIGKILL)


def await_end(pid: int) -> None:
    """A killed process may take a moment to go; whoever starts its node again at once would find it running."""
    deadline = time.monotonic() + END_SECONDS
    while is_alive(pid) and time.monotonic() < deadline:
        time.sleep(0.005)


def send_signal(pid: int, number: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, number)


def _reap() -> None:
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        pass
