"""A world of Raft machines: a network that loses, doubles and reorders, disks that forget what was not flushed, and a
judge that sees every log. Everything that happens follows from one seed."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, NamedTuple

from tidelog.metadata.control import VoterKey
from tidelog.metadata.quorum_state import QuorumState
from tidelog.metadata.snapshot import SnapshotId
from tidelog.protocol.errors import ErrorCode
from tidelog.raft import messages as m
from tidelog.raft.log_view import last_epoch
from tidelog.raft.quorum import Raft, RaftConfig
from tidelog.raft.roles import Role
from tidelog.raft.voters import Address, Voter, VoterHistory, Voters

CONFIG = RaftConfig()


class Entry(NamedTuple):
    epoch: int
    value: Any


class MemoryLog:
    """The disk of one node. `entries` begin at `start_offset`; everything before it is in a snapshot."""

    def __init__(self, directory: bytes) -> None:
        self.directory = directory
        self.state: QuorumState | None = None
        self.entries: list[Entry] = []
        self.start_offset = 0
        self.durable_offset = 0
        self.snapshots: list[SnapshotId] = []
        self.snapshot_content: dict[SnapshotId, tuple[tuple[Entry, ...], Voters]] = {}

    @property
    def end_offset(self) -> int:
        return self.start_offset + len(self.entries)

    @property
    def epochs(self) -> Sequence[tuple[int, int]]:
        found: list[tuple[int, int]] = []
        for index, entry in enumerate(self.entries):
            if not found or found[-1][0] != entry.epoch:
                found.append((entry.epoch, self.start_offset + index))
        return found

    @property
    def oldest_snapshot(self) -> SnapshotId | None:
        return self.snapshots[0] if self.snapshots else None

    @property
    def newest_snapshot(self) -> SnapshotId | None:
        return self.snapshots[-1] if self.snapshots else None

    def cut(self, offset: int) -> None:
        del self.entries[max(0, offset - self.start_offset) :]
        self.durable_offset = min(self.durable_offset, self.end_offset)

    def history(self) -> list[Entry]:
        """Every entry from offset 0 on."""
        before: tuple[Entry, ...] = ()
        if self.snapshots:
            content, _ = self.snapshot_content[self.newest_snapshot]  # type: ignore[index]
            before = content[: self.start_offset]
        return [*before, *self.entries]


class Peer:
    """One node: a disk, and while it runs a machine."""

    def __init__(self, world: World, node_id: int, first: Voters) -> None:
        self.world = world
        self.id = node_id
        self.first = first
        self.address: Address = ("host", node_id)
        self.disk = MemoryLog(world.new_directory())
        self.raft: Raft | None = None
        self.parked: list[tuple[m.FetchLog, Address, bool]] = []
        self.chunks: dict[SnapshotId, tuple[tuple[Entry, ...], Voters]] = {}
        self.generation = 0

    @property
    def key(self) -> VoterKey:
        return VoterKey(self.id, self.disk.directory)

    def start(self) -> None:
        first = self.first
        if self.disk.snapshots:
            first = self.disk.snapshot_content[self.disk.newest_snapshot][1]  # type: ignore[index]
        history = VoterHistory(first)
        for index, entry in enumerate(self.disk.entries):
            if isinstance(entry.value, Voters):
                history.append(self.disk.start_offset + index, entry.value)
        bootstrap = [each.address for each in self.world.peers]
        self.disk.durable_offset = self.disk.end_offset
        self.raft = Raft(
            self.key,
            CONFIG,
            self.disk,
            history,
            self.disk.state,
            bootstrap,
            self.world.random.randrange,
            self.world.now_ms,
        )
        self.generation += 1

    def crash(self) -> None:
        """What was not flushed may be gone, in part or whole."""
        disk = self.disk
        if disk.end_offset > disk.durable_offset:
            disk.cut(self.world.random.randint(max(disk.durable_offset, disk.start_offset), disk.end_offset))
        self.raft = None
        for fetch, source, _ in self.parked:
            self.world.reply(self, source, fetch, None)  # its connection ends
        self.parked, self.chunks = [], {}

    # the driver

    def step(self, message: Any) -> None:
        assert self.raft is not None
        self.execute(self.raft.step(message, self.world.now_ms))

    def tick(self) -> None:
        if self.raft is not None and self.raft.next_deadline_ms() <= self.world.now_ms:
            self.execute(self.raft.tick(self.world.now_ms))

    def request(self, source: Address, request: m.Request) -> None:
        assert self.raft is not None
        self.execute(self.raft.step(request, self.world.now_ms), source, request)

    def execute(self, effects: list[m.Effect], source: Address | None = None, request: Any = None) -> None:
        for effect in effects:
            getattr(self, f"_{type(effect).__name__}")(effect, source, request)
        if self.raft is not None:
            self.raft.check_invariants()
            self.wake()
        self.world.judge(self)

    def _Save(self, effect: m.Save, *_: Any) -> None:
        self.disk.state = effect.state

    def _Send(self, effect: m.Send, *_: Any) -> None:
        self.world.send(self, effect.to, effect.request)

    def _Reply(self, effect: m.Reply, source: Address | None, request: Any) -> None:
        self.world.reply(self, source, request, effect.reply)

    def _Serve(self, effect: m.Serve, source: Address | None, request: Any) -> None:
        assert source is not None
        self.parked.append((effect.request, source, False))

    def _ServeChunk(self, effect: m.ServeChunk, source: Address | None, request: Any) -> None:
        assert self.raft is not None
        found = self.disk.snapshot_content.get(effect.request.snapshot_id)
        reply = m.ChunkReply(ErrorCode.SNAPSHOT_NOT_FOUND, self.raft.leader, effect.request.snapshot_id)
        if found is not None:
            at = effect.request.position
            data = b"abc"[at : at + 2]  # two pieces: the content travels beside them
            reply = reply._replace(error=ErrorCode.NONE, size=3, position=at, data=data)
            self.world.snapshots[effect.request.snapshot_id] = found
        self.world.reply(self, source, request, reply)

    def _OpenEpoch(self, effect: m.OpenEpoch, *_: Any) -> None:
        self.world.elected(self, effect.epoch)
        self.disk.entries.append(Entry(effect.epoch, "leader"))

    def _AppendVoters(self, effect: m.AppendVoters, *_: Any) -> None:
        assert self.raft is not None
        self.disk.entries.append(Entry(self.raft.epoch, effect.voters))

    def _Append(self, effect: m.Append, *_: Any) -> None:
        assert self.raft is not None
        for entry in effect.records:
            if isinstance(entry.value, Voters):
                self.raft.voters.append(self.disk.end_offset, entry.value)
            self.disk.entries.append(entry)

    def _Truncate(self, effect: m.Truncate, *_: Any) -> None:
        assert self.raft is not None
        self.disk.cut(effect.offset)
        self.world.later(self, m.Durable())

    def _StoreChunk(self, effect: m.StoreChunk, *_: Any) -> None:
        pass

    def _InstallSnapshot(self, effect: m.InstallSnapshot, *_: Any) -> None:
        assert self.raft is not None
        content = self.world.snapshots[effect.snapshot_id]
        disk = self.disk
        disk.snapshots = [effect.snapshot_id]
        disk.snapshot_content = {effect.snapshot_id: content}
        disk.entries = []
        disk.start_offset = disk.durable_offset = effect.snapshot_id.offset
        self.raft.voters.restart(content[1])
        self.world.later(self, m.Installed(effect.snapshot_id))

    def _Commit(self, effect: m.Commit, *_: Any) -> None:
        self.world.committed_by(self, effect.high_watermark)

    def _LeaderChanged(self, effect: m.LeaderChanged, *_: Any) -> None:
        pass

    def _VotersChanged(self, effect: m.VotersChanged, *_: Any) -> None:
        self.world.changes[effect.error] = self.world.changes.get(effect.error, 0) + 1

    def wake(self) -> None:
        """Answers parked fetches that have something to hear."""
        assert self.raft is not None
        kept = []
        for fetch, source, timed_out in self.parked:
            if self.raft.role is not Role.LEADER or fetch.epoch != self.raft.epoch:
                reply = m.FetchReply(ErrorCode.NOT_LEADER_OR_FOLLOWER, self.raft.leader)
            elif fetch.offset < self.disk.start_offset:
                reply = m.FetchReply(ErrorCode.NONE, self.raft.leader, snapshot_id=self.disk.newest_snapshot)
            elif self.disk.end_offset > fetch.offset or self.raft.high_watermark > fetch.high_watermark or timed_out:
                entries = self.disk.entries[fetch.offset - self.disk.start_offset :][:3]
                reply = m.FetchReply(
                    ErrorCode.NONE, self.raft.leader, self.raft.high_watermark, self.disk.start_offset, records=entries
                )
            else:
                kept.append((fetch, source, timed_out))
                continue
            self.world.reply(self, source, fetch, reply)
        self.parked = kept

    def flush(self) -> None:
        if self.raft is not None and self.disk.durable_offset < self.disk.end_offset:
            self.disk.durable_offset = self.disk.end_offset
            self.step(m.Durable())

    def snapshot(self, keep_log: bool) -> None:
        """Of what is committed here; the log before it goes unless it is kept."""
        raft, disk = self.raft, self.disk
        if raft is None or raft.high_watermark <= (disk.newest_snapshot.offset if disk.newest_snapshot else 0):
            return
        offset = raft.high_watermark
        history = disk.history()[:offset]
        snapshot_id = SnapshotId(offset, history[-1].epoch)
        disk.snapshots.append(snapshot_id)
        disk.snapshot_content[snapshot_id] = (tuple(history), raft.voters.at(offset))
        if not keep_log:
            disk.snapshots = [snapshot_id]
            del disk.entries[: offset - disk.start_offset]
            disk.start_offset = offset
            disk.durable_offset = max(disk.durable_offset, offset)
            raft.voters.truncate_from_start(offset)


class World:
    def __init__(self, seed: int, size: int, voting: int, dynamic: bool) -> None:
        self.random = Random(seed)
        self.now_ms = 0
        self.flights: list[tuple[str, Address, Any, Any, int]] = []
        self.leaders: dict[int, VoterKey] = {}
        self.committed: list[Entry] = []
        self.snapshots: dict[SnapshotId, tuple[tuple[Entry, ...], Voters]] = {}
        self.cut_off: set[tuple[int, int]] = set()
        self.changes: dict[ErrorCode, int] = {}
        self.values = 0
        self.peers: list[Peer] = []
        self.peers = [Peer(self, node_id, Voters()) for node_id in range(size)]
        members = tuple(self.voter(peer, dynamic) for peer in self.peers[:voting])
        self.first = Voters(members, 1 if dynamic else 0)
        for peer in self.peers:
            peer.first = self.first
            if dynamic and peer.id < voting:
                peer.disk.snapshots = [SnapshotId(0, 0)]
                peer.disk.snapshot_content[SnapshotId(0, 0)] = ((), peer.first)
            elif dynamic:
                peer.first = Voters()
            peer.start()

    def voter(self, peer: Peer, dynamic: bool = True) -> Voter:
        return Voter(peer.key if dynamic else VoterKey(peer.id), (("CONTROLLER", *peer.address),))

    def new_directory(self) -> bytes:
        return self.random.randbytes(16)

    # the network

    def send(self, peer: Peer, to: Address, request: m.Request) -> None:
        self.flights.append(("request", to, peer.address, request, peer.generation))

    def reply(self, peer: Peer, source: Address | None, request: Any, reply: Any) -> None:
        assert source is not None
        self.flights.append(("reply", source, peer.address, (request, reply), self.peers[source[1]].generation))

    def later(self, peer: Peer, event: Any) -> None:
        self.flights.append(("event", peer.address, peer.address, event, peer.generation))

    def deliver(self, index: int, lossy: float = 0.0) -> None:
        kind, to, source, content, generation = self.flights.pop(index)
        peer = self.peers[to[1]]
        lost = self.random.random() < lossy or (source[1], to[1]) in self.cut_off
        if kind == "event":
            if peer.raft is not None and peer.generation == generation:
                peer.step(content)
        elif kind == "request":
            if peer.raft is None or lost:
                self._fail(source, to, content, peer.raft is None and not lost)
                return
            if self.random.random() < lossy:  # sent again after a connection broke: the first one was taken, too
                self.flights.append((kind, to, source, content, generation))
            peer.request(source, content)
        elif peer.raft is not None and peer.generation == generation:
            request, reply = content
            peer.step(m.Answered(source, request, None if lost else reply))

    def _fail(self, source: Address, to: Address, request: Any, refused: bool) -> None:
        peer = self.peers[source[1]]
        if peer.raft is not None:
            peer.step(m.Answered(to, request, None, refused))

    # the judge

    def elected(self, peer: Peer, epoch: int) -> None:
        assert self.leaders.setdefault(epoch, peer.key) == peer.key, f"two leaders in epoch {epoch}"
        history = peer.disk.history()
        assert history[: len(self.committed)] == self.committed, f"the leader of {epoch} lacks what is committed"

    def committed_by(self, peer: Peer, high_watermark: int) -> None:
        known = min(high_watermark, len(self.committed))
        history = peer.disk.history()[:high_watermark]
        assert len(history) == high_watermark
        assert history[:known] == self.committed[:known], f"node {peer.id} commits something else"
        self.committed += history[known:]

    def judge(self, peer: Peer) -> None:
        assert peer.disk.durable_offset <= peer.disk.end_offset
        if peer.raft is not None:
            assert peer.raft.epoch >= last_epoch(peer.disk)

    def check_logs(self) -> None:
        """Log matching: where two logs have a record of the same epoch, everything before it is the same."""
        logs = [peer.disk.history() for peer in self.peers]
        for index, one in enumerate(logs):
            for other in logs[index + 1 :]:
                for offset in range(min(len(one), len(other)) - 1, -1, -1):
                    if one[offset].epoch == other[offset].epoch:
                        assert one[: offset + 1] == other[: offset + 1]
                        break

    # what happens

    def write(self) -> None:
        for peer in self.peers:
            if peer.raft is not None and peer.raft.is_leader and self.random.random() < 0.7:
                self.values += 1
                peer.disk.entries.append(Entry(peer.raft.epoch, self.values))
                peer.wake()

    def pass_time(self, most_ms: int) -> None:
        self.now_ms += self.random.randint(1, most_ms)
        for peer in self.peers:
            peer.tick()
            peer.parked = [(fetch, source, True) for fetch, source, _ in peer.parked]
            if peer.raft is not None:
                peer.wake()

    def change_voters(self) -> None:
        for peer in self.peers:
            raft = peer.raft
            if raft is None or not raft.is_leader:
                continue
            other = self.random.choice(self.peers)
            known = raft.current.find(other.id)
            if known is None:
                peer.step(m.ChangeVoters(1, other.key, self.voter(other), 1000))
            elif len(raft.current.members) > 3 or known.key != other.key:
                peer.step(m.ChangeVoters(1, known.key, None, 1000))

    def partition(self) -> None:
        shape = self.random.random()
        self.cut_off = set()
        size = len(self.peers)
        if shape < 0.3:
            alone = self.random.randrange(size)
            self.cut_off = {(alone, each) for each in range(size)} | {(each, alone) for each in range(size)}
        elif shape < 0.5:  # one way only
            self.cut_off = {(self.random.randrange(size), self.random.randrange(size))}

    def has_majority(self) -> bool:
        """Whether every set of voters that may be in force, committed or not, still has the disks of a majority."""
        keys = {peer.key for peer in self.peers}
        sets = [self.first, *(each.value for each in self.committed if isinstance(each.value, Voters))][-1:]
        for peer in self.peers:
            history = peer.disk.history()[len(self.committed) :]
            sets += [each.value for each in history if isinstance(each.value, Voters)]
        return all(len(keys.intersection(each.keys)) >= each.majority for each in sets)

    def settle(self, turns: int = 4000) -> Peer | None:
        """Everything runs and everything arrives; gives the leader whose own new record everybody has."""
        self.cut_off = set()
        for peer in self.peers:
            if peer.raft is None:
                peer.start()
        wanted = None
        for _ in range(turns):
            if self.flights:
                self.deliver(0)
            else:
                self.pass_time(200)
            for peer in self.peers:
                peer.flush()
            leaders = [peer for peer in self.peers if peer.raft is not None and peer.raft.is_leader]
            if len(leaders) == 1 and leaders[0].raft is not None:
                lead = leaders[0]
                if wanted is None or lead.raft is None or lead.raft.epoch != wanted[0]:
                    self.values += 1
                    lead.disk.entries.append(Entry(lead.raft.epoch, self.values))  # type: ignore[union-attr]
                    lead.wake()
                    wanted = (lead.raft.epoch, lead.disk.end_offset)  # type: ignore[union-attr]
                if all(peer.raft is not None and peer.raft.high_watermark >= wanted[1] for peer in self.peers):
                    return lead
        return None
