"""The names of files and directories of a log."""

from __future__ import annotations

import re

from tidelog.model.topic_partition import TopicPartition

LOG = ".log"
INDEX = ".index"
TIME_INDEX = ".timeindex"
TXN_INDEX = ".txnindex"
SNAPSHOT = ".snapshot"
DELETED = ".deleted"
CLEANED = ".cleaned"
SWAP = ".swap"
TEMPORARY = ".tmp"

EPOCHS = "leader-epoch-checkpoint"
PARTITION_METADATA = "partition.metadata"
RECOVERY_POINTS = "recovery-point-offset-checkpoint"
HIGH_WATERMARKS = "replication-offset-checkpoint"
LOG_STARTS = "log-start-offset-checkpoint"
CLEANER_OFFSETS = "cleaner-offset-checkpoint"
META_PROPERTIES = "meta.properties"
CLEAN_SHUTDOWN = ".kafka_cleanshutdown"
LOCK = ".lock"

DELETE_SUFFIX = "-delete"
STRAY_SUFFIX = "-stray"
FUTURE_SUFFIX = "-future"  # a copy that will take the log's place
MOVED_SUFFIX = "-moved"  # a log whose copy takes its place at this moment
_DIRECTORY = re.compile(r"(?P<topic>[A-Za-z0-9._-]+)-(?P<partition>\d+)")
_MARKED = re.compile(r"(?P<name>.+)\.[0-9a-f]{32}(?P<suffix>-delete|-stray|-future|-moved)")


def offset_name(offset: int, suffix: str) -> str:
    return f"{offset:020d}{suffix}"


def offset_of(name: str) -> int | None:
    """The offset that a file's name begins with, or None for a file of another kind."""
    digits = name.partition(".")[0]
    return int(digits) if len(digits) == 20 and digits.isdigit() else None


def parse_directory(name: str) -> TopicPartition | None:
    found = _DIRECTORY.fullmatch(name)
    return TopicPartition(found["topic"], int(found["partition"])) if found else None


def marked_suffix(name: str) -> str | None:
    """`-delete`, `-stray`, `-future` or `-moved` when the directory is out of use."""
    found = _MARKED.fullmatch(name)
    return found["suffix"] if found else None


def marked_partition(name: str) -> TopicPartition | None:
    """Whose directory it is that was marked."""
    found = _MARKED.fullmatch(name)
    return parse_directory(found["name"]) if found else None


def marked_name(partition: TopicPartition, unique: str, suffix: str) -> str:
    """The name of a directory put out of use; within the 255 bytes that file systems allow."""
    tail = f"-{partition.partition}.{unique}{suffix}"
    return partition.topic[: 255 - len(tail)] + tail
