"""The simulated network: hosts, the links between them, and connections that behave as TCP does.

TCP loses nothing and keeps the order of one connection, so faults show as time, as a reset, or as silence. A blocked
link holds bytes back until it heals and the sender tries again. The end of a process closes its connections; the end
of a machine says nothing, and whoever writes to it after it came back is reset. Every direction is its own link, so
partitions can be of any shape.
"""

from __future__ import annotations

import asyncio
import errno
import os
from collections.abc import Callable, Iterable
from random import Random

from tidelog.ports import Receiver
from tidelog.sim.connection import EOF, RESET, Endpoint, Item
from tidelog.sim.loop import SimLoop
from tidelog.sim.process import Process

# A first packet is repeated after 1, 2, 4 … seconds; after about two minutes the system gives up.
CONNECT_PATIENCE_S = 127.0
FIRST_DYNAMIC_PORT = 40_000


class Host:
    """One machine: its listening ports, and whether it is on."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.is_up = True
        self.ports: dict[int, Listener] = {}
        self.endpoints: dict[Endpoint, None] = {}
        self.next_port = FIRST_DYNAMIC_PORT


class Listener:
    def __init__(self, host: Host, port: int, process: Process, factory: Callable[[], Receiver]) -> None:
        self.host = host.name
        self.port = port
        self.process = process
        self.factory = factory
        self._machine = host

    async def close(self) -> None:
        if self._machine.ports.get(self.port) is self:
            del self._machine.ports[self.port]


class SimNetwork:
    """All links. `loss` is the share of packets that are sent twice, `slow_s` what a congested link adds."""

    def __init__(self, loop: SimLoop, random: Random) -> None:
        self.loop = loop
        self.random = random
        self.hosts: dict[str, Host] = {}
        self.latency_s = 0.0005
        self.loss = 0.0
        self.slow_s = 0.0
        self.split = 0.02
        self.deliveries = 0
        # Packets from one host to another since somebody looked last.
        self.sent: dict[tuple[str, str], int] = {}
        # Called with (time, from, to, item) when tracing.
        self.on_arrival: Callable[[float, str, str, Item], None] | None = None
        self._blocked: dict[tuple[str, str], float] = {}
        self._stalled: dict[Endpoint, None] = {}

    def host(self, name: str) -> Host:
        found = self.hosts.get(name)
        if found is None:
            found = self.hosts[name] = Host(name)
        return found

    # shapes of partitions

    def block(self, source: str, target: str) -> None:
        self._blocked.setdefault((source, target), self.loop.time())

    def block_both(self, one: str, other: str) -> None:
        self.block(one, other)
        self.block(other, one)

    def isolate(self, group: Iterable[str], others: Iterable[str]) -> None:
        """No packet passes between the two groups."""
        away = list(others)
        for one in group:
            for other in away:
                self.block_both(one, other)

    def heal(self) -> None:
        self._blocked, before = {}, self._blocked
        self.loss = self.slow_s = 0.0
        for endpoint in list(self._stalled):
            since = before.get((endpoint.host.name, endpoint.peer.host.name), self.loop.time())
            self._retry_later(endpoint, self.loop.time() - since)

    def is_blocked(self, source: Host, target: Host) -> bool:
        return (source.name, target.name) in self._blocked

    @property
    def partitioned(self) -> bool:
        return bool(self._blocked)

    # packets

    def delay_s(self) -> float:
        random = self.random.random()
        delay = self.latency_s * (0.3 + random + 3.0 * random**8)
        if self.slow_s:
            delay += self.slow_s * self.random.random()
        if self.loss and self.random.random() < self.loss:
            delay += 0.2 + 0.4 * self.random.random()  # the time after which a lost packet is sent again
        return delay

    def transmit(self, source: Endpoint, item: Item) -> None:
        target = source.peer
        if source.stalled or not target.host.is_up or self.is_blocked(source.host, target.host):
            source.stalled.append(item)
            self._stalled[source] = None
            return
        if type(item) is bytes and len(item) > 1 and self.random.random() < self.split:
            cut = self.random.randrange(1, len(item))
            self._send(source, target, item[:cut])
            item = item[cut:]
        self._send(source, target, item)

    def _send(self, source: Endpoint, target: Endpoint, item: Item) -> None:
        when = max(source.last_arrival_s, self.loop.time() + self.delay_s())
        source.last_arrival_s = when
        self.deliveries += 1
        between = source.host.name, target.host.name
        self.sent[between] = self.sent.get(between, 0) + 1
        # The handle belongs to whoever receives: a stopped process finds it in its socket when it goes on. The machine
        # of a process that is no more answers in its place: it knows of no such connection.
        loop = self.loop
        is_known = target.process.is_alive
        before, loop.process = loop.process, target.process if is_known else loop.world
        loop.call_at(when, target.arrived if is_known else target.unknown, item)
        loop.process = before

    def _retry_later(self, source: Endpoint, outage_s: float) -> None:
        """The pauses between repeats double, so that after a long outage it takes a while until the next one."""
        wait_s = 0.01 + self.random.random() * min(outage_s, 20.0)
        loop = self.loop
        before, loop.process = loop.process, loop.world
        loop.call_later(wait_s, self._retry, source)
        loop.process = before

    def _retry(self, source: Endpoint) -> None:
        target = source.peer
        if not source.stalled:
            self._stalled.pop(source, None)
            return
        if not target.host.is_up or self.is_blocked(source.host, target.host):
            return
        items, source.stalled = source.stalled, []
        self._stalled.pop(source, None)
        if target.is_gone:
            source.reset_soon()
            return
        for item in items:
            self._send(source, target, item)

    # connections

    def listen(self, process: Process, port: int, factory: Callable[[], Receiver]) -> Listener:
        host = process.host
        assert host is not None, "only a process on a machine can listen"
        if port == 0:
            port = host.next_port
            host.next_port += 1
        if port in host.ports:
            raise OSError(errno.EADDRINUSE, f"cannot listen on {host.name}:{port}: {os.strerror(errno.EADDRINUSE)}")
        listener = host.ports[port] = Listener(host, port, process, factory)
        return listener

    async def connect(self, process: Process, name: str, port: int, factory: Callable[[], Receiver]) -> Endpoint:
        source = process.host
        assert source is not None, "only a process on a machine can connect"
        if name in ("localhost", "127.0.0.1"):
            name = source.name
        target = self.hosts.get(name)
        if target is None:
            raise OSError(errno.ENOENT, f"the name {name} is not known")
        await self._handshake(source, target)
        listener = target.ports.get(port)
        if listener is None:
            raise ConnectionRefusedError(errno.ECONNREFUSED, os.strerror(errno.ECONNREFUSED))
        source.next_port += 1
        near = Endpoint(self, process, source, target.name, port)
        far = Endpoint(self, listener.process, target, source.name, source.next_port)
        near.peer, far.peer = far, near
        listener.process.call_soon(far.accept, listener.factory)
        try:
            await asyncio.sleep(self.delay_s())
        except BaseException:
            near.abort()
            raise
        if near.is_gone:
            raise ConnectionResetError(errno.ECONNRESET, os.strerror(errno.ECONNRESET))
        near.accept(factory)
        return near

    async def _handshake(self, source: Host, target: Host) -> None:
        pause_s, waited_s = 1.0, 0.0
        while True:
            await asyncio.sleep(self.delay_s())
            if target.is_up and not self.is_blocked(source, target) and not self.is_blocked(target, source):
                return
            if waited_s >= CONNECT_PATIENCE_S:
                raise TimeoutError(errno.ETIMEDOUT, os.strerror(errno.ETIMEDOUT))
            await asyncio.sleep(pause_s)
            waited_s += pause_s
            pause_s *= 2

    # the ends of processes and machines

    def process_ended(self, process: Process) -> None:
        """Its kernel closes what it left open."""
        host = process.host
        assert host is not None
        host.ports = {port: each for port, each in host.ports.items() if each.process is not process}
        for endpoint in [each for each in host.endpoints if each.process is process]:
            endpoint.vanish()
            self.transmit(endpoint, RESET if endpoint.inbound else EOF)

    def machine_ended(self, host: Host) -> None:
        """Nobody is told."""
        host.is_up = False
        host.ports = {}
        for endpoint in list(host.endpoints):
            endpoint.vanish()

    def machine_back(self, host: Host) -> None:
        host.is_up = True
        for endpoint in list(self._stalled):
            if endpoint.peer.host is host:
                self._retry_later(endpoint, 1.0)

    def reset_some(self, share: float) -> int:
        """Connections are cut, as by a firewall that forgot them; both ends hear of it."""
        count = 0
        for host in self.hosts.values():
            for endpoint in list(host.endpoints):
                if self.random.random() < share / 2:
                    endpoint.reset_soon()
                    endpoint.peer.reset_soon()
                    count += 1
        return count


class ProcessNetwork:
    """The network as one process has it: `ports.Network`."""

    def __init__(self, network: SimNetwork, process: Process) -> None:
        self._network = network
        self._process = process

    async def listen(self, host: str, port: int, factory: Callable[[], Receiver]) -> Listener:
        return self._network.listen(self._process, port, factory)

    async def connect(self, host: str, port: int, factory: Callable[[], Receiver]) -> Endpoint:
        return await self._network.connect(self._process, host, port, factory)
