"""A tiered topic over a real S3 server, whose objects are files here.

TIDELOG_BUILD_S3=1 builds the server with Go the first time, which takes minutes; from then on these tests run.
"""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from confluent_kafka import Consumer, Producer, TopicPartition
from confluent_kafka import admin as confluent_admin

from peer.paths import home, once
from peer.process import free_port
from peer.toolchain import needs, run
from support.node import running
from tidelog.io.object_store import open_object_store

pytestmark = pytest.mark.slow
KAFKA: Any = confluent_admin
SERVER = "github.com/versity/versitygw/cmd/versitygw@v1.8.0"
NAME = "versitygw-1.8.0"
RECORDS = 2000


@pytest.fixture(scope="module")
def s3(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[dict[str, str], Path]]:
    """The options of the store, and where its buckets are."""
    if not (home() / NAME / ".complete").exists() and not os.environ.get("TIDELOG_BUILD_S3"):
        pytest.skip("the S3 server is not built yet, which takes minutes; set TIDELOG_BUILD_S3=1 to build it")
    needs("go")

    def build(folder: Path) -> None:
        run(["go", "install", SERVER], GOBIN=str(folder))

    program = once(NAME, build) / "versitygw"
    root = tmp_path_factory.mktemp("s3")
    (root / "bucket").mkdir()
    address = f"127.0.0.1:{free_port()}"
    keys = {"ROOT_ACCESS_KEY": "somebody", "ROOT_SECRET_KEY": "something-secret"}
    command = [str(program), "--port", address, "posix", str(root)]
    server = subprocess.Popen(command, env={**os.environ, **keys}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        await_port(address)
        options = {
            "endpoint": f"http://{address}",
            "allow_http": "true",
            "region": "us-east-1",
            "access_key_id": keys["ROOT_ACCESS_KEY"],
            "secret_access_key": keys["ROOT_SECRET_KEY"],
            "checksum_algorithm": "sha256",
        }
        yield options, root / "bucket"
    finally:
        server.kill()
        server.wait()


def await_port(address: str) -> None:
    host, port = address.split(":")
    deadline = time.monotonic() + 60
    while True:
        try:
            socket.create_connection((host, int(port)), 1).close()
            return
        except OSError:
            assert time.monotonic() < deadline, "the S3 server does not listen"
            time.sleep(0.05)


def test_objects_go_there_and_come_back(s3: tuple[dict[str, str], Path]) -> None:
    store = open_object_store("s3://bucket/some/prefix", s3[0])

    async def parts() -> Any:
        for number in range(5):
            yield bytes([number]) * 4_000_000

    async def story() -> None:
        await store.put("a/x.log", parts())
        await store.put("a/x.aux", b"companion")
        assert (await store.head("a/x.log")).size == 20_000_000
        assert bytes(await store.get_range("a/x.log", 3_999_999, 2)) == b"\0\1"
        assert [each.key for each in await store.list("a/")] == ["a/x.aux", "a/x.log"]
        await store.delete(["a/x.log", "a/x.aux", "a/never"])
        assert not await store.list("a/")
        with pytest.raises(FileNotFoundError):
            await store.get_range("a/x.log", 0, 1)

    asyncio.run(story())


def test_a_topic_is_read_from_s3(s3: tuple[dict[str, str], Path], tmp_path: Path) -> None:
    options, bucket = s3
    settings = {f"rsm.config.{name}": value for name, value in options.items()}
    settings |= {
        "remote.log.storage.system.enable": "true",
        "remote.log.manager.task.interval.ms": "100",
        "log.retention.check.interval.ms": "100",
        "tidelog.remote.storage.url": "s3://bucket/tide",
    }
    with running(tmp_path / "data", **settings) as node:
        address = f"{node.host}:{node.port}"
        client = KAFKA.AdminClient({"bootstrap.servers": address})
        topic = {"remote.storage.enable": "true", "internal.segment.bytes": "50000", "local.retention.bytes": "1"}
        client.create_topics([KAFKA.NewTopic("t", 1, 1, config=topic)])["t"].result(60)
        producer = Producer({"bootstrap.servers": address, "batch.num.messages": 10})
        for number in range(RECORDS):
            producer.produce("t", b"%08d" % number * 20)
        producer.flush(30)
        node.until(lambda it: one_segment_is_left(it))
        assert list(bucket.rglob("*.log"))
        consumer = Consumer({"bootstrap.servers": address, "group.id": "g", "auto.offset.reset": "error"})
        consumer.assign([TopicPartition("t", 0, 0)])
        found: list[Any] = []
        while len(found) < RECORDS:
            messages = consumer.consume(RECORDS - len(found), timeout=20)
            assert messages, f"no more after {len(found)} records"
            found += messages
        consumer.close()
        assert [each.value()[:8] for each in found] == [b"%08d" % number for number in range(RECORDS)]
        client.delete_topics(["t"])["t"].result(60)
        node.until(lambda it: is_empty(bucket))


def is_empty(bucket: Path) -> bool:
    try:
        return not list(bucket.rglob("*.log"))
    except FileNotFoundError:  # the server removes folders that are empty, also while they are looked at
        return False


def one_segment_is_left(node: Any) -> bool:
    return len(node.broker.partitions.get("t", 0).log.segments) == 1
