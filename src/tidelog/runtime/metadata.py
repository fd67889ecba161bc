"""MetadataRuntime: the state of the cluster as this node knows it, and the way to change it.

Owns two images. `image` has every record that is committed, and everyone reads it. On the active controller `latest`
has every record that was appended, and commands are decided on it; elsewhere the two are the same. Listeners hear of
each step between two committed images, in order, before the command that caused it is answered.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeVar

from tidelog.config.broker_config import BrokerConfig
from tidelog.config.setting import ConfigError
from tidelog.controller.result import RECORDS_MAX, Environment, Result
from tidelog.metadata import configs
from tidelog.metadata.delta import MetadataDelta
from tidelog.metadata.image import MetadataImage, Provenance
from tidelog.metadata.jump import delta_between
from tidelog.metadata.records import AbortTransactionRecord, MetadataRecord, encode_record
from tidelog.metadata.snapshot import Snapshot, SnapshotId, image_of
from tidelog.metadata.transactions import TransactionFilter
from tidelog.model import uuids
from tidelog.ports import Blocking, Clock, Disk
from tidelog.protocol.errors import ErrorCode, KafkaError
from tidelog.runtime.metadata_files import MetadataFiles
from tidelog.runtime.metadata_loading import Loaded, load, read_committed
from tidelog.runtime.metadata_settings import log_config, named_voters, raft_settings
from tidelog.runtime.metadata_snapshots import Snapshots
from tidelog.runtime.peers import Peers
from tidelog.runtime.raft import RaftDriver

logger = logging.getLogger("tidelog.metadata")
T = TypeVar("T")
Command = Callable[[MetadataImage, Environment], Result[T]]
Listener = Callable[[MetadataDelta, MetadataImage], None]
RoleListener = Callable[[bool, int], None]
# Batches that are applied in one turn of the loop: a node that comes back to a long log goes on answering meanwhile.
BATCHES_A_TURN = 500


class Step(NamedTuple):
    """Records that were appended and wait for their commit."""

    start_offset: int
    end_offset: int
    delta: MetadataDelta
    image: MetadataImage
    answer: Callable[[], None]
    refuse: Callable[[BaseException], None]


class MetadataRuntime:
    def __init__(
        self,
        config: BrokerConfig,
        cluster_id: str,
        files: MetadataFiles,
        clock: Clock,
        blocking: Blocking,
        random_bytes: Callable[[int], bytes],
        peers: Peers | None = None,
        directory_id: bytes = uuids.ZERO,
    ) -> None:
        self.config = config  # with what was changed while running
        self.cluster_id = cluster_id
        self._files = files
        self._clock = clock
        self._random_bytes = random_bytes
        self._loaded: Loaded = load(files, named_voters(config))
        self.image = self.latest = self._loaded.image
        self.is_active = False  # this node's controller leads, and knows everything that was decided before it did
        settings = raft_settings(config, cluster_id, directory_id)
        self.quorum = RaftDriver(settings, files, self._loaded.voters, clock, blocking, peers, self._pick)
        self.snapshots = Snapshots(config, files, clock, blocking, self.quorum.voters_at)
        self.snapshots.on_due = self._maybe_take_snapshot
        self._applied = self._loaded.applied  # everything before this offset is in `image`
        self._transactions = TransactionFilter()
        self._catching_up = False
        self._listeners: list[Listener] = []
        self._role_listeners: list[RoleListener] = []
        self._pending: deque[Step] = deque()
        self._failure: OSError | None = None
        self._ready: asyncio.Future[None] | None = None
        self.on_failure: Callable[[OSError], None] = _unheard
        self.quorum.on_commit = self._committed
        self.quorum.on_failure = self._failed
        self.quorum.on_role_change = self._role_changed
        self.quorum.on_installed = self._installed
        self.quorum.on_progress = self._progressed

    @classmethod
    def open(
        cls,
        config: BrokerConfig,
        cluster_id: str,
        disk: Disk,
        clock: Clock,
        blocking: Blocking,
        random_bytes: Callable[[int], bytes],
        peers: Peers | None = None,
        directory_id: bytes | None = None,
    ) -> MetadataRuntime:
        """Over the formatted directory that `config` names."""
        files = MetadataFiles(disk, clock, config.metadata_directory, log_config(config))
        if files.log.log_end_offset > files.log.log_start_offset and files.read_quorum_state() is None:
            raise ConfigError(
                f"{files.directory} has a log but no quorum-state file, so this node cannot know what it voted; "
                "restore the file, or empty the directory and add the node to the quorum anew"
            )
        disk_id = files.directory_id() if directory_id is None else directory_id
        return cls(config, cluster_id, files, clock, blocking, random_bytes, peers, disk_id)

    # life

    async def start(self) -> None:
        """Takes part in the quorum from now on. A quorum of one leads when this returns."""
        self._apply_dynamic_config()
        self.quorum.start()
        if self.quorum.is_sole_voter:
            await self.ready()

    async def ready(self) -> None:
        """Waits until this node knows what the quorum had decided when it joined it."""
        self._check_alive()
        if not self._is_ready():
            if self._ready is None:
                self._ready = asyncio.get_running_loop().create_future()
            await asyncio.shield(self._ready)

    async def close(self) -> None:
        await self.quorum.close()
        self._deactivate()
        await self.snapshots.close()
        self._files.close()

    def _is_ready(self) -> bool:
        caught_up = self.quorum.is_caught_up and self._applied >= self.quorum.high_watermark
        return caught_up and bool(self.image.features.levels) and self.is_active == self.quorum.is_leader

    def _progressed(self) -> None:
        if self._ready is not None and not self._ready.done() and self._is_ready():
            self._ready.set_result(None)

    # who leads

    def leader(self) -> tuple[int, str, int] | None:
        """Id, host and port of the active controller, as far as this node knows."""
        return self.quorum.leader_address

    def subscribe_roles(self, listener: RoleListener) -> None:
        """Hears (True, epoch) when this node's controller becomes active, and (False, epoch) when it no longer is."""
        self._role_listeners.append(listener)

    def _role_changed(self, leading: bool, epoch: int) -> None:
        if not leading:
            self._deactivate()

    def _maybe_activate(self) -> None:
        """A leader decides nothing before its first record, and with it all earlier ones, is committed and known."""
        if self.is_active or not self.quorum.is_leader or not self.quorum.is_caught_up:
            return
        if self._applied < self.quorum.high_watermark or self._failure is not None:
            return
        self.latest = self.image
        self.is_active = True
        if self._transactions.open:
            self._transactions = TransactionFilter()
            self._append_all([AbortTransactionRecord(reason="the controller stopped inside the transaction")])
        if not self.latest.features.levels:
            self._append_all(self._loaded.bootstrap_records(self.config))
        logger.info("the controller of node %d is active in epoch %d", self.config.node_id, self.quorum.epoch)
        for listener in self._role_listeners:
            listener(True, self.quorum.epoch)

    def _deactivate(self) -> None:
        if not self.is_active:
            return
        self.is_active = False
        self.latest = self.image
        refusal = KafkaError(ErrorCode.NOT_CONTROLLER, "Another node has become the controller; ask that one.")
        while self._pending:
            self._pending.popleft().refuse(refusal)
        for listener in self._role_listeners:
            listener(False, self.quorum.epoch)

    # commands

    def subscribe(self, listener: Listener) -> None:
        """Hears of every later change; what is already there is in `image`."""
        self._listeners.append(listener)

    def submit(self, command: Command[T]) -> asyncio.Future[T]:
        """Decides on the newest state and answers when the change is committed; KafkaError when it is refused."""
        future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        try:
            self._check_alive()
            if not self.is_active:
                raise KafkaError(ErrorCode.NOT_CONTROLLER, "This node's controller is not the active one.")
            result = command(self.latest, self.environment())
            if result.records:
                self._append(result.records, future, result.response)
            else:
                future.set_result(result.response)
        except (KafkaError, OSError) as error:
            future.set_exception(self._translated(error))
        return future

    def environment(self) -> Environment:
        return Environment(self.config, self._new_id, self._pick, self.quorum.log_end_offset)

    def _append(self, records: Sequence[MetadataRecord], future: asyncio.Future[T], response: T) -> None:
        version = self.latest.features.metadata_version
        values = [encode_record(each, version) for each in records]
        delta = MetadataDelta(self.latest)
        delta.replay_all(records)
        start = self.quorum.log_end_offset
        offset = self._append_batches(values)
        self.snapshots.appended(sum(map(len, values)))
        image = delta.apply(Provenance(offset, self.quorum.epoch, self._clock.now_ms()))
        self.latest = image
        self._pending.append(
            Step(start, offset + 1, delta, image, lambda: _settle(future, response), lambda error: _fail(future, error))
        )

    def _append_batches(self, values: Sequence[bytes]) -> int:
        """Gives the offset of the last record. A first batch that cannot be written leaves everything as it was."""
        offset = -1
        try:
            for start in range(0, len(values), RECORDS_MAX):
                offset = self.quorum.append(values[start : start + RECORDS_MAX])
        except OSError as error:
            if offset >= 0 or self._files.log.offline is not None:
                # Part of it is in the log, where no command has seen it; or nothing will ever be written again.
                self._failed(error)
            raise
        return offset

    def _append_all(self, records: Sequence[MetadataRecord]) -> None:
        self.submit(lambda image, environment: Result(records, None)).add_done_callback(self._opened)

    def _opened(self, future: asyncio.Future[None]) -> None:
        """A controller that cannot write its first records cannot go on; the next one writes what a lost lead left."""
        error = None if future.cancelled() else future.exception()
        if error is not None and self.is_active and self._failure is None:
            self._failed(OSError(str(error)))

    # commits

    def _committed(self, high_watermark: int) -> None:
        if not self.is_active:
            self._catch_up()
            return
        while self._pending and self._pending[0].end_offset <= high_watermark:
            step = self._pending.popleft()
            self._move(step.delta, step.image)
            step.answer()
        # A step of several batches may be committed in part; if the lead is lost, it is read again from its start.
        self._applied = min(high_watermark, self._pending[0].start_offset) if self._pending else high_watermark
        self.snapshots.maybe_take(self.image)

    def _maybe_take_snapshot(self) -> None:
        if not self._transactions.open:  # a snapshot would lose the beginning of the transaction
            self.snapshots.maybe_take(self.image)

    def _catch_up(self) -> None:
        """Applies what is committed, from the log, some of it in each turn of the loop."""
        self._catching_up = False
        if self.is_active or self._failure is not None:
            return
        if self._applied < self.quorum.high_watermark:
            found = read_committed(self._files, self._applied, self.quorum.high_watermark, BATCHES_A_TURN)
            if found is None:
                return
            delta = MetadataDelta(self.image)
            delta.replay_all(self._transactions.feed(found.records))
            self._applied = found.next_offset
            self.snapshots.appended(found.size)
            image = delta.apply(Provenance(found.next_offset - 1, found.epoch, found.timestamp_ms))
            self._move(delta, image)
            self.latest = self.image
            self._maybe_take_snapshot()
        if self._applied < self.quorum.high_watermark and not self._catching_up:
            self._catching_up = True
            asyncio.get_running_loop().call_soon(self._catch_up)
        else:
            self._maybe_activate()
            self._progressed()

    def _installed(self, snapshot_id: SnapshotId, snapshot: Snapshot) -> None:
        """The quorum has moved on too far for its log: the state comes as a whole."""
        image = image_of(snapshot, snapshot_id)
        delta = delta_between(self.image, image)
        self._transactions = TransactionFilter()
        self._applied = snapshot_id.offset
        self._move(delta, image)
        self.latest = self.image

    def _move(self, delta: MetadataDelta, image: MetadataImage) -> None:
        self.image = image
        if any(kind == configs.BROKER for kind, _ in delta.configs.changed):
            self._apply_dynamic_config()
        for listener in self._listeners:
            listener(delta, image)

    def _apply_dynamic_config(self) -> None:
        overrides = self.image.configs
        default, own = overrides.get(configs.BROKER, ""), overrides.get(configs.BROKER, str(self.config.node_id))
        try:
            self.config = self.config.with_dynamic(default, own)
        except ConfigError as error:
            # Checked when it was set, by whichever software that was; a node must not fail to start because of it.
            logger.error("settings changed while running are not used as long as one is not allowed: %s", error)

    # failures

    def _failed(self, error: OSError) -> None:
        """The metadata log cannot be written: nothing that waits can be answered, and no command is taken any more."""
        self._failure = error
        self.on_failure(error)
        while self._pending:
            self._pending.popleft().refuse(self._translated(error))
        if self._ready is not None and not self._ready.done():
            self._ready.set_exception(self._translated(error))

    def _check_alive(self) -> None:
        if self._failure is not None:
            raise self._failure

    def _translated(self, error: KafkaError | OSError) -> KafkaError:
        if isinstance(error, KafkaError):
            return error
        return KafkaError(
            ErrorCode.KAFKA_STORAGE_ERROR,
            f"The metadata log cannot be written ({error}); repair the disk and start the node again.",
        )

    def _new_id(self) -> bytes:
        return uuids.new(self._random_bytes)

    def _pick(self, below: int) -> int:
        return int.from_bytes(self._random_bytes(4), "big") % below


def _settle(future: asyncio.Future[Any], response: Any) -> None:
    if not future.done():
        future.set_result(response)


def _fail(future: asyncio.Future[Any], error: BaseException) -> None:
    if not future.done():
        future.set_exception(error)


def _unheard(error: OSError) -> None:
    """Until somebody wants to know."""
