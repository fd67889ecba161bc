"""Peers that do not speak the protocol, or speak too much of it, are cut off or slowed down; others notice nothing."""

from __future__ import annotations

import logging
import os
import struct
from pathlib import Path

import pytest

from support.node import RunningNode, Wire, running
from tidelog.protocol.errors import ErrorCode
from tidelog.protocol.messages.api_versions import ApiVersionsRequest, ApiVersionsResponse
from tidelog.protocol.messages.fetch import FetchPartition, FetchRequest, FetchResponse, FetchTopic
from tidelog.protocol.messages.metadata import MetadataRequest, MetadataRequestTopic, MetadataResponse
from tidelog.protocol.messages.produce import PartitionProduceData, ProduceRequest, ProduceResponse, TopicProduceData
from tidelog.protocol.record_batch import Record, build_batch

VERSIONS = ApiVersionsRequest(client_software_name="test", client_software_version="1")


def is_well(node: RunningNode) -> bool:
    with node.connect() as wire:
        return bool(wire.call(VERSIONS, ApiVersionsResponse, 3).error_code == 0)


def resident_bytes() -> int:
    fields = Path("/proc/self/statm").read_text().split()
    return int(fields[1]) * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.parametrize(
    "data",
    [
        struct.pack(">i", 0x7FFFFFFF),
        struct.pack(">i", -1),
        struct.pack(">i", 104_857_601),
        struct.pack(">i", 0),
        b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n",
        bytes.fromhex("1603010200010001fc0303") + bytes(500),
        struct.pack(">ihhih", 10, 0, 99, 1, -1),  # produce in a version that does not exist
        struct.pack(">ihhih", 10, 777, 0, 1, -1),  # no such API
        struct.pack(">ihhih", 10, 3, 1, 1, 500),  # client id past the end
        struct.pack(">ihhihi", 14, 3, 1, 1, -1, 0x7FFFFFFF),  # absurd array
        struct.pack(">ihhihi", 14, 3, 1, 1, -1, -2),
        struct.pack(">ihhih", 16, 3, 9, 1, -1) + b"\0\xff\xff\xff\xff\xff",  # endless varint
        struct.pack(">ihhih", 16, 3, 9, 1, -1) + b"\xff\xff\xff\xff\x0f\0",  # 2^32 tags in the header
        struct.pack(">ihhih", 16, 0, 9, 1, -1) + b"\0\0\0\x01\0\0",  # produce cut short
        struct.pack(">ihhih", 14, 1, 12, 1, -1) + b"\0\0\0\0",  # fetch cut short
    ],
)
def test_bytes_that_are_no_request_close_the_connection(node: RunningNode, wire: Wire, data: bytes) -> None:
    wire.send(data)
    assert wire.is_closed()
    assert is_well(node)


def test_a_frame_that_only_claims_to_be_large_costs_nothing(node: RunningNode) -> None:
    before = resident_bytes()
    wires = [node.connect() for _ in range(50)]
    for wire in wires:
        wire.send(struct.pack(">ihhih", 100_000_000, 0, 9, 1, -1) + bytes(1000))
    node.until(lambda it: it.server.buffers.used_bytes > 0)
    assert is_well(node)
    assert resident_bytes() - before < 50_000_000
    for wire in wires:
        wire.socket.close()
    node.until(lambda it: it.server.buffers.used_bytes == 0)


def test_api_versions_that_are_too_new_get_an_answer_to_go_on_with(wire: Wire) -> None:
    payload = struct.pack(">hhih", 18, 99, 7, -1) + b"whatever a newer client says"
    wire.send(struct.pack(">i", len(payload)) + payload)
    answer = wire.receive_frame()
    assert answer is not None
    response = ApiVersionsResponse.decode(answer[4:], 0)
    assert response.error_code == ErrorCode.UNSUPPORTED_VERSION
    assert [(each.api_key, each.min_version, each.max_version) for each in response.api_keys] == [(18, 0, 4)]
    assert wire.call(VERSIONS, ApiVersionsResponse, 3).error_code == 0


def test_the_controllers_listener_serves_what_belongs_there(node: RunningNode) -> None:
    endpoint = next(each for each in node.node.endpoints if each.listener_name == "CONTROLLER")
    with Wire(endpoint.host, endpoint.port) as wire:
        answer = wire.call(VERSIONS, ApiVersionsResponse, 3)
        keys = {each.api_key for each in answer.api_keys}
        assert 19 in keys
        assert not keys & {0, 3, 11}
        wire.send(wire.frame(MetadataRequest(topics=[]), 9))
        assert wire.is_closed()


