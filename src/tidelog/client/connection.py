"""One connection to one broker: requests go out as they come, answers arrive in the same order.

The connection knows which versions the broker serves (`ApiVersions` is the first request) and picks, for each
message, the newest that both sides speak. It never retries: what a broken connection means is the caller's business.
"""

from __future__ import annotations

import asyncio
import os
import ssl
from collections import deque
from collections.abc import Callable
from typing import Any, ClassVar, NamedTuple, TypeVar, cast

from tidelog.client.errors import ConnectionClosed, RequestTimeout, Unreachable, UnsupportedApi
from tidelog.client.wire import Message, api_name, decode_answer, encode_request, response_class
from tidelog.protocol.errors import ErrorCode
from tidelog.protocol.frames import BadFrame, FrameReader
from tidelog.protocol.messages.api_versions import ApiVersionsRequest, ApiVersionsResponse

R = TypeVar("R")

SOFTWARE_NAME = "tidelog-python"
SOFTWARE_VERSION = "0.1.0"


class _Pending(NamedTuple):
    correlation_id: int
    answer: type[Message]
    version: int
    future: asyncio.Future[Any]


class Connection(asyncio.BufferedProtocol):
    """Use `await Connection.open(...)`."""

    on_request: ClassVar[Callable[[str, Message, int], None] | None] = None
    """Called with address, message and version before each request goes out; for showing what happens."""

    def __init__(self, host: str, port: int, client_id: str) -> None:
        self.host = host
        self.port = port
        self.node_id = -1
        self.ranges: dict[int, tuple[int, int]] = {}
        self.api_versions: ApiVersionsResponse | None = None
        self._client_id = client_id
        self._transport: asyncio.Transport | None = None
        self._frames = FrameReader(self._answered)
        self._pending: deque[_Pending] = deque()
        self._next_correlation_id = 0
        self._writable = asyncio.Event()
        self._writable.set()
        self._failure: Exception | None = None

    @classmethod
    async def open(
        cls, host: str, port: int, *, client_id: str = "", timeout_s: float = 10.0, tls: ssl.SSLContext | None = None
    ) -> Connection:
        connection = cls(host, port, client_id)
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(timeout_s):
                await loop.create_connection(lambda: connection, host, port, ssl=tls)
                await connection._negotiate()
        except TimeoutError:
            connection.abort()
            raise Unreachable(f"{host}:{port} did not answer within {timeout_s:g} s; is that a Kafka port?") from None
        except OSError as error:
            known = error.errno is not None and error.errno > 0
            reason = (os.strerror(error.errno or 0) if known else error.strerror or str(error)).lower()
            raise Unreachable(
                f"{host}:{port} cannot be reached ({reason}); start the broker or check the address"
            ) from None
        return connection

    @property
    def address(self) -> str:
        return f"{self.host}:{self.port}"

    @property
    def is_open(self) -> bool:
        return self._failure is None and self._transport is not None and not self._transport.is_closing()

    @property
    def in_flight(self) -> int:
        return len(self._pending)

    async def request(self, message: Message, timeout_s: float = 30.0, version: int | None = None) -> Any:
        """Sends `message` and gives its answer."""
        await self._writable.wait()
        future = self.send(message, version)
        try:
            async with asyncio.timeout(timeout_s):
                return await future
        except TimeoutError:
            # The answer may still come and would be taken for the next one's if its place were given up.
            self.fail(RequestTimeout(f"{self.address} did not answer {api_name(message)} within {timeout_s:g} s"))
            raise self._failure from None  # type: ignore[misc]

    def send(self, message: Message, version: int | None = None) -> asyncio.Future[Any]:
        """Puts `message` on the wire now; the future gives the answer."""
        if version is None:
            version = self.version_for(message)
        future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        correlation_id = self._write(message, version)
        self._pending.append(_Pending(correlation_id, response_class(type(message)), version, future))
        return future

    def send_without_answer(self, message: Message) -> None:
        """For Produce with acks=0, which the broker never answers."""
        self._write(message, self.version_for(message))

    def version_for(self, message: Message | type[Message]) -> int:
        """The newest version both sides speak."""
        low, high = self.ranges.get(message.API_KEY, (0, -1))
        ours_low, ours_high = message.VERSIONS
        version = min(high, ours_high)
        if version < max(low, ours_low):
            raise UnsupportedApi(
                f"The broker at {self.address} does not serve {api_name(message)} in a version that this client speaks"
            )
        return version

    def serves(self, message: type[Message], version: int = 0) -> bool:
        return self.ranges.get(message.API_KEY, (0, -1))[1] >= version

    def close(self) -> None:
        self.fail(ConnectionClosed(f"The connection to {self.address} was closed"))

    def abort(self) -> None:
        if self._transport is not None:
            self._transport.abort()

    def fail(self, error: Exception) -> None:
        """Ends the connection and everything that waits on it."""
        if self._failure is None:
            self._failure = error
        for pending in self._pending:
            if not pending.future.done():
                pending.future.set_exception(self._failure)
                pending.future.exception()  # a sender that no longer waits is not an error
        self._pending.clear()
        self._writable.set()
        if self._transport is not None:
            self._transport.close()

    def _write(self, message: Message, version: int) -> int:
        if self._failure is not None or self._transport is None:
            raise self._failure or ConnectionClosed(f"The connection to {self.address} is not open")
        correlation_id = self._next_correlation_id
        self._next_correlation_id = (correlation_id + 1) & 0x7FFFFFFF
        if Connection.on_request is not None:
            Connection.on_request(self.address, message, version)
        self._transport.writelines(encode_request(message, version, correlation_id, self._client_id))
        return correlation_id

    def _answered(self, frame: bytes | bytearray) -> None:
        if not self._pending:
            raise BadFrame("an answer that was not asked for")
        pending = self._pending.popleft()
        correlation_id, answer = decode_answer(frame, pending.answer, pending.version)
        if correlation_id != pending.correlation_id:
            raise BadFrame(f"answer {correlation_id} where {pending.correlation_id} was due")
        if not pending.future.done():
            pending.future.set_result(answer)

    async def _negotiate(self) -> None:
        request = ApiVersionsRequest(client_software_name=SOFTWARE_NAME, client_software_version=SOFTWARE_VERSION)
        answer = cast(ApiVersionsResponse, await self.send(request, ApiVersionsRequest.VERSIONS[1]))
        if answer.error_code == ErrorCode.UNSUPPORTED_VERSION:
            theirs = {key.api_key: key.max_version for key in answer.api_keys}
            version = min(theirs.get(ApiVersionsRequest.API_KEY, 0), ApiVersionsRequest.VERSIONS[1])
            answer = cast(ApiVersionsResponse, await self.send(request, version))
        if answer.error_code:
            raise Unreachable(f"{self.address} refused the connection: {ErrorCode.of(answer.error_code).message}")
        self.api_versions = answer
        self.ranges = {key.api_key: (key.min_version, key.max_version) for key in answer.api_keys}

    # What the event loop calls.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)

    def connection_lost(self, exc: Exception | None) -> None:
        self.fail(ConnectionClosed(f"The broker at {self.address} closed the connection"))

    def get_buffer(self, sizehint: int) -> memoryview:
        return self._frames.get_buffer()

    def buffer_updated(self, nbytes: int) -> None:
        try:
            self._frames.buffer_updated(nbytes)
        except ValueError as error:  # BadFrame, and DecodeError of an answer that cannot be read
            self.fail(ConnectionClosed(f"{self.address} sent {error}; is that a Kafka port?"))

    def pause_writing(self) -> None:
        self._writable.clear()

    def resume_writing(self) -> None:
        self._writable.set()
