"""The way to the active controller: in this process, at another node, and through changes of who it is."""

from __future__ import annotations

import asyncio

import pytest

from tidelog.io.clock import RealClock
from tidelog.protocol.errors import ErrorCode, KafkaError
from tidelog.protocol.messages.unregister_broker import UnregisterBrokerRequest, UnregisterBrokerResponse
from tidelog.runtime.forwarding import ControllerChannel
from tidelog.runtime.peers import PeerUnavailable

REQUEST = UnregisterBrokerRequest(broker_id=7)


class Quorum:
    def __init__(self) -> None:
        self.is_active = False
        self.at: tuple[int, str, int] | None = None

    def leader(self) -> tuple[int, str, int] | None:
        return self.at


class Nodes:
    """Other nodes, by port: what each answers, one thing after the other."""

    def __init__(self, answers: dict[int, list[object]]) -> None:
        self.answers = answers
        self.asked: list[int] = []

    def at(self, host: str, port: int, purpose: str) -> Nodes:
        self.port = port
        return self

    async def request(self, message: object, version: int, timeout_ms: int) -> object:
        self.asked.append(self.port)
        answer = self.answers[self.port].pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer


def channel(quorum: Quorum, nodes: Nodes) -> ControllerChannel:
    return ControllerChannel(quorum, nodes, RealClock())  # type: ignore[arg-type]


async def test_a_controller_in_this_process_is_asked_without_a_connection() -> None:
    quorum, nodes = Quorum(), Nodes({})
    quorum.is_active = True
    found = channel(quorum, nodes)

    async def local(message: object, version: int) -> object:
        assert message is REQUEST
        return UnregisterBrokerResponse()

    found.local = local
    assert (await found.request(REQUEST, 1000)).error_code == 0
    assert nodes.asked == []


async def test_the_next_leader_is_asked_when_one_steps_down_or_falls_silent() -> None:
    quorum = Quorum()
    quorum.at = (1, "h", 1)
    stepped_down = UnregisterBrokerResponse(error_code=int(ErrorCode.NOT_CONTROLLER))
    nodes = Nodes({1: [PeerUnavailable("gone"), stepped_down, stepped_down], 2: [UnregisterBrokerResponse()]})
    waiting = asyncio.ensure_future(channel(quorum, nodes).request(REQUEST, 20_000))
    while len(nodes.asked) < 2:
        await asyncio.sleep(0)
    quorum.at = (2, "h", 2)
    assert (await waiting).error_code == 0
    assert nodes.asked[-1] == 2


async def test_a_quorum_without_a_leader_is_waited_for() -> None:
    quorum, nodes = Quorum(), Nodes({1: [UnregisterBrokerResponse()]})
    waiting = asyncio.ensure_future(channel(quorum, nodes).request(REQUEST, 20_000))
    await asyncio.sleep(0)
    assert not waiting.done()
    quorum.at = (1, "h", 1)
    await waiting


async def test_the_wait_has_an_end() -> None:
    with pytest.raises(KafkaError) as caught:
        await channel(Quorum(), Nodes({})).request(REQUEST, 50)
    assert caught.value.code is ErrorCode.REQUEST_TIMED_OUT


async def test_other_errors_are_the_answer() -> None:
    quorum = Quorum()
    quorum.at = (1, "h", 1)
    refused = UnregisterBrokerResponse(error_code=int(ErrorCode.BROKER_ID_NOT_REGISTERED))
    answer = await channel(quorum, Nodes({1: [refused]})).request(REQUEST, 1000)
    assert answer.error_code == ErrorCode.BROKER_ID_NOT_REGISTERED
