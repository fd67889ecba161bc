"""Ports for servers that must come back to them after a crash.

They lie below the range from which the kernel numbers outgoing connections: while a server is down, any connection of
anybody may take a port of that range as its own end, and the server then cannot listen there again.
"""

import random
import socket
from contextlib import ExitStack
from pathlib import Path

_FIRST = 10_000
_USUAL_EPHEMERAL_FIRST = 32_768
_TRIES = 1_000
_given: set[int] = set()


def free_ports(host: str, count: int) -> list[int]:
    """Ports that nobody listens on now, none of them given before by this process."""
    last = _ephemeral_first() - 1
    found: list[int] = []
    with ExitStack() as held:
        for _ in range(_TRIES):
            if len(found) == count:
                return found
            port = random.SystemRandom().randint(_FIRST, last)
            if port not in _given and _hold(host, port, held):
                _given.add(port)
                found.append(port)
    raise OSError(f"no {count} ports between {_FIRST} and {last} are free on {host}; end some of the servers there")


def _hold(host: str, port: int, held: ExitStack) -> bool:
    each = held.enter_context(socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET))
    try:
        each.bind((host, port))
    except OSError:
        return False
    return True


def _ephemeral_first() -> int:
    try:
        first = int(Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split()[0])
    except (OSError, ValueError, IndexError):
        return _USUAL_EPHEMERAL_FIRST
    # A machine that lets connections begin lower leaves no room below: then any port is as good as another.
    return first if first > 2 * _FIRST else _USUAL_EPHEMERAL_FIRST
