"""kafka-replica-verification: reads the same offsets from every replica and says where they differ or lag.

Goes on until it is interrupted, with a line every report interval. What is compared is the bytes of each batch but for
the leader epoch, as the replicas gave them.
"""

from __future__ import annotations

import asyncio
import re
import sys
import time
from typing import TYPE_CHECKING, NamedTuple

from tidelog.cli.flags import Command, Flag, Options
from tidelog.cli.kafka_get_offsets import parse_time
from tidelog.cli.reader import AS_APACHE, ends_with_its_reader
from tidelog.cli.tool import Failure, run_tool, to_stderr, with_admin

if TYPE_CHECKING:
    from tidelog.client.admin import Admin
    from tidelog.client.metadata import TopicView

COMMAND = Command(
    "kafka-replica-verification",
    "Validate that all replicas for a set of topics have the same data.",
    [
        Flag("broker-list", "REQUIRED: the brokers to begin with, as host:port,host:port", "servers"),
        Flag("bootstrap-server", "the same", "servers"),
        Flag("fetch-size", "the most bytes of one partition in one answer", "bytes", "1048576"),
        Flag("max-wait-ms", "how long a broker may wait for records", "ms", "1000"),
        Flag("topics-include", "a regular expression of the topics", "pattern", ".*"),
        Flag("time", "from where: milliseconds since 1970, -1 the end, -2 the beginning", "time", "-1"),
        Flag("report-interval-ms", "how often to report", "ms", "30000"),
        Flag("once", "stop after the first report; the exit code says whether the replicas agree"),
    ],
)
NUMBERS = ("fetch-size", "max-wait-ms", "report-interval-ms")
DEBUGGING = -2  # reads from any replica, and is nobody's follower
Key = tuple[str, int]


class Fetched(NamedTuple):
    high_watermark: int
    batches: dict[int, bytes]  # by base offset, without what each replica writes itself


class Verification:
    """The position of every partition, up to which all replicas agree."""

    def __init__(self, positions: dict[Key, int]) -> None:
        self.positions = positions
        self.max_lag, self.slowest, self.differs = 0, next(iter(positions), ("", 0)), False

    def compare(self, key: Key, replicas: dict[int, Fetched]) -> list[str]:
        """What to say of one partition; moves on behind the batches that all replicas have."""
        lines = []
        end = max(each.high_watermark for each in replicas.values())
        low = min(each.high_watermark for each in replicas.values())
        common = set.intersection(*(set(each.batches) for each in replicas.values()))
        first_id, first = next(iter(replicas.items()))
        for offset in sorted(common):
            for replica_id, other in replicas.items():
                if other.batches[offset] != first.batches[offset]:
                    self.differs = True
                    lines.append(
                        f"partition {key[0]}-{key[1]}: replica {replica_id}'s batch at offset {offset} doesn't match "
                        f"replica {first_id}'s"
                    )
            self.positions[key] = _next_offset(first.batches[offset], offset)
        if end - low >= self.max_lag:
            self.max_lag, self.slowest = end - low, key
        return lines


def _next_offset(batch: bytes, base_offset: int) -> int:
    # The last offset delta, which stands at 23 in a batch: what is kept lacks the first 8 bytes and 4 more before it.
    return base_offset + int.from_bytes(batch[11:15], "big") + 1


@ends_with_its_reader(AS_APACHE)
def main() -> int:
    return run_tool(COMMAND, run, to_stderr)


def run(options: Options) -> int:
    servers = options.all("broker-list", "bootstrap-server")
    if not servers:
        COMMAND.leave_with_help('Missing required argument "[broker-list]"')
    try:
        pattern = re.compile(options.text("topics-include"))
    except re.error:
        raise Failure(f"{options.text('topics-include')} is an invalid regex") from None
    begin = parse_time(options.text("time"))
    for name in NUMBERS:
        options.integer(name)

    async def work(admin: Admin) -> bool:
        return await verify(admin, pattern, begin, options)

    agrees = with_admin({"bootstrap.servers": servers[-1]}, work)
    return 0 if agrees else 1


async def verify(admin: Admin, pattern: re.Pattern[str], begin: int, options: Options) -> bool:
    from tidelog.client.list_offsets import list_offsets

    topics = {name: view for name, view in (await admin.topics.all()).items() if pattern.fullmatch(name)}
    wanted = {(name, each.partition): begin for name, view in topics.items() for each in view.partitions}
    if not wanted:
        raise Failure(f"No topic matches {pattern.pattern}; give --topics-include another expression.")
    found = await list_offsets(admin.cluster, wanted)
    verification = Verification({key: max(row.offset, 0) for key, row in found.items()})
    _say("verification process is started.")
    interval_s = int(options.text("report-interval-ms")) / 1000
    reported = time.monotonic()
    while True:
        verification.max_lag = 0
        moved = await _round(admin, topics, verification, options)
        if options.has("once") and not moved:
            _report(verification)
            return not verification.differs
        if time.monotonic() - reported >= interval_s:
            _report(verification)
            reported = time.monotonic()
        if not moved:
            await asyncio.sleep(min(1.0, interval_s))


async def _round(admin: Admin, topics: dict[str, TopicView], verification: Verification, options: Options) -> bool:
    before = dict(verification.positions)
    for name, view in topics.items():
        for partition in view.partitions:
            key = (name, partition.partition)
            replicas = {
                each: await _fetch(admin, each, view.topic_id, key, before[key], options) for each in partition.replicas
            }
            for line in verification.compare(key, replicas):
                _say(line)
    return before != verification.positions


async def _fetch(admin: Admin, node_id: int, topic_id: bytes, key: Key, offset: int, options: Options) -> Fetched:
    from tidelog.protocol.messages.fetch import FetchPartition, FetchRequest, FetchTopic, ReplicaState
    from tidelog.protocol.record_batch import iter_batches

    wanted = FetchPartition(partition=key[1], fetch_offset=offset, partition_max_bytes=int(options.text("fetch-size")))
    request = FetchRequest(
        replica_state=ReplicaState(replica_id=DEBUGGING),
        max_wait_ms=0,
        min_bytes=0,
        topics=[FetchTopic(topic_id=topic_id, topic=key[0], partitions=[wanted])],
    )
    answer = (await admin.cluster.ask(node_id, request)).responses[0].partitions[0]
    records = bytes(answer.records or b"")
    batches = {
        header.base_offset: records[position + 8 : position + 12] + records[position + 16 : position + header.size]
        for position, header in iter_batches(records)
        if header.base_offset >= offset
    }
    return Fetched(answer.high_watermark, batches)


def _report(verification: Verification) -> None:
    topic, partition = verification.slowest
    _say(
        f"max lag is {verification.max_lag} for partition {topic}-{partition} at offset "
        f"{verification.positions.get(verification.slowest, 0)} among {len(verification.positions)} partitions"
    )


def _say(line: str) -> None:
    now = time.time()
    stamp = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(now))
    print(f"{stamp},{int(now * 1000) % 1000:03d}: {line}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
