"""TxnOffsetCommit (28), versions 0 to 5: a group's positions, visible only when the producer's transaction commits.

Up to version 4 the transaction must already hold the group's partition (AddOffsetsToTxn); from version 5 on it is added
here. From version 3 on the group's member and generation are checked, which fences a consumer that was replaced.
"""

from __future__ import annotations

from tidelog.api.context import RequestContext
from tidelog.api.groups import ask, translated
from tidelog.api.later import Later
from tidelog.api.registry import api
from tidelog.broker.broker import Broker
from tidelog.broker.coordinators import OFFSETS_TOPIC
from tidelog.coordinator.contract import Effects, Token
from tidelog.coordinator.group.shard import GroupShard
from tidelog.coordinator.group.values import Committer, Position
from tidelog.coordinator.txn.state import TopicPartition
from tidelog.protocol.errors import ErrorCode, KafkaError
from tidelog.protocol.messages.txn_offset_commit import (
    TxnOffsetCommitRequest,
    TxnOffsetCommitResponse,
    TxnOffsetCommitResponsePartition,
    TxnOffsetCommitResponseTopic,
)

IMPLICIT_FROM = 5


@api(TxnOffsetCommitRequest, later=True)
def handle(broker: Broker, context: RequestContext, request: TxnOffsetCommitRequest, answer: Later) -> None:
    commit = TxnCommit(broker, context.version, request, answer)
    if not commit.positions:
        commit.reply([])
    elif not request.group_id:
        commit.refuse(ErrorCode.INVALID_GROUP_ID)
    else:
        index = broker.coordinators.known_partition_of(OFFSETS_TOPIC, request.group_id)
        if index is None:
            broker.spawn(_when_there(broker, commit))
        else:
            commit.begin(index)


async def _when_there(broker: Broker, commit: TxnCommit) -> None:
    """Nobody has committed offsets before: the topic has to be made."""
    try:
        commit.begin(await broker.coordinators.partition_of(OFFSETS_TOPIC, commit.request.group_id))
    except KafkaError as error:
        commit.refuse(error.code)
    except Exception as error:
        commit.answer.failed(error)


class TxnCommit:
    """One request under way: is the transaction open where the offsets go, then the commit."""

    __slots__ = ("answer", "broker", "known", "positions", "request", "version")

    def __init__(self, broker: Broker, version: int, request: TxnOffsetCommitRequest, answer: Later) -> None:
        self.broker = broker
        self.version = version
        self.request = request
        self.answer = answer
        self.positions: list[Position] = []
        # For each place of the request whether it names a partition that there is.
        self.known: list[bool] = []
        topics = broker.metadata.image.topics
        for topic in request.topics:
            found = topics.get(topic.name)
            count = 0 if found is None else len(found.partitions)
            for each in topic.partitions:
                index = each.partition_index
                self.known.append(0 <= index < count)
                if 0 <= index < count:
                    self.positions.append(
                        Position(
                            topic.name,
                            index,
                            each.committed_offset,
                            each.committed_leader_epoch,
                            each.committed_metadata,
                        )
                    )

    def begin(self, index: int) -> None:
        broker, request = self.broker, self.request
        partition = broker.partitions.get(OFFSETS_TOPIC, index)
        if partition is None:
            self.refuse(ErrorCode.NOT_COORDINATOR)
            return
        producer = (request.producer_id, request.producer_epoch)
        add = self.version >= IMPLICIT_FROM
        if broker.transactions.is_verified(partition, producer, add):
            self.commit()
        else:
            broker.transactions.verify(request.transactional_id, producer, [partition], add, self.verified)

    def verified(self, codes: dict[TopicPartition, ErrorCode]) -> None:
        (code,) = codes.values()
        if code is ErrorCode.PRODUCER_FENCED:
            code = ErrorCode.INVALID_PRODUCER_EPOCH  # what a client of this request may abort and go on after
        if code:
            self.refuse(code)
        else:
            self.commit()

    def commit(self) -> None:
        ask(self.broker, self.request.group_id, self.run, self.reply, self.refused)

    def run(self, shard: GroupShard, token: Token, now_ms: int) -> Effects:
        request = self.request
        committer = Committer(
            request.generation_id,
            request.member_id,
            request.group_instance_id,
            request.producer_id,
            request.producer_epoch,
        )
        return shard.commit_offsets(token, request.group_id, committer, self.positions, -1, now_ms)

    def refused(self, error: KafkaError) -> None:
        self.refuse(translated(error))

    def refuse(self, code: ErrorCode) -> None:
        self.reply([code] * len(self.positions))

    def reply(self, codes: list[ErrorCode]) -> None:
        """`codes` are those of the positions."""
        found = iter(codes)
        every = iter([next(found) if known else ErrorCode.UNKNOWN_TOPIC_OR_PARTITION for known in self.known])
        self.answer(
            TxnOffsetCommitResponse(
                topics=[
                    TxnOffsetCommitResponseTopic(
                        name=topic.name,
                        partitions=[
                            TxnOffsetCommitResponsePartition(
                                partition_index=each.partition_index, error_code=int(next(every))
                            )
                            for each in topic.partitions
                        ],
                    )
                    for topic in self.request.topics
                ]
            )
        )
