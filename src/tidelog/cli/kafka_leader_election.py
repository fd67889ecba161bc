"""kafka-leader-election: the preferred leader, or any replica where nobody else can lead."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from tidelog.cli.flags import Command, Flag, Options
from tidelog.cli.java_errors import java_error
from tidelog.cli.java_order import by_hash, partition_hash
from tidelog.cli.reader import AS_APACHE, ends_with_its_reader
from tidelog.cli.tool import COMMAND_CONFIG, Failure, UsageError, client_settings, run_tool, to_stderr, with_admin

if TYPE_CHECKING:
    from tidelog.client.admin import Admin

TopicPartition = tuple[str, int]
TYPES = {"PREFERRED": 0, "UNCLEAN": 1}
SCOPES = ("topic", "all-topic-partitions", "path-to-json-file")

COMMAND = Command(
    "kafka-leader-election",
    "Elects leaders for partitions: the first replica, or any replica when no other can lead.",
    [
        Flag("bootstrap-server", "the brokers to connect to first, as HOST:PORT,...", "servers"),
        COMMAND_CONFIG,
        Flag("admin.config", "the older name of --command-config", "file"),
        Flag("election-type", "preferred, or unclean (which may lose records)", "type"),
        Flag("topic", "the topic of the one partition; needs --partition", "topic"),
        Flag("partition", "the partition of --topic", "partition"),
        Flag("all-topic-partitions", "every partition that needs it"),
        Flag("path-to-json-file", 'a file as {"partitions": [{"topic": "t", "partition": 0}]}', "file"),
    ],
)


@ends_with_its_reader(AS_APACHE)
def main() -> int:
    return run_tool(COMMAND, run, to_stderr)


def run(options: Options) -> int:
    wanted = check(options)
    kind = options.text("election-type").upper()

    async def work(admin: Admin) -> None:
        await elect(admin, kind, wanted)

    with_admin(client_settings(options, "admin.config"), work)
    return 0


def check(options: Options) -> list[TopicPartition] | None:
    """The partitions; None for all of them."""
    for name in ("bootstrap-server", "election-type"):
        if not options.has(name):
            raise Failure(f"Missing required option(s): {name}")
    if sum(map(options.has, SCOPES)) != 1:
        raise Failure(f"One and only one of the following options is required: {', '.join(SCOPES)}")
    if options.has("topic") and not options.has("partition"):
        raise Failure("Missing required option(s): partition")
    if options.has("partition") and not options.has("topic"):
        raise Failure("Option partition is only allowed if topic is used")
    kind = options.text("election-type")
    if kind.upper() not in TYPES:
        raise UsageError(f"Cannot parse argument '{kind}' of option election-type")
    if options.has("all-topic-partitions"):
        return None
    if options.has("path-to-json-file"):
        return read_partitions(options.text("path-to-json-file"))
    partition = options.integer("partition")
    assert partition is not None
    return [(options.text("topic"), partition)]


def read_partitions(path: str) -> list[TopicPartition]:
    import json
    from pathlib import Path

    try:
        content = json.loads(Path(path).read_text(encoding="utf-8"))
    except OSError:
        raise Failure(f"Unable to read file {path}") from None
    except ValueError:
        raise Failure("Replica election data is empty") from None
    if not isinstance(content, dict) or not isinstance(content.get("partitions"), list):
        raise Failure('Replica election data is missing "partitions" field')
    try:
        found = [(str(each["topic"]), int(each["partition"])) for each in content["partitions"]]
    except (ValueError, KeyError, TypeError):
        raise Failure(f"Each of the partitions in {path} needs a topic and a partition") from None
    doubled = dict.fromkeys(each for each in found if found.count(each) > 1)
    if doubled:
        names = ", ".join(f"{topic}-{partition}" for topic, partition in doubled)
        raise Failure(f"Replica election data contains duplicate partitions: [{names}]")
    return found


async def elect(admin: Admin, kind: str, wanted: list[TopicPartition] | None) -> None:
    from tidelog.protocol.errors import ErrorCode, KafkaError

    outcome = await admin.partitions.elect_leaders(TYPES[kind], wanted)
    done = [each for each, error in outcome.items() if error is None]
    needless = [each for each, error in outcome.items() if error and error.code is ErrorCode.ELECTION_NOT_NEEDED]
    failed: dict[TopicPartition, KafkaError] = {
        each: error for each, error in outcome.items() if error and error.code is not ErrorCode.ELECTION_NOT_NEEDED
    }
    if done:
        print(f"Successfully completed leader election ({kind}) for partitions {names_of(done)}")
    if needless:
        print(f"Valid replica already elected for partitions {names_of(needless)}")
    if failed:
        for (topic, partition), error in failed.items():
            print(f"Error completing leader election ({kind}) for partition: {topic}-{partition}: {java_error(error)}")
        raise Failure(f"{len(failed)} replica(s) could not be elected")


def names_of(partitions: list[TopicPartition]) -> str:
    return ", ".join(by_hash([(partition_hash(*each), f"{each[0]}-{each[1]}") for each in partitions]))


if __name__ == "__main__":
    sys.exit(main())
