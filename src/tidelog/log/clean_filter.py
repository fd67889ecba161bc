"""What stays of each batch, by Kafka's rules.

A record stays if it is the latest with its key; a tombstone only until the delete horizon that the first compaction to
see it gives its batch. Data of aborted transactions goes, and a marker once nothing of its transaction is left and its
horizon is past. The last batch of every producer stays, empty if need be, since it says where the producer's sequence
is. Offsets, epochs and sequences never change, and a batch that loses nothing stays byte for byte as it is.
"""

from __future__ import annotations

from array import array
from typing import NamedTuple

from crc32c import crc32c

from tidelog.kernels import cleaning
from tidelog.kernels.clean_filter import (
    BAD,
    KEEP_AT,
    KEPT,
    LATEST,
    MADE,
    NO_KEY,
    NOW,
    OUT,
    PIECE,
    PIECES,
    POSITION,
    READ,
    RETENTION,
    ROW,
    SPECIAL,
    TOMBSTONES,
)
from tidelog.kernels.clean_filter import MAX_TIMESTAMP as LATEST_TIMESTAMP
from tidelog.log.clean_keys import KeyMap
from tidelog.log.clean_read import Piece, Uncleanable
from tidelog.log.clean_transactions import CleanedTransactions
from tidelog.ports import Buffer
from tidelog.protocol.compression import compress, decompress
from tidelog.protocol.record_batch import (
    CODEC_MASK,
    CONTROL_FLAG,
    DELETE_HORIZON_FLAG,
    HEADER,
    HEADER_BYTES,
    LOG_APPEND_TIME_FLAG,
    TRANSACTIONAL_FLAG,
    marker_type,
)

_MAX_OFFSET = 2**63 - 1
_RECORD_GROWTH = 16  # bytes that another base timestamp can add to a record
_EMPTY_FLAGS = LOG_APPEND_TIME_FLAG | TRANSACTIONAL_FLAG | CONTROL_FLAG
Header = tuple[int, ...]


class Producers(NamedTuple):
    """What the log must go on knowing: the last batch of each producer, or its epoch if only markers are left."""

    last_offsets: frozenset[int]
    marker_epochs: dict[int, int]


