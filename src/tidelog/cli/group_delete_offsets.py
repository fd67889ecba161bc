"""`kafka-consumer-groups --delete-offsets`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tidelog.cli.group_reset import TopicPartition, all_of, parsed
from tidelog.cli.tool import Failure

if TYPE_CHECKING:
    from tidelog.client.admin import Admin


async def delete_offsets(admin: Admin, groups: list[str], topics: list[str]) -> None:
    from tidelog.cli.java_errors import java_error
    from tidelog.client.errors import UnknownTopic
    from tidelog.protocol.errors import ErrorCode, KafkaError

    if len(groups) > 1:
        raise Failure("offsets are deleted of one group at a time; name one with --group")
    (group,) = groups
    rows: dict[TopicPartition, str] = {}
    wanted: list[TopicPartition] = []
    for text in topics:
        named = parsed(text)
        try:
            if named is None:
                wanted += all_of(await admin.cluster.topic(text))
            else:
                wanted += [(named[0], index) for index in named[1]]
        except UnknownTopic:
            rows[(text, -1)] = f"Error: {java_error(KafkaError(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION))}"
        except KafkaError as refusal:
            rows[(text, -1)] = f"Error: {java_error(refusal)}"
    wanted = list(dict.fromkeys(wanted))
    head = f"Request succeeded for deleting offsets from group {group}."
    try:
        results = await admin.groups.delete_offsets(group, wanted)
        failed = [error for error in results.values() if error]
        if failed:
            head = "\nError: Encountered some partition-level error, see the follow-up details."
    except KafkaError as refusal:
        results = dict.fromkeys(wanted, refusal)
        head = f"\nError: {refusal.message}"
    for key, error in results.items():
        rows[key] = f"Error: {java_error(error)}" if error else "Successful"
    print(head)
    width = max([15, *(len(topic) for topic, _ in rows)])
    print(f"\n{'TOPIC':<{width}} {'PARTITION':<10} {'STATUS':<15}")
    for topic, partition in sorted(rows):
        print(f"{topic:<{width}} {partition if partition >= 0 else '-':<10} {rows[(topic, partition)]:<15}")
