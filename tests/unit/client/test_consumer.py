"""The consumer and its connection under faults."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from support.scripted_broker import TOPIC, Hangup, ScriptedBroker
from tidelog.client.cluster import Cluster
from tidelog.client.connection import Connection
from tidelog.client.consumer import Consumer
from tidelog.client.errors import UnknownTopic, Unreachable, UnsupportedApi
from tidelog.protocol.errors import ErrorCode, KafkaError
from tidelog.protocol.messages.api_versions import ApiVersionsRequest
from tidelog.protocol.messages.create_topics import CreateTopicsRequest
from tidelog.protocol.messages.fetch import FetchRequest, PartitionData
from tidelog.protocol.messages.metadata import MetadataRequest, MetadataResponseBroker
from tidelog.protocol.record_batch import Record, build_batch


def consume(broker: ScriptedBroker, story: Callable[[Consumer], Awaitable[Any]], **settings: Any) -> Any:
    async def run() -> Any:
        async with broker.running() as given:
            changed = {name.replace("_", "."): value for name, value in settings.items()}
            async with Consumer(given | changed) as consumer:
                return await story(consumer)

    return asyncio.run(asyncio.wait_for(run(), 20))


def serving(first: int, count: int) -> Callable[[Any], PartitionData]:
    """A log with records `first` to `first + count`, one batch each."""

    def answer(row: Any) -> PartitionData:
        if not first <= row.fetch_offset <= first + count:
            return PartitionData(partition_index=row.partition, error_code=1)
        offsets = range(row.fetch_offset, first + count)
        data = b"".join(build_batch([Record(o, 1, None, str(o).encode())], base_offset=o) for o in offsets)
        return PartitionData(partition_index=row.partition, high_watermark=first + count, records=data)

    return answer


async def read(consumer: Consumer, count: int) -> list[int]:
    found: list[int] = []
    while len(found) < count:
        found += [record.offset for record in await consumer.poll(5.0, max_records=3)]
    return found


def test_reads_from_the_position_that_list_offsets_gives() -> None:
    broker = ScriptedBroker()
    broker.on_fetch = serving(100, 7)

    async def story(consumer: Consumer) -> list[int]:
        consumer.assign([(TOPIC, 0)])
        return await read(consumer, 7)

    assert consume(broker, story, auto_offset_reset="earliest") == list(range(100, 107))


def test_an_offset_that_is_gone_starts_over_where_the_reset_says() -> None:
    broker = ScriptedBroker()
    broker.on_fetch = serving(100, 3)

    async def story(consumer: Consumer) -> list[int]:
        consumer.assign([(TOPIC, 0)])
        consumer.seek((TOPIC, 0), 5)
        return await read(consumer, 3)

    assert consume(broker, story, auto_offset_reset="earliest") == [100, 101, 102]


def test_without_a_reset_it_is_an_error_that_says_what_to_do() -> None:
    broker = ScriptedBroker()
    broker.on_fetch = serving(100, 3)

    async def story(consumer: Consumer) -> None:
        consumer.assign([(TOPIC, 0)])
        consumer.seek((TOPIC, 0), 5)
        with pytest.raises(KafkaError, match=r"auto\.offset\.reset"):
            await read(consumer, 1)

    consume(broker, story, auto_offset_reset="none")


def test_a_broken_connection_is_opened_again() -> None:
    broker = ScriptedBroker()
    broker.on_fetch = serving(100, 4)
    healthy = broker.answers[1]
    broken = [True, True]

    def answer(request: Any) -> Any:
        if broken:
            broken.pop()
            raise Hangup
        return healthy(request)

    broker.answers[1] = answer

    async def story(consumer: Consumer) -> list[int]:
        consumer.assign([(TOPIC, 0)])
        return await read(consumer, 4)

    assert consume(broker, story, auto_offset_reset="earliest") == [100, 101, 102, 103]


def test_a_partition_that_lost_its_leader_is_asked_again() -> None:
    broker = ScriptedBroker()
    healthy = serving(100, 2)
    codes = [int(ErrorCode.NOT_LEADER_OR_FOLLOWER), int(ErrorCode.FENCED_LEADER_EPOCH)]
    broker.on_fetch = lambda row: (
        PartitionData(partition_index=row.partition, error_code=codes.pop()) if codes else healthy(row)
    )

    async def story(consumer: Consumer) -> list[int]:
        consumer.assign([(TOPIC, 0)])
        return await read(consumer, 2)

    assert consume(broker, story, auto_offset_reset="earliest") == [100, 101]


def test_a_replica_that_the_metadata_does_not_list_is_looked_for() -> None:
    """The leader names it as often as it is asked; without a look at the metadata the two would go in a circle."""
    broker = ScriptedBroker()
    healthy, serve, near = broker.answers[3], serving(100, 3), 7

    def is_listed() -> bool:
        return len(broker.requests(MetadataRequest)) > 2

    def metadata(request: Any) -> Any:
        answer = healthy(request)
        if is_listed():
            answer.brokers.append(MetadataResponseBroker(node_id=near, host="127.0.0.1", port=broker.port))
        return answer

    def answer(row: Any) -> PartitionData:
        if is_listed():
            return serve(row)
        return PartitionData(partition_index=row.partition, preferred_read_replica=near, records=b"")

    broker.answers[3], broker.on_fetch = metadata, answer

    async def story(consumer: Consumer) -> list[int]:
        consumer.assign([(TOPIC, 0)])
        return await read(consumer, 3)

    found = consume(broker, story, auto_offset_reset="earliest", client_rack="near", retry_backoff_ms=50)
    assert found == [100, 101, 102]
    assert len(broker.requests(FetchRequest)) < 10


def test_a_refusal_while_metadata_is_on_its_way_is_not_forgotten() -> None:
    """The metadata comes before the pause after the refusal is over, and nothing else would look again."""
    broker = ScriptedBroker()
    healthy, codes = serving(100, 2), [int(ErrorCode.NOT_LEADER_OR_FOLLOWER)]
    broker.on_fetch = lambda row: (
        PartitionData(partition_index=row.partition, error_code=codes.pop()) if codes else healthy(row)
    )

    async def story(consumer: Consumer) -> list[int]:
        consumer.assign([(TOPIC, 0)])
        consumer._fetcher._refresh()
        await asyncio.sleep(0.2)
        return [record.offset for record in await consumer.poll(15.0)]

    assert consume(broker, story, auto_offset_reset="earliest", retry_backoff_ms=400) == [100, 101]


def test_what_was_fetched_before_a_seek_is_not_given() -> None:
    broker = ScriptedBroker()
    broker.on_fetch = serving(100, 50)

    async def story(consumer: Consumer) -> list[int]:
        consumer.assign([(TOPIC, 0)])
        await consumer.poll(5.0, max_records=3)
        consumer.seek((TOPIC, 0), 140)
        return [record.offset for record in await consumer.poll(5.0, max_records=3)]

    assert consume(broker, story, auto_offset_reset="earliest") == [140, 141, 142]


def test_a_paused_partition_is_not_asked_about() -> None:
    broker = ScriptedBroker(partitions=2)
    broker.on_fetch = serving(100, 1)

    async def story(consumer: Consumer) -> set[int]:
        consumer.assign([(TOPIC, 0), (TOPIC, 1)])
        consumer.pause((TOPIC, 1))
        await read(consumer, 1)
        asked = {row.partition for request in broker.requests(FetchRequest) for row in request.topics[0].partitions}
        return asked

    assert consume(broker, story, auto_offset_reset="earliest") == {0}


def test_an_older_broker_is_spoken_to_in_its_own_versions() -> None:
    async def story() -> tuple[int, int]:
        broker = ScriptedBroker()
        broker.served[18] = 2
        async with broker.running() as settings, Cluster(settings) as cluster:
            await cluster.refresh(None)
            return len(broker.requests(ApiVersionsRequest)), (await cluster.seed()).ranges[18][1]

    assert asyncio.run(story()) == (2, 2)


def test_an_api_that_is_not_served_is_named() -> None:
    async def story() -> None:
        async with ScriptedBroker().running() as settings, Cluster(settings) as cluster:
            with pytest.raises(UnsupportedApi, match="does not serve CreateTopics"):
                (await cluster.seed()).version_for(CreateTopicsRequest)

    asyncio.run(story())


def test_a_port_that_does_not_speak_kafka_is_told_so() -> None:
    async def greet(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")

    async def story() -> None:
        server = await asyncio.start_server(greet, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        with pytest.raises(Exception, match="is that a Kafka port"):
            await Connection.open("127.0.0.1", port, timeout_s=5)
        server.close()

    asyncio.run(story())


def test_a_silent_port_and_a_closed_one_are_told_apart() -> None:
    async def story() -> None:
        server = await asyncio.start_server(lambda r, w: None, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        with pytest.raises(Unreachable, match="did not answer within"):
            await Connection.open("127.0.0.1", port, timeout_s=0.05)
        server.close()
        await server.wait_closed()
        with pytest.raises(Unreachable, match="refused"):
            await Connection.open("127.0.0.1", port, timeout_s=5)

    asyncio.run(story())


def test_an_unknown_topic_is_not_waited_for() -> None:
    async def story() -> None:
        async with ScriptedBroker().running() as settings, Cluster(settings) as cluster:
            with pytest.raises(UnknownTopic, match="There is no topic 'nope'"):
                await cluster.topic("nope")

    asyncio.run(story())
