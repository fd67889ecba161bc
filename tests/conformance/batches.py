"""Batches for the wire tests: good ones, and good ones with one thing wrong and the checksum put right again."""

import struct
from typing import Any

from crc32c import crc32c

from tidelog.protocol.record_batch import HEADER, Record, build_batch

START_MS = 1_700_000_000_000


def records(count: int = 3, timestamp: int = START_MS, key: bytes | None = b"k") -> list[Record]:
    return [Record(i, timestamp + i, key, b"value-%d" % i) for i in range(count)]


def batch(count: int = 3, **options: Any) -> bytes:
    """A valid batch. `timestamp` and `key` go to its records, the rest to `build_batch`."""
    own = {name: options.pop(name) for name in ("timestamp", "key") if name in options}
    return build_batch(records(count, **own), **options)


HEADER_FIELDS = (
    "base_offset", "batch_length", "partition_leader_epoch", "magic", "crc", "attributes", "last_offset_delta",
    "base_timestamp", "max_timestamp", "producer_id", "producer_epoch", "base_sequence", "records_count",
)  # fmt: skip


def altered(data: bytes, **fields: int) -> bytes:
    """The batch with header fields replaced and, unless `crc` itself is given, a right checksum."""
    values = dict(zip(HEADER_FIELDS, HEADER.unpack_from(data)))
    values.update(fields)
    changed = bytearray(HEADER.pack(*values.values()) + data[HEADER.size :])
    if "crc" not in fields:
        struct.pack_into(">I", changed, 17, crc32c(bytes(changed[21:])))
    return bytes(changed)


def raw_records(*items: bytes, **fields: int) -> bytes:
    """A batch around hand-made record bytes."""
    body = b"".join(items)
    good = batch(1)
    count = fields.pop("records_count", len(items))
    own = {"batch_length": HEADER.size - 12 + len(body), "records_count": count, "last_offset_delta": count - 1}
    return altered(good[: HEADER.size] + body, **{**own, **fields})


def zigzag(value: int) -> bytes:
    value = (value << 1) ^ (value >> 63)
    out = bytearray()
    while value > 127:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*out, value])


def record(
    offset_delta: int = 0,
    timestamp_delta: int = 0,
    key: bytes | None = b"k",
    value: bytes | None = b"v",
    headers: bytes = b"\0",
    attributes: int = 0,
    length: int | None = None,
    key_length: int | None = None,
) -> bytes:
    """One record's bytes; `headers` is the encoded count and headers; a length may lie."""
    body = bytes([attributes]) + zigzag(timestamp_delta) + zigzag(offset_delta)
    for part, claimed in ((key, key_length), (value, None)):
        body += zigzag(claimed if claimed is not None else -1 if part is None else len(part)) + (part or b"")
    body += headers
    return zigzag(len(body) if length is None else length) + body
