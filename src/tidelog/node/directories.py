"""The log directories of a node: whose they are, as meta.properties says."""

from __future__ import annotations

from tidelog.config.broker_config import BrokerConfig
from tidelog.config.setting import ConfigError
from tidelog.log.meta_properties import MetaProperties, decode_meta_properties
from tidelog.model import uuids
from tidelog.ports import Disk

FILE_NAME = "meta.properties"


def metadata_directory_id(disk: Disk, config: BrokerConfig) -> bytes:
    """The id of the directory that holds the metadata log; all zeros when it has none."""
    path = f"{config.metadata_directory}/{FILE_NAME}"
    return decode_meta_properties(disk.read_bytes(path)).directory_id or uuids.ZERO if disk.exists(path) else uuids.ZERO


def check_directories(disk: Disk, config: BrokerConfig) -> MetaProperties:
    """What the first formatted directory says; ConfigError when none is, or when one belongs to another node."""
    found = []
    for directory in dict.fromkeys([config.metadata_directory, *config.log_directories]):
        path = f"{directory}/{FILE_NAME}"
        if disk.exists(path):
            meta = decode_meta_properties(disk.read_bytes(path))
            if meta.node_id != config.node_id:
                raise ConfigError(
                    f"{path} belongs to node {meta.node_id}, but node.id is {config.node_id}: use another directory"
                )
            found.append(meta)
    if not found:
        raise ConfigError(
            f"No `meta.properties` in {config.metadata_directory}: run kafka-storage format with this file first"
        )
    if len({meta.cluster_id for meta in found}) > 1:
        raise ConfigError("the log directories belong to different clusters: use those of one cluster only")
    return found[0]
