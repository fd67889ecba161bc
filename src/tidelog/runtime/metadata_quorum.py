"""A quorum of one over the metadata log: what is flushed here is committed.

The same face as a driver of Raft has: batches go in at the end, and a callback says how far the log is committed.
Flushes run beside the event loop, one at a time; what arrives meanwhile shares the next one.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from tidelog.metadata.control import VoterKey, control_batch, control_value, leader_change
from tidelog.metadata.quorum_state import QuorumState
from tidelog.metadata.voters import VoterSet
from tidelog.ports import Blocking, Clock
from tidelog.protocol.record_batch import Record, build_batch
from tidelog.runtime.metadata_files import MetadataFiles

RESERVED_EPOCH = 0  # before any leader


class LocalQuorum:
    def __init__(self, node_id: int, files: MetadataFiles, clock: Clock, blocking: Blocking) -> None:
        self.node_id = node_id
        self.leader_id = -1
        self.epoch = RESERVED_EPOCH
        self.high_watermark = 0
        self.voter_set = VoterSet()
        self.on_commit: Callable[[int], None] = _ignore
        self.on_failure: Callable[[OSError], None] = _ignore
        self._files = files
        self._clock = clock
        self._blocking = blocking
        self._flushing: asyncio.Task[None] | None = None

    @property
    def log_end_offset(self) -> int:
        return self._files.log.log_end_offset

    @property
    def voters(self) -> list[VoterKey]:
        return self.voter_set.voter_keys() or [VoterKey(self.node_id)]

    def become_leader(self) -> None:
        """Starts a new epoch: first on disk, so that no epoch is ever led twice, then in the log."""
        state = self._files.read_quorum_state()
        self.epoch = (state.leader_epoch if state else RESERVED_EPOCH) + 1
        kraft_version = self.voter_set.kraft_version
        ids = tuple(each.id for each in self.voters)
        self._files.write_quorum_state(
            QuorumState(self.node_id, self.epoch, voters=ids, data_version=min(kraft_version, 1))
        )
        self.leader_id = self.node_id
        opening = [leader_change(self.node_id, self.voters, kraft_version)]
        if self.log_end_offset == 0:
            # Formatting left the voters in a snapshot of nothing; they belong into the log, where a change can follow.
            opening += [control_value(each) for each in self.voter_set.controls()]
        now_ms = self._clock.now_ms()
        self._append(control_batch(opening, self.log_end_offset, self.epoch, now_ms), now_ms)

    def append(self, values: Sequence[bytes]) -> int:
        """One batch of records; gives the offset of the last. It is committed when `on_commit` has passed it."""
        now_ms = self._clock.now_ms()
        base = self.log_end_offset
        records = [Record(base + index, now_ms, None, value) for index, value in enumerate(values)]
        self._append(build_batch(records, base, partition_leader_epoch=self.epoch), now_ms)
        return base + len(values) - 1

    async def close(self) -> None:
        if self._flushing is not None:
            await self._flushing

    def _append(self, batch: bytes, now_ms: int) -> None:
        self._files.append(batch, now_ms)
        if self._flushing is None:
            self._flushing = asyncio.get_running_loop().create_task(self._flush())

    async def _flush(self) -> None:
        try:
            while self.high_watermark < self.log_end_offset:
                end = self.log_end_offset
                plan = self._files.plan_flush()
                await self._blocking.run(plan.run)
                plan.done()
                self.high_watermark = end
                self.on_commit(end)
        except OSError as error:
            # A flush that failed may have lost what it was to write; trying again would lie about it.
            self.on_failure(error)
        finally:
            self._flushing = None


def _ignore(value: object) -> None:
    """Before anyone listens."""
