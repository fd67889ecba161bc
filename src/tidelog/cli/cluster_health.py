"""`tide cluster health`, `quorum` and `elect`: what is wrong and what to do next, who votes, and giving leads back."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from tidelog.cli.render import show
from tidelog.cli.tide import NotFound
from tidelog.cli.tool import Failure

if TYPE_CHECKING:
    from tidelog.client.admin import Admin
    from tidelog.client.metadata import PartitionView, TopicView

PREFERRED = 0
NAMED_MAX = 5  # more partitions of one topic are counted, not named
Row = dict[str, Any]


async def health(admin: Admin, args: argparse.Namespace) -> int:
    """Exit code 1 when anything is wrong."""
    cluster = await admin.brokers.describe_cluster(fenced=True)
    topics = await admin.topics.all()
    alive = sorted(each.broker_id for each in cluster.brokers if not each.is_fenced)
    rows = [
        _row(f"broker {each.broker_id}", "is fenced: it is down or not heard of", f"start broker {each.broker_id}")
        for each in cluster.brokers
        if each.is_fenced
    ]
    rows += partition_problems(topics)
    for broker, directories in (await admin.brokers.log_dirs(alive)).items():
        rows += [
            _row(f"{each.log_dir} of broker {broker}", "has failed", "repair the disk and start the broker again")
            for each in directories
            if each.error_code
        ]
    if not rows and args.output in ("table", "wide"):
        count = sum(len(view.partitions) for view in topics.values())
        print(f"healthy: {len(alive)} brokers, {count} partitions, every replica in sync")
    else:
        show(rows, args.output, ("what", "problem", "next"))
    return 1 if rows else 0


def partition_problems(topics: Mapping[str, TopicView]) -> Iterator[Row]:
    """Of each topic, in the order of names; a partition without a leader is not told of a second time."""
    kinds: tuple[tuple[Callable[[PartitionView], bool], str, str], ...] = (
        (lambda each: each.leader_id < 0, "no leader", "start a broker that was in sync: tide topic describe {topic}"),
        (
            lambda each: each.leader_id >= 0 and len(each.isr) < len(each.replicas),
            "replicas that are not in sync",
            "start the brokers that are missing, or wait until they have caught up",
        ),
    )
    for topic in sorted(topics):
        for is_wrong, problem, then in kinds:
            found = sorted(each.partition for each in topics[topic].partitions if is_wrong(each))
            if found:
                word, verb = ("partitions", "have") if len(found) > 1 else ("partition", "has")
                named = f"{word} {', '.join(map(str, found))}" if len(found) <= NAMED_MAX else f"{len(found)} {word}"
                yield _row(f"{named} of {topic}", f"{verb} {problem}", then.format(topic=topic))


def _row(what: str, problem: str, then: str) -> Row:
    return {"what": what, "problem": problem, "next": then}


async def quorum(admin: Admin, args: argparse.Namespace) -> None:
    partition = await admin.brokers.quorum()
    if partition.leader_id < 0:
        raise Failure("No controller leads the quorum; a majority of the controllers must run: start more of them")
    end = max(each.log_end_offset for each in partition.current_voters)
    rows = [
        {
            "id": each.replica_id,
            "role": "leader" if each.replica_id == partition.leader_id else kind,
            "epoch": partition.leader_epoch,
            "log_end": each.log_end_offset,
            "lag": end - each.log_end_offset,
            "last_fetch_ms": each.last_fetch_timestamp,
        }
        for kind, members in (("follower", partition.current_voters), ("observer", partition.observers))
        for each in members
    ]
    show(rows, args.output, ("id", "role", "epoch", "log_end", "lag"), ("last_fetch_ms",))


async def elect(admin: Admin, args: argparse.Namespace) -> int:
    """Gives leads back to first replicas; exit code 1 when one could not be given."""
    wanted = None
    if args.topic is not None:
        view = (await admin.topics.all()).get(args.topic)
        if view is None:
            raise NotFound(f"there is no topic {args.topic}; tide topic list shows those there are")
        wanted = [(args.topic, each.partition) for each in view.partitions]
    outcome = await admin.partitions.elect_leaders(PREFERRED, wanted)
    rows = [_elected(*key, error) for key, error in sorted(outcome.items())]
    if not rows and args.output in ("table", "wide"):
        print("every partition is led by its first replica, or by none that could take its place")
    else:
        show(rows, args.output, ("topic", "partition", "outcome"))
    return 1 if any(each["failed"] for each in rows) else 0


def _elected(topic: str, partition: int, error: Any) -> Row:
    from tidelog.protocol.errors import ErrorCode

    needless = error is not None and error.code is ErrorCode.ELECTION_NOT_NEEDED
    outcome = "elected" if error is None else "was led by it already" if needless else error.message
    return {"topic": topic, "partition": partition, "outcome": outcome, "failed": error is not None and not needless}
