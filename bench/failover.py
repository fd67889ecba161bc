"""kill -9 of a node that leads: from the kill to the next acknowledgement, and to the next active controller.

One victim is a leader that is not the active controller, the other is both. Each gets a topic of its own whose first
replica it is, and comes back before the next one dies.
"""

import time
from concurrent.futures import ThreadPoolExecutor

from confluent_kafka import Message, Producer

from bench.cluster_side import ClusterSide
from bench.quorum import wait_for_leader

TIMEOUT_S = 90
SETTINGS = {"retry.backoff.ms": 20, "reconnect.backoff.ms": 10, "reconnect.backoff.max.ms": 100, "log_level": 0}


class _Acks:
    """A producer of single records, and when each was acknowledged."""

    def __init__(self, side: ClusterSide, topic: str) -> None:
        self._topic = topic
        self._times: list[float] = []
        servers = side.cluster.address
        self._producer = Producer({"bootstrap.servers": servers, "acks": "all", "linger.ms": 0, **SETTINGS})

    def send(self) -> float:
        """When the record was acknowledged."""
        self._times.clear()
        self._producer.produce(self._topic, b"x" * 100, on_delivery=self._told)
        self._producer.flush(TIMEOUT_S)
        assert self._times, f"no record was acknowledged within {TIMEOUT_S} seconds"
        return self._times[0]

    def _told(self, error: object, message: Message) -> None:
        if error is None:
            self._times.append(time.monotonic())


def kill_leader(side: ClusterSide, label: str) -> dict[str, float]:
    """A leader dies, the active controller goes on."""
    active = side.quorum().leader
    victim = next(each for each in sorted(side.cluster.pids) if each != active)
    acks = _prepare(side, label, victim)
    side.cluster.kill_node(victim)
    killed = time.monotonic()
    found = {"cluster_failover_s": acks.send() - killed}
    side.bring_back(victim)
    return found


def kill_controller(side: ClusterSide, label: str) -> dict[str, float]:
    """The active controller dies, and leads a partition as well."""
    quorum = side.quorum()
    victim = quorum.leader
    acks = _prepare(side, label, victim)
    others = [port for node_id, port in quorum.controllers.items() if node_id != victim]
    with ThreadPoolExecutor(1) as pool:
        side.cluster.kill_node(victim)
        killed = time.monotonic()
        elected = pool.submit(wait_for_leader, others, victim)
        acked = acks.send()
    found = {"cluster_election_s": elected.result() - killed, "cluster_controller_failover_s": acked - killed}
    side.bring_back(victim)
    return found


def _prepare(side: ClusterSide, label: str, leader: int) -> _Acks:
    side.create_topic(label, leader=leader)
    acks = _Acks(side, label)
    acks.send()
    return acks
