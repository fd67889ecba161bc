"""One compaction of one log: the keys of its dirty part, then every segment group without what they replace.

`run` does the work in small steps that may run in any thread, one after the other. It yields how many bytes each step
has moved, and each compacted segment when that waits as `.swap`; whoever drives it puts the segment in its place, on
the event loop, before the next step.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tidelog.kernels import cleaning
from tidelog.kernels.clean_map import CUT_OFF
from tidelog.log import names
from tidelog.log.clean_filter import BatchFilter, Producers, empty_batch
from tidelog.log.clean_keys import DONE, FULL, SPECIAL, KeyMap
from tidelog.log.clean_plan import DirtyPart, groups
from tidelog.log.clean_read import Piece, Uncleanable, pieces
from tidelog.log.clean_transactions import CleanedTransactions
from tidelog.log.clean_write import SegmentWriter
from tidelog.log.segment import Segment
from tidelog.log.txn_index import AbortedTxn
from tidelog.protocol.compression import DecompressionFailed, decompress
from tidelog.protocol.errors import KafkaError
from tidelog.protocol.record_batch import (
    CODEC_MASK,
    CONTROL_FLAG,
    HEADER,
    HEADER_BYTES,
    TRANSACTIONAL_FLAG,
    marker_type,
)

if TYPE_CHECKING:
    from tidelog.log.log import Log


@dataclass(slots=True)
class CleanSettings:
    """What a compaction may use; from the log.cleaner.* settings."""

    dedupe_bytes: int = 134_217_728
    load_factor: float = 0.9
    piece_bytes: int = 262_144
    seed: bytes = bytes(16)


@dataclass(slots=True)
class CleanStats:
    read_bytes: int = 0
    written_bytes: int = 0
    indexed_bytes: int = 0
    records_read: int = 0
    records_kept: int = 0
    records_without_key: int = 0
    map_utilization: float = 0.0


@dataclass(slots=True)
class Cleaned:
    """A compacted segment that waits to take the place of others."""

    replaced: list[Segment]
    segment: Segment


@dataclass(slots=True)
class CleanJob:
    """What the loop knew when the compaction began; nothing that it needs changes under it."""

    log: Log
    part: DirtyPart
    settings: CleanSettings
    now_ms: int
    generation: int
    segments: list[Segment]
    aborted: list[AbortedTxn]
    producers: Producers
    stats: CleanStats = field(default_factory=CleanStats)
    end_offset: int = -1  # the clean part ends here afterwards

    def run(self) -> Iterator[int | Cleaned]:
        try:
            keys = yield from self._read_keys()
            self.end_offset = keys.latest + 1
            if self.end_offset > self.part.first_dirty:
                yield from self._clean(keys)
            else:
                self.end_offset = self.part.first_dirty
        except (DecompressionFailed, KafkaError) as error:
            raise Uncleanable(f"a batch of {self.log.partition} cannot be read: {error}") from error

    # keys

    def _read_keys(self) -> Generator[int, None, KeyMap]:
        start = self.part.first_dirty
        dirty = [each for each in self.segments if each.size]
        while len(dirty) > 1 and dirty[1].base_offset <= start:
            del dirty[0]
        settings = self.settings
        keys_max = self.part.first_uncleanable - start
        keys = KeyMap(settings.dedupe_bytes, settings.load_factor, keys_max, settings.seed)
        transactions = CleanedTransactions()
        transactions.expect(each for each in self.aborted if each.last_offset >= start)
        ends = [*(each.base_offset for each in dirty[1:]), self.part.first_uncleanable]
        for segment, end_offset in zip(dirty, ends):
            for piece in pieces(segment.disk, segment.path(names.LOG), 0, segment.size, settings.piece_bytes):
                is_full = self._put(keys, transactions, piece)
                self.stats.indexed_bytes += piece.end
                yield piece.end
                if is_full:
                    return keys
            keys.read_up_to(end_offset - 1)  # there is nothing in a gap
        return keys

    def _put(self, keys: KeyMap, transactions: CleanedTransactions, piece: Piece) -> bool:
        """Whether the map is full."""
        start, position = self.part.first_dirty, 0
        while position < piece.end:
            why, position = keys.put_batches(piece.data, position, piece.end, start)
            if why == SPECIAL:
                header = HEADER.unpack_from(piece.data, position)
                batch = piece.data[position : position + header[1] + 12]
                why = self._put_special(keys, transactions, batch, header)
                position += len(batch)
            if why == FULL:
                return True
            if why not in (DONE, CUT_OFF):
                raise Uncleanable(f"the records of the batch at offset {HEADER.unpack_from(piece.data, position)[0]} "
                                  f"of {self.log.partition} are not valid")  # fmt: skip
        return False

    def _put_special(
        self, keys: KeyMap, transactions: CleanedTransactions, batch: memoryview, header: tuple[int, ...]
    ) -> int:
        """Markers and data of aborted transactions have no keys that count."""
        attributes, last_offset, why = header[5], header[0] + header[6], DONE
        if attributes & CONTROL_FLAG:
            commit = marker_type(batch) if header[12] else None
            transactions.is_marker_needless(header[9], last_offset, commit)
        elif not transactions.is_aborted(header[9], last_offset, attributes & TRANSACTIONAL_FLAG != 0):
            codec, raw = attributes & CODEC_MASK, batch[HEADER_BYTES:]
            body = decompress(codec, raw, self.log.config.inflated_bytes_max) if codec else raw
            why = keys.put_records(body, header[12], header[0], self.part.first_dirty)
        if why == DONE and last_offset >= self.part.first_dirty:
            keys.read_up_to(last_offset)
        return why

    # segments

    def _clean(self, keys: KeyMap) -> Iterator[int | Cleaned]:
        config = self.log.config
        transactions = CleanedTransactions()
        transactions.expect(self.aborted)
        self.stats.map_utilization = keys.utilization
        batches = BatchFilter(
            keys, transactions, self.producers, self.part.first_uncleanable, self.now_ms, config.delete_retention_ms,
            config.inflated_bytes_max,
        )  # fmt: skip
        segments = [each for each in self.segments if each.base_offset < self.end_offset]
        for first, end in groups(
            segments, config.segment_bytes, config.segment_index_bytes, self.part.first_uncleanable
        ):
            yield from self._clean_group(segments[first:end], batches, transactions)
        stats = self.stats
        stats.records_read, stats.records_kept = batches.records_read, batches.records_kept
        stats.records_without_key = batches.records_without_key

    def _clean_group(
        self, group: Sequence[Segment], batches: BatchFilter, transactions: CleanedTransactions
    ) -> Iterator[int | Cleaned]:
        writer = SegmentWriter(self.log.disk, group, self.log.config)
        is_done = False
        try:
            last: bytes | None = None
            for segment in group:
                path = segment.path(names.LOG)
                for piece in pieces(segment.disk, path, 0, segment.size, self.settings.piece_bytes):
                    kept = batches.filter(piece)
                    writer.write(kept)
                    last = _lost_end(piece, kept)
                    self.stats.read_bytes += piece.end
                    yield piece.end + len(kept)
            if last is not None:
                # A start after a crash tells by the last batch which segments this one replaces.
                writer.write(empty_batch(HEADER.unpack(last)))
            writer.finish(transactions.take_kept_aborts())
            self.stats.written_bytes += writer.size
            is_done = True
        finally:
            if not is_done:
                writer.discard()
        yield Cleaned(list(group), writer.segment())


def _lost_end(piece: Piece, kept: bytes) -> bytes | None:
    """The header of the piece's last batch, if nothing of that batch stays."""
    header = bytes(piece.data[piece.last : piece.last + HEADER_BYTES])
    found, _, _ = cleaning.list_batches(kept, len(kept))
    return None if found and kept[found[-1][0] : found[-1][0] + 8] == header[:8] else header


def plan_job(log: Log, part: DirtyPart, settings: CleanSettings, now_ms: int) -> CleanJob:
    """On the event loop, which the log belongs to."""
    segments = [each for each in log.segments if each.base_offset < part.first_uncleanable]
    entries = log.producers.entries
    producers = Producers(
        frozenset(each.last_offset for each in entries.values() if each.batches),
        {each.producer_id: each.epoch for each in entries.values() if not each.batches},
    )
    aborted = [txn for each in log.segments for txn in each.txn_index.entries]
    return CleanJob(log, part, settings, now_ms, log.generation, segments, aborted, producers)
