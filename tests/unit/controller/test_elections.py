"""Who leads a partition after something changed: every rule by itself."""

from __future__ import annotations

from collections.abc import Collection

import pytest

from tidelog.controller.partition_change import RECOVERING, Election, PartitionChange
from tidelog.metadata.partition import NO_LEADER, Partition


def partition(
    leader: int = 1,
    replicas: tuple[int, ...] = (1, 2, 3),
    isr: tuple[int, ...] = (1, 2, 3),
    elr: tuple[int, ...] = (),
    last_known: tuple[int, ...] = (),
    removing: tuple[int, ...] = (),
    adding: tuple[int, ...] = (),
) -> Partition:
    directories = (bytes(16),) * len(replicas)
    return Partition(replicas, directories, isr, removing, adding, elr, last_known, leader, 0, 5, 7)


def change(
    state: Partition, active: Collection[int] = (1, 2, 3), min_isr: int = 2, elr: bool = True
) -> PartitionChange:
    return PartitionChange(state, bytes(15) + b"t", 0, active.__contains__, min_isr, elr)


def after(wanted: PartitionChange) -> Partition:
    record = wanted.record()
    assert record is not None
    found = wanted.partition.changed(record)
    found.check_invariants()
    return found


def test_nothing_changes_when_nothing_is_wanted() -> None:
    assert change(partition()).record() is None


def test_a_leader_that_leaves_is_followed_by_the_next_in_sync() -> None:
    wanted = change(partition(), active=(2, 3))
    wanted.isr = (2, 3)
    found = after(wanted)
    assert (found.leader, found.leader_epoch, found.isr, found.elr) == (2, 6, (2, 3), ())


def test_a_follower_that_leaves_does_not_start_a_leader_epoch() -> None:
    wanted = change(partition(), active=(1, 2))
    wanted.isr = (1, 2)
    found = after(wanted)
    assert (found.leader, found.leader_epoch, found.partition_epoch) == (1, 5, 8)


def test_below_min_isr_those_who_leave_stay_eligible() -> None:
    wanted = change(partition(isr=(1, 2)), active=(1,))
    wanted.isr = (1,)
    assert after(wanted).elr == (2,)


def test_the_last_in_sync_replica_leaves_itself_eligible_and_known() -> None:
    wanted = change(partition(isr=(1,), elr=(2,)), active=(3,))
    wanted.isr = ()
    found = after(wanted)
    assert (found.leader, found.isr, found.elr, found.last_known_elr) == (NO_LEADER, (), (1, 2), (1,))


def test_without_eligible_leaders_the_last_in_sync_replica_stays_so() -> None:
    wanted = change(partition(isr=(1,)), active=(3,), elr=False)
    wanted.isr = ()
    found = after(wanted)
    assert (found.leader, found.isr, found.elr, found.last_known_elr) == (NO_LEADER, (1,), (), ())


def test_an_eligible_replica_leads_when_nobody_is_in_sync() -> None:
    found = after(change(partition(NO_LEADER, isr=(), elr=(1, 2), last_known=(1,)), active=(2, 3)))
    assert (found.leader, found.isr, found.elr, found.last_known_elr) == (2, (2,), (1,), ())
    assert found.leader_recovery_state == 0


def test_a_replica_that_lost_its_records_is_not_eligible_any_more() -> None:
    wanted = change(partition(NO_LEADER, isr=(), elr=(1, 2), last_known=(1,)), active=())
    wanted.unclean_shutdown = frozenset((2,))
    assert after(wanted).elr == (1,)


def test_the_last_known_leader_leads_when_nobody_is_eligible_and_has_to_recover() -> None:
    found = after(change(partition(NO_LEADER, isr=(), elr=(), last_known=(2,)), active=(2, 3)))
    assert (found.leader, found.isr, found.leader_recovery_state) == (2, (2,), RECOVERING)


@pytest.mark.parametrize("elr", [(1,), ()])
def test_nobody_leads_who_may_lack_records(elr: tuple[int, ...]) -> None:
    assert change(partition(NO_LEADER, isr=(), elr=elr, last_known=(1,)), active=(2, 3)).record() is None


def test_a_last_known_leader_that_lost_its_disk_is_forgotten() -> None:
    wanted = change(partition(NO_LEADER, isr=(), elr=(), last_known=(2,)), active=(2, 3))
    wanted.lost_disks = frozenset((2,))
    found = after(wanted)
    assert (found.leader, found.last_known_elr) == (NO_LEADER, ())


def test_anyone_leads_where_that_is_allowed() -> None:
    wanted = change(partition(NO_LEADER, isr=(), elr=(1,), last_known=(1,)), active=(3,))
    wanted.election = Election.UNCLEAN
    found = after(wanted)
    assert (found.leader, found.isr, found.elr, found.leader_recovery_state) == (3, (3,), (), RECOVERING)


def test_the_preferred_leader_gets_its_place_back() -> None:
    wanted = change(partition(2))
    wanted.election = Election.PREFERRED
    assert (after(wanted).leader, after(wanted).isr) == (1, (1, 2, 3))


def test_a_preferred_leader_that_is_not_in_sync_waits() -> None:
    wanted = change(partition(2, isr=(2, 3)))
    wanted.election = Election.PREFERRED
    assert wanted.record() is None


def test_a_reassignment_ends_when_all_that_come_are_in_sync() -> None:
    state = partition(1, (2, 3, 4, 1), (1, 2, 3), removing=(1,), adding=(4,))
    wanted = change(state, (1, 2, 3, 4))
    wanted.isr = (1, 2, 3, 4)
    found = after(wanted)
    assert (found.replicas, found.isr, found.leader) == ((2, 3, 4), (2, 3, 4), 2)
    assert (found.adding_replicas, found.removing_replicas) == ((), ())


def test_a_reassignment_goes_on_while_one_is_missing() -> None:
    state = partition(1, (2, 3, 4, 5, 1), (1, 2, 3), removing=(1,), adding=(4, 5))
    wanted = change(state, (1, 2, 3, 4, 5))
    wanted.isr = (1, 2, 3, 4)
    found = after(wanted)
    assert (found.replicas, found.isr, found.adding_replicas) == ((2, 3, 4, 5, 1), (1, 2, 3, 4), (4, 5))


def test_when_a_replica_leaves_the_leader_starts_a_new_epoch() -> None:
    state = partition(1, (1, 2, 3), (1, 2), removing=(3,))
    found = after(change(state))
    assert (found.replicas, found.leader, found.leader_epoch) == ((1, 2), 1, 6)
