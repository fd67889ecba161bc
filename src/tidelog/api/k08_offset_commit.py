"""OffsetCommit (8), versions 2 to 10: stores the positions of a group, of a member or of one that assigns by hand.

Topics by name, from version 10 on by id. A topic that does not exist is refused by itself; a mistake of the member
(generation, id, a rebalance under way) refuses every partition alike. The raw form: commits that came together are
written together.
"""

from __future__ import annotations

from tidelog.api.context import Answer, RequestContext
from tidelog.api.registry import api
from tidelog.broker.broker import Broker
from tidelog.broker.coordinators import Coordinators
from tidelog.coordinator.contract import Effects, Token
from tidelog.coordinator.group.shard import GroupShard
from tidelog.coordinator.group.values import Committer, Position, make_committer, make_position
from tidelog.kernels import encode_offset_commit, parse_offset_commit
from tidelog.protocol.errors import ErrorCode, KafkaError
from tidelog.protocol.messages.offset_commit import (
    OffsetCommitRequest,
    OffsetCommitResponse,
    OffsetCommitResponsePartition,
    OffsetCommitResponseTopic,
)
from tidelog.protocol.primitives import DecodeError

IDS_FROM = 10
FLEXIBLE_FROM = 8
NONE = ErrorCode.NONE

# A topic's name or id, and of each of its partitions: index, offset, leader epoch, metadata.
Topics = list[tuple[bytes, list[tuple[int, int, int, str | None]]]]


@api(OffsetCommitRequest, raw=True, concurrent=True)
def handle(broker: Broker, context: RequestContext, body: memoryview) -> Answer | None:
    retention_ms = -1
    if context.version >= FLEXIBLE_FROM:
        try:
            group_id, generation_id, member_id, instance_id, topics = parse_offset_commit(body, context.version)
        except UnicodeDecodeError:
            raise
        except ValueError as error:
            raise DecodeError(str(error)) from error
    else:
        request = OffsetCommitRequest.decode(body, context.version, exact=False)
        group_id, member_id, instance_id = request.group_id, request.member_id, request.group_instance_id
        generation_id, retention_ms = request.generation_id_or_member_epoch, request.retention_time_ms
        topics = _topics(request)
    committer = make_committer((generation_id, member_id, instance_id, -1, -1, context.version))
    commit = Commit(context, group_id, committer, topics, retention_ms)
    commit.find(broker.coordinators)
    if not commit.positions and commit.unknown is not None:
        return commit.answer([])
    try:
        coordinator = broker.coordinators.group(group_id)
    except KafkaError as error:
        return commit.answer([error.code] * len(commit.positions))
    coordinator.stage(commit.run, commit.replied, commit.refused)
    return None


def _topics(request: OffsetCommitRequest) -> Topics:
    return [
        (
            topic.name.encode(),
            [
                (each.partition_index, each.committed_offset, each.committed_leader_epoch, each.committed_metadata)
                for each in topic.partitions
            ],
        )
        for topic in request.topics
    ]


class Commit:
    """One request under way."""

    __slots__ = ("committer", "context", "group_id", "positions", "retention_ms", "topics", "unknown")

    def __init__(
        self, context: RequestContext, group_id: str, committer: Committer, topics: Topics, retention_ms: int
    ) -> None:
        self.context = context
        self.group_id = group_id
        self.committer = committer
        self.topics = topics
        self.retention_ms = retention_ms
        self.positions: list[Position] = []
        # An error for each place of the request that names no partition, NONE for the others; None if all do.
        self.unknown: list[ErrorCode] | None = None

    def find(self, coordinators: Coordinators) -> None:
        """The positions in partitions that exist, and for every other place in the request what is wrong with it."""
        by_id = self.context.version >= IDS_FROM
        places = 0
        for key, asked in self.topics:
            known = coordinators.topic_by_id(key) if by_id else coordinators.topic(key)
            name, topic_id, count = (known.name, known.id, len(known.partitions)) if known is not None else ("", b"", 0)
            for index, offset, leader_epoch, metadata in asked:
                if 0 <= index < count:
                    self.positions.append(make_position((name, index, offset, leader_epoch, metadata, topic_id)))
                    if self.unknown is not None:
                        self.unknown.append(NONE)
                else:
                    if self.unknown is None:
                        self.unknown = [NONE] * places
                    unknown_id = by_id and known is None
                    self.unknown.append(
                        ErrorCode.UNKNOWN_TOPIC_ID if unknown_id else ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
                    )
                places += 1

    def run(self, shard: GroupShard, token: Token, now_ms: int) -> Effects:
        return shard.commit_offsets(token, self.group_id, self.committer, self.positions, self.retention_ms, now_ms)

    def replied(self, codes: list[ErrorCode]) -> None:
        self.context.respond(self.answer(codes))

    def refused(self, error: KafkaError) -> None:
        self.replied([error.code] * len(self.positions))

    def answer(self, codes: list[ErrorCode]) -> Answer:
        """`codes` are those of the positions."""
        every: list[ErrorCode] | None = codes
        if self.unknown is not None:
            rest = iter(codes)
            every = [code or next(rest) for code in self.unknown]
        elif not any(codes):
            every = None
        context = self.context
        if context.version >= FLEXIBLE_FROM:
            return encode_offset_commit(context.correlation_id, self.topics, context.version >= IDS_FROM, every)
        return _response(self.topics, every).encode_parts(context.version)


def _response(topics: Topics, codes: list[ErrorCode] | None) -> OffsetCommitResponse:
    left = iter(codes or ())
    return OffsetCommitResponse(
        topics=[
            OffsetCommitResponseTopic(
                name=name.decode(),
                partitions=[
                    OffsetCommitResponsePartition(partition_index=place[0], error_code=int(next(left, NONE)))
                    for place in places
                ],
            )
            for name, places in topics
        ]
    )
