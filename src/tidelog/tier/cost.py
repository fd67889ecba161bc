"""What a month of storage costs: everything on local disks, or most of it in an object store.

Local disks hold every replica; the object store is paid for one copy, because it keeps its own. A gigabyte is 10^9
bytes, as the price lists have it. Requests and traffic are left out.
"""

from __future__ import annotations

from typing import NamedTuple

GB = 10**9
LOCAL_PER_GB = 0.10
REMOTE_PER_GB = 0.023


class Prices(NamedTuple):
    """Dollars for a gigabyte a month."""

    local: float = LOCAL_PER_GB
    remote: float = REMOTE_PER_GB


class Cost(NamedTuple):
    all_local: float
    tiered_local: float
    tiered_remote: float

    @property
    def tiered(self) -> float:
        return self.tiered_local + self.tiered_remote

    @property
    def saved(self) -> float:
        return self.all_local - self.tiered


def monthly_cost(total_bytes: int, local_bytes: int, remote_bytes: int, replicas: int, prices: Prices) -> Cost:
    """`total_bytes` is one copy of everything, `local_bytes` one copy of what stays on local disks."""
    return Cost(
        total_bytes / GB * replicas * prices.local,
        local_bytes / GB * replicas * prices.local,
        remote_bytes / GB * prices.remote,
    )
