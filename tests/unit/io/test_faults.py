"""A network that is told what it cannot reach: silence, not an end, and everything goes on afterwards."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import uvloop

from tidelog.io.blocking import ThreadBlocking
from tidelog.io.faults import PartedNetwork
from tidelog.io.network import TcpNetwork
from tidelog.ports import Transport


class End:
    """Keeps what it receives and sends back what it is told to."""

    def __init__(self) -> None:
        self.received = b""
        self.is_lost = False
        self.transport: Transport
        self._room = memoryview(bytearray(4096))

    def connection_made(self, transport: Transport) -> None:
        self.transport = transport

    def get_buffer(self) -> memoryview:
        return self._room

    def buffer_updated(self, length: int) -> None:
        self.received += self._room[:length]

    def pause_writing(self) -> None: ...

    def resume_writing(self) -> None: ...

    def connection_lost(self, error: Exception | None) -> None:
        self.is_lost = True


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(20):
        while not condition():
            await asyncio.sleep(0.002)


def test_a_partition_is_silence_and_heals_without_loss() -> None:
    async def story() -> None:
        blocking = ThreadBlocking()
        network = PartedNetwork(TcpNetwork(blocking))
        theirs: list[End] = []

        def accept() -> End:
            theirs.append(End())
            return theirs[-1]

        server = await network.listen("127.0.0.1", 0, accept)
        address = ("127.0.0.1", server.port)
        ours = End()
        await network.connect(*address, lambda: ours)
        ours.transport.write([b"before "])
        await until(lambda: bool(theirs) and theirs[0].received == b"before ")

        network.set_unreachable([address])
        ours.transport.write([b"during "])
        theirs[0].transport.write([b"answer"])
        late = End()
        connecting = asyncio.ensure_future(network.connect(*address, lambda: late))
        await asyncio.sleep(0.1)
        assert (theirs[0].received, ours.received, len(theirs)) == (b"before ", b"", 1)
        assert not connecting.done()

        network.set_unreachable([])
        await connecting
        ours.transport.write([b"after"])
        await until(lambda: theirs[0].received == b"before during after" and ours.received == b"answer")
        network.set_unreachable([address])
        theirs[0].transport.abort()
        await asyncio.sleep(0.1)
        assert not ours.is_lost, "an end is not heard of either"
        network.set_unreachable([])
        await until(lambda: ours.is_lost)
        late.transport.abort()
        await server.close()
        await until(lambda: late.is_lost)
        blocking.close()

    uvloop.run(story())
