"""VotersRecord. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence
from struct import Struct as Format

from tidelog.model.uuids import ZERO
from tidelog.protocol import reading, writing
from tidelog.protocol.primitives import UNSET, Message, Readable, Struct

_get_HB = Format(">HB").unpack_from
_get_h = Format(">h").unpack_from
_get_hhB = Format(">hhB").unpack_from
_get_iu = Format(">i16s").unpack_from
_put_Hx = Format(">Hx").pack
_put_h = Format(">h").pack
_put_hhx = Format(">hhx").pack
_put_iu = Format(">i16s").pack


class Endpoint(Struct):
    __slots__ = ("name", "host", "port")

    def __init__(self, *, name: str = "", host: str = "", port: int = 0) -> None:
        self.name = name
        self.host = host
        self.port = port


class KRaftVersionFeature(Struct):
    __slots__ = ("min_supported_version", "max_supported_version")

    def __init__(self, *, min_supported_version: int = 0, max_supported_version: int = 0) -> None:
        self.min_supported_version = min_supported_version
        self.max_supported_version = max_supported_version


class Voter(Struct):
    __slots__ = ("voter_id", "voter_directory_id", "endpoints", "kraft_version_feature")

    def __init__(
        self,
        *,
        voter_id: int = 0,
        voter_directory_id: bytes = ZERO,
        endpoints: list[Endpoint] = UNSET,
        kraft_version_feature: KRaftVersionFeature = UNSET,
    ) -> None:
        self.voter_id = voter_id
        self.voter_directory_id = voter_directory_id
        self.endpoints = [] if endpoints is UNSET else endpoints
        self.kraft_version_feature = KRaftVersionFeature() if kraft_version_feature is UNSET else kraft_version_feature


class VotersRecord(Message):
    __slots__ = ("version", "voters")

    API_KEY = -1
    VERSIONS = (0, 0)
    FLEXIBLE_FROM = 0

    def __init__(self, *, version: int = 0, voters: list[Voter] = UNSET) -> None:
        self.version = version
        self.voters = [] if voters is UNSET else voters

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[VotersRecord, int]:
        (item,), pos = _read_voters_record(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_voters_record(out, (self,), version)


def _read_endpoint(buf: Readable, pos: int, count: int, version: int, left: list[int]) -> tuple[list[Endpoint], int]:
    items: list[Endpoint] = []
    new = Endpoint.__new__
    for _ in range(count):
        item = new(Endpoint)
        item.name, pos = reading.string(buf, pos, True)
        item.host, pos = reading.string(buf, pos, True)
        item.port, tags = _get_HB(buf, pos)
        pos += 3
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_endpoint(out: bytearray, items: Sequence[Endpoint], version: int) -> None:
    for item in items:
        writing.string(out, item.name, True)
        writing.string(out, item.host, True)
        out += _put_Hx(item.port)


def _read_kraft_version_feature(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[KRaftVersionFeature], int]:
    items: list[KRaftVersionFeature] = []
    new = KRaftVersionFeature.__new__
    for _ in range(count):
        item = new(KRaftVersionFeature)
        item.min_supported_version, item.max_supported_version, tags = _get_hhB(buf, pos)
        pos += 5
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_kraft_version_feature(out: bytearray, items: Sequence[KRaftVersionFeature], version: int) -> None:
    for item in items:
        out += _put_hhx(item.min_supported_version, item.max_supported_version)


def _read_voter(buf: Readable, pos: int, count: int, version: int, left: list[int]) -> tuple[list[Voter], int]:
    items: list[Voter] = []
    new = Voter.__new__
    for _ in range(count):
        item = new(Voter)
        item.voter_id, item.voter_directory_id = _get_iu(buf, pos)
        pos += 20
        length, pos = reading.count(buf, pos, True, left)
        item.endpoints, pos = _read_endpoint(buf, pos, length, version, left)
        (item.kraft_version_feature,), pos = _read_kraft_version_feature(buf, pos, 1, version, left)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_voter(out: bytearray, items: Sequence[Voter], version: int) -> None:
    for item in items:
        out += _put_iu(item.voter_id, item.voter_directory_id)
        writing.count(out, len(item.endpoints), True)
        _write_endpoint(out, item.endpoints, version)
        _write_kraft_version_feature(out, (item.kraft_version_feature,), version)
        out.append(0)


def _read_voters_record(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[VotersRecord], int]:
    items: list[VotersRecord] = []
    new = VotersRecord.__new__
    for _ in range(count):
        item = new(VotersRecord)
        (item.version,) = _get_h(buf, pos)
        pos += 2
        length, pos = reading.count(buf, pos, True, left)
        item.voters, pos = _read_voter(buf, pos, length, version, left)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_voters_record(out: bytearray, items: Sequence[VotersRecord], version: int) -> None:
    for item in items:
        out += _put_h(item.version)
        writing.count(out, len(item.voters), True)
        _write_voter(out, item.voters, version)
        out.append(0)
