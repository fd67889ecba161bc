"""The small text files beside the logs: checkpoints of offsets and epochs, `partition.metadata`, `meta.properties` and
the mark of a clean shutdown. Encoders give bytes, decoders raise `BadCheckpoint` with a sentence on anything else."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

from tidelog.model import uuids
from tidelog.model.topic_partition import TopicPartition

VERSION = 0
META_VERSION = 1


class BadCheckpoint(ValueError):
    """The file is not what it should be."""


def _encode(lines: Iterable[str]) -> bytes:
    body = list(lines)
    return "".join(f"{line}\n" for line in [str(VERSION), str(len(body)), *body]).encode()


def _decode(data: bytes) -> list[list[str]]:
    try:
        lines = data.decode().splitlines()
    except UnicodeDecodeError:
        raise BadCheckpoint("it is not text") from None
    if len(lines) < 2 or not lines[1].isdigit():
        raise BadCheckpoint("it does not begin with a version and a count")
    if lines[0] != str(VERSION):
        raise BadCheckpoint(f"it has the version {lines[0][:20]!r}, not {VERSION}")
    if int(lines[1]) != len(lines) - 2:
        raise BadCheckpoint(f"it says {lines[1]} entries and has {len(lines) - 2}")
    return [line.split(" ") for line in lines[2:]]


def _number(text: str) -> int:
    if not text.removeprefix("-").isdigit() or len(text) > 20:
        raise BadCheckpoint(f"{text[:20]!r} is not a number")
    return int(text)


def encode_offsets(offsets: Mapping[TopicPartition, int]) -> bytes:
    return _encode(f"{topic} {partition} {offset}" for (topic, partition), offset in offsets.items())


def decode_offsets(data: bytes) -> dict[TopicPartition, int]:
    if not data:
        return {}  # as Apache's nodes leave a file that nothing was written to yet
    found = {}
    for fields in _decode(data):
        if len(fields) != 3:
            raise BadCheckpoint(f"the line {' '.join(fields)[:80]!r} is not topic, partition and offset")
        found[TopicPartition(fields[0], _number(fields[1]))] = _number(fields[2])
    return found


def encode_epochs(entries: Iterable[tuple[int, int]]) -> bytes:
    return _encode(f"{epoch} {start}" for epoch, start in entries)


def decode_epochs(data: bytes) -> list[tuple[int, int]]:
    found = []
    for fields in _decode(data):
        if len(fields) != 2:
            raise BadCheckpoint(f"the line {' '.join(fields)[:80]!r} is not epoch and offset")
        epoch, start = _number(fields[0]), _number(fields[1])
        if epoch < 0 or start < 0:
            raise BadCheckpoint(f"epoch {epoch} at offset {start} cannot be")
        found.append((epoch, start))
    if found != sorted(found) or len({epoch for epoch, _ in found}) != len(found):
        raise BadCheckpoint("its epochs do not grow")
    return found


def encode_partition_metadata(topic_id: bytes) -> bytes:
    return f"version: 0\ntopic_id: {uuids.to_text(topic_id)}".encode()


def decode_partition_metadata(data: bytes) -> bytes:
    try:
        fields = dict(line.split(": ", 1) for line in data.decode().splitlines() if line)
        if fields["version"] != "0":
            raise BadCheckpoint(f"it has the version {fields['version'][:20]!r}, not 0")
        return uuids.from_text(fields["topic_id"])
    except (ValueError, KeyError) as error:
        raise BadCheckpoint(f"it does not name a topic id: {error}") from None


def encode_clean_shutdown(broker_epoch: int) -> bytes:
    return json.dumps({"version": 0, "brokerEpoch": broker_epoch}, separators=(",", ":")).encode()


def decode_clean_shutdown(data: bytes) -> int:
    """The broker epoch at the last clean shutdown, or -1 when the file does not say."""
    try:
        return int(json.loads(data)["brokerEpoch"])
    except (ValueError, KeyError, TypeError):
        return -1
