"""A follower whose next offset is only in remote storage begins behind it: with epochs and producers from there.

It takes over no records. The segment that holds the offset before the leader's local start tells what the log looked
like at its end, and from there on the leader can be fetched from.
"""

from __future__ import annotations

from tidelog.log import checkpoints, names
from tidelog.log.log import Log
from tidelog.replication.epochs import LeaderEpochs
from tidelog.tier.companion import Aux
from tidelog.tier.manifest import Manifest
from tidelog.tier.segments import RemoteSegment


def segment_before(manifest: Manifest, local_start: int, epoch: int) -> RemoteSegment | None:
    """The copy that holds the last offset before the leader's local start, written in that epoch."""
    for segment in manifest.live:
        is_there = segment.start_offset < local_start <= segment.end_offset + 1
        if is_there and LeaderEpochs(segment.epochs).epoch_at(local_start - 1) == epoch:
            return segment
    return None


def rebuild(log: Log, segment: RemoteSegment, aux: Aux, log_start_offset: int) -> None:
    """Empties the log and begins it behind the segment, whose companion is `aux`."""
    epochs, producers = aux.epochs(), aux.producers() or []
    next_offset = segment.end_offset + 1
    log.truncate_fully_and_start_at(next_offset, min(log_start_offset, next_offset))
    log.epochs = LeaderEpochs(epochs)
    log.epochs.truncate_from_start(log.log_start_offset)
    log.producers.clear(next_offset)
    for entry in producers:
        log.producers.load(entry)
    log.snapshots.take(log.producers)
    log.disk.write_atomic(f"{log.directory}/{names.EPOCHS}", checkpoints.encode_epochs(log.epochs.entries()))
    log.host.keep_log_start(log)
