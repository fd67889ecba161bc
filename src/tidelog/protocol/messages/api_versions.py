"""ApiVersionsRequest and ApiVersionsResponse. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence
from struct import Struct as Format

from tidelog.protocol import reading, writing
from tidelog.protocol.primitives import UNSET, Message, Readable, Struct

_get_o = Format(">?").unpack_from
_get_h = Format(">h").unpack_from
_get_hhB = Format(">hhB").unpack_from
_get_hhh = Format(">hhh").unpack_from
_get_hhhB = Format(">hhhB").unpack_from
_get_i = Format(">i").unpack_from
_get_iB = Format(">iB").unpack_from
_get_q = Format(">q").unpack_from
_put_o = Format(">?").pack
_put_h = Format(">h").pack
_put_hhh = Format(">hhh").pack
_put_hhhx = Format(">hhhx").pack
_put_hhx = Format(">hhx").pack
_put_i = Format(">i").pack
_put_q = Format(">q").pack


class ApiVersionsRequest(Message):
    __slots__ = ("client_software_name", "client_software_version")

    API_KEY = 18
    VERSIONS = (0, 4)
    FLEXIBLE_FROM = 3

    def __init__(self, *, client_software_name: str = "", client_software_version: str = "") -> None:
        self.client_software_name = client_software_name
        self.client_software_version = client_software_version

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[ApiVersionsRequest, int]:
        (item,), pos = _read_api_versions_request(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_api_versions_request(out, (self,), version)


def _read_api_versions_request(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[ApiVersionsRequest], int]:
    items: list[ApiVersionsRequest] = []
    new = ApiVersionsRequest.__new__
    for _ in range(count):
        item = new(ApiVersionsRequest)
        if version >= 3:
            item.client_software_name, pos = reading.string(buf, pos, True)
        else:
            item.client_software_name = ""
        if version >= 3:
            item.client_software_version, pos = reading.string(buf, pos, True)
        else:
            item.client_software_version = ""
        if version >= 3:
            tags = buf[pos]
            pos += 1
        else:
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_api_versions_request(out: bytearray, items: Sequence[ApiVersionsRequest], version: int) -> None:
    for item in items:
        if version >= 3:
            writing.string(out, item.client_software_name, True)
        if version >= 3:
            writing.string(out, item.client_software_version, True)
        if version >= 3:
            out.append(0)


class ApiVersion(Struct):
    __slots__ = ("api_key", "min_version", "max_version")

    def __init__(self, *, api_key: int = 0, min_version: int = 0, max_version: int = 0) -> None:
        self.api_key = api_key
        self.min_version = min_version
        self.max_version = max_version


class SupportedFeatureKey(Struct):
    __slots__ = ("name", "min_version", "max_version")

    def __init__(self, *, name: str = "", min_version: int = 0, max_version: int = 0) -> None:
        self.name = name
        self.min_version = min_version
        self.max_version = max_version


class FinalizedFeatureKey(Struct):
    __slots__ = ("name", "max_version_level", "min_version_level")

    def __init__(self, *, name: str = "", max_version_level: int = 0, min_version_level: int = 0) -> None:
        self.name = name
        self.max_version_level = max_version_level
        self.min_version_level = min_version_level


class ApiVersionsResponse(Message):
    __slots__ = (
        "error_code",
        "api_keys",
        "throttle_time_ms",
        "supported_features",
        "finalized_features_epoch",
        "finalized_features",
        "zk_migration_ready",
    )

    API_KEY = 18
    VERSIONS = (0, 4)
    FLEXIBLE_FROM = 3

    def __init__(
        self,
        *,
        error_code: int = 0,
        api_keys: list[ApiVersion] = UNSET,
        throttle_time_ms: int = 0,
        supported_features: list[SupportedFeatureKey] = UNSET,
        finalized_features_epoch: int = -1,
        finalized_features: list[FinalizedFeatureKey] = UNSET,
        zk_migration_ready: bool = False,
    ) -> None:
        self.error_code = error_code
        self.api_keys = [] if api_keys is UNSET else api_keys
        self.throttle_time_ms = throttle_time_ms
        self.supported_features = [] if supported_features is UNSET else supported_features
        self.finalized_features_epoch = finalized_features_epoch
        self.finalized_features = [] if finalized_features is UNSET else finalized_features
        self.zk_migration_ready = zk_migration_ready

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[ApiVersionsResponse, int]:
        (item,), pos = _read_api_versions_response(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_api_versions_response(out, (self,), version)


def _read_api_version(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[ApiVersion], int]:
    items: list[ApiVersion] = []
    new = ApiVersion.__new__
    for _ in range(count):
        item = new(ApiVersion)
        if version >= 3:
            item.api_key, item.min_version, item.max_version, tags = _get_hhhB(buf, pos)
            pos += 7
        else:
            item.api_key, item.min_version, item.max_version = _get_hhh(buf, pos)
            pos += 6
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_api_version(out: bytearray, items: Sequence[ApiVersion], version: int) -> None:
    for item in items:
        if version >= 3:
            out += _put_hhhx(item.api_key, item.min_version, item.max_version)
        else:
            out += _put_hhh(item.api_key, item.min_version, item.max_version)


def _read_supported_feature_key(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[SupportedFeatureKey], int]:
    items: list[SupportedFeatureKey] = []
    new = SupportedFeatureKey.__new__
    for _ in range(count):
        item = new(SupportedFeatureKey)
        item.name, pos = reading.string(buf, pos, True)
        item.min_version, item.max_version, tags = _get_hhB(buf, pos)
        pos += 5
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_supported_feature_key(out: bytearray, items: Sequence[SupportedFeatureKey], version: int) -> None:
    for item in items:
        writing.string(out, item.name, True)
        out += _put_hhx(item.min_version, item.max_version)


def _read_finalized_feature_key(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[FinalizedFeatureKey], int]:
    items: list[FinalizedFeatureKey] = []
    new = FinalizedFeatureKey.__new__
    for _ in range(count):
        item = new(FinalizedFeatureKey)
        item.name, pos = reading.string(buf, pos, True)
        item.max_version_level, item.min_version_level, tags = _get_hhB(buf, pos)
        pos += 5
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_finalized_feature_key(out: bytearray, items: Sequence[FinalizedFeatureKey], version: int) -> None:
    for item in items:
        writing.string(out, item.name, True)
        out += _put_hhx(item.max_version_level, item.min_version_level)


def _tags_api_versions_response(
    item: ApiVersionsResponse, buf: Readable, pos: int, version: int, left: list[int]
) -> int:
    count, pos = reading.tag_count(buf, pos)
    tag = -1
    for _ in range(count):
        tag, pos, stop = reading.tag_head(buf, pos, tag)
        if tag == 0:
            length, pos = reading.count(buf, pos, True, left)
            item.supported_features, pos = _read_supported_feature_key(buf, pos, length, version, left)
        elif tag == 1:
            (item.finalized_features_epoch,) = _get_q(buf, pos)
            pos += 8
        elif tag == 2:
            length, pos = reading.count(buf, pos, True, left)
            item.finalized_features, pos = _read_finalized_feature_key(buf, pos, length, version, left)
        elif tag == 3:
            (item.zk_migration_ready,) = _get_o(buf, pos)
            pos += 1
        else:
            pos = stop
        reading.tag_end(pos, stop, tag)
    return pos


def _read_api_versions_response(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[ApiVersionsResponse], int]:
    compact = version >= 3
    items: list[ApiVersionsResponse] = []
    new = ApiVersionsResponse.__new__
    for _ in range(count):
        item = new(ApiVersionsResponse)
        (item.error_code,) = _get_h(buf, pos)
        pos += 2
        length, pos = reading.count(buf, pos, compact, left)
        item.api_keys, pos = _read_api_version(buf, pos, length, version, left)
        if version >= 3:
            item.throttle_time_ms, tags = _get_iB(buf, pos)
            pos += 5
        elif version >= 1:
            (item.throttle_time_ms,) = _get_i(buf, pos)
            pos += 4
            tags = 0
        else:
            item.throttle_time_ms = 0
            tags = 0
        item.supported_features = []
        item.finalized_features_epoch = -1
        item.finalized_features = []
        item.zk_migration_ready = False
        if tags:
            pos = _tags_api_versions_response(item, buf, pos - 1, version, left)
        items.append(item)
    return items, pos


def _put_tags_api_versions_response(out: bytearray, item: ApiVersionsResponse, version: int) -> None:
    fields: list[tuple[int, bytearray]] = []
    if item.supported_features:
        body = bytearray()
        writing.count(body, len(item.supported_features), True)
        _write_supported_feature_key(body, item.supported_features, version)
        fields.append((0, body))
    if item.finalized_features_epoch != -1:
        body = bytearray()
        body += _put_q(item.finalized_features_epoch)
        fields.append((1, body))
    if item.finalized_features:
        body = bytearray()
        writing.count(body, len(item.finalized_features), True)
        _write_finalized_feature_key(body, item.finalized_features, version)
        fields.append((2, body))
    if item.zk_migration_ready:
        body = bytearray()
        body += _put_o(item.zk_migration_ready)
        fields.append((3, body))
    writing.tags(out, fields)


def _write_api_versions_response(out: bytearray, items: Sequence[ApiVersionsResponse], version: int) -> None:
    compact = version >= 3
    for item in items:
        out += _put_h(item.error_code)
        writing.count(out, len(item.api_keys), compact)
        _write_api_version(out, item.api_keys, version)
        if version >= 1:
            out += _put_i(item.throttle_time_ms)
        if version >= 3:
            _put_tags_api_versions_response(out, item, version)
