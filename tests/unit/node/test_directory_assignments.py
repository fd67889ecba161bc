"""A node with several directories tells the controller which of them each replica is in."""

from __future__ import annotations

from pathlib import Path

from support.node import running
from tidelog.log.directory import LogDirectory
from tidelog.node.node import Node


def told(node: Node, topic: str) -> list[bytes]:
    found = node.metadata.image.topics.get(topic)
    return [] if found is None else [each.directories[0] for each in found.partitions]


def chosen(node: Node, topic: str) -> list[bytes]:
    found = node.broker.partitions.by_name.get(topic, {})
    hosts = [found[index].log.host for index in sorted(found)]
    return [each.directory_id for each in hosts if isinstance(each, LogDirectory)]


def test_replicas_are_known_by_their_directory(tmp_path: Path) -> None:
    directories = f"{tmp_path}/one,{tmp_path}/two"
    with running(tmp_path, log_dirs=directories, num_partitions="4") as node:
        node.create("spread")
        node.until(lambda it: len(chosen(it, "spread")) == 4 and told(it, "spread") == chosen(it, "spread"))
        assert len(set(node.ask(lambda it: told(it, "spread")))) == 2, "both directories are used"
