"""A node that waits for the controllers of its cluster can be stopped like any other, and says what it waits for."""

import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from tidelog.config.broker_config import BrokerConfig
from tidelog.io.disk import RealDisk
from tidelog.io.free_ports import free_ports
from tidelog.node.storage_format import ensure_formatted


def until(what: str, is_so: Callable[[], bool], process: "subprocess.Popen[bytes]") -> None:
    deadline = time.monotonic() + 60
    while not is_so():
        assert process.poll() is None, "the node ended by itself"
        assert time.monotonic() < deadline, f"never {what}"
        time.sleep(0.05)


def test_a_node_without_a_quorum_stops_when_it_is_told(tmp_path: Path) -> None:
    client, own, two, three = free_ports("127.0.0.1", 4)
    properties = {
        "process.roles": "broker,controller",
        "node.id": "1",
        "controller.quorum.voters": f"1@127.0.0.1:{own},2@127.0.0.1:{two},3@127.0.0.1:{three}",
        "listeners": f"PLAINTEXT://127.0.0.1:{client},CONTROLLER://127.0.0.1:{own}",
        "controller.listener.names": "CONTROLLER",
        "listener.security.protocol.map": "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT",
        "log.dirs": str(tmp_path / "data"),
    }
    ensure_formatted(BrokerConfig.from_properties(properties), RealDisk(), lambda size: bytes(range(1, size + 1)), 0)
    output = tmp_path / "output"
    command = [sys.executable, "-m", "tidelog.node.node", *(f"{name}={value}" for name, value in properties.items())]
    with output.open("wb") as file:
        process = subprocess.Popen(command, stdout=file, stderr=file)
    try:
        until("said what it waits for", lambda: b"waits for the controllers" in output.read_bytes(), process)
        process.send_signal(signal.SIGTERM)
        assert process.wait(30) == 0
        assert b"before it has started" in output.read_bytes()
    finally:
        process.kill()
        process.wait()
