"""Requests to bytes and frames to answers: the envelope around the generated messages."""

from __future__ import annotations

import struct
from collections.abc import Iterable

from tidelog.ports import Buffer
from tidelog.protocol import messages
from tidelog.protocol.errors import ErrorCode
from tidelog.protocol.primitives import DecodeError, Message, read_uvarint

_HEADER = struct.Struct(">ihhih")
_API_VERSIONS = 18


def api_name(message: Message | type[Message]) -> str:
    return messages.APIS[message.API_KEY].name


def response_class(request: type[Message]) -> type[Message]:
    return messages.response_class(request.API_KEY)


def _is_flexible(message: type[Message], version: int) -> bool:
    return message.FLEXIBLE_FROM is not None and version >= message.FLEXIBLE_FROM


def encode_request(message: Message, version: int, correlation_id: int, client_id: str) -> Iterable[Buffer]:
    """The frame as parts, records not copied."""
    name = client_id.encode()
    tags = b"\x00" if _is_flexible(type(message), version) else b""
    parts: list[Buffer] = message.encode_parts(version)  # type: ignore[assignment]
    length = _HEADER.size - 4 + len(name) + len(tags) + sum(map(len, parts))
    head = _HEADER.pack(length, message.API_KEY, version, correlation_id, len(name)) + name + tags
    return [head, *parts]


def decode_answer(frame: bytes | bytearray, answer: type[Message], version: int) -> tuple[int, Message]:
    """Correlation id and message of a frame."""
    view = memoryview(frame)
    correlation_id = int.from_bytes(view[:4], "big", signed=True)
    pos = 4
    if answer.API_KEY == _API_VERSIONS:
        # Its header is never flexible, and a broker that is older than the request answers as version 0.
        if int.from_bytes(view[4:6], "big", signed=True) == ErrorCode.UNSUPPORTED_VERSION:
            version = 0
    elif _is_flexible(answer, version):
        pos = _skip_tags(view, pos)
    return correlation_id, answer.decode(view[pos:], version)


def _skip_tags(view: memoryview, pos: int) -> int:
    try:
        count, pos = read_uvarint(view, pos)
        for _ in range(count):
            _, pos = read_uvarint(view, pos)
            size, pos = read_uvarint(view, pos)
            pos += size
    except IndexError:
        raise DecodeError("the answer's header is cut short") from None
    return pos


__all__ = ["Message", "api_name", "decode_answer", "encode_request", "response_class"]
