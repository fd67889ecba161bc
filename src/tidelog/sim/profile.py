"""What kind of story a seed tells: the shape of the cluster, what clients do, and what goes wrong."""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random

# Faults by name, and how often each is drawn.
PROCESS_FAULTS = {"kill": 3, "crash": 3, "pause": 3, "restart": 2}
NETWORK_FAULTS = {
    "partition": 3,
    "one_way": 2,
    "bridge": 2,
    "reset": 2,
    "lossy": 1,
    "slow": 1,
    "client_cut": 1,
    "late": 2,
}
DISK_FAULTS = {"slow_disk": 1}
# Only in stories that are about them: a node may have to be restarted, a copy to be thrown away.
FAILING_DISK_FAULTS = {"eio": 3, "full": 2, "flip": 4, "flip_cold": 3}
CLOCK_FAULTS = {"clock_jump": 1}
GENTLE = PROCESS_FAULTS | NETWORK_FAULTS | DISK_FAULTS | CLOCK_FAULTS


# A member that is away for longer than `max.poll.interval.ms` leaves its group, and what nobody uses is forgotten.
PACE_S_MAX = 200.0


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
    # The share of them that move replicas between the directories of a broker, or controllers in and out of the quorum.
    shelves: float = 0.0
    ballots: float = 0.0
    # How many of the controllers vote at first; 0: all of them, and for good.
    first_voters: int = 0
    # How much each client does while there are faults; its pauses follow from that.
    steps: int = 60
    pace_s: float = 0.5
    # Little happens in hours: what time alone does is looked at too.
    ages: bool = False
    # Of the nodes, beside what the seed draws.
    settings: tuple[tuple[str, str], ...] = ()
    directories: tuple[str, ...] = ("/data",)
    # Producers give up soon: what they could not send stays unsent, and its place is taken by something else.
    hasty: bool = False
    # How often somebody reads from every replica; 0 for never.
    peek_every_s: float = 0.0
    # How much longer than usual what goes wrong lasts.
    span: float = 1.0

    @property
    def node_ids(self) -> range:
        return range(1, 1 + self.brokers + self.controllers)

    @property
    def voter_ids(self) -> range:
        return range(1 + self.brokers, 1 + self.brokers + self.controllers) if self.controllers else self.node_ids


UNHURRIED = tuple(sorted((name, weight) for name, weight in GENTLE.items() if name != "clock_jump"))


def _only(*names: str) -> tuple[tuple[str, int], ...]:
    weights = GENTLE | FAILING_DISK_FAULTS
    return tuple((name, weights.get(name, 1)) for name in names)


SINGLE = Profile("single", durable=True)
CALM = Profile("calm", brokers=3, replication=3, min_insync=2, faults=())
CLUSTER = Profile("cluster", brokers=3, replication=3, min_insync=2)
TWO = ("/data", "/more")
SIPPING = (("replica.fetch.max.bytes", "300"), ("replica.fetch.response.max.bytes", "300"))
SPLIT = replace(CLUSTER, controllers=1)
# Little else than what the nemesis aims at: one partition, two producers.
AIMED = replace(
    SPLIT, partitions=1, fault_every_s=15.0, copies=0, classic_members=0, consumer_members=0, hasty=True, steps=200
)
VOTING = replace(
    CLUSTER,
    controllers=5,
    faults=_only("kill", "crash", "pause", "partition", "one_way", "restart"),
    ballots=0.7,
    copies=0,
)
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
        replace(AIMED, name="chase", faults=_only("chase", "slow"), peek_every_s=0.05),
        replace(AIMED, name="seesaw", faults=_only("seesaw"), fault_every_s=6.0, steps=300),
        replace(AIMED, name="stale", faults=_only("stale"), peek_every_s=0.5, steps=300, settings=SIPPING),
        replace(
            AIMED, name="usurp", faults=_only("usurp"), brokers=1, controllers=3, replication=1, min_insync=1, steps=60
        ),
        replace(
            CLUSTER,
            name="rot",
            faults=_only("flip", "flip_cold", "kill", "pause", "partition", "restart"),
            fault_every_s=5.0,
        ),
        replace(CLUSTER, name="sick", faults=_only("eio", "full", "kill", "partition"), directories=TWO),
        replace(
            CLUSTER, name="broken", durable=True, power_cuts=True, faults=_only("eio", "crash", "kill"), directories=TWO
        ),
        replace(
            CLUSTER,
            name="shelves",
            faults=_only("kill", "crash", "pause", "partition", "restart", "slow_disk", "eio", "full"),
            directories=TWO,
            shelves=0.7,
        ),
        replace(VOTING, name="voters", first_voters=3),
        replace(VOTING, name="upgrade"),
        replace(CLUSTER, name="long", faults_s=780.0, fault_every_s=60.0),
        replace(CLUSTER, name="hours", faults_s=14_400.0, fault_every_s=1500.0, faults=UNHURRIED, ages=True, span=8.0),
    )
}


def vary(profile: Profile, random: Random) -> Profile:
    """The figures of one seed: around those of the profile."""
    # Many short stories find more than few long ones; a long one shows what needs time.
    length = random.choice((0.3, 0.5, 0.8, 1.3))
    faults_s = profile.faults_s * length
    return replace(
        profile,
        faults_s=faults_s,
        fault_every_s=profile.fault_every_s * length**0.5 * random.uniform(0.3, 1.5),
        partitions=random.randint(1, profile.partitions + (profile.partitions > 1)),
        pace_s=min(PACE_S_MAX, profile.faults_s / (profile.steps * random.choice((0.1, 0.4, 0.7, 1.5)))),
        producers=random.randint(1, profile.producers + 1),
        transactions=random.randint(0, profile.transactions + 1),
        copies=random.randint(0, profile.copies),
        classic_members=random.randint(0, profile.classic_members + 1),
        consumer_members=random.randint(0, profile.consumer_members + 1),
    )
