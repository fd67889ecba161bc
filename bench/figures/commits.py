"""Offset commits: one member that waits for each, and fifty groups that send them as fast as they can."""

import itertools
from functools import partial

from bench.figure import Figure, Row, Samples
from bench.lab import Lab
from bench.side import Side
from bench.talk import GROUP, Lines, Talk, answer, exchange, find_coordinator, frame, until_done
from tidelog.protocol.messages.join_group import JoinGroupRequest, JoinGroupRequestProtocol
from tidelog.protocol.messages.offset_commit import (
    OffsetCommitRequest,
    OffsetCommitRequestPartition,
    OffsetCommitRequestTopic,
)
from tidelog.protocol.messages.sync_group import SyncGroupRequest, SyncGroupRequestAssignment

VERSION = 9
DEPTH = 8
PARTITIONS = 10
SHAPES = (  # key, label, connections, depth, partitions, commits a run
    ("commits_1", "one member, each waited for", 1, 1, 1, 6_000),
    ("commits_50", f"50 groups, {DEPTH} on the way each", 50, DEPTH, 1, 40_000),
    ("commits_wide", f"one member, {PARTITIONS} partitions a commit", 1, 1, PARTITIONS, 3_000),
)
REQUEST = OffsetCommitRequest()
_runs = itertools.count()


def _rows(key: str, label: str) -> tuple[Row, Row, Row]:
    return (
        Row(f"{key}_us", label, "µs/commit", bar=1.0, digits=1),
        Row(f"{key}_cpu", label, "CPU-µs/commit", bar=1.0, digits=1),
        Row(f"{key}_rate", label, "commits/s", digits=0),
    )


class Commits(Figure):
    name = "commits"
    title = "Offset commits (OffsetCommit version 9)"
    rows = tuple(row for shape in SHAPES for row in _rows(*shape[:2]))
    expected_s = 60
    bounded_by = (
        "four system calls for a commit that comes alone (wait, receive, write, send), one write and one send for "
        "those that come together, and the interpreter's steps from the request to the record and to the answer: about "
        "10 µs a commit, 12 an append and 2 a partition"
    )

    def measure(self, lab: Lab, samples: Samples) -> None:
        with lab.topics("commits", partitions=PARTITIONS):
            for key, label, connections, depth, partitions, commits in SHAPES:
                step = partial(_commit, key=key, shape=(connections, depth, partitions, lab.amount(commits)))
                lab.compare(f"commits, {label}", step, samples, self.expected_s / len(SHAPES), warm_by=f"{key}_cpu")


def _commit(side: Side, key: str, shape: tuple[int, int, int, int]) -> dict[str, float]:
    connections, depth, partitions, commits = shape
    members: list[tuple[str, int, str]] = []
    with Lines(side.port, connections) as lines:
        if connections == 1:
            lines.run([_join(f"{key}-{next(_runs)}", members)])
        else:
            lines.run(_wait_for(f"{key}-{number}", members) for number in range(connections))
        rounds = commits // connections // depth
        before = side.cpu_seconds()
        wall_s = lines.run(_commits(*member, depth, partitions, rounds) for member in members)
        cpu_s = side.cpu_seconds() - before
    done = rounds * depth * connections
    return {f"{key}_us": wall_s / done * 1e6, f"{key}_cpu": cpu_s / done * 1e6, f"{key}_rate": done / wall_s}


def _wait_for(group_id: str, members: list[tuple[str, int, str]]) -> Talk:
    yield from find_coordinator(GROUP, group_id)
    members.append((group_id, -1, ""))


def _join(group_id: str, members: list[tuple[str, int, str]]) -> Talk:
    """Becomes the only member of a group of its own."""
    yield from find_coordinator(GROUP, group_id)
    joining = JoinGroupRequest(
        group_id=group_id,
        session_timeout_ms=45_000,
        rebalance_timeout_ms=60_000,
        protocol_type="consumer",
        protocols=[JoinGroupRequestProtocol(name="range", metadata=b"")],
    )
    joined = yield from exchange(joining, 3)
    while joined.error_code:
        yield 0.05
        joined = yield from exchange(joining, 3)
    mine = [SyncGroupRequestAssignment(member_id=joined.member_id, assignment=b"")]
    sync = SyncGroupRequest(
        group_id=group_id, generation_id=joined.generation_id, member_id=joined.member_id, assignments=mine
    )
    yield from until_done(sync, 3, lambda got: int(got.error_code))
    members.append((group_id, joined.generation_id, joined.member_id))


def _commits(group_id: str, generation_id: int, member_id: str, depth: int, partitions: int, rounds: int) -> Talk:
    positions = [
        OffsetCommitRequestPartition(partition_index=index, committed_offset=1_000_000) for index in range(partitions)
    ]
    request = OffsetCommitRequest(
        group_id=group_id,
        generation_id_or_member_epoch=generation_id,
        member_id=member_id,
        topics=[OffsetCommitRequestTopic(name="commits", partitions=positions)],
    )
    asked = [frame(request, VERSION)] * depth
    first = yield asked[:1]
    codes = {each.error_code for each in answer(REQUEST, VERSION, first[0]).topics[0].partitions}
    if codes != {0}:
        raise RuntimeError(f"a commit was answered with the errors {sorted(codes)}")
    for _ in range(rounds):
        got = yield asked
        if got[-1] != first[0]:
            raise RuntimeError("a commit was answered unlike the first one")


FIGURE = Commits()
