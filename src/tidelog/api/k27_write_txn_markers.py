"""WriteTxnMarkers (27), versions 1 and 2: a coordinator or an administrator ends transactions in partitions here."""

from __future__ import annotations

import asyncio
from functools import partial

from tidelog.api.context import RequestContext
from tidelog.api.registry import api
from tidelog.broker.broker import Broker
from tidelog.protocol.errors import ErrorCode
from tidelog.protocol.messages.write_txn_markers import (
    WritableTxnMarker,
    WritableTxnMarkerPartitionResult,
    WritableTxnMarkerResult,
    WritableTxnMarkerTopicResult,
    WriteTxnMarkersRequest,
    WriteTxnMarkersResponse,
)
from tidelog.runtime.futures import settle


@api(WriteTxnMarkersRequest)
async def handle(broker: Broker, context: RequestContext, request: WriteTxnMarkersRequest) -> WriteTxnMarkersResponse:
    return WriteTxnMarkersResponse(markers=[await _write(broker, marker) for marker in request.markers])


async def _write(broker: Broker, marker: WritableTxnMarker) -> WritableTxnMarkerResult:
    topics = []
    for topic in marker.topics:
        codes = await asyncio.gather(*(_one(broker, marker, topic.name, each) for each in topic.partition_indexes))
        topics.append(
            WritableTxnMarkerTopicResult(
                name=topic.name,
                partitions=[
                    WritableTxnMarkerPartitionResult(partition_index=index, error_code=int(code))
                    for index, code in zip(topic.partition_indexes, codes, strict=True)
                ],
            )
        )
    return WritableTxnMarkerResult(producer_id=marker.producer_id, topics=topics)


async def _one(broker: Broker, marker: WritableTxnMarker, topic: str, index: int) -> ErrorCode:
    done: asyncio.Future[ErrorCode] = asyncio.get_running_loop().create_future()
    broker.transactions.write_marker(
        topic,
        index,
        (marker.producer_id, marker.producer_epoch),
        marker.coordinator_epoch,
        marker.transaction_result,
        partial(settle, done),
    )
    return await done
