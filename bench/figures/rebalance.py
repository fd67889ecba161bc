"""Rebalances of groups with 1, 10 and 100 members, in the classic and in the consumer protocol."""

import itertools
import time
from functools import partial
from typing import Any
from uuid import uuid4

from bench.figure import Figure, Row, Samples
from bench.lab import Lab
from bench.side import Side
from bench.talk import GROUP, Lines, Talk, exchange, find_coordinator, frame, until_done
from tidelog.protocol.messages.consumer_group_heartbeat import ConsumerGroupHeartbeatRequest
from tidelog.protocol.messages.heartbeat import HeartbeatRequest
from tidelog.protocol.messages.join_group import JoinGroupRequest, JoinGroupRequestProtocol, JoinGroupResponse
from tidelog.protocol.messages.leave_group import LeaveGroupRequest, MemberIdentity
from tidelog.protocol.messages.sync_group import SyncGroupRequest, SyncGroupRequestAssignment

SIZES = ((1, 400), (10, 100), (100, 15))  # members, rebalances a run
JOIN, SYNC, HEARTBEAT, LEAVE = 9, 5, 4, 5
MEMBER_ID_REQUIRED, REBALANCE_IN_PROGRESS, UNREVOKED = 79, 27, 118
HEARTBEAT_S = 0.005
_groups = itertools.count()


def _rows(key: str, what: str, members: int) -> tuple[Row, Row]:
    label = f"{members} member{'s' * (members > 1)}, {what}"
    return (
        Row(f"rebalance_{key}_{members}_ms", label, "ms", bar=1.0, digits=2),
        Row(f"rebalance_{key}_{members}_cpu", label, "CPU-ms", bar=1.0, digits=2),
    )


class Rebalance(Figure):
    name = "rebalance"
    title = (
        "Rebalances (classic: all members rejoin; consumer protocol: all come to an empty group, one partition each)"
    )
    rows = (
        *(row for members, _ in SIZES for row in _rows("classic", "classic", members)),
        *(row for members, _ in SIZES for row in _rows("consumer", "consumer protocol", members)),
    )
    expected_s = 150
    bounded_by = (
        "classic: two requests a member, and an answer to the leader that names all of them; consumer protocol: the "
        "interval of a second at which a new assignment may be made (group.consumer.assignment.interval.ms), then "
        "three heartbeats of each member that write a record, among those that all send every 5 ms"
    )

    def measure(self, lab: Lab, samples: Samples) -> None:
        for members, rounds in SIZES:
            step = partial(_classic, members=members, rounds=max(3, lab.amount(rounds)))
            lab.compare(f"rebalance of {members}, classic", step, samples, self.expected_s / 6)
        for members, _ in SIZES:
            topic = f"rebalance-{members}"
            with lab.topics(topic, partitions=members):
                step = partial(_consumer, topic=topic, members=members, rounds=1 if members > 1 else 5)
                lab.compare(f"rebalance of {members}, consumer protocol", step, samples, self.expected_s / 6)


# ---- the classic protocol


class Member:
    def __init__(self, group_id: str) -> None:
        self.group_id = group_id
        self.id = ""
        self.generation_id = -1
        self.joined: Any = JoinGroupResponse()

    def join_request(self, metadata: bytes) -> JoinGroupRequest:
        return JoinGroupRequest(
            group_id=self.group_id,
            session_timeout_ms=45_000,
            rebalance_timeout_ms=60_000,
            member_id=self.id,
            protocol_type="consumer",
            protocols=[JoinGroupRequestProtocol(name="range", metadata=metadata)],
        )

    def take(self, joined: Any) -> None:
        if joined.error_code:
            raise RuntimeError(f"a join was answered with the error {joined.error_code}")
        self.joined, self.generation_id = joined, joined.generation_id

    def sync_request(self) -> SyncGroupRequest:
        """The leader gives each member the number of members, so that all learn when the group is whole."""
        size = b"%d" % len(self.joined.members)
        return SyncGroupRequest(
            group_id=self.group_id,
            generation_id=self.generation_id,
            member_id=self.id,
            protocol_type="consumer",
            protocol_name="range",
            assignments=[
                SyncGroupRequestAssignment(member_id=each.member_id, assignment=size) for each in self.joined.members
            ],
        )

    def enter(self, whole: int) -> Talk:
        """From nothing to a member of a group of `whole` members."""
        yield from find_coordinator(GROUP, self.group_id)
        first = yield from exchange(self.join_request(b""), JOIN)
        while first.error_code != MEMBER_ID_REQUIRED:
            yield 0.05
            first = yield from exchange(self.join_request(b""), JOIN)
        self.id = first.member_id
        while True:
            self.take((yield from exchange(self.join_request(b""), JOIN)))
            synced = yield from exchange(self.sync_request(), SYNC)
            if not synced.error_code:
                if int(synced.assignment or b"0") == whole:
                    return
                yield from self._until_rebalance()
            elif synced.error_code != REBALANCE_IN_PROGRESS:
                raise RuntimeError(f"a sync was answered with the error {synced.error_code}")

    def _until_rebalance(self) -> Talk:
        request = HeartbeatRequest(group_id=self.group_id, generation_id=self.generation_id, member_id=self.id)
        while not (yield from exchange(request, HEARTBEAT)).error_code:
            yield HEARTBEAT_S

    def rejoin(self, request: bytes) -> Talk:
        """Asks with what was encoded beforehand; the answer is decoded when all have theirs."""
        (data,) = yield [request]
        self.joined = data

    def sync(self) -> Talk:
        synced = yield from exchange(self.sync_request(), SYNC)
        if synced.error_code:
            raise RuntimeError(f"a sync was answered with the error {synced.error_code}")

    def leave(self) -> Talk:
        request = LeaveGroupRequest(group_id=self.group_id, members=[MemberIdentity(member_id=self.id)])
        yield from until_done(request, LEAVE, lambda got: int(got.error_code))


