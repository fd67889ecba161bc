"""A network that can be told not to reach some addresses: for failures on purpose, on one machine and without rights.

A connection to such an address goes silent: nothing is sent or received, and its end is not heard of. A new one hangs.
Once the address can be reached again, everything goes on where it was, as TCP does after a cable is put back.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from tidelog.io.network import TcpNetwork
from tidelog.ports import Part, Receiver, Server, Transport

Address = tuple[str, int]


class PartedNetwork:
    def __init__(self, network: TcpNetwork) -> None:
        self.counters = network.counters
        self._network = network
        self._unreachable: frozenset[Address] = frozenset()
        self._healed = asyncio.Event()
        self._links: dict[PartedLink, None] = {}

    def set_unreachable(self, addresses: Sequence[Address]) -> None:
        self._unreachable = frozenset(addresses)
        self._healed.set()
        self._healed = asyncio.Event()
        for link in list(self._links):
            link.set_silent(link.address in self._unreachable)

    async def listen(self, host: str, port: int, factory: Callable[[], Receiver]) -> Server:
        return await self._network.listen(host, port, factory)

    async def connect(self, host: str, port: int, factory: Callable[[], Receiver]) -> Transport:
        while (host, port) in self._unreachable:
            await self._healed.wait()
        link = PartedLink((host, port), factory(), self._links)
        await self._network.connect(host, port, lambda: link)
        link.set_silent(link.address in self._unreachable)
        return link


class PartedLink:
    """Stands between a receiver and its transport, and is each to the other."""

    def __init__(self, address: Address, receiver: Receiver, links: dict[PartedLink, None]) -> None:
        self.address = address
        self.peer_host, self.peer_port = address
        self._receiver = receiver
        # What is received passes straight on: while the link is silent nothing is.
        self.get_buffer = receiver.get_buffer
        self.buffer_updated = receiver.buffer_updated
        self._links = links
        self._transport: Transport
        self._silent = False
        self._reads = True  # as far as the receiver is concerned
        self._held: list[Part] = []
        self._end: Callable[[], None] | None = None

    def set_silent(self, silent: bool) -> None:
        if silent == self._silent:
            return
        self._silent = silent
        if silent:
            self._transport.pause_reading()
            return
        if self._reads:
            self._transport.resume_reading()
        held, self._held = self._held, []
        if held:
            self._transport.write(held)
        if self._end is not None:
            self._end()

    # the transport that the receiver sees

    def write(self, parts: Sequence[Part]) -> None:
        if self._silent:
            self._held += parts
        else:
            self._transport.write(parts)

    def pause_reading(self) -> None:
        self._reads = False
        self._transport.pause_reading()

    def resume_reading(self) -> None:
        self._reads = True
        if not self._silent:
            self._transport.resume_reading()

    def close(self) -> None:
        self._silent = False
        self._transport.close()

    def abort(self) -> None:
        self._silent = False
        self._transport.abort()

    # the receiver that the transport sees

    def connection_made(self, transport: Transport) -> None:
        self._transport = transport
        self.peer_host, self.peer_port = transport.peer_host, transport.peer_port
        self._links[self] = None
        self._receiver.connection_made(self)

    def pause_writing(self) -> None:
        self._receiver.pause_writing()

    def resume_writing(self) -> None:
        self._receiver.resume_writing()

    def connection_lost(self, error: Exception | None) -> None:
        def end() -> None:
            self._links.pop(self, None)
            self._receiver.connection_lost(error)

        if self._silent:
            self._end = end
        else:
            end()
