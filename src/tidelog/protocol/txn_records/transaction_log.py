"""TransactionLogKey and TransactionLogValue. Generated from schemas/ by `./dev gen`: do not edit."""

# ruff: noqa
from __future__ import annotations

from collections.abc import Sequence
from struct import Struct as Format

from tidelog.protocol import reading, writing
from tidelog.protocol.primitives import UNSET, Message, Readable, Struct

_get_h = Format(">h").unpack_from
_get_q = Format(">q").unpack_from
_get_qhib = Format(">qhib").unpack_from
_get_qq = Format(">qq").unpack_from
_get_qqB = Format(">qqB").unpack_from
_put_h = Format(">h").pack
_put_q = Format(">q").pack
_put_qhib = Format(">qhib").pack
_put_qq = Format(">qq").pack


class TransactionLogKey(Message):
    __slots__ = ("transactional_id",)

    API_KEY = 0
    VERSIONS = (0, 0)
    FLEXIBLE_FROM = None

    def __init__(self, *, transactional_id: str = "") -> None:
        self.transactional_id = transactional_id

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[TransactionLogKey, int]:
        (item,), pos = _read_transaction_log_key(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_transaction_log_key(out, (self,), version)


def _read_transaction_log_key(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[TransactionLogKey], int]:
    items: list[TransactionLogKey] = []
    new = TransactionLogKey.__new__
    for _ in range(count):
        item = new(TransactionLogKey)
        item.transactional_id, pos = reading.string(buf, pos, False)
        items.append(item)
    return items, pos


def _write_transaction_log_key(out: bytearray, items: Sequence[TransactionLogKey], version: int) -> None:
    for item in items:
        writing.string(out, item.transactional_id, False)


class PartitionsSchema(Struct):
    __slots__ = ("topic", "partition_ids")

    def __init__(self, *, topic: str = "", partition_ids: list[int] = UNSET) -> None:
        self.topic = topic
        self.partition_ids = [] if partition_ids is UNSET else partition_ids


class TransactionLogValue(Message):
    __slots__ = (
        "producer_id",
        "previous_producer_id",
        "next_producer_id",
        "producer_epoch",
        "next_producer_epoch",
        "transaction_timeout_ms",
        "transaction_status",
        "transaction_partitions",
        "transaction_last_update_timestamp_ms",
        "transaction_start_timestamp_ms",
        "client_transaction_version",
    )

    API_KEY = 0
    VERSIONS = (0, 1)
    FLEXIBLE_FROM = 1

    def __init__(
        self,
        *,
        producer_id: int = 0,
        previous_producer_id: int = -1,
        next_producer_id: int = -1,
        producer_epoch: int = 0,
        next_producer_epoch: int = -1,
        transaction_timeout_ms: int = 0,
        transaction_status: int = 0,
        transaction_partitions: list[PartitionsSchema] | None = UNSET,
        transaction_last_update_timestamp_ms: int = 0,
        transaction_start_timestamp_ms: int = 0,
        client_transaction_version: int = 0,
    ) -> None:
        self.producer_id = producer_id
        self.previous_producer_id = previous_producer_id
        self.next_producer_id = next_producer_id
        self.producer_epoch = producer_epoch
        self.next_producer_epoch = next_producer_epoch
        self.transaction_timeout_ms = transaction_timeout_ms
        self.transaction_status = transaction_status
        self.transaction_partitions = [] if transaction_partitions is UNSET else transaction_partitions
        self.transaction_last_update_timestamp_ms = transaction_last_update_timestamp_ms
        self.transaction_start_timestamp_ms = transaction_start_timestamp_ms
        self.client_transaction_version = client_transaction_version

    @classmethod
    def _read(cls, buf: Readable, pos: int, version: int, left: list[int]) -> tuple[TransactionLogValue, int]:
        (item,), pos = _read_transaction_log_value(buf, pos, 1, version, left)
        return item, pos

    def _write(self, out: bytearray, version: int) -> None:
        _write_transaction_log_value(out, (self,), version)


def _read_partitions_schema(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[PartitionsSchema], int]:
    compact = version >= 1
    items: list[PartitionsSchema] = []
    new = PartitionsSchema.__new__
    for _ in range(count):
        item = new(PartitionsSchema)
        item.topic, pos = reading.string(buf, pos, compact)
        item.partition_ids, pos = reading.int32s(buf, pos, compact)
        if version >= 1:
            tags = buf[pos]
            pos += 1
        else:
            tags = 0
        if tags:
            pos = reading.skip_tags(buf, pos - 1)
        items.append(item)
    return items, pos


def _write_partitions_schema(out: bytearray, items: Sequence[PartitionsSchema], version: int) -> None:
    compact = version >= 1
    for item in items:
        writing.string(out, item.topic, compact)
        writing.int32s(out, item.partition_ids, compact)
        if version >= 1:
            out.append(0)


def _tags_transaction_log_value(
    item: TransactionLogValue, buf: Readable, pos: int, version: int, left: list[int]
) -> int:
    count, pos = reading.tag_count(buf, pos)
    tag = -1
    for _ in range(count):
        tag, pos, stop = reading.tag_head(buf, pos, tag)
        if tag == 0:
            (item.previous_producer_id,) = _get_q(buf, pos)
            pos += 8
        elif tag == 1:
            (item.next_producer_id,) = _get_q(buf, pos)
            pos += 8
        elif tag == 2:
            (item.client_transaction_version,) = _get_h(buf, pos)
            pos += 2
        elif tag == 3:
            (item.next_producer_epoch,) = _get_h(buf, pos)
            pos += 2
        else:
            pos = stop
        reading.tag_end(pos, stop, tag)
    return pos


def _read_transaction_log_value(
    buf: Readable, pos: int, count: int, version: int, left: list[int]
) -> tuple[list[TransactionLogValue], int]:
    compact = version >= 1
    items: list[TransactionLogValue] = []
    new = TransactionLogValue.__new__
    for _ in range(count):
        item = new(TransactionLogValue)
        item.producer_id, item.producer_epoch, item.transaction_timeout_ms, item.transaction_status = _get_qhib(
            buf, pos
        )
        pos += 15
        length, pos = reading.nullable_count(buf, pos, compact, left)
        if length < 0:
            item.transaction_partitions = None
        else:
            item.transaction_partitions, pos = _read_partitions_schema(buf, pos, length, version, left)
        if version >= 1:
            item.transaction_last_update_timestamp_ms, item.transaction_start_timestamp_ms, tags = _get_qqB(buf, pos)
            pos += 17
        else:
            item.transaction_last_update_timestamp_ms, item.transaction_start_timestamp_ms = _get_qq(buf, pos)
            pos += 16
            tags = 0
        item.previous_producer_id = -1
        item.next_producer_id = -1
        item.client_transaction_version = 0
        item.next_producer_epoch = -1
        if tags:
            pos = _tags_transaction_log_value(item, buf, pos - 1, version, left)
        items.append(item)
    return items, pos


def _put_tags_transaction_log_value(out: bytearray, item: TransactionLogValue, version: int) -> None:
    fields: list[tuple[int, bytearray]] = []
    if item.previous_producer_id != -1:
        body = bytearray()
        body += _put_q(item.previous_producer_id)
        fields.append((0, body))
    if item.next_producer_id != -1:
        body = bytearray()
        body += _put_q(item.next_producer_id)
        fields.append((1, body))
    if item.client_transaction_version != 0:
        body = bytearray()
        body += _put_h(item.client_transaction_version)
        fields.append((2, body))
    if item.next_producer_epoch != -1:
        body = bytearray()
        body += _put_h(item.next_producer_epoch)
        fields.append((3, body))
    writing.tags(out, fields)


def _write_transaction_log_value(out: bytearray, items: Sequence[TransactionLogValue], version: int) -> None:
    compact = version >= 1
    for item in items:
        out += _put_qhib(item.producer_id, item.producer_epoch, item.transaction_timeout_ms, item.transaction_status)
        if item.transaction_partitions is None:
            writing.null(out, compact)
        else:
            writing.count(out, len(item.transaction_partitions), compact)
            _write_partitions_schema(out, item.transaction_partitions, version)
        out += _put_qq(item.transaction_last_update_timestamp_ms, item.transaction_start_timestamp_ms)
        if version >= 1:
            _put_tags_transaction_log_value(out, item, version)
        else:
            if item.previous_producer_id != -1:
                raise writing.not_carried("previous_producer_id", version)
            if item.next_producer_id != -1:
                raise writing.not_carried("next_producer_id", version)
            if item.client_transaction_version != 0:
                raise writing.not_carried("client_transaction_version", version)
            if item.next_producer_epoch != -1:
                raise writing.not_carried("next_producer_epoch", version)
