"""Record batches, version 2: the 61-byte header, the records behind it, and the checksum over both.

The broker reads headers and leaves the records alone; clients, coordinators, compaction and the tools use
`decode_records` and `build_batch`.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from functools import partial
from typing import NamedTuple

from crc32c import crc32c

from tidelog import kernels
from tidelog.protocol.compression import Codec, DecompressionFailed, compress, decompress
from tidelog.protocol.errors import ErrorCode, KafkaError

Buffer = bytes | bytearray | memoryview
Headers = tuple[tuple[str, bytes | None], ...]

HEADER = struct.Struct(">qiibIhiqqqhii")
HEADER_BYTES = HEADER.size
CONTROL_KEY = struct.Struct(">hh")
# From the batch's length on. One record of 16 bytes, no time or offset of its own, a key of 4 and a value of 6 bytes.
_MARKER = struct.Struct(">i9xh38x5shhBhiB")
_MARKER_BYTES = 8 + _MARKER.size
_MARKER_SHAPE = bytes((32, 0, 0, 0, 8))
"""The key of a control record: version and type."""
LOG_OVERHEAD = 12
"""Bytes of base offset and batch length, which the batch length does not count."""
CRC_POSITION = 17
ATTRIBUTES_POSITION = 21
"""The checksum covers everything from here."""
MAGIC = 2
_CRC = struct.Struct(">I")
NO_TIMESTAMP = -1
NO_PRODUCER_ID = -1
NO_PRODUCER_EPOCH = -1
NO_SEQUENCE = -1
NO_LEADER_EPOCH = -1
MAX_INFLATED_BYTES = 256 * 1024 * 1024

CODEC_MASK = 0x07
LOG_APPEND_TIME_FLAG = 0x08
TRANSACTIONAL_FLAG = 0x10
CONTROL_FLAG = 0x20
DELETE_HORIZON_FLAG = 0x40
CREATE_TIME = 0
LOG_APPEND_TIME = 1


class BatchError(KafkaError, ValueError):
    """A batch that cannot be read."""


class CorruptBatch(BatchError):
    """Damaged: wrong length, magic or checksum."""

    def __init__(self, message: str) -> None:
        super().__init__(ErrorCode.CORRUPT_MESSAGE, message)


class InvalidBatch(BatchError):
    """Whole, and not what the protocol allows."""

    def __init__(self, message: str) -> None:
        super().__init__(ErrorCode.INVALID_RECORD, message)


class BatchHeader(NamedTuple):
    base_offset: int
    batch_length: int
    partition_leader_epoch: int
    magic: int
    crc: int
    attributes: int
    last_offset_delta: int
    base_timestamp: int
    max_timestamp: int
    producer_id: int
    producer_epoch: int
    base_sequence: int
    records_count: int

    @property
    def size(self) -> int:
        return self.batch_length + LOG_OVERHEAD

    @property
    def last_offset(self) -> int:
        return self.base_offset + self.last_offset_delta

    @property
    def next_offset(self) -> int:
        return self.base_offset + self.last_offset_delta + 1

    @property
    def codec(self) -> int:
        return self.attributes & CODEC_MASK

    @property
    def timestamp_type(self) -> int:
        return LOG_APPEND_TIME if self.attributes & LOG_APPEND_TIME_FLAG else CREATE_TIME

    @property
    def is_transactional(self) -> bool:
        return bool(self.attributes & TRANSACTIONAL_FLAG)

    @property
    def is_control(self) -> bool:
        return bool(self.attributes & CONTROL_FLAG)

    @property
    def delete_horizon_ms(self) -> int | None:
        """When a compacted batch's tombstones and markers may go; kept in the place of the base timestamp."""
        return self.base_timestamp if self.attributes & DELETE_HORIZON_FLAG else None

    @property
    def last_sequence(self) -> int:
        """Sequences wrap from 2^31-1 to 0."""
        if self.base_sequence == NO_SEQUENCE:
            return NO_SEQUENCE
        return (self.base_sequence + self.last_offset_delta) & 0x7FFFFFFF


class Record(NamedTuple):
    offset: int
    timestamp: int
    key: bytes | None
    value: bytes | None
    headers: Headers = ()


_make_record = partial(tuple.__new__, Record)
_make_header = partial(tuple.__new__, BatchHeader)


def read_header(buf: Buffer, pos: int = 0) -> BatchHeader:
    """The header at `pos`; its values are not judged."""
    try:
        return _make_header(HEADER.unpack_from(buf, pos))
    except struct.error:
        raise CorruptBatch(f"{len(buf) - pos} bytes cannot hold a record batch, which begins with 61") from None


def iter_batches(buf: Buffer) -> Iterator[tuple[int, BatchHeader]]:
    """Position and header of each batch; a fetched buffer may end inside a batch, which is left out."""
    pos = 0
    end = len(buf)
    while end - pos >= HEADER_BYTES:
        header = read_header(buf, pos)
        if header.magic != MAGIC or header.batch_length < HEADER_BYTES - LOG_OVERHEAD:
            raise CorruptBatch(f"no record batch at position {pos}: magic {header.magic}, length {header.batch_length}")
        if header.size > end - pos:
            return
        yield pos, header
        pos += header.size


def checksum(buf: Buffer, pos: int, size: int) -> int:
    """CRC32C of the batch of `size` bytes at `pos`."""
    return crc32c(memoryview(buf)[pos + ATTRIBUTES_POSITION : pos + size])


def check_crc(buf: Buffer, pos: int, header: BatchHeader) -> None:
    """Raises `CorruptBatch` unless the batch is whole and its checksum fits."""
    if header.size < HEADER_BYTES or header.size > len(buf) - pos:
        raise CorruptBatch(f"the batch at offset {header.base_offset} claims {header.size} of {len(buf) - pos} bytes")
    if checksum(buf, pos, header.size) != header.crc:
        raise CorruptBatch(f"the checksum of the batch at offset {header.base_offset} does not fit its bytes")


