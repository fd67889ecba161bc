"""AlterPartitionRequest and AlterPartitionResponse. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence
from struct import Struct as Format

from tidelog.model.uuids import ZERO
from tidelog.protocol import reading, writing
from tidelog.protocol.primitives import UNSET, Message, Readable, Struct

_get_u = Format(">16s").unpack_from
_get_biB = Format(">biB").unpack_from
_get_ih = Format(">ih").unpack_from
_get_ihii = Format(">ihii").unpack_from
_get_ii = Format(">ii").unpack_from
_get_iq = Format(">iq").unpack_from
_get_iqB = Format(">iqB").unpack_from
_put_u = Format(">16s").pack
_put_bix = Format(">bix").pack
_put_ih = Format(">ih").pack
_put_ihii = Format(">ihii").pack
_put_ii = Format(">ii").pack
_put_iq = Format(">iq").pack
_put_iqx = Format(">iqx").pack


class BrokerState(Struct):
    __slots__ = ("broker_id", "broker_epoch")

    def __init__(self, *, broker_id: int = 0, broker_epoch: int = -1) -> None:
        self.broker_id = broker_id
        self.broker_epoch = broker_epoch


class RequestPartitionData(Struct):
    __slots__ = (
        "partition_index",
        "leader_epoch",
        "new_isr",
        "new_isr_with_epochs",
        "leader_recovery_state",
        "partition_epoch",
    )

    def __init__(
        self,
        *,
        partition_index: int = 0,
        leader_epoch: int = 0,
        new_isr: list[int] = UNSET,
        new_isr_with_epochs: list[BrokerState] = UNSET,
        leader_recovery_state: int = 0,
        partition_epoch: int = 0,
    ) -> None:
        self.partition_index = partition_index
        self.leader_epoch = leader_epoch
        self.new_isr = [] if new_isr is UNSET else new_isr
        self.new_isr_with_epochs = [] if new_isr_with_epochs is UNSET else new_isr_with_epochs
        self.leader_recovery_state = leader_recovery_state
        self.partition_epoch = partition_epoch


class RequestTopicData(Struct):
    __slots__ = ("topic_id", "partitions")

    def __init__(self, *, topic_id: bytes = ZERO, partitions: list[RequestPartitionData] = UNSET) -> None:
        self.topic_id = topic_id
        self.partitions = [] if partitions is UNSET else partitions


class AlterPartitionRequest(Message):
    __slots__ = ("broker_id", "broker_epoch", "topics")

    API_KEY = 56
    VERSIONS = (2, 3)
    FLEXIBLE_FROM = 2

    def __init__(self, *, broker_id: int = 0, broker_epoch: int = -1, topics: list[RequestTopicData] = UNSET) -> None:
        self.broker_id = broker_id
        self.broker_epoch = broker_epoch
        self.topics = [] if topics is UNSET else topics

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[AlterPartitionRequest, int]:
        (item,), pos = _read_alter_partition_request(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_alter_partition_request(out, (self,), version)


def _read_broker_state(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[BrokerState], int]:
    items: list[BrokerState] = []
    new = BrokerState.__new__
    for _ in range(count):
        item = new(BrokerState)
        item.broker_id, item.broker_epoch, tags = _get_iqB(buf, pos)
        pos += 13
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_broker_state(out: bytearray, items: Sequence[BrokerState], version: int) -> None:
    for item in items:
        out += _put_iqx(item.broker_id, item.broker_epoch)


def _read_request_partition_data(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[RequestPartitionData], int]:
    items: list[RequestPartitionData] = []
    new = RequestPartitionData.__new__
    for _ in range(count):
        item = new(RequestPartitionData)
        item.partition_index, item.leader_epoch = _get_ii(buf, pos)
        pos += 8
        if version <= 2:
            item.new_isr, pos = reading.int32s(buf, pos, True)
        else:
            item.new_isr = []
        if version >= 3:
            length, pos = reading.count(buf, pos, True, left)
            item.new_isr_with_epochs, pos = _read_broker_state(buf, pos, length, version, left)
        else:
            item.new_isr_with_epochs = []
        item.leader_recovery_state, item.partition_epoch, tags = _get_biB(buf, pos)
        pos += 6
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_request_partition_data(out: bytearray, items: Sequence[RequestPartitionData], version: int) -> None:
    for item in items:
        out += _put_ii(item.partition_index, item.leader_epoch)
        if version <= 2:
            writing.int32s(out, item.new_isr, True)
        else:
            if item.new_isr:
                raise writing.not_carried("new_isr", version)
        if version >= 3:
            writing.count(out, len(item.new_isr_with_epochs), True)
            _write_broker_state(out, item.new_isr_with_epochs, version)
        else:
            if item.new_isr_with_epochs:
                raise writing.not_carried("new_isr_with_epochs", version)
        out += _put_bix(item.leader_recovery_state, item.partition_epoch)


def _read_request_topic_data(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[RequestTopicData], int]:
    items: list[RequestTopicData] = []
    new = RequestTopicData.__new__
    for _ in range(count):
        item = new(RequestTopicData)
        (item.topic_id,) = _get_u(buf, pos)
        pos += 16
        length, pos = reading.count(buf, pos, True, left)
        item.partitions, pos = _read_request_partition_data(buf, pos, length, version, left)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_request_topic_data(out: bytearray, items: Sequence[RequestTopicData], version: int) -> None:
    for item in items:
        out += _put_u(item.topic_id)
        writing.count(out, len(item.partitions), True)
        _write_request_partition_data(out, item.partitions, version)
        out.append(0)


def _read_alter_partition_request(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[AlterPartitionRequest], int]:
    items: list[AlterPartitionRequest] = []
    new = AlterPartitionRequest.__new__
    for _ in range(count):
        item = new(AlterPartitionRequest)
        item.broker_id, item.broker_epoch = _get_iq(buf, pos)
        pos += 12
        length, pos = reading.count(buf, pos, True, left)
        item.topics, pos = _read_request_topic_data(buf, pos, length, version, left)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_alter_partition_request(out: bytearray, items: Sequence[AlterPartitionRequest], version: int) -> None:
    for item in items:
        out += _put_iq(item.broker_id, item.broker_epoch)
        writing.count(out, len(item.topics), True)
        _write_request_topic_data(out, item.topics, version)
        out.append(0)


class ResponsePartitionData(Struct):
    __slots__ = (
        "partition_index",
        "error_code",
        "leader_id",
        "leader_epoch",
        "isr",
        "leader_recovery_state",
        "partition_epoch",
    )

    def __init__(
        self,
        *,
        partition_index: int = 0,
        error_code: int = 0,
        leader_id: int = 0,
        leader_epoch: int = 0,
        isr: list[int] = UNSET,
        leader_recovery_state: int = 0,
        partition_epoch: int = 0,
    ) -> None:
        self.partition_index = partition_index
        self.error_code = error_code
        self.leader_id = leader_id
        self.leader_epoch = leader_epoch
        self.isr = [] if isr is UNSET else isr
        self.leader_recovery_state = leader_recovery_state
        self.partition_epoch = partition_epoch


class ResponseTopicData(Struct):
    __slots__ = ("topic_id", "partitions")

    def __init__(self, *, topic_id: bytes = ZERO, partitions: list[ResponsePartitionData] = UNSET) -> None:
        self.topic_id = topic_id
        self.partitions = [] if partitions is UNSET else partitions


class AlterPartitionResponse(Message):
    __slots__ = ("throttle_time_ms", "error_code", "topics")

    API_KEY = 56
    VERSIONS = (2, 3)
    FLEXIBLE_FROM = 2

    def __init__(
        self, *, throttle_time_ms: int = 0, error_code: int = 0, topics: list[ResponseTopicData] = UNSET
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.topics = [] if topics is UNSET else topics

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[AlterPartitionResponse, int]:
        (item,), pos = _read_alter_partition_response(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_alter_partition_response(out, (self,), version)


def _read_response_partition_data(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[ResponsePartitionData], int]:
    items: list[ResponsePartitionData] = []
    new = ResponsePartitionData.__new__
    for _ in range(count):
        item = new(ResponsePartitionData)
        item.partition_index, item.error_code, item.leader_id, item.leader_epoch = _get_ihii(buf, pos)
        pos += 14
        item.isr, pos = reading.int32s(buf, pos, True)
        item.leader_recovery_state, item.partition_epoch, tags = _get_biB(buf, pos)
        pos += 6
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_response_partition_data(out: bytearray, items: Sequence[ResponsePartitionData], version: int) -> None:
    for item in items:
        out += _put_ihii(item.partition_index, item.error_code, item.leader_id, item.leader_epoch)
        writing.int32s(out, item.isr, True)
        out += _put_bix(item.leader_recovery_state, item.partition_epoch)


def _read_response_topic_data(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[ResponseTopicData], int]:
    items: list[ResponseTopicData] = []
    new = ResponseTopicData.__new__
    for _ in range(count):
        item = new(ResponseTopicData)
        (item.topic_id,) = _get_u(buf, pos)
        pos += 16
        length, pos = reading.count(buf, pos, True, left)
        item.partitions, pos = _read_response_partition_data(buf, pos, length, version, left)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_response_topic_data(out: bytearray, items: Sequence[ResponseTopicData], version: int) -> None:
    for item in items:
        out += _put_u(item.topic_id)
        writing.count(out, len(item.partitions), True)
        _write_response_partition_data(out, item.partitions, version)
        out.append(0)


def _read_alter_partition_response(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[AlterPartitionResponse], int]:
    items: list[AlterPartitionResponse] = []
    new = AlterPartitionResponse.__new__
    for _ in range(count):
        item = new(AlterPartitionResponse)
        item.throttle_time_ms, item.error_code = _get_ih(buf, pos)
        pos += 6
        length, pos = reading.count(buf, pos, True, left)
        item.topics, pos = _read_response_topic_data(buf, pos, length, version, left)
        tags = buf[pos]
        pos += 1
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_alter_partition_response(out: bytearray, items: Sequence[AlterPartitionResponse], version: int) -> None:
    for item in items:
        out += _put_ih(item.throttle_time_ms, item.error_code)
        writing.count(out, len(item.topics), True)
        _write_response_topic_data(out, item.topics, version)
        out.append(0)
