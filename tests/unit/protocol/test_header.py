"""The hand-written headers against the generated ones."""

import pytest

from tidelog.protocol.header import (
    decode_request_header,
    decode_response_header,
    encode_request_header,
    encode_response_header,
    is_flexible,
)
from tidelog.protocol.messages import APIS
from tidelog.protocol.messages.headers import RequestHeader, ResponseHeader
from tidelog.protocol.primitives import DecodeError

EVERY = [(api.key, version) for api in APIS.values() for version in range(api.min_version, api.max_version + 1)]


@pytest.mark.parametrize("client_id", [None, "", "client-é"])
def test_request_headers_of_every_api(client_id: str | None) -> None:
    for key, version in EVERY:
        header = RequestHeader(request_api_key=key, request_api_version=version, correlation_id=7, client_id=client_id)
        expected = header.encode(2 if is_flexible(key, version) else 1)
        assert encode_request_header(key, version, 7, client_id) == expected
        assert decode_request_header(expected + b"body") == (key, version, 7, client_id, len(expected))


def test_response_headers_of_every_api() -> None:
    for key, version in EVERY:
        expected = ResponseHeader(correlation_id=7).encode(1 if is_flexible(key, version) and key != 18 else 0)
        assert encode_response_header(key, version, 7) == expected
        assert decode_response_header(expected + b"body", key, version) == (7, len(expected))


def test_tags_of_a_newer_peer_are_skipped() -> None:
    plain = encode_request_header(3, 12, 1, "c")
    header = decode_request_header(plain[:-1] + b"\x01\x05\x03abc" + b"body")
    assert header.body_at == len(plain) + 5
    assert decode_response_header(b"\0\0\0\x09\x01\x05\x01abody", 3, 12) == (9, 8)


def test_unknown_apis_and_versions_can_still_be_answered() -> None:
    assert decode_request_header(encode_request_header(999, 3, 5, "c"))[:4] == (999, 3, 5, "c")
    assert decode_request_header(encode_request_header(18, 99, 5, "c"))[:4] == (18, 99, 5, "c")


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\0\x03\0\x01\0\0\0\0",
        b"\0\x03\0\x01\0\0\0\0\0\x05abc",
        b"\0\x03\0\x01\0\0\0\0\xff\xfe",
        b"\0\x03\0\x01\0\0\0\0\0\x01\xff",
        b"\0\x03\0\x0c\0\0\0\0\xff\xff",
        b"\0\x03\0\x0c\0\0\0\0\xff\xff\xff\xff\xff\xff\xff\xff",
    ],
)
def test_broken_request_headers(data: bytes) -> None:
    with pytest.raises(DecodeError):
        decode_request_header(data)


@pytest.mark.parametrize("data", [b"", b"\0\0\0", b"\0\0\0\x01"])
def test_broken_response_headers(data: bytes) -> None:
    with pytest.raises(DecodeError):
        decode_response_header(data, 3, 12)