def records_body(buf: Buffer, pos: int, header: BatchHeader, max_bytes: int = MAX_INFLATED_BYTES) -> bytes:
    """The inflated bytes of the records of one batch."""
    if header.magic != MAGIC:
        raise CorruptBatch(f"record batches of magic {header.magic} are not read, only of magic 2")
    if header.size < HEADER_BYTES or header.size > len(buf) - pos:
        raise CorruptBatch(f"the batch at offset {header.base_offset} claims {header.size} of {len(buf) - pos} bytes")
    body = memoryview(buf)[pos + HEADER_BYTES : pos + header.size]
    try:
        return bytes(decompress(header.codec, body, max_bytes) if header.codec else body)
    except DecompressionFailed as error:
        raise InvalidBatch(f"the batch at offset {header.base_offset} cannot be inflated: {error}") from error


def decode_records(
    buf: Buffer, pos: int = 0, max_bytes: int = MAX_INFLATED_BYTES, header: BatchHeader | None = None
) -> list[Record]:
    """The records of the batch at `pos`. Does not check the checksum: `check_crc` does."""
    header = header or read_header(buf, pos)
    body = records_body(buf, pos, header, max_bytes)
    append_timestamp = header.max_timestamp if header.timestamp_type == LOG_APPEND_TIME else -1
    try:
        found = kernels.decode_tuples(
            body, header.records_count, header.base_offset, header.base_timestamp, append_timestamp
        )
    except kernels.BadRecords as error:
        raise InvalidBatch(f"the batch at offset {header.base_offset} is not valid: {error}") from None
    return list(map(_make_record, found))


def usual_marker(buf: Buffer, pos: int = 0) -> tuple[int, int] | None:
    """(kind, coordinator epoch) of a marker in the one shape that coordinators write; None for any other batch."""
    if len(buf) - pos < _MARKER_BYTES:
        return None
    batch_length, attributes, shape, _, kind, value_length, _, epoch, headers = _MARKER.unpack_from(buf, pos + 8)
    is_usual = batch_length == _MARKER_BYTES - LOG_OVERHEAD and not attributes & CODEC_MASK
    return (kind, epoch) if is_usual and shape == _MARKER_SHAPE and value_length == 12 and not headers else None


def marker_type(buf: Buffer, pos: int = 0) -> bool | None:
    """What the control batch at `pos` ends a transaction with: True commit, False abort, None if it is no marker."""
    usual = usual_marker(buf, pos)
    if usual is not None:
        return bool(usual[0]) if usual[0] in (0, 1) else None
    records = decode_records(buf, pos)
    if not records or records[0].key is None or len(records[0].key) < CONTROL_KEY.size:
        raise InvalidBatch("a control batch has no control record")
    _, kind = CONTROL_KEY.unpack_from(records[0].key)
    return bool(kind) if kind in (0, 1) else None


def build_batch(
    records: Sequence[Record],
    base_offset: int = 0,
    codec: int = Codec.NONE,
    *,
    level: int | None = None,
    producer_id: int = NO_PRODUCER_ID,
    producer_epoch: int = NO_PRODUCER_EPOCH,
    base_sequence: int = NO_SEQUENCE,
    partition_leader_epoch: int = NO_LEADER_EPOCH,
    transactional: bool = False,
    control: bool = False,
    append_timestamp: int | None = None,
    delete_horizon_ms: int | None = None,
    keep_offsets: bool = False,
    last_offset_delta: int | None = None,
) -> bytes:
    """One batch of `records`.

    Offset deltas are 0, 1, 2…; with `keep_offsets` they follow each record's own offset, as compaction needs, and
    `last_offset_delta` may then reach past the last record. `append_timestamp` makes it a LogAppendTime batch.
    """
    first_timestamp = records[0].timestamp if records else NO_TIMESTAMP
    base_timestamp = first_timestamp if delete_horizon_ms is None else delete_horizon_ms
    encoded, latest = kernels.encode_records(records, base_offset, base_timestamp, keep_offsets)
    body = compress(codec, encoded, level) if codec else encoded
    attributes = codec | TRANSACTIONAL_FLAG * transactional | CONTROL_FLAG * control
    attributes |= LOG_APPEND_TIME_FLAG * (append_timestamp is not None)
    attributes |= DELETE_HORIZON_FLAG * (delete_horizon_ms is not None)
    max_timestamp = latest if append_timestamp is None else append_timestamp
    if last_offset_delta is None:
        last_offset_delta = records[-1].offset - base_offset if keep_offsets and records else len(records) - 1
    head = bytearray(HEADER_BYTES)
    HEADER.pack_into(
        head, 0, base_offset, HEADER_BYTES - LOG_OVERHEAD + len(body), partition_leader_epoch, MAGIC, 0, attributes,
        last_offset_delta, base_timestamp, max_timestamp, producer_id, producer_epoch, base_sequence, len(records),
    )  # fmt: skip
    _CRC.pack_into(head, CRC_POSITION, crc32c(body, crc32c(head[ATTRIBUTES_POSITION:])))
    return b"".join((head, body))


def plain_batch(
    pairs: Sequence[tuple[bytes, bytes | None]], timestamp: int, producer_id: int, producer_epoch: int, attributes: int
) -> bytearray:
    """What `build_batch` makes of keys and values of one time, in the one shape that a node writes by itself."""
    batch = kernels.pack_pairs(pairs, timestamp, attributes, producer_id, producer_epoch)
    _CRC.pack_into(batch, CRC_POSITION, crc32c(memoryview(batch)[ATTRIBUTES_POSITION:]))
    return batch
