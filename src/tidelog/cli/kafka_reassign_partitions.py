"""kafka-reassign-partitions: move replicas between brokers and directories; generate, execute, verify, cancel, list."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from tidelog.cli.flags import Command, Flag, Options
from tidelog.cli.java_errors import java_error
from tidelog.cli.reader import AS_APACHE, ends_with_its_reader
from tidelog.cli.reassignment_plan import (
    ANY,
    Move,
    Replica,
    Target,
    TopicPartition,
    name_of,
    names_of,
    read_brokers,
    read_plan,
    read_topics,
    throttles,
    write_plan,
)
from tidelog.cli.tool import COMMAND_CONFIG, Failure, UsageError, client_settings, is_expected, run_tool, with_admin

if TYPE_CHECKING:
    from tidelog.client.admin import Admin

# What each action needs, and what else it may be given.
ACTIONS = {
    "generate": (("topics-to-move-json-file", "broker-list"), ("disable-rack-aware",)),
    "execute": (
        ("reassignment-json-file",),
        ("additional", "throttle", "replica-alter-log-dirs-throttle", "timeout", "disallow-replication-factor-change"),
    ),
    "verify": (("reassignment-json-file",), ("preserve-throttles", "timeout")),
    "cancel": (("reassignment-json-file",), ("bootstrap-controller", "preserve-throttles", "timeout")),
    "list": ((), ("bootstrap-controller",)),
}
ALWAYS = ("bootstrap-server", "command-config")
NUMBERS = ("throttle", "replica-alter-log-dirs-throttle", "timeout")
TOPIC_THROTTLES = ("leader.replication.throttled.replicas", "follower.replication.throttled.replicas")
BROKER_THROTTLES = ("leader.replication.throttled.rate", "follower.replication.throttled.rate")
LOG_DIR_THROTTLE = "replica.alter.log.dirs.io.max.bytes.per.second"
UNTHROTTLED = "-1"

COMMAND = Command(
    "kafka-reassign-partitions",
    "Moves replicas of partitions between brokers.",
    [
        Flag("bootstrap-server", "the brokers to connect to first, as HOST:PORT,...", "servers"),
        Flag("bootstrap-controller", "the controllers to connect to first", "servers"),
        COMMAND_CONFIG,
        Flag("generate", "print a plan that spreads topics over brokers, without doing it"),
        Flag("execute", "do what a plan says"),
        Flag("verify", "tell how far a plan is, and end its throttle when it is done"),
        Flag("cancel", "end the moves of a plan that are under way"),
        Flag("list", "the moves that are under way"),
        Flag("reassignment-json-file", "the plan", "file"),
        Flag("topics-to-move-json-file", "the topics of --generate", "file"),
        Flag("broker-list", "the brokers of --generate, as 1,2,3", "ids"),
        Flag("disable-rack-aware", "do not look at racks"),
        Flag("throttle", "bytes a second that a broker may move to others", "bytes", UNTHROTTLED),
        Flag("replica-alter-log-dirs-throttle", "bytes a second between directories", "bytes", UNTHROTTLED),
        Flag("timeout", "milliseconds to wait for log directories", "ms", "10000"),
        Flag("additional", "do it although other moves are under way"),
        Flag("preserve-throttles", "leave throttles as they are"),
        Flag("disallow-replication-factor-change", "refuse plans that change how many replicas there are"),
    ],
)


class Refused(Failure):
    """Told without the word that begins other errors."""


@ends_with_its_reader(AS_APACHE)
def main() -> int:
    return run_tool(COMMAND, run, lambda message: print(f"Error: {message}"))


def check(options: Options) -> str:
    """The one action, given with what belongs to it."""
    chosen = [each for each in ACTIONS if options.has(each)]
    if len(chosen) != 1:
        words = ", ".join(f"--{each}" for each in ACTIONS)
        raise UsageError(f"Command must include exactly one action: {words}")
    if not options.has("bootstrap-server") and not options.has("bootstrap-controller"):
        raise UsageError("Please specify either --bootstrap-server or --bootstrap-controller")
    if options.has("bootstrap-server") and options.has("bootstrap-controller"):
        raise UsageError("Please don't specify both --bootstrap-server and --bootstrap-controller")
    needed, allowed = ACTIONS[chosen[0]]
    options.require(*needed)
    for name in COMMAND.flags:
        if name not in (*chosen, *ALWAYS, *needed, *allowed) and options.has(name):
            raise UsageError(f'Option "[{name}]" can\'t be used with action "[{chosen[0]}]"')
    try:
        for name in NUMBERS:
            options.integer(name)
    except UsageError as error:
        raise Failure(str(error)) from None  # as every other mistake in what an option says
    return chosen[0]


def run(options: Options) -> int:
    action = check(options)
    settings = client_settings(options)
    if options.has("bootstrap-controller"):
        settings["bootstrap.controllers"] = options.text("bootstrap-controller")
    work = {"generate": generate, "execute": execute, "verify": verify, "cancel": cancel, "list": list_moves}

    async def act(admin: Admin) -> None:
        try:
            await work[action](admin, options)
        except Exception as error:
            raise _as_failure(error) from None

    try:
        with_admin(settings, act)
    except Refused as error:
        print(error)
        return 1
    return 0


def _as_failure(error: Exception) -> Exception:
    from tidelog.protocol.errors import KafkaError

    return Failure(java_error(error)) if isinstance(error, KafkaError) and is_expected(error) else error


# what is there


async def current_replicas(admin: Admin, keys: Iterable[TopicPartition]) -> dict[TopicPartition, tuple[int, ...]]:
    from tidelog.protocol.errors import ErrorCode, KafkaError

    wanted = list(keys)
    topics = await admin.topics.all()
    found = {}
    for topic, partition in wanted:
        view = topics.get(topic)
        if view is None:
            raise KafkaError(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, f"Topic {topic} not found.")
        each = next((each for each in view.partitions if each.partition == partition), None)
        if each is None:
            message = f"Unable to find partition: {topic}-{partition}"
            raise KafkaError(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, message)
        found[topic, partition] = tuple(each.replicas)
    return found


async def with_log_dirs(admin: Admin, current: Mapping[TopicPartition, Sequence[int]]) -> dict[TopicPartition, Target]:
    """Each replica with the directory that it lies in, as its broker says."""
    brokers = sorted({broker for replicas in current.values() for broker in replicas})
    alive = await admin.brokers.all()
    places: dict[tuple[int, str, int], str] = {}
    for broker, directories in (await admin.brokers.log_dirs([each for each in brokers if each in alive])).items():
        for directory in directories:
            for topic in directory.topics:
                for each in topic.partitions:
                    places[broker, topic.name, each.partition_index] = directory.log_dir
    return {
        key: Target(tuple(replicas), tuple(places.get((broker, *key), ANY) for broker in replicas))
        for key, replicas in current.items()
    }


# the five actions


async def generate(admin: Admin, options: Options) -> None:
    from tidelog.controller.placement import Candidate, place
    from tidelog.protocol.errors import ErrorCode, KafkaError

    names = read_topics(options.text("topics-to-move-json-file"))
    brokers = read_brokers(options.text("broker-list"))
    topics = await admin.topics.all()
    missing = next((each for each in names if each not in topics), None)
    if missing is not None:
        raise KafkaError(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, f"Topic {missing} not found.")
    racks = {each.node_id: each.rack for each in (await admin.brokers.all()).values()}
    brokers = [each for each in brokers if each in racks]
    if not brokers:
        raise Failure("All brokers are currently fenced, or have all their log directories cordoned.")
    use_racks = not options.has("disable-rack-aware") and all(racks.get(each) for each in brokers)
    candidates = [Candidate(each, racks.get(each) if use_racks else None, False) for each in sorted(brokers)]
    current: dict[TopicPartition, tuple[int, ...]] = {}
    proposed: dict[TopicPartition, Target] = {}
    for name in names:
        partitions = sorted(topics[name].partitions, key=lambda each: each.partition)
        factor = len(partitions[0].replicas)
        if factor > len(brokers):
            raise Failure(
                f"The target replication factor of {factor} cannot be reached because only {len(brokers)} broker(s) "
                "are registered or some brokers have all their log directories cordoned."
            )
        for each, replicas in zip(partitions, place(candidates, len(partitions), factor, 0)):
            current[name, each.partition] = tuple(each.replicas)
            proposed[name, each.partition] = Target(tuple(replicas), (ANY,) * len(replicas))
    print(f"Current partition replica assignment\n{write_plan(await with_log_dirs(admin, current))}\n")
    print(f"Proposed partition reassignment configuration\n{write_plan(proposed)}")


async def execute(admin: Admin, options: Options) -> None:
    from tidelog.cli import log_dir_moves

    plan = read_plan(options.text("reassignment-json-file"))
    if not plan:
        raise Failure("Partition reassignment list cannot be empty")
    moving = await admin.partitions.reassignments()
    if moving and not options.has("additional"):
        raise Refused(
            "Cannot execute because there is an existing partition assignment.  Use --additional to override this and "
            "create a new partition assignment in addition to the existing one. The --additional flag can also be "
            "used to change the throttle by resubmitting the current reassignment."
        )
    alive = await admin.brokers.all()
    unknown = sorted({each for target in plan.values() for each in target.replicas if each not in alive})
    if unknown:
        raise Failure(f"Unknown broker id {unknown[0]}")
    current = await current_replicas(admin, plan)
    print(f"Current partition replica assignment\n\n{write_plan(await with_log_dirs(admin, current))}\n")
    print("Save this to use as the --reassignment-json-file option during rollback")
    moves = log_dir_moves.wanted(plan)
    await _throttle(admin, options, _between_brokers(moving, current, plan), moves)
    if moves:  # a replica that is about to be made is made there
        await log_dir_moves.ask(admin, moves)
    outcome = await admin.partitions.reassign({key: target.replicas for key, target in plan.items()})
    failed = {key: error for key, error in outcome.items() if error is not None}
    if failed:
        lines = "\n".join(f"{name_of(key)}: {error.message}" for key, error in sorted(failed.items()))
        raise Refused(f"Error reassigning partition(s):\n{lines}")
    plural = "s" if len(plan) > 1 else ""
    print(f"Successfully started partition reassignment{plural} for {names_of(sorted(plan))}")
    if moves:
        await log_dir_moves.start(admin, moves, options.integer("timeout") or 0)


def _between_brokers(
    moving: Mapping[TopicPartition, Any],
    current: Mapping[TopicPartition, Sequence[int]],
    plan: Mapping[TopicPartition, Target],
) -> dict[TopicPartition, Move]:
    """The moves that are under way, and those of the plan in their place."""
    found = {}
    for key, each in moving.items():
        sources = tuple(replica for replica in each.replicas if replica not in each.adding_replicas)
        found[key] = Move(sources, tuple(each.adding_replicas))
    for key, target in plan.items():
        sources = found[key].sources if key in found else tuple(current[key])
        found[key] = Move(sources, tuple(each for each in target.replicas if each not in sources))
    return found


async def _throttle(
    admin: Admin, options: Options, between: Mapping[TopicPartition, Move], moves: Mapping[Replica, str]
) -> None:
    rate, local_rate = options.integer("throttle"), options.integer("replica-alter-log-dirs-throttle")
    if max(rate or -1, local_rate or -1) < 0:
        return
    print(
        "Warning: You must run --verify periodically, until the reassignment completes, to ensure the throttle is "
        "removed."
    )
    if rate is not None and rate >= 0:
        await _throttle_brokers(admin, rate, between)
    if local_rate is not None and local_rate >= 0:
        for broker in sorted({each.broker for each in moves}):
            await _set(admin, broker, {LOG_DIR_THROTTLE: str(local_rate)})
        print(f"The replica-alter-dir throttle limit was set to {local_rate} B/s")


async def _throttle_brokers(admin: Admin, rate: int, between: Mapping[TopicPartition, Move]) -> None:
    wanted = throttles(between)
    brokers = sorted({each for move in between.values() for each in (*move.sources, *move.destinations)})
    for topic in sorted({*wanted.leaders, *wanted.followers}):
        values = (wanted.leaders.get(topic), wanted.followers.get(topic))
        await _set(admin, topic, {name: text for name, text in zip(TOPIC_THROTTLES, values) if text})
    for broker in brokers:
        await _set(admin, broker, dict.fromkeys(BROKER_THROTTLES, str(rate)))
    print(f"The inter-broker throttle limit was set to {rate} B/s")


async def verify(admin: Admin, options: Options) -> None:
    from tidelog.cli import log_dir_moves

    plan = read_plan(options.text("reassignment-json-file"))
    moving = await admin.partitions.reassignments()
    topics = await admin.topics.all()
    print("Status of partition reassignment:")
    under_way = False
    for key in sorted(plan):
        view = topics.get(key[0])
        found = next((each for each in view.partitions if each.partition == key[1]), None) if view else None
        wanted = plan[key].replicas
        if key in moving:
            under_way = True
            print(f"Reassignment of partition {name_of(key)} is still in progress.")
        elif found is not None and tuple(found.replicas) == wanted:
            print(f"Reassignment of partition {name_of(key)} is completed.")
        else:
            replicas = ",".join(map(str, found.replicas if found else ()))
            print(
                f"There is no active reassignment of partition {name_of(key)}, but replica set is {replicas} rather "
                f"than {','.join(map(str, wanted))}."
            )
    moves = log_dir_moves.wanted(plan)
    states = await log_dir_moves.states(admin, moves)
    print("\n".join(states[each].sentence(each, moves[each]) for each in sorted(moves)))
    under_way = under_way or any(each.is_active for each in states.values())
    if not under_way and not options.has("preserve-throttles"):
        await clear_throttles(admin, plan)


async def cancel(admin: Admin, options: Options) -> None:
    from tidelog.cli import log_dir_moves

    plan = read_plan(options.text("reassignment-json-file"))
    moving = await admin.partitions.reassignments()
    chosen = [key for key in sorted(plan) if key in moving]
    if chosen:
        outcome = await admin.partitions.reassign(dict.fromkeys(chosen))
        failed = {key: error for key, error in outcome.items() if error is not None}
        if failed:
            lines = "\n".join(f"{name_of(key)}: {error.message}" for key, error in sorted(failed.items()))
            raise Refused(f"Error cancelling partition reassignment(s) for:\n{lines}")
        plural = "s" if len(chosen) > 1 else ""
        print(f"Successfully cancelled partition reassignment{plural} for: {names_of(chosen)}")
    else:
        print("None of the specified partition reassignments are active.")
    states = await log_dir_moves.states(admin, log_dir_moves.wanted(plan))
    active = {each: state.current for each, state in states.items() if state.is_active and state.current is not None}
    if active:
        await log_dir_moves.start(admin, active, options.integer("timeout") or 0)
    else:
        print("None of the specified partition moves are active.", end="")
    if not options.has("preserve-throttles"):
        await clear_throttles(admin, plan)


async def list_moves(admin: Admin, options: Options) -> None:
    moving = await admin.partitions.reassignments()
    if not moving:
        print("No partition reassignments found.")
        return
    print("Current partition reassignments:")
    for key in sorted(moving):
        each = moving[key]
        adding = f" adding: {','.join(map(str, each.adding_replicas))}." if each.adding_replicas else ""
        removing = f" removing: {','.join(map(str, each.removing_replicas))}." if each.removing_replicas else ""
        print(f"{name_of(key)}: replicas: {','.join(map(str, each.replicas))}.{adding}{removing}")


# throttles


async def clear_throttles(admin: Admin, plan: Mapping[TopicPartition, Target]) -> None:
    brokers = sorted({*await admin.brokers.all(), *(each for target in plan.values() for each in target.replicas)})
    topics = sorted({topic for topic, _ in plan})
    print(f"Clearing broker-level throttles on broker{_s(brokers)} {','.join(map(str, brokers))}")
    alive = await admin.brokers.all()
    for broker in brokers:
        if broker in alive:
            await _set(admin, broker, dict.fromkeys((*BROKER_THROTTLES, LOG_DIR_THROTTLE)))
    known = await admin.topics.all()
    print(f"Clearing topic-level throttles on topic{_s(topics)} {','.join(topics)}")
    for topic in topics:
        if topic in known:
            await _set(admin, topic, dict.fromkeys(TOPIC_THROTTLES))


def _s(found: Sequence[object]) -> str:
    return "" if len(found) == 1 else "s"


async def _set(admin: Admin, resource: str | int, values: Mapping[str, str | None]) -> None:
    """Of a topic by its name, or a broker by its number; None takes a setting back."""
    from tidelog.client.admin_configs import ResourceType

    kind = ResourceType.TOPIC if isinstance(resource, str) else ResourceType.BROKER
    change = {name: text for name, text in values.items() if text is not None}
    await admin.configs.alter(kind, str(resource), change, [name for name in values if name not in change])


if __name__ == "__main__":
    sys.exit(main())
