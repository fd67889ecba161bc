"""WriteTxnMarkers: what becomes of a marker may be known after nobody waits for it any more."""

import asyncio
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, cast

from tidelog.api.k27_write_txn_markers import handle
from tidelog.protocol.errors import ErrorCode
from tidelog.protocol.messages.write_txn_markers import (
    WritableTxnMarker,
    WritableTxnMarkerTopic,
    WriteTxnMarkersRequest,
)


def test_an_outcome_that_comes_after_the_connection_is_gone_disturbs_nobody() -> None:
    """A node that stops refuses everybody who waits, and would not come to its end otherwise."""
    waiting: list[Callable[[ErrorCode], None]] = []
    broker = SimpleNamespace(transactions=SimpleNamespace(write_marker=lambda *given: waiting.append(given[-1])))
    marker = WritableTxnMarker(producer_id=1, topics=[WritableTxnMarkerTopic(name="t", partition_indexes=[0])])

    async def story() -> None:
        request = WriteTxnMarkersRequest(markers=[marker])
        task = asyncio.ensure_future(cast(Any, handle)(broker, None, request))
        while not waiting:
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        waiting[0](ErrorCode.NOT_LEADER_OR_FOLLOWER)

    asyncio.run(story())
