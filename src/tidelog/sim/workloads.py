"""Clients that write: idempotent producers and transactions, with the shipped client, until they are told to stop.

Each runs in a process of its own on a machine of its own, so that it can be cut off like a node. What a client was
told is recorded the moment it is told.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from random import Random

from tidelog.client.errors import ClientError
from tidelog.client.producer import Producer
from tidelog.client.transaction import State
from tidelog.protocol.errors import KafkaError
from tidelog.sim.history import Outcome, TopicPartition
from tidelog.sim.recorder import Recorder, Sent
from tidelog.sim.swarm import Swarm

FAILURES = (ClientError, KafkaError, TimeoutError)
PAYLOAD = "x" * 40


class Setting:
    """What all clients of one simulation share."""

    def __init__(
        self, bootstrap: str, recorder: Recorder, seed: str, pace_s: float, note: Callable[[str], None]
    ) -> None:
        self.bootstrap = bootstrap
        self.recorder = recorder
        self.seed = seed
        self.pace_s = pace_s
        self.note = note
        self.stopping = False
        self.partitions: dict[str, int] = {}
        self.swarm = Swarm()
        self.hasty = False

    def random(self, name: str) -> Random:
        return Random(f"{name} {self.seed}")

    def common(self, name: str) -> dict[str, str]:
        return {
            "bootstrap.servers": self.bootstrap,
            "client.id": name,
            "request.timeout.ms": "6000",
            "default.api.timeout.ms": "30000",
            "socket.connection.setup.timeout.ms": "3000",
            "metadata.max.age.ms": "30000",
        }

    def producing(self, name: str) -> dict[str, str]:
        return self.common(name) | self.swarm.producer

    def reading(self, name: str) -> dict[str, str]:
        rack = f"rack{self.random(f'rack of {name}').randint(1, 3)}" if self.swarm.racks else ""
        return self.common(name) | self.swarm.reader | {"client.rack": rack}

    async def pause(self, random: Random) -> None:
        await self.sleep(random.expovariate(1.0) * self.pace_s)

    async def sleep(self, seconds: float) -> None:
        """Not much longer than the story."""
        while seconds > 30.0 and not self.stopping:
            await asyncio.sleep(30.0)
            seconds -= 30.0
        if not self.stopping:
            await asyncio.sleep(seconds)

    def any_partition(self, random: Random, topic: str) -> TopicPartition:
        return topic, random.randrange(self.partitions[topic])


Work = Callable[[Setting, str], Awaitable[None]]


async def until_stopped(setting: Setting, name: str, life: Callable[[str], Awaitable[None]]) -> None:
    """A client that fails for good is followed by another, as an application would be restarted."""
    lives = 0
    while not setting.stopping:
        lives += 1
        try:
            await life(f"{name}.{lives}")
        except FAILURES as error:
            setting.note(f"{name}.{lives} ends: {type(error).__name__} {error}")
            await asyncio.sleep(1.0)


async def produce(setting: Setting, name: str) -> None:
    """Single records and small bursts, idempotent, acks=all."""
    random = setting.random(name)

    async def life(who: str) -> None:
        settings = setting.producing(who) | {"delivery.timeout.ms": "40000"}
        if setting.hasty:
            settings |= {"delivery.timeout.ms": "300", "request.timeout.ms": "200", "linger.ms": "0"}
        count = 0
        producer = Producer(settings)
        try:
            while not setting.stopping:
                for _ in range(random.choice((1, 1, 1, 5))):
                    count += 1
                    await _send(setting, producer, who, setting.any_partition(random, "log"), f"{who}:{count}")
                await setting.pause(random)
            await producer.flush()
        finally:
            await producer.close(flush=False)

    await until_stopped(setting, name, life)


async def _send(
    setting: Setting,
    producer: Producer,
    who: str,
    partition: TopicPartition,
    value: str,
    transaction: str | None = None,
) -> Sent:
    topic, index = partition
    if topic not in producer.cluster.view.topics:
        await producer.cluster.topic(topic)
    sent = setting.recorder.send(who, partition, value, transaction)

    def settled(metadata: object, error: Exception | None) -> None:
        if error is None:
            sent.acknowledged(metadata.offset)  # type: ignore[attr-defined]

    await producer.send(topic, value.encode(), partition=index, key=PAYLOAD.encode(), on_delivery=settled)
    return sent


async def transact(setting: Setting, name: str) -> None:
    """Transactions over several partitions, of which some are aborted on purpose and some are left to time out."""
    random = setting.random(name)

    async def life(who: str) -> None:
        settings = setting.producing(who) | {
            "transactional.id": name,
            "transaction.timeout.ms": "20000",
            "delivery.timeout.ms": "15000",
        }
        producer = Producer(settings)
        try:
            await producer.init_transactions()
            count = 0
            while not setting.stopping:
                count += 1
                if random.random() < 0.03:
                    return  # the application dies in the middle of what it did
                if random.random() < 0.04:
                    await _hijack(setting, name, who)
                await _transaction(setting, producer, random, who, f"{who}#{count}")
                await setting.pause(random)
        finally:
            await producer.close(flush=False)

    await until_stopped(setting, name, life)


async def _hijack(setting: Setting, name: str, who: str) -> None:
    """Another instance starts with the same transactional id, while this one goes on as if nothing had happened."""
    other = Producer(setting.producing(f"{who}+") | {"transactional.id": name, "delivery.timeout.ms": "15000"})
    try:
        await other.init_transactions()
        setting.recorder.fenced.setdefault(who, setting.recorder.now())
        setting.note(f"{who} is replaced")
    finally:
        await other.close(flush=False)


async def _transaction(setting: Setting, producer: Producer, random: Random, who: str, transaction: str) -> None:
    outcomes = setting.recorder.transactions
    outcomes[transaction] = Outcome.UNKNOWN
    producer.begin_transaction()
    commit_asked = False
    try:
        for index in range(random.randint(1, 4)):
            partition = setting.any_partition(random, random.choice(("log", "txn")))
            await _send(setting, producer, who, partition, f"{transaction}:{index}", transaction)
            if random.random() < 0.2:
                await setting.pause(random)
        if random.random() < 0.25:
            await producer.abort_transaction()
            outcomes[transaction] = Outcome.FAILED
        else:
            commit_asked = True
            await producer.commit_transaction()
            outcomes[transaction] = Outcome.OK
    except FAILURES:
        # Once the commit was asked for it may have happened, whatever the answer to the abort says.
        if await abort_after_failure(producer) and not commit_asked:
            outcomes[transaction] = Outcome.FAILED
        raise


async def abort_after_failure(producer: Producer) -> bool:
    """Whether the transaction is known to be aborted."""
    if producer._own_transaction().state not in (State.OPEN, State.FAILED):
        return False
    try:
        await producer.abort_transaction()
    except FAILURES:
        return False
    return True
