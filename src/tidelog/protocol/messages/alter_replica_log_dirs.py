"""AlterReplicaLogDirsRequest and AlterReplicaLogDirsResponse. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence
from struct import Struct as Format

from tidelog.protocol import reading, writing
from tidelog.protocol.primitives import UNSET, Message, Readable, Struct

_get_i = Format(">i").unpack_from
_get_ih = Format(">ih").unpack_from
_get_ihB = Format(">ihB").unpack_from
_put_i = Format(">i").pack
_put_ih = Format(">ih").pack
_put_ihx = Format(">ihx").pack


class AlterReplicaLogDirTopic(Struct):
    __slots__ = ("name", "partitions")

    def __init__(self, *, name: str = "", partitions: list[int] = UNSET) -> None:
        self.name = name
        self.partitions = [] if partitions is UNSET else partitions


class AlterReplicaLogDir(Struct):
    __slots__ = ("path", "topics")

    def __init__(self, *, path: str = "", topics: list[AlterReplicaLogDirTopic] = UNSET) -> None:
        self.path = path
        self.topics = [] if topics is UNSET else topics


class AlterReplicaLogDirsRequest(Message):
    __slots__ = ("dirs",)

    API_KEY = 34
    VERSIONS = (1, 2)
    FLEXIBLE_FROM = 2

    def __init__(self, *, dirs: list[AlterReplicaLogDir] = UNSET) -> None:
        self.dirs = [] if dirs is UNSET else dirs

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[AlterReplicaLogDirsRequest, int]:
        (item,), pos = _read_alter_replica_log_dirs_request(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_alter_replica_log_dirs_request(out, (self,), version)


def _read_alter_replica_log_dir_topic(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[AlterReplicaLogDirTopic], int]:
    compact = version >= 2
    items: list[AlterReplicaLogDirTopic] = []
    new = AlterReplicaLogDirTopic.__new__
    for _ in range(count):
        item = new(AlterReplicaLogDirTopic)
        item.name, pos = reading.string(buf, pos, compact)
        item.partitions, pos = reading.int32s(buf, pos, compact)
        if version >= 2:
            tags = buf[pos]
            pos += 1
        else:
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_alter_replica_log_dir_topic(out: bytearray, items: Sequence[AlterReplicaLogDirTopic], version: int) -> None:
    compact = version >= 2
    for item in items:
        writing.string(out, item.name, compact)
        writing.int32s(out, item.partitions, compact)
        if version >= 2:
            out.append(0)


def _read_alter_replica_log_dir(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[AlterReplicaLogDir], int]:
    compact = version >= 2
    items: list[AlterReplicaLogDir] = []
    new = AlterReplicaLogDir.__new__
    for _ in range(count):
        item = new(AlterReplicaLogDir)
        item.path, pos = reading.string(buf, pos, compact)
        length, pos = reading.count(buf, pos, compact, left)
        item.topics, pos = _read_alter_replica_log_dir_topic(buf, pos, length, version, left)
        if version >= 2:
            tags = buf[pos]
            pos += 1
        else:
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_alter_replica_log_dir(out: bytearray, items: Sequence[AlterReplicaLogDir], version: int) -> None:
    compact = version >= 2
    for item in items:
        writing.string(out, item.path, compact)
        writing.count(out, len(item.topics), compact)
        _write_alter_replica_log_dir_topic(out, item.topics, version)
        if version >= 2:
            out.append(0)


def _read_alter_replica_log_dirs_request(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[AlterReplicaLogDirsRequest], int]:
    compact = version >= 2
    items: list[AlterReplicaLogDirsRequest] = []
    new = AlterReplicaLogDirsRequest.__new__
    for _ in range(count):
        item = new(AlterReplicaLogDirsRequest)
        length, pos = reading.count(buf, pos, compact, left)
        item.dirs, pos = _read_alter_replica_log_dir(buf, pos, length, version, left)
        if version >= 2:
            tags = buf[pos]
            pos += 1
        else:
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_alter_replica_log_dirs_request(
    out: bytearray, items: Sequence[AlterReplicaLogDirsRequest], version: int
) -> None:
    compact = version >= 2
    for item in items:
        writing.count(out, len(item.dirs), compact)
        _write_alter_replica_log_dir(out, item.dirs, version)
        if version >= 2:
            out.append(0)


class AlterReplicaLogDirPartitionResult(Struct):
    __slots__ = ("partition_index", "error_code")

    def __init__(self, *, partition_index: int = 0, error_code: int = 0) -> None:
        self.partition_index = partition_index
        self.error_code = error_code


class AlterReplicaLogDirTopicResult(Struct):
    __slots__ = ("topic_name", "partitions")

    def __init__(self, *, topic_name: str = "", partitions: list[AlterReplicaLogDirPartitionResult] = UNSET) -> None:
        self.topic_name = topic_name
        self.partitions = [] if partitions is UNSET else partitions


class AlterReplicaLogDirsResponse(Message):
    __slots__ = ("throttle_time_ms", "results")

    API_KEY = 34
    VERSIONS = (1, 2)
    FLEXIBLE_FROM = 2

    def __init__(self, *, throttle_time_ms: int = 0, results: list[AlterReplicaLogDirTopicResult] = UNSET) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.results = [] if results is UNSET else results

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[AlterReplicaLogDirsResponse, int]:
        (item,), pos = _read_alter_replica_log_dirs_response(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_alter_replica_log_dirs_response(out, (self,), version)


def _read_alter_replica_log_dir_partition_result(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[AlterReplicaLogDirPartitionResult], int]:
    items: list[AlterReplicaLogDirPartitionResult] = []
    new = AlterReplicaLogDirPartitionResult.__new__
    for _ in range(count):
        item = new(AlterReplicaLogDirPartitionResult)
        if version >= 2:
            item.partition_index, item.error_code, tags = _get_ihB(buf, pos)
            pos += 7
        else:
            item.partition_index, item.error_code = _get_ih(buf, pos)
            pos += 6
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_alter_replica_log_dir_partition_result(
    out: bytearray, items: Sequence[AlterReplicaLogDirPartitionResult], version: int
) -> None:
    for item in items:
        if version >= 2:
            out += _put_ihx(item.partition_index, item.error_code)
        else:
            out += _put_ih(item.partition_index, item.error_code)


def _read_alter_replica_log_dir_topic_result(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[AlterReplicaLogDirTopicResult], int]:
    compact = version >= 2
    items: list[AlterReplicaLogDirTopicResult] = []
    new = AlterReplicaLogDirTopicResult.__new__
    for _ in range(count):
        item = new(AlterReplicaLogDirTopicResult)
        item.topic_name, pos = reading.string(buf, pos, compact)
        length, pos = reading.count(buf, pos, compact, left)
        item.partitions, pos = _read_alter_replica_log_dir_partition_result(buf, pos, length, version, left)
        if version >= 2:
            tags = buf[pos]
            pos += 1
        else:
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_alter_replica_log_dir_topic_result(
    out: bytearray, items: Sequence[AlterReplicaLogDirTopicResult], version: int
) -> None:
    compact = version >= 2
    for item in items:
        writing.string(out, item.topic_name, compact)
        writing.count(out, len(item.partitions), compact)
        _write_alter_replica_log_dir_partition_result(out, item.partitions, version)
        if version >= 2:
            out.append(0)


def _read_alter_replica_log_dirs_response(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[AlterReplicaLogDirsResponse], int]:
    compact = version >= 2
    items: list[AlterReplicaLogDirsResponse] = []
    new = AlterReplicaLogDirsResponse.__new__
    for _ in range(count):
        item = new(AlterReplicaLogDirsResponse)
        (item.throttle_time_ms,) = _get_i(buf, pos)
        pos += 4
        length, pos = reading.count(buf, pos, compact, left)
        item.results, pos = _read_alter_replica_log_dir_topic_result(buf, pos, length, version, left)
        if version >= 2:
            tags = buf[pos]
            pos += 1
        else:
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_alter_replica_log_dirs_response(
    out: bytearray, items: Sequence[AlterReplicaLogDirsResponse], version: int
) -> None:
    compact = version >= 2
    for item in items:
        out += _put_i(item.throttle_time_ms)
        writing.count(out, len(item.results), compact)
        _write_alter_replica_log_dir_topic_result(out, item.results, version)
        if version >= 2:
            out.append(0)
