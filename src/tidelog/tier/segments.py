"""What is known of one remote segment, and the states it goes through.

A segment is told of before its first byte is stored (COPY_STARTED), and serves readers only once its whole copy is
proved (COPY_FINISHED). It is taken out of use (DELETE_STARTED) before its first byte is removed. There is no way back,
so a copy that an old leader finishes late, after a new one took it out of use, never comes to life.
"""

from __future__ import annotations

import struct
from enum import IntEnum
from typing import NamedTuple

from tidelog.model import uuids


class SegmentState(IntEnum):
    COPY_STARTED = 0
    COPY_FINISHED = 1
    DELETE_STARTED = 2
    DELETE_FINISHED = 3


class PartitionState(IntEnum):
    """Of a partition whose topic was deleted."""

    DELETE_MARKED = 0
    DELETE_STARTED = 1
    DELETE_FINISHED = 2


# Where each state may lead. Everything else in the metadata topic is late and changes nothing.
TRANSITIONS: dict[SegmentState, tuple[SegmentState, ...]] = {
    SegmentState.COPY_STARTED: (SegmentState.COPY_FINISHED, SegmentState.DELETE_STARTED),
    SegmentState.COPY_FINISHED: (SegmentState.DELETE_STARTED,),
    SegmentState.DELETE_STARTED: (SegmentState.DELETE_FINISHED,),
    SegmentState.DELETE_FINISHED: (),
}

Epochs = tuple[tuple[int, int], ...]


class TopicIdPartition(NamedTuple):
    topic_id: bytes
    partition: int
    topic: str  # for people; the id is what counts


class Checks(NamedTuple):
    """Kept with a finished copy in the metadata topic: how to know its two objects again."""

    log_crc: int
    aux_crc: int
    aux_bytes: int

    def encode(self, leader_epoch: int) -> bytes:
        return Note(NoteKind.FINISHED, leader_epoch).encode() + _CHECKS.pack(*self)

    @classmethod
    def decode(cls, data: bytes | None) -> Checks | None:
        """None for bytes that another kind of node has written."""
        if data is None or len(data) != _NOTE.size + _CHECKS.size or Note.decode(data) is None:
            return None
        return cls(*_CHECKS.unpack_from(data, _NOTE.size))


class NoteKind(IntEnum):
    STARTED = 1
    FINISHED = 2
    ABANDONED = 3  # out of use because its copy never ended; must not hit one that did end
    RETIRED = 4  # out of use because its records are expired, or another copy holds them


class Note(NamedTuple):
    """What a leader adds to what it tells: the epoch in which it led, so that an old one that is late is not heard."""

    kind: NoteKind
    leader_epoch: int

    def encode(self) -> bytes:
        return _NOTE.pack(_NOTE_VERSION, *self)

    @classmethod
    def decode(cls, data: bytes | None) -> Note | None:
        if data is None or len(data) < _NOTE.size or data[0] != _NOTE_VERSION or data[1] not in _KINDS:
            return None
        return cls(NoteKind(data[1]), _NOTE.unpack_from(data)[2])


_KINDS = frozenset(int(kind) for kind in NoteKind)
_NOTE = struct.Struct(">BBi")
_NOTE_VERSION = 1
_CHECKS = struct.Struct(">III")


class RemoteSegment(NamedTuple):
    id: bytes
    place: TopicIdPartition
    start_offset: int
    end_offset: int  # the last offset in it
    broker_id: int
    max_timestamp_ms: int
    event_timestamp_ms: int
    epochs: Epochs  # leader epochs of its records with the offsets where they begin
    size_bytes: int
    state: SegmentState
    custom: bytes | None = None
    txn_index_empty: bool = False

    @property
    def checks(self) -> Checks | None:
        return Checks.decode(self.custom)

    @property
    def is_live(self) -> bool:
        return self.state is SegmentState.COPY_FINISHED

    @property
    def log_key(self) -> str:
        return object_key(self, "log")

    @property
    def aux_key(self) -> str:
        return object_key(self, "aux")

    def __str__(self) -> str:
        return f"{self.place.topic}-{self.place.partition} offsets {self.start_offset} to {self.end_offset}"


def partition_prefix(place: TopicIdPartition) -> str:
    """Made of the topic's id alone: a topic's name can say anything, and comes back when the topic is made again."""
    return f"{uuids.to_text(place.topic_id)}/{place.partition}/"


def object_key(segment: RemoteSegment, kind: str) -> str:
    name = f"{segment.start_offset:020d}-{uuids.to_text(segment.id)}"
    return f"{partition_prefix(segment.place)}{name}.{kind}"


def id_of_key(key: str) -> bytes | None:
    """The segment that an object belongs to; None for an object that nobody here has made."""
    name = key.rpartition("/")[2]
    try:
        return uuids.from_text(name.partition(".")[0][21:])
    except ValueError:
        return None
