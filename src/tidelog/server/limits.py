"""Who may connect: totals, per address, and how fast. Time arrives as an argument.

Kafka's own defaults are unlimited; where a setting is left at that, the finite bounds below hold. A connection over a
count is refused. One over the rate is taken but not read from until its turn, which slows a reconnect storm down
instead of feeding it.
"""

from __future__ import annotations

from typing import NamedTuple

UNLIMITED = 2**31 - 1
CONNECTIONS_MAX = 16_384
CREATIONS_PER_SECOND_MAX = 2_000
# A connection that is part-way through a frame must have sent the whole, or this many bytes a second after the grace.
FRAME_GRACE_MS = 30_000
FRAME_BYTES_PER_SECOND_MIN = 1_024


class Limits(NamedTuple):
    connections_max: int = CONNECTIONS_MAX
    connections_per_ip_max: int = CONNECTIONS_MAX
    connections_per_ip_overrides: dict[str, int] = {}  # noqa: RUF012
    creations_per_second_max: int = CREATIONS_PER_SECOND_MAX
    idle_ms: int = 600_000
    request_bytes_max: int = 104_857_600
    # Requests of one connection that may wait for replication before it is read no further.
    requests_in_flight_max: int = 100
    # Bytes of unfinished requests of all connections together.
    request_memory_bytes_max: int = 512 * 1024 * 1024


class Admission:
    """Counts open connections and paces new ones."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.open = 0
        self.refused = 0
        self._per_ip: dict[str, int] = {}
        self._next_free_ms = 0.0

    def refusal(self, host: str) -> str | None:
        """Why a connection from `host` may not come in, or None when it may and is now counted."""
        limits = self.limits
        if self.open >= limits.connections_max:
            self.refused += 1
            return "max.connections is reached"
        here = self._per_ip.get(host, 0)
        if here >= limits.connections_per_ip_overrides.get(host, limits.connections_per_ip_max):
            self.refused += 1
            return "max.connections.per.ip is reached"
        self.open += 1
        self._per_ip[host] = here + 1
        return None

    def released(self, host: str) -> None:
        self.open -= 1
        left = self._per_ip[host] - 1
        if left:
            self._per_ip[host] = left
        else:
            del self._per_ip[host]

    def delay_ms(self, now_ms: int) -> float:
        """How long the connection that just came must wait: a bucket that holds two seconds' worth."""
        step = 1000.0 / self.limits.creations_per_second_max
        self._next_free_ms = max(self._next_free_ms, now_ms - 2000.0) + step
        return max(0.0, self._next_free_ms - now_ms)
