"""Who a forwarded request is from, there and back."""

from __future__ import annotations

import pytest

from tidelog.api.principal import decode_host, decode_principal, encode_host, encode_principal
from tidelog.protocol.primitives import DecodeError


@pytest.mark.parametrize("principal", ["User:ANONYMOUS", "User:alice", "User:CN=a:b,OU=ü"])
def test_principals_arrive_as_they_were(principal: str) -> None:
    assert decode_principal(encode_principal(principal)) == principal


def test_the_bytes_are_apaches() -> None:
    assert encode_principal("User:al") == b"\x00\x00" + b"\x05User" + b"\x03al" + b"\x00" + b"\x00"


@pytest.mark.parametrize("host", ["127.0.0.1", "10.1.2.3", "::1", "fe80::1"])
def test_hosts_arrive_as_they_were(host: str) -> None:
    assert decode_host(encode_host(host)) == host


@pytest.mark.parametrize(
    "data", [b"", b"\x00\x01", b"\x00\x00", b"\x00\x00\x05Us", b"\x00\x00\x00", b"\x00\x00\x02\xff"]
)
def test_what_is_no_principal(data: bytes) -> None:
    with pytest.raises(DecodeError):
        decode_principal(data)


def test_what_is_no_address() -> None:
    with pytest.raises(DecodeError):
        decode_host(b"abc")
