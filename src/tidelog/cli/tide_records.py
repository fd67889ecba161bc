"""`tide topic produce` and `tide topic consume`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tidelog.cli import tide
from tidelog.cli.tool import UsageError, pairs

if TYPE_CHECKING:
    from tidelog.client.consumer import Consumer
    from tidelog.client.fetched import ConsumerRecord


async def produce(args: argparse.Namespace) -> None:
    from tidelog.cli.kafka_console_producer import read_lines
    from tidelog.client.producer import Producer

    headers = [(name, value.encode()) for name, value in pairs(args.header, what="header").items()]
    settings = tide.settings(args) | {"compression.type": args.compression}
    count = 0
    deliveries = []
    async with Producer(settings) as producer:
        async for lines in read_lines():
            for line in lines:
                key, value = _key_and_value(args, line)
                deliveries.append(
                    await producer.send(args.topic, value, key=key, partition=args.partition, headers=headers)
                )
            count += len(lines)
            deliveries = deliveries[-1000:]
        await producer.flush()
        for delivery in deliveries:
            last = await delivery
    if count:
        print(f"{count} sent, the last to {last.topic}-{last.partition} at offset {last.offset}", file=sys.stderr)


def _key_and_value(args: argparse.Namespace, line: bytes) -> tuple[bytes | None, bytes]:
    if args.key_separator is None:
        return (None if args.key is None else args.key.encode()), line
    key, mark, value = line.partition(args.key_separator.encode())
    if not mark:
        raise UsageError(f"a line has no '{args.key_separator}': {line.decode(errors='replace')}")
    return key, value


async def consume(args: argparse.Namespace) -> None:
    from tidelog.client.consumer import Consumer

    settings = tide.settings(args) | {"auto.offset.reset": "earliest"}
    if args.read_committed:
        settings["isolation.level"] = "read_committed"
    async with Consumer(settings) as consumer:
        view = await consumer.cluster.topic(args.topic)
        wanted = args.partition if args.partition is not None else [each.partition for each in view.partitions]
        keys = [(args.topic, partition) for partition in wanted]
        consumer.assign(keys)
        await _place(consumer, args.offset)
        ends = await consumer.end_offsets(keys) if args.exit else None
        await _print(consumer, writer(args), args.num, ends)


async def _place(consumer: Consumer, where: str) -> None:
    if where in {"start", "beginning", "earliest"}:
        consumer.seek_to_beginning()
    elif where in {"end", "latest"}:
        consumer.seek_to_end()
    elif where.startswith("@") and where[1:].isdigit():
        consumer.seek_to_timestamp(int(where[1:]))
    elif where.lstrip("-+").isdigit():
        number = int(where)
        ends = await consumer.end_offsets(consumer.assignment) if number < 0 else {}
        starts = await consumer.beginning_offsets(consumer.assignment)
        for key in consumer.assignment:
            consumer.seek(key, max(starts[key], ends[key] + number) if number < 0 else number)
    else:
        raise UsageError(f"'{where}' is not an offset; write start, end, a number, -N from the end, or @milliseconds")


async def _print(
    consumer: Consumer, write: Callable[[ConsumerRecord], None], limit: int | None, ends: dict[Any, int] | None
) -> None:
    count = 0
    while limit is None or count < limit:
        if ends is not None:
            places = {key: await consumer.position(key) for key in consumer.assignment}
            if all(places[key] >= end for key, end in ends.items()):
                return
        left = 500 if limit is None else min(500, limit - count)
        for record in await consumer.poll(timeout_s=0.5, max_records=left):
            if ends is None or record.offset < ends[(record.topic, record.partition)]:
                write(record)
                count += 1
        sys.stdout.flush()


def writer(args: argparse.Namespace) -> Callable[[ConsumerRecord], None]:
    if args.format is not None:
        layout = args.format.encode().decode("unicode_escape")
        return lambda record: _write_layout(record, layout)
    if args.output == "json":
        import json

        return lambda record: print(json.dumps(_row(record), ensure_ascii=False))
    return _write_table


def _text(data: bytes | None) -> str:
    return "" if data is None else data.decode("utf-8", "replace")


def _row(record: ConsumerRecord) -> dict[str, Any]:
    return {
        "topic": record.topic,
        "partition": record.partition,
        "offset": record.offset,
        "timestamp": record.timestamp,
        "key": None if record.key is None else _text(record.key),
        "value": None if record.value is None else _text(record.value),
        "headers": [{"key": name, "value": None if value is None else _text(value)} for name, value in record.headers],
    }


def _write_table(record: ConsumerRecord) -> None:
    key = "-" if record.key is None else _text(record.key)
    value = "-" if record.value is None else _text(record.value)
    print(f"{record.partition}\t{record.offset}\t{record.timestamp}\t{key}\t{value}")


def _write_layout(record: ConsumerRecord, layout: str) -> None:
    """Percent codes: %t topic, %p partition, %o offset, %e leader epoch, %d time, %k key, %v value, %h headers."""
    out = bytearray()
    position = 0
    while position < len(layout):
        char = layout[position]
        position += 1
        if char != "%" or position == len(layout):
            out += char.encode()
            continue
        out += _percent(record, layout[position])
        position += 1
    sys.stdout.buffer.write(out)


def _percent(record: ConsumerRecord, code: str) -> bytes:
    if code == "k":
        return record.key or b""
    if code in "vs":
        return record.value or b""
    if code == "h":
        return b",".join([name.encode() + b"=" + (value or b"") for name, value in record.headers])
    fixed = {
        "t": record.topic,
        "p": record.partition,
        "o": record.offset,
        "e": record.leader_epoch,
        "d": record.timestamp,
        "T": record.timestamp,
        "K": len(record.key) if record.key is not None else -1,
        "V": len(record.value) if record.value is not None else -1,
        "S": len(record.value) if record.value is not None else -1,
        "%": "%",
    }
    if code not in fixed:
        raise UsageError(f"%{code} is not known in --format; use %t %p %o %e %d %k %v %h %K %V %%")
    return str(fixed[code]).encode()
