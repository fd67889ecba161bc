"""The headers before every request and response, by API key and version.

Written by hand because they stand before every message: one unpack and at most one string. Versions 1 and 2 of the
request header and 0 and 1 of the response header are the ones in use; the later ones end in tagged fields.
"""

from __future__ import annotations

from struct import Struct
from struct import error as StructError
from typing import NamedTuple

from tidelog.protocol.messages import APIS
from tidelog.protocol.primitives import DecodeError, Readable
from tidelog.protocol.reading import skip_tags

API_VERSIONS = 18

_FIXED = Struct(">hhih")
_INT32 = Struct(">i")
_NEVER = 1 << 15
# For an unknown key the plain header is assumed: it can be read far enough to answer or to refuse.
_FLEXIBLE_FROM = {key: _NEVER if api.flexible_from is None else api.flexible_from for key, api in APIS.items()}


class RequestHeader(NamedTuple):
    api_key: int
    version: int
    correlation_id: int
    client_id: str | None
    body_at: int  # where the body begins in the buffer


def is_flexible(api_key: int, version: int) -> bool:
    return version >= _FLEXIBLE_FROM.get(api_key, _NEVER)


def decode_request_header(buf: Readable) -> RequestHeader:
    """The header at the start of a frame (its size stripped). DecodeError when it is cut short."""
    try:
        api_key, version, correlation_id, length = _FIXED.unpack_from(buf)
        body_at = _FIXED.size
        client_id = None
        if length >= 0:
            client_id = str(buf[body_at : body_at + length], "utf-8")
            body_at += length
            if body_at > len(buf):
                raise DecodeError(f"the client id claims {length} bytes, more than the frame has")
        elif length != -1:
            raise DecodeError(f"the client id has the length {length}")
        if version >= _FLEXIBLE_FROM.get(api_key, _NEVER):
            body_at = body_at + 1 if buf[body_at] == 0 else skip_tags(buf, body_at)
    except (StructError, IndexError) as error:
        raise DecodeError("the request is shorter than its header") from error
    except UnicodeDecodeError as error:
        raise DecodeError("the client id is not UTF-8") from error
    return RequestHeader(api_key, version, correlation_id, client_id, body_at)


def encode_request_header(api_key: int, version: int, correlation_id: int, client_id: str | None) -> bytes:
    tail = b"\0" if version >= _FLEXIBLE_FROM.get(api_key, _NEVER) else b""
    if client_id is None:
        return _FIXED.pack(api_key, version, correlation_id, -1) + tail
    name = client_id.encode()
    return _FIXED.pack(api_key, version, correlation_id, len(name)) + name + tail


def _tagged_response(api_key: int, version: int) -> bool:
    # A client that asks for the versions cannot know yet which header to expect, so that answer keeps the old one.
    return api_key != API_VERSIONS and version >= _FLEXIBLE_FROM.get(api_key, _NEVER)


def encode_response_header(api_key: int, version: int, correlation_id: int) -> bytes:
    return _INT32.pack(correlation_id) + (b"\0" if _tagged_response(api_key, version) else b"")


def decode_response_header(buf: Readable, api_key: int, version: int) -> tuple[int, int]:
    """The correlation id, and where the body begins."""
    try:
        correlation_id = _INT32.unpack_from(buf)[0]
        if api_key == API_VERSIONS or version < _FLEXIBLE_FROM.get(api_key, _NEVER):
            return correlation_id, 4
        return correlation_id, 5 if buf[4] == 0 else skip_tags(buf, 4)
    except (StructError, IndexError) as error:
        raise DecodeError("the response is shorter than its header") from error
