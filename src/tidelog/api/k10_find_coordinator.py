"""FindCoordinator (10), versions 0 to 6: which broker coordinates a group or a transactional id.

One key up to version 3, a list of keys from version 4 on. The internal topic behind the coordinator is created when the
first client asks. Left out: share coordinators (key type 2), which are refused.
"""

from __future__ import annotations

from tidelog.api.context import RequestContext
from tidelog.api.leaders import endpoints_of
from tidelog.api.registry import api
from tidelog.broker.broker import Broker
from tidelog.broker.coordinators import OFFSETS_TOPIC, TRANSACTIONS_TOPIC
from tidelog.protocol.errors import ErrorCode, KafkaError
from tidelog.protocol.messages.find_coordinator import (
    Coordinator,
    FindCoordinatorRequest,
    FindCoordinatorResponse,
)

TOPICS = {0: OFFSETS_TOPIC, 1: TRANSACTIONS_TOPIC}
BATCHED_FROM = 4


@api(FindCoordinatorRequest)
async def handle(broker: Broker, context: RequestContext, request: FindCoordinatorRequest) -> FindCoordinatorResponse:
    keys = request.coordinator_keys if context.version >= BATCHED_FROM else [request.key]
    found = [await _find(broker, context, request.key_type, key) for key in keys]
    if context.version >= BATCHED_FROM:
        return FindCoordinatorResponse(coordinators=found)
    only = found[0]
    return FindCoordinatorResponse(
        error_code=only.error_code,
        error_message=only.error_message,
        node_id=only.node_id,
        host=only.host,
        port=only.port,
    )


async def _find(broker: Broker, context: RequestContext, key_type: int, key: str) -> Coordinator:
    topic = TOPICS.get(key_type)
    if topic is None:
        return _missing(key, ErrorCode.INVALID_REQUEST)
    try:
        node_id = await broker.coordinators.locate(topic, key)
    except KafkaError as error:
        return _missing(key, error.code)
    for node, host, port, _ in endpoints_of(broker, context, [node_id]):
        return Coordinator(key=key, node_id=node, host=host, port=port)
    return _missing(key, ErrorCode.COORDINATOR_NOT_AVAILABLE)


def _missing(key: str, error: ErrorCode) -> Coordinator:
    return Coordinator(key=key, node_id=-1, host="", port=-1, error_code=int(error), error_message=error.message)
