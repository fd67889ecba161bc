"""Runs a handler for a request that did not come over a connection of its own: from this node, or in an envelope."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from tidelog.api.context import Connection, RequestContext
from tidelog.api.registry import Handler
from tidelog.protocol.errors import ErrorCode, KafkaError
from tidelog.protocol.messages import response_class
from tidelog.protocol.primitives import Message

if TYPE_CHECKING:
    from tidelog.broker.broker import Broker

LOG = logging.getLogger(__name__)
# The listener of requests that this node makes itself; no configured one has an empty name.
INTERNAL = ""


async def run_here(broker: Broker, message: Message, version: int) -> Any:
    """The answer of this node to a request of its own."""
    connection = Connection("127.0.0.1", 0, INTERNAL, "PLAINTEXT")
    return await run(broker, message, RequestContext(message.API_KEY, version, 0, None, connection, _nobody))


async def run(broker: Broker, message: Message, context: RequestContext) -> Any:
    api = broker.apis[message.API_KEY]
    handler: Handler = api.handler or api.load()
    is_bound = handler.raw or handler.later
    assert not is_bound, f"{api.name} answers on its own connection only"
    try:
        response = handler.handle(broker, context, message)
        return await response if handler.is_async else response
    except Exception as error:
        return failure(handler, context, error)


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


def _nobody() -> None:
    """Nobody waits on a connection."""
