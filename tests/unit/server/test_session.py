"""A session fed with real bytes over a transport that records what it is told."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from struct import pack, unpack_from
from typing import Any

import pytest

from tidelog.api.context import CLOSE, RequestContext
from tidelog.api.registry import Api, Handler
from tidelog.config.endpoints import Endpoint
from tidelog.ports import Part
from tidelog.server.buffers import BLOCK_BYTES, SHARED_BYTES
from tidelog.server.limits import FRAME_GRACE_MS, Limits
from tidelog.server.server import RequestServer
from tidelog.server.session import Session

ENDPOINT = Endpoint("PLAINTEXT", "localhost", 9092, "PLAINTEXT")
ECHO, PARK, PARK_MANY, SILENT, CUT, FRAMED, AT_END, API_VERSIONS = 100, 101, 102, 103, 104, 105, 106, 18


class FakeClock:
    def __init__(self) -> None:
        self.ms = 1_000_000

    def now_ms(self) -> int:
        return self.ms

    def monotonic_ms(self) -> int:
        return self.ms


class FakeTransport:
    def __init__(self, host: str = "10.0.0.1") -> None:
        self.peer_host, self.peer_port = host, 4711
        self.sent = b""
        self.writes = 0
        self.reading = True
        self.closed = self.aborted = False

    def write(self, parts: Sequence[Part]) -> None:
        self.writes += 1
        self.sent += b"".join(parts)  # type: ignore[arg-type]

    def pause_reading(self) -> None:
        self.reading = False

    def resume_reading(self) -> None:
        self.reading = True

    def close(self) -> None:
        self.closed = True

    def abort(self) -> None:
        self.closed = self.aborted = True

    def responses(self) -> list[tuple[int, bytes]]:
        found, position = [], 0
        while position < len(self.sent):
            length, correlation_id = unpack_from(">ii", self.sent, position)
            found.append((correlation_id, self.sent[position + 8 : position + 4 + length]))
            position += 4 + length
        return found


class Harness:
    def __init__(self, limits: Limits | None = None) -> None:
        self.clock = FakeClock()
        self.parked: list[RequestContext] = []
        self.seen: list[tuple[str | None, bytes]] = []
        self.staged = 0

        def echo(_: Any, context: RequestContext, body: memoryview) -> Sequence[Part]:
            self.seen.append((context.client_id, bytes(body)))
            return (bytes(body),)

        def park(_: Any, context: RequestContext, body: memoryview) -> None:
            self.parked.append(context)

        def at_end(_: Any, context: RequestContext, body: memoryview) -> None:
            answer = bytes(body)
            self.staged += 1
            self.server.turn.at_end(lambda: context.respond((answer,)))

        def entry(key: int, handler: Callable[..., Any], concurrent: bool = False, flexible_from: int = 2) -> Api:
            form = Handler(None, handler, True, False, concurrent)
            return Api(key, str(key), 0, 3, 0, flexible_from, False, "", form)

        apis = {
            ECHO: entry(ECHO, echo),
            PARK: entry(PARK, park),
            PARK_MANY: entry(PARK_MANY, park, concurrent=True),
            SILENT: entry(SILENT, lambda *_: ()),
            FRAMED: entry(FRAMED, lambda _, context, body: frame(context, body), concurrent=True),
            AT_END: entry(AT_END, at_end, concurrent=True),
            CUT: entry(CUT, lambda *_: CLOSE),
            API_VERSIONS: entry(API_VERSIONS, echo),
        }
        self.server = RequestServer(None, apis, self.clock, limits or Limits(), b"v0")  # type: ignore[arg-type]
        self.server.open()

    def connect(self, host: str = "10.0.0.1") -> tuple[Session, FakeTransport]:
        session, transport = Session(self.server, ENDPOINT), FakeTransport(host)
        session.connection_made(transport)
        return session, transport


def request(key: int, correlation_id: int, body: bytes = b"", version: int = 0, client: bytes = b"me") -> bytes:
    payload = (
        pack(">hhih", key, version, correlation_id, len(client)) + client + (b"\0" if version >= 2 else b"") + body
    )
    return pack(">i", len(payload)) + payload


def frame(context: RequestContext, body: memoryview) -> bytes:
    return pack(">ii", 4 + len(body), context.correlation_id) + bytes(body)


def feed(session: Session, transport: FakeTransport, data: bytes, step: int = 1 << 30) -> int:
    """Gives the bytes as a socket would, as long as the session reads; how many it took."""
    position = 0
    while position < len(data) and transport.reading and not transport.closed:
        room = session.get_buffer()
        assert len(room) > 0, "a session that reads offers room"
        count = min(len(room), step, len(data) - position)
        room[:count] = data[position : position + count]
        session.buffer_updated(count)
        position += count
    return position


@pytest.fixture
def harness() -> Harness:
    return Harness()


@pytest.mark.parametrize("step", [1, 3, 7, 1000, 1 << 20])
def test_requests_in_any_slicing_are_answered_in_order(harness: Harness, step: int) -> None:
    session, transport = harness.connect()
    bodies = [bytes([n]) * (n * 37) for n in range(40)]
    data = b"".join(request(ECHO, n, body) for n, body in enumerate(bodies))
    assert feed(session, transport, data, step) == len(data)
    assert transport.responses() == list(enumerate(bodies))


def test_a_connection_with_much_to_do_lets_others_in_between(harness: Harness) -> None:
    async def work() -> None:
        session, transport = harness.connect()
        other, other_transport = harness.connect()
        flood = b"".join(request(ECHO, n, b"x") for n in range(1000))
        feed(session, transport, flood)
        assert 0 < len(harness.seen) < 1000
        feed(other, other_transport, request(ECHO, 1, b"quick"))
        assert other_transport.responses() == [(1, b"quick")]
        while len(transport.responses()) < 1000:
            await asyncio.sleep(0)
        assert [each for each, _ in transport.responses()] == list(range(1000))
        assert transport.reading

    asyncio.run(work())


def test_answers_of_one_turn_leave_in_one_write(harness: Harness) -> None:
    session, transport = harness.connect()
    feed(session, transport, b"".join(request(ECHO, n, b"x") for n in range(10)))
    assert transport.writes == 1
    assert len(transport.responses()) == 10


def test_what_is_answered_at_the_end_of_a_turn_leaves_in_the_one_write(harness: Harness) -> None:
    session, transport = harness.connect()
    feed(session, transport, b"".join(request(AT_END, n, b"x") for n in range(10)))
    assert transport.writes == 1
    assert transport.responses() == [(n, b"x") for n in range(10)]
    assert not harness.server.turn.depth


def test_a_request_behind_one_that_waits_for_the_end_of_the_turn_keeps_its_place() -> None:
    async def work() -> None:
        harness = Harness(Limits(requests_in_flight_max=3))
        session, transport = harness.connect()
        numbers = range(20)
        kinds = [AT_END, ECHO, AT_END, AT_END, AT_END, AT_END, PARK_MANY] + [AT_END] * 13
        feed(session, transport, b"".join(request(kind, n, b"x") for n, kind in zip(numbers, kinds, strict=True)))
        while not harness.parked or len(transport.responses()) < 6:
            await asyncio.sleep(0)
        harness.parked[0].respond((b"x",))
        while len(transport.responses()) < 20:
            await asyncio.sleep(0)
        assert transport.responses() == [(n, b"x") for n in numbers]
        assert transport.reading

    asyncio.run(work())


def test_what_was_to_be_written_at_the_end_of_a_turn_is_answered_before_bytes_that_are_no_request(
    harness: Harness,
) -> None:
    for broken in (request(99, 1), request(CUT, 2), pack(">i", 10) + pack(">hhih", ECHO, 0, 1, 500)):
        session, transport = harness.connect()
        feed(session, transport, request(AT_END, 1, b"x") + broken)
        assert transport.responses() == [(1, b"x")]
        assert transport.closed


def test_an_answer_out_of_another_connections_turn_does_not_make_that_turn_longer() -> None:
    async def work() -> None:
        harness = Harness()
        (first, sent), (second, other) = harness.connect(), harness.connect()
        feed(first, sent, request(PARK, 1) + request(ECHO, 2, b"behind"))
        harness.server.turn.depth += 1
        harness.parked[0].respond((b"late",))
        assert sent.responses() == [(1, b"late")]
        assert harness.seen == []
        harness.server.turn.depth -= 1
        feed(second, other, request(ECHO, 1, b"mine"))
        await asyncio.sleep(0)
        assert sent.responses() == [(1, b"late"), (2, b"behind")]

    asyncio.run(work())


@pytest.mark.parametrize("size", [BLOCK_BYTES - 100, BLOCK_BYTES + 1, 3 * SHARED_BYTES + 17])
def test_a_large_request_comes_through_whole(harness: Harness, size: int) -> None:
    session, transport = harness.connect()
    body = bytes(range(256)) * (size // 256)
    feed(session, transport, request(ECHO, 1, body) + request(ECHO, 2, b"after"), 70_000)
    assert transport.responses() == [(1, body), (2, b"after")]
    assert harness.server.buffers.used_bytes == 0


def test_an_idle_connection_holds_no_memory(harness: Harness) -> None:
    session, transport = harness.connect()
    feed(session, transport, request(ECHO, 1, b"x" * 30_000), 1000)
    assert session.get_buffer() is harness.server.buffers.shared
    assert harness.server.buffers.used_bytes == 0


def test_client_id_null_empty_and_changing(harness: Harness) -> None:
    session, transport = harness.connect()
    null = pack(">hhih", ECHO, 0, 7, -1)
    feed(session, transport, request(ECHO, 1, client=b"") + pack(">i", len(null)) + null)
    feed(session, transport, request(ECHO, 2, client=b"a") + request(ECHO, 3, client=b"b"))
    assert [client for client, _ in harness.seen] == ["", None, "a", "b"]


def test_flexible_versions_carry_tags_in_both_headers(harness: Harness) -> None:
    session, transport = harness.connect()
    tagged = pack(">hhih", ECHO, 2, 5, 1) + b"c" + b"\x01\x07\x03abc" + b"body"
    feed(session, transport, pack(">i", len(tagged)) + tagged)
    assert harness.seen == [("c", b"body")]
    assert transport.responses() == [(5, b"\0body")]


def test_a_request_that_runs_alone_holds_up_the_ones_behind_it(harness: Harness) -> None:
    session, transport = harness.connect()
    feed(session, transport, request(PARK, 1) + request(ECHO, 2, b"x"))
    assert harness.seen == []
    harness.parked[0].respond((b"late",))
    assert transport.responses() == [(1, b"late"), (2, b"x")]


def test_while_a_request_runs_alone_little_is_received_and_then_reading_stops(harness: Harness) -> None:
    session, transport = harness.connect()
    flood = b"".join(request(ECHO, n, b"y" * 500) for n in range(2, 2000))
    taken = feed(session, transport, request(PARK, 1) + flood, 1000)
    assert not transport.reading
    assert taken < 10_000
    harness.parked[0].respond((b"late",))
    assert transport.reading
    feed(session, transport, (request(PARK, 1) + flood)[taken:], 1000)
    assert [each for each, _ in transport.responses()] == list(range(1, 2000))


def test_concurrent_requests_are_answered_in_order_whatever_the_order_of_their_ends(harness: Harness) -> None:
    session, transport = harness.connect()
    feed(session, transport, b"".join(request(PARK_MANY, n) for n in range(4)) + request(ECHO, 4, b"x"))
    for n in (2, 0, 3, 1):
        harness.parked[n].respond((bytes([n]),))
    assert transport.responses() == [(0, b"\0"), (1, b"\1"), (2, b"\2"), (3, b"\3"), (4, b"x")]


def test_too_many_waiting_requests_stop_the_connection() -> None:
    harness = Harness(Limits(requests_in_flight_max=3))
    session, transport = harness.connect()
    data = b"".join(request(PARK_MANY, n) for n in range(5000))
    taken = feed(session, transport, data, 500)
    assert len(harness.parked) == 3
    assert not transport.reading
    done = 0
    while done < 5000:
        harness.parked[done].respond((b"",))
        done += 1
        if transport.reading:
            taken += feed(session, transport, data[taken:], 500)
    assert [each for each, _ in transport.responses()] == list(range(5000))


def test_a_client_that_does_not_read_is_not_read_from(harness: Harness) -> None:
    session, transport = harness.connect()
    session.pause_writing()
    assert feed(session, transport, b"".join(request(ECHO, n, b"z" * 100) for n in range(1000)), 100) < 10_000
    assert not harness.seen
    assert not transport.reading
    session.resume_writing()
    assert transport.reading
    assert harness.seen


def test_silent_requests_keep_their_place_without_an_answer(harness: Harness) -> None:
    session, transport = harness.connect()
    feed(session, transport, request(PARK_MANY, 1) + request(SILENT, 2) + request(ECHO, 3))
    assert transport.responses() == []
    harness.parked[0].respond((b"one",))
    assert [each for each, _ in transport.responses()] == [1, 3]


def test_a_whole_frame_keeps_its_place_in_the_line(harness: Harness) -> None:
    session, transport = harness.connect()
    feed(session, transport, request(PARK_MANY, 1) + request(FRAMED, 2, b"!") + request(ECHO, 3))
    harness.parked[0].respond((b"one",))
    feed(session, transport, request(FRAMED, 4, b"?"))
    assert transport.responses() == [(1, b"one"), (2, b"!"), (3, b""), (4, b"?")]


def test_close_sends_what_was_answered_before(harness: Harness) -> None:
    session, transport = harness.connect()
    feed(session, transport, request(ECHO, 1, b"x") + request(CUT, 2) + request(ECHO, 3))
    assert transport.responses() == [(1, b"x")]
    assert transport.closed


@pytest.mark.parametrize(
    "data",
    [
        pack(">i", 0x7FFFFFFF),
        pack(">i", -1),
        pack(">i", -(2**31)),
        pack(">i", 104_857_601),
        pack(">i", 3) + b"abc",
        b"GET / HTTP/1.1\r\nHost: x\r\n\r\n",
        bytes.fromhex("16030100f1010000ed0303"),
        request(ECHO, 1, version=9),
        request(99, 1),
        pack(">i", 10) + pack(">hhih", ECHO, 0, 1, 500),
        pack(">i", 11) + pack(">hhih", ECHO, 2, 1, 0) + b"\xff",
        pack(">i", 16) + pack(">hhih", ECHO, 2, 1, 0) + b"\xff\xff\xff\xff\xff\x01",
        pack(">i", 12) + pack(">hhih", ECHO, 0, 1, 2) + b"\xff\xfe",
    ],
)
@pytest.mark.parametrize("step", [1, 1000])
def test_what_is_no_request_is_cut_off_without_an_allocation(harness: Harness, data: bytes, step: int) -> None:
    session, transport = harness.connect()
    feed(session, transport, data, step)
    assert transport.closed
    assert not harness.seen
    session.connection_lost(None)
    assert harness.server.buffers.used_bytes == 0
    assert harness.server.refusals == 1


def test_a_frame_that_claims_much_gets_memory_only_as_it_arrives(harness: Harness) -> None:
    session, transport = harness.connect()
    feed(session, transport, pack(">i", 100_000_000) + pack(">hhih", ECHO, 0, 1, 0) + b"x" * 100)
    assert not transport.closed
    assert len(session.get_buffer()) <= 2 * BLOCK_BYTES


def test_api_versions_of_an_unknown_version_is_answered_in_version_0(harness: Harness) -> None:
    session, transport = harness.connect()
    feed(session, transport, request(API_VERSIONS, 5, version=77) + request(ECHO, 6, b"on"))
    assert transport.responses() == [(5, b"v0"), (6, b"on")]


def test_memory_for_requests_is_bounded_and_waited_for_in_turn() -> None:
    harness = Harness(Limits(request_memory_bytes_max=BLOCK_BYTES))
    sessions = [harness.connect() for _ in range(3)]
    big = request(ECHO, 1, b"z" * 100_000)
    fed = [feed(session, transport, big[:50_000]) for session, transport in sessions]
    assert [transport.reading for _, transport in sessions] == [True, False, False]
    for number, (session, transport) in enumerate(sessions):
        assert transport.reading
        feed(session, transport, big[fed[number] :])
        assert transport.responses() == [(1, b"z" * 100_000)]
    assert harness.server.buffers.used_bytes == 0


def test_a_connection_that_ends_gives_its_memory_and_its_place_back() -> None:
    harness = Harness(Limits(request_memory_bytes_max=BLOCK_BYTES))
    (first, one), (second, two), (third, three) = (harness.connect() for _ in range(3))
    big = request(ECHO, 1, b"z" * 100_000)
    for session, transport in ((first, one), (second, two), (third, three)):
        feed(session, transport, big[:50_000])
    second.connection_lost(None)
    first.connection_lost(None)
    assert three.reading
    third.connection_lost(None)
    assert harness.server.buffers.used_bytes == 0
    assert harness.server.admission.open == 0


def test_a_lost_connection_tells_those_who_wait_for_it(harness: Harness) -> None:
    session, transport = harness.connect()
    feed(session, transport, request(PARK, 1))
    told: list[int] = []
    harness.parked[0].on_lost = lambda: told.append(1)
    session.connection_lost(None)
    harness.parked[0].respond((b"nobody",))
    assert told == [1]
    assert transport.sent == b""


def test_idle_and_slow_connections_are_overdue(harness: Harness) -> None:
    session, transport = harness.connect()
    start = harness.clock.ms
    assert not session.is_overdue(start + harness.server.limits.idle_ms)
    assert session.is_overdue(start + harness.server.limits.idle_ms + 1)
    feed(session, transport, request(ECHO, 1, b"x" * 5000)[:20])
    assert not session.is_overdue(start + FRAME_GRACE_MS)
    assert session.is_overdue(start + FRAME_GRACE_MS + 1000)


def test_connections_are_counted_in_total_and_per_address() -> None:
    harness = Harness(Limits(connections_max=4, connections_per_ip_max=2, connections_per_ip_overrides={"c": 1}))
    made = {host: [harness.connect(host) for _ in range(3)] for host in ("a", "b", "c")}
    refused = {host: [transport.aborted for _, transport in each] for host, each in made.items()}
    assert refused == {"a": [False, False, True], "b": [False, False, True], "c": [True, True, True]}
    for session, _ in made["a"]:
        session.connection_lost(None)
    assert not harness.connect("c")[1].aborted
    assert harness.connect("c")[1].aborted
