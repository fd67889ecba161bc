"""Producer ids, handed out from blocks that the controller gives in the metadata log: no id is ever given twice."""

from __future__ import annotations

import asyncio

from tidelog.runtime.metadata import MetadataRuntime


class ProducerIds:
    def __init__(self, metadata: MetadataRuntime, node_id: int) -> None:
        self._metadata = metadata
        self._node_id = node_id
        self._next = self._end = 0
        self._lock = asyncio.Lock()

    async def take(self) -> int:
        async with self._lock:
            if self._next == self._end:
                self._next, length = await self._metadata.allocate_producer_ids(self._node_id)
                self._end = self._next + length
            self._next += 1
            return self._next - 1
