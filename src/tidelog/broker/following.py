"""What a follower does with a partition: takes records as the leader sent them, cuts what the leader does not have.

The order matters. Records first, then the high watermark, and that never before a history that differs was cut: a
reader here must not see a record that the cluster does not count as committed.
"""

from __future__ import annotations

import logging

from tidelog.broker.partition import Partition
from tidelog.ports import Buffer
from tidelog.replication.fetch_session import Position
from tidelog.replication.follower import follower_high_watermark, truncation_offset

LOG = logging.getLogger(__name__)


def position(partition: Partition) -> Position:
    """From where to fetch, and what the log here ends with."""
    log = partition.log
    return partition.leader_epoch, log.log_end_offset, log.epochs.latest, log.log_start_offset


def take(partition: Partition, records: Buffer, high_watermark: int, log_start_offset: int, now_ms: int) -> None:
    """Appends what the leader sent and moves on; raises KafkaError for damaged records and OSError for the device."""
    log = partition.log
    size = len(records)
    if size:
        log.append_as_follower(records, now_ms, partition.leader_epoch)
        partition.appended_bytes += size
    known = follower_high_watermark(partition.high_watermark, high_watermark, log.log_end_offset)
    partition.follower_high_watermark(known, size)
    if log_start_offset > log.log_start_offset:
        log.increment_log_start_offset(min(log_start_offset, known), known)


def cut(partition: Partition, leader_epoch: int, leader_end_offset: int) -> None:
    """The leader's history differs from here on, or earlier."""
    log = partition.log
    before = log.log_end_offset
    offset = truncation_offset(log.epochs, before, partition.high_watermark, leader_epoch, leader_end_offset)
    if offset < partition.high_watermark:
        LOG.warning(
            "%s-%d is cut to offset %d, below its high watermark of %d: its leader was not in sync with it",
            partition.topic, partition.index, offset, partition.high_watermark,
        )  # fmt: skip
    cut_to(partition, offset)


def cut_to(partition: Partition, offset: int) -> None:
    log = partition.log
    before = log.log_end_offset
    log.truncate_to(offset)
    if log.log_end_offset < before:
        LOG.info("%s-%d is cut from offset %d to %d", partition.topic, partition.index, before, log.log_end_offset)
    partition.follower_high_watermark(min(partition.high_watermark, log.log_end_offset), 0)


def start_over(partition: Partition, offset: int) -> None:
    """The leader has nothing of what is here any more: the log begins anew where the leader's begins."""
    partition.log.truncate_fully_and_start_at(offset)
    partition.follower_high_watermark(offset, 0)
