"""Raft under random schedules: loss, doubles, reordering, crashes, partitions, lost disks, changes of the voters.

A failure names its seed. The judge of `support.raft_world` looks at every election and every commit: one leader an
epoch, a leader has all that is committed, nobody commits something else, and logs agree up to every common epoch.
"""

from collections.abc import Callable
from functools import partial

import pytest

from support.raft_world import MemoryLog, World

SEEDS_A_TEST = 40
STEPS = 500


def crash_or_start(world: World, lose_disk: bool = False) -> None:
    peer = world.random.choice(world.peers)
    if peer.raft is None:
        peer.start()
    elif lose_disk and world.random.random() < 0.3:
        peer.crash()
        kept, peer.disk = peer.disk, MemoryLog(world.new_directory())
        if not world.has_majority():
            peer.disk = kept
    else:
        peer.crash()


def snapshot(world: World) -> None:
    world.random.choice(world.peers).snapshot(keep_log=world.random.random() < 0.3)


def chaos(world: World, *also: Callable[[World], None]) -> None:
    actions = [
        (30, lambda: world.flights and world.deliver(world.random.randrange(len(world.flights)), 0.05)),
        (10, lambda: world.flights and world.deliver(0)),
        (8, lambda: world.pass_time(300)),
        (8, lambda: world.random.choice(world.peers).flush()),
        (4, world.write),
        (0.7, lambda: crash_or_start(world)),
        (0.5, world.partition),
        *((0.8, partial(each, world)) for each in also),
    ]
    weights = [weight for weight, _ in actions]
    for _ in range(STEPS):
        world.random.choices(actions, weights)[0][1]()
    world.check_logs()


def finish(world: World, seed: int) -> None:
    assert world.settle() is not None, f"seed {seed}: nobody leads after everything was healed"
    world.check_logs()


@pytest.mark.parametrize("first", range(0, 120, SEEDS_A_TEST))
def test_static_voters(first: int) -> None:
    for seed in range(first, first + SEEDS_A_TEST):
        world = World(seed, size=4, voting=3, dynamic=False)
        chaos(world)
        finish(world, seed)


@pytest.mark.parametrize("first", range(1000, 1080, SEEDS_A_TEST))
def test_snapshots_and_truncation_behind_them(first: int) -> None:
    for seed in range(first, first + SEEDS_A_TEST):
        world = World(seed, size=4, voting=3, dynamic=False)
        chaos(world, snapshot)
        finish(world, seed)


@pytest.mark.parametrize("first", range(2000, 2120, SEEDS_A_TEST))
def test_changes_of_the_voters_and_lost_disks(first: int) -> None:
    done = 0
    for seed in range(first, first + SEEDS_A_TEST):
        world = World(seed, size=5, voting=3, dynamic=True)
        chaos(world, World.change_voters, World.change_voters, partial(crash_or_start, lose_disk=True), snapshot)
        finish(world, seed)
        done += sum(world.changes.values())
    assert done > SEEDS_A_TEST, "hardly any change of the voters was tried"


def test_five_voters() -> None:
    for seed in range(3000, 3000 + SEEDS_A_TEST):
        world = World(seed, size=5, voting=5, dynamic=False)
        chaos(world)
        finish(world, seed)
