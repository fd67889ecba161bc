"""Ports for servers that must come back to them."""

import socket
from pathlib import Path

import pytest

from tidelog.io import free_ports as module
from tidelog.io.free_ports import free_ports


def test_they_differ_are_free_and_are_none_that_an_outgoing_connection_may_take() -> None:
    ports = [*free_ports("127.0.0.1", 20), *free_ports("127.0.0.1", 20)]
    ephemeral = int(Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split()[0])
    assert len(set(ports)) == 40
    assert max(ports) < ephemeral
    for port in ports:
        socket.create_server(("127.0.0.1", port)).close()


def test_a_port_that_somebody_has_is_not_given(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", free_ports("127.0.0.1", 1)[0])) as taken:
        only = taken.getsockname()[1]
        monkeypatch.setattr(module, "_FIRST", only)
        monkeypatch.setattr(module, "_ephemeral_first", lambda: only + 1)
        monkeypatch.setattr(module, "_given", set())
        with pytest.raises(OSError, match="end some of the servers"):
            free_ports("127.0.0.1", 1)
