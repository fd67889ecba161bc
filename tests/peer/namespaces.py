"""Hosts of their own on this machine: network namespaces on one switch, and packets between them that are dropped.

Nothing is added to the machine's own network. The switch is a namespace too, so two networks may have the same
addresses. A thread that is `inside` a host sees that host's network alone, and so does all that it starts.
"""

from __future__ import annotations

import contextlib
import ctypes
import itertools
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

FOLDER = Path("/run/netns")
CLONE_NEWNET = 0x40000000
RULES = "table inet fault { chain input { type filter hook input priority 0; policy accept; }; }"
_libc = ctypes.CDLL(None, use_errno=True)
_numbers = itertools.count()


def needs_namespaces() -> None:
    """Skip the running test where there are none, with a sentence that says what to do."""
    reason = why_not()
    if reason:
        pytest.skip(reason)


def why_not() -> str:
    """What is missing, or nothing."""
    absent = [name for name, package in (("ip", "iproute2"), ("nft", "nftables")) if shutil.which(name) is None]
    if absent:
        return f"network namespaces need {' and '.join(absent)}; on Debian: apt-get install iproute2 nftables"
    if os.geteuid() != 0:
        return "network namespaces need root; run this as root"
    name = f"tl{os.getpid()}-probe{next(_numbers)}"
    done = subprocess.run(["ip", "netns", "add", name], capture_output=True, text=True, check=False)
    if done.returncode:
        return f"this machine allows no network namespaces ({done.stderr.strip()}); run it where ip netns add works"
    _run("ip", "netns", "del", name)
    return ""


def _run(*command: str) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{' '.join(command)}: {done.stdout}{done.stderr}"


class Namespaces:
    """Hosts by number, each with one address; `drop` and `heal` change who hears whom."""

    def __init__(self, hosts: list[int]) -> None:
        _remove_forgotten()
        self._prefix = f"tl{os.getpid()}-{next(_numbers)}"
        self.hosts = hosts
        self._made: list[str] = []
        switch = f"{self._prefix}-switch"
        self._switch = ["ip", "netns", "exec", switch]
        self._add(switch)
        _run("ip", "-n", switch, "link", "add", "switch", "type", "bridge")
        _run("ip", "-n", switch, "link", "set", "switch", "up")
        for host in hosts:
            self._add_host(switch, host)

    def _add(self, name: str) -> None:
        _run("ip", "netns", "add", name)
        self._made.append(name)

    def _add_host(self, switch: str, host: int) -> None:
        name, port = self.name(host), f"port{host}"
        self._add(name)
        _run("ip", "-n", switch, "link", "add", port, "type", "veth", "peer", "name", "eth0", "netns", name)
        _run("ip", "-n", switch, "link", "set", port, "master", "switch", "up")
        _run("ip", "-n", name, "addr", "add", f"{self.address(host)}/24", "dev", "eth0")
        _run("ip", "-n", name, "link", "set", "eth0", "up")
        _run("ip", "-n", name, "link", "set", "lo", "up")
        self._nft(host, RULES)

    def name(self, host: int) -> str:
        return f"{self._prefix}-{host}"

    @staticmethod
    def address(host: int) -> str:
        return f"10.77.0.{host + 1}"

    def command(self, host: int) -> list[str]:
        """What stands before a command so that it runs there."""
        return ["ip", "netns", "exec", self.name(host)]

    def _nft(self, host: int, rule: str) -> None:
        _run(*self.command(host), "nft", rule)

    def drop(self, source: int, target: int) -> None:
        """Nothing that `source` sends arrives at `target`."""
        self._nft(target, f"add rule inet fault input ip saddr {self.address(source)} drop")

    def drop_connections(self, source: int, target: int, ports: str) -> None:
        """`source` cannot use the ports of `target`, neither anew nor on what is open; the other way goes on."""
        rule = f"add rule inet fault input ip saddr {self.address(source)} tcp dport {{ {ports} }} drop"
        self._nft(target, rule)

    def limit(self, host: int, bytes_per_second: int) -> None:
        """What is sent to this host arrives no faster than that."""
        rate = ["rate", f"{8 * bytes_per_second}bit", "burst", "64kb", "latency", "50ms"]
        _run(*self._switch, "tc", "qdisc", "replace", "dev", f"port{host}", "root", "tbf", *rate)

    def unlimit(self, host: int) -> None:
        _run(*self._switch, "tc", "qdisc", "del", "dev", f"port{host}", "root")

    def heal(self) -> None:
        for host in self.hosts:
            self._nft(host, "flush chain inet fault input")

    @contextlib.contextmanager
    def inside(self, host: int) -> Iterator[None]:
        """This thread, the threads and the processes that it starts are on that host."""
        before = os.open("/proc/thread-self/ns/net", os.O_RDONLY)
        there = os.open(FOLDER / self.name(host), os.O_RDONLY)
        try:
            _enter(there)
            yield
        finally:
            _enter(before)
            os.close(before)
            os.close(there)

    def close(self) -> None:
        for name in reversed(self._made):
            subprocess.run(["ip", "netns", "del", name], capture_output=True, check=False)


def _enter(namespace: int) -> None:
    if _libc.setns(namespace, CLONE_NEWNET) != 0:
        raise OSError(ctypes.get_errno(), "setns")


def _remove_forgotten() -> None:
    """A run that was killed cannot clean up; its process id is in the names of what it left."""
    for path in FOLDER.glob("tl*-*"):
        pid = path.name[2:].partition("-")[0]
        if pid.isdecimal() and not Path(f"/proc/{pid}").exists():
            subprocess.run(["ip", "netns", "del", path.name], capture_output=True, check=False)
