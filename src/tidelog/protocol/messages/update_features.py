"""UpdateFeaturesRequest and UpdateFeaturesResponse. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence
from struct import Struct as Format

from tidelog.protocol import reading, writing
from tidelog.protocol.primitives import UNSET, Message, Readable, Struct

_get_oB = Format(">?B").unpack_from
_get_h = Format(">h").unpack_from
_get_hoB = Format(">h?B").unpack_from
_get_hbB = Format(">hbB").unpack_from
_get_i = Format(">i").unpack_from
_get_ih = Format(">ih").unpack_from
_put_ox = Format(">?x").pack
_put_h = Format(">h").pack
_put_hox = Format(">h?x").pack
_put_hbx = Format(">hbx").pack
_put_i = Format(">i").pack
_put_ih = Format(">ih").pack


class FeatureUpdateKey(Struct):
    __slots__ = ("feature", "max_version_level", "allow_downgrade", "upgrade_type")

    def __init__(
        self, *, feature: str = "", max_version_level: int = 0, allow_downgrade: bool = False, upgrade_type: int = 1
    ) -> None:
        self.feature = feature
        self.max_version_level = max_version_level
        self.allow_downgrade = allow_downgrade
        self.upgrade_type = upgrade_type


class UpdateFeaturesRequest(Message):
    __slots__ = ("timeout_ms", "feature_updates", "validate_only")

    API_KEY = 57
    VERSIONS = (0, 2)
    FLEXIBLE_FROM = 0

    def __init__(
        self, *, timeout_ms: int = 60000, feature_updates: list[FeatureUpdateKey] = UNSET, validate_only: bool = False
    ) -> None:
        self.timeout_ms = timeout_ms
        self.feature_updates = [] if feature_updates is UNSET else feature_updates
        self.validate_only = validate_only

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[UpdateFeaturesRequest, int]:
        (item,), pos = _read_update_features_request(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_update_features_request(out, (self,), version)


def _read_feature_update_key(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[FeatureUpdateKey], int]:
    items: list[FeatureUpdateKey] = []
    new = FeatureUpdateKey.__new__
    for _ in range(count):
        item = new(FeatureUpdateKey)
        item.feature, pos = reading.string(buf, pos, True)
        if version >= 1:
            item.max_version_level, item.upgrade_type, tags = _get_hbB(buf, pos)
            pos += 4
            item.allow_downgrade = False
        else:
            item.max_version_level, item.allow_downgrade, tags = _get_hoB(buf, pos)
            pos += 4
            item.upgrade_type = 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_feature_update_key(out: bytearray, items: Sequence[FeatureUpdateKey], version: int) -> None:
    for item in items:
        writing.string(out, item.feature, True)
        if version >= 1:
            if item.allow_downgrade:
                raise writing.not_carried("allow_downgrade", version)
            out += _put_hbx(item.max_version_level, item.upgrade_type)
        else:
            if item.upgrade_type != 1:
                raise writing.not_carried("upgrade_type", version)
            out += _put_hox(item.max_version_level, item.allow_downgrade)


def _read_update_features_request(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[UpdateFeaturesRequest], int]:
    items: list[UpdateFeaturesRequest] = []
    new = UpdateFeaturesRequest.__new__
    for _ in range(count):
        item = new(UpdateFeaturesRequest)
        (item.timeout_ms,) = _get_i(buf, pos)
        pos += 4
        length, pos = reading.count(buf, pos, True, left)
        item.feature_updates, pos = _read_feature_update_key(buf, pos, length, version, left)
        if version >= 1:
            item.validate_only, tags = _get_oB(buf, pos)
            pos += 2
        else:
            tags = buf[pos]
            pos += 1
            item.validate_only = False
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_update_features_request(out: bytearray, items: Sequence[UpdateFeaturesRequest], version: int) -> None:
    for item in items:
        out += _put_i(item.timeout_ms)
        writing.count(out, len(item.feature_updates), True)
        _write_feature_update_key(out, item.feature_updates, version)
        if version >= 1:
            out += _put_ox(item.validate_only)
        else:
            if item.validate_only:
                raise writing.not_carried("validate_only", version)
            out.append(0)


class UpdatableFeatureResult(Struct):
    __slots__ = ("feature", "error_code", "error_message")

    def __init__(self, *, feature: str = "", error_code: int = 0, error_message: str | None = "") -> None:
        self.feature = feature
        self.error_code = error_code
        self.error_message = error_message


class UpdateFeaturesResponse(Message):
    __slots__ = ("throttle_time_ms", "error_code", "error_message", "results")

    API_KEY = 57
    VERSIONS = (0, 2)
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        error_message: str | None = "",
        results: list[UpdatableFeatureResult] = UNSET,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.error_message = error_message
        self.results = [] if results is UNSET else results

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[UpdateFeaturesResponse, int]:
        (item,), pos = _read_update_features_response(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_update_features_response(out, (self,), version)


def _read_updatable_feature_result(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[UpdatableFeatureResult], int]:
    items: list[UpdatableFeatureResult] = []
    new = UpdatableFeatureResult.__new__
    for _ in range(count):
        item = new(UpdatableFeatureResult)
        item.feature, pos = reading.string(buf, pos, True)
        (item.error_code,) = _get_h(buf, pos)
        pos += 2
        item.error_message, pos = reading.nullable_string(buf, pos, True)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_updatable_feature_result(out: bytearray, items: Sequence[UpdatableFeatureResult], version: int) -> None:
    for item in items:
        writing.string(out, item.feature, True)
        out += _put_h(item.error_code)
        writing.nullable_string(out, item.error_message, True)
        out.append(0)


def _read_update_features_response(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[UpdateFeaturesResponse], int]:
    items: list[UpdateFeaturesResponse] = []
    new = UpdateFeaturesResponse.__new__
    for _ in range(count):
        item = new(UpdateFeaturesResponse)
        item.throttle_time_ms, item.error_code = _get_ih(buf, pos)
        pos += 6
        item.error_message, pos = reading.nullable_string(buf, pos, True)
        if version <= 1:
            length, pos = reading.count(buf, pos, True, left)
            item.results, pos = _read_updatable_feature_result(buf, pos, length, version, left)
        else:
            item.results = []
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_update_features_response(out: bytearray, items: Sequence[UpdateFeaturesResponse], version: int) -> None:
    for item in items:
        out += _put_ih(item.throttle_time_ms, item.error_code)
        writing.nullable_string(out, item.error_message, True)
        if version <= 1:
            writing.count(out, len(item.results), True)
            _write_updatable_feature_result(out, item.results, version)
        out.append(0)