def _classic(side: Side, members: int, rounds: int) -> dict[str, float]:
    group = [Member(f"rebalance-{members}-{next(_groups)}")]
    group += [Member(group[0].group_id) for _ in range(members - 1)]
    wall_s = 0.0
    with Lines(side.port, members) as lines:
        lines.run(member.enter(members) for member in group)
        before = side.cpu_seconds()
        for number in range(rounds):
            # Other metadata than before: each rejoin then asks for a rebalance, whoever comes first.
            asked = [frame(member.join_request(b"%d" % number), JOIN) for member in group]
            wall_s += lines.run(member.rejoin(request) for member, request in zip(group, asked, strict=True))
            _decode(group)
            wall_s += lines.run(member.sync() for member in group)
        cpu_s = side.cpu_seconds() - before
        lines.run(member.leave() for member in group)
    key = f"rebalance_classic_{members}"
    return {f"{key}_ms": wall_s / rounds * 1e3, f"{key}_cpu": cpu_s / rounds * 1e3}


def _decode(group: list[Member]) -> None:
    for member in group:
        # Correlation id and empty tags come before the body.
        member.take(JoinGroupResponse.decode(member.joined[5:], JOIN))
    if len({member.generation_id for member in group}) != 1:
        raise RuntimeError("the members of one rebalance are in different generations")


# ---- the consumer protocol


class NewMember:
    def __init__(self, group_id: str, topic: str) -> None:
        self._request = ConsumerGroupHeartbeatRequest(
            group_id=group_id,
            member_id=str(uuid4()),
            rebalance_timeout_ms=60_000,
            subscribed_topic_names=[topic],
            topic_partitions=[],
        )
        self._owned: list[Any] = []

    def find(self) -> Talk:
        yield from find_coordinator(GROUP, self._request.group_id)

    def enter(self) -> Talk:
        """Heartbeats until this member has exactly one partition.

        One every `HEARTBEAT_S`, however long the answers take: a node that answers sooner is not asked more often.
        """
        due = time.perf_counter()
        while True:
            got = yield from until_done(self._request, 1, lambda answer: int(answer.error_code))
            self._request.member_epoch = got.member_epoch
            self._request.subscribed_topic_names = self._request.topic_partitions = None
            self._request.rebalance_timeout_ms = -1
            if got.assignment is not None:
                # At once, and told in the next heartbeat: what was taken away is given up, what is new is owned.
                self._owned = got.assignment.topic_partitions
                self._request.topic_partitions = self._owned
                self._request.rebalance_timeout_ms = 60_000
                continue
            if sum(len(each.partitions) for each in self._owned) == 1:
                return
            now = time.perf_counter()
            due = max(now, due + HEARTBEAT_S)
            yield due - now

    def leave(self) -> Talk:
        self._request.member_epoch = -1
        yield from exchange(self._request, 1)


def _consumer(side: Side, topic: str, members: int, rounds: int) -> dict[str, float]:
    wall_s = cpu_s = 0.0
    for _ in range(rounds):
        group_id = f"{topic}-{next(_groups)}"
        group = [NewMember(group_id, topic) for _ in range(members)]
        with Lines(side.port, members) as lines:
            lines.run(member.find() for member in group)
            before = side.cpu_seconds()
            wall_s += lines.run(member.enter() for member in group)
            cpu_s += side.cpu_seconds() - before
            lines.run(member.leave() for member in group)
    key = f"rebalance_consumer_{members}"
    return {f"{key}_ms": wall_s / rounds * 1e3, f"{key}_cpu": cpu_s / rounds * 1e3}


FIGURE = Rebalance()
