"""Whether processes live, told by real sockets: one that ends is known at once, one that is only busy is left alone."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from tidelog.io.blocking import ThreadBlocking
from tidelog.io.clock import RealClock
from tidelog.io.network import TcpNetwork
from tidelog.metadata import records as r
from tidelog.metadata.delta import MetadataDelta
from tidelog.metadata.image import EMPTY, MetadataImage, Provenance
from tidelog.protocol.metadata_records.register_broker_record import BrokerEndpoint
from tidelog.runtime.broker_watch import BrokerWatch
from tidelog.runtime.peers import Peers, PeerUnavailable


class Process:
    """Stands for a broker: its kernel takes connections, whether or not anybody looks at them."""

    def __init__(self) -> None:
        self.listening = socket.create_server(("127.0.0.1", 0))
        self.port = self.listening.getsockname()[1]
        self.listening.setblocking(False)
        self.taken: list[socket.socket] = []

    def take(self) -> bool:
        try:
            self.taken.append(self.listening.accept()[0])
        except BlockingIOError:
            return False
        return True

    def end(self) -> None:
        """As a killed process ends: nothing listens any more, then every connection is closed."""
        self.listening.close()
        for each in self.taken:
            each.close()


def image_of(port: int, epoch: int = 5, fenced: bool = False) -> MetadataImage:
    delta = MetadataDelta(EMPTY)
    endpoint = BrokerEndpoint(name="PLAINTEXT", host="127.0.0.1", port=port, security_protocol=0)
    delta.replay(r.RegisterBrokerRecord(broker_id=2, broker_epoch=epoch, end_points=[endpoint], fenced=fenced))
    return delta.apply(Provenance(epoch, 1, 0))


@asynccontextmanager
async def watching() -> AsyncIterator[tuple[BrokerWatch, list[tuple[int, int]]]]:
    blocking = ThreadBlocking()
    peers = Peers(TcpNetwork(blocking), RealClock(), "watch")
    watch = BrokerWatch(1, "PLAINTEXT", peers, RealClock())
    dead: list[tuple[int, int]] = []
    watch.on_dead = lambda broker_id, epoch: dead.append((broker_id, epoch))
    yield watch, dead
    watch.close()
    peers.close()
    await asyncio.sleep(0)
    blocking.close()


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(20):
        while not condition():
            await asyncio.sleep(0.002)


async def test_a_process_that_ends_is_known_to_be_gone() -> None:
    async with watching() as (watch, dead):
        process = Process()
        watch.update(image_of(process.port))
        await until(process.take)
        process.end()
        await until(lambda: dead == [(2, 5)])
        assert watch.dead == {2: 5}
        assert watch.doubtful == {2}
        watch.update(image_of(process.port, fenced=True))
        assert watch.doubtful == set(), "the image says it now"


async def test_a_closed_connection_alone_says_nothing() -> None:
    async with watching() as (watch, dead):
        process = Process()
        watch.update(image_of(process.port))
        for _ in range(3):
            await until(process.take)
            process.taken.pop().close()
        await until(process.take)
        await until(lambda: not watch.doubtful)
        assert dead == []
        process.end()


async def test_a_process_that_ends_right_after_it_took_a_connection_is_gone() -> None:
    """A dying process closes its files one after another, and its kernel takes connections until the last."""
    async with watching() as (watch, dead):
        process = Process()
        watch.update(image_of(process.port))
        await until(process.take)
        watched = watch._watched[2]
        connect = watched.peer.probe

        async def probe_of_a_dying_process() -> PeerUnavailable | None:
            watched.peer.probe = connect  # type: ignore[method-assign]
            outcome = await connect()
            await until(process.take)
            process.end()
            await until(lambda: not watched.peer.is_connected)
            return outcome

        watched.peer.probe = probe_of_a_dying_process  # type: ignore[method-assign]
        process.taken.pop(0).close()
        await until(lambda: dead == [(2, 5)])


async def test_a_process_that_takes_nothing_is_not_gone() -> None:
    """A paused process: its kernel completes connections, and nobody reads from them."""
    async with watching() as (watch, dead):
        process = Process()
        watch.update(image_of(process.port))
        await until(lambda: watch._watched[2].is_proven)
        assert process.take()
        assert dead == []
        process.end()


async def test_an_address_that_was_never_reached_is_given_more_time() -> None:
    async with watching() as (watch, dead):
        process = Process()
        process.end()
        began = asyncio.get_running_loop().time()
        watch.update(image_of(process.port))
        await until(lambda: dead == [(2, 5)])
        assert asyncio.get_running_loop().time() - began >= 1.0


async def test_a_new_incarnation_is_watched_anew() -> None:
    async with watching() as (watch, dead):
        first, second = Process(), Process()
        watch.update(image_of(first.port))
        await until(first.take)
        first.end()
        await until(lambda: dead == [(2, 5)])
        watch.update(image_of(second.port, epoch=9))
        await until(second.take)
        assert watch.dead == {}
        second.end()
        await until(lambda: dead == [(2, 5), (2, 9)])


async def test_a_fenced_broker_is_not_watched() -> None:
    async with watching() as (watch, dead):
        process = Process()
        watch.update(image_of(process.port))
        await until(process.take)
        watch.update(image_of(process.port, fenced=True))
        process.end()
        await asyncio.sleep(0.2)
        assert dead == []
