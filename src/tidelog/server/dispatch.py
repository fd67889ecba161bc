"""Runs the handlers that take a decoded request: decode, handle, encode, and what happens when one fails."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tidelog.api.context import CLOSE, Answer, RequestContext
from tidelog.api.registry import Handler
from tidelog.ports import Part
from tidelog.protocol.errors import ErrorCode, KafkaError
from tidelog.protocol.messages import response_class
from tidelog.runtime.eager import begin

if TYPE_CHECKING:
    from tidelog.server.server import RequestServer

LOG = logging.getLogger(__name__)


def run_decoded(
    server: RequestServer, handler: Handler, context: RequestContext, body: memoryview
) -> Sequence[Part] | None:
    """The parts of the answer, or None when the context has it or will be given it. A bad body raises DecodeError."""
    # What follows the fields a version has is left alone: some clients send it, and Kafka has always let them.
    request = handler.request.decode(body, context.version, exact=False)
    if handler.is_async:
        rest = begin(_answer(server, handler, context, request), context.respond)
        if rest is not None:
            task = asyncio.get_running_loop().create_task(rest)
            server.tasks.add(task)
            task.add_done_callback(server.tasks.discard)
        return None
    try:
        response = handler.handle(server.broker, context, request)
    except Exception as error:
        response = failure(handler, context, error)
    return _encoded(response, context)


async def _answer(server: RequestServer, handler: Handler, context: RequestContext, request: Any) -> Answer:
    try:
        response = await handler.handle(server.broker, context, request)
    except Exception as error:
        response = failure(handler, context, error)
    try:
        return _encoded(response, context)
    except Exception:
        LOG.exception("the answer to %s version %d cannot be written", handler.request.__name__, context.version)
        return CLOSE


def _encoded(response: Any, context: RequestContext) -> Sequence[Part]:
    return () if response is None else response.encode_parts(context.version)


def failure(handler: Handler, context: RequestContext, error: Exception) -> Any:
    """An answer that says the whole request failed; a handler that answers per item has caught its errors itself."""
    if isinstance(error, KafkaError):
        code, message = error.code, str(error)
    else:
        LOG.error("%s version %d failed", handler.request.__name__, context.version, exc_info=error)
        code, message = ErrorCode.UNKNOWN_SERVER_ERROR, None
    response = response_class(handler.request.API_KEY)()
    if hasattr(response, "error_code"):
        response.error_code = int(code)
    if hasattr(response, "error_message"):
        response.error_message = message
    return response
