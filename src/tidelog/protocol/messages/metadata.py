"""MetadataRequest and MetadataResponse. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence
from struct import Struct as Format

from tidelog.model.uuids import ZERO
from tidelog.protocol import reading, writing
from tidelog.protocol.primitives import UNSET, Message, Readable, Struct

_get_u = Format(">16s").unpack_from
_get_uo = Format(">16s?").unpack_from
_get_o = Format(">?").unpack_from
_get_ooo = Format(">???").unpack_from
_get_oooB = Format(">???B").unpack_from
_get_ooB = Format(">??B").unpack_from
_get_h = Format(">h").unpack_from
_get_hB = Format(">hB").unpack_from
_get_hii = Format(">hii").unpack_from
_get_hiii = Format(">hiii").unpack_from
_get_i = Format(">i").unpack_from
_get_iB = Format(">iB").unpack_from
_put_u = Format(">16s").pack
_put_uo = Format(">16s?").pack
_put_o = Format(">?").pack
_put_ooo = Format(">???").pack
_put_ooox = Format(">???x").pack
_put_oox = Format(">??x").pack
_put_h = Format(">h").pack
_put_hii = Format(">hii").pack
_put_hiii = Format(">hiii").pack
_put_hx = Format(">hx").pack
_put_i = Format(">i").pack
_put_ix = Format(">ix").pack


class MetadataRequestTopic(Struct):
    __slots__ = ("topic_id", "name")

    def __init__(self, *, topic_id: bytes = ZERO, name: str | None = "") -> None:
        self.topic_id = topic_id
        self.name = name


class MetadataRequest(Message):
    __slots__ = (
        "topics",
        "allow_auto_topic_creation",
        "include_cluster_authorized_operations",
        "include_topic_authorized_operations",
    )

    API_KEY = 3
    VERSIONS = (0, 13)
    FLEXIBLE_FROM = 9

    def __init__(
        self,
        *,
        topics: list[MetadataRequestTopic] | None = UNSET,
        allow_auto_topic_creation: bool = True,
        include_cluster_authorized_operations: bool = False,
        include_topic_authorized_operations: bool = False,
    ) -> None:
        self.topics = [] if topics is UNSET else topics
        self.allow_auto_topic_creation = allow_auto_topic_creation
        self.include_cluster_authorized_operations = include_cluster_authorized_operations
        self.include_topic_authorized_operations = include_topic_authorized_operations

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[MetadataRequest, int]:
        (item,), pos = _read_metadata_request(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_metadata_request(out, (self,), version)


def _read_metadata_request_topic(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[MetadataRequestTopic], int]:
    compact = version >= 9
    items: list[MetadataRequestTopic] = []
    new = MetadataRequestTopic.__new__
    for _ in range(count):
        item = new(MetadataRequestTopic)
        if version >= 10:
            (item.topic_id,) = _get_u(buf, pos)
            pos += 16
        else:
            item.topic_id = ZERO
        item.name, pos = reading.nullable_string(buf, pos, compact)
        if item.name is None and not (version >= 10):
            raise reading.null_refused("name", version)
        if version >= 9:
            tags = buf[pos]
            pos += 1
        else:
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_metadata_request_topic(out: bytearray, items: Sequence[MetadataRequestTopic], version: int) -> None:
    compact = version >= 9
    for item in items:
        if version >= 10:
            out += _put_u(item.topic_id)
        if item.name is None and not (version >= 10):
            raise writing.null_refused("name", version)
        writing.nullable_string(out, item.name, compact)
        if version >= 9:
            out.append(0)


def _read_metadata_request(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[MetadataRequest], int]:
    compact = version >= 9
    items: list[MetadataRequest] = []
    new = MetadataRequest.__new__
    for _ in range(count):
        item = new(MetadataRequest)
        length, pos = reading.nullable_count(buf, pos, compact, left)
        if length < 0:
            item.topics = None
        else:
            item.topics, pos = _read_metadata_request_topic(buf, pos, length, version, left)
        if item.topics is None and not (version >= 1):
            raise reading.null_refused("topics", version)
        if version >= 11:
            item.allow_auto_topic_creation, item.include_topic_authorized_operations, tags = _get_ooB(buf, pos)
            pos += 3
            item.include_cluster_authorized_operations = False
        elif version >= 9:
            (
                item.allow_auto_topic_creation,
                item.include_cluster_authorized_operations,
                item.include_topic_authorized_operations,
                tags,
            ) = _get_oooB(buf, pos)
            pos += 4
        elif version >= 8:
            (
                item.allow_auto_topic_creation,
                item.include_cluster_authorized_operations,
                item.include_topic_authorized_operations,
            ) = _get_ooo(buf, pos)
            pos += 3
            tags = 0
        elif version >= 4:
            (item.allow_auto_topic_creation,) = _get_o(buf, pos)
            pos += 1
            item.include_cluster_authorized_operations = False
            item.include_topic_authorized_operations = False
            tags = 0
        else:
            item.allow_auto_topic_creation = True
            item.include_cluster_authorized_operations = False
            item.include_topic_authorized_operations = False
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_metadata_request(out: bytearray, items: Sequence[MetadataRequest], version: int) -> None:
    compact = version >= 9
    for item in items:
        if item.topics is None and not (version >= 1):
            raise writing.null_refused("topics", version)
        if item.topics is None:
            writing.null(out, compact)
        else:
            writing.count(out, len(item.topics), compact)
            _write_metadata_request_topic(out, item.topics, version)
        if version >= 11:
            if item.include_cluster_authorized_operations:
                raise writing.not_carried("include_cluster_authorized_operations", version)
            out += _put_oox(item.allow_auto_topic_creation, item.include_topic_authorized_operations)
        elif version >= 9:
            out += _put_ooox(
                item.allow_auto_topic_creation,
                item.include_cluster_authorized_operations,
                item.include_topic_authorized_operations,
            )
        elif version >= 8:
            out += _put_ooo(
                item.allow_auto_topic_creation,
                item.include_cluster_authorized_operations,
                item.include_topic_authorized_operations,
            )
        elif version >= 4:
            if item.include_cluster_authorized_operations:
                raise writing.not_carried("include_cluster_authorized_operations", version)
            if item.include_topic_authorized_operations:
                raise writing.not_carried("include_topic_authorized_operations", version)
            out += _put_o(item.allow_auto_topic_creation)
        else:
            if not item.allow_auto_topic_creation:
                raise writing.not_carried("allow_auto_topic_creation", version)
            if item.include_cluster_authorized_operations:
                raise writing.not_carried("include_cluster_authorized_operations", version)
            if item.include_topic_authorized_operations:
                raise writing.not_carried("include_topic_authorized_operations", version)


class MetadataResponseBroker(Struct):
    __slots__ = ("node_id", "host", "port", "rack")

    def __init__(self, *, node_id: int = 0, host: str = "", port: int = 0, rack: str | None = None) -> None:
        self.node_id = node_id
        self.host = host
        self.port = port
        self.rack = rack


class MetadataResponsePartition(Struct):
    __slots__ = (
        "error_code",
        "partition_index",
        "leader_id",
        "leader_epoch",
        "replica_nodes",
        "isr_nodes",
        "offline_replicas",
    )

    def __init__(
        self,
        *,
        error_code: int = 0,
        partition_index: int = 0,
        leader_id: int = 0,
        leader_epoch: int = -1,
        replica_nodes: list[int] = UNSET,
        isr_nodes: list[int] = UNSET,
        offline_replicas: list[int] = UNSET,
    ) -> None:
        self.error_code = error_code
        self.partition_index = partition_index
        self.leader_id = leader_id
        self.leader_epoch = leader_epoch
        self.replica_nodes = [] if replica_nodes is UNSET else replica_nodes
        self.isr_nodes = [] if isr_nodes is UNSET else isr_nodes
        self.offline_replicas = [] if offline_replicas is UNSET else offline_replicas


class MetadataResponseTopic(Struct):
    __slots__ = ("error_code", "name", "topic_id", "is_internal", "partitions", "topic_authorized_operations")

    def __init__(
        self,
        *,
        error_code: int = 0,
        name: str | None = "",
        topic_id: bytes = ZERO,
        is_internal: bool = False,
        partitions: list[MetadataResponsePartition] = UNSET,
        topic_authorized_operations: int = -2147483648,
    ) -> None:
        self.error_code = error_code
        self.name = name
        self.topic_id = topic_id
        self.is_internal = is_internal
        self.partitions = [] if partitions is UNSET else partitions
        self.topic_authorized_operations = topic_authorized_operations


class MetadataResponse(Message):
    __slots__ = (
        "throttle_time_ms",
        "brokers",
        "cluster_id",
        "controller_id",
        "topics",
        "cluster_authorized_operations",
        "error_code",
    )

    API_KEY = 3
    VERSIONS = (0, 13)
    FLEXIBLE_FROM = 9

    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        brokers: list[MetadataResponseBroker] = UNSET,
        cluster_id: str | None = None,
        controller_id: int = -1,
        topics: list[MetadataResponseTopic] = UNSET,
        cluster_authorized_operations: int = -2147483648,
        error_code: int = 0,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.brokers = [] if brokers is UNSET else brokers
        self.cluster_id = cluster_id
        self.controller_id = controller_id
        self.topics = [] if topics is UNSET else topics
        self.cluster_authorized_operations = cluster_authorized_operations
        self.error_code = error_code

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[MetadataResponse, int]:
        (item,), pos = _read_metadata_response(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_metadata_response(out, (self,), version)


def _read_metadata_response_broker(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[MetadataResponseBroker], int]:
    compact = version >= 9
    items: list[MetadataResponseBroker] = []
    new = MetadataResponseBroker.__new__
    for _ in range(count):
        item = new(MetadataResponseBroker)
        (item.node_id,) = _get_i(buf, pos)
        pos += 4
        item.host, pos = reading.string(buf, pos, compact)
        (item.port,) = _get_i(buf, pos)
        pos += 4
        if version >= 1:
            item.rack, pos = reading.nullable_string(buf, pos, compact)
        else:
            item.rack = None
        if version >= 9:
            tags = buf[pos]
            pos += 1
        else:
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_metadata_response_broker(out: bytearray, items: Sequence[MetadataResponseBroker], version: int) -> None:
    compact = version >= 9
    for item in items:
        out += _put_i(item.node_id)
        writing.string(out, item.host, compact)
        out += _put_i(item.port)
        if version >= 1:
            writing.nullable_string(out, item.rack, compact)
        if version >= 9:
            out.append(0)


def _read_metadata_response_partition(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[MetadataResponsePartition], int]:
    compact = version >= 9
    items: list[MetadataResponsePartition] = []
    new = MetadataResponsePartition.__new__
    for _ in range(count):
        item = new(MetadataResponsePartition)
        if version >= 7:
            item.error_code, item.partition_index, item.leader_id, item.leader_epoch = _get_hiii(buf, pos)
            pos += 14
        else:
            item.error_code, item.partition_index, item.leader_id = _get_hii(buf, pos)
            pos += 10
            item.leader_epoch = -1
        item.replica_nodes, pos = reading.int32s(buf, pos, compact)
        item.isr_nodes, pos = reading.int32s(buf, pos, compact)
        if version >= 5:
            item.offline_replicas, pos = reading.int32s(buf, pos, compact)
        else:
            item.offline_replicas = []
        if version >= 9:
            tags = buf[pos]
            pos += 1
        else:
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_metadata_response_partition(
    out: bytearray, items: Sequence[MetadataResponsePartition], version: int
) -> None:
    compact = version >= 9
    for item in items:
        if version >= 7:
            out += _put_hiii(item.error_code, item.partition_index, item.leader_id, item.leader_epoch)
        else:
            out += _put_hii(item.error_code, item.partition_index, item.leader_id)
        writing.int32s(out, item.replica_nodes, compact)
        writing.int32s(out, item.isr_nodes, compact)
        if version >= 5:
            writing.int32s(out, item.offline_replicas, compact)
        if version >= 9:
            out.append(0)


def _read_metadata_response_topic(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[MetadataResponseTopic], int]:
    compact = version >= 9
    items: list[MetadataResponseTopic] = []
    new = MetadataResponseTopic.__new__
    for _ in range(count):
        item = new(MetadataResponseTopic)
        (item.error_code,) = _get_h(buf, pos)
        pos += 2
        item.name, pos = reading.nullable_string(buf, pos, compact)
        if item.name is None and not (version >= 12):
            raise reading.null_refused("name", version)
        if version >= 10:
            item.topic_id, item.is_internal = _get_uo(buf, pos)
            pos += 17
        elif version >= 1:
            (item.is_internal,) = _get_o(buf, pos)
            pos += 1
            item.topic_id = ZERO
        else:
            item.topic_id = ZERO
            item.is_internal = False
        length, pos = reading.count(buf, pos, compact, left)
        item.partitions, pos = _read_metadata_response_partition(buf, pos, length, version, left)
        if version >= 9:
            item.topic_authorized_operations, tags = _get_iB(buf, pos)
            pos += 5
        elif version >= 8:
            (item.topic_authorized_operations,) = _get_i(buf, pos)
            pos += 4
            tags = 0
        else:
            item.topic_authorized_operations = -2147483648
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_metadata_response_topic(out: bytearray, items: Sequence[MetadataResponseTopic], version: int) -> None:
    compact = version >= 9
    for item in items:
        out += _put_h(item.error_code)
        if item.name is None and not (version >= 12):
            raise writing.null_refused("name", version)
        writing.nullable_string(out, item.name, compact)
        if version >= 10:
            out += _put_uo(item.topic_id, item.is_internal)
        elif version >= 1:
            out += _put_o(item.is_internal)
        writing.count(out, len(item.partitions), compact)
        _write_metadata_response_partition(out, item.partitions, version)
        if version >= 9:
            out += _put_ix(item.topic_authorized_operations)
        elif version >= 8:
            out += _put_i(item.topic_authorized_operations)
        else:
            if item.topic_authorized_operations != -2147483648:
                raise writing.not_carried("topic_authorized_operations", version)


def _read_metadata_response(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[MetadataResponse], int]:
    compact = version >= 9
    items: list[MetadataResponse] = []
    new = MetadataResponse.__new__
    for _ in range(count):
        item = new(MetadataResponse)
        if version >= 3:
            (item.throttle_time_ms,) = _get_i(buf, pos)
            pos += 4
        else:
            item.throttle_time_ms = 0
        length, pos = reading.count(buf, pos, compact, left)
        item.brokers, pos = _read_metadata_response_broker(buf, pos, length, version, left)
        if version >= 2:
            item.cluster_id, pos = reading.nullable_string(buf, pos, compact)
        else:
            item.cluster_id = None
        if version >= 1:
            (item.controller_id,) = _get_i(buf, pos)
            pos += 4
        else:
            item.controller_id = -1
        length, pos = reading.count(buf, pos, compact, left)
        item.topics, pos = _read_metadata_response_topic(buf, pos, length, version, left)
        if version >= 13:
            item.error_code, tags = _get_hB(buf, pos)
            pos += 3
            item.cluster_authorized_operations = -2147483648
        elif version >= 11:
            tags = buf[pos]
            pos += 1
            item.cluster_authorized_operations = -2147483648
            item.error_code = 0
        elif version >= 9:
            item.cluster_authorized_operations, tags = _get_iB(buf, pos)
            pos += 5
            item.error_code = 0
        elif version >= 8:
            (item.cluster_authorized_operations,) = _get_i(buf, pos)
            pos += 4
            item.error_code = 0
            tags = 0
        else:
            item.cluster_authorized_operations = -2147483648
            item.error_code = 0
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_metadata_response(out: bytearray, items: Sequence[MetadataResponse], version: int) -> None:
    compact = version >= 9
    for item in items:
        if version >= 3:
            out += _put_i(item.throttle_time_ms)
        writing.count(out, len(item.brokers), compact)
        _write_metadata_response_broker(out, item.brokers, version)
        if version >= 2:
            writing.nullable_string(out, item.cluster_id, compact)
        if version >= 1:
            out += _put_i(item.controller_id)
        writing.count(out, len(item.topics), compact)
        _write_metadata_response_topic(out, item.topics, version)
        if version >= 13:
            if item.cluster_authorized_operations != -2147483648:
                raise writing.not_carried("cluster_authorized_operations", version)
            out += _put_hx(item.error_code)
        elif version >= 11:
            if item.cluster_authorized_operations != -2147483648:
                raise writing.not_carried("cluster_authorized_operations", version)
            out.append(0)
        elif version >= 9:
            out += _put_ix(item.cluster_authorized_operations)
        elif version >= 8:
            out += _put_i(item.cluster_authorized_operations)
        else:
            if item.cluster_authorized_operations != -2147483648:
                raise writing.not_carried("cluster_authorized_operations", version)
