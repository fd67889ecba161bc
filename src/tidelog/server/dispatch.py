"""Runs the handlers that take a decoded request: decode, handle, encode, and what happens when one fails.

A request for the active controller that arrives at a broker which is not it goes on in an envelope, and the answer
comes back the same way.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine, Sequence
from typing import TYPE_CHECKING, Any

from tidelog.api.context import CLOSE, Answer, RequestContext
from tidelog.api.later import Later
from tidelog.api.principal import encode_host, encode_principal
from tidelog.api.registry import Handler
from tidelog.api.running import failure
from tidelog.ports import Part
from tidelog.protocol.errors import KafkaError
from tidelog.protocol.header import encode_request_header
from tidelog.protocol.messages.envelope import EnvelopeRequest
from tidelog.runtime.eager import begin
from tidelog.runtime.forwarding import ControllerChannel

if TYPE_CHECKING:
    from tidelog.server.server import RequestServer

LOG = logging.getLogger(__name__)
FORWARD_MS = 30_000


def run_decoded(server: RequestServer, handler: Handler, context: RequestContext, body: memoryview) -> Answer | None:
    """The answer, or None when the context has it or will be given it. A bad body raises DecodeError."""
    if handler.repeated is not None:
        frame = handler.repeated(server.broker, context, body)
        if frame is not None:
            return frame
    # What follows the fields a version has is left alone: some clients send it, and Kafka has always let them.
    request = handler.request.decode(body, context.version, exact=False)
    if handler.controller and not server.broker.metadata.is_active:
        channel = server.controller
        if channel is not None and not server.is_private(context.connection.listener_name):
            _start(server, context, _forward(server, channel, handler, context, request, bytes(body)))
            return None
    if handler.later:
        answer = Later(handler, context)
        try:
            handler.handle(server.broker, context, request, answer)
        except Exception as error:
            answer.failed(error)
        return None
    if handler.is_async:
        _start(server, context, _answer(server, handler, context, request))
        return None
    try:
        response = handler.handle(server.broker, context, request)
    except Exception as error:
        response = failure(handler, context, error)
    return _encoded(response, context)


def _start(server: RequestServer, context: RequestContext, work: Coroutine[Any, Any, Answer]) -> None:
    rest = begin(work, context.respond)
    if rest is not None:
        task = asyncio.get_running_loop().create_task(rest)
        server.tasks[task] = None
        task.add_done_callback(server.tasks.pop)


async def _answer(server: RequestServer, handler: Handler, context: RequestContext, request: Any) -> Answer:
    try:
        response = handler.handle(server.broker, context, request)
        if handler.is_async:
            response = await response
    except Exception as error:
        response = failure(handler, context, error)
    try:
        return _encoded(response, context)
    except Exception:
        LOG.exception("the answer to %s version %d cannot be written", handler.request.__name__, context.version)
        return CLOSE


async def _forward(
    server: RequestServer,
    channel: ControllerChannel,
    handler: Handler,
    context: RequestContext,
    request: Any,
    body: bytes,
) -> Answer:
    head = encode_request_header(context.api_key, context.version, context.correlation_id, context.client_id)
    envelope = EnvelopeRequest(
        request_data=head + body,
        request_principal=encode_principal(context.connection.principal),
        client_host_address=encode_host(context.connection.peer_host),
    )
    # Nine tenths of the client's time: an answer that says no is of use only if it comes before the client gives up.
    timeout_ms = getattr(request, "timeout_ms", FORWARD_MS) * 9 // 10
    try:
        return [await channel.forward(envelope, context.api_key, context.version, timeout_ms)]
    except KafkaError:
        # Nobody took it in time: this node's own answer says, for each item, that it is not the controller.
        return await _answer(server, handler, context, request)


def _encoded(response: Any, context: RequestContext) -> Sequence[Part]:
    return () if response is None else response.encode_parts(context.version)
