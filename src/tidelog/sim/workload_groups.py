"""Clients that read: group members of both protocols, exactly-once copies, and readers that see everything."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

from tidelog.client.consumer import Consumer, ConsumerRecord, OffsetAndEpoch
from tidelog.client.list_offsets import LATEST, list_offsets
from tidelog.client.producer import Producer
from tidelog.sim.history import EndOffset, Outcome, TopicPartition, TxnPoll
from tidelog.sim.workloads import FAILURES, Setting, abort_after_failure, until_stopped


def _group_settings(setting: Setting, who: str, group: str, protocol: str) -> dict[str, str]:
    return setting.reading(who) | {
        "group.id": group,
        "group.protocol": protocol,
        "auto.offset.reset": "earliest",
        "enable.auto.commit": "false",
        "isolation.level": "read_committed",
        **(setting.swarm.classic if protocol == "classic" else {}),
    }


async def member(setting: Setting, name: str, group: str, protocol: str) -> None:
    """Polls, and commits what it was given; leaves and comes back now and then."""
    random = setting.random(name)

    async def life(who: str) -> None:
        consumer = Consumer(_group_settings(setting, who, group, protocol))
        try:
            consumer.subscribe(["log", "txn"])
            while not setting.stopping:
                records = await consumer.poll(3.0)
                for record in records:
                    setting.recorder.given(group, (record.topic, record.partition), record.offset)
                if records:
                    await consumer.commit()
                if random.random() < 0.02:
                    return
                await setting.pause(random)
        finally:
            await _close(consumer)

    await until_stopped(setting, name, life)


async def copy(setting: Setting, name: str) -> None:
    """Reads `log`, writes `copy`, and commits its position with what it wrote: each record once, whatever happens."""
    random = setting.random(name)
    group = "copiers"

    async def life(who: str) -> None:
        consumer = Consumer(_group_settings(setting, who, group, "classic"))
        producer = Producer(
            setting.producing(who)
            | {"transactional.id": name, "transaction.timeout.ms": "20000", "delivery.timeout.ms": "15000"}
        )
        try:
            await producer.init_transactions()
            consumer.subscribe(["log"])
            count = 0
            while not setting.stopping:
                records = await consumer.poll(3.0, max_records=20)
                if records:
                    count += 1
                    await _copy(setting, consumer, producer, records, f"{who}#{count}", random.random() < 0.15)
                await setting.pause(random)
        finally:
            await producer.close(flush=False)
            await _close(consumer)

    await until_stopped(setting, name, life)


async def _copy(
    setting: Setting,
    consumer: Consumer,
    producer: Producer,
    records: list[ConsumerRecord],
    transaction: str,
    abort: bool,
) -> None:
    outcomes = setting.recorder.transactions
    outcomes[transaction] = Outcome.UNKNOWN
    producer.begin_transaction()
    commit_asked = False
    try:
        ends: dict[TopicPartition, OffsetAndEpoch] = {}
        for record in records:
            source = (record.topic, record.partition)
            setting.recorder.polls.append(TxnPoll(transaction, source, record.offset, (record.value or b"").decode()))
            # A record that is copied again after an abort is another value of the same source.
            value = f"{(record.value or b'').decode()}@{record.partition}/{record.offset}@{transaction}"
            target = ("copy", record.partition % setting.partitions["copy"])
            setting.recorder.send(transaction, target, value, transaction)
            await producer.send("copy", value.encode(), partition=target[1])
            ends[record.topic, record.partition] = OffsetAndEpoch(record.offset + 1, record.leader_epoch)
        await producer.send_offsets(ends, consumer.group_metadata)
        if abort:
            await producer.abort_transaction()
            outcomes[transaction] = Outcome.FAILED
            for partition in {(record.topic, record.partition) for record in records}:
                first = min(each.offset for each in records if (each.topic, each.partition) == partition)
                if partition in consumer.positions.states:
                    consumer.seek(partition, first)
        else:
            commit_asked = True
            await producer.commit_transaction()
            outcomes[transaction] = Outcome.OK
    except FAILURES:
        if await abort_after_failure(producer) and not commit_asked:
            outcomes[transaction] = Outcome.FAILED
        raise


async def witness(setting: Setting, name: str, isolation: str) -> None:
    """Reads every partition from the beginning to the newest, all the time, and writes down what it saw."""

    async def life(who: str) -> None:
        if isolation == "read_uncommitted":
            setting.recorder.uncommitted_readers.add(who)
        consumer = Consumer(setting.reading(who) | {"isolation.level": isolation, "auto.offset.reset": "earliest"})
        try:
            consumer.assign(all_partitions(setting))
            while not setting.stopping:
                for record in await consumer.poll(min(60.0, max(10.0, setting.pace_s))):
                    setting.recorder.read(who, (record.topic, record.partition), record.offset, record.value)
        finally:
            await _close(consumer)

    await until_stopped(setting, name, life)


async def drain(setting: Setting, name: str, isolation: str) -> dict[TopicPartition, int]:
    """From the beginning to where the partitions end now; gives the ends."""
    consumer = Consumer(
        setting.common(name)
        | {"isolation.level": isolation, "auto.offset.reset": "earliest", "fetch.max.wait.ms": "100"}
    )
    try:
        partitions = all_partitions(setting)
        consumer.assign(partitions)
        ends = await consumer.end_offsets(partitions)
        while not await _reached(consumer, ends):
            for record in await consumer.poll(1.0):
                setting.recorder.read(name, (record.topic, record.partition), record.offset, record.value)
        setting.recorder.final_readers.add(name)
        return ends
    finally:
        await _close(consumer)


async def _reached(consumer: Consumer, ends: dict[TopicPartition, int]) -> bool:
    for partition, end in ends.items():
        if await consumer.position(partition) < end:
            return False
    return True


def all_partitions(setting: Setting) -> list[TopicPartition]:
    return [(topic, index) for topic, count in setting.partitions.items() for index in range(count)]


async def watch_commits(setting: Setting, name: str, groups: Iterable[str]) -> None:
    """Asks what the groups have committed, again and again."""
    from tidelog.client.admin import Admin

    async def life(who: str) -> None:
        async with Admin(setting.common(who)) as admin:
            while not setting.stopping:
                for group in groups:
                    for partition, committed in (await admin.groups.offsets(group)).items():
                        setting.recorder.commits.append((group, partition, committed.offset))
                await setting.sleep(max(3.0, setting.pace_s))

    await until_stopped(setting, name, life)


async def ask_ends(setting: Setting, name: str) -> None:
    """Asks where partitions end, again and again."""

    async def life(who: str) -> None:
        consumer = Consumer(setting.reading(who))
        try:
            while not setting.stopping:
                began_s = setting.recorder.now()
                wanted = dict.fromkeys(all_partitions(setting), LATEST)
                answer, now_s = await list_offsets(consumer.cluster, wanted), setting.recorder.now()
                for partition, found in answer.items():
                    end = EndOffset(partition, began_s, found.offset, found.leader_epoch, now_s)
                    setting.recorder.ends.append(end)
                await setting.sleep(max(1.0, setting.pace_s))
        finally:
            await _close(consumer)

    await until_stopped(setting, name, life)


async def undecided(setting: Setting) -> list[str]:
    """Partitions whose committed end stays behind their end: a transaction there is open for good."""
    common = setting.common("undecided")
    committed = Consumer(common | {"isolation.level": "read_committed"})
    everything = Consumer(common)
    try:
        partitions = all_partitions(setting)
        stable, ends = await committed.end_offsets(partitions), await everything.end_offsets(partitions)
        return [
            f"{each} is decided up to {stable[each]} and ends at {ends[each]}"
            for each in partitions
            if stable[each] < ends[each]
        ]
    finally:
        await _close(committed)
        await _close(everything)


async def _close(consumer: Consumer) -> None:
    try:
        await asyncio.wait_for(consumer.close(), 10.0)
    except FAILURES:
        return
