"""Whatever the slicing, the waiting and the brakes: a session answers every request once, in order, within bounds."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from struct import pack, unpack_from
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tidelog.api.context import RequestContext
from tidelog.api.registry import Api, Handler
from tidelog.config.endpoints import Endpoint
from tidelog.ports import Part
from tidelog.server.limits import Limits
from tidelog.server.server import RequestServer
from tidelog.server.session import Session

NOW, ALONE, TOGETHER, AT_END = 0, 1, 2, 3
MEMORY_MAX = 600_000


class Clock:
    def now_ms(self) -> int:
        return 0

    def monotonic_ms(self) -> int:
        return 0


class Transport:
    def __init__(self) -> None:
        self.peer_host, self.peer_port = "host", 1
        self.sent = b""
        self.reading = True

    def write(self, parts: Sequence[Part]) -> None:
        self.sent += b"".join(parts)  # type: ignore[arg-type]

    def pause_reading(self) -> None:
        self.reading = False

    def resume_reading(self) -> None:
        self.reading = True

    def close(self) -> None:
        raise AssertionError("nothing here gives a reason to close")

    abort = close


class World:
    """One session, a client that sends a given stream, and requests that wait until they are told to go on."""

    def __init__(self, stream: bytes) -> None:
        self.parked: list[RequestContext] = []
        self.begun: list[int] = []
        apis = {
            kind: Api(
                kind, str(kind), 0, 0, 0, 99, False, "", Handler(None, self._handle, True, False, kind >= TOGETHER)
            )
            for kind in (NOW, ALONE, TOGETHER, AT_END)
        }
        limits = Limits(requests_in_flight_max=4, request_memory_bytes_max=MEMORY_MAX)
        self.server = RequestServer(None, apis, Clock(), limits, b"")  # type: ignore[arg-type]
        self.server.open()
        self.transport = Transport()
        self.session = Session(self.server, Endpoint("PLAINTEXT", "h", 1, "PLAINTEXT"))
        self.session.connection_made(self.transport)
        self.stream = stream
        self.position = 0

    def _handle(self, broker: Any, context: RequestContext, body: memoryview) -> Sequence[Part] | None:
        self.begun.append(context.correlation_id)
        if context.api_key == NOW:
            return (bytes(body),)
        if context.api_key == AT_END:
            self.server.turn.at_end(lambda: context.respond((b"staged",)))
            return None
        self.parked.append(context)
        return None

    def feed(self, most: int) -> None:
        if self.transport.reading and self.position < len(self.stream):
            room = self.session.get_buffer()
            assert len(room) > 0
            count = min(len(room), most, len(self.stream) - self.position)
            room[:count] = self.stream[self.position : self.position + count]
            self.position += count
            self.session.buffer_updated(count)

    def finish(self, which: int) -> None:
        if self.parked:
            context = self.parked.pop(which % len(self.parked))
            context.respond((b"late",))

    def answered(self) -> list[int]:
        found, position = [], 0
        while position < len(self.transport.sent):
            size, correlation_id = unpack_from(">ii", self.transport.sent, position)
            found.append(correlation_id)
            position += 4 + size
        return found


requests = st.lists(
    st.tuples(
        st.sampled_from([NOW, NOW, ALONE, TOGETHER, AT_END, AT_END]), st.sampled_from([0, 1, 30, 3000, 20_000, 300_000])
    ),
    min_size=1,
    max_size=30,
)
actions = st.lists(
    st.one_of(
        st.tuples(st.just("feed"), st.sampled_from([1, 3, 100, 5000, 300_000])),
        st.tuples(st.just("finish"), st.integers(0, 9)),
        st.tuples(st.just("brake"), st.just(0)),
        st.tuples(st.just("turn"), st.just(0)),
    ),
    max_size=60,
)


def frame(number: int, kind: int, size: int) -> bytes:
    return pack(">ihhih", 10 + size, kind, 0, number, -1) + bytes(size)


@settings(max_examples=150, deadline=None)
@given(requests, actions)
def test_every_request_is_answered_once_and_in_order(
    wanted: list[tuple[int, int]], steps: list[tuple[str, int]]
) -> None:
    async def work() -> None:
        world = World(b"".join(frame(number, kind, size) for number, (kind, size) in enumerate(wanted)))
        braked = False
        for what, number in steps:
            if what == "feed":
                world.feed(number)
            elif what == "finish":
                world.finish(number)
            elif what == "turn":
                await asyncio.sleep(0)
            else:
                braked = not braked
                (world.session.pause_writing if braked else world.session.resume_writing)()
            assert world.server.buffers.used_bytes <= MEMORY_MAX
        if braked:
            world.session.resume_writing()
        while len(world.answered()) < len(wanted):
            before = (world.position, len(world.begun), len(world.answered()), len(world.parked))
            world.feed(70_000)
            world.finish(0)
            await asyncio.sleep(0)
            after = (world.position, len(world.begun), len(world.answered()), len(world.parked))
            assert before != after, "the session has stopped for good"
        assert world.answered() == world.begun == list(range(len(wanted)))
        assert world.server.buffers.used_bytes == 0

    asyncio.run(work())
