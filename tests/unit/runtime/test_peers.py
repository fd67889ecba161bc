"""Connections to other nodes, over the real loopback network."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import pytest

from tidelog.io.blocking import ThreadBlocking
from tidelog.io.clock import RealClock
from tidelog.io.network import TcpNetwork
from tidelog.ports import Server, Transport
from tidelog.protocol.header import decode_request_header, encode_response_header
from tidelog.protocol.messages.metadata import MetadataRequest, MetadataResponse, MetadataResponseBroker
from tidelog.runtime.peers import Peers, PeerUnavailable

VERSION = MetadataRequest.VERSIONS[1]


class Other:
    """The node at the other end: answers Metadata with the correlation id as cluster id, unless told to be silent."""

    def __init__(self) -> None:
        self.transports: list[Transport] = []
        self.received: list[int] = []
        self.silent = False
        self.brokers: list[MetadataResponseBroker] = []
        self.wrong_ids = False

    def session(self) -> Session:
        return Session(self)


class Session:
    def __init__(self, other: Other) -> None:
        self.other = other
        self.data = b""
        self.room = memoryview(bytearray(4096))

    def connection_made(self, transport: Transport) -> None:
        self.transport = transport
        self.other.transports.append(transport)

    def get_buffer(self) -> memoryview:
        return self.room

    def buffer_updated(self, length: int) -> None:
        self.data += self.room[:length]
        while len(self.data) >= 4 and len(self.data) >= 4 + int.from_bytes(self.data[:4], "big"):
            size = int.from_bytes(self.data[:4], "big")
            frame, self.data = self.data[4 : 4 + size], self.data[4 + size :]
            self.answer(decode_request_header(frame).correlation_id)

    def answer(self, correlation_id: int) -> None:
        other = self.other
        other.received.append(correlation_id)
        if other.silent:
            return
        response = MetadataResponse(cluster_id=str(correlation_id), brokers=other.brokers).encode(VERSION)
        head = encode_response_header(3, VERSION, correlation_id + other.wrong_ids)
        self.transport.write([(len(head) + len(response)).to_bytes(4, "big") + head, response])

    def pause_writing(self) -> None: ...

    def resume_writing(self) -> None: ...

    def connection_lost(self, error: Exception | None) -> None: ...


@asynccontextmanager
async def network() -> AsyncIterator[TcpNetwork]:
    blocking = ThreadBlocking()
    yield TcpNetwork(blocking)
    blocking.close()


@asynccontextmanager
async def two_nodes() -> AsyncIterator[tuple[Peers, Other, Server]]:
    async with network() as net:
        other = Other()
        server = await net.listen("127.0.0.1", 0, other.session)
        peers = Peers(net, RealClock(), "node-1")
        try:
            yield peers, other, server
        finally:
            peers.close()
            await server.close()
            for transport in other.transports:
                transport.abort()
            await asyncio.sleep(0)


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(20):
        while not condition():
            await asyncio.sleep(0.002)


async def test_a_request_is_answered_over_one_kept_connection() -> None:
    async with two_nodes() as (peers, other, server):
        peer = peers.at("127.0.0.1", server.port)
        for count in range(1, 4):
            answer = await peer.request(MetadataRequest(), VERSION, 5000)
            assert answer.cluster_id == str(count)
        assert peers.at("127.0.0.1", server.port) is peer
        assert len(other.transports) == 1


async def test_requests_are_pipelined_in_order() -> None:
    async with two_nodes() as (peers, other, server):
        peer = peers.at("127.0.0.1", server.port)
        answers = await asyncio.gather(*(peer.request(MetadataRequest(), None, 5000) for _ in range(50)))
        assert [int(each.cluster_id) for each in answers] == list(range(1, 51)) == other.received


async def test_a_long_answer_arrives_whole_in_a_buffer_of_its_own() -> None:
    async with two_nodes() as (peers, other, server):
        other.brokers = [MetadataResponseBroker(node_id=each, host="x" * 30_000) for each in range(20)]
        bodies: list[memoryview] = []
        peer = peers.at("127.0.0.1", server.port)
        for _ in range(2):
            peer.send(MetadataRequest(), VERSION, 5000, lambda body, error: bodies.append(body or memoryview(b"")))
        await until(lambda: len(bodies) == 2)
        read = [MetadataResponse.decode(each, VERSION) for each in bodies]
        assert [each.cluster_id for each in read] == ["1", "2"]
        assert all(each.brokers == other.brokers for each in read)


async def test_purposes_have_connections_of_their_own() -> None:
    async with two_nodes() as (peers, other, server):
        first, second = (peers.at("127.0.0.1", server.port, purpose) for purpose in ("fetch-0", "fetch-1"))
        await asyncio.gather(*(each.request(MetadataRequest(), None, 5000) for each in (first, second)))
        assert len(other.transports) == 2


async def test_a_refused_connection_fails_at_once_and_says_so() -> None:
    async with two_nodes() as (peers, _, server):
        await server.close()
        peer = peers.at("127.0.0.1", server.port)
        with pytest.raises(PeerUnavailable, match="cannot be reached") as caught:
            await peer.request(MetadataRequest(), None, 60_000)
        assert caught.value.refused


async def test_a_node_that_comes_back_is_found_again() -> None:
    async with network() as net:
        peers = Peers(net, RealClock(), "node-1")
        other = Other()
        server = await net.listen("127.0.0.1", 0, other.session)
        port = server.port
        await server.close()
        peer = peers.at("127.0.0.1", port)
        for _ in range(3):
            with pytest.raises(PeerUnavailable):
                await peer.request(MetadataRequest(), None, 60_000)
        server = await net.listen("127.0.0.1", port, other.session)
        assert (await peer.request(MetadataRequest(), None, 60_000)).cluster_id == "4"
        peers.close()
        await server.close()


async def test_the_end_of_a_connection_fails_what_waits_and_is_told() -> None:
    async with two_nodes() as (peers, other, server):
        other.silent = True
        peer = peers.at("127.0.0.1", server.port)
        ends: list[str] = []
        peer.on_lost = lambda: ends.append("lost")
        waiting = asyncio.ensure_future(peer.request(MetadataRequest(), None, 60_000))
        await until(lambda: bool(other.received))
        other.transports[0].abort()
        with pytest.raises(PeerUnavailable, match="closed the connection"):
            await waiting
        assert ends == ["lost"]
        other.silent = False
        assert (await peer.request(MetadataRequest(), None, 5000)).cluster_id == "2"


async def test_a_silent_node_times_out_and_all_behind_it_fail() -> None:
    async with two_nodes() as (peers, other, server):
        other.silent = True
        peer = peers.at("127.0.0.1", server.port)
        ends: list[str] = []
        peer.on_lost = lambda: ends.append("lost")
        slow = asyncio.ensure_future(peer.request(MetadataRequest(), None, 60_000))
        with pytest.raises(PeerUnavailable, match="in time") as caught:
            await peer.request(MetadataRequest(), None, 50)
        assert caught.value.timed_out
        with pytest.raises(PeerUnavailable, match="in time"):
            await slow
        assert ends == []  # this side ended it
        other.silent = False
        assert (await peer.request(MetadataRequest(), None, 5000)).cluster_id == "3"


async def test_hanging_up_fails_what_waits_and_the_next_request_connects_anew() -> None:
    async with two_nodes() as (peers, other, server):
        other.silent = True
        peer = peers.at("127.0.0.1", server.port)
        ends: list[str] = []
        peer.on_lost = lambda: ends.append("lost")
        waiting = asyncio.ensure_future(peer.request(MetadataRequest(), None, 60_000))
        await until(lambda: len(other.received) == 1)
        peer.hang_up("was fenced")
        with pytest.raises(PeerUnavailable, match="was fenced"):
            await waiting
        assert ends == []
        other.silent = False
        assert (await peer.request(MetadataRequest(), None, 5000)).cluster_id == "2"
        assert len(other.transports) == 2


async def test_an_answer_to_something_else_ends_the_connection() -> None:
    async with two_nodes() as (peers, other, server):
        other.wrong_ids = True
        with pytest.raises(PeerUnavailable, match="where 1 was due"):
            await peers.at("127.0.0.1", server.port).request(MetadataRequest(), None, 5000)


async def test_after_close_everything_fails() -> None:
    async with two_nodes() as (peers, other, server):
        other.silent = True
        peer = peers.at("127.0.0.1", server.port)
        waiting = asyncio.ensure_future(peer.request(MetadataRequest(), None, 60_000))
        await until(lambda: bool(other.received))
        peers.close()
        with pytest.raises(PeerUnavailable):
            await waiting
        with pytest.raises(PeerUnavailable, match="no longer used"):
            await peer.request(MetadataRequest(), None, 60_000)


async def test_a_connection_without_a_request_tells_of_the_end() -> None:
    async with two_nodes() as (peers, other, server):
        peer = peers.at("127.0.0.1", server.port)
        ends: list[str] = []
        peer.on_lost = lambda: ends.append("lost")
        peer.connect()
        await until(lambda: peer.is_connected and bool(other.transports))
        other.transports[0].close()
        await until(lambda: ends == ["lost"])
