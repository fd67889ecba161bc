"""All logs of a node, over one or several log directories."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from tidelog.log import checkpoints, names
from tidelog.log.config import LogConfig
from tidelog.log.log import Log, open_log
from tidelog.model import uuids
from tidelog.model.topic_partition import TopicPartition
from tidelog.ports import Clock, Disk

ConfigOf = Callable[[str], LogConfig]


class LogManager:
    def __init__(self, disk: Disk, clock: Clock, directories: Iterable[str]) -> None:
        self._disk = disk
        self._clock = clock
        self.directories = list(directories)
        self._logs: dict[TopicPartition, Log] = {}

    def load(self, config_of: ConfigOf) -> None:
        """Opens every log found in the directories."""
        for directory in self.directories:
            self._disk.makedirs(directory)
            for name in sorted(self._disk.listdir(directory)):
                partition = names.parse_directory(name)
                if partition is not None and partition.topic != "__cluster_metadata":
                    self._logs[partition] = self._open(f"{directory}/{name}", partition, config_of(partition.topic))

    def _open(self, path: str, partition: TopicPartition, config: LogConfig) -> Log:
        metadata = f"{path}/{names.PARTITION_METADATA}"
        topic_id = uuids.ZERO
        if self._disk.exists(metadata):
            topic_id = checkpoints.decode_partition_metadata(self._disk.read_bytes(metadata))
        return open_log(self._disk, path, partition, config, self._clock, topic_id)

    def create(self, partition: TopicPartition, topic_id: bytes, config: LogConfig) -> Log:
        """The log of a partition, made in the directory with the fewest if it is not there yet."""
        log = self._logs.get(partition)
        if log is None:
            path = f"{self._fewest()}/{partition}"
            self._disk.makedirs(path)
            self._disk.write_atomic(
                f"{path}/{names.PARTITION_METADATA}", checkpoints.encode_partition_metadata(topic_id)
            )
            log = self._logs[partition] = open_log(self._disk, path, partition, config, self._clock, topic_id)
        return log

    def _fewest(self) -> str:
        counts = dict.fromkeys(self.directories, 0)
        for log in self._logs.values():
            counts[log.directory.rpartition("/")[0]] += 1
        return min(counts, key=counts.__getitem__)

    def get(self, partition: TopicPartition) -> Log | None:
        return self._logs.get(partition)

    def __iter__(self) -> Iterator[Log]:
        return iter(self._logs.values())

    def close(self) -> None:
        for log in self._logs.values():
            log.close()
