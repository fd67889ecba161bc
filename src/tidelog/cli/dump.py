"""Dumps one file after the other, by its suffix: logs and snapshots here, indexes in `dump_index`."""

from __future__ import annotations

import mmap
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from tidelog.cli.tool import Failure
from tidelog.protocol.compression import Codec
from tidelog.protocol.record_batch import BatchError, BatchHeader, Record, check_crc, decode_records, iter_batches

if TYPE_CHECKING:
    from tidelog.cli.record_decoders import Decoder

_TIMESTAMP_TYPES = ("CreateTime", "LogAppendTime")
_EVERYTHING = 2**31 - 1


class Dump:
    def __init__(
        self,
        *,
        decoder: Decoder | None,
        deep: bool,
        skip_metadata: bool,
        max_bytes: int = _EVERYTHING,
        sanity_only: bool = False,
        verify_only: bool = False,
    ) -> None:
        self._decoder = decoder
        self._deep = deep
        self._skip_metadata = skip_metadata
        self._max_bytes = max_bytes
        self._sanity_only = sanity_only
        self._verify_only = verify_only
        self._out = sys.stdout.buffer
        self.complaints: list[str] = []

    def file(self, text: str) -> None:
        self._line(f"Dumping {text}")
        path = Path(text)
        if path.suffix in {".log", ".checkpoint"}:
            self._log(path)
        elif path.suffix in {".index", ".timeindex", ".txnindex", ".snapshot"}:
            self._index(path)
        else:
            sys.stdout.flush()
            print(f"Ignoring unknown file {text}", file=sys.stderr)

    def _line(self, text: str) -> None:
        self._out.write(text.encode() + b"\n")

    def _index(self, path: Path) -> None:
        from tidelog.cli import dump_index

        if path.suffix == ".txnindex":
            lines = dump_index.txn_index(view_of(path))
        elif path.suffix == ".snapshot":
            lines = dump_index.producer_snapshot(path, self.complaints)
        elif self._sanity_only:
            lines = dump_index.sanity_check(path)
        elif path.suffix == ".index":
            lines = dump_index.offset_index(path, self.complaints)
        else:
            lines = dump_index.time_index(path, self.complaints)
        for line in lines:
            if not self._verify_only:
                self._line(line)

    def _log(self, path: Path) -> None:
        self._line(_head(path))
        view = view_of(path)
        data = view[: self._max_bytes]
        valid = 0
        last_offset: int | None = None
        for position, header in _batches(path, data):
            self._line(batch_line(data, position, header))
            if self._deep:
                for record in decode_records(data, position, header=header):
                    if last_offset is not None and record.offset != last_offset + 1:
                        self._not_consecutive(path, last_offset, record.offset)
                    last_offset = record.offset
                    self._record(header, record)
            valid = position + header.size
        if len(data) > valid and self._max_bytes == _EVERYTHING:
            self._line(f"Found {len(data) - valid} invalid bytes at the end of {path.name}")

    def _not_consecutive(self, path: Path, first: int, second: int) -> None:
        title = f"Non-consecutive offsets in {path.absolute()}"
        if title not in self.complaints:
            self.complaints.append(title)
        self.complaints.append(f"  {first} is followed by {second}")

    def _record(self, header: BatchHeader, record: Record) -> None:
        prefix = b"| "
        line = b""
        if not self._skip_metadata:
            line = b"| " + record_metadata(header, record).encode()
            prefix = b" "
            if header.is_control:
                line += b" " + control_text(record).encode()
        if self._decoder is not None and not header.is_control:
            key, value = self._decoder(record)
            if key is not None:
                line += prefix + b"key: " + key
                prefix = b" "
            if value is not None:
                line += prefix + b"payload: " + value
        self._out.write(line + b"\n")


def view_of(path: Path) -> memoryview:
    """The file's bytes, mapped: a large segment is not read into memory."""
    try:
        with path.open("rb") as file:
            if path.stat().st_size == 0:
                return memoryview(b"")
            return memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
    except OSError as error:
        raise Failure(f"{path} cannot be read ({(error.strerror or '').lower()}); check the path") from None


