"""Bytes that lie: lengths, counts, varints and tags that must be refused before anything is allocated for them."""

import struct
import tracemalloc

import pytest

from tidelog.protocol import reading
from tidelog.protocol.messages.api_versions import ApiVersionsRequest
from tidelog.protocol.messages.describe_topic_partitions import DescribeTopicPartitionsRequest
from tidelog.protocol.messages.join_group import JoinGroupRequest
from tidelog.protocol.messages.metadata import MetadataRequest
from tidelog.protocol.messages.produce import ProduceRequest
from tidelog.protocol.primitives import (
    MAX_ELEMENTS,
    DecodeError,
    read_uvarint,
    read_varint,
    read_varlong,
    write_uvarint,
    write_varint,
)

HUGE = b"\xff\xff\xff\xff\x07"  # 2^31 - 1 as a varint


def refused(cls, data: bytes, version: int) -> str:  # type: ignore[no-untyped-def]
    """The reason of the refusal, which took no memory to speak of."""
    tracemalloc.start()
    try:
        with pytest.raises(DecodeError) as caught:
            cls.decode(data, version)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 1 << 20
    return str(caught.value)


@pytest.mark.parametrize("count", [0x7FFFFFFF, 1_000_000, 2, -2, -0x80000000])
def test_array_counts(count: int) -> None:
    assert "elements" in refused(MetadataRequest, struct.pack(">ib", count, 0), 1)


def test_compact_array_counts() -> None:
    assert "elements" in refused(MetadataRequest, HUGE + b"\0" * 50, 12)


def test_more_elements_than_a_message_may_hold() -> None:
    """Each array is believable, all of them together are not; the budget ends it early."""
    inner = struct.pack(">h", 1) + b"t" + struct.pack(">i", 400_000) + (bytes(4) + b"\xff\xff\xff\xff") * 400_000
    body = struct.pack(">hhii", -1, 1, 1000, 3) + inner * 3
    with pytest.raises(DecodeError, match=f"more than {MAX_ELEMENTS} elements"):
        ProduceRequest.decode(body, 3)


@pytest.mark.parametrize("length", [0x7FFF, 10, -2, -0x8000])
def test_string_lengths(length: int) -> None:
    assert "string" in refused(JoinGroupRequest, struct.pack(">h", length) + b"group", 0)


def test_null_where_there_must_be_a_string() -> None:
    assert "null" in refused(JoinGroupRequest, b"\xff\xff" + bytes(20), 0)
    assert "null" in refused(JoinGroupRequest, b"\0" + bytes(20), 9)


def test_string_that_is_not_utf8() -> None:
    assert "UTF-8" in refused(MetadataRequest, struct.pack(">ih", 1, 2) + b"\xff\xfe", 1)


def test_records_longer_than_the_frame() -> None:
    head = struct.pack(">hhii", -1, 1, 1000, 1) + struct.pack(">h", 1) + b"t" + struct.pack(">ii", 1, 0)
    assert "byte string" in refused(ProduceRequest, head + struct.pack(">i", 0x7FFFFFFF) + b"xx", 3)
    assert "byte string" in refused(ProduceRequest, head + struct.pack(">i", -2) + b"xx", 3)


@pytest.mark.parametrize("data", [b"\xff" * 5 + b"\0", b"\xff" * 11, b"\x80" * 6])
def test_varint_that_does_not_end(data: bytes) -> None:
    assert "varint" in refused(ApiVersionsRequest, data, 3)


def test_varints() -> None:
    for value in (0, 1, 127, 128, 300, 16_383, 16_384, 2**28, 2**31 - 1, 2**32 - 1):
        out = bytearray()
        write_uvarint(out, value)
        assert read_uvarint(bytes(out), 0) == (value, len(out))
    for value in (0, -1, 1, 63, -64, 64, 2**31 - 1, -(2**31)):
        out = bytearray()
        write_varint(out, value)
        assert read_varint(bytes(out), 0) == (value, len(out))
        assert read_varlong(bytes(out), 0) == (value, len(out))
    for value in (2**63 - 1, -(2**63)):
        out = bytearray()
        write_varint(out, value)
        assert read_varlong(bytes(out), 0) == (value, len(out))
    for reader, bad in ((read_uvarint, b"\xff\xff\xff\xff\x10"), (read_varlong, b"\xff" * 9 + b"\x02")):
        with pytest.raises(DecodeError):
            reader(bad, 0)
    with pytest.raises(DecodeError):
        read_varlong(b"\xff" * 10 + b"\0", 0)


def tagged(*fields: tuple[int, bytes], count: int | None = None) -> bytes:
    """An ApiVersions request, which ends in its tagged fields."""
    out = bytearray(b"\x02a\x02b")
    write_uvarint(out, len(fields) if count is None else count)
    for tag, body in fields:
        write_uvarint(out, tag)
        write_uvarint(out, len(body))
        out += body
    return bytes(out)


def test_unknown_tags_are_skipped() -> None:
    request = ApiVersionsRequest.decode(tagged((0, b"x"), (7, b""), (900, b"abc")), 3)
    assert request == ApiVersionsRequest(client_software_name="a", client_software_version="b")


def test_tags_that_lie() -> None:
    assert "tag 3 follows tag 3" in refused(ApiVersionsRequest, tagged((3, b"x"), (3, b"y")), 3)
    assert "tag 1 follows tag 2" in refused(ApiVersionsRequest, tagged((2, b"x"), (1, b"y")), 3)
    assert "tagged fields are claimed" in refused(ApiVersionsRequest, tagged(count=2**31), 3)
    assert "claims" in refused(ApiVersionsRequest, tagged(count=1) + b"\x01" + HUGE, 3)
    with pytest.raises(DecodeError, match="does not have the size"):
        reading.tag_end(4, 5, 0)


def test_a_known_tag_of_the_wrong_size_is_refused() -> None:
    from tidelog.protocol.messages.fetch import FetchRequest

    good = FetchRequest(cluster_id="c").encode(12)
    assert good.endswith(b"\x01\x00\x02\x02c")
    bad = good[:-4] + b"\x00\x03\x02cx"
    assert "does not have the size" in refused(FetchRequest, bad, 12)


def test_a_null_struct() -> None:
    body = DescribeTopicPartitionsRequest(topics=[]).encode(0)
    assert DescribeTopicPartitionsRequest.decode(body, 0).cursor is None
    assert "cut short" in refused(DescribeTopicPartitionsRequest, body[:-2] + b"\x01", 0)
