"""Moves of replicas between log directories of their brokers, as kafka-reassign-partitions asks for and shows them."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from tidelog.cli.reassignment_plan import ANY, Replica, Target, TopicPartition
from tidelog.cli.tool import Failure

if TYPE_CHECKING:
    from tidelog.client.admin import Admin

RETRY_S = 0.2


class State(NamedTuple):
    """Where a replica lies, and where a copy of it is made."""

    current: str | None
    future: str | None

    @property
    def is_active(self) -> bool:
        return self.future is not None

    def sentence(self, replica: Replica, wanted: str) -> str:
        name = f"{replica.topic}-{replica.partition}"
        if self.current is None and self.future is None:
            return f"Partition {name} cannot be found in any live log directory on broker {replica.broker}."
        if self.current == wanted and self.future is None:
            return f"Reassignment of replica {replica} completed successfully."
        if self.future == wanted:
            return f"Reassignment of replica {replica} is still in progress."
        if self.future is not None:
            return (
                f"Partition {name} on broker {replica.broker} is being moved to log dir {self.future} instead of "
                f"{wanted}."
            )
        return (
            f"Partition {name} on broker {replica.broker} is not being moved from log dir {self.current} to {wanted}."
        )


def wanted(plan: Mapping[TopicPartition, Target]) -> dict[Replica, str]:
    """The replicas of the plan that should lie in a directory of its choice."""
    return {
        Replica(*key, broker): path
        for key, target in plan.items()
        for broker, path in zip(target.replicas, target.log_dirs)
        if path != ANY
    }


async def states(admin: Admin, replicas: Iterable[Replica]) -> dict[Replica, State]:
    wanted_replicas = list(replicas)
    alive = await admin.brokers.all()
    brokers = sorted({each.broker for each in wanted_replicas if each.broker in alive})
    found = {each: State(None, None) for each in wanted_replicas}
    for broker, directories in (await admin.brokers.log_dirs(brokers)).items():
        for directory in directories:
            for topic in directory.topics:
                for row in topic.partitions:
                    replica = Replica(topic.name, row.partition_index, broker)
                    if replica in found and row.is_future_key:
                        found[replica] = found[replica]._replace(future=directory.log_dir)
                    elif replica in found:
                        found[replica] = found[replica]._replace(current=directory.log_dir)
    return found


async def ask(admin: Admin, moves: Mapping[Replica, str]) -> dict[Replica, int]:
    """Has each broker begin its moves; gives the errors of those that it did not begin."""
    failed: dict[Replica, int] = {}
    for broker in sorted({each.broker for each in moves}):
        own = {(each.topic, each.partition): path for each, path in moves.items() if each.broker == broker}
        for key, code in (await admin.brokers.alter_log_dirs(broker, own)).items():
            if code:
                failed[Replica(*key, broker)] = code
    return failed


async def start(admin: Admin, moves: Mapping[Replica, str], timeout_ms: int) -> None:
    """Until all have begun; a replica that is not there yet is waited for. Failure for the first that cannot."""
    from tidelog.protocol.errors import ErrorCode

    left, loop = dict(moves), asyncio.get_running_loop()
    deadline = loop.time() + timeout_ms / 1000
    while left:
        failed = await ask(admin, left)
        for each in sorted(each for each in left if each not in failed):
            print(
                f"Successfully started moving log directory to {left.pop(each)} for replica "
                f"{each.topic}-{each.partition} with broker {each.broker} "
            )
        final = [each for each in sorted(failed) if failed[each] != ErrorCode.REPLICA_NOT_AVAILABLE]
        if final:
            raise Failure(f"Failed to alter dir for {final[0]}")
        if left and loop.time() >= deadline:
            plural = "s" if len(left) > 1 else ""
            names = ",".join(str(each) for each in sorted(left))
            raise Failure(f"Timed out before log directory move{plural} could be started for: {names}")
        if left:
            await asyncio.sleep(RETRY_S)
