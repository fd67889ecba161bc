"""Many members in one group, in a simulated clock: what a rebalance costs the coordinator, in time and in records.

    python -m bench.groups_scale [MEMBERS] [PARTITIONS]

Everything but the coordinator itself is left out: no network, no disk, no clients. Each line is one phase; `cpu` is
what the coordinator and these simple clients took, `simulated` what passed on the clock of the group.
"""

from __future__ import annotations

import itertools
import struct
import sys
import time
from collections.abc import Callable
from typing import Any, NamedTuple

from tidelog.coordinator.contract import Effects
from tidelog.coordinator.group.consumer_records import TARGET
from tidelog.coordinator.group.consumer_topics import TopicInfo, TopicTable
from tidelog.coordinator.group.records import record_type
from tidelog.coordinator.group.shard import GroupShard
from tidelog.coordinator.group.values import Caller, GroupConfig
from tidelog.protocol.errors import ErrorCode
from tidelog.protocol.group_records.consumer_protocol_subscription import ConsumerProtocolSubscription
from tidelog.protocol.messages.consumer_group_heartbeat import ConsumerGroupHeartbeatRequest, TopicPartitions
from tidelog.protocol.messages.heartbeat import HeartbeatRequest
from tidelog.protocol.messages.join_group import JoinGroupRequest, JoinGroupRequestProtocol
from tidelog.protocol.messages.sync_group import SyncGroupRequest, SyncGroupRequestAssignment

TOPIC = TopicInfo("t", b"t" * 16, 20_000)
INTERVAL_MS = 5_000


class Phase(NamedTuple):
    name: str
    requests: int
    cpu_s: float
    simulated_ms: int
    records: int
    record_bytes: int
    rebalances: int

    def line(self) -> str:
        each_us = self.cpu_s / max(1, self.requests) * 1e6
        return (
            f"{self.name:<42} {self.requests:>8} requests  cpu {self.cpu_s:>7.3f} s ({each_us:>6.1f} us each)  "
            f"simulated {self.simulated_ms / 1000:>6.1f} s  {self.records:>6} records {self.record_bytes:>9} bytes  "
            f"{self.rebalances:>2} rebalances"
        )


class Sim:
    """One shard and a clock that moves only when told."""

    def __init__(self, partitions: int) -> None:
        self.now = 0
        self.records = 0
        self.record_bytes = 0
        self.assignments = 0
        self.requests = 0
        self.tokens = itertools.count()
        self.answers: dict[Any, Any] = {}
        self.phases: list[Phase] = []
        ids = itertools.count()
        view = TopicTable([TOPIC._replace(partitions=partitions)])
        self.shard = GroupShard(GroupConfig(), lambda: f"{next(ids):032d}", view)
        self.do(self.shard.loaded(0))

    def do(self, effects: Effects) -> None:
        for record in effects.records:
            self.shard.replay(self.records, -1, -1, record)
            self.records += 1
            self.assignments += record_type(record) == TARGET
            self.record_bytes += len(record.key) + len(record.value or b"")
        for token, answer in effects.replies:
            self.answers[token] = answer

    def ask(self, handler: Callable[[Any], Effects]) -> Any:
        token = next(self.tokens)
        self.requests += 1
        self.do(handler(token))
        return self.answers.pop(token, token)

    def pass_ms(self, ms: int) -> None:
        target = self.now + ms
        while (at := self.shard.next_deadline_ms()) is not None and at <= target:
            self.now = max(self.now, at)
            self.do(self.shard.tick(self.now))
        self.now = target

    def rebalances(self) -> int:
        """Generations of a classic group, target assignments of a consumer group."""
        group = self.shard.host.classic("g")
        return self.assignments if group is None else group.generation_id

    def phase(self, name: str, work: Callable[[], None]) -> Phase:
        records, size, requests, rebalances, now = (
            self.records,
            self.record_bytes,
            self.requests,
            self.rebalances(),
            self.now,
        )
        begun = time.process_time()
        work()
        done = Phase(
            name,
            self.requests - requests,
            time.process_time() - begun,
            self.now - now,
            self.records - records,
            self.record_bytes - size,
            self.rebalances() - rebalances,
        )
        self.phases.append(done)
        return done


# the consumer protocol


class ConsumerSwarm:
    def __init__(self, sim: Sim, members: int) -> None:
        self.sim = sim
        self.members: dict[str, tuple[int, list[int], bool]] = {}
        self.count = members
        self.caller = Caller("c", "/h", 1)

    def join(self, member_id: str) -> None:
        self._send(member_id, 0, rebalance_timeout_ms=60_000, subscribed_topic_names=["t"], topic_partitions=[])

    def beat(self, member_id: str) -> None:
        epoch, held, tell = self.members[member_id]
        told = [TopicPartitions(topic_id=TOPIC.id, partitions=held)] if tell else None
        self._send(member_id, epoch, topic_partitions=told)

    def _send(self, member_id: str, epoch: int, **fields: Any) -> None:
        request = ConsumerGroupHeartbeatRequest(group_id="g", member_id=member_id, member_epoch=epoch, **fields)
        answer = self.sim.ask(
            lambda token: self.sim.shard.consumer_heartbeat(token, self.caller, request, self.sim.now)
        )
        _, held, _ = self.members.get(member_id, (0, [], False))
        if answer.assignment is not None:
            held = [index for each in answer.assignment.topic_partitions for index in each.partitions]
        self.members[member_id] = (answer.member_epoch, held, answer.assignment is not None)

    def join_all(self) -> None:
        for index in range(self.count):
            self.join(f"m{index:06d}")

    def beats(self) -> None:
        for member_id in self.members:
            self.beat(member_id)
        self.sim.pass_ms(INTERVAL_MS)

    def settle(self) -> None:
        while True:
            before = dict(self.members)
            self.beats()
            if before == self.members:
                return

    def check(self, partitions: int) -> None:
        held = sorted(index for _, indexes, _ in self.members.values() for index in indexes)
        assert held == list(range(partitions)), "every partition is with one member"
        sizes = [len(indexes) for _, indexes, _ in self.members.values()]
        assert max(sizes) - min(sizes) <= 1, "shares are equal"


