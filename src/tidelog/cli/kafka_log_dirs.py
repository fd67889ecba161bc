"""kafka-log-dirs: what the log directories of brokers hold, as one line of JSON."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from tidelog.cli.flags import Command, Flag, Options
from tidelog.cli.java_order import by_hash, hash_order, partition_hash
from tidelog.cli.reader import AS_APACHE, ends_with_its_reader
from tidelog.cli.tool import BOOTSTRAP, COMMAND_CONFIG, Failure, client_settings, run_tool, to_stderr, with_admin

if TYPE_CHECKING:
    from tidelog.client.admin import Admin

COMMAND = Command(
    "kafka-log-dirs",
    "Shows how much each partition takes in the log directories of brokers.",
    [
        BOOTSTRAP,
        COMMAND_CONFIG,
        Flag("describe", "describe the log directories"),
        Flag("topic-list", "only these topics, as topic1,topic2", "topics", ""),
        Flag("broker-list", "only these brokers, as 1,2,3", "ids", ""),
    ],
)


@ends_with_its_reader(AS_APACHE)
def main() -> int:
    return run_tool(COMMAND, run, to_stderr)


def run(options: Options) -> int:
    options.require("bootstrap-server", "describe")
    brokers = _broker_ids(options.text("broker-list"))
    topics = {topic for topic in options.text("topic-list").split(",") if topic}

    async def work(admin: Admin) -> None:
        await describe(admin, brokers, topics)

    with_admin(client_settings(options), work)
    return 0


def _broker_ids(text: str) -> list[int]:
    try:
        return [int(word) for word in text.split(",") if word]
    except ValueError:
        raise Failure(f"'{text}' is not a list of broker ids; write it as 1,2,3") from None


async def describe(admin: Admin, wanted: list[int], topics: set[str]) -> None:
    import json

    known = sorted(await admin.brokers.all())
    missing = sorted(set(wanted) - set(known))
    if missing:
        raise Failure(
            f"ERROR: The given brokers do not exist from --broker-list: {_ids(missing)}. "
            f"Current existent brokers: {_ids(known)}"
        )
    print("Querying brokers for log directories information")
    dirs = await admin.brokers.log_dirs(wanted or known)
    print(f"Received log directory information from brokers {_ids(sorted(dirs))}")
    brokers = [{"broker": broker, "logDirs": _log_dirs(dirs[broker], topics)} for broker in sorted(dirs)]
    print(json.dumps({"brokers": brokers, "version": 1}, separators=(",", ":"), ensure_ascii=False))


def _ids(ids: list[int]) -> str:
    return ",".join(map(str, ids))


def _log_dirs(results: list[Any], topics: set[str]) -> list[dict[str, Any]]:
    by_path = {result.log_dir: result for result in results}
    return [
        {
            "partitions": _partitions(by_path[path], topics),
            "error": _error(by_path[path].error_code),
            "logDir": path,
        }
        for path in hash_order(by_path)
    ]


def _error(code: int) -> str | None:
    from tidelog.cli.java_errors import java_class
    from tidelog.protocol.errors import ErrorCode

    return None if code == 0 else java_class(ErrorCode.of(code))


def _partitions(result: Any, topics: set[str]) -> list[dict[str, Any]]:
    rows = {
        f"{topic.name}-{row.partition_index}": (partition_hash(topic.name, row.partition_index), topic.name, row)
        for topic in result.topics
        for row in topic.partitions
    }
    # Apache filters one hash map into another, so the order is that of two.
    ordered = by_hash([(rows[name][0], name) for name in rows])
    ordered = by_hash([(rows[name][0], name) for name in ordered if not topics or rows[name][1] in topics])
    return [
        {
            "partition": name,
            "size": rows[name][2].partition_size,
            "offsetLag": rows[name][2].offset_lag,
            "isFuture": rows[name][2].is_future_key,
        }
        for name in ordered
    ]


if __name__ == "__main__":
    sys.exit(main())
