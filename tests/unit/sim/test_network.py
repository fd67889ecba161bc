"""The simulated network and processes: what partitions, pauses, kills and power cuts look like from the other end."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from random import Random
from typing import Any

import pytest

from tidelog.ports import Transport
from tidelog.sim.loop import SimLoop, Stuck
from tidelog.sim.network import SimNetwork
from tidelog.sim.process import Process, ProcessEnded


class Peer:
    """Keeps what it is sent and when; answers each chunk with the same bytes when it echoes."""

    def __init__(self, loop: SimLoop, echoes: bool = False) -> None:
        self.loop = loop
        self.echoes = echoes
        self.got: list[tuple[float, bytes]] = []
        self.lost: list[tuple[float, Exception | None]] = []
        self._room = bytearray(4096)

    def connection_made(self, transport: Transport) -> None:
        self.transport = transport

    def get_buffer(self) -> memoryview:
        return memoryview(self._room)

    def buffer_updated(self, length: int) -> None:
        self.got.append((self.loop.time(), bytes(self._room[:length])))
        if self.echoes:
            self.transport.write([bytes(self._room[:length])])

    def pause_writing(self) -> None: ...
    def resume_writing(self) -> None: ...

    def connection_lost(self, error: Exception | None) -> None:
        self.lost.append((self.loop.time(), error))

    @property
    def bytes(self) -> bytes:
        return b"".join(data for _, data in self.got)


class World:
    def __init__(self) -> None:
        self.loop = SimLoop(1)
        self.network = SimNetwork(self.loop, Random(1))
        self.server = Process(self.loop, "server/1", self.network)
        self.client = Process(self.loop, "client/1", self.network)
        self.far: list[Peer] = []

    def accept(self) -> Peer:
        self.far.append(Peer(self.loop, echoes=True))
        return self.far[-1]

    async def connected(self) -> Peer:
        self.network.listen(self.server, 9, self.accept)
        near = Peer(self.loop)
        await self.client.run(self.network.connect(self.client, "server", 9, lambda: near))
        return near


def story(tell: Callable[[World], Coroutine[Any, Any, None]]) -> World:
    world = World()
    world.loop.run_until_complete(tell(world))
    return world


def test_bytes_arrive_in_order_and_come_back() -> None:
    async def tell(world: World) -> None:
        near = await world.connected()
        for number in range(100):
            near.transport.write([b"%03d" % number])
        await asyncio.sleep(1)
        assert near.bytes == world.far[0].bytes == b"".join(b"%03d" % number for number in range(100))

    story(tell)


def test_a_partition_holds_bytes_back_until_it_heals() -> None:
    async def tell(world: World) -> None:
        near = await world.connected()
        world.network.block("client", "server")
        near.transport.write([b"late"])
        await asyncio.sleep(60)
        assert world.far[0].bytes == b""
        assert not near.lost
        world.network.heal()
        await asyncio.sleep(60)
        assert near.bytes == b"late"

    story(tell)


def test_the_end_of_a_process_is_heard_and_that_of_a_machine_is_not() -> None:
    async def tell(world: World) -> None:
        near = await world.connected()
        world.server.end()
        world.network.process_ended(world.server)
        await asyncio.sleep(1)
        assert len(near.lost) == 1
        with pytest.raises(ConnectionRefusedError):
            await world.client.run(world.network.connect(world.client, "server", 9, lambda: Peer(world.loop)))

    async def silent(world: World) -> None:
        near = await world.connected()
        world.server.end()
        world.network.machine_ended(world.network.host("server"))
        near.transport.write([b"anyone?"])
        await asyncio.sleep(100)
        assert not near.lost
        world.network.machine_back(world.network.host("server"))
        await asyncio.sleep(10)
        assert isinstance(near.lost[0][1], ConnectionResetError)

    async def late(world: World) -> None:
        near = await world.connected()
        world.server.end()
        world.network.machine_ended(world.network.host("server"))
        world.network.machine_back(world.network.host("server"))
        await asyncio.sleep(10)
        assert not near.lost
        near.transport.write([b"anyone?"])
        await asyncio.sleep(1)
        assert isinstance(near.lost[0][1], ConnectionResetError)

    story(tell)
    story(silent)
    story(late)


def test_a_paused_process_answers_when_it_goes_on() -> None:
    async def tell(world: World) -> None:
        near = await world.connected()
        world.server.pause()
        near.transport.write([b"hello"])
        await asyncio.sleep(30)
        assert near.bytes == b""
        world.server.resume()
        await asyncio.sleep(1)
        assert near.bytes == b"hello"
        assert world.far[0].got[0][0] > 30

    story(tell)


def test_what_a_dead_process_had_begun_never_ends() -> None:
    async def tell(world: World) -> None:
        done: list[str] = []

        async def work() -> None:
            await asyncio.sleep(5)
            done.append("too late")

        outcome = world.client.run(work())
        await asyncio.sleep(1)
        world.client.end()
        await asyncio.sleep(10)
        assert done == []
        with pytest.raises(ProcessEnded):
            await outcome

    story(tell)


def test_time_jumps_and_a_loop_with_nothing_to_do_says_so() -> None:
    async def tell(world: World) -> None:
        await asyncio.sleep(86_400 * 365)

    assert story(tell).loop.callbacks_run < 10

    async def nothing(world: World) -> None:
        await world.loop.create_future()

    with pytest.raises(Stuck, match="nothing is left"):
        story(nothing)
