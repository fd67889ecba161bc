"""Frames that are not requests: a broker ends the connection, keeps nothing, and serves others on."""

import struct
from typing import Any

import pytest

from conformance.brokers import Both, Broker
from conformance.wire import CLOSED
from tidelog.protocol.header import encode_request_header
from tidelog.protocol.messages.metadata import MetadataRequest

METADATA_9 = encode_request_header(3, 9, 1, "c")

HOSTILE = {
    "length 2^31-1": struct.pack(">i", 0x7FFFFFFF),
    "negative length": struct.pack(">i", -1),
    "most negative length": struct.pack(">i", -(2**31)),
    "just over the limit": struct.pack(">i", 104857601),
    "http": b"GET / HTTP/1.1\r\nHost: x\r\n\r\n",
    "tls hello": bytes.fromhex("16030100fa010000f60303") + b"\0" * 300,
    "header cut short": struct.pack(">ih", 2, 3),
    "client id past the end": struct.pack(">ihhih", 10, 3, 1, 1, 500),
    "client id length -2": struct.pack(">ihhih", 10, 3, 1, 1, -2),
}

BODIES = {
    "array of two billion": METADATA_9 + b"\xff\xff\xff\xff\x07" + b"\0" * 8,
    "array past the end": METADATA_9 + b"\x50" + b"\0" * 8,
    "varint of six bytes": METADATA_9 + b"\x80\x80\x80\x80\x80\x01" + b"\0" * 8,
    "string past the end": METADATA_9 + b"\x02\x7fabc",
    "tag count 2^31-1": METADATA_9 + b"\x01\x01\0\0\xff\xff\xff\xff\x07",
    "tag size past the end": METADATA_9 + b"\x01\x01\0\0\x01\x07\x7f",
    "non-compact array of 2^31-1": encode_request_header(3, 1, 1, "c") + struct.pack(">i", 2**31 - 1),
    "null array where none may be": encode_request_header(3, 0, 1, "c") + struct.pack(">i", -1),
    "name not nullable": encode_request_header(3, 1, 1, "c") + struct.pack(">ih", 1, -1),
    "body cut short": METADATA_9 + b"\x01",
    "empty body": METADATA_9,
}


def still_serves(broker: Broker) -> bool:
    with broker.connect() as wire:
        return len(wire.call(MetadataRequest(topics=[]), 9).brokers) == 1


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_bytes_end_the_connection(both: Both, name: str) -> None:
    def step(broker: Broker) -> Any:
        with broker.connect() as wire:
            wire.send_bytes(HOSTILE[name])
            return wire.is_closed(), still_serves(broker)

    assert both.same(step) == [True, True]


@pytest.mark.parametrize("name", BODIES)
def test_hostile_bodies_end_the_connection(both: Both, name: str) -> None:
    def step(broker: Broker) -> Any:
        with broker.connect() as wire:
            answer = wire.exchange(BODIES[name])
            return answer if isinstance(answer, str) else "answered", still_serves(broker)

    assert both.same(step)[1] is True


LENIENT = {
    "tag count 2^32-1": METADATA_9 + b"\x01\x01\0\0\xff\xff\xff\xff\x0f",
    "non-compact array of -2": encode_request_header(3, 1, 1, "c") + struct.pack(">i", -2),
    "the same tag twice": METADATA_9 + b"\x01\x01\0\0\x02\x70\x01a\x70\x01a",
    "tags out of order": METADATA_9 + b"\x01\x01\0\0\x02\x71\x01a\x70\x01a",
}


@pytest.mark.parametrize("name", LENIENT)
def test_what_apache_lets_pass_and_we_refuse(both: Both, name: str) -> None:
    """No client writes these; a decoder that takes them only hides a broken one."""
    for broker, expected in ((both.ours, CLOSED), (both.apache, "answered")):
        with broker.connect() as wire:
            answer = wire.exchange(LENIENT[name])
            assert (answer if isinstance(answer, str) else "answered") == expected
        assert still_serves(broker)


def test_unknown_tags_are_skipped(both: Both) -> None:
    """Two unknown tags after the header, and one after the body."""

    def step(broker: Broker, header_tags: bytes, body_tags: bytes) -> Any:
        header = struct.pack(">hhih", 3, 9, 1, 1) + b"c" + header_tags
        with broker.connect() as wire:
            answer = wire.exchange(header + b"\x01\x00\x00\x00" + body_tags)
            return len(answer) > 20 if isinstance(answer, bytes) else answer

    assert both.same(step, b"\x02\x63\x01a\x64\x02bb", b"\x01\x70\x03abc") is True


def test_trailing_bytes_after_the_body(both: Both) -> None:
    def step(broker: Broker) -> Any:
        with broker.connect() as wire:
            answer = wire.exchange(METADATA_9 + b"\x01\x00\x00\x00\x00" + b"more")
            return isinstance(answer, bytes)

    both.same(step)


def test_a_request_that_comes_byte_by_byte(both: Both) -> None:
    def step(broker: Broker) -> Any:
        frame = METADATA_9 + b"\x01\x00\x00\x00\x00"
        with broker.connect() as wire:
            for byte in struct.pack(">i", len(frame)) + frame:
                wire.send_bytes(bytes([byte]))
            return len(wire.receive_frame()) > 20

    assert both.same(step) is True
