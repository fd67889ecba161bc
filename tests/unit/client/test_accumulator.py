"""Batches fill, close, split and come back in order; memory is counted."""

import asyncio

import pytest

from tidelog.client.accumulator import Accumulator, Batch, Delivery, RecordMetadata, record_bytes
from tidelog.protocol.record_batch import HEADER_BYTES, Record


def record(value: bytes = b"x" * 10) -> Record:
    return Record(0, 1234, None, value)


def fill(accumulator: Accumulator, count: int, size: int = 40) -> list[tuple[Batch, bool]]:
    return [accumulator.append("t", 0, record(), size, 0.0) for _ in range(count)]


def test_a_batch_closes_when_it_is_full_and_the_next_begins() -> None:
    accumulator = Accumulator(HEADER_BYTES + 100, 10_000)
    found = fill(accumulator, 5)
    assert [wake for _, wake in found] == [True, False, True, False, True]
    assert [len(batch.records) for batch in accumulator.queues[("t", 0)]] == [2, 2, 1]


def test_a_record_larger_than_a_batch_gets_its_own() -> None:
    accumulator = Accumulator(100, 10_000)
    batch, wake = accumulator.append("t", 0, record(), 5_000, 0.0)
    assert (batch.closed, wake) == (True, True)


def test_memory_is_taken_and_given_back() -> None:
    async def story() -> None:
        accumulator = Accumulator(1_000_000, 100)
        batch, _ = accumulator.append("t", 0, record(), 80, 0.0)
        assert not accumulator.has_room(30)
        waiting = asyncio.ensure_future(accumulator.wait_for_room(30, 5.0))
        await asyncio.sleep(0)
        accumulator.release(batch)
        assert await waiting
        assert accumulator.used_bytes == 0

    asyncio.run(story())


def test_waiting_for_room_ends() -> None:
    async def story() -> bool:
        accumulator = Accumulator(1_000_000, 100)
        accumulator.append("t", 0, record(), 80, 0.0)
        return await accumulator.wait_for_room(30, 0.01)

    assert asyncio.run(story()) is False


def test_batches_come_back_in_the_order_of_their_sequences() -> None:
    accumulator = Accumulator(10, 10_000)
    batches = [batch for batch, _ in fill(accumulator, 4)]
    queue = accumulator.queues[("t", 0)]
    for number, batch in enumerate(batches[:3]):
        batch.sequence = number * 10
        queue.remove(batch)
    for batch in (batches[2], batches[0], batches[1]):
        accumulator.requeue(batch)
    assert list(queue) == batches


def test_halves_answer_for_the_deliveries_given_out_before() -> None:
    async def story() -> list[RecordMetadata]:
        batch = Batch("t", 0, 0.0)
        batch.records = [record(str(number).encode()) for number in range(5)]
        batch.sequence = 100
        called: list[int] = []
        batch.callbacks = [(i, lambda done, error, i=i: called.append(i)) for i in range(5)]  # type: ignore[misc]
        first, second = batch.split()
        assert (first.sequence, second.sequence) == (100, 102)
        second.complete(70, -1)
        assert not batch.is_done
        first.complete(50, -1)
        assert sorted(called) == list(range(5))
        return [await Delivery(batch, index) for index in range(5)]

    assert [found.offset for found in asyncio.run(story())] == [50, 51, 70, 71, 72]


def test_a_failed_batch_raises_in_every_delivery() -> None:
    async def story() -> None:
        batch = Batch("t", 0, 0.0)
        batch.records = [record()]
        delivery = Delivery(batch, 0)
        batch.fail(RuntimeError("gone"))
        with pytest.raises(RuntimeError, match="gone"):
            await delivery

    asyncio.run(story())


def test_the_size_of_a_record_is_an_upper_bound() -> None:
    from tidelog.protocol.record_batch import build_batch

    headers = (("näme", b"v" * 300), ("n", None))
    big = Record(0, 2**41, b"k" * 200, b"v" * 70_000, headers)
    batch = build_batch([Record(0, 0, None, None), big])
    bound = HEADER_BYTES + record_bytes(None, None, ()) + record_bytes(big.key, big.value, big.headers)
    assert len(batch) <= bound <= len(batch) + 100
