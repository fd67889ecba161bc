"""AddPartitionsToTxn (24), versions 0 to 5: partitions that a transaction writes to.

Up to version 3 from a producer, for one transaction; from version 4 on from brokers, for several, either adding or only
verifying. A partition that does not exist fails the whole transaction: the others are answered with
OPERATION_NOT_ATTEMPTED.
"""

from __future__ import annotations

from tidelog.api.context import RequestContext
from tidelog.api.registry import api
from tidelog.api.transactions import ask_transaction, known_to
from tidelog.broker.broker import Broker
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


@api(AddPartitionsToTxnRequest)
async def handle(
    broker: Broker, context: RequestContext, request: AddPartitionsToTxnRequest
) -> AddPartitionsToTxnResponse:
    if context.version >= BATCHED_FROM:
        results = [
            AddPartitionsToTxnResult(
                transactional_id=each.transactional_id,
                topic_results=_results(each.topics, await _add(broker, each, context.version), context.version),
            )
            for each in request.transactions
        ]
        return AddPartitionsToTxnResponse(results_by_transaction=results)
    only = AddPartitionsToTxnTransaction(
        transactional_id=request.v3_and_below_transactional_id,
        producer_id=request.v3_and_below_producer_id,
        producer_epoch=request.v3_and_below_producer_epoch,
        topics=request.v3_and_below_topics,
    )
    codes = await _add(broker, only, context.version)
    return AddPartitionsToTxnResponse(results_by_topic_v3_and_below=_results(only.topics, codes, context.version))


async def _add(broker: Broker, one: AddPartitionsToTxnTransaction, version: int) -> Codes:
    wanted = [(topic.name, index) for topic in one.topics for index in topic.partitions]
    topics = broker.metadata.image.topics
    missing = {each for each in wanted if not topics.has(*each)}
    if missing:
        unknown, not_tried = ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, ErrorCode.OPERATION_NOT_ATTEMPTED
        return {each: unknown if each in missing else not_tried for each in wanted}
    producer = (one.producer_id, one.producer_epoch)
    client_version = 2 if version >= IMPLICIT_FROM else 0
    try:
        if one.verify_only:
            codes: Codes = await ask_transaction(
                broker,
                one.transactional_id,
                lambda shard, token, _: shard.verify_partitions(token, one.transactional_id, producer, wanted),
            )
            return codes
        code = await ask_transaction(
            broker,
            one.transactional_id,
            lambda shard, token, now: shard.add_partitions(
                token, one.transactional_id, producer, wanted, client_version, now
            ),
        )
    except KafkaError as error:
        code = error.code
    return dict.fromkeys(wanted, code)


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