def consumer(members: int, partitions: int) -> list[Phase]:
    sim = Sim(partitions)
    swarm = ConsumerSwarm(sim, members)
    sim.phase("consumer: all join", swarm.join_all)
    sim.phase("consumer: until everyone has its share", swarm.settle)
    swarm.check(partitions)
    sim.phase("consumer: heartbeats at rest", swarm.beats)

    def one_more() -> None:
        swarm.join("one more")
        swarm.settle()

    sim.phase("consumer: one more joins, until at rest", one_more)
    swarm.check(partitions)

    def crash() -> None:
        """A member joins, and before the others have followed another one is gone for good."""
        swarm.join("second more")
        swarm.members.pop("m000000")
        for _ in range(60_000 // INTERVAL_MS):
            swarm.beats()
        swarm.settle()

    sim.phase("consumer: a crash in the middle of that", crash)
    swarm.check(partitions)
    return sim.phases


# the classic protocol


class ClassicSwarm:
    def __init__(self, sim: Sim, members: int) -> None:
        self.sim = sim
        self.count = members
        self.ids: list[str] = []
        self.generation = 0
        self.leader = ""
        body = ConsumerProtocolSubscription(topics=["t"], user_data=None)
        self.protocols = [JoinGroupRequestProtocol(name="range", metadata=struct.pack(">h", 3) + body.encode(3))]
        self.caller = Caller("c", "/h", 9)

    def _join(self, member_id: str) -> Any:
        request = JoinGroupRequest(
            group_id="g",
            session_timeout_ms=45_000,
            rebalance_timeout_ms=60_000,
            member_id=member_id,
            protocol_type="consumer",
            protocols=self.protocols,
        )
        return self.sim.ask(lambda token: self.sim.shard.join_group(token, self.caller, request, self.sim.now))

    def new(self) -> None:
        self.ids.append(self._join("").member_id)

    def rebalance(self) -> None:
        """Everyone joins, the newest first, the leader assigns, everyone gets its part."""
        waiting = {member_id: self._join(member_id) for member_id in reversed(self.ids)}
        while any(isinstance(one, int) and one not in self.sim.answers for one in waiting.values()):
            self.sim.pass_ms(INTERVAL_MS)
        for one in waiting.values():
            answer = self.sim.answers.pop(one) if isinstance(one, int) else one
            assert answer.error_code == 0, ErrorCode(answer.error_code)
            self.generation, self.leader = answer.generation_id, answer.leader
        syncing = [self._sync(member_id) for member_id in self.ids if member_id != self.leader]
        assignments = [SyncGroupRequestAssignment(member_id=one, assignment=b"x" * 16) for one in self.ids]
        assert self._sync(self.leader, assignments).error_code == 0
        for token in syncing:
            assert self.sim.answers.pop(token).error_code == 0

    def _sync(self, member_id: str, assignments: list[SyncGroupRequestAssignment] | None = None) -> Any:
        request = SyncGroupRequest(
            group_id="g", generation_id=self.generation, member_id=member_id, assignments=assignments or []
        )
        return self.sim.ask(lambda token: self.sim.shard.sync_group(token, request, self.sim.now))

    def beats(self) -> set[ErrorCode]:
        found = set()
        for member_id in self.ids:
            request = HeartbeatRequest(group_id="g", generation_id=self.generation, member_id=member_id)
            answer = self.sim.ask(lambda token, request=request: self.sim.shard.heartbeat(token, request, self.sim.now))
            found.add(ErrorCode(answer.error_code))
        self.sim.pass_ms(3_000)
        return found


def classic(members: int, partitions: int) -> list[Phase]:
    sim = Sim(partitions)
    swarm = ClassicSwarm(sim, members)

    def first() -> None:
        for _ in range(members):
            swarm.new()
        swarm.rebalance()

    sim.phase("classic: all join, until at rest", first)
    sim.phase("classic: heartbeats at rest", lambda: _expect(swarm.beats() == {ErrorCode.NONE}))

    def one_more() -> None:
        swarm.new()
        swarm.rebalance()

    sim.phase("classic: one more joins, until at rest", one_more)

    def crash() -> None:
        """A member is gone for good in the middle of a rebalance that another one has begun."""
        swarm.ids.remove(next(one for one in swarm.ids if one != swarm.leader))
        one_more()
        _expect(swarm.beats() == {ErrorCode.NONE})

    sim.phase("classic: a crash in the middle of that", crash)
    return sim.phases


def _expect(holds: bool) -> None:
    assert holds


def main() -> None:
    members = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    partitions = int(sys.argv[2]) if len(sys.argv) > 2 else 2 * members
    for phase in (*consumer(members, partitions), *classic(members, partitions)):
        print(phase.line())


if __name__ == "__main__":
    main()
