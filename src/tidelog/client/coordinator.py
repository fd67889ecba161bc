"""The broker that coordinates a group or a transactional id: found when needed, and again when it has moved."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from tidelog.client.cluster import Cluster, is_retriable, raise_for
from tidelog.client.connection import Connection
from tidelog.client.errors import ClientError
from tidelog.protocol.errors import KafkaError

T = TypeVar("T")
GROUP, TRANSACTION = 0, 1
"""The kinds of coordinator, for FindCoordinator."""


class Coordinator:
    def __init__(self, cluster: Cluster, kind: int, key: str) -> None:
        self.cluster = cluster
        self._kind = kind
        self._key = key
        self._node: int | None = None

    async def ask(self, request: Any, code: Callable[[Any], int], timeout_s: float = 30.0) -> Any:
        """The answer. Its error is raised, except that one of the coordinator's place or load leads to another try."""

        async def attempt(connection: Connection) -> Any:
            answer = await connection.request(request, timeout_s)
            raise_for(code(answer))
            return answer

        return await self.retrying(attempt)

    async def retrying(self, work: Callable[[Connection], Awaitable[T]]) -> T:
        async def attempt() -> T:
            try:
                return await work(await self.connection())
            except (ClientError, KafkaError) as error:
                if is_retriable(error):
                    self._node = None
                raise

        return await self.cluster.retrying(attempt)

    async def connection(self) -> Connection:
        if self._node is None:
            found = await self.cluster.coordinator(self._kind, self._key)
            self._node = found.node_id
            return found
        return await self.cluster.broker(self._node)
