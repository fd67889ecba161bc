"""Reads what members of protocol type "consumer" put into their metadata: the topics they subscribe to."""

from __future__ import annotations

import struct

from tidelog.protocol.group_records.consumer_protocol_subscription import ConsumerProtocolSubscription
from tidelog.protocol.primitives import DecodeError


def subscribed_topics(metadata: bytes) -> list[str]:
    """Empty when the bytes are not a subscription: what a client puts there is its own affair."""
    if len(metadata) < 2:
        return []
    (version,) = struct.unpack_from(">h", metadata)
    try:
        known = min(version, ConsumerProtocolSubscription.VERSIONS[1])
        return list(ConsumerProtocolSubscription.decode(metadata[2:], known).topics)
    except DecodeError:
        return _topics_of_a_newer_version(metadata)


def _topics_of_a_newer_version(metadata: bytes) -> list[str]:
    """Newer versions only add fields behind the topics."""
    try:
        (count,) = struct.unpack_from(">i", metadata, 2)
        position, topics = 6, []
        for _ in range(min(count, len(metadata))):
            (length,) = struct.unpack_from(">h", metadata, position)
            topics.append(metadata[position + 2 : position + 2 + length].decode())
            position += 2 + length
    except (struct.error, UnicodeDecodeError):
        return []
    return topics
