"""What a follower decides about its log: from where to fetch, and how much to cut when its history differs.

Pure functions over the leader epochs of the log. A follower says with each fetch which epoch its last record has. If
the leader knows that epoch to end elsewhere, it answers with where its own history of that epoch ends, and the follower
cuts its log there or earlier and asks again, until both agree. Only then may it take records or the high watermark.
"""

from __future__ import annotations

from tidelog.replication.epochs import UNDEFINED_EPOCH, UNDEFINED_OFFSET, LeaderEpochs


def truncation_offset(
    epochs: LeaderEpochs, log_end_offset: int, high_watermark: int, leader_epoch: int, leader_end_offset: int
) -> int:
    """Where the log must end now, given the leader's last common epoch and where that ended there.

    If this log does not know that epoch either, it can only go back to the end of the one before it and ask again.
    """
    if leader_end_offset == UNDEFINED_OFFSET:
        return min(high_watermark, log_end_offset)
    if leader_epoch == UNDEFINED_EPOCH:
        return min(leader_end_offset, log_end_offset)
    epoch, end_offset = epochs.end_offset_for(leader_epoch, log_end_offset)
    if end_offset == UNDEFINED_OFFSET:
        return min(leader_end_offset, log_end_offset)
    if epoch != leader_epoch:
        return min(end_offset, log_end_offset)
    return min(end_offset, leader_end_offset, log_end_offset)


def follower_high_watermark(known: int, leader_high_watermark: int, log_end_offset: int) -> int:
    """The leader's, as far as this log has the records; what was once committed stays so."""
    return max(known, min(leader_high_watermark, log_end_offset))
