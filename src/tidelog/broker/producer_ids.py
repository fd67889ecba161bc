"""Producer ids, handed out from blocks that the controller gives in the metadata log: no id is ever given twice."""

from __future__ import annotations

import asyncio

from tidelog.controller.producer_ids import allocate_producer_ids
from tidelog.protocol.errors import ErrorCode, KafkaError
from tidelog.protocol.messages.allocate_producer_ids import AllocateProducerIdsRequest
from tidelog.runtime.forwarding import ControllerChannel
from tidelog.runtime.metadata import MetadataRuntime

TIMEOUT_MS = 30_000


class ProducerIds:
    def __init__(self, metadata: MetadataRuntime, node_id: int) -> None:
        self._metadata = metadata
        self._node_id = node_id
        # The way to a controller that is another node; set with the broker's.
        self.controller: ControllerChannel | None = None
        self._next = self._end = 0
        self._lock = asyncio.Lock()

    def take_now(self) -> int | None:
        """An id of the block at hand, or None, in which case `ready` gets the next block."""
        if self._next == self._end:
            return None
        self._next += 1
        return self._next - 1

    @property
    def is_ready(self) -> bool:
        """Whether an id is at hand; if not, `ready` waits for one."""
        return self._next != self._end

    async def ready(self) -> None:
        """Makes sure that a block is at hand."""
        async with self._lock:
            if self._next == self._end:
                await self._next_block()

    async def take(self) -> int:
        async with self._lock:
            if self._next == self._end:
                await self._next_block()
            self._next += 1
            return self._next - 1

    async def _next_block(self) -> None:
        registered = self._metadata.image.cluster.brokers.get(self._node_id)
        if registered is None:
            raise KafkaError(ErrorCode.COORDINATOR_LOAD_IN_PROGRESS)
        node_id, epoch = self._node_id, registered.epoch
        if self._metadata.is_active or self.controller is None:
            block = await self._metadata.submit(lambda image, _: allocate_producer_ids(image, node_id, epoch))
            self._next, self._end = block.first, block.end
            return
        request = AllocateProducerIdsRequest(broker_id=node_id, broker_epoch=epoch)
        answer = await self.controller.request(request, TIMEOUT_MS)
        if answer.error_code:
            raise KafkaError(ErrorCode.COORDINATOR_LOAD_IN_PROGRESS)
        self._next, self._end = answer.producer_id_start, answer.producer_id_start + answer.producer_id_len
