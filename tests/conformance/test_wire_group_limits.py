"""Groups asked for too much: large subscriptions and metadata are answered as Apache answers, and the node lives."""

from typing import Any

import pytest

from conformance.brokers import Both, Broker
from conformance.groups import Member, commit, coordinator_ready, fetch_offsets, subscription
from tidelog.protocol.header import encode_request_header
from tidelog.protocol.messages.offset_commit import (
    OffsetCommitRequest,
    OffsetCommitRequestPartition,
    OffsetCommitRequestTopic,
)

MEGABYTE = 1 << 20


@pytest.fixture
def group(both: Both, topic: str) -> str:
    for broker in (both.ours, both.apache):
        broker.create(topic)
        coordinator_ready(broker, topic)
    return topic


@pytest.mark.parametrize("size", [4096, 4097, 32_767])
def test_metadata_of_a_commit(both: Both, group: str, size: int) -> None:
    version = 9

    def step(broker: Broker) -> Any:
        return commit(broker, group, group, {0: 7}, version, "m" * size), fetch_offsets(broker, group, {group: [0]})

    both.same(step)


def test_a_megabyte_of_metadata_is_no_string(both: Both, group: str) -> None:
    """Strings have two bytes for their length, also in the versions that write it in another way."""

    def step(broker: Broker) -> Any:
        with broker.connect() as wire:
            head = encode_request_header(OffsetCommitRequest.API_KEY, 9, 1, "conformance")
            body = OffsetCommitRequest(
                group_id=group,
                topics=[
                    OffsetCommitRequestTopic(
                        name=group,
                        partitions=[OffsetCommitRequestPartition(committed_offset=7, committed_metadata="NOTE")],
                    )
                ],
            ).encode(9)
            # The length is one more than that of the text, seven bits to a byte.
            grown = body.replace(b"\x05NOTE", b"\x81\x80\x40" + b"m" * MEGABYTE)
            assert len(grown) > MEGABYTE
            return wire.exchange(head + grown), fetch_offsets(broker, group, {group: [0]})

    both.same(step)


@pytest.mark.parametrize("size", [MEGABYTE // 2, 10 * MEGABYTE])
def test_subscription_of_a_member(both: Both, group: str, size: int) -> None:
    def step(broker: Broker) -> Any:
        member = Member(broker, group)
        member.protocols = {"range": subscription(group) + bytes(size)}
        joined = member.join().error_code
        synced = member.sync({member.id: b"mine"}).error_code
        beat = member.heartbeat()
        member.close()
        other = Member(broker, f"{group}-other")
        outcome = other.join().error_code, other.sync({other.id: b"mine"}).error_code
        other.close()
        return joined, synced, beat, outcome

    both.same(step)
