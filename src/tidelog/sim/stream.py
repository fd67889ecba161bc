"""asyncio's own transports over the simulated network, for the shipped client."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from typing import Any, cast

from tidelog.ports import Receiver, Transport
from tidelog.sim.process import Process


class StreamTransport(asyncio.Transport):
    """A receiver of the simulated network on one side, a transport for a `BufferedProtocol` on the other."""

    def __init__(self, protocol: asyncio.BufferedProtocol) -> None:
        super().__init__()
        self._protocol = protocol
        self._endpoint: Transport | None = None
        self._closing = False

    # what the network calls

    def connection_made(self, transport: Transport) -> None:
        self._endpoint = transport
        self._protocol.connection_made(self)

    def get_buffer(self) -> memoryview:
        return cast(memoryview, self._protocol.get_buffer(-1))

    def buffer_updated(self, length: int) -> None:
        self._protocol.buffer_updated(length)

    def pause_writing(self) -> None:
        self._protocol.pause_writing()

    def resume_writing(self) -> None:
        self._protocol.resume_writing()

    def connection_lost(self, error: Exception | None) -> None:
        self._closing = True
        self._protocol.connection_lost(error)

    # what the protocol calls

    def write(self, data: bytes | bytearray | memoryview) -> None:
        assert self._endpoint is not None
        self._endpoint.write([data])

    def writelines(self, list_of_data: Iterable[Any]) -> None:
        assert self._endpoint is not None
        self._endpoint.write(list(list_of_data))

    def is_closing(self) -> bool:
        return self._closing

    def close(self) -> None:
        self._closing = True
        assert self._endpoint is not None
        self._endpoint.close()

    def abort(self) -> None:
        self._closing = True
        assert self._endpoint is not None
        self._endpoint.abort()

    def pause_reading(self) -> None:
        assert self._endpoint is not None
        self._endpoint.pause_reading()

    def resume_reading(self) -> None:
        assert self._endpoint is not None
        self._endpoint.resume_reading()

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        return default


async def connect(
    process: Process, factory: Callable[[], asyncio.BufferedProtocol], host: str, port: int
) -> tuple[StreamTransport, asyncio.BufferedProtocol]:
    assert process.network is not None, "a client runs on a machine"
    made: list[StreamTransport] = []

    def receiver() -> Receiver:
        made.append(StreamTransport(factory()))
        return made[0]

    await process.network.connect(process, host, port, receiver)
    return made[0], made[0]._protocol
