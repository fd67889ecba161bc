"""One simulated machine: a disk that outlives the processes on it, a clock, and the shipped node started on them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from random import Random

from tidelog.config.broker_config import BrokerConfig
from tidelog.node.node import Node, NodePorts
from tidelog.sim.blocking import SimBlocking
from tidelog.sim.clock import SimClock
from tidelog.sim.disk import SimDisk
from tidelog.sim.loop import SimLoop
from tidelog.sim.network import ProcessNetwork, SimNetwork
from tidelog.sim.process import Life, Process, ProcessEnded


class Machine:
    """`note` is told of everything that happens to it."""

    def __init__(
        self,
        loop: SimLoop,
        network: SimNetwork,
        name: str,
        properties: Mapping[str, str],
        seed: str,
        note: Callable[[str], None],
    ) -> None:
        self.name = name
        self.loop = loop
        self.network = network
        self.host = network.host(name)
        self.config = BrokerConfig.from_properties(dict(properties))
        self.random = Random(f"{name} {seed}")
        self.clock = SimClock(loop, self.random.randrange(-500, 500), (self.random.random() - 0.5) * 1e-4)
        self.disk = SimDisk(self.clock.now_ms)
        self.disk.trace = None
        self.node: Node | None = None
        self.process: Process | None = None
        self.blocking = SimBlocking(loop, self.random)
        self.starts = 0
        self.is_ready = False
        self.start_failed = False
        self._note = note
        self._graveyard: list[object] = []

    @property
    def node_id(self) -> int:
        return self.config.node_id

    @property
    def is_running(self) -> bool:
        return self.process is not None and self.process.is_alive

    @property
    def is_paused(self) -> bool:
        return self.process is not None and self.process.life is Life.PAUSED

    def random_bytes(self, length: int) -> bytes:
        return self.random.randbytes(length)

    def start(self) -> asyncio.Future[None]:
        """A new process on what the disk holds; the future ends when the node serves, or has failed to."""
        assert not self.is_running, f"{self.name} is running already"
        if not self.host.is_up:
            self.network.machine_back(self.host)
        self.starts += 1
        self.is_ready = self.start_failed = False
        process = self.process = Process(self.loop, f"{self.name}/{self.starts}", self.network)
        self.disk = self.disk.successor()
        self.disk.trace = None
        blocking = self.blocking = SimBlocking(self.loop, self.random)
        ports = NodePorts(
            self.clock, self.disk, blocking, ProcessNetwork(self.network, process), self.random_bytes, blocking.close
        )

        async def begin() -> None:
            node = self.node = Node(self.config, ports)
            watching = self.loop.create_task(self._watch(node, process))
            try:
                await node.start()
            except BaseException:
                watching.cancel()
                self.start_failed = True
                raise
            self.is_ready = True
            self._note(f"{self.name} serves")

        self._note(f"{self.name} starts")
        return process.run(begin())

    async def _watch(self, node: Node, process: Process) -> None:
        """A node that cannot go on stops, as the command that runs it would."""
        await node.failed.wait()
        self._note(f"{self.name} gives up")
        self.loop.world.call_soon(self._ended, process)

    def _ended(self, process: Process) -> None:
        if process is self.process and process.is_alive:
            self.kill()

    async def stop(self) -> None:
        """In an orderly way, as by SIGTERM."""
        process, node = self.process, self.node
        if process is None or node is None or not process.is_alive:
            return
        self._note(f"{self.name} stops")
        self.is_ready = False
        try:
            await process.run(node.stop())
        except ProcessEnded:
            return
        except asyncio.CancelledError:
            self.kill()  # whoever stopped it lost patience
            raise
        self._note(f"{self.name} stopped")
        self._bury(process)
        self.network.process_ended(process)
        self.disk.kill()

    def kill(self) -> None:
        """As by kill -9: what it wrote stays in the page cache."""
        if self.process is not None and self.process.is_alive:
            self._note(f"{self.name} is killed")
            self._bury(self.process)
            self.network.process_ended(self.process)
            self.disk.kill()

    def crash(self, keep_share: float) -> None:
        """Power is lost: of what was not synced, each sector survives with this probability."""
        self._note(f"{self.name} loses power, keeps {keep_share:.2f} of what was not synced")
        if self.process is not None and self.process.is_alive:
            self._bury(self.process)
        self.network.machine_ended(self.host)
        self.disk.crash(self.random, keep_share)

    def pause(self) -> None:
        if self.process is not None:
            self._note(f"{self.name} is paused")
            self.process.pause()

    def resume(self) -> None:
        if self.process is not None:
            self._note(f"{self.name} goes on")
            self.process.resume()

    def _bury(self, process: Process) -> None:
        # Kept until the story is over: a destructor must not run in the middle of it.
        self._graveyard += [process, self.node, self.disk]
        process.end()
        self.is_ready = False
        self.node = None
