"""KAFKA-17754: the end of a transaction is held up on its way and arrives in the middle of the next transaction.

A proxy stands between a client and its broker. It takes the first EndTxn and breaks the connection; the client asks
again and is answered. When the next transaction has written, the first request arrives after all.
"""

import asyncio
import struct
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from conformance.conftest import OURS_KIND
from conformance.wire import Wire
from peer.apache import ApacheNode
from peer.process import NodeProcess, free_port
from peer.toolchain import needs
from tidelog.client.admin import Admin
from tidelog.client.consumer import Consumer
from tidelog.client.list_offsets import LATEST, list_offsets
from tidelog.client.producer import Producer
from tidelog.protocol.errors import ErrorCode
from tidelog.protocol.messages.end_txn import EndTxnRequest, EndTxnResponse
from tidelog.protocol.primitives import Message

pytestmark = pytest.mark.apache

TOPIC = ("orders", 0)


class HoldingProxy:
    def __init__(self, target: str) -> None:
        self.host, _, port = target.rpartition(":")
        self.port = int(port)
        self.held: bytes | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    async def serve(self, port: int) -> asyncio.Server:
        return await asyncio.start_server(self._connected, "127.0.0.1", port)

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        from_broker, to_broker = await asyncio.open_connection(self.host, self.port)
        back = asyncio.create_task(self._back(from_broker, writer))
        self._tasks.add(back)
        try:
            while True:
                size = await reader.readexactly(4)
                frame = await reader.readexactly(int.from_bytes(size, "big"))
                if frame[:2] == struct.pack(">h", EndTxnRequest.API_KEY) and self.held is None:
                    self.held = frame
                    return
                to_broker.write(size + frame)
        except (asyncio.IncompleteReadError, asyncio.CancelledError, OSError):
            return
        finally:
            to_broker.close()
            writer.transport.abort()

    async def _back(self, from_broker: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await from_broker.read(1 << 16):
            writer.write(data)

    def deliver(self) -> Message:
        """The broker's answer to the request that was held."""
        assert self.held is not None, "no end of a transaction came by"
        with Wire(f"{self.host}:{self.port}") as wire:
            answer = wire.exchange(self.held)
        assert isinstance(answer, bytes), "the broker hung up"
        (version,) = struct.unpack(">h", self.held[2:4])
        # Behind the correlation id stands an empty list of tagged fields.
        return EndTxnResponse.decode(answer[5:], version)


async def committed(address: str, count: int) -> list[bytes | None]:
    settings = {"bootstrap.servers": address, "isolation.level": "read_committed", "auto.offset.reset": "earliest"}
    found: list[bytes | None] = []
    async with Consumer(settings) as consumer:
        consumer.assign([TOPIC])
        while len(found) < count:
            found += [each.value for each in await consumer.poll(0.2)]
    return found


async def stable(admin: Admin) -> int:
    return (await list_offsets(admin.cluster, {TOPIC: LATEST}, isolation_level=1))[TOPIC].offset


async def until(expected: Any, look: Callable[[], Awaitable[Any]]) -> None:
    while await look() != expected:
        await asyncio.sleep(0.02)


async def story(node: NodeProcess, port: int, commits: bool) -> None:
    proxy = HoldingProxy(node.address)
    # What a node asks of itself goes through the proxy too.
    async with await proxy.serve(port), asyncio.timeout(120):
        await asyncio.to_thread(node.wait_until_it_serves)
        address = f"127.0.0.1:{port}"
        settings = {"bootstrap.servers": address, "transactional.id": "orders", "linger.ms": "0"}
        async with Admin({"bootstrap.servers": address}) as admin, Producer(settings) as producer:
            await admin.topics.create("orders", partitions=1)
            await producer.init_transactions()
            producer.begin_transaction()
            await producer.send("orders", b"one")
            await producer.flush()
            await (producer.commit_transaction() if commits else producer.abort_transaction())
            await until(2, lambda: stable(admin))
            producer.begin_transaction()
            await producer.send("orders", b"two")
            await producer.flush()
            late: Any = await asyncio.to_thread(proxy.deliver)
            assert ErrorCode(late.error_code) is ErrorCode.PRODUCER_FENCED
            described = (await admin.transactions.describe("orders")).state
            assert described.transaction_state == "Ongoing", (
                "the late request ended a transaction that it does not mean"
            )
            assert await stable(admin) == 2, "the second transaction is shown before it ended"
            await producer.commit_transaction()
            await until(4, lambda: stable(admin))
            expected: list[bytes | None] = [b"one", b"two"] if commits else [b"two"]
            assert await committed(address, len(expected)) == expected


@pytest.mark.parametrize("commits", [True, False], ids=["commit", "abort"])
@pytest.mark.parametrize("kind", ["ours", "apache"])
def test_a_late_end_does_not_end_the_next_transaction(tmp_path: Path, kind: str, commits: bool) -> None:
    needs("java", "mvn")
    port = free_port()
    make = OURS_KIND if kind == "ours" else ApacheNode
    node = make(tmp_path, {"advertised.listeners": f"PLAINTEXT://127.0.0.1:{port}"})
    try:
        node.launch()
        asyncio.run(story(node, port, commits))
    finally:
        node.close()
