"""The messages of the quorum as they travel: requests and replies of `raft.messages` in Kafka's protocol and back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tidelog.metadata.control import VoterKey
from tidelog.metadata.snapshot import SnapshotId
from tidelog.model.uuids import METADATA_TOPIC_ID
from tidelog.protocol.errors import ErrorCode
from tidelog.protocol.messages import begin_quorum_epoch as begin
from tidelog.protocol.messages import end_quorum_epoch as end
from tidelog.protocol.messages import fetch, fetch_snapshot, update_raft_voter, vote
from tidelog.raft import messages as m
from tidelog.raft.messages import LeaderInfo
from tidelog.raft.voters import Voter

TOPIC = "__cluster_metadata"
FETCH_WAIT_MS = 500
TOPIC_IDS_FROM = 13
Listeners = Sequence[tuple[str, str, int]]


class NotForUs(Exception):
    """A request that does not speak of the one partition there is; `code` says so on the wire."""

    def __init__(self, code: ErrorCode) -> None:
        super().__init__(code.message)
        self.code = code


class Limits:
    """How much one fetch asks for."""

    def __init__(self, fetch_bytes_max: int, chunk_bytes_max: int) -> None:
        self.fetch_bytes_max = fetch_bytes_max
        self.chunk_bytes_max = chunk_bytes_max


# requests that this node sends


def to_wire(request: m.Request, cluster_id: str, listeners: Listeners, limits: Limits) -> Any:
    return _TO_WIRE[type(request)](request, cluster_id, listeners, limits)


def _vote(request: m.Vote, cluster_id: str, listeners: Listeners, limits: Limits) -> Any:
    partition = vote.RequestPartitionData(
        partition_index=0,
        replica_epoch=request.epoch,
        replica_id=request.candidate.id,
        replica_directory_id=request.candidate.directory_id,
        voter_directory_id=request.voter.directory_id,
        last_offset_epoch=request.last_epoch,
        last_offset=request.end_offset,
        pre_vote=request.pre_vote,
    )
    topics = [vote.RequestTopicData(topic_name=TOPIC, partitions=[partition])]
    return vote.VoteRequest(cluster_id=cluster_id, voter_id=request.voter.id, topics=topics)


def _begin(request: m.BeginEpoch, cluster_id: str, listeners: Listeners, limits: Limits) -> Any:
    partition = begin.RequestPartitionData(
        partition_index=0,
        voter_directory_id=request.voter.directory_id,
        leader_id=request.leader.id,
        leader_epoch=request.leader.epoch,
    )
    return begin.BeginQuorumEpochRequest(
        cluster_id=cluster_id,
        voter_id=request.voter.id,
        topics=[begin.RequestTopicData(topic_name=TOPIC, partitions=[partition])],
        leader_endpoints=[begin.LeaderEndpoint(name=name, host=host, port=port) for name, host, port in listeners],
    )


def _end(request: m.EndEpoch, cluster_id: str, listeners: Listeners, limits: Limits) -> Any:
    partition = end.RequestPartitionData(
        partition_index=0,
        leader_id=request.leader.id,
        leader_epoch=request.leader.epoch,
        preferred_candidates=[
            end.ReplicaInfo(candidate_id=each.id, candidate_directory_id=each.directory_id)
            for each in request.candidates
        ],
    )
    return end.EndQuorumEpochRequest(
        cluster_id=cluster_id,
        topics=[end.RequestTopicData(topic_name=TOPIC, partitions=[partition])],
        leader_endpoints=[end.LeaderEndpoint(name=name, host=host, port=port) for name, host, port in listeners],
    )


def _fetch(request: m.FetchLog, cluster_id: str, listeners: Listeners, limits: Limits) -> Any:
    partition = fetch.FetchPartition(
        partition=0,
        current_leader_epoch=request.epoch,
        fetch_offset=request.offset,
        last_fetched_epoch=request.last_epoch,
        partition_max_bytes=limits.fetch_bytes_max,
        replica_directory_id=request.replica.directory_id,
        high_watermark=request.high_watermark,
    )
    return fetch.FetchRequest(
        cluster_id=cluster_id,
        replica_state=fetch.ReplicaState(replica_id=request.replica.id, replica_epoch=-1),
        max_wait_ms=FETCH_WAIT_MS,
        min_bytes=0,
        max_bytes=limits.fetch_bytes_max,
        topics=[fetch.FetchTopic(topic_id=METADATA_TOPIC_ID, partitions=[partition])],
    )


def _chunk(request: m.FetchChunk, cluster_id: str, listeners: Listeners, limits: Limits) -> Any:
    partition = fetch_snapshot.RequestPartitionSnapshot(
        partition=0,
        current_leader_epoch=request.epoch,
        snapshot_id=fetch_snapshot.SnapshotId(end_offset=request.snapshot_id.offset, epoch=request.snapshot_id.epoch),
        position=request.position,
        replica_directory_id=request.replica.directory_id,
    )
    return fetch_snapshot.FetchSnapshotRequest(
        cluster_id=cluster_id,
        replica_id=request.replica.id,
        max_bytes=limits.chunk_bytes_max,
        topics=[fetch_snapshot.RequestTopicSnapshot(name=TOPIC, partitions=[partition])],
    )


def _update(request: m.UpdateVoter, cluster_id: str, listeners: Listeners, limits: Limits) -> Any:
    return update_raft_voter.UpdateRaftVoterRequest(
        cluster_id=cluster_id,
        current_leader_epoch=request.epoch,
        voter_id=request.voter.key.id,
        voter_directory_id=request.voter.key.directory_id,
        listeners=[
            update_raft_voter.Listener(name=name, host=host, port=port) for name, host, port in request.voter.endpoints
        ],
        kraft_version_feature=update_raft_voter.KRaftVersionFeature(
            min_supported_version=request.voter.versions[0], max_supported_version=request.voter.versions[1]
        ),
    )


_TO_WIRE: dict[type, Callable[..., Any]] = {
    m.Vote: _vote,
    m.BeginEpoch: _begin,
    m.EndEpoch: _end,
    m.FetchLog: _fetch,
    m.FetchChunk: _chunk,
    m.UpdateVoter: _update,
}


# replies that this node gets


def reply_of(request: m.Request, response: Any) -> m.AnyReply | None:
    """What the response says of the one partition; None when it says nothing of use."""
    if isinstance(request, m.UpdateVoter):
        current = response.current_leader
        address = (current.host, current.port) if current.host else None
        return m.EpochReply(
            ErrorCode.of(response.error_code), LeaderInfo(current.leader_id, current.leader_epoch, address)
        )
    topics = response.responses if isinstance(request, m.FetchLog) else response.topics
    if response.error_code or not topics or not topics[0].partitions:
        return None
    part = topics[0].partitions[0]
    error = ErrorCode.of(part.error_code)
    if isinstance(request, m.FetchLog):
        return _fetch_reply(error, part, response)
    if isinstance(request, m.FetchChunk):
        current = part.current_leader
        leader = _leader(current.leader_id, current.leader_epoch, response)
        return m.ChunkReply(
            error, leader, request.snapshot_id, part.size, part.position, bytes(part.unaligned_records or b"")
        )
    leader = _leader(part.leader_id, part.leader_epoch, response)
    return m.VoteReply(error, leader, part.vote_granted) if isinstance(request, m.Vote) else m.EpochReply(error, leader)


def _fetch_reply(error: ErrorCode, part: Any, response: Any) -> m.FetchReply:
    current, parted, snapshot = part.current_leader, part.diverging_epoch, part.snapshot_id
    return m.FetchReply(
        error,
        _leader(current.leader_id, current.leader_epoch, response),
        part.high_watermark,
        part.log_start_offset,
        (parted.epoch, parted.end_offset) if parted.epoch >= 0 else None,
        SnapshotId(snapshot.end_offset, snapshot.epoch) if snapshot.end_offset >= 0 else None,
        part.records or b"",
    )


def _leader(leader_id: int, epoch: int, response: Any) -> LeaderInfo:
    place = next((each for each in response.node_endpoints if each.node_id == leader_id), None)
    return LeaderInfo(leader_id, epoch, (place.host, place.port) if place else None)


# requests that this node gets


def vote_of(message: Any) -> m.Vote:
    part = _only(message.topics, "topic_name", "partition_index")
    return m.Vote(
        VoterKey(part.replica_id, part.replica_directory_id),
        VoterKey(message.voter_id, part.voter_directory_id),
        part.replica_epoch,
        part.last_offset_epoch,
        part.last_offset,
        part.pre_vote,
    )


def begin_of(message: Any) -> m.BeginEpoch:
    part = _only(message.topics, "topic_name", "partition_index")
    leader = LeaderInfo(part.leader_id, part.leader_epoch, _first(message.leader_endpoints))
    return m.BeginEpoch(leader, VoterKey(message.voter_id, part.voter_directory_id))


def end_of(message: Any) -> m.EndEpoch:
    part = _only(message.topics, "topic_name", "partition_index")
    leader = LeaderInfo(part.leader_id, part.leader_epoch, _first(message.leader_endpoints))
    named = [VoterKey(each.candidate_id, each.candidate_directory_id) for each in part.preferred_candidates]
    return m.EndEpoch(leader, tuple(named or (VoterKey(each) for each in part.preferred_successors)))


def fetch_of(message: Any, version: int) -> tuple[m.FetchLog, int]:
    """The fetch, and how many bytes it wants at most."""
    named = [(topic, part) for topic in message.topics for part in topic.partitions]
    if len(named) != 1 or named[0][1].partition != 0:
        raise NotForUs(ErrorCode.INVALID_REQUEST)
    topic, part = named[0]
    if topic.topic_id != METADATA_TOPIC_ID if version >= TOPIC_IDS_FROM else topic.topic != TOPIC:
        raise NotForUs(
            ErrorCode.UNKNOWN_TOPIC_ID if version >= TOPIC_IDS_FROM else ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
        )
    replica = message.replica_state.replica_id if version >= 15 else message.replica_id
    found = m.FetchLog(
        VoterKey(replica, part.replica_directory_id),
        part.current_leader_epoch,
        part.fetch_offset,
        part.last_fetched_epoch,
        part.high_watermark,
    )
    return found, min(part.partition_max_bytes, message.max_bytes)


def chunk_of(message: Any) -> m.FetchChunk:
    part = _only(message.topics, "name", "partition")
    wanted = SnapshotId(part.snapshot_id.end_offset, part.snapshot_id.epoch)
    replica = VoterKey(message.replica_id, part.replica_directory_id)
    return m.FetchChunk(replica, part.current_leader_epoch, wanted, part.position)


def update_of(message: Any) -> m.UpdateVoter:
    return m.UpdateVoter(message.current_leader_epoch, voter_of(message, message.kraft_version_feature))


def voter_of(message: Any, versions: Any = None) -> Voter:
    key = VoterKey(message.voter_id, message.voter_directory_id)
    places = tuple((each.name, each.host, each.port) for each in message.listeners)
    span = (versions.min_supported_version, versions.max_supported_version) if versions else (0, 1)
    return Voter(key, places, span)


def _only(topics: Any, name: str, index: str) -> Any:
    named = [(getattr(topic, name), part) for topic in topics for part in topic.partitions]
    if len(named) != 1 or named[0][0] != TOPIC or getattr(named[0][1], index) != 0:
        raise NotForUs(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION)
    return named[0][1]


def _first(endpoints: Any) -> tuple[str, int] | None:
    return (endpoints[0].host, endpoints[0].port) if endpoints else None


# replies that this node gives


def vote_response(reply: m.VoteReply) -> Any:
    part = vote.ResponsePartitionData(
        partition_index=0,
        error_code=int(reply.error),
        leader_id=reply.leader.id,
        leader_epoch=reply.leader.epoch,
        vote_granted=reply.granted,
    )
    topics = [vote.ResponseTopicData(topic_name=TOPIC, partitions=[part])]
    return vote.VoteResponse(topics=topics, node_endpoints=_places(vote, reply.leader))


def epoch_response(module: Any, reply: m.EpochReply) -> Any:
    part = module.ResponsePartitionData(
        partition_index=0, error_code=int(reply.error), leader_id=reply.leader.id, leader_epoch=reply.leader.epoch
    )
    topics = [module.ResponseTopicData(topic_name=TOPIC, partitions=[part])]
    cls = begin.BeginQuorumEpochResponse if module is begin else end.EndQuorumEpochResponse
    return cls(topics=topics, node_endpoints=_places(module, reply.leader))


def fetch_response(reply: m.FetchReply) -> Any:
    part = fetch.PartitionData(
        partition_index=0,
        error_code=int(reply.error),
        high_watermark=reply.high_watermark,
        log_start_offset=reply.log_start_offset,
        current_leader=fetch.LeaderIdAndEpoch(leader_id=reply.leader.id, leader_epoch=reply.leader.epoch),
        aborted_transactions=[],
        records=reply.records,
    )
    if reply.diverging is not None:
        part.diverging_epoch = fetch.EpochEndOffset(epoch=reply.diverging[0], end_offset=reply.diverging[1])
    if reply.snapshot_id is not None:
        part.snapshot_id = fetch.SnapshotId(end_offset=reply.snapshot_id.offset, epoch=reply.snapshot_id.epoch)
    topic = fetch.FetchableTopicResponse(topic=TOPIC, topic_id=METADATA_TOPIC_ID, partitions=[part])
    return fetch.FetchResponse(responses=[topic], node_endpoints=_places(fetch, reply.leader))


def chunk_response(reply: m.ChunkReply) -> Any:
    part = fetch_snapshot.ResponsePartitionSnapshot(
        index=0,
        error_code=int(reply.error),
        snapshot_id=fetch_snapshot.SnapshotId(end_offset=reply.snapshot_id.offset, epoch=reply.snapshot_id.epoch),
        current_leader=fetch_snapshot.LeaderIdAndEpoch(leader_id=reply.leader.id, leader_epoch=reply.leader.epoch),
        size=reply.size,
        position=reply.position,
        unaligned_records=reply.data,
    )
    topics = [fetch_snapshot.ResponseTopicSnapshot(name=TOPIC, partitions=[part])]
    return fetch_snapshot.FetchSnapshotResponse(topics=topics, node_endpoints=_places(fetch_snapshot, reply.leader))


def update_response(reply: m.EpochReply) -> Any:
    host, port = reply.leader.address or ("", 0)
    current = update_raft_voter.CurrentLeader(
        leader_id=reply.leader.id, leader_epoch=reply.leader.epoch, host=host, port=port
    )
    return update_raft_voter.UpdateRaftVoterResponse(error_code=int(reply.error), current_leader=current)


def _places(module: Any, leader: LeaderInfo) -> list[Any]:
    if leader.address is None or leader.id < 0:
        return []
    return [module.NodeEndpoint(node_id=leader.id, host=leader.address[0], port=leader.address[1])]


def is_other_cluster(message: Any, cluster_id: str) -> bool:
    return message.cluster_id is not None and message.cluster_id != cluster_id
