"""All logs of a node, over one or several log directories: opening, making, deleting, flushing and closing them."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator
from typing import Protocol

from tidelog.log import checkpoints, names
from tidelog.log.config import LogConfig
from tidelog.log.directory import LogDirectory
from tidelog.log.errors import CorruptLogError, is_of_device
from tidelog.log.flusher import Flusher
from tidelog.log.host import OPEN_SEGMENTS_MAX, OpenSegments
from tidelog.log.log import Log
from tidelog.log.segment import Segment
from tidelog.model import uuids
from tidelog.model.topic_partition import TopicPartition
from tidelog.ports import Blocking, Clock, Disk
from tidelog.protocol.errors import ErrorCode, KafkaError

logger = logging.getLogger(__name__)
ConfigOf = Callable[[str], LogConfig]
SYNCED_ONE_BY_ONE_MAX = 50
METADATA_TOPIC = "__cluster_metadata"


class Random(Protocol):
    def randrange(self, stop: int, /) -> int: ...
    def getrandbits(self, bits: int, /) -> int: ...


class LogManager:
    """`corrupt` holds the partitions whose logs stay closed, with the sentence that says why."""

    def __init__(
        self,
        disk: Disk,
        clock: Clock,
        directories: Iterable[str],
        *,
        blocking: Blocking | None = None,
        random: Random | None = None,
        open_segments_max: int = OPEN_SEGMENTS_MAX,
        on_directory_failed: Callable[[LogDirectory], None] | None = None,
    ) -> None:
        self._disk = disk
        self._clock = clock
        self._blocking = blocking
        self._random = random
        self._names_made = 0
        self._logs: dict[TopicPartition, Log] = {}
        self.flusher = Flusher(blocking)
        self.corrupt: dict[TopicPartition, str] = {}
        self.preferred: dict[TopicPartition, LogDirectory] = {}  # where logs are wanted that are not made yet
        self.interrupted_moves: dict[TopicPartition, LogDirectory] = {}  # to where, as the last run left them
        self.removable: list[tuple[int, list[str]]] = []  # when, and what, to remove
        open_segments = OpenSegments(open_segments_max)
        failed = on_directory_failed or (lambda directory: None)
        self.disks = [
            LogDirectory(disk, path, open_segments, self._jitter_ms, self.flusher.rolled, self._remove_later, failed)
            for path in directories
        ]
        self._is_open = False

    # opening and closing

    def open_directories(self) -> None:
        """Takes the locks and reads checkpoints. One bad disk among several goes offline; with none left, raises."""
        if self._is_open:
            return
        for directory in self.disks:
            try:
                directory.open()
            except OSError as error:
                directory.failed(error)
        if not self.online():
            raise OSError("none of log.dirs can be used: " + "; ".join(str(each.offline) for each in self.disks))
        self._is_open = True

    def load(self, config_of: ConfigOf) -> None:
        """Opens every log found in the directories; a corrupt one stays closed."""
        self.open_directories()
        for directory, partition, path in self._found():
            self._loaded(directory, partition, self._try_open(directory, partition, path, config_of(partition.topic)))
        self._all_loaded()

    async def start(self, config_of: ConfigOf) -> None:
        """The same with recovery in threads, several logs at a time."""
        assert self._blocking is not None
        self.open_directories()
        work = [
            (each, partition, self._blocking.run(self._try_open, each, partition, path, config_of(partition.topic)))
            for each, partition, path in self._found()
        ]
        for directory, partition, opening in work:
            self._loaded(directory, partition, await opening)
        self._all_loaded()

    def _found(self) -> list[tuple[LogDirectory, TopicPartition, str]]:
        found: list[tuple[LogDirectory, TopicPartition, str]] = []
        for directory in self.online():
            for name in sorted(self._disk.listdir(directory.path)):
                path = directory.file(name)
                partition = names.parse_directory(name)
                suffix, whose = names.marked_suffix(name), names.marked_partition(name)
                if suffix == names.MOVED_SUFFIX and whose is not None and self._is_alone(whose):
                    self._disk.rename(path, directory.file(str(whose)))
                    found.append((directory, whose, directory.file(str(whose))))
                elif suffix in (names.DELETE_SUFFIX, names.FUTURE_SUFFIX, names.MOVED_SUFFIX):
                    self.removable.append((0, [path]))
                    if suffix == names.FUTURE_SUFFIX and whose is not None:
                        self.interrupted_moves[whose] = directory
                elif partition is not None and partition.topic != METADATA_TOPIC and self._disk.is_dir(path):
                    found.append((directory, partition, path))
        return found

    def _is_alone(self, partition: TopicPartition) -> bool:
        """Whether no directory has the partition under its own name: a crash came between two renames."""
        return not any(self._disk.exists(each.file(str(partition))) for each in self.online())

    def _try_open(
        self, directory: LogDirectory, partition: TopicPartition, path: str, config: LogConfig
    ) -> Log | CorruptLogError | OSError:
        try:
            return Log.open(
                self._disk,
                path,
                partition,
                config,
                self._clock,
                recovery_point=directory.recovery_points.get(partition, 0),
                log_start_offset=directory.log_starts.get(partition),
                is_clean=directory.is_clean,
                was_compacted=partition in directory.cleaned,
                topic_id=self._read_topic_id(path),
                host=directory,
            )
        except (CorruptLogError, OSError) as error:
            return error

    def _read_topic_id(self, path: str) -> bytes:
        metadata = f"{path}/{names.PARTITION_METADATA}"
        if self._disk.exists(metadata):
            try:
                return checkpoints.decode_partition_metadata(self._disk.read_bytes(metadata))
            except checkpoints.BadCheckpoint as error:
                logger.warning("%s is of no use and is written anew: %s", metadata, error)
        return uuids.ZERO

    def _loaded(
        self, directory: LogDirectory, partition: TopicPartition, opened: Log | CorruptLogError | OSError
    ) -> None:
        if isinstance(opened, CorruptLogError):
            logger.error("%s", opened)
            self.corrupt[partition] = str(opened)
            self._closed_log(directory, partition, str(opened))
        elif isinstance(opened, OSError):
            directory.failed(opened)
        elif partition in self._logs:
            other = self._logs[partition]
            other.offline = f"{partition} lies in {other.directory} and in {opened.directory}; remove one of them"
            self.corrupt[partition] = other.offline
            logger.error("%s", other.offline)
        else:
            directory.log_opened(opened)
            self._logs[partition] = opened

    def _closed_log(self, directory: LogDirectory, partition: TopicPartition, why: str) -> Log:
        """A log that knows nothing and refuses everything, in the place of one that cannot be used."""
        path = directory.file(str(partition))
        segment = Segment(self._disk, path, 0, 0, self._clock.now_ms(), directory.open_segments)
        topic_id = self._read_topic_id(path)
        log = Log(self._disk, path, partition, LogConfig(), self._clock, directory, topic_id, [segment], [])
        log.offline = why
        self._logs[partition] = log
        return log

    def _all_loaded(self) -> None:
        for directory in self.online():
            directory.opened()

    def online(self) -> list[LogDirectory]:
        return [directory for directory in self.disks if directory.offline is None]

    def close(self, broker_epoch: int = -1) -> None:
        """Closes every log and marks the directories clean. No flush may be under way."""
        for directory in self.disks:
            is_clean = not any(self._disk.exists(directory.file(str(each))) for each in self.corrupt)
            try:
                self._close_logs(directory)
            except OSError as error:
                directory.failed(error)
            try:
                directory.close(broker_epoch, is_clean)
            except OSError as error:
                directory.trouble(error)

    def _close_logs(self, directory: LogDirectory) -> None:
        """A few are synced file by file, many with the whole volume at once."""
        plans = [plan for plan in (log.prepare_close() for log in directory.logs.values()) if plan is not None]
        is_many = sum(len(plan.syncs) > 0 for plan in plans) > SYNCED_ONE_BY_ONE_MAX
        for plan in plans:
            if is_many:
                plan.write(sync=False)
            else:
                plan.run()
        if is_many:
            self._disk.sync_tree(directory.path)
        for plan in plans:
            plan.done()
        for log in directory.logs.values():
            log.release()

    # logs

    def get(self, partition: TopicPartition) -> Log | None:
        return self._logs.get(partition)

    def __iter__(self) -> Iterator[Log]:
        return iter(list(self._logs.values()))

    def __len__(self) -> int:
        return len(self._logs)

    def directory_of(self, log: Log) -> LogDirectory:
        return next(directory for directory in self.disks if directory is log.host)

    @property
    def directories(self) -> list[str]:
        return [directory.path for directory in self.disks]

    def is_offline(self, path: str) -> bool:
        return any(directory.path == path and directory.offline is not None for directory in self.disks)

    def range_unreadable(self, error: OSError) -> None:
        """Records could not be read on their way to a socket: the directory that holds the file has failed."""
        path = str(error.filename)
        above = [directory for directory in self.disks if path.startswith(f"{directory.path}/")]
        if above and is_of_device(error):
            max(above, key=lambda directory: len(directory.path)).failed(error)

    def usage(self, path: str) -> tuple[int, int]:
        """Total and usable bytes of the volume of a log directory. May wait for the device."""
        return self._disk.usage(path)

    def create(self, partition: TopicPartition, topic_id: bytes, config: LogConfig) -> Log:
        """The log of a partition, made in the directory with the fewest if it is not there yet.

        A log of that name that belongs to another topic id is put aside. A corrupt log is given too, and refuses to be
        read or written, as does one that could not be made. Raises KAFKA_STORAGE_ERROR when no directory works.
        """
        log = self._logs.get(partition)
        if log is not None and uuids.ZERO != log.topic_id != topic_id:
            self.mark_stray(log)
            log = None
        if log is None:
            return self._make(partition, topic_id, config)
        if log.topic_id != topic_id:
            self.write_topic_id(log, topic_id)
        return log

    def _make(self, partition: TopicPartition, topic_id: bytes, config: LogConfig) -> Log:
        online = self.online()
        if not online:
            raise KafkaError(
                ErrorCode.KAFKA_STORAGE_ERROR, "None of log.dirs works; repair a disk and restart the node."
            )
        wanted = self.preferred.pop(partition, None)
        directory = wanted if wanted in online else min(online, key=lambda each: len(each.logs))
        assert directory is not None
        path = directory.file(str(partition))
        try:
            log = Log.open(self._disk, path, partition, config, self._clock, host=directory)
            self.write_topic_id(log, topic_id)
        except OSError as error:
            directory.trouble(error)
            return self._closed_log(directory, partition, f"{path} could not be made: {error}; see to it and restart")
        directory.log_opened(log)
        self._logs[partition] = log
        return log

    def write_topic_id(self, log: Log, topic_id: bytes) -> None:
        """Durable with the log's first flush: before that there is nothing to tell apart."""
        path = f"{log.directory}/{names.PARTITION_METADATA}"
        file = self._disk.open(path, create=True)
        data = checkpoints.encode_partition_metadata(topic_id)
        file.pwrite(data, 0)
        file.truncate(len(data))
        log.topic_id = topic_id
        log.unsynced.append(path)
        log.new_files = True

    def replaced(self, log: Log) -> None:
        """This one is the log of its partition from now on."""
        self._logs[log.partition] = log

    def delete(self, log: Log) -> None:
        """Out of sight at once; the files go after file.delete.delay.ms."""
        if self._put_aside(log, names.DELETE_SUFFIX):
            self._remove_later([log.directory], log.config.file_delete_delay_ms)

    def mark_stray(self, log: Log) -> None:
        """A log that no topic wants: kept under another name, for a person to look at."""
        if self._put_aside(log, names.STRAY_SUFFIX):
            logger.warning("%s belongs to no topic; it is kept as %s", log.partition, log.directory)

    def found_damaged(self, log: Log, why: str) -> None:
        """The log is open, and must not be used: as one that recovery refuses."""
        logger.error("%s", why)
        self.corrupt[log.partition] = log.offline = why

    def replace_corrupt(self, log: Log, topic_id: bytes, config: LogConfig) -> Log:
        """An empty log in the place of a damaged one, which is kept under another name for a person to look at."""
        if self._put_aside(log, names.STRAY_SUFFIX):
            logger.warning("%s is damaged; it is kept as %s, and begins anew", log.partition, log.directory)
        return self.create(log.partition, topic_id, config)

    def _put_aside(self, log: Log, suffix: str) -> bool:
        partition = log.partition
        if self._logs.pop(partition, None) is None:
            return False
        self.corrupt.pop(partition, None)
        directory = self.directory_of(log)
        directory.forget(partition)
        log.release()
        log.offline = f"{partition} was deleted"
        aside = directory.file(names.marked_name(partition, self.unique(), suffix))
        try:
            self._disk.rename(log.directory, aside)
        except OSError as error:
            directory.failed(error)
            raise
        log.directory = aside
        return True

    def unique(self) -> str:
        self._names_made += 1
        bits = self._random.getrandbits(128) if self._random else self._clock.now_ms() << 32 | self._names_made
        return f"{bits:032x}"

    def _jitter_ms(self, limit_ms: int) -> int:
        return self._random.randrange(limit_ms) if self._random and limit_ms > 0 else 0

    def update_config(self, topic: str, config: LogConfig) -> None:
        for log in self._logs.values():
            if log.partition.topic == topic:
                log.config = config

    # high watermarks, which the hosts of the partitions know

    def high_watermark(self, log: Log) -> int:
        """As of the last checkpoint, kept within the log; the log's start when there is none."""
        known = self.directory_of(log).high_watermarks.get(log.partition, 0)
        return max(log.log_start_offset, min(known, log.log_end_offset))

    async def flush(self, log: Log) -> None:
        """Returns when everything appended before the call is durable; raises if the disk fails."""
        await self.flusher.flush(log)

    def _remove_later(self, paths: list[str], delay_ms: int) -> None:
        self.removable.append((self._clock.monotonic_ms() + delay_ms, paths))
