"""The producer under faults: order, repetition, splitting, giving up."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from support.scripted_broker import TOPIC, Hangup, ScriptedBroker
from tidelog.client.errors import BufferExhausted, ClientError, SettingError
from tidelog.client.producer import Producer
from tidelog.protocol.errors import ErrorCode, KafkaError
from tidelog.protocol.messages.metadata import MetadataRequest
from tidelog.protocol.messages.produce import ProduceRequest
from tidelog.protocol.record_batch import decode_records, read_header


def produce(broker: ScriptedBroker, story: Callable[[Producer], Awaitable[Any]], **settings: Any) -> Any:
    async def run() -> Any:
        async with broker.running() as given:
            changed = {name.replace("_", "."): value for name, value in settings.items()}
            async with Producer(given | changed) as producer:
                return await story(producer)

    return asyncio.run(asyncio.wait_for(run(), 20))


def batches(broker: ScriptedBroker) -> list[tuple[int, int, list[bytes | None]]]:
    """(producer epoch, base sequence, values) of every batch that reached the broker."""
    found = []
    for request in broker.requests(ProduceRequest):
        for topic in request.topic_data:
            for partition in topic.partition_data:
                header = read_header(partition.records)
                values = [record.value for record in decode_records(partition.records)]
                found.append((header.producer_epoch, header.base_sequence, values))
    return found


async def send_three(producer: Producer) -> list[Any]:
    """Three batches of one record, because each fills its batch."""
    deliveries = [await producer.send(TOPIC, value) for value in (b"a" * 20, b"b" * 20, b"c" * 20)]
    await producer.flush()
    return [await delivery for delivery in deliveries]


def test_offsets_and_sequences_follow_the_records() -> None:
    broker = ScriptedBroker()
    found = produce(broker, send_three, batch_size=1)
    assert [place.offset for place in found] == [0, 1, 2]
    assert [(epoch, sequence) for epoch, sequence, _ in batches(broker)] == [(0, 0), (0, 1), (0, 2)]


def test_a_batch_whose_leader_moved_is_sent_again_after_fresh_metadata() -> None:
    broker = ScriptedBroker()
    codes = [6]
    broker.on_produce = lambda partition: codes.pop() if codes else 0
    found = produce(broker, send_three, batch_size=1, max_in_flight_requests_per_connection=1)
    assert [place.offset for place in found] == [0, 1, 2]
    assert [values[0][:1] for _, _, values in batches(broker) if values[0]] == [b"a", b"a", b"b", b"c"]
    assert len(broker.requests(MetadataRequest)) >= 2


def test_pipelined_batches_are_repeated_in_the_order_of_their_sequences() -> None:
    broker = ScriptedBroker()
    next_sequence = 0
    refused = 0

    def accept(partition: Any) -> int:
        """As a real partition: the first batch fails once, and those behind it are then out of order."""
        nonlocal next_sequence, refused
        header = read_header(partition.records)
        if refused == 0:
            refused += 1
            return int(ErrorCode.NOT_ENOUGH_REPLICAS)
        if header.base_sequence != next_sequence:
            return int(ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER)
        next_sequence += header.records_count
        return 0

    broker.on_produce = accept
    found = produce(broker, send_three, batch_size=1)
    assert [place.offset for place in found] == [0, 1, 2]
    accepted = [sequence for _, sequence, _ in batches(broker)][-3:]
    assert accepted == [0, 1, 2]


def test_a_broken_connection_repeats_what_was_on_the_way() -> None:
    broker = ScriptedBroker()
    healthy = broker.answers[0]
    broken = [True]

    def answer(request: Any) -> Any:
        if broken:
            broken.pop()
            raise Hangup
        return healthy(request)

    broker.answers[0] = answer
    found = produce(broker, send_three, batch_size=1, max_in_flight_requests_per_connection=1)
    assert [place.offset for place in found] == [0, 1, 2]
    assert [sequence for _, sequence, _ in batches(broker)] == [0, 0, 1, 2]


def test_a_batch_that_is_too_large_is_halved() -> None:
    broker = ScriptedBroker()
    broker.on_produce = lambda partition: 10 if read_header(partition.records).records_count > 2 else 0

    async def story(producer: Producer) -> list[int]:
        deliveries = [await producer.send(TOPIC, str(number).encode(), partition=0) for number in range(7)]
        await producer.flush()
        return [(await delivery).offset for delivery in deliveries]

    assert produce(broker, story, linger_ms=1000) == list(range(7))
    assert [sequence for _, sequence, values in batches(broker) if len(values) <= 2] == [0, 1, 3, 5]


def test_one_record_that_is_too_large_fails_alone_and_the_next_epoch_goes_on() -> None:
    broker = ScriptedBroker()
    broker.on_produce = lambda partition: 10 if b"huge" in bytes(partition.records) else 0

    async def story(producer: Producer) -> Any:
        huge = await producer.send(TOPIC, b"huge")
        await producer.flush()
        after = await producer.send(TOPIC, b"small")
        await producer.flush()
        with pytest.raises(KafkaError) as failure:
            await huge
        return failure.value.code, (await after).offset

    assert produce(broker, story, batch_size=1) == (ErrorCode.MESSAGE_TOO_LARGE, 0)
    assert [(epoch, sequence) for epoch, sequence, _ in batches(broker)] == [(0, 0), (1, 0)]


def test_delivery_timeout_fails_the_records_with_a_sentence() -> None:
    broker = ScriptedBroker()
    broker.on_produce = lambda partition: int(ErrorCode.NOT_ENOUGH_REPLICAS)

    async def story(producer: Producer) -> None:
        delivery = await producer.send(TOPIC, b"x")
        await producer.flush()
        with pytest.raises(ClientError, match=r"not acknowledged within 0.2 s"):
            await delivery

    produce(broker, story, delivery_timeout_ms=200)


def test_acks_0_never_waits_for_an_answer() -> None:
    broker = ScriptedBroker()
    found = produce(broker, send_three, acks="0", batch_size=1)
    assert [place.offset for place in found] == [-1, -1, -1]


def test_acks_1_turns_idempotence_off_unless_it_was_asked_for() -> None:
    broker = ScriptedBroker()
    produce(broker, send_three, acks="1", batch_size=1)
    assert {sequence for _, sequence, _ in batches(broker)} == {-1}
    with pytest.raises(SettingError, match="acks=all"):
        produce(ScriptedBroker(), send_three, acks="1", enable_idempotence=True)


def test_a_full_buffer_blocks_and_then_says_so() -> None:
    broker = ScriptedBroker()

    async def story(producer: Producer) -> None:
        gate = asyncio.Event()

        async def never(request: Any) -> Any:
            await gate.wait()
            raise Hangup

        broker.answers[0] = never
        await producer.send(TOPIC, b"x" * 400)
        with pytest.raises(BufferExhausted, match=r"buffer\.memory"):
            await producer.send(TOPIC, b"x" * 400)
        gate.set()
        await producer.close(flush=False)

    produce(broker, story, buffer_memory=500, max_block_ms=50, delivery_timeout_ms=100, request_timeout_ms=100)


def test_callbacks_get_place_or_error() -> None:
    broker = ScriptedBroker()
    heard: list[Any] = []

    async def story(producer: Producer) -> None:
        await producer.send(TOPIC, b"x", on_delivery=lambda place, error: heard.append((place, error)))
        await producer.flush()

    produce(broker, story)
    assert heard[0][0].offset == 0
    assert heard[0][1] is None


def test_keyed_records_go_by_murmur2_and_others_stick() -> None:
    broker = ScriptedBroker(partitions=3)

    async def story(producer: Producer) -> tuple[list[int], set[int]]:
        keyed = [await producer.send(TOPIC, b"v", key=key) for key in (b"a", b"b", b"c", b"a")]
        free = [await producer.send(TOPIC, b"v") for _ in range(20)]
        await producer.flush()
        return [(await each).partition for each in keyed], {(await each).partition for each in free}

    keyed, free = produce(broker, story)
    from tidelog.protocol.murmur2 import partition_for_key

    assert keyed == [partition_for_key(key, 3) for key in (b"a", b"b", b"c", b"a")]
    assert len(free) == 1
