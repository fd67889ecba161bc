"""Transactions of one record: alone, with the offsets of a group, and by many producers at once."""

from functools import partial
from typing import Any, NamedTuple

from bench.figure import Figure, Row, Samples
from bench.lab import Lab
from bench.side import Side
from bench.talk import GROUP, TRANSACTION, Lines, Talk, find_coordinator, until_done
from tidelog.protocol.messages.add_offsets_to_txn import AddOffsetsToTxnRequest
from tidelog.protocol.messages.add_partitions_to_txn import AddPartitionsToTxnRequest, AddPartitionsToTxnTopic
from tidelog.protocol.messages.end_txn import EndTxnRequest
from tidelog.protocol.messages.init_producer_id import InitProducerIdRequest
from tidelog.protocol.messages.produce import PartitionProduceData, ProduceRequest, TopicProduceData
from tidelog.protocol.messages.txn_offset_commit import (
    TxnOffsetCommitRequest,
    TxnOffsetCommitRequestPartition,
    TxnOffsetCommitRequestTopic,
)
from tidelog.protocol.record_batch import Record, build_batch

TOPIC = "transactions"
VALUE = b"x" * 100


class Shape(NamedTuple):
    key: str
    label: str
    producers: int
    offsets: bool
    implicit: bool  # transaction version 2: no request names the partitions beforehand
    transactions: int

    def rows(self) -> tuple[Row, Row, Row]:
        return (
            Row(f"{self.key}_us", self.label, "µs/transaction", bar=1.0, digits=0),
            Row(f"{self.key}_cpu", self.label, "CPU-µs/transaction", bar=1.0, digits=0),
            Row(f"{self.key}_rate", self.label, "transactions/s", digits=0),
        )


SHAPES = (
    Shape("txn_1", "one producer", 1, False, True, 1_500),
    Shape("txn_1_offsets", "one producer, with offsets", 1, True, True, 1_200),
    Shape("txn_20", "20 producers", 20, False, True, 6_000),
    Shape("txn_20_offsets", "20 producers, with offsets", 20, True, True, 5_000),
    Shape("txn_old_20", "20 producers, version 1", 20, False, False, 5_000),
    Shape("txn_old_20_offsets", "20 producers, version 1, with offsets", 20, True, False, 4_000),
)


class Transactions(Figure):
    name = "transactions"
    title = "Transactions of one record (transaction version 2; version 1 where it says so)"
    rows = tuple(row for shape in SHAPES for row in shape.rows())
    expected_s = 180
    bounded_by = (
        "the appends that a transaction needs (the partition added, the record, the decision, a marker, the end), each "
        "a write of its own, and the interpreter's steps between them; Apache Kafka's single producer waits for its "
        "markers to be written"
    )

    def measure(self, lab: Lab, samples: Samples) -> None:
        with lab.topics(TOPIC, partitions=20):
            for shape in SHAPES:
                step = partial(_transact, shape=shape, count=lab.amount(shape.transactions))
                expected_s = self.expected_s / len(SHAPES)
                lab.compare(f"transactions, {shape.label}", step, samples, expected_s, warm_by=f"{shape.key}_cpu")


def _transact(side: Side, shape: Shape, count: int) -> dict[str, float]:
    producers: list[Producer] = []
    each = count // shape.producers
    with Lines(side.port, shape.producers) as lines:
        lines.run(_begin(shape, number, producers) for number in range(shape.producers))
        before = side.cpu_seconds()
        wall_s = lines.run(producer.transactions(each) for producer in producers)
        cpu_s = side.cpu_seconds() - before
    done = each * shape.producers
    return {
        f"{shape.key}_us": wall_s / done * 1e6,
        f"{shape.key}_cpu": cpu_s / done * 1e6,
        f"{shape.key}_rate": done / wall_s,
    }


def _begin(shape: Shape, number: int, producers: "list[Producer]") -> Talk:
    transactional_id = f"{shape.key}-{number}"
    yield from find_coordinator(TRANSACTION, transactional_id)
    yield from find_coordinator(GROUP, transactional_id)
    request = InitProducerIdRequest(transactional_id=transactional_id, transaction_timeout_ms=60_000)
    got = yield from until_done(request, 5, _code)
    producers.append(Producer(shape, number, transactional_id, got.producer_id, got.producer_epoch))


def _code(got: Any) -> int:
    return int(got.error_code)


class Producer:
    """One transactional producer, which also names a position of a group of the same name."""

    def __init__(self, shape: Shape, partition: int, transactional_id: str, producer_id: int, epoch: int) -> None:
        self._shape = shape
        self._partition = partition
        self._id = transactional_id
        self._session = {"producer_id": producer_id, "producer_epoch": epoch}
        self._sequence = 0

    def transactions(self, count: int) -> Talk:
        for _ in range(count):
            if not self._shape.implicit:
                yield from until_done(self._add_partitions(), 3, _first_code)
            yield from until_done(self._produce(), 12 if self._shape.implicit else 11, _produce_code)
            if self._shape.offsets:
                if not self._shape.implicit:
                    yield from until_done(self._add_offsets(), 3, _code)
                yield from until_done(self._offsets(), 5 if self._shape.implicit else 3, _offset_code)
            end = EndTxnRequest(transactional_id=self._id, committed=True, **self._session)
            got = yield from until_done(end, 5 if self._shape.implicit else 3, _code)
            self._sequence += 1
            if self._shape.implicit:
                self._session = {"producer_id": got.producer_id, "producer_epoch": got.producer_epoch}
                self._sequence = 0

    def _add_partitions(self) -> AddPartitionsToTxnRequest:
        return AddPartitionsToTxnRequest(
            v3_and_below_transactional_id=self._id,
            v3_and_below_producer_id=self._session["producer_id"],
            v3_and_below_producer_epoch=self._session["producer_epoch"],
            v3_and_below_topics=[AddPartitionsToTxnTopic(name=TOPIC, partitions=[self._partition])],
        )

    def _add_offsets(self) -> AddOffsetsToTxnRequest:
        return AddOffsetsToTxnRequest(transactional_id=self._id, group_id=self._id, **self._session)

    def _produce(self) -> ProduceRequest:
        batch = build_batch(
            [Record(0, 1_700_000_000_000, None, VALUE)],
            base_sequence=self._sequence,
            transactional=True,
            **self._session,
        )
        data = PartitionProduceData(index=self._partition, records=batch)
        topics = [TopicProduceData(name=TOPIC, partition_data=[data])]
        return ProduceRequest(transactional_id=self._id, acks=-1, timeout_ms=30_000, topic_data=topics)

    def _offsets(self) -> TxnOffsetCommitRequest:
        position = TxnOffsetCommitRequestPartition(partition_index=self._partition, committed_offset=1)
        topics = [TxnOffsetCommitRequestTopic(name=TOPIC, partitions=[position])]
        return TxnOffsetCommitRequest(transactional_id=self._id, group_id=self._id, topics=topics, **self._session)


def _first_code(got: Any) -> int:
    return int(got.results_by_topic_v3_and_below[0].results_by_partition[0].partition_error_code)


def _produce_code(got: Any) -> int:
    return int(got.responses[0].partition_responses[0].error_code)


def _offset_code(got: Any) -> int:
    return int(got.topics[0].partitions[0].error_code)


FIGURE = Transactions()
