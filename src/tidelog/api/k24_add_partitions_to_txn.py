"""AddPartitionsToTxn (24), versions 0 to 5: partitions that a transaction writes to.

Up to version 3 from a producer, for one transaction; from version 4 on from brokers, for several, either adding or only
verifying. A partition that does not exist fails the whole transaction: the others are answered with
OPERATION_NOT_ATTEMPTED.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from tidelog.api.context import RequestContext
from tidelog.api.later import Later
from tidelog.api.registry import api
from tidelog.api.transactions import ask, known_to
from tidelog.broker.broker import Broker
from tidelog.coordinator.contract import Effects, Token
from tidelog.coordinator.txn.shard import TxnShard
from tidelog.coordinator.txn.state import TopicPartition
from tidelog.protocol.errors import ErrorCode, KafkaError
from tidelog.protocol.messages.add_partitions_to_txn import (
    AddPartitionsToTxnPartitionResult,
    AddPartitionsToTxnRequest,
    AddPartitionsToTxnResponse,
    AddPartitionsToTxnResult,
    AddPartitionsToTxnTopic,
    AddPartitionsToTxnTopicResult,
    AddPartitionsToTxnTransaction,
)

BATCHED_FROM = 4
IMPLICIT_FROM = 5
FENCED_FROM = 2
ABORTABLE_FROM = 4
Codes = dict[TopicPartition, ErrorCode]


@api(AddPartitionsToTxnRequest, later=True)
def handle(broker: Broker, context: RequestContext, request: AddPartitionsToTxnRequest, answer: Later) -> None:
    if context.version >= BATCHED_FROM:
        _add_all(broker, context.version, request.transactions, answer)
        return
    only = AddPartitionsToTxnTransaction(
        transactional_id=request.v3_and_below_transactional_id,
        producer_id=request.v3_and_below_producer_id,
        producer_epoch=request.v3_and_below_producer_epoch,
        topics=request.v3_and_below_topics,
    )

    def added(codes: Codes) -> None:
        results = _results(only.topics, codes, context.version)
        answer(AddPartitionsToTxnResponse(results_by_topic_v3_and_below=results))

    _add(broker, only, context.version, added)


def _add_all(broker: Broker, version: int, asked: list[AddPartitionsToTxnTransaction], answer: Later) -> None:
    """Answers when each of the transactions has its answer."""
    codes: list[Codes | None] = [None] * len(asked)

    def added(number: int, found: Codes) -> None:
        codes[number] = found
        if None not in codes:
            finish()

    def finish() -> None:
        results = [
            AddPartitionsToTxnResult(
                transactional_id=each.transactional_id, topic_results=_results(each.topics, found or {}, version)
            )
            for each, found in zip(asked, codes, strict=True)
        ]
        answer(AddPartitionsToTxnResponse(results_by_transaction=results))

    if not asked:
        finish()
    for number, each in enumerate(asked):
        _add(broker, each, version, partial(added, number))


def _add(broker: Broker, one: AddPartitionsToTxnTransaction, version: int, done: Callable[[Codes], None]) -> None:
    wanted = [(topic.name, index) for topic in one.topics for index in topic.partitions]
    topics = broker.metadata.image.topics
    missing = {each for each in wanted if not topics.has(*each)}
    if missing:
        unknown, not_tried = ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, ErrorCode.OPERATION_NOT_ATTEMPTED
        done({each: unknown if each in missing else not_tried for each in wanted})
        return
    producer = (one.producer_id, one.producer_epoch)
    client_version = 2 if version >= IMPLICIT_FROM else 0

    def verify(shard: TxnShard, token: Token, _: int) -> Effects:
        return shard.verify_partitions(token, one.transactional_id, producer, wanted)

    def add(shard: TxnShard, token: Token, now_ms: int) -> Effects:
        return shard.add_partitions(token, one.transactional_id, producer, wanted, client_version, now_ms)

    def refused(error: KafkaError) -> None:
        done(dict.fromkeys(wanted, error.code))

    if one.verify_only:
        ask(broker, one.transactional_id, verify, done, refused)
    else:
        ask(broker, one.transactional_id, add, lambda code: done(dict.fromkeys(wanted, code)), refused)


def _results(topics: list[AddPartitionsToTxnTopic], codes: Codes, version: int) -> list[AddPartitionsToTxnTopicResult]:
    return [
        AddPartitionsToTxnTopicResult(
            name=topic.name,
            results_by_partition=[
                AddPartitionsToTxnPartitionResult(
                    partition_index=index, partition_error_code=_code(codes[topic.name, index], version)
                )
                for index in topic.partitions
            ],
        )
        for topic in topics
    ]


def _code(code: ErrorCode, version: int) -> int:
    if code is ErrorCode.TRANSACTION_ABORTABLE and version < ABORTABLE_FROM:
        return int(ErrorCode.INVALID_TXN_STATE)
    return known_to(code, version, FENCED_FROM)
