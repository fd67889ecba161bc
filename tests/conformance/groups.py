"""Members of classic groups, one connection each, because a join waits for others."""

import struct
import time
from typing import Any

from conformance.brokers import Broker
from conformance.wire import Wire
from tidelog.protocol.errors import ErrorCode
from tidelog.protocol.messages.find_coordinator import FindCoordinatorRequest
from tidelog.protocol.messages.heartbeat import HeartbeatRequest
from tidelog.protocol.messages.join_group import JoinGroupRequest, JoinGroupRequestProtocol
from tidelog.protocol.messages.leave_group import LeaveGroupRequest, MemberIdentity
from tidelog.protocol.messages.offset_commit import (
    OffsetCommitRequest,
    OffsetCommitRequestPartition,
    OffsetCommitRequestTopic,
)
from tidelog.protocol.messages.offset_fetch import (
    OffsetFetchRequest,
    OffsetFetchRequestGroup,
    OffsetFetchRequestTopics,
)
from tidelog.protocol.messages.sync_group import SyncGroupRequest, SyncGroupRequestAssignment

JOIN, SYNC = 11, 14
WAITS = {ErrorCode.COORDINATOR_NOT_AVAILABLE, ErrorCode.COORDINATOR_LOAD_IN_PROGRESS, ErrorCode.NOT_COORDINATOR}


def coordinator_ready(broker: Broker, group: str) -> None:
    """Wait until the group's coordinator answers: its topic is made when it is first asked for."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        found = broker.call(FindCoordinatorRequest(coordinator_keys=[group], key_type=0), 4).coordinators[0]
        if found.error_code == 0 and fetch_offsets(broker, group).error_code not in WAITS:
            return
        time.sleep(0.02)
    raise TimeoutError(f"{broker.node.name} never coordinated {group}")


def fetch_offsets(
    broker: Broker, group: str, topics: dict[str, list[int]] | None = None, version: int = 9, **fields: Any
) -> Any:
    """The group's part of an OffsetFetch; None asks for every offset."""
    wanted = None
    if topics is not None:
        wanted = [OffsetFetchRequestTopics(name=name, partition_indexes=parts) for name, parts in topics.items()]
    stable = fields.pop("require_stable", False)
    asked = OffsetFetchRequestGroup(group_id=group, topics=wanted, **fields)
    answer = broker.call(OffsetFetchRequest(groups=[asked], require_stable=stable), version).groups[0]
    for topic in answer.topics:
        topic.partitions.sort(key=lambda part: part.partition_index)
    return answer


def commit(
    broker: Broker,
    group: str,
    topic: str,
    offsets: dict[int, int],
    version: int = 9,
    metadata: str | None = "",
    epoch: int = -1,
    **fields: Any,
) -> Any:
    parts = [
        OffsetCommitRequestPartition(
            partition_index=index, committed_offset=offset, committed_metadata=metadata, committed_leader_epoch=epoch
        )
        for index, offset in offsets.items()
    ]
    topics = [OffsetCommitRequestTopic(name=topic, partitions=parts)]
    answer = broker.call(OffsetCommitRequest(group_id=group, topics=topics, **fields), version).topics[0].partitions
    return sorted(answer, key=lambda part: part.partition_index)


def subscription(*topics: str) -> bytes:
    """What a consumer says of itself when it joins: version 0, its topics, no user data."""
    names = b"".join(struct.pack(">h", len(name)) + name.encode() for name in topics)
    return struct.pack(">hi", 0, len(topics)) + names + struct.pack(">i", -1)


class Member:
    """One client of a classic group."""

    def __init__(self, broker: Broker, group: str, instance: str | None = None, **fields: Any) -> None:
        self.wire: Wire = broker.connect()
        self.group = group
        self.instance = instance
        self.fields = {
            "session_timeout_ms": 30_000,
            "rebalance_timeout_ms": 30_000,
            "protocol_type": "consumer",
            **fields,
        }
        self.protocols = {"range": subscription("t")}
        self.id = ""
        self.generation = -1

    def send_join(self, version: int = 9, **fields: Any) -> None:
        protocols = [JoinGroupRequestProtocol(name=name, metadata=data) for name, data in self.protocols.items()]
        request = JoinGroupRequest(
            **{
                "group_id": self.group,
                "member_id": self.id,
                "group_instance_id": self.instance,
                "protocols": protocols,
                **self.fields,
                **fields,
            }
        )
        self.wire.send(request, version)

    def receive_join(self, version: int = 9) -> Any:
        answer: Any = self.wire.receive(JOIN, version)
        self.id = answer.member_id or self.id
        if answer.error_code == 0:
            self.generation = answer.generation_id
        return answer

    def join(self, version: int = 9, **fields: Any) -> Any:
        """Join to the end: a first answer that only hands out the id is followed by a second request."""
        self.send_join(version, **fields)
        answer = self.receive_join(version)
        if answer.error_code == ErrorCode.MEMBER_ID_REQUIRED:
            self.send_join(version, **fields)
            answer = self.receive_join(version)
        return answer

    def send_sync(self, assignments: dict[str, bytes] | None = None, version: int = 5, **fields: Any) -> None:
        given = [
            SyncGroupRequestAssignment(member_id=who, assignment=what) for who, what in (assignments or {}).items()
        ]
        request = SyncGroupRequest(
            **{
                "group_id": self.group,
                "generation_id": self.generation,
                "member_id": self.id,
                "group_instance_id": self.instance,
                "protocol_type": "consumer",
                "protocol_name": "range",
                "assignments": given,
                **fields,
            }
        )
        self.wire.send(request, version)

    def sync(self, assignments: dict[str, bytes] | None = None, version: int = 5, **fields: Any) -> Any:
        self.send_sync(assignments, version, **fields)
        return self.wire.receive(SYNC, version)

    def heartbeat(self, version: int = 4, **fields: Any) -> int:
        own = {"member_id": self.id, "generation_id": self.generation, "group_instance_id": self.instance}
        answer: Any = self.wire.call(HeartbeatRequest(group_id=self.group, **{**own, **fields}), version)
        return int(answer.error_code)

    def await_rebalance(self) -> int:
        """Beat until the answer is no longer that all is well."""
        deadline = time.monotonic() + 60
        while (code := self.heartbeat()) == 0 and time.monotonic() < deadline:
            time.sleep(0.01)
        return code

    def leave(self, version: int = 5) -> Any:
        who = MemberIdentity(member_id=self.id, group_instance_id=self.instance)
        return self.wire.call(LeaveGroupRequest(group_id=self.group, members=[who]), version)

    def close(self) -> None:
        self.wire.close()


def stable_member(broker: Broker, group: str, **fields: Any) -> Member:
    """The only member of a group, joined and synced."""
    member = Member(broker, group, **fields)
    assert member.join().error_code == 0
    assert member.sync({member.id: b"all"}).error_code == 0
    return member
