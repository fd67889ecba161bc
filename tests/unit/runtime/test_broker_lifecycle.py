"""A broker that may not register yet goes on trying, and says why once."""

import asyncio
import logging
from types import SimpleNamespace
from typing import Any

import pytest

from tidelog.io.clock import RealClock
from tidelog.protocol.errors import ErrorCode, KafkaError
from tidelog.protocol.messages.broker_registration import BrokerRegistrationResponse
from tidelog.runtime.broker_lifecycle import BrokerLifecycle, Identity

REFUSED = BrokerRegistrationResponse(error_code=int(ErrorCode.DUPLICATE_BROKER_REGISTRATION))


class Channel:
    """Answers one after the other what it was given; an error is raised."""

    def __init__(self, *answers: Any) -> None:
        self.answers = list(answers)

    async def request(self, message: Any, timeout_ms: int) -> Any:
        answer = self.answers.pop(0)
        if isinstance(answer, KafkaError):
            raise answer
        return answer


def test_a_refused_registration_is_repeated_and_told_once_for_each_reason(caplog: pytest.LogCaptureFixture) -> None:
    nobody = KafkaError(ErrorCode.REQUEST_TIMED_OUT, "No controller.")
    channel = Channel(nobody, nobody, REFUSED, REFUSED, REFUSED, BrokerRegistrationResponse(broker_epoch=7))
    config = SimpleNamespace(node_id=1, broker_rack=None, broker_session_timeout_ms=9000)
    metadata: Any = SimpleNamespace(config=config, cluster_id="c", subscribe=lambda listener: None)

    async def story() -> int:
        lifecycle = BrokerLifecycle(metadata, channel, RealClock())  # type: ignore[arg-type]
        return await lifecycle.register(Identity(bytes(16), [], [], -1, {}))

    with caplog.at_level(logging.WARNING):
        assert asyncio.run(story()) == 7
    assert channel.answers == []
    assert [each.getMessage().split(":")[0] for each in caplog.records] == [
        "this broker cannot register yet",
        "the controller refuses the registration of this broker for now",
    ]
