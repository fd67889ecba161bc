"""Envelope (58), version 0: a client's request that a broker sends on to the active controller.

The envelope carries the request as it came, with its header, and who sent it from where. The answer carries the answer
with its header. When this node is not the active controller, or stops being it before the change is committed, only the
envelope is answered, with NOT_CONTROLLER, and the broker asks the next one. Requests that no controller serves are
refused.
"""

from __future__ import annotations

from typing import Any

from tidelog.api.context import Connection, RequestContext
from tidelog.api.principal import decode_host, decode_principal
from tidelog.api.registry import api
from tidelog.api.running import run
from tidelog.broker.broker import Broker
from tidelog.protocol.errors import ErrorCode, KafkaError
from tidelog.protocol.header import decode_request_header, encode_response_header
from tidelog.protocol.messages.envelope import EnvelopeRequest, EnvelopeResponse
from tidelog.protocol.primitives import DecodeError, Struct

ENVELOPE = EnvelopeRequest.API_KEY


@api(EnvelopeRequest, concurrent=True)
async def handle(broker: Broker, context: RequestContext, request: EnvelopeRequest) -> EnvelopeResponse:
    if not broker.metadata.is_active:
        return EnvelopeResponse(error_code=int(ErrorCode.NOT_CONTROLLER))
    try:
        inner, message = _opened(broker, context, request)
    except KafkaError as error:
        return EnvelopeResponse(error_code=int(error.code))
    except DecodeError:
        return EnvelopeResponse(error_code=int(ErrorCode.INVALID_REQUEST))
    response = await run(broker, message, inner)
    if says_not_controller(response):
        return EnvelopeResponse(error_code=int(ErrorCode.NOT_CONTROLLER))
    head = encode_response_header(inner.api_key, inner.version, inner.correlation_id)
    return EnvelopeResponse(response_data=head + response.encode(inner.version))


def _opened(broker: Broker, context: RequestContext, request: EnvelopeRequest) -> tuple[RequestContext, Any]:
    data = bytes(request.request_data)
    header = decode_request_header(data)
    served = broker.apis.get(header.api_key)
    if served is None or not served.on_controller or header.api_key == ENVELOPE:
        raise KafkaError(ErrorCode.INVALID_REQUEST)
    if not served.first <= header.version <= served.last:
        raise KafkaError(ErrorCode.UNSUPPORTED_VERSION)
    handler = served.handler or served.load()
    if handler.raw:
        raise KafkaError(ErrorCode.INVALID_REQUEST)
    outer = context.connection
    host = decode_host(bytes(request.client_host_address))
    connection = Connection(host, 0, outer.listener_name, outer.security_protocol)
    if request.request_principal is not None:
        connection.principal = decode_principal(bytes(request.request_principal))
    inner = RequestContext(
        header.api_key, header.version, header.correlation_id, header.client_id, connection, _answered
    )
    return inner, handler.request.decode(data[header.body_at :], header.version, exact=False)


def says_not_controller(value: Any) -> bool:
    """Whether any part of an answer was refused because the leadership went elsewhere."""
    if isinstance(value, list):
        return any(map(says_not_controller, value))
    if not isinstance(value, Struct):
        return False
    if getattr(value, "error_code", 0) == ErrorCode.NOT_CONTROLLER:
        return True
    return any(says_not_controller(getattr(value, name)) for name in value.__slots__)


def _answered() -> None:
    """The answer travels in the envelope's."""