def test_garbage_is_logged_once_and_not_for_every_peer(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with running(tmp_path) as node, caplog.at_level(logging.WARNING):
        for _ in range(30):
            with node.connect() as wire:
                wire.send(b"GET /evil\r\nlevel=critical msg=forged\r\n\r\n")
                assert wire.is_closed()
        lines = [record.getMessage() for record in caplog.records if "is closed" in record.getMessage()]
        assert len(lines) == 1
        assert "HTTP" in lines[0]
        assert "forged" not in lines[0]
        assert node.ask(lambda it: it.server.refusals) == 30


def test_ten_thousand_requests_without_reading_are_answered_in_order(node: RunningNode) -> None:
    request = MetadataRequest(topics=[])
    before = resident_bytes()
    with Wire(node.host, node.port, receive_buffer_bytes=4096) as wire:
        wire.socket.setblocking(False)
        frames = b"".join(wire.frame(request, 9) for _ in range(10_000))
        sent, answers = 0, b""
        peak = 0
        while len(answers) < 4 or not _is_last(answers, 10_000):
            if sent < len(frames):
                try:
                    sent += wire.socket.send(frames[sent : sent + 65536])
                    continue
                except BlockingIOError:
                    peak = max(peak, resident_bytes() - before)
            wire.socket.settimeout(30)
            answers += wire.socket.recv(1 << 16)
            wire.socket.setblocking(False)
        assert _correlation_ids(answers) == list(range(1, 10_001))
        assert peak < 30_000_000


def _correlation_ids(data: bytes) -> list[int]:
    found, position = [], 0
    while position < len(data):
        size, correlation_id = struct.unpack_from(">ii", data, position)
        found.append(correlation_id)
        position += 4 + size
    return found


def _is_last(data: bytes, wanted: int) -> bool:
    """Whether the data ends behind the answer with this correlation id; answers are all of one size."""
    size = struct.unpack_from(">i", data)[0] + 4
    if len(data) % size:
        return False
    return bool(struct.unpack_from(">i", data, len(data) - size + 4)[0] == wanted)


def test_a_client_that_does_not_read_its_records_is_not_served_more(node: RunningNode) -> None:
    """Its own connection stops; the memory for its answers stays bounded, and others are served."""
    node.create("unread")
    blob = build_batch([Record(0, 1000, None, b"x" * 900_000, ())])
    data = [PartitionProduceData(index=0, records=blob)]
    with node.connect() as producer:
        for _ in range(4):
            request = ProduceRequest(acks=1, topic_data=[TopicProduceData(name="unread", partition_data=data)])
            producer.call(request, ProduceResponse, 9)
    partition = FetchPartition(partition=0, fetch_offset=0, partition_max_bytes=1 << 23)
    request = FetchRequest(
        max_wait_ms=0, min_bytes=1, session_epoch=-1, topics=[FetchTopic(topic="unread", partitions=[partition])]
    )
    with Wire(node.host, node.port, receive_buffer_bytes=4096) as wire:
        before = node.ask(lambda it: it.server.requests[1])
        for _ in range(200):
            wire.send(wire.frame(request, 12))
        node.until(lambda it: it.server.requests[1] > before)
        assert is_well(node)
        assert node.ask(lambda it: it.server.requests[1]) - before < 5
        for _ in range(200):
            assert wire.receive_frame() is not None


def test_forged_fetch_sessions_are_refused(wire: Wire) -> None:
    for session_id, epoch, error in ((12345, 1, 70), (0, 5, 70), (-7, 3, 70)):
        request = FetchRequest(max_wait_ms=0, min_bytes=1, session_id=session_id, session_epoch=epoch)
        answer = wire.call(request, FetchResponse, 12)
        assert answer.error_code == error == ErrorCode.FETCH_SESSION_ID_NOT_FOUND


def test_a_fetch_of_a_hundred_thousand_partitions_is_answered(node: RunningNode, wire: Wire) -> None:
    partitions = [FetchPartition(partition=n, partition_max_bytes=1) for n in range(100_000)]
    request = FetchRequest(
        max_wait_ms=0, min_bytes=1, session_epoch=-1, topics=[FetchTopic(topic="absent", partitions=partitions)]
    )
    answer = wire.call(request, FetchResponse, 12)
    assert len(answer.responses[0].partitions) == 100_000
    assert is_well(node)


def test_connections_beyond_the_limits_are_refused(tmp_path: Path) -> None:
    with running(tmp_path, max_connections_per_ip="5") as node:
        wires = [node.connect() for _ in range(5)]
        for wire in wires:
            assert wire.call(VERSIONS, ApiVersionsResponse, 3).error_code == 0
        with node.connect() as sixth:
            assert sixth.is_closed()
        wires.pop().socket.close()
        node.until(lambda it: it.server.admission.open == 4)
        assert is_well(node)
        for wire in wires:
            wire.socket.close()


def test_connections_that_come_too_fast_wait_their_turn(tmp_path: Path) -> None:
    with running(tmp_path, max_connection_creation_rate="20") as node:
        wires = [node.connect() for _ in range(45)]
        for wire in wires:
            assert wire.call(VERSIONS, ApiVersionsResponse, 3).error_code == 0
            wire.socket.close()


def test_idle_connections_are_closed(tmp_path: Path) -> None:
    with running(tmp_path, connections_max_idle_ms="500") as node, node.connect() as wire:
        assert wire.call(VERSIONS, ApiVersionsResponse, 3).error_code == 0
        assert wire.is_closed()


@pytest.mark.parametrize("name", ["", ".", "..", "x" * 250, "with space", "new\nline", "sla/sh", "snow☃"])
def test_topic_names_that_cannot_be(wire: Wire, name: str) -> None:
    request = MetadataRequest(topics=[MetadataRequestTopic(name=name)])
    answer = wire.call(request, MetadataResponse, 12)
    assert answer.topics[0].error_code == ErrorCode.INVALID_TOPIC_EXCEPTION
