"""What the generated messages promise beside their bytes: defaults, equality, versions, and records without copies."""

from random import Random

import pytest
from tools.schema.language import load_all
from tools.schema.places import python_class
from tools.schema.samples import Sampler

from tidelog.ports import FileRange
from tidelog.protocol.messages.fetch import FetchableTopicResponse, FetchResponse, PartitionData
from tidelog.protocol.messages.metadata import MetadataRequest, MetadataRequestTopic
from tidelog.protocol.messages.produce import (
    LeaderIdAndEpoch,
    PartitionProduceData,
    PartitionProduceResponse,
    ProduceRequest,
    ProduceResponse,
    TopicProduceData,
    TopicProduceResponse,
)
from tidelog.protocol.primitives import DecodeError, EncodeError

MESSAGES = load_all()


class MemoryFile:
    """Enough of a file to be sent from."""

    path = "memory"

    def __init__(self, data: bytes) -> None:
        self.data = data

    def pread(self, length: int, position: int) -> bytes:
        return self.data[position : position + length]


@pytest.mark.parametrize("message", MESSAGES, ids=lambda message: message.class_name)
def test_every_version_survives_its_bytes_and_nothing_shorter_or_longer_does(message) -> None:  # type: ignore[no-untyped-def]
    cls = python_class(message)
    sampler = Sampler(Random(message.class_name), message)
    for version in range(message.versions[0], message.versions[1] + 1):
        sample = sampler.instance(version)
        encoded = sample.encode(version)
        assert cls.decode(encoded, version) == sample
        assert cls.decode(memoryview(bytearray(encoded)), version) == sample
        for cut in range(min(len(encoded), 40)):
            with pytest.raises(DecodeError):
                cls.decode(encoded[:cut], version)
        with pytest.raises(DecodeError, match="ends at byte"):
            cls.decode(encoded + b"\0", version)


def test_fields_have_defaults_of_their_own() -> None:
    first, second = ProduceResponse(), ProduceResponse()
    first.responses.append(TopicProduceResponse(name="a"))
    assert second.responses == []
    assert PartitionProduceResponse().current_leader == LeaderIdAndEpoch(leader_id=-1, leader_epoch=-1)
    assert PartitionProduceResponse().log_append_time_ms == -1


def test_messages_compare_by_value_and_show_their_fields() -> None:
    assert TopicProduceData(name="a") == TopicProduceData(name="a")
    assert TopicProduceData(name="a") != TopicProduceData(name="b")
    assert LeaderIdAndEpoch() != TopicProduceData()
    assert repr(LeaderIdAndEpoch(leader_id=3)) == "LeaderIdAndEpoch(leader_id=3, leader_epoch=-1)"


@pytest.mark.parametrize("version", [-1, 2, 14, 99])
def test_a_version_that_is_not_served_is_refused_both_ways(version: int) -> None:
    with pytest.raises(EncodeError, match="has no version"):
        ProduceRequest().encode(version)
    with pytest.raises(DecodeError, match="has no version"):
        ProduceRequest.decode(b"", version)


def test_null_and_empty_are_different() -> None:
    everything, nothing = MetadataRequest(topics=None), MetadataRequest(topics=[])
    assert MetadataRequest.decode(everything.encode(9), 9).topics is None
    assert MetadataRequest.decode(nothing.encode(9), 9).topics == []


def test_null_is_refused_at_versions_that_cannot_say_it() -> None:
    with pytest.raises(EncodeError, match="topics must not be null in version 0"):
        MetadataRequest(topics=None).encode(0)
    with pytest.raises(DecodeError, match="topics must not be null in version 0"):
        MetadataRequest.decode(b"\xff\xff\xff\xff", 0)


def test_a_value_that_the_version_cannot_carry_is_refused_unless_it_may_be_dropped() -> None:
    with pytest.raises(EncodeError, match="version 3 has no field allow_auto_topic_creation"):
        MetadataRequest(allow_auto_topic_creation=False).encode(3)
    by_id = MetadataRequest(topics=[MetadataRequestTopic(name="a", topic_id=b"\1" * 16)])
    assert MetadataRequest.decode(by_id.encode(9), 9).topics == [MetadataRequestTopic(name="a")]


def test_values_out_of_range_are_refused() -> None:
    with pytest.raises(EncodeError, match="cannot carry"):
        ProduceRequest(acks=40_000).encode(9)
    with pytest.raises(EncodeError):
        MetadataRequest(topics=[MetadataRequestTopic(name="x" * 40_000)]).encode(9)
    with pytest.raises(EncodeError):
        MetadataRequest(topics=[MetadataRequestTopic(name="\ud800")]).encode(9)


def test_decoded_records_are_a_view_of_the_buffer() -> None:
    request = ProduceRequest(topic_data=[TopicProduceData(partition_data=[PartitionProduceData(records=b"payload")])])
    buffer = bytearray(request.encode(9))
    records = ProduceRequest.decode(buffer, 9).topic_data[0].partition_data[0].records
    assert isinstance(records, memoryview)
    assert records == b"payload"
    buffer[buffer.index(b"payload")] = ord("P")
    assert records == b"Payload"


def response(*records: object) -> FetchResponse:
    partitions = [PartitionData(partition_index=index, records=part) for index, part in enumerate(records)]  # type: ignore[arg-type]
    return FetchResponse(responses=[FetchableTopicResponse(topic="t", partitions=partitions)])


def test_large_records_are_spliced_and_small_ones_copied() -> None:
    large, small = bytes(5_000), b"small"
    parts = response(large, small).encode_parts(12)
    assert sum(part is large for part in parts) == 1
    assert len(parts) == 3
    assert b"".join(parts) == response(large, small).encode(12)  # type: ignore[arg-type]


def test_records_may_be_a_range_of_a_file_or_several_parts() -> None:
    file = MemoryFile(bytes(range(200)))
    piece = FileRange(file, 10, 90)  # type: ignore[arg-type]
    whole = response(piece, [b"head", piece], (b"a", b"b"), None)
    parts = whole.encode_parts(12)
    assert [part for part in parts if isinstance(part, FileRange)] == [piece, piece]
    data = file.data[10:100]
    assert whole.encode(12) == response(data, b"head" + data, b"ab", None).encode(12)