def base_offset(path: Path) -> int:
    head = path.name.split(".")[0]
    if not head.isdigit():
        raise Failure(f"{path.name} is not named by its first offset, as 00000000000000000000{path.suffix} is")
    return int(head)


def _head(path: Path) -> str:
    if path.suffix == ".log":
        return f"Log starting offset: {base_offset(path)}"
    if path.name == "bootstrap.checkpoint":
        return "KRaft bootstrap snapshot"
    offset, _, epoch = path.stem.partition("-")
    if not (offset.isdigit() and epoch.isdigit()):
        raise Failure(f"{path.name} is not named as a snapshot, OFFSET-EPOCH.checkpoint")
    return f"Snapshot end offset: {int(offset)}, epoch: {int(epoch)}"


def _batches(path: Path, data: memoryview) -> list[tuple[int, BatchHeader]]:
    found: list[tuple[int, BatchHeader]] = []
    try:
        found.extend(iter_batches(data))
    except BatchError as error:
        sys.stdout.flush()
        print(f"{path}: {error}; the batches before it follow", file=sys.stderr)
    return found


def batch_line(data: memoryview, position: int, header: BatchHeader) -> str:
    try:
        check_crc(data, position, header)
        valid = "true"
    except BatchError:
        valid = "false"
    horizon = "OptionalLong.empty" if header.delete_horizon_ms is None else f"OptionalLong[{header.delete_horizon_ms}]"
    return (
        f"baseOffset: {header.base_offset} lastOffset: {header.last_offset} count: {header.records_count} "
        f"baseSequence: {header.base_sequence} lastSequence: {header.last_sequence} producerId: {header.producer_id} "
        f"producerEpoch: {header.producer_epoch} partitionLeaderEpoch: {header.partition_leader_epoch} "
        f"isTransactional: {_java(header.is_transactional)} isControl: {_java(header.is_control)} "
        f"deleteHorizonMs: {horizon} position: {position} {_TIMESTAMP_TYPES[header.timestamp_type]}: "
        f"{header.max_timestamp} size: {header.size} magic: {header.magic} "
        f"compresscodec: {Codec(header.codec).name.lower()} crc: {header.crc} isvalid: {valid}"
    )


def record_metadata(header: BatchHeader, record: Record) -> str:
    sequence = header.base_sequence
    if sequence >= 0:
        sequence = (sequence + record.offset - header.base_offset) & 0x7FFFFFFF
    return (
        f"offset: {record.offset} {_TIMESTAMP_TYPES[header.timestamp_type]}: {record.timestamp} "
        f"keySize: {_size(record.key)} valueSize: {_size(record.value)} sequence: {sequence} "
        f"headerKeys: [{','.join(name for name, _ in record.headers)}]"
    )


def _size(data: bytes | None) -> int:
    return -1 if data is None else len(data)


def _java(value: bool) -> str:
    return "true" if value else "false"


# Type of a control record: the words in front of it, and the message it holds.
_CONTROL = {
    2: ("LeaderChange:", "LeaderChangeMessage"),
    3: ("SnapshotHeader", "SnapshotHeaderRecord"),
    4: ("SnapshotFooter", "SnapshotFooterRecord"),
    5: ("KRaftVersion", "KRaftVersionRecord"),
    6: ("KRaftVoters", "VotersRecord"),
}


def control_text(record: Record) -> str:
    key, value = record.key or b"", record.value or b""
    number = int.from_bytes(key[2:4], "big")
    if number in (0, 1):
        epoch = int.from_bytes(value[2:6], "big", signed=True)
        return f"endTxnMarker: {'COMMIT' if number else 'ABORT'} coordinatorEpoch: {epoch}"
    if number not in _CONTROL:
        return f"controlType: UNKNOWN({number})"
    from tidelog.cli.record_json import to_json
    from tidelog.protocol import metadata_records

    word, name = _CONTROL[number]
    version = int.from_bytes(value[:2], "big")
    message = getattr(metadata_records, name).decode(value, version)
    return f"{word} {to_json(message, version)}"
