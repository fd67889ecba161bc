"""MetadataRuntime: the state of the cluster as this node knows it, and the way to change it.

Owns two images. `latest` has every record that was appended, and commands are decided on it; `image` has every record
that is committed, and everyone else reads it. Listeners hear of each step between two committed images, in order,
before the command that caused it is answered.
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
from tidelog.log.config import LogConfig
from tidelog.metadata import configs
from tidelog.metadata.delta import MetadataDelta
from tidelog.metadata.image import EMPTY, MetadataImage, Provenance
from tidelog.metadata.records import MetadataRecord, encode_record
from tidelog.model import uuids
from tidelog.ports import Blocking, Clock, Disk
from tidelog.protocol.errors import ErrorCode, KafkaError
from tidelog.runtime.metadata_files import MetadataFiles
from tidelog.runtime.metadata_loading import Loaded, load
from tidelog.runtime.metadata_quorum import LocalQuorum
from tidelog.runtime.metadata_snapshots import Snapshots

logger = logging.getLogger("tidelog.metadata")
T = TypeVar("T")
Command = Callable[[MetadataImage, Environment], Result[T]]
Listener = Callable[[MetadataDelta, MetadataImage], None]


class Step(NamedTuple):
    """Records that were appended and wait for their commit."""

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
    ) -> None:
        self.config = config  # with what was changed while running
        self.cluster_id = cluster_id
        self.image = EMPTY
        self.latest = EMPTY
        self.quorum = LocalQuorum(config.node_id, files, clock, blocking)
        self.snapshots = Snapshots(config, files, clock, blocking)
        self._files = files
        self._clock = clock
        self._random_bytes = random_bytes
        self._listeners: list[Listener] = []
        self._pending: deque[Step] = deque()
        self._failure: OSError | None = None
        self.on_failure: Callable[[OSError], None] = _unheard
        self.quorum.on_commit = self._committed
        self.quorum.on_failure = self._failed

    @classmethod
    def open(
        cls,
        config: BrokerConfig,
        cluster_id: str,
        disk: Disk,
        clock: Clock,
        blocking: Blocking,
        random_bytes: Callable[[int], bytes],
    ) -> MetadataRuntime:
        """Over the formatted directory that `config` names."""
        segment_bytes = config.internal_metadata_log_segment_bytes or config.metadata_log_segment_bytes
        log_config = LogConfig(
            segment_bytes=segment_bytes,
            # Room for an entry of 12 bytes every 4 KiB, which is all that a segment can need.
            segment_index_bytes=max(segment_bytes // 4096 * 12, 4096),
            segment_ms=config.metadata_log_segment_ms,
            retention_ms=-1,
            retention_bytes=-1,
        )
        files = MetadataFiles(disk, clock, config.metadata_directory, log_config)
        return cls(config, cluster_id, files, clock, blocking, random_bytes)

    async def start(self) -> None:
        """Loads what is on disk and takes the lead; the node then registers itself."""
        loaded = load(self._files)
        self.image = self.latest = loaded.image
        self.quorum.high_watermark = self.quorum.log_end_offset
        self._join(loaded)
        self._apply_dynamic_config()
        self.quorum.become_leader()
        if loaded.closing_records:
            await self._append_all(loaded.closing_records)
        if not self.latest.features.levels:
            await self._append_all(loaded.bootstrap_records(self.config))

    def _join(self, loaded: Loaded) -> None:
        voters = [each.id for each in loaded.voters.voter_keys()] or [each.node_id for each in self.config.voters]
        if voters not in ([], [self.config.node_id]):
            raise ConfigError(
                f"this metadata log is shared by the voters {voters}, and node {self.config.node_id} can only lead a "
                "quorum of its own; start it with controller.quorum.voters naming this node alone"
            )
        self.quorum.voter_set = loaded.voters
        self.snapshots.loaded(loaded)

    @property
    def is_active(self) -> bool:
        """Whether this node's controller leads the quorum and knows everything that was decided before it did."""
        return self.quorum.leader_id == self.config.node_id

    def leader(self) -> tuple[int, str, int] | None:
        """Id, host and port of the active controller, when that is another node and known."""
        return None

    def subscribe(self, listener: Listener) -> None:
        """Hears of every later change; what is already there is in `image`."""
        self._listeners.append(listener)

    def submit(self, command: Command[T]) -> asyncio.Future[T]:
        """Decides on the newest state and answers when the change is committed; KafkaError when it is refused."""
        future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        try:
            self._check_alive()
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

    async def close(self) -> None:
        await self.quorum.close()
        await self.snapshots.close()
        self._files.close()

    def _append(self, records: Sequence[MetadataRecord], future: asyncio.Future[T], response: T) -> None:
        version = self.latest.features.metadata_version
        values = [encode_record(each, version) for each in records]
        delta = MetadataDelta(self.latest)
        delta.replay_all(records)
        offset = self._append_batches(values)
        self.snapshots.appended(sum(map(len, values)))
        image = delta.apply(Provenance(offset, self.quorum.epoch, self._clock.now_ms()))
        self.latest = image
        self._pending.append(
            Step(offset + 1, delta, image, lambda: _settle(future, response), lambda error: _fail(future, error))
        )

    def _append_batches(self, values: Sequence[bytes]) -> int:
        """Gives the offset of the last record. A first batch that cannot be written leaves everything as it was."""
        offset = -1
        try:
            for start in range(0, len(values), RECORDS_MAX):
                offset = self.quorum.append(values[start : start + RECORDS_MAX])
        except OSError as error:
            if offset >= 0:  # part of it is in the log, where no command has seen it
                self._failed(error)
            raise
        return offset

    async def _append_all(self, records: Sequence[MetadataRecord]) -> None:
        await self.submit(lambda image, environment: Result(records, None))

    def _committed(self, high_watermark: int) -> None:
        while self._pending and self._pending[0].end_offset <= high_watermark:
            step = self._pending.popleft()
            self.image = step.image
            self._publish(step.delta)
            step.answer()
        self.snapshots.maybe_take(self.image)

    def _publish(self, delta: MetadataDelta) -> None:
        if any(kind == configs.BROKER for kind, _ in delta.configs.changed):
            self._apply_dynamic_config()
        for listener in self._listeners:
            listener(delta, self.image)

    def _apply_dynamic_config(self) -> None:
        overrides = self.image.configs
        default, own = overrides.get(configs.BROKER, ""), overrides.get(configs.BROKER, str(self.config.node_id))
        try:
            self.config = self.config.with_dynamic(default, own)
        except ConfigError as error:
            # Checked when it was set, by whichever software that was; a node must not fail to start because of it.
            logger.error("settings changed while running are not used as long as one is not allowed: %s", error)

    def _failed(self, error: OSError) -> None:
        """The metadata log cannot be written: nothing that waits can be answered, and no command is taken any more."""
        self._failure = error
        self.on_failure(error)
        while self._pending:
            self._pending.popleft().refuse(self._translated(error))

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
