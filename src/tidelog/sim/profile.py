"""What kind of story a seed tells: the shape of the cluster, what clients do, and what goes wrong."""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random

# Faults by name, and how often each is drawn.
PROCESS_FAULTS = {"kill": 3, "crash": 3, "pause": 3, "restart": 2}
NETWORK_FAULTS = {"partition": 3, "one_way": 2, "bridge": 2, "reset": 2, "lossy": 1, "slow": 1, "client_cut": 1}
DISK_FAULTS = {"slow_disk": 1}
CLOCK_FAULTS = {"clock_jump": 1}
GENTLE = PROCESS_FAULTS | NETWORK_FAULTS | DISK_FAULTS | CLOCK_FAULTS


@dataclass(frozen=True)
class Profile:
    """Every figure is in simulated seconds. `brokers` and `controllers` are both when they are the same nodes."""

    name: str
    brokers: int = 1
    # 0: the brokers are the controllers too.
    controllers: int = 0
    faults_s: float = 60.0
    fault_every_s: float = 8.0
    faults: tuple[tuple[str, int], ...] = tuple(sorted(GENTLE.items()))
    partitions: int = 2
    replication: int = 1
    min_insync: int = 1
    # Every append is synced before it is acknowledged.
    durable: bool = False
    # Several machines may lose power at once.
    power_cuts: bool = False
    producers: int = 2
    transactions: int = 1
    copies: int = 1
    classic_members: int = 1
    consumer_members: int = 1
    admins: int = 1
    # The share of an administrator's steps that move replicas and leaders.
    moves: float = 0.0
    # How much each client does while there are faults; its pauses follow from that.
    steps: int = 60
    pace_s: float = 0.5

    @property
    def node_ids(self) -> range:
        return range(1, 1 + self.brokers + self.controllers)

    @property
    def voter_ids(self) -> range:
        return range(1 + self.brokers, 1 + self.brokers + self.controllers) if self.controllers else self.node_ids


def _only(*names: str) -> tuple[tuple[str, int], ...]:
    return tuple((name, GENTLE.get(name, 1)) for name in names)


SINGLE = Profile("single", durable=True)
CALM = Profile("calm", brokers=3, replication=3, min_insync=2, faults=())
CLUSTER = Profile("cluster", brokers=3, replication=3, min_insync=2)
PROFILES = {
    each.name: each
    for each in (
        SINGLE,
        CALM,
        CLUSTER,
        replace(CLUSTER, name="five", brokers=5),
        replace(CLUSTER, name="split", controllers=3),
        replace(CLUSTER, name="partitions", faults=tuple(sorted(NETWORK_FAULTS.items()))),
        replace(CLUSTER, name="power", durable=True, power_cuts=True, faults=_only("crash", "kill", "partition")),
        replace(CLUSTER, name="rolling", faults=_only("rolling", "pause", "reset"), fault_every_s=20.0),
        replace(CLUSTER, name="moves", brokers=5, moves=0.6, faults=_only("kill", "pause", "partition", "restart")),
        replace(
            CLUSTER, name="chase", steps=100, faults_s=40.0, faults=_only("chase", "pause", "slow"), fault_every_s=15.0
        ),
        replace(CLUSTER, name="long", faults_s=780.0, fault_every_s=60.0),
    )
}


def vary(profile: Profile, random: Random) -> Profile:
    """The figures of one seed: around those of the profile."""
    faults_s = profile.faults_s * random.uniform(0.5, 1.5)
    return replace(
        profile,
        faults_s=faults_s,
        fault_every_s=profile.fault_every_s * random.uniform(0.4, 2.0),
        partitions=random.randint(1, profile.partitions + 1),
        pace_s=faults_s / (profile.steps * random.choice((0.5, 1.0, 2.0))),
        producers=random.randint(1, profile.producers + 1),
        transactions=random.randint(0, profile.transactions + 1),
        copies=random.randint(0, profile.copies),
        classic_members=random.randint(0, profile.classic_members + 1),
        consumer_members=random.randint(0, profile.consumer_members + 1),
    )
