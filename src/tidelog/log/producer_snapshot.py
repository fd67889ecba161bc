"""The `.snapshot` file: what a partition knew of its producers when the log ended at the offset in the file's name.

Version, CRC32C of all that follows it, count; then for each producer its id, epoch, last sequence, last offset, offset
delta of the last batch, timestamp, coordinator epoch and the first offset of its open transaction (-1: none). Of the
five batches kept in memory only the last one is written.
"""

from __future__ import annotations

import struct

from crc32c import crc32c

from tidelog.log.checkpoints import BadCheckpoint
from tidelog.replication.producer_state import SEQUENCE_MASK, BatchMetadata, ProducerEntry, ProducerState

VERSION = 1
_HEADER = struct.Struct(">hIi")
_ENTRY = struct.Struct(">qhiqiqiq")
_CRC_END = 6


def encode_snapshot(state: ProducerState) -> bytes:
    data = bytearray(_HEADER.pack(VERSION, 0, len(state.entries)))
    for entry in state.entries.values():
        last = entry.batches[-1] if entry.batches else None
        data += _ENTRY.pack(
            entry.producer_id,
            entry.epoch,
            last.last_sequence if last else -1,
            last.last_offset if last else -1,
            last.last_offset - last.base_offset if last else 0,
            entry.last_timestamp,
            entry.coordinator_epoch,
            entry.txn_first_offset,
        )
    struct.pack_into(">I", data, 2, crc32c(memoryview(data)[_CRC_END:]))
    return bytes(data)


def decode_snapshot(data: bytes) -> list[ProducerEntry]:
    if len(data) < _HEADER.size:
        raise BadCheckpoint(f"{len(data)} bytes are too few")
    version, crc, count = _HEADER.unpack_from(data)
    if version != VERSION:
        raise BadCheckpoint(f"it has the version {version}, not {VERSION}")
    if crc32c(memoryview(data)[_CRC_END:]) != crc:
        raise BadCheckpoint("its checksum does not fit its bytes")
    if len(data) != _HEADER.size + count * _ENTRY.size:
        raise BadCheckpoint(f"it says {count} producers and has {len(data)} bytes")
    return [_entry(*fields) for fields in _ENTRY.iter_unpack(memoryview(data)[_HEADER.size :])]


def _entry(
    producer_id: int,
    epoch: int,
    last_sequence: int,
    last_offset: int,
    offset_delta: int,
    timestamp: int,
    coordinator_epoch: int,
    txn_first_offset: int,
) -> ProducerEntry:
    entry = ProducerEntry(producer_id, epoch)
    entry.coordinator_epoch = coordinator_epoch
    entry.last_timestamp = timestamp
    entry.txn_first_offset = txn_first_offset
    if last_offset >= 0:
        first_sequence = (last_sequence - offset_delta) & SEQUENCE_MASK if last_sequence >= 0 else last_sequence
        base_offset = last_offset - offset_delta
        entry.batches = [BatchMetadata(first_sequence, last_sequence, base_offset, last_offset, timestamp)]
    return entry
