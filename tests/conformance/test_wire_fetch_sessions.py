"""Fetch sessions: full, incremental, forgotten, closed, forged."""

from typing import Any

import pytest

from conformance.batches import batch
from conformance.brokers import Both, Broker
from conformance.requests import produce
from tidelog.protocol.messages.fetch import FetchPartition, FetchRequest, FetchTopic, ForgottenTopic


class Session:
    """Requests of one fetch session, by name or by id."""

    def __init__(self, broker: Broker, topic: str, version: int) -> None:
        self.broker = broker
        self.version = version
        self.name = {"topic": topic} if version < 13 else {"topic_id": broker.metadata(topic).topic_id}
        self.id = 0

    def fetch(
        self,
        epoch: int,
        offsets: dict[int, int],
        forget: tuple[int, ...] = (),
        session: int | None = None,
        wait: int = 0,
    ) -> Any:
        parts = [FetchPartition(partition=i, fetch_offset=o, partition_max_bytes=1 << 20) for i, o in offsets.items()]
        request = FetchRequest(
            max_wait_ms=wait,
            min_bytes=1,
            session_id=self.id if session is None else session,
            session_epoch=epoch,
            topics=[FetchTopic(partitions=parts, **self.name)] if parts else [],
            forgotten_topics_data=[ForgottenTopic(partitions=list(forget), **self.name)] if forget else [],
        )
        answer = self.broker.call(request, self.version)
        for each in answer.responses:
            each.partitions.sort(key=lambda part: part.partition_index)
        if epoch == 0:
            self.id = answer.session_id
        return answer


@pytest.fixture(params=[7, 11, 12, 13, 17])
def version(request: pytest.FixtureRequest) -> int:
    return int(request.param)


def test_a_session_tells_only_what_changed(both: Both, topic: str, version: int) -> None:
    def step(broker: Broker) -> Any:
        broker.create(topic, 3)
        session = Session(broker, topic, version)
        story = [session.fetch(0, {0: 0, 1: 0, 2: 0}), session.fetch(1, {})]
        produce(broker, topic, batch(2), index=1)
        story += [session.fetch(2, {}), session.fetch(3, {}), session.fetch(4, {1: 2}), session.fetch(5, {})]
        produce(broker, topic, batch(2), index=2)
        story += [session.fetch(6, {}, forget=(2,)), session.fetch(7, {}), session.fetch(8, {2: 0})]
        return story

    both.same(step)


def test_epochs_out_of_order(both: Both, topic: str, version: int) -> None:
    def step(broker: Broker) -> Any:
        broker.create(topic)
        session = Session(broker, topic, version)
        first = session.fetch(0, {0: 0})
        return [first, session.fetch(5, {}), session.fetch(1, {}), session.fetch(1, {}), session.fetch(2, {})]

    both.same(step)


def test_forged_and_closed_sessions(both: Both, topic: str, version: int) -> None:
    def step(broker: Broker) -> Any:
        broker.create(topic)
        session = Session(broker, topic, version)
        produce(broker, topic, batch(2))
        first = session.fetch(0, {0: 0})
        forged = session.fetch(1, {}, session=123456789)
        closed = session.fetch(-1, {0: 0})
        return [first, forged, closed, session.fetch(1, {})]

    both.same(step)


def test_a_full_fetch_replaces_a_session(both: Both, topic: str, version: int) -> None:
    def step(broker: Broker) -> Any:
        broker.create(topic)
        session = Session(broker, topic, version)
        first = session.fetch(0, {0: 0})
        old = session.id
        second = session.fetch(0, {0: 0})
        return [first, second, old != session.id, session.fetch(1, {}, session=old), session.fetch(1, {})]

    both.same(step)


@pytest.mark.parametrize("epoch", [-2, 1, 2**31 - 1])
def test_odd_epochs_without_a_session(both: Both, topic: str, epoch: int) -> None:
    def step(broker: Broker) -> Any:
        broker.create(topic)
        return Session(broker, topic, 12).fetch(epoch, {0: 0})

    both.same(step)


def test_errors_inside_a_session(both: Both, topic: str, version: int) -> None:
    def step(broker: Broker) -> Any:
        broker.create(topic)
        session = Session(broker, topic, version)
        story = [session.fetch(0, {0: 0, 1: 0})]
        produce(broker, topic, batch(2))
        return [*story, session.fetch(1, {}), session.fetch(2, {0: 99}), session.fetch(3, {}), session.fetch(4, {0: 0})]

    both.same(step)


def test_a_topic_that_comes_later(both: Both, topic: str) -> None:
    def step(broker: Broker) -> Any:
        session = Session(broker, topic, 12)
        story = [session.fetch(0, {0: 0})]
        broker.create(topic)
        produce(broker, topic, batch(2))
        return [*story, session.fetch(1, {})]

    both.same(step)


def test_an_empty_session(both: Both, topic: str) -> None:
    def step(broker: Broker) -> Any:
        broker.create(topic)
        session = Session(broker, topic, 12)
        return [session.fetch(0, {}), session.fetch(1, {}) if session.id else "none"]

    both.same(step)
