"""The cleaner of a node: made from its settings, and told when they change."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tidelog.config.broker_config import BrokerConfig
from tidelog.log.cleaner import Cleaner, CleanerSettings
from tidelog.metadata.configs import BROKER
from tidelog.metadata.delta import MetadataDelta
from tidelog.metadata.image import MetadataImage

if TYPE_CHECKING:
    from tidelog.node.node import Node


def cleaner_settings(config: BrokerConfig) -> CleanerSettings:
    return CleanerSettings(
        enable=config.log_cleaner_enable,
        threads=config.log_cleaner_threads,
        dedupe_buffer_size=config.log_cleaner_dedupe_buffer_size,
        io_buffer_size=config.log_cleaner_io_buffer_size,
        io_buffer_load_factor=config.log_cleaner_io_buffer_load_factor,
        io_max_bytes_per_second=config.log_cleaner_io_max_bytes_per_second,
        backoff_ms=config.log_cleaner_backoff_ms,
    )


def start_cleaner(node: Node) -> Cleaner:
    """Compacts what the node hosts, as leader and as follower alike."""
    seed = node.ports.random_bytes(16)
    cleaner = Cleaner(
        node.logs, node.clock, node.blocking, node.broker.high_watermarks, cleaner_settings(node.metadata.config), seed
    )

    def settings_changed(delta: MetadataDelta, image: MetadataImage) -> None:
        if any(kind == BROKER for kind, _ in delta.configs.changed):
            cleaner.reconfigure(cleaner_settings(node.metadata.config))

    node.metadata.subscribe(settings_changed)
    cleaner.start()
    return cleaner
