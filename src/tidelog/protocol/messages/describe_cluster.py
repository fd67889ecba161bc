"""DescribeClusterRequest and DescribeClusterResponse. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence
from struct import Struct as Format

from tidelog.protocol import reading, writing
from tidelog.protocol.primitives import UNSET, Message, Readable, Struct

_get_oB = Format(">?B").unpack_from
_get_oboB = Format(">?b?B").unpack_from
_get_obB = Format(">?bB").unpack_from
_get_b = Format(">b").unpack_from
_get_i = Format(">i").unpack_from
_get_iB = Format(">iB").unpack_from
_get_ih = Format(">ih").unpack_from
_put_obox = Format(">?b?x").pack
_put_obx = Format(">?bx").pack
_put_ox = Format(">?x").pack
_put_b = Format(">b").pack
_put_i = Format(">i").pack
_put_ih = Format(">ih").pack
_put_ix = Format(">ix").pack


class DescribeClusterRequest(Message):
    __slots__ = ("include_cluster_authorized_operations", "endpoint_type", "include_fenced_brokers")

    API_KEY = 60
    VERSIONS = (0, 2)
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        *,
        include_cluster_authorized_operations: bool = False,
        endpoint_type: int = 1,
        include_fenced_brokers: bool = False,
    ) -> None:
        self.include_cluster_authorized_operations = include_cluster_authorized_operations
        self.endpoint_type = endpoint_type
        self.include_fenced_brokers = include_fenced_brokers

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[DescribeClusterRequest, int]:
        (item,), pos = _read_describe_cluster_request(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_describe_cluster_request(out, (self,), version)


def _read_describe_cluster_request(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[DescribeClusterRequest], int]:
    items: list[DescribeClusterRequest] = []
    new = DescribeClusterRequest.__new__
    for _ in range(count):
        item = new(DescribeClusterRequest)
        if version >= 2:
            item.include_cluster_authorized_operations, item.endpoint_type, item.include_fenced_brokers, tags = (
                _get_oboB(buf, pos)
            )
            pos += 4
        elif version >= 1:
            item.include_cluster_authorized_operations, item.endpoint_type, tags = _get_obB(buf, pos)
            pos += 3
            item.include_fenced_brokers = False
        else:
            item.include_cluster_authorized_operations, tags = _get_oB(buf, pos)
            pos += 2
            item.endpoint_type = 1
            item.include_fenced_brokers = False
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_describe_cluster_request(out: bytearray, items: Sequence[DescribeClusterRequest], version: int) -> None:
    for item in items:
        if version >= 2:
            out += _put_obox(
                item.include_cluster_authorized_operations, item.endpoint_type, item.include_fenced_brokers
            )
        elif version >= 1:
            if item.include_fenced_brokers:
                raise writing.not_carried("include_fenced_brokers", version)
            out += _put_obx(item.include_cluster_authorized_operations, item.endpoint_type)
        else:
            if item.endpoint_type != 1:
                raise writing.not_carried("endpoint_type", version)
            if item.include_fenced_brokers:
                raise writing.not_carried("include_fenced_brokers", version)
            out += _put_ox(item.include_cluster_authorized_operations)


class DescribeClusterBroker(Struct):
    __slots__ = ("broker_id", "host", "port", "rack", "is_fenced")

    def __init__(
        self, *, broker_id: int = 0, host: str = "", port: int = 0, rack: str | None = None, is_fenced: bool = False
    ) -> None:
        self.broker_id = broker_id
        self.host = host
        self.port = port
        self.rack = rack
        self.is_fenced = is_fenced


class DescribeClusterResponse(Message):
    __slots__ = (
        "throttle_time_ms",
        "error_code",
        "error_message",
        "endpoint_type",
        "cluster_id",
        "controller_id",
        "brokers",
        "cluster_authorized_operations",
    )

    API_KEY = 60
    VERSIONS = (0, 2)
    FLEXIBLE_FROM = 0

    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        error_message: str | None = None,
        endpoint_type: int = 1,
        cluster_id: str = "",
        controller_id: int = -1,
        brokers: list[DescribeClusterBroker] = UNSET,
        cluster_authorized_operations: int = -2147483648,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.error_message = error_message
        self.endpoint_type = endpoint_type
        self.cluster_id = cluster_id
        self.controller_id = controller_id
        self.brokers = [] if brokers is UNSET else brokers
        self.cluster_authorized_operations = cluster_authorized_operations

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[DescribeClusterResponse, int]:
        (item,), pos = _read_describe_cluster_response(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_describe_cluster_response(out, (self,), version)


def _read_describe_cluster_broker(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[DescribeClusterBroker], int]:
    items: list[DescribeClusterBroker] = []
    new = DescribeClusterBroker.__new__
    for _ in range(count):
        item = new(DescribeClusterBroker)
        (item.broker_id,) = _get_i(buf, pos)
        pos += 4
        item.host, pos = reading.string(buf, pos, True)
        (item.port,) = _get_i(buf, pos)
        pos += 4
        item.rack, pos = reading.nullable_string(buf, pos, True)
        if version >= 2:
            item.is_fenced, tags = _get_oB(buf, pos)
            pos += 2
        else:
            tags = buf[pos]
            pos += 1
            item.is_fenced = False
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_describe_cluster_broker(out: bytearray, items: Sequence[DescribeClusterBroker], version: int) -> None:
    for item in items:
        out += _put_i(item.broker_id)
        writing.string(out, item.host, True)
        out += _put_i(item.port)
        writing.nullable_string(out, item.rack, True)
        if version >= 2:
            out += _put_ox(item.is_fenced)
        else:
            if item.is_fenced:
                raise writing.not_carried("is_fenced", version)
            out.append(0)


def _read_describe_cluster_response(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[DescribeClusterResponse], int]:
    items: list[DescribeClusterResponse] = []
    new = DescribeClusterResponse.__new__
    for _ in range(count):
        item = new(DescribeClusterResponse)
        item.throttle_time_ms, item.error_code = _get_ih(buf, pos)
        pos += 6
        item.error_message, pos = reading.nullable_string(buf, pos, True)
        if version >= 1:
            (item.endpoint_type,) = _get_b(buf, pos)
            pos += 1
        else:
            item.endpoint_type = 1
        item.cluster_id, pos = reading.string(buf, pos, True)
        (item.controller_id,) = _get_i(buf, pos)
        pos += 4
        length, pos = reading.count(buf, pos, True, left)
        item.brokers, pos = _read_describe_cluster_broker(buf, pos, length, version, left)
        item.cluster_authorized_operations, tags = _get_iB(buf, pos)
        pos += 5
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_describe_cluster_response(out: bytearray, items: Sequence[DescribeClusterResponse], version: int) -> None:
    for item in items:
        out += _put_ih(item.throttle_time_ms, item.error_code)
        writing.nullable_string(out, item.error_message, True)
        if version >= 1:
            out += _put_b(item.endpoint_type)
        else:
            if item.endpoint_type != 1:
                raise writing.not_carried("endpoint_type", version)
        writing.string(out, item.cluster_id, True)
        out += _put_i(item.controller_id)
        writing.count(out, len(item.brokers), True)
        _write_describe_cluster_broker(out, item.brokers, version)
        out += _put_ix(item.cluster_authorized_operations)