class BatchFilter:
    """Goes through the batches of a log in order, for all segments of one compaction."""

    def __init__(
        self,
        keys: KeyMap,
        transactions: CleanedTransactions,
        producers: Producers,
        end_offset: int,
        now_ms: int,
        delete_retention_ms: int,
        inflated_bytes_max: int,
    ) -> None:
        self._keys = keys
        self._transactions = transactions
        self._marker_epochs = producers.marker_epochs
        # The end of what is compacted stays known by its last batch.
        self._keep = producers.last_offsets | {end_offset - 1}
        self._keeps = array("q", [*sorted(self._keep), _MAX_OFFSET])
        self._now_ms = now_ms
        self._retention_ms = delete_retention_ms
        self._inflated_bytes_max = inflated_bytes_max
        self._rows = array("q")
        self._found = array("q")
        self._out = bytearray()
        state = self._state = keys.state
        state[READ] = state[KEPT] = state[NO_KEY] = state[KEEP_AT] = 0
        state[NOW], state[RETENTION] = now_ms, delete_retention_ms

    @property
    def records_read(self) -> int:
        return self._state[READ]

    @property
    def records_kept(self) -> int:
        return self._state[KEPT]

    @property
    def records_without_key(self) -> int:
        return self._state[NO_KEY]

    def filter(self, piece: Piece) -> bytes:
        """The batches of the piece that stay, as they are to be written."""
        data, state = piece.data, self._state
        self._make_room(piece)
        parts: list[Buffer] = []
        position = state[OUT] = 0
        while position < piece.end:
            state[PIECES] = 0
            why = cleaning.filter_batches(
                self._keys.table, *self._keys.seeds, data, position, piece.end, self._out, state, self._keeps,
                self._rows, self._found,
            )  # fmt: skip
            if why == BAD:
                raise Uncleanable(f"the batch at offset {HEADER.unpack_from(data, state[POSITION])[0]} is not valid")
            self._collect(data, parts)
            position = state[POSITION]
            if why == SPECIAL:
                header = HEADER.unpack_from(data, position)
                batch = data[position : position + header[1] + 12]
                self._special(batch, header, parts)
                position += len(batch)
        return b"".join(parts)

    def _make_room(self, piece: Piece) -> None:
        room = piece.end + _RECORD_GROWTH * piece.records_max + HEADER_BYTES * piece.batches
        if len(self._out) < room:
            self._out = bytearray(room)
        if len(self._rows) < ROW * piece.records_max:
            self._rows = array("q", bytes(8 * ROW * piece.records_max))
        if len(self._found) < PIECE * piece.batches:
            self._found = array("q", bytes(8 * PIECE * piece.batches))

    def _collect(self, data: memoryview, parts: list[Buffer]) -> None:
        """Takes what the loop has found; batches that were made get their checksum here."""
        found = self._found
        made = memoryview(self._out)
        for at in range(0, PIECE * self._state[PIECES], PIECE):
            kind, start, end = found[at : at + 3]
            if kind == MADE:
                made[start + 17 : start + 21] = crc32c(made[start + 21 : end]).to_bytes(4, "big")
            parts.append((made if kind == MADE else data)[start:end])

    def _special(self, batch: memoryview, header: Header, parts: list[Buffer]) -> None:
        """Compressed, of a transaction, or a marker."""
        attributes, count, last_offset = header[5], header[12], header[0] + header[6]
        self._state[READ] += count
        if attributes & CONTROL_FLAG:
            needless = self._is_needless(batch, header, last_offset)
            horizon = header[7] if attributes & DELETE_HORIZON_FLAG else None
            is_discarded = needless and horizon is not None and horizon <= self._now_ms
            body, kept = self._choose(batch, header, everything=True) if not is_discarded else (b"", 0)
        elif self._transactions.is_aborted(header[9], last_offset, attributes & TRANSACTIONAL_FLAG != 0):
            needless, body, kept = False, b"", 0
        else:
            needless = False
            body, kept = self._choose(batch, header)
        self._state[KEPT] += kept
        if kept:
            needs_horizon = bool(needless or self._state[TOMBSTONES]) and not attributes & DELETE_HORIZON_FLAG
            if kept == count and not needs_horizon:
                parts.append(batch)
            else:
                parts.append(self._rewrite(header, body, kept, needs_horizon))
        elif last_offset in self._keep or self._is_last_marker(header):
            parts.append(empty_batch(header))

    def _is_needless(self, batch: memoryview, header: Header, last_offset: int) -> bool:
        """A marker without a record has been compacted before; that its transaction is gone is sure."""
        commit = marker_type(batch) if header[12] else None
        needless = self._transactions.is_marker_needless(header[9], last_offset, commit)
        return needless or not header[12]

    def _is_last_marker(self, header: Header) -> bool:
        return bool(header[5] & CONTROL_FLAG) and self._marker_epochs.get(header[9]) == header[10]

    def _choose(self, batch: memoryview, header: Header, everything: bool = False) -> tuple[Buffer, int]:
        """The inflated records, and how many of them stay; where they lie is noted in the rows."""
        attributes, count = header[5], header[12]
        raw = batch[HEADER_BYTES:]
        codec = attributes & CODEC_MASK
        body: Buffer = decompress(codec, raw, self._inflated_bytes_max) if codec else raw
        records_max = min(max(count, 0), len(body))
        if len(self._rows) < ROW * records_max:
            self._rows = array("q", bytes(8 * ROW * records_max))
        keep_deletes = not attributes & DELETE_HORIZON_FLAG or self._now_ms < header[7]
        latest = self._state[LATEST]
        if everything:
            self._state[LATEST] = -1  # all records are then newer than anything the map knows
        kept = cleaning.filter_records(
            self._keys.table, *self._keys.seeds, body, count, header[0], header[7], header[8],
            attributes & LOG_APPEND_TIME_FLAG != 0, keep_deletes, self._state, self._rows,
        )  # fmt: skip
        self._state[LATEST] = latest
        if kept < 0:
            raise Uncleanable(f"the records of the batch at offset {header[0]} are not valid")
        return body, kept

    def _rewrite(self, header: Header, body: Buffer, kept: int, needs_horizon: bool) -> bytes:
        attributes, base_timestamp = header[5], header[7]
        base = base_timestamp
        if needs_horizon:
            base = self._now_ms + self._retention_ms
            attributes |= DELETE_HORIZON_FLAG
        elif not attributes & DELETE_HORIZON_FLAG:
            base = self._rows[4]
        is_moved = base != base_timestamp or attributes & LOG_APPEND_TIME_FLAG != 0
        room = bytearray(len(body) + _RECORD_GROWTH * kept)
        size = cleaning.write_records(body, self._rows, kept, base, is_moved, room)
        codec = attributes & CODEC_MASK
        records: Buffer = memoryview(room)[:size]
        return _batch(header, attributes, base, self._state[LATEST_TIMESTAMP], kept, compress(codec, records))


def _batch(header: Header, attributes: int, base_timestamp: int, max_timestamp: int, count: int, body: Buffer) -> bytes:
    """The same batch with other records."""
    head = bytearray(HEADER_BYTES)
    HEADER.pack_into(
        head, 0, header[0], HEADER_BYTES - 12 + len(body), header[2], 2, 0, attributes & 0x7F, header[6],
        base_timestamp, max_timestamp, header[9], header[10], header[11], count,
    )  # fmt: skip
    head[17:21] = crc32c(body, crc32c(head[21:])).to_bytes(4, "big")
    return b"".join((head, body))


def empty_batch(header: Header) -> bytes:
    """Only the header, for what it says of offset, epoch, producer and sequence."""
    return _batch(header, header[5] & _EMPTY_FLAGS, -1, header[8], 0, b"")
