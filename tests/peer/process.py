"""One node as a child process: start, wait until it serves, stop, kill, start again on the same data."""

import ctypes
import os
import signal
import subprocess
import time
from pathlib import Path

from tidelog.io.free_ports import free_ports

PR_SET_PDEATHSIG = 1
_libc = ctypes.CDLL(None)


def free_port() -> int:
    return free_ports("127.0.0.1", 1)[0]


def write_properties(path: Path, properties: dict[str, str]) -> Path:
    path.write_text("".join(f"{key}={value}\n" for key, value in properties.items()))
    return path


def _die_with_parent() -> None:
    _libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


class NodeProcess:
    """A node of either kind. Subclasses say how it is launched and how its output shows that it serves."""

    name = "node"

    def __init__(self, folder: Path, data: Path | None = None, port: int | None = None) -> None:
        self.folder = folder
        self.data = data or folder / "data"
        self.port = port or free_port()
        self.output = folder / "output.txt"
        self.process: subprocess.Popen[bytes] | None = None
        folder.mkdir(parents=True, exist_ok=True)

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.port}"

    @property
    def pid(self) -> int:
        assert self.process is not None, f"{self.name} was never started"
        return self.process.pid

    def command(self) -> list[str]:
        raise NotImplementedError

    def serves(self, output: str) -> bool:
        raise NotImplementedError

    def start(self, timeout_s: float = 90) -> None:
        self.launch()
        self.wait_until_it_serves(timeout_s)

    def launch(self) -> None:
        """Begin the process without waiting for it to serve."""
        with self.output.open("wb") as sink:
            self.process = subprocess.Popen(
                self.command(),
                stdin=subprocess.DEVNULL,
                stdout=sink,
                stderr=subprocess.STDOUT,
                preexec_fn=_die_with_parent,
            )

    def wait_until_it_serves(self, timeout_s: float = 90) -> None:
        assert self.process is not None
        deadline = time.monotonic() + timeout_s
        while not self.serves(self.output.read_text(errors="replace")):
            code = self.process.poll()
            if code is not None:
                raise RuntimeError(f"{self.name} ended with {code} instead of serving:\n{self.tail()}")
            if time.monotonic() > deadline:
                self.kill()
                raise TimeoutError(f"{self.name} did not serve in time:\n{self.tail()}")
            time.sleep(0.02)

    def tail(self, size: int = 4000) -> str:
        return self.output.read_text(errors="replace")[-size:]

    def stop(self, timeout_s: float = 30) -> int:
        """Ask the node to end (SIGTERM) and give its exit code; one that does not end in time is killed: an error."""
        process = self._running()
        process.send_signal(signal.SIGTERM)
        try:
            return process.wait(timeout_s)
        except subprocess.TimeoutExpired:
            self.kill()
            raise TimeoutError(f"{self.name} did not stop within {timeout_s} s of SIGTERM:\n{self.tail()}") from None

    def kill(self) -> None:
        process = self._running()
        process.kill()
        process.wait()

    def close(self) -> None:
        """End the node whatever state it is in; for the end of a test."""
        if self.process is None or self.process.poll() is not None:
            return
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def _running(self) -> "subprocess.Popen[bytes]":
        assert self.process is not None, f"{self.name} was never started"
        return self.process

    def cpu_seconds(self) -> float:
        """User and system time used so far, from the kernel's accounting."""
        fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def resident_bytes(self) -> int:
        pages = int(Path(f"/proc/{self.pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")
