"""Lines for index files and producer snapshots, checked against the log beside them."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path

from tidelog.cli.dump import base_offset, view_of
from tidelog.cli.tool import Failure
from tidelog.protocol.record_batch import BatchHeader, decode_records, iter_batches, read_header

_INDEX = struct.Struct(">ii")
_TIME_INDEX = struct.Struct(">qi")
_TXN = struct.Struct(">hqqqq")


def _entries(path: Path, layout: struct.Struct) -> Iterator[tuple[int, int]]:
    """Entries up to the zeros that a preallocated file ends with."""
    view = view_of(path)
    whole = len(view) // layout.size * layout.size
    for number, (first, second) in enumerate(layout.iter_unpack(view[:whole])):
        offset_delta = first if layout is _INDEX else second
        if number and offset_delta == 0:
            return
        yield first, second


def offset_index(path: Path, complaints: list[str]) -> Iterator[str]:
    base = base_offset(path)
    log = view_of(path.with_suffix(".log"))
    if not path.stat().st_size:
        yield f"{path} is empty."
        return
    for delta, position in _entries(path, _INDEX):
        found = read_header(log, position).last_offset if position + 61 <= len(log) else -1
        if found != base + delta:
            _complain(complaints, f"Mismatches in :{path.absolute()}", base + delta, found)
        yield f"offset: {base + delta} position: {position}"


def _complain(complaints: list[str], title: str, index_offset: int, log_offset: int) -> None:
    if title not in complaints:
        complaints.append(title)
    complaints.append(f"  Index offset: {index_offset}, log offset: {log_offset}")


def time_index(path: Path, complaints: list[str]) -> Iterator[str]:
    base = base_offset(path)
    log = view_of(path.with_suffix(".log"))
    batches = {header.last_offset: (position, header) for position, header in iter_batches(log)}
    previous = -1
    for timestamp, delta in _entries(path, _TIME_INDEX):
        complaints += _time_faults(path, log, batches, timestamp, base + delta, previous)
        yield f"timestamp: {timestamp} offset: {base + delta}"
        previous = timestamp


def _time_faults(
    path: Path, log: memoryview, batches: dict[int, tuple[int, BatchHeader]], timestamp: int, offset: int, previous: int
) -> list[str]:
    if offset not in batches:
        nearest = min((last for last in batches if last > offset), default=-1)
        return [
            "The following indexed offsets are not found in the log.",
            f"Indexed offset: {offset}, found log offset: {nearest}",
        ]
    position, header = batches[offset]
    latest = max((record.timestamp for record in decode_records(log, position, header=header)), default=-1)
    found = []
    if latest != timestamp:
        found += [
            f"Found timestamp mismatch in :{path.absolute()}",
            f"  Index timestamp: {timestamp}, log timestamp: {latest}",
        ]
    if previous >= timestamp:
        found += [
            f"Found out of order timestamp in :{path.absolute()}",
            f"  Index timestamp: {timestamp}, Previously indexed timestamp: {previous}",
        ]
    return found


def sanity_check(path: Path) -> Iterator[str]:
    """What a broker checks at start: whole entries, and a last one that is not before the first."""
    layout = _INDEX if path.suffix == ".index" else _TIME_INDEX
    size = path.stat().st_size if path.exists() else 0
    if not size and layout is _INDEX:
        yield f"{path} is empty."
        return
    if size % layout.size:
        raise Failure(f"Index file {path} is corrupt: its {size} bytes are not a multiple of {layout.size}")
    first, last = layout.unpack_from(view_of(path), 0), layout.unpack_from(view_of(path), size - layout.size)
    if layout is _TIME_INDEX and last[0] < first[0]:
        raise Failure(
            f"Corrupt time index found, time index file ({path}) has non-zero size but the last timestamp is "
            f"{last[0]} which is less than the first timestamp {first[0]}"
        )
    yield f"{path} passed sanity check."


def txn_index(view: memoryview) -> Iterator[str]:
    whole = len(view) // _TXN.size * _TXN.size
    for version, producer_id, first, last, stable in _TXN.iter_unpack(view[:whole]):
        yield (
            f"version: {version} producerId: {producer_id} firstOffset: {first} lastOffset: {last} "
            f"lastStableOffset: {stable}"
        )


def producer_snapshot(path: Path, complaints: list[str]) -> Iterator[str]:
    from tidelog.protocol.primitives import DecodeError
    from tidelog.protocol.txn_records.producer_snapshot import ProducerSnapshot

    data = bytes(view_of(path))
    try:
        found = ProducerSnapshot.decode(data[2:], int.from_bytes(data[:2], "big"))
    except DecodeError as error:
        complaints.append(f"Snapshot failed to be read: {error}")
        return
    for entry in found.producer_entries:
        first_open = (
            "OptionalLong.empty"
            if entry.current_txn_first_offset < 0
            else f"OptionalLong[{entry.current_txn_first_offset}]"
        )
        line = (
            f"producerId: {entry.producer_id} producerEpoch: {entry.epoch} coordinatorEpoch: {entry.coordinator_epoch} "
            f"currentTxnFirstOffset: {first_open} lastTimestamp: {entry.timestamp} "
        )
        if entry.last_sequence >= 0 or entry.last_offset >= 0:
            line += (
                f"firstSequence: {(entry.last_sequence - entry.offset_delta) & 0x7FFFFFFF} "
                f"lastSequence: {entry.last_sequence} lastOffset: {entry.last_offset} "
                f"offsetDelta: {entry.offset_delta} timestamp: {entry.timestamp}"
            )
        yield line
