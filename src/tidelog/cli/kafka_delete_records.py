"""kafka-delete-records: cut partitions from the front, up to the offsets of a JSON file."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from tidelog.cli.flags import Command, Flag, Options
from tidelog.cli.java_order import by_hash, partition_hash
from tidelog.cli.reader import AS_APACHE, ends_with_its_reader
from tidelog.cli.tool import BOOTSTRAP, COMMAND_CONFIG, Failure, client_settings, run_tool, to_stderr, with_admin

if TYPE_CHECKING:
    from tidelog.client.admin import Admin

COMMAND = Command(
    "kafka-delete-records",
    "Deletes the records of partitions that are older than given offsets.",
    [
        BOOTSTRAP,
        COMMAND_CONFIG,
        Flag(
            "offset-json-file",
            'a JSON file as {"partitions": [{"topic": "t", "partition": 0, "offset": 42}], "version": 1}; '
            "offset -1 deletes everything",
            "file",
        ),
    ],
)


@ends_with_its_reader(AS_APACHE)
def main() -> int:
    return run_tool(COMMAND, run, to_stderr)


def run(options: Options) -> int:
    options.require("bootstrap-server", "offset-json-file")
    wanted = read_offsets(options.text("offset-json-file"))

    async def work(admin: Admin) -> None:
        await delete(admin, wanted)

    with_admin(client_settings(options), work)
    return 0


def read_offsets(path: str) -> dict[tuple[str, int], int]:
    import json
    from pathlib import Path

    try:
        content = json.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise Failure(f"Unable to read file {path}: {(error.strerror or '').lower()}") from None
    except ValueError:
        raise Failure("The input string is not a valid JSON") from None
    if not isinstance(content, dict) or content.get("version", 1) != 1:
        raise Failure(f'{path} must be a JSON object with "version": 1 and a list "partitions"')
    try:
        rows = [(str(row["topic"]), int(row["partition"]), int(row["offset"])) for row in content["partitions"]]
    except (KeyError, TypeError, ValueError):
        raise Failure(f"Each partition in {path} needs a topic, a partition and an offset") from None
    found: dict[tuple[str, int], int] = {}
    repeated = []
    for topic, partition, offset in rows:
        if (topic, partition) in found:
            repeated.append(f"{topic}-{partition}")
        found[(topic, partition)] = offset
    if repeated:
        raise Failure(f"Offset json file contains duplicate topic partitions: {','.join(repeated)}")
    return found


async def delete(admin: Admin, wanted: dict[tuple[str, int], int]) -> None:
    from tidelog.protocol.errors import KafkaError

    print("Executing records delete operation")
    results = {
        f"{topic}-{partition}": row for (topic, partition), row in (await admin.topics.delete_records(wanted)).items()
    }
    print("Records delete operation completed:")
    for name in by_hash([(partition_hash(*key), f"{key[0]}-{key[1]}") for key in wanted]):
        row = results[name]
        if isinstance(row, KafkaError):
            print(f"partition: {name}\terror: {row.code.name}: {row.message}")
        else:
            print(f"partition: {name}\tlow_watermark: {row}")


if __name__ == "__main__":
    sys.exit(main())
