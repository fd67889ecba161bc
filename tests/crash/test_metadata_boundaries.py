"""The process or the power ends at every single change that the metadata runtime makes to its disk.

Log, snapshots, removed segments and the quorum-state file: whatever was answered is there afterwards, nothing else than
what was asked for is, and no epoch is ever led twice.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
from collections.abc import Awaitable, Callable
from random import Random
from typing import Any

import pytest

from support.logs import ManualClock
from tidelog.config.broker_config import BrokerConfig, single_node_properties
from tidelog.controller.result import Result
from tidelog.controller.topics import create_topics, delete_topics
from tidelog.metadata import records as r
from tidelog.protocol.errors import KafkaError
from tidelog.protocol.messages.create_topics import CreatableTopic, CreateTopicsRequest
from tidelog.runtime.metadata import MetadataRuntime
from tidelog.sim.disk import SimDisk, SimulatedCrash

CONFIG = BrokerConfig.from_properties(
    single_node_properties("/data", 9092)
    | {
        "internal.metadata.log.segment.bytes": "900",
        "metadata.log.max.record.bytes.between.snapshots": "400",
        "metadata.max.retention.bytes": "2000",
    }
)


class Inline:
    """Blocking work done at once, so that a run is the same every time."""

    def run(self, work: Callable[..., Any], *args: Any) -> Awaitable[Any]:
        async def done() -> Any:
            return work(*args)

        return done()


class Life:
    """One node over a disk: what it was asked for, and what it was answered."""

    def __init__(self, ends_at: int | None = None, torn: float = 0.0) -> None:
        self.disk = SimDisk()
        self.disk.makedirs("/data")
        self.disk.fsync_dir("/")
        self.ends_at = ends_at
        if ends_at is not None:
            self.disk.crash_at(ends_at, torn)
        self.random = Random(7)
        self.asked: set[str] = set()
        self.made: set[str] = set()
        self.deleting: set[str] = set()
        self.deleted: set[str] = set()
        self.epochs: list[int] = []

    async def start(self) -> MetadataRuntime:
        runtime = MetadataRuntime.open(CONFIG, "c", self.disk, ManualClock(), Inline(), self.random.randbytes)
        await self.watched(runtime.start())
        self.epochs.append(runtime.quorum.epoch)
        if 1 not in runtime.image.cluster.brokers:
            node = r.RegisterBrokerRecord(broker_id=1, broker_epoch=1, incarnation_id=bytes(16), fenced=False)
            await self.watched(runtime.submit(lambda image, _: Result([node], None)))
        return runtime

    async def watched(self, work: Awaitable[Any]) -> Any:
        """Waits for an answer, or ends where the process does: a task that hits the crash never answers."""
        future = asyncio.ensure_future(work)
        while not future.done():
            await asyncio.sleep(0)
            if self.ends_at is not None and self.disk.steps >= self.ends_at and not future.done():
                future.cancel()
                raise SimulatedCrash
        return future.result()

    async def create(self, runtime: MetadataRuntime, name: str) -> None:
        self.asked.add(name)
        request = CreateTopicsRequest(topics=[CreatableTopic(name=name, num_partitions=2, replication_factor=1)])
        await self.watched(runtime.submit(lambda image, environment: create_topics(image, environment, request)))
        self.made.add(name)

    async def delete(self, runtime: MetadataRuntime, name: str) -> None:
        self.deleting.add(name)
        topic_id = runtime.image.topics.get(name).id
        await self.watched(runtime.submit(lambda image, _: delete_topics(image, [topic_id])))
        self.deleted.add(name)

    async def live(self) -> None:
        for run in range(2):
            runtime = await self.start()
            for index in range(3):
                await self.create(runtime, f"t{run}-{index}")
            await self.delete(runtime, f"t{run}-1")
            await self.watched(runtime.snapshots.take(runtime.image))
            await self.create(runtime, f"t{run}-last")
            await self.watched(runtime.close())

    async def survives(self, place: str) -> None:
        runtime = await self.start()
        image = runtime.image
        image.check_invariants()
        names = set(image.topics.names())
        assert self.made - self.deleting <= names, place
        assert names <= self.asked - self.deleted, place
        assert self.epochs == sorted(set(self.epochs)), f"an epoch was led twice, {place}"
        await self.create(runtime, "after")
        await self.watched(runtime.close())
        assert "after" in (await self.start()).image.topics.names(), place


def run(story: Awaitable[None]) -> None:
    """Like asyncio.run, without complaints of tasks that met the crash."""

    async def main() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda loop, context: None)
        await story

    asyncio.run(main())


def total_steps() -> int:
    life = Life()
    run(life.live())
    assert any(operation == "remove" for operation, _ in life.disk.trace), "old segments and snapshots go"
    return life.disk.steps


@pytest.mark.parametrize("how", ["kill", "torn kill", "lost", "some lost", "torn, some lost"])
def test_what_was_answered_is_there_whenever_it_ends(how: str) -> None:
    for step in range(3, total_steps() + 1):
        life = Life(step, torn=0.4 if "torn" in how else 0.0)
        with pytest.raises(SimulatedCrash):
            run(life.live())
        if "kill" in how:
            life.disk.kill()
        elif how == "lost":
            life.disk.crash()
        else:
            life.disk.crash(Random(f"{how} {step}"), 0.5)
        life.ends_at = None
        run(life.survives(f"step {step}, {life.disk.trace[-1]}"))


class Unlucky(Life):
    """The device reports errors; the node goes on as long as it can, and answers only what is durable."""

    async def live(self) -> None:
        runtime = await self.start()
        for index in range(4):
            with contextlib.suppress(KafkaError):
                await self.create(runtime, f"t{index}")
        with contextlib.suppress(KafkaError):
            await self.delete(runtime, "t1") if "t1" in self.made else None
        await self.watched(runtime.snapshots.take(runtime.image))
        with contextlib.suppress(KafkaError):
            await self.create(runtime, "last")


@pytest.mark.parametrize(
    ("code", "times"), [(errno.EIO, 1), (errno.EIO, 1000), (errno.ENOSPC, 1), (errno.ENOSPC, 1000)]
)
def test_an_error_of_the_device_is_never_answered_as_success(code: int, times: int) -> None:
    whole = Unlucky()
    run(whole.live())
    for step in range(3, whole.disk.steps + 1):
        life = Unlucky()
        life.disk.fail_at(step, code, times=times)
        with contextlib.suppress(OSError, KafkaError):
            run(life.live())
        life.disk.crash()
        run(life.survives(f"step {step}, {life.disk.trace[-1]}"))
