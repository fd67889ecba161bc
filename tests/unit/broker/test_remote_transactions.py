"""What a coordinator makes of the answers that leaders elsewhere give about their markers."""

import asyncio
from types import SimpleNamespace
from typing import Any, cast

from tidelog.broker.broker import Broker
from tidelog.broker.remote_transactions import send_markers
from tidelog.coordinator.txn.shard import MARKER_DONE
from tidelog.coordinator.txn.values import MarkersToWrite
from tidelog.protocol.errors import ErrorCode
from tidelog.protocol.messages.write_txn_markers import (
    WritableTxnMarkerPartitionResult,
    WritableTxnMarkerResult,
    WritableTxnMarkerTopicResult,
    WriteTxnMarkersRequest,
    WriteTxnMarkersResponse,
)


class KnowsNothing:
    """A leader that has not heard of any topic."""

    async def request(self, request: WriteTxnMarkersRequest, timeout_ms: int) -> WriteTxnMarkersResponse:
        topics = [
            WritableTxnMarkerTopicResult(
                name=topic.name,
                partitions=[
                    WritableTxnMarkerPartitionResult(
                        partition_index=index, error_code=int(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION)
                    )
                    for index in topic.partition_indexes
                ],
            )
            for topic in request.markers[0].topics
        ]
        return WriteTxnMarkersResponse(markers=[WritableTxnMarkerResult(producer_id=1, topics=topics)])


def test_a_partition_is_gone_only_when_the_coordinator_itself_knows_of_none() -> None:
    topics: dict[str, Any] = {"young": SimpleNamespace(partitions=[None])}
    broker = SimpleNamespace(
        metadata=SimpleNamespace(image=SimpleNamespace(topics=topics)), peer=lambda *_: KnowsNothing()
    )
    partitions = [("young", 0), ("young", 7), ("deleted", 0)]
    markers = MarkersToWrite("orders", 1, 0, 0, True, tuple(partitions), 1)
    codes: dict[tuple[str, int], ErrorCode] = {}
    asyncio.run(send_markers(cast(Broker, broker), 2, markers, partitions, codes.__setitem__))
    assert {each: code in MARKER_DONE for each, code in codes.items()} == {
        ("young", 0): False,
        ("young", 7): True,
        ("deleted", 0): True,
    }
