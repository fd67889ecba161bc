"""Runs the handlers that take a decoded request: decode, handle, encode, and what happens when one fails."""

from __future__ import annotations

import asyncio
import logging
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tidelog.api.context import CLOSE, RequestContext
from tidelog.api.registry import Api
from tidelog.ports import Part
from tidelog.protocol.errors import ErrorCode, KafkaError

if TYPE_CHECKING:
    from tidelog.server.server import RequestServer

LOG = logging.getLogger(__name__)


def run_decoded(server: RequestServer, api: Api, context: RequestContext, body: memoryview) -> Sequence[Part] | None:
    """The parts of the answer, or None when a task was started that will answer. A bad body raises DecodeError."""
    # What follows the fields a version has is left alone: some clients send it, and Kafka has always let them.
    request = api.request.decode(body, context.version, exact=False)
    if api.is_async:
        task = asyncio.get_running_loop().create_task(_run_async(server, api, context, request))
        server.tasks.add(task)
        task.add_done_callback(server.tasks.discard)
        return None
    try:
        response = api.handler(server.broker, context, request)
    except Exception as error:
        response = failure(api, context, error)
    return _encoded(response, context)


async def _run_async(server: RequestServer, api: Api, context: RequestContext, request: Any) -> None:
    try:
        response = await api.handler(server.broker, context, request)
    except Exception as error:
        response = failure(api, context, error)
    try:
        parts = _encoded(response, context)
    except Exception:
        LOG.exception("the answer to %s version %d cannot be written", api.name, context.version)
        parts = CLOSE
    context.respond(parts)


def _encoded(response: Any, context: RequestContext) -> Sequence[Part]:
    return () if response is None else response.encode_parts(context.version)


def failure(api: Api, context: RequestContext, error: Exception) -> Any:
    """An answer that says the whole request failed; a handler that answers per item has caught its errors itself."""
    if isinstance(error, KafkaError):
        code, message = error.code, str(error)
    else:
        LOG.error("%s version %d failed", api.name, context.version, exc_info=error)
        code, message = ErrorCode.UNKNOWN_SERVER_ERROR, None
    response = getattr(sys.modules[api.request.__module__], api.request.__name__.removesuffix("Request") + "Response")()
    if hasattr(response, "error_code"):
        response.error_code = int(code)
    if hasattr(response, "error_message"):
        response.error_message = message
    return response
