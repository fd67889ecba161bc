"""Brings one member towards its target: it gives up first, says so, and then gets what others have given up."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tidelog.coordinator.group.consumer_member import NOTHING, Assignment, ConsumerMember, Held, MemberState

Owned = Mapping[bytes, set[int]]
HolderEpoch = Callable[[bytes, int], int]


def reconcile(
    member: ConsumerMember, target_epoch: int, target: Assignment, owned: Owned | None, holder_epoch: HolderEpoch
) -> ConsumerMember:
    """The member after this heartbeat; the same value when nothing can be done yet.

    `owned` is what the member says that it has, None when it did not say. `holder_epoch` is -1 for a partition that
    nobody holds. A member keeps its epoch until it has given up everything that the target takes from it.
    """
    if member.state is MemberState.UNREVOKED_PARTITIONS and not _gave_up(member.revoking, owned):
        return _narrowed(member, target)
    return _next(member, target_epoch, target, owned, holder_epoch)


def _gave_up(revoking: Held, owned: Owned | None) -> bool:
    if owned is None:
        return False
    return all(owned.get(topic_id, set()).isdisjoint(indexes) for topic_id, indexes in revoking.items())


def _split(assigned: Held, target: Assignment) -> tuple[dict[bytes, dict[int, int]], dict[bytes, dict[int, int]]]:
    """What the member keeps, and what it has to give up."""
    keeps: dict[bytes, dict[int, int]] = {}
    gives: dict[bytes, dict[int, int]] = {}
    for topic_id, epochs in assigned.items():
        wanted = set(target.get(topic_id, ()))
        for index, epoch in epochs.items():
            (keeps if index in wanted else gives).setdefault(topic_id, {})[index] = epoch
    return keeps, gives


def _narrowed(member: ConsumerMember, target: Assignment) -> ConsumerMember:
    """Still giving up; a newer target may ask for more of it."""
    keeps, gives = _split(member.assigned, target)
    if not gives:
        return member
    for topic_id, epochs in member.revoking.items():
        gives.setdefault(topic_id, {}).update(epochs)
    return member.moved(member.epoch, MemberState.UNREVOKED_PARTITIONS, keeps, gives)


def _next(
    member: ConsumerMember, target_epoch: int, target: Assignment, owned: Owned | None, holder_epoch: HolderEpoch
) -> ConsumerMember:
    keeps, gives = _split(member.assigned, target)
    if gives and not _gave_up(gives, owned):
        return member.moved(member.epoch, MemberState.UNREVOKED_PARTITIONS, keeps, gives)
    waits = False
    for topic_id, indexes in target.items():
        kept = keeps.get(topic_id, NOTHING)
        for index in indexes:
            if index in kept:
                continue
            # What the member itself has just given up is held under its own name until this is written.
            own = index in member.assigned.get(topic_id, NOTHING) or index in member.revoking.get(topic_id, NOTHING)
            if own or holder_epoch(topic_id, index) == -1:
                keeps.setdefault(topic_id, {})[index] = target_epoch
            else:
                waits = True
    state = MemberState.UNRELEASED_PARTITIONS if waits else MemberState.STABLE
    return member.moved(target_epoch, state, keeps)
