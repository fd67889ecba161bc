"""The metadata log and its snapshots, served to followers: a fetch waits here until there is something to say."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Any

from tidelog.protocol.errors import ErrorCode, KafkaError
from tidelog.raft import messages as m
from tidelog.raft.quorum import Raft
from tidelog.runtime.metadata_files import MetadataFiles
from tidelog.runtime.raft_log import RaftLog

LOG = logging.getLogger("tidelog.raft")
CHUNK_BYTES = 1 << 20
Respond = Callable[[Any], None]
_ABSENT: Any = object()


class Parked:
    """A fetch that waits for something to say."""

    __slots__ = ("max_bytes", "request", "respond", "timer")

    def __init__(self, request: m.FetchLog, max_bytes: int, respond: Respond) -> None:
        self.request = request
        self.max_bytes = max_bytes
        self.respond = respond
        self.timer: asyncio.TimerHandle | None = None


class LogServing:
    def __init__(self, raft: Raft, log: RaftLog, files: MetadataFiles, failed: Callable[[OSError], None]) -> None:
        self._raft = raft
        self._log = log
        self._files = files
        self._failed = failed
        self._parked: dict[Parked, None] = {}

    def serve(self, request: m.FetchLog, respond: Respond, max_bytes: int, max_wait_ms: int) -> None:
        """Answers when there is something to say, or when the time is over."""
        parked = Parked(request, max_bytes, respond)
        if not self._has_news(parked) and max_wait_ms > 0:
            self._parked[parked] = None
            loop = asyncio.get_running_loop()
            parked.timer = loop.call_later(max_wait_ms / 1000, self._answer, parked)
        else:
            self._answer(parked)

    def wake(self) -> None:
        """Something changed: whoever it concerns is answered."""
        for parked in [each for each in self._parked if self._has_news(each)]:
            self._answer(parked)

    def abandon(self, respond: Respond) -> None:
        """Whoever waits for this answer is gone."""
        for parked in [each for each in self._parked if each.respond is respond]:
            self._unpark(parked)

    def close(self) -> None:
        for parked in list(self._parked):
            self._unpark(parked)

    def chunk(self, request: m.FetchChunk, max_bytes: int) -> m.ChunkReply:
        """A part of a snapshot."""
        wanted, position = request.snapshot_id, request.position
        reply = m.ChunkReply(ErrorCode.NONE, self._raft.leader, wanted)
        if wanted not in self._files.snapshot_ids:
            return reply._replace(error=ErrorCode.SNAPSHOT_NOT_FOUND)
        size = self._files.snapshot_size(wanted)
        if not 0 <= position < size:
            return reply._replace(error=ErrorCode.POSITION_OUT_OF_RANGE)
        data = self._files.read_snapshot_part(wanted, position, min(max(max_bytes, 1), CHUNK_BYTES))
        return reply._replace(size=size, position=position, data=data)

    def _has_news(self, parked: Parked) -> bool:
        request, raft = parked.request, self._raft
        return (
            self._log.end_offset > request.offset
            or raft.high_watermark > request.high_watermark
            or not raft.is_leader
            or raft.epoch != request.epoch
        )

    def _unpark(self, parked: Parked) -> None:
        if self._parked.pop(parked, _ABSENT) is None and parked.timer is not None:
            parked.timer.cancel()

    def _answer(self, parked: Parked) -> None:
        self._unpark(parked)
        request, raft = parked.request, self._raft
        reply = m.FetchReply(ErrorCode.NONE, raft.leader, raft.high_watermark, self._log.start_offset)
        if not raft.is_leader or raft.epoch != request.epoch:
            reply = m.FetchReply(ErrorCode.NOT_LEADER_OR_FOLLOWER, raft.leader)
        elif request.offset < self._log.start_offset:
            reply = reply._replace(snapshot_id=self._log.newest_snapshot)
        elif self._log.end_offset > request.offset:
            try:
                reply = reply._replace(records=self._log.read(request.offset, parked.max_bytes))
            except (OSError, KafkaError) as error:
                LOG.error("the metadata log cannot be read: %s", error)
                reply = m.FetchReply(ErrorCode.KAFKA_STORAGE_ERROR, raft.leader)
                self._failed(OSError(str(error)))  # another must lead
        parked.respond(reply)
