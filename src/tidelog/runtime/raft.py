"""RaftDriver: the quorum at work. Carries out what the pure machine decides: files, flushes, connections, timers.

Nodes that do not vote (brokers without the controller role) follow the log with the same driver. Flushes run beside the
event loop, one at a time; what arrives meanwhile shares the next one. A vote or an epoch is on disk before it is told.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from tidelog.metadata.control import VoterKey
from tidelog.metadata.records import UnreadableRecord
from tidelog.metadata.snapshot import SnapshotId, read_snapshot
from tidelog.metadata.voters import VoterSet
from tidelog.ports import Blocking, Clock
from tidelog.protocol.errors import ErrorCode, KafkaError
from tidelog.protocol.messages import response_class
from tidelog.protocol.primitives import DecodeError
from tidelog.protocol.record_batch import BatchError
from tidelog.raft import messages as m
from tidelog.raft.quorum import Raft, RaftConfig
from tidelog.raft.roles import Role
from tidelog.raft.voters import Address, Voter, VoterHistory, logged_voters
from tidelog.runtime import raft_wire
from tidelog.runtime.metadata_files import MetadataFiles
from tidelog.runtime.peers import Peers, PeerUnavailable
from tidelog.runtime.raft_log import RaftLog
from tidelog.runtime.raft_serving import LogServing, Respond
from tidelog.runtime.raft_status import ReplicaStatus, statuses

LOG = logging.getLogger("tidelog.raft")
FOREVER_MS = 1 << 60


class RaftSettings(NamedTuple):
    """Who this node is in the quorum, and how patient."""

    node: VoterKey
    cluster_id: str
    bootstrap: Sequence[Address]
    timing: RaftConfig = RaftConfig()
    request_timeout_ms: int = 2000
    limits: raft_wire.Limits = raft_wire.Limits(1 << 20, 1 << 20)


class RaftDriver:
    def __init__(
        self,
        settings: RaftSettings,
        files: MetadataFiles,
        voters: VoterHistory,
        clock: Clock,
        blocking: Blocking,
        peers: Peers | None,
        pick: Callable[[int], int],
    ) -> None:
        self.settings = settings
        self.node_id = settings.node.id
        self.log = RaftLog(files, clock)
        self.on_commit: Callable[[int], None] = _ignore
        self.on_failure: Callable[[OSError], None] = _ignore
        self.on_role_change: Callable[[bool, int], None] = _ignore
        self.on_installed: Callable[[SnapshotId, Any], None] = _ignore
        self.on_progress: Callable[[], None] = _nothing
        self._files = files
        self._clock = clock
        self._blocking = blocking
        self._peers = peers
        self._flushing: asyncio.Task[None] | None = None
        self._installing: asyncio.Task[None] | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._timer_ms = FOREVER_MS
        self._chunks = bytearray()
        self._changes: dict[int, asyncio.Future[tuple[ErrorCode, str]]] = {}
        self._token = 0
        self._closed = False
        self.raft = Raft(
            settings.node,
            settings.timing,
            self.log,
            voters,
            files.read_quorum_state(),
            settings.bootstrap,
            pick,
            clock.monotonic_ms(),
        )
        self._serving = LogServing(self.raft, self.log, files, self._failed)

    # what others read

    @property
    def listeners(self) -> tuple[tuple[str, str, int], ...]:
        """Where other controllers reach this one; known when its listeners are open."""
        return self.raft.endpoints

    @listeners.setter
    def listeners(self, found: Sequence[tuple[str, str, int]]) -> None:
        self.raft.endpoints = tuple(found)

    @property
    def epoch(self) -> int:
        return self.raft.epoch

    @property
    def leader_id(self) -> int:
        return self.raft.leader.id

    @property
    def is_leader(self) -> bool:
        return self.raft.is_leader

    @property
    def high_watermark(self) -> int:
        return self.raft.high_watermark

    @property
    def log_end_offset(self) -> int:
        return self.log.end_offset

    @property
    def voters(self) -> list[VoterKey]:
        return list(self.raft.current.keys)

    @property
    def kraft_version(self) -> int:
        return self.raft.current.kraft_version

    @property
    def voter_set(self) -> VoterSet:
        return self.raft.current.to_set()

    @property
    def members(self) -> tuple[Voter, ...]:
        return self.raft.current.members

    def describe(self) -> tuple[list[ReplicaStatus], list[ReplicaStatus]]:
        """Voters and observers, as the leader knows them."""
        return statuses(self.raft, self.log_end_offset, self._clock)

    def voters_at(self, end_offset: int) -> VoterSet:
        """As a snapshot that ends there must name them."""
        return self.raft.voters.at(end_offset).to_set()

    @property
    def is_sole_voter(self) -> bool:
        return self.raft.is_voter and len(self.raft.current.members) == 1

    @property
    def leader_address(self) -> tuple[int, str, int] | None:
        info = self.raft.leader
        if info.id < 0 or info.address is None:
            return None
        return info.id, *info.address

    @property
    def is_caught_up(self) -> bool:
        """Whether everything that the leader had committed when it last answered is committed here."""
        if self.raft.is_leader:
            leadership = self.raft.leadership
            return leadership is not None and self.raft.high_watermark > leadership.epoch_start
        known = self.raft.following.leader_high_watermark
        return self.raft.role is Role.FOLLOWER and 0 <= known <= self.raft.high_watermark

    # life

    def start(self) -> None:
        """Everything found on disk is made durable first: a process that was killed may have left it in memory only."""
        self._files.plan_flush().run()
        self._files.log.recovery_point = self._files.log.log_end_offset
        self._tick()

    async def close(self) -> None:
        """A leader says that it goes, so that nobody has to wait for a timeout to notice."""
        if self.raft.is_leader and not self.is_sole_voter:
            self._step(m.Resign())
            await asyncio.sleep(0.02)
        self._closed = True
        if self._timer is not None:
            self._timer.cancel()
        self._serving.close()
        for task in (self._flushing, self._installing):
            if task is not None:
                await asyncio.gather(task, return_exceptions=True)

    # writing

    def append(self, values: Sequence[bytes]) -> int:
        """One batch of records by the leader; gives the offset of the last. `on_commit` says when it is committed."""
        assert self.raft.is_leader
        offset = self.log.append_values(values, self.raft.epoch)
        self._appended()
        return offset

    def change_voters(
        self, key: VoterKey, voter: Voter | None, timeout_ms: int, ack: bool = True
    ) -> asyncio.Future[Any]:
        """Adds `voter` or removes `key`; the result is an error code and what it means."""
        future = self._awaited_change()
        self._step(m.ChangeVoters(self._token, key, voter, timeout_ms, ack))
        return future

    def upgrade_voters(self, timeout_ms: int) -> asyncio.Future[Any]:
        """The voters of the settings go into the log; the result is an error code and what it means."""
        future = self._awaited_change()
        self._step(m.UpgradeVoters(self._token, timeout_ms))
        return future

    def _awaited_change(self) -> asyncio.Future[Any]:
        self._token += 1
        future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._changes[self._token] = future
        return future

    def _appended(self) -> None:
        if self._flushing is None and not self._closed:
            self._flushing = asyncio.get_running_loop().create_task(self._flush())
        self._serving.wake()

    async def _flush(self) -> None:
        try:
            while self.log.durable_offset < self.log.end_offset:
                plan = self._files.plan_flush()
                await self._blocking.run(plan.run)
                plan.done()
                self._step(m.Durable())
        except OSError as error:
            # A flush that failed may have lost what it was to write; trying again would lie about it.
            self._failed(error)
        finally:
            self._flushing = None

    def _failed(self, error: OSError) -> None:
        self._closed = True
        if self._timer is not None:
            self._timer.cancel()
        self.on_failure(error)

    # the machine

    def _step(self, event: Any, respond: Respond | None = None, max_bytes: int = 0, max_wait_ms: int = 0) -> None:
        if self._closed:
            return
        try:
            effects = self.raft.step(event, self._clock.monotonic_ms())
            self._carry_out(effects, respond, max_bytes, max_wait_ms)
        except OSError as error:
            self._failed(error)
        except KafkaError as error:
            self._refused(error)

    def _refused(self, error: KafkaError) -> None:
        """A log that failed before refuses everything: whoever cannot read or write it cannot take part any more."""
        if error.code is not ErrorCode.KAFKA_STORAGE_ERROR:
            raise error
        self._failed(OSError(str(error)))

    def _tick(self) -> None:
        self._timer_ms = FOREVER_MS
        if self._closed:
            return
        try:
            self._carry_out(self.raft.tick(self._clock.monotonic_ms()))
        except OSError as error:
            self._failed(error)
        except KafkaError as error:
            self._refused(error)

    def _carry_out(
        self, effects: list[m.Effect], respond: Respond | None = None, max_bytes: int = 0, max_wait_ms: int = 0
    ) -> None:
        for effect in effects:
            if isinstance(effect, m.Reply):
                if respond is not None:
                    respond(effect.reply)
            elif isinstance(effect, m.Serve):
                assert respond is not None
                self._serving.serve(effect.request, respond, max_bytes, max_wait_ms)
            elif isinstance(effect, m.ServeChunk):
                assert respond is not None
                respond(self._serving.chunk(effect.request, max_bytes))
            else:
                _EFFECTS[type(effect)](self, effect)
        self._arm()
        self._serving.wake()
        self.on_progress()

    def _arm(self) -> None:
        """One timer, at the machine's next deadline."""
        deadline_ms = self.raft.next_deadline_ms()
        if deadline_ms == self._timer_ms and self._timer is not None:
            return
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._timer_ms = deadline_ms
        if deadline_ms < FOREVER_MS and not self._closed:
            wait_ms = max(0, deadline_ms - self._clock.monotonic_ms())
            self._timer = asyncio.get_running_loop().call_later(wait_ms / 1000, self._tick)

    # effects

    def _save(self, effect: m.Save) -> None:
        self._files.write_quorum_state(effect.state)

    def _send(self, effect: m.Send) -> None:
        request, to = effect.request, effect.to
        if self._peers is None:
            asyncio.get_running_loop().call_soon(self._step, m.Answered(to, request, None))
            return
        message = raft_wire.to_wire(request, self.settings.cluster_id, self.listeners, self.settings.limits)
        version = message.VERSIONS[1]
        # Fetches wait at the leader; what is urgent must not stand in line behind them.
        purpose = "quorum-fetch" if isinstance(request, (m.FetchLog, m.FetchChunk)) else "quorum"

        def answered(body: memoryview | None, error: OSError | None) -> None:
            reply = None
            if body is not None:
                try:
                    reply = raft_wire.reply_of(request, response_class(message.API_KEY).decode(body, version))
                except DecodeError as problem:
                    LOG.warning("the answer of %s:%d cannot be read: %s", *to, problem)
            refused = isinstance(error, PeerUnavailable) and error.refused
            self._step(m.Answered(to, request, reply, refused))

        self._peers.at(*to, purpose).send(message, version, self.settings.request_timeout_ms, answered)

    def _open_epoch(self, effect: m.OpenEpoch) -> None:
        LOG.info("node %d leads the quorum in epoch %d", self.node_id, effect.epoch)
        self.log.open_epoch(self.node_id, effect.epoch, self.raft.current, effect.granting)
        self._appended()

    def _append_voters(self, effect: m.AppendVoters) -> None:
        self.log.append_voters(effect.voters, self.raft.epoch, effect.is_first)
        self._appended()

    def _append(self, effect: m.Append) -> None:
        try:
            for offset, voters in self.log.append_from_leader(effect.records, self.raft.current.kraft_version or 1):
                self.raft.voters.append(offset, voters)
        except (KafkaError, BatchError) as error:
            LOG.warning("what the leader sent cannot be appended and is fetched again: %s", error)
        if self.log.durable_offset < self.log.end_offset:
            self._appended()
        else:
            wait = self.settings.timing.retry_backoff_ms / 1000
            asyncio.get_running_loop().call_later(wait, self._step, m.Durable())

    def _truncate(self, effect: m.Truncate) -> None:
        LOG.info("the log is cut to offset %d: the leader's goes on differently", effect.offset)
        self._files.log.truncate_to(effect.offset)
        self.raft.voters.truncate_from_end(self.log.end_offset)
        asyncio.get_running_loop().call_soon(self._step, m.Durable())

    def _store_chunk(self, effect: m.StoreChunk) -> None:
        if effect.position == 0:
            self._chunks.clear()
        assert len(self._chunks) == effect.position
        self._chunks += effect.data

    def _install(self, effect: m.InstallSnapshot) -> None:
        data = bytes(self._chunks)
        self._chunks = bytearray()
        self._installing = asyncio.get_running_loop().create_task(self._install_snapshot(effect.snapshot_id, data))

    async def _install_snapshot(self, snapshot_id: SnapshotId, data: bytes) -> None:
        """The file first: a crash behind it finds a log that ends before its newest snapshot, and starts from that."""
        try:
            snapshot = await self._blocking.run(read_snapshot, data)
            await self._blocking.run(self._files.write_snapshot, snapshot_id, [data])
            self._files.restart_log_at(snapshot_id.offset)
            self._files.log.recovery_point = snapshot_id.offset
            voters = logged_voters(VoterSet().replay(snapshot.controls))
            self.raft.voters.restart(voters or self.raft.voters.current)
            LOG.info("snapshot %s was fetched and takes the place of the log", snapshot_id.file_name)
            self.on_installed(snapshot_id, snapshot)
            self._step(m.Installed(snapshot_id))
        except (UnreadableRecord, BatchError) as error:
            LOG.warning("snapshot %s arrived damaged and is fetched again: %s", snapshot_id.file_name, error)
            self._step(m.Installed(SnapshotId(0, 0)))
        except OSError as error:
            self._failed(error)
        finally:
            self._installing = None

    def _commit(self, effect: m.Commit) -> None:
        self.on_commit(effect.high_watermark)

    def _leader_changed(self, effect: m.LeaderChanged) -> None:
        if not effect.leading and effect.leader.id >= 0:
            LOG.info("node %d leads the quorum in epoch %d", effect.leader.id, effect.leader.epoch)
        self.on_role_change(effect.leading, effect.leader.epoch)

    def _voters_changed(self, effect: m.VotersChanged) -> None:
        future = self._changes.pop(effect.token, None)
        if future is not None and not future.done():
            future.set_result((effect.error, effect.message))

    # serving others

    def handle(self, request: m.Request, respond: Respond, max_bytes: int = 0) -> None:
        """Answers with a reply, at once in most cases."""
        if self._closed:
            respond(None)
        else:
            self._step(request, respond, max_bytes)

    def fetch(self, request: m.FetchLog, max_bytes: int, max_wait_ms: int, respond: Respond) -> None:
        """Answers when there is something to say, or when the time is over."""
        self._step(request, respond, max_bytes, max_wait_ms)

    def abandon(self, respond: Respond) -> None:
        """Whoever waits for this answer is gone."""
        self._serving.abandon(respond)


_EFFECTS: dict[type, Callable[[RaftDriver, Any], None]] = {
    m.Save: RaftDriver._save,
    m.Send: RaftDriver._send,
    m.OpenEpoch: RaftDriver._open_epoch,
    m.AppendVoters: RaftDriver._append_voters,
    m.Append: RaftDriver._append,
    m.Truncate: RaftDriver._truncate,
    m.StoreChunk: RaftDriver._store_chunk,
    m.InstallSnapshot: RaftDriver._install,
    m.Commit: RaftDriver._commit,
    m.LeaderChanged: RaftDriver._leader_changed,
    m.VotersChanged: RaftDriver._voters_changed,
}


def _ignore(*values: object) -> None:
    """Before anyone listens."""


def _nothing() -> None:
    """Before anyone listens."""
