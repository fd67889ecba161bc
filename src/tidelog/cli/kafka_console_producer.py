"""kafka-console-producer: standard input to a topic, a record a line."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING

from tidelog.cli.flags import Command, Flag, Options
from tidelog.cli.line_reader import LineReader, LineSplitter
from tidelog.cli.reader import AS_APACHE, ends_with_its_reader
from tidelog.cli.tool import BOOTSTRAP, COMMAND_CONFIG, client_settings, pairs, run_async, run_tool, to_stderr

if TYPE_CHECKING:
    from tidelog.client.producer import Producer, RecordMetadata

COMMAND = Command(
    "kafka-console-producer",
    "Reads lines from standard input and sends each as a record.",
    [
        BOOTSTRAP,
        Flag("broker-list", "the older name of --bootstrap-server", "servers"),
        COMMAND_CONFIG,
        Flag("topic", "the topic to send to", "topic"),
        Flag("producer.config", "the older name of --command-config", "file"),
        Flag("command-property", "a producer setting; may be repeated", "name=value"),
        Flag("producer-property", "the older name of --command-property", "name=value"),
        Flag(
            "reader-property",
            "how lines are read: parse.key, key.separator (\\t), parse.headers, headers.delimiter (\\t), "
            "headers.separator (,), headers.key.separator (:), null.marker, ignore.error; may be repeated",
            "name=value",
        ),
        Flag("property", "the older name of --reader-property", "name=value"),
        Flag("reader-config", "a properties file for the reader", "file"),
        Flag("line-reader", "accepted; lines are the only kind there is", "class"),
        Flag("sync", "wait for each record to be acknowledged before the next is read"),
        Flag("compression-codec", "none, gzip, snappy, lz4 or zstd; alone it means gzip", "codec", None, True),
        Flag("batch-size", "bytes of one batch (batch.size)", "bytes", "16384"),
        Flag("max-partition-memory-bytes", "the older name of --batch-size", "bytes"),
        Flag("timeout", "how long a batch waits for more records (linger.ms)", "ms", "1000"),
        Flag("request-required-acks", "0, 1, -1 or all (acks)", "acks", "-1"),
        Flag("request-timeout-ms", "how long to wait for an answer (request.timeout.ms)", "ms", "1500"),
        Flag("message-send-max-retries", "how often a batch is tried again (retries)", "count", "3"),
        Flag("retry-backoff-ms", "the pause before another try (retry.backoff.ms)", "ms", "100"),
        Flag("max-block-ms", "how long sending may wait for metadata or memory (max.block.ms)", "ms", "60000"),
        Flag("max-memory-bytes", "memory for records that are not sent yet (buffer.memory)", "bytes", "33554432"),
        Flag("metadata-expiry-ms", "how old metadata may get (metadata.max.age.ms)", "ms", "300000"),
        Flag("socket-buffer-size", "accepted; the kernel sizes its buffers", "bytes", "102400"),
    ],
)

# Flag, the producer setting behind it.
SETTINGS = {
    "request-required-acks": "acks",
    "timeout": "linger.ms",
    "batch-size": "batch.size",
    "request-timeout-ms": "request.timeout.ms",
    "message-send-max-retries": "retries",
    "retry-backoff-ms": "retry.backoff.ms",
    "max-block-ms": "max.block.ms",
    "max-memory-bytes": "buffer.memory",
    "metadata-expiry-ms": "metadata.max.age.ms",
}


@ends_with_its_reader(AS_APACHE)
def main() -> int:
    return run_tool(COMMAND, run, to_stderr)


def run(options: Options) -> int:
    options.require("topic")
    if not options.has("broker-list"):
        options.require("bootstrap-server")
    reader = LineReader(reader_properties(options))
    run_async(produce(options.text("topic"), producer_settings(options), reader, options.has("sync")))
    return 0


def reader_properties(options: Options) -> dict[str, str]:
    found: dict[str, str] = {}
    path = options.get("reader-config")
    if path is not None:
        from tidelog.client.properties import read_properties

        found.update(read_properties(path))
    return found | pairs(options.all("property", "reader-property"))


def producer_settings(options: Options) -> dict[str, str]:
    """The file, then properties, then flags that were given; a flag's default only where nothing else speaks."""
    found = client_settings(options, "producer.config")
    found |= pairs(options.all("producer-property", "command-property"))
    found["bootstrap.servers"] = options.get("bootstrap-server", "broker-list") or ""
    for flag, name in SETTINGS.items():
        if options.has(flag) or name not in found:
            found[name] = options.text(flag)
    if options.has("max-partition-memory-bytes"):
        found["batch.size"] = options.text("max-partition-memory-bytes")
    if options.has("compression-codec"):
        found["compression.type"] = options.get("compression-codec") or "gzip"
    found.setdefault("client.id", "console-producer")
    return found


async def produce(topic: str, settings: dict[str, str], reader: LineReader, sync: bool) -> None:
    from tidelog.client.producer import Producer

    producer = Producer(settings)
    try:
        async for lines in read_lines():
            for line in lines:
                await _send(producer, topic, reader, line, sync)
    finally:
        await producer.close()


async def _send(producer: Producer, topic: str, reader: LineReader, line: bytes, sync: bool) -> None:
    record = reader.parse(line)
    key, value = record.key, record.value

    def done(metadata: RecordMetadata | None, error: Exception | None) -> None:
        if error is not None:
            sizes = [f"{len(part)} bytes" if part is not None else "null" for part in (key, value)]
            to_stderr(f"Error when sending message to topic {topic} with key: {sizes[0]}, value: {sizes[1]}: {error}")

    callback = None if sync else done
    delivery = await producer.send(topic, value, key=key, headers=record.headers, on_delivery=callback)
    if sync:
        await delivery


async def read_lines() -> AsyncIterator[list[bytes]]:
    """Standard input as lines, many at a time when it is a file, one by one when somebody types."""
    import asyncio
    import os

    loop = asyncio.get_running_loop()
    prompt = sys.stdin.isatty() and sys.stdout.isatty()
    splitter = LineSplitter()
    while True:
        if prompt:
            print(">", end="", flush=True)
        chunk = await loop.run_in_executor(None, os.read, sys.stdin.fileno(), 256 * 1024)
        yield splitter.feed(chunk)
        if not chunk:
            return


if __name__ == "__main__":
    sys.exit(main())
