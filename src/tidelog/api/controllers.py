"""This node's controller, for the APIs that only the active one answers."""

from __future__ import annotations

from tidelog.broker.broker import Broker
from tidelog.protocol.errors import ErrorCode, KafkaError
from tidelog.runtime.controller import ControllerRuntime


def active(broker: Broker) -> ControllerRuntime:
    """KafkaError(NOT_CONTROLLER) when another node's controller leads, or none does."""
    if broker.controller_runtime is None or not broker.metadata.is_active:
        raise KafkaError(ErrorCode.NOT_CONTROLLER)
    return broker.controller_runtime
