"""Fetch (1) on a controller's listener: the metadata log, for the other controllers and for brokers.

Only `__cluster_metadata-0` is here. The fetch offset says what is durable at the one who asks; the answer waits for
records or for news of the high watermark, up to max_wait_ms.
"""

from __future__ import annotations

from typing import Any

from tidelog.api.context import Answer, RequestContext
from tidelog.api.registry import Handler
from tidelog.broker.broker import Broker
from tidelog.protocol.errors import ErrorCode
from tidelog.protocol.messages.fetch import FetchRequest, FetchResponse
from tidelog.raft import messages as m
from tidelog.runtime import raft_wire


def handle(broker: Broker, context: RequestContext, body: memoryview) -> Answer | None:
    version = context.version
    request = FetchRequest.decode(body, version, exact=False)
    if raft_wire.is_other_cluster(request, broker.metadata.cluster_id):
        return _refusal(ErrorCode.INCONSISTENT_CLUSTER_ID, version)
    try:
        fetch, max_bytes = raft_wire.fetch_of(request, version)
    except raft_wire.NotForUs as error:
        return _refusal(error.code, version)
    quorum = broker.metadata.quorum

    def respond(reply: Any) -> None:
        context.on_lost = None
        context.respond(_encoded(reply, version))

    context.on_lost = lambda: quorum.abandon(respond)
    quorum.fetch(fetch, max_bytes, request.max_wait_ms, respond)
    return None


def _encoded(reply: m.FetchReply, version: int) -> Answer:
    response: FetchResponse = raft_wire.fetch_response(reply)
    return response.encode_parts(version)


def _refusal(code: ErrorCode, version: int) -> Answer:
    return FetchResponse(error_code=int(code)).encode_parts(version)


HANDLER = Handler(FetchRequest, handle, raw=True, is_async=False, concurrent=False)
